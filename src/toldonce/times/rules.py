"""What each phrase for a time means: a match of a pattern goes in, a span of local time comes out, or nothing.

A phrase that only looks like a time gives nothing; a missed time is better than an invented one.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime

from toldonce.lang.registry import all_languages, combine_languages
from toldonce.text.patterns import Phrase
from toldonce.times.lexicon import lexicon_tables, parse_number
from toldonce.times.phrases import ISO_DATE, ISO_MONTH, NAME_AFTER, NUMERIC_DATE, SHORT_DATE, time_patterns
from toldonce.times.spans import (
    DAY,
    FEAST,
    UNIT,
    UNIT_AHEAD,
    YEAR,
    Ends,
    Fixed,
    Span,
    TimeContext,
    calendar_span,
    choose_year,
    hours_of_day,
    local_midnight,
    month_ends,
    part_of_day,
    point_span,
    rolling_span,
    shift_day,
    span_section,
    tense_at,
    unit_start,
    weekday_span,
)


def _yearly_span(
    scene: TimeContext,
    match: re.Match[str],
    occurrence: Callable[[int], Ends],
    *,
    grain: str,
    fixed: Fixed | None = None,
) -> Span:
    """The occurrence in the year the text names, or in the one its tense asks for."""
    named = match.groupdict().get("year")
    if not named:
        return choose_year(scene, occurrence, how=tense_at(scene, match.start()), grain=grain, fixed=fixed)
    year = int(named) if named.isdigit() else scene.today.year + time_direction(named)
    return Span(*occurrence(year), grain, 1.0, fixed=None if named.isdigit() else YEAR)


def time_direction(phrase: str) -> int:
    """-1 for what lies behind, 1 for what lies ahead, 0 for what is going on."""
    if time_patterns().behind.search(phrase):
        return -1
    return 1 if time_patterns().lies_ahead.search(phrase) else 0


def _direction_of(phrase: str) -> str:
    return ("this", "next", "last")[time_direction(phrase)]


def _named_day_span(scene: TimeContext, match: re.Match[str]) -> Span | None:
    """Today, anteontem; not a word that is only written like one."""
    if scene.is_preceded_by(time_patterns().not_days, match.end()):
        return None
    day = scene.today + lexicon_tables().day_offsets[match["day"]] * DAY
    return Span(day, day + DAY, "day", 0.95, fixed=UNIT)


def _night_span(scene: TimeContext, match: re.Match[str]) -> Span:
    day = scene.today + lexicon_tables().nights[match.group()] * DAY
    return hours_of_day(Span(day, day, "day", 0.95, fixed=UNIT), _NIGHT)


_NIGHT = (18, 30)
# What "a few" of something is taken for.
_FEW = 4


def _relative_unit(scene: TimeContext, match: re.Match[str]) -> Span | None:
    """Last week, this month, the past three days, nos últimos meses."""
    how, unit, side = match["how"], lexicon_tables().units[match["unit"]], time_direction(match["how"])
    # "It did last two weeks" has a number; "what I did last week" has none.
    if (
        how in lexicon_tables().verb_relatives
        and match["number"]
        and scene.is_preceded_by(time_patterns().last_is_verb, match.start())
    ):
        return None
    if match["number"] or re.search(r"[ao]s$", how):
        certainty = 0.9 if match["number"] else 0.7
        return (
            rolling_span(
                scene,
                unit,
                count=side * (parse_number(match["number"]) if match["number"] else _FEW),
                certainty=certainty,
            )
            if side
            else None
        )
    if unit == "day" or (unit == "hour" and side >= 0):
        return None
    if unit == "hour" or (unit != "weekend" and time_patterns().rolling.search(how)):
        return rolling_span(scene, unit, count=-1)
    if unit == "weekend":
        return _nearest_weekend(scene) if time_patterns().nearest.match(how) else _weekend_by_order(scene, side)
    # A company's quarters are not the calendar's.
    return calendar_span(
        scene, unit, shift=side, fixed=UNIT if how in lexicon_tables().from_now and unit != "quarter" else None
    )


def _nearest_weekend(scene: TimeContext) -> Span:
    return _weekend_by_order(scene, 1) if scene.today.weekday() >= 5 else calendar_span(scene, "weekend", shift=0)


def _weekend_by_order(scene: TimeContext, side: int) -> Span:
    """Between two weekends "this" one may be behind, and the "next" one is the first or the second from now."""
    between = scene.today.weekday() < 5
    fixed = UNIT if side < 0 or not between else UNIT_AHEAD if side == 0 else None
    return calendar_span(scene, "weekend", shift=side, fixed=fixed)


def _relative_name(scene: TimeContext, match: re.Match[str]) -> Span | None:
    """Last Monday, next March, this summer, last night, esta manhã."""
    how = _direction_of(match["how"])
    if match["weekday"]:
        how = "nearest" if time_patterns().nearest.match(match["how"]) else how
        return (
            weekday_span(scene, lexicon_tables().weekdays[match["weekday"]], how=how)
            if _is_a_day(scene, match)
            else None
        )
    if match["part"]:
        return _relative_part(scene, match["part"], how=how)
    if match["season"]:
        return choose_year(scene, _season_of(scene, match["season"]), how=how, grain="season")
    if match["month"] in lexicon_tables().verb_months and not scene.is_capital(match.start("month")):
        return None
    month = lexicon_tables().months[match["month"]]
    return choose_year(scene, lambda year: month_ends(scene, year, month), how=how, grain="month", fixed=UNIT)


def _relative_part(scene: TimeContext, part: str, *, how: str) -> Span | None:
    if how == "next" or (how == "last" and part not in lexicon_tables().last_parts):
        return None
    day = scene.today - DAY if how == "last" else scene.today
    fixed = None if part in lexicon_tables().unsure_parts else UNIT
    return part_of_day(Span(day, day, "day", 0.95, fixed=fixed), part)


def _unit_then_side(scene: TimeContext, match: re.Match[str]) -> Span | None:
    """Semana passada, mês que vem, the week before last."""
    unit = lexicon_tables().units[match["unit"]]
    if unit in ("day", "hour") or match["unit"] in lexicon_tables().plural_units:
        return None
    if unit == "weekend" and time_patterns().nearest.match(match["how"]):
        return _nearest_weekend(scene)
    steps = 2 if time_patterns().two_units.match(match["how"]) else 1
    shift = steps * time_direction(match["how"])
    return calendar_span(scene, unit, shift=shift, fixed=None if unit == "quarter" else UNIT)


def _weekend_span(scene: TimeContext, match: re.Match[str]) -> Span | None:
    """Over the weekend, no fim de semana: the running or the last one, the coming one when the sentence looks ahead."""
    if not scene.is_preceded_by(time_patterns().weekend_prefix, match.start()):
        return None
    behind = scene.today.weekday() < 5 and not scene.is_future(match.start())
    return calendar_span(scene, "weekend", shift=-1 if behind else 0, certainty=0.7)


def _distance_span(scene: TimeContext, match: re.Match[str]) -> Span | None:
    """Three days ago, há duas semanas, daqui a um mês, a year and a half ago."""
    said_number, unit, half, said = match.group("number", "unit", "half", "side")
    side, lasting = time_direction(said), _is_lasting(match, said)
    count = side * (parse_number(said_number) if said_number else _FEW)
    if half:
        months_away = 12 * count + 6 * side
        return (
            point_span(scene, "month", count=months_away, lasting=lasting)
            if lexicon_tables().units[unit] == "year"
            else None
        )
    span = point_span(scene, lexicon_tables().units[unit], count=count, vague=_is_vague(said_number), lasting=lasting)
    return replace(span, fixed=None) if said in lexicon_tables().loose_deadlines else span


def _is_lasting(match: re.Match[str], said: str | None) -> bool:
    """Mora aqui há dois anos, se mudou há dois anos: with these words only the verb tells which."""
    return said in lexicon_tables().lasting and not match.groupdict().get("after")


def _is_vague(said: str | None) -> bool:
    return said is None or said in lexicon_tables().vague_numbers


def _half_year(scene: TimeContext, match: re.Match[str]) -> Span:
    return point_span(
        scene,
        "month",
        count=6 * time_direction(match["side"] or match["after"]),
        lasting=_is_lasting(match, match["side"]),
    )


def _future_distance_span(scene: TimeContext, match: re.Match[str]) -> Span | None:
    """We will leave in three days, vamos mudar em duas semanas; not "it was done in three days"."""
    if not scene.looks_ahead(match.start()):
        return None
    said, unit = match.group("number", "unit")
    return point_span(
        scene, lexicon_tables().units[unit], count=parse_number(said) if said else _FEW, vague=_is_vague(said)
    )


def _weekday_rule_span(scene: TimeContext, match: re.Match[str]) -> Span | None:
    """On Monday, Monday of last week, two weeks from Monday; not every Monday, and not the surname Domingo."""
    place, word, phrases = match.start(), match["weekday"], time_patterns()
    if counted := phrases.weeks_from.search(scene.words_before(place)):
        day = weekday_span(scene, lexicon_tables().weekdays[word], how="next").first
        day += 7 * parse_number(counted["number"]) * DAY
        return Span(day, day + DAY, "day", 0.9)
    if scene.is_preceded_by(phrases.recurrent, place) or scene.is_preceded_by(phrases.feast_before, place):
        return None
    is_ordinal, is_name = word in lexicon_tables().ordinal_weekdays, word in lexicon_tables().name_weekdays
    if (is_ordinal or is_name) and not (
        match["suffix"] or match["how"] or scene.is_preceded_by(phrases.weekday_prefix, place)
    ):
        return None if is_ordinal or (scene.is_capital(place) and place) else _weekday_in_week(scene, match)
    return _weekday_in_week(scene, match) if match["how"] or _is_a_day(scene, match) else None


def _is_a_day(scene: TimeContext, match: re.Match[str]) -> bool:
    """Whether a word that may also be an ordinal is a day of the week here."""
    if match["suffix"] or match["weekday"] not in lexicon_tables().ordinal_weekdays:
        return True
    if match["weekday"] in lexicon_tables().frequent_ordinals:
        return time_patterns().after_ordinal_day.match(scene.folded, match.end()) is not None
    return time_patterns().ordinal_use.match(scene.folded, match.end()) is None


def _weekday_in_week(scene: TimeContext, match: re.Match[str]) -> Span:
    day_of_week, how = lexicon_tables().weekdays[match["weekday"]], match["how"] or match["week"]
    if how and time_patterns().week_in_side.search(how):
        day = shift_day(unit_start(scene.today, "week"), time_direction(how), unit="week") + day_of_week * DAY
        return Span(day, day + DAY, "day", 0.95, fixed=UNIT)
    if how and time_patterns().two_units.match(how):
        day = weekday_span(scene, day_of_week, how="last").first - 7 * DAY
        return Span(day, day + DAY, "day", 0.9, fixed=UNIT)
    return weekday_span(scene, day_of_week, how=_direction_of(how) if how else tense_at(scene, match.start()))


def _dated_month(scene: TimeContext, match: re.Match[str]) -> int | None:
    """The month beside a day or year; short forms and words with another life need a firmer sign than a number."""
    groups, word, place = match.groupdict(), match["month"], match.start("month")
    of = (groups.get("of") or "").strip(" -/") != ""
    year = bool(groups["year"])
    if word in lexicon_tables().verb_months:
        meant = scene.is_capital(place) or of or year
    elif word in lexicon_tables().name_months and not _is_spelled(scene, word, place):
        meant = of or (year and not scene.is_capital(place))
    elif word in lexicon_tables().doubtful_short_months:
        meant = (
            of
            or (year and bool(groups.get("day")))
            or (word in lexicon_tables().capital_short_months and scene.is_capital(place))
        )
    else:
        meant = True
    return (lexicon_tables().months.get(word) or lexicon_tables().short_months[word]) if meant else None


def _month_days_span(scene: TimeContext, match: re.Match[str]) -> Span | None:
    """March 3, 3 March 2024, 3 a 5 de março, primeiro de maio."""
    groups, month = match.groupdict(), _dated_month(scene, match)
    if not month or (
        groups.get("to") in lexicon_tables().both
        and not scene.is_preceded_by(time_patterns().frame_before, match.start())
    ):
        return None
    day = 1 if match["day"] in lexicon_tables().first_day else _ordinal_day(match["day"])
    last = _ordinal_day(match["last"]) if match["last"] else day
    year = int(groups["year"]) if (groups["year"] or "").isdigit() else 2024
    if not 1 <= day <= last <= monthrange(year, month)[1]:
        return None
    return _day_of_year(scene, match, month=month, days=(day, last))


def _ordinal_day(written: str) -> int:
    """The number of a day, without the letters that make it an ordinal."""
    digits = re.match(r"\d+", written)
    return int(digits[0]) if digits else 0


def _is_spelled(scene: TimeContext, word: str, place: int) -> bool:
    """Whether a month is written with the accents that only the month has."""
    spelled = lexicon_tables().spelled_months.get(word)
    return spelled is not None and scene.text[place : place + len(word)].lower() == spelled


def _day_of_year(scene: TimeContext, match: re.Match[str], *, month: int, days: tuple[int, int]) -> Span:
    return _yearly_span(scene, match, lambda year: _day_ends(scene, year, month=month, days=days), grain="day")


def _day_ends(scene: TimeContext, year: int, *, month: int, days: tuple[int, int]) -> Ends:
    while days[1] > monthrange(year, month)[1]:
        year -= 1
    first, last = (datetime(year, month, day, tzinfo=scene.now.tzinfo) for day in days)
    return first, last + DAY


def _month_of_year(scene: TimeContext, match: re.Match[str]) -> Span | None:
    month = _dated_month(scene, match)
    return _yearly_span(scene, match, lambda year: month_ends(scene, year, month), grain="month") if month else None


def _lone_month(scene: TimeContext, match: re.Match[str]) -> Span | None:
    """In March, since May, de abril; a bare month only when the word is nothing else."""
    word, place = match["month"], match.start()
    doubtful = word in lexicon_tables().doubtful_months and not _is_spelled(scene, word, place)
    sure = scene.is_preceded_by(time_patterns().sure_month_prefix, place)
    near = (
        sure
        or scene.is_preceded_by(time_patterns().month_prefix, place)
        or scene.is_preceded_by(time_patterns().connected, place)
    )
    if scene.is_preceded_by(time_patterns().no_month_before, place) or (
        doubtful and NAME_AFTER.match(scene.text, match.end())
    ):
        return None
    if doubtful and not (near if scene.is_capital(place) != (word in lexicon_tables().name_months) else sure):
        return None
    month = lexicon_tables().months[word]
    span = choose_year(scene, lambda year: month_ends(scene, year, month), how=tense_at(scene, place), grain="month")
    return span if near else replace(span, certainty=0.6)


def _season_of(scene: TimeContext, season: str) -> Callable[[int], Ends]:
    number = (lexicon_tables().seasons[season] + (2 if scene.southern else 0)) % 4
    return lambda year: month_ends(scene, year, 3 * number + 3, length=3)


def _season_span(scene: TimeContext, match: re.Match[str]) -> Span | None:
    """Summer 2023, verão passado, in the winter; without one of these it is a habit or another word."""
    occurrence = _season_of(scene, match["season"])
    if match["how"]:
        return choose_year(scene, occurrence, how=_direction_of(match["how"]), grain="season")
    if not match["year"] and not scene.is_preceded_by(time_patterns().season_prefix, match.start()):
        return None
    span = _yearly_span(scene, match, occurrence, grain="season")
    return replace(span, certainty=0.85 if match["year"] else 0.6)


def _feast_span(scene: TimeContext, match: re.Match[str]) -> Span | None:
    """Last Christmas, on New Year's Eve, no Natal, Natal passado; not a Christmas tree and not the town of Natal."""
    years_before, month, day, length = lexicon_tables().feasts[match["feast"]]

    def occurrence(year: int) -> Ends:
        first = datetime(year - years_before, month, day, tzinfo=scene.now.tzinfo)
        return first, first + length * DAY

    # New Year's is called by one year and begins in another.
    fixed = None if years_before else FEAST
    if how := match["how"] or match["after"]:
        return choose_year(scene, occurrence, how=_direction_of(how), grain="day", fixed=fixed)
    is_one_day = time_patterns().one_day_feast.search(match["feast"])
    if not (match["year"] or is_one_day or scene.is_preceded_by(time_patterns().feast_prefix, match.start())):
        return None
    return _yearly_span(scene, match, occurrence, grain="day", fixed=fixed)


