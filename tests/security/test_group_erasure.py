"""One of five people leaves after ten group chats: her words are nowhere, theirs are where they were."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ManualClock, OpenMemory
from tests.security.test_erased_means_gone import PRESETS, bytes_of, found_in
from toldonce import Memory
from toldonce.records import Record

TALK = json.loads((Path(__file__).parents[1] / "data" / "group_talk.json").read_text(encoding="utf-8"))
CHATS: list[dict[str, Any]] = TALK["chats"]
OTHERS = ("ross", "ines", "tomas", "lucia")


def hear(memory: Memory, chat: dict[str, Any], clock: ManualClock) -> list[Record]:
    """Observe one chat as the room that it is for the preset, and settle it."""
    heard = []
    for message in chat["messages"]:
        clock.pass_time(seconds=40)
        room = {"channel": chat["id"]} if memory.spaces.all()[0].preset == "community" else {"session": chat["id"]}
        is_bot = message["who"] == "bot"
        who = {"role": "assistant"} if is_bot else {"user": message["who"], "display_name": message["who"].title()}
        heard.append(memory.observe(message["text"], **who, **room))
    memory.settle()
    clock.pass_time(hours=20)
    memory.tend()
    return [record for record in heard if isinstance(record, Record)]


def words_of_hers_alone(usual: bytes) -> list[str]:
    """Words that she alone says, and the bot to nobody else, without those of every file."""
    hers: set[str] = set()
    theirs: set[str] = set()
    for message in (m for chat in CHATS for m in chat["messages"]):
        words = set(re.findall(r"[^\W\d_]{7,}", message["text"].lower()))
        (hers if "ana" in (message["who"], message.get("answers")) else theirs).update(words)
    return sorted(word for word in hers if word.encode() not in usual and not any(word in other for other in theirs))


@pytest.mark.parametrize("preset", PRESETS)
def test_one_of_five_people_can_leave(preset: str, open_memory: OpenMemory, clock: ManualClock, tmp_path: Path) -> None:
    memory = open_memory(preset)
    memory.tend()
    usual = bytes_of(Path(memory.store.place)).lower()
    for chat in CHATS:
        hear(memory, chat, clock)
    for person in OTHERS:
        memory.context("how is ana doing?", person, session="later")
    clock.pass_time(days=8)
    memory.tend()
    before = found_in(bytes_of(Path(memory.store.place)), TALK["phrases"])
    assert len(before) == 30
    receipt = memory.erase(user="ana")
    assert (receipt.traces, receipt.pending) == ({}, ())
    memory.export(tmp_path / "left.jsonl")
    left = bytes_of(Path(memory.store.place)) + (tmp_path / "left.jsonl").read_bytes()
    assert found_in(left, TALK["phrases"]) == []
    assert [word for word in words_of_hers_alone(usual) if word.encode() in left.lower()] == []
    assert found_in((tmp_path / "left.jsonl").read_bytes(), TALK["kept"]) == TALK["kept"]


def say(memory: Memory, who: str, text: str, **room: str) -> Record:
    kept = memory.observe(text, role="assistant", **room) if who == "bot" else memory.observe(text, who, **room)
    assert isinstance(kept, Record)
    return kept


def told_to(memory: Memory, user: str, words: str) -> list[str]:
    """Everything with these words that a person can get to see."""
    records = [r.text for r in memory.review.records(user, limit=500) if words in r.text.lower()]
    found = [hit.record.text for hit in memory.recall(words, user=user, limit=20) if words in hit.record.text.lower()]
    documents = [
        entry.text for one in memory.documents.all(user=user) for entry in one.entries if words in entry.text.lower()
    ]
    context = memory.context(f"what about {words}?", user, session="elsewhere").text.lower()
    return records + found + documents + ([context] if words in context.replace(f"what about {words}?", "") else [])


QUESTION, ANSWER = "Did you hear that my HIV test came back positive?", "Yes, I am so sorry, I live right next door"


@pytest.mark.parametrize("way", ["erase", "purge", "forget"])
@pytest.mark.parametrize("preset", PRESETS)
def test_a_question_goes_from_the_answer_that_needs_it(preset: str, way: str, open_memory: OpenMemory) -> None:
    memory = open_memory(preset)
    room = {"channel": "square"} if preset == "community" else {"session": "square"}
    asked = say(memory, "ana", QUESTION, **room)
    say(memory, "ross", ANSWER, **room)
    memory.settle()
    {
        "erase": lambda: memory.erase(user="ana"),
        "purge": lambda: memory.purge(asked.id),
        "forget": lambda: memory.forget(asked.id, user="ana"),
    }[way]()
    assert told_to(memory, "ross", "hiv") == []
    assert any("next door" in record.text for record in memory.review.records("ross", limit=500))


@pytest.mark.parametrize("preset", [name for name in PRESETS if name != "community"])
def test_private_words_do_not_become_another_persons(preset: str, open_memory: OpenMemory) -> None:
    memory = open_memory(preset)
    say(memory, "ana", QUESTION, session="square")
    say(memory, "ross", ANSWER, session="square")
    memory.settle()
    assert told_to(memory, "ross", "hiv") == []


def test_what_was_hidden_with_a_message_comes_back_with_it(open_memory: OpenMemory) -> None:
    memory = open_memory("community")
    asked = say(memory, "ana", QUESTION, channel="square")
    say(memory, "ross", ANSWER, channel="square")
    memory.settle()
    before = {record.id for record in memory.review.records(limit=500)}
    memory.forget(asked.id, user="ana")
    assert {record.id for record in memory.review.records(limit=500)} < before
    memory.restore(asked.id, user="ana")
    assert {record.id for record in memory.review.records(limit=500)} == before


def test_a_reply_goes_with_the_person_whom_it_answered(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    hers = say(memory, "ana", "@bot can I take lithium before a biopsy?", session="square")
    his = say(memory, "ross", "@bot how often do I wax a bike chain?", session="square")
    reply = say(memory, "bot", "Lithium is usually fine before a biopsy.", session="square")
    other = say(memory, "bot", "Wax a bike chain every 300 km.", session="square")
    assert (hers.user, his.user, reply.user, other.user) == ("ana", "ross", "ana", "ross")


def test_a_reply_to_another_that_repeats_her_goes_too(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    say(memory, "ana", "my mortgage got refused on friday", session="square")
    say(memory, "ross", "@bot is ana alright? and what is the weather in Leeds", session="square")
    echo = say(memory, "bot", "Ross, her mortgage got refused, so she is low.", session="square")
    kept = say(memory, "bot", "Ross, the weather in Leeds is dry.", session="square")
    memory.erase(user="ana")
    left = {record.id for record in memory.review.records(limit=500)}
    assert echo.id not in left
    assert kept.id in left
