"""A life assistant: health notes over weeks become a report for the doctor."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from toldonce import Memory

DIARY = (
    (0, "I started taking sertraline 50 mg every morning"),
    (3, "Slept badly, headache all afternoon"),
    (9, "My doctor raised it, I take sertraline 100 mg now"),
    (14, "No headache this week, I feel better"),
    (16, "I weigh 72.5 kg today"),
)


def main() -> None:
    """Messages over two weeks, then a report for an appointment."""
    start = datetime(2026, 5, 4, 8, 0, tzinfo=UTC)
    now = start
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory.open(Path(folder) / "life.db", preset="life", background=False, clock=lambda: now) as memory,
    ):
        for day, text in DIARY:
            now = start + timedelta(days=day)
            memory.observe(text, user="alex", session=f"day {day}")
            memory.settle(session=f"day {day}")
        now = start + timedelta(days=20)

        print(memory.report("appointment", "alex").text)

        print("\nWhat is known:")
        for entry in memory.profile("alex").entries:
            print(f"  {entry.section}: {entry.text}")

        for question in memory.questions("alex"):
            print("\nA conflict to ask about:", question.text)
            print("Settled as:", memory.answer(question.id, "the newer one is right", user="alex").text)


if __name__ == "__main__":
    main()
