"""Values that processes share until they expire: signed-in browsers, links, answers, confirmations, digests."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from toldonce.clock import to_micros
from toldonce.storage.rows import Rows

Purpose = Literal["answer", "browser", "confirmation", "link", "secret", "secret_key"]


class HeldValueTable:
    """Small texts by purpose and key. Whoever purges a record drops all answers, which may quote it."""

    __slots__ = ("_rows", "_tenant")

    def __init__(self, rows: Rows, tenant: str) -> None:
        self._rows = rows
        self._tenant = tenant

    def hold(
        self, purpose: Purpose, key: str, value: str, *, now: datetime, expires_at: datetime, person: str | None = None
    ) -> bool:
        """Hold a value until it expires; False when one is held already, which then stays."""
        self._rows.run("trim_held_values", tenant=self._tenant, now=to_micros(now))
        held = self._rows.run(
            "hold_value",
            tenant=self._tenant,
            purpose=purpose,
            key=key,
            value=value,
            person=person,
            now=to_micros(now),
            expires_at=to_micros(expires_at),
        )
        return held > 0

    def get(self, purpose: Purpose, key: str, *, now: datetime) -> str | None:
        """A value that has not expired."""
        row = self._rows.one("get_held_value", tenant=self._tenant, purpose=purpose, key=key, now=to_micros(now))
        return row[0] if row else None

    def set(self, purpose: Purpose, key: str, value: str, *, expires_at: datetime) -> None:
        """Change a value that is held."""
        until = to_micros(expires_at)
        self._rows.run("set_held_value", tenant=self._tenant, purpose=purpose, key=key, value=value, expires_at=until)

    def drop(self, purpose: Purpose, key: str) -> bool:
        """Take a value away; False when there was none."""
        return self._rows.run("drop_held_value", tenant=self._tenant, purpose=purpose, key=key) > 0
