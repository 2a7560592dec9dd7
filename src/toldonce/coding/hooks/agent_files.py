"""Each agent's files: where they lie, what goes into them, and how to find it again. Texts in, texts out."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, Protocol

from toldonce.coding.hooks.events import AFTER_TOOL, BEFORE_EDIT, NAMES, OWN_NAMES, can_refuse
from toldonce.coding.jsonc import edit_jsonc, read_jsonc
from toldonce.errors import InputError

SERVER = "toldonce"
# Codex gives the end of a session three seconds and warns of a longer time-out.
_SECONDS: Mapping[str, int] = {"codex": 3}
_OTHER_SECONDS = 10
_CHANGING = "Edit|MultiEdit|Write|NotebookEdit"
# Which tools a tool hook is called for, in each agent's own names.
_MATCHERS: Mapping[tuple[str, str], str] = {
    ("claude-code", BEFORE_EDIT): _CHANGING,
    ("claude-code", AFTER_TOOL): f"Read|{_CHANGING}",
    ("codex", BEFORE_EDIT): "apply_patch|Edit|Write",
    ("codex", AFTER_TOOL): "Bash|apply_patch|Edit|Write",
    ("gemini", BEFORE_EDIT): "write_file|replace",
    ("gemini", AFTER_TOOL): "read_file|read_many_files|write_file|replace",
}
_TOML_OPEN, _TOML_CLOSE = "# >>> toldonce", "# <<< toldonce"
_TOML_BLOCK = re.compile(rf"\n?{_TOML_OPEN}\n.*?{_TOML_CLOSE}\n?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class HookCommand:
    """How an agent calls Toldonce: the program, options for every hook, and the MCP server, if there is one."""

    program: tuple[str, ...]
    options: tuple[str, ...] = ()
    server: tuple[str, ...] | None = None

    def line(self, agent: str, event: str) -> str:
        """The command of one hook, quoted for the shell that the agent runs it in."""
        words = [*self.program, "hook", agent, event, *self.options]
        return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


class AgentFile(Protocol):
    """One of an agent's files."""

    def path(self, scope: Literal["user", "project"], environ: Mapping[str, str]) -> str:
        """Where it lies below the home or the project; an absolute path stands for itself."""

    def put(self, text: str | None, *, agent: str, caller: HookCommand, path: Path) -> str | None:
        """Its text with Toldonce in it; None for a file that need not be there."""

    def take(self, text: str | None, *, agent: str, path: Path) -> str | None:
        """Its text without Toldonce; None when nothing is left."""


@dataclass(frozen=True, slots=True)
class JsonFile:
    """A JSON file with hooks, MCP servers, or both."""

    user: str
    project: str
    hooks: Literal["", "grouped", "plain"] = ""
    servers: str = ""
    moved_by: str = ""
    # Whether the agent itself reads comments in this file.
    has_comments: bool = False

    def path(self, scope: Literal["user", "project"], environ: Mapping[str, str]) -> str:
        moved = environ.get(self.moved_by, "") if self.moved_by else ""
        if scope == "user" and moved:
            return str(Path(moved).expanduser() / Path(self.user).name)
        return self.user if scope == "user" else self.project

    def put(self, text: str | None, *, agent: str, caller: HookCommand, path: Path) -> str | None:
        if not self.hooks and caller.server is None:
            return text
        table = _parse_settings_object(text, path, has_comments=self.has_comments)
        if self.hooks:
            if self.hooks == "plain":
                table.setdefault("version", 1)
            _put_hooks(_inner_table(table, "hooks", path), agent, caller, grouped=self.hooks == "grouped", path=path)
        if self.servers and caller.server is not None:
            _inner_table(table, self.servers, path)[SERVER] = _server_row(caller.server, agent)
        return _dump_settings(table, text)

    def take(self, text: str | None, *, agent: str, path: Path) -> str | None:
        table = _parse_settings_object(text, path, has_comments=self.has_comments)
        hooks, servers = table.get("hooks"), table.get(self.servers) if self.servers else None
        if isinstance(hooks, dict):
            _remove_own_hooks(hooks, agent)
        if isinstance(servers, dict) and _is_our_server(servers.get(SERVER)):
            del servers[SERVER]
        left = {key: value for key, value in table.items() if key not in ("hooks", self.servers) or value}
        return None if not left or left == {"version": 1} else _dump_settings(left, text)


