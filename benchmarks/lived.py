"""Lived conversations: after weeks of ordinary talk, is what matters in the prompt block, and is it still true?

    python -m benchmarks.lived STORIES.jsonl                             by rules
    python -m benchmarks.lived STORIES.jsonl --writer openai:gpt-4o-mini --show
    python -m benchmarks.lived STORIES.jsonl --preset life --out now.json

A line of the file is one story; docs/bench.md describes its fields. Time is simulated: the clock follows the messages,
and the background work of every night is done. With a writer the model is asked as in real use, so that its tokens and
cost are those of the stories' weeks.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from toldonce import Context, Memory
from toldonce.errors import ToldonceError

PARTS = ("probes", "known", "gone")
_NIGHT = time(5, 0)
_BUDGET = 800
# What is only said or summed up is not what was learnt.
_NOT_LEARNT = frozenset(("message", "note", "topic", "reflection", "report"))
_MOST_RECORDS = 5000


@dataclass(frozen=True, slots=True)
class Outcome:
    """One thing that had to hold, and what was wrong with it."""

    story: str
    part: str
    asked: str
    problems: tuple[str, ...] = ()


@dataclass(slots=True)
class Lived:
    """What came of all stories: outcomes, and the calls, tokens and cost of each task of a model."""

    outcomes: list[Outcome] = field(default_factory=list)
    usage: dict[str, Counter[str]] = field(default_factory=dict)

    def shares(self) -> dict[str, tuple[int, int]]:
        """For each part how many held, of how many."""
        found = {part: [one for one in self.outcomes if one.part == part] for part in PARTS}
        return {part: (sum(not one.problems for one in some), len(some)) for part, some in found.items()}


def live_story(story: Mapping[str, Any], lived: Lived, *, writer: str = "none") -> None:
    """Live through one story and add what came of it."""
    now = [_parse_moment(story["messages"][0]["at"])]
    with TemporaryDirectory() as folder:
        memory = Memory.open(
            str(Path(folder) / "memory.db"),
            preset=story["preset"],
            zone=story.get("zone", "UTC"),
            clock=lambda: now[0],
            background=False,
            writer=writer,
        )
        with memory:
            for event in sorted([*story["messages"], *story.get("probes", ())], key=lambda one: one["at"]):
                _pass_nights(memory, now, until=_parse_moment(event["at"]))
                if "text" in event:
                    _observe(memory, event, now[0])
                else:
                    problems = _find_problems(event, _ask(memory, event))
                    lived.outcomes.append(Outcome(story["id"], "probes", event["query"], problems))
            now[0] += timedelta(hours=12)
            memory.settle()
            memory.tend()
            lived.outcomes += _check_learnt(story, _read_learnt(memory, story))
            for used in memory.jobs.usage():
                counts = {"calls": used.calls, "input": used.input_tokens, "output": used.output_tokens}
                lived.usage.setdefault(used.task, Counter()).update({**counts, "cost": used.cost or 0})


def _parse_moment(text: str) -> datetime:
    at = datetime.fromisoformat(text)
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _pass_nights(memory: Memory, now: list[datetime], *, until: datetime) -> None:
    """Do the background work of every night before a moment."""
    day = now[0].date()
    while day < until.date():
        day += timedelta(days=1)
        night = datetime.combine(day, _NIGHT, tzinfo=UTC)
        if night < until:
            now[0] = night
            memory.tend()
    now[0] = until


def _observe(memory: Memory, event: Mapping[str, Any], at: datetime) -> None:
    names = ("user", "session", "channel", "role", "display_name")
    memory.observe(event["text"], at=at, **{name: event[name] for name in names if event.get(name)})


def _ask(memory: Memory, event: Mapping[str, Any]) -> Context:
    memory.settle()
    memory.tend()
    given = {name: event[name] for name in ("user", "session", "channel") if event.get(name)}
    return memory.context(event["query"], budget=event.get("budget", _BUDGET), **given)


def _find_problems(probe: Mapping[str, Any], block: Context) -> tuple[str, ...]:
    """What is missing in the block, and what stale value a line tells that quotes no message."""
    quotes = [hit.record.text.split("\n")[0][:40] for hit in block.hits if hit.record.kind == "message"]
    told = [line for line in block.text.splitlines() if not any(quote and quote in line for quote in quotes)]
    missing = [f"missing {words}" for words in probe.get("must", ()) if not _has(block.text, words)]
    stale = [f"stale {words}" for words in probe.get("stale", ()) if any(_has(line, words) for line in told)]
    return (*missing, *stale)


def _has(text: str, pattern: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE | re.DOTALL) is not None


def _read_learnt(memory: Memory, story: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What was learnt and counts, records and lines of profiles: whose it is, and its words."""
    found = memory.store.read(lambda t: t.records.read_page(None, limit=_MOST_RECORDS))
    records = [r for _, r in found if r.kind not in _NOT_LEARNT and r.state == "active"]
    rows = [(f"{r.user or ''} {r.subject or ''}", f"{r.title} {r.text}") for r in records]
    for user in dict.fromkeys(event["user"] for event in story["messages"] if event.get("role", "user") == "user"):
        with suppress(ToldonceError):
            rows += [(user, entry.text) for entry in memory.profile(user).entries]
    return rows