def _quarter_span(scene: TimeContext, match: re.Match[str]) -> Span | None:
    """Q1 2024, in Q3; a bare Q3 may be a question's number."""
    if not match["year"] and not scene.is_preceded_by(time_patterns().quarter_prefix, match.start()):
        return None
    return _year_part_span(scene, match, number=int(match["ordinal"]), length=3)


def _part_of_year(scene: TimeContext, match: re.Match[str]) -> Span | None:
    """The first quarter of 2024, the second half of last year, primeiro trimestre; not a game's first half."""
    if match["unit"] in lexicon_tables().needy_year_parts and not (match["year"] or match["current"]):
        return None
    length = lexicon_tables().year_parts[match["unit"]]
    return _year_part_span(scene, match, number=lexicon_tables().ordinals[match["ordinal"]], length=length)


_WEEKEND_DAYS = 2
_SATURDAY = 5


def _piece_of_month(scene: TimeContext, match: re.Match[str]) -> Span:
    """The last week of October 2023, the first Friday in May, na segunda semana de março."""
    month, place = lexicon_tables().months[match["month"]], lexicon_tables().places[match["place"]]
    starts_on = lexicon_tables().weekdays[match["weekday"]] if match["weekday"] else None
    length = lexicon_tables().month_pieces[match["unit"]] if match["unit"] else 1
    if length == _WEEKEND_DAYS:
        starts_on = _SATURDAY

    def piece(year: int) -> Ends:
        first, last = month_ends(scene, year, month)
        start = last - 7 * DAY if place < 0 else first + 7 * (place - 1) * DAY
        if starts_on is not None:
            start += (starts_on - start.weekday()) % 7 * DAY
        return start, start + length * DAY

    return _yearly_span(scene, match, piece, grain="week" if length > 1 else "day")


