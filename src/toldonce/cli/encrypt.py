"""Commands that encrypt a memory, decrypt it, or give it another key."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from toldonce.cli.invocation import Invocation, pass_invocation
from toldonce.cli.options import named_command, yes_option
from toldonce.cli.page import count_noun
from toldonce.config import is_path
from toldonce.errors import InputError

if TYPE_CHECKING:
    from toldonce.storage.encryption import EncryptionKey

NEW_KEY_VARIABLE = "TOLDONCE_NEW_ENCRYPTION_KEY"
EXPORT_KEY_VARIABLE = "TOLDONCE_EXPORT_KEY"

keyring_option = click.option("--keyring", is_flag=True, help="Make a random key and keep it in the system's keychain.")


@named_command("encrypt")
@keyring_option
@pass_invocation
def encrypt(invocation: Invocation, keyring: bool) -> None:
    """Encrypt a memory that is plain now.

    Stop what uses it first. Without its key nothing can be read any more.
    """
    from toldonce.storage.encryption import KEY_VARIABLE

    _require_file(invocation)
    key = _read_new_key(invocation, keyring=keyring, variable=KEY_VARIABLE)
    _convert_memory(invocation, old=None, new=key, told="encrypted", action="encrypt")


@named_command("decrypt")
@yes_option
@pass_invocation
def decrypt(invocation: Invocation, yes: bool) -> None:
    """Write an encrypted memory without encryption.

    Stop what uses it first.
    """
    _require_file(invocation)
    if not invocation.confirm_action(f"Write {invocation.place} without encryption?", yes=yes):
        invocation.note("Nothing was changed.")
        return
    _convert_memory(invocation, old=_present_key(invocation), new=None, told="no longer encrypted", action="decrypt")


@named_command("rekey")
@keyring_option
@pass_invocation
def rekey(invocation: Invocation, keyring: bool) -> None:
    """Encrypt an encrypted memory with another key.

    Stop all processes that use it first. Afterwards the old key no longer opens it.
    """
    _require_file(invocation)
    old = _present_key(invocation)
    new = _read_new_key(invocation, keyring=keyring, variable=NEW_KEY_VARIABLE)
    _convert_memory(invocation, old=old, new=new, told="encrypted with the new key", action="rekey")


def _require_file(invocation: Invocation) -> None:
    if not is_path(invocation.place):
        raise InputError("only a memory in a file is encrypted by Toldonce: a database server encrypts its own disks")


def _convert_memory(
    invocation: Invocation, *, old: EncryptionKey | None, new: EncryptionKey | None, told: str, action: str
) -> None:
    from toldonce import Memory
    from toldonce.access import acting_as
    from toldonce.storage.sqlite.convert import change_encryption

    with invocation.show_progress("Writing the memory again"):
        change_encryption(invocation.place, old=old, new=new)
    memory = Memory.open(invocation.place, embedder=None, background=False, encryption_key=new or "")
    with memory, acting_as(interface="cli", person=invocation.settings.config.user):
        copies = memory.audit.record_key_change(action)
    value = {"place": invocation.place, "encrypted": new is not None, "backups": copies}
    invocation.answer(value, lambda: [f"{invocation.place} is {told}; {count_noun(copies, 'backup')} replaced."])


def _present_key(invocation: Invocation) -> EncryptionKey:
    from toldonce.storage.encryption import EncryptionKey

    return invocation.key_of(invocation.place) or EncryptionKey.read(_prompt_key("Present key", confirm=False))


def _read_new_key(invocation: Invocation, *, keyring: bool, variable: str) -> EncryptionKey:
    from toldonce.storage.encryption import EncryptionKey, random_key, save_in_keyring

    if keyring:
        made = random_key()
        save_in_keyring(invocation.place, made)
        return EncryptionKey.read(made)
    return EncryptionKey.read(os.environ.get(variable) or _prompt_key(f"New key (or set {variable})", confirm=True))


def _prompt_key(prompt: str, *, confirm: bool) -> str:
    try:
        key = str(click.prompt(prompt, hide_input=True, err=True))
        if confirm and key != click.prompt("Repeat it", hide_input=True, err=True):
            raise InputError("the two entries are not the same: nothing was changed; run the command again")
    except click.Abort:
        raise InputError("nobody is there to ask for the key: set it in the environment, or use --keyring") from None
    return key


def export_key() -> str | None:
    """The key that exports are sealed with and opened with, where the environment names one."""
    return os.environ.get(EXPORT_KEY_VARIABLE) or None
