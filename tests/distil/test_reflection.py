"""A reflection by rule: counts, changes and names that came up often, from what was learnt and said."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from toldonce.distil.drafts import Material, ReportDraft
from toldonce.distil.reflection import find_recurring_names, write_reflection

START = datetime(2026, 3, 2, 9, tzinfo=UTC)


def learnt(text: str, *, day: int = 0, **given: Any) -> Material:
    return Material(id=f"fact_{text}", text=text, at=START + timedelta(days=day), **{"kind": "fact", **given})


def week(*records: Material) -> ReportDraft | None:
    return write_reflection(records, since=START, until=START + timedelta(days=7))


def test_nothing_learnt_is_nothing_to_tell() -> None:
    assert week() is None
    assert week(learnt("good morning", kind="")) is None


def test_what_is_new_is_listed_and_counted() -> None:
    made = week(learnt("Alex lives in Porto"), learnt("Alex likes tea", day=1))
    assert made is not None
    assert made.title == "2 March 2026 to 9 March 2026"
    assert made.text == "2 things were learnt.\n\n**What is new**\n- Alex lives in Porto\n- Alex likes tea"
    assert made.sources == ("fact_Alex lives in Porto", "fact_Alex likes tea")


def test_what_changed_is_told_apart() -> None:
    old = learnt("Alex lives in Porto", subject="alex/residence", value="Porto", is_current=False)
    new = learnt("Alex moved to Faro", day=2, subject="alex/residence", value="Faro")
    made = week(old, new)
    assert made is not None
    assert "**What changed**\n- Alex lives in Porto → Alex moved to Faro" in made.text


def test_things_that_may_stand_side_by_side_did_not_change() -> None:
    tea = learnt("Alex likes tea", subject="alex/likes", value="tea")
    made = week(tea, learnt("Alex likes rain", day=1, subject="alex/likes", value="rain"))
    assert made is not None
    assert "What changed" not in made.text


def test_names_that_come_up_often_are_told() -> None:
    said = [learnt(f"we went to Sintra again {n}", kind="", day=n) for n in range(3)]
    made = week(*said, *(learnt(f"Alex did thing {n}") for n in range(4)))
    assert made is not None
    assert "- Sintra (3 times)" in made.text
    assert find_recurring_names(said) == []


def test_a_long_week_is_cut_short() -> None:
    made = week(*(learnt(f"Alex did thing {n}") for n in range(12)))
    assert made is not None
    assert "- and 4 more" in made.text
    assert len(made.sources) == 12
