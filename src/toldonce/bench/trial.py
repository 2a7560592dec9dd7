"""Tries a language model on a short built-in conversation: the writer's settings come in, what it made of it goes out.

The conversation and the checks are in `trial.toml`. Nothing is kept: the memory is thrown away with the trial.
"""

from __future__ import annotations

import re
import time
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from toldonce.memory import Memory
from toldonce.records import Record

if TYPE_CHECKING:
    from toldonce.distil.tiers import Tiers
    from toldonce.storage.tables.usage import Usage

# A model that passes fewer checks than this share loses or confuses what people say.
GOOD_ENOUGH = 0.8
_SESSION = "try-{}"


@dataclass(frozen=True, slots=True)
class Trial:
    """What a model made of the conversation, which checks it passed, and what it took."""

    facts: tuple[str, ...]
    superseded: tuple[str, ...]
    passed: tuple[str, ...]
    missed: tuple[str, ...]
    problems: tuple[str, ...]
    usage: tuple[Usage, ...]
    seconds: float

    @property
    def is_good_enough(self) -> bool:
        """Whether the model answered every time and passed nearly all checks."""
        return not self.problems and len(self.passed) >= GOOD_ENOUGH * (len(self.passed) + len(self.missed))


def try_model(tiers: Tiers) -> Trial:
    """Let the models read the conversation, in a memory of its own."""
    story = tomllib.loads(files("toldonce.bench").joinpath("trial.toml").read_text(encoding="utf-8"))
    now: list[datetime] = [story["sessions"][0]["at"]]
    began = time.monotonic()
    with Memory.open(
        ":memory:", preset="assistant", embedder=None, background=False, clock=lambda: now[0], writer=tiers
    ) as memory:
        problems = []
        for number, session in enumerate(story["sessions"]):
            now[0] = session["at"]
            for role, text in session["messages"]:
                given = {"display_name": story["name"]} if role == "user" else {"role": role}
                memory.observe(text, story["user"], session=_SESSION.format(number), **given)
            problems += [done.problem for done in memory.settle() if done.problem]
        records = [memory.get(entry.record.id) for entry in memory.timeline(story["user"], limit=500)]
        usage, note_kind = tuple(memory.jobs.usage()), memory.spaces.preset().distil.note_kind
    made = {r.id: r for r in records if r.conversation is None and r.made_by != "rules" and r.kind != note_kind}
    current = [r for r in made.values() if r.is_current]
    verdicts = {check["what"]: _passes(check, current) for check in story["checks"]}
    if not current:
        verdicts = dict.fromkeys(verdicts, False)
    return Trial(
        facts=tuple(r.text for r in current),
        superseded=tuple(r.text for r in made.values() if r.state == "superseded"),
        passed=tuple(what for what, is_passed in verdicts.items() if is_passed),
        missed=tuple(what for what, is_passed in verdicts.items() if not is_passed),
        problems=tuple(problems),
        usage=usage,
        seconds=time.monotonic() - began,
    )


def _passes(check: Mapping[str, Any], current: Sequence[Record]) -> bool:
    if "gone" in check:
        return not any(re.search(check["gone"], record.text, re.IGNORECASE) for record in current)
    found = [record for record in current if re.search(check["current"], record.text, re.IGNORECASE)]
    if check.get("planned"):
        found = [record for record in found if record.metadata.get("change") == "planned"]
    if "about" in check:
        found = [record for record in found if _is_about(record, check["about"])]
    return any(record.kind == check.get("kind", record.kind) for record in found)


def _is_about(record: Record, name: str) -> bool:
    person = record.metadata.get("person")
    return isinstance(person, dict) and str(person.get("name", "")).casefold() == name.casefold()
