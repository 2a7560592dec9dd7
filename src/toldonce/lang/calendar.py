"""The words and phrases that name times in a language, written without case and accents, as `fold_in_place` folds them.

Tables give the value of a word. Patterns are alternatives without a group around them; what they mean is computed in
`times`. An empty pattern is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Words = frozenset[str]
NONE: Words = frozenset()
# A feast: how many years before the year it is called by it begins, month, first day, number of days.
Feast = tuple[int, int, int, int]


def number_lines(rows: str, *, start: int = 0) -> dict[str, int]:
    """A table from lines of words: every word of the n-th line stands for n."""
    lines = rows.strip().splitlines()
    return {word: number for number, line in enumerate(lines, start) for word in line.split()}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class TimeWords:
    """Names of times, and words that count them."""

    months: Mapping[str, int]
    weekdays: Mapping[str, int]
    # Word for a unit, singular or plural, to one of hour, day, week, weekend, month, quarter, year.
    units: Mapping[str, str]
    plural_units: Words
    numbers: Mapping[str, int]
    day_offsets: Mapping[str, int]
    # Hours after the day's midnight; the night reaches into the next day.
    day_parts: Mapping[str, tuple[int, int]]
    # Spring is 0.
    seasons: Mapping[str, int]
    short_months: Mapping[str, int] = field(default_factory=dict)
    vague_numbers: Words = NONE
    # A night by its day: "tonight" is 0.
    nights: Mapping[str, int] = field(default_factory=dict)
    ordinals: Mapping[str, int] = field(default_factory=dict)
    # The first, second, third or fourth piece of a month; the last one is -1.
    places: Mapping[str, int] = field(default_factory=dict)
    feasts: Mapping[str, Feast] = field(default_factory=dict)
    # Which part of a longer time is meant: early, start, middle, late, end.
    sections: Mapping[str, str] = field(default_factory=dict)
    # Parts of a year by their months; those that need a year beside them.
    year_parts: Mapping[str, int] = field(default_factory=dict)
    needy_year_parts: Words = NONE
    # Pieces of a month by their days.
    month_pieces: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class OtherUses:
    """Words that name times and have another life, and what decides which it is."""

    # Only with a capital, and only behind a preposition.
    verb_months: Words = NONE
    doubtful_months: Words = NONE
    # A name when it has a capital; a month for sure when it is written with its accents.
    name_months: Words = NONE
    spelled_months: Mapping[str, str] = field(default_factory=dict)
    doubtful_short_months: Words = NONE
    capital_short_months: Words = NONE
    # Weekdays that are ordinals as well, those of them that mostly are, and those that are names with a capital.
    ordinal_weekdays: Words = NONE
    frequent_ordinals: Words = NONE
    name_weekdays: Words = NONE
    after_ordinal_day: str = ""
    ordinal_use: str = ""
    # Parts of the day that "last" can stand before, and that may be the night that has just ended.
    last_parts: Words = NONE
    unsure_parts: Words = NONE
    one_day_feasts: str = ""
    not_after_day: str = ""
    # A word for a day that is another one behind these: "por la mañana".
    not_days: str = ""
    # Relative words that are verbs as well ("it did last two weeks"), and what stands before those.
    verb_relatives: Words = NONE
    last_is_verb: str = ""
    recurrent: str = ""
    feast_before: str = ""
    weekday_prefix: str = ""
    weekend_prefix: str = ""
    not_after_weekend: str = ""
    sure_month_prefix: str = ""
    month_prefix: str = ""
    no_month_before: str = ""
    season_prefix: str = ""
    not_after_season: str = ""
    feast_prefix: str = ""
    quarter_prefix: str = ""
    year_prefix: str = ""
    decade_prefix: str = ""
    day_prefix: str = ""
    short_date_prefix: str = ""
    # What is counted rather than dated, and plurals that are none, without their "s".
    counted: str = ""
    no_plurals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Phrases:
    """How words make up a time."""

    # What says that a time lies behind or ahead, the nearest one ahead, or a stretch up to today.
    behind: str = ""
    ahead: str = ""
    nearest: str = ""
    rolling: str = ""
    from_now: Words = NONE
    # Before a unit; before the name of one; the words they begin with.
    relative: str = ""
    relative_name: str = ""
    relative_starts: Words = NONE
    # After a unit; those that go two units far.
    unit_sides: str = ""
    two_units: str = ""
    before_number: str = ""
    after_number: str = ""
    half: str = ""
    half_year: str = ""
    or_so: str = ""
    # "Three days ago", "in three days": what stands after or before, and what may stand between.
    after_distance: str = ""
    before_distance: str = ""
    distance_starts: Words = NONE
    distance_about: str = ""
    not_after_distance: str = ""
    some: str = ""
    lasting: Words = NONE
    loose_deadlines: Words = NONE
    time_ahead: str = ""
    ahead_about: str = ""
    not_after_ahead: str = ""
    weekday_suffix: str = ""
    # Which week a weekday is of, right after it or also after a comma.
    weekday_side: str = ""
    weekday_week: str = ""
    week_in_side: str = ""
    weeks_from: str = ""
    year_words: str = ""
    of_year: str = ""
    of_this_year: str = ""
    not_after_year_part: str = ""
    of_month: str = ""
    piece_of: str = ""
    day_marks: str = ""
    first_day: Words = NONE
    day_to: str = ""
    month_day_article: str = ""
    month_day_to: str = ""
    day_word: str = ""
    bare_day_after: str = ""
    season_sides: str = ""
    feast_relative: str = ""
    feast_sides: str = ""
    section_adjectives: str = ""
    section_adjective_in: str = ""
    section_of_unit: str = ""
    section_of: str = ""
    not_after_section: str = ""
    decade_suffix: str = ""
    decade_before: str = ""
    decade_starts: Words = NONE
    part_links: str = ""
    week_of: str = ""
    week_of_day: str = ""
    date_after_weekday: str = ""
    # What stands before a time and bounds it, and what joins two of them.
    since: str = ""
    after: str = ""
    before: str = ""
    until: str = ""
    between: str = ""
    between_both: Words = NONE
    frame_articles: str = ""
    both: Words = NONE
    to: str = ""
    # Of those, the ones that join two times only between "from" and "to"; and between years.
    weak_to: Words = NONE
    weak_year_to: Words = NONE
    link_articles: str = ""
    range_or: str = ""
    weekday_from: str = ""
    back: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SentenceSigns:
    """What the sentence around a time shows: its tense, and whether the time can be written as a date."""

    setting_out: str = ""
    one_time: str = ""
    deadline: str = ""
    future: str = ""
    looks_ahead: str = ""
    not_alone: str = ""
    possessed: str = ""
    step: str = ""
    owned: str = ""
    part_of: str = ""
    beyond: str = ""
    loosely: str = ""
    loosely_inside: str = ""
    since: str = ""
    after_since: str = ""
    then: str = ""
    after_then: str = ""
    before_number: str = ""
    # A verb that tells what is over and done: folded, or with its accents.
    done: str = ""
    done_spelled: str = ""
    negated: str = ""
    participle: str = ""
    was_done: str = ""
    clause_end: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Calendar:
    """Everything about times in a language. Without one of the `signs`, or a digit, no time is named.

    `little` are small words that tell the language of a text with a date in numbers, which begins with the day in some.
    """

    words: TimeWords
    phrases: Phrases
    other_uses: OtherUses = field(default_factory=OtherUses)
    sentence: SentenceSigns = field(default_factory=SentenceSigns)
    signs: Words = NONE
    little: Words = NONE
    letters: str = ""
    is_day_first: bool = False
