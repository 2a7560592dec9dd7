"""A doubted record is shown directly under the newer one that probably ends it, with both dates, and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce import Memory
from toldonce.records import Document, DocumentEntry, Record
from toldonce.storage import lifecycle

IN_WORDS = {
    "en": ("I live in Porto", "I moved to Gaia", "(earlier, Mar 2: “I live in Porto”; probably over since Mar 12)"),
    "pt": (
        "moro no Porto",
        "mudei-me para Gaia esta semana",
        "(antes, 2 mar: “moro no Porto”; provavelmente já não é assim desde 12 mar)",
    ),
    "es": (
        "vivo en Oporto",
        "me mudé a Gaia esta semana",
        "(antes, 2 mar: «vivo en Oporto»; probablemente ya no es así desde 12 mar)",
    ),
}


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("assistant")


def doubt(memory: Memory, older: Record, newer: Record) -> None:
    at = memory.clock()
    assert memory.store.write(lambda t: lifecycle.doubt_record(t, older, newer, at=at, reason="a newer word"))


def pair(memory: Memory, clock: ManualClock, older: str = "", newer: str = "") -> tuple[Record, Record]:
    """Two records ten days apart, of which the newer doubts the older one."""
    said = [memory.remember(older or "Alex lives in Porto", user="alex")]
    clock.pass_time(days=10)
    said.append(memory.remember(newer or "Alex moved to Gaia", user="alex"))
    doubt(memory, *said)
    return said[0], said[1]


def test_recall_gives_the_newer_record_with_the_doubted_one_under_it(memory: Memory, clock: ManualClock) -> None:
    porto, gaia = pair(memory, clock)
    hits = memory.recall("Porto Gaia", "alex", min_score=0)
    assert [(hit.record.id, [one.id for one in hit.doubted]) for hit in hits] == [(gaia.id, [porto.id])]
    before = memory.recall("Porto", "alex", min_score=0, as_of=memory.clock() - timedelta(days=5))
    assert [(hit.record.id, hit.doubted) for hit in before] == [(porto.id, ())]


@pytest.mark.parametrize("language", list(IN_WORDS))
def test_a_block_has_both_in_one_piece_with_both_dates(memory: Memory, clock: ManualClock, language: str) -> None:
    older, newer, written = IN_WORDS[language]
    memory.people.update("alex", language=language)
    _, gaia = pair(memory, clock, older, newer)
    made = memory.context(newer, "alex")
    [line] = [one for one in made.lines if one.record == gaia.id]
    first, second = line.text.splitlines()
    assert newer.split()[-1] in first and second == f"  {written}"
    assert made.text.count(older) == 1 and line.text in made.text
    assert sum(one.tokens for one in made.lines) == made.tokens


def test_the_pair_costs_what_both_cost_or_is_left_out(memory: Memory, clock: ManualClock) -> None:
    pair(memory, clock)
    whole = memory.context("where does Alex live?", "alex")
    assert "lives in Porto" in whole.text
    for budget in range(0, whole.tokens, 5):
        text = memory.context("where does Alex live?", "alex", budget=budget).text
        assert ("moved to Gaia" in text) == ("lives in Porto" in text)


def test_a_message_that_says_what_is_doubted_is_replaced_by_the_newer_record(
    memory: Memory, clock: ManualClock
) -> None:
    said = memory.observe("I live in Porto, near the river", "alex", session="s1")
    assert isinstance(said, Record)
    porto = memory.remember("Alex lives in Porto near the river", user="alex", source=said.id)
    clock.pass_time(days=10)
    gaia = memory.remember("Alex moved to Gaia", user="alex")
    doubt(memory, porto, gaia)
    made = memory.context("Porto near the river", "alex", session="s2")
    assert [hit.record.id for hit in made.hits] == [gaia.id]
    assert made.text.count("near the river") == 1


def test_a_message_that_says_more_has_the_newer_word_under_it(memory: Memory, clock: ManualClock) -> None:
    text = "I live in Porto, play the cello on Fridays, keep three hens and walk along the river every single morning"
    said = memory.observe(text, "alex", session="s1")
    assert isinstance(said, Record)
    porto = memory.remember("Alex lives in Porto", user="alex", source=said.id)
    clock.pass_time(days=10)
    doubt(memory, porto, memory.remember("Alex moved to Gaia", user="alex"))
    made = memory.context("cello hens Porto", "alex", session="s2")
    assert f"{text}\n  (since then, Mar 12: “Alex moved to Gaia”)" in made.text


def test_a_line_of_a_profile_is_under_the_newer_one(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("life")
    porto, gaia = pair(memory, clock)
    put_line(memory, porto)
    [entry] = memory.profile("alex").entries
    shown = entry.text, entry.sources, [one.id for one in entry.doubted]
    assert shown == ("Alex moved to Gaia", (gaia.id,), [porto.id])
    assert memory.context("anything", "alex").text.count("Porto") == 1
    memory.restore(porto.id)
    assert [(e.text, e.doubted) for e in memory.profile("alex").entries] == [("Alex lives in Porto", ())]


def test_what_a_newer_line_doubts_is_under_it(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("life")
    porto, gaia = pair(memory, clock)
    put_line(memory, porto, gaia)
    [entry] = memory.profile("alex").entries
    assert [one.id for one in entry.doubted] == [porto.id]


def test_nobody_sees_under_a_record_what_another_may_not_read(memory: Memory, clock: ManualClock) -> None:
    porto = memory.remember("Alex lives in Porto", user="alex")
    clock.pass_time(days=10)
    gaia = memory.remember("Alex moved to Gaia", user="alex", visibility="project")
    doubt(memory, porto, gaia)
    assert [hit.doubted for hit in memory.recall("Gaia", "sam", min_score=0)] == [()]
    assert "Porto" not in memory.context("Gaia", "alex", viewer="sam").text


def test_what_says_the_same_again_is_not_shown_twice(memory: Memory, clock: ManualClock) -> None:
    porto, gaia = pair(memory, clock)
    clock.pass_time(days=1)
    again = memory.remember("alex lives in porto.", user="alex")
    doubt(memory, gaia, again)
    [hit] = memory.recall("Porto", "alex", min_score=0)
    assert (hit.record.id, [one.id for one in hit.doubted]) == (again.id, [gaia.id])
    assert memory.get(porto.id).state == "doubted"


def put_line(memory: Memory, *records: Record) -> None:
    """Have the profile of the records' person show them."""
    preset = memory.engine.find_space(None)[1]
    name = next(name for name, policy in preset.documents.items() if policy.per == "person")
    section = next(iter(preset.documents[name].sections))
    entries = tuple(DocumentEntry(section=section, text=r.text, sources=(r.id,), at=r.at) for r in records)

    def change(document: Document) -> Document:
        return replace(document, version=document.version + 1, entries=entries)

    memory.documents.change(name, change, owner="alex")
