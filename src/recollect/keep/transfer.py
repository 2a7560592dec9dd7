"""A memory as a file of JSON lines, and back: a header, then one line for each thing that is kept.

An export is complete or not there at all; an import is taken whole or not at all. Vectors are not told: they are made
anew where the file is read.
"""

from __future__ import annotations

import errno
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from recollect import presets
from recollect.errors import BadImport, BadPreset, CorruptStore, DiskFull, InputError, ReadOnlyStore, SpaceNotFound
from recollect.keep.grams import grams_of
from recollect.keep.lines import FORMAT, HEADER, SHAPES, Unfit, checked, compact, iso, line_of, read_line, values_of
from recollect.keep.record_table import moment
from recollect.keep.store import Store, Tables
from recollect.keep.transfer_table import Place
from recollect.presets.policy import Preset
from recollect.records import Record, Trust

LONGEST_LINE = 64 * 1024 * 1024
_COUNT_WIDTH = 20


def export(store: Store, path: str | os.PathLike[str], *, space: str | None, user: str | None, now: datetime) -> int:
    """Write what is kept, all of it or of one space or person, to a file; returns how many lines follow the header."""
    target = target_of(path, store)
    header = {"recollect": FORMAT, "exported_at": iso(now), "space": space, "user": user}
    with whole_file(target) as file:
        return store.read(lambda tables: _write(file, tables, header))


class Screen(Protocol):
    """What every line passes before it is kept; see `capture.import_gate`."""

    def __call__(self, type_: str, values: dict[str, Any], preset: Preset) -> dict[str, Any] | None:
        """The values as they may be kept; None to leave the line out, InputError to refuse the whole file."""


def import_(store: Store, path: str | os.PathLike[str], *, screen: Screen | None = None) -> int:
    """Read an export, all of it or nothing; what is here already stays as it is. Returns how many lines.

    Without a screen every line that fits is taken; a memory passes its gate.
    """
    try:
        with open(path, "rb") as file:
            return store.write(lambda tables: _Arrivals(tables, screen).take(file))
    except OSError as problem:
        raise BadImport(f"{os.fspath(path)} cannot be read: {problem.strerror}") from problem


def _write(file: BinaryIO, tables: Tables, header: Mapping[str, Any]) -> int:
    """The header is written first without and last with the number of lines, which tells a file that was cut short."""
    if header["space"] is not None and tables.people.space(header["space"]) is None:
        raise SpaceNotFound(f"there is no space {header['space']!r} to export")
    file.write(_header_line(header, 0))
    count = 0
    for type_ in SHAPES:
        for row in tables.transfer.rows(type_, space=header["space"], user=header["user"]):
            file.write(_line(type_, row))
            count += 1
    file.seek(0)
    file.write(_header_line(header, count))
    return count


def _line(type_: str, row: Sequence[Any]) -> bytes:
    try:
        return line_of(type_, row).encode() + b"\n"
    except (ValueError, TypeError, KeyError, RecursionError) as problem:
        raise CorruptStore(f"a {type_} cannot be read: run `recollect doctor --repair`, then export again") from problem


def _header_line(header: Mapping[str, Any], count: int) -> bytes:
    return compact({**header, "lines": count}).encode() + b" " * (_COUNT_WIDTH - len(str(count))) + b"\n"


def target_of(path: str | os.PathLike[str], store: Store) -> Path:
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise ReadOnlyStore(f"the folder {target.parent} does not exist: create it first")
    if target.exists() and not target.is_file():
        raise InputError(f"{target} is not a file: choose another name for the export")
    if str(target) in {os.path.realpath(store.place) + end for end in ("", "-wal", "-shm")}:
        raise InputError(f"{target} is the memory itself: choose another name for the export")
    return target


@contextmanager
def whole_file(target: Path) -> Iterator[BinaryIO]:
    """A file that takes its name only when it is complete and on disk."""
    part = None
    try:
        descriptor, part = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}.", suffix=".part")
        with open(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, target)
        part = None
    except OSError as problem:
        kind = DiskFull if problem.errno in (errno.ENOSPC, errno.EDQUOT) else ReadOnlyStore
        raise kind(f"{target} cannot be written: {problem.strerror}") from problem
    finally:
        if part is not None:
            Path(part).unlink(missing_ok=True)


