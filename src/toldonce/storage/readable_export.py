"""A memory for people to read: everything in time order, as one JSON document or as Markdown, with what still counts.

It cannot be read back; the file of JSON lines is there for that. For mem0, what is known now is written in the shape of
its `get_all`.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, BinaryIO, Literal, get_args

from toldonce.errors import InputError, SpaceNotFound
from toldonce.records import Change, Document, Record
from toldonce.storage.atomic_file import write_whole_file
from toldonce.storage.doubted_lines import fold_document
from toldonce.storage.export_format import format_utc
from toldonce.storage.store import Store, Tables, View
from toldonce.storage.tables.records import RecordFilter
from toldonce.storage.transfer import check_target

Form = Literal["jsonl", "json", "markdown", "mem0", "obsidian"]
_SUFFIXES: dict[str, Form] = {".json": "json", ".md": "markdown", ".markdown": "markdown"}
_PAGE = 500
# What would begin markup in the middle of a line; the words themselves stay as they were said.
_MARKUP = re.compile(r"([\\`<\[\]])")


def choose_form(path: str | os.PathLike[str], named: str | None = None) -> Form:
    """The form that was named, or the one that the file's ending stands for; JSON lines by default."""
    if named is None:
        return _SUFFIXES.get(os.path.splitext(os.fspath(path))[1].lower(), "jsonl")
    for form in get_args(Form):
        if named == form:
            return form  # type: ignore[no-any-return]
    raise InputError(f"there is no such format: choose one of {', '.join(get_args(Form))}")


