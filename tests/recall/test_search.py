"""Search as a whole: both rankers, every signal, and what the preset leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Memory, presets
from tests.conftest import ManualClock, OpenMemory


def variant(tmp_path: Path, old: str, new: str) -> str:
    """The assistant preset with one line changed, as a file of its own."""
    text, _ = presets.preset_text("assistant")
    assert old in text
    path = tmp_path / "variant.toml"
    path.write_text(text.replace(old, new, 1).replace('name = "assistant"', 'name = "variant"', 1), encoding="utf-8")
    return str(path)


@pytest.fixture(params=["evidence", "reciprocal"])
def memory(request: pytest.FixtureRequest, open_memory: OpenMemory, tmp_path: Path) -> Memory:
    return open_memory(variant(tmp_path, 'ranker = "evidence"', f'ranker = "{request.param}"'))


def test_both_rankers_find_the_words_and_say_how(memory: Memory) -> None:
    memory.observe("The spare key hangs behind the blue door", user="alex", session="s")
    memory.observe("We had soup", user="alex", session="s")
    hit, *rest = memory.recall("where is the spare key?", user="alex")
    assert hit.record.text.startswith("The spare key")
    assert 0 < hit.score <= 1
    assert [signal.name for signal in hit.why.signals] == ["words"]
    assert all(other.score < hit.score for other in rest)


def test_a_named_time_finds_what_was_said_then(memory: Memory, clock: ManualClock) -> None:
    memory.observe("Rehearsal went well", user="alex", session="a")
    clock.pass_time(days=7)
    memory.observe("Rehearsal went badly", user="alex", session="b")
    hits = memory.recall("how did the rehearsal go last week?", user="alex")
    assert hits[0].record.text == "Rehearsal went well"
    assert "time" in {signal.name for signal in hits[0].why.signals}
    em_portugues = memory.recall("como foi o rehearsal na semana passada?", user="alex")
    assert em_portugues[0].record.text == "Rehearsal went well"


def test_an_asked_attribute_finds_the_fact_that_names_it_otherwise(memory: Memory) -> None:
    memory.remember("Alex settled in Lisbon", user="alex", subject="alex/residence")
    memory.remember("Alex plays chess", user="alex")
    hits = memory.recall("where does she live?", user="alex")
    assert hits[0].record.subject == "alex/residence"
    assert "subjects" in {signal.name for signal in hits[0].why.signals}


def test_why_not_names_the_first_thing_in_the_way(memory: Memory) -> None:
    kept = memory.remember("Alex is left-handed", user="alex")
    assert memory.why_not(kept.id, "left-handed", user="alex").found
    assert "private" in memory.why_not(kept.id, "left-handed", user="sam").reason
    assert "not asked for" in memory.why_not(kept.id, "left-handed", user="alex", kinds=["note"]).reason
    assert memory.why_not(kept.id, "the weather in Oslo", user="alex").stage == "signals"
    memory.forget(kept.id, reason="a mistake")
    assert "a mistake" in memory.why_not(kept.id, "left-handed", user="alex").reason


def test_a_skip_rule_keeps_messages_out_and_says_so(open_memory: OpenMemory, tmp_path: Path) -> None:
    memory = open_memory(variant(tmp_path, '[capture]\nkind = "message"', '[capture]\nkind = "message"\nskip = ["^!"]'))
    skipped = memory.observe("!play some music", user="alex", session="s")
    assert not skipped
    assert skipped.reason == "a skip rule matched"  # type: ignore[union-attr]
    assert memory.observe("play some music", user="alex", session="s")
    assert len(memory.recall("music", user="alex")) == 1