class _Arrivals:
    """Takes the lines of one file into one transaction."""

    def __init__(self, tables: Tables, screen: Screen | None) -> None:
        self._tables = tables
        self._screen = screen
        # Records after this place came with this file; all others stay as they are, with their history and links.
        self._before = tables.transfer.last()
        self._presets: dict[str, Preset] = {}
        self._take: Mapping[str, Callable[[dict[str, Any]], None]] = {
            "space": self._space, "person": self._plain("import_person"), "member": self._plain("import_member"),
            "conversation": self._conversation, "record": self._record, "change": self._change, "link": self._link,
            "entity": self._entity, "document": self._plain("import_document"), "question": self._question,
            "setting": self._plain("import_setting"),
        }  # fmt: skip

    def take(self, file: BinaryIO) -> int:
        """Take every line after the header; the first that does not fit stops the whole import."""
        number = 1
        try:
            promised = _check_header(file.readline(LONGEST_LINE))
            while raw := file.readline(LONGEST_LINE):
                number += 1
                if len(raw) == LONGEST_LINE:
                    raise Unfit("is too long")
                self._take_line(*values_of(read_line(raw)))
        except (Unfit, InputError) as problem:
            raise BadImport(f"line {number}: {problem}; nothing was imported", line=number) from None
        if promised is not None and promised != number - 1:
            raise BadImport(
                f"the file has {number - 1} lines after its header, not the {promised} that were exported: "
                "it was cut short or changed; nothing was imported",
                line=number,
            )
        return number - 1

    def _take_line(self, type_: str, values: dict[str, Any]) -> None:
        """Keep one line as far as the screen lets it in."""
        preset = self._preset_for(type_, values)
        if type_ == "record" and values["kind"] not in preset.kinds:
            raise Unfit(f"'kind' of the record is none of the {preset.name} preset")
        screened = self._screen(type_, values, preset) if self._screen is not None else values
        if screened is not None:
            self._take[type_](screened)

    def _preset_for(self, type_: str, values: dict[str, Any]) -> Preset:
        """The preset by which a line is screened: that of its space, or of the space of the record it is about."""
        if type_ == "space":
            return _preset_of(values["preset"], values["preset_text"])
        if type_ in ("change", "link"):
            return self._preset(self._known(values["record" if type_ == "change" else "source"]).space)
        return self._preset(values["space"])

    def _plain(self, query: str) -> Callable[[dict[str, Any]], None]:
        def take(values: dict[str, Any]) -> None:
            self._preset(values["space"])
            self._tables.transfer.put(query, values)

        return take

    def _space(self, values: dict[str, Any]) -> None:
        here = self._tables.people.space(values["name"])
        if here is not None and here.preset != values["preset"]:
            raise Unfit(
                f"the space {here.name!r} was exported with the preset {values['preset']!r}, and is here with "
                f"{here.preset!r}: import it into a memory of its own preset"
            )
        preset = _preset_of(values["preset"], values["preset_text"])
        if self._tables.transfer.put("import_space", values):
            self._presets[values["name"]] = preset

    def _preset(self, space: str) -> Preset:
        """The preset of a space, which also shows that the space is known."""
        if space not in self._presets:
            here = self._tables.people.space(space)
            if here is None:
                raise Unfit("names a space that is neither here nor told before this line")
            self._presets[space] = _preset_of(here.preset, here.preset_text)
        return self._presets[space]

    def _conversation(self, values: dict[str, Any]) -> None:
        self._preset(values["space"])
        conversations = self._tables.conversations
        if conversations.get(values["id"]) is not None:
            return
        if values["state"] == "open" and conversations.open_one(values["space"], values["key"]) is not None:
            values |= {"state": "ended", "ended_by": "import"}
        self._tables.transfer.put("restore_conversation", values)

    def _record(self, values: dict[str, Any]) -> None:
        preset = self._preset(values["space"])
        if self._tables.transfer.place(values["id"]) is None:
            embed = preset.kinds[values["kind"]].embedded
            self._tables.records.add(_record_of(values), embed=embed, grams=grams_of(values["text"]))

    def _change(self, values: dict[str, Any]) -> None:
        place = self._known(values["record"])
        if place.seq > self._before:
            self._tables.transfer.put("add_change", {**values, "space": place.space})

    def _link(self, values: dict[str, Any]) -> None:
        source, target = self._known(values["source"]), self._known(values["target"])
        if max(source.seq, target.seq) > self._before:
            values["type"] = values.pop("link_type")
            self._tables.transfer.put("add_link", {**values, "space": source.space})

    def _entity(self, values: dict[str, Any]) -> None:
        self._preset(values["space"])
        table, space, aliases = self._tables.transfer, values["space"], json.loads(values["aliases"])
        entity = table.entity(values["id"], space=space, aliases=aliases)
        if entity is None:
            entity = table.add_entity(values["id"], space=space, name=values["name"], type=values["entity_type"])
        for alias in aliases:
            self._tables.entities.add_alias(entity, space=space, **alias)
        for record in json.loads(values["records"]):
            place = self._known(record)
            if place.seq > self._before:
                table.add_mention(entity, place.seq)

    def _question(self, values: dict[str, Any]) -> None:
        self._known(values["older"])
        self._known(values["newer"])
        self._plain("add_question")(values)

    def _known(self, record_id: str) -> Place:
        place = self._tables.transfer.place(record_id)
        if place is None:
            raise Unfit("names a record that is neither here nor told before this line")
        return place


def _record_of(values: Mapping[str, Any]) -> Record:
    """The record that a line tells; its sources come as links."""
    moments = ("at", "created_at", "state_at", "expires_at", "accessed_at", "faded_at")
    return Record(**{
        **values, **{name: moment(values[name]) for name in moments}, "trust": Trust(values["trust"]),
        "validated": bool(values["validated"]), "pinned": bool(values["pinned"]),
        "tags": tuple(json.loads(values["tags"])), "metadata": json.loads(values["metadata"]),
    })  # fmt: skip


def _check_header(raw: bytes) -> int | None:
    """How many lines the header promises, if it says so."""
    header = read_line(raw)
    if not isinstance(header, dict) or type(version := header.pop("recollect", None)) is not int:
        raise Unfit("is not the header of an export of Recollect")
    if version > FORMAT:
        raise Unfit(f"the export has format {version}, this Recollect reads up to {FORMAT}: upgrade this installation")
    promised = header.pop("lines", None)
    if promised is not None and type(promised) is not int:
        raise Unfit("'lines' of the header must be a whole number")
    checked(header, HEADER, "header")
    return promised


def _preset_of(name: str, text: str | None) -> Preset:
    # A name is never taken as a path here: an imported file must not choose which files are read.
    if text is None and name not in presets.shipped():
        raise Unfit("'preset' of the space is none of the shipped ones, and its text is not told")
    try:
        return presets.load(name) if text is None else presets.parse(text, "preset_text")
    except BadPreset as problem:
        raise Unfit(f"'preset_text' of the space cannot be used: {problem}") from None
