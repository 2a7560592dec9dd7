"""Writes remembered things as lines of a prompt: quoted, on one line, unable to close the frame around them.

Import-free: hooks of coding agents load this module without the engine, so that both write the same lines.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime, tzinfo
    from typing import Any, Protocol

    from toldonce.lang.base import Language
    from toldonce.records import Document, Question, Record

    class Remembered(Protocol):
        """What a line shows: a record, or a row that a hook read."""

        @property
        def id(self) -> str:
            """Its name in the store."""

        @property
        def text(self) -> str:
            """What is remembered."""

        @property
        def summary(self) -> str:
            """The same in short, if there is a short form."""

        @property
        def title(self) -> str:
            """Its title, if it has one."""

        @property
        def at(self) -> datetime:
            """When it was said."""

        @property
        def author(self) -> str:
            """Who said it."""

        @property
        def role(self) -> str:
            """In which role."""

        @property
        def confidence(self) -> float:
            """How sure it is, 0 to 1."""

        @property
        def metadata(self) -> Mapping[str, Any]:
            """What is known beside its text."""


_TAG = re.compile(r"<(?=[/!?a-zA-Z])")
_FIELD = re.compile(r"( ?){(\w+)}")
_TRAILING_SPACES = re.compile(r" +$", re.MULTILINE)
_LEVELS = ((0.9, "high"), (0.7, "medium"), (0.0, "low"))


def quote_line(text: str) -> str:
    """A text on one line, unable to pass for markup of the block around it."""
    line = " ".join(text.split())
    return _TAG.sub("‹", line) if "<" in line else line


def format_short_date(moment: datetime, *, now: datetime, zone: tzinfo, language: Language) -> str:
    """A day as people write it, with the year only when it is another one."""
    from toldonce.lang.wording import label_day

    return label_day(moment.astimezone(zone).date(), language, this_year=now.astimezone(zone).year)


def confidence_level(confidence: float) -> str:
    """High, medium or low."""
    return next(name for least, name in _LEVELS if confidence >= least)


def record_line(
    line: str,
    record: Remembered,
    *,
    label: str,
    shown_kind: str,
    date: str = "",
    source: str = "",
    confidence: str = "",
    warning: str = "",
    answers: str = "",
) -> str:
    """A record in the form that the section gives; `warning` is what must be said of it beside its text.

    `answers` is what a reply answers. Who said it is named once.
    """
    author = record.author or record.role
    said = record.text.removeprefix(f"{author}: ") if "{author}" in line else record.text
    text = f"{said}  (← {answers})" if answers else said
    values = {
        "text": quote_line(text),
        "short": quote_line(record.summary or record.text),
        "label": label,
        "kind": shown_kind,
        "date": date,
        "author": quote_line(author),
        "title": quote_line(record.title),
        "source": source,
        "id": record.id,
        # Where a line shows a summary, the id leads to the whole text.
        "more": f"({record.id})" if record.summary else "",
        "confidence": confidence or confidence_level(record.confidence),
        "area": quote_line(str(record.metadata.get("area") or "")),
        "file": quote_line(str(record.metadata.get("file") or "")),
        "warning": quote_line(warning),
    }
    return _fill_line_template(line, values)


def entry_line(line: str, text: str, *, source: str) -> str:
    """An entry of a document in the form that the section gives."""
    return _fill_line_template(line, {"text": quote_line(text), "short": quote_line(text), "source": source})


def strip_name(text: str, names: Iterable[str]) -> str:
    """A line of somebody's document without their name at its beginning: they may be called otherwise today."""
    return next((text[len(name) + 1 :] for name in names if text.startswith(f"{name} ")), text)


def doubted_line(older: Remembered, *, date: str, since: str, language: Language) -> str:
    """A doubted record in the line under the newer one that probably ended it, with the dates of both."""
    said = quote_line(older.summary or older.text)
    return f"  ({language.texts.labels['doubted'].format(date=date, text=said, since=since)})"


def lines_beneath(text: str, at: datetime, doubted: Iterable[Remembered], *, now: datetime, zone: tzinfo) -> list[str]:
    """A line for each doubted record under the newer text that probably ended it, in the language of that text."""
    from toldonce.lang.wording import choose_language

    if not (some := list(doubted)):
        return []
    language = choose_language("", (text,))

    def day(moment: datetime) -> str:
        return format_short_date(moment, now=now, zone=zone, language=language)

    return [doubted_line(one, date=day(one.at), since=day(at), language=language) for one in some]


def since_line(newer: Remembered, *, date: str, language: Language) -> str:
    """A newer record in the line under a message some of whose words it probably ended."""
    return f"  ({language.texts.labels['since'].format(date=date, text=quote_line(newer.summary or newer.text))})"


def question_line(line: str, question: Question) -> str:
    """A question to ask, in the form that the section gives."""
    return _fill_line_template(line, {"question": quote_line(question.text), "text": quote_line(question.text)})


def record_source(
    record: Record, sources: Mapping[str, Record], *, now: datetime, zone: tzinfo, language: Language
) -> str:
    """Where a record was learnt: title and date of its newest source, or its own."""
    known = [sources[s] for s in record.sources if s in sources]
    return _describe_origin(max(known, key=lambda r: r.at) if known else record, now=now, zone=zone, language=language)


def entry_source(
    sources: Mapping[str, Record], ids: tuple[str, ...], *, now: datetime, zone: tzinfo, language: Language
) -> str:
    """Where an entry of a document was learnt: title and date of its newest source."""
    known = [sources[i] for i in ids if i in sources]
    if not known:
        return language.texts.labels["unknown_source"]
    return _describe_origin(max(known, key=lambda r: r.at), now=now, zone=zone, language=language)


def name_line(line: str, *, name: str, section: str = "") -> str:
    """A frame or a heading with a person's or a section's name."""
    return _fill_line_template(line, {"name": quote_line(name).replace('"', "'"), "section": section})


def group_by_section(document: Document) -> dict[str, list[int]]:
    """The places of a document's entries by section, in the order in which the sections first stand."""
    groups: dict[str, list[int]] = {}
    for place, entry in enumerate(document.entries):
        groups.setdefault(entry.section, []).append(place)
    return groups


def _describe_origin(record: Record, *, now: datetime, zone: tzinfo, language: Language) -> str:
    date, labels = format_short_date(record.at, now=now, zone=zone, language=language), language.texts.labels
    who = labels["said_by"].format(author=record.author) if record.conversation else labels["noted"]
    who = labels["journal"] if record.origin == "journal" else who
    who = quote_line(record.title or who)
    return f"{who}, {date}"


def _fill_line_template(line: str, values: Mapping[str, str]) -> str:
    """The line with its fields filled in; a field with nothing to say leaves no space behind."""
    filled = _FIELD.sub(lambda m: f"{m[1]}{value}" if (value := values.get(m[2], "")) else "", line)
    return _TRAILING_SPACES.sub("", filled)
