"""Commands that keep a memory in order: tend, jobs, runs, export, import, backup."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toldonce.cli import text_output as show
from toldonce.cli.encrypt import export_key
from toldonce.cli.invocation import Invocation, pass_invocation
from toldonce.cli.options import named_command, user_option, when
from toldonce.cli.page import PageLayout, count_noun, format_size
from toldonce.errors import BadImport, InputError
from toldonce.stopping import StopFlag

if TYPE_CHECKING:
    from toldonce.memory import Memory
    from toldonce.records import Imported, Space
    from toldonce.storage.tables.jobs import Job, Run

_LOOK_EVERY_SECONDS = 1.0
_FIRST_LINES = 200
_MOST_PEOPLE = 20
# The preset of a memory that is made for what is imported, unless the settings name one.
_MADE_FOR = {"facts": "community", "ChromaDB": "companion"}
_file = click.Path(dir_okay=False, path_type=Path)


@named_command("tend")
@click.option("--now", type=when, help="Act as if it were this moment.")
@click.option("--watch", is_flag=True, help="Keep running due jobs until stopped.")
@click.option("--at-exit", is_flag=True, help="Do also what the preset does when a session ends, such as a backup.")
@click.pass_context
@pass_invocation
def tend(
    invocation: Invocation, ctx: click.Context, now: datetime | timedelta | None, watch: bool, at_exit: bool
) -> None:
    """Run what is due.

    Conversations that are over are settled, vectors made, old things expire or fade, backups roll.
    """
    with invocation.open(vectors=True) as memory:
        if watch:
            _keep_tending(invocation, memory)
            return
        with invocation.show_progress("Tending"):
            done = memory.tend(invocation.moment(now, memory))
            # The copy at the end is made after everything else, so that it holds what was learnt.
            done += run_exit_jobs(memory, invocation.current_space(memory)) if at_exit else []
        nothing = _format_nothing_due(memory.jobs.all(), invocation.page(memory)) if not done else []
        invocation.answer({"runs": done}, lambda: nothing + show.format_runs(done, invocation.page(memory)))
    ctx.exit(1 if any(run.status == "failed" for run in done) else 0)


@named_command("worker")
@pass_invocation
def worker(invocation: Invocation) -> None:
    """Run background jobs until stopped.

    Any number of workers may serve one memory, on one machine or, with PostgreSQL, on many: each job runs once, and the
    job of a worker that was killed is taken over.
    """
    with invocation.open(vectors=True) as memory:
        _keep_tending(invocation, memory)


def run_exit_jobs(memory: Memory, space: Space) -> list[Run]:
    """Run what the preset does when a session or a server ends."""
    from toldonce.jobs.planning import plan_exit_jobs
    from toldonce.operations.space_state import preset_of_space

    is_planned = plan_exit_jobs(memory.store, space.name, preset_of_space(space)[0], now=memory.clock())
    return memory.tend() if is_planned else []


@named_command("jobs")
@pass_invocation
def jobs(invocation: Invocation) -> None:
    """List what is planned, the next first."""
    with invocation.open() as memory:
        planned = memory.jobs.all()
        nothing = ["Nothing is planned: `toldonce tend` plans what the preset asks for."]
        invocation.answer(
            {"jobs": planned}, lambda: show.format_jobs(planned, invocation.page(memory)) if planned else nothing
        )


@named_command("runs")
@click.option("--job", metavar="NAME", help="Only runs of this job.")
@click.option("--limit", "-n", type=click.IntRange(min=1), default=20, show_default=True, help="Maximum results.")
@pass_invocation
def runs(invocation: Invocation, job: str | None, limit: int) -> None:
    """List what was done in the background, newest first."""
    with invocation.open() as memory:
        done = memory.jobs.runs(name=job, limit=limit)
        nothing = ["Nothing was done yet."] if not done else []
        invocation.answer({"runs": done}, lambda: nothing + show.format_runs(done, invocation.page(memory)))


@named_command("usage")
@click.option("--since", type=when, help="Only from that day on.")
@click.option(
    "--by", type=click.Choice(["month", "day", "task"]), default="month", show_default=True, help="What rows are."
)
@pass_invocation
def usage(invocation: Invocation, since: datetime | timedelta | None, by: str) -> None:
    """Count what language models were asked.

    Calls, tokens and cost per month, day or task, and for each conversation. Costs are shown if the price of tokens is
    known.
    """
    with invocation.open() as memory:
        space, begin = invocation.space, invocation.moment(since, memory)
        used = memory.jobs.usage(space=space, since=begin)
        costs = memory.jobs.costs(by="day" if by == "day" else "month", space=space, since=begin)
        page = invocation.page(memory)
        lines = show.format_usage(used, page) if by == "task" else show.format_costs(costs, page, by=by)
        invocation.answer({"costs": costs, "usage": used}, lambda: lines if used else ["No language model was asked."])


@named_command("export")
@click.argument("file", type=_file)
@user_option("Only what is this person's.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "json", "markdown", "obsidian", "mem0"]),
    help="The format; by default, from the extension of FILE.",
)
@click.option("--force", is_flag=True, help="Replace FILE when it is there already.")
@click.option("--plain", is_flag=True, help="Write the export of an encrypted memory unencrypted.")
@pass_invocation
def export(invocation: Invocation, file: Path, user: str | None, form: str | None, force: bool, plain: bool) -> None:
    """Write everything to a file, or with - to standard output.

    JSON lines, which `toldonce import` reads back, or for people one JSON document (FILE.json) or Markdown (FILE.md)
    with everything in time order. With --format, an Obsidian vault in a new folder FILE, or JSON as mem0 gives it.
    Vectors are not included: they are computed again on import.
    """
    if file == Path("-"):
        _export_out(invocation, user, form, plain=plain)
        return
    if file.exists() and not force:
        raise InputError(f"{file} is there already: choose another name, or replace it with --force")
    with invocation.open() as memory, invocation.show_progress("Exporting"):
        count = memory.export(
            file, user=user, space=invocation.space, format=form, plain=plain, encryption_key=export_key()
        )
    lines = form == "jsonl" or (form is None and file.suffix not in (".json", ".md", ".markdown"))
    what = "line" if lines else "record"
    invocation.answer({"file": file, f"{what}s": count}, lambda: [f"Wrote {count_noun(count, what)} to {file}."])


def _export_out(invocation: Invocation, user: str | None, form: str | None, *, plain: bool) -> None:
    """The export on standard output, once it is whole."""
    if form == "obsidian":
        raise InputError("a vault is a folder: name the path of a new one instead of -")
    if invocation.as_json:
        raise InputError("an export to standard output is no JSON document: leave --json out, or name a file")
    with invocation.open() as memory, tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "export"
        memory.export(whole, user=user, space=invocation.space, format=form, plain=plain, encryption_key=export_key())
        with whole.open("rb") as made:
            shutil.copyfileobj(made, sys.stdout.buffer)


@named_command("import")
@click.argument("path", metavar="PATH", type=click.Path(path_type=Path))
@user_option("Whose the memories are, where PATH does not say; with --me, who that is here.")
@click.option("--trusted", is_flag=True, help="The file is your own: keep validated marks, pins, roles and trust.")
@click.option("--format", "form", metavar="NAME", help="Read PATH as this format; by default it is recognised.")
@click.option("--me", metavar="NAME", help="Your name or id in a chat export: those messages are yours (--user).")
@click.option("--map", "mapped", metavar="FIELD=COLUMN,...", help="Which columns of a CSV or JSONL file mean what.")
@click.option("--preview", is_flag=True, help="Say what would come in, and store nothing.")
@pass_invocation
def import_(
    invocation: Invocation,
    path: Path,
    user: str | None,
    trusted: bool,
    form: str | None,
    me: str | None,
    mapped: str | None,
    preview: bool,
) -> None:
    """Read an export, or what another program stored.

    PATH is a file that `toldonce export` wrote, a SQLite file with a table `facts`, a folder of ChromaDB, or what
    another program exported (ChatGPT, Claude, WhatsApp, Slack and others, see docs/import.md). What is here already
    stays as it is, and so does what is at PATH.
    """
    from toldonce.importers.formats import find_format, holds_anything
    from toldonce.importers.read import recognise_older_store
    from toldonce.importers.values import ReadOptions

    config, columns = invocation.settings.config, _parse_columns(mapped)
    found = find_format(path, form, columns=columns)
    what = found.name if found else recognise_older_store(path)
    if found is not None:
        told: str | None = config.preset or found.preset
    else:
        told = (config.preset or _MADE_FOR[what]) if what else _preset_in(path, space=config.space)
    options: dict[str, Any] = {"format": what if found else None, "me": me, "columns": columns, "preview": preview}
    given = {name: value for name, value in options.items() if value}
    # A file that brings nothing makes no memory, which would have the preset that fits that file for ever.
    brings_nothing = found is not None and not holds_anything(path, found, ReadOptions(me=me, columns=columns or {}))
    with (
        invocation.open_for_import(preset=told, preview=preview or brings_nothing) as (memory, space),
        invocation.show_progress("Importing"),
    ):
        given |= {"user": invocation.user(user), "space": space, "trusted": trusted}
        brought = memory.import_(path, encryption_key=export_key(), **given)
    if found is not None:
        invocation.answer({"file": path, **_run_as_value(brought)}, lambda: _format_report(brought, path))
    elif brought.kept is None:
        _tell_export_imported(invocation, brought, path)
    else:
        invocation.answer({"file": path, **_run_as_value(brought)}, lambda: [_format_imported(brought, path)])


def _parse_columns(mapped: str | None) -> dict[str, str] | None:
    """`text=body,user=who` as a table."""
    if mapped is None:
        return None
    pairs = [part.partition("=") for part in mapped.split(",")]
    if not all(name.strip() and column.strip() for name, _, column in pairs):
        raise InputError("--map is a list like text=body,user=author,at=date")
    return {name.strip(): column.strip() for name, _, column in pairs}


def _tell_export_imported(invocation: Invocation, brought: Imported, path: Path) -> None:
    from toldonce.capture.import_gate import lost_by_distrust

    left = [
        f"Left out {count_noun(n, 'line')} {why}."
        for why, n in brought.left_out.items()
        if not lost_by_distrust({why: n})
    ]
    if lost_by_distrust(brought.left_out):
        dropped = ", ".join(f"{count} {what}" for what, count in brought.left_out.items())
        invocation.warn(
            f"the file is not trusted, so this was dropped or lowered: {dropped}. If you wrote it yourself,"
            " import it into a new memory with --trusted to keep them"
        )
    value = {"file": path, "lines": brought.read, "left_out": dict(brought.left_out)}
    invocation.answer(value, lambda: [f"Read {count_noun(brought.read, 'line')} from {path}.", *left])


def _format_report(told: Imported, path: Path) -> list[str]:
    """What an import of another program's file brought, or would bring."""
    verb = "would be new" if told.is_preview else "are new"
    lines = [f"Read {count_noun(told.read, 'item')} of {told.what} from {path}: {told.kept} {verb}."]
    if told.first_at and told.last_at:
        lines.append(f"Time: {told.first_at:%Y-%m-%d} to {told.last_at:%Y-%m-%d}.")
    if told.kinds:
        lines.append("Kinds: " + ", ".join(f"{kind} {count}" for kind, count in told.kinds.items()) + ".")
    if told.people:
        shown = list(told.people.items())
        more = f", and {len(shown) - _MOST_PEOPLE} more" if len(shown) > _MOST_PEOPLE else ""
        lines.append("By: " + ", ".join(f"{name} {count}" for name, count in shown[:_MOST_PEOPLE]) + more + ".")
    if told.secrets:
        lines.append(f"Secrets redacted in {count_noun(told.secrets, 'place')}.")
    lines += [f"Left out {count}: {reason}." for reason, count in told.left_out.items()]
    return lines + [f"Problem: {problem}." for problem in told.problems]


