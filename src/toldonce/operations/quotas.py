"""Quotas: how much each person and space may store, and how fast, checked before anything is written."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from toldonce.clock import to_micros
from toldonce.errors import QuotaExceeded
from toldonce.presets.policy import Preset, Quota
from toldonce.records import TenantQuota
from toldonce.storage.store import Tables
from toldonce.storage.tables.amounts import Amount, read_tenant_quota
from toldonce.storage.tables.people import SpaceState

_SETTING = "quota"
NO_LIMIT = Quota()
_MINUTE_MICROS = 60_000_000

# A space and the person whose it is; None for what has no owner.
Owner = tuple[str, str | None]


@dataclass(frozen=True, slots=True)
class AddedAmount:
    """What a call would add."""

    records: int = 0
    bytes: int = 0

    def __add__(self, other: AddedAmount) -> AddedAmount:
        return AddedAmount(self.records + other.records, self.bytes + other.bytes)


def amounts_of_records(records: Iterable[tuple[str, str | None, str | bytes]]) -> dict[Owner, AddedAmount]:
    """What records add, each given by its space, person and text, or the bytes of a sealed one."""
    amounts: dict[Owner, AddedAmount] = {}
    for space, user, content in records:
        size = len(content.encode() if isinstance(content, str) else content)
        amounts[space, user] = amounts.get((space, user), AddedAmount()) + AddedAmount(1, size)
    return amounts


def quota_of(space: SpaceState | None, preset: Preset) -> Quota:
    """The limits of a space: those that were set for it, else its preset's."""
    return Quota(**json.loads(space.quota)) if space is not None and space.quota else preset.quota


def tenant_quota_of(space: SpaceState | None) -> TenantQuota:
    """The limits of all spaces together."""
    return read_tenant_quota(space.tenant_quota if space is not None else None)


def save_quota(tables: Tables, space: str, quota: Quota) -> None:
    """Keep the limits of a space."""
    tables.documents.set_setting(space, _SETTING, json.dumps(dataclasses.asdict(quota)))


def check_quotas(
    tables: Tables,
    adding: Mapping[Owner, AddedAmount],
    *,
    quotas: Mapping[str, Quota],
    tenant: TenantQuota,
    now: datetime,
    is_imported: bool = False,
) -> None:
    """Refuse what would pass a limit, before anything of it is written; writes a minute are counted here.

    `quotas` are those of the spaces, `tenant` that of all together. What is imported was written in this
    transaction already, which a refusal undoes, and counts as one write of each person.
    """
    for space in {space for space, _ in adding}:
        quota = quotas[space]
        if quota == NO_LIMIT and not tenant.writes_per_minute:
            continue
        mine = {user: amount for (where, user), amount in adding.items() if where == space}
        total = sum(mine.values(), AddedAmount())
        _check_space(
            quota, _amount_before(tables.amounts.of_space(space), total, is_in=is_imported), total, space=space
        )
        for user, amount in mine.items():
            stored = _amount_before(tables.amounts.of_person(space, user), amount, is_in=is_imported)
            _check_person(quota, stored, amount, space=space)
            if quota.writes_per_minute or tenant.writes_per_minute:
                writes = tables.amounts.count_writes(space, user, 1 if is_imported else amount.records, at=now)
                _check_rate(quota.writes_per_minute, writes, now=now)
    if tenant.limits_writing:
        total = sum(adding.values(), AddedAmount())
        stored, writes = tables.amounts.of_tenant(at=now)
        before = _amount_before(stored, total, is_in=is_imported)
        _check_limit("this tenant, in all spaces together,", "records", before.records, total.records, tenant.records)
        _check_limit("this tenant, in all spaces together,", "bytes", before.bytes, total.bytes, tenant.bytes)
        _check_rate(tenant.writes_per_minute, writes, now=now)


def _amount_before(stored: Amount, added: AddedAmount, *, is_in: bool) -> Amount:
    """What was stored before this call, whether what it adds is in the tables already or not."""
    return Amount(stored.records - added.records, stored.bytes - added.bytes) if is_in else stored


def _check_space(quota: Quota, stored: Amount, adding: AddedAmount, *, space: str) -> None:
    whose = f"the space {space!r}"
    _check_limit(whose, "records", stored.records, adding.records, quota.records_per_space)
    _check_limit(whose, "bytes", stored.bytes, adding.bytes, quota.bytes_per_space)


def _check_person(quota: Quota, stored: Amount, adding: AddedAmount, *, space: str) -> None:
    whose = f"this person, in the space {space!r},"
    _check_limit(whose, "records", stored.records, adding.records, quota.records_per_person)
    _check_limit(whose, "bytes", stored.bytes, adding.bytes, quota.bytes_per_person)


def _check_limit(whose: str, unit: str, stored: int, adding: int, limit: int) -> None:
    if limit and stored + adding > limit:
        raise QuotaExceeded(
            f"{whose} may store at most {limit:,} {unit} and has {stored:,}: purge some, or raise the quota; "
            "nothing more was stored",
            limit=limit,
        )


def _check_rate(limit: int, writes: int, *, now: datetime) -> None:
    if limit and writes > limit:
        wait_s = (_MINUTE_MICROS - to_micros(now) % _MINUTE_MICROS) / 1e6
        raise QuotaExceeded(
            f"at most {limit:,} writes a minute are allowed here: try again in {wait_s:.0f} s; nothing more was stored",
            limit=limit,
            retry_after_s=wait_s,
        )
