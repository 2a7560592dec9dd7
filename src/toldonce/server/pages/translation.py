"""Sentences, dates and numbers in the reader's language. Sentences are data: one TOML file for each language."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cache
from importlib import resources
from typing import Any
from zoneinfo import ZoneInfo

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_skeleton, format_time
from babel.numbers import format_decimal, format_percent
from markupsafe import Markup, escape

Sentence = str | Mapping[str, str]
DEFAULT_LANGUAGE = "en"
_FOLDER = resources.files("toldonce.server") / "locale"


@cache
def list_languages() -> dict[str, str]:
    """The languages of the pages with their own names, the default first."""
    codes = sorted(file.name.removesuffix(".toml") for file in _FOLDER.iterdir() if file.name.endswith(".toml"))
    codes.sort(key=lambda code: code != DEFAULT_LANGUAGE)
    return {code: str(load_sentences(code)["language.name"]) for code in codes}


@cache
def load_sentences(language: str) -> dict[str, Sentence]:
    """Every sentence of a language by its key, `page.name`; one with plural forms is a table."""
    tables = tomllib.loads((_FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
    return {f"{page}.{name}": text for page, rows in tables.items() for name, text in rows.items()}


def choose_locale(wanted: str, accepted: str) -> Locale:
    """The language that a person chose, else the first one of their browser that the pages have, with its region."""
    said = [part.split(";")[0].strip().replace("-", "_") for part in accepted.split(",")][:20]
    known = list_languages()
    language = (
        wanted
        if wanted in known
        else next((code for one in said if (code := one[:2].lower()) in known), DEFAULT_LANGUAGE)
    )
    regional = next((one for one in said if one.lower().startswith(f"{language}_")), "")
    for name in (regional, str(load_sentences(language)["language.locale"])):
        try:
            found = Locale.parse(name) if name else None
        except (UnknownLocaleError, ValueError):
            found = None
        if found is not None and found.language == language:
            return found
    return Locale(language)


def read_moment(value: datetime | str) -> datetime:
    """A moment as operations answer with it."""
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


class PageTexts:
    """Says things in one language, with the dates of one time zone, as seen at one moment."""

    def __init__(self, locale: Locale, *, zone: ZoneInfo, now: datetime) -> None:
        self.locale = locale
        self.language: str = locale.language
        self.zone = zone
        self.now = now.astimezone(zone)
        self._sentences = load_sentences(self.language)

    def __call__(self, key: str, **parts: Any) -> Markup:
        """A sentence with its parts; `count` chooses the plural form, numbers are written as the language does."""
        sentence = self._sentences[key]
        if not isinstance(sentence, str):
            form = self.locale.plural_form(parts["count"])
            sentence = sentence.get(form) or sentence["other"]
        written = {name: self.number(part) if type(part) is int else part for name, part in parts.items()}
        return escape(sentence).format(**written)

    def has(self, key: str) -> bool:
        """Whether there is such a sentence: for names that data brings, such as kinds."""
        return key in self._sentences

    def name_of(self, group: str, code: str) -> str | Markup:
        """The word of a closed set, such as a kind or a state; what is unknown is shown as it is written."""
        key = f"{group}.{code}"
        return self(key) if key in self._sentences else code.replace("_", " ")

    def join(self, items: Sequence[str | Markup]) -> Markup:
        """Items as a list within a sentence."""
        return Markup(", ").join(items)

    # Numbers

    def number(self, value: float) -> str:
        """A whole number."""
        return str(format_decimal(value, format="#,##0", locale=self.locale))

    def fraction(self, value: float) -> str:
        """A number between 0 and 1 with two places."""
        return str(format_decimal(value, format="0.00", locale=self.locale))

    def percent(self, value: float) -> str:
        """A share."""
        return str(format_percent(value, locale=self.locale))

    def chance(self, value: float) -> str:
        """How likely something is, with more places the less likely it is."""
        places = 2 if value >= 0.1 else 3 if value >= 0.01 else 4
        return str(format_percent(round(value, places), locale=self.locale, decimal_quantization=False))

    # Moments

    def local(self, value: datetime | str) -> datetime:
        """A moment in the reader's time zone."""
        return read_moment(value).astimezone(self.zone)

    def day(self, value: datetime | str | date) -> Markup:
        """A day with its year."""
        return self._time(value, self._long_day(value))

    def short_day(self, value: datetime | str | date) -> Markup:
        """A day without its year while it is of this one."""
        day = self._local_day(value)
        noon = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
        skeleton = "MMMd" if day.year == self.now.year else "yMMMd"
        return self._time(value, str(format_skeleton(skeleton, noon, locale=self.locale)))

    def clock(self, value: datetime | str) -> Markup:
        """The time of a day."""
        return self._time(value, format_time(self.local(value), "short", tzinfo=self.zone, locale=self.locale))

    def moment(self, value: datetime | str) -> Markup:
        """A day and its time."""
        local = self.local(value)
        said = self(
            "date.moment",
            day=self._long_day(value),
            time=format_time(local, "short", tzinfo=self.zone, locale=self.locale),
        )
        return self._time(value, said)

    def recent(self, value: datetime | str) -> Markup:
        """A moment as people say it: the time today, "yesterday", else the day."""
        local = self.local(value)
        if local.date() == self.now.date():
            return self.clock(value)
        if local.date() == self.now.date() - timedelta(days=1):
            return self._time(value, self("date.yesterday"))
        return self.short_day(value)

    def _long_day(self, value: datetime | str | date) -> str:
        return str(format_date(self._local_day(value), "long", locale=self.locale))

    def _local_day(self, value: datetime | str | date) -> date:
        return value if isinstance(value, date) and not isinstance(value, datetime) else self.local(value).date()

    def _time(self, value: datetime | str | date, said: str) -> Markup:
        exact = value if isinstance(value, str) else value.isoformat()
        return Markup('<time datetime="{}">{}</time>').format(exact, said)
