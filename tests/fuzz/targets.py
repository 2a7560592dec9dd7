"""What is attacked: one class per interface, with its own folder, a way to set it up, and one case by chance.

A case may end in an error of Toldonce or not at all; whatever else it raises is a finding.
"""

from __future__ import annotations

import json
import os
import shutil
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import click
from click.testing import CliRunner

from tests.fuzz import values
from toldonce import Memory, presets
from toldonce.cli.main import COMMANDS, cli
from toldonce.coding.hooks import entry
from toldonce.coding.hooks.events import OWN_NAMES
from toldonce.errors import ToldonceError
from toldonce.presets.loader import preset_text
from toldonce.records import Record
from toldonce.tools.definition import Caller, Role
from toldonce.tools.table import TABLE, Toolbox

PRESETS = ("companion", "community", "assistant", "life", "coding")
BUG_EXIT = 4
ROLES: tuple[Role, ...] = ("agent", "agent", "person", "consolidator")


class Target:
    """One interface under attack."""

    name: ClassVar[str]
    # After so many cases everything is made again, so that a case does not grow with those before it.
    renew_after: ClassVar[int] = 60

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def set_up(self, chance: Random) -> None:
        """Make what the cases work on."""

    def case(self, chance: Random) -> None:
        """One case."""
        raise NotImplementedError

    def tear_down(self) -> None:
        """Let go of everything."""


def open_memory(path: Path, preset: str | None = "companion") -> Memory:
    return Memory.open(path, preset, background=False, embedder=None)


def fill(memory: Memory) -> list[str]:
    """A small life to work on; returns the ids."""
    said = [
        memory.observe("I like green tea and I live in Lisbon.", "ana", session="s", channel="c1"),
        memory.observe("Nice! Noted.", session="s", role="assistant", channel="c1"),
        memory.observe("Eu gosto de café e moro em São Paulo.", "bia", session="t", channel="c1"),
    ]
    kept = memory.remember("Ana is allergic to nuts", user="ana", author="person", pinned=True)
    memory.settle(session="s")
    return [kept.id, *(one.id for one in said if isinstance(one, Record))]


class Api(Target):
    """The methods of Memory, with any arguments."""

    name = "api"

    def set_up(self, chance: Random) -> None:
        self.memory = open_memory(self.folder / "m.db", chance.choice(PRESETS))
        self.ids = fill(self.memory)

    def tear_down(self) -> None:
        self.memory.close()

    def case(self, chance: Random) -> None:
        operation = chance.choice(OPERATIONS)
        given = {field: self._value(field, chance) for field in operation[2] if chance.random() < 0.5}
        first = [self._value(field, chance) for field in operation[1]]
        attrgetter(operation[0])(self.memory)(*first, **given)

    def _value(self, field: str, chance: Random) -> Any:
        if chance.random() < 0.06:
            return values.anything(chance)
        if field in ("text", "query", "summary", "title", "reason", "about"):
            return values.text(chance)
        if field in ("at", "since", "until", "as_of"):
            return values.moment(chance)
        if field == "id":
            return chance.choice(self.ids) if chance.random() < 0.7 else values.anything(chance)
        if field in ("metadata", "where"):
            return values.metadata(chance)
        if field in ("limit", "budget", "turns", "min_score", "confidence"):
            return values.number(chance)
        if field == "messages":
            keys = ("text", "user", "session", "role", "at", "metadata", "channel")
            return [
                {key: self._value(key, chance) for key in keys if key == "text" or chance.random() < 0.4}
                for _ in range(chance.randint(0, 3))
            ]
        if field in ("pinned", "proposed", "explain", "keep", "counted", "repair", "trusted"):
            return chance.random() < 0.5
        if field in ("kind", "role", "author", "visibility", "origin"):
            choices = ("fact", "message", "note", "user", "assistant", "person", "agent", "private", "project")
            return chance.choice((*choices, None)) if chance.random() < 0.8 else values.anything(chance)
        if field in ("kinds", "tags", "source", "branches"):
            return [values.name(chance) for _ in range(chance.randint(0, 3))]
        if field == "about_report":
            return chance.choice(("week", "month", "appointment", "x", 5))
        return values.name(chance)


