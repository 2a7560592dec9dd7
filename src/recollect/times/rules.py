"""What each phrase for a time means: a match of a pattern goes in, a span of local time comes out, or nothing.

A phrase that only looks like a time gives nothing; a missed time is better than an invented one.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from recollect.times import words
from recollect.times.spans import (
    DAY,
    FEAST,
    UNIT,
    UNIT_AHEAD,
    YEAR,
    Ends,
    Fixed,
    Scene,
    Span,
    calendar,
    choose,
    months,
    moved,
    on,
    part_of_day,
    point,
    rolling,
    section,
    tense,
    unit_start,
    weekday,
)


def _yearly(
    scene: Scene, match: re.Match[str], occurrence: Callable[[int], Ends], *, grain: str, fixed: Fixed | None = None
) -> Span:
    """The occurrence in the year the text names, or in the one its tense asks for."""
    named = match.groupdict().get("year")
    if not named:
        return choose(scene, occurrence, how=tense(scene, match.start()), grain=grain, fixed=fixed)
    year = int(named) if named.isdigit() else scene.today.year + side_of(named)
    return Span(*occurrence(year), grain, 1.0, fixed=None if named.isdigit() else YEAR)


_BEHIND = re.compile(r"last|past|previous|ultim|passad|retrasad|before|ago|back|atras|\bha\b|faz")
_AHEAD = re.compile(r"next|coming|proxim|vem|after|from now|daqui|dentro")


def side_of(phrase: str) -> int:
    """-1 for what lies behind, 1 for what lies ahead, 0 for what is going on."""
    if _BEHIND.search(phrase):
        return -1
    return 1 if _AHEAD.search(phrase) else 0


def _how(phrase: str) -> str:
    return ("this", "next", "last")[side_of(phrase)]


def _named_day(scene: Scene, match: re.Match[str]) -> Span:
    day = scene.today + words.DAY_OFFSETS[match["day"]] * DAY
    return Span(day, day + DAY, "day", 0.95, fixed=UNIT)


def _tonight(scene: Scene, _: re.Match[str]) -> Span:
    return part_of_day(Span(scene.today, scene.today, "day", 0.95, fixed=UNIT), "night")


# English leaves open which weekend is the next one; these words do not.
_NEAREST = re.compile("coming|upcoming|proxim")
# The others count from another time that was told ("the previous week", "nesse ano"), or up to today.
_FROM_NOW = frozenset("last this next este esta neste nesta deste desta proximo proxima".split())


def _relative_unit(scene: Scene, match: re.Match[str]) -> Span | None:
    """Last week, this month, the past three days, nos últimos meses."""
    how, unit, side = match["how"], words.UNITS[match["unit"]], side_of(match["how"])
    # "It did last two weeks" has a number; "what I did last week" has none.
    if how == "last" and match["number"] and scene.follows(words.LAST_IS_VERB, match.start()):
        return None
    if match["number"] or re.search(r"m[ao]s$", how):
        certainty = 0.9 if match["number"] else 0.7
        return (
            rolling(scene, unit, count=side * words.number(match["number"] or "few"), certainty=certainty)
            if side
            else None
        )
    if unit == "day" or (unit == "hour" and side >= 0):
        return None
    if unit == "hour" or (unit != "weekend" and re.search(r"past|ultim", how)):
        return rolling(scene, unit, count=-1)
    if unit == "weekend":
        return _nearest_weekend(scene) if _NEAREST.match(how) else _weekend_beside(scene, side)
    # A company's quarters are not the calendar's.
    return calendar(scene, unit, shift=side, fixed=UNIT if how in _FROM_NOW and unit != "quarter" else None)


def _nearest_weekend(scene: Scene) -> Span:
    return _weekend_beside(scene, 1) if scene.today.weekday() >= 5 else calendar(scene, "weekend", shift=0)


def _weekend_beside(scene: Scene, side: int) -> Span:
    """Between two weekends "this" one may be behind, and the "next" one is the first or the second from now."""
    between = scene.today.weekday() < 5
    fixed = UNIT if side < 0 or not between else UNIT_AHEAD if side == 0 else None
    return calendar(scene, "weekend", shift=side, fixed=fixed)


def _relative_name(scene: Scene, match: re.Match[str]) -> Span | None:
    """Last Monday, next March, this summer, last night, esta manhã."""
    how = _how(match["how"])
    if match["weekday"]:
        how = "nearest" if _NEAREST.match(match["how"]) else how
        return weekday(scene, words.WEEKDAYS[match["weekday"]], how=how) if _is_a_day(scene, match) else None
    if match["part"]:
        return _relative_part(scene, match["part"], how=how)
    if match["season"]:
        return choose(scene, _season_of(scene, match["season"]), how=how, grain="season")
    if match["month"] in words.VERB_MONTHS and not scene.is_capital(match.start("month")):
        return None
    month = words.MONTHS[match["month"]]
    return choose(scene, lambda year: months(scene, year, month), how=how, grain="month", fixed=UNIT)


def _relative_part(scene: Scene, part: str, *, how: str) -> Span | None:
    if how == "next" or (how == "last" and part not in ("night", "evening", "noite")):
        return None
    day = scene.today - DAY if how == "last" else scene.today
    # "Esta noite" is also the night that has just ended.
    return part_of_day(Span(day, day, "day", 0.95, fixed=None if part == "noite" else UNIT), part)


def _unit_then_side(scene: Scene, match: re.Match[str]) -> Span | None:
    """Semana passada, mês que vem, the week before last."""
    unit = words.UNITS[match["unit"]]
    if unit in ("day", "hour") or (match["unit"].endswith("s") and match["unit"] != "mes"):
        return None
    if unit == "weekend" and match["how"] == "que vem":
        return _nearest_weekend(scene)
    steps = 2 if match["how"].startswith(("before", "after", "retrasad")) else 1
    shift = steps * side_of(match["how"])
    return calendar(scene, unit, shift=shift, fixed=None if unit == "quarter" else UNIT)


def _weekend(scene: Scene, match: re.Match[str]) -> Span | None:
    """Over the weekend, no fim de semana: the running or the last one, the coming one when the sentence looks ahead."""
    if not scene.follows(words.WEEKEND_PREFIX, match.start()):
        return None
    behind = scene.today.weekday() < 5 and not scene.is_future(match.start())
    return calendar(scene, "weekend", shift=-1 if behind else 0, certainty=0.7)


def _distance(scene: Scene, match: re.Match[str]) -> Span | None:
    """Three days ago, há duas semanas, daqui a um mês, a year and a half ago."""
    number, unit, half, said = match.group("number", "unit", "half", "side")
    side, lasting = side_of(said), _is_lasting(match, said)
    count = side * words.number(number or "few")
    if half:
        months_away = 12 * count + 6 * side
        return point(scene, "month", count=months_away, lasting=lasting) if words.UNITS[unit] == "year" else None
    span = point(scene, words.UNITS[unit], count=count, vague=_is_vague(number), lasting=lasting)
    # "Dentro de duas semanas" is a deadline to some and a day to others.
    return replace(span, fixed=None) if said == "dentro de" else span


def _is_lasting(match: re.Match[str], said: str | None) -> bool:
    """Mora aqui há dois anos, se mudou há dois anos: with these words only the verb tells which."""
    return said in words.LASTING and not match.group().endswith("atras")


def _is_vague(number: str | None) -> bool:
    return number is None or number in words.VAGUE_NUMBERS


def _half_year(scene: Scene, match: re.Match[str]) -> Span:
    return point(
        scene, "month", count=6 * side_of(match["side"] or match["after"]), lasting=_is_lasting(match, match["side"])
    )


def _ahead(scene: Scene, match: re.Match[str]) -> Span | None:
    """We will leave in three days, vamos mudar em duas semanas; not "it was done in three days"."""
    if not scene.looks_ahead(match.start()):
        return None
    number, unit = match.group("number", "unit")
    return point(scene, words.UNITS[unit], count=words.number(number or "few"), vague=_is_vague(number))


def _english_weekday(scene: Scene, match: re.Match[str]) -> Span | None:
    """On Monday, Monday of last week, two weeks from Monday; not every Monday."""
    if counted := words.WEEKS_FROM.search(scene.before(match.start())):
        day = weekday(scene, words.WEEKDAYS[match["weekday"]], how="next").first
        day += 7 * words.number(counted["number"]) * DAY
        return Span(day, day + DAY, "day", 0.9)
    if scene.follows(words.RECURRENT, match.start()) or scene.follows(words.FEAST_BEFORE, match.start()):
        return None
    return _weekday_in_week(scene, match)


def _portuguese_weekday(scene: Scene, match: re.Match[str]) -> Span | None:
    """Na terça, segunda-feira passada, sábado; not "na segunda vez" and not the surname Domingo."""
    place = match.start()
    if scene.follows(words.RECURRENT, place):
        return None
    if not (match["feira"] or match["how"] or scene.follows(words.WEEKDAY_PREFIX, place)):
        is_ordinal = match["weekday"] in words.ORDINAL_WEEKDAYS
        return None if is_ordinal or (scene.is_capital(place) and place) else _weekday_in_week(scene, match)
    return _weekday_in_week(scene, match) if match["how"] or _is_a_day(scene, match) else None


def _is_a_day(scene: Scene, match: re.Match[str]) -> bool:
    """Whether a word that may also be a Portuguese ordinal is a day of the week here."""
    if match["feira"] or match["weekday"] not in words.ORDINAL_WEEKDAYS:
        return True
    if match["weekday"] in words.FREQUENT_ORDINALS:
        return words.AFTER_ORDINAL_DAY.match(scene.folded, match.end()) is not None
    return words.ORDINAL_USE.match(scene.folded, match.end()) is None


def _weekday_in_week(scene: Scene, match: re.Match[str]) -> Span:
    number, how = words.WEEKDAYS[match["weekday"]], match["how"]
    if how and ("week" in how or "semana" in how):
        day = moved(unit_start(scene.today, "week"), side_of(how), unit="week") + number * DAY
        return Span(day, day + DAY, "day", 0.95, fixed=UNIT)
    if how and how.startswith("retrasad"):
        day = weekday(scene, number, how="last").first - 7 * DAY
        return Span(day, day + DAY, "day", 0.9, fixed=UNIT)
    return weekday(scene, number, how=_how(how) if how else tense(scene, match.start()))


def _dated_month(scene: Scene, match: re.Match[str]) -> int | None:
    """The month beside a day or year; short forms and words with another life need a firmer sign than a number."""
    groups, word, place = match.groupdict(), match["month"], match.start("month")
    of = (groups.get("of") or "").strip() in ("of", "de")
    year = bool(groups["year"])
    if word in words.VERB_MONTHS:
        meant = scene.is_capital(place) or of or year
    elif word == "marco" and scene.text[place + 3] not in "çÇ":
        meant = of or (year and not scene.is_capital(place))
    elif word in words.DOUBTFUL_SHORT_MONTHS:
        meant = of or (year and bool(groups.get("day"))) or (word == "mar" and scene.is_capital(place))
    else:
        meant = True
    return (words.MONTHS.get(word) or words.SHORT_MONTHS[word]) if meant else None


def _days(scene: Scene, match: re.Match[str]) -> Span | None:
    """March 3, 3 March 2024, 3 a 5 de março, primeiro de maio."""
    groups, month = match.groupdict(), _dated_month(scene, match)
    if not month or (groups.get("to") in ("and", "e") and not scene.follows(words.FRAME_BEFORE, match.start())):
        return None
    day = 1 if match["day"] == "primeiro" else int(match["day"].rstrip("stndrhº°o"))
    last = int(match["last"].rstrip("stndrhº°o")) if match["last"] else day
    year = int(groups["year"]) if (groups["year"] or "").isdigit() else 2024
    if not 1 <= day <= last <= monthrange(year, month)[1]:
        return None
    return _day_of_year(scene, match, month=month, days=(day, last))


def _day_of_year(scene: Scene, match: re.Match[str], *, month: int, days: tuple[int, int]) -> Span:
    return _yearly(scene, match, lambda year: _day_ends(scene, year, month=month, days=days), grain="day")


def _day_ends(scene: Scene, year: int, *, month: int, days: tuple[int, int]) -> Ends:
    while days[1] > monthrange(year, month)[1]:
        year -= 1
    first, last = (datetime(year, month, day, tzinfo=scene.now.tzinfo) for day in days)
    return first, last + DAY


def _month_of_year(scene: Scene, match: re.Match[str]) -> Span | None:
    month = _dated_month(scene, match)
    return _yearly(scene, match, lambda year: months(scene, year, month), grain="month") if month else None


def _lone_month(scene: Scene, match: re.Match[str]) -> Span | None:
    """In March, since May, de abril; a bare month only when the word is nothing else."""
    word, place = match["month"], match.start()
    doubtful = word in words.DOUBTFUL_MONTHS and not (word == "marco" and scene.text[place + 3] in "çÇ")
    sure = scene.follows(words.SURE_MONTH_PREFIX, place)
    near = sure or scene.follows(words.MONTH_PREFIX, place) or scene.follows(words.CONNECTED, place)
    if scene.follows(words.NO_MONTH_BEFORE, place) or (doubtful and words.NAME_AFTER.match(scene.text, match.end())):
        return None
    if doubtful and not (near if scene.is_capital(place) != (word == "marco") else sure):
        return None
    month = words.MONTHS[word]
    span = choose(scene, lambda year: months(scene, year, month), how=tense(scene, place), grain="month")
    return span if near else replace(span, certainty=0.6)


def _season_of(scene: Scene, season: str) -> Callable[[int], Ends]:
    number = (words.SEASONS[season] + (2 if scene.southern else 0)) % 4
    return lambda year: months(scene, year, 3 * number + 3, length=3)


def _season(scene: Scene, match: re.Match[str]) -> Span | None:
    """Summer 2023, verão passado, in the winter; without one of these it is a habit or another word."""
    occurrence = _season_of(scene, match["season"])
    if match["how"]:
        return choose(scene, occurrence, how=_how(match["how"]), grain="season")
    if not match["year"] and not scene.follows(words.SEASON_PREFIX, match.start()):
        return None
    span = _yearly(scene, match, occurrence, grain="season")
    return replace(span, certainty=0.85 if match["year"] else 0.6)


def _feast(scene: Scene, match: re.Match[str]) -> Span | None:
    """Last Christmas, on New Year's Eve, no Natal, Natal passado; not a Christmas tree and not the town of Natal."""
    years_before, month, day, length = words.FEASTS[match["feast"]]

    def occurrence(year: int) -> Ends:
        first = datetime(year - years_before, month, day, tzinfo=scene.now.tzinfo)
        return first, first + length * DAY

    # New Year's is called by one year and begins in another.
    fixed = None if years_before else FEAST
    if how := match["how"] or match["after"]:
        return choose(scene, occurrence, how=_how(how), grain="day", fixed=fixed)
    is_one_day = re.search(r"\b(?:eve|day|vespera|dia)\b", match["feast"])
    if not (match["year"] or is_one_day or scene.follows(words.FEAST_PREFIX, match.start())):
        return None
    return _yearly(scene, match, occurrence, grain="day", fixed=fixed)


