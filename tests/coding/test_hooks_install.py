"""Installing beside an agent: its own files, everything else in them kept, and taken out again without a trace."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import git
from toldonce.coding.hooks.agent_files import AGENTS, HookCommand, JsonFile
from toldonce.coding.hooks.events import BEFORE_EDIT, NAMES, OWN_NAMES, can_refuse
from toldonce.coding.jsonc import read_jsonc

FILES = {
    "claude-code": (".claude/settings.json", ".claude.json"),
    "codex": (".codex/hooks.json", ".codex/config.toml"),
    "cursor": (".cursor/hooks.json", ".cursor/mcp.json"),
    "gemini": (".gemini/settings.json",),
    "opencode": (".config/opencode/plugins/toldonce.js", ".config/opencode/opencode.json"),
}
PROJECT_FILES = {
    "claude-code": (".claude/settings.json", ".mcp.json"),
    "codex": (".codex/hooks.json", ".codex/config.toml"),
    "cursor": (".cursor/hooks.json", ".cursor/mcp.json"),
    "gemini": (".gemini/settings.json",),
    "opencode": (".opencode/plugins/toldonce.js", "opencode.json"),
}
# What people have in these files already; not one byte of it may be lost.
THEIRS = {
    ".claude/settings.json": (
        '{\n\t"model": "opus",\n\t"hooks": {"PostToolUse": [{"matcher": "Edit", "hooks": '
        '[{"type": "command", "command": "prettier --write"}]}], "Notification": []},\n\t"é": "ü"\n}'
    ),
    ".claude.json": '{"numStartups": 7, "mcpServers": {"github": {"command": "gh-mcp"}}}\n',
    ".codex/hooks.json": '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}\n',
    ".codex/config.toml": '# mine\nmodel = "gpt-5"\n\n[mcp_servers.github]\ncommand = "gh-mcp"  # keep\n',
    ".cursor/hooks.json": '{\n  "version": 1,\n  "hooks": {"stop": [{"command": "./done.sh"}]}\n}\n',
    ".cursor/mcp.json": '{\n  "mcpServers": {}\n}\n',
    ".gemini/settings.json": '{\n    "theme": "Dark",\n    "hooks": {"BeforeTool": []}\n}\n',
    ".config/opencode/opencode.json": '{"$schema": "https://opencode.ai/config.json", "theme": "x"}\n',
}


@pytest.fixture
def home(shell: Any) -> Path:
    found: Path = shell.folder.parent / "home"
    return found


def put_theirs(home: Path, agent: str) -> None:
    for name in FILES[agent]:
        if name in THEIRS:
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_text(THEIRS[name], encoding="utf-8")


def tree(folder: Path) -> dict[str, bytes]:
    """Every file of a home but our own folder."""
    found = (p for p in folder.rglob("*") if p.is_file() and ".local" not in p.parts)
    return {str(p.relative_to(folder)): p.read_bytes() for p in found}


def commands(value: Any) -> list[str]:
    """Every command in a JSON value."""
    if isinstance(value, dict):
        own = [value["command"]] if isinstance(value.get("command"), str) else []
        return own + [c for inner in value.values() for c in commands(inner)]
    return [c for inner in value for c in commands(inner)] if isinstance(value, list) else []


@pytest.mark.parametrize("agent", AGENTS)
def test_install_writes_the_agents_own_files_and_uninstall_removes_them(shell: Any, home: Path, agent: str) -> None:
    before = tree(home)
    shell("install", agent)
    assert set(tree(home)) - set(before) == set(FILES[agent])
    shell("uninstall", agent)
    assert tree(home) == before
    assert not any((home / name).parent.exists() for name in FILES[agent] if name.startswith((".codex", ".gemini")))


@pytest.mark.parametrize("agent", AGENTS)
def test_everything_else_in_the_files_stays_and_comes_back_to_the_byte(shell: Any, home: Path, agent: str) -> None:
    put_theirs(home, agent)
    before = tree(home)
    shell("install", agent)
    for name, content in before.items():
        if name.endswith(".json"):
            assert_contains(json.loads((home / name).read_text(encoding="utf-8")), json.loads(content))
    shell("uninstall", agent)
    assert tree(home) == before


def assert_contains(now: Any, before: Any) -> None:
    """All that was there is there, lists perhaps longer."""
    if isinstance(before, dict):
        for key, value in before.items():
            assert_contains(now[key], value)
    elif isinstance(before, list):
        assert now[: len(before)] == before
    else:
        assert now == before


@pytest.mark.parametrize("agent", AGENTS)
def test_installing_twice_changes_nothing_and_still_comes_out_clean(shell: Any, home: Path, agent: str) -> None:
    put_theirs(home, agent)
    before = tree(home)
    shell("install", agent)
    once = tree(home)
    assert "Nothing to change." in shell("install", agent).stdout
    assert tree(home) == once
    shell("install", agent, "--hold-out", "10")
    shell("uninstall", agent)
    assert tree(home) == before


@pytest.mark.parametrize("agent", AGENTS)
def test_what_others_added_since_stays_when_ours_is_taken_out(shell: Any, home: Path, agent: str) -> None:
    put_theirs(home, agent)
    shell("install", agent)
    for name in FILES[agent]:
        path = home / name
        if path.suffix == ".json":
            path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), "later": 1}), encoding="utf-8")
        elif path.suffix == ".toml":
            path.write_text(path.read_text(encoding="utf-8") + "\n[later]\nx = 1\n", encoding="utf-8")
    shell("uninstall", agent)
    for name in FILES[agent]:
        path = home / name
        if path.suffix == ".json":
            left = json.loads(path.read_text(encoding="utf-8"))
            assert left["later"] == 1 and "toldonce" not in json.dumps(left)
        elif path.suffix == ".toml":
            assert tomllib.loads(path.read_text(encoding="utf-8"))["later"] == {"x": 1}
            assert "toldonce" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("agent", AGENTS)
def test_a_dry_run_shows_the_change_and_makes_none(shell: Any, home: Path, agent: str) -> None:
    put_theirs(home, agent)
    before = tree(home)
    told = shell("install", agent, "--dry-run").stdout
    assert "+" in told and "toldonce" in told and "Nothing was changed." in told
    assert tree(home) == before
    shell("install", agent)
    installed = tree(home)
    assert "Nothing was changed." in shell("uninstall", agent, "--dry-run").stdout
    assert tree(home) == installed


@pytest.mark.parametrize("name", THEIRS)
@pytest.mark.parametrize("broken", ["{ broken", "[[1", '{"hooks": 7, "mcpServers": 7, "mcp": 7}', b"\xff\xfe"])
def test_a_broken_file_is_a_clear_error_and_nothing_is_changed(
    shell: Any, home: Path, name: str, broken: str | bytes
) -> None:
    agent = next(agent for agent, names in FILES.items() if name in names)
    put_theirs(home, agent)
    (home / name).write_bytes(broken if isinstance(broken, bytes) else broken.encode())
    before = tree(home)
    told = shell("install", agent, code=2).stderr
    assert Path(name).name in told and "nothing was changed" in told
    assert tree(home) == before


COMMENTED = """{
  // the look of it
  "theme": "Dark", /* not "light" */
  "url": "https://example.com//x", // a link is no comment
  "hooks": {
    // nothing yet
    "BeforeTool": [],
  },
  "mcp": { "github": { "type": "local" } } // mine
  // the end
}
"""


@pytest.mark.parametrize("agent, name", [("gemini", ".gemini/settings.json"), ("opencode", FILES["opencode"][1])])
def test_comments_survive_where_the_agent_reads_them(shell: Any, home: Path, agent: str, name: str) -> None:
    (home / name).parent.mkdir(parents=True)
    (home / name).write_text(COMMENTED, encoding="utf-8")
    shell("install", agent)
    text = (home / name).read_text(encoding="utf-8")
    assert all(comment in text for comment in re.findall(r"// .*|/\* .*", COMMENTED))
    assert read_jsonc(text)["mcpServers" if agent == "gemini" else "mcp"]["toldonce"]
    assert "Nothing to change." in shell("install", agent).stdout
    (home / name).write_text(text.replace("Dark", "Light"), encoding="utf-8")
    shell("uninstall", agent)
    left = (home / name).read_text(encoding="utf-8")
    assert "toldonce" not in left and "// the look of it" in left and "// mine" in left
    assert read_jsonc(left)["theme"] == "Light"


def test_comments_that_the_agent_cannot_read_are_refused(shell: Any, home: Path) -> None:
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").write_text('{\n  // mine\n  "theme": "x"\n}\n', encoding="utf-8")
    assert "not valid JSON" in shell("install", "claude-code", code=2).stderr


def test_claude_code_reads_hooks_and_servers_from_the_folder_that_it_is_told(
    shell: Any, home: Path, monkeypatch: Any
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / "elsewhere"))
    shell("install", "claude-code")
    assert set(tree(home)) == {"elsewhere/settings.json", "elsewhere/.claude.json"}
    assert "toldonce" in json.loads((home / "elsewhere/.claude.json").read_text("utf-8"))["mcpServers"]
    shell("uninstall", "claude-code")
    assert tree(home) == {}


def test_a_project_gets_an_absolute_command_and_a_warning_where_toldonce_is_not_on_the_path(
    shell: Any, monkeypatch: Any
) -> None:
    git("init", "--quiet", cwd=shell.folder)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    told = shell("install", "claude-code", "--project").stderr
    assert "not on the agent's PATH" in told and sys.executable in told
    server = json.loads((shell.folder / ".mcp.json").read_text("utf-8"))["mcpServers"]["toldonce"]
    assert server["command"] == sys.executable
    inside = str(Path(sys.prefix) / "bin" / "toldonce")
    monkeypatch.setattr(shutil, "which", lambda _: inside)
    monkeypatch.setattr(sys, "base_prefix", "/usr")
    assert "not on the agent's PATH" in shell("install", "claude-code", "--project").stderr
    monkeypatch.setattr(shutil, "which", lambda _: "/usr/local/bin/toldonce")
    assert "PATH" not in shell("install", "claude-code", "--project").stderr
    server = json.loads((shell.folder / ".mcp.json").read_text("utf-8"))["mcpServers"]["toldonce"]
    assert server["command"] == "toldonce"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_to_is_a_clear_error(shell: Any, home: Path) -> None:
    (home / ".claude").mkdir(mode=0o500)
    assert "nothing was changed" in shell("install", "claude-code", code=2).stderr


def test_when_a_later_file_cannot_be_written_the_first_is_put_back(shell: Any, home: Path) -> None:
    put_theirs(home, "claude-code")
    (home / ".claude.json").unlink()
    (home / ".claude.json").symlink_to("/nowhere/at/all")
    before = tree(home)
    assert "nothing was changed" in shell("install", "claude-code", code=2).stderr
    assert tree(home) == before


@pytest.mark.parametrize("agent", AGENTS)
def test_a_projects_files_lie_in_the_project(shell: Any, home: Path, agent: str) -> None:
    git("init", "-q", cwd=shell.folder)
    before = tree(home)
    shell("install", agent, "--project")
    assert {n for n in tree(shell.folder) if not n.startswith(".git/")} == set(PROJECT_FILES[agent])
    assert tree(home) == before
    shell("uninstall", agent, "--project")
    assert not {n for n in tree(shell.folder) if not n.startswith(".git/")}


@pytest.mark.parametrize("agent", [a for a in AGENTS if a != "opencode"])
def test_every_event_the_agent_has_is_hooked_with_a_command_that_runs(shell: Any, home: Path, agent: str) -> None:
    shell("install", agent, "--hold-out", "10")
    hooks = json.loads((home / FILES[agent][0]).read_text(encoding="utf-8"))["hooks"]
    wanted = {
        own: name
        for name, own in zip(NAMES, OWN_NAMES[agent], strict=True)
        if own and (name != BEFORE_EDIT or can_refuse(agent))
    }
    assert set(hooks) == set(wanted)
    for own, name in wanted.items():
        (command,) = commands(hooks[own])
        assert command.endswith(f" hook {agent} {name} --hold-out=10")
    done = subprocess.run(command, shell=True, input=b"{}", capture_output=True, cwd=shell.folder, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_each_agent_gets_the_mcp_server_in_its_own_form(shell: Any, home: Path) -> None:
    for agent in AGENTS:
        shell("install", agent)
    read = lambda name: json.loads((home / name).read_text(encoding="utf-8"))  # noqa: E731
    server = {"command": sys.executable, "args": ["-P", "-m", "toldonce", "mcp"]}
    assert read(".claude.json")["mcpServers"]["toldonce"] == server
    assert read(".cursor/mcp.json")["mcpServers"]["toldonce"] == server
    assert read(".gemini/settings.json")["mcpServers"]["toldonce"] == server
    codex = tomllib.loads((home / ".codex/config.toml").read_text(encoding="utf-8"))
    assert codex["mcp_servers"]["toldonce"] == server
    local = read(".config/opencode/opencode.json")["mcp"]["toldonce"]
    assert (local["type"], local["command"][-1]) == ("local", "mcp")


def test_a_server_of_that_name_that_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    text = '[mcp_servers.toldonce]\ncommand = "theirs"\n'
    toml = next(file for file in AGENTS["codex"] if not isinstance(file, JsonFile))
    caller = HookCommand(("toldonce",), server=("toldonce", "mcp"))
    assert toml.put(text, agent="codex", caller=caller, path=tmp_path) == text
    assert toml.take(text, agent="codex", path=tmp_path) == text


def test_the_opencode_plugin_is_a_module_with_the_command_in_it(shell: Any, home: Path) -> None:
    shell("install", "opencode", "--hold-out", "10")
    source = (home / FILES["opencode"][0]).read_text(encoding="utf-8")
    assert json.dumps([sys.executable, "-P", "-m", "toldonce"]) in source and '["--hold-out=10"]' in source
    assert "__" not in source


DRIVE = """
import { Toldonce } from "./plugin.mjs"
const messages = [{ info: { id: "m", role: "user" }, parts: [{ type: "text", text: "We decided to keep Redis." }] }]
const get = async ({ path }) => ({ data: path.id === "child" ? { parentID: "s1" } : {} })
const client = { session: { messages: async () => ({ data: messages }), get } }
const hooks = await Toldonce({ client, directory: process.cwd() })
const sessionID = "s1"
const parts = [{ type: "text", text: "is the refresh token checked in the Redis session store?" }]
const message = { id: "m", sessionID, role: "user" }
await hooks["chat.message"]({ sessionID }, { message, parts })
const stored = { info: message, parts }
const requests = []
for (const _ of [1, 2]) {
  const output = { messages: [stored] }
  await hooks["experimental.chat.messages.transform"]({}, output)
  requests.push(output.messages[0].parts)
}
const patchText = "*** Begin Patch\\n*** Update File: csv.py\\n@@\\n-a\\n+b\\n*** End Patch"
const tried = []
for (const _ of [1, 2]) {
  try {
    await hooks["tool.execute.before"]({ tool: "apply_patch", sessionID }, { args: { patchText } })
    tried.push("")
  } catch (refusal) {
    tried.push(refusal.message)
  }
}
const read = { output: "x" }
await hooks["tool.execute.after"]({ tool: "read", sessionID, args: { filePath: "pay.py" } }, read)
for (const id of ["child", sessionID])
  await hooks.event({ event: { type: "session.idle", properties: { sessionID: id } } })
