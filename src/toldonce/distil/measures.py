"""Measures said in passing: "72,8 kg hoje" or "150/95 this morning" comes in, attribute, value and span go out.

A measure is read only where the words say plainly what it is: a weight bare or on the scale, a blood pressure in its
form, a sugar level by its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from toldonce.lang.registry import language_codes, language_of, until_registration

_PAIR = re.compile(r"(\d{1,3})\D+(\d{1,3})")
# The pressures that living people have, in mmHg and in cmHg: highest and lowest of both values.
_SYSTOLIC, _DIASTOLIC = range(70, 261), range(40, 151)
_SHORT_SYSTOLIC, _SHORT_DIASTOLIC = range(8, 27), range(4, 16)
PRESSURE = "blood_pressure"


@dataclass(frozen=True, slots=True)
class Measure:
    """A value of a measure, and its place in the text."""

    attribute: str
    value: str
    start: int
    end: int


def find_measures(text: str, language: str) -> Iterator[Measure]:
    """The measures of its speaker that a sentence names, one of each.

    A few words do not tell their language, so the others are tried as well.
    """
    languages = dict.fromkeys((language, *language_codes()))
    if any(_excluding(code).search(text) for code in languages):
        return
    found: set[str] = set()
    for attribute, pattern in ((a, p) for code in languages for a, p in _patterns(code).items()):
        match = pattern.search(text) if attribute not in found else None
        if match is not None and (attribute != PRESSURE or _is_pressure(match["value"])):
            found.add(attribute)
            yield Measure(attribute, " ".join(match["value"].split()), match.start("value"), match.end("value"))


def _is_pressure(value: str) -> bool:
    """Whether a pair of numbers can be a blood pressure; in cmHg only where words join them, for 14/9 may be a day."""
    pair = _PAIR.fullmatch(value)
    if pair is None:
        return False
    high, low = int(pair[1]), int(pair[2])
    if high in _SYSTOLIC and low in _DIASTOLIC and high > low:
        return True
    return high in _SHORT_SYSTOLIC and low in _SHORT_DIASTOLIC and high > low and "/" not in value


@until_registration
@cache
def _excluding(language: str) -> re.Pattern[str]:
    return re.compile(language_of(language).health.not_own_measure or "(?!)", re.I)


@until_registration
@cache
def _patterns(language: str) -> Mapping[str, re.Pattern[str]]:
    measures = language_of(language).health.measures
    return {attribute: re.compile(pattern, re.I) for attribute, pattern in measures.items()}
