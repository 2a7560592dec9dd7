"""Time as the engine sees it: aware UTC moments, whole microseconds when stored, and local days in a named zone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from toldonce.errors import InputError

Clock = Callable[[], datetime]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
# Times outside of these years are mistakes, and some zones and lengths would carry them out of the calendar.
EARLIEST = datetime(1000, 1, 1, tzinfo=UTC)
LATEST = datetime(3000, 1, 1, tzinfo=UTC)


def system_clock() -> datetime:
    """The current moment in UTC."""
    return datetime.now(UTC)


def to_micros(moment: datetime) -> int:
    """Whole microseconds since 1970, the stored form of a moment."""
    return (moment - _EPOCH) // _MICROSECOND


def from_micros(micros: int) -> datetime:
    """The moment that `to_micros` stored; one outside of the calendar, as damage leaves it, is its nearest end."""
    try:
        return _EPOCH + timedelta(microseconds=micros)
    except OverflowError:
        return EARLIEST if micros < 0 else LATEST


def as_moment(value: datetime | str | None, default: datetime) -> datetime:
    """An aware UTC moment from what a caller gave: naive times and ISO texts count as UTC.

    Only years 1000 to 2999 are taken: further away, arithmetic with zones and lengths has no room.
    """
    if value is None:
        return default
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            raise InputError(f"not a time: {value!r}; write it like 2026-05-03T14:30:00+00:00") from None
    if not isinstance(value, datetime):
        raise InputError(f"a time must be a datetime or an ISO text, not {type(value).__name__}")
    if not EARLIEST.year <= value.year < LATEST.year:
        raise InputError(f"the year {value.year} is out of reach: times lie between the years 1000 and 2999")
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def as_bound(value: datetime | str | None, default: datetime) -> datetime:
    """The same for the end of a stretch, where years out of reach stand for no end at all."""
    if isinstance(value, datetime) and not EARLIEST.year <= value.year < LATEST.year:
        return EARLIEST if value.year < EARLIEST.year else LATEST
    if isinstance(value, str) and value[:4] == "9999":
        return LATEST
    return as_moment(value, default)


@lru_cache(maxsize=256)
def load_zone(name: str) -> ZoneInfo:
    """The time zone of that name."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InputError(f"unknown time zone {name!r}; use a name such as Europe/Lisbon") from None


def end_of_day(moment: datetime, zone_name: str) -> datetime:
    """The first moment of the next local day, when a record that lasts 'today' stops counting."""
    local = moment.astimezone(load_zone(zone_name))
    midnight = datetime.combine(local.date() + timedelta(days=1), time.min, tzinfo=local.tzinfo)
    return midnight.astimezone(UTC)


def same_day(one: datetime, other: datetime, zone_name: str) -> bool:
    """Whether both moments fall on one local day."""
    tz = load_zone(zone_name)
    return one.astimezone(tz).date() == other.astimezone(tz).date()
