"""Commands for a memory on a server: login keeps its key, logout forgets it, whoami shows whom it stands for."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from recollect.cli.invocation import Invocation, pass_invocation
from recollect.cli.options import named_command
from recollect.cli.saved_login import SavedLogin, drop_login, load_login, save_login
from recollect.errors import InputError


@named_command("login")
@click.argument("address", metavar="URL")
@pass_invocation
def login(invocation: Invocation, /, address: str) -> None:
    """Use the memory on a server from now on. The key is asked for, or read from RECOLLECT_API_KEY.

    Until `recollect logout`, every command that names no other memory uses this one.
    """
    from recollect.client import KEY_VARIABLE, open_remote

    key = os.environ.get(KEY_VARIABLE, "") or _ask_key()
    memory = open_remote(address, key)
    try:
        known = memory.whoami()
        kept = save_login(SavedLogin(memory.place, key))
    finally:
        memory.close()
    shown = {"address": memory.place, **_pick(known)}
    invocation.answer(shown, lambda: [*_format_identity(shown), f"The key is in {kept}."])


@named_command("logout")
@pass_invocation
def logout(invocation: Invocation, /) -> None:
    """Sign out of the server; commands use this machine's memory again."""
    address = drop_login()
    told = "Nobody was signed in." if address is None else f"Signed out of {address}. The key itself still holds."
    invocation.answer({"address": address}, lambda: [told])


@named_command("whoami")
@pass_invocation
def whoami(invocation: Invocation, /) -> None:
    """Show the server that commands use, and whom its key stands for."""
    from recollect.client import open_remote

    saved = load_login()
    if saved is None:
        invocation.answer({"address": None}, lambda: ["Not signed in: commands use the memory of this machine."])
        return
    memory = open_remote(saved.address, saved.key)
    try:
        shown = {"address": memory.place, **_pick(memory.whoami())}
    finally:
        memory.close()
    invocation.answer(shown, lambda: _format_identity(shown))


def _ask_key() -> str:
    if not sys.stdin.isatty():
        key = sys.stdin.readline().strip()
    else:
        key = str(click.prompt("Key", hide_input=True, err=True)).strip()
    if not key:
        raise InputError("there is no key: paste the one that `recollect keys add` printed on the server")
    return key


def _pick(known: dict[str, Any]) -> dict[str, Any]:
    return {name: known[name] for name in ("name", "person", "spaces", "rights", "role", "version")}


def _format_identity(shown: dict[str, Any]) -> list[str]:
    reach = ", ".join(shown["spaces"]) if shown["spaces"] else "all spaces"
    return [
        f"Signed in to {shown['address']} (Recollect {shown['version']}) with the key {shown['name']!r}.",
        f"It acts for {shown['person'] or 'everyone'} as {shown['role']}: {', '.join(shown['rights'])} in {reach}.",
    ]
