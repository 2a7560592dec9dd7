"""Commands that encrypt a memory, decrypt it, or give it another key."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from recollect.cli.invocation import Door, pass_door
from recollect.cli.options import command, yes_option
from recollect.cli.page import counted
from recollect.errors import InputError

if TYPE_CHECKING:
    from recollect.storage.encryption import EncryptionKey

NEW_KEY_VARIABLE = "RECOLLECT_NEW_ENCRYPTION_KEY"
EXPORT_KEY_VARIABLE = "RECOLLECT_EXPORT_KEY"

keyring_option = click.option("--keyring", is_flag=True, help="Make a random key and keep it in the system's keychain.")


@command("encrypt")
@keyring_option
@pass_door
def encrypt(door: Door, keyring: bool) -> None:
    """Encrypt a memory that is plain now.

    Stop what uses it first. Without its key nothing can be read any more.
    """
    from recollect.storage.encryption import KEY_VARIABLE

    key = _new_key(door, keyring=keyring, variable=KEY_VARIABLE)
    _change(door, old=None, new=key, told="encrypted", action="encrypt")


@command("decrypt")
@yes_option
@pass_door
def decrypt(door: Door, yes: bool) -> None:
    """Write an encrypted memory without encryption.

    Stop what uses it first.
    """
    if not door.sure(f"Write {door.place} without encryption?", yes=yes):
        door.note("Nothing was changed.")
        return
    _change(door, old=_present_key(door), new=None, told="no longer encrypted", action="decrypt")


@command("rekey")
@keyring_option
@pass_door
def rekey(door: Door, keyring: bool) -> None:
    """Encrypt an encrypted memory with another key.

    Stop what uses it first. The old key opens it no more.
    """
    old = _present_key(door)
    new = _new_key(door, keyring=keyring, variable=NEW_KEY_VARIABLE)
    _change(door, old=old, new=new, told="encrypted with the new key", action="rekey")


def _change(door: Door, *, old: EncryptionKey | None, new: EncryptionKey | None, told: str, action: str) -> None:
    from recollect import Memory
    from recollect.actor import acting_as
    from recollect.storage.sqlite.convert import change_encryption

    with door.working("Writing the memory again"):
        change_encryption(door.place, old=old, new=new)
    memory = Memory.open(door.place, embedder=None, background=False, encryption_key=new or "")
    with memory, acting_as(interface="cli", person=door.settings.config.user):
        copies = memory.audit.record_key_change(action)
    value = {"place": door.place, "encrypted": new is not None, "backups": copies}
    door.answer(value, lambda: [f"{door.place} is {told}; {counted(copies, 'backup')} replaced."])


def _present_key(door: Door) -> EncryptionKey:
    from recollect.storage.encryption import EncryptionKey

    return door.key_of(door.place) or EncryptionKey.read(_asked("Present key", confirm=False))


def _new_key(door: Door, *, keyring: bool, variable: str) -> EncryptionKey:
    from recollect.storage.encryption import EncryptionKey, new_key, save_in_keyring

    if keyring:
        made = new_key()
        save_in_keyring(door.place, made)
        return EncryptionKey.read(made)
    return EncryptionKey.read(os.environ.get(variable) or _asked(f"New key (or set {variable})", confirm=True))


def _asked(prompt: str, *, confirm: bool) -> str:
    try:
        return str(click.prompt(prompt, hide_input=True, confirmation_prompt=confirm, err=True))
    except click.Abort:
        raise InputError("nobody is there to ask for the key: set it in the environment, or use --keyring") from None


def export_key() -> str | None:
    """The key that exports are sealed with and opened with, where the environment names one."""
    return os.environ.get(EXPORT_KEY_VARIABLE) or None
