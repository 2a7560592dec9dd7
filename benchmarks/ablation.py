"""What each piece of evidence and each device of the ranking is worth: recall without it, on data of your own.

    python -m benchmarks.ablation DATA_FOLDER                      every fifth question of every set in the folder
    python -m benchmarks.ablation DATA_FOLDER --every 1 --cache vectors.cache
    python -m benchmarks.ablation DATA_FOLDER --set locomo,beam-100k

The memories are filled once; every question is then asked of the whole ranking and of the ranking without one thing.
It writes `benchmarks/results/ablation.md`. The data sets are those of `toldonce bench`; see docs/bench.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from toldonce.bench.cache import CachedEmbedder
from toldonce.bench.measures import Scores, mean_scores, score_ranking
from toldonce.bench.run import BenchSetup, filled_memory
from toldonce.bench.sets import LoadedSet, load_sets
from toldonce.bench.values import Collection
from toldonce.models.load import load_embedder
from toldonce.recall import candidates, features, scoring, search
from toldonce.recall import scoring as weigh
from toldonce.recall.rank import reciprocal_rank
from toldonce.storage.vectors.search import NearestRecords
from toldonce.storage.vectors.whitening import Whitening

RESULTS = Path(__file__).resolve().parent / "results" / "ablation.md"
WHOLE = "the whole ranking"
FIGURES = ("recall@10", "ndcg@10", "hit@1", "fresh")
BY_GROUP: Mapping[str, tuple[str, ...]] = {
    "all words": ("cover", "around", "answers", "near", "kin"),
    "all neighbours": ("around", "answers", "next"),
    "all of meaning": ("sim", "echo", "next"),
    "all of who spoke": ("author", "first", "reply", "reply_asked", "reply_summary"),
    "all of time": ("time", "date", "tells"),
}


@dataclass(frozen=True, slots=True)
class Variant:
    """A ranking with something changed: what to set on which object while it runs."""

    name: str
    changes: tuple[tuple[object, str, object], ...] = ()


def variants() -> list[Variant]:
    """The whole, then each piece left out, groups of pieces, and each device switched off."""
    pieces = [_without(f"`{name}`", (name,)) for name in features.NAMES]
    groups = [_without(name, some) for name, some in BY_GROUP.items()]
    devices = [
        Variant("the newest statement ahead", ((scoring, "MOST_UPDATES", 0),)),
        Variant("remarks taken as remarks", ((candidates, "is_statement", _never),)),
        Variant("requests for help taken as such", ((features, "is_help_request", _never),)),
        Variant("what is common taken off, for remarks", ((Whitening, "crowding", _not_known),)),
        Variant("messages around the best as answers", ((weigh, "AROUND", 0),)),
        Variant(
            "the question stretched to the store",
            ((Whitening, "ask", _as_it_is), (NearestRecords, "whitening", _unknown)),
        ),
        Variant("evidence (ranks of the same lists added up)", ((search, "_rank_candidates", _ranks_added),)),
    ]
    return [Variant(WHOLE), *pieces, *groups, *devices]


def _without(name: str, pieces: Sequence[str]) -> Variant:
    weights = {**features.WEIGHTS, **dict.fromkeys(pieces, 0.0)}
    return Variant(name, ((features, "WEIGHTS", weights),))


def _never(_: str) -> bool:
    return False


def _as_it_is(_: Whitening, question: Any) -> Any:
    return question


def _not_known(_: Whitening, __: Any) -> None:
    return None


def _unknown(_: NearestRecords) -> tuple[None, None]:
    return None, None


def _ranks_added(request: candidates.RecallRequest, readings: Sequence[candidates.RecallSnapshot], _: Any) -> Any:
    policy, ranked = request.preset.recall, []
    for reading in readings:
        rankings = candidates.gather_rankings(reading, request)
        fused = reciprocal_rank(rankings.lists, weights=policy.signals, k=policy.rrf_k)
        ranked.append(search._Ranked(reading, rankings, fused))
    return ranked


@contextmanager
def changed(variant: Variant) -> Iterator[None]:
    """The engine with the variant's changes, put back afterwards."""
    with ExitStack() as stack:
        for owner, name, value in variant.changes:
            stack.callback(setattr, owner, name, getattr(owner, name))
            setattr(owner, name, value)
        yield


