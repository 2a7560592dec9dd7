"""The words that name times, of all languages together, as tables. A text may mix languages, so all are read at"
" once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from toldonce.lang.registry import all_languages, combine_languages

if TYPE_CHECKING:
    from toldonce.lang.calendar import Calendar, Feast, TimeWords

Value = TypeVar("Value")


class Calendars:
    """The calendars of all languages, and what is made of a field of all of them."""

    def __init__(self) -> None:
        self.calendars: tuple[Calendar, ...] = tuple(language.calendar for language in all_languages())

    def table(self, pick: Callable[[TimeWords], Mapping[str, Value]]) -> dict[str, Value]:
        """One table; where two languages have the same word, the first one counts."""
        return {key: row for one in reversed(self.calendars) for key, row in pick(one.words).items()}

    def words(self, pick: Callable[[Calendar], Iterable[str]]) -> frozenset[str]:
        return frozenset().union(*(pick(one) for one in self.calendars))


@dataclass(frozen=True, slots=True)
class LexiconTables:
    """What single words stand for."""

    months: Mapping[str, int]
    short_months: Mapping[str, int]
    weekdays: Mapping[str, int]
    units: Mapping[str, str]
    plural_units: frozenset[str]
    numbers: Mapping[str, int]
    vague_numbers: frozenset[str]
    day_offsets: Mapping[str, int]
    nights: Mapping[str, int]
    day_parts: Mapping[str, tuple[int, int]]
    seasons: Mapping[str, int]
    ordinals: Mapping[str, int]
    places: Mapping[str, int]
    feasts: Mapping[str, Feast]
    sections: Mapping[str, str]
    year_parts: Mapping[str, int]
    needy_year_parts: frozenset[str]
    month_pieces: Mapping[str, int]
    verb_months: frozenset[str]
    doubtful_months: frozenset[str]
    name_months: frozenset[str]
    spelled_months: Mapping[str, str]
    doubtful_short_months: frozenset[str]
    capital_short_months: frozenset[str]
    ordinal_weekdays: frozenset[str]
    frequent_ordinals: frozenset[str]
    name_weekdays: frozenset[str]
    last_parts: frozenset[str]
    unsure_parts: frozenset[str]
    verb_relatives: frozenset[str]
    from_now: frozenset[str]
    relative_starts: frozenset[str]
    distance_starts: frozenset[str]
    decade_starts: frozenset[str]
    lasting: frozenset[str]
    loose_deadlines: frozenset[str]
    first_day: frozenset[str]
    between_both: frozenset[str]
    both: frozenset[str]
    weak_to: frozenset[str]
    weak_year_to: frozenset[str]
    day_words: frozenset[str]
    times_ahead: frozenset[str]
    signs: frozenset[str]


@combine_languages
def lexicon_tables() -> LexiconTables:
    """The tables of all languages."""
    parts = Calendars()
    months, weekdays = parts.table(lambda w: w.months), parts.table(lambda w: w.weekdays)
    seasons = parts.table(lambda w: w.seasons)
    spelled = {word: row for one in parts.calendars for word, row in one.other_uses.spelled_months.items()}
    return LexiconTables(
        months=months,
        short_months=parts.table(lambda w: w.short_months),
        weekdays=weekdays,
        units=parts.table(lambda w: w.units),
        plural_units=parts.words(lambda c: c.words.plural_units),
        numbers=parts.table(lambda w: w.numbers),
        vague_numbers=parts.words(lambda c: c.words.vague_numbers),
        day_offsets=parts.table(lambda w: w.day_offsets),
        nights=parts.table(lambda w: w.nights),
        day_parts=parts.table(lambda w: w.day_parts),
        seasons=seasons,
        ordinals=parts.table(lambda w: w.ordinals),
        places=parts.table(lambda w: w.places),
        feasts=parts.table(lambda w: w.feasts),
        sections=parts.table(lambda w: w.sections),
        year_parts=parts.table(lambda w: w.year_parts),
        needy_year_parts=parts.words(lambda c: c.words.needy_year_parts),
        month_pieces=parts.table(lambda w: w.month_pieces),
        verb_months=parts.words(lambda c: c.other_uses.verb_months),
        doubtful_months=parts.words(lambda c: c.other_uses.doubtful_months),
        name_months=parts.words(lambda c: c.other_uses.name_months),
        spelled_months=spelled,
        doubtful_short_months=parts.words(lambda c: c.other_uses.doubtful_short_months),
        capital_short_months=parts.words(lambda c: c.other_uses.capital_short_months),
        ordinal_weekdays=parts.words(lambda c: c.other_uses.ordinal_weekdays),
        frequent_ordinals=parts.words(lambda c: c.other_uses.frequent_ordinals),
        name_weekdays=parts.words(lambda c: c.other_uses.name_weekdays),
        last_parts=parts.words(lambda c: c.other_uses.last_parts),
        unsure_parts=parts.words(lambda c: c.other_uses.unsure_parts),
        verb_relatives=parts.words(lambda c: c.other_uses.verb_relatives),
        from_now=parts.words(lambda c: c.phrases.from_now),
        relative_starts=parts.words(lambda c: c.phrases.relative_starts),
        distance_starts=parts.words(lambda c: c.phrases.distance_starts),
        decade_starts=parts.words(lambda c: c.phrases.decade_starts),
        lasting=parts.words(lambda c: c.phrases.lasting),
        loose_deadlines=parts.words(lambda c: c.phrases.loose_deadlines),
        first_day=parts.words(lambda c: c.phrases.first_day),
        between_both=parts.words(lambda c: c.phrases.between_both),
        both=parts.words(lambda c: c.phrases.both),
        weak_to=parts.words(lambda c: c.phrases.weak_to),
        weak_year_to=parts.words(lambda c: c.phrases.weak_year_to),
        day_words=parts.words(lambda c: c.phrases.day_word.split("|")),
        times_ahead=parts.words(lambda c: c.phrases.time_ahead.split("|")),
        signs=frozenset({*weekdays, *months, *seasons}) | parts.words(lambda c: c.signs),
    )


def parse_number(word: str) -> int:
    """What a number says, written in digits or as a word."""
    return int(word) if word.isdigit() else lexicon_tables().numbers[word]


def is_day_first(text: str, folded: str) -> bool:
    """Whether more of the text's little words are of a language that writes the day before the month in numbers.

    A letter with an accent counts as one.
    """
    words, lowered = re.findall("[a-z]+", folded), text.lower()
    scores: dict[bool, list[int]] = {True: [0], False: [0]}
    for calendar in (language.calendar for language in all_languages()):
        accents = len(re.findall(calendar.letters, lowered)) if calendar.letters else 0
        scores[calendar.is_day_first].append(accents + sum(word in calendar.little for word in words))
    return max(scores[True]) > max(scores[False])
