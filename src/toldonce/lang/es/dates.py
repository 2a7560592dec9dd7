"""How dates are written into Spanish sentences."""

from __future__ import annotations

import re

from toldonce.lang.dates import NAMED, Dates, ExactDate

_BEFORE = re.compile(
    r"(?:\b(?P<governs>desde|hasta|para|entre|sobre|tras|durante) )?(?:\b(?:(?P<of>del?(?: la)?)|en el|en la|en|el"
    r"|la|al?"
    r"|los|las) )?$",
    re.I,
)
# The words before the date and their article.
_FORMS = {
    "day": ("", "el"), "part": ("{part} del ", "la"), "week": ("semana del ", "la"),
    "weekend": ("fin de semana del ", "el"), "month": ("", ""), "year": ("", ""), "feast": ("{feast} de ", ""),
    "long feast": ("{feast} de ", ""),
}  # fmt: skip
# These take no preposition of their own: "el 3 de mayo", "la semana del 3 de mayo".
_ALONE = ("day", "part", "week", "weekend")
_FEMININE = re.compile(r"(?:tarde|noche|mañana|madrugada)", re.I)


def _write_spanish_date(dates: Dates, time: ExactDate, text: str, floor: int) -> tuple[int, str]:
    """Where the words to replace begin, and what to write instead of them."""
    if time.form == "number":
        return time.start, ("" if text[: time.start].lower().endswith("de ") else "de ") + dates.write_date(time)
    if time.form in NAMED:
        return time.end, f" de {time.at.year}"
    noun, article = _FORMS[time.form]
    part = dates.part_of(time)
    bare = noun.format(part=part, feast=dates.feast_of(time, text)) + dates.write_date(time)
    article = "el" if time.form == "part" and not _FEMININE.match(part) else article
    before = _BEFORE.search(text, floor, time.start)
    start = time.start if before is None else before.end("governs") + 1 if before["governs"] else before.start()
    of = (before and before["of"]) or text[time.start : time.start + 3].lower() == "de "
    if time.is_about:
        return start, f"{'de ' if of else ''}alrededor {f'del {bare}' if article == 'el' else f'de {bare}'}"
    if of:
        return start, f"del {bare}" if article == "el" else f"de {article} {bare}".replace("  ", " ")
    if time.form in _ALONE or (before and before["governs"]) or dates.is_subject(time, text, start):
        return start, f"{article} {bare}".lstrip()
    return start, f"en {bare}"


_MONTHS = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split()
_PARTS = {0: "madrugada", 5: "mañana", 12: "tarde", 18: "noche"}
_FEASTS = r"navidad(?:es)?|nochebuena|nochevieja|día de (?:navidad|reyes|muertos)|san valentín|halloween|reyes magos"

DATES = Dates(
    months=tuple(_MONTHS),
    parts=_PARTS,
    joint=" de ",
    short_months=tuple("ene feb mar abr may jun jul ago sep oct nov dic".split()),
    short_weekdays=tuple("lun mar mié jue vie sáb dom".split()),
    short_day="{day} {month}",
    short_day_of_year="{day} {month} {year}",
    glosses={"week": "semana del {date}", "weekend": "fin de semana del {date}", "about": "hacia {date}"},
    write=_write_spanish_date,
    verbs="fue|es|era|será|está|estuvo|va",
    steps=(
        r"^(?:últim[oa]s?|ultim[oa]s?|próxim[oa]s?|proxim[oa]s?|pasad[oa]s?|est[ea]s?) | (?:pasad[oa]s?|que vienen?)$"
    ),
    written=(
        rf",? (?:(?:el|la|en|alrededor de|alrededor)(?: (?:(?:fin de )?semana|{'|'.join(_PARTS.values())}) del"
        rf"| (?:inicios|principios|mediados|finales|fines) de| del| (?:{_FEASTS})(?: de)?| día)?[ -])?"
        rf"(?:\d{{1,2}} (?:de )?)?(?:(?:{'|'.join(_MONTHS)}) (?:de )?)?(?:19|20)\d\d\b"
    ),
)
