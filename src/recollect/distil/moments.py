"""Dates that stay true: words like "yesterday" come in with the moment they were said, the day itself goes out.

A fact is read long after it was said, so what was relative to that moment is written as a date; the rest is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta

from recollect.distil import words_en, words_pt

_MONTHS = {
    "en": "January February March April May June July August September October November December".split(),
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split(),
}
_DAYS = {
    "en": "monday tuesday wednesday thursday friday saturday sunday".split(),
    "pt": "segunda terça quarta quinta sexta sábado domingo".split(),
}
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10,
    "um": 1, "uma": 1, "dois": 2, "duas": 2, "três": 3, "quatro": 4, "cinco": 5, "seis": 6, "sete": 7, "oito": 8,
    "nove": 9, "dez": 10,
}  # fmt: skip
_COUNTED = rf"(?:{'|'.join(sorted(_NUMBERS, key=len, reverse=True))}|\d{{1,3}})"
_ENGLISH = re.compile(
    r"\b(?:(?P<day>yesterday|today|tonight|tomorrow|last night|this morning|this afternoon|this evening)"
    rf"|(?P<step>last|this|next) (?P<unit>week|weekend|month|year|{words_en.DAY})"
    rf"|(?P<half>half a year) ago|(?P<count>{_COUNTED}) (?P<ago>day|week|month|year)s? ago"
    rf"|in (?P<ahead>{_COUNTED}) (?P<span>day|week|month|year)s?)\b",
    re.I,
)
# "In three days" is a time only where a sentence looks ahead; elsewhere it tells how long something took.
_LOOKS_AHEAD = re.compile(
    r"\b(?:will|shall|going to|gonna|plans?|planning|wants?|hopes?|due|scheduled|leaves?|starts?|begins?|ends?|opens?"
    r"|moves?|fl(?:y|ies)|go(?:es)?|arrives?|turns?|retires?|(?:is|am|are) (?:\w+ )?\w+ing)\b"
    r"|['’]ll\b|\w['’](?:s|m|re) \w+ing\b",
    re.I,
)
_PORTUGUESE = re.compile(
    r"\b(?:(?P<day>anteontem|ontem à noite|ontem|hoje à noite|hoje|depois de amanhã|amanhã)"
    rf"|(?:n[oa] |est[ea] |nest[ea] |[oa] )?(?P<unit>semana|fim de semana|mês|ano|{words_pt.DAY})"
    r" (?P<step>passad[oa]|que vem)"
    rf"|(?:n[oa] |[oa] )?(?P<step2>próxim[oa]) (?P<unit2>semana|fim de semana|mês|ano|{words_pt.DAY})"
    rf"|(?P<step3>nest[ea]|est[ea]) (?P<unit3>semana|fim de semana|mês|ano)"
    rf"|(?:há (?:cerca de )?)?(?P<count>{_COUNTED}) (?P<ago>dias?|semanas?|meses|mês|anos?) atrás"
    rf"|daqui a (?P<ahead>{_COUNTED}) (?P<span>dias?|semanas?|meses|mês|anos?))\b",
    re.I,
)
_WHICH_DAY = {
    "yesterday": -1, "last night": -1, "tomorrow": 1, "ontem": -1, "ontem à noite": -1, "anteontem": -2, "amanhã": 1,
    "depois de amanhã": 2,
}  # fmt: skip
_UNITS = {"semana": "week", "fim de semana": "weekend", "mês": "month", "meses": "month", "ano": "year", "anos": "year",
          "dia": "day", "dias": "day", "semanas": "week"}  # fmt: skip
_STEPS = {"last": -1, "this": 0, "next": 1, "passado": -1, "passada": -1, "que vem": 1, "próximo": 1, "próxima": 1}


def anchored(text: str, at: datetime, language: str) -> str:
    """The text with its relative days, weeks, months and years written as dates, seen from the moment it was said."""
    pattern = _PORTUGUESE if language == "pt" else _ENGLISH
    write: Callable[[re.Match[str]], str] = lambda match: _dated(match, at.date(), language) or match[0]  # noqa: E731
    return _ONCE[language].sub(r"\1 ", pattern.sub(write, text))


# "for next month" keeps its own preposition and drops the date's.
_ONCE = {
    "en": re.compile(r"\b(on|in|by|until|since|for|around|from) (?:on|in) (?=\d|the |[A-Z])"),
    "pt": re.compile(r"\b(em|n[oa]|até|desde|para|de) em (?=\d|[a-z])"),
}


def _dated(match: re.Match[str], today: date, language: str) -> str | None:
    said = {name: text.lower() for name, text in match.groupdict().items() if text}
    if "day" in said:
        return _day(today + timedelta(days=_WHICH_DAY.get(said["day"], 0)), language)
    if "half" in said:
        return _away(today, -6, "month", language)
    if language == "en" and "ahead" in said and not _LOOKS_AHEAD.search(match.string):
        return None
    for count, unit, sign in (("count", "ago", -1), ("ahead", "span", 1)):
        if count in said:
            number = _NUMBERS.get(said[count]) or int(said[count])
            return _away(today, sign * number, _UNITS.get(said[unit], said[unit]), language)
    unit = said.get("unit") or said.get("unit2") or said["unit3"]
    step = _STEPS.get(said.get("step") or said.get("step2") or "this", 0)
    return _stepped(today, step, _UNITS.get(unit, unit), language)


def _stepped(today: date, step: int, unit: str, language: str) -> str | None:
    if unit in ("week", "weekend"):
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=step)
        first = monday if unit == "week" else monday + timedelta(days=5)
        return f"{_WORDS[language][unit]} {written(first, language)}"
    if unit in ("month", "year"):
        return _away(today, step, unit, language)
    return _weekday(today, step, unit, language)


def _weekday(today: date, step: int, name: str, language: str) -> str | None:
    name = name.removesuffix("-feira")
    if name not in _DAYS[language] or step == 0:
        return None
    ahead = (_DAYS[language].index(name) - today.weekday()) % 7
    days = (ahead or 7) if step > 0 else ahead - 7
    return _day(today + timedelta(days=days), language)


def _away(today: date, number: int, unit: str, language: str) -> str:
    about = _WORDS[language]["about"] if abs(number) > 1 and unit != "day" else ""
    if unit in ("day", "week"):
        then = today + timedelta(days=number if unit == "day" else 7 * number)
        return f"{about}{written(then, language)}" if about else _day(then, language)
    months = today.year * 12 + today.month - 1 + number * (12 if unit == "year" else 1)
    if unit == "year":
        return f"{about or _WORDS[language]['in']}{months // 12}"
    name = _MONTHS[language][months % 12]
    return f"{about or _WORDS[language]['in']}{name}{_WORDS[language]['of']}{months // 12}"


_WORDS = {
    "en": {"week": "in the week of", "weekend": "on the weekend of", "about": "around ", "in": "in ", "of": " "},
    "pt": {
        "week": "na semana de",
        "weekend": "no fim de semana de",
        "about": "por volta de ",
        "in": "em ",
        "of": " de ",
    },
}


def _day(day: date, language: str) -> str:
    return ("em " if language == "pt" else "on ") + written(day, language)


def written(day: date, language: str) -> str:
    """A day in words: 3 May 2026, 3 de maio de 2026."""
    joint = " de " if language == "pt" else " "
    return f"{day.day}{joint}{_MONTHS[language][day.month - 1]}{joint}{day.year}"


_NAMED_MONTH = "|".join(month for months in _MONTHS.values() for month in months)
_WRITTEN = re.compile(
    r",? (?:(?:on|in|around|em|por volta de|na|no)(?: the (?:week|weekend) of| (?:fim de )?semana de)? )?"
    rf"(?:\d{{1,2}} (?:de )?)?(?:(?:{_NAMED_MONTH}) (?:de )?)?(?:19|20)\d\d\b",
    re.I,
)


def undated(text: str) -> str:
    """The text without the dates that `anchored` wrote into it: what happened, whenever it was."""
    return _WRITTEN.sub("", text)
