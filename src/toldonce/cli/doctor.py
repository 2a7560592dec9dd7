"""The command that looks a memory over, tells what it found and repairs what it may; it never hides what is wrong."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from toldonce.cli.invocation import Invocation, pass_invocation
from toldonce.cli.options import named_command
from toldonce.cli.page import count_noun, format_size, pad_to_columns, terminal_columns, wrap_text
from toldonce.config import DEFAULT, is_path
from toldonce.errors import ConfigError, CorruptStore, NotAMemory, ToldonceError
from toldonce.storage.restore import rolling_copies
from toldonce.storage.scrub import ERASE_REST

if TYPE_CHECKING:
    from toldonce.memory import Memory

Status = Literal["ok", "note", "repaired", "wrong"]
_COLOURS: dict[Status, str] = {"ok": "green", "note": "yellow", "repaired": "cyan", "wrong": "red"}
_LEAST_ROOM = 100_000_000
_OVERDUE = timedelta(hours=1)
_SHOWN = 3
DAMAGE = "damage"


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """What one check found."""

    check: str
    status: Status
    text: str


@named_command("doctor")
@click.option("--repair", is_flag=True, help="Repair what can be repaired without losing anything.")
@click.pass_context
@pass_invocation
def doctor(invocation: Invocation, ctx: click.Context, repair: bool) -> None:
    """Look the memory over and repair it.

    Checked are settings, disk, file, integrity, word index, spaces, vectors, jobs and backups.
    """
    from toldonce import __version__

    with invocation.show_progress("Looking the memory over"):
        found = _run_checks(invocation, repair=repair)
    is_well = all(f.status != "wrong" for f in found)
    about = f"toldonce {__version__}, Python {platform.python_version()}, {platform.system()}"
    value = {"ok": is_well, "version": __version__, "findings": found}
    invocation.answer(value, lambda: [about, "", *_format_findings(found)])
    ctx.exit(0 if is_well else 1)


def _run_checks(invocation: Invocation, *, repair: bool) -> list[DoctorFinding]:
    try:
        found = [_check_configuration(invocation)]
        found += [DoctorFinding("settings", "note", invocation.settings.warning)] if invocation.settings.warning else []
    except ConfigError as problem:
        return [DoctorFinding("settings", "wrong", str(problem))]
    if is_path(invocation.place) and not Path(invocation.place).exists():
        text = f"there is no memory at {invocation.place}: make one with `toldonce init`"
        return [*found, DoctorFinding("file", "wrong", text)]
    found += [_check_disk(Path(invocation.place))] if is_path(invocation.place) else []
    state = _check_state(invocation, repair=repair)
    damage = [f for f in state if f.check == DAMAGE and f.status == "wrong"]
    if not damage or not is_path(invocation.place):
        return found + state
    return [*found, *state, _offer_backup(invocation.place)]


def _check_state(invocation: Invocation, *, repair: bool) -> list[DoctorFinding]:
    found: list[DoctorFinding] = []
    try:
        with invocation.open(vectors=True) as memory:
            found += _check_memory(invocation, memory, repair=repair)
    except (CorruptStore, NotAMemory) as problem:
        found.append(DoctorFinding(DAMAGE, "wrong", str(problem)))
    except ToldonceError as problem:
        found.append(DoctorFinding("file", "wrong", str(problem)))
    return found


def _check_configuration(invocation: Invocation) -> DoctorFinding:
    settings = invocation.settings
    said: dict[str, list[str]] = {}
    for key, source in settings.sources.items():
        said.setdefault(source, []).append(key)
    told = [f"{', '.join(keys)} from {source}" for source, keys in said.items() if source != DEFAULT]
    return DoctorFinding("settings", "ok", "; ".join(told) if told else "all as they come")


def _check_disk(place: Path) -> DoctorFinding:
    folder = place.resolve().parent
    free, needed = shutil.disk_usage(folder).free, max(_LEAST_ROOM, 2 * place.stat().st_size)
    if not os.access(folder, os.W_OK) or not os.access(place, os.W_OK):
        return DoctorFinding("disk", "wrong", f"{place} or its folder cannot be written: nothing can be kept")
    if free < needed:
        return DoctorFinding(
            "disk", "wrong", f"only {format_size(free)} free in {folder}: make room, {format_size(needed)} or more"
        )
    return DoctorFinding("disk", "ok", f"{format_size(free)} free")


def _check_memory(invocation: Invocation, memory: Memory, *, repair: bool) -> Iterator[DoctorFinding]:
    what = "database" if "://" in memory.store.place else "file"
    yield DoctorFinding(what, "ok", f"{memory.store.place}, {format_size(memory.store.size())}, schema up to date")
    yield from _check_integrity(memory, repair=repair)
    yield from _check_spaces(invocation, memory)
    if repair:
        memory.tend()
    yield from _check_vectors(memory)
    yield from _check_reranker(memory)
    yield from _check_jobs(memory)
    yield _check_backups(memory, repair=repair)


def _check_integrity(memory: Memory, *, repair: bool) -> Iterator[DoctorFinding]:
    found = memory.storage.check(repair=repair)
    if not found:
        yield DoctorFinding("integrity", "ok", "no damage, every reference holds, the word index matches the records")
        return
    left = memory.storage.check() if repair else found
    for text in found:
        if text.startswith("repaired: "):
            yield DoctorFinding("integrity", "repaired", text.removeprefix("repaired: "))
        elif text in left:
            yield DoctorFinding(DAMAGE if text.startswith("damaged") else "integrity", "wrong", text)
    if not repair:
        yield DoctorFinding("integrity", "note", "`toldonce doctor --repair` repairs what can be repaired")


def _check_spaces(invocation: Invocation, memory: Memory) -> Iterator[DoctorFinding]:
    for space in memory.spaces.all():
        try:
            memory.stats(space=space.name)
        except ConfigError as problem:
            yield DoctorFinding("spaces", "wrong", f"the preset of the space {space.name!r} cannot be used: {problem}")
        if reason := memory.spaces.why_off(space=space.name):
            yield DoctorFinding(
                "spaces", "note", f"{reason} with `toldonce spaces`; until then nothing is kept there or shown"
            )
    wanted, home = invocation.settings.config.preset, memory.space
    if wanted and not wanted.endswith(".toml") and wanted != home.preset:
        text = f"the settings say {wanted}, but the space {home.name!r} was made with {home.preset} and keeps it"
        yield DoctorFinding("spaces", "note", text)
    else:
        yield DoctorFinding(
            "spaces", "ok", f"{count_noun(len(memory.spaces.all()), 'space')}; {home.name!r} runs {home.preset}"
        )


def _check_vectors(memory: Memory) -> Iterator[DoctorFinding]:
    stats = memory.stats()
    waiting = stats["waiting for a vector"]
    if memory.embedder is not None:
        yield from _other_models(stats["models"], stats["model"] or memory.embedder.name)
        yield from _check_refused_records(memory.jobs.refused_vectors(), memory.embedder.name)
    if memory.embedder is None:
        yield DoctorFinding("vectors", "note", "no embedder is set: recall goes by words, names and times alone")
    elif waiting:
        text = f"{count_noun(waiting, 'record waits', 'records wait')} for a vector: `toldonce tend` makes them"
        yield DoctorFinding("vectors", "note", text)
    else:
        yield DoctorFinding("vectors", "ok", f"no record waits; the embedder is {memory.embedder.name}")


def _check_reranker(memory: Memory) -> Iterator[DoctorFinding]:
    if (reranker := memory.engine.searcher.reranker) is not None:
        sent = "" if reranker.local else "; each question and the texts found for it are sent to it"
        yield DoctorFinding("reranker", "ok", f"{reranker.name} re-ranks the top results{sent}")


def _other_models(models: Mapping[str, int], present: str) -> Iterator[DoctorFinding]:
    """Vectors that the present embedder cannot be compared with."""
    others = [f"{name} ({count})" for name, count in models.items() if count and name != present]
    if others:
        text = f"vectors of another model are here and not searched: {', '.join(others)}; "
        yield DoctorFinding("vectors", "note", text + f"`toldonce reembed` moves everything to {present}")


def _check_refused_records(ids: Sequence[str], embedder: str) -> Iterator[DoctorFinding]:
    """Records that cannot be found by their meaning: their ids, and what helps."""
    if ids:
        told = (
            f"{count_noun(len(ids), 'record was', 'records were')} refused by {embedder}, or made with another embedder"
        )
        shown = ", ".join(ids[:_SHOWN]) + (f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else "")
        helps = "raise the embedder's limits and run `toldonce reembed`, or shorten a statement with `toldonce correct`"
        text = f"{told}, and found by words, names and times alone: {shown}; {helps}"
        yield DoctorFinding("vectors", "note", text)


def _check_jobs(memory: Memory) -> Iterator[DoctorFinding]:
    planned, now = memory.jobs.all(), memory.clock()
    if any(job.name == ERASE_REST for job in planned):
        text = "files still hold what was erased: end the programs that read this memory, then run `toldonce tend`"
        yield DoctorFinding("erasure", "wrong", f"an erasure is not finished, {text}")
    failed = [job for job in planned if job.state == "failed"]
    for job in failed:
        times = count_noun(job.attempts, "time")
        yield DoctorFinding("jobs", "wrong", f"{job.key} failed {times}, and is tried again in a day: {job.last_error}")
    retried = [job for job in planned if job.state != "failed" and job.last_error]
    for job in retried:
        yield DoctorFinding(
            "jobs", "note", f"{job.key} failed in its last run, and will be tried again: {job.last_error}"
        )
    overdue = [job for job in planned if job.state == "ready" and job.due_at < now - _OVERDUE]
    if overdue:
        text = f"{count_noun(len(overdue), 'job')} overdue: nobody tends this memory; run `toldonce tend`, or keep "
        yield DoctorFinding("jobs", "note", text + "`toldonce tend --watch` running")
    elif not failed and not retried:
        yield DoctorFinding("jobs", "ok", f"{count_noun(len(planned), 'job')} planned, none failed, none overdue")


def _check_backups(memory: Memory, *, repair: bool) -> DoctorFinding:
    if "://" in memory.store.place:
        return DoctorFinding("backups", "note", "not made from here: docs/postgresql.md says how to copy a database")
    copies = memory.engine.backups.list_copies()
    if copies:
        return DoctorFinding("backups", "ok", f"{count_noun(len(copies), 'copy', 'copies')}, the newest is {copies[0]}")
    if repair and is_path(memory.store.place):
        return DoctorFinding("backups", "repaired", f"there was none; made {memory.storage.backup()}")
    return DoctorFinding(
        "backups", "note", "none yet: `toldonce backup` makes one, and so does `toldonce tend` when due"
    )


def _offer_backup(place: str) -> DoctorFinding:
    copies = rolling_copies(place)
    if not copies:
        return DoctorFinding("backups", "wrong", "there is no backup beside the file to restore it from")
    text = "stop what uses the memory; then `toldonce restore` shows the newest sound copy and puts it in place"
    return DoctorFinding("backups", "note", text)


def _format_findings(found: list[DoctorFinding]) -> list[str]:
    lines: list[str] = []
    for one in found:
        first, *rest = wrap_text(one.text, terminal_columns() - 22) or [""]
        status = click.style(pad_to_columns(one.status, 8), fg=_COLOURS[one.status])
        lines += [f"{status}  {pad_to_columns(one.check, 10)}  {first}", *(" " * 22 + line for line in rest)]
    return lines