def _quarter(scene: Scene, match: re.Match[str]) -> Span | None:
    """Q1 2024, in Q3; a bare Q3 may be a question's number."""
    if not match["year"] and not scene.follows(words.QUARTER_PREFIX, match.start()):
        return None
    return _part(scene, match, number=int(match["ordinal"]), length=3)


def _part_of_year(scene: Scene, match: re.Match[str]) -> Span | None:
    """The first quarter of 2024, the second half of last year, primeiro trimestre; not a game's first half."""
    if match["unit"] in ("quarter", "half") and not (match["year"] or match["current"]):
        return None
    length = 3 if match["unit"] in ("quarter", "trimestre") else 6
    return _part(scene, match, number=words.ORDINALS[match["ordinal"]], length=length)


def _piece_of_month(scene: Scene, match: re.Match[str]) -> Span:
    """The last week of October 2023, the first Friday in May, na segunda semana de março."""
    month, place = words.MONTHS[match["month"]], words.PLACES[match["place"]]
    starts_on = words.WEEKDAYS[match["weekday"]] if match["weekday"] else None
    length = {"weekend": 2, "fim de semana": 2, None: 1}.get(match["unit"], 7)
    if length == 2:
        starts_on = words.WEEKDAYS["saturday"]

    def piece(year: int) -> Ends:
        first, last = months(scene, year, month)
        start = last - 7 * DAY if place < 0 else first + 7 * (place - 1) * DAY
        if starts_on is not None:
            start += (starts_on - start.weekday()) % 7 * DAY
        return start, start + length * DAY

    return _yearly(scene, match, piece, grain="week" if length > 1 else "day")


