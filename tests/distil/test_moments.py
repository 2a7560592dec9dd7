"""What was relative to the moment it was said is written as a date; what only looks so is left alone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from recollect.distil.moments import anchored, undated

AT = datetime(2026, 5, 14, 12, tzinfo=UTC)  # a Thursday


@pytest.mark.parametrize(
    "text, written",
    [
        ("alex moved to Braga yesterday", "alex moved to Braga on 13 May 2026"),
        ("alex moved to Braga half a year ago", "alex moved to Braga around November 2025"),
        ("alex moved to Braga a year ago", "alex moved to Braga in 2025"),
        ("alex will leave in three days", "alex will leave on 17 May 2026"),
        ("alex is moving to Oslo in two weeks", "alex is moving to Oslo around 28 May 2026"),
        ("alex bought a car in three days", "alex bought a car in three days"),
        ("alex has read the book in two weeks", "alex has read the book in two weeks"),
    ],
)
def test_english_times_are_written_as_dates(text: str, written: str) -> None:
    assert anchored(text, AT, "en") == written


@pytest.mark.parametrize(
    "text, written",
    [
        ("alex se mudou ontem", "alex se mudou em 13 de maio de 2026"),
        ("alex viaja daqui a dois dias", "alex viaja em 16 de maio de 2026"),
        ("alex mora em Braga há dois anos", "alex mora em Braga há dois anos"),
    ],
)
def test_portuguese_times_are_written_as_dates(text: str, written: str) -> None:
    assert anchored(text, AT, "pt") == written


def test_a_date_that_was_written_can_be_taken_out_again() -> None:
    assert undated(anchored("alex moved to Braga yesterday", AT, "en")) == "alex moved to Braga"
