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

from recollect.cli.invocation import Door, pass_door
from recollect.cli.options import command
from recollect.cli.page import counted, pad, size, terminal_columns, wrap
from recollect.config import DEFAULT, is_path
from recollect.errors import ConfigError, CorruptStore, NotAMemory, RecollectError
from recollect.storage.restore import rolling_copies
from recollect.storage.scrub import ERASE_REST

if TYPE_CHECKING:
    from recollect.memory import Memory

Status = Literal["ok", "note", "repaired", "wrong"]
_COLOURS: dict[Status, str] = {"ok": "green", "note": "yellow", "repaired": "cyan", "wrong": "red"}
_LEAST_ROOM = 100_000_000
_OVERDUE = timedelta(hours=1)
_SHOWN = 3
DAMAGE = "damage"


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found."""

    check: str
    status: Status
    text: str


@command("doctor")
@click.option("--repair", is_flag=True, help="Repair what can be repaired without losing anything.")
@click.pass_context
@pass_door
def doctor(door: Door, ctx: click.Context, repair: bool) -> None:
    """Look the memory over and repair it.

    Checked are settings, disk, file, integrity, word index, spaces, vectors, jobs and backups.
    """
    from recollect import __version__

    with door.working("Looking the memory over"):
        found = _examine(door, repair=repair)
    is_well = all(f.status != "wrong" for f in found)
    about = f"recollect {__version__}, Python {platform.python_version()}, {platform.system()}"
    value = {"ok": is_well, "version": __version__, "findings": found}
    door.answer(value, lambda: [about, "", *_written(found)])
    ctx.exit(0 if is_well else 1)


def _examine(door: Door, *, repair: bool) -> list[Finding]:
    try:
        found = [_configuration(door)]
        found += [Finding("settings", "note", door.settings.warning)] if door.settings.warning else []
    except ConfigError as problem:
        return [Finding("settings", "wrong", str(problem))]
    if is_path(door.place) and not Path(door.place).exists():
        text = f"there is no memory at {door.place}: make one with `recollect init`"
        return [*found, Finding("file", "wrong", text)]
    found += [_disk(Path(door.place))] if is_path(door.place) else []
    state = _state(door, repair=repair)
    damage = [f for f in state if f.check == DAMAGE and f.status == "wrong"]
    if not damage or not is_path(door.place):
        return found + state
    return [*found, *state, _offer(door.place)]


def _state(door: Door, *, repair: bool) -> list[Finding]:
    found: list[Finding] = []
    try:
        with door.open(vectors=True) as memory:
            found += _look_over(door, memory, repair=repair)
    except (CorruptStore, NotAMemory) as problem:
        found.append(Finding(DAMAGE, "wrong", str(problem)))
    except RecollectError as problem:
        found.append(Finding("file", "wrong", str(problem)))
    return found


def _configuration(door: Door) -> Finding:
    settings = door.settings
    said: dict[str, list[str]] = {}
    for key, source in settings.sources.items():
        said.setdefault(source, []).append(key)
    told = [f"{', '.join(keys)} from {source}" for source, keys in said.items() if source != DEFAULT]
    return Finding("settings", "ok", "; ".join(told) if told else "all as they come")


def _disk(place: Path) -> Finding:
    folder = place.resolve().parent
    free, needed = shutil.disk_usage(folder).free, max(_LEAST_ROOM, 2 * place.stat().st_size)
    if not os.access(folder, os.W_OK) or not os.access(place, os.W_OK):
        return Finding("disk", "wrong", f"{place} or its folder cannot be written: nothing can be kept")
    if free < needed:
        return Finding("disk", "wrong", f"only {size(free)} free in {folder}: make room, {size(needed)} or more")
    return Finding("disk", "ok", f"{size(free)} free")


def _look_over(door: Door, memory: Memory, *, repair: bool) -> Iterator[Finding]:
    yield Finding("file", "ok", f"{memory.store.place}, {size(memory.store.size())}, schema up to date")
    yield from _integrity(memory, repair=repair)
    yield from _spaces(door, memory)
    if repair:
        memory.tend()
    yield from _vectors(memory)
    yield from _reranker(memory)
    yield from _jobs(memory)
    yield _backups(memory, repair=repair)


def _integrity(memory: Memory, *, repair: bool) -> Iterator[Finding]:
    found = memory.storage.check(repair=repair)
    if not found:
        yield Finding("integrity", "ok", "no damage, every reference holds, the word index matches the records")
        return
    left = memory.storage.check() if repair else found
    for text in found:
        if text.startswith("repaired: "):
            yield Finding("integrity", "repaired", text.removeprefix("repaired: "))
        elif text in left:
            yield Finding(DAMAGE if text.startswith("damaged") else "integrity", "wrong", text)
    if not repair:
        yield Finding("integrity", "note", "`recollect doctor --repair` repairs what can be repaired")


def _spaces(door: Door, memory: Memory) -> Iterator[Finding]:
    for space in memory.spaces.all():
        try:
            memory.stats(space=space.name)
        except ConfigError as problem:
            yield Finding("spaces", "wrong", f"the preset of the space {space.name!r} cannot be used: {problem}")
        if reason := memory.spaces.why_off(space=space.name):
            yield Finding(
                "spaces", "note", f"{reason} with `recollect spaces`; until then nothing is kept there or shown"
            )
    wanted, home = door.settings.config.preset, memory.space
    if wanted and not wanted.endswith(".toml") and wanted != home.preset:
        text = f"the settings say {wanted}, but the space {home.name!r} was made with {home.preset} and keeps it"
        yield Finding("spaces", "note", text)
    else:
        yield Finding("spaces", "ok", f"{counted(len(memory.spaces.all()), 'space')}; {home.name!r} runs {home.preset}")


def _vectors(memory: Memory) -> Iterator[Finding]:
    stats = memory.stats()
    waiting = stats["waiting for a vector"]
    if memory.embedder is not None:
        yield from _other_models(stats["models"], memory.embedder.name)
        yield from _refused(memory.jobs.refused_vectors(), memory.embedder.name)
    if memory.embedder is None:
        yield Finding("vectors", "note", "no embedder is set: recall goes by words, names and times alone")
    elif waiting:
        text = f"{counted(waiting, 'record waits', 'records wait')} for a vector: `recollect tend` makes them"
        yield Finding("vectors", "note", text)
    else:
        yield Finding("vectors", "ok", f"no record waits; the embedder is {memory.embedder.name}")


def _reranker(memory: Memory) -> Iterator[Finding]:
    if (reranker := memory.engine.finder.reranker) is not None:
        sent = "" if reranker.local else "; each question and the texts found for it are sent to it"
        yield Finding("reranker", "ok", f"the first hits are ordered anew by {reranker.name}{sent}")


def _other_models(models: Mapping[str, int], present: str) -> Iterator[Finding]:
    """Vectors that the present embedder cannot be compared with."""
    others = [f"{name} ({count})" for name, count in models.items() if count and name != present]
    if others:
        text = f"vectors of another model are here and not searched: {', '.join(others)}; "
        yield Finding("vectors", "note", text + f"`recollect reembed` moves everything to {present}")


def _refused(ids: Sequence[str], embedder: str) -> Iterator[Finding]:
    """Records that cannot be found by their meaning: their ids, and what helps."""
    if ids:
        told = f"{counted(len(ids), 'record was', 'records were')} refused by {embedder}, or made with another embedder"
        shown = ", ".join(ids[:_SHOWN]) + (f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else "")
        helps = (
            "raise the embedder's limits and run `recollect reembed`, or shorten a statement with `recollect correct`"
        )
        text = f"{told}, and found by words, names and times alone: {shown}; {helps}"
        yield Finding("vectors", "note", text)


def _jobs(memory: Memory) -> Iterator[Finding]:
    planned, now = memory.jobs.all(), memory.clock()
    if any(job.name == ERASE_REST for job in planned):
        text = "files still hold what was erased: end the programs that read this memory, then run `recollect tend`"
        yield Finding("erasure", "wrong", f"an erasure is not finished, {text}")
    failed = [job for job in planned if job.state == "failed"]
    for job in failed:
        times = counted(job.attempts, "time")
        yield Finding("jobs", "wrong", f"{job.key} failed {times}, and is tried again in a day: {job.last_error}")
    retried = [job for job in planned if job.state != "failed" and job.last_error]
    for job in retried:
        yield Finding("jobs", "note", f"{job.key} failed in its last run, and will be tried again: {job.last_error}")
    overdue = [job for job in planned if job.state == "ready" and job.due_at < now - _OVERDUE]
    if overdue:
        text = f"{counted(len(overdue), 'job')} overdue: nobody tends this memory; run `recollect tend`, or keep "
        yield Finding("jobs", "note", text + "`recollect tend --watch` running")
    elif not failed and not retried:
        yield Finding("jobs", "ok", f"{counted(len(planned), 'job')} planned, none failed, none overdue")


def _backups(memory: Memory, *, repair: bool) -> Finding:
    copies = memory.engine.backups.existing()
    if copies:
        return Finding("backups", "ok", f"{counted(len(copies), 'copy', 'copies')}, the newest is {copies[0]}")
    if repair and is_path(memory.store.place):
        return Finding("backups", "repaired", f"there was none; made {memory.storage.backup()}")
    return Finding("backups", "note", "none yet: `recollect backup` makes one, and so does `recollect tend` when due")


def _offer(place: str) -> Finding:
    copies = rolling_copies(place)
    if not copies:
        return Finding("backups", "wrong", "there is no backup beside the file to restore it from")
    text = "stop what uses the memory; then `recollect restore` shows the newest sound copy and puts it in place"
    return Finding("backups", "note", text)


def _written(found: list[Finding]) -> list[str]:
    lines: list[str] = []
    for one in found:
        first, *rest = wrap(one.text, terminal_columns() - 22) or [""]
        status = click.style(pad(one.status, 8), fg=_COLOURS[one.status])
        lines += [f"{status}  {pad(one.check, 10)}  {first}", *(" " * 22 + line for line in rest)]
    return lines
