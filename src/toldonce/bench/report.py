"""The figures of a run as a table that JSON can hold, and what changed between two such tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from toldonce.bench.choice import QuestionChoice
from toldonce.bench.measures import ALL, confidence_interval, summarise_scores
from toldonce.bench.run import BenchOutcome
from toldonce.bench.sets import LoadedSet
from toldonce.errors import InputError
from toldonce.operations.space_state import DEFAULT_PRESET

FORM = 1
# Figures that must not fall, by more than this, from one run to the next.
MAIN = ("hit@5", "recall@10", "ndcg@10", "in_context")
TOLERANCE = 0.01
_DIGITS = 6
# Where an earlier report has nothing to say of a setting, that setting was not there yet.
_SETTING: Mapping[str, Any] = {
    "preset": None, "embedder": None, "reranker": "none", "settled": None, "limit": None, "conversations": None,
    "categories": [], "sample": None, "seed": 0,
}  # fmt: skip
# What a page shows of each set: heading and figure.
_SHOWN = (
    ("recall@5", "recall@5"), ("@10", "recall@10"), ("@20", "recall@20"), ("hit@5", "hit@5"), ("all@5", "all@5"),
    ("NDCG@10", "ndcg@10"), ("fresh", "fresh"), ("in context", "in_context"),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureDifference:
    """One figure of one set then and now."""

    set: str
    figure: str
    before: float
    now: float

    @property
    def change_in_figure(self) -> float:
        return self.now - self.before

    @property
    def is_worse(self) -> bool:
        """Whether a main figure is worse by more than chance explains."""
        return self.figure in MAIN and self.change_in_figure < -TOLERANCE


def build_bench_report(
    runs: Iterable[tuple[LoadedSet, BenchOutcome]],
    *,
    version: str,
    preset: str,
    embedder: str,
    reranker: str = "none",
    settled: bool,
    choice: QuestionChoice,
    at: datetime,
    named: Sequence[str] = (),
    granularity: str | None = None,
) -> dict[str, Any]:
    """Everything that a run found, with the setting it was found in; `named` are the sets that were asked for."""
    return {
        "form": FORM,
        "toldonce": version,
        "at": at.isoformat(),
        "preset": preset,
        "embedder": embedder,
        "reranker": reranker,
        "settled": settled,
        "limit": choice.limit,
        "conversations": choice.conversations,
        "categories": list(choice.categories),
        "sample": choice.sample,
        "seed": choice.seed,
        "named": list(named),
        "granularity": granularity,
        "sets": [_set_row(loaded, outcome) for loaded, outcome in runs],
    }


def _set_row(loaded: LoadedSet, outcome: BenchOutcome) -> dict[str, Any]:
    scores = summarise_scores((answer.category, answer.scores) for answer in outcome.answers)
    shares = [share for answer in outcome.answers if (share := answer.scores["recall@10"]) is not None]
    return {
        "name": loaded.name,
        "granularity": loaded.granularity,
        "files": list(loaded.files),
        "collections": len(loaded.collections),
        "questions": len(outcome.answers),
        "messages": outcome.messages,
        "skipped": outcome.skipped,
        "seconds": round(outcome.seconds, 1),
        "interval_recall@10": [round(end, _DIGITS) for end in confidence_interval(shares) or ()],
        "scores": {
            category: {name: round(value, _DIGITS) for name, value in row.items()} for category, row in scores.items()
        },
    }


def render_report_page(report: Mapping[str, Any]) -> str:
    """A Markdown page: a line of figures for each set, and the command that makes them again."""
    options = f" --set {','.join(report['named'])}" if report["named"] else ""
    options += f" --granularity {report['granularity']}" if report["granularity"] else ""
    options += "" if report["preset"] == DEFAULT_PRESET else f" --preset {report['preset']}"
    options += " --settled" if report["settled"] else ""
    options += f" --category {','.join(report['categories'])}" if report["categories"] else ""
    options += f" --conversations {report['conversations']}" if report["conversations"] else ""
    options += f" --sample {report['sample']} --seed {report['seed']}" if report["sample"] else ""
    options += f" --limit {report['limit']}" if report["limit"] else ""
    lines = [
        "# Recall on public question sets", "",
        f"Written by `toldonce bench DATA_FOLDER{options} --markdown FILE`; DATA_FOLDER",
        f"holds the sets (docs/bench.md). Preset {report['preset']}, {models_in_use(report)}; no writer.", "",
        "| set | questions | " + " | ".join(heading for heading, _ in _SHOWN) + " |",
        "|---|---:|" + "---:|" * len(_SHOWN),
    ]  # fmt: skip
    for one in report["sets"]:
        scores = one["scores"][ALL]
        cells = [f"{scores[figure]:.3f}" if figure in scores else "" for _, figure in _SHOWN]
        lines.append(f"| {one['name']}, by {one['granularity']} | {one['questions']} | " + " | ".join(cells) + " |")
    return "\n".join([*lines, ""])


def models_in_use(report: Mapping[str, Any]) -> str:
    """What was measured with, in words."""
    reranker = report.get("reranker", "none")
    return f"embedder {report['embedder']}" + (f", reranker {reranker}" if reranker != "none" else "")


def read_report(path: Path) -> dict[str, Any]:
    """A report that was written to a file."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise InputError(f"{path} cannot be read as a report of `toldonce bench`: {problem}") from None
    if not _is_report(found):
        raise InputError(f"{path} is not a report of `toldonce bench`: give a file that `--out` wrote")
    return found  # type: ignore[no-any-return]


def _is_report(found: Any) -> bool:
    """Whether all that a comparison reads is there."""
    if not isinstance(found, dict) or found.get("form") != FORM or not isinstance(found.get("sets"), list):
        return False
    return all(
        isinstance(one, dict)
        and {"name", "granularity", "questions"} <= one.keys()
        and isinstance(one.get("scores"), dict)
        and isinstance(one["scores"].get(ALL), dict)
        and all(isinstance(value, int | float) for value in one["scores"][ALL].values())
        for one in found["sets"]
    )


def compare_reports(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[FigureDifference]:
    """What changed in the means over all questions, for each set that both reports have."""
    old = {_set_key(one): one["scores"][ALL] for one in before["sets"]}
    return [
        FigureDifference(set=_set_key(one), figure=figure, before=old[_set_key(one)][figure], now=value)
        for one in now["sets"]
        if _set_key(one) in old
        for figure, value in one["scores"][ALL].items()
        if figure != "n" and figure in old[_set_key(one)]
    ]


def explain_incomparable(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Why two reports may not be comparable, in words."""
    pairs = [(key, before.get(key, default), now.get(key, default)) for key, default in _SETTING.items()]
    said = [f"{key} was {was} and is {is_now}" for key, was, is_now in pairs if was != is_now]
    old, new = ({_set_key(one): one["questions"] for one in report["sets"]} for report in (before, now))
    said += [f"{name} had {old[name]} questions and has {new[name]}" for name in _changed_counts(old, new)]
    return said + [f"{name} was not run {'before' if name in new else 'now'}" for name in sorted({*old} ^ {*new})]


def _changed_counts(old: Mapping[str, int], new: Mapping[str, int]) -> Sequence[str]:
    return [name for name in old if name in new and old[name] != new[name]]


def _set_key(one: Mapping[str, Any]) -> str:
    return f"{one['name']} ({one['granularity']})"