def _year_part_span(scene: TimeContext, match: re.Match[str], *, number: int, length: int) -> Span | None:
    first = (number - 1) * length + 1
    if first > 12:
        return None
    return _yearly_span(scene, match, lambda year: month_ends(scene, year, first, length=length), grain="quarter")


def _section_of_unit(scene: TimeContext, match: re.Match[str]) -> Span:
    """The end of the year, início do mês: of the running unit, or of the last one while that part lies ahead."""
    unit = lexicon_tables().units[match["unit"]]
    span = span_section(calendar_span(scene, unit, shift=0, certainty=0.8), lexicon_tables().sections[match["section"]])
    if span.first > scene.now and not scene.is_future(match.start()):
        return span_section(
            calendar_span(scene, unit, shift=-1, certainty=0.6), lexicon_tables().sections[match["section"]]
        )
    return span


def _decade_span(scene: TimeContext, match: re.Match[str]) -> Span | None:
    """The 90s, the early 1980s, anos 70."""
    number = int(match["decade"])
    if (
        number < 100
        and match.group()[0].isdigit()
        and not scene.is_preceded_by(time_patterns().decade_prefix, match.start())
    ):
        return None
    if number < 100:
        number += 2000 if number <= scene.today.year % 100 else 1900
    first = datetime(number, 1, 1, tzinfo=scene.now.tzinfo)
    return Span(first, shift_day(first, 1, unit="decade"), "decade", 0.8)


