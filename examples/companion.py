"""A robot companion in a family: it knows who it talks to, and keeps what each person told it apart."""

from __future__ import annotations

import tempfile
from pathlib import Path

from toldonce import Memory


def main() -> None:
    """Two people talk to the robot; each gets what is theirs."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory.open(Path(folder) / "robot.db", preset="companion", zone="Europe/Lisbon", background=False) as memory,
    ):
        memory.people.update("face-1", display_name="Ana", language="en")
        memory.people.update("face-2", display_name="Tomé", language="pt")

        memory.observe("My favourite colour is green and I love chess.", user="face-1", session="morning")
        memory.observe("Got it, green and chess!", user="face-1", session="morning", role="assistant")
        memory.observe("Eu tenho medo de trovão.", user="face-2", session="evening")
        memory.settle()

        for person in memory.people.all():
            print(f"\nWhat the robot knows when {person.display_name} talks to it:")
            print(memory.context("hello, what shall we do?", user=person.id, session="today", budget=300).text)

        print("\nDoes Ana see what Tomé said?")
        found = memory.recall("trovão", user="face-1")
        print("  yes" if any("trovão" in hit.record.text for hit in found) else "  no")


if __name__ == "__main__":
    main()
