"""What one writes by hand on PostgreSQL: one table, `tsvector` for words, pgvector for vectors, joined by rank.

`postgres.py` compares Toldonce with it. Rows enter by COPY, and the index of vectors is made after a load, as the
manual of pgvector advises.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import psycopg
from numpy.typing import NDArray

Floats = NDArray[np.float32]

_SCHEMA = """
CREATE EXTENSION IF NOT EXISTS vector;
CREATE TABLE items (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant  text NOT NULL,
    person  text NOT NULL,
    text    text NOT NULL,
    words   tsvector NOT NULL GENERATED ALWAYS AS (to_tsvector('english', text)) STORED,
    vector  halfvec(384) NOT NULL
);
CREATE INDEX items_by_tenant ON items (tenant);
CREATE INDEX items_by_word ON items USING gin (words);
"""
_INDEX = "CREATE INDEX IF NOT EXISTS items_by_vector ON items USING hnsw (vector halfvec_cosine_ops)"
_SEARCH = """
WITH asked AS (
    SELECT replace(plainto_tsquery('english', %(text)s)::text, '&', '|')::tsquery AS words),
by_words AS (
    SELECT i.id, row_number() OVER (ORDER BY ts_rank_cd(i.words, a.words) DESC) AS place
    FROM items AS i, asked AS a WHERE i.tenant = %(tenant)s AND i.words @@ a.words
    ORDER BY ts_rank_cd(i.words, a.words) DESC LIMIT 50),
near AS MATERIALIZED (
    SELECT i.id, i.vector <=> %(vector)s::halfvec(384) AS distance FROM items AS i WHERE i.tenant = %(tenant)s
    ORDER BY i.vector <=> %(vector)s::halfvec(384) LIMIT 50),
by_vector AS (SELECT id, row_number() OVER (ORDER BY distance) AS place FROM near)
SELECT i.text FROM (
    SELECT id, sum(1.0 / (60 + place)) AS score FROM (
        SELECT id, place FROM by_words UNION ALL SELECT id, place FROM by_vector) AS found
    GROUP BY id ORDER BY score DESC LIMIT %(limit)s) AS best
JOIN items AS i USING (id) ORDER BY best.score DESC
"""


class PlainPostgres:
    """The reference: texts, owners and vectors in, texts out."""

    name = "pgvector and tsvector"

    def __init__(self, address: str) -> None:
        self._connection: psycopg.Connection[tuple[Any, ...]] = psycopg.connect(address, autocommit=True)
        if self._connection.execute("SELECT to_regclass('items')").fetchone() == (None,):
            self._connection.execute(_SCHEMA)
        # Without it a filtered search by the index returns fewer rows than there are.
        self._connection.execute("SET hnsw.iterative_scan = relaxed_order")
        self._connection.execute("SET hnsw.ef_search = 100")

    def open(self, tenant: str) -> None:
        """Nothing: the tenant is a column."""

    def add(self, tenant: str, texts: Sequence[str], people: Sequence[str], vectors: Floats) -> None:
        """Keep these; they are durable when this returns."""
        into = "COPY items (tenant, person, text, vector) FROM STDIN"
        with self._connection.transaction(), self._connection.cursor().copy(into) as copy:
            for text, person, vector in zip(texts, people, vectors, strict=True):
                copy.write_row((tenant, person, text, write_vector(vector)))

    def finish(self, tenant: str) -> None:
        """Nothing: words are found at once, and the vectors of all tenants are indexed together."""

    def finish_all(self) -> None:
        """Make the index of vectors."""
        self._connection.execute(_INDEX)

    def search(self, tenant: str, text: str, vector: Floats, *, limit: int) -> list[str]:
        """The texts that answer best."""
        given = {"tenant": tenant, "text": text, "vector": write_vector(vector), "limit": limit}
        return [row[0] for row in self._connection.execute(_SEARCH, given)]

    def close(self) -> None:
        """Let go of the connection."""
        self._connection.close()


def write_vector(vector: Floats) -> str:
    """A vector as pgvector reads it."""
    return f"[{','.join(map(str, vector.astype(np.float16).tolist()))}]"
