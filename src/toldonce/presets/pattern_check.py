"""Whether a pattern that a stranger may have written can run for ever: a conservative check before it is ever used.

A pattern text goes in, the reason to refuse it comes out. The rule is documented in docs/presets.md: no backreferences,
no quantifier inside a quantifier, no quantified alternatives that can begin with the same character, no two open-ended
quantifiers in a row over the same characters, and at most three open-ended quantifiers in all. Possessive quantifiers
and atomic groups never backtrack and are always allowed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

# The parser of the standard library; its operators are the same from Python 3.11 on.
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

LONGEST_PATTERN = 1_000
MOST_OPEN_ENDED = 3
# A repeat that may run so often counts as open-ended.
_OPEN_ENDED = 1_000
# One character for each class that patterns tell apart; two sets that share none of them do not overlap.
_SAMPLES = (*map(chr, range(128)), "é", "É", "ß", "١", "\u00a0", "中", "😀", "\u0301")

Node = tuple[Any, Any]


def find_risk(pattern: str) -> str | None:
    """Why a pattern must not run on texts of strangers; None when it may."""
    if len(pattern) > LONGEST_PATTERN:
        return f"it has {len(pattern)} characters, the limit is {LONGEST_PATTERN}"
    try:
        parsed = parser.parse(pattern)
    except (re.error, RecursionError, OverflowError) as problem:
        return f"it is not a pattern: {problem}"
    if sum(_is_open_ended(node) for node in _walk_backtracking_nodes(parsed)) > MOST_OPEN_ENDED:
        return f"it has more than {MOST_OPEN_ENDED} open-ended quantifiers"
    flags = parsed.state.flags
    return next(
        (risk for node in _walk_backtracking_nodes(parsed) if (risk := _risk_of(node, flags))), None
    ) or _risk_in_a_row(parsed, flags)


def _risk_of(node: Node, flags: int) -> str | None:
    operator, value = node
    if operator in (ops.GROUPREF, ops.GROUPREF_EXISTS, ops.GROUPREF_IGNORE):
        return "it refers back to a group"
    if operator not in (ops.MAX_REPEAT, ops.MIN_REPEAT) or value[1] <= 1:
        return None
    body = value[2]
    if any(_is_variable(inner) for inner in _walk_backtracking_nodes(body)):
        return "it has a quantifier inside a quantifier, as (a+)+: make the inner one possessive (a++)"
    for inner in _walk_backtracking_nodes(body):
        if inner[0] is ops.BRANCH and _branches_overlap(inner[1][1], flags):
            return "it repeats alternatives that can begin with the same character, as (a|ab)*"
    return None


def _risk_in_a_row(parsed: Sequence[Node], flags: int) -> str | None:
    """Two open-ended quantifiers over the same characters with nothing between them that must be there."""
    before: frozenset[str] | None = None
    for node in parsed:
        for inner in _lists_of(node):
            if risk := _risk_in_a_row(inner, flags):
                return risk
        operator, value = node
        mine = _first_of(value[2], flags)[0] if _is_open_ended(node) else None
        if mine is not None and before is not None and mine & before:
            return r"it has two open-ended quantifiers in a row over the same characters, as \s*.*: join them"
        if mine is not None:
            before = mine
        elif not (_is_optional(node) or operator in (ops.AT, ops.ASSERT, ops.ASSERT_NOT)):
            before = None
    return None


def _walk_backtracking_nodes(nodes: Sequence[Node]) -> Iterator[Node]:
    """Every node that can backtrack; the contents of an atomic group cannot, seen from outside."""
    for node in nodes:
        yield node
        for inner in _lists_of(node):
            yield from _walk_backtracking_nodes(inner)


def _lists_of(node: Node) -> Iterator[Sequence[Node]]:
    operator, value = node
    if operator in (ops.MAX_REPEAT, ops.MIN_REPEAT):
        yield value[2]
    elif operator is ops.SUBPATTERN:
        yield value[3]
    elif operator is ops.BRANCH:
        yield from value[1]
    elif operator in (ops.ASSERT, ops.ASSERT_NOT):
        yield value[1]
    elif operator is ops.GROUPREF_EXISTS:
        yield from (part for part in value[1:] if part)


def _is_variable(node: Node) -> bool:
    return node[0] in (ops.MAX_REPEAT, ops.MIN_REPEAT) and node[1][0] != node[1][1]


def _is_open_ended(node: Node) -> bool:
    return node[0] in (ops.MAX_REPEAT, ops.MIN_REPEAT) and node[1][1] >= _OPEN_ENDED


def _is_optional(node: Node) -> bool:
    return node[0] in (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT) and node[1][0] == 0


def _branches_overlap(branches: Sequence[Sequence[Node]], flags: int) -> bool:
    seen: frozenset[str] = frozenset()
    for branch in branches:
        first, may_be_empty = _first_of(branch, flags)
        if may_be_empty or first & seen:
            return True
        seen |= first
    return False


def _first_of(nodes: Sequence[Node], flags: int) -> tuple[frozenset[str], bool]:
    """The sample characters that a match of these nodes can begin with, and whether it may be empty."""
    first: frozenset[str] = frozenset()
    for node in nodes:
        mine, may_be_empty = _first_of_node(node, flags)
        first |= mine
        if not may_be_empty:
            return first, False
    return first, True


def _first_of_node(node: Node, flags: int) -> tuple[frozenset[str], bool]:
    operator, value = node
    if operator in (ops.AT, ops.ASSERT, ops.ASSERT_NOT):
        return frozenset(), True
    if operator in (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT):
        first, may_be_empty = _first_of(value[2], flags)
        return first, may_be_empty or value[0] == 0
    if operator is ops.SUBPATTERN:
        return _first_of(value[3], (flags | value[1]) & ~value[2])
    if operator is ops.ATOMIC_GROUP:
        return _first_of(value, flags)
    if operator is ops.BRANCH:
        firsts = [_first_of(branch, flags) for branch in value[1]]
        return frozenset().union(*(first for first, _ in firsts)), any(empty for _, empty in firsts)
    if operator in (ops.LITERAL, ops.NOT_LITERAL, ops.IN, ops.ANY):
        return _samples_of(node, flags), False
    return frozenset(_SAMPLES), True


def _samples_of(node: Node, flags: int) -> frozenset[str]:
    """The sample characters that one character of a pattern can be, tried with the engine itself."""
    operator, value = node
    if operator is ops.LITERAL:
        ch = chr(value)
        return frozenset({ch, ch.lower(), ch.upper()} if flags & re.IGNORECASE else {ch})
    if operator is ops.ANY:
        return frozenset(_SAMPLES)
    items = value if operator is ops.IN else [(ops.NEGATE, None), (ops.LITERAL, value)]
    negated = bool(items) and items[0][0] is ops.NEGATE
    extra = {chr(v) for op, v in items if op is ops.LITERAL} | {chr(v[0]) for op, v in items if op is ops.RANGE}
    held = {ch for ch in (*_SAMPLES, *extra) if _is_held(ch, items, flags) != negated}
    return frozenset(held)


def _is_held(ch: str, items: Sequence[Node], flags: int) -> bool:
    spellings = {ch, ch.lower(), ch.upper()} if flags & re.IGNORECASE else {ch}
    return any(_is_in_class(one, op, value) for one in spellings if len(one) == 1 for op, value in items)


_CATEGORIES = {
    ops.CATEGORY_DIGIT: r"\d", ops.CATEGORY_NOT_DIGIT: r"\D", ops.CATEGORY_SPACE: r"\s",
    ops.CATEGORY_NOT_SPACE: r"\S", ops.CATEGORY_WORD: r"\w", ops.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip


def _is_in_class(ch: str, operator: Any, value: Any) -> bool:
    if operator is ops.LITERAL:
        return bool(ord(ch) == value)
    if operator is ops.RANGE:
        return bool(value[0] <= ord(ch) <= value[1])
    if operator is ops.CATEGORY:
        return re.match(_CATEGORIES[value], ch) is not None
    return False
