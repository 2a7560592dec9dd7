"""`memory.audit`: who did what, when and through which interface, and whether the log is unchanged."""

from __future__ import annotations

from datetime import datetime, timedelta

from toldonce.capture.fields import check_counts, require_counts
from toldonce.clock import as_moment
from toldonce.operations.engine import Engine
from toldonce.records import AuditEntry
from toldonce.storage.store import Tables
from toldonce.storage.tables.audit import AuditCheck

# The setting that says for how many days the audit log is kept.
AUDIT_DAYS = "audit days"


class Audit:
    """Read, verify and expire the audit log."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def entries(
        self,
        *,
        actor: str | None = None,
        action: str | None = None,
        since: datetime | str | None = None,
        limit: int = 100,
        space: str | None = None,
    ) -> list[AuditEntry]:
        """Who did what, when and through which interface, newest first."""
        require_counts(limit=limit)
        self._engine.flush_notes()
        start = as_moment(since, self._engine.clock()) if since is not None else None
        return self._engine.store.read(
            lambda t: t.audit.list_entries(space, actor=actor, action=action, since=start, limit=limit)
        )

    def verify(self, *, head: str | None = None) -> AuditCheck:
        """Check the hash chain of the audit log; `head` is a digest noted earlier that must still be in it."""
        self._engine.flush_notes()
        return self._engine.store.read(lambda t: t.audit.verify(expected_head=head))

    def keep_days(self, days: int | None) -> None:
        """Set for how many days entries are kept; None keeps them for ever, which is the default."""
        check_counts(days=days)

        def work(tables: Tables) -> None:
            tables.documents.set_setting("", AUDIT_DAYS, str(days or ""))
            tables.audit.add("", "keep audit", at=self._engine.clock(), detail={"days": days})

        self._engine.write(work)

    def expire(self, *, now: datetime) -> int:
        """Remove the entries that are older than they are kept; returns how many."""

        def work(tables: Tables) -> int:
            days = tables.documents.read_setting("", AUDIT_DAYS)
            return tables.audit.expire(before=now - timedelta(days=int(days))) if days else 0

        return self._engine.write(work)

    def record_key_change(self, action: str) -> int:
        """Note that this memory was encrypted, decrypted or re-keyed, and replace its rolling copies; how many."""
        self._engine.add_audit_entry(action, detail={})
        return self._engine.backups.renew()
