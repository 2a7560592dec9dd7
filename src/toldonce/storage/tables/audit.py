"""The audit log: who did what, when and through which interface. Rows are added and verified, and never edited.

Two things may change them: erasing a person blanks what names that person, and retention removes the oldest rows.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from toldonce.access import Actor, acting_as, current_actor
from toldonce.clock import from_micros, to_micros
from toldonce.records import AuditEntry, Record
from toldonce.storage.rows import Rows

if TYPE_CHECKING:
    from toldonce.storage.store import Tables

_ANCHOR = "audit anchor"
_PAGE = 1_000


class AuditTable:
    """Adds to the audit log and reads it."""

    __slots__ = ("_rows", "_tenant")

    def __init__(self, rows: Rows, tenant: str) -> None:
        self._rows = rows
        self._tenant = tenant

    def add(
        self,
        space: str,
        action: str,
        *,
        at: datetime,
        actor: str | None = None,
        detail: Mapping[str, Any] | None = None,
    ) -> None:
        """Append an entry; `detail` carries ids, names and counts, never remembered text or a secret."""
        acting = current_actor()
        told = {
            "space": space, "actor": actor or acting.person, "interface": acting.interface,
            "detail": json.dumps(dict(detail or {}), ensure_ascii=False),
        }  # fmt: skip
        salt, moment = os.urandom(16), to_micros(at)
        commitment = commit_row(**told, salt=salt)
        last = self._rows.one("last_audit_digest", tenant=self._tenant)
        previous = last[0] if last and last[0] else self._read_anchor()
        self._rows.run(
            "add_audit",
            tenant=self._tenant,
            at=moment,
            action=action,
            salt=salt,
            commitment=commitment,
            digest=chain_row(previous, at=moment, action=action, commitment=commitment),
            **told,
        )

    def list_entries(
        self,
        space: str | None = None,
        *,
        actor: str | None = None,
        action: str | None = None,
        since: datetime | None = None,
        limit: int = 100,
    ) -> list[AuditEntry]:
        """Entries, newest first."""
        rows = self._rows.all(
            "list_audit",
            tenant=self._tenant,
            space=space,
            actor=actor,
            action=action,
            since=None if since is None else to_micros(since),
            limit=limit,
        )
        return [
            AuditEntry(
                space=r[0], at=from_micros(r[1]), actor=r[2], interface=r[3], action=r[4], detail=json.loads(r[5])
            )
            for r in rows
        ]

    def verify(self, *, expected_head: str | None = None) -> AuditCheck:
        """Check every row against the hash chain."""
        return verify_chain(self._all_rows(), start=self._read_anchor(), expected_head=expected_head)

    def blank_person(self, user: str, *, space: str | None) -> int:
        """Remove what names a person; the chain still verifies. Returns how many rows were blanked."""
        return self._rows.run("blank_audit", tenant=self._tenant, user=user, space=space)

    def expire(self, *, before: datetime) -> int:
        """Remove entries from before a moment; the chain then starts after the last of them."""
        limit = {"tenant": self._tenant, "before": to_micros(before)}
        last = self._rows.one("last_expired_audit", **limit)
        if last is None:
            return 0
        if last[1]:
            self._rows.run("put_setting", tenant=self._tenant, space="", key=_ANCHOR, value=last[1].hex())
        return self._rows.run("expire_audit", tenant=self._tenant, seq=last[0])

    def _read_anchor(self) -> bytes:
        row = self._rows.one("get_setting", tenant=self._tenant, space="", key=_ANCHOR)
        return bytes.fromhex(row[0]) if row else START

    def _all_rows(self) -> Iterator[AuditRow]:
        after = 0
        while rows := self._rows.all("audit_page", tenant=self._tenant, after=after, limit=_PAGE):
            yield from (AuditRow(*row) for row in rows)
            after = rows[-1][0]


START = bytes(32)


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One row of the audit log as it is stored."""

    seq: int
    space: str
    at: int
    actor: str
    interface: str
    action: str
    detail: str
    salt: bytes | None
    commitment: bytes
    digest: bytes


@dataclass(frozen=True, slots=True)
class AuditCheck:
    """What a verification found: rows checked, rows from before the chain, the newest digest, and what is wrong."""

    rows: int
    unchained: int
    head: str
    problems: tuple[str, ...] = ()


