"""Runs cases of a target under a watchdog and collects what must not happen: raw exceptions, and hangs."""

from __future__ import annotations

import contextlib
import logging
import signal
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import FrameType

from tests.fuzz.targets import Target, clear
from toldonce.errors import ToldonceError

# The processor time that one case may take.
LONGEST_S = 2.0


class Hang(BaseException):
    """A case took longer than it may."""


@dataclass
class Findings:
    """What a run found; `refused` counts the cases that ended in an error of Toldonce, as they may."""

    target: str
    cases: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)


def run(
    target: type[Target], *, seed: int, cases: int, seconds: float | None = None, most_problems: int = 20
) -> Findings:
    """Run so many cases, or as many as fit into so many seconds; each is repeated by its seed alone."""
    found, ends_at = Findings(target.name), None if seconds is None else time.monotonic() + seconds
    signal.signal(signal.SIGPROF, _stop)
    with _quiet(), tempfile.TemporaryDirectory(prefix="fuzz") as folder:
        while found.cases < cases and (ends_at is None or time.monotonic() < ends_at):
            count = min(target.renew_after, cases - found.cases)
            _series(target(Path(folder)), found, seed=seed + found.cases, count=count, ends_at=ends_at)
            clear(Path(folder))
            if len(found.problems) >= most_problems:
                break
    return found


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Within, the engine logs nothing; the tests after this one read logs."""
    logger = logging.getLogger("toldonce")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


def _series(target: Target, found: Findings, *, seed: int, count: int, ends_at: float | None) -> None:
    chance = Random(seed)
    target.set_up(chance)
    try:
        for _ in range(count):
            if ends_at is not None and time.monotonic() >= ends_at:
                return
            _case(target, found, chance, seed=seed)
            if found.problems and found.problems[-1].startswith("hang"):
                return
    finally:
        target.tear_down()


def _case(target: Target, found: Findings, chance: Random, *, seed: int) -> None:
    """Run one case. One that takes too long is run again with the same input: a hang hangs again, and a machine that
    was short of memory for a moment does not.
    """
    found.cases += 1
    state = chance.getstate()
    if _run_once(target, found, chance, seed=seed) is not None:
        chance.setstate(state)
        hang = _run_once(target, found, chance, seed=seed)
        if hang is not None:
            found.problems.append(f"hang in {target.name} with seed {seed}, case {found.cases}:\n{hang}")


def _run_once(target: Target, found: Findings, chance: Random, *, seed: int) -> str | None:
    """Where a case was when its time was over; None when it ended in time."""
    signal.setitimer(signal.ITIMER_PROF, LONGEST_S)
    try:
        target.case(chance)
    except ToldonceError as problem:
        found.refused[type(problem).__name__] += 1
        if len(str(problem)) > 5_000:
            found.problems.append(f"long error in {target.name} with seed {seed}: {type(problem).__name__}")
    except Hang:
        return traceback.format_exc()
    except Exception:
        found.problems.append(f"raw exception in {target.name} with seed {seed}:\n{traceback.format_exc()[-1_800:]}")
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return None


def _stop(_: int, frame: FrameType | None) -> None:
    raise Hang
