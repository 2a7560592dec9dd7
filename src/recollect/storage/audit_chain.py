"""The hash chain of the audit log, as pure functions.

A row's commitment is a salted hash of what may have to be erased (space, actor, interface, detail). Its digest covers
the previous digest, the time, the action and the commitment. Erasing a person drops those columns and the salt; the
commitment stays, so the chain can still be verified, and without the salt nobody can guess what it covered.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

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
    return _hash(salt, json.dumps([space, actor, interface, detail]).encode())


def chain_row(previous: bytes, *, at: int, action: str, commitment: bytes) -> bytes:
    """The digest of a row that follows `previous`."""
    return _hash(previous, at.to_bytes(8, "big", signed=True), commitment, action.encode())


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


def _hash(*parts: bytes) -> bytes:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(4, "big") + part)
    return digest.digest()
