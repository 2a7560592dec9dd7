"""Older stores as their programs leave them, made with plain SQLite: a table of facts, and a folder of ChromaDB."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

FACTS = """
CREATE TABLE users (id INTEGER PRIMARY KEY, discord_id TEXT UNIQUE, username TEXT, display_name TEXT);
CREATE TABLE facts (
    id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL REFERENCES users(id), fact_text TEXT NOT NULL,
    reinforcement_count INTEGER DEFAULT 0, created_at DATETIME DEFAULT CURRENT_TIMESTAMP);
INSERT INTO users VALUES (1, '4711', 'alex', 'Alex'), (2, '4712', 'sam', 'Sam');
INSERT INTO facts (user_id, fact_text, reinforcement_count, created_at) VALUES
    (1, 'Alex lives in Austin', 3, '2025-02-23 18:30:00'),
    (1, 'Alex has a dog named Bento', 0, '2025-02-18 09:00:00'),
    (2, 'Sam prefers Linux over Windows', 1, '2025-02-21 12:00:00'),
    (2, '  ', 0, '2025-02-21 12:00:00');
"""

CHROMA = """
CREATE TABLE collections (id TEXT PRIMARY KEY, name TEXT NOT NULL, dimension INTEGER, database_id TEXT NOT NULL);
CREATE TABLE segments (id TEXT PRIMARY KEY, type TEXT NOT NULL, scope TEXT NOT NULL, collection TEXT NOT NULL);
CREATE TABLE embeddings (
    id INTEGER PRIMARY KEY, segment_id TEXT NOT NULL, embedding_id TEXT NOT NULL, seq_id BLOB NOT NULL,
    created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, UNIQUE (segment_id, embedding_id));
CREATE TABLE embedding_metadata (
    id INTEGER REFERENCES embeddings(id), key TEXT NOT NULL, string_value TEXT, int_value INTEGER, float_value REAL,
    bool_value INTEGER, PRIMARY KEY (id, key));
INSERT INTO collections VALUES ('c1', 'memories', 384, 'd1');
INSERT INTO segments VALUES ('s1', 'urn:chroma:segment/vector/hnsw-local-persisted', 'VECTOR', 'c1');
INSERT INTO segments VALUES ('s2', 'urn:chroma:segment/metadata/sqlite', 'METADATA', 'c1');
"""

SIX_TYPES: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("We baked bread together", {"type": "conversation", "created_at": "2026-03-02T07:00:00"}),
    ("A red car is in the yard", {"type": "observation", "created_at": "2026-03-02T07:10:00.123456"}),
    ("Ana is a nurse", {"type": "fact", "created_at": "2026-03-01T07:00:00", "category": "user_profile"}),
    (
        "Ana prefers tea",
        {"type": "preference", "created_at": "2026-03-01T08:00:00", "sure": 0.5, "asked": True, "n": 3},
    ),
    ("Birthday party at noon", {"type": "event", "created_at": "2026-03-02T08:00:00", "user": "joão"}),
    ("Water the plants", {"type": "task", "created_at": "2026-02-01T08:00:00", "context_key": "todo"}),
)


def make_facts(place: Path, script: str = FACTS) -> Path:
    """A database of flat facts."""
    with closing(sqlite3.connect(place)) as database:
        database.executescript(script)
    return place


def make_chroma(
    folder: Path, memories: Iterable[tuple[str, Mapping[str, Any]]] = SIX_TYPES, *, collection: str = "memories"
) -> Path:
    """A folder as ChromaDB 0.4 to 1.x leaves it, as far as its texts and metadata go."""
    folder.mkdir()
    with closing(sqlite3.connect(folder / "chroma.sqlite3")) as database:
        database.executescript(CHROMA)
        database.execute("UPDATE collections SET name = ?", (collection,))
        for place, (text, metadata) in enumerate(memories, start=1):
            said = (place, "s2", f"memory-{place}", place)
            database.execute("INSERT INTO embeddings (id, segment_id, embedding_id, seq_id) VALUES (?, ?, ?, ?)", said)
            for key, value in {"chroma:document": text, **metadata}.items():
                database.execute("INSERT INTO embedding_metadata VALUES (?, ?, ?, ?, ?, ?)", _row(place, key, value))
        database.commit()
    return folder


def _row(place: int, key: str, value: Any) -> tuple[Any, ...]:
    types = (str, int, float, bool)
    return (place, key, *(value if type(value) is wanted else None for wanted in types))
