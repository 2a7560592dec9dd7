"""The benchmark on PostgreSQL runs at a small scale, finds what was said, and tells each target."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.postgres import (
    ALL_QUESTIONS,
    QUESTION_TYPES,
    Row,
    Scale,
    make_questions,
    make_texts,
    make_vectors,
    measure_scale,
    tell_load,
    write_table,
)
from benchmarks.postgres_reference import PlainPostgres
from tests.postgres import Databases, run_on

SCALE = Scale(60, 2)


@pytest.fixture
def server(databases: Databases, scale: Scale) -> Iterator[str]:
    """The server of the run; what the benchmark makes there is dropped. Tests at once need different scales."""
    taken = databases.take()
    yield taken
    for name in ("toldonce", "pgvector"):
        run_on(taken, f'DROP DATABASE IF EXISTS "{name}_{scale}" WITH (FORCE)')
    databases.give_back(taken)


@pytest.mark.parametrize("scale", [SCALE])
def test_a_small_scale_is_loaded_once_and_asked_each_time(server: str, scale: Scale, tmp_path: Path) -> None:
    first = measure_scale(server, scale, questions=6, notes=tmp_path)
    again = measure_scale(server, scale, questions=6, notes=tmp_path)
    for rows in (first, again):
        asked = [*(type.name for type in QUESTION_TYPES), ALL_QUESTIONS]
        assert [row.system for row in rows] == ["toldonce", "pgvector and tsvector"] * len(asked)
        assert [row.asked for row in rows[::2]] == asked
        assert all(row.found > 0.5 and row.p50_ms > 0 and row.p50_client_ms > 0 for row in rows)
    assert [row.ingest_ms for row in first] == [row.ingest_ms for row in again]


@pytest.mark.parametrize("scale", [Scale(62, 2)])
def test_a_load_that_was_interrupted_goes_on_where_it_was(
    server: str, scale: Scale, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[str] = []

    def add(self: PlainPostgres, tenant: str, *given: Any) -> None:
        if len(loaded) == 1:
            loaded.append("interrupted")
            raise KeyboardInterrupt
        loaded.append(tenant)
        original(self, tenant, *given)

    original = PlainPostgres.add
    monkeypatch.setattr(PlainPostgres, "add", add)
    with pytest.raises(KeyboardInterrupt):
        measure_scale(server, scale, questions=6, notes=tmp_path)
    rows = measure_scale(server, scale, questions=6, notes=tmp_path)
    assert loaded == ["t0", "interrupted", *(f"t{tenant}" for tenant in range(1, scale.tenants))]
    assert all(row.found > 0.5 for row in rows)


def test_the_same_seed_makes_the_same_data() -> None:
    texts, vectors = make_texts(SCALE, 1), make_vectors(SCALE, 1)
    assert texts == make_texts(SCALE, 1) and (vectors == make_vectors(SCALE, 1)).all()
    for kind in QUESTION_TYPES:
        asked = [make_questions(texts, vectors, type=kind, count=3, seed=1) for _ in range(2)]
        assert [(text, source) for text, _, source in asked[0]] == [(text, source) for text, _, source in asked[1]]


def test_the_table_tells_what_was_met_and_what_was_missed() -> None:
    ours = Row("toldonce", "rare words", 2_000, 2, 3.0, 2.0, 12.0, 20.0, 9.0, 5.0, 4.0, 0.9)
    theirs = Row("pgvector and tsvector", "rare words", 2_000, 2, 1.0, 1.0, 10.0, 20.0, 9.0, 1.0, 8.0, 0.8)
    told = write_table([ours, theirs]).splitlines()
    assert [line.rpartition("| ")[2] for line in told[-4:]] == ["met |", "missed |", "missed |", "met |"]


def test_the_page_says_when_others_used_the_cores() -> None:
    assert "waiting for a core" in tell_load(2, 9.0) and "little waited" in tell_load(2, 1.2)
