"""One sample for each format of the table, and five ways in which its file arrives damaged."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.importers import samples
from tests.importers.samples import write_json

DAMAGES = ("cut", "empty", "wrong encoding", "bad line", "wrong types")
Change = Callable[[Any], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatSample:
    """What a program leaves: `make` writes it, `file` of it is damaged, `spoil` puts wrong types into it.

    `says` are pieces of text that must come in. `unseen` are damages that no reader can see in such a file.
    """

    make: Callable[[Path], Path]
    file: str
    says: tuple[str, ...]
    kept: int
    spoil: Callable[[Path], None]
    is_talk: bool = True
    # Its messages stand for themselves: one that cannot be read takes no others with it.
    is_loose: bool = False
    unseen: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    damage: Mapping[str, Callable[[Path], None]] = field(default_factory=dict)

    def harm(self, folder: Path, name: str) -> None:
        """Damage the file that was made in a folder."""
        if name == "wrong types":
            self.spoil(folder / self.file)
        else:
            (self.damage.get(name) or _DAMAGES[name])(folder / self.file)


def _cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size * 2 // 3])


def _empty(file: Path) -> None:
    file.write_bytes(b"")


def _encode_otherwise(file: Path) -> None:
    file.write_bytes(file.read_text(encoding="utf-8").encode("latin-1"))


def _add_bad_line(file: Path) -> None:
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join([*lines[: len(lines) // 2], "<<<<<<< HEAD\n", *lines[len(lines) // 2 :]]), encoding="utf-8")


_DAMAGES = {"cut": _cut, "empty": _empty, "wrong encoding": _encode_otherwise, "bad line": _add_bad_line}


def _in_json(change: Change) -> Callable[[Path], None]:
    """Damage that changes the value in a JSON file."""

    def spoil(file: Path) -> None:
        value = json.loads(file.read_text(encoding="utf-8"))
        change(value)
        write_json(file, value)

    return spoil


def _in_text(old: str, new: str) -> Callable[[Path], None]:
    def spoil(file: Path) -> None:
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new, 1), encoding="utf-8")

    return spoil


def _in_database(statement: str) -> Callable[[Path], None]:
    def spoil(file: Path) -> None:
        with closing(sqlite3.connect(file)) as database, database:
            database.execute(statement)

    return spoil


def _overwrite_pages(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    file.write_bytes(bytes(data))


def _write_picture(file: Path) -> None:
    file.write_bytes(b"\x89PNG\r\n\x1a\n\x00\xff")


def _set(*path: str | int, to: Any) -> Callable[[Path], None]:
    def change(value: Any) -> None:
        for step in path[:-1]:
            value = value[step]
        value[path[-1]] = to

    return _in_json(change)


def _make_json(name: str, value: Callable[[], Any]) -> Callable[[Path], Path]:
    return lambda folder: write_json(folder / name, value())


def _make_text(name: str, text: str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        (folder / name).write_text(text, encoding="utf-8")
        return folder / name

    return make


SAMPLES: dict[str, FormatSample] = {
    "chatgpt": FormatSample(
        make=_make_json("conversations.json", samples.chatgpt_conversations),
        file="conversations.json",
        says=("im allergic to peanuts", "minha irmã", "me voy a Bogotá"),
        kept=5,
        spoil=_set(1, "mapping", to="gone"),
    ),
    "claude": FormatSample(
        make=_make_json("conversations.json", samples.claude_conversations),
        file="conversations.json",
        says=("Lisbon marathon", "parei de comer", "mi hermano Iván"),
        kept=4,
        spoil=_set(1, "chat_messages", 0, to=7),
    ),
    "gemini": FormatSample(
        make=_make_json("MyActivity.json", samples.gemini_activity),
        file="MyActivity.json",
        says=("my dog Bento", "minha cadela", "viajo a Bogotá"),
        kept=6,
        spoil=_set(1, "time", to=[]),
        is_loose=True,
    ),
    "slack": FormatSample(
        make=lambda folder: samples.make_slack(folder / "slack"),
        file="slack/general/2025-03-03.json",
        says=("we ship on fridays", "tá bom", "mañana no vengo"),
        kept=3,
        spoil=_set(0, "ts", to=None),
    ),
    "discord-package": FormatSample(
        make=lambda folder: samples.make_discord_package(folder / "package"),
        file="package/Messages/c77/messages.json",
        says=("im vegetarian", "oi gente", "mañana os cuento"),
        kept=3,
        spoil=_set(0, "Timestamp", to=[]),
    ),
    "discord": FormatSample(
        make=_make_json("general.json", samples.discord_channel),
        file="general.json",
        says=("new job at a bakery", "eu adoro pão", "me mudo a Sevilla"),
        kept=4,
        spoil=_set("messages", 2, "author", to="Rui"),
    ),
    "telegram": FormatSample(
        make=_make_json("result.json", samples.telegram_result),
        file="result.json",
        says=("for the plan", "meia maratona", "mañana empiezo"),
        kept=4,
        spoil=_set("messages", 2, "id", to=None),
    ),
    "whatsapp": FormatSample(
        make=_make_text(
            "chat.txt", samples.WHATSAPP["android-br.txt"] + "14/03/2025 09:00 - Marta: ok! y mañana qué haces?\n"
        ),
        file="chat.txt",
        says=("mudei de emprego", "começo segunda", "ok! y mañana"),
        kept=4,
        spoil=_in_text("13/03/2025 08:01", "13/33/2025 08:01"),
        # Whatever a line without a time says continues the message before it.
        unseen=("cut", "bad line"),
    ),
    "letta": FormatSample(
        make=_make_json("bento.af", samples.letta_file),
        file="bento.af",
        says=("Allergic to shrimp", "passei no exame", "mañana compro"),
        kept=5,
        spoil=_set("agents", 0, "messages", 1, "created_at", to=[]),
    ),
    "graphiti": FormatSample(
        make=_make_json("graph.json", samples.graphiti_graph),
        file="graph.json",
        says=("i moved to Porto", "minha irmã", "mañana empiezo", "Rui lives in Porto"),
        kept=5,
        spoil=_set("edges", 0, "fact", to=5),
    ),
    "mempalace": FormatSample(
        make=lambda folder: samples.make_mempalace(folder / "mempalace"),
        file="mempalace/knowledge_graph.sqlite3",
        says=("which oven do i buy", "o forno novo", "la masa madre", "João brother of Clara"),
        kept=6,
        spoil=_in_database("UPDATE triples SET object = NULL WHERE id = 't2'"),
        damage={
            "wrong encoding": _in_database("UPDATE entities SET name = CAST(X'4AE96F' AS TEXT) WHERE id = 'joão'"),
            "bad line": _overwrite_pages,
        },
    ),
    "mem0": FormatSample(
        make=_make_json("all.json", samples.mem0_results),
        file="all.json",
        says=("Likes rye bread", "Vive en Sevilla", "irmã"),
        kept=3,
        spoil=_set("results", 0, "memory", to=["x"]),
        is_talk=False,
    ),
    "agent-files": FormatSample(
        make=lambda folder: samples.make_agent_files(folder / "repository"),
        file="repository/CLAUDE.md",
        says=("Run make test", "Uppercase keywords", "Prefer small functions"),
        kept=3,
        spoil=_write_picture,
        is_talk=False,
        # Every text is Markdown.
        unseen=("cut", "empty", "bad line"),
    ),
    "notes": FormatSample(
        make=lambda folder: samples.make_vault(folder / "vault"),
        file="vault/Coffee.md",
        says=("Pour over gives", "A água deve", "Walked to the river"),
        kept=4,
        spoil=_write_picture,
        is_talk=False,
        unseen=("cut", "empty", "bad line"),
    ),
    "table": FormatSample(
        make=_make_text("chat.jsonl", samples.TABLE),
        file="chat.jsonl",
        says=("i moved to Porto", "a minha irmã", "y yo mañana"),
        kept=4,
        spoil=_in_text(
            '{"msg": "a minha irmã vem cá amanhã", "s": "2", ',
            '["s", "2"]\n{"msg": "a minha irmã vem cá amanhã", "s": "2", ',
        ),
        options={"columns": samples.TABLE_COLUMNS},
    ),
}
