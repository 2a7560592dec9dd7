"""Keys for memories that are encrypted at rest: reading them, and deriving one key per file from each.

A key is a passphrase, or 32 bytes written as `hex:` and 64 digits. A passphrase is stretched with scrypt and the salt
stored in the first bytes of the file it protects; 32 bytes are only bound to that salt. Keys are never written
anywhere, and no message or log repeats one.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from toldonce.errors import ConfigError, InputError
from toldonce.optional import install_hint

KEY_VARIABLE = "TOLDONCE_ENCRYPTION_KEY"
KEYRING_SERVICE = "toldonce"
SALT_BYTES = 16
_KEY_BYTES = 32
_HEX = "hex:"
_SHORTEST_PASSPHRASE = 8
# About 50 ms and 32 MB: paid once per process and file.
_SCRYPT = {"n": 2**15, "r": 8, "p": 1, "maxmem": 64 * 1024 * 1024}
_COMMAND_SECONDS = 60


@dataclass(frozen=True, slots=True)
class EncryptionKey:
    """What a person or a key store gives; `derive` makes the key of one file of it."""

    secret: bytes = field(repr=False)
    is_passphrase: bool = True

    @classmethod
    def read(cls, said: str | bytes) -> EncryptionKey:
        """The key that a text or 32 bytes give; refused when it is too weak to protect anything."""
        if isinstance(said, bytes):
            return cls._from_bytes(said)
        if not isinstance(said, str):
            raise InputError(f"the encryption key must be a text or 32 bytes, not {type(said).__name__}")
        if said.startswith(_HEX):
            try:
                return cls._from_bytes(bytes.fromhex(said.removeprefix(_HEX).strip()))
            except ValueError:
                raise InputError("the encryption key must be `hex:` and 64 hexadecimal digits") from None
        if len(said) < _SHORTEST_PASSPHRASE:
            raise InputError(f"the passphrase is too short: use at least {_SHORTEST_PASSPHRASE} characters")
        return cls(said.encode("utf-8", "surrogatepass"))

    @classmethod
    def _from_bytes(cls, said: bytes) -> EncryptionKey:
        if len(said) != _KEY_BYTES:
            raise InputError(f"the encryption key has {len(said)} bytes: it must have {_KEY_BYTES}")
        return cls(said, is_passphrase=False)

    def derive(self, salt: bytes, *, purpose: str = "memory") -> bytes:
        """The 32 bytes that protect the file with this salt."""
        return _derive_key(self.secret, self.is_passphrase, salt, purpose)


@lru_cache(maxsize=64)
def _derive_key(secret: bytes, is_passphrase: bool, salt: bytes, purpose: str) -> bytes:
    if is_passphrase:
        secret = hashlib.scrypt(secret, salt=salt, dklen=_KEY_BYTES, **_SCRYPT)
    return hmac.new(secret, b"toldonce " + purpose.encode() + b"\0" + salt, hashlib.sha256).digest()


def random_key() -> str:
    """A random key as `EncryptionKey.read` takes it."""
    return _HEX + secrets.token_hex(_KEY_BYTES)


def new_salt() -> bytes:
    """A salt for a new file."""
    return os.urandom(SALT_BYTES)


def read_given_key(said: str | bytes | EncryptionKey | None) -> EncryptionKey | None:
    """The key that a caller gave, else the one in the environment."""
    if isinstance(said, EncryptionKey):
        return said
    if said == "":
        return None
    chosen = said if said is not None else os.environ.get(KEY_VARIABLE) or None
    return EncryptionKey.read(chosen) if chosen is not None else None


def find_key(
    place: str, *, environ: Mapping[str, str], command: str = "", use_keyring: bool = True
) -> EncryptionKey | None:
    """The key that the person's own settings give for a memory: environment, command, then the system's keychain."""
    if said := environ.get(KEY_VARIABLE):
        return EncryptionKey.read(said)
    if command:
        return EncryptionKey.read(_read_key_from_command(command))
    return _read_key_from_keyring(place) if use_keyring else None


def save_in_keyring(place: str, key: str) -> None:
    """Keep the key of a memory in the system's keychain."""
    keyring = _load_keyring()
    if keyring is None:
        raise ConfigError(f"the keychain needs the package keyring: {install_hint('encryption')}")
    try:
        keyring.set_password(KEYRING_SERVICE, _keyring_account(place), key)
    except keyring.errors.KeyringError as problem:
        raise ConfigError(f"the keychain did not take the key: {problem}") from problem


def _read_key_from_command(command: str) -> str:
    """What a command prints on its first line: a password manager, a key service."""
    import shlex
    import subprocess

    try:
        done = subprocess.run(
            shlex.split(command),
            capture_output=True,
            timeout=_COMMAND_SECONDS,
            check=False,
            text=True,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as problem:
        raise ConfigError(f"key_command could not be run: {type(problem).__name__}") from None
    if done.returncode or not done.stdout.strip():
        raise ConfigError(f"key_command gave no key: it ended with {done.returncode}; run it by hand to see why")
    return done.stdout.splitlines()[0].strip()


def _read_key_from_keyring(place: str) -> EncryptionKey | None:
    keyring = _load_keyring()
    if keyring is None:
        return None
    try:
        said = keyring.get_password(KEYRING_SERVICE, _keyring_account(place))
    except keyring.errors.KeyringError:
        return None
    return EncryptionKey.read(said) if said else None


def _load_keyring() -> Any:
    try:
        import keyring
        import keyring.errors
    except ImportError:
        return None
    return keyring


def _keyring_account(place: str) -> str:
    return os.path.realpath(place)
