"""The command that shows what a project's settings would change and, when the user agrees, trusts them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

from toldonce.cli.invocation import Invocation, pass_invocation
from toldonce.cli.options import named_command, yes_option
from toldonce.cli.page import format_table, terminal_columns
from toldonce.config import PROJECT_FILE, find_project_file, load_config, project_digest
from toldonce.errors import ConfigError, InputError
from toldonce.trust import is_trusted, read_trusted, record_trust, remove_trust

# The key that goes to the address of a setting.
_KEYS: Mapping[str, str] = {
    "embedder": "TOLDONCE_EMBEDDER_KEY",
    "reranker": "TOLDONCE_RERANKER_KEY",
    "writer": "TOLDONCE_WRITER_KEY",
    "writer_strong": "TOLDONCE_WRITER_KEY",
}


@named_command("trust")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default=".")
@click.option("--list", "listed", is_flag=True, help="List the project files that are trusted.")
@click.option("--remove", is_flag=True, help="Stop trusting the project's file.")
@yes_option
@pass_invocation
def trust(invocation: Invocation, folder: Path, listed: bool, remove: bool, yes: bool) -> None:
    """Trust the toldonce.toml of FOLDER, here by default.

    Shows what the file would change and asks. A file that changes later must be trusted again.
    """
    if listed:
        _list_trusted(invocation)
    elif remove:
        _withdraw_trust(invocation, find_project_file(folder.absolute()) or folder.absolute() / PROJECT_FILE)
    elif (path := find_project_file(folder.absolute())) is None:
        raise InputError(f"there is no {PROJECT_FILE} in {folder} or above it: nothing to trust")
    else:
        _ask_for_trust(invocation, path, yes=yes)


def _ask_for_trust(invocation: Invocation, path: Path, *, yes: bool) -> None:
    digest = project_digest(path)
    changes = _settings_changed_by_trust(path)
    value = {"file": str(path), "sha256": digest, "changes": changes, "trusted": True}
    if not changes or is_trusted(path, digest):
        why = "nothing in it needs trust" if not changes else "it is trusted already"
        invocation.answer({**value, "trusted": bool(changes)}, lambda: [f"{path}: {why}."])
        return
    if not invocation.as_json:
        click.echo("\n".join(_format_trust_changes(path, changes)), err=True)
    if not invocation.confirm_action("Trust this file as it is now?", yes=yes, because="this needs your consent"):
        raise click.Abort
    if project_digest(path) != digest:
        raise InputError(f"{path} changed while you read it: nothing was trusted; look at it again")
    record_trust(path, digest)
    invocation.answer(value, lambda: [f"{path} is trusted as it is now."])


def _withdraw_trust(invocation: Invocation, path: Path) -> None:
    removed = remove_trust(path)
    said = f"{path} is no longer trusted." if removed else f"{path} was not trusted."
    invocation.answer({"file": str(path), "removed": removed}, lambda: [said])


def _list_trusted(invocation: Invocation) -> None:
    rows = [
        {"file": name, "sha256": digest, "state": _trust_state(Path(name), digest)}
        for name, digest in sorted(read_trusted().items())
    ]
    head = ("state", "file")
    shown = [(row["state"], row["file"]) for row in rows]
    nothing = ["No project file is trusted."]
    invocation.answer(
        {"trusted": rows}, lambda: format_table(head, shown, columns=terminal_columns()) if rows else nothing
    )


def _trust_state(path: Path, digest: str) -> str:
    if not path.is_file():
        return "gone"
    try:
        return "trusted" if project_digest(path) == digest else "changed since, not trusted"
    except ConfigError:
        return "changed since, not trusted"


def _settings_changed_by_trust(path: Path) -> list[dict[str, Any]]:
    """The settings that trust would change, from what holds without it to what holds with it."""
    without, trusted = (load_config(cwd=path.parent, environ=os.environ, trust=trust) for trust in (False, True))
    return [
        {
            "setting": key,
            "from": getattr(without.config, key),
            "to": getattr(trusted.config, key),
            "source": trusted.sources[key],
            "key": _key_sent(key, getattr(trusted.config, key)),
        }
        for key in without.ignored
    ]


def _key_sent(setting: str, value: str) -> str:
    """Which key would go to which host, when it is set."""
    address = value[value.find("http") :] if "://" in value else ""
    host = urlsplit(address).netloc
    name = _KEYS.get(setting, "")
    return f"{name} would be sent to {host}" if host and name and os.environ.get(name) else ""


def _format_trust_changes(path: Path, changes: list[dict[str, Any]]) -> list[str]:
    # Escaped and never cut: a value must not hide its host behind control characters or its own length.
    rows = [f"  {c['setting']}: from {json.dumps(c['from'])} to {json.dumps(c['to'])}" for c in changes]
    sent = [f"The key in {c['key']}." for c in changes if c["key"]]
    kept = [f"{c['setting']} stays as {c['source']} says." for c in changes if c["source"] != str(path)]
    return [f"{path} would change:", *rows, *sent, *kept]
