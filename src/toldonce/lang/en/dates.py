"""How dates are written into English sentences."""

from __future__ import annotations

import re

from toldonce.lang.dates import NAMED, Dates, ExactDate

_ENDS_IN_DAY = re.compile(r"\d(?:st|nd|rd|th)?$", re.I)
# What stands before a time: a preposition of its own, one that a bare date follows, "about".
_BEFORE = re.compile(
    r"(?:\b(?:(?P<own>on|in|at)|(?P<governs>since|until|till|by|for|before|after|from|to|of|through|during|over|than"
    r"|between|between \S.{0,40} and)) )?(?P<loose>(?:about|around|roughly|approximately|some) )?$",
    re.I,
)
_ARTICLE = re.compile(
    r"the (?=(?:day|week|weekend|month|year|morning|afternoon|evening|night|coming|upcoming) |\d)"
    r"|this (?=(?:up)?coming )",
    re.I,
)
# The preposition, and the words between it and the date.
_FORMS = {
    "day": ("on ", ""), "part": ("on ", "the {part} of "), "week": ("in ", "the week of "),
    "weekend": ("on ", "the weekend of "), "month": ("in ", ""), "year": ("in ", ""), "number": ("", ""),
    "feast": ("on ", "{feast} "), "long feast": ("at ", "{feast} "),
}  # fmt: skip


def _write_english_date(dates: Dates, time: ExactDate, text: str, floor: int) -> tuple[int, str]:
    """Where the words to replace begin, and what to write instead of them."""
    if time.form in NAMED:
        return time.end, f"{',' if _ENDS_IN_DAY.search(text, 0, time.end) else ''} {time.at.year}"
    own, noun = _FORMS[time.form]
    bare = noun.format(part=dates.part_of(time), feast=dates.feast_of(time, text)) + dates.write_date(time)
    article = next((w for w in ("the ", "this ") if _ARTICLE.match(text, max(floor, time.start - len(w)))), "")
    start = time.start - len(article)
    before = _BEFORE.search(text, floor, start)
    if time.form == "number" or before is None:
        return time.start, bare
    if time.is_about:
        return start - len(before["loose"] or ""), f"around {bare}"
    if before["governs"] or before["loose"] or dates.is_subject(time, text, start):
        return start, bare
    return start - (len(own) if (before["own"] or "").lower() == own.strip() else 0), own + bare


_MONTHS = "January February March April May June July August September October November December".split()
_PARTS = {0: "small hours", 5: "morning", 12: "afternoon", 17: "evening", 18: "night"}
_FEASTS = r"christmas(?: eve| day)?|boxing day|new year['’]s (?:eve|day)|valentine['’]s day|halloween"

DATES = Dates(
    months=tuple(_MONTHS),
    parts=_PARTS,
    joint=" ",
    short_months=tuple("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()),
    short_weekdays=tuple("Mon Tue Wed Thu Fri Sat Sun".split()),
    write=_write_english_date,
    verbs="was|is|were|will|has|had",
    steps=r"^(?:this past|last|past|previous|this|next|coming) ",
    written=(
        r",? (?:(?:on|in|at|around)"
        rf"(?: the (?:week|weekend|end|start|beginning|middle|{'|'.join(_PARTS.values())}) of| (?:{_FEASTS})"
        r"| (?:early|late|mid)| the)?[ -])?(?:\d{1,2}(?:st|nd|rd|th)? (?:of )?)?"
        rf"(?:(?:{'|'.join(_MONTHS)}) (?:\d{{1,2}}(?:st|nd|rd|th)?, )?)?(?:19|20)\d\d\b"
    ),
)
