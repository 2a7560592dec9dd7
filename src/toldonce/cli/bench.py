"""The command that measures recall: on public data sets in a folder, or by probes made of one's own memory."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from toldonce.cli.invocation import Invocation, pass_invocation
from toldonce.cli.options import complete_preset, named_command
from toldonce.cli.page import count_noun, terminal_columns, wrap_text
from toldonce.clock import system_clock
from toldonce.errors import ConfigError, InputError

if TYPE_CHECKING:
    from toldonce.bench.cache import CachedEmbedder
    from toldonce.bench.own import OwnResult, Probe
    from toldonce.bench.report import FigureDifference
    from toldonce.bench.run import BenchSetup
    from toldonce.bench.sets import LoadedSet
    from toldonce.bench.values import Granularity
    from toldonce.distil.tiers import Tiers

# What a table shows, in order: heading, figure, digits. A column without any value is left out.
COLUMNS = (
    ("n", "n", 0), ("hit@5", "hit@5", 3), ("recall@5", "recall@5", 3), ("@10", "recall@10", 3), ("@20", "recall@20", 3),
    ("all@5", "all@5", 3), ("all@10", "all@10", 3), ("NDCG@10", "ndcg@10", 3), ("MRR", "mrr", 3),
    ("fresh", "fresh", 3), ("in context", "in_context", 3), ("tokens", "tokens", 0), ("ms CPU", "cpu_ms", 1),
)  # fmt: skip
OWN_COLUMNS = (
    ("n", "n", 0), ("recall@1", "recall@1", 3), ("@5", "recall@5", 3), ("@10", "recall@10", 3), ("MRR", "mrr", 3)
)  # fmt: skip
ANSWER_COLUMNS = (("n", "n", 0), ("correct", "correct", 3))
MOST_WORSE = 20
_new_file = click.Path(dir_okay=False, path_type=Path)


@named_command("bench")
@click.argument("folder", metavar="[DATA_FOLDER]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--set", "names", metavar="NAME,...", help="Only these sets, such as locomo,beam; by default, all available sets."
)
@click.option(
    "--granularity", type=click.Choice(["turn", "session", "both"]), help="Look for turns, whole sessions, or both."
)
@click.option(
    "--limit", "-n", type=click.IntRange(min=1), help="Only the first N questions of each set, or make N probes."
)
@click.option("--preset", "-p", metavar="NAME", shell_complete=complete_preset, help="Run with this preset.")
@click.option("--embedder", metavar="NAME", help="Run with this embedder.")
@click.option("--reranker", metavar="NAME", help="Run with this reranker.")
@click.option("--settled", is_flag=True, help="Settle every conversation before anything is asked.")
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
@click.option("--judge", metavar="WRITER", help="With --answers: the model that judges them; by default, the same.")
@click.option("--own", is_flag=True, help="Ask probes made of your own memory instead.")
@click.option("--renew", is_flag=True, help="With --own: make new probes.")
@click.pass_context
@pass_invocation
def bench(
    invocation: Invocation,
    ctx: click.Context,
    folder: Path | None,
    names: str | None,
    granularity: Granularity | Literal["both"] | None,
    limit: int | None,
    preset: str | None,
    embedder: str | None,
    reranker: str | None,
    settled: bool,
    cache: Path | None,
    out: Path | None,
    markdown: Path | None,
    compare: Path | None,
    database: str | None,
    answers: str | None,
    judge: str | None,
    own: bool,
    renew: bool,
) -> None:
    """Measure how well recall finds what it should.

    DATA_FOLDER holds public data sets: LoCoMo, LongMemEval, BEAM, FaQuAD, LoCoMo-Plus. With --own, questions are made
    of what this memory holds, and asked again in later runs.
    """
    given = (
        folder, names, granularity, preset, embedder, reranker, settled or None, cache, out, markdown, compare,
        database, answers, judge,
    )  # fmt: skip
    if own:
        if any(one is not None for one in given):
            raise click.UsageError("--own takes no folder and no other option than --limit and --renew")
        ctx.exit(_judge_own(invocation, renew=renew, limit=limit))
    if folder is None or renew:
        raise click.UsageError("--renew goes with --own" if renew else "name the folder with the data sets, or --own")
    if judge and not answers:
        raise click.UsageError("--judge goes with --answers")
    if answers and (markdown or compare):
        raise click.UsageError("--answers goes with --out, not with --markdown or --compare")
    models = _answering_models(invocation, answers, judge) if answers else None
    from toldonce.bench.report import read_report, render_report_page
    from toldonce.bench.sets import load_sets
    from toldonce.cli.json_output import to_json_document

    before = read_report(compare) if compare else None
    for path in (out, markdown):
        _check_output_path(path)
    with invocation.show_progress("Reading the data sets"):
        loaded = load_sets(folder, named := _split_names(names), granularity=granularity, limit=limit)
    with _bench_setup(
        invocation,
        preset=preset,
        embedder=embedder,
        reranker=reranker,
        settled=settled,
        cache=cache,
        database=_check_database(database),
    ) as setup:
        if models is not None:
            shown = _answer_sets(invocation, loaded, setup, models)
            if out:
                _write_report_file(out, to_json_document(shown) + "\n")
            return
        now = _measure_sets(invocation, loaded, setup, limit=limit, named=named, granularity=granularity)
    # Results that took long to compute are printed before a file error can lose them.
    code = _print_bench_report(invocation, now, before)
    if out:
        _write_report_file(out, to_json_document(now) + "\n")
    if markdown:
        _write_report_file(markdown, render_report_page(now))
    ctx.exit(code)


def _answering_models(invocation: Invocation, answers: str, judge: str | None) -> Tiers:
    """The model that answers as the fast one, and the one that judges as the strong one."""
    from toldonce.distil.tiers import read_tiers

    tiers = read_tiers(answers, strong=judge or "", prices=invocation.settings.config.writer_prices)
    if tiers is None:
        raise ConfigError("name a model to answer, as openai:gpt-4o-mini or ollama:llama3.2")
    for model in (tiers.fast, tiers.strong):
        if model.lacks_key:
            raise ConfigError(f"there is no key for {model.name}: set {model.key_variable}")
    return tiers


def _answer_sets(
    invocation: Invocation, loaded: Sequence[LoadedSet], setup: BenchSetup, models: Tiers
) -> dict[str, Any]:
    from toldonce import __version__
    from toldonce.bench.answers import answer_questions
    from toldonce.bench.run import count_work

    sets = []
    for one in loaded:
        with _progress_bar(invocation, one.name, count_work(one.collections)) as advance:
            made = answer_questions(one.collections, setup, models, advance=advance)
        sets.append(
            {
                "name": one.name,
                "scores": made.scores(),
                "left_out": made.left_out,
                "answers": made.answers,
                "answering": made.answering,
                "judging": made.judging,
            }
        )
    value = {"toldonce": __version__, "preset": setup.preset, "settled": setup.settled, "sets": sets}
    invocation.answer(value, lambda: [line for one in sets for line in _answer_lines(one)])
    return value


def _answer_lines(one: Mapping[str, Any]) -> list[str]:
    lines = [click.style(one["name"], bold=True)]
    lines += _figures_table(one["scores"], ANSWER_COLUMNS, first="category") if one["scores"] else []
    if one["left_out"]:
        lines.append(f"{count_noun(one['left_out'], 'question has', 'questions have')} no expected answer")
    for what in ("answering", "judging"):
        use = one[what]
        cost = "unknown: set writer_prices" if use.cost is None else f"{use.cost / 1e6:.4f}"
        tokens = f"{use.input_tokens} tokens read, {use.output_tokens} written"
        lines.append(f"{what}: {use.model}, {count_noun(use.calls, 'call')}, {tokens}, cost {cost}")
    return lines


def _check_database(said: str | None) -> str:
    if said and not said.startswith(("postgresql://", "postgres://")):
        raise click.UsageError("--on takes the address of a PostgreSQL database: postgresql://...")
    return said or ""


def _split_names(names: str | None) -> list[str]:
    return [name.strip() for name in (names or "").split(",") if name.strip()]


@contextmanager
def _bench_setup(
    invocation: Invocation,
    *,
    preset: str | None,
    embedder: str | None,
    reranker: str | None,
    settled: bool,
    cache: Path | None,
    database: str,
) -> Iterator[BenchSetup]:
    """What the memories of the run are set up with: as said, else as the settings say."""
    from toldonce import presets
    from toldonce.bench.cache import CachedEmbedder
    from toldonce.bench.run import BenchSetup
    from toldonce.models.load import load_embedder, load_reranker
    from toldonce.operations.space_state import DEFAULT_PRESET

    config = invocation.settings.config
    chosen = preset or config.preset or DEFAULT_PRESET
    presets.load_preset(chosen)
    model = load_embedder(embedder or config.embedder)
    judge = load_reranker(reranker or config.reranker)
    if judge is not None:
        # Loaded, or found to be away, before anything is timed.
        judge.scores("is it there?", ["yes"])
    if model is None:
        yield BenchSetup(preset=chosen, reranker=judge, settled=settled, database=database)
        return
    kept: CachedEmbedder
    with closing(CachedEmbedder(model, cache)) as kept:
        yield BenchSetup(preset=chosen, embedder=kept, reranker=judge, settled=settled, database=database)


def _measure_sets(
    invocation: Invocation,
    loaded: Sequence[LoadedSet],
    setup: BenchSetup,
    *,
    limit: int | None,
    named: Sequence[str],
    granularity: str | None,
) -> dict[str, Any]:
    from toldonce import __version__
    from toldonce.bench.report import build_bench_report
    from toldonce.bench.run import count_work, run_collections

    outcomes = []
    for one in loaded:
        with _progress_bar(invocation, f"{one.name} ({one.granularity})", count_work(one.collections)) as advance:
            outcomes.append((one, run_collections(one.collections, setup, advance=advance)))
    return build_bench_report(
        outcomes,
        version=__version__,
        preset=setup.preset,
        settled=setup.settled,
        limit=limit,
        at=system_clock(),
        embedder=setup.embedder.name if setup.embedder else "none",
        reranker=setup.reranker.name if setup.reranker else "none",
        named=named,
        granularity=granularity,
    )


@contextmanager
def _progress_bar(invocation: Invocation, what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar while a set runs, if somebody watches."""
    if invocation.quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.advance(task, done)


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
        lines += _figures_table(one["scores"], COLUMNS, first="category")
        if ends := one["interval_recall@10"]:
            lines.append(f"recall@10 of all lies between {ends[0]:.3f} and {ends[1]:.3f} in 95 of 100 samples")
    return lines


def _figures_table(
    scores: Mapping[str, Mapping[str, float]], columns: Sequence[tuple[str, str, int]], *, first: str
) -> list[str]:
    """Figures by category: a ruled table on a terminal, plain columns in a pipe."""
    used = [column for column in columns if any(column[1] in row for row in scores.values())]
    head = [first, *(heading for heading, _, _ in used)]
    rows = [[name, *(_format_figure(row.get(key), digits) for _, key, digits in used)] for name, row in scores.items()]
    if sys.stdout.isatty():
        return _ruled_table(head, rows)
    widths = [max(len(row[place]) for row in [head, *rows]) for place in range(len(head))]
    return [
        "  ".join([row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))])
        for row in [head, *rows]
    ]


def _ruled_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    import io

    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(*head[:1], box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in head[1:]:
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(*row)
    written = io.StringIO()
    Console(file=written, width=max(terminal_columns(), 120), color_system=None).print(table)
    return [line.rstrip() for line in written.getvalue().splitlines() if line.strip()]


def _format_figure(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


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
    lines = _figures_table(judged.scores, OWN_COLUMNS, first="question")
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
