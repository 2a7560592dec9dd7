"""Documents by rule: what says the same becomes one line, what excludes another takes its place, sources stay."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from toldonce.distil.drafts import EntryDraft, Material
from toldonce.distil.profiles import is_same, section_for, user_memory, write_profile

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
SECTIONS = {"location": ("residence",), "goals": ("goal",), "family": ("person",), "tastes": ("likes", "dislikes")}


def news(text: str, attribute: str, *, day: int = 0, **given: Any) -> Material:
    subject = given.pop("subject", f"alex/{attribute}")
    at = START + timedelta(days=day)
    return Material(id=f"fact_{text}", text=text, at=at, kind="fact", subject=subject, **given)


def test_news_go_into_the_section_of_their_attribute() -> None:
    made = write_profile(
        [], [news("Alex lives in Porto", "residence"), news("Alex likes tea", "likes")], sections=SECTIONS
    )
    assert [(e.section, e.text) for e in made] == [("location", "Alex lives in Porto"), ("tastes", "Alex likes tea")]
    assert all(e.sources for e in made)


def test_what_no_section_takes_is_left_out() -> None:
    assert write_profile([], [news("Alex is tall", "height")], sections=SECTIONS) == []


@pytest.mark.parametrize(
    "one, other, same",
    [
        ("Alex loves hiking", "Alex loves hiking in the mountains", True),
        ("Alex loves hiking", "Alex loves hiking", True),
        ("Alex likes black coffee with sugar", "Alex likes sugar with black coffee", True),
        ("Alex likes tea", "Alex likes tea parties", False),
        ("Alex has 2 cats", "Alex has 3 cats", False),
        ("Alex lives in Porto", "Alex's sister Ana lives in Porto", False),
        ("Alex likes tea", "Alex doesn't like tea", False),
        ("Maria adora samba", "Maria adora samba na praia", True),
    ],
)
def test_which_lines_say_the_same(one: str, other: str, same: bool) -> None:
    assert is_same(one, other) is same


def test_of_two_lines_that_say_the_same_the_fuller_stays_with_both_sources() -> None:
    before = [
        EntryDraft("tastes", "Alex loves hiking", ("note_1",)),
        EntryDraft("tastes", "Alex likes tea", ("note_2",)),
    ]
    made = write_profile(before, [news("Alex loves hiking in Sintra", "likes")], sections=SECTIONS)
    assert {(e.text, e.sources) for e in made} == {
        ("Alex likes tea", ("note_2",)),
        ("Alex loves hiking in Sintra", ("note_1", "fact_Alex loves hiking in Sintra")),
    }


def test_a_newer_line_takes_the_place_of_one_it_excludes() -> None:
    before = [EntryDraft("tastes", "Alex likes tea", ("note_1",))]
    made = write_profile(before, [news("Alex doesn't like tea", "dislikes")], sections=SECTIONS)
    assert [e.text for e in made] == ["Alex doesn't like tea"]


def test_a_validated_line_gives_way_to_nothing() -> None:
    known = [
        news("Alex likes tea", "likes", validated=True),
        news("Alex doesn't like tea", "dislikes", day=1),
    ]
    assert "Alex likes tea" in [e.text for e in user_memory([], known, sections=SECTIONS)]


def test_the_compact_memory_puts_first_what_was_validated_then_the_newest() -> None:
    known = [
        news("Alex likes tea", "likes", day=1),
        news("Alex likes chess", "likes", validated=True),
        news("Alex likes rain", "likes", day=2),
    ]
    made = [e.text for e in user_memory([], known, sections=SECTIONS)]
    assert made == ["Alex likes chess", "Alex likes rain", "Alex likes tea"]


def test_a_goal_that_was_reached_is_no_goal() -> None:
    assert user_memory([], [news("Alex ran it", "goal", value="met: a marathon")], sections=SECTIONS) == []


def test_what_is_told_of_somebody_else_is_not_about_the_person() -> None:
    assert section_for("alex/ana/residence", "person", SECTIONS) == "family"
    assert section_for("alex/residence", "fact", SECTIONS) == "location"
    assert section_for(None, "person", SECTIONS) == "family"
    assert section_for("alex/height", "fact", SECTIONS) is None
