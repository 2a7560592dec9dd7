"""The ablation: every variant changes the ranking while it runs and leaves the engine as it was."""

from __future__ import annotations

import pytest

from benchmarks.ablation import WHOLE, Variant, changed, document, table, thinned, variants
from tests.conftest import OpenMemory
from toldonce.bench.values import BenchQuestion, Collection
from toldonce.recall import features


def test_every_piece_of_evidence_is_left_out_once() -> None:
    names = [variant.name for variant in variants()]
    assert names[0] == WHOLE and len(set(names)) == len(names)
    assert {f"`{name}`" for name in features.NAMES} <= set(names)


@pytest.mark.parametrize("variant", variants(), ids=lambda variant: variant.name)
def test_a_variant_changes_the_engine_only_while_it_runs(variant: Variant) -> None:
    before = [getattr(owner, name) for owner, name, _ in variant.changes]
    with changed(variant):
        assert all(getattr(owner, name) is value for owner, name, value in variant.changes)
    assert [getattr(owner, name) for owner, name, _ in variant.changes] == before


@pytest.mark.parametrize("variant", variants(), ids=lambda variant: variant.name)
def test_every_variant_finds_something(open_memory: OpenMemory, variant: Variant) -> None:
    memory = open_memory("assistant")
    memory.observe("The spare key hangs behind the blue door", user="alex", session="s")
    with changed(variant):
        assert len(memory.recall("where is the spare key?", user="alex")) == 1


def test_every_so_many_th_question_is_asked() -> None:
    asked = [BenchQuestion(id=str(n), text="?", gold=frozenset({"a"}), category="c") for n in range(5)]
    given = [Collection(id=str(n), passages=(), questions=tuple(asked[n : n + 1])) for n in range(5)]
    assert [c.id for c in thinned(given, 2)] == ["0", "2", "4"]


def test_the_table_shows_figures_and_what_changes_in_points() -> None:
    results = {"locomo": {WHOLE: {"recall@10": 0.8}, "`cover`": {"recall@10": 0.79}, "`kin`": {"recall@10": 0.8}}}
    assert table(results)[2:] == ["| nothing | 0.800 |", "| `cover` | -1.0 |", "| `kin` | 0 |"]


def test_the_page_names_the_command_that_made_it() -> None:
    results = {"locomo": {WHOLE: {"recall@10": 0.8}}}
    made = document(results, every=3, questions=9, names=["locomo", "faquad"])
    assert "`python -m benchmarks.ablation DATA_FOLDER --set locomo,faquad --every 3`: 9 questions" in made
    assert "DATA_FOLDER --every 5`" in document(results, every=5, questions=9)