def _part(scene: Scene, match: re.Match[str], *, number: int, length: int) -> Span | None:
    first = (number - 1) * length + 1
    if first > 12:
        return None
    return _yearly(scene, match, lambda year: months(scene, year, first, length=length), grain="quarter")


def _section_of_unit(scene: Scene, match: re.Match[str]) -> Span:
    """The end of the year, início do mês: of the running unit, or of the last one while that part lies ahead."""
    unit = words.UNITS[match["unit"]]
    span = section(calendar(scene, unit, shift=0, certainty=0.8), words.SECTIONS[match["section"]])
    if span.first > scene.now and not scene.is_future(match.start()):
        return section(calendar(scene, unit, shift=-1, certainty=0.6), words.SECTIONS[match["section"]])
    return span


def _decade(scene: Scene, match: re.Match[str]) -> Span | None:
    """The 90s, the early 1980s, anos 70."""
    number = int(match["decade"])
    if number < 100 and match.group()[0].isdigit() and not scene.follows(words.DECADE_PREFIX, match.start()):
        return None
    if number < 100:
        number += 2000 if number <= scene.today.year % 100 else 1900
    first = datetime(number, 1, 1, tzinfo=scene.now.tzinfo)
    return Span(first, moved(first, 1, unit="decade"), "decade", 0.8)


