"""A memory with sample data: invented conversations are observed with past dates, so that every page has something.

The conversations are data files beside this module. Nothing is written by hand that the engine makes itself.
"""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toldonce import Memory
from toldonce.capture.remember import Statement
from toldonce.clock import load_zone, system_clock
from toldonce.coding.codemap.document import NAME as CODE_MAP
from toldonce.coding.codemap.document import map_from_data, to_document
from toldonce.coding.hooks import LEARN
from toldonce.storage.store import Tables
from toldonce.storage.tables.jobs import Run

if TYPE_CHECKING:
    from toldonce.records import Document, Record

_FOLDER = resources.files("toldonce.server") / "sample_data"
FILE = "sample.db"
_MINUTE = timedelta(minutes=1)
# A report quotes many records; what a person acts on is one of these.
_SHORT = 200


class _PastClock:
    """A clock that stands where a conversation of the sample is."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


def sample_person() -> str:
    """Whose memory the sample is."""
    return str(_read_sample("life")["person"])


def sample_space() -> str:
    """The space in which the sample begins."""
    return str(_read_sample("life")["space"])


def ensure_sample(folder: Path, *, now: datetime | None = None) -> Path:
    """The sample memory in a folder of its own; it is made when it is not there."""
    path = folder / FILE
    if not path.exists():
        unfinished = folder.with_name(f"{folder.name}.unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        build_sample(unfinished / FILE, now=now or system_clock())
        shutil.rmtree(folder, ignore_errors=True)
        unfinished.rename(folder)
    return path


def build_sample(path: Path, *, now: datetime) -> None:
    """Make the sample memory at a path, as if its conversations had taken place until `now`."""
    life, coding = _read_sample("life"), _read_sample("coding")
    clock = _PastClock(now - timedelta(days=90))
    with Memory.open(
        path, preset=life["preset"], space=life["space"], zone=life["zone"], clock=clock, background=False
    ) as memory:
        _live_through(memory, clock, life, now=now)
        memory.spaces.add(coding["space"], preset=coding["preset"], zone=coding["zone"])
        _work_through(memory, clock, coding, user=life["person"], now=now)
        clock.now = now
        memory.tend(now)


def _read_sample(name: str) -> dict[str, Any]:
    return tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def _live_through(memory: Memory, clock: _PastClock, sample: Mapping[str, Any], *, now: datetime) -> None:
    user = sample["person"]
    memory.people.update(user, display_name=sample["name"], zone=sample["zone"], language=sample["language"])
    memory.people.set_consent(
        user, is_given=True, means="sample data", wording="I want my assistant to remember what I tell it."
    )
    for talk in sample["conversations"]:
        clock.now = _moment_of(talk, sample, now=now)
        _observe_turns(memory, clock, talk, user=user, space=None)
        _act_afterwards(memory, talk, user=user)
        if talk["days_ago"]:
            clock.now = _next_night(clock.now)
            memory.tend(clock.now)


def _moment_of(talk: Mapping[str, Any], sample: Mapping[str, Any], *, now: datetime) -> datetime:
    hour, _, minute = talk.get("time", "10:00").partition(":")
    local = now.astimezone(load_zone(sample["zone"])) - timedelta(days=talk["days_ago"])
    return min(local.replace(hour=int(hour), minute=int(minute), second=0, microsecond=0), now - 20 * _MINUTE)


def _next_night(moment: datetime) -> datetime:
    return (moment + timedelta(days=1)).replace(hour=4, minute=30)


def _observe_turns(memory: Memory, clock: _PastClock, talk: Mapping[str, Any], *, user: str, space: str | None) -> None:
    for role, text in talk["turns"]:
        memory.observe(text, user, session=talk["session"], role=role, space=space)
        clock.now += _MINUTE
    memory.settle(session=talk["session"], space=space)


def _act_afterwards(memory: Memory, talk: Mapping[str, Any], *, user: str) -> None:
    """What the person did on the pages after a conversation."""
    for words in talk.get("confirm", ()):
        memory.confirm(_find_record(memory, words, user=user).id, user=user)
    for words in talk.get("pin", ()):
        memory.pin(_find_record(memory, words, user=user).id, user=user)
    for row in talk.get("remember", ()):
        memory.remember(
            row["text"],
            row["kind"],
            user=user,
            session=talk["session"],
            confidence=row["confidence"],
            metadata={"area": row["area"]},
        )
    for row in talk.get("doubts", ()):
        about: dict[str, Any] = {"user": user, "subject": row["subject"], "metadata": {"area": row["area"]}}
        memory.remember(row["older"], author="person", **about)
        memory.remember(row["newer"], confidence=0.95, **about)
    offered = [
        Statement(text=row["text"], kind=row["kind"], user=user, proposed=True, metadata={"area": row["area"]})
        for row in talk.get("propose", ())
    ]
    if offered:
        memory.review.propose(offered)


def _find_record(memory: Memory, words: str, *, user: str) -> Record:
    """The newest derived record with these words, else the newest message."""
    short = [one for one in memory.review.records(user, limit=500) if len(one.text) <= _SHORT]
    found = [one for one in short if words.casefold() in one.text.casefold()]
    return min(found, key=lambda one: one.conversation is not None)


def _work_through(memory: Memory, clock: _PastClock, sample: Mapping[str, Any], *, user: str, now: datetime) -> None:
    space = sample["space"]
    clock.now = now - timedelta(days=31)

    def draw_map(before: Document) -> Document:
        drawn = to_document(map_from_data(sample["map"]), space=space, at=clock.now)
        return replace(drawn, version=before.version + 1)

    memory.documents.change(CODE_MAP, draw_map, space=space)
    for row in sample["records"]:
        clock.now = now - timedelta(days=row["days_ago"])
        about = {"file": row["file"]} if "file" in row else {}
        memory.remember(row["text"], row["kind"], user=user, visibility="project", metadata=about, space=space)
    _count_sessions(memory, sample, now=now)
    for talk in sample["sessions"]:
        clock.now = _moment_of(talk, sample, now=now)
        _observe_turns(memory, clock, talk, user=user, space=space)


def _count_sessions(memory: Memory, sample: Mapping[str, Any], *, now: datetime) -> None:
    """What the learning job would have counted, for the chart of the code page."""
    runs = []
    for place, row in enumerate(sample["figures"]["rows"]):
        counts = dict(zip(sample["figures"]["columns"], row, strict=True))
        at = now - timedelta(days=counts.pop("days_ago"))
        run = Run(
            space=sample["space"],
            key=f"{LEARN}:agent:session {place}",
            name=LEARN,
            started_at=at,
            ended_at=at + _MINUTE,
            status="completed",
            counts=counts,
        )
        runs.append(run)

    def work(tables: Tables) -> None:
        for run in runs:
            tables.jobs.record(run)

    memory.engine.write(work)
