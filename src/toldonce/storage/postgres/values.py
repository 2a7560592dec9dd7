"""Values on their way between Python and PostgreSQL: vectors as the store keeps them, numbers always as 64 bits."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from typing import Any

import psycopg
from psycopg.abc import Buffer
from psycopg.adapt import Dumper, Loader
from psycopg.pq import Format
from psycopg.types import TypeInfo
from psycopg.types.numeric import Int8BinaryDumper
from psycopg.types.string import StrBinaryDumper

from toldonce.storage.postgres.words import build_gram_vector, build_word_vector

# Dimensions and an unused number before the numbers of a vector.
_HEADER = 4


class HalfVector(bytes):
    """A vector as it is stored everywhere else: float16, little-endian."""


class _HalfVectorDumper(Dumper):
    format = Format.BINARY

    def dump(self, obj: Any) -> Buffer:
        return (len(obj) // 2).to_bytes(2, "big") + bytes(2) + _swap_bytes(obj)


class _HalfVectorLoader(Loader):
    format = Format.BINARY

    def load(self, data: Buffer) -> bytes:
        return _swap_bytes(bytes(data)[_HEADER:])


def _swap_bytes(numbers: bytes) -> bytes:
    swapped = array("H", numbers)
    swapped.byteswap()
    return swapped.tobytes()


def adapt_values(connection: psycopg.Connection[Any], vector_type: TypeInfo) -> None:
    """Teach a connection our values. One type for all numbers: else each size would be a statement of its own."""
    dumper = type("HalfVectorDumper", (_HalfVectorDumper,), {"oid": vector_type.oid})
    connection.adapters.register_dumper(HalfVector, dumper)
    connection.adapters.register_loader(vector_type.oid, _HalfVectorLoader)
    for kind in (int, bool):
        connection.adapters.register_dumper(kind, Int8BinaryDumper)
    connection.adapters.register_dumper(str, StrBinaryDumper)


def _derive_words(values: Mapping[str, Any]) -> dict[str, Any]:
    fields = {name: values[name] for name in ("tenant", "text", "title", "author", "audience")}
    words, length = build_word_vector(**fields)
    return {"words": words, "length": length}


def _derive_grams(values: Mapping[str, Any]) -> dict[str, Any]:
    grams, length = build_gram_vector(values["grams"], tenant=values["tenant"])
    return {"grams": grams, "length": length}


def _wrap_vector(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: HalfVector(values[name]) for name in ("vector", "question") if name in values}


# What some queries take besides what a table gives: SQLite finds the words of a text by itself.
DERIVED: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "add_record": _derive_words,
    "index_record_again": _derive_words,
    "index_words": _derive_words,
    "add_grams": _derive_grams,
    "put_vector": _wrap_vector,
    "nearest_exact": _wrap_vector,
    "nearest_indexed": _wrap_vector,
    "nearest_products": _wrap_vector,
    "nearest_indexed_products": _wrap_vector,
    "products_of": _wrap_vector,
}
