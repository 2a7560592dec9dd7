"""Dates that stay true: words like "yesterday" come in with the moment they were said, the day itself goes out.

A fact is read long after it was said, so what was relative to that moment is written as a date; the rest is left alone.
"""

from __future__ import annotations

import re
from datetime import date, datetime

from recollect.times.dates import Dated, Tense, dated

_MONTHS = {
    "en": "January February March April May June July August September October November December".split(),
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split(),
}
# By the hour at which they begin.
_PARTS = {
    "en": {0: "small hours", 5: "morning", 12: "afternoon", 17: "evening", 18: "night"},
    "pt": {0: "madrugada", 5: "manhã", 12: "tarde", 17: "noite", 18: "noite"},
}


def anchored(text: str, at: datetime, language: str, *, tense: Tense | None = None, within: str = "") -> str:
    """The text with its relative times written as dates, seen from the local moment it was said.

    Only a time with one meaning is written: a fact with a wrong date is worse than one with a relative time. The tense,
    where it is plain, gives "on Monday" and "in March" theirs, unless what was said `within` tells of another time.
    """
    write = _in_portuguese if language == "pt" else _in_english
    told, done = [], 0
    for time in dated(text, said_at=at, tense=tense, within=within):
        start, words = write(time, text, done)
        told += [text[done:start], words[0].upper() + words[1:] if start == 0 and text[0].isupper() else words]
        done = time.end
    return "".join((*told, text[done:]))


# They keep their words and get their year: March 2026, 3 March 2026, March 3rd, 2026.
_NAMED = ("named month", "named day")
_ENDS_IN_DAY = re.compile(r"\d(?:st|nd|rd|th)?$", re.I)

# What stands before a time: a preposition of its own, one that a bare date follows, "about".
_ENGLISH_BEFORE = re.compile(
    r"(?:\b(?:(?P<own>on|in|at)|(?P<governs>since|until|till|by|for|before|after|from|to|of|through|during|over|than"
    r"|between|between \S.{0,40} and)) )?(?P<loose>(?:about|around|roughly|approximately|some) )?$",
    re.I,
)
_ENGLISH_ARTICLE = re.compile(
    r"the (?=(?:day|week|weekend|month|year|morning|afternoon|evening|night|coming|upcoming) |\d)"
    r"|this (?=(?:up)?coming )",
    re.I,
)
# The preposition, and the words between it and the date.
_ENGLISH = {
    "day": ("on ", ""), "part": ("on ", "the {part} of "), "week": ("in ", "the week of "),
    "weekend": ("on ", "the weekend of "), "month": ("in ", ""), "year": ("in ", ""), "number": ("", ""),
    "feast": ("on ", "{feast} "), "long feast": ("at ", "{feast} "),
}  # fmt: skip


def _in_english(time: Dated, text: str, floor: int) -> tuple[int, str]:
    """Where the words to replace begin, and what to write instead of them."""
    if time.form in _NAMED:
        return time.end, f"{',' if _ENDS_IN_DAY.search(text, 0, time.end) else ''} {time.at.year}"
    own, noun = _ENGLISH[time.form]
    bare = noun.format(part=_part(time, "en"), feast=_feast(time, text)) + _date(time, "en")
    article = next((w for w in ("the ", "this ") if _ENGLISH_ARTICLE.match(text, max(floor, time.start - len(w)))), "")
    start = time.start - len(article)
    before = _ENGLISH_BEFORE.search(text, floor, start)
    if time.form == "number" or before is None:
        return time.start, bare
    if time.is_about:
        return start - len(before["loose"] or ""), f"around {bare}"
    if before["governs"] or before["loose"] or _is_subject(time, text, start):
        return start, bare
    return start - (len(own) if (before["own"] or "").lower() == own.strip() else 0), own + bare


_PORTUGUESE_BEFORE = re.compile(
    r"(?:\b(?P<governs>desde|até|para|pra|entre|sobre|após|durante) )?(?:\b(?:(?P<of>d[aeo])|n[ao]|em|[ao]|à|ao) )?$",
    re.I,
)
# The words before the date, and the letter of their article.
_PORTUGUESE = {
    "day": ("", ""), "part": ("{part} de ", "a"), "week": ("semana de ", "a"), "weekend": ("fim de semana de ", "o"),
    "month": ("", ""), "year": ("", ""), "feast": ("{feast} de ", "o"), "long feast": ("{feast} de ", "o"),
}  # fmt: skip


