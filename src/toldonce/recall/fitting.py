"""Chooses lines by what each is worth for its tokens, and fits sections of them into a budget, measured as it is sent.

Pure functions.

Import-free: hooks of coding agents load this module without the engine, so that both fit in the same way.
"""

from __future__ import annotations

from toldonce import tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


# How much the cost of a candidate counts against its chance: with 1 short lines would push out likely long ones.
_COST_COUNTS = 0.35
# What adds less than this share of its words to what is chosen already says nothing new.
LEAST_NEW = 0.25


class ContextLine:
    """One line of a section, and what it shows. A heading is dropped when nothing follows it.

    `code` says why it is in its section, where that is the same for the whole section; `tokens` is known once fitted.
    """

    __slots__ = ("code", "is_heading", "shows", "text", "tokens")

    def __init__(self, text: str, shows: object = None, *, is_heading: bool = False, code: str = "") -> None:
        self.text = text
        self.shows = shows
        self.is_heading = is_heading
        self.code = code
        self.tokens = 0


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

    def with_lines(self, lines: Sequence[ContextLine]) -> ContextPart:
        """The same piece with other lines."""
        return ContextPart(
            lines,
            open=self.open,
            close=self.close,
            tokens=self.tokens,
            section=self.section,
            sort_key=self.sort_key,
            is_newest_last=self.is_newest_last,
        )


class BlockCandidate:
    """A line that a block may hold: its chance to help, its cost in tokens, its words with content.

    `covers` are the ids of what a reader knows with it: itself, and the messages whose words it holds.
    """

    __slots__ = ("chance", "cost", "covers", "id", "words")

    def __init__(
        self, id: str, chance: float, *, cost: int, words: frozenset[str], covers: frozenset[str] = frozenset()
    ) -> None:
        self.id = id
        self.chance = chance
        self.cost = cost
        self.words = words
        self.covers = covers


class Frame:
    """What stands around a whole block: the mark of memory's own text, and the lines inside it that open and close."""

    __slots__ = ("close", "mark_close", "mark_open", "open")

    def __init__(self, mark_open: str, mark_close: str, *, open: str = "", close: str = "") -> None:
        self.mark_open = mark_open
        self.mark_close = mark_close
        self.open = open
        self.close = close


Chosen = list[tuple[ContextPart, list[ContextLine]]]


class FittedRow:
    """A row of a block: a line of a section, or with no line the frame of a section (its place) or of the block."""

    __slots__ = ("line", "section", "text")

    def __init__(self, text: str, *, section: int | None = None, line: ContextLine | None = None) -> None:
        self.text = text
        self.section = section
        self.line = line


class FittedContext:
    """A block within its budget, the lines in it and the lines that found no room."""

    __slots__ = ("chosen", "dropped", "frame", "text", "tokens")

    def __init__(
        self, text: str, tokens: int, *, frame: Frame, chosen: Chosen, dropped: Sequence[ContextLine] = ()
    ) -> None:
        self.text = text
        self.tokens = tokens
        self.frame = frame
        self.chosen = chosen
        self.dropped = dropped

    @property
    def kept(self) -> tuple[ContextLine, ...]:
        """The lines in the block."""
        return tuple(line for _, lines in self.chosen for line in lines)

    def rows(self) -> list[FittedRow]:
        """Every row of the block, in order."""
        return _list_rows(self.chosen, self.frame) if self.text else []

    def without(self, hidden: Callable[[ContextLine], bool]) -> FittedContext:
        """The block and the dropped lines without some lines, and without the frames of what is then empty."""
        chosen = [(part, _without_bare_headings([x for x in lines if not hidden(x)])) for part, lines in self.chosen]
        chosen = [(part, lines) for part, lines in chosen if lines]
        text = _frame_parts(chosen, self.frame) if chosen else ""
        dropped = tuple(line for line in self.dropped if not hidden(line))
        return FittedContext(text, tokens.count_tokens(text), frame=self.frame, chosen=chosen, dropped=dropped)


