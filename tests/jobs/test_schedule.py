"""When a schedule strikes, in zones whose clocks jump, and how long a failed job waits."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toldonce.clock import load_zone
from toldonce.errors import InputError
from toldonce.jobs.schedule import LONGEST_RETRY, next_moment, retry_after


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_three_in_the_morning_is_local_time() -> None:
    assert next_moment("0 3 * * *", "America/Sao_Paulo", after=utc("2026-05-04 12:00")) == utc("2026-05-05 06:00")
    assert next_moment("0 3 * * *", "Asia/Tokyo", after=utc("2026-05-04 12:00")) == utc("2026-05-04 18:00")


def test_the_hour_moves_in_utc_when_the_clocks_change() -> None:
    """Three o'clock in Lisbon is three in winter and two in summer."""
    assert next_moment("0 3 * * *", "Europe/Lisbon", after=utc("2026-03-28 04:00")) == utc("2026-03-29 02:00")
    assert next_moment("0 3 * * *", "Europe/Lisbon", after=utc("2026-10-24 04:00")) == utc("2026-10-25 03:00")


def test_a_time_that_the_clocks_skip_strikes_when_they_have_jumped() -> None:
    skipped = next_moment("30 1 * * *", "Europe/Lisbon", after=utc("2026-03-28 12:00"))
    assert skipped == utc("2026-03-29 01:00")
    assert next_moment("30 1 * * *", "Europe/Lisbon", after=skipped) == utc("2026-03-30 00:30")


@pytest.mark.parametrize("minutes", range(0, 125, 5))
def test_a_time_that_the_clocks_repeat_strikes_once(minutes: int) -> None:
    """Between one and two in New York on that night there are two half past ones; only the first counts."""
    after = utc("2026-11-01 05:00") + timedelta(minutes=minutes)
    expected = utc("2026-11-01 05:30") if after < utc("2026-11-01 05:30") else utc("2026-11-02 06:30")
    assert next_moment("30 1 * * *", "America/New_York", after=after) == expected


def test_an_hourly_schedule_strikes_in_both_passes_of_a_repeated_hour() -> None:
    strikes = [utc("2026-10-24 23:30")]
    for _ in range(4):
        moment = next_moment("0 * * * *", "Europe/Lisbon", after=strikes[-1])
        assert moment is not None
        strikes.append(moment)
    assert [b - a for a, b in pairwise(strikes[1:])] == [timedelta(hours=1)] * 3


@given(
    after=st.datetimes(datetime(2024, 1, 1), datetime(2027, 1, 1), timezones=st.just(UTC)),
    zone_name=st.sampled_from(["Europe/Lisbon", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"]),
    hour=st.integers(0, 23),
    minute=st.integers(0, 59),
)
def test_a_daily_schedule_strikes_later_and_within_two_days(
    after: datetime, zone_name: str, hour: int, minute: int
) -> None:
    moment = next_moment(f"{minute} {hour} * * *", zone_name, after=after)
    assert moment is not None
    assert after < moment <= after + timedelta(hours=49)
    local = moment.astimezone(load_zone(zone_name))
    jumped = local.utcoffset() != (moment - timedelta(hours=2)).astimezone(load_zone(zone_name)).utcoffset()
    assert (local.hour, local.minute) == (hour, minute) or jumped


def test_a_missed_series_leaves_one_next_moment() -> None:
    """Whoever was away for a year has one next strike, not three hundred."""
    assert next_moment("0 3 * * *", "UTC", after=utc("2027-05-04 12:00")) == utc("2027-05-05 03:00")


def test_a_moment_that_never_comes_is_none() -> None:
    assert next_moment("0 0 */29 2 MON#2", "UTC", after=utc("2026-05-04 12:00")) is None


def test_an_unknown_zone_is_refused() -> None:
    with pytest.raises(InputError, match="Lisboa"):
        next_moment("0 3 * * *", "Europe/Lisboa", after=utc("2026-05-04 12:00"))


def test_waits_grow_and_stop_growing_at_an_hour() -> None:
    waits = [retry_after(attempts) for attempts in range(1, 50)]
    assert waits[:4] == [timedelta(seconds=s) for s in (30, 120, 480, 1920)]
    assert waits == sorted(waits) and waits[-1] == LONGEST_RETRY == timedelta(hours=1)
