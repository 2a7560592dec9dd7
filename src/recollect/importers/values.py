"""One memory of an older store as a value, and the few things that reading any of them needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

# Numbers above this are milliseconds: as seconds they would lie after the year 5000.
_MILLISECONDS_FROM = 100_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class OlderMemory:
    """One memory of an older store; `type` is that store's own word for it, `name` what its owner is called."""

    id: str
    text: str
    type: str
    at: datetime | None = None
    user: str | None = None
    name: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)


def moment_of(value: object) -> datetime | None:
    """A moment that an older store wrote as a text or a number; None when it cannot be read as one."""
    try:
        if isinstance(value, str):
            said = datetime.fromisoformat(value.strip())
        elif isinstance(value, int | float) and not isinstance(value, bool):
            said = datetime.fromtimestamp(value / 1000 if value > _MILLISECONDS_FROM else value, UTC)
        else:
            return None
    except (ValueError, OverflowError, OSError):
        return None
    return said.replace(tzinfo=UTC) if said.tzinfo is None else said.astimezone(UTC)


def first_filled(row: Mapping[str, Any], names: Sequence[str]) -> Any:
    """The first of these columns that a row has something in."""
    return next((row[name] for name in names if row.get(name) not in (None, "")), None)


def plain_metadata(row: Mapping[str, Any], *, without: Sequence[str]) -> dict[str, Any]:
    """The rest of a row as metadata; blobs, such as vectors, stay behind."""
    return {
        name: value
        for name, value in row.items()
        if name not in without and value is not None and not isinstance(value, bytes)
    }