def _check_learnt(story: Mapping[str, Any], rows: Sequence[tuple[str, str]]) -> Iterable[Outcome]:
    for part in ("known", "gone"):
        for wanted in story.get(part, ()):
            hits = [text for owner, text in rows if _matches(wanted, owner, text)]
            wrong = hits if part == "gone" else () if hits else ("missing",)
            yield Outcome(story["id"], part, " ".join(wanted["all"]), tuple(wrong))


def _matches(wanted: Mapping[str, Any], owner: str, text: str) -> bool:
    has_all = all(_has(text, words) for words in wanted["all"])
    has_none = not any(_has(text, words) for words in wanted.get("none", ()))
    return has_all and has_none and _has(f"{owner} {text}", wanted.get("about", ""))


def read_stories(paths: Iterable[Path], *, preset: str = "") -> list[dict[str, Any]]:
    """The stories of these files, of one preset or of all."""
    lines = [line for path in paths for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    stories = map(json.loads, lines)
    return [story for story in stories if preset in ("", story["preset"])]


def render_outcome(lived: Lived, *, show: bool = False) -> list[str]:
    """The figures as lines; with `show` also what did not hold."""
    lines = [
        f"{one.story} {one.part}: {one.asked}: {'; '.join(one.problems)}" for one in lived.outcomes if one.problems
    ]
    shares = [f"{part:8}{good:5}/{n:<5}{good / n:.3f}" for part, (good, n) in lived.shares().items() if n]
    usage = [_describe_usage(task, used) for task, used in sorted(lived.usage.items())]
    return [*(lines if show else ()), *shares, *usage]


def _describe_usage(task: str, used: Mapping[str, int]) -> str:
    tokens = f"{used['calls']:6} calls{used['input']:10} read{used['output']:9} written"
    return f"{task:12}{tokens}, cost {used['cost'] / 1e6:.4f}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="STORIES.jsonl")
    parser.add_argument("--preset", default="", help="only stories of this preset")
    parser.add_argument(
        "--writer", default="none", help="the model, written as the setting `writer`; rules without one"
    )
    parser.add_argument("--show", action="store_true", help="print what did not hold")
    parser.add_argument("--out", type=Path, help="write every outcome as JSON")
    given = parser.parse_args(arguments)
    lived = Lived()
    for story in read_stories(given.files, preset=given.preset):
        live_story(story, lived, writer=given.writer)
    print("\n".join(render_outcome(lived, show=given.show)))
    if given.out:
        given.out.write_text(json.dumps([asdict(one) for one in lived.outcomes], indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