def _iso_date(scene: TimeContext, match: re.Match[str]) -> Span | None:
    day = local_midnight(scene, int(match["year"]), int(match["month"]), int(match["day"]))
    return Span(day, day + DAY, "day", 1.0) if day else None


def _iso_month(scene: TimeContext, match: re.Match[str]) -> Span:
    return Span(*month_ends(scene, int(match["year"]), int(match["month"])), "month", 0.85)


def _numeric_date(scene: TimeContext, match: re.Match[str]) -> Span | None:
    """05/03/2024: day first or month first, by the language, where both readings are possible."""
    year = int(match["year"])
    year += 0 if year > 99 else 2000 if year <= scene.today.year % 100 + 10 else 1900
    month, day = _month_and_day(scene, match)
    moment = local_midnight(scene, year, month, day)
    sure = max(month, day) > 12 or month == day
    return Span(moment, moment + DAY, "day", 1.0 if sure else 0.85) if moment else None


def _month_and_day(scene: TimeContext, match: re.Match[str]) -> tuple[int, int]:
    one, two = int(match["one"]), int(match["two"])
    day_first = two <= 12 if one > 12 else two <= 12 and (scene.is_day_first or match["gap"] == ".")
    return (two, one) if day_first else (one, two)


def _short_date_span(scene: TimeContext, match: re.Match[str]) -> Span | None:
    month, day = _month_and_day(scene, match)
    if not scene.is_preceded_by(time_patterns().short_date_prefix, match.start()) or not local_midnight(
        scene, 2024, month, day
    ):
        return None
    return _day_of_year(scene, match, month=month, days=(day, day))


