"""What people and time do to a record: confirm, correct, flag, pin, forget, restore, expire, fade, purge, erase."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import START, ManualClock, OpenMemory
from tests.postgres import dump_tables
from toldonce import Memory
from toldonce.config import is_path
from toldonce.errors import NotAllowed, RecordNotFound
from toldonce.records import Record
from toldonce.storage import lifecycle


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("assistant")


def message(memory: Memory, text: str, **given: Any) -> Record:
    kept = memory.observe(text, **{"user": "alex", "session": "s1", **given})
    assert isinstance(kept, Record)
    return kept


def lives_in(memory: Memory, city: str, **given: Any) -> Record:
    return memory.remember(
        f"Alex lives in {city}", "fact", user="alex", subject="alex/residence", metadata={"value": city}, **given
    )


def found(memory: Memory, query: str, **given: Any) -> set[str]:
    return {hit.record.id for hit in memory.recall(query, **{"user": "alex", "limit": 50, "min_score": 0, **given})}


def actions(memory: Memory, record: Record) -> list[str]:
    return [change.action for change in memory.history(record.id).changes]


def bytes_on_disk(memory: Memory, *, backups: bool = True) -> bytes:
    """The file, its log and its backups, as anyone with the disk would read them; of a database, all its rows."""
    if not is_path(memory.store.place):
        return dump_tables(memory.store.place)
    place = Path(memory.store.place)
    files = [file for file in place.parent.glob(place.name + "*") if backups or ".bak" not in file.name]
    return b"".join(file.read_bytes() for file in files)


# Confirm


def test_confirmed_record_is_surer_and_validated(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("life")
    guess = memory.remember("Alex keeps bees", "fact", user="alex", origin="ai_inference")
    assert (guess.confidence, guess.validated) == (0.7, False)
    clock.pass_time(days=1)
    sure = memory.confirm(guess.id)
    assert (round(sure.confidence, 6), sure.validated, sure.state) == (0.8, True, "active")
    assert memory.confirm(guess.id).confidence <= 1.0
    change = memory.history(guess.id).changes[0]
    assert (change.action, change.by, change.at) == ("confirmed", "person", clock())


def test_confirming_what_was_proposed_makes_it_count(memory: Memory) -> None:
    idea = memory.remember("Alex wants a boat", user="alex", proposed=True)
    assert idea.id not in found(memory, "boat")
    memory.confirm(idea.id)
    assert idea.id in found(memory, "boat")


@pytest.mark.parametrize("state", ["forgotten", "flagged", "superseded"])
def test_what_does_not_count_is_restored_before_it_is_confirmed(memory: Memory, state: str) -> None:
    record = put_into(memory, state)
    with pytest.raises(NotAllowed, match="restore it first"):
        memory.confirm(record.id)
    assert memory.get(record.id).state == state


def test_validated_record_is_never_superseded_by_inference(memory: Memory, clock: ManualClock) -> None:
    """The contradiction becomes a question; nothing of the validated record changes."""
    lisbon = lives_in(memory, "Lisbon")
    memory.confirm(lisbon.id)
    clock.pass_time(days=1)
    porto = lives_in(memory, "Porto")
    assert memory.get(lisbon.id).state == "active" and memory.get(lisbon.id).confidence == 1.0
    assert porto.state == "proposed"
    [question] = memory.questions(user="alex")
    assert (question.older, question.newer) == (lisbon.id, porto.id)


def test_person_may_replace_what_a_person_validated(memory: Memory, clock: ManualClock) -> None:
    lisbon = lives_in(memory, "Lisbon", author="person")
    clock.pass_time(days=1)
    porto = memory.correct(lisbon.id, "Alex lives in Porto")
    assert memory.get(lisbon.id).state == "superseded"
    assert found(memory, "where does Alex live") == {porto.id}


# Correct


def test_correction_stands_in_for_the_wrong_record(memory: Memory, clock: ManualClock) -> None:
    told = message(memory, "I play the cello badly")
    wrong = memory.remember("Alex plays the viola", user="alex", source=told.id)
    clock.pass_time(hours=1)
    right = memory.correct(wrong.id, "Alex plays the cello")
    assert (right.validated, right.confidence, right.origin, right.made_by) == (True, 1.0, "user_input", "person")
    assert (right.kind, right.user, right.sources) == (wrong.kind, "alex", (told.id,))
    old = memory.get(wrong.id)
    assert (old.state, old.superseded_by, old.text) == ("superseded", right.id, "Alex plays the viola")
    assert old.confidence == wrong.confidence
    assert found(memory, "viola cello", kinds=["fact"]) == {right.id}


def test_message_is_never_corrected(memory: Memory) -> None:
    told = message(memory, "I play the cello")
    with pytest.raises(NotAllowed, match="messages are never rewritten"):
        memory.correct(told.id, "I play the viola")
    assert memory.get(told.id).text == "I play the cello"


@pytest.mark.parametrize("state", ["forgotten", "superseded", "expired"])
def test_what_does_not_count_is_not_corrected(memory: Memory, state: str) -> None:
    record = put_into(memory, state)
    with pytest.raises(NotAllowed, match="restore this one first"):
        memory.correct(record.id, "something else")


def test_correction_of_a_record_whose_time_ran_out_unnoticed_is_refused(
    open_memory: OpenMemory, clock: ManualClock
) -> None:
    """Otherwise the new record would be over before it began."""
    memory = open_memory("companion")
    note = memory.remember("Table set for four", "context", user="alex")
    clock.pass_time(days=2)
    with pytest.raises(NotAllowed, match="restore this one first"):
        memory.correct(note.id, "Table set for five")
    memory.restore(note.id)
    assert memory.correct(note.id, "Table set for five").id in found(memory, "table")


# Flag


def test_flagged_record_is_shown_no_more_and_says_why(memory: Memory, clock: ManualClock) -> None:
    record = memory.remember("Alex was born in Oslo", user="alex")
    clock.pass_time(hours=1)
    flagged = memory.flag(record.id, reason="wrong country")
    assert (flagged.record.state, flagged.record.state_reason) == ("flagged", "wrong country")
    assert flagged.record.state_at == clock()
    assert flagged.review == ()
    assert record.id not in found(memory, "Oslo")


def test_flagging_lists_the_neighbours_in_the_line_for_review(memory: Memory, clock: ManualClock) -> None:
    first = lives_in(memory, "Oslo")
    clock.pass_time(days=1)
    second = memory.correct(first.id, "Alex lives in Bergen")
    clock.pass_time(days=1)
    third = memory.correct(second.id, "Alex lives in Lisbon")
    flagged = memory.flag(second.id, reason="never true")
    assert [record.id for record in flagged.review] == [first.id, third.id]


# Pin


def test_pinned_record_is_always_in_the_prompt(memory: Memory) -> None:
    record = memory.remember("Alex keeps bees on the roof", user="alex")
    unrelated = "what is the capital of Peru?"
    assert "bees" not in memory.context(unrelated, user="alex").text
    assert memory.pin(record.id).pinned
    assert "bees" in memory.context(unrelated, user="alex").text
    memory.pin(record.id, pinned=False)
    assert "bees" not in memory.context(unrelated, user="alex").text
    assert actions(memory, record) == ["pinned", "unpinned"]


def test_pinning_does_not_bring_back_what_was_forgotten(memory: Memory) -> None:
    record = memory.remember("Alex keeps bees", user="alex")
    memory.forget(record.id)
    assert memory.pin(record.id).state == "forgotten"
    assert "bees" not in memory.context("bees", user="alex").text


# Forget and restore


def test_forgotten_record_is_hidden_and_kept(memory: Memory) -> None:
    record = memory.remember("Alex dislikes coriander", user="alex")
    hidden = memory.forget(record.id, reason="asked to")
    assert (hidden.state, hidden.state_reason, hidden.text) == ("forgotten", "asked to", record.text)
    assert found(memory, "coriander") == set()
    assert "coriander" not in memory.context("coriander", user="alex").text
    memory.forget(record.id)
    assert actions(memory, record) == ["forgotten"]


def put_into(memory: Memory, state: str) -> Record:
    """A record of the assistant preset in that state, by the way that leads there."""
    record = memory.remember("Alex keeps bees on the roof", user="alex")
    steps: dict[str, Callable[[], object]] = {
        "forgotten": lambda: memory.forget(record.id),
        "flagged": lambda: memory.flag(record.id, reason="wrong"),
        "superseded": lambda: memory.correct(record.id, "Alex keeps wasps on the roof"),
        "expired": lambda: _pass_state(memory, record, "expired"),
        "faded": lambda: _pass_state(memory, record, "faded"),
    }
    steps[state]()
    assert memory.get(record.id).state == state
    return record


def _pass_state(memory: Memory, record: Record, state: Any) -> None:
    at = memory.clock()
    memory.store.write(lambda t: t.records.set_state(record, state, action=state, at=at, reason="its time ran out"))


@pytest.mark.parametrize("state", ["forgotten", "flagged", "superseded", "expired", "faded"])
def test_every_state_can_be_restored(memory: Memory, clock: ManualClock, state: str) -> None:
    record = put_into(memory, state)
    assert record.id not in found(memory, "bees")
    clock.pass_time(hours=1)
    back = memory.restore(record.id)
    assert (back.state, back.state_reason, back.superseded_by) == ("active", "", None)
    assert record.id in found(memory, "bees")
    assert actions(memory, record) == [state, "restored"]
    memory.restore(record.id)
    assert actions(memory, record) == [state, "restored"]


def test_restoring_puts_away_what_had_taken_its_place(memory: Memory, clock: ManualClock) -> None:
    lisbon = lives_in(memory, "Lisbon")
    clock.pass_time(days=1)
    porto = memory.correct(lisbon.id, "Alex lives in Porto")
    clock.pass_time(days=1)
    memory.restore(lisbon.id)
    assert found(memory, "where does Alex live") == {lisbon.id}
    assert (memory.get(porto.id).state, memory.get(porto.id).superseded_by) == ("superseded", lisbon.id)


def test_restoring_the_first_of_a_line_puts_away_the_last(memory: Memory, clock: ManualClock) -> None:
    lisbon = lives_in(memory, "Lisbon")
    clock.pass_time(days=1)
    porto = memory.correct(lisbon.id, "Alex lives in Porto")
    clock.pass_time(days=1)
    faro = memory.correct(porto.id, "Alex lives in Faro")
    clock.pass_time(days=1)
    memory.restore(lisbon.id)
    assert found(memory, "where does Alex live") == {lisbon.id}
    assert memory.get(faro.id).state == "superseded"


def test_restoring_puts_away_the_successor_also_when_it_was_forgotten_meanwhile(
    memory: Memory, clock: ManualClock
) -> None:
    lisbon = lives_in(memory, "Lisbon")
    clock.pass_time(days=1)
    porto = memory.correct(lisbon.id, "Alex lives in Porto")
    clock.pass_time(days=1)
    memory.forget(lisbon.id)
    clock.pass_time(days=1)
    memory.restore(lisbon.id)
    assert found(memory, "where does Alex live") == {lisbon.id}
    assert memory.get(porto.id).state == "superseded"


def test_proposed_record_is_confirmed_not_restored(memory: Memory) -> None:
    idea = memory.remember("Alex wants a boat", user="alex", proposed=True)
    with pytest.raises(NotAllowed, match="confirm it instead"):
        memory.restore(idea.id)


def test_restored_record_that_expired_gets_its_time_anew(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("companion", zone="Europe/Lisbon")
    note = memory.remember("Table set for four", "context", user="alex")
    clock.pass_time(days=3)
    memory.tend()
    assert memory.get(note.id).state == "expired"
    back = memory.restore(note.id)
    assert back.expires_at == datetime(2026, 3, 6, tzinfo=UTC)
    assert note.id in found(memory, "table")


def test_record_forgotten_before_it_expired_counts_again_when_restored(
    open_memory: OpenMemory, clock: ManualClock
) -> None:
    memory = open_memory("companion")
    note = memory.remember("Table set for four", "context", user="alex")
    memory.forget(note.id)
    clock.pass_time(days=3)
    memory.restore(note.id)
    assert note.id in found(memory, "table")
    memory.tend()
    assert memory.get(note.id).state == "active"


# History


def test_history_tells_every_change_with_who_when_and_why(memory: Memory, clock: ManualClock) -> None:
    record = memory.remember("Alex keeps bees", user="alex")
    for step in (memory.confirm, memory.pin, memory.forget, memory.restore):
        clock.pass_time(hours=1)
        step(record.id)
    clock.pass_time(hours=1)
    memory.flag(record.id, reason="sold them")
    changes = memory.history(record.id).changes
    assert [(c.action, c.state) for c in changes] == [
        ("confirmed", "active"),
        ("pinned", "active"),
        ("forgotten", "forgotten"),
        ("restored", "active"),
        ("flagged", "flagged"),
    ]
    assert [c.at for c in changes] == [START + timedelta(hours=n) for n in range(1, 6)]
    assert all(c.by == "person" for c in changes) and changes[-1].reason == "sold them"


def test_history_shows_the_whole_line_from_any_of_its_records(memory: Memory, clock: ManualClock) -> None:
    line = [lives_in(memory, "Lisbon")]
    for city in ("Porto", "Faro"):
        clock.pass_time(days=1)
        line.append(memory.correct(line[-1].id, f"Alex lives in {city}"))
    for record in line:
        assert [one.id for one in memory.history(record.id).chain] == [one.id for one in line]


def test_history_of_a_purged_record_is_gone(memory: Memory) -> None:
    record = memory.remember("Alex keeps bees", user="alex")
    memory.purge(record.id)
    with pytest.raises(RecordNotFound) as gone:
        memory.history(record.id)
    assert gone.value.record_id == record.id


# Fading


def test_fading_in_rank_lowers_the_score_by_half_each_half_life(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("coding")
    memory.remember("The parser trips over empty headers", "gotcha", user="alex", author="agent")

    def recency() -> float:
        [hit] = memory.recall("parser headers", user="alex", kinds=["gotcha"])
        memory.engine._shown.clear()  # being shown would refresh it
        return hit.why.parts["recency"]

    assert recency() == 1.0
    clock.pass_time(days=60)
    assert recency() == pytest.approx(0.5)
    clock.pass_time(days=60)
    assert recency() == pytest.approx(0.25)


def test_fading_in_rank_puts_the_newer_of_two_equals_first(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("coding")
    old = memory.remember("The parser trips over empty headers", "gotcha", user="alex", author="agent")
    clock.pass_time(days=120)
    new = memory.remember("The parser trips over broken headers", "gotcha", user="alex", author="agent")
    hits = memory.recall("parser trips headers", user="alex", kinds=["gotcha"])
    assert [hit.record.id for hit in hits] == [new.id, old.id]
    assert memory.get(old.id).confidence == old.confidence


@pytest.mark.parametrize("protect", ["confirm", "pin"])
def test_what_a_person_protects_does_not_fade_in_rank(
    open_memory: OpenMemory, clock: ManualClock, protect: str
) -> None:
    memory = open_memory("coding")
    record = memory.remember("The parser trips over empty headers", "gotcha", user="alex", author="agent")
    getattr(memory, protect)(record.id)
    clock.pass_time(days=600)
    [hit] = memory.recall("parser headers", user="alex", kinds=["gotcha"])
    assert hit.why.parts["recency"] == 1.0


def days_pass(memory: Memory, clock: ManualClock, days: int) -> None:
    """Nobody tends the memory for some days; one run makes up for all that was missed."""
    clock.pass_time(days=days)
    memory.tend()


def test_fading_in_confidence_hides_what_nobody_uses(memory: Memory, clock: ManualClock) -> None:
    """Confidence falls by exp(-0.1) a day; under 0.05 the record leaves every search, and stays restorable."""
    memory.tend()
    record = memory.remember("Alex might buy a kite", user="alex")
    days_pass(memory, clock, 7)
    week = memory.get(record.id)
    assert week.confidence == pytest.approx(0.95 * 0.5, rel=0.05)
    assert week.state == "active"
    days_pass(memory, clock, 25)
    gone = memory.get(record.id)
    assert gone.state == "faded"
    assert gone.state_reason == "not used for 32 days: confidence fell from 0.95 to under 0.05"
    assert found(memory, "kite") == set()
    back = memory.restore(record.id)
    assert (back.state, back.confidence) == ("active", 0.95)
    days_pass(memory, clock, 2)
    assert memory.get(record.id).state == "active"


def test_use_keeps_a_record_from_fading(memory: Memory, clock: ManualClock) -> None:
    memory.tend()
    used = memory.remember("Alex might buy a kite", user="alex")
    unused = memory.remember("Alex once saw a whale", user="alex")
    for _ in range(4):
        clock.pass_time(days=3)
        memory.recall("kite", user="alex")
        memory.tend()
    assert memory.get(used.id).confidence > 0.9 > 0.4 > memory.get(unused.id).confidence


@pytest.mark.parametrize("protect", ["confirm", "pin"])
def test_what_a_person_protects_does_not_fade_in_confidence(memory: Memory, clock: ManualClock, protect: str) -> None:
    memory.tend()
    record = memory.remember("Alex might buy a kite", user="alex")
    before = getattr(memory, protect)(record.id)
    days_pass(memory, clock, 40)
    assert memory.get(record.id).state == "active"
    assert memory.get(record.id).confidence == before.confidence


def test_messages_never_fade(memory: Memory, clock: ManualClock) -> None:
    memory.tend()
    told = message(memory, "I might buy a kite")
    days_pass(memory, clock, 40)
    assert memory.get(told.id).state == "active" and told.id in found(memory, "kite")


# Expiry


@pytest.mark.parametrize(
    "zone, last_moment",
    [
        ("Europe/Lisbon", datetime(2026, 3, 2, 23, 59, 59, tzinfo=UTC)),
        ("America/Sao_Paulo", datetime(2026, 3, 3, 2, 59, 59, tzinfo=UTC)),
        ("Asia/Tokyo", datetime(2026, 3, 2, 14, 59, 59, tzinfo=UTC)),
    ],
)
def test_todays_context_lasts_until_midnight_in_the_owners_zone(
    open_memory: OpenMemory, clock: ManualClock, zone: str, last_moment: datetime
) -> None:
    memory = open_memory("companion", zone=zone)
    note = memory.remember("Table set for four", "context", user="alex")
    clock.now = last_moment
    assert note.id in found(memory, "table")
    clock.pass_time(seconds=1)
    assert note.id not in found(memory, "table")
    assert "Table" not in memory.context("table", user="alex").text


def test_expired_record_leaves_at_its_moment_and_says_so(open_memory: OpenMemory, clock: ManualClock) -> None:
    """Hidden at midnight, whether or not the hourly job has come by; history names midnight, not the job's hour."""
    memory = open_memory("companion")
    note = memory.remember("Table set for four", "context", user="alex")
    clock.pass_time(days=1, hours=5)
    memory.tend()
    gone = memory.get(note.id)
    assert (gone.state, gone.state_at, gone.state_reason) == (
        "expired",
        datetime(2026, 3, 3, tzinfo=UTC),
        "its time ran out",
    )


