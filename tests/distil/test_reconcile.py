"""A new record meets what is known: duplicates join, the subject table decides, doubts are asked once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import START, ManualClock, OpenMemory
from toldonce import Memory, Record


@pytest.fixture
def life(open_memory: OpenMemory) -> Memory:
    return open_memory("life")


@pytest.fixture
def assistant(open_memory: OpenMemory) -> Memory:
    return open_memory("assistant")


def tell(memory: Memory, clock: ManualClock, *texts: str, user: str = "maria") -> None:
    for text in texts:
        clock.pass_time(hours=1)
        session = f"{user}{clock.now.isoformat()}"
        memory.observe(text, user=user, session=session, display_name=user.title())
        memory.settle(session=session)


def drawn(memory: Memory, *, attribute: str | None = None, user: str | None = None) -> list[Record]:
    found = memory.store.read(lambda t: t.records.read_page(None, user=user, limit=10_000))
    mine = [r for _, r in found if r.conversation is None and r.kind != "note"]
    return [r for r in mine if attribute is None or (r.subject or "").endswith(f"/{attribute}")]


def states(memory: Memory, attribute: str) -> list[tuple[str, str]]:
    return [(r.text, r.state) for r in drawn(memory, attribute=attribute)]


# Duplicates


def test_the_same_again_is_one_record_with_two_sources(assistant: Memory, clock: ManualClock) -> None:
    """AST-5: exactly the same."""
    tell(assistant, clock, "I live in Lisbon.", "I live in Lisbon!")
    (record,) = drawn(assistant)
    assert len(record.sources) == 2


def test_nearly_the_same_words_are_one_record(assistant: Memory, clock: ManualClock) -> None:
    """AST-5: Jaccard of the content words from 0.75 on, within one subject."""
    tell(assistant, clock, "I love strong black coffee without sugar", "I love black strong coffee without any sugar")
    assert len(drawn(assistant, attribute="likes")) == 1


def test_different_words_are_two_records(assistant: Memory, clock: ManualClock) -> None:
    tell(assistant, clock, "I love strong black coffee", "I love green tea in the evening")
    assert len(drawn(assistant, attribute="likes")) == 2


def test_the_same_on_another_day_is_another_record(assistant: Memory, clock: ManualClock) -> None:
    """However alike the words are: a second visit is a second visit."""
    said = "I went to the dentist in Lisbon with my sister Ana yesterday"
    tell(assistant, clock, said)
    clock.pass_time(days=7)
    tell(assistant, clock, said)
    assert len([r for r in drawn(assistant) if r.kind == "fact" and "dentist" in r.text]) == 2


def test_one_value_told_in_two_ways_is_one_record(life: Memory, clock: ManualClock) -> None:
    """So that nothing of it is left standing when the next value comes."""
    tell(life, clock, "I live in Recife", "I moved to Recife", "I moved to Olinda")
    assert states(life, "residence") == [("Maria lives in Recife", "superseded"), ("Maria moved to Olinda", "active")]


# Conflicts


def test_a_demoted_fact_keeps_three_tenths_and_is_named_by_its_successor(assistant: Memory, clock: ManualClock) -> None:
    """AST-6."""
    tell(assistant, clock, "I live in Lisbon", "I moved to Porto")
    old, new = drawn(assistant, attribute="residence")
    assert (old.confidence, old.state) == (0.3, "active")
    links = assistant.store.read(lambda t: t.records.read_links(new.id))
    assert [(link.type, link.target) for link in links if link.type == "supersedes"] == [("supersedes", old.id)]


def test_a_series_keeps_all_values_and_the_newest_counts(life: Memory, clock: ManualClock) -> None:
    """LIFE-6."""
    tell(life, clock, "I weigh 80 kg", "I weigh 79 kg", "I weigh 80 kg")
    assert [state for _, state in states(life, "weight")] == ["superseded", "superseded", "active"]


def test_ending_one_thing_ends_no_other(life: Memory, clock: ManualClock) -> None:
    """Not living in Porto any more says nothing about Recife."""
    tell(life, clock, "I live in Recife", "I no longer live in Porto")
    assert states(life, "residence")[0] == ("Maria lives in Recife", "active")


def test_losing_the_job_ends_any_job(life: Memory, clock: ManualClock) -> None:
    tell(life, clock, "I work at Acme", "I got fired")
    assert states(life, "employment")[0] == ("Maria works at Acme", "superseded")


def test_a_job_with_a_trade_loses_the_job_and_keeps_the_trade(life: Memory, clock: ManualClock) -> None:
    tell(life, clock, "I'm a nurse at Acme", "I started a new job at Globex")
    assert states(life, "occupation") == [("Maria works as a nurse", "active")]
    assert [state for _, state in states(life, "employment")] == ["superseded", "active"]


def test_a_goal_that_is_met_is_closed_and_others_stay(life: Memory, clock: ManualClock) -> None:
    tell(life, clock, "My goal is to run a marathon", "My goal is to learn French", "I finished the Lisbon marathon")
    found = dict(states(life, "goal"))
    assert found["Maria's goal is to run a marathon"] == "superseded"
    assert found["Maria's goal is to learn French"] == "active"


def test_what_is_known_newer_is_not_undone_by_older_news(life: Memory, clock: ManualClock) -> None:
    """History that is brought in late goes where it belongs."""
    tell(life, clock, "I live in Olinda")
    life.observe("I live in Recife", user="maria", session="old", at=START - timedelta(days=9), display_name="Maria")
    life.settle(session="old")
    assert states(life, "residence") == [("Maria lives in Olinda", "active"), ("Maria lives in Recife", "superseded")]


@pytest.mark.parametrize(
    "held, ended",
    [
        ("I work at a bakery", "I quit the bakery!"),
        ("I work at the bakery", "I've quit the bakery"),
        ("Trabalho numa padaria", "Larguei a padaria!"),
    ],
)
def test_who_quits_a_place_no_longer_works_there(life: Memory, clock: ManualClock, held: str, ended: str) -> None:
    tell(life, clock, held, ended)
    assert [state for _, state in states(life, "employment")] == ["superseded", "active"]


def test_who_quits_one_place_still_works_at_another(life: Memory, clock: ManualClock) -> None:
    tell(life, clock, "I work at a hospital", "I quit the bakery!")
    assert ("Maria works at a hospital", "active") in states(life, "employment")


def test_the_newer_of_two_that_were_plainly_said_wins_whatever_its_confidence(life: Memory, clock: ManualClock) -> None:
    tell(life, clock, "I work at Acme", "I quit Acme")
    assert [state for _, state in states(life, "employment")] == ["superseded", "active"]
    assert life.questions("maria") == []


def test_a_guess_does_not_win_and_is_asked_about(life: Memory, clock: ManualClock) -> None:
    """LIFE-7: what was said before what was inferred; LIFE-8: what loses is asked, not dropped."""
    tell(life, clock, "I work at Acme")
    clock.pass_time(days=1)
    life.remember(
        "Maria works at Globex", user="maria", subject="maria/employment", confidence=0.6, origin="ai_inference"
    )
    assert [state for _, state in states(life, "employment")] == ["active", "proposed"]
    assert len(life.questions("maria")) == 1


# Doubts


def test_the_same_doubt_is_asked_once(life: Memory, clock: ManualClock) -> None:
    tell(life, clock, "I live in Recife")
    life.confirm(drawn(life)[0].id)
    clock.pass_time(hours=1)
    for text in ("I live in Olinda", "I live in Olinda.", "i live in Olinda"):
        life.observe(text, user="maria", session="one", display_name="Maria")
    life.settle(session="one")
    assert len(life.questions("maria")) == 1
    assert len(drawn(life, attribute="residence")) == 2


def test_two_different_doubts_are_asked_both(life: Memory, clock: ManualClock) -> None:
    tell(life, clock, "I live in Recife")
    life.confirm(drawn(life)[0].id)
    tell(life, clock, "I live in Olinda", "I live in Natal")
    assert len(life.questions("maria")) == 2


# What holds always

SAID = [
    "I live in Recife", "I moved to Olinda", "I no longer live in Recife", "I work at Acme as a nurse",
    "I quit my job", "I started a new job at Globex", "I'm single", "I got married", "I weigh 80 kg", "I weigh 75 kg",
    "My goal is to run a marathon", "I finished the marathon", "I love fado", "I hate fado", "I have two kids",
    "My sister Ana lives in Faro", "My sister Ana moved to Natal", "I'm vegetarian", "I'm not vegetarian anymore",
    "Moro em Recife", "Me mudei para Natal", "Sou casado", "Peso 90 kg", "Meu irmão Rui mora em Faro",
]  # fmt: skip


@settings(max_examples=25)
@given(st.lists(st.tuples(st.sampled_from(["maria", "rui"]), st.sampled_from(SAID)), min_size=1, max_size=12))
def test_only_the_same_subject_of_the_same_person_gives_way(said: list[tuple[str, str]]) -> None:
    clock = ManualClock()
    with Memory.open(":memory:", preset="life", embedder=None, background=False, clock=clock) as memory:
        for user, text in said:
            tell(memory, clock, text, user=user)
        records = {r.id: r for r in drawn(memory)}
        for record in records.values():
            if record.superseded_by is not None:
                winner = records[record.superseded_by]
                assert (winner.subject, winner.user) == (record.subject, record.user)
        current = [(r.user, r.subject) for r in records.values() if r.is_current and _is_single(r)]
        assert len(current) == len(set(current)), "one value at a time"


def _is_single(record: Record) -> bool:
    """Whether there is one of it at a time; of what a person no longer does there may be many."""
    ended = str(record.metadata.get("value", "")).startswith("not: ")
    return not ended and (record.subject or "").rpartition("/")[2] in (
        "residence",
        "marital_status",
        "weight",
        "employment",
    )


@settings(max_examples=10)
@given(st.lists(st.sampled_from(SAID), min_size=1, max_size=8))
def test_the_same_input_and_clock_give_the_same_result(said: list[str]) -> None:
    def lived() -> list[tuple[str, str, float]]:
        clock = ManualClock()
        with Memory.open(":memory:", preset="life", embedder=None, background=False, clock=clock) as memory:
            tell(memory, clock, *said)
            return [(r.text, r.state, r.confidence) for r in drawn(memory)]

    assert lived() == lived()