_ASK = ("session", "channel", "since", "until", "as_of", "where", "limit", "kinds", "min_score", "explain", "branches")
OPERATIONS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("observe", ("text", "user"), (
        "session", "role", "at", "channel", "branch", "username", "display_name", "metadata")),
    ("observe_many", ("messages",), ()),
    ("remember", ("text",), (
        "kind", "user", "source", "author", "made_by", "origin", "session", "channel", "visibility", "subject", "title",
        "summary", "confidence", "proposed", "pinned", "tags", "at", "metadata")),
    ("recall", ("query", "user"), _ASK),
    ("recall", ("query", "user"), _ASK),
    ("context", ("query", "user"), ("session", "channel", "budget", "as_of", "branches")),
    ("settle", (), ("session", "channel", "user")),
    ("correct", ("id", "text"), ()),
    ("answer", ("id", "text"), ()),
    ("timeline", ("user",), ("since", "until")),
    ("report", ("about_report", "user"), ("since", "until", "keep")),
    ("profile", ("user",), ("as_of",)),
    ("entity", ("user",), ("limit",)),
    ("why_not", ("id", "query"), ("user", "limit", "as_of", "where")),
    ("sessions.window", ("session",), ("turns",)),
    ("get", ("id",), ()), ("history", ("id",), ()), ("forget", ("id",), ("reason",)), ("restore", ("id",), ()),
    ("pin", ("id",), ("pinned",)), ("flag", ("id",), ("reason",)), ("confirm", ("id",), ()), ("purge", ("id",), ()),
    ("questions", ("user",), ()), ("stats", (), ("user",)), ("storage.check", (), ("repair",)), ("tend", (), ()),
    ("jobs.usage", (), ("since",)), ("jobs.runs", (), ("limit",)), ("people.block", ("user",), ()),
    ("people.all", (), ()),
)  # fmt: skip


class Commands(Target):
    """The command line, with any arguments."""

    name = "cli"
    renew_after = 40
    # These wait for somebody, write outside of the folder, or ask the network.
    LEFT_OUT = frozenset(
        {
            "mcp",
            "serve",
            "proxy",
            "bot",
            "login",
            "try-model",
            "worker",
            "bench",
            "hook",
            "install",
            "uninstall",
            "completion",
            "demo",
            "open",
        }
    )
    OPTIONS_LEFT_OUT = frozenset({"--watch", "--place", "--embedder", "--writer", "--reranker"})

    def set_up(self, chance: Random) -> None:
        (self.folder / "home").mkdir(exist_ok=True)
        self.before = (Path.cwd(), dict(os.environ))
        os.environ.update(HOME=str(self.folder / "home"), TOLDONCE_EMBEDDER="none", TOLDONCE_PLACE="memory.db")
        os.chdir(self.folder)
        with open_memory(self.folder / "memory.db", chance.choice(PRESETS)) as memory:
            self.ids = fill(memory)
            memory.export(self.folder / "export.jsonl")

    def tear_down(self) -> None:
        os.chdir(self.before[0])
        for key in set(os.environ) - set(self.before[1]):
            del os.environ[key]
        os.environ.update(self.before[1])

    def case(self, chance: Random) -> None:
        names = [name for section in COMMANDS.values() for name in section if name not in self.LEFT_OUT]
        name = chance.choice(names)
        command = cli.get_command(click.Context(cli), name)
        args = [name, *self._arguments(command, chance), *(["--json"] if chance.random() < 0.3 else [])]
        given = values.text(chance).encode("utf-8", "replace") if chance.random() < 0.3 else b""
        result = CliRunner().invoke(cli, args, input=given)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        if result.exit_code == BUG_EXIT or "this is a bug" in result.output or "Traceback" in result.stderr:
            raise AssertionError(f"{args!r} ended with {result.exit_code}: {result.output[-300:]}")
        if len(result.stderr) > 20_000:
            raise AssertionError(f"{args!r} wrote {len(result.stderr)} characters of errors")

    def _arguments(self, command: click.Command | None, chance: Random) -> list[str]:
        found: list[str] = []
        for param in command.params if command else ():
            if isinstance(param, click.Option):
                if chance.random() > 0.25 or self.OPTIONS_LEFT_OUT & set(param.opts):
                    continue
                found.append(param.opts[0])
                if not param.is_flag:
                    found.append(self._argument(param, chance))
            elif chance.random() < 0.9:
                found.append(self._argument(param, chance))
        return found

    def _argument(self, param: click.Parameter, chance: Random) -> str:
        if isinstance(param.type, click.Path | click.File) or param.name in ("path", "file", "target"):
            return chance.choice(("export.jsonl", "memory.db", "missing", ".", "out.json", "home", "x" * 300))
        if chance.random() < 0.5:
            return chance.choice((*self.ids, "ana", "s", "5", "0", "-1", "fact", "2026-01-01", "last week", "week"))
        # The entry point has its streams replace what they cannot write; those of a test do not.
        return values.text(chance, longest=8).replace("\0", "?").encode("utf-8", "replace").decode()


