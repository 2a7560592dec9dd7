"""The coding agents from npm, each in a home of its own, with Toldonce installed and a scripted model.

Every agent calls its tools by names of its own: `read`, `edit` and `use` say what is to be done, and each makes the
call that its agent knows.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from platformdirs import user_cache_path

from tests.agents.models import Call, Json, MadeStep, ScriptedModel, Step
from tests.conftest import git

CACHE = Path(os.environ.get("AGENTS_CACHE") or user_cache_path("toldonce-test-agents"))
_SECONDS = 180


@dataclass
class AgentProgram:
    """One agent. Whatever its model asks to do is allowed."""

    home: Path
    model: ScriptedModel
    name: ClassVar[str]
    package: ClassVar[str]
    program: ClassVar[str]
    # The tool that starts a subagent, where the agent has one.
    task: ClassVar[str] = ""

    @property
    def own_env(self) -> Mapping[str, str]:
        """The agent's own variables."""
        return {}

    def configure(self) -> None:
        """Write the settings that the agent needs to find its model."""

    def command(self, prompt: str) -> list[str]:
        """The command that answers one prompt and ends."""
        raise NotImplementedError

    def read(self, path: Path) -> Call:
        """The call that reads a file."""
        raise NotImplementedError

    def edit(self, path: Path, old: str, new: str) -> Call:
        """The call that replaces a line of a file."""
        raise NotImplementedError

    def use(self, tool: str, **given: object) -> Call:
        """The call of one of our MCP tools."""
        raise NotImplementedError

    def delegate(self, prompt: str) -> list[Step | MadeStep]:
        """The calls that have a subagent do something, and wait for it."""
        return [Call(self.task, {"description": "work", "prompt": prompt, "subagent_type": "general-purpose"})]

    @property
    def env(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "PYTHONPATH") if name in os.environ}
        return {**kept, "HOME": str(self.home), "TOLDONCE_EMBEDDER": "none", **self.own_env}

    def toldonce(self, *args: str, cwd: Path) -> str:
        """What a command of ours prints."""
        command = [sys.executable, "-P", "-m", "toldonce", *args]
        return subprocess.run(command, cwd=cwd, env=self.env, check=True, capture_output=True, text=True).stdout

    def ask(self, prompt: str, *, cwd: Path) -> str:
        """What the agent says to a prompt in a session of its own."""
        self.model.prompt = prompt
        command = [str(CACHE / "node_modules" / ".bin" / self.program), *self.command(prompt)]
        done = subprocess.run(
            command,
            cwd=cwd,
            env=self.env,
            capture_output=True,
            text=True,
            check=False,
            timeout=_SECONDS,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def make_project(self, name: str = "shop", *, is_set_up: bool = True) -> Path:
        """A repository with a file in it, and with a memory unless that is not wanted."""
        folder = self.home / name
        (folder / "src").mkdir(parents=True)
        (folder / "src" / "session.py").write_text("EXPIRY = 300\n", encoding="utf-8")
        git("init", "--quiet", "--initial-branch=main", cwd=folder)
        if is_set_up:
            self.toldonce("init", "--preset", "coding", cwd=folder)
        return folder

    def remember(self, text: str, kind: str, *options: str, cwd: Path) -> str:
        """The id of a memory that is kept by hand."""
        told = json.loads(self.toldonce("remember", text, "--kind", kind, *options, "--json", cwd=cwd))
        return str(told["record"]["id"])


class ClaudeCode(AgentProgram):
    name, package, program, task = "claude-code", "@anthropic-ai/claude-code@2.1.197", "claude", "Agent"

    @property
    def own_env(self) -> Mapping[str, str]:
        quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}
        return {"ANTHROPIC_BASE_URL": self.model.url, "ANTHROPIC_API_KEY": "none", **quiet}

    def command(self, prompt: str) -> list[str]:
        return ["-p", prompt, "--allowedTools", "Read,Edit,Write,Bash,Agent,mcp__toldonce"]

    def read(self, path: Path) -> Call:
        return Call("Read", {"file_path": str(path)})

    def edit(self, path: Path, old: str, new: str) -> Call:
        return Call("Edit", {"file_path": str(path), "old_string": old, "new_string": new})

    def use(self, tool: str, **given: object) -> Call:
        return Call(f"mcp__toldonce__{tool}", given)


class Codex(AgentProgram):
    name, package, program, task = "codex", "@openai/codex@0.166.0", "codex", "spawn_agent"
    # A model that Codex knows to edit files with patches.
    model_name = "gpt-5.5"

    @property
    def own_env(self) -> Mapping[str, str]:
        return {"MODEL_KEY": "none"}

    def configure(self) -> None:
        (self.home / ".codex").mkdir()
        text = (
            f'model = "{self.model_name}"\nmodel_provider = "scripted"\n\n[model_providers.scripted]\n'
            f'name = "scripted"\nbase_url = "{self.model.url}/v1"\nwire_api = "responses"\nenv_key = "MODEL_KEY"\n'
        )
        (self.home / ".codex" / "config.toml").write_text(text, encoding="utf-8")

    def command(self, prompt: str) -> list[str]:
        trusted = ["--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust"]
        return ["exec", *trusted, prompt]

    def read(self, path: Path) -> Call:
        return Call("exec_command", {"cmd": f"cat {path}"})

    def edit(self, path: Path, old: str, new: str) -> Call:
        return Call("apply_patch", freeform=make_patch(path, old, new))

    def use(self, tool: str, **given: object) -> Call:
        return Call(tool, given, namespace="mcp__toldonce")

    def delegate(self, prompt: str) -> list[Step | MadeStep]:
        def wait(body: Json) -> Step:
            found = re.findall(r"agent_id\W+([0-9a-f-]{36})", json.dumps(body))
            return Call("wait_agent", {"targets": found[-1:], "timeout_ms": 60_000}, namespace="multi_agent_v1")

        return [Call(self.task, {"message": prompt}, namespace="multi_agent_v1"), wait]


