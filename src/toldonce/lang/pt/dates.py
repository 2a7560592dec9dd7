"""How dates are written into Portuguese sentences."""

from __future__ import annotations

import re

from toldonce.lang.dates import NAMED, Dates, ExactDate

_BEFORE = re.compile(
    r"(?:\b(?P<governs>desde|até|para|pra|entre|sobre|após|durante) )?(?:\b(?:(?P<of>d[aeo])|n[ao]|em|[ao]|à|ao) )?$",
    re.I,
)
# The words before the date, and the letter of their article.
_FORMS = {
    "day": ("", ""), "part": ("{part} de ", "a"), "week": ("semana de ", "a"), "weekend": ("fim de semana de ", "o"),
    "month": ("", ""), "year": ("", ""), "feast": ("{feast} de ", "o"), "long feast": ("{feast} de ", "o"),
}  # fmt: skip


def _write_portuguese_date(dates: Dates, time: ExactDate, text: str, floor: int) -> tuple[int, str]:
    """Where the words to replace begin, and what to write instead of them."""
    if time.form == "number":
        return time.start, ("" if text[: time.start].lower().endswith("de ") else "de ") + dates.write_date(time)
    if time.form in NAMED:
        return time.end, f" de {time.at.year}"
    noun, article = _FORMS[time.form]
    bare = noun.format(part=dates.part_of(time), feast=dates.feast_of(time, text)) + dates.write_date(time)
    article = "a" if bare.lower().startswith("véspera") else article
    before = _BEFORE.search(text, floor, time.start)
    start = time.start if before is None else before.end("governs") + 1 if before["governs"] else before.start()
    of = (before and before["of"]) or text[time.start : time.start + 4].lower() == "dest"
    if time.is_about:
        return start, f"{'de ' if of else ''}por volta de {bare}"
    if of:
        return start, f"d{article or 'e'} {bare}"
    if (before and before["governs"]) or dates.is_subject(time, text, start):
        return start, f"{article} {bare}".lstrip()
    return start, f"{f'n{article}' if article else 'em'} {bare}"


_MONTHS = "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split()
_PARTS = {0: "madrugada", 5: "manhã", 12: "tarde", 17: "noite", 18: "noite"}
_FEASTS = r"(?:véspera de |dia de )?natal|r[ée]veillon|véspera de ano novo"

DATES = Dates(
    months=tuple(_MONTHS),
    parts=_PARTS,
    joint=" de ",
    short_months=tuple("jan fev mar abr mai jun jul ago set out nov dez".split()),
    short_weekdays=tuple("seg ter qua qui sex sáb dom".split()),
    short_day="{day} {month}",
    short_day_of_year="{day} {month} {year}",
    glosses={"week": "semana de {date}", "weekend": "fim de semana de {date}", "about": "por volta de {date}"},
    write=_write_portuguese_date,
    verbs="foi|é|era|será|está|vai",
    steps=r"^(?:último|ultimo|próximo|proximo|n?este) | (?:passado|que vem)$",
    written=(
        r",? (?:(?:em|por volta de|na|no)"
        rf"(?: (?:(?:fim de )?semana|início|começo|meados|fim|final|{'|'.join(_PARTS.values())}) de"
        rf"| (?:{_FEASTS})(?: de)?| dia)?[ -])?(?:\d{{1,2}} (?:de )?)?"
        rf"(?:(?:{'|'.join(_MONTHS)}) (?:de )?)?(?:19|20)\d\d\b"
    ),
)
