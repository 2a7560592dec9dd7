"""The main job, start to end, in a throw-away memory: two conversations are observed and settled, a third one asks.

Run it with `make demo` or `python -m toldonce.demo`.
"""

from __future__ import annotations

import tempfile
import textwrap
from datetime import UTC, datetime, timedelta
from pathlib import Path

from toldonce import Memory
from toldonce.distil.settle import Settled

START = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)

FIRST = (
    ("user", "Hi! I'm planning meals for the week. I don't eat meat, and I'm allergic to peanuts."),
    ("assistant", "Noted. Would you like quick dinners or something to cook slowly at the weekend?"),
    ("user", "Quick ones. I work at a design studio in Porto and I get home late."),
    ("user", "From now on, please answer in short bullet points."),
)
SECOND = (
    ("user", "Big news: I moved to Lisbon last week!"),
    ("assistant", "Congratulations! How is the new place?"),
    ("user", "Lovely. My sister Ana lives two streets away, and my dog Bento likes the park."),
)
QUESTION = "Any ideas for dinner near my place tonight?"


class Clock:
    """A clock that moves only when the demo says so, so that every run prints the same."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


def run_demo() -> None:
    """Run the demo and print what a reader should see."""
    clock = Clock(START)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        with Memory.open(path, preset="assistant", clock=clock, background=False) as memory:
            _observe_dialogue(memory, clock, FIRST, session="monday")
            clock.now += timedelta(days=9)
            _observe_dialogue(memory, clock, SECOND, session="wednesday")
            _show_records(memory.settle())
            print("\nThe background work that was due:")
            for run in memory.tend():
                print(f"  {run.name}: {run.status} {dict(run.counts)}")
            clock.now += timedelta(days=1)
            _show_context(memory)


def _observe_dialogue(memory: Memory, clock: Clock, turns: tuple[tuple[str, str], ...], *, session: str) -> None:
    print(f"\nSession {session!r}, {clock():%d %B %Y}")
    for role, text in turns:
        memory.observe(text, user="alex", session=session, role=role, display_name="Alex" if role == "user" else "")
        clock.now += timedelta(minutes=1)
        print(textwrap.fill(text, 100, initial_indent=f"  {role:>9}: ", subsequent_indent=" " * 13))


def _show_records(settled: list[Settled]) -> None:
    print("\nWhat was kept when the conversations were settled:")
    for conversation in settled:
        for record, outcome in zip(conversation.kept, conversation.outcomes, strict=False):
            source = f"from {len(record.sources)} message{'s' if len(record.sources) != 1 else ''}"
            label = f"  {record.kind:<11} "
            print(
                textwrap.fill(
                    f"{record.text}  [{outcome}, {source}]", 110, initial_indent=label, subsequent_indent=" " * 14
                )
            )


def _show_context(memory: Memory) -> None:
    print(f"\nA third session asks: {QUESTION!r}\n")
    context = memory.context(QUESTION, user="alex", session="thursday")
    print(textwrap.indent(context.text, "  "))
    print(f"\n{context.tokens} tokens. Why each line is there:")
    for hit in context.hits:
        print(f"  {hit.record.text[:70]!r}: {hit.why}")


if __name__ == "__main__":
    run_demo()