def test_record_whose_time_ran_out_unnoticed_counts_as_expired(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("companion")
    note = memory.remember("Table set for four", "context", user="alex")
    clock.pass_time(days=2)
    with pytest.raises(NotAllowed, match="is expired: restore it first"):
        memory.confirm(note.id)
    memory.restore(note.id)
    assert actions(memory, note) == ["expired", "restored"]
    assert note.id in found(memory, "table")


# Grace, purge and erasure


def test_forgotten_record_is_purged_after_its_grace(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("life")
    memory.tend()
    record = memory.remember("Alex owes zyxqwvcanary money", user="alex")
    memory.forget(record.id)
    days_pass(memory, clock, 29)
    assert memory.get(record.id).state == "forgotten"
    days_pass(memory, clock, 2)
    with pytest.raises(RecordNotFound):
        memory.get(record.id)
    assert b"zyxqwvcanary" not in bytes_on_disk(memory, backups=False)
    for _ in range(3):
        days_pass(memory, clock, 1)
    assert b"zyxqwvcanary" not in bytes_on_disk(memory)


def test_expired_message_outlives_its_grace_while_a_fact_rests_on_it(
    open_memory: OpenMemory, clock: ManualClock
) -> None:
    memory = open_memory("companion")
    memory.tend()
    told, idle = message(memory, "I keep bees on the roof"), message(memory, "What a fine evening this is")
    fact = memory.remember("Alex keeps bees", "fact", user="alex", source=told.id)
    for _ in range(7):
        days_pass(memory, clock, 10)
    assert memory.get(told.id).state == "expired"
    assert memory.get(fact.id).sources == (told.id,) and memory.get(fact.id).state == "active"
    with pytest.raises(RecordNotFound):
        memory.get(idle.id)


def test_purge_takes_everything_drawn_from_the_record_alone(memory: Memory) -> None:
    told, other = message(memory, "I keep bees on the roof"), message(memory, "My bees made honey")
    alone = memory.remember("Alex has a roof", user="alex", source=told.id)
    onward = memory.remember("Roofs suit Alex", user="alex", source=alone.id)
    both = memory.remember("Alex has bees", user="alex", source=[told.id, other.id])
    assert memory.purge(told.id) == 3
    for gone in (told, alone, onward):
        with pytest.raises(RecordNotFound):
            memory.get(gone.id)
    assert memory.get(both.id).sources == (other.id,)
    assert memory.storage.check() == []


def test_purge_takes_a_summary_that_still_quotes_the_purged_words(memory: Memory) -> None:
    """A note of several messages goes with the one that is purged if it tells what only that one told."""
    told = message(memory, "My pin code word is zyxqwvcanary")
    other = message(memory, "I keep bees on the roof")
    note = memory.remember("Bees on the roof; zyxqwvcanary mentioned", user="alex", source=[told.id, other.id])
    memory.purge(told.id)
    with pytest.raises(RecordNotFound):
        memory.get(note.id)
    assert memory.get(other.id)
    assert b"zyxqwvcanary" not in bytes_on_disk(memory)


def test_purge_of_a_settled_message_leaves_no_word_of_it_on_disk(open_memory: OpenMemory) -> None:
    for preset in ("assistant", "life", "companion", "community", "coding"):
        memory = open_memory(preset, file=f"{preset}.db")
        place = {"channel": "c1"} if preset == "community" else {}
        message(memory, "I moved to Lisbon last week and I work at the harbour", **place)
        told = message(memory, "My dog is called Zyxqwvcanary and I am vegetarian", **place)
        memory.settle()
        assert b"yxqwvcanary" in bytes_on_disk(memory)
        memory.purge(told.id)
        assert b"yxqwvcanary" not in bytes_on_disk(memory), preset
        assert memory.storage.check() == []


def test_purge_leaves_no_character_pair_of_a_text_without_spaces(memory: Memory) -> None:
    message(memory, "平凡的日子过去了")
    told = message(memory, "我的秘密是龘靐齉爩")
    memory.purge(told.id)
    raw = bytes_on_disk(memory)
    assert [sign for sign in "龘靐齉爩" if sign.encode() in raw] == []
    assert found(memory, "平凡的日子")


def test_purge_takes_lines_out_of_every_version_of_a_document(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("life")
    told = message(memory, "I moved to Lisbon")
    memory.settle()
    clock.pass_time(days=1)
    message(memory, "I work at Acme", session="s2")
    memory.settle()
    assert "Lisbon" in str(memory.profile("alex").entries)
    memory.purge(told.id)
    for moment in (None, START):
        assert "Lisbon" not in str(memory.profile("alex", as_of=moment))
    assert "Acme" in str(memory.profile("alex").entries)


def test_erasing_a_person_leaves_nothing_and_proves_it(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("life")
    message(memory, "I moved to Zyxqwvcanary with my dog")
    mine = memory.remember("Alex loves Zyxqwvcanary", user="alex")
    memory.correct(mine.id, "Alex adores Zyxqwvcanary")
    memory.settle()
    bob = message(memory, "I moved to Faro", user="bob", session="s2")
    for _ in range(2 if is_path(memory.store.place) else 0):
        memory.storage.backup()
    assert b"yxqwvcanary" in bytes_on_disk(memory)
    proof = memory.erase(user="alex")
    assert proof.removed >= 3
    assert proof.is_complete and proof.searched
    assert b"yxqwvcanary" not in bytes_on_disk(memory)
    assert memory.get(bob.id).text == "I moved to Faro"
    assert memory.profile("alex").entries == ()
    assert memory.storage.check() == []


@pytest.mark.in_a_file
def test_erasing_renews_the_backups(open_memory: OpenMemory) -> None:
    memory = open_memory("life")
    message(memory, "I moved to Zyxqwvcanary")
    bob = message(memory, "I moved to Faro", user="bob", session="s2")
    memory.storage.backup()
    memory.storage.backup()
    memory.erase(user="alex")
    [copy] = memory.engine.backups.list_copies()
    assert b"yxqwvcanary" not in copy.read_bytes()
    with Memory.open(copy, embedder=None, background=False) as restored:
        assert restored.get(bob.id).text == "I moved to Faro"


def test_erasing_one_person_keeps_the_conversation_of_the_others(open_memory: OpenMemory) -> None:
    """In a shared channel the first speaker names the conversation; it goes on without them."""
    memory = open_memory("community")
    message(memory, "Good morning everyone", channel="c1")
    bob = message(memory, "I moved to Faro last week", user="bob", channel="c1")
    memory.erase(user="alex")
    assert [done.conversation for done in memory.settle(channel="c1")] == [bob.conversation]
    assert "Faro" in str(memory.profile("bob").entries)


# As of


def test_as_of_answers_from_what_was_believed_then(memory: Memory, clock: ManualClock) -> None:
    before = clock()
    clock.pass_time(days=1)
    lisbon = lives_in(memory, "Lisbon")
    in_lisbon = clock()
    clock.pass_time(days=1)
    porto = memory.correct(lisbon.id, "Alex lives in Porto")
    in_porto = clock()
    clock.pass_time(days=1)
    memory.forget(porto.id)
    asked = "where does Alex live"
    assert found(memory, asked) == set()
    assert found(memory, asked, as_of=in_porto) == {porto.id}
    assert found(memory, asked, as_of=in_lisbon) == {lisbon.id}
    assert found(memory, asked, as_of=before) == set()


def test_as_of_sees_what_had_not_expired_yet(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("companion")
    note = memory.remember("Table set for four", "context", user="alex")
    noon = clock.pass_time(hours=3)
    next_day = clock.pass_time(days=1)
    memory.tend()
    clock.pass_time(days=1)
    memory.restore(note.id)
    assert found(memory, "table", as_of=noon) == {note.id}
    assert found(memory, "table", as_of=next_day) == set()
    assert found(memory, "table") == {note.id}


def test_as_of_holds_when_time_ran_out_unnoticed_before_a_restoration(
    open_memory: OpenMemory, clock: ManualClock
) -> None:
    memory = open_memory("companion")
    note = memory.remember("Table set for four", "context", user="alex")
    next_day = clock.pass_time(days=1)
    assert found(memory, "table") == set()
    clock.pass_time(hours=1)
    memory.pin(note.id)
    after_pin = clock.pass_time(hours=1)
    clock.pass_time(hours=1)
    memory.restore(note.id)
    assert found(memory, "table", as_of=next_day) == found(memory, "table", as_of=after_pin) == set()
    assert found(memory, "table") == {note.id}


def test_expire_counts_what_it_wrote_down(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("companion")
    for place in ("kitchen", "hall"):
        memory.remember(f"The cat is in the {place}", "context", user="alex")
    clock.pass_time(days=1)
    expired = memory.store.write(
        lambda t: lifecycle.expire_records(t, t.records.find_expired(now=clock()), now=clock())
    )
    assert expired == 2
    assert memory.store.read(lambda t: t.records.find_expired(now=clock())) == []


def test_a_proposal_whose_time_ran_out_cannot_be_confirmed(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("companion")
    proposed = memory.remember("Water the plants today", kind="context", user="alex", proposed=True)
    clock.pass_time(days=2)
    with pytest.raises(NotAllowed, match="expired"):
        memory.confirm(proposed.id)
    assert memory.recall("plants", user="alex", min_score=0) == []