def _iso_date(scene: Scene, match: re.Match[str]) -> Span | None:
    day = on(scene, int(match["year"]), int(match["month"]), int(match["day"]))
    return Span(day, day + DAY, "day", 1.0) if day else None


def _iso_month(scene: Scene, match: re.Match[str]) -> Span:
    return Span(*months(scene, int(match["year"]), int(match["month"])), "month", 0.85)


def _numeric_date(scene: Scene, match: re.Match[str]) -> Span | None:
    """05/03/2024: day first in Portuguese, month first in English where both readings are possible."""
    year = int(match["year"])
    year += 0 if year > 99 else 2000 if year <= scene.today.year % 100 + 10 else 1900
    month, day = _month_and_day(scene, match)
    moment = on(scene, year, month, day)
    sure = max(month, day) > 12 or month == day
    return Span(moment, moment + DAY, "day", 1.0 if sure else 0.85) if moment else None


def _month_and_day(scene: Scene, match: re.Match[str]) -> tuple[int, int]:
    one, two = int(match["one"]), int(match["two"])
    day_first = two <= 12 if one > 12 else two <= 12 and (scene.is_portuguese or match["gap"] == ".")
    return (two, one) if day_first else (one, two)


def _short_date(scene: Scene, match: re.Match[str]) -> Span | None:
    month, day = _month_and_day(scene, match)
    if not scene.follows(words.SHORT_DATE_PREFIX, match.start()) or not on(scene, 2024, month, day):
        return None
    return _day_of_year(scene, match, month=month, days=(day, day))


