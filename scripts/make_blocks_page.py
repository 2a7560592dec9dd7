"""Writes docs/blocks.md: for each preset an invented conversation, a question, and the block that is written for it.

`python scripts/make_blocks_page.py` writes the page; a test fails when the engine writes another block.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path

from toldonce import Memory

ROOT = Path(__file__).resolve().parent.parent

PAGE = ROOT / "docs" / "blocks.md"
HEAD = """# Blocks by example

What a prompt block looks like: for each preset a small invented conversation, a later question, and the block that
`memory.context(question)` writes for it, by the rules that ship and without a language model. The page is made by
`python scripts/make_blocks_page.py`. What goes into a block is explained in [presets.md](presets.md#context); with
`explain=True` it tells why a line is there and why others are not ([python.md](python.md)).
"""


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing that was said: when, by whom, and what; `assistant` speaks as itself."""

    at: str
    who: str
    text: str


@dataclass(frozen=True, slots=True)
class Kept:
    """One thing that a tool or a person had remembered, of a kind."""

    at: str
    kind: str
    text: str
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Example:
    """A conversation, and what is asked later in another session."""

    preset: str
    about: str
    said: Sequence[Turn | Kept]
    asked: Turn


EXAMPLES = (
    Example(
        "assistant",
        "A week with an assistant: how Maya wants to be answered and what she may not eat stand always, the rest helps "
        "with the question.",
        (
            Turn("2026-04-06 18:02", "Maya", "Please keep your answers short and never use emojis."),
            Turn("2026-04-06 18:03", "assistant", "Understood: short answers, no emojis."),
            Turn("2026-04-06 18:05", "Maya", "I'm allergic to hazelnuts, so careful with recipes."),
            Turn("2026-04-08 20:11", "Maya", "Next Saturday I'm hiking the Pilgrim's Ridge with my brother Tom."),
            Turn("2026-04-08 20:12", "assistant", "Nice. Do you want a packing list for it?"),
            Turn("2026-04-08 20:13", "Maya", "Not yet. Tom is vegetarian, and I carry the food for both of us."),
        ),
        Turn("2026-04-15 19:30", "Maya", "What snacks should I pack for the hike with Tom?"),
    ),
    Example(
        "assistant",
        "The same preset in Spanish: both places of residence with their days, and a short answer after its question.",
        (
            Turn("2026-03-02 10:00", "Lucía", "Mi hermana Inés vive en Valencia y trabaja en un hospital."),
            Turn("2026-03-10 21:15", "Lucía", "Inés se mudó ayer a Bilbao, ahora comparte piso con dos amigas."),
            Turn("2026-03-10 21:16", "assistant", "¡Qué cambio! ¿Sigue trabajando en un hospital?"),
            Turn("2026-03-10 21:17", "Lucía", "Sí, en el de Basurto."),
        ),
        Turn("2026-03-20 18:00", "Lucía", "¿Dónde vive Inés y dónde trabaja?"),
    ),
    Example(
        "life",
        'A life assistant in Portuguese: what Rui cannot eat stands with what Bia wants; "yesterday" has its date.',
        (
            Turn("2026-05-04 08:10", "Rui", "Sou intolerante à lactose."),
            Turn("2026-05-05 19:42", "Rui", "Ontem provei um bolo sem leite na pastelaria da Rua Nova e gostei muito."),
            Turn("2026-05-09 11:20", "Rui", "A minha filha Bia faz anos a 30 de maio e quer um bolo de chocolate."),
        ),
        Turn("2026-05-25 09:00", "Rui", "Que bolo faço para os anos da Bia?"),
    ),
    Example(
        "community",
        "A chat of several people: each line says who spoke and when, and an answer follows its question.",
        (
            Turn("2026-06-01 17:00", "Ines", "Who can bring a projector on Friday?"),
            Turn("2026-06-01 17:04", "Omar", "I can, the small one from the workshop."),
            Turn("2026-06-01 17:06", "Ines", "Great. The film is The Red Balloon, we start at nine."),
            Turn("2026-06-02 12:30", "Petra", "The benches are cold at night, I'll bring blankets on Friday."),
        ),
        Turn("2026-06-04 10:00", "Petra", "Which film do we watch on Friday, and who brings the projector?"),
    ),
    Example(
        "companion",
        "A robot at home. Its block is short: what is near, and the few memories that help.",
        (
            Turn("2026-09-01 08:30", "Nora", "My glasses are usually in the blue bowl on the shelf."),
            Turn("2026-09-01 08:31", "Nora", "Please speak slowly, my hearing aid is at the shop."),
            Turn("2026-09-03 16:00", "Nora", "Leo cleaned my glasses, they are back in the bowl."),
        ),
        Turn("2026-09-06 10:05", "Nora", "Where did I put my glasses?"),
    ),
    Example(
        "coding",
        "A project: conventions and decisions always stand, of the rest what fits the task.",
        (
            Kept("2026-01-12 10:00", "convention", "Money is an integer number of cents, never a float"),
            Kept("2026-01-15 15:30", "decision", "Retries of payments carry an idempotency key"),
            Kept(
                "2026-02-02 11:10",
                "gotcha",
                "The payment sandbox answers 200 for declined cards; read the field status",
                {"file": "src/payments/client.py"},
            ),
            Kept("2026-02-20 09:45", "environment_quirk", "The payment sandbox needs PAY_SANDBOX_KEY"),
        ),
        Turn("2026-03-03 14:00", "dev", "Payments with declined cards are shown as paid, fix it"),
    ),
)


class Clock:
    """A clock that stands at the last moment of the talk."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def move_to(self, moment: str) -> None:
        """Go to a moment as the examples write it."""
        self.now = datetime.strptime(moment, "%Y-%m-%d %H:%M").replace(tzinfo=UTC)


def write_block(example: Example, folder: Path) -> str:
    """The block that the engine writes for an example, in a memory of its own."""
    clock = Clock()
    with Memory.open(folder / "memory.db", preset=example.preset, clock=clock, background=False) as memory:
        for day, turns in groupby(example.said, key=lambda one: one.at[:10]):
            for one in turns:
                clock.move_to(one.at)
                _tell(memory, one, person=example.asked.who, session=day)
            clock.now += timedelta(hours=3)
            memory.settle(session=day)
            memory.tend(clock.now)
        clock.move_to(example.asked.at)
        memory.tend(clock.now)
        asked = example.asked
        return hide_ids(memory.context(asked.text, asked.who.lower(), session="now", channel="chat").text)


def hide_ids(block: str) -> str:
    """The block with every id shortened: no two runs make the same ones."""
    return re.sub(r"\b([a-z]+_)1[0-9a-hjkmnp-tv-z]{20}\b", r"\1…", block)


def _tell(memory: Memory, one: Turn | Kept, *, person: str, session: str) -> None:
    if isinstance(one, Kept):
        memory.remember(one.text, one.kind, metadata=dict(one.metadata), author="person")
        return
    role = "assistant" if one.who == "assistant" else "user"
    name = "" if role == "assistant" else one.who
    user = (person if role == "assistant" else one.who).lower()
    memory.observe(one.text, user, role=role, session=session, channel="chat", display_name=name)


def write_page(blocks: Sequence[str]) -> str:
    """The page as text, with a block for each example."""
    parts = [HEAD]
    for example, block in zip(EXAMPLES, blocks, strict=True):
        parts += _describe(example)
        parts += ["", "```text", block, "```", ""]
    return "\n".join(parts)


def _describe(example: Example) -> Iterator[str]:
    yield f"## `{example.preset}`: {example.asked.text}"
    yield f"\n{example.about}\n"
    for one in example.said:
        yield f"- {one.at}, {one.who if isinstance(one, Turn) else one.kind}: {one.text}"
    yield f"\n{example.asked.at}, {example.asked.who}: **{example.asked.text}**"


def write_blocks() -> list[str]:
    """The block of each example."""
    blocks = []
    for example in EXAMPLES:
        with tempfile.TemporaryDirectory() as folder:
            blocks.append(write_block(example, Path(folder)))
    return blocks


if __name__ == "__main__":
    PAGE.write_text(write_page(write_blocks()), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")
