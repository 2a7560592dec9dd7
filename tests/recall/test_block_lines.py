"""A prompt block says of every line what it costs and why it is there, and nothing to whom it is not for."""

from __future__ import annotations

import copy
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from toldonce import Memory, tokens
from toldonce.operations.wire import from_plain_value, to_plain_value
from toldonce.recall.fitting import share_tokens
from toldonce.records import Context

START = datetime(2026, 5, 4, 9, tzinfo=UTC)


class StepClock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> StepClock:
    return StepClock()


@pytest.fixture
def memory(tmp_path: Path, clock: StepClock) -> Any:
    with Memory.open(tmp_path / "m.db", preset="life", embedder=None, clock=clock, background=False) as opened:
        opened.observe("I am allergic to peanuts and Rita is vegetarian.", "ana", session="one")
        opened.observe("My sister Clara moved to Porto in March.", "ana", session="one")
        opened.settle(session="one")
        clock.now += timedelta(days=2)
        yield opened


def test_lines_are_the_block_and_their_tokens_add_up(memory: Memory) -> None:
    made = memory.context("what can we cook for Clara?", "ana")
    assert "\n".join(line.text for line in made.lines) == made.text
    assert sum(line.tokens for line in made.lines) == made.tokens == tokens.count_tokens(made.text)
    assert sum(section.tokens for section in made.sections) <= made.tokens <= made.budget


def test_every_line_has_a_reason_and_those_that_show_a_record_name_it(memory: Memory) -> None:
    made = memory.context("good morning", "ana")
    assert all(line.reasons for line in made.lines)
    shown = {line.record for line in made.lines if line.record}
    assert {hit.record.id for hit in made.hits} <= shown
    headings = [line for line in made.lines if line.reasons[0].code == "heading"]
    assert {line.reasons[0].values["source"] for line in headings} >= {"document"}
    assert made.lines[0].reasons[0].code == made.lines[-1].reasons[0].code == "frame"


def test_a_line_found_by_words_says_which(memory: Memory) -> None:
    memory.remember("Clara sings in a choir on Thursdays", "fact", user="ana")
    made = memory.context("when does the choir meet?", "ana")
    line = next(line for line in made.lines if "choir" in line.text)
    words = next(reason for reason in line.reasons if reason.code == "words")
    assert "choir" in words.values["matched"]
    assert copy.copy(words).values == words.values


def test_a_block_travels_whole(memory: Memory) -> None:
    made = memory.context("what can we cook for Clara?", "ana", explain=True)
    again = from_plain_value(Context, to_plain_value(made))
    assert to_plain_value(again) == to_plain_value(made)
    assert again.lines[0] == made.lines[0]


def test_what_found_no_room_is_left_out_with_what_it_needs(memory: Memory) -> None:
    for dish in ("lasagna with spinach", "paella with beans", "soup of pumpkin"):
        memory.remember(f"For dinner Clara likes {dish} from the market", "fact", user="ana")
    whole = memory.context("what does Clara like for dinner?", "ana")
    made = memory.context("what does Clara like for dinner?", "ana", budget=whole.tokens - 60, explain=True)
    lost = [one for one in made.left_out if one.reason.code == "no_room"]
    assert lost
    assert all(one.reason.values["needs"] > 0 for one in lost)
    assert {one.record.id for one in made.left_out}.isdisjoint(hit.record.id for hit in made.hits)


def test_what_a_line_replaced_is_listed_as_replaced(memory: Memory) -> None:
    old = memory.remember("Clara studies law in Porto", "fact", user="ana")
    new = memory.correct(old.id, "Clara studies medicine in Porto", user="ana")
    made = memory.context("what does Clara study?", "ana", explain=True)
    found = {one.record.id: one.reason for one in made.left_out}
    assert found[old.id].code == "replaced"
    assert found[old.id].values["by"] == new.id


def test_it_says_how_the_message_was_read(memory: Memory) -> None:
    reading = memory.context("where did Clara live last week?", "ana", explain=True).reading
    assert reading is not None
    assert [name.casefold() for name in reading.names] == ["clara"]
    assert reading.times
    assert "question" in reading.asks
    assert memory.context("where is Clara?", "ana").reading is None


def test_looking_counts_no_use(memory: Memory) -> None:
    made = memory.context("what about Clara?", "ana", explain=True, counted=False)
    memory.engine.flush_notes()
    assert made.hits
    assert all(memory.get(hit.record.id).access_count == 0 for hit in made.hits)


def test_a_viewer_sees_no_line_count_or_cause_of_what_they_may_not_read(memory: Memory) -> None:
    memory.remember("The garden party is on Saturday", "fact", user="ana", visibility="project")
    secret = memory.remember("The garden party has a surprise for Bruno", "fact", user="ana")
    own = memory.context("what about the garden party?", "ana", explain=True)
    assert any(line.record == secret.id for line in own.lines)
    seen = memory.context("what about the garden party?", "ana", viewer="bruno", explain=True, counted=False)
    told = repr(to_plain_value(seen))
    assert "Saturday" in seen.text
    for word in ("surprise", "peanuts", "Porto", secret.id):
        assert word not in told, word
    assert seen.reading is not None
    assert "clara" not in " ".join(seen.reading.names).casefold()
    assert sum(line.tokens for line in seen.lines) == seen.tokens < own.tokens


def test_a_viewer_sees_nothing_where_nothing_is_theirs(memory: Memory) -> None:
    seen = memory.context("peanuts?", "ana", viewer="bruno", explain=True, counted=False)
    assert (seen.text, seen.tokens, seen.lines, seen.sections, seen.left_out) == ("", 0, (), (), ())