@dataclass(frozen=True, slots=True)
class TomlFile:
    """A TOML file to which a marked part is added at the end; nothing else in it is touched."""

    user: str
    project: str
    moved_by: str = ""

    def path(self, scope: Literal["user", "project"], environ: Mapping[str, str]) -> str:
        return JsonFile(self.user, self.project, moved_by=self.moved_by).path(scope, environ)

    def put(self, text: str | None, *, agent: str, caller: HookCommand, path: Path) -> str | None:
        bare = self.take(text, agent=agent, path=path) or ""
        if caller.server is None or SERVER in (_parse_toml(bare, path).get("mcp_servers") or {}):
            return text
        program, *args = (json.dumps(word, ensure_ascii=False) for word in caller.server)
        part = f"[mcp_servers.{SERVER}]\ncommand = {program}\nargs = [{', '.join(args)}]\n"
        gap = "" if not bare else "\n" if bare.endswith("\n") else "\n\n"
        made = f"{bare}{gap}{_TOML_OPEN}\n{part}{_TOML_CLOSE}\n"
        _parse_toml(made, path)
        return made

    def take(self, text: str | None, *, agent: str, path: Path) -> str | None:
        if text is None:
            return None
        _parse_toml(text, path)
        return _TOML_BLOCK.sub("", text) or None


@dataclass(frozen=True, slots=True)
class PluginFile:
    """A file that is ours alone."""

    user: str
    project: str
    source: str

    def path(self, scope: Literal["user", "project"], environ: Mapping[str, str]) -> str:
        return self.user if scope == "user" else self.project

    def put(self, text: str | None, *, agent: str, caller: HookCommand, path: Path) -> str | None:
        source = files("toldonce.coding.hooks").joinpath(self.source).read_text(encoding="utf-8")
        words = {"__PROGRAM__": caller.program, "__OPTIONS__": caller.options}
        return re.sub("|".join(words), lambda m: json.dumps(words[m[0]]), source)

    def take(self, text: str | None, *, agent: str, path: Path) -> str | None:
        return None


AGENTS: Mapping[str, tuple[AgentFile, ...]] = {
    "claude-code": (
        JsonFile(".claude/settings.json", ".claude/settings.json", hooks="grouped", moved_by="CLAUDE_CONFIG_DIR"),
        JsonFile(".claude.json", ".mcp.json", servers="mcpServers", moved_by="CLAUDE_CONFIG_DIR"),
    ),
    "codex": (
        JsonFile(".codex/hooks.json", ".codex/hooks.json", hooks="grouped", moved_by="CODEX_HOME"),
        TomlFile(".codex/config.toml", ".codex/config.toml", moved_by="CODEX_HOME"),
    ),
    "cursor": (
        JsonFile(".cursor/hooks.json", ".cursor/hooks.json", hooks="plain"),
        JsonFile(".cursor/mcp.json", ".cursor/mcp.json", servers="mcpServers"),
    ),
    "gemini": (
        JsonFile(
            ".gemini/settings.json", ".gemini/settings.json", hooks="grouped", servers="mcpServers", has_comments=True
        ),
    ),
    "opencode": (
        PluginFile(".config/opencode/plugins/toldonce.js", ".opencode/plugins/toldonce.js", "opencode.js"),
        JsonFile(".config/opencode/opencode.json", "opencode.json", servers="mcp", has_comments=True),
    ),
}  # fmt: skip