def _years(scene: Scene, match: re.Match[str]) -> Span | None:
    """2019 to 2021, entre 2019 e 2021; "in 2019 and 2021" are two years."""
    first, last = int(match["one"]), int(match["two"])
    frame = words.FRAME_BEFORE.search(scene.before(match.start()))
    bounded = frame is not None and (match["to"] not in ("and", "e") or frame["between"] in ("between", "entre"))
    if first >= last or (match["to"] in ("and", "e", "a", "to") and not bounded):
        return None
    return Span(months(scene, first, 1)[0], months(scene, last, 1, length=12)[1], "years", 0.95 if bounded else 0.75)


def _lone_year(scene: Scene, match: re.Match[str]) -> Span | None:
    """In 2023, since 1999; not 2000 people."""
    counted = words.COUNTED_AFTER.match(scene.folded, match.end())
    if counted and not scene.is_capital(match.end() + 1):
        return None
    if not scene.follows(words.YEAR_PREFIX, match.start()) and not scene.follows(words.CONNECTED, match.start()):
        return None
    return Span(*months(scene, int(match["year"]), 1, length=12), "year", 0.95)


def _day_of_month(scene: Scene, match: re.Match[str]) -> Span | None:
    """On the 5th, no dia 5: in this month or the one before, the next one when the sentence looks ahead."""
    day = int(match["day"] or match["dia"])
    if not 1 <= day <= 31 or not scene.follows(words.DAY_PREFIX, match.start()):
        return None
    is_future, month = scene.is_future(match.start()), scene.today.replace(day=1)
    if day != scene.today.day and (day < scene.today.day) == is_future:
        month = moved(month, 1 if is_future else -1, unit="month")
    # A month without that day stands between two that have it.
    while (found := on(scene, month.year, month.month, day)) is None:
        month = moved(month, 1 if is_future else -1, unit="month")
    return Span(found, found + DAY, "day", 0.7)