def test_names_that_only_others_mention_are_not_read_for_a_viewer(memory: Memory) -> None:
    seen = memory.context("where is Clara?", "ana", viewer="bruno", explain=True, counted=False)
    assert seen.reading is not None
    assert seen.reading.names == ()


def test_words_of_a_blocked_person_are_not_listed_as_left_out(memory: Memory) -> None:
    told = memory.remember("Dinho grows basil on the balcony", "fact", user="dinho", visibility="project")
    memory.people.block("dinho")
    made = memory.context("who grows basil?", "ana", explain=True)
    assert told.id not in {one.record.id for one in made.left_out}


def test_the_difference_to_the_whole_goes_to_the_longest_lines() -> None:
    assert share_tokens([1, 10, 5], 18) == [1, 11, 6]
    assert share_tokens([1, 10, 5], 15) == [1, 9, 5]
    assert share_tokens([], 0) == []


def test_a_block_of_an_earlier_moment_asks_nothing_that_was_doubted_later(memory: Memory, clock: StepClock) -> None:
    before = clock.now
    clock.now += timedelta(days=3)
    memory.remember("Ana lives in Porto", user="ana", subject="ana/residence", author="person")
    memory.remember("Ana lives in Lisbon", user="ana", subject="ana/residence", confidence=0.95)
    assert memory.context("where do I live?", "ana").questions
    assert memory.context("where do I live?", "ana", as_of=before).questions == ()


def test_every_candidate_has_its_chance_and_its_cost(memory: Memory) -> None:
    fact = memory.remember("Clara sings in a choir on Thursdays", "fact", user="ana")
    memory.observe("The choir of Clara sings on Thursdays, she says", "ana", session="two")
    for number in range(40):
        memory.observe(f"the bins of house {number} go out, and when they do it rains", "ana", session=f"bins{number}")
    made = memory.context("when does Clara's choir sing?", "ana", explain=True)
    found = {line.record: line for line in made.lines if line.chance is not None}
    scores = {hit.record.id: round(hit.score, 4) for hit in made.hits if hit.record.id in found}
    assert scores and scores == {id_: line.chance for id_, line in found.items()}
    assert {line.chance for line in made.lines if line.reasons[0].code in ("frame", "heading", "document")} == {None}
    left = {one.record.id: one for one in made.left_out}
    assert left[fact.id].reason.code == "retold" and (left[fact.id].chance or 0) > 0.5
    assert all(one.tokens > 0 and one.chance is not None for one in made.left_out)
    chances = [one.chance or 0 for one in made.left_out]
    assert chances == sorted(chances, reverse=True)
    again = from_plain_value(Context, to_plain_value(made))
    assert [one.chance for one in again.left_out] == [one.chance for one in made.left_out]


def test_a_block_that_explains_itself_is_the_same_block(memory: Memory) -> None:
    for question in (
        "what can we cook for Clara?",
        "where does Clara live?",
        "good morning",
        "how many sisters and both?",
    ):
        plain = memory.context(question, "ana", counted=False)
        assert memory.context(question, "ana", explain=True, counted=False).text == plain.text


def reasons_left(made: Context) -> dict[str, str]:
    return {one.record.text: one.reason.code for one in made.left_out}


def test_what_was_shown_in_the_session_is_told_once_and_named_so(tmp_path: Path, clock: StepClock) -> None:
    with Memory.open(tmp_path / "c.db", preset="coding", embedder=None, clock=clock, background=False) as memory:
        memory.remember("Retries of payments need an idempotency key", "gotcha", author="person")
        first = memory.context("payment retries", session="one")
        again = memory.context("payment retries", session="one", explain=True)
        other = memory.context("payment retries", session="two")
    assert "idempotency key" in first.text and "idempotency key" in other.text
    assert "idempotency key" not in again.text
    assert reasons_left(again) == {"Retries of payments need an idempotency key": "shown_before"}


def test_what_is_said_in_this_session_is_not_told_again(memory: Memory) -> None:
    memory.observe("Clara wants to see the lighthouse of Foz", "ana", session="now")
    memory.observe("the lighthouse of Foz opens at ten", "ana", session="before")
    made = memory.context("when does the lighthouse open?", "ana", session="now")
    assert "opens at ten" in made.text and "wants to see" not in made.text
    assert "wants to see" in memory.context("who wants to see the lighthouse?", "ana", session="later").text


def test_a_recent_turn_is_not_found_once_more(tmp_path: Path, clock: StepClock) -> None:
    with Memory.open(tmp_path / "p.db", preset="companion", embedder=None, clock=clock, background=False) as memory:
        memory.observe("the red kite got stuck in the oak", "kim", session="one", channel="home")
        clock.now += timedelta(minutes=2)
        made = memory.context("where is the red kite?", "kim", channel="home", explain=True)
    assert "## Recent turns" in made.text
    assert made.text.count("stuck in the oak") == 1
    assert made.left_out == ()


def test_what_a_message_says_is_left_out_of_the_profile_and_of_what_was_found(memory: Memory) -> None:
    made = memory.context("who is allergic to peanuts?", "ana", explain=True)
    assert made.text.count("allergic to peanuts") == 1
    assert reasons_left(made)["ana is allergic to peanuts and Rita is vegetarian"] == "retold"


def test_a_section_that_is_full_says_so(memory: Memory) -> None:
    for number in range(20):
        memory.remember(f"Always begin with greeting number {number}", "instruction", user="ana")
    made = memory.context("good morning", "ana", explain=True)
    assert "full" in reasons_left(made).values()