def _put_hooks(table: dict[str, Any], agent: str, caller: HookCommand, *, grouped: bool, path: Path) -> None:
    """Replace our existing hooks with the current ones; other hooks stay untouched and in order."""
    before = list(table)
    _remove_own_hooks(table, agent)
    for name, own in zip(NAMES, OWN_NAMES[agent], strict=True):
        if not own or (name == BEFORE_EDIT and not can_refuse(agent)):
            continue
        entries = table.setdefault(own, [])
        if not isinstance(entries, list):
            raise InputError(f"{path}: hooks.{own} is not a list: fix it first; nothing was changed")
        entries.append(_hook_row(agent, name, caller.line(agent, name), grouped=grouped))
    ordered = {key: table[key] for key in (*before, *table) if key in table}
    table.clear()
    table.update(ordered)


def _hook_row(agent: str, name: str, command: str, *, grouped: bool) -> dict[str, Any]:
    if not grouped:
        return {"command": command}
    seconds = _SECONDS.get(agent, _OTHER_SECONDS)
    handler: dict[str, Any] = {"type": "command", "command": command, "timeout": seconds}
    if agent == "gemini":
        # Gemini counts milliseconds where the others count seconds.
        handler = {"name": f"toldonce-{name}", **handler, "timeout": seconds * 1000}
    matcher = _MATCHERS.get((agent, name))
    return {**({"matcher": matcher} if matcher else {}), "hooks": [handler]}


def _remove_own_hooks(table: dict[str, Any], agent: str) -> None:
    for event in list(table):
        entries = table[event]
        if not isinstance(entries, list):
            continue
        kept = list(_entries_of_others(entries, agent))
        if len(kept) == len(entries) and kept == entries:
            continue
        if kept:
            table[event] = kept
        else:
            del table[event]


def _entries_of_others(entries: Sequence[Any], agent: str) -> Iterator[Any]:
    for entry in entries:
        handlers = entry.get("hooks") if isinstance(entry, dict) else None
        if isinstance(handlers, list):
            others = [handler for handler in handlers if not _is_ours(handler, agent)]
            if others or not handlers:
                yield {**entry, "hooks": others} if len(others) < len(handlers) else entry
        elif not _is_ours(entry, agent):
            yield entry


def _is_ours(handler: Any, agent: str) -> bool:
    command = handler.get("command") if isinstance(handler, dict) else None
    return isinstance(command, str) and "toldonce" in command and f" hook {agent} " in command


def _is_our_server(value: Any) -> bool:
    words = json.dumps(value) if isinstance(value, dict) else ""
    return "toldonce" in words and '"mcp"' in words


def _server_row(command: Sequence[str], agent: str) -> dict[str, Any]:
    if agent == "opencode":
        return {"type": "local", "command": list(command), "enabled": True}
    return {"command": command[0], "args": list(command[1:])}


def _inner_table(table: dict[str, Any], key: str, path: Path) -> dict[str, Any]:
    found = table.setdefault(key, {})
    if not isinstance(found, dict):
        raise InputError(f"{path}: {key} is not an object: fix it first; nothing was changed")
    return found


def _parse_settings_object(text: str | None, path: Path, *, has_comments: bool) -> dict[str, Any]:
    """A JSON object from a settings file, or an error that says where it is broken."""
    try:
        found = _load_settings(text, has_comments=has_comments) if text and text.strip() else {}
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{path} is not valid JSON ({problem}): fix it first; nothing was changed") from None
    if not isinstance(found, dict):
        raise InputError(f"{path} is JSON, but not an object: fix it first; nothing was changed")
    return found


def _load_settings(text: str, *, has_comments: bool) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        if not has_comments:
            raise
        return read_jsonc(text)


def _dump_settings(table: Mapping[str, Any], before: str | None) -> str:
    """The table as text, indented as the file was; a file with comments keeps them."""
    if before and before.strip() and not _is_plain_json(before):
        return edit_jsonc(before, table)
    found = re.search(r"^([ \t]+)\S", before or "", re.MULTILINE)
    indent: str | int = found[1] if found else 2
    ending = "\n" if before is None or before.endswith("\n") or not before else ""
    return json.dumps(table, indent=indent, ensure_ascii=False) + ending


def _is_plain_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _parse_toml(text: str, path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise InputError(f"{path} is not valid TOML ({problem}): fix it first; nothing was changed") from None