_Rule = tuple[words.Phrase, Callable[[Scene, re.Match[str]], Span | None]]


def _index(*rows: tuple[str, *tuple[_Rule, ...]]) -> dict[str, list[_Rule]]:
    index: dict[str, list[_Rule]] = {}
    for triggers, *rules in rows:
        for word in triggers.split():
            index.setdefault(word, []).extend(rules)
    return index


# By the word a time may begin with; 0 stands for any number. The first rule that holds wins.
RULES = _index(
    ("today yesterday tomorrow hoje ontem anteontem amanha day antes depois", (words.NAMED_DAY, _named_day)),
    ("tonight", (words.TONIGHT, _tonight)),
    (" ".join(words.PLACES), (words.PIECE_OF_MONTH, _piece_of_month)),
    (
        words.RELATIVE_STARTS,
        (words.RELATIVE_UNIT, _relative_unit),
        (words.RELATIVE_NAME, _relative_name),
    ),
    ("week weekend month year semana mes trimestre ano fim final", (words.UNIT_THEN_SIDE, _unit_then_side)),
    ("weekend fim final", (words.WEEKEND, _weekend)),
    (f"0 {' '.join(words.NUMBERS)}", (words.AGO, _distance)),
    ("ha faz fazem daqui dentro", (words.AWAY, _distance)),
    ("half meio ha faz daqui dentro", (words.HALF_YEAR, _half_year)),
    ("in em", (words.AHEAD, _ahead)),
    (" ".join(words.ENGLISH_WEEKDAYS), (words.ENGLISH_WEEKDAY, _english_weekday)),
    ("segunda terca quarta quinta sexta sabado domingo", (words.PORTUGUESE_WEEKDAY, _portuguese_weekday)),
    (
        " ".join([*words.MONTHS, *words.SHORT_MONTHS]),
        (words.MONTH_DAY, _days),
        (words.MONTH_YEAR, _month_of_year),
        (words.LONE_MONTH, _lone_month),
    ),
    (" ".join(words.SEASONS), (words.SEASON, _season)),
    (
        f"christmas natal vespera dia boxing new reveillon ano valentine halloween {words.RELATIVE_STARTS}",
        (words.FEAST, _feast),
    ),
    ("q", (words.QUARTER, _quarter)),
    ("0 first second third fourth primeiro segundo terceiro quarto", (words.PART_OF_YEAR, _part_of_year)),
    (" ".join(words.SECTIONS), (words.SECTION_OF_UNIT, _section_of_unit)),
    ("0", (words.ENGLISH_DECADE, _decade)),
    ("anos decada", (words.PORTUGUESE_DECADE, _decade)),
    (
        "0",
        (words.ISO_DATE, _iso_date),
        (words.NUMERIC_DATE, _numeric_date),
        (words.DAY_MONTH, _days),
        (words.YEAR_RANGE, _years),
        (words.ISO_MONTH, _iso_month),
        (words.SHORT_DATE, _short_date),
        (words.LONE_YEAR, _lone_year),
    ),
    ("primeiro", (words.DAY_MONTH, _days)),
    ("0 dia", (words.DAY_OF_MONTH, _day_of_month)),
)
