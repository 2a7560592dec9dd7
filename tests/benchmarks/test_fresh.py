"""The cross-validation of updates: a setting is never measured on the conversations that chose it."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.ablation import changed
from benchmarks.fresh import (
    NUMBERS,
    OFF,
    SHIPPED,
    Answer,
    ask_set,
    build_page,
    build_table,
    choose_setting,
    cross_validate,
    fold_of,
    settings,
)
from toldonce.bench.cache import CachedEmbedder
from toldonce.bench.run import BenchSetup
from toldonce.bench.sets import LoadedSet
from toldonce.bench.values import BenchQuestion, BenchTurn, Collection, Passage
from toldonce.models.load import load_embedder
from toldonce.recall import scoring

FIRST, SECOND, *_ = [variant.name for variant in settings()]


def answers(conversation: str, **fresh: float) -> list[Answer]:
    """What each setting gave for one question; those that are not named gave nothing."""
    names = {FIRST: fresh.get("first", 0.0), SECOND: fresh.get("second", 0.0)}
    return [Answer("set", conversation, variant.name, names.get(variant.name, 0.0), 0.0) for variant in settings()]


def test_the_settings_differ_and_hold_what_ships() -> None:
    shipped = tuple(getattr(scoring, name) for name in NUMBERS)
    tried = [tuple(value for _, _, value in variant.changes) for variant in settings()]
    assert len(set(tried)) == len({variant.name for variant in settings()}) == len(tried)
    assert shipped in tried


def test_a_setting_holds_only_while_it_is_tried() -> None:
    before = scoring.REACH
    with changed(settings()[-1]):
        assert before != scoring.REACH
    assert before == scoring.REACH


def test_a_fold_is_measured_with_what_the_other_folds_chose() -> None:
    names = [f"chat {number}" for number in range(40)]
    one, other = ([name for name in names if fold_of(name, 2) == fold] for fold in (0, 1))
    given = [answer for name in one for answer in answers(name, first=1.0)]
    given += [answer for name in other for answer in answers(name, second=1.0)]
    assert choose_setting([a for a in given if a.conversation in one]) == FIRST
    assert cross_validate(given, folds=2) == {"set": [0.0] * len(names)}


def test_among_equally_fresh_settings_the_better_order_is_chosen() -> None:
    given = [Answer("set", "a", name, 1.0, 0.5 if name == SECOND else 0.4) for name in (FIRST, SECOND)]
    assert choose_setting(given) == SECOND


def test_update_questions_are_asked_with_and_without_the_rule(tmp_path: Path) -> None:
    said = ["I own three bikes", "We had soup", "I own four bikes now and a van", "We had rice", "We had fish"]
    passages = tuple(Passage(id=str(n), session=str(n), turns=(BenchTurn(text),)) for n, text in enumerate(said))
    groups = (frozenset({"0"}), frozenset({"2"}))
    asked = BenchQuestion(
        id="q", text="How many bikes do I own?", gold=frozenset({"0", "2"}), category="c", groups=groups, dated=True
    )
    collection = Collection(id="c", passages=passages, questions=(asked,))
    model = load_embedder("default")
    assert model is not None
    embedder = CachedEmbedder(model, tmp_path / "vectors.cache")
    loaded = LoadedSet(name="tiny", granularity="turn", files=(), collections=(collection,))
    found = ask_set(loaded, BenchSetup(embedder=embedder), embedder)
    embedder.close()
    assert {answer.variant: answer.fresh for answer in found if answer.variant in (OFF, SHIPPED)} == {
        OFF: 0,
        SHIPPED: 1,
    }
    table = build_table(found, folds=2)
    assert table[-1].startswith("| tiny, by turn | 1 | 0.000 | 1.000 |")
    assert table[-1] in build_page(table, folds=2)
    page = build_page(table, folds=2, names=["tiny"])
    assert "36 settings" in page and "`python -m benchmarks.fresh DATA_FOLDER --set tiny`" in page


@pytest.mark.parametrize("folds", [2, 5])
def test_a_conversation_is_always_in_the_same_fold(folds: int) -> None:
    assert {fold_of(f"chat {number}", folds) for number in range(100)} == set(range(folds))
    assert fold_of("chat", folds) == fold_of("chat", folds)
