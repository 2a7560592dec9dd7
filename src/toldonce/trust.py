"""Which settings a project's file may choose by itself, and which project files the user has trusted.

A project's `toldonce.toml` may come from a stranger. It never decides where texts and keys are sent, which model or
file is loaded, or which file outside the project is written, unless the user trusted exactly this content. Trusted
files are pinned by SHA-256 in a private file of the user.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from toldonce.errors import StoreError

# How much of a settings file is read; a larger one is not a settings file.
LARGEST_BYTES = 1_000_000


def is_inside_project(place: object, folder: Path) -> bool:
    """Whether a place is a file below the project's folder, after links and `..` are resolved.

    The files that SQLite and backups keep beside it must not be links either: they would be written through.
    """
    if not isinstance(place, str):
        return True  # Refused by its type later, with the key's name.
    if "://" in place or place == ":memory:":
        return False
    try:
        path = folder / Path(place).expanduser()
        return path.resolve().is_relative_to(folder.resolve()) and not _has_linked_neighbour(path)
    except (OSError, RuntimeError, ValueError):
        return False


def _has_linked_neighbour(path: Path) -> bool:
    if not path.parent.is_dir():
        return False
    with os.scandir(path.parent) as entries:
        return any(entry.name.startswith(path.name) and entry.is_symlink() for entry in entries)


def _is_shipped_preset(value: object, _folder: Path) -> bool:
    """A preset file of the project's own puts its words into prompts and its patterns into the engine."""
    from toldonce.presets import shipped_presets

    return value in shipped_presets()


def _always_trusted(_value: object, _folder: Path) -> bool:
    return True


# The settings that a project may choose without trust, each with the values that are safe. Every other setting names an
# address, a model, a command, a key or what it costs, and needs trust.
SAFE_IN_PROJECT: Mapping[str, Callable[[object, Path], bool]] = {
    "place": is_inside_project,
    "preset": _is_shipped_preset,
    "space": _always_trusted,
    "user": _always_trusted,
    "zone": _always_trusted,
    "log_level": _always_trusted,
    "log_format": _always_trusted,
}


def setting_needs_trust(key: str, value: object, folder: Path) -> bool:
    """Whether a project's file in this folder may say this only when the user trusted the file."""
    is_safe = SAFE_IN_PROJECT.get(key)
    return is_safe is None or not is_safe(value, folder)


def trust_file() -> Path:
    """Where the user's trusted project files are listed."""
    from platformdirs import user_config_path

    return user_config_path("toldonce", appauthor=False) / "trusted.json"


def read_trusted() -> dict[str, str]:
    """The trusted project files, by path, with the hash of what was trusted; none when the list cannot be read."""
    try:
        found = json.loads(trust_file().read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return {k: v for k, v in found.items() if isinstance(v, str)} if isinstance(found, dict) else {}


def hash_settings(path: Path, content: bytes, table: Mapping[str, Any]) -> str:
    """The hash of a project's settings: the file itself, and the preset file that it names."""
    # Imported here, as below: every command imports this module, and few come so far.
    import hashlib

    digest = hashlib.sha256(content)
    preset = table.get("preset")
    if isinstance(preset, str) and setting_needs_trust("preset", preset, path.parent):
        with suppress(OSError, RuntimeError, ValueError), open(path.parent / Path(preset).expanduser(), "rb") as file:
            digest.update(b"\0preset\0" + file.read(LARGEST_BYTES))
    return digest.hexdigest()


def is_trusted(path: Path, digest: str) -> bool:
    """Whether the user trusted this file as it is now."""
    return read_trusted().get(str(path.resolve())) == digest


def record_trust(path: Path, digest: str) -> None:
    """Trust a project's file as it is now."""
    _write_trusted({**read_trusted(), str(path.resolve()): digest})


def remove_trust(path: Path) -> bool:
    """Stop trusting a project's file; False when it was not trusted."""
    known = read_trusted()
    left = {name: digest for name, digest in known.items() if name != str(path.resolve())}
    if len(left) < len(known):
        _write_trusted(left)
    return len(left) < len(known)


def _write_trusted(trusted: Mapping[str, str]) -> None:
    """Write the list whole or not at all, readable by the user alone."""
    import tempfile

    path = trust_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, part = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(trusted, file, indent=2, sort_keys=True)
        os.replace(part, path)
    except OSError as problem:
        raise StoreError(f"{path} cannot be written: {problem.strerror}") from None
