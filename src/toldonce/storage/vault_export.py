"""A memory as an Obsidian vault: a folder with a note for each person, topic and day, linked with each other.

Only what counts now is written. It cannot be read back as it was; the file of JSON lines is there for that.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from toldonce.errors import InputError, ReadOnlyStore, SpaceNotFound
from toldonce.records import Record
from toldonce.storage.readable_export import (
    find_newest_documents,
    inline_markdown,
    is_current_record,
    is_message_record,
    read_records,
    write_doubted,
)
from toldonce.storage.store import Store, Tables, View
from toldonce.storage.tables.records import RecordFilter

_MOST_TOPICS = 500
_LEAST_MENTIONS = 2
_SHORTEST_TOPIC = 3
# Names of devices, which no file on Windows may have, whatever its ending.
_RESERVED = re.compile(r"con|prn|aux|nul|(?:com|lpt)[0-9]", re.IGNORECASE)
_UNFIT = re.compile(r'[\\/:*?"<>|#^\[\]\x00-\x1f]+')


def export_vault(
    store: Store, path: str | os.PathLike[str], *, space: str | None, user: str | None, now: datetime
) -> int:
    """Write the notes into a new folder, which takes its name when all are there; returns how many records."""
    target = Path(os.path.realpath(path))
    if target.exists():
        raise InputError(f"{target} is there already: choose the name of a new folder for the vault")
    if not target.parent.is_dir():
        raise ReadOnlyStore(f"the folder {target.parent} does not exist: create it first")
    stretch = RecordFilter(spaces=None if space is None else (space,), user=user)
    folder = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}-"))
    try:
        count = store.read(lambda tables: _Vault(tables, folder, stretch, now).write())
        os.replace(folder, target)
    except OSError as problem:
        raise ReadOnlyStore(f"{target} cannot be written: {problem.strerror}") from problem
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return count


class _Vault:
    """The notes of one export; each is begun when its first line comes."""

    def __init__(self, tables: Tables, folder: Path, stretch: RecordFilter, now: datetime) -> None:
        if stretch.spaces and tables.people.space(stretch.spaces[0]) is None:
            raise SpaceNotFound(f"there is no space {stretch.spaces[0]!r} to export")
        self._tables = tables
        self._folder = folder
        self._stretch = stretch
        self._now = now
        self._notes: dict[tuple[str, str], str] = {}
        self._people: dict[tuple[str, str], str] = {}
        topics = self._find_topics()
        self._topics = {topic.casefold(): topic for topic in topics}
        choices = "|".join(re.escape(inline_markdown(topic)) for topic in sorted(topics, key=len, reverse=True))
        self._names = re.compile(rf"(?<!\w)(?:{choices})(?!\w)", re.IGNORECASE) if choices else None

    def write(self) -> int:
        """Write every note; returns how many records they hold."""
        for document in find_newest_documents(self._tables, self._stretch, self._now):
            for entry in document.entries:
                line = f"- {inline_markdown(entry.section)}: {self._link_topics(entry.text)[0]}"
                beneath = (f"\n  - {write_doubted(one, entry.at)}" for one in entry.doubted)
                self._add_line("people", self._name_person(document.space, document.owner), line + "".join(beneath))
        count = 0
        for record in read_records(self._tables, self._tables.records.in_time(self._stretch)):
            if is_current_record(record, self._now):
                self._add_record(record)
                count += 1
        return count

    def _add_record(self, record: Record) -> None:
        day, (text, topics) = f"{record.at:%Y-%m-%d}", self._link_topics(record.text)
        person = self._name_person(record.space, record.user) if record.user else ""
        who = f"[[{self._find_note('people', person)}|{inline_markdown(person)}]] " if person else ""
        self._add_line("days", day, f"- {record.at:%H:%M} {who}({record.kind}): {text}")
        if is_message_record(record):
            return
        line = f"- {text} ({record.kind}, [[{self._find_note('days', day)}|{day}]])"
        line += "".join(f"\n  - {write_doubted(one, record.at)}" for one in self._find_doubted(record))
        if person:
            self._add_line("people", person, line)
        for topic in topics:
            self._add_line("topics", topic, line)

    def _find_doubted(self, record: Record) -> list[Record]:
        view = View(spaces=(), now=self._now, tenant=self._tables.tenant, user=self._stretch.user)
        if not self._tables.doubts.exist(view):
            return []
        return self._tables.doubts.find_under([record.id], view).get(record.id, [])

    def _find_topics(self) -> list[str]:
        spaces = self._stretch.spaces or [one.name for one in self._tables.people.spaces()]
        found = [row for space in spaces for row in self._tables.entities.names(space, limit=_MOST_TOPICS)]
        return [name for _, name, _, mentions in found if mentions >= _LEAST_MENTIONS and len(name) >= _SHORTEST_TOPIC]

    def _link_topics(self, text: str) -> tuple[str, list[str]]:
        """A text on one line with a link at each topic, and these topics."""
        found: dict[str, None] = {}

        def link(match: re.Match[str]) -> str:
            topic = self._topics.get(match[0].casefold())
            if topic is None:
                return match[0]
            found[topic] = None
            return f"[[{self._find_note('topics', topic)}|{match[0]}]]"

        plain = inline_markdown(text)
        return (self._names.sub(link, plain) if self._names else plain), list(found)

    def _name_person(self, space: str, user: str) -> str:
        if (space, user) not in self._people:
            known = self._tables.people.get(space, user)
            self._people[space, user] = known.name if known else user
        return self._people[space, user]

    def _find_note(self, sort: str, title: str) -> str:
        """The path of a note without its ending; names that a file cannot have are made fit, and stay apart."""
        if (sort, title) not in self._notes:
            fit = _UNFIT.sub(" ", title).strip(" .")[:80] or "untitled"
            if _RESERVED.fullmatch(fit.partition(".")[0].strip()):
                fit = f"_{fit}"
            taken = {path.casefold() for path in self._notes.values()}
            name = next(path for path in _number_names(f"{sort}/{fit}") if path.casefold() not in taken)
            self._notes[sort, title] = name
        return self._notes[sort, title]

    def _add_line(self, sort: str, title: str, line: str) -> None:
        file = self._folder / f"{self._find_note(sort, title)}.md"
        is_new = not file.exists()
        file.parent.mkdir(exist_ok=True)
        with file.open("a", encoding="utf-8", errors="replace", newline="\n") as note:
            if is_new:
                front = f"---\ntype: {sort}\ntitle: {json.dumps(title, ensure_ascii=False)}\n---\n"
                note.write(f"{front}# {inline_markdown(title)}\n\n")
            note.write(line + "\n")


def _number_names(path: str) -> Iterator[str]:
    yield path
    number = 2
    while True:
        yield f"{path} {number}"
        number += 1