def _run_as_value(value: object) -> dict[str, Any]:
    from toldonce.cli.json_output import to_plain_value

    found: dict[str, Any] = to_plain_value(value)
    return found


def _format_imported(told: Imported, path: Path) -> str:
    left = "; ".join(f"{count} left out: {reason}" for reason, count in told.left_out.items())
    new = f"Read {count_noun(told.read, 'memory', 'memories')} of {told.what} from {path}: {told.kept} are new"
    return new + (f"; {left}." if left else ".")


@named_command("backup")
@click.argument("file", type=_file, required=False)
@pass_invocation
def backup(invocation: Invocation, file: Path | None) -> None:
    """Make a whole copy of the memory.

    Without FILE it is the next of three rolling copies beside the memory.
    """
    with invocation.open() as memory, invocation.show_progress("Copying"):
        made = memory.storage.backup(file)
    count = made.stat().st_size
    invocation.answer({"file": made, "bytes": count}, lambda: [f"Copied to {made} ({format_size(count)})."])


@named_command("reembed")
@pass_invocation
def reembed(invocation: Invocation) -> None:
    """Give every record a vector of the configured embedder.

    The vectors of all other models go once that is done; searching goes on meanwhile.
    """
    with invocation.open(vectors=True) as memory, invocation.show_progress("Embedding"):
        asked, refused = memory.jobs.reembed(), 0
        while memory.stats()["waiting for a vector"]:
            runs = [run for run in memory.tend() if run.name == "embed" and run.status in ("completed", "partial")]
            refused += sum(run.counts.get("refused", 0) for run in runs)
            if not runs:
                break
        memory.tend()
        left, models = memory.stats()["waiting for a vector"], memory.stats()["models"]
    value = {"asked": asked, "waiting": left, "refused": refused, "models": models}
    done = [f"{asked - left - refused} of {asked} records got a new vector."]
    done += [f"{count_noun(refused, 'was', 'were')} refused: see `toldonce doctor`."] if refused else []
    done += ["The rest waits: see `toldonce runs`."] if left else []
    invocation.answer(value, lambda: done)


