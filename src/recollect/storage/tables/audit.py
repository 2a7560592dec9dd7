"""The audit log: who did what, when and through which interface. Rows are added and verified, and never edited.

Two things may change them: erasing a person blanks what names that person, and retention removes the oldest rows.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from recollect.actor import current_actor
from recollect.clock import from_micros, to_micros
from recollect.records import AuditEntry
from recollect.storage.audit_chain import START, AuditCheck, AuditRow, chain_row, commit_row, verify_chain
from recollect.storage.rows import Rows

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
        previous = last[0] if last and last[0] else self._anchor()
        self._rows.run(
            "add_audit", tenant=self._tenant, at=moment, action=action, salt=salt, commitment=commitment,
            digest=chain_row(previous, at=moment, action=action, commitment=commitment), **told,
        )  # fmt: skip

    def entries(
        self, space: str | None = None, *, actor: str | None = None, action: str | None = None,
        since: datetime | None = None, limit: int = 100,
    ) -> list[AuditEntry]:  # fmt: skip
        """Entries, newest first."""
        rows = self._rows.all(
            "list_audit", tenant=self._tenant, space=space, actor=actor, action=action,
            since=None if since is None else to_micros(since), limit=limit,
        )  # fmt: skip
        return [
            AuditEntry(
                space=r[0], at=from_micros(r[1]), actor=r[2], interface=r[3], action=r[4], detail=json.loads(r[5])
            )
            for r in rows
        ]

    def verify(self, *, expected_head: str | None = None) -> AuditCheck:
        """Check every row against the hash chain."""
        return verify_chain(self._all_rows(), start=self._anchor(), expected_head=expected_head)

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

    def _anchor(self) -> bytes:
        row = self._rows.one("get_setting", tenant=self._tenant, space="", key=_ANCHOR)
        return bytes.fromhex(row[0]) if row else START

    def _all_rows(self) -> Iterator[AuditRow]:
        after = 0
        while rows := self._rows.all("audit_page", tenant=self._tenant, after=after, limit=_PAGE):
            yield from (AuditRow(*row) for row in rows)
            after = rows[-1][0]
