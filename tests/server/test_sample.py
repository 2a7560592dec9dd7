"""The sample memory has something for every page, and is made once."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from toldonce import Memory
from toldonce.server.sample import ensure_sample, sample_person, sample_space

NOW = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)


def test_the_sample_has_history_questions_proposals_people_and_code(tmp_path: Path) -> None:
    path = ensure_sample(tmp_path / "sample", now=NOW)
    person = sample_person()
    with Memory.open(path, space=sample_space(), clock=lambda: NOW, background=False) as memory:
        assert memory.questions(person)
        assert len(memory.review.waiting(user=person)) == 3
        assert memory.review.records(person, states=["superseded"], derived=True)
        areas = {one.metadata.get("area") for one in memory.review.records(person, derived=True, limit=500)}
        assert {"health", "relationships", "career", "leisure", "finance"} <= areas
        assert memory.profile(person).entries
        assert memory.people.consents(person)
        assert any(run.name == "report" or run.status == "completed" for run in memory.jobs.runs())
        assert memory.documents.get("codemap", space="paperboat") is not None
        assert memory.review.records(person, space="paperboat")
        block = memory.context("what can Clara eat?", person).text
        assert "peanuts" in block
        languages = {one.metadata.get("language") for one in memory.review.records(person, derived=True, limit=500)}
        assert {"en", "pt", "es"} <= languages
    made_at = path.stat().st_mtime_ns
    assert ensure_sample(tmp_path / "sample", now=NOW) == path
    assert path.stat().st_mtime_ns == made_at