def _format_nothing_due(planned: Sequence[Job], page: PageLayout) -> list[str]:
    """What to say when nothing was due: also when the next thing is."""
    soon = min(planned, key=lambda job: job.due_at, default=None)
    return [f"Nothing was due; {soon.name} is next, at {page.moment(soon.due_at)}." if soon else "Nothing was due."]


def _keep_tending(invocation: Invocation, memory: Memory) -> None:
    """Tend in the background and tell each run, until a signal ends it."""
    invocation.note(f"Tending {memory.store.place}; stop with Ctrl-C.")
    seen = {_run_key(run) for run in memory.jobs.runs()}
    with until_stopped() as stopped:
        stop = memory.job_runner.watch(memory)
        stop_listening = memory.store.listen(partial(memory.job_runner.watch, memory))
        try:
            while not stopped.wait(_LOOK_EVERY_SECONDS):
                _print_new_runs(invocation, memory, seen)
        finally:
            stop_listening()
            stop()
            _print_new_runs(invocation, memory, seen)
    invocation.note("Stopped.")


@contextmanager
def until_stopped() -> Iterator[StopFlag]:
    """A flag that an interrupt or a request to terminate sets, so that work under way is handed back in order."""
    import signal

    stopped = StopFlag()
    before = {s: signal.signal(s, lambda *_: stopped.set()) for s in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _print_new_runs(invocation: Invocation, memory: Memory, seen: set[tuple[str, ...]]) -> None:
    fresh = [run for run in reversed(memory.jobs.runs()) if _run_key(run) not in seen]
    seen.update(map(_run_key, fresh))
    if invocation.as_json:
        _print_runs_as_json(fresh)
    elif fresh:
        invocation.answer({"runs": fresh}, lambda: show.format_runs(fresh, invocation.page(memory)))


def _print_runs_as_json(fresh: Sequence[Run]) -> None:
    from toldonce.cli.json_output import to_plain_value

    for run in fresh:
        click.echo(json.dumps(to_plain_value(run)))


def _run_key(run: Run) -> tuple[str, ...]:
    return run.space, run.key, run.started_at.isoformat(), run.ended_at.isoformat()


def _preset_in(file: Path, *, space: str) -> str | None:
    """The shipped preset that an export names for a space, so that a memory made for it fits."""
    from toldonce.presets import shipped_presets
    from toldonce.storage.sealed_file import is_sealed_file

    if is_sealed_file(file):
        return None
    try:
        with file.open(encoding="utf-8") as lines:
            told = [_parse_line_table(line) for line in islice(lines, _FIRST_LINES)]
    except (OSError, UnicodeDecodeError) as problem:
        raise BadImport(f"{file} cannot be read: {problem}") from None
    if not told:
        raise BadImport(f"{file} is empty: nothing was imported")
    if "toldonce" not in told[0]:
        raise BadImport(
            f"{file} is not an export of Toldonce: line 1 is not its header; nothing was imported. If another program"
            " wrote it, name its format with --format, or the columns of a table with --map",
            line=1,
        )
    named = next((t.get("preset") for t in told if t.get("type") == "space" and t.get("name") == space), None)
    return named if named in shipped_presets() else None


def _parse_line_table(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
