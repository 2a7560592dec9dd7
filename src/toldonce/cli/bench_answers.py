"""The part of `toldonce bench` that counts right answers: of models, or through the files of a folder, in steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toldonce.cli.bench_output import figures_table, progress_bar
from toldonce.cli.invocation import Invocation
from toldonce.cli.page import count_noun
from toldonce.errors import ConfigError

if TYPE_CHECKING:
    from toldonce.bench.answers import AnswerSheet
    from toldonce.bench.asked_model import AskedModel, ModelUse
    from toldonce.bench.choice import QuestionChoice
    from toldonce.bench.run import BenchSetup
    from toldonce.bench.sets import LoadedSet

ANSWER_COLUMNS = (
    ("n", "n", 0), ("block", "block", 3), ("hits", "hits", 3),
    ("tokens of block", "block_tokens", 0), ("of hits", "hits_tokens", 0),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class AnswerModels:
    """The models that answer and judge; None for what is read from files."""

    answering: AskedModel | None
    judging: AskedModel | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRun:
    """Which questions are answered by whom: by models, or by who fills the files of a folder."""

    models: AnswerModels
    folder: Path | None
    budget: int | None
    choice: QuestionChoice


def read_answer_models(
    invocation: Invocation, answers: str | None, judge: str | None, *, by_files: bool
) -> AnswerModels:
    """The models as they were named; the one that answers judges too, unless verdicts are read from files."""
    judge = judge or (None if by_files else answers)
    return AnswerModels(_read_model(invocation, answers), _read_model(invocation, judge))


def _read_model(invocation: Invocation, writer: str | None) -> AskedModel | None:
    from toldonce.bench.asked_model import AskedModel
    from toldonce.distil.tiers import read_tiers

    if writer is None:
        return None
    tiers = read_tiers(writer, prices=invocation.settings.config.writer_prices)
    if tiers is None:
        raise ConfigError("name a model, as openai:gpt-4o-mini or ollama:llama3.2")
    if tiers.fast.lacks_key:
        raise ConfigError(f"there is no key for {tiers.fast.name}: set {tiers.fast.key_variable}")
    return AskedModel(tiers.fast, tiers.price(tiers.fast))


def answer_sets(
    invocation: Invocation, loaded: Sequence[LoadedSet], setup: BenchSetup, run: AnswerRun
) -> dict[str, Any]:
    """Do every step that can be done now, and say what came of it or what waits."""
    from toldonce import __version__
    from toldonce.bench.answer_files import AnswerFiles
    from toldonce.bench.answers import AnswerSheet, compare_runs, count_telling, score_answers, tell_questions

    about = _describe_run(loaded, setup, run)
    files = AnswerFiles(run.folder, settings=about)
    with progress_bar(invocation, "Telling", count_telling(loaded, files)) as advance:
        tell_questions(loaded, setup, files, budget=run.budget, advance=advance)
    sheet = AnswerSheet(loaded, files)
    estimates = _ask_models(invocation, sheet, run.models)
    sheet.write_waiting()
    judged = sheet.judged()
    by_set = [(one.name, [answer for answer in judged if answer.set == one.name]) for one in loaded]
    value = {
        "toldonce": __version__,
        **about,
        "sets": [
            {"name": name, "scores": score_answers(some), "gain": compare_runs(some), "answers": some}
            for name, some in by_set
        ],
        "unanswered": len(sheet.unanswered()),
        "unjudged": len(sheet.unjudged()),
        **{what: model.use for what, model in _named_models(run.models)},
        "estimated": estimates,
    }
    invocation.answer(value, lambda: _answer_lines(value, run))
    return value


def _describe_run(loaded: Sequence[LoadedSet], setup: BenchSetup, run: AnswerRun) -> dict[str, Any]:
    """What decides which questions are asked and what is given for them."""
    return {
        "names": [one.name for one in loaded],
        "preset": setup.preset,
        "embedder": setup.embedder.name if setup.embedder else "none",
        "reranker": setup.reranker.name if setup.reranker else "none",
        "budget": run.budget,
        "choice": asdict(run.choice),
    }


def _named_models(models: AnswerModels) -> list[tuple[str, AskedModel]]:
    named = (("answering", models.answering), ("judging", models.judging))
    return [(what, model) for what, model in named if model is not None]


def _ask_models(invocation: Invocation, sheet: AnswerSheet, models: AnswerModels) -> dict[str, ModelUse]:
    """Say what it will cost, then let the models answer and judge what waits."""
    from toldonce.bench.answers import answer_by_model, estimate_answering, estimate_judging, judge_by_model

    steps: list[tuple[str, AskedModel, Callable[..., ModelUse], Callable[..., None]]] = []
    if models.answering is not None:
        steps.append(("answering", models.answering, estimate_answering, answer_by_model))
    if models.judging is not None:
        steps.append(("judging", models.judging, estimate_judging, judge_by_model))
    estimates = {what: estimate(sheet, model) for what, model, estimate, _ in steps}
    for what, use in estimates.items():
        invocation.note(f"{what} will take about: {_use_line(use)}")
    for what, model, _, work in steps:
        total = estimates[what].calls
        with progress_bar(invocation, what.capitalize(), total) as advance:
            work(sheet, model, advance=advance)
    return estimates


def _use_line(use: ModelUse) -> str:
    cost = "unknown: set writer_prices" if use.cost is None else f"{use.cost / 1e6:.4f}"
    tokens = f"{use.input_tokens} tokens read, {use.output_tokens} written"
    return f"{use.model}, {count_noun(use.calls, 'call')}, {tokens}, cost {cost}"


def _answer_lines(value: Mapping[str, Any], run: AnswerRun) -> list[str]:
    lines = []
    for one in value["sets"]:
        if one["scores"]:
            lines += [click.style(f"{one['name']}, preset {value['preset']}", bold=True)]
            lines += figures_table(one["scores"], ANSWER_COLUMNS, first="category")
        if gain := one["gain"]:
            ends = f"{gain['low'] * 100:+.1f} to {gain['high'] * 100:+.1f} in 95 of 100 samples"
            lines.append(f"block is right {gain['gain'] * 100:+.1f} points against hits ({ends})")
    lines += [f"{what}: {_use_line(model.use)}" for what, model in _named_models(run.models)]
    return lines + (_waiting_lines(value, run.folder) if run.folder is not None else [])


def _waiting_lines(value: Mapping[str, Any], folder: Path) -> list[str]:
    """The next step, in words."""
    lines = []
    if count := value["unanswered"]:
        waits = count_noun(count, "question waits", "questions wait")
        lines.append(f"{waits} for an answer: see {folder / 'how_to_answer.txt'}, then run this again")
    if count := value["unjudged"]:
        waits = count_noun(count, "answer waits", "answers wait")
        lines.append(f"{waits} for a verdict: see {folder / 'how_to_judge.txt'}, then run this again")
    return lines
