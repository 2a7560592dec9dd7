"""How often the newest statement stands above the stale one, cross-validated by conversation, on data of your own.

    python -m benchmarks.fresh DATA_FOLDER                          every set in the folder that has update questions
    python -m benchmarks.fresh DATA_FOLDER --set beam-100k --cache vectors.cache

The rule has four numbers (`recall/scoring.py`). Every update question is asked with each of several settings of them.
Conversations are divided into folds; the setting that is best on the other folds is measured on each. A conversation is
in the same fold in every set. It writes `benchmarks/results/fresh.md`. The data sets are those of `toldonce bench`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import product
from math import fsum
from pathlib import Path

from benchmarks.ablation import Variant, changed
from toldonce.bench.cache import CachedEmbedder
from toldonce.bench.measures import score_ranking
from toldonce.bench.run import BenchSetup, filled_memory
from toldonce.bench.sets import LoadedSet, load_sets
from toldonce.bench.values import Collection
from toldonce.models.load import load_embedder
from toldonce.recall import scoring

RESULTS = Path(__file__).resolve().parent / "results" / "fresh.md"
OFF, SHIPPED = "no rule", "as shipped"
NUMBERS = ("LEAST_SAID", "CHANGED_MATTER", "REACH", "VALUE_REACH")
TRIED = ((0.1, 0.2, 0.3), (1 / 3, 1 / 2), (1.0, 2.0, 2.5), (3.0, 4.0))
FOLDS = 5


@dataclass(frozen=True, slots=True)
class Answer:
    """What one variant gave for one update question: 1 where the newest statement came first."""

    set: str
    conversation: str
    variant: str
    fresh: float
    ndcg: float


def settings() -> list[Variant]:
    """The settings of the rule that are tried against each other."""
    return [Variant(" ".join(f"{value:.2g}" for value in values), _set_numbers(values)) for values in product(*TRIED)]


def _set_numbers(values: Sequence[float]) -> tuple[tuple[object, str, object], ...]:
    return tuple((scoring, name, value) for name, value in zip(NUMBERS, values, strict=True))


def ask_set(loaded: LoadedSet, setup: BenchSetup, embedder: CachedEmbedder) -> list[Answer]:
    """The answers of every variant to the update questions of a set."""
    variants = [Variant(OFF, ((scoring, "MOST_UPDATES", 0),)), Variant(SHIPPED), *settings()]
    found: list[Answer] = []
    for collection in _with_updates(loaded.collections):
        with filled_memory(collection, setup, embedder) as asker:
            for variant in variants:
                with changed(variant):
                    for question in collection.questions:
                        scores = score_ranking(asker.rank(question, cached=True)[0], question)
                        found.append(
                            Answer(
                                f"{loaded.name}, by {loaded.granularity}",
                                collection.id,
                                variant.name,
                                scores["fresh"] or 0.0,
                                scores["ndcg@10"] or 0.0,
                            )
                        )
    return found


def _with_updates(collections: Iterable[Collection]) -> list[Collection]:
    """The collections with no questions but those whose answer changed; one without any is left out."""
    kept = (replace(c, questions=tuple(q for q in c.questions if q.dated)) for c in collections)
    return [collection for collection in kept if collection.questions]


def fold_of(conversation: str, folds: int) -> int:
    """The fold of a conversation, by its name alone."""
    return int(sha256(conversation.encode()).hexdigest(), 16) % folds


def cross_validate(answers: Sequence[Answer], *, folds: int) -> dict[str, list[float]]:
    """For each set what the questions of each fold gave with the setting that was best on the other folds."""
    held_out: dict[str, list[float]] = {}
    for fold in range(folds):
        others = [a for a in answers if fold_of(a.conversation, folds) != fold]
        best = choose_setting(others)
        for answer in answers:
            if answer.variant == best and fold_of(answer.conversation, folds) == fold:
                held_out.setdefault(answer.set, []).append(answer.fresh)
    return held_out


def choose_setting(answers: Sequence[Answer]) -> str:
    """The setting with the best mean over sets; among equals the one with the best order of all that was wanted."""

    def worth(name: str) -> tuple[float, float]:
        chosen = [answer for answer in answers if answer.variant == name]
        return round(mean_over_sets(chosen, "fresh"), 6), mean_over_sets(chosen, "ndcg")

    return max((variant.name for variant in settings()), key=worth)


def mean_over_sets(answers: Sequence[Answer], figure: str) -> float:
    """The mean of a figure in each set, and the mean of these, so that a large set does not decide alone."""
    by_set: dict[str, list[float]] = {}
    for answer in answers:
        by_set.setdefault(answer.set, []).append(getattr(answer, figure))
    return _mean([_mean(values) for values in by_set.values()])


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values) if values else 0.0


def build_table(answers: Sequence[Answer], *, folds: int) -> list[str]:
    """Markdown: for each set the figures without the rule, as shipped, cross-validated, and over all settings."""
    held_out = cross_validate(answers, folds=folds)
    lines = ["| set | update questions | no rule | as shipped | cross-validated | all settings |"]
    lines.append("|---|---:|---:|---:|---:|---:|")
    for name, values in held_out.items():
        by_variant = _by_variant(answers, name)
        tried = [_mean(by_variant[variant.name]) for variant in settings()]
        figures = [_mean(by_variant[OFF]), _mean(by_variant[SHIPPED]), _mean(values)]
        cells = " | ".join(f"{figure:.3f}" for figure in figures)
        lines.append(f"| {name} | {len(values)} | {cells} | {min(tried):.3f} to {max(tried):.3f} |")
    return lines


def _by_variant(answers: Iterable[Answer], name: str) -> Mapping[str, list[float]]:
    found: dict[str, list[float]] = {}
    for answer in answers:
        if answer.set == name:
            found.setdefault(answer.variant, []).append(answer.fresh)
    return found


def build_page(table: Sequence[str], *, folds: int, names: Sequence[str] = ()) -> str:
    """The page that is written; `names` are the sets that were asked for."""
    chosen = f" --set {','.join(names)}" if names else ""
    head = [
        "# The newest statement above the stale one", "",
        f"Written by `python -m benchmarks.fresh DATA_FOLDER{chosen}`:",
        f"default preset and embedder, {folds} folds by conversation, {len(settings())} settings of the four numbers",
        "of the rule. The last column is the range over all settings.", "",
    ]  # fmt: skip
    return "\n".join([*head, *table, ""])


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DATA_FOLDER")
    parser.add_argument("--set", dest="names", default="", metavar="NAME,...")
    parser.add_argument("--folds", type=int, default=FOLDS, metavar="N")
    parser.add_argument("--cache", type=Path, metavar="FILE", help="keep vectors here, for the next run")
    parser.add_argument("--out", type=Path, default=RESULTS, metavar="FILE")
    given = parser.parse_args(arguments)
    model = load_embedder("default")
    if model is None:
        raise SystemExit("this needs an embedder")
    embedder = CachedEmbedder(model, given.cache)
    names = [name for name in given.names.split(",") if name]
    answers: list[Answer] = []
    for loaded in load_sets(given.folder, names, granularity="both"):
        answers += ask_set(loaded, BenchSetup(embedder=embedder), embedder)
        print(f"{loaded.name}, by {loaded.granularity}: done", flush=True)
    embedder.close()
    table = build_table(answers, folds=given.folds)
    given.out.parent.mkdir(parents=True, exist_ok=True)
    given.out.write_text(build_page(table, folds=given.folds, names=names), encoding="utf-8")
    print("\n".join(table))


if __name__ == "__main__":
    main()