def inline_markdown(text: str) -> str:
    """A text on one line of Markdown, with nothing in it that could begin markup."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))


def export_readable(
    store: Store, path: str | os.PathLike[str], form: Form, *, space: str | None, user: str | None, now: datetime
) -> int:
    """Write what is kept in time order, replaced and forgotten things too; returns how many records."""
    with write_whole_file(check_target(path, store)) as file:
        return write_readable(store, file, form, space=space, user=user, now=now)


def write_readable(
    store: Store, file: BinaryIO, form: Form, *, space: str | None, user: str | None, now: datetime
) -> int:
    """The same, to a file that is open."""
    pieces = _WRITERS[form]

    def write(tables: Tables) -> int:
        if space is not None and tables.people.space(space) is None:
            raise SpaceNotFound(f"there is no space {space!r} to export")
        stretch = RecordFilter(spaces=None if space is None else (space,), user=user)
        places = tables.records.in_time(stretch)
        if form in _CHOICES:
            records = zip(places, read_records(tables, places), strict=True)
            places = [place for place, record in records if _CHOICES[form](record, now)]
        for piece in pieces(tables, places, stretch, now):
            file.write(piece.encode("utf-8", "replace"))
        return len(places)

    return store.read(write)


def read_records(tables: Tables, places: list[int]) -> Iterator[Record]:
    """The records at these places, a page at a time."""
    for start in range(0, len(places), _PAGE):
        page = places[start : start + _PAGE]
        found = tables.records.by_seq(page)
        yield from (found[place] for place in page)


def _records_with_changes(tables: Tables, places: list[int]) -> Iterator[tuple[Record, list[Change]]]:
    for record in read_records(tables, places):
        yield record, tables.records.read_changes(record.id)


def find_newest_documents(tables: Tables, stretch: RecordFilter, now: datetime) -> list[Document]:
    """The newest version of each document, with each doubted line under the newer one."""
    space = stretch.spaces[0] if stretch.spaces else None
    newest: dict[tuple[str, str, str], Document] = {}
    for document in tables.documents.all(space):
        if stretch.user in (None, document.owner):
            key = (document.space, document.owner, document.name)
            newest[key] = max(newest.get(key, document), document, key=lambda d: d.version)
    view = View(spaces=stretch.spaces or (), now=now, tenant=tables.tenant, user=stretch.user)
    return [fold_document(tables, document, view) for document in newest.values()]


def write_doubted(older: Record, newer_at: datetime | None) -> str:
    """A doubted record in one line, to be written under the newer one, with the dates of both."""
    since = f" since {newer_at:%Y-%m-%d}" if newer_at else ""
    return f"earlier, {older.at:%Y-%m-%d}: {inline_markdown(older.text)} (probably over{since})"


def _records_as_json(tables: Tables, places: list[int], stretch: RecordFilter, now: datetime) -> Iterator[str]:
    head = {"exported_at": format_utc(now), "spaces": stretch.spaces, "user": stretch.user}
    yield json.dumps(head, indent=1)[:-2] + ',\n "records": ['
    for count, (record, changes) in enumerate(_records_with_changes(tables, places)):
        yield (",\n  " if count else "\n  ") + _dump_json(_record_item(record, changes, now))
    yield '\n ],\n "documents": ['
    for count, document in enumerate(find_newest_documents(tables, stretch, now)):
        entries = [
            {"section": e.section, "text": e.text, "sources": e.sources}
            | ({"doubted": [write_doubted(one, e.at) for one in e.doubted]} if e.doubted else {})
            for e in document.entries
        ]
        told = {"name": document.name, "owner": document.owner, "version": document.version, "entries": entries}
        yield (",\n  " if count else "\n  ") + _dump_json(told)
    yield "\n ]\n}\n"


def _record_item(record: Record, changes: list[Change], now: datetime) -> dict[str, Any]:
    return {
        "id": record.id,
        "type": record.kind,
        "title": record.title,
        "content": record.text,
        "space": record.space,
        "user": record.user,
        "at": format_utc(record.at),
        "created_at": format_utc(record.created_at),
        "is_current": is_current_record(record, now),
        "state": record.state,
        "state_reason": record.state_reason,
        "superseded_by": record.superseded_by,
        "superseded_at": format_utc(record.state_at) if record.state == "superseded" and record.state_at else None,
        "expires_at": format_utc(record.expires_at) if record.expires_at else None,
        "source": record.origin,
        "made_by": record.made_by,
        "sources": list(record.sources),
        "confidence": record.confidence,
        "validated": record.validated,
        "pinned": record.pinned,
        "subject": record.subject,
        "tags": list(record.tags),
        "metadata": dict(record.metadata),
        "history": [{"at": format_utc(c.at), "action": c.action, "reason": c.reason, "by": c.by} for c in changes],
    }


def _dump_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _as_markdown(tables: Tables, places: list[int], stretch: RecordFilter, now: datetime) -> Iterator[str]:
    whose = stretch.user or ", ".join(stretch.spaces or ()) or "everyone"
    yield f"# Memory of {inline_markdown(whose)}\n\nExported {now:%Y-%m-%d %H:%M} UTC; records: {len(places)}.\n"
    for document in find_newest_documents(tables, stretch, now):
        yield f"\n## {inline_markdown(document.owner)}: {inline_markdown(document.name.replace('_', ' '))}\n\n"
        for e in document.entries:
            yield f"- {inline_markdown(e.section)}: {inline_markdown(e.text)}\n"
            yield "".join(f"  - {write_doubted(one, e.at)}\n" for one in e.doubted)
    yield "\n## In time order\n"
    day = ""
    for record, changes in _records_with_changes(tables, places):
        if (today := f"{record.at:%Y-%m-%d}") != day:
            day = today
            yield f"\n### {day}\n\n"
        yield _record_entry(record, changes, now)


def _record_entry(record: Record, changes: list[Change], now: datetime) -> str:
    current = is_current_record(record, now)
    is_told = record.text.startswith(record.title)
    title = f"**{inline_markdown(record.title)}** " if record.title and not is_told else ""
    text = inline_markdown(record.text) if current else f"~~{inline_markdown(record.text)}~~"
    who = f", {inline_markdown(record.author or record.user or '')}" if record.author or record.user else ""
    lines = [f"- {record.at:%H:%M} {record.kind}{who}: {title}{text}", f"  - {_describe_state(record, current)}"]
    lines += [f"  - {c.at:%Y-%m-%d %H:%M}: {c.action}{_describe_change_reason(c)}" for c in changes]
    return "\n".join(lines) + "\n"


def _describe_state(record: Record, current: bool) -> str:
    standing = "current" if current else f"not current: {record.state}"
    said = f"{record.id}; {standing}; confidence {record.confidence:.2f}"
    validated = "; confirmed by the person" if record.validated else ""
    done = "probably ended" if record.state == "doubted" else "replaced"
    replaced = f"; {done} by {record.superseded_by}" if record.superseded_by else ""
    return said + validated + replaced + (f"; from {', '.join(record.sources)}" if record.sources else "")


def _describe_change_reason(change: Change) -> str:
    return (f" by {change.by}" if change.by else "") + (f" ({inline_markdown(change.reason)})" if change.reason else "")


def is_current_record(record: Record, now: datetime) -> bool:
    return record.is_current and (record.expires_at is None or record.expires_at > now)


def is_message_record(record: Record) -> bool:
    """Whether a record is something that was said, and not derived from it."""
    return record.conversation is not None and not record.sources


def _records_as_mem0(tables: Tables, places: list[int], _: RecordFilter, __: datetime) -> Iterator[str]:
    yield '{"results": ['
    for count, record in enumerate(read_records(tables, places)):
        yield (",\n" if count else "\n") + _dump_json(_mem0_item(record))
    yield "\n]}\n"


def _mem0_item(record: Record) -> dict[str, Any]:
    return {
        "id": record.id,
        "memory": record.text,
        "hash": hashlib.md5(record.text.encode("utf-8", "replace"), usedforsecurity=False).hexdigest(),
        "metadata": {**record.metadata, "kind": record.kind, "sources": list(record.sources)},
        "created_at": format_utc(record.at),
        "updated_at": format_utc(record.state_at or record.created_at),
        "user_id": record.user,
    }


_WRITERS: dict[str, Callable[[Tables, list[int], RecordFilter, datetime], Iterator[str]]] = {
    "json": _records_as_json,
    "markdown": _as_markdown,
    "mem0": _records_as_mem0,
}
# Which records a form has, where not all.
_CHOICES: dict[str, Callable[[Record, datetime], bool]] = {
    "mem0": lambda record, now: is_current_record(record, now) and not is_message_record(record),
}
