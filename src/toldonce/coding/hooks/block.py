"""What a hook read becomes the text for an agent: facts of earlier work, marked as memory's own, within a budget."""

from __future__ import annotations

from toldonce import tokens
from toldonce.recall.fitting import (
    BlockCandidate,
    ContextLine,
    ContextPart,
    FittedContext,
    Frame,
    choose_candidates,
    fit_to_budget,
)
from toldonce.recall.render import lines_beneath, quote_line, record_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from toldonce.coding.hooks.reader import HookRecord

# The mark by which the gate knows memory's own text again, so that it is never taken in as something said.
OPEN, CLOSE = "<toldonce-memory>", "</toldonce-memory>"
NOTE = "Noted in earlier sessions; it may not bear on this task."
_LISTED_TOKENS = 30
# Lessons are short: another name may be all that is new in one.
_LEAST_NEW = 0.15


class BudgetedBlock:
    """Collects the parts of a text and fits them into its budget, earlier parts first."""

    __slots__ = ("_budget", "_frame", "_parts")

    def __init__(self, title: str, budget: int) -> None:
        self._frame = Frame(OPEN, CLOSE, open="\n".join(filter(None, (title, NOTE))))
        self._budget = budget
        self._parts: list[ContextPart] = []

    def add(self, lines: Sequence[ContextLine], *, most: int = 0, by_age: bool = False) -> None:
        """Add lines, each with the id of its record if it shows one; `most` limits these alone.

        With `by_age` the first ones are chosen but the oldest is shown first, so that a new one changes only the end.
        """
        section = len(self._parts)
        self._parts.append(ContextPart(lines, tokens=most, section=section, sort_key=_age_of if by_age else None))

    def add_chosen(self, groups: Sequence[Sequence[tuple[ContextLine, BlockCandidate]]], *, most: int) -> None:
        """Add the lines of these groups that are worth their place among all of them, in the order they come in."""
        left = min(most, self._budget - self.finish().tokens)
        candidates = [candidate for group in groups for _, candidate in group]
        # What is here has passed the search; only room and repetition are left to decide.
        best = choose_candidates(candidates, budget=left, least=0.0, least_new=_LEAST_NEW)
        chosen = {one.id for one in best}
        for group in groups:
            self.add([line for line, candidate in group if candidate.id in chosen])

    def finish(self) -> FittedContext:
        """The block as far as its budget goes; without text when there is nothing to show."""
        return fit_to_budget(self._parts, budget=self._budget, frame=self._frame)


def list_ids(fitted: FittedContext) -> list[str]:
    """The ids of the records that a block shows."""
    return [line.shows for line in fitted.kept if isinstance(line.shows, str)]


def record_lines(records: Sequence[HookRecord], line: str, facts: dict[str, Any], *, root: str) -> list[ContextLine]:
    """Each record in the form that the preset gives, with its id."""
    return [ContextLine(_line_of(record, line, facts, root=root), record.id) for record in records]


def as_candidate(line: ContextLine, id: str, score: float, *, words: frozenset[str]) -> BlockCandidate:
    """A line that competes for a place with this score."""
    cost = tokens.count_tokens(line.text + "\n")
    return BlockCandidate(id, score, cost=cost, words=words, covers=frozenset((id,)))


def entry_lines(entries: Sequence[dict[str, Any]]) -> list[ContextLine]:
    """A document's entries, a line for each section: its one text, or the beginnings of its texts as a list."""
    sections: dict[str, list[str]] = {}
    for entry in entries:
        sections.setdefault(entry["section"], []).append(quote_line(entry["text"]))
    lines = []
    for name, texts in sections.items():
        listed = f"{name.capitalize()}: {', '.join(text.partition(' (')[0] for text in texts)}"
        lines.append(ContextLine(texts[0] if len(texts) == 1 else tokens.cut_text(listed, _LISTED_TOKENS)))
    return lines


def text_lines(text: str) -> list[ContextLine]:
    """Each line of a text, quoted."""
    return [ContextLine(quote_line(line)) for line in text.splitlines()]


def _age_of(line: ContextLine) -> str:
    """The part of a record's id that grows with time."""
    return str(line.shows).partition("_")[2]


def _line_of(record: HookRecord, line: str, facts: dict[str, Any], *, root: str) -> str:
    kind = facts["kinds"].get(record.kind, {})
    cites = record.metadata.get(facts["cites"])
    warning = _row_citation_warning(record, root, outdates=kind.get("outdated", False)) if cites else ""
    own = record_line(line, record, label=kind.get("label", ""), shown_kind=kind.get("kind", ""), warning=warning)
    return "\n".join((own, *_lines_beneath(record))) if record.doubted else own


def _lines_beneath(record: HookRecord) -> list[str]:
    """The older records that a record probably ended, a line for each; only such a record pays for its language."""
    from datetime import UTC, datetime

    return lines_beneath(record.text, record.at, record.doubted, now=datetime.now(UTC), zone=UTC)


def _row_citation_warning(record: HookRecord, root: str, *, outdates: bool) -> str:
    """A warning when the lines that a record cites have changed; only records with citations pay for the check."""
    from toldonce.coding.citations import citation_warning

    return citation_warning(root, record.metadata, outdates=outdates)
