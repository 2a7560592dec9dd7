"""What a migration does to the data of an earlier version: files are made as that version made them."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import apsw
import pytest

from tests.conftest import START
from toldonce import Memory
from toldonce.clock import to_micros
from toldonce.storage.tables.records import EVERYONE

DATA = Path(__file__).parents[1] / "data"


class EarlierFile:
    """A memory file of schema version 2, written with its own statements."""

    def __init__(self, path: Path) -> None:
        self._connection = apsw.Connection(str(path))
        self._at = to_micros(START)

    def close(self) -> None:
        self._connection.close()

    def add(
        self,
        id_: str,
        text: str,
        *,
        user: str | None,
        kind: str = "message",
        role: str = "user",
        visibility: str = "private",
        sources: Sequence[str] = (),
        participants: Sequence[str] = (),
    ) -> None:
        """A record as version 2 kept it: one without an owner is for everybody."""
        self._connection.execute(
            "INSERT INTO records (id, tenant, space, kind, text, title, author, role, user, visibility, audience,"
            " state, confidence, origin, made_by, trust, conversation, at, created_at, metadata)"
            " VALUES (?, 'local', 'main', ?, ?, '', ?, ?, ?, ?, ?,"
            " 'active', 1.0, 'conversation', 'rules', 3, ?, ?, ?, ?)",
            (
                id_,
                kind,
                text,
                user or "",
                role,
                user,
                visibility,
                user if user and visibility == "private" else EVERYONE,
                "talk_1" if kind == "message" else None,
                self._at,
                self._at,
                json.dumps({"participants": list(participants)} if participants else {}),
            ),
        )
        for source in sources:
            self._connection.execute(
                "INSERT INTO links (tenant, space, source, type, target, at)"
                " VALUES ('local', 'main', ?, 'derived_from', ?, ?)",
                (id_, source, self._at),
            )

    def see(self, *people: str) -> None:
        """People who spoke."""
        for person in people:
            self._connection.execute(
                "INSERT INTO people (tenant, space, id, seen_at) VALUES ('local', 'main', ?, ?)", (person, self._at)
            )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return Path(shutil.copy(DATA / "memory-v2.db", tmp_path / "memory.db"))


@pytest.fixture
def memory(path: Path) -> Iterator[Memory]:
    """A memory of version 2 with notes of conversations, opened by this version."""
    with contextlib.closing(EarlierFile(path)) as earlier:
        earlier.see("ana", "bob")
        earlier.add("msg_a", "I am pregnant, tell nobody", user="ana")
        earlier.add("msg_b", "I owe the bank a fortune", user="bob")
        earlier.add("msg_c", "We meet at the zebra crossing", user="ana", visibility="project")
        note = {"user": None, "kind": "memory", "role": "system"}
        earlier.add("note_both", "Ana: I am pregnant. Bob: I owe the bank.", sources=("msg_a", "msg_b"), **note)
        earlier.add("note_ana", "Ana: I am pregnant, expecting a daughter.", sources=("msg_a",), **note)
        earlier.add("note_bob", "Bob: the fortune was lost at poker.", participants=("bob", "assistant"), **note)
        earlier.add("note_gone", "Ana and Bob met a lawyer.", participants=("ana", "bob"), **note)
        earlier.add(
            "note_open", "Ana: We meet at the zebra crossing.", sources=("msg_c",), visibility="project", **note
        )
        earlier.add("fact_all", "The office closes at noon", user=None, kind="fact", role="agent", sources=("msg_a",))
    with Memory.open(path, embedder=None, background=False) as opened:
        yield opened


def readers_of(memory: Memory, record_id: str, words: str) -> set[str]:
    """Who finds a record by its words."""
    people = ("ana", "bob", "carl")
    return {p for p in people if record_id in {hit.record.id for hit in memory.recall(words, user=p, limit=20)}}


def test_a_note_of_one_persons_private_words_becomes_theirs(memory: Memory) -> None:
    assert memory.get("note_ana").user == "ana"
    assert readers_of(memory, "note_ana", "pregnant daughter") == {"ana"}


def test_a_note_whose_messages_are_gone_belongs_to_the_one_who_took_part(memory: Memory) -> None:
    assert memory.get("note_bob").user == "bob"
    assert readers_of(memory, "note_bob", "fortune lost poker") == {"bob"}


@pytest.mark.parametrize("record_id, words", [("note_both", "pregnant bank"), ("note_gone", "lawyer met")])
def test_a_note_of_several_peoples_private_words_is_shown_to_nobody(memory: Memory, record_id: str, words: str) -> None:
    assert readers_of(memory, record_id, words) == set()
    record = memory.get(record_id)
    assert (record.state, record.state_reason) == (
        "flagged",
        "made of private words of several people, without an owner",
    )
    assert [change.action for change in memory.history(record_id).changes] == ["flagged"]


@pytest.mark.parametrize("record_id, words", [("note_open", "zebra crossing"), ("fact_all", "office closes noon")])
def test_what_was_meant_for_everybody_stays_so(memory: Memory, record_id: str, words: str) -> None:
    assert memory.get(record_id).user is None
    assert readers_of(memory, record_id, words) == {"ana", "bob", "carl"}


def test_index_and_amounts_are_right_after_it(memory: Memory) -> None:
    assert memory.storage.check() == []
    counted = memory.store.read(
        lambda t: {
            tuple(row)
            for row in t.rows.all("count_by_kind", tenant="local", space=None, user="ana")
            if row[0] == "memory"
        }
    )
    assert {row[2] for row in counted} == {1}


def test_opening_it_again_changes_nothing(memory: Memory, path: Path) -> None:
    before = memory.store.read(lambda t: [r for _, r in t.records.read_page(None, limit=100)])
    memory.close()
    with Memory.open(path, embedder=None, background=False) as again:
        assert again.store.read(lambda t: [r for _, r in t.records.read_page(None, limit=100)]) == before
