"""Writes remembered things as lines of a prompt: quoted, on one line, never able to close the frame they stand in."""

from __future__ import annotations

import re

# Type checkers know the name; a hook of a coding agent has no time to import it from `typing`.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime, tzinfo

    from recollect.kinds import Kind
    from recollect.lang.base import Language
    from recollect.records import Document, Question, Record

_TAG = re.compile(r"<(?=[/!?a-zA-Z])")
_SPACES = re.compile(r"\s+")
_LEVELS = ((0.9, "high"), (0.7, "medium"), (0.0, "low"))


def quoted(text: str) -> str:
    """A text on one line, unable to pass for markup of the block around it."""
    return _TAG.sub("‹", _SPACES.sub(" ", text).strip())


def short_date(moment: datetime, *, now: datetime, zone: tzinfo, language: Language) -> str:
    """A day as people write it, with the year only when it is another one."""
    return language.dates.label_day(moment.astimezone(zone).date(), this_year=now.astimezone(zone).year)


def level(confidence: float) -> str:
    """High, medium or low."""
    return next(name for least, name in _LEVELS if confidence >= least)


def record_line(
    line: str, record: Record, *, kind: Kind, sources: Mapping[str, Record], now: datetime, zone: tzinfo,
    language: Language, warning: str = "",
) -> str:  # fmt: skip
    """A record in the form that the section gives; `warning` is what must be said of it beside its text."""
    date = short_date(record.at, now=now, zone=zone, language=language)
    values = {
        "text": quoted(record.text),
        "short": quoted(record.summary or record.text),
        "label": kind.label,
        "kind": kind.shown_as,
        "date": date,
        "author": quoted(record.author or record.role),
        "title": quoted(record.title),
        "source": _source(record, sources, now=now, zone=zone, language=language),
        "id": record.id,
        "confidence": language.texts.labels[level(record.confidence)],
        "area": quoted(str(record.metadata.get("area", ""))),
        "file": quoted(str(record.metadata.get("file", ""))),
        "warning": quoted(warning),
    }
    return _filled(line, values)


def entry_line(line: str, text: str, *, source: str) -> str:
    """An entry of a document in the form that the section gives."""
    return _filled(line, {"text": quoted(text), "short": quoted(text), "source": source})


def question_line(line: str, question: Question) -> str:
    """A question to ask, in the form that the section gives."""
    return _filled(line, {"question": quoted(question.text), "text": quoted(question.text)})


def entry_source(
    sources: Mapping[str, Record], ids: tuple[str, ...], *, now: datetime, zone: tzinfo, language: Language
) -> str:
    """Where an entry of a document was learnt: title and date of its newest source."""
    known = [sources[i] for i in ids if i in sources]
    if not known:
        return language.texts.labels["unknown_source"]
    return _place(max(known, key=lambda r: r.at), now=now, zone=zone, language=language)


def name_line(line: str, *, name: str, section: str = "") -> str:
    """A frame or a heading with a person's or a section's name."""
    return _filled(line, {"name": quoted(name).replace('"', "'"), "section": section})


def grouped(document: Document) -> dict[str, list[int]]:
    """The places of a document's entries by section, in the order in which the sections first stand."""
    groups: dict[str, list[int]] = {}
    for place, entry in enumerate(document.entries):
        groups.setdefault(entry.section, []).append(place)
    return groups


def _source(record: Record, sources: Mapping[str, Record], *, now: datetime, zone: tzinfo, language: Language) -> str:
    known = [sources[s] for s in record.sources if s in sources]
    return _place(max(known, key=lambda r: r.at) if known else record, now=now, zone=zone, language=language)


def _place(record: Record, *, now: datetime, zone: tzinfo, language: Language) -> str:
    date, labels = short_date(record.at, now=now, zone=zone, language=language), language.texts.labels
    who = labels["said_by"].format(author=record.author) if record.conversation else labels["noted"]
    who = quoted(record.title or who)
    return f"{who}, {date}"


def _filled(line: str, values: Mapping[str, str]) -> str:
    return re.sub(r"{(\w+)}", lambda m: values.get(m[1], ""), line).rstrip(" ")
