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

from toldonce.distil.drafts import InsightDraft, Material
from toldonce.distil.reading import format_day, remove_written_dates, split_sentences
from toldonce.lang.registry import DEFAULT, language_of
from toldonce.lang.vocabulary import content_stems, normalise_alias
from toldonce.models.tagger import RegexTagger

_LEAST_VALUES = 3
_LEAST_TIME = timedelta(days=14)
_LEAST_CHANGE = 0.02
# The share of pairs in time order that must go the same way.
_STEADY = 0.8
_MEASURE = re.compile(r"(?P<number>\d+(?:[.,]\d+)?)\s*(?P<unit>[^\W\d_]*)")
# Every statement about a person's sister names the sister, so names of people do not show a connection.
_NAMED = frozenset("organization location project".split())
# A name in more records than this connects everything to everything.
_MOST_TIED = 4
_LEAST_TIED = 2
# The person, what they did, and what with: fewer words would join what only sounds alike.
_LEAST_WORDS = 3
_LEAST_TIMES = 3
_TAGGER = RegexTagger()


@dataclass(frozen=True, slots=True)
class _Value:
    """One value of a measure, as it was stated."""

    record: Material
    number: float
    unit: str


def find_insights(records: Sequence[Material]) -> list[InsightDraft]:
    """Connections and patterns that several records show and none of them says."""
    ordered = sorted(records, key=lambda record: (record.at, record.id))
    return [*_find_trends(ordered), *_find_recurrences(ordered), *_find_ties(ordered)]


def _find_trends(records: Sequence[Material]) -> Iterator[InsightDraft]:
    series: dict[str, list[_Value]] = defaultdict(list)
    for record in records:
        if record.subject and record.value and (value := _parse_measurement(record)) is not None:
            series[record.subject].append(value)
    for subject, values in sorted(series.items()):
        if draft := _describe_trend(subject, values):
            yield draft


def _parse_measurement(record: Material) -> _Value | None:
    match = _MEASURE.match(record.value or "")
    if match is None:
        return None
    return _Value(record, float(match["number"].replace(",", ".")), match["unit"].casefold().rstrip("s"))


def _describe_trend(subject: str, values: Sequence[_Value]) -> InsightDraft | None:
    first, last = values[0], values[-1]
    lasted = last.record.at - first.record.at
    if len(values) < _LEAST_VALUES or lasted < _LEAST_TIME or len({value.unit for value in values}) > 1:
        return None
    steps = [later.number - earlier.number for earlier, later in combinations(values, 2)]
    change = last.number - first.number
    same_way = sum(step * change > 0 for step in steps) / len(steps)
    if same_way < _STEADY or abs(change) < _LEAST_CHANGE * abs(first.number):
        return None
    return _draft_trend(subject, values, days=lasted.days)


def _draft_trend(subject: str, values: Sequence[_Value], *, days: int) -> InsightDraft:
    first, last = values[0], values[-1]
    language = _language_of_record(last.record)
    words = language_of(language).texts.insight
    text = words["down" if last.number < first.number else "up"].format(
        what=_measure_label(subject, language),
        first=first.record.value,
        last=last.record.value,
        since=format_day(_day_of_record(first.record), language),
        until=format_day(_day_of_record(last.record), language),
    )
    evidence = words["series"].format(count=len(values), days=days)
    return InsightDraft(text, evidence, tuple(value.record.id for value in values))


def _day_of_record(record: Material) -> date:
    return record.at.date()


def _measure_label(subject: str, language: str) -> str:
    attribute = subject.rpartition("/")[2]
    return language_of(language).texts.measures.get(attribute) or attribute.replace("_", " ").capitalize()


def _find_recurrences(records: Sequence[Material]) -> Iterator[InsightDraft]:
    """Things that happened again and again, in the same words on different days."""
    told: dict[frozenset[str], dict[str, Material]] = defaultdict(dict)
    for record in records:
        if record.subject is None and (what := remove_written_dates(record.text)) != record.text:
            words = content_stems(what)
            told[words].setdefault(record.text, record)
    for words, found in told.items():
        if len(words) >= _LEAST_WORDS and len({_day_of_record(record) for record in found.values()}) >= _LEAST_TIMES:
            yield _describe_recurrence(list(found.values()))


def _describe_recurrence(records: Sequence[Material]) -> InsightDraft:
    language = _language_of_record(records[-1])
    words = language_of(language).texts.insight
    text = words["again"].format(
        what=remove_written_dates(records[-1].text).rstrip("."),
        count=len(records),
        since=format_day(_day_of_record(records[0]), language),
        until=format_day(_day_of_record(records[-1]), language),
    )
    days = len({_day_of_record(record) for record in records})
    return InsightDraft(text, words["days"].format(count=days), tuple(record.id for record in records))


def _find_ties(records: Sequence[Material]) -> Iterator[InsightDraft]:
    named: dict[str, dict[str, Material]] = defaultdict(dict)
    shown: dict[str, str] = {}
    for record in records:
        for mention in _TAGGER.tag(record.text):
            name = normalise_alias(mention.text)
            if mention.type in _NAMED:
                named[name][record.id] = record
                shown.setdefault(name, mention.text)
    for name, tied in sorted(named.items()):
        # The person all of it is about opens most of the sentences.
        is_about = 2 * sum(record.text.startswith(shown[name]) for record in records) > len(records)
        if not is_about and _is_informative(list(tied.values())):
            yield _describe_tie(shown[name], list(tied.values()))


def _is_informative(records: Sequence[Material]) -> bool:
    """Whether the records are few, of different areas of a life, and were not said in one breath."""
    areas, days = {record.area for record in records} - {""}, {_day_of_record(record) for record in records}
    return len(records) <= _MOST_TIED and min(len(areas), len(days)) >= _LEAST_TIED


def _describe_tie(name: str, records: Sequence[Material]) -> InsightDraft:
    words = language_of(_language_of_record(records[-1])).texts.insight
    things = "; ".join(record.text.rstrip(".") for record in records)
    evidence = words["tied"].format(count=len(records), name=name)
    return InsightDraft(words["tie"].format(name=name, things=things), evidence, tuple(r.id for r in records))


def _language_of_record(record: Material) -> str:
    return next((sentence.language for sentence in split_sentences(record.text)), DEFAULT)
