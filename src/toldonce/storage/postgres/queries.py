"""The queries of `queries.sql` as psycopg takes them: named parameters, each with its type."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files

from toldonce.storage.named_queries import load_queries

PACKAGE = "toldonce.storage.postgres"

_TYPES = re.compile(r"^-- type ([a-z ]+): (.*)$", re.MULTILINE)
_COMMENT = re.compile(r"^\s*--.*$\n?", re.MULTILINE)
# A text in quotes, a cast, or a parameter and whether a cast follows.
_PIECE = re.compile(r"'(?:[^']|'')*'|::\w+|%|:([a-z_]\w*)(?=(::)?)")
# The tables that a new record or mention changes, and the functions that read them.
_RECORDS = re.compile(
    r"\b(?:records|record_words|word_counts|stored_amounts|mentions)\b"
    r"|\b(?:matching_places|count_matching|weigh_terms|rank_words)\("
)


@dataclass(frozen=True, slots=True)
class TypedQuery:
    """A statement with psycopg's placeholders, and as `text` with the server's for the names in `order`; and whether it
    could see a new record.
    """

    sql: bytes
    text: bytes
    order: tuple[str, ...]
    sees_records: bool


@cache
def load_typed_queries() -> Mapping[str, TypedQuery]:
    """All queries by name."""
    text = files(PACKAGE).joinpath("queries.sql").read_text(encoding="utf-8")
    types = {name: kind for kind, names in _TYPES.findall(text) for name in names.split()}
    return {name: type_parameters(sql, types) for name, sql in load_queries(PACKAGE).items()}


def type_parameters(sql: str, types: Mapping[str, str]) -> TypedQuery:
    """A statement whose parameters all have a type: PostgreSQL cannot guess the one of `:user IS NULL`."""
    numbers: dict[str, int] = {}

    def place(piece: re.Match[str], *, is_numbered: bool) -> str:
        name = piece[1]
        if name is None:
            return piece[0] if is_numbered else piece[0].replace("%", "%%")
        number = numbers.setdefault(name, len(numbers) + 1)
        placed = f"${number}" if is_numbered else f"%({name})s"
        return placed if piece[2] else f"{placed}::{types.get(name, 'text')}"

    plain = _COMMENT.sub("", sql)
    named, numbered = (_PIECE.sub(partial(place, is_numbered=which), plain) for which in (False, True))
    return TypedQuery(named.encode(), numbered.encode(), tuple(numbers), _RECORDS.search(named) is not None)
