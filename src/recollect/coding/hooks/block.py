"""What a hook read becomes the text for an agent: facts of earlier work, marked as memory's own, within a budget."""

from __future__ import annotations

from recollect import tokens
from recollect.recall.fit import Fitted, Frame, Line, Part, fit
from recollect.recall.render import quoted, record_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.coding.hooks.reader import HookRecord

# The mark by which the gate knows memory's own text again, so that it is never taken in as something said.
OPEN, CLOSE = "<recollect-memory>", "</recollect-memory>"
NOTE = "Noted in earlier sessions; it may not bear on this task."
_LISTED_TOKENS = 30


class Block:
    """Collects the parts of a text and fits them into its budget, earlier parts first."""

    __slots__ = ("_budget", "_frame", "_parts")

    def __init__(self, title: str, budget: int) -> None:
        self._frame = Frame(OPEN, CLOSE, open="\n".join(filter(None, (title, NOTE))))
        self._budget = budget
        self._parts: list[Part] = []

    def add(self, lines: Sequence[Line], *, most: int = 0, by_age: bool = False) -> None:
        """Add lines, each with the id of its record if it shows one; `most` limits these alone.

        With `by_age` the first ones are chosen but the oldest is shown first, so that a new one changes only the end.
        """
        section = len(self._parts)
        self._parts.append(Part(lines, tokens=most, section=section, sort_key=_age_of if by_age else None))

    def finish(self) -> Fitted:
        """The block as far as its budget goes; without text when there is nothing to show."""
        return fit(self._parts, budget=self._budget, frame=self._frame)


def list_ids(fitted: Fitted) -> list[str]:
    """The ids of the records that a block shows."""
    return [line.shows for line in fitted.kept if isinstance(line.shows, str)]


def record_lines(records: Sequence[HookRecord], line: str, facts: dict[str, Any], *, root: str) -> list[Line]:
    """Each record in the form that the preset gives, with its id."""
    return [Line(_line_of(record, line, facts, root=root), record.id) for record in records]


def entry_lines(entries: Sequence[dict[str, Any]]) -> list[Line]:
    """A document's entries, a line for each section: its one text, or the beginnings of its texts as a list."""
    sections: dict[str, list[str]] = {}
    for entry in entries:
        sections.setdefault(entry["section"], []).append(quoted(entry["text"]))
    lines = []
    for name, texts in sections.items():
        listed = f"{name.capitalize()}: {', '.join(text.partition(' (')[0] for text in texts)}"
        lines.append(Line(texts[0] if len(texts) == 1 else tokens.cut(listed, _LISTED_TOKENS)))
    return lines


def text_lines(text: str) -> list[Line]:
    """Each line of a text, quoted."""
    return [Line(quoted(line)) for line in text.splitlines()]


def _age_of(line: Line) -> str:
    """The part of a record's id that grows with time."""
    return str(line.shows).partition("_")[2]


def _line_of(record: HookRecord, line: str, facts: dict[str, Any], *, root: str) -> str:
    kind = facts["kinds"].get(record.kind, {})
    cites = record.metadata.get(facts["cites"])
    warning = _citation_warning(record, root, doubts=kind.get("doubted", False)) if cites else ""
    return record_line(line, record, label=kind.get("label", ""), shown_kind=kind.get("kind", ""), warning=warning)


def _citation_warning(record: HookRecord, root: str, *, doubts: bool) -> str:
    """What became of the lines that a record cites; only such a record pays for looking."""
    from pathlib import Path

    from recollect.coding.citations import warning

    return warning(Path(root), record.metadata, doubts=doubts)
