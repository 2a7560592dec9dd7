"""An assistant that knows one person: what is said in one session helps in the next."""

from __future__ import annotations

import tempfile
from pathlib import Path

from toldonce import Memory


def main() -> None:
    """Two sessions with a person, then a question in a third."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory.open(Path(folder) / "memory.db", preset="assistant", background=False) as memory,
    ):
        memory.observe("I live in Porto and I'm allergic to peanuts.", user="alex", session="monday")
        memory.observe("Noted! Anything else?", user="alex", session="monday", role="assistant")
        memory.observe("Please always answer in short bullet points.", user="alex", session="monday")
        memory.settle(session="monday")

        memory.observe("Big news: I moved to Lisbon last week!", user="alex", session="tuesday")
        memory.settle(session="tuesday")

        print("Where does Alex live?")
        for hit in memory.recall("where does Alex live?", user="alex", limit=3):
            print(f"  {hit.score:.2f} {hit.record.text}")

        print("\nWhat the prompt of the next session gets:")
        print(memory.context("any ideas for dinner?", user="alex", session="wednesday", budget=400).text)

        fact = memory.review.records("alex", kinds=["fact"], limit=1)[0]
        corrected = memory.correct(fact.id, "Alex lives in Almada, across the river from Lisbon", user="alex")
        print("\nAfter a correction:", corrected.text)
        print("What it replaced:", memory.history(corrected.id).chain[0].text)


if __name__ == "__main__":
    main()
