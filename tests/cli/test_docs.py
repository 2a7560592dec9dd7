"""The pages about the command line and the settings cannot fall behind: what is missing in them fails here."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from toldonce import config
from toldonce.cli import main as door
from toldonce.cli.main import COMMANDS, cli
from toldonce.cli.options import EVERYWHERE
from toldonce.config import KEYS, Config, environment_variable

DOCS = Path(__file__).resolve().parents[2] / "docs"
CLI_PAGE = (DOCS / "cli.md").read_text(encoding="utf-8")
CONFIG_PAGE = (DOCS / "configuration.md").read_text(encoding="utf-8")
NAMES = [name for section in COMMANDS.values() for name in section]


def section(name: str) -> str:
    """What the page says under the heading of a command."""
    found = re.search(rf"^### `toldonce {name}(?: [^`]*)?`$(.*?)(?=^##|\Z)", CLI_PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"docs/cli.md has no section `toldonce {name}`"
    return found[1]


def commands_of(name: str) -> Iterator[tuple[str, click.Command]]:
    """A command and the commands inside it, by their whole names."""
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    yield name, found
    if isinstance(found, click.Group):
        yield from ((f"{name} {inner}", command) for inner, command in found.commands.items())


@pytest.mark.parametrize("name", NAMES)
def test_every_command_and_option_is_documented(name: str) -> None:
    text = section(name)
    for whole, command in commands_of(name):
        assert whole == name or f"`toldonce {whole}" in text, f"`toldonce {whole}` is missing"
        for option in (p for p in command.params if isinstance(p, click.Option) and p.name not in EVERYWHERE):
            for spelling in option.opts:
                assert re.search(rf"`{spelling}\b", text), f"{spelling} of `toldonce {whole}` is missing"


def test_no_command_is_documented_that_is_not_there() -> None:
    assert re.findall(r"^### `toldonce ([\w-]+)", CLI_PAGE, re.MULTILINE) == NAMES


@pytest.mark.parametrize("option", ["--place", "--space", "--json", "--quiet", "--no-color", "--version", "--help"])
def test_options_that_stand_everywhere_are_documented(option: str) -> None:
    assert re.search(rf"^\| `{option}", CLI_PAGE, re.MULTILINE)


def test_every_exit_code_is_documented() -> None:
    codes = {door.OK, door.FOUND_WRONG, door.BAD_INPUT, door.STORE_PROBLEM, door.BUG, door.INTERRUPTED}
    assert {int(c) for c in re.findall(r"^\| (\d+) \|", CLI_PAGE, re.MULTILINE)} == codes


@pytest.mark.parametrize("key", KEYS)
def test_every_setting_is_documented_with_its_variable_and_default(key: str) -> None:
    row = next((line for line in CONFIG_PAGE.splitlines() if line.startswith(f"| `{key}` |")), None)
    assert row and f"`{environment_variable(key)}`" in row
    default = getattr(Config(), key)
    assert not default or f"| `{default}` |" in row


def test_no_setting_is_documented_that_is_not_there() -> None:
    assert re.findall(r"^\| `(\w+)` \| `TOLDONCE_", CONFIG_PAGE, re.MULTILINE) == list(KEYS)
    assert set(re.findall(r"TOLDONCE_\w+", CONFIG_PAGE)) == {*map(environment_variable, KEYS), *config.OTHER_VARIABLES}


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def test_the_example_of_the_command_line_runs(shell: Any) -> None:
    (script,) = blocks(CLI_PAGE, "sh")
    for line in script.splitlines():
        shell(*shlex.split(line)[1:])


def test_the_examples_of_settings_work(shell: Any) -> None:
    (toml,), (python,) = blocks(CONFIG_PAGE, "toml"), blocks(CONFIG_PAGE, "python")
    (shell.folder / "toldonce.toml").write_text(toml, encoding="utf-8")
    assert shell.json("remember", "I like tea")["record"]["user"] == "alex"
    names: dict[str, Any] = {}
    exec(python, names)
    with names["memory"] as memory:
        assert memory.recall("tea")


def test_the_completion_script_for_bash_is_right(shell: Any) -> None:
    script = shell("completion", "bash").stdout
    assert subprocess.run(["bash", "-n"], input=script, text=True, check=False).returncode == 0
