"""Fits sections of lines into a token budget, measured on the text as it will be sent. Pure functions.

Import-free: hooks of coding agents load this module without the engine, so that both fit in the same way.
"""

from __future__ import annotations

from recollect import tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class ContextLine:
    """One line of a section, and what it shows. A heading is dropped when nothing follows it."""

    __slots__ = ("is_heading", "shows", "text")

    def __init__(self, text: str, shows: object = None, *, is_heading: bool = False) -> None:
        self.text = text
        self.shows = shows
        self.is_heading = is_heading


class ContextPart:
    """A piece of a section ready to be fitted: its frame, its lines, and the most tokens that its section may take.

    Lines are chosen in the order in which they come in; where the newest line is the last, from the last one on. With a
    `sort_key` the chosen ones are shown in its order.
    """

    __slots__ = ("close", "is_newest_last", "lines", "open", "section", "sort_key", "tokens")

    def __init__(
        self,
        lines: Sequence[ContextLine],
        *,
        open: str = "",
        close: str = "",
        tokens: int = 0,
        section: int = 0,
        sort_key: Callable[[ContextLine], str] | None = None,
        is_newest_last: bool = False,
    ) -> None:
        self.lines = lines
        self.open = open
        self.close = close
        self.tokens = tokens
        self.section = section
        self.sort_key = sort_key
        self.is_newest_last = is_newest_last


class Frame:
    """What stands around a whole block: the mark of memory's own text, and the lines inside it that open and close."""

    __slots__ = ("close", "mark_close", "mark_open", "open")

    def __init__(self, mark_open: str, mark_close: str, *, open: str = "", close: str = "") -> None:
        self.mark_open = mark_open
        self.mark_close = mark_close
        self.open = open
        self.close = close


class FittedContext:
    """A block within its budget, the lines in it and the lines that found no room."""

    __slots__ = ("dropped", "kept", "text", "tokens")

    def __init__(
        self, text: str, tokens: int, *, kept: Sequence[ContextLine] = (), dropped: Sequence[ContextLine] = ()
    ) -> None:
        self.text = text
        self.tokens = tokens
        self.kept = kept
        self.dropped = dropped


Chosen = list[tuple[ContextPart, list[ContextLine]]]


def fit_to_budget(parts: Sequence[ContextPart], *, budget: int, frame: Frame) -> FittedContext:
    """The block of these parts, earlier ones first served, never over the budget."""
    left = budget - tokens.count_tokens(_frame_parts([], frame))
    chosen: Chosen = []
    dropped: list[ContextLine] = []
    taken: dict[int, int] = {}
    for part in parts:
        already = taken.get(part.section, 0)
        kept, lost, used = _fill_part(part, min(left, part.tokens - already) if part.tokens else left)
        dropped += lost
        if kept:
            chosen.append((part, sorted(kept, key=part.sort_key) if part.sort_key else kept))
            left -= used
            taken[part.section] = already + used
    return _trim_to_budget(chosen, dropped, budget=budget, frame=frame)


def _fill_part(part: ContextPart, room: int) -> tuple[list[ContextLine], list[ContextLine], int]:
    """Lines that fit into the room, lines that do not, and the room they take with their frame."""
    used = sum(tokens.count_tokens(edge + "\n") for edge in (part.open, part.close) if edge)
    kept: list[ContextLine] = []
    lost: list[ContextLine] = []
    for line in reversed(part.lines) if part.is_newest_last else part.lines:
        cost = tokens.count_tokens(line.text + "\n")
        if used + cost <= room:
            kept.append(line)
            used += cost
        else:
            lost.append(line)
    if part.is_newest_last:
        kept.reverse()
    return _without_bare_headings(kept), lost, used


def _without_bare_headings(lines: list[ContextLine]) -> list[ContextLine]:
    kept: list[ContextLine] = []
    for place, line in enumerate(lines):
        follows = lines[place + 1] if place + 1 < len(lines) else None
        if not (line.is_heading and (follows is None or follows.is_heading)):
            kept.append(line)
    return kept


def _trim_to_budget(chosen: Chosen, dropped: list[ContextLine], *, budget: int, frame: Frame) -> FittedContext:
    """The block as text; while it is over the budget its last part loses lines, from the end or the oldest first."""
    while chosen:
        text = _frame_parts(chosen, frame)
        size = tokens.count_tokens(text)
        if size <= budget:
            kept = tuple(line for _, lines in chosen for line in lines)
            return FittedContext(text, size, kept=kept, dropped=tuple(dropped))
        part, lines = chosen[-1]
        dropped.append(lines[0 if part.is_newest_last else -1])
        shorter = _without_bare_headings(lines[1:] if part.is_newest_last else lines[:-1])
        chosen = [*chosen[:-1], (part, shorter)] if shorter else chosen[:-1]
    return FittedContext("", 0, dropped=tuple(dropped))


def _frame_parts(chosen: Chosen, frame: Frame) -> str:
    rows = [frame.mark_open, frame.open]
    for part, lines in chosen:
        rows += [part.open, *(line.text for line in lines), part.close]
    rows += [frame.close, frame.mark_close]
    return "\n".join(row for row in rows if row)
