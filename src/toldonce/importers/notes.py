"""Folders of Markdown: Obsidian vaults, basic-memory projects, and the rules that coding agents read.

A note becomes one memory for each section or observation; its links and tags are metadata.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from hashlib import blake2b
from itertools import islice
from typing import Any

from toldonce.importers.source_tree import SourceTree
from toldonce.importers.values import ImportItem, OlderMemory, ReadOptions, SkippedItem, first_filled, moment_of
from toldonce.times.reader import find_asked_windows

EMPTY_NOTE = "a note without text"
_NOTE = r"(?:.*/)?[^/]+\.(?i:md)"
_DATED_NOTE = r"(?:.*/)?[^/]+\.(?i:md|markdown|txt)"
_AGENT_FILE = (
    r"(?:.*/)?(?:(?:CLAUDE|AGENTS|GEMINI)(?:\.local)?\.md|\.cursorrules|\.cursor/rules/.+\.mdc?"
    r"|\.github/copilot-instructions\.md)"
)
_DATES = ("date", "created", "created_at", "updated", "modified")
# What programs write below the title of a note, or of an entry of a journal: `Full date: Sunday, March 2, 2025`.
_DATE_LINE = re.compile(
    r"[>*_\s-]*(?:full date|date|entry date|date created|creation date|created(?: at| on| time)?|last edited time"
    r"|updated|modified|data(?: completa)?|criad[oa](?: em)?|fecha(?: completa)?|cread[oa](?: el)?)"
    r"[*_\s]*:[*_\s]*(?P<date>.+?)[*_\s]*",
    re.IGNORECASE,
)
_MOST_LINES_ABOVE = 12
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
# A date with its year is the same from any day.
_SOME_DAY = datetime(2020, 1, 1, tzinfo=UTC)
# Notion adds an id to the name of every file.
_ENDING = re.compile(r"(?: [0-9a-f]{32})?\.md$", re.IGNORECASE)
# Eight digits without a sign between them are a day of this century or the last.
_DAY_IN_NAME = re.compile(r"(?<!\d)(?=\d{4}[-_.]|(?:19|20)\d{6})(\d{4})([-_.]?)(\d\d)\2(\d\d)(?!\d)")
_KEY = re.compile(r"(?P<key>[A-Za-z_][\w -]*):(?:\s+(?P<value>.*))?")
_OBSERVATION = re.compile(r"- \[(?P<category>[^\]\[xX ][^\]\[]*)\] (?P<text>.+)")
_RELATION_LINE = re.compile(r"- (?:[^\[\]]+ )?\[\[[^\]]+\]\](?: \([^)]*\))?")
_WIKI_LINK = re.compile(r"!?\[\[([^\]|#]+)(?:#[^\]|]*)?(?:\|([^\]]*))?\]\]")
_TAG = re.compile(r"(?<![\w/])#([^\W\d][\w/-]*)")
_HEADING = re.compile(r"#{1,6} +(?P<title>.+)")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_MOST_CHARS = 1_500
_LARGEST = 4_000_000


def is_note_folder(source: SourceTree) -> bool:
    """Whether this is a Markdown note, or a folder or an archive with some."""
    return bool(source.find(_NOTE))


def is_agent_file_folder(source: SourceTree) -> bool:
    """Whether this is such a file, or a folder that has one."""
    return bool(source.find(_AGENT_FILE))


def read_notes(source: SourceTree, _: ReadOptions) -> Iterator[ImportItem]:
    """Every section and observation of every note."""
    for name in source.find(_NOTE):
        yield from _read_note(source, name, type_="note")


def read_agent_files(source: SourceTree, _: ReadOptions) -> Iterator[ImportItem]:
    """Every section of the rules for coding agents."""
    for name in source.find(_AGENT_FILE):
        yield from _read_note(source, name, type_="convention")


def _read_note(source: SourceTree, name: str, *, type_: str) -> Iterator[ImportItem]:
    text = _read_text(source, name)
    if isinstance(text, SkippedItem):
        yield text
        return
    front, body, _ = split_front_matter(text)
    title = str(front.get("title") or _ENDING.sub("", name.rpartition("/")[2]))
    at, file_at = find_note_date(name, text), source.time_of(name)
    shared: dict[str, Any] = {"note": name, "title": title}
    if tags := sorted({*_list_of(front.get("tags")), *_TAG.findall(body)}):
        shared["tags"] = tags
    if links := sorted({found[0].strip() for found in _WIKI_LINK.findall(body)}):
        shared["links"] = links
    pieces = split_note(text)
    for piece in pieces:
        digest = blake2b(f"{piece.heading}\n{piece.text}".encode(), digest_size=8).hexdigest()
        named = {"section": piece.heading, "category": piece.category}
        yield OlderMemory(
            id=f"{name} {digest}",
            text=piece.text if piece.category or type_ != "note" else f"{title}: {piece.text}",
            type="fact" if piece.category else type_,
            at=at,
            file_at=file_at,
            metadata={**shared, **{key: value for key, value in named.items() if value}},
            place=f"{name}, line {piece.line}",
        )
    if not pieces:
        yield SkippedItem(EMPTY_NOTE, name)


def split_front_matter(text: str) -> tuple[Mapping[str, Any], str, int]:
    """The keys between two lines of dashes, the text below, and how many lines are above it."""
    lines = text.splitlines()
    if not lines or lines[0].strip() != "---":
        return {}, text, 0
    end = next((number for number, line in enumerate(lines[1:], start=1) if line.strip() in ("---", "...")), None)
    if end is None:
        return {}, text, 0
    found: dict[str, Any] = {}
    last = ""
    for line in lines[1:end]:
        if (pair := _KEY.fullmatch(line.rstrip())) is not None:
            last = pair["key"].strip().lower()
            found[last] = (pair["value"] or "").strip().strip("\"'")
        elif last and line.lstrip().startswith("- "):
            found[last] = [*_list_of(found[last]), line.lstrip()[2:].strip().strip("\"'")]
    return found, "\n".join(lines[end + 1 :]), end + 1


@dataclass(frozen=True, slots=True)
class NotePiece:
    """A section of a note, an observation, or some paragraphs of a long one."""

    line: int
    heading: str
    text: str
    category: str


def split_note(text: str) -> list[NotePiece]:
    """The pieces of a note with names instead of links to other notes; front matter is left out."""
    _, body, skipped = split_front_matter(text)
    return [
        NotePiece(skipped + line, heading, _WIKI_LINK.sub(lambda found: found[2] or found[1], piece), category)
        for line, heading, piece, category in _split_body(body)
    ]


def find_day(name: str, text: str) -> date | None:
    """The day that a note is about, as its front matter or its name says."""
    at = find_note_date(name, text)
    return at.date() if at is not None else None


def read_texts(source: SourceTree) -> Iterator[tuple[str, str | SkippedItem]]:
    """Every note of a folder by its name: its text, or why it cannot be read."""
    for name in source.find(_DATED_NOTE):
        yield name, _read_text(source, name)


def _read_text(source: SourceTree, name: str) -> str | SkippedItem:
    with source.open_bytes(name) as file:
        raw = file.read(_LARGEST + 1)
    if len(raw) > _LARGEST:
        return SkippedItem(f"a note of more than {_LARGEST:,} bytes", name, is_damage=True)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return SkippedItem("this is no UTF-8 text", name, is_damage=True)


def find_note_date(name: str, text: str) -> datetime | None:
    """When a note is from: as its front matter says, else a line below its title, else its name."""
    front, body, _ = split_front_matter(text)
    if (at := moment_of(first_filled(front, _DATES))) is not None:
        return at
    for line in islice(body.splitlines(), _MOST_LINES_ABOVE):
        said = _DATE_LINE.fullmatch(line.strip())
        if said is not None and (at := _read_date(said["date"])) is not None:
            return at
    found = _DAY_IN_NAME.search(name.rpartition("/")[2])
    try:
        return datetime(int(found[1]), int(found[3]), int(found[4]), tzinfo=UTC) if found else None
    except ValueError:
        return None


def _read_date(text: str) -> datetime | None:
    """The moment that a line with a date says, in numbers or in words; None without a year, or for more than a day."""
    if (at := moment_of(text)) is not None:
        return at
    if _YEAR.search(text) is None:
        return None
    windows = find_asked_windows(text, now=_SOME_DAY, zone=UTC)
    return windows[0].start if windows and windows[0].end - windows[0].start <= timedelta(days=1) else None


def _list_of(value: object) -> list[str]:
    if isinstance(value, list):
        return [str(one) for one in value]
    text = str(value or "").strip("[] ")
    return [one.strip().strip("\"'").lstrip("#") for one in text.split(",") if one.strip()]


def _split_body(body: str) -> Iterator[tuple[int, str, str, str]]:
    """Line, heading, text and category of each piece: an observation, or paragraphs of a section up to a size."""
    heading, held, started, is_code = "", list[str](), 1, False
    for number, line in enumerate(body.splitlines(), start=1):
        is_code ^= _FENCE.match(line) is not None
        title = None if is_code else _HEADING.fullmatch(line.strip())
        observation = None if is_code else _OBSERVATION.fullmatch(line.strip())
        is_long = not line.strip() and sum(map(len, held)) > _MOST_CHARS // 2
        if title or observation or is_long:
            if piece := "\n".join(held).strip():
                yield started, heading, piece, ""
            held, started = [], number + 1
        if title:
            heading = title["title"].strip()
        elif observation:
            yield number, heading, observation["text"].strip(), observation["category"].strip()
        elif is_code or not _RELATION_LINE.fullmatch(line.strip()):
            started = number if not "".join(held).strip() else started
            held.append(line)
    if piece := "\n".join(held).strip():
        yield started, heading, piece, ""
