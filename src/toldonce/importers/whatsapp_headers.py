"""The beginning of a line of WhatsApp: a date and a time as phones write them, in the formats of any country.

What a line says is kept as numbers; a day follows once the order of day, month and year in the whole file is known.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

# Marks of writing direction, and the blanks that some languages have in place of a space: no-break, narrow, thin.
_MARKS = dict.fromkeys(map(ord, "\u200e\u200f\u061c\u202a\u202b\u202c\u2066\u2067\u2068\u2069\ufeff"))
_SIGNS = _MARKS | dict.fromkeys(map(ord, "\u202f\u00a0\u2009"), " ") | {0x060C: ",", 0xFF0C: ","}
# Parts of the day beside hours up to twelve, without dots and blanks: Unicode's words (CLDR) and those of older phones.
_MORNING = frozenset({
    # Latin script, Greek and Cyrillic.
    "am", "πμ", "дп", "öö", "pg", "sa", "ap", "fm", "fh", "vm", "de", "dop", "dopoldne", "pd", "eparadites",
    "priešpiet", "priekšp", "priekšpusdienā", "damanhã", "manhã", "mat", "matin", "delamañana", "mañana",
    "vorm", "vormittag", "прпдн", "проб", "преподне", "претпл", "пријеподне", "prijepodne", "to", "то", "тң",
    "үө", "ам",
    # Arabic and Hebrew script.
    "ص", "صباحا", "صباحًا", "قظ", "قبلازظهر", "قبلدوپہر", "غم", "בבוקר", "לפנהצ",
    # Scripts of India, South-East Asia and Ethiopia.
    "पूर्वाह्न", "मपू", "सुबह", "भोर", "পূর্বাহ্ণ", "সকাল", "ভোর", "முற்பகல்", "மு.ப", "మధ్యాహ్నముకుముందు", "ઉદયાસ્ત", "ਪੂਦੁ",
    "ಪೂರ್ವಾಹ್ನ", "രാവിലെ", "පෙව", "ก่อนเที่ยง", "ກ່ອນທ່ຽງ", "နံနက်", "ព្រឹក", "ጥዋት",
    # Chinese, Japanese and Korean.
    "上午", "清晨", "早上", "凌晨", "午夜", "午前", "오전", "새벽", "아침",
})  # fmt: skip
_AFTERNOON = frozenset({
    "pm", "μμ", "пп", "ös", "ptg", "ch", "ip", "em", "eh", "nm", "du", "odp", "pop", "popoldne", "md", "epasdites",
    "popiet", "pēcp", "pēcpusdienā", "datarde", "tarde", "soir", "delatarde", "delanoche", "nachm", "nachmittag",
    "слпдн", "слоб", "поподне", "попл", "послијеподне", "popodne", "tk", "тк", "үх", "пм",
    "م", "مساء", "مساءً", "بظ", "بعدازظهر", "بعددوپہر", "غو", "בערב", "אחהצ",
    "अपराह्न", "मउ", "दोपहर", "शाम", "অপরাহ্ণ", "দুপুর", "বিকাল", "সন্ধ্যা", "பிற்பகல்", "ਬਾਦੁ", "ಅಪರಾಹ್ನ", "ഉച്ചയ്ക്ക്",
    "വൈകുന്നേരം", "පව", "หลังเที่ยง", "ຫຼັງທ່ຽງ", "ညနေ", "ល្ងាច", "ከሰዓት",
    "下午", "中午", "晚上", "午後", "오후", "저녁",
})  # fmt: skip
# A night begins before midnight and ends after it.
_NIGHT = frozenset({"रात", "রাত", "இரவு", "രാത്രി", "밤", "noche", "đêm", "malam"})
_NIGHT_FROM_HOUR = 6
# What else is between a date and a time or behind them, without a meaning of its own.
_OTHER_WORDS = frozenset({
    "", "à", "às", "a", "alas", "ala", "klo", "kl", "um", "om", "ve", "u", "uhr", "pukul", "jam", "at", "o", "ore",
    "alle", "saat", "г", "ч", "в", "о", "lúc", "في", "بوقت", "ساعت", "को", "בשעה", "h", "god",
})  # fmt: skip
_DROPPED = dict.fromkeys(map(ord, " .,'’\u200c"))
# These languages put the year first, also where it has two digits.
_YEAR_FIRST = re.compile("[年년]|[午오]|早上|晚上|清晨|凌晨|새벽|아침|저녁|밤")

_WORD = r"[^\W\d_][^\d\[\]:\n]{0,20}?"
_DATE = r"(?P<a>\d{1,4})(?P<gap>[/.\-年년] ?)(?P<b>\d{1,2})[/.\-月월] ?(?P<c>\d{1,4})(?P<dot>[.日일]?)"
_TIME = (
    r"(?P<hour>\d{1,2})(?:[:.]| h )(?P<minute>\d{2})(?:(?:[:.]| min )(?P<second>\d{2})(?: s)?)?"
    rf"(?: ?(?P<behind>{_WORD}))??"
)
# Old exports have a colon behind the seconds; a line that continues a message may look like that, too.
_END = r"(?P<end>\]| [-–]|(?(second):|(?!))) (?P<rest>.*)"
_HEADERS = (
    re.compile(rf"\[?{_DATE},? (?:(?P<before>{_WORD})[ ,]*)??{_TIME}{_END}", re.DOTALL),
    re.compile(rf"\[?(?:(?P<before>{_WORD}) ?)??{_TIME},? {_DATE}{_END}", re.DOTALL),
)

ORDERS = ("dmy", "mdy", "ymd")
_EARLIEST_YEAR, _LATEST_YEAR = 2009, 2060
# Thailand counts years from 543 years earlier. The Persian year 1388 began with spring of 2009; of 33 years these are
# the long ones. Other calendars (of the Hijra, of Japan's eras) are refused.
_BUDDHIST_YEARS = 543
_PERSIAN_FROM, _PERSIAN_START, _PERSIAN_CYCLE = 1388, date(2009, 3, 21), 33
_LONG_PERSIAN_YEARS = frozenset({1, 5, 9, 13, 17, 22, 26, 30})


class LineHeader(NamedTuple):
    """Date and time as a line says them; `words` are all that the time has beside it."""

    numbers: tuple[int, int, int]
    time: tuple[int, int, int]
    words: tuple[str, ...]
    is_year_first: bool
    is_old_style: bool


def read_header(line: str) -> tuple[LineHeader, str] | None:
    """The header of a line, and the text behind it; None for a line that has none."""
    text = line.translate(_SIGNS)
    found = next(filter(None, (pattern.match(text) for pattern in _HEADERS)), None)
    if found is None:
        return None
    header = LineHeader(
        numbers=(int(found["a"]), int(found["b"]), int(found["c"])),
        time=(int(found["hour"]), int(found["minute"]), int(found["second"] or 0)),
        words=tuple(found[name] for name in ("before", "behind") if found[name]),
        is_year_first=bool(_YEAR_FIRST.search(text[: found.start("end")])) or _is_korean_date(found),
        is_old_style=found["end"] == ":",
    )
    return header, found["rest"]


def _is_korean_date(found: re.Match[str]) -> bool:
    """Whether a date is written like `25. 3. 2.`, which Koreans do also beside 24 hours."""
    return found["gap"] == ". " and found["dot"] == "." and len(found["a"]) != 1 and len(found["c"]) < 4


def remove_marks(text: str) -> str:
    """A text without marks of writing direction."""
    return text.translate(_MARKS)


def find_order(headers: Sequence[LineHeader]) -> str:
    """`dmy`, `mdy` or `ymd`: the order in which most dates are dates, follow each other, and lie closest together."""
    is_american = any("AM" in header.words or "PM" in header.words for header in headers[:1])
    # Where the dates leave it open: of countries with capitals beside the hour most write the month first.
    likeliest = ("mdy", "dmy", "ymd") if is_american else ORDERS
    if headers and headers[0].is_year_first:
        likeliest = ("ymd", "dmy", "mdy")
    return min(likeliest, key=lambda order: _count_misfits(headers, order))


def _count_misfits(headers: Sequence[LineHeader], order: str) -> tuple[int, int, timedelta]:
    """How many dates are none in this order, how often a day is before the one above it, and the time between all."""
    dates = [day_of(header, order) for header in headers]
    days = [day for day in dates if day is not None]
    span = max(days) - min(days) if days else timedelta()
    return dates.count(None), sum(later < earlier for earlier, later in pairwise(days)), span


def has_late_hours(headers: Sequence[LineHeader]) -> bool:
    """Whether hours are counted to 24, so that an unknown word beside them cannot change them."""
    return any(header.time[0] > 12 for header in headers)


def moment_of_header(header: LineHeader, order: str, *, is_24_hours: bool) -> datetime | str:
    """The moment that a header says, or why it says none."""
    day = day_of(header, order)
    if day is None:
        return f"a date that is none in the order {order} of this file"
    hour = _hour_of(header, is_24_hours=is_24_hours)
    if hour is None:
        return "a time with a word beside it that is not known: it may mean morning or afternoon"
    try:
        return datetime(day.year, day.month, day.day, hour, *header.time[1:], tzinfo=UTC)
    except ValueError:
        return "a time that is none"


def _hour_of(header: LineHeader, *, is_24_hours: bool) -> int | None:
    hour = header.time[0]
    words = {word.casefold().translate(_DROPPED) for word in header.words}
    if hour > 12 or words <= _OTHER_WORDS:
        return hour
    if words & _MORNING:
        return hour % 12
    if words & _AFTERNOON:
        return hour % 12 + 12
    if words & _NIGHT:
        return hour + 12 if _NIGHT_FROM_HOUR <= hour < 12 else hour % 12
    return hour if is_24_hours else None


def day_of(header: LineHeader, order: str) -> date | None:
    """The day that a header says if its numbers are in this order; None where that is no day."""
    by_letter = dict(zip(order, header.numbers, strict=True))
    year, month, day = by_letter["y"], by_letter["m"], by_letter["d"]
    if year < 100:
        # A year in front has four digits, except where all put it there.
        if order == "ymd" and not header.is_year_first:
            return None
        year += 2500 if 2500 + year - _BUDDHIST_YEARS >= _EARLIEST_YEAR else 2000
    try:
        if _EARLIEST_YEAR <= year - _BUDDHIST_YEARS <= _LATEST_YEAR:
            return date(year - _BUDDHIST_YEARS, month, day)
        if _EARLIEST_YEAR <= year <= _LATEST_YEAR:
            return date(year, month, day)
    except ValueError:
        return None
    return _from_persian(year, month, day)


def _from_persian(year: int, month: int, day: int) -> date | None:
    """A day of the Persian calendar: six months of 31 days, five of 30, and one of 29 or 30."""
    if not _PERSIAN_FROM <= year < _PERSIAN_FROM + _LATEST_YEAR - _EARLIEST_YEAR or not 1 <= month <= 12:
        return None
    longest = 31 if month <= 6 else 30 if month < 12 or _is_long(year) else 29
    if not 1 <= day <= longest:
        return None
    years = sum(365 + _is_long(one) for one in range(_PERSIAN_FROM, year))
    return _PERSIAN_START + timedelta(days=years + (month - 1) * 31 - max(0, month - 7) + day - 1)


def _is_long(year: int) -> bool:
    return year % _PERSIAN_CYCLE in _LONG_PERSIAN_YEARS
