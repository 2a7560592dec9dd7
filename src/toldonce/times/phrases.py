"""The phrases that are times, of all languages together, and what bounds or joins them; patterns only.

In the tables `%name%` stands for what the languages give under that name: a field of their calendars, or one of the
pieces that several phrases are made of. What a phrase means is computed in `rules`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields

from toldonce.lang.registry import all_languages, combine_languages
from toldonce.text.patterns import Phrase, join_patterns, match_longest
from toldonce.times.lexicon import lexicon_tables

NAME_AFTER = Phrase(r" [A-Z][a-z]")
DAY_BY_MONTH = Phrase(r"\d.*[a-z]{3}|[a-z]{3}.*\d")
ISO_DATE = Phrase(
    r"(?:(?P<year>(?:19|20)\d\d)(?P<gap>[-/.])(?P<month>\d{1,2})(?P=gap)(?P<day>\d{1,2})(?:t\d\d:\d\d(?::\d\d)?)?)\b"
)
ISO_MONTH = Phrase(r"(?:(?P<year>(?:19|20)\d\d)-(?P<month>0[1-9]|1[0-2])(?!-?\d))\b")
NUMERIC_DATE = Phrase(
    r"(?:(?P<one>\d{1,2})(?P<gap>[-/.])(?P<two>\d{1,2})(?P=gap)(?P<year>(?:19|20)\d\d|\d\d(?<=/\d\d))(?![-/.]?\d))\b"
)
SHORT_DATE = Phrase(r"(?:(?P<one>\d{1,2})(?P<gap>/)(?P<two>\d{1,2})(?![/.]?\d))\b")

# What several phrases are made of; each may use those before it.
_PIECES = {
    "number": r"(?:%before_number%)?(?P<number>\d{1,3}|%numbers%)(?:%after_number%)?",
    "counted": r"(?:%number%|%some%)",
    "unit": r"(?P<unit>%units%)",
    "month": r"(?P<month>%months%)",
    "any_month": r"(?P<month>%all_months%)",
    "weekday": r"(?P<weekday>%weekdays%)",
    "season": r"(?P<season>%seasons%)",
    "suffix": r"(?P<suffix>%weekday_suffix%)",
    "part": r"(?P<part>%day_parts%)",
    "section": r"(?P<section>%sections%)",
    "year_number": r"(?:19|20)\d\d(?!\d)",
    "in_year": r"(?:(?:,? (?:%of_year%)?|[-/](?=\d))(?P<year>%year_number%|%year_words%))",
    "day": r"\d{1,2}(?:%day_marks%)?(?![\w:%]|[.,/]\d)",
    "and_half": r"(?P<half>%half%)",
}
# Phrases that end with a word.
_WHOLE = {
    "named_day": r"(?P<day>%day_offsets%)(?!%not_after_day%)",
    "night": r"%nights%",
    "relative_unit": r"(?P<how>%relative%) (?:%number% )?%unit%(?! \d)",
    "relative_name": r"(?P<how>%relative_name%) (?:%weekday%%suffix%?|%month%(?! \d)|%season%|%part%)",
    "unit_then_side": r"%unit% (?P<how>%unit_sides%)",
    "weekend": r"%weekends%(?! (?:%not_after_weekend%) )",
    "ago": r"%number% %unit%%and_half%?(?:%or_so%)? (?P<side>%after_distance%)",
    "away": (
        r"(?P<side>%before_distance%) (?:%distance_about%)?%counted% %unit%%and_half%?"
        r"(?: (?P<after>%after_distance%))?(?!%not_after_distance%)"
    ),
    "half_year": r"(?:%half_year%) (?P<after>%after_distance%)|(?P<side>%before_distance%) (?:%half_year%)",
    # Also how long something took: only what looks ahead is a time.
    "ahead": r"(?:%time_ahead%) (?:%ahead_about%)?%counted% %unit%(?! (?:%not_after_ahead%)\b)",
    "weekday": r"%weekday%%suffix%?(?:,? (?:%weekday_from%)?(?P<week>%weekday_week%)| (?P<how>%weekday_side%))?",
    "month_day": (
        r"%any_month%\.? (?:%month_day_article%)?(?P<day>%day%)(?: ?(?:-|–|%month_day_to%) ?(?P<last>%day%))?%in_year%?"
    ),
    "month_year": r"%any_month%\.?%in_year%(?![-/]\d)",
    "day_month": (
        r"(?P<day>%day%|%first_days%)(?: ?(?P<to>-|–|%day_to%) ?(?P<last>%day%))?"
        r"(?P<of> (?:%of_month%) | |-|/)%any_month%\b\.?%in_year%?"
    ),
    "lone_month": r"%month%",
    "season": r"%season%(?:%in_year%| (?P<how>%season_sides%))?(?! (?:%not_after_season%) )",
    "feast": r"(?:(?P<how>%feast_relative%) )?(?P<feast>%feasts%)(?:%in_year%| (?P<after>%feast_sides%))?",
    "quarter": r"q(?P<ordinal>[1-4])%in_year%?(?!:)",
    "part_of_year": (
        r"(?P<ordinal>%ordinals%) (?P<unit>%year_parts%)(?:%in_year%|(?P<current>%of_this_year%))?"
        r"(?! (?:%not_after_year_part%) )"
    ),
    "piece_of_month": (
        r"(?P<place>%places%) (?:%weekday%%suffix%?|(?P<unit>%month_pieces%)) (?:%piece_of%) %month%%in_year%?"
    ),
    "section_of_unit": r"%section% (?:%section_of_unit%)(?P<unit>%long_units%)(?! (?:%not_after_section%|\d))",
    "decade_number": r"(?P<decade>(?:19|20)\d0|[3-9]0)(?:%decade_suffix%)",
    "decade_words": r"(?:%decade_before%) (?P<decade>(?:19|20)\d0|\d0)(?!\d)",
    "year_range": r"(?P<one>%year_number%) ?(?P<to>-|–|%to%|%both_words%) ?(?P<two>%year_number%)",
    "lone_year": (r"(?P<year>%year_number%)(?!'?\w|[.,:/-]\d| ?[%€$]| ?(?:%range_or%|-|–) ?(?!(?:19|20)\d\d\b)\d)"),
    # What is counted rather than dated: a unit, or a plural that is no verb and no common little word.
    "counted_after": r" (?:%counted_things%|[a-z]{3,}%no_plurals%s)",
    "day_of_month": (
        r"(?P<day>\d{1,2})(?:%ordinal_letters%)(?=\s*(?:$|[.,;!?)]))"
        r"|(?:%bare_day_after%)(?P<bare>\d{1,2})(?=\s*(?:$|[.,;!?)]))"
        r"|(?:%day_word%) (?P<number>\d{1,2})(?! (?:%of_month%|do) |[:/h,.]?\d|h)"
    ),
    "part_after": r",? (?:%part_links%)?%part%",
    "back": r"%back%",
    "step": r"%sentence_step%",
    "name_of_time": r"%names_of_times%",
}
# What stands right before a time: bounds of it, and what decides whether a word is a time at all.
_BEFORE = {
    "not_days": r"(?:%not_days%)",
    "shade_before": r"(?:%part%|(?P<weekend>%weekends%)|%weeks%) (?:%week_of%) (?:%week_of_day%)?",
    "section_before": (
        r"(?:(?P<adjective>%section_adjectives%)[ -](?:%section_adjective_in%)?|%section% (?:%section_of%))"
    ),
    "frame_before": (
        r"(?:(?P<since>%since%)|(?P<after>%after%)|(?P<before>%before%)|(?P<until>%until%)|(?P<between>%between%))"
        r"(?: (?:%frame_articles%))* "
    ),
    "quantity_before": r"(?:%number% )?%unit% ",
    "weeks_from": r"%number% (?:%weeks_from%) ",
    "last_is_verb": r"(?:%last_is_verb%) ",
    "recurrent": r"(?:%recurrent%) ",
    "feast_before": r"(?:%feast_before%) ",
    "weekday_prefix": r"(?:%weekday_prefix%) ",
    "weekend_prefix": r"(?:%weekend_prefix%) ",
    "sure_month_prefix": r"(?:%sure_month_prefix%)[ -](?:(?:%section_adjectives%)[ -])?",
    "no_month_before": r"(?:%no_month_before%) ",
    "month_prefix": r"(?:%month_prefix%) ",
    "connected": (
        r"(?:\d{1,4}|(?:%sure_month_prefix%|%month_prefix%) (?:[a-z]+ )?%months%|%safe_months%)"
        r"(?: (?:%both_words%|%to%)|,) "
    ),
    "season_prefix": r"(?:%season_prefix%) ",
    "feast_prefix": r"(?:%feast_prefix%) ",
    "quarter_prefix": r"(?:%quarter_prefix%) ",
    "year_prefix": r"(?:%year_prefix%)[ -]",
    "decade_prefix": r"%decade_prefix%",
    "day_prefix": r"(?:%day_prefix%) ",
    "short_date_prefix": r"(?:%short_date_prefix%) ",
    "deadline": r"%sentence_deadline%",
    "owned": r"%sentence_owned%",
    "beyond": r"(?:%sentence_beyond%) ",
    "loosely": r"(?:%sentence_loosely%) ",
    "since": r"(?:%sentence_since%) ",
    "then": r"%sentence_then%",
}
# Patterns as they are written.
_PLAIN = {
    "year_words": r"%year_words%",
    "two_units": r"%two_units%",
    "week_in_side": r"%week_in_side%",
    "one_day_feast": r"\b(?:%one_day_feasts%)\b",
    "date_after_weekday": r",? (?:%date_after_weekday%)?",
    "inside_word": r"[\w@#/\\.$€£=&+]\Z|%not_an_adjective%\d?-\Z",
    "connector": r",? ?(?:(?P<both>%both_words%)|(?P<to>%to%|-|–|—))(?: (?:%link_articles%))* ?",
    "weekday_beside": r" (?:(?P<before>%before%)|(?P<after>%after%)) (?:%date_after_weekday%)?",
    "ago_after_weekday": r",? (?:%weekday_from%)?",
    "behind": r"%behind%",
    "lies_ahead": r"%ahead%",
    "nearest": r"%nearest%",
    "rolling": r"%rolling%",
    "after_ordinal_day": r"\s*(?:$|[.,;:!?)\]\"…\n–—-]|(?:%after_ordinal_day%)\b)",
    "ordinal_use": r" (?:%ordinal_use%)",
    "future": r"%sentence_future%",
    "looks_ahead": r"%sentence_future%|%sentence_looks_ahead%",
    # What keeps a relative time from being written as a date: possession, a title, a choice, a stretch up to today.
    "not_alone": r"[\"“”«]\Z|(?<!\w)(?:%sentence_not_alone%) \Z",
    "possessed": r"-[a-z]|[\"“”»]|%sentence_possessed%",
    "part_of": r" (?:%sentence_part_of%) ",
    "loosely_inside": r"\b(?:%sentence_loosely_inside%)\b",
    # "Since Monday is a holiday" gives a reason.
    "after_since": r"\s*(?:$|[.,;!?)]|(?:%sentence_after_since%)\b)",
    "after_then": r"\s*(?:$|[.,;:!?)])| (?:%sentence_after_then%)\b",
    # "On Monday, the 4th": the number says which Monday.
    "number_after": r"[\s,(]+(?:%sentence_before_number%)?\d{1,2}(?:%day_marks%|(?![\d:]|\s*(?:am|pm|h)\b))",
}
_SLOT = re.compile(r"%(\w+)%")


class Patterns:
    """The phrases by name: those that are times, and those that stand around one."""

    def __init__(self, phrases: Mapping[str, Phrase]) -> None:
        vars(self).update(phrases)

    year_words: Phrase
    named_day: Phrase
    not_days: Phrase
    night: Phrase
    relative_unit: Phrase
    relative_name: Phrase
    unit_then_side: Phrase
    two_units: Phrase
    weekend: Phrase
    ago: Phrase
    away: Phrase
    half_year: Phrase
    ahead: Phrase
    weekday: Phrase
    week_in_side: Phrase
    month_day: Phrase
    month_year: Phrase
    day_month: Phrase
    lone_month: Phrase
    season: Phrase
    feast: Phrase
    one_day_feast: Phrase
    quarter: Phrase
    part_of_year: Phrase
    piece_of_month: Phrase
    section_of_unit: Phrase
    decade_number: Phrase
    decade_words: Phrase
    year_range: Phrase
    lone_year: Phrase
    counted_after: Phrase
    day_of_month: Phrase
    part_after: Phrase
    shade_before: Phrase
    date_after_weekday: Phrase
    section_before: Phrase
    inside_word: Phrase
    frame_before: Phrase
    connector: Phrase
    quantity_before: Phrase
    weekday_beside: Phrase
    ago_after_weekday: Phrase
    back: Phrase
    weeks_from: Phrase
    behind: Phrase
    lies_ahead: Phrase
    nearest: Phrase
    rolling: Phrase
    last_is_verb: Phrase
    recurrent: Phrase
    feast_before: Phrase
    weekday_prefix: Phrase
    after_ordinal_day: Phrase
    ordinal_use: Phrase
    weekend_prefix: Phrase
    sure_month_prefix: Phrase
    no_month_before: Phrase
    month_prefix: Phrase
    connected: Phrase
    season_prefix: Phrase
    feast_prefix: Phrase
    quarter_prefix: Phrase
    year_prefix: Phrase
    decade_prefix: Phrase
    day_prefix: Phrase
    short_date_prefix: Phrase
    deadline: Phrase
    future: Phrase
    looks_ahead: Phrase
    not_alone: Phrase
    possessed: Phrase
    step: Phrase
    owned: Phrase
    part_of: Phrase
    name_of_time: Phrase
    beyond: Phrase
    loosely: Phrase
    loosely_inside: Phrase
    since: Phrase
    after_since: Phrase
    then: Phrase
    after_then: Phrase
    number_after: Phrase


@combine_languages
def time_patterns() -> Patterns:
    """The phrases of all languages."""
    known = _calendar_fields() | _table_words()
    for name, piece in _PIECES.items():
        known[name] = _fill_slots(piece, known)
    whole = {name: Phrase(rf"(?:{_fill_slots(phrase, known)})\b") for name, phrase in _WHOLE.items()}
    before = {name: Phrase(rf"(?<!\w)(?:{_fill_slots(phrase, known)})\Z") for name, phrase in _BEFORE.items()}
    plain = {name: Phrase(_fill_slots(phrase, known)) for name, phrase in _PLAIN.items()}
    return Patterns(whole | before | plain)


def _fill_slots(phrase: str, known: Mapping[str, str]) -> str:
    return _SLOT.sub(lambda slot: known[slot[1]], phrase)


def _calendar_fields() -> dict[str, str]:
    """The patterns of all calendars by the names of their fields; those about the sentence are marked as such."""
    calendars = [language.calendar for language in all_languages()]
    found: dict[str, str] = {}
    for part, prefix in (("phrases", ""), ("other_uses", ""), ("sentence", "sentence_")):
        parts = [getattr(calendar, part) for calendar in calendars]
        for name in (field.name for field in fields(parts[0]) if field.type == "str"):
            found[prefix + name] = join_patterns(getattr(one, name) for one in parts) or "(?!)"
    return found


def _table_words() -> dict[str, str]:
    """Alternatives of the words in each table, and of parts of some."""
    words = lexicon_tables()
    calendars = [language.calendar for language in all_languages()]
    names = (
        "months", "weekdays", "units", "numbers", "day_offsets", "nights", "day_parts", "seasons", "ordinals", "places",
        "feasts", "sections", "year_parts", "month_pieces",
    )  # fmt: skip
    feasts = {name.split()[0] for name in words.feasts}
    adjectives = [w for calendar in calendars for w in calendar.phrases.section_adjectives.split("|") if w]
    marks = (calendar.phrases.day_marks for calendar in calendars)
    return {name: match_longest(getattr(words, name)) for name in names} | {
        "all_months": match_longest([*words.months, *words.short_months]),
        "safe_months": match_longest(word for word in words.months if word not in words.doubtful_months),
        "weekends": _unit_words("weekend"),
        "weeks": _unit_words("week"),
        "long_units": _unit_words("week", "month", "quarter", "year"),
        "first_days": join_patterns(sorted(words.first_day)) or "(?!)",
        "both_words": join_patterns(sorted(words.both)) or "(?!)",
        "counted_things": join_patterns(calendar.other_uses.counted for calendar in calendars) or "(?!)",
        "no_plurals": "".join(f"(?<!{w})" for calendar in calendars for w in calendar.other_uses.no_plurals),
        "not_an_adjective": "".join(f"(?<!{word})" for word in adjectives),
        # Letters that make a number an ordinal; a sign such as º stands with other numbers as well.
        "ordinal_letters": join_patterns(mark for mark in marks if not mark.startswith("[")) or "(?!)",
        "names_of_times": match_longest([*words.weekdays, *words.months, *words.short_months, *feasts]),
    }


def _unit_words(*names: str) -> str:
    """The singular words for one of these units."""
    words = lexicon_tables()
    return match_longest(w for w, name in words.units.items() if name in names and w not in words.plural_units)
