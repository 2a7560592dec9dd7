"""A collection is lived through as a chat: who said what when, what was settled, and at which moment it is asked."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.bench.conftest import WordEmbedder
from toldonce import Memory
from toldonce.bench.cache import CachedEmbedder
from toldonce.bench.chat import ASKED_AFTER, SETTLED_AFTER, LivedChat, live_chat
from toldonce.bench.run import PACE, BenchSetup
from toldonce.bench.told import BLOCK, HITS, choose_lines, tell_question
from toldonce.bench.values import BenchQuestion, BenchTurn, Collection, Passage
from toldonce.errors import ModelError
from toldonce.records import Record
from toldonce.tokens import count_tokens

MAY = datetime(2023, 5, 1, 9, tzinfo=UTC)
QUESTION = BenchQuestion(id="q", text="What is the name of my beagle?", gold=frozenset({"a"}), category="c")
BEAGLE = Passage(
    id="a",
    session="a",
    turns=(BenchTurn("I adopted a beagle called Biscuit."), BenchTurn("What a name for a beagle!", role="assistant")),
    at=MAY,
)
FERRY = Passage(
    id="b", session="b", turns=(BenchTurn("The ferry to Tavira leaves at nine."),), at=MAY + timedelta(days=1)
)


def collection(*passages: Passage, person: str = "user") -> Collection:
    return Collection(id="c", passages=passages, questions=(QUESTION,), person=person)


def memory_of(chat: LivedChat) -> Memory:
    return chat._memory


def records_of(chat: LivedChat) -> list[Record]:
    return [record for _, record in memory_of(chat).store.read(lambda t: t.records.read_page(None, limit=50))]


def messages_of(chat: LivedChat) -> list[Record]:
    return [record for record in records_of(chat) if record.kind == "message"]


def test_messages_are_heard_at_their_time_in_order_of_conversations() -> None:
    with live_chat(collection(FERRY, BEAGLE), BenchSetup(), None) as chat:
        heard = messages_of(chat)
        assert [(r.session, r.user, r.role, r.at) for r in heard] == [
            ("a", "user", "user", MAY),
            ("a", "user", "assistant", MAY + PACE),
            ("b", "user", "user", MAY + timedelta(days=1)),
        ]
        assert [r.created_at for r in heard] == [r.at for r in heard]
        assert chat.asked_at(QUESTION) == MAY + timedelta(days=1) + SETTLED_AFTER + ASKED_AFTER


def test_every_conversation_is_settled_before_anything_is_asked() -> None:
    with live_chat(collection(BEAGLE, FERRY), BenchSetup(), None) as chat:
        memory = memory_of(chat)
        assert memory.stats()["unsettled conversations"] == 0
        assert any("Biscuit" in r.text and r.kind != "message" for r in records_of(chat))


def test_speakers_are_people_of_their_own() -> None:
    talk = Passage(
        id="a", session="a", turns=(BenchTurn("I bake bread.", "Ann"), BenchTurn("I do not.", "Ben")), at=MAY
    )
    with live_chat(collection(talk, person=""), BenchSetup(), None) as chat:
        assert [r.user for r in messages_of(chat)] == ["Ann", "Ben"]


def test_conversations_that_overlap_do_not_turn_the_clock_back() -> None:
    late = Passage(id="b", session="b", turns=FERRY.turns, at=MAY + timedelta(minutes=5))
    with live_chat(collection(BEAGLE, late), BenchSetup(), None) as chat:
        heard = {r.session: r for r in messages_of(chat)}
        assert heard["b"].at == MAY + timedelta(minutes=5) < heard["b"].created_at
        assert chat.asked_at(QUESTION) == heard["b"].at + SETTLED_AFTER + ASKED_AFTER


def test_a_question_is_asked_on_its_day_by_the_person() -> None:
    asked = BenchQuestion(id="q", text=QUESTION.text, gold=frozenset(), category="c", at=MAY + timedelta(days=9))
    with live_chat(collection(BEAGLE, FERRY), BenchSetup(), None) as chat:
        block, hits = tell_question(chat, asked, name="set", budget=None)
    assert (block.run, hits.run) == (BLOCK, HITS) and block.asked_on == hits.asked_on == "2023-05-10 (Wednesday)"
    assert "Biscuit" in block.told and block.tokens == count_tokens(block.told)
    assert block.id != hits.id and block.question_id == hits.question_id == "q"


def test_a_block_keeps_to_its_budget_and_plain_hits_to_the_block() -> None:
    with live_chat(collection(BEAGLE, FERRY), BenchSetup(), None) as chat:
        for budget in (40, 60, 400):
            block, hits = tell_question(chat, QUESTION, name="set", budget=budget)
            assert hits.tokens <= block.tokens <= budget


def test_plain_hits_that_do_not_fit_leave_room_for_the_next() -> None:
    long = Passage(id="a", session="a", turns=(BenchTurn("beagle " * 200),), at=MAY)
    with live_chat(collection(long, FERRY), BenchSetup(), None) as chat:
        hits = chat.find_messages(BenchQuestion(id="q", text="beagle ferry", gold=frozenset(), category="c"))
        assert choose_lines(hits, budget=40) == ["- 2023-05-02 (Tue) user: The ferry to Tavira leaves at nine."]
        assert choose_lines(hits, budget=0) == []


def test_work_that_fails_at_night_ends_the_run() -> None:
    class Broken(WordEmbedder):
        def embed(self, texts: object) -> object:  # type: ignore[override]
            raise ModelError("no answer")

    broken = CachedEmbedder(Broken())
    with pytest.raises(ModelError, match="not made ready: embed"), live_chat(collection(BEAGLE), BenchSetup(), broken):
        pass
