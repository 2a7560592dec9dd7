"""Lines for a terminal: they fit, they line up, and they hold no character that could steer it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toldonce.cli.page import (
    PageLayout,
    count_columns,
    count_noun,
    cut_to_columns,
    format_length,
    format_pairs,
    format_size,
    format_table,
    mask_controls,
    wrap_text,
)


@given(st.text(), st.integers(10, 60), st.integers(1, 5))
def test_wrapped_lines_fit_and_hold_no_control_characters(text: str, columns: int, lines: int) -> None:
    for line in (found := wrap_text(text, columns, lines=lines)):
        assert count_columns(line) <= columns and line == mask_controls(line) and "\n" not in line
    assert len(found) <= lines


@given(st.text(alphabet=st.characters(categories=["L", "N", "P"]), min_size=1), st.integers(10, 40))
def test_wrapping_loses_no_word(text: str, columns: int) -> None:
    assert "".join(wrap_text(text, columns)) == text.strip()


def test_text_without_spaces_is_wrapped_by_its_width() -> None:
    lines = wrap_text("我上个星期搬到了里斯本。" * 5, 20)
    assert all(count_columns(line) <= 20 for line in lines) and len(lines) == 6


def test_a_cut_text_is_one_line_with_a_mark() -> None:
    assert (
        cut_to_columns("one\ntwo three", 9) == "one two…"
        and cut_to_columns("short", 9) == "short"
        and count_columns(cut_to_columns("里斯本里斯本", 7)) <= 7
    )


def test_columns_line_up_whatever_the_script() -> None:
    lines = format_table(("name", "city"), [("Ana", "Lisboa"), ("王芳", "里斯本")], columns=40)
    places = [
        count_columns(click.unstyle(line).split(word)[0])
        for line, word in zip(lines, ("city", "Lisboa", "里斯本"), strict=True)
    ]
    assert len(set(places)) == 1


def test_pairs_wrap_beside_their_name() -> None:
    first, second = format_pairs([("name", "one two three four")], columns=20)
    assert click.unstyle(first) == "name  one two three" and second == "      four"


@pytest.mark.parametrize("count, told", [(0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (22_500_000, "22.5 MB")])
def test_sizes_are_told_in_the_largest_unit(count: int, told: str) -> None:
    assert format_size(count) == told


@pytest.mark.parametrize(
    "time, told",
    [(None, "-"), (timedelta(days=30), "30 d"), (timedelta(minutes=90), "1.5 h"), (timedelta(seconds=0.25), "0.2 s")],
)
def test_lengths_are_told_in_the_largest_unit(time: timedelta | None, told: str) -> None:
    assert format_length(time) == told


def test_moments_are_told_in_the_zone_of_the_page() -> None:
    page = PageLayout(80, ZoneInfo("Asia/Tokyo"))
    assert page.moment(datetime(2026, 5, 3, 20, 0, tzinfo=UTC)) == "2026-05-04 05:00" and page.date(None) == "-"


def test_numbers_agree_with_their_noun() -> None:
    assert (count_noun(1, "record"), count_noun(2, "record"), count_noun(0, "copy", "copies")) == (
        "1 record",
        "2 records",
        "0 copies",
    )
