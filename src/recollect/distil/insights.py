"""Insights by rule: what is known of one person comes in, patterns that several records show go out.

Three sorts only, since a wrong insight is worse than none: a measure that keeps going one way, something that happens
again and again, and a name that ties together things of different areas.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import combinations

from recollect.distil.drafts import InsightDraft, Material
from recollect.distil.moments import undated, written
from recollect.distil.reading import sentences
from recollect.lang.registry import DEFAULT, language_of
from recollect.lang.vocabulary import content_stems
from recollect.models.tagger import RegexTagger, normalise

_LEAST_VALUES = 3
_LEAST_TIME = timedelta(days=14)
_LEAST_CHANGE = 0.02
# The share of pairs in time order that must go the same way.
_STEADY = 0.8
_MEASURE = re.compile(r"(?P<number>\d+(?:[.,]\d+)?)\s*(?P<unit>[^\W\d_]*)")
# What is told of a person's sister names the sister: people tie nothing together.
_NAMED = frozenset("organization location project".split())
# A name in more records than this ties everything to everything.
_MOST_TIED = 4
_LEAST_TIED = 2
# The person, what they did, and what with: fewer words would join what only sounds alike.
_LEAST_WORDS = 3
_LEAST_TIMES = 3
_TAGGER = RegexTagger()


@dataclass(frozen=True, slots=True)
class _Value:
    """One value of a measure, as it was told."""

    record: Material
    number: float
    unit: str


def insights(records: Sequence[Material]) -> list[InsightDraft]:
    """Connections and patterns that several records show and none of them says."""
    ordered = sorted(records, key=lambda record: (record.at, record.id))
    return [*_trends(ordered), *_recurrences(ordered), *_ties(ordered)]


def _trends(records: Sequence[Material]) -> Iterator[InsightDraft]:
    series: dict[str, list[_Value]] = defaultdict(list)
    for record in records:
        if record.subject and record.value and (value := _value(record)) is not None:
            series[record.subject].append(value)
    for subject, values in sorted(series.items()):
        if draft := _trend(subject, values):
            yield draft


def _value(record: Material) -> _Value | None:
    match = _MEASURE.match(record.value or "")
    if match is None:
        return None
    return _Value(record, float(match["number"].replace(",", ".")), match["unit"].casefold().rstrip("s"))


def _trend(subject: str, values: Sequence[_Value]) -> InsightDraft | None:
    first, last = values[0], values[-1]
    lasted = last.record.at - first.record.at
    if len(values) < _LEAST_VALUES or lasted < _LEAST_TIME or len({value.unit for value in values}) > 1:
        return None
    steps = [later.number - earlier.number for earlier, later in combinations(values, 2)]
    change = last.number - first.number
    same_way = sum(step * change > 0 for step in steps) / len(steps)
    if same_way < _STEADY or abs(change) < _LEAST_CHANGE * abs(first.number):
        return None
    return _told_trend(subject, values, days=lasted.days)


def _told_trend(subject: str, values: Sequence[_Value], *, days: int) -> InsightDraft:
    first, last = values[0], values[-1]
    language = _language(last.record)
    words = language_of(language).texts.insight
    text = words["down" if last.number < first.number else "up"].format(
        what=_owned(subject, language),
        first=first.record.value,
        last=last.record.value,
        since=written(_day(first.record), language),
        until=written(_day(last.record), language),
    )
    evidence = words["series"].format(count=len(values), days=days)
    return InsightDraft(text, evidence, tuple(value.record.id for value in values))


def _day(record: Material) -> date:
    return record.at.date()


def _owned(subject: str, language: str) -> str:
    attribute = subject.rpartition("/")[2]
    return language_of(language).texts.measures.get(attribute) or attribute.replace("_", " ").capitalize()


def _recurrences(records: Sequence[Material]) -> Iterator[InsightDraft]:
    """Things that happened again and again, in the same words on different days."""
    told: dict[frozenset[str], dict[str, Material]] = defaultdict(dict)
    for record in records:
        if record.subject is None and (what := undated(record.text)) != record.text:
            words = content_stems(what)
            told[words].setdefault(record.text, record)
    for words, found in told.items():
        if len(words) >= _LEAST_WORDS and len({_day(record) for record in found.values()}) >= _LEAST_TIMES:
            yield _recurrence(list(found.values()))


def _recurrence(records: Sequence[Material]) -> InsightDraft:
    language = _language(records[-1])
    words = language_of(language).texts.insight
    text = words["again"].format(
        what=undated(records[-1].text).rstrip("."),
        count=len(records),
        since=written(_day(records[0]), language),
        until=written(_day(records[-1]), language),
    )
    days = len({_day(record) for record in records})
    return InsightDraft(text, words["days"].format(count=days), tuple(record.id for record in records))


def _ties(records: Sequence[Material]) -> Iterator[InsightDraft]:
    named: dict[str, dict[str, Material]] = defaultdict(dict)
    shown: dict[str, str] = {}
    for record in records:
        for mention in _TAGGER.tag(record.text):
            name = normalise(mention.text)
            if mention.type in _NAMED:
                named[name][record.id] = record
                shown.setdefault(name, mention.text)
    for name, tied in sorted(named.items()):
        # The person all of it is about opens most of the sentences.
        is_about = 2 * sum(record.text.startswith(shown[name]) for record in records) > len(records)
        if not is_about and _tells_something(list(tied.values())):
            yield _tie(shown[name], list(tied.values()))


def _tells_something(records: Sequence[Material]) -> bool:
    """Whether the records are few, of different areas of a life, and were not said in one breath."""
    areas, days = {record.area for record in records} - {""}, {_day(record) for record in records}
    return len(records) <= _MOST_TIED and min(len(areas), len(days)) >= _LEAST_TIED


def _tie(name: str, records: Sequence[Material]) -> InsightDraft:
    words = language_of(_language(records[-1])).texts.insight
    things = "; ".join(record.text.rstrip(".") for record in records)
    evidence = words["tied"].format(count=len(records), name=name)
    return InsightDraft(words["tie"].format(name=name, things=things), evidence, tuple(r.id for r in records))


def _language(record: Material) -> str:
    return next((sentence.language for sentence in sentences(record.text)), DEFAULT)