def choose_candidates(
    candidates: Sequence[BlockCandidate],
    *,
    budget: int,
    least: float,
    least_new: float = LEAST_NEW,
    beside: Sequence[BlockCandidate] = (),
) -> list[BlockCandidate]:
    """The candidates that are worth their place, the best first, until nothing more is or the budget is spent.

    One that retells what is chosen, or shown `beside` it, is worth as much less as it repeats, and nothing if it adds
    less than `least_new`.
    """
    novelty = {one.id: min((find_newness(one, other) for other in beside), default=1.0) for one in candidates}
    open_ones = {
        one.id: one
        for one in candidates
        if one.cost <= budget and novelty[one.id] >= least_new and one.chance * novelty[one.id] >= least
    }
    worth = {one.id: one.chance / max(one.cost, 1) ** _COST_COUNTS for one in open_ones.values()}
    # What is still open, as it compares.
    ranks = {one.id: (worth[one.id] * novelty[one.id], -one.cost, one.id) for one in open_ones.values()}
    chosen: list[BlockCandidate] = []
    left = budget
    while ranks:
        best = open_ones.pop(max(ranks.values())[-1])
        del ranks[best.id]
        chosen.append(best)
        left -= best.cost
        for id_, one in list(open_ones.items()):
            new = min(novelty[id_], find_newness(one, best))
            if one.cost > left or new < least_new or one.chance * new < least:
                del open_ones[id_], ranks[id_]
            elif new < novelty[id_]:
                novelty[id_] = new
                ranks[id_] = worth[id_] * new, -one.cost, id_
    return chosen


def find_newness(candidate: BlockCandidate, chosen: BlockCandidate) -> float:
    """The share of a candidate that a chosen one does not say already."""
    if candidate.covers and candidate.covers <= chosen.covers:
        return 0.0
    if candidate.words.isdisjoint(chosen.words):
        return 1.0
    return len(candidate.words - chosen.words) / len(candidate.words)


def share_tokens(sizes: list[int], total: int) -> list[int]:
    """The sizes of rows made to add up to the size of the whole: the difference goes to the largest ones."""
    shared, lacking = list(sizes), total - sum(sizes)
    order = sorted(range(len(sizes)), key=lambda place: -sizes[place])
    for step in range(abs(lacking) if sizes else 0):
        shared[order[step % len(order)]] += 1 if lacking > 0 else -1
    return shared


def measure_frame(frame: Frame) -> int:
    """The tokens of what is around a block."""
    return tokens.count_tokens(_frame_parts([], frame))


def fit_to_budget(parts: Sequence[ContextPart], *, budget: int, frame: Frame) -> FittedContext:
    """The block of these parts, earlier ones first served, never over the budget."""
    left = budget - measure_frame(frame)
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
        cost = line.tokens = line.tokens or tokens.count_tokens(line.text + "\n")
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
            return FittedContext(text, size, frame=frame, chosen=chosen, dropped=tuple(dropped))
        part, lines = chosen[-1]
        dropped.append(lines[0 if part.is_newest_last else -1])
        shorter = _without_bare_headings(lines[1:] if part.is_newest_last else lines[:-1])
        chosen = [*chosen[:-1], (part, shorter)] if shorter else chosen[:-1]
    return FittedContext("", 0, frame=frame, chosen=[], dropped=tuple(dropped))


def _frame_parts(chosen: Chosen, frame: Frame) -> str:
    return "\n".join(row.text for row in _list_rows(chosen, frame))


def _list_rows(chosen: Chosen, frame: Frame) -> list[FittedRow]:
    rows = [FittedRow(frame.mark_open), FittedRow(frame.open)]
    for part, lines in chosen:
        rows.append(FittedRow(part.open, section=part.section))
        rows += [FittedRow(line.text, section=part.section, line=line) for line in lines]
        rows.append(FittedRow(part.close, section=part.section))
    rows += [FittedRow(frame.close), FittedRow(frame.mark_close)]
    return [row for row in rows if row.text]
