"""Lays out plain text for a terminal: wrapping, columns, moments and sizes. Control characters never get through."""

from __future__ import annotations

import re
import shutil
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

import click

WIDEST = 100
_UNITS = ("B", "kB", "MB", "GB", "TB")
# Remembered text is data: an escape sequence or a direction override in it must not steer the terminal.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_PIECES = re.compile(r"\S+|\s+")


@dataclass(frozen=True, slots=True)
class PageLayout:
    """How wide to write, and in which zone to tell moments."""

    columns: int = WIDEST
    zone: tzinfo = UTC

    def date(self, at: datetime | None) -> str:
        """A day, such as 2026-05-03."""
        return at.astimezone(self.zone).strftime("%Y-%m-%d") if at else "-"

    def moment(self, at: datetime | None) -> str:
        """A day and a time, such as 2026-05-03 14:30."""
        return at.astimezone(self.zone).strftime("%Y-%m-%d %H:%M") if at else "-"


def terminal_columns() -> int:
    """How wide a line may be here."""
    return max(40, min(shutil.get_terminal_size().columns, WIDEST))


def mask_controls(text: str) -> str:
    """The text with every character that could steer a terminal shown as a mark."""
    return _CONTROL.sub("\ufffd", text.replace("\r\n", "\n").expandtabs(4))


def count_columns(text: str) -> int:
    """How many columns a text takes: wide characters take two, combining ones none."""
    return sum(_character_columns(c) for c in text)


def pad_to_columns(text: str, columns: int) -> str:
    """The text filled up with spaces to that many columns."""
    return text + " " * max(0, columns - count_columns(text))


def cut_to_columns(text: str, columns: int) -> str:
    """The text on one line, with a mark when it had to be shortened."""
    flat = " ".join(mask_controls(text).split())
    if count_columns(flat) <= columns:
        return flat
    return _fitting_prefix(flat, max(1, columns - 1)).rstrip() + "…"


def wrap_text(text: str, columns: int, *, indent: str = "", lines: int | None = None) -> list[str]:
    """The text as indented lines, at most `lines` of them; the last ends with a mark when something is missing."""
    room = max(10, columns - count_columns(indent))
    found = [line for paragraph in mask_controls(text).strip().split("\n") for line in _wrap_paragraph(paragraph, room)]
    if lines is not None and len(found) > lines:
        found = [*found[: lines - 1], _fitting_prefix(found[lines - 1], room - 1).rstrip() + "…"]
    return [indent + line for line in found]


def format_table(head: Sequence[str], rows: Iterable[Sequence[str]], *, columns: int) -> list[str]:
    """Rows under their headings in aligned columns; the last column takes the room that is left."""
    flat = [[" ".join(mask_controls(cell).split()) for cell in row] for row in rows]
    widths = [max(count_columns(row[i]) for row in [head, *flat]) for i in range(len(head) - 1)]
    room = max(12, columns - sum(widths) - 2 * len(widths))
    lines = [click.style("  ".join([*map(pad_to_columns, head, widths), head[-1]]).rstrip(), bold=True)]
    return lines + [
        "  ".join([*map(pad_to_columns, row, widths), cut_to_columns(row[-1], room)]).rstrip() for row in flat
    ]


def format_pairs(rows: Iterable[tuple[str, str]], *, columns: int) -> list[str]:
    """Names and values side by side, long values wrapped beside their name."""
    given = list(rows)
    width = max((count_columns(name) for name, _ in given), default=0)
    lines: list[str] = []
    for name, value in given:
        first, *rest = wrap_text(value, columns - width - 2) or [""]
        lines += [f"{click.style(pad_to_columns(name, width), dim=True)}  {first}".rstrip()]
        lines += [" " * (width + 2) + line for line in rest]
    return lines


def format_size(count: int) -> str:
    """A number of bytes for people."""
    if count < 1000:
        return f"{count} B"
    place = min(len(_UNITS) - 1, (len(str(count)) - 1) // 3)
    return f"{count / 1000**place:.1f} {_UNITS[place]}"


def format_length(time: timedelta | None) -> str:
    """A length of time for people, in the largest unit that fits."""
    if time is None:
        return "-"
    seconds = time.total_seconds()
    for unit, name in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= unit:
            return f"{seconds / unit:.1f}".removesuffix(".0") + f" {name}"
    return f"{seconds:.1f}".removesuffix(".0") + " s"


def count_noun(count: int, one: str, many: str | None = None) -> str:
    """A number with its noun: 1 record, 2 records."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def _character_columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) == "Cf":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _fitting_prefix(text: str, columns: int) -> str:
    """As much of the beginning of a text as fits."""
    taken = 0
    for place, character in enumerate(text):
        taken += _character_columns(character)
        if taken > columns:
            return text[:place]
    return text


def _wrap_paragraph(paragraph: str, columns: int) -> list[str]:
    lines = [""]
    for piece in _PIECES.findall(paragraph):
        if count_columns(lines[-1]) + count_columns(piece) <= columns:
            lines[-1] += piece
        elif not piece.isspace():
            lines += _break_word(piece, columns)
    return [line.rstrip() for line in (lines[1:] if len(lines) > 1 and not lines[0].strip() else lines)]


def _break_word(word: str, columns: int) -> list[str]:
    """A word in pieces that fit, for scripts without spaces and very long words."""
    parts = []
    while word:
        part = _fitting_prefix(word, columns)
        parts.append(part)
        word = word[len(part) :]
    return parts
