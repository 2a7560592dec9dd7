"""The memory of a chat server's bot: conversations become notes, people get profiles, and anyone can be erased."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from toldonce import Memory

CHAT = (
    ("rita", "The release is on Friday, and I'll write the changelog"),
    ("sam", "I'm moving the server to Debian this weekend, it'll be down for an hour"),
    ("rita", "Fine by me. I live in Coimbra so I can drop by the data centre if it doesn't come back"),
    ("sam", "You're a hero. I owe you a coffee"),
)


def main() -> None:
    """A channel talks, the conversation ends, and the next question is answered from it."""
    now = datetime(2026, 5, 4, 18, 0, tzinfo=UTC)
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory.open(Path(folder) / "server.db", preset="community", background=False, clock=lambda: now) as memory,
    ):
        for user, text in CHAT:
            memory.observe(text, user=user, channel="general", display_name=user.title())
            now += timedelta(minutes=1)
        memory.settle(channel="general")
        now += timedelta(days=1)

        print("When will the server be down?")
        for hit in memory.recall("when is the server down?", channel="general", limit=2):
            print(f"  {hit.score:.2f} {hit.record.user}: {hit.record.text}")

        print("\nWhat a bot's prompt gets:")
        print(memory.context("is the release still on?", user="sam", channel="general", budget=400).text)

        receipt = memory.erase(user="rita")
        print(f"\nRita was erased: {receipt.removed} records, complete: {receipt.is_complete}")
        print("Still known of Coimbra:", [hit.record.text for hit in memory.recall("Coimbra")])


if __name__ == "__main__":
    main()
