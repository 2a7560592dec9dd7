"""An export in parts that can each be imported by themselves, in order: an upload that broke off goes on.

A record comes with its changes and its conversation; what joins two records comes with the later one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toldonce.storage.export_format import HEADER, SHAPES, dump_compact
from toldonce.storage.transfer import write_part

_FIRST = ("space", "person", "member")


@dataclass(frozen=True, slots=True)
class ExportPart:
    """One part: its file, a digest of its lines that stays the same when it is made again, and its records."""

    path: Path
    digest: str
    records: int


def split_export(path: Path, folder: Path, *, records_per_part: int) -> list[ExportPart]:
    """Write an export as parts into a folder; each is an export of its own."""
    with open(path, "rb") as file:
        header = json.loads(file.readline())
        lines = [json.loads(line) for line in file]
    kept = {"toldonce": header["toldonce"], **{name: header[name] for name in HEADER}}
    return [
        _write_one(folder / f"part-{number:05}.jsonl", kept, part)
        for number, part in enumerate(_sort_into_parts(lines, records_per_part))
    ]


def _write_one(path: Path, header: Mapping[str, Any], lines: list[dict[str, Any]]) -> ExportPart:
    encoded = [dump_compact(line).encode() + b"\n" for line in lines]
    write_part(path, header, encoded)
    digest = hashlib.sha256(b"".join(encoded)).hexdigest()
    return ExportPart(path, digest, sum(line["type"] == "record" for line in lines))


def _sort_into_parts(lines: list[dict[str, Any]], size: int) -> list[list[dict[str, Any]]]:
    records = [line for line in lines if line["type"] == "record"]
    place = {line["id"]: number // size for number, line in enumerate(records)}
    last = max(place.values(), default=0)
    begun: dict[str, int] = {}
    for line in records:
        begun.setdefault(line["conversation"] or "", place[line["id"]])
    parts: list[list[dict[str, Any]]] = [[] for _ in range(last + 1)]
    for line in lines:
        for number, piece in _place_line(line, place, begun, last=last):
            parts[number].append(piece)
    order = {name: number for number, name in enumerate(SHAPES)}
    return [sorted(part, key=lambda line: order[line["type"]]) for part in parts]


def _place_line(
    line: dict[str, Any], place: Mapping[str, int], begun: Mapping[str, int], *, last: int
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The part, or the parts, that a line belongs to."""
    type_ = line["type"]
    if type_ in _FIRST:
        yield 0, line
    elif type_ == "record":
        yield place[line["id"]], line
    elif type_ == "conversation":
        yield begun.get(line["id"], last), line
    elif type_ == "change":
        yield place[line["record"]], line
    elif type_ == "link":
        yield max(place[line["source"]], place[line["target"]]), line
    elif type_ == "question":
        yield max(place[line["older"]], place[line["newer"]]), line
    elif type_ == "entity" and line["records"]:
        for number in sorted({place[one] for one in line["records"]}):
            yield number, {**line, "records": [one for one in line["records"] if place[one] == number]}
    else:
        yield last, line
