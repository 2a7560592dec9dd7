"""The weekly reflection: at most once in six days, only when enough was learnt, never fading, shown in the prompt."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.conftest import ManualClock, OpenMemory
from tests.scripted import scripted
from toldonce import Memory, Record
from toldonce.presets.loader import load_preset, shipped_presets
from toldonce.storage.tables.jobs import Run

SATURDAY = datetime(2026, 3, 7, 12, tzinfo=UTC)


@pytest.fixture
def memory(open_memory: OpenMemory, clock: ManualClock) -> Memory:
    clock.now = SATURDAY
    memory = open_memory("assistant")
    memory.tend()
    return memory


def say(memory: Memory, *texts: str, session: str = "s1", user: str = "alex") -> None:
    for text in texts:
        memory.observe(text, user=user, session=session, display_name=user.title())
    memory.settle(session=session)


def sunday(memory: Memory, clock: ManualClock, *, weeks: int = 0) -> list[Run]:
    clock.now = SATURDAY.replace(day=8, hour=4) if not weeks else clock.now
    clock.pass_time(weeks=weeks)
    return [run for run in memory.tend() if run.name == "reflect"]


def reflections(memory: Memory) -> list[Record]:
    found = memory.store.read(lambda t: t.records.read_page(None, limit=10_000))
    return [r for _, r in found if r.kind == "reflection"]


LEARNT = ("I live in Lisbon.", "I work at Acme.", "I love hiking.")


def test_a_week_with_three_facts_is_reflected_on(memory: Memory, clock: ManualClock) -> None:
    """AST-11: tagged weekly, drawn from the facts of the week."""
    say(memory, *LEARNT)
    (run,) = sunday(memory, clock)
    (made,) = reflections(memory)
    assert run.counts == {"reflections": 1}
    assert (made.tags, made.user, len(made.sources)) == (("weekly",), "alex", 3)
    assert "Alex lives in Lisbon" in made.text


def test_two_facts_are_not_enough(memory: Memory, clock: ManualClock) -> None:
    say(memory, *LEARNT[:2])
    assert [run.status for run in sunday(memory, clock)] == ["skipped"]
    assert reflections(memory) == []


def test_older_facts_do_not_count(memory: Memory, clock: ManualClock) -> None:
    clock.now = datetime(2026, 2, 20, tzinfo=UTC)
    say(memory, *LEARNT)
    assert [run.status for run in sunday(memory, clock)] == ["skipped"]


def test_not_within_six_days_of_the_last(memory: Memory, clock: ManualClock) -> None:
    say(memory, *LEARNT)
    clock.pass_time(hours=1)
    memory.store.write(lambda t: t.jobs.put(next(j for j in t.jobs.all() if j.name == "reflect")))
    sunday(memory, clock)
    clock.pass_time(days=5)
    job = next(j for j in memory.jobs.all() if j.name == "reflect")
    memory.store.write(lambda t: t.jobs.put(type(job)(space=job.space, key="again", name="reflect", due_at=clock())))
    assert [run.status for run in memory.tend() if run.name == "reflect"] == ["skipped"]
    assert len(reflections(memory)) == 1


def test_what_changed_in_the_week_is_told(memory: Memory, clock: ManualClock) -> None:
    say(memory, *LEARNT)
    clock.pass_time(hours=1)
    say(memory, "I moved to Porto.", session="s2")
    sunday(memory, clock)
    (made,) = reflections(memory)
    assert "**What is new**" in made.text
    assert "Alex moved to Porto" in made.text


def test_it_never_fades_and_stands_in_the_prompt(memory: Memory, clock: ManualClock) -> None:
    say(memory, *LEARNT)
    sunday(memory, clock)
    clock.pass_time(days=12)
    assert "## Weekly insight" in memory.context("hello", user="alex", session="new").text
    clock.pass_time(days=48)
    memory.tend()
    (made,) = reflections(memory)
    assert (made.state, made.confidence) == ("active", 1.0)


def test_a_prompt_leaves_out_the_reflection_on_a_week_long_past(memory: Memory, clock: ManualClock) -> None:
    say(memory, *LEARNT)
    sunday(memory, clock)
    clock.pass_time(days=60)
    assert "## Weekly insight" not in memory.context("hello", user="alex", session="new").text


def test_each_person_is_reflected_on_alone(memory: Memory, clock: ManualClock) -> None:
    say(memory, *LEARNT)
    say(memory, "I live in Braga.", session="s2", user="sam")
    sunday(memory, clock)
    (made,) = reflections(memory)
    assert made.user == "alex"
    assert "Braga" not in made.text


def test_a_week_in_portuguese_is_told_in_portuguese(memory: Memory, clock: ManualClock) -> None:
    say(memory, "Moro em Lisboa.", "Trabalho na Embraer.", "Adoro samba.", user="joão")
    sunday(memory, clock)
    (made,) = reflections(memory)
    assert "O que é novo" in made.text


def test_a_model_sees_who_said_what_and_its_reflection_stands_in_the_block_until_it_is_old(
    open_memory: OpenMemory, clock: ManualClock
) -> None:
    """A reflection never tells an assistant's words as the person's."""
    told = ("Alex lives in Lisbon.", "Alex works at Acme.", "Alex loves hiking.")
    text = "Alex said she moved to Lisbon; the assistant suggested trams."
    with scripted() as server:
        given = {"source": "m1", "type": "fact", "change": "holds", "confidence": 0.9}
        server.say(
            facts={"facts": [{**given, "text": one} for one in told]},
            reflect=lambda r: {"title": "Lisbon", "text": text, "sources": [r.data["records"][0]["id"]]},
        )
        clock.now = SATURDAY
        memory = open_memory("assistant", writer=server.writer)
        memory.tend()
        memory.observe("I moved to Lisbon", "alex", session="s1", display_name="Alex")
        memory.observe("Then take the trams.", "alex", session="s1", role="assistant")
        memory.settle()
        sunday(memory, clock)
        (request,) = [r for r in server.requests if r.task == "reflect"]
    said = [row["text"] for row in request.data["records"] if row["text"] not in told]
    assert said == ["Alex: I moved to Lisbon", "assistant: Then take the trams."]
    assert text in memory.context("hello", user="alex", session="new").text
    clock.pass_time(days=15)
    assert text not in memory.context("hello", user="alex", session="new").text


def test_an_assistant_pays_for_no_note_that_no_prompt_shows(open_memory: OpenMemory, clock: ManualClock) -> None:
    """A model writes notes only if a section of the block shows them; else rules do, and search finds them."""
    for preset in map(load_preset, shipped_presets()):
        shown = {kind for section in preset.context.sections for kind in section.kinds}
        is_shown = preset.distil.note_kind in shown
        assert "note" not in preset.distil.steps or is_shown or preset.distil.note_by == "rules", preset.name
    with scripted() as server:
        memory = open_memory("assistant", writer=server.writer)
        say(memory, *LEARNT)
        assert [request.task for request in server.requests] == ["facts"] and not server.requests[0].has_note
        hits = memory.recall("Lisbon", user="alex", kinds=["note"])
        assert [hit.record.made_by for hit in hits] == ["rules"]
