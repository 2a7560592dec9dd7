"""How much each person has stored in each space, and how fast they write: what quotas are checked against."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import datetime

from toldonce.clock import to_micros
from toldonce.records import TenantQuota
from toldonce.storage.rows import Rows

_MINUTE_MICROS = 60_000_000
_TENANT_QUOTA = "tenant quota"


@dataclass(frozen=True, slots=True)
class Amount:
    """Records and the bytes of their texts."""

    records: int = 0
    bytes: int = 0


class AmountTable:
    """Amounts are kept up to date by the store itself, with every record that is added or destroyed."""

    __slots__ = ("_rows", "_tenant")

    def __init__(self, rows: Rows, tenant: str) -> None:
        self._rows = rows
        self._tenant = tenant

    def of_person(self, space: str, user: str | None) -> Amount:
        """What one person has stored in a space; None asks for what has no owner."""
        row = self._rows.one("amount_of_person", tenant=self._tenant, space=space, user=user or "")
        return Amount(*row) if row else Amount()

    def of_space(self, space: str) -> Amount:
        """What everybody has stored in a space."""
        row = self._rows.one("amount_of_space", tenant=self._tenant, space=space)
        return Amount(*row) if row else Amount()

    def of_tenant(self, *, at: datetime) -> tuple[Amount, int]:
        """What everybody has stored in all spaces, and the writes that were counted in the minute of `at`."""
        row = self._rows.one("amount_of_tenant", tenant=self._tenant, minute=to_micros(at) // _MINUTE_MICROS)
        return (Amount(row[0], row[1]), int(row[2])) if row else (Amount(), 0)

    def tenant_quota(self) -> TenantQuota:
        """The limits of all spaces together."""
        row = self._rows.one("get_setting", tenant=self._tenant, space="", key=_TENANT_QUOTA)
        return read_tenant_quota(row[0] if row else None)

    def set_tenant_quota(self, quota: TenantQuota) -> None:
        """Set the limits of all spaces together."""
        value = json.dumps(asdict(quota))
        self._rows.run("put_setting", tenant=self._tenant, space="", key=_TENANT_QUOTA, value=value)

    def added_after(self, seq: int) -> dict[tuple[str, str | None], Amount]:
        """What was stored after the record at a place, by space and person."""
        rows = self._rows.all("amounts_added_after", tenant=self._tenant, seq=seq)
        return {(space, user): Amount(records, size) for space, user, records, size in rows}

    def list_owners(self) -> list[tuple[str, str]]:
        """Every space with the persons who have stored something in it."""
        return [(row[0], row[1]) for row in self._rows.all("list_owners", tenant=self._tenant)]

    def count_writes(self, space: str, user: str | None, count: int, *, at: datetime) -> int:
        """Count writes of a person and return how many they made in the minute of `at`, these included."""
        minute = to_micros(at) // _MINUTE_MICROS
        row = self._rows.one(
            "count_writes", tenant=self._tenant, space=space, user=user or "", minute=minute, count=count
        )
        return int(row[0]) if row else count


def read_tenant_quota(text: str | None) -> TenantQuota:
    """The limits of all spaces as they are stored; nothing stored is no limit."""
    return TenantQuota(**json.loads(text)) if text else TenantQuota()