console.log(JSON.stringify({ parts, requests, tried, read: read.output, hooks: Object.keys(hooks) }))
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="needs a JavaScript engine")
def test_the_opencode_plugin_talks_in_messages_and_tool_results(shell: Any, home: Path) -> None:
    """The system prompt stays as it is, titles are made without the block, and a patch waits for its gotcha."""
    shell("init", "--preset", "coding", "--quiet")
    shell("remember", "Use tabs in Go files", "--kind", "convention", "--quiet")
    shell("remember", "The refresh token is not checked in the Redis session store", "--kind", "gotcha", "--quiet")
    shell("remember", "CSV files need a byte order mark", "--kind", "gotcha", "--meta", "file=csv.py", "--quiet")
    shell("remember", "Amounts are cents", "--kind", "gotcha", "--meta", "file=pay.py", "--quiet")
    shell("install", "opencode")
    source = (home / FILES["opencode"][0]).read_text(encoding="utf-8")
    apart = source.replace("const options = []", 'const options = ["--no-tend"]')
    (shell.folder / "plugin.mjs").write_text(apart, encoding="utf-8")
    (shell.folder / "drive.mjs").write_text(DRIVE, encoding="utf-8")
    done = subprocess.run(["node", "drive.mjs"], cwd=shell.folder, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    asked, told = found["parts"]
    assert "tabs in Go" in told["text"] and told["text"].count("refresh token") == 1
    assert told["ignored"] and told["synthetic"] and (told["sessionID"], told["messageID"]) == ("s1", "m")
    first, second = found["requests"]
    assert first == second == [asked, {**told, "ignored": False}]
    assert not [name for name in found["hooks"] if "system" in name]
    refused, passed = found["tried"]
    assert "byte order mark" in refused and passed == ""
    assert found["read"].startswith("x\n\n<toldonce-memory>") and "cents" in found["read"]
    # A subagent's session is not learnt from: what it was asked is not what a person said.
    (job,) = [job for job in shell.json("jobs")["jobs"] if job["name"] == "learn_session"]
    assert Path(job["args"]["transcript"]).is_file() and job["args"]["session"] == "s1"


def test_codex_says_that_hooks_must_be_trusted_and_gets_time_outs_it_allows(shell: Any, home: Path) -> None:
    told = shell("install", "codex")
    assert "/hooks" in told.stderr + told.stdout and "trust" in told.stderr + told.stdout
    hooks = json.loads((home / FILES["codex"][0]).read_text(encoding="utf-8"))["hooks"]
    assert {handler["timeout"] for rows in hooks.values() for row in rows for handler in row["hooks"]} == {3}
    again = shell("install", "codex")
    assert "/hooks" not in again.stderr + again.stdout, "nothing changed, so that they are trusted still"


def test_the_answer_as_json_names_the_files_and_what_became_of_them(shell: Any, home: Path) -> None:
    answer = shell.json("install", "cursor")
    assert answer["changed"] and [f["what"] for f in answer["files"]] == ["made", "made"]
    assert shell.json("uninstall", "cursor")["files"][0]["what"] == "removed"
    assert shell.json("uninstall", "cursor") == {"changed": False, "files": []}


def test_a_copy_of_what_was_there_is_kept_outside_the_project(shell: Any, home: Path) -> None:
    put_theirs(home, "claude-code")
    told = shell("install", "claude-code").stderr
    kept = [Path(line.rsplit(" ", 1)[1].rstrip(".")) for line in told.splitlines() if "kept at" in line]
    assert {path.read_text(encoding="utf-8") for path in kept} == {THEIRS[n] for n in FILES["claude-code"]}