def _in_portuguese(time: Dated, text: str, floor: int) -> tuple[int, str]:
    if time.form == "number":
        return time.start, ("" if text[: time.start].lower().endswith("de ") else "de ") + _date(time, "pt")
    if time.form in _NAMED:
        return time.end, f" de {time.at.year}"
    noun, article = _PORTUGUESE[time.form]
    bare = noun.format(part=_part(time, "pt"), feast=_feast(time, text)) + _date(time, "pt")
    article = "a" if bare.lower().startswith("véspera") else article
    before = _PORTUGUESE_BEFORE.search(text, floor, time.start)
    start = time.start if before is None else before.end("governs") + 1 if before["governs"] else before.start()
    of = (before and before["of"]) or text[time.start : time.start + 4].lower() == "dest"
    if time.is_about:
        return start, f"{'de ' if of else ''}por volta de {bare}"
    if of:
        return start, f"d{article or 'e'} {bare}"
    if (before and before["governs"]) or _is_subject(time, text, start):
        return start, f"{article} {bare}".lstrip()
    return start, f"{f'n{article}' if article else 'em'} {bare}"


_VERB = re.compile(r" (?:was|is|were|will|has|had|foi|é|era|será|está|vai) ", re.I)


def _is_subject(time: Dated, text: str, start: int) -> bool:
    """Whether something is said of the time itself: "last Sunday was fun"."""
    return text[:start].rstrip()[-1:] in ("", *",;:.!?–—-") and _VERB.match(text, time.end) is not None


_STEPS = re.compile(
    r"^(?:this past|last|past|previous|this|next|coming|último|ultimo|próximo|proximo|n?este) | (?:passado|que vem)$",
    re.I,
)


def _feast(time: Dated, text: str) -> str:
    return _STEPS.sub("", text[time.start : time.end])


def _part(time: Dated, language: str) -> str:
    return _PARTS[language].get(time.at.hour, "")


def _date(time: Dated, language: str) -> str:
    if time.form in ("year", "number", "feast", "long feast"):
        return str(time.at.year)
    day = written(time.at.date(), language)
    return day.split(" ", 2 if language == "pt" else 1)[-1] if time.form == "month" else day


def written(day: date, language: str) -> str:
    """A day in words: 3 May 2026, 3 de maio de 2026."""
    joint = " de " if language == "pt" else " "
    return f"{day.day}{joint}{_MONTHS[language][day.month - 1]}{joint}{day.year}"


_NAMED_MONTH = "|".join(month for months in _MONTHS.values() for month in months)
_NAMED_PART = "|".join({part for parts in _PARTS.values() for part in parts.values()})
_NAMED_FEAST = (
    r"christmas(?: eve| day)?|boxing day|new year['’]s (?:eve|day)|valentine['’]s day|halloween"
    r"|(?:véspera de |dia de )?natal|r[ée]veillon|véspera de ano novo"
)
_WRITTEN = re.compile(
    r",? (?:(?:on|in|at|around|em|por volta de|na|no)"
    rf"(?: the (?:week|weekend|end|start|beginning|middle|{_NAMED_PART}) of"
    rf"| (?:(?:fim de )?semana|início|começo|meados|fim|final|{_NAMED_PART}) de| (?:{_NAMED_FEAST})(?: de)?"
    r"| (?:early|late|mid)| the| dia)?[ -])?(?:\d{1,2}(?:st|nd|rd|th)? (?:of |de )?)?"
    rf"(?:(?:{_NAMED_MONTH}) (?:\d{{1,2}}(?:st|nd|rd|th)?, |de )?)?(?:19|20)\d\d\b",
    re.I,
)


def undated(text: str) -> str:
    """The text without the dates that `anchored` wrote into it: what happened, whenever it was."""
    return _WRITTEN.sub("", text)