def thinned(collections: Sequence[Collection], every: int) -> list[Collection]:
    """The collections with every so many-th question; one that is left without any is left out."""
    kept, seen = [], 0
    for collection in collections:
        chosen = tuple(q for place, q in enumerate(collection.questions, start=seen) if place % every == 0)
        seen += len(collection.questions)
        if chosen:
            kept.append(replace(collection, questions=chosen))
    return kept


def measure(
    loaded: LoadedSet, setup: BenchSetup, embedder: CachedEmbedder, *, every: int, tell: Callable[[str], None]
) -> dict[str, dict[str, float]]:
    """The means of every variant over a set."""
    rows: dict[str, list[Scores]] = {}
    for collection in thinned(loaded.collections, every):
        with filled_memory(collection, setup, embedder) as asker:
            for variant in variants():
                with changed(variant):
                    found = [score_ranking(asker.rank(q, cached=True)[0], q) for q in collection.questions]
                rows.setdefault(variant.name, []).extend(found)
    tell(f"{loaded.name}, by {loaded.granularity}: {len(rows[WHOLE])} questions")
    return {name: mean_scores(some) for name, some in rows.items()}


def table(results: Mapping[str, Mapping[str, Mapping[str, float]]]) -> list[str]:
    """Markdown: figures of the whole ranking, and below what leaving something out adds or takes, in points."""
    columns = [(name, f) for name, by in results.items() for f in FIGURES if f in by[WHOLE]]
    lines = ["| left out | " + " | ".join(f"{name} {figure}" for name, figure in columns) + " |"]
    lines.append("|---|" + "---:|" * len(columns))
    for variant in next(iter(results.values())):
        cells = [_cell(results[name], variant, figure) for name, figure in columns]
        lines.append(f"| {'nothing' if variant == WHOLE else variant} | " + " | ".join(cells) + " |")
    return lines


def _cell(by: Mapping[str, Mapping[str, float]], variant: str, figure: str) -> str:
    if variant == WHOLE:
        return f"{by[WHOLE][figure]:.3f}"
    points = 100 * (by[variant][figure] - by[WHOLE][figure])
    return "0" if abs(points) < 0.05 else f"{points:+.1f}"


def document(
    results: Mapping[str, Mapping[str, Mapping[str, float]]], *, every: int, questions: int, names: Sequence[str] = ()
) -> str:
    """The page that is written; `names` are the sets that were asked for."""
    chosen = f" --set {','.join(names)}" if names else ""
    head = [
        "# What each part of the ranking is worth", "",
        f"Written by `python -m benchmarks.ablation DATA_FOLDER{chosen} --every {every}`: {questions} questions,",
        "default preset and embedder; the weights are not fitted anew. The first line has the figures, the others say",
        "by how many points each changes when something is left out: minus means that it helps.", "",
    ]  # fmt: skip
    return "\n".join([*head, *table(results), ""])


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DATA_FOLDER")
    parser.add_argument("--set", dest="names", default="", metavar="NAME,...")
    parser.add_argument("--every", type=int, default=5, metavar="N", help="ask every N-th question")
    parser.add_argument("--cache", type=Path, metavar="FILE", help="keep vectors here, for the next run")
    parser.add_argument("--out", type=Path, default=RESULTS, metavar="FILE")
    given = parser.parse_args(arguments)
    model = load_embedder("default")
    if model is None:
        raise SystemExit("this needs an embedder")
    results: dict[str, dict[str, dict[str, float]]] = {}
    embedder = CachedEmbedder(model, given.cache)
    names = [name for name in given.names.split(",") if name]
    for loaded in load_sets(given.folder, names):
        results[loaded.name] = measure(loaded, BenchSetup(embedder=embedder), embedder, every=given.every, tell=print)
    embedder.close()
    questions = int(sum(by[WHOLE]["n"] for by in results.values()))
    given.out.parent.mkdir(parents=True, exist_ok=True)
    given.out.write_text(document(results, every=given.every, questions=questions, names=names), encoding="utf-8")
    print("\n".join(table(results)))


if __name__ == "__main__":
    main()
