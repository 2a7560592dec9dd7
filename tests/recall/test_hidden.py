"""What is not shown though it was kept: words of blocked people, what a skip rule keeps out, and the oldest turns."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce import Memory
from toldonce.recall.context import build_context
from toldonce.recall.fitting import ContextLine, ContextPart, Frame, fit_to_budget
from toldonce.recall.sections import ContextRequest

FRAME = Frame("", "")


@pytest.fixture
def memory(open_memory: OpenMemory, clock: ManualClock) -> Memory:
    """A chat in which Troll says something worth a note, before anybody blocks them."""
    memory = open_memory("community")
    for name, text in (
        ("alex", "The picnic is on Sunday at the lake"),
        ("troll", "I will bring seven stinking goats to the picnic"),
        ("sam", "I will bring the potato salad and my dog Rex"),
    ):
        memory.observe(text, user=name, channel="general", display_name=name.title())
    clock.pass_time(hours=1)
    memory.settle(channel="general")
    memory.observe("Goats are better than any of you", user="troll", channel="general", display_name="Troll")
    memory.observe("Is anyone there?", user="alex", channel="general", display_name="Alex")
    return memory


def shown(memory: Memory, query: str) -> str:
    hits = memory.recall(query, user="alex", limit=10)
    block = memory.context(query, user="alex", channel="general").text
    return "\n".join([block, *(f"{hit.record.title} {hit.record.text}" for hit in hits)]).casefold()


def test_a_blocked_person_is_quoted_nowhere(memory: Memory) -> None:
    """COM-14: the note stays, without their words; their messages and statements are not found."""
    assert "goats" in shown(memory, "who brings goats to the picnic?")
    memory.people.block("troll")
    after = shown(memory, "who brings goats to the picnic?")
    assert "goats" not in after and "stinking" not in after
    assert "troll" not in after
    assert "potato salad" in after


def test_who_is_let_in_again_is_quoted_again(memory: Memory) -> None:
    """Nothing was destroyed."""
    memory.people.block("troll")
    memory.people.block("troll", blocked=False)
    assert "goats" in shown(memory, "who brings goats to the picnic?")


def test_a_renamed_blocked_person_is_recognised_by_the_sources(memory: Memory) -> None:
    memory.observe("new name, who dis", user="troll", channel="other", display_name="Shepherd")
    memory.people.block("troll")
    assert "goats" not in shown(memory, "goats at the picnic")


def test_a_reply_does_not_show_what_a_blocked_person_asked(open_memory: OpenMemory) -> None:
    """A short reply stands with what it answers, unless nobody may be shown that."""
    memory = open_memory("community")
    memory.observe("shall we bring goats to the greenhouse?", user="troll", channel="general", display_name="Troll")
    memory.observe("greenhouse, no", user="sam", channel="general", display_name="Sam")
    assert "goats" in memory.context("greenhouse", user="alex", channel="other").text
    memory.people.block("troll")
    block = memory.context("greenhouse", user="alex", channel="other").text
    assert "greenhouse, no" in block and "goats" not in block


def test_a_note_of_blocked_people_alone_is_not_shown(open_memory: OpenMemory) -> None:
    memory = open_memory("community")
    memory.observe("I will sell seven stinking goats at the market", user="troll", channel="c", display_name="Troll")
    memory.settle(channel="c")
    memory.people.block("troll")
    assert memory.recall("goats market", user="alex") == []


def test_prose_loses_the_sentences_that_name_a_blocked_person(memory: Memory) -> None:
    memory.remember(
        "The group planned a picnic. Troll threatened to bring goats. Sam makes salad.",
        kind="note",
        author="system",
        metadata={"participants": ["alex", "sam", "troll"]},
    )
    memory.people.block("troll")
    texts = [hit.record.text for hit in memory.recall("group planned picnic salad", user="alex", limit=10)]
    assert "The group planned a picnic. Sam makes salad." in texts


def test_lines_that_only_a_blocked_person_said_are_in_no_profile(open_memory: OpenMemory) -> None:
    memory = open_memory("life")
    memory.observe("I live in Lisbon", user="alex", session="s1", display_name="Alex")
    memory.settle(session="s1")
    record = memory.recall("Lisbon", user="alex", kinds=["fact"])[0].record
    assert record.user == "alex"
    memory.people.block("alex")
    assert memory.recall("Lisbon") == []


def test_a_skip_rule_hides_what_was_kept_before_the_rule(open_memory: OpenMemory) -> None:
    """COM-14: gates apply to capture and to retrieval alike."""
    memory = open_memory("companion")
    memory.observe("!play the jazz playlist", user="sam", session="s1")
    memory.observe("which jazz playlist was that?", user="sam", session="s1")
    view, preset = memory.engine.view_for("sam", None)
    ruled = replace(preset, capture=replace(preset.capture, skip=("^!",)))

    find = memory.engine.search_for_block(ruled)
    assert len(memory.recall("jazz playlist", user="sam")) == 2
    assert [hit.record.text for hit in find("jazz playlist", [(view, 5)])[0]] == ["which jazz playlist was that?"]
    asked = ContextRequest(text="jazz playlist", user="sam", session="s1", channel=None, budget=2_000)
    home = memory.engine.find_space(None)[0]
    assert "!play" in build_context(memory.store, asked, view, preset=preset, space=home, search=find).text
    assert "!play" not in build_context(memory.store, asked, view, preset=ruled, space=home, search=find).text


def lines_of(*texts: str) -> tuple[ContextLine, ...]:
    return tuple(ContextLine(text) for text in texts)


def test_of_a_part_whose_newest_line_is_last_the_oldest_go() -> None:
    lines = lines_of("oldest " * 20, "older " * 20, "newer " * 20, "newest " * 20)
    fitted = fit_to_budget([ContextPart(lines, tokens=50, is_newest_last=True)], budget=1_000, frame=FRAME)
    assert [line.text.split()[0] for line in fitted.kept] == ["newer", "newest"]
    assert {line.text.split()[0] for line in fitted.dropped} == {"oldest", "older"}


def test_the_last_turns_that_do_not_fit_lose_the_oldest(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("companion")
    for number in range(8):
        clock.pass_time(minutes=1)
        memory.observe(f"turn number {number}: " + "and so it went on " * 12, user="alex", session="s1")
    text = memory.context("hm", user="alex", session="s1", budget=330).text
    told = [number for number in range(8) if f"turn number {number}" in text]
    assert told and told == list(range(told[0], 8)) and told[0] > 0
