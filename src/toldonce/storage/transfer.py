"""A memory as a file of JSON lines, and back: a header, then one line for each thing that is kept.

An export is complete or not there at all; an import is taken whole or not at all. Vectors are not exported: they are
computed again where the file is read.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any, BinaryIO, NamedTuple, Protocol

from toldonce import presets
from toldonce.errors import BadImport, BadPreset, CorruptStore, InputError, NeedsKey, ReadOnlyStore, SpaceNotFound
from toldonce.presets.policy import Preset
from toldonce.records import Record, Trust
from toldonce.storage.atomic_file import write_whole_file
from toldonce.storage.encryption import EncryptionKey
from toldonce.storage.erased_lines import ErasedLines
from toldonce.storage.export_format import (
    FORMAT,
    HEADER,
    SHAPES,
    UnfitLine,
    check_fields,
    dump_compact,
    format_line,
    format_utc,
    read_line,
    read_line_values,
)
from toldonce.storage.sealed_file import SealedWriter, is_sealed_head, open_sealed
from toldonce.storage.signing import KEY_VARIABLE, MEANING, REFUSED, Checksum, Verdict, signing_key
from toldonce.storage.store import Store, Tables
from toldonce.storage.tables.records import from_stored_time
from toldonce.storage.tables.transfer import RecordPlace
from toldonce.text.words import text_grams

LONGEST_LINE = 64 * 1024 * 1024
_COUNT_WIDTH = 20
_MAGIC_BYTES = 64
_NO_DIGEST = "0" * 64
_Line = tuple[str, dict[str, Any]]
# Lines that are taken together, and the fields by which they name records.
_LINES_TOGETHER, _BYTES_TOGETHER = 500, 4 * 1024 * 1024
_NAMED: Mapping[str, Sequence[str]] = {
    "record": ("id",),
    "change": ("record",),
    "link": ("source", "target"),
    "question": ("older", "newer"),
}


def export_lines(
    store: Store,
    path: str | os.PathLike[str],
    *,
    space: str | None,
    user: str | None,
    now: datetime,
    key: EncryptionKey | None = None,
) -> int:
    """Write what is kept, all of it or of one space or person, to a file; returns how many lines follow the header."""
    with write_whole_file(check_target(path, store)) as file:
        return write_lines(store, file, space=space, user=user, now=now, key=key)


def write_lines(
    store: Store,
    file: BinaryIO,
    *,
    space: str | None,
    user: str | None,
    now: datetime,
    key: EncryptionKey | None = None,
) -> int:
    """The same, to a file that is open."""
    header = {"toldonce": FORMAT, "exported_at": format_utc(now), "space": space, "user": user}
    if key is None:
        return store.read(lambda tables: _write_export(file, tables, header, key=signing_key()))
    sealed = SealedWriter(file, key)
    count = store.read(lambda tables: _write_export(sealed, tables, header, key=signing_key()))
    sealed.finish()
    return count


class ImportCounts(NamedTuple):
    """How many lines an import read, and how many of them stayed out since their person was erased."""

    lines: int
    erased: int


class ImportScreen(Protocol):
    """What every line passes before it is kept; see `capture.import_gate`."""

    def __call__(self, type_: str, values: dict[str, Any], preset: Preset) -> dict[str, Any] | None:
        """The values as they may be kept; None to leave the line out, InputError to refuse the whole file."""


def import_lines(
    store: Store,
    source: str | os.PathLike[str] | BinaryIO,
    *,
    screen: ImportScreen | None = None,
    key: EncryptionKey | None = None,
    check: Callable[[Tables, int], None] | None = None,
) -> ImportCounts:
    """Read an export from a path or an open file, all of it or nothing; what is here already stays as it is.

    Without a screen every line that fits is taken; a memory passes its gate. A sealed export is opened with `key`.
    `check` gets the place of the newest record before the import and may refuse all that came after it.
    """

    def take(tables: Tables) -> ImportCounts:
        before = tables.transfer.last_place()
        taken = _LineImporter(tables, screen, signed_with=signing_key()).take(plain)
        if check is not None:
            check(tables, before)
        return taken

    try:
        with open(source, "rb") if isinstance(source, str | os.PathLike) else contextlib.nullcontext(source) as file:
            plain = _unseal_file(file, key)
            return store.write(take)
    except OSError as problem:
        name = os.fspath(source) if isinstance(source, str | os.PathLike) else "the file"
        raise BadImport(f"{name} cannot be read: {problem.strerror}") from problem


def _unseal_file(file: BinaryIO, key: EncryptionKey | None) -> IO[bytes]:
    is_locked = is_sealed_head(file.read(_MAGIC_BYTES))
    file.seek(0)
    if is_locked and key is None:
        raise NeedsKey("the export is sealed: give the key it was written with; nothing was imported")
    return open_sealed(file, key) if is_locked and key is not None else file


def _write_export(file: BinaryIO | SealedWriter, tables: Tables, header: Mapping[str, Any], *, key: str | None) -> int:
    """The header is written first without and last with the number of lines and their checksum.

    Both tell a file that was cut short or changed; the checksum covers the other fields of the header too.
    """
    if header["space"] is not None and tables.people.space(header["space"]) is None:
        raise SpaceNotFound(f"there is no space {header['space']!r} to export")
    file.write(_header_line(header, 0, Checksum.of_digest(_NO_DIGEST, key=key)))
    digest = _begin_digest(header)
    count = 0
    for type_ in SHAPES:
        for row in tables.transfer.read_rows(type_, space=header["space"], user=header["user"]):
            line = _encode_line(type_, row)
            file.write(line)
            digest.update(line)
            count += 1
    file.seek(0)
    file.write(_header_line(header, count, Checksum.of_digest(digest.hexdigest(), key=key)))
    return count


def write_part(path: Path, header: Mapping[str, Any], lines: Sequence[bytes]) -> None:
    """Write lines of an export as an export of their own."""
    digest = _begin_digest(header)
    for line in lines:
        digest.update(line)
    checksum = Checksum.of_digest(digest.hexdigest(), key=signing_key())
    with write_whole_file(path) as file:
        file.write(_header_line(header, len(lines), checksum))
        file.writelines(lines)


def _encode_line(type_: str, row: Sequence[Any]) -> bytes:
    try:
        return format_line(type_, row).encode() + b"\n"
    except (ValueError, TypeError, KeyError, RecursionError) as problem:
        raise CorruptStore(f"a {type_} cannot be read: run `toldonce doctor --repair`, then export again") from problem


def _header_line(header: Mapping[str, Any], count: int, checksum: Checksum) -> bytes:
    told = {**header, "lines": count, "sha256": checksum.sha256}
    if checksum.signature:
        told["signature"] = checksum.signature
    return dump_compact(told).encode() + b" " * (_COUNT_WIDTH - len(str(count))) + b"\n"


def _begin_digest(header: Mapping[str, Any]) -> hashlib._Hash:
    """A digest that has read the fields of the header which the export itself does not decide."""
    told = {name: header[name] for name in ("toldonce", *HEADER)}
    return hashlib.sha256(dump_compact(told).encode() + b"\n")


def check_target(path: str | os.PathLike[str], store: Store) -> Path:
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise ReadOnlyStore(f"the folder {target.parent} does not exist: create it first")
    if target.exists() and not target.is_file():
        raise InputError(f"{target} is not a file: choose another name for the export")
    if str(target) in {os.path.realpath(store.place) + end for end in ("", "-wal", "-shm")}:
        raise InputError(f"{target} is the memory itself: choose another name for the export")
    return target


class _LineImporter:
    """Takes the lines of one file into one transaction."""

    def __init__(self, tables: Tables, screen: ImportScreen | None, *, signed_with: str | None) -> None:
        self._tables = tables
        self._screen = screen
        self._key = signed_with
        # Records after this place came with this file; all others stay as they are, with their history and links.
        self._before = tables.transfer.last_place()
        self._presets: dict[str, Preset] = {}
        # Where the records stand that the lines of a batch name, and rows to write at its end.
        self._places: dict[str, RecordPlace] = {}
        self._held: dict[str, list[dict[str, Any]]] = {"add_change": [], "add_link": []}
        self._take: Mapping[str, Callable[[dict[str, Any]], None]] = {
            "space": self._space, "person": self._plain("import_person"), "member": self._plain("import_member"),
            "conversation": self._conversation, "record": self._record, "change": self._change, "link": self._link,
            "entity": self._entity, "document": self._plain("import_document"), "question": self._question,
            "setting": self._plain("import_setting"), "sealed": self._plain("put_sealed"),
        }  # fmt: skip

    def take(self, file: IO[bytes]) -> ImportCounts:
        """Take every line after the header; the first that does not fit stops the whole import."""
        number = 1
        try:
            promised = _check_header(file.readline(LONGEST_LINE))
            erased = ErasedLines(self._tables, exported_at=promised.exported_at)
            for batch in _read_batches(file, promised.digest):
                self._places = self._tables.transfer.find_places(_list_named(batch))
                for line in batch:
                    number += 1
                    if isinstance(line, UnfitLine):
                        raise line
                    if not erased.refuse(*line):
                        self._take_line(*line)
                self._write_held()
            erased.finish()
        except (UnfitLine, InputError) as problem:
            raise BadImport(f"line {number}: {problem}; nothing was imported", line=number) from None
        promised.compare(number - 1, key=self._key)
        return ImportCounts(number - 1, erased.count)

    def _take_line(self, type_: str, values: dict[str, Any]) -> None:
        """Keep one line as far as the screen lets it in."""
        preset = self._preset_for(type_, values)
        if type_ == "record" and values["kind"] not in preset.kinds:
            raise UnfitLine(f"'kind' of the record is none of the {preset.name} preset")
        screened = self._screen(type_, values, preset) if self._screen is not None else values
        if screened is not None:
            self._take[type_](screened)

    def _preset_for(self, type_: str, values: dict[str, Any]) -> Preset:
        """The preset by which a line is screened: that of its space, or of the space of the record it is about."""
        if type_ == "space":
            return _preset_of_line(values["preset"], values["preset_text"])
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
            raise UnfitLine(
                f"the space {here.name!r} was exported with the preset {values['preset']!r}, and is here with "
                f"{here.preset!r}: import it into a memory of its own preset"
            )
        preset = _preset_of_line(values["preset"], values["preset_text"])
        if self._tables.transfer.put("import_space", values):
            self._presets[values["name"]] = preset

    def _preset(self, space: str) -> Preset:
        """The preset of a space, which also shows that the space is known."""
        if space not in self._presets:
            here = self._tables.people.space(space)
            if here is None:
                raise UnfitLine("names a space that is neither here nor in an earlier line")
            self._presets[space] = _preset_of_line(here.preset, here.preset_text)
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
        if values["id"] not in self._places:
            embed = preset.kinds[values["kind"]].embedded
            seq = self._tables.records.add(_record_of_line(values), embed=embed, grams=text_grams(values["text"]))
            self._places[values["id"]] = RecordPlace(seq, values["space"])

    def _change(self, values: dict[str, Any]) -> None:
        place = self._known(values["record"])
        if place.seq > self._before:
            self._held["add_change"].append({**values, "space": place.space})

    def _link(self, values: dict[str, Any]) -> None:
        source, target = self._known(values["source"]), self._known(values["target"])
        if max(source.seq, target.seq) > self._before:
            values["type"] = values.pop("link_type")
            self._held["add_link"].append({**values, "space": source.space})

    def _entity(self, values: dict[str, Any]) -> None:
        self._preset(values["space"])
        table, space, aliases = self._tables.transfer, values["space"], json.loads(values["aliases"])
        entity = table.entity(values["id"], space=space, aliases=aliases)
        if entity is None:
            entity = table.add_entity(values["id"], space=space, name=values["name"], type=values["entity_type"])
        for alias in aliases:
            self._tables.entities.add_alias(entity, space=space, **alias)
        records = json.loads(values["records"])
        self._places |= table.find_places(records)
        places = [self._known(record).seq for record in records]
        table.add_mentions(entity, [seq for seq in places if seq > self._before])

    def _question(self, values: dict[str, Any]) -> None:
        self._known(values["older"])
        self._known(values["newer"])
        self._plain("add_question")(values)

    def _known(self, record_id: str) -> RecordPlace:
        if record_id not in self._places:
            raise UnfitLine("names a record that is neither here nor in an earlier line")
        return self._places[record_id]

    def _write_held(self) -> None:
        """Write what was held back to be written together."""
        for query, several in self._held.items():
            self._tables.transfer.put_many(query, several)
            several.clear()


def _read_batches(file: IO[bytes], digest: hashlib._Hash) -> Iterator[list[_Line | UnfitLine]]:
    """The lines of a file as types and values; the first that cannot be read is the last."""
    batch: list[_Line | UnfitLine] = []
    size = 0
    try:
        while raw := file.readline(LONGEST_LINE):
            if len(raw) == LONGEST_LINE:
                raise UnfitLine("is too long")
            digest.update(raw)
            batch.append(read_line_values(read_line(raw)))
            size += len(raw)
            if len(batch) == _LINES_TOGETHER or size >= _BYTES_TOGETHER:
                yield batch
                batch, size = [], 0
    except UnfitLine as problem:
        batch.append(problem)
    yield batch


def _list_named(lines: Iterable[_Line | UnfitLine]) -> list[str]:
    """The ids of the records that lines are or name; those of an entity may be many, and are looked up with it."""
    said = (line for line in lines if not isinstance(line, UnfitLine))
    return list(dict.fromkeys(values[field] for type_, values in said for field in _NAMED.get(type_, ())))


def _record_of_line(values: Mapping[str, Any]) -> Record:
    """The record that a line tells; its sources come as links."""
    moments = ("at", "created_at", "state_at", "expires_at", "accessed_at", "faded_at")
    return Record(
        **{
            **values,
            **{name: from_stored_time(values[name]) for name in moments},
            "trust": Trust(values["trust"]),
            "validated": bool(values["validated"]),
            "pinned": bool(values["pinned"]),
            "tags": tuple(json.loads(values["tags"])),
            "metadata": json.loads(values["metadata"]),
        }
    )


@dataclass(frozen=True, slots=True)
class _HeaderClaims:
    """What a header says of the lines that follow; an older format says less."""

    exported_at: int
    lines: int | None
    checksum: Checksum | None
    digest: hashlib._Hash

    def compare(self, lines: int, *, key: str | None) -> None:
        """BadImport when the lines that came are not those that were written."""
        if self.lines is not None and self.lines != lines:
            raise BadImport(
                f"the file has {lines} lines after its header, not the {self.lines} that were exported: "
                "it was cut short or changed; nothing was imported",
                line=lines + 1,
            )
        found: Verdict = self.checksum.compare(self.digest.hexdigest(), key=key) if self.checksum else "unchecked"
        if found in REFUSED:
            raise BadImport(f"{MEANING[found]}; nothing was imported")
        if key is not None and found != "signed":
            raise BadImport(
                f"the file is not signed, and {KEY_VARIABLE} asks for a signature: unset it to import the file anyway; "
                "nothing was imported"
            )


def _check_header(raw: bytes) -> _HeaderClaims:
    """What the header promises."""
    header = read_line(raw)
    if not isinstance(header, dict) or type(version := header.pop("toldonce", None)) is not int:
        raise UnfitLine("is not the header of an export of Toldonce")
    if version > FORMAT:
        raise UnfitLine(
            f"the export has format {version}, this Toldonce reads up to {FORMAT}: upgrade this installation"
        )
    lines, sha256 = header.pop("lines", None), header.pop("sha256", None)
    signature = header.pop("signature", None)
    if lines is not None and type(lines) is not int:
        raise UnfitLine("'lines' of the header must be a whole number")
    if (version > 1 and sha256 is None) or not all(isinstance(one, str | None) for one in (sha256, signature)):
        raise UnfitLine("'sha256' of the header must be the checksum of the lines")
    values = check_fields(header, HEADER, "header")
    checksum = Checksum(sha256, signature) if sha256 is not None else None
    return _HeaderClaims(values["exported_at"], lines, checksum, _begin_digest({"toldonce": version, **header}))


def _preset_of_line(name: str, text: str | None) -> Preset:
    # A name is never taken as a path here: an imported file must not choose which files are read.
    if text is None and name not in presets.shipped_presets():
        raise UnfitLine("'preset' of the space is not a shipped preset, and its text is missing")
    try:
        return presets.load_preset(name) if text is None else presets.parse_preset(text, "preset_text")
    except BadPreset as problem:
        raise UnfitLine(f"'preset_text' of the space cannot be used: {problem}") from None