class Tools(Target):
    """The tools that agents call, with any JSON."""

    name = "tools"

    def set_up(self, chance: Random) -> None:
        self.preset = chance.choice(PRESETS)
        # Tools that read a project read the current folder, and this one is small.
        self.before = Path.cwd()
        os.chdir(self.folder)
        self.memory = open_memory(self.folder / "m.db", self.preset)
        self.ids = fill(self.memory)

    def tear_down(self) -> None:
        self.memory.close()
        os.chdir(self.before)

    def case(self, chance: Random) -> None:
        role = chance.choice(ROLES)
        caller = Caller(role=role, user=chance.choice((None, "ana", "bia")), session=chance.choice((None, "s")))
        box = Toolbox(self.memory, caller)
        names = [tool.name for tool in box.tools()] if chance.random() < 0.9 else []
        names = names or list(TABLE)
        name = chance.choice(names) if chance.random() < 0.97 else values.anything(chance)
        tool = TABLE.get(name) if isinstance(name, str) else None
        given = self._given(box, tool, chance) if tool is not None else values.json_value(chance)
        box.call(name, given, confirmed=chance.random() < 0.5).text()

    def _given(self, box: Toolbox, tool: Any, chance: Random) -> Any:
        if chance.random() < 0.1:
            return values.json_value(chance)
        fields = box.schema(tool)["properties"]
        return {field: self._value(said, chance) for field, said in fields.items() if chance.random() < 0.6}

    def _value(self, said: dict[str, Any], chance: Random) -> Any:
        if chance.random() < 0.15:
            return values.json_value(chance)
        if "enum" in said:
            return chance.choice(said["enum"])
        kind = said.get("type")
        if kind == "string":
            return chance.choice(self.ids) if chance.random() < 0.3 else values.text(chance)
        if kind in ("integer", "number"):
            return chance.choice((0, 1, 5, -3, 2**70, 0.5))
        if kind == "boolean":
            return chance.random() < 0.5
        if kind == "array":
            return [self._value(said.get("items", {}), chance) for _ in range(chance.randint(0, 3))]
        return values.json_value(chance)


class Hooks(Target):
    """The hooks of coding agents, with any JSON on standard input."""

    name = "hooks"
    renew_after = 40

    def set_up(self, chance: Random) -> None:
        self.before = (Path.cwd(), dict(os.environ))
        (self.folder / "home").mkdir(exist_ok=True)
        (self.folder / "shop").mkdir(exist_ok=True)
        os.environ.update(HOME=str(self.folder / "home"), TOLDONCE_EMBEDDER="none", GIT_CONFIG_GLOBAL=os.devnull)
        os.chdir(self.folder / "shop")
        Path("toldonce.toml").write_text('preset = "coding"\n', encoding="utf-8")
        Path("a.py").write_text("def main(): ...\n", encoding="utf-8")
        with open_memory(self.folder / "shop" / "memory.db", "coding") as memory:
            fill(memory)

    tear_down = Commands.tear_down

    def case(self, chance: Random) -> None:
        agent = chance.choice(list(OWN_NAMES)) if chance.random() < 0.95 else values.text(chance, longest=2)
        events = list(OWN_NAMES.get(agent, {"x": ""}))
        event = chance.choice(events) if chance.random() < 0.95 else values.text(chance, longest=2)
        payload = values.json_value(chance)
        if chance.random() < 0.85:
            keys = (
                "prompt",
                "tool_name",
                "tool_input",
                "tool_response",
                "source",
                "reason",
                "transcript_path",
                "file_path",
            )
            payload = {"session_id": "s1", "cwd": str(self.folder / "shop")}
            payload |= {key: values.json_value(chance) for key in keys if chance.random() < 0.5}
            if chance.random() < 0.3:
                payload["prompt"] = values.text(chance)
        data = json.dumps(payload).encode("utf-8", "surrogatepass")
        if chance.random() < 0.15:
            data = values.mutated(chance, data)
        options = ["--no-tend", "--place", str(self.folder / "shop" / "memory.db")]
        try:
            entry.answer_hook([agent, event, *options], data)
        except (json.JSONDecodeError, RecursionError):
            return


