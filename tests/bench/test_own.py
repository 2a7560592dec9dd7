"""Probes of one's own memory: made by rules, asked again, and never a trace of them but one row without any text."""

from __future__ import annotations

import json

import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce import Memory
from toldonce.bench.own import ROW, OwnResult, is_same_evidence, judge_own_memory, probe_question
from toldonce.errors import InputError
from toldonce.records import Hit, personal_space

FACTS = [
    ("Alex lives in Lisbon near the river", "alex/residence"),
    ("Alex works as a carpenter for a theatre", "alex/employment"),
    ("Alex is vegetarian since the summer", "alex/diet"),
]
SAID = [
    "We repaired the wooden stage lights before the premiere on Friday",
    "O encanador consertou a torneira da cozinha ontem de manhã",
    "The ferry to the island leaves twice every morning in winter",
    "ok",
]


def fill(memory: Memory) -> Memory:
    for text, subject in FACTS:
        memory.remember(text, "fact", user="alex", subject=subject)
    for text in SAID:
        memory.observe(text, "alex", session="s1")
    return memory


def ask(memory: Memory, clock: ManualClock, **options: object) -> OwnResult:
    return judge_own_memory(memory, space=None, now=clock.now, **options)  # type: ignore[arg-type]


def dump(memory: Memory) -> list[object]:
    """All records with their counts, and every job."""
    return [memory.store.read(lambda t: t.records.read_page(None)), memory.jobs.all()]


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return fill(open_memory("assistant"))


def test_probes_are_made_of_records_and_messages_in_three_forms(memory: Memory, clock: ManualClock) -> None:
    judged = ask(memory, clock)
    records = {p.record: memory.get(p.record) for p in judged.probes}
    assert {p.form for p in judged.probes} == {"words", "gap", "subject"}
    assert {r.kind for r in records.values()} == {"fact", "message"}
    assert "ok" not in {r.text for r in records.values()}
    assert judged.before is None and not judged.is_worse and judged.scores["ALL"]["n"] == len(judged.probes)
    asked = {(records[p.record].text, p.form): probe_question(p, records[p.record]) for p in judged.probes}
    home = asked[FACTS[0][0], "subject"]
    assert home.startswith("alex ") and not {"lives", "Lisbon", "river"} & set(home.split())
    # Every word is as rare as every other here, so the first one is the most telling.
    assert asked[SAID[2], "gap"] == "island leaves twice every morning winter"


def test_a_small_memory_finds_its_own_words(memory: Memory, clock: ManualClock) -> None:
    scores = ask(memory, clock).scores
    assert scores["words"]["recall@1"] == 1 and scores["gap"]["recall@5"] == 1


def test_the_same_memory_gives_the_same_answer_again(memory: Memory, clock: ManualClock) -> None:
    first = ask(memory, clock)
    second = ask(memory, clock)
    assert second.probes == first.probes and second.before == first.scores["ALL"]
    assert second.worse == () and second.better == 0 and second.gone == 0


def test_nothing_is_written_but_the_row_and_nothing_counts_as_shown(memory: Memory, clock: ManualClock) -> None:
    before = dump(memory)
    ask(memory, clock)
    memory.tend(clock.now)
    memory.stats()
    assert dump(memory)[0] == before[0]


def test_the_row_holds_no_remembered_word(memory: Memory, clock: ManualClock) -> None:
    ask(memory, clock)
    kept = memory.store.read(lambda t: t.documents.read_setting(memory.space.name, ROW)) or ""
    words = {w.casefold() for text in [*SAID, *(f for f, _ in FACTS)] for w in text.split() if len(w) > 3}
    assert json.loads(kept)["probes"] and not {w for w in words if w in kept.casefold()}


def bury(memory: Memory, clock: ManualClock) -> None:
    """Say the same so often and later that the probes are no longer found."""
    for n in range(30):
        clock.pass_time(minutes=1)
        for text in SAID[:3]:
            memory.observe(text, "alex", session=f"more {n}")


def test_what_got_worse_is_named_and_stays_worse(memory: Memory, clock: ManualClock) -> None:
    first = ask(memory, clock)
    bury(memory, clock)
    second = ask(memory, clock)
    assert second.is_worse and second.scores["ALL"]["recall@5"] < first.scores["ALL"]["recall@5"] - 0.02
    lost = {(p.record, p.form) for p, _ in second.worse}
    assert lost and lost <= {(p.record, p.form) for p in first.probes}
    assert all(was is not None and was <= 5 for _, was in second.worse)
    assert ask(memory, clock).is_worse, "a fall is told until it is mended or new probes are made"


def test_new_probes_begin_a_new_standard(memory: Memory, clock: ManualClock) -> None:
    ask(memory, clock)
    bury(memory, clock)
    renewed = ask(memory, clock, renew=True)
    assert renewed.before is None and not renewed.is_worse
    assert not ask(memory, clock).is_worse


def test_a_probe_goes_with_its_record(memory: Memory, clock: ManualClock) -> None:
    first = ask(memory, clock)
    gone = first.probes[0].record
    memory.forget(gone)
    second = ask(memory, clock)
    assert second.gone == sum(p.record == gone for p in first.probes) and gone not in {p.record for p in second.probes}
    assert not second.is_worse


def test_a_derived_record_counts_for_its_source_and_the_other_way_round(memory: Memory) -> None:
    message = memory.observe("I moved to Coimbra with my sister", "alex", session="s2")
    assert message
    fact = memory.remember("Alex shares a flat with a sister", "fact", user="alex", source=message.id)
    other = memory.remember("Alex collects old maps", "fact", user="alex")
    assert (
        is_same_evidence(Hit(fact, 1.0), message)
        and is_same_evidence(Hit(message, 1.0), fact)
        and is_same_evidence(Hit(fact, 1.0), fact)
    )
    assert not is_same_evidence(Hit(other, 1.0), message) and not is_same_evidence(Hit(other, 1.0), fact)


def test_an_empty_memory_has_nothing_to_ask(open_memory: OpenMemory, clock: ManualClock) -> None:
    with pytest.raises(InputError, match="nothing to make probes of yet"):
        ask(open_memory("assistant"), clock)


def test_probes_of_records_that_are_all_gone_are_refused(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("assistant")
    kept = memory.remember("The harbour master keeps seven grey cats", "fact", user="alex")
    ask(memory, clock)
    memory.forget(kept.id)
    with pytest.raises(InputError, match="make new ones with --renew"):
        ask(memory, clock)


def test_the_number_of_probes_can_be_limited(memory: Memory, clock: ManualClock) -> None:
    assert len(ask(memory, clock, most=4).probes) == 4


def test_expired_records_make_no_probe(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = fill(open_memory("companion"))
    clock.pass_time(days=60)
    judged = ask(memory, clock)
    assert {memory.get(p.record).kind for p in judged.probes} == {"fact"}


def test_each_space_has_probes_of_its_own(memory: Memory, clock: ManualClock) -> None:
    ask(memory, clock)
    memory.spaces.add("garden")
    memory.observe("The greenhouse needs three new window panes", "ana", space="garden")
    judged = judge_own_memory(memory, space="garden", now=clock.now)
    assert {memory.get(p.record).space for p in judged.probes} == {"garden"}
    with pytest.raises(InputError, match="nothing to make probes of"):
        judge_own_memory(memory, space=personal_space("ana"), now=clock.now)
