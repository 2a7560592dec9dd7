"""Where a sign-in to a server is kept: its keys in the system's keychain, or in a file that only its owner may read."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path

from toldonce.errors import ConfigError

_SERVICE = "toldonce"
# After the address: the account of the key that seals.
_SEAL = "#seal"


@dataclass(frozen=True, slots=True)
class SavedLogin:
    """The server that this user is signed in to, and the key for it; `seal_key` seals what is sent there, if given."""

    address: str
    key: str = field(repr=False)
    seal_key: str = field(default="", repr=False)


def login_file() -> Path:
    """The file of the sign-in."""
    from platformdirs import user_config_path

    return user_config_path("toldonce", appauthor=False) / "login.json"


def load_login() -> SavedLogin | None:
    """The sign-in that holds, if there is one."""
    path = login_file()
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as problem:
        raise ConfigError(f"{path}: cannot be read: sign in again with `toldonce login`") from problem
    address = str(table.get("address", ""))
    key = table.get("key") or _read_keychain(address)
    if not address or not key:
        raise ConfigError(f"{path}: the key of {address or 'the server'} is gone: sign in with `toldonce login`")
    seal_key = table.get("seal_key", "")
    if table.get("sealed") and not seal_key:
        seal_key = _read_keychain(address + _SEAL)
        if not seal_key:
            raise ConfigError(f"{path}: the key that seals what is sent to {address} is gone: sign in again with it")
    return SavedLogin(address, str(key), str(seal_key or ""))


def save_login(login: SavedLogin) -> str:
    """Keep a sign-in; says where the key is."""
    path, in_keychain = login_file(), _write_keychain(login)
    table: dict[str, object] = {"address": login.address, "sealed": bool(login.seal_key)}
    if not in_keychain:
        table |= {"key": login.key, "seal_key": login.seal_key}
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.unlink(missing_ok=True)
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump(table, file)
    part.replace(path)
    return "the keychain" if in_keychain else str(path)


def drop_login() -> str | None:
    """Forget the sign-in; the address it was for."""
    path = login_file()
    try:
        address = str(json.loads(path.read_text(encoding="utf-8")).get("address", ""))
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        address = ""
    path.unlink(missing_ok=True)
    for account in (address, address + _SEAL):
        _drop_keychain(account)
    return address


def _read_keychain(address: str) -> str | None:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        return None
    try:
        return keyring.get_password(_SERVICE, address)
    except KeyringError:
        return None


def _write_keychain(login: SavedLogin) -> bool:
    """Whether the keychain took the key and gives it back."""
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        return False
    try:
        keyring.set_password(_SERVICE, login.address, login.key)
        if login.seal_key:
            keyring.set_password(_SERVICE, login.address + _SEAL, login.seal_key)
        kept = _read_keychain(login.address), _read_keychain(login.address + _SEAL) if login.seal_key else ""
        return kept == (login.key, login.seal_key)
    except KeyringError:
        return False


def _drop_keychain(address: str) -> None:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        return
    try:
        keyring.delete_password(_SERVICE, address)
    except KeyringError:
        return
