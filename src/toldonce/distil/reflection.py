"""A reflection by rule: what was learnt in a stretch of time comes in, counts, changes and recurring names go out.

It only counts and shows what records say; it draws no conclusion of its own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from toldonce.distil.drafts import Material, ReportDraft
from toldonce.distil.reading import format_day, split_sentences
from toldonce.lang.grammar import ENDED, REACHED
from toldonce.lang.registry import language_codes, language_of
from toldonce.lang.vocabulary import normalise_alias
from toldonce.models.tagger import RegexTagger

_LEAST_MENTIONS = 3
_MOST_NAMES = 5
_MOST_LINES = 8
_NAMED = frozenset("person organization location project other".split())
_TAGGER = RegexTagger()


def write_reflection(records: Sequence[Material], *, since: datetime, until: datetime) -> ReportDraft | None:
    """What a stretch of time was about; None when nothing was learnt in it. Messages only count for the names."""
    ordered = sorted(records, key=lambda record: (record.at, record.id))
    learnt = [record for record in ordered if record.kind]
    if not learnt:
        return None
    words = language_of(main_language(learnt)).texts.reflection
    changed = list(_find_changed_subjects(learnt))
    gone = {older.id for older, _ in changed} | {newer.id for _, newer in changed}
    parts = [
        words["counts"].format(count=len(learnt)),
        _bullet_list(words["changed"], [words["became"].format(older=a.text, newer=b.text) for a, b in changed], words),
        _bullet_list(words["new"], [r.text for r in learnt if r.id not in gone], words),
        _bullet_list(
            words["names"], [words["times"].format(name=n, count=c) for n, c in find_recurring_names(ordered)], words
        ),
    ]
    title = words["title"].format(since=_format_local_day(since, learnt), until=_format_local_day(until, learnt))
    sources = tuple(record.id for record in learnt)
    return ReportDraft(title, "\n\n".join(part for part in parts if part), sources)


def main_language(records: Sequence[Material]) -> str:
    """The language most of the records are written in; of two that are level, the one registered first."""
    spoken = Counter(sentence.language for record in records for sentence in split_sentences(record.text)[:1])
    return max(language_codes(), key=lambda code: spoken[code])


def find_recurring_names(records: Sequence[Material]) -> list[tuple[str, int]]:
    """Names that several records mention, most often first, without the people whom all of it is about."""
    seen: Counter[str] = Counter()
    shown: dict[str, str] = {}
    for record in records:
        for name, text in {
            normalise_alias(m.text): m.text for m in _TAGGER.tag(record.text) if m.type in _NAMED
        }.items():
            seen[name] += 1
            shown.setdefault(name, text)
    often = [(shown[n], c) for n, c in seen.items() if c >= _LEAST_MENTIONS and 2 * c <= len(records)]
    return sorted(often, key=lambda found: (-found[1], found[0]))[:_MOST_NAMES]


def _find_changed_subjects(records: Sequence[Material]) -> Iterator[tuple[Material, Material]]:
    """The first and the last thing said of a subject that has one value at a time and got another."""
    told: dict[str, list[Material]] = defaultdict(list)
    for record in records:
        if record.subject and record.value:
            told[record.subject].append(record)
    for values in told.values():
        first, last = values[0], values[-1]
        ends = (last.value or "").startswith((ENDED, REACHED))
        if len(values) > 1 and first.value != last.value and (ends or not first.is_current):
            yield first, last


def _bullet_list(heading: str, lines: Sequence[str], words: Mapping[str, str]) -> str:
    if not lines:
        return ""
    shown = [f"- {line}" for line in lines[:_MOST_LINES]]
    if len(lines) > _MOST_LINES:
        shown.append(f"- {words['more'].format(count=len(lines) - _MOST_LINES)}")
    return "\n".join([f"**{heading}**", *shown])


def _format_local_day(moment: datetime, records: Sequence[Material]) -> str:
    return format_day(moment.date(), main_language(records))