class Importers(Target):
    """Files that are read back: exports with any change."""

    name = "importers"
    renew_after = 30

    def set_up(self, chance: Random) -> None:
        source = self.folder / "source.db"
        with open_memory(source, "community") as memory:
            fill(memory)
            memory.export(self.folder / "export.jsonl")
        first, *rest = (self.folder / "export.jsonl").read_bytes().splitlines(keepends=True)
        # Without a checksum, as the first format was: else every change would be refused for the same reason.
        header = {name: value for name, value in json.loads(first).items() if name != "sha256"}
        self.lines = [json.dumps({**header, "toldonce": 1}).encode() + b"\n", *rest]
        self.memory = open_memory(self.folder / "m.db", "community")

    def tear_down(self) -> None:
        self.memory.close()

    def case(self, chance: Random) -> None:
        target = self.folder / "in.jsonl"
        lines = list(self.lines)
        if chance.random() < 0.4:
            target.write_bytes(values.mutated(chance, b"".join(lines)))
        else:
            for _ in range(chance.randint(1, 4)):
                place = chance.randrange(1, len(lines))
                lines[place] = self._changed(lines[place], chance)
            target.write_bytes(b"".join(lines))
        self.memory.import_(target, trusted=chance.random() < 0.5)

    def _changed(self, line: bytes, chance: Random) -> bytes:
        try:
            said = json.loads(line)
        except ValueError:
            return line
        field = chance.choice(list(said))
        said[field] = values.json_value(chance) if chance.random() < 0.7 else values.text(chance)
        return json.dumps(said).encode() + b"\n"


class PresetFiles(Target):
    """Preset files with any change."""

    name = "presets"
    renew_after = 10_000

    def case(self, chance: Random) -> None:
        text = preset_text(chance.choice(PRESETS))[0]
        if chance.random() < 0.5:
            changed = values.mutated(chance, text.encode()).decode("utf-8", "replace")
        else:
            lines = text.splitlines()
            for _ in range(chance.randint(1, 5)):
                place = chance.randrange(len(lines))
                key = lines[place].partition("=")[0]
                lines[place] = chance.choice(("", lines[place] * 2, f"{key}= {json.dumps(values.json_value(chance))}"))
            changed = "\n".join(lines)
        presets.parse_preset(changed, "fuzz.toml")


class DatabaseBytes(Target):
    """A memory file with any bytes changed: opened, checked, read, written, closed."""

    name = "database"
    renew_after = 10_000

    def set_up(self, chance: Random) -> None:
        whole = self.folder / "whole.db"
        if not whole.exists():
            with open_memory(whole, "companion") as memory:
                fill(memory)
        self.data = whole.read_bytes()

    def case(self, chance: Random) -> None:
        path = self.folder / "m.db"
        for end in ("", "-wal", "-shm"):
            Path(f"{path}{end}").unlink(missing_ok=True)
        data = bytearray(self.data)
        for _ in range(chance.choice((1, 1, 3, 20))):
            place, length = chance.randrange(len(data)), chance.choice((1, 1, 4, 64, 4_096))
            data[place : place + length] = chance.randbytes(min(length, len(data) - place))
        path.write_bytes(data[: chance.randrange(len(data))] if chance.random() < 0.1 else data)
        memory = open_memory(path, None if chance.random() < 0.5 else "companion")
        try:
            for work in chance.sample((self._check, self._read, self._write, self._export), k=3):
                try:
                    work(memory, chance)
                except ToldonceError:
                    continue
        finally:
            memory.close()

    def _check(self, memory: Memory, chance: Random) -> None:
        memory.storage.check(repair=chance.random() < 0.5)

    def _read(self, memory: Memory, chance: Random) -> None:
        memory.recall("green tea in Lisbon", "ana")
        memory.context("tea", "ana")
        memory.profile("ana")

    def _write(self, memory: Memory, chance: Random) -> None:
        memory.observe("I like coffee.", "ana", session="s")
        memory.settle()
        memory.tend()

    def _export(self, memory: Memory, chance: Random) -> None:
        memory.export(self.folder / "out.jsonl")


TARGETS: tuple[type[Target], ...] = (Api, Commands, Tools, Hooks, Importers, PresetFiles, DatabaseBytes)


def clear(folder: Path) -> None:
    """Empty a folder."""
    for one in folder.iterdir():
        shutil.rmtree(one) if one.is_dir() else one.unlink()
