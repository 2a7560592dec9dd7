"""What a draft says beside its text: its value, its place, its area of life, and who it is about."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from toldonce import presets
from toldonce.distil.drafts import FactDraft
from toldonce.distil.statements.store import draft_metadata

LIFE = presets.load_preset("life")


def draft(type_: str, subject: str | None, value: str | None) -> FactDraft:
    at = datetime(2026, 3, 2, tzinfo=UTC)
    return FactDraft(type_, "said", "alex", subject, value, 0.95, at, "msg_1", 3, 9)


@pytest.mark.parametrize(
    "subject, area, sub_area",
    [
        ("alex/weight", "health", "body"),
        ("alex/employment", "career", "work"),
        ("alex/goal", "growth", "goals"),
        ("alex/family", "relationships", "family"),
        ("alex/likes", "leisure", "tastes"),
    ],
)
def test_a_fact_falls_into_the_area_of_its_attribute(subject: str, area: str, sub_area: str) -> None:
    found = draft_metadata(draft("fact", subject, "x"), LIFE)
    assert (found["area"], found["sub_area"]) == (area, sub_area)


def test_value_and_span_are_kept_and_an_unknown_attribute_has_no_area() -> None:
    told = draft_metadata(draft("event", None, None), LIFE)
    assert told["span"] == [3, 9]
    assert told.keys().isdisjoint({"value", "area", "sub_area", "person"})
    assert "area" not in draft_metadata(draft("fact", "alex/weight", "82 kg"), presets.load_preset("assistant"))


@pytest.mark.parametrize(
    "subject, value, person",
    [
        ("alex/family", "sister Ana", {"name": "Ana", "relationship": "sister"}),
        ("alex/person", "best friend Maria Silva", {"name": "Maria Silva", "relationship": "best friend"}),
        ("alex/family", "irmã Paula", {"name": "Paula", "relationship": "irmã"}),
        ("alex/maria/likes", "orchids", {"name": "Maria", "likes": "orchids"}),
        ("alex/ana/birthday", "3 May", {"name": "Ana", "birthday": "3 May"}),
    ],
)
def test_a_person_item_carries_who_it_is(subject: str, value: str, person: dict[str, str]) -> None:
    assert draft_metadata(draft("person", subject, value), LIFE)["person"] == person


def test_a_person_item_without_a_name_carries_none() -> None:
    assert "person" not in draft_metadata(draft("person", "alex/family", "two children"), LIFE)
