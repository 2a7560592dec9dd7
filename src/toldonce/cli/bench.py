"""The command that measures recall: on public data sets in a folder, or by probes made of one's own memory."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from toldonce.cli.bench_output import figures_table, progress_bar
from toldonce.cli.invocation import Invocation, pass_invocation
from toldonce.cli.options import complete_preset, named_command
from toldonce.cli.page import count_noun, terminal_columns, wrap_text
from toldonce.clock import system_clock
from toldonce.errors import InputError

if TYPE_CHECKING:
    from toldonce.bench.cache import CachedEmbedder
    from toldonce.bench.choice import QuestionChoice
    from toldonce.bench.own import OwnResult, Probe
    from toldonce.bench.report import FigureDifference
    from toldonce.bench.run import BenchSetup
    from toldonce.bench.sets import LoadedSet
    from toldonce.bench.values import Granularity

# What a table shows, in order: heading, figure, digits. A column without any value is left out.
COLUMNS = (
    ("n", "n", 0), ("hit@5", "hit@5", 3), ("recall@5", "recall@5", 3), ("@10", "recall@10", 3), ("@20", "recall@20", 3),
    ("all@5", "all@5", 3), ("all@10", "all@10", 3), ("NDCG@10", "ndcg@10", 3), ("MRR", "mrr", 3),
    ("fresh", "fresh", 3), ("in context", "in_context", 3), ("tokens", "tokens", 0), ("ms CPU", "cpu_ms", 1),
)  # fmt: skip
OWN_COLUMNS = (
    ("n", "n", 0), ("recall@1", "recall@1", 3), ("@5", "recall@5", 3), ("@10", "recall@10", 3), ("MRR", "mrr", 3)
)  # fmt: skip
MOST_WORSE = 20
_ANSWER_FILES = (
    "Count right answers without a model, in steps: write what is to be answered, then what is to be judged to this"
    " folder, and read answers and verdicts from it. Its how_to_answer.txt says what to write; run the same command"
    " again after each step."
)
_new_file = click.Path(dir_okay=False, path_type=Path)


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchOptions:
    """The options of the command as they were given."""

    folder: Path | None
    names: str | None
    granularity: Granularity | Literal["both"] | None
    categories: str | None
    conversations: int | None
    sample: int | None
    seed: int | None
    limit: int | None
    preset: str | None
    embedder: str | None
    reranker: str | None
    settled: bool
    cache: Path | None
    out: Path | None
    markdown: Path | None
    compare: Path | None
    database: str | None
    answers: str | None
    judge: str | None
    answer_files: Path | None
    budget: int | None
    own: bool
    renew: bool

    @property
    def answered(self) -> bool:
        """Whether right answers are counted, not rankings measured."""
        return bool(self.answers or self.answer_files)

    def choice(self) -> QuestionChoice:
        """Which questions are asked."""
        from toldonce.bench.choice import QuestionChoice

        return QuestionChoice(
            conversations=self.conversations,
            is_answered=self.answered,
            categories=tuple(_split_names(self.categories)),
            sample=self.sample,
            seed=self.seed or 0,
            limit=self.limit,
        )

    def check(self) -> None:
        """Refuse options that do not go together."""
        if self.own and any(value for name, value in asdict(self).items() if name not in ("own", "renew", "limit")):
            raise click.UsageError("--own takes no folder and no other option than --limit and --renew")
        if not self.own and self.renew:
            raise click.UsageError("--renew goes with --own")
        if not self.own and self.folder is None:
            raise click.UsageError("name the folder with the data sets, or --own")
        if self.seed is not None and self.sample is None:
            raise click.UsageError("--seed goes with --sample")
        if not self.answered and (self.judge or self.budget):
            raise click.UsageError("--judge and --budget go with --answers or --answer-files")
        if self.answered and (self.markdown or self.compare):
            raise click.UsageError("--answers and --answer-files go with --out, not with --markdown or --compare")
        if self.database and not self.database.startswith(("postgresql://", "postgres://")):
            raise click.UsageError("--on takes the address of a PostgreSQL database: postgresql://...")


@named_command("bench")
@click.argument("folder", metavar="[DATA_FOLDER]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--set", "names", metavar="NAME,...", help="Only these sets, such as locomo,beam; by default, all available sets."
)
@click.option(
    "--granularity", type=click.Choice(["turn", "session", "both"]), help="Look for turns, whole sessions, or both."
)
@click.option(
    "--category", "categories", metavar="NAME,...", help="Only questions of these categories, such as 1,2,3,4 or multi."
)
@click.option("--conversations", type=click.IntRange(min=1), help="Only the first N conversations of each set.")
@click.option("--sample", type=click.IntRange(min=1), help="Only N questions of each set, drawn by chance.")
@click.option("--seed", type=int, help="With --sample: the number that decides which; 0 by default.")
@click.option(
    "--limit", "-n", type=click.IntRange(min=1), help="Only the first N questions of each set, or make N probes."
)
@click.option("--preset", "-p", metavar="NAME", shell_complete=complete_preset, help="Run with this preset.")
@click.option("--embedder", metavar="NAME", help="Run with this embedder.")
@click.option("--reranker", metavar="NAME", help="Run with this reranker.")
@click.option(
    "--settled", is_flag=True, help="Settle every conversation before anything is asked, as is always done for answers."
)
@click.option("--cache", type=_new_file, metavar="FILE", help="Keep vectors here, for the next run.")
@click.option("--out", "-o", type=_new_file, metavar="FILE", help="Write all figures to this JSON file.")
@click.option("--markdown", type=_new_file, metavar="FILE", help="Write the figures of each set to this page.")
@click.option("--compare", type=_new_file, metavar="FILE", help="Say what changed since the run that wrote FILE.")
@click.option(
    "--on",
    "database",
    metavar="ADDRESS",
    help="Measure in this PostgreSQL database, made for it: what is loaded stays there.",
)
@click.option("--answers", metavar="WRITER", help="Let this model answer the questions, and count the right answers.")
@click.option("--judge", metavar="WRITER", help="Let this model judge; without it, the one that answers does.")
@click.option("--answer-files", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER", help=_ANSWER_FILES)
@click.option("--budget", type=click.IntRange(min=1), help="Tokens of a prompt block; by default, the preset's.")
@click.option("--own", is_flag=True, help="Ask probes made of your own memory instead.")
@click.option("--renew", is_flag=True, help="With --own: make new probes.")
@click.pass_context
@pass_invocation
def bench(invocation: Invocation, ctx: click.Context, /, **given: Any) -> None:
    """Measure what recall finds, or how many answers are right.

    DATA_FOLDER holds public data sets: LoCoMo, LongMemEval, BEAM, FaQuAD, LoCoMo-Plus. With --own, questions are made
    of what this memory holds, and asked again in later runs.
    """
    options = BenchOptions(**given)
    options.check()
    if options.own:
        ctx.exit(_judge_own(invocation, renew=options.renew, limit=options.limit))
    ctx.exit(_count_right_answers(invocation, options) if options.answered else _rank(invocation, options))


def _count_right_answers(invocation: Invocation, options: BenchOptions) -> int:
    from toldonce.cli.bench_answers import AnswerRun, answer_sets, read_answer_models
    from toldonce.cli.json_output import to_json_document

    by_files = options.answer_files is not None
    models = read_answer_models(invocation, options.answers, options.judge, by_files=by_files)
    _check_output_path(options.out)
    loaded = _load_sets(invocation, options)
    with _bench_setup(invocation, options) as setup:
        run = AnswerRun(folder=options.answer_files, budget=options.budget, choice=options.choice(), models=models)
        shown = answer_sets(invocation, loaded, setup, run)
    if options.out:
        _write_report_file(options.out, to_json_document(shown) + "\n")
    return 0


def _rank(invocation: Invocation, options: BenchOptions) -> int:
    from toldonce.bench.report import read_report, render_report_page
    from toldonce.cli.json_output import to_json_document

    before = read_report(options.compare) if options.compare else None
    for path in (options.out, options.markdown):
        _check_output_path(path)
    loaded = _load_sets(invocation, options)
    with _bench_setup(invocation, options) as setup:
        now = _measure_sets(invocation, loaded, setup, options)
    # Results that took long to compute are printed before a file error can lose them.
    code = _print_bench_report(invocation, now, before)
    if options.out:
        _write_report_file(options.out, to_json_document(now) + "\n")
    if options.markdown:
        _write_report_file(options.markdown, render_report_page(now))
    return code


def _load_sets(invocation: Invocation, options: BenchOptions) -> list[LoadedSet]:
    from toldonce.bench.sets import load_sets

    assert options.folder is not None
    named = _split_names(options.names)
    with invocation.show_progress("Reading the data sets"):
        return load_sets(options.folder, named, granularity=options.granularity, choice=options.choice())


def _split_names(names: str | None) -> list[str]:
    return [name.strip() for name in (names or "").split(",") if name.strip()]


@contextmanager
def _bench_setup(invocation: Invocation, options: BenchOptions) -> Iterator[BenchSetup]:
    """What the memories of the run are set up with: as said, else as the settings say."""
    from toldonce import presets
    from toldonce.bench.cache import CachedEmbedder
    from toldonce.bench.run import BenchSetup
    from toldonce.models.load import load_embedder, load_reranker
    from toldonce.operations.space_state import DEFAULT_PRESET

    config = invocation.settings.config
    chosen = options.preset or config.preset or DEFAULT_PRESET
    presets.load_preset(chosen)
    model = load_embedder(options.embedder or config.embedder)
    judge = load_reranker(options.reranker or config.reranker)
    if judge is not None:
        # Loaded, or found to be away, before anything is timed.
        judge.scores("is it there?", ["yes"])
    setup = BenchSetup(preset=chosen, reranker=judge, settled=options.settled, database=options.database or "")
    if model is None:
        yield setup
        return
    kept: CachedEmbedder
    with closing(CachedEmbedder(model, options.cache)) as kept:
        yield replace(setup, embedder=kept)


def _measure_sets(
    invocation: Invocation, loaded: Sequence[LoadedSet], setup: BenchSetup, options: BenchOptions
) -> dict[str, Any]:
    from toldonce import __version__
    from toldonce.bench.report import build_bench_report
    from toldonce.bench.run import count_work, run_collections

    outcomes = []
    for one in loaded:
        with progress_bar(invocation, f"{one.name} ({one.granularity})", count_work(one.collections)) as advance:
            outcomes.append((one, run_collections(one.collections, setup, advance=advance)))
    return build_bench_report(
        outcomes,
        version=__version__,
        preset=setup.preset,
        settled=setup.settled,
        choice=options.choice(),
        at=system_clock(),
        embedder=setup.embedder.name if setup.embedder else "none",
        reranker=setup.reranker.name if setup.reranker else "none",
        named=_split_names(options.names),
        granularity=options.granularity,
    )


def _check_output_path(path: Path | None) -> None:
    """Refuse a file that cannot be written before the work is done whose figures it is to hold."""
    if path is None:
        return
    if not path.parent.is_dir():
        raise InputError(f"{path} cannot be written: there is no folder {path.parent}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InputError(f"{path} cannot be written: you may not write there; name another file")


def _write_report_file(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise InputError(f"{path} cannot be written: {problem.strerror}") from None


def _print_bench_report(invocation: Invocation, now: dict[str, Any], before: Mapping[str, Any] | None) -> int:
    """Say what was found; the exit code is 1 when a main figure fell."""
    from toldonce.bench.report import compare_reports, explain_incomparable

    found = compare_reports(before, now) if before is not None else []
    fell = [one for one in found if one.is_worse]
    value = {**now, **({"differences": found, "fell": fell} if before is not None else {})}
    invocation.answer(value, lambda: [*_report_tables(now), *(_changed_figures(found) if before is not None else [])])
    for line in explain_incomparable(before, now) if before is not None else ():
        invocation.warn(f"the two runs differ: {line}")
    for one in fell:
        invocation.warn(f"{one.set}: {one.figure} fell from {one.before:.3f} to {one.now:.3f}")
    return 1 if fell else 0


def _report_tables(report: Mapping[str, Any]) -> list[str]:
    from toldonce.bench.report import models_in_use

    lines = [f"toldonce {report['toldonce']}, preset {report['preset']}, {models_in_use(report)}"]
    for one in report["sets"]:
        about = [count_noun(one["collections"], "collection"), count_noun(one["messages"], "message")]
        about += [f"{one['skipped']} not taken by the preset"] if one["skipped"] else []
        lines += ["", click.style(f"{one['name']}, by {one['granularity']}", bold=True) + f": {', '.join(about)}"]
        lines += figures_table(one["scores"], COLUMNS, first="category")
        if ends := one["interval_recall@10"]:
            lines.append(f"recall@10 of all lies between {ends[0]:.3f} and {ends[1]:.3f} in 95 of 100 samples")
    return lines


def _changed_figures(found: Sequence[FigureDifference]) -> list[str]:
    if not found:
        return ["", "The earlier run has none of these sets."]
    shown = {figure for _, figure, _ in COLUMNS}
    changed = [d for d in found if d.figure in shown and abs(d.change_in_figure) >= 0.0005]
    lines = ["", click.style("Changes", bold=True)]
    lines += [f"{d.set}  {d.figure}  {d.before:.3f} -> {d.now:.3f}  ({d.change_in_figure:+.3f})" for d in changed]
    return lines if changed else [*lines, "none"]


def _judge_own(invocation: Invocation, *, renew: bool, limit: int | None) -> int:
    from toldonce.bench.own import PROBES, judge_own_memory

    with invocation.open(vectors=True) as memory:
        with invocation.show_progress("Asking"):
            judged = judge_own_memory(
                memory, space=invocation.space, now=memory.clock(), renew=renew, most=limit or PROBES
            )
        invocation.answer(_own_value(judged), lambda: _format_own_result(judged))
        waiting = memory.stats(space=invocation.space)["waiting for a vector"] if memory.embedder else 0
    if limit and judged.before is not None and limit != len(judged.probes):
        invocation.note(f"All remembered probes were asked. Use --renew --limit {limit} to make that many new ones.")
    if waiting:
        invocation.note(
            f"{count_noun(waiting, 'record waits', 'records wait')} for a vector: `toldonce tend` makes them."
        )
    if judged.is_worse and judged.before is not None:
        now, was = judged.scores["ALL"]["recall@5"], judged.before["recall@5"]
        invocation.warn(
            f"recall@5 fell from {was:.3f} to {now:.3f}; --renew makes new probes if that is as it should be"
        )
    return 1 if judged.is_worse else 0


def _own_value(judged: OwnResult) -> dict[str, Any]:
    worse = [{"record": p.record, "form": p.form, "before": was, "now": p.place} for p, was in judged.worse]
    return {
        "probes": len(judged.probes),
        "scores": judged.scores,
        "before": judged.before,
        "worse": worse,
        "better": judged.better,
        "gone": judged.gone,
        "fell": judged.is_worse,
    }


def _format_own_result(judged: OwnResult) -> list[str]:
    lines = figures_table(judged.scores, OWN_COLUMNS, first="question")
    if judged.before is None:
        told = f"{count_noun(len(judged.probes), 'probe')} made and remembered: later runs ask the same and compare."
        return [*lines, *wrap_text(told, terminal_columns())]
    lines.append(f"recall@5 was {judged.before['recall@5']:.3f} on the same probes")
    lines += [f"{count_noun(judged.gone, 'probe')} dropped, since the record no longer counts"] if judged.gone else []
    lines.append(f"{judged.better} found again, {len(judged.worse)} lost")
    return lines + [_format_lost_probe(probe, was) for probe, was in judged.worse[:MOST_WORSE]]


def _format_lost_probe(probe: Probe, was: int | None) -> str:
    now = f"place {probe.place}" if probe.place else "not found"
    return f"  {click.style(probe.record, dim=True)}  {probe.form}: place {was} before, {now} now"
