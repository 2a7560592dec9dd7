"""Rows of a memory become the text for an agent: facts of earlier work, marked as memory's own, within a budget."""

from __future__ import annotations

import json
import re

from recollect import tokens
from recollect.recall.render import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.coding.hooks.reader import Row

# The mark by which the gate knows memory's own text again, so that it is never taken in as something said.
OPEN, CLOSE = "<recollect-memory>", "</recollect-memory>"
NOTE = "Noted in earlier sessions; it may not bear on this task."
_LISTED_TOKENS = 30
_TRAILING = re.compile(r" +$", re.MULTILINE)
_FIELD = re.compile(r"{(\w+)}")


class Block:
    """A text that grows line by line until its budget is spent."""

    def __init__(self, title: str, budget: int) -> None:
        self._lines = [OPEN, *([title] if title else []), NOTE]
        self._left = budget - tokens.count("\n".join([*self._lines, CLOSE]))
        self._empty = True
        self.ids: list[str] = []

    def add(self, lines: Sequence[tuple[str, str]], *, most: int = 0, by_age: bool = False) -> None:
        """Add lines, each with the id of its record or "", while they fit; `most` limits these alone.

        With `by_age` the first ones are chosen but the oldest stands first, so that something new changes only the end.
        """
        left = min(self._left, most) if most else self._left
        kept = []
        for line in lines:
            cost = tokens.count(line[0]) + 1
            if cost <= left:
                left, self._left = left - cost, self._left - cost
                kept.append(line)
        if by_age:
            kept.sort(key=lambda line: line[1].partition("_")[2])
        self._lines += [text for text, _ in kept]
        self._empty = self._empty and not kept
        self.ids += [record for _, record in kept if record]

    @property
    def text(self) -> str:
        """The whole block; nothing when nothing stands in it."""
        return "" if self._empty else "\n".join([*self._lines, CLOSE])


def record_lines(rows: Sequence[Row], line: str, kit: dict[str, Any], *, root: str) -> list[tuple[str, str]]:
    """Each record in the form that the preset gives, with its id."""
    return [(_filled(line, row, kit, root), row["id"]) for row in rows]


def entry_lines(entries: Sequence[dict[str, Any]]) -> list[tuple[str, str]]:
    """A document's entries, a line for each section: its one text, or the beginnings of its texts as a list."""
    sections: dict[str, list[str]] = {}
    for entry in entries:
        sections.setdefault(entry["section"], []).append(quoted(entry["text"]))
    lines = []
    for name, texts in sections.items():
        listed = f"{name.capitalize()}: {', '.join(text.partition(' (')[0] for text in texts)}"
        lines.append((texts[0] if len(texts) == 1 else tokens.cut(listed, _LISTED_TOKENS), ""))
    return lines


def _filled(line: str, row: Row, kit: dict[str, Any], root: str) -> str:
    about = json.loads(row["metadata"] or "{}")
    kind = kit["kinds"].get(row["kind"], {})
    return _fill(
        line,
        {
            "text": quoted(row["text"]), "short": quoted(row["summary"] or row["text"]), "title": quoted(row["title"]),
            "label": kind.get("label", ""), "kind": kind.get("kind", ""), "id": row["id"],
            "author": quoted(row["author"] or row["role"]), "file": quoted(str(about.get("file") or "")),
            "area": quoted(str(about.get("area") or "")),
            "warning": _warning(about, root, doubts=kind.get("doubted", False)) if about.get(kit["cites"]) else "",
        },
    )  # fmt: skip


def _warning(about: dict[str, Any], root: str, *, doubts: bool) -> str:
    """What became of the lines that a record cites; only such a record pays for looking."""
    from pathlib import Path

    from recollect.coding.citations import warning

    return quoted(warning(Path(root), about, doubts=doubts))


def _fill(line: str, values: dict[str, str]) -> str:
    """The line with its fields filled in; a field with nothing to say leaves no space behind."""
    return _TRAILING.sub("", _FIELD.sub(lambda m: values.get(m[1], ""), line))