def _year_range_span(scene: TimeContext, match: re.Match[str]) -> Span | None:
    """2019 to 2021, entre 2019 e 2021; "in 2019 and 2021" are two years."""
    first, last = int(match["one"]), int(match["two"])
    frame = time_patterns().frame_before.search(scene.words_before(match.start()))
    is_both = match["to"] in lexicon_tables().both
    bounded = frame is not None and (not is_both or frame["between"] in lexicon_tables().between_both)
    if first >= last or ((is_both or match["to"] in lexicon_tables().weak_year_to) and not bounded):
        return None
    return Span(
        month_ends(scene, first, 1)[0], month_ends(scene, last, 1, length=12)[1], "years", 0.95 if bounded else 0.75
    )


def _lone_year(scene: TimeContext, match: re.Match[str]) -> Span | None:
    """In 2023, since 1999; not 2000 people."""
    counted = time_patterns().counted_after.match(scene.folded, match.end())
    if counted and not scene.is_capital(match.end() + 1):
        return None
    if not scene.is_preceded_by(time_patterns().year_prefix, match.start()) and not scene.is_preceded_by(
        time_patterns().connected, match.start()
    ):
        return None
    return Span(*month_ends(scene, int(match["year"]), 1, length=12), "year", 0.95)


def _day_of_month_span(scene: TimeContext, match: re.Match[str]) -> Span | None:
    """On the 5th, no dia 5: in this month or the one before, the next one when the sentence looks ahead."""
    day = int(match["day"] or match["bare"] or match["number"])
    is_led = match["bare"] or scene.is_preceded_by(time_patterns().day_prefix, match.start())
    if not 1 <= day <= 31 or not is_led:
        return None
    is_future, month = scene.is_future(match.start()), scene.today.replace(day=1)
    if day != scene.today.day and (day < scene.today.day) == is_future:
        month = shift_day(month, 1 if is_future else -1, unit="month")
    # A month without that day stands between two that have it.
    while (found := local_midnight(scene, month.year, month.month, day)) is None:
        month = shift_day(month, 1 if is_future else -1, unit="month")
    return Span(found, found + DAY, "day", 0.7)