def commit_row(*, space: str, actor: str, interface: str, detail: str, salt: bytes) -> bytes:
    """The commitment of a row."""
    return _link_hash(salt, json.dumps([space, actor, interface, detail]).encode())


def chain_row(previous: bytes, *, at: int, action: str, commitment: bytes) -> bytes:
    """The digest of a row that follows `previous`."""
    return _link_hash(previous, at.to_bytes(8, "big", signed=True), commitment, action.encode())


def verify_chain(rows: Iterable[AuditRow], *, start: bytes = START, expected_head: str | None = None) -> AuditCheck:
    """Check rows in order against the chain that begins after `start`.

    With `expected_head`, a digest that was noted earlier must still be in the chain: this finds a log that was cut.
    """
    previous, count, unchained, problems, heads = start, 0, 0, [], {start.hex()}
    for row in rows:
        if not row.digest and count == 0:
            unchained += 1
            continue
        count += 1
        problems += [f"row {row.seq}: {problem}" for problem in _check_row(row, previous)]
        previous = row.digest
        heads.add(previous.hex())
    if expected_head is not None and expected_head.lower() not in heads:
        problems.append(
            "the digest that was noted earlier is not in the log: rows were removed or the log was rewritten"
        )
    return AuditCheck(count, unchained, previous.hex(), tuple(problems[:100]))


def _check_row(row: AuditRow, previous: bytes) -> list[str]:
    problems = []
    if row.digest != chain_row(previous, at=row.at, action=row.action, commitment=row.commitment):
        problems.append("the chain is broken here: a row before it is missing, or its time or action was changed")
    if row.salt is None:
        if row.space or row.actor or row.interface or row.detail != "{}":
            problems.append("its content was changed after it was blanked")
    elif row.commitment != commit_row(
        space=row.space, actor=row.actor, interface=row.interface, detail=row.detail, salt=row.salt
    ):
        problems.append("its content was changed")
    return problems


def _link_hash(*parts: bytes) -> bytes:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(4, "big") + part)
    return digest.digest()


MOST_NOTED = 256
_MOST_NAMED = 20

# Space, action, person acted for, and who acted through which interface.
_Key = tuple[str, str, str | None, Actor]


@dataclass(slots=True)
class _Note:
    at: datetime
    count: int
    records: list[str]


class AuditNotes:
    """Collects notes from any thread; `take` hands them over for writing."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._noted: list[tuple[_Key, str, datetime]] = []
        self._returned: dict[_Key, _Note] = {}

    def add(self, action: str, record: Record, *, user: str | None, at: datetime) -> None:
        """Note that a record was written or read on behalf of a person."""
        noted = ((record.space, action, user, current_actor()), record.id, at)
        with self._lock:
            self._noted.append(noted)

    @property
    def is_full(self) -> bool:
        """Whether enough was collected to be written with whatever is written next."""
        return len(self._noted) >= MOST_NOTED

    def __len__(self) -> int:
        return len(self._noted) + len(self._returned)

    def take(self) -> dict[_Key, _Note]:
        """Everything noted so far, joined, which is then no longer here."""
        with self._lock:
            noted, self._noted = self._noted, []
            notes, self._returned = self._returned, {}
        for key, record, at in noted:
            note = notes.setdefault(key, _Note(at, 0, []))
            note.at, note.count = max(note.at, at), note.count + 1
            if len(note.records) < _MOST_NAMED:
                note.records.append(record)
        return notes

    def put_back(self, notes: dict[_Key, _Note]) -> None:
        """Keep notes that could not be written for the next time."""
        with self._lock:
            for key, note in notes.items():
                before = self._returned.get(key, _Note(note.at, 0, []))
                named = [*before.records, *note.records][:_MOST_NAMED]
                self._returned[key] = _Note(max(note.at, before.at), note.count + before.count, named)


def write_notes(tables: Tables, notes: dict[_Key, _Note]) -> None:
    """Add notes to the audit log."""
    if not notes:
        return
    for (space, action, user, actor), note in notes.items():
        with acting_as(interface=actor.interface, person=actor.person, is_agent=actor.is_agent):
            detail = {"count": note.count, "records": note.records}
            tables.audit.add(space, action, at=note.at, actor=user, detail=detail)
