"""Insights by rule: a measure that keeps going one way, a name that ties things together, and nothing else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from toldonce.distil.drafts import Material
from toldonce.distil.insights import find_insights

START = datetime(2026, 3, 2, 9, tzinfo=UTC)


def weights(*values: str, every: int = 10, text: str = "Maria weighs {}") -> list[Material]:
    return [
        Material(
            id=f"fact_{n}",
            text=text.format(value),
            at=START + timedelta(days=n * every),
            kind="fact",
            subject="maria/weight",
            value=value,
            people=("maria",),
            area="health",
        )
        for n, value in enumerate(values)
    ]


def known(text: str, area: str, *, day: int) -> Material:
    return Material(id=f"fact_{text}", text=text, at=START + timedelta(days=day), kind="fact", area=area)


def test_a_steady_measure_is_told_with_its_evidence() -> None:
    (found,) = find_insights(weights("82 kg", "81 kg", "80.5 kg", "79 kg"))
    assert found.text == "Weight has gone down from 82 kg (2 March 2026) to 79 kg (1 April 2026)"
    assert found.evidence == "4 values told over 30 days, nearly all in one direction"
    assert (found.sources, found.confidence) == (("fact_0", "fact_1", "fact_2", "fact_3"), 0.7)


def test_it_is_told_in_portuguese_to_who_speaks_it() -> None:
    (found,) = find_insights(weights("90 kg", "91 kg", "93,5 kg", text="João pesa {} e está bem"))
    assert found.text == "Peso subiu de 90 kg (2 de março de 2026) para 93,5 kg (22 de março de 2026)"


@pytest.mark.parametrize(
    "values, every",
    [
        (("82 kg", "81 kg"), 30),
        (("82 kg", "81 kg", "80 kg"), 2),
        (("82 kg", "79 kg", "83 kg", "80 kg"), 10),
        (("82 kg", "81.9 kg", "81.8 kg"), 10),
        (("82 kg", "180 lbs", "79 kg"), 10),
        (("heavy", "less heavy", "light"), 10),
    ],
)
def test_too_few_too_soon_unsteady_small_or_mixed_values_tell_nothing(values: tuple[str, ...], every: int) -> None:
    assert find_insights(weights(*values, every=every)) == []


def happened(text: str, *days: int) -> list[Material]:
    return [known(text.format(day=2 + day), "health", day=day) for day in days]


def test_what_happens_again_and_again_is_told() -> None:
    (found,) = find_insights(happened("Maria had a migraine at work on {day} March 2026", 1, 8, 15))
    assert found.text == "Maria had a migraine at work: 3 times between 3 March 2026 and 17 March 2026"
    assert (found.evidence, len(found.sources)) == ("told of 3 different days", 3)


def test_it_is_told_in_portuguese_too() -> None:
    (found,) = find_insights(happened("Maria teve enxaqueca no trabalho em {day} de março de 2026", 1, 8, 15))
    assert found.text == "Maria teve enxaqueca no trabalho: 3 vezes entre 3 de março de 2026 e 17 de março de 2026"


@pytest.mark.parametrize(
    "records",
    [
        happened("Maria had a migraine at work on {day} March 2026", 1, 8),
        happened("Maria had a migraine on a train", 1, 8, 15),
        [
            *happened("Maria went to the gym on {day} March 2026", 1, 8),
            *happened("Maria went to Porto on {day} March 2026", 9),
        ],
    ],
)
def test_twice_undated_or_other_things_are_no_pattern(records: list[Material]) -> None:
    assert find_insights(records) == []


def test_a_place_ties_together_things_of_different_areas() -> None:
    (found,) = find_insights(
        [
            known("Maria lives in Porto", "growth", day=0),
            known("Maria's sister Ana lives in Faro", "relationships", day=1),
            known("Maria wants to open a bakery in Faro", "career", day=9),
        ]
    )
    assert found.text.startswith("Faro comes up in several things: ")
    assert len(found.sources) == 2


@pytest.mark.parametrize(
    "records",
    [
        [known("Maria lives in Faro", "growth", day=0), known("Maria works in Faro", "career", day=0)],
        [known("Maria lives in Faro", "growth", day=0), known("Maria moved to Faro", "growth", day=5)],
        [known("Maria's sister is Ana", "relationships", day=0), known("Maria works with Ana", "career", day=5)],
        [known(f"Maria saw Faro {n}", f"area{n}", day=n) for n in range(6)],
    ],
)
def test_one_breath_one_area_people_and_what_is_everywhere_tie_nothing(records: list[Material]) -> None:
    others = [known("Maria likes tea", "leisure", day=1), known("Maria is tall", "health", day=2)]
    assert find_insights([*records, *others]) == []


def test_nothing_known_gives_nothing() -> None:
    assert find_insights([]) == []