class DelegatingCodex(Codex):
    """Codex with a model that it does not know, to which it offers subagents."""

    model_name = "scripted"


class Gemini(AgentProgram):
    name, package, program = "gemini", "@google/gemini-cli@0.61.0", "gemini"

    @property
    def own_env(self) -> Mapping[str, str]:
        own = {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": self.model.url}
        return {**own, "GEMINI_CLI_TRUST_WORKSPACE": "true"}

    def configure(self) -> None:
        (self.home / ".gemini").mkdir()
        table = {
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "privacy": {"usageStatisticsEnabled": False},
            "general": {"enableAutoUpdate": False},
        }
        (self.home / ".gemini" / "settings.json").write_text(json.dumps(table), encoding="utf-8")

    def command(self, prompt: str) -> list[str]:
        return ["-p", prompt, "--yolo", "--model", "gemini-2.5-pro"]

    def read(self, path: Path) -> Call:
        return Call("read_file", {"file_path": str(path)})

    def edit(self, path: Path, old: str, new: str) -> Call:
        given = {"file_path": str(path), "old_string": old, "new_string": new, "instruction": "as asked"}
        return Call("replace", given)

    def use(self, tool: str, **given: object) -> Call:
        return Call(f"mcp_toldonce_{tool}", given)


class OpenCode(AgentProgram):
    name, package, program, task = "opencode", "opencode-ai@1.18.33", "opencode", "task"
    model_name = "scripted"

    @property
    def own_env(self) -> Mapping[str, str]:
        return {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"}

    @property
    def _config(self) -> Path:
        return self.home / ".config" / "opencode"

    def configure(self) -> None:
        kept = CACHE / "opencode-config"
        if kept.exists():
            shutil.copytree(kept, self._config, symlinks=True)
        self._config.mkdir(parents=True, exist_ok=True)
        name = self.model_name
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "name": "scripted",
            "options": {"baseURL": f"{self.model.url}/v1", "apiKey": "none"},
            "models": {name: {"name": name, "tool_call": True}},
        }
        table = {"provider": {"scripted": provider}, "model": f"scripted/{name}", "small_model": f"scripted/{name}"}
        (self._config / "opencode.json").write_text(json.dumps(table), encoding="utf-8")

    def command(self, prompt: str) -> list[str]:
        return ["run", prompt]

    def ask(self, prompt: str, *, cwd: Path) -> str:
        said = super().ask(prompt, cwd=cwd)
        self._keep_packages()
        return said

    def _keep_packages(self) -> None:
        """Keep what opencode installs beside its settings: it would install it again for every home."""
        kept = CACHE / "opencode-config"
        if not kept.exists() and (self._config / "node_modules").exists():
            part = CACHE / f"opencode-config.{os.getpid()}"
            shutil.copytree(self._config / "node_modules", part / "node_modules", symlinks=True)
            for file in ("package.json", "package-lock.json"):
                shutil.copy(self._config / file, part / file)
            part.rename(kept)

    def read(self, path: Path) -> Call:
        return Call("read", {"filePath": str(path)})

    def edit(self, path: Path, old: str, new: str) -> Call:
        return Call("edit", {"filePath": str(path), "oldString": old, "newString": new})

    def use(self, tool: str, **given: object) -> Call:
        return Call(f"toldonce_{tool}", given)

    def delegate(self, prompt: str) -> list[Step | MadeStep]:
        return [Call(self.task, {"description": "work", "prompt": prompt, "subagent_type": "general"})]


class PatchingOpenCode(OpenCode):
    """opencode with a model to which it offers patches instead of edits."""

    model_name = "gpt-5"

    def edit(self, path: Path, old: str, new: str) -> Call:
        return Call("apply_patch", {"patchText": make_patch(path, old, new)})


def make_patch(path: Path, old: str, new: str) -> str:
    """A patch in the format that models of OpenAI write."""
    return f"*** Begin Patch\n*** Update File: {path}\n@@\n-{old}\n+{new}\n*** End Patch"


PROGRAMS: tuple[type[AgentProgram], ...] = (ClaudeCode, Codex, Gemini, OpenCode)


def install_packages() -> None:
    """Install the agents from npm into the cache, unless these versions are there; one process at a time."""
    wanted = [program.package for program in PROGRAMS]
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "installed").open("a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        if file.read().split() == wanted:
            return
        command = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(CACHE), *wanted]
        subprocess.run(command, check=True, capture_output=True, timeout=900)
        file.truncate(0)
        file.write("\n".join(wanted))
