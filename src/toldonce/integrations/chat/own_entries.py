"""What is known of one person in the spaces of a chat, as entries with ids that the person can name.

An entry is a record of theirs or a line of their profile. Nobody else's is ever read or changed here.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime

from toldonce.distil.documents import revise_document
from toldonce.integrations.chat.chat_memory import ChatMemory
from toldonce.lang.vocabulary import content_stems
from toldonce.operations.chat_messages import redact_records
from toldonce.records import Document, DocumentEntry, Record
from toldonce.storage.store import Tables

_SEARCHED = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnEntry:
    """One thing known of a person: a record, or a line of the profile (`record` is None)."""

    id: str
    text: str
    at: datetime
    space: str
    record: Record | None = None
    line: DocumentEntry | None = None

    @property
    def is_message(self) -> bool:
        """Whether it is something that the person said, rather than something learnt from it."""
        return self.record is not None and self.record.conversation is not None


class OwnEntries:
    """Reads and changes the entries of one person."""

    def __init__(self, chat: ChatMemory, user: str) -> None:
        self._chat = chat
        self._memory = chat.memory
        self._user = user

    def list_known(self, limit: int) -> list[OwnEntry]:
        """What is known of the person, newest first; messages are left out."""
        found = [entry for space in self._chat.list_own_spaces(self._user) for entry in self._list_in(space, limit)]
        return sorted(found, key=lambda entry: entry.at, reverse=True)[:limit]

    def search(self, query: str, limit: int) -> list[OwnEntry]:
        """The person's messages and what is known of them that fit a question, best first."""
        found = []
        for space in self._chat.list_own_spaces(self._user):
            # Who wants something forgotten must find it, however unlikely it is.
            hits = self._memory.recall(query, self._user, limit=_SEARCHED, min_score=0.0, space=space, counted=False)
            found += [hit for hit in hits if hit.record.user == self._user]
        best = sorted(found, key=lambda hit: hit.score, reverse=True)
        asked = content_stems(query)
        lines = [one for one in self.list_known(_SEARCHED) if one.line and asked & content_stems(one.text)]
        records = {hit.record.id: _entry_of_record(hit.record) for hit in best}
        return [*lines, *records.values()][:limit]

    def find(self, entry_id: str) -> OwnEntry | None:
        """An entry of the person by its id."""
        spaces = self._chat.list_own_spaces(self._user)
        for record in self._memory.engine.records_by_id([entry_id]):
            if record.user == self._user and record.space in spaces:
                return _entry_of_record(record)
        lines = (entry for space in spaces for entry in self._list_lines(space))
        return next((entry for entry in lines if entry.id == entry_id), None)

    def correct(self, entry: OwnEntry, text: str) -> OwnEntry:
        """Replace what is known by what the person says is true, which counts as their own word."""
        if entry.record is not None:
            return _entry_of_record(self._memory.correct(entry.record.id, text, user=self._user))
        said = self._memory.remember(text, user=self._user, author="person", space=entry.space)
        old, now = entry.text, self._memory.clock()

        def change(document: Document) -> Document | None:
            revised = revise_document(document, old, said.text, now=now)
            return revised and replace(
                revised,
                entries=tuple(
                    replace(one, sources=(said.id,), at=now) if one.text == said.text else one
                    for one in revised.entries
                ),
            )

        self._memory.documents.change(self._find_document(entry.space), change, owner=self._user, space=entry.space)
        return _entry_of_record(said)

    def forget(self, entry: OwnEntry) -> int:
        """Destroy an entry, the person's messages that it came from and what was learnt from them; how many records."""
        if entry.line is not None:
            self._memory.documents.forget_line(self._user, entry.text, reader=self._user, space=entry.space)
        own = [record.id for record in self._find_said(entry)]
        ids = [entry.record.id, *own] if entry.record is not None else own
        return redact_records(self._memory.engine, ids, space=entry.space)

    def _list_in(self, space: str, limit: int) -> list[OwnEntry]:
        records = self._memory.store.read(lambda t: t.records.known_of_person(space, self._user, limit=limit))
        known = {record.id for record in records}
        lines = [one for one in self._list_lines(space) if one.line and known.isdisjoint(one.line.sources)]
        return [*map(_entry_of_record, records), *lines]

    def _list_lines(self, space: str) -> list[OwnEntry]:
        """The lines of the person's profile, where the preset keeps one."""
        name = self._find_document(space)
        found = self._memory.documents.get(name, owner=self._user, space=space) if name else None
        entries = found.entries if found else ()
        at = found.at if found else self._memory.clock()
        return [
            OwnEntry(id=_name_line(space, one.text), text=one.text, at=one.at or at, space=space, line=one)
            for one in entries
        ]

    def _find_document(self, space: str) -> str:
        documents = self._memory.spaces.preset(space).documents
        return next((name for name, policy in documents.items() if policy.per == "person"), "")

    def _find_said(self, entry: OwnEntry) -> list[Record]:
        """The person's own messages that an entry came from: of a line, those of its notes that say the same words."""
        sources = entry.record.sources if entry.record is not None else entry.line.sources if entry.line else ()

        def read(tables: Tables) -> list[Record]:
            direct = tables.records.get(sources)
            behind = tables.records.get({source for one in direct.values() for source in one.sources})
            said = {one.id: one for one in (*direct.values(), *behind.values()) if one.conversation is not None}
            return [one for one in said.values() if one.user == self._user]

        said, words = self._memory.store.read(read), content_stems(entry.text)
        shared = {one.id: len(words & content_stems(one.text)) for one in said}
        most = max(shared.values(), default=0)
        return [one for one in said if most and shared[one.id] == most]


def _entry_of_record(record: Record) -> OwnEntry:
    return OwnEntry(id=record.id, text=record.text, at=record.at, space=record.space, record=record)


def _name_line(space: str, text: str) -> str:
    """An id for a line, which has none of its own; the same while the line says the same."""
    return "line_" + hashlib.blake2b(f"{space}\n{text}".encode(), digest_size=6).hexdigest()
