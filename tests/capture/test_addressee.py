"""A reply belongs to the person whom it answers, also when it comes late."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toldonce.capture.addressee import find_addressee
from toldonce.storage.tables.conversations import Said

CHATS = json.loads((Path(__file__).parents[1] / "data" / "group_talk.json").read_text(encoding="utf-8"))["chats"]
NAMES = {name: (name,) for name in ("ana", "ross", "ines", "tomas", "lucia")}


@pytest.mark.parametrize("chat", CHATS, ids=lambda chat: chat["id"])
def test_replies_in_group_chats_go_to_whom_they_answer(chat: dict[str, list[dict[str, str]]]) -> None:
    said: list[Said] = []
    for message in chat["messages"]:
        if message["who"] == "bot":
            assert find_addressee(message["text"], said, NAMES) == message["answers"], message["text"]
            said.append(Said(message["answers"], False, message["text"]))
        else:
            said.append(Said(message["who"], True, message["text"]))


def test_the_only_speaker_is_the_one_who_is_answered() -> None:
    assert find_addressee("anything", [Said("ana", True, "hello")], {}) == "ana"
    assert find_addressee("anything", [], {}) is None
    assert find_addressee("anything", [Said(None, True, "hello")], {}) is None


def test_a_name_says_more_than_words() -> None:
    said = [Said("ana", True, "is lunch at noon?"), Said("ross", True, "is dinner at eight?")]
    assert find_addressee("Ross, lunch is at noon", said, NAMES) == "ross"
    assert find_addressee("lunch is at noon", said, NAMES) == "ana"


def test_the_latest_open_question_is_answered_where_words_do_not_tell() -> None:
    said = [
        Said("ana", True, "is it?"),
        Said("ross", True, "is he?"),
        Said("ross", False, "no"),
        Said("ines", True, "lol"),
    ]
    assert find_addressee("yes", said, NAMES) == "ana"
