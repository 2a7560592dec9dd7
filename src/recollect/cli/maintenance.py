"""Commands that keep a memory in order: tend, jobs, runs, export, import, backup."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from recollect.cli import text_output as show
from recollect.cli.encrypt import export_key
from recollect.cli.invocation import Door, pass_door
from recollect.cli.options import command, user_option, when
from recollect.cli.page import Page, counted, size
from recollect.errors import BadImport, InputError

if TYPE_CHECKING:
    from recollect.memory import Memory
    from recollect.records import Imported
    from recollect.storage.tables.jobs import Job, Run

_LOOK_EVERY_SECONDS = 1.0
_FIRST_LINES = 200
# The preset of a memory that is made for what is imported, unless the settings name one.
_MADE_FOR = {"facts": "community", "ChromaDB": "companion"}
_file = click.Path(dir_okay=False, path_type=Path)


@command("tend")
@click.option("--now", type=when, help="Act as if it were this moment.")
@click.option("--watch", is_flag=True, help="Stay, and run whatever falls due, until stopped.")
@click.pass_context
@pass_door
def tend(door: Door, ctx: click.Context, now: datetime | timedelta | None, watch: bool) -> None:
    """Run what is due.

    Conversations that are over are settled, vectors made, old things expire or fade, backups roll.
    """
    with door.open(vectors=True) as memory:
        if watch:
            _stay(door, memory)
            return
        with door.working("Tending"):
            done = memory.tend(door.moment(now, memory))
        nothing = _idle(memory.jobs.all(), door.page(memory)) if not done else []
        door.answer({"runs": done}, lambda: nothing + show.runs(done, door.page(memory)))
    ctx.exit(1 if any(run.status == "failed" for run in done) else 0)


@command("jobs")
@pass_door
def jobs(door: Door) -> None:
    """List what is planned, the next first."""
    with door.open() as memory:
        planned = memory.jobs.all()
        nothing = ["Nothing is planned: `recollect tend` plans what the preset asks for."]
        door.answer({"jobs": planned}, lambda: show.jobs(planned, door.page(memory)) if planned else nothing)


@command("runs")
@click.option("--job", metavar="NAME", help="Only runs of this job.")
@click.option("--limit", "-n", type=click.IntRange(min=1), default=20, show_default=True, help="How many at most.")
@pass_door
def runs(door: Door, job: str | None, limit: int) -> None:
    """List what was done in the background, newest first."""
    with door.open() as memory:
        done = memory.jobs.runs(name=job, limit=limit)
        nothing = ["Nothing was done yet."] if not done else []
        door.answer({"runs": done}, lambda: nothing + show.runs(done, door.page(memory)))


@command("usage")
@click.option("--since", type=when, help="Only from that day on.")
@pass_door
def usage(door: Door, since: datetime | timedelta | None) -> None:
    """Count what language models were asked.

    Calls, tokens and cost per space, task and model. Costs are told where `writer_prices` says what tokens cost.
    """
    with door.open() as memory:
        used = memory.jobs.usage(space=door.space, since=door.moment(since, memory))
        nothing = ["No language model was asked."]
        door.answer({"usage": used}, lambda: show.usage(used, door.page(memory)) if used else nothing)


@command("export")
@click.argument("file", type=_file)
@user_option("Only what is this person's.")
@click.option(
    "--format", "form", type=click.Choice(["jsonl", "json", "markdown"]), help="What to write; else as FILE ends."
)
@click.option("--force", is_flag=True, help="Replace FILE when it is there already.")
@click.option("--plain", is_flag=True, help="Write an export of an encrypted memory readable.")
@pass_door
def export(door: Door, file: Path, user: str | None, form: str | None, force: bool, plain: bool) -> None:
    """Write everything to a file, or with - to standard output.

    JSON lines, which `recollect import` reads back, or for people one JSON document (FILE.json) or Markdown (FILE.md)
    with everything in time order. Vectors are not in it: they are made anew.
    """
    if file == Path("-"):
        _export_out(door, user, form, plain=plain)
        return
    if file.exists() and not force:
        raise InputError(f"{file} is there already: choose another name, or replace it with --force")
    with door.open() as memory, door.working("Exporting"):
        count = memory.export(file, user=user, space=door.space, format=form, plain=plain, encryption_key=export_key())
    lines = form == "jsonl" or (form is None and file.suffix not in (".json", ".md", ".markdown"))
    what = "line" if lines else "record"
    door.answer({"file": file, f"{what}s": count}, lambda: [f"Wrote {counted(count, what)} to {file}."])


def _export_out(door: Door, user: str | None, form: str | None, *, plain: bool) -> None:
    """The export on standard output, once it is whole."""
    if door.as_json:
        raise InputError("an export to standard output is no JSON document: leave --json out, or name a file")
    with door.open() as memory, tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "export"
        memory.export(whole, user=user, space=door.space, format=form, plain=plain, encryption_key=export_key())
        with whole.open("rb") as made:
            shutil.copyfileobj(made, sys.stdout.buffer)


@command("import")
@click.argument("path", metavar="PATH", type=click.Path(path_type=Path))
@user_option("Whose the memories of an older store are, where it does not say.")
@click.option("--trusted", is_flag=True, help="The export is your own: keep validated marks, pins, roles and trust.")
@pass_door
def import_(door: Door, path: Path, user: str | None, trusted: bool) -> None:
    """Read an export, or memories of an older program.

    All of it comes in, or nothing. PATH is a file that `recollect export` wrote, a SQLite file with a table `facts`,
    or a folder of ChromaDB. What is here already stays as it is, and so does what is at PATH.
    """
    from recollect.capture.import_gate import needs_trust
    from recollect.importers.read import recognise

    config = door.settings.config
    what = recognise(path)
    told = (config.preset or _MADE_FOR[what]) if what else _preset_in(path, space=config.space)
    with door.open(make=True, preset=told) as memory, door.working("Importing"):
        brought = memory.import_(
            path, user=door.user(user), space=door.space, trusted=trusted, encryption_key=export_key()
        )
    if brought.kept is None:
        left = [
            f"Left out {counted(n, 'line')} {why}." for why, n in brought.left_out.items() if not needs_trust({why: n})
        ]
        if needs_trust(brought.left_out):
            dropped = ", ".join(f"{count} {what}" for what, count in brought.left_out.items())
            door.warn(
                f"the file is not trusted, so this was dropped or lowered: {dropped}. If you wrote it yourself,"
                " import it into a new memory with --trusted to keep them"
            )
        value = {"file": path, "lines": brought.read, "left_out": dict(brought.left_out)}
        door.answer(value, lambda: [f"Read {counted(brought.read, 'line')} from {path}.", *left])
    else:
        door.answer({"file": path, **_plain(brought)}, lambda: [_brought(brought, path)])


def _plain(value: object) -> dict[str, Any]:
    from recollect.cli.json_output import plain

    found: dict[str, Any] = plain(value)
    return found


def _brought(told: Imported, path: Path) -> str:
    left = "; ".join(f"{count} left out: {reason}" for reason, count in told.left_out.items())
    new = f"Read {counted(told.read, 'memory', 'memories')} of {told.what} from {path}: {told.kept} are new"
    return new + (f"; {left}." if left else ".")


@command("backup")
@click.argument("file", type=_file, required=False)
@pass_door
def backup(door: Door, file: Path | None) -> None:
    """Make a whole copy of the memory.

    Without FILE it is the next of three rolling copies beside the memory.
    """
    with door.open() as memory, door.working("Copying"):
        made = memory.storage.backup(file)
    count = made.stat().st_size
    door.answer({"file": made, "bytes": count}, lambda: [f"Copied to {made} ({size(count)})."])


@command("reembed")
@pass_door
def reembed(door: Door) -> None:
    """Give every record a vector of the configured embedder.

    The vectors of all other models go once that is done; searching goes on meanwhile.
    """
    with door.open(vectors=True) as memory, door.working("Embedding"):
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
    done += [f"{counted(refused, 'was', 'were')} refused: see `recollect doctor`."] if refused else []
    done += ["The rest waits: see `recollect runs`."] if left else []
    door.answer(value, lambda: done)


def _idle(planned: Sequence[Job], page: Page) -> list[str]:
    """What to say when nothing was due: also when the next thing is."""
    soon = min(planned, key=lambda job: job.due_at, default=None)
    return [f"Nothing was due; {soon.name} is next, at {page.moment(soon.due_at)}." if soon else "Nothing was due."]


def _stay(door: Door, memory: Memory) -> None:
    """Tend in the background and tell each run, until a signal ends it."""
    door.note(f"Tending {door.place}; stop with Ctrl-C.")
    seen = {_mark(run) for run in memory.jobs.runs()}
    with until_stopped() as stopped:
        stop = memory.job_runner.watch(memory)
        try:
            while not stopped.wait(_LOOK_EVERY_SECONDS):
                _tell(door, memory, seen)
        finally:
            stop()
            _tell(door, memory, seen)
    door.note("Stopped.")


@contextmanager
def until_stopped() -> Iterator[threading.Event]:
    """An event that an interrupt or a request to terminate sets, so that work under way is handed back in order."""
    import signal

    stopped = threading.Event()
    before = {s: signal.signal(s, lambda *_: stopped.set()) for s in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _tell(door: Door, memory: Memory, seen: set[tuple[str, ...]]) -> None:
    fresh = [run for run in reversed(memory.jobs.runs()) if _mark(run) not in seen]
    seen.update(map(_mark, fresh))
    if door.as_json:
        _tell_as_lines(fresh)
    elif fresh:
        door.answer({"runs": fresh}, lambda: show.runs(fresh, door.page(memory)))


def _tell_as_lines(fresh: Sequence[Run]) -> None:
    from recollect.cli.json_output import plain

    for run in fresh:
        click.echo(json.dumps(plain(run)))


def _mark(run: Run) -> tuple[str, ...]:
    return run.space, run.key, run.started_at.isoformat(), run.ended_at.isoformat()


def _preset_in(file: Path, *, space: str) -> str | None:
    """The shipped preset that an export names for a space, so that a memory made for it fits."""
    from recollect.presets import shipped
    from recollect.storage.sealed_file import is_sealed_file

    if is_sealed_file(file):
        return None
    try:
        with file.open(encoding="utf-8") as lines:
            told = [_table(line) for line in islice(lines, _FIRST_LINES)]
    except (OSError, UnicodeDecodeError) as problem:
        raise BadImport(f"{file} cannot be read: {problem}") from None
    if not told or "recollect" not in told[0]:
        raise BadImport(f"{file} is not an export of Recollect: line 1 is not its header; nothing was imported", line=1)
    named = next((t.get("preset") for t in told if t.get("type") == "space" and t.get("name") == space), None)
    return named if named in shipped() else None


def _table(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
