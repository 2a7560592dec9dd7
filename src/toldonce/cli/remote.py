"""Commands for a memory on a server: login keeps its key, logout forgets it, whoami shows whom it stands for."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from toldonce.cli.invocation import Invocation, pass_invocation
from toldonce.cli.options import named_command, yes_option
from toldonce.cli.page import format_table
from toldonce.cli.saved_login import SavedLogin, drop_login, load_login, save_login
from toldonce.config import is_path
from toldonce.errors import InputError
from toldonce.operations.space_state import find_moved_to

if TYPE_CHECKING:
    from toldonce.memory import Memory
    from toldonce.operations.uploading import SpaceUpload, Uploaded

_SEALED = """What is stored there from here is sealed with this key, which the server never gets:
  {key}
Write it down: nobody can open your memory without it. Another machine takes it from TOLDONCE_SEAL_KEY."""


@named_command("login")
@click.argument("address", metavar="URL")
@click.option("--sealed", is_flag=True, help="Encrypt what is sent, with a key that stays here; see docs/sealed.md.")
@click.option("--no-upload", is_flag=True, help="Leave the memory of this machine where it is.")
@yes_option
@pass_invocation
def login(invocation: Invocation, /, address: str, sealed: bool, no_upload: bool, yes: bool) -> None:
    """Use the memory on a server from now on. The key is asked for, or read from TOLDONCE_API_KEY.

    Until `toldonce logout`, every command that names no other memory uses this one. With --sealed the server stores
    what it cannot read: the key for that is made here, or read from TOLDONCE_SEAL_KEY.

    If this machine has a memory already, you are shown what would go to the server, and asked.
    """
    from toldonce.client import KEY_VARIABLE, open_remote

    key = os.environ.get(KEY_VARIABLE, "") or _ask_key()
    memory = open_remote(address, key)
    try:
        known = memory.whoami()
        seal_key = _find_seal_key(memory.place) if sealed else ""
        kept = save_login(SavedLogin(memory.place, key, seal_key))
    finally:
        memory.close()
    shown = {"address": memory.place, **_pick(known), "sealed": sealed}
    told = [_SEALED.format(key=seal_key)] if sealed else []
    uploaded = None if sealed or no_upload else _offer_upload(invocation, memory.place, key, known, yes=yes)
    shown |= {"uploaded": uploaded} if uploaded is not None else {}
    invocation.answer(shown, lambda: [*_format_identity(shown), f"The key is in {kept}.", *told])


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
    from toldonce.client import open_remote

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


def _offer_upload(
    invocation: Invocation, address: str, key: str, known: dict[str, Any], *, yes: bool
) -> Uploaded | None:
    """Show what this machine's memory would send, ask, and send it; None when nothing was sent."""
    from toldonce.client import open_remote
    from toldonce.operations.uploading import plan_upload, require_upload_right, upload_memory

    place = invocation.settings.config.place
    if not is_path(place) or not os.path.isfile(place):
        return None
    with invocation.open_at(place) as local:
        moved, plan = local.store.read(find_moved_to), plan_upload(local.store)
        if moved is not None and moved.address == address:
            invocation.note(f"{place} went to {address} on {moved.at}: nothing is sent again.")
            _hand_over_webhooks(invocation, local, address, key)
            return None
        if not any(one.records for one in plan):
            return None
        for line in _format_plan(plan, place, invocation):
            invocation.note(line)
        if not yes and (invocation.as_json or not sys.stdin.isatty()):
            invocation.note("Nothing was sent: send it with `toldonce login URL --yes`.")
            return None
        if not invocation.confirm_action(f"Send this to {address}?", yes=yes, because="this sends your memory"):
            return None
        require_upload_right(known)
        remote = open_remote(address, key)
        with remote, invocation.show_progress("Sending"):
            done = upload_memory(local.store, remote, address=address)
        _hand_over_webhooks(invocation, local, address, key)
    invocation.note(f"{done.records} records are on {address}. {place} stays as it is and is marked as sent there.")
    return done


def _hand_over_webhooks(invocation: Invocation, local: Memory, address: str, key: str) -> None:
    """Let webhooks go on from the server, and say which stay."""
    from toldonce.client import open_remote
    from toldonce.jobs.handing_over import hand_over_webhooks

    if all(one.ended_at is not None for one in local.webhooks.all()):
        return
    with open_remote(address, key) as remote:
        done = hand_over_webhooks(local, remote, address=address)
    if done.webhooks:
        invocation.note(f"Webhooks that go on from {address}, with their secrets: {done.webhooks}.")
    for webhook_id, reason in done.left.items():
        invocation.warn(f"the webhook {webhook_id} stays here ({reason}); sign in again to try again")


def _format_plan(plan: Sequence[SpaceUpload], place: str, invocation: Invocation) -> list[str]:
    rows = [(one.space, one.preset, str(one.records), str(one.secrets), str(one.vectors)) for one in plan]
    head = ("space", "preset", "records", "with a secret", "to embed there")
    table = format_table(head, rows, columns=invocation.page().columns)
    secrets = sum(one.secrets for one in plan)
    told = [f"{secrets} of them seem to hold a secret, which the server redacts."] if secrets else []
    return [f"This machine has a memory at {place}:", *table, *told]


def _find_seal_key(address: str) -> str:
    """The key that seals: as set, else the one of the present sign-in, else a new one."""
    from toldonce.sealed_memory import SEAL_VARIABLE
    from toldonce.storage.encryption import EncryptionKey, random_key

    present = load_login() if os.environ.get(SEAL_VARIABLE) is None else None
    known = present.seal_key if present is not None and present.address == address else ""
    said = os.environ.get(SEAL_VARIABLE) or known or random_key()
    EncryptionKey.read(said)
    return said


def _ask_key() -> str:
    if not sys.stdin.isatty():
        key = sys.stdin.readline().strip()
    else:
        key = str(click.prompt("Key", hide_input=True, err=True)).strip()
    if not key:
        raise InputError("there is no key: paste the one that `toldonce keys add` printed on the server")
    return key


def _pick(known: dict[str, Any]) -> dict[str, Any]:
    return {name: known[name] for name in ("name", "person", "spaces", "rights", "role", "version")}


def _format_identity(shown: dict[str, Any]) -> list[str]:
    reach = ", ".join(shown["spaces"]) if shown["spaces"] else "all spaces"
    return [
        f"Signed in to {shown['address']} (Toldonce {shown['version']}) with the key {shown['name']!r}.",
        f"It acts for {shown['person'] or 'everyone'} as {shown['role']}: {', '.join(shown['rights'])} in {reach}.",
    ]