_Rule = tuple[Phrase, Callable[[TimeContext, re.Match[str]], Span | None]]


def _index_rules(*rows: tuple[Iterable[str], *tuple[_Rule, ...]]) -> dict[str, list[_Rule]]:
    index: dict[str, list[_Rule]] = {}
    for starts, *rules in rows:
        for word in dict.fromkeys(starts):
            index.setdefault(word, []).extend(rules)
    return index


def _first_words(phrases: Iterable[str]) -> list[str]:
    return [found[0] for phrase in phrases if (found := _FIRST_WORD.match(phrase))]


_FIRST_WORD = re.compile("[a-z]+")
_ANY_NUMBER = "0"


@combine_languages
def rules_by_word() -> dict[str, list[_Rule]]:
    """The rules by the word a time may begin with; 0 stands for any number. The first rule that holds wins."""
    words, phrases = lexicon_tables(), time_patterns()
    weekends = (word for word, unit in words.units.items() if unit == "weekend" and word not in words.plural_units)
    return _index_rules(
        (_first_words(words.day_offsets), (phrases.named_day, _named_day_span)),
        (words.nights, (phrases.night, _night_span)),
        (words.places, (phrases.piece_of_month, _piece_of_month)),
        (words.relative_starts, (phrases.relative_unit, _relative_unit), (phrases.relative_name, _relative_name)),
        (_first_words(words.units), (phrases.unit_then_side, _unit_then_side)),
        (_first_words(weekends), (phrases.weekend, _weekend_span)),
        ((_ANY_NUMBER, *words.numbers), (phrases.ago, _distance_span)),
        (words.distance_starts, (phrases.away, _distance_span)),
        ((*_first_words(_phrase_alternatives("half_year")), *words.distance_starts), (phrases.half_year, _half_year)),
        (words.times_ahead, (phrases.ahead, _future_distance_span)),
        (words.weekdays, (phrases.weekday, _weekday_rule_span)),
        (
            (*words.months, *words.short_months),
            (phrases.month_day, _month_days_span),
            (phrases.month_year, _month_of_year),
            (phrases.lone_month, _lone_month),
        ),
        (words.seasons, (phrases.season, _season_span)),
        ((*_first_words(words.feasts), *words.relative_starts), (phrases.feast, _feast_span)),
        (("q",), (phrases.quarter, _quarter_span)),
        ((_ANY_NUMBER, *_first_words(words.ordinals)), (phrases.part_of_year, _part_of_year)),
        (words.sections, (phrases.section_of_unit, _section_of_unit)),
        ((_ANY_NUMBER,), (phrases.decade_number, _decade_span)),
        (words.decade_starts, (phrases.decade_words, _decade_span)),
        (
            (_ANY_NUMBER,),
            (ISO_DATE, _iso_date),
            (NUMERIC_DATE, _numeric_date),
            (phrases.day_month, _month_days_span),
            (phrases.year_range, _year_range_span),
            (ISO_MONTH, _iso_month),
            (SHORT_DATE, _short_date_span),
            (phrases.lone_year, _lone_year),
        ),
        (words.first_day, (phrases.day_month, _month_days_span)),
        ((_ANY_NUMBER, *words.day_words), (phrases.day_of_month, _day_of_month_span)),
    )


def _phrase_alternatives(field: str) -> list[str]:
    """The alternatives of a phrase in all languages."""
    return [getattr(language.calendar.phrases, field) for language in all_languages()]
