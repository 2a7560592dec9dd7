"""Values that callers hand in: mostly plausible, often wrong, all from one seed."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from random import Random
from typing import Any

WORDS = (
    "I like green tea. I live in Lisbon and work as a nurse. My sister Ana moved to Porto yesterday. Eu gosto de café. "
    "Moro em São Paulo desde 2019. Please always answer in English. Never use emojis. On Monday I will fly to Rome. "
    "between March and May 2020, since 3 de março. my birthday is 4 May 1990 https://a.bc/x?y=1 `code()` def main(): "
    "token: ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8 <private>hidden</private> <toldonce-memory> 中文 日本語 🎉 "
    "e\u0301 what is my sister's name? when did I move? don't and or not NEAR * "
    "\" ' ( ) [ ] { } : ; , . ! ? - _ / \\ % $ # @"
).split(" ")
ODD_TEXTS = (
    "", " ", "\0", "a\0b", "\ud800", "\udfff x", "\x1b[31m", "\u202e", "\ufeff", "null", "NaN", "-1", "1e999",
    "../../x",
    "'; DROP TABLE records; --", '"', "%s%n", "{text}", "${HOME}", "\n\n\n", "\t", "a" * 2_000, "é" * 500, ", " * 2_000,
    "(" * 3_000, "hoje ontem " * 200, "I like aab. " * 200, "[" * 500, "<" * 500, "A" * 40_000, "9" * 400, "-" * 900,
)  # fmt: skip
ODD_TIMES: tuple[Any, ...] = (
    datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59), datetime(1970, 1, 1, tzinfo=UTC), "2026-13-45", "yesterday",
    datetime(2026, 3, 4, tzinfo=timezone(timedelta(hours=-23))), "0001-01-01", "9999-12-31", 0, float("nan"), "2026",
)  # fmt: skip


def text(chance: Random, *, longest: int = 60) -> str:
    """A text of words and oddities."""
    if chance.random() < 0.2:
        return chance.choice(ODD_TEXTS)
    words = [chance.choice(WORDS) for _ in range(chance.randint(1, longest))]
    if chance.random() < 0.15:
        words = [*words[:3]] * chance.randint(1, 200)
    if chance.random() < 0.1:
        words.append(chr(chance.randint(0, 0x10FFFF)))
    return chance.choice((" ", " ", " ", "\n", ", ", "")).join(words)


def name(chance: Random) -> Any:
    """A name as callers give them: mostly one of a few, sometimes anything."""
    return chance.choice(("ana", "bia", "s", "t", "c1", None)) if chance.random() < 0.75 else anything(chance)


def moment(chance: Random) -> Any:
    """A time, or what somebody took for one."""
    if chance.random() < 0.5:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=chance.randint(-3_000, 3_000), hours=chance.random())
    return chance.choice(ODD_TIMES) if chance.random() < 0.7 else anything(chance)


def number(chance: Random) -> Any:
    """A number, or something else."""
    return chance.choice((0, 1, 5, 50, -1, 2**31, 2**63, 2**200, 0.5, float("inf"), float("nan"), True, None, "3"))


def anything(chance: Random, depth: int = 0) -> Any:
    """Any value at all."""
    kind = chance.randint(0, 9)
    if kind <= 3:
        return text(chance, longest=12)
    if kind == 4:
        return number(chance)
    if kind == 5:
        return chance.choice((None, True, False, b"bytes", object(), (), [], {}, {"a"}, Ellipsis))
    if kind == 6 and depth == 0:
        return nested(chance, chance.choice((5, 30, 2_000)))
    if depth > 3:
        return None
    if kind <= 8:
        return {str(anything(chance, depth + 1))[:40]: anything(chance, depth + 1) for _ in range(chance.randint(0, 3))}
    return [anything(chance, depth + 1) for _ in range(chance.randint(0, 4))]


def nested(chance: Random, levels: int) -> Any:
    """A value inside a value, many times."""
    value: Any = "core"
    for _ in range(levels):
        value = {"a": value} if chance.random() < 0.5 else [value]
    return value


def json_value(chance: Random) -> Any:
    """Any value that JSON can carry."""
    for _ in range(20):
        value = anything(chance)
        try:
            return json.loads(json.dumps(value))
        except (TypeError, ValueError, RecursionError):
            continue
    return {}


def metadata(chance: Random) -> Any:
    """A table as callers attach them."""
    if chance.random() < 0.3:
        return anything(chance)
    keys = ("participants", "value", "area", "file", "files", "cites", "place", "sort", "a")
    return {chance.choice(keys): anything(chance) for _ in range(chance.randint(0, 4))}


def mutated(chance: Random, data: bytes) -> bytes:
    """The bytes with a few of them changed, cut, doubled, or moved."""
    found = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        place = chance.randrange(len(found) + 1)
        end = place + chance.choice((1, 1, 2, 8, 100, 4_096))
        put = (
            bytes([chance.randrange(256)]), b"", bytes(found[place:end]) * 2, chance.randbytes(end - place),
            chance.choice(ODD_TEXTS).encode("utf-8", "replace")[:200],
        )  # fmt: skip
        found[place:end] = chance.choice(put)
    return bytes(found[: chance.randrange(len(found) + 1)]) if chance.random() < 0.1 else bytes(found)
