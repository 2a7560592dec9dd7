"""Which memory a folder's hooks use: what the settings say, kept beside the marks of the files they come from."""

from __future__ import annotations

import os

from recollect.coding.hooks import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

_KEPT = "settings-2.json"
_MOST_KEPT = 60
_PROJECT_FILE = "recollect.toml"
_BESIDE = ("", "-wal", "-shm", "-journal")
_OUR_VARIABLES = ("RECOLLECT_", "XDG_")
# Keys change nothing of what is read here, and must not be written into a cache.
_SECRETS = ("_KEY", "_TOKEN")


def settings_for(cwd: str, options: Mapping[str, str]) -> dict[str, str]:
    """The place, the space and the person that hold in a folder; the engine reads them when anything changed."""
    project = _nearest_project_file(cwd)
    kept = state.load_state(_KEPT)
    ours = {k: v for k, v in os.environ.items() if k.startswith(_OUR_VARIABLES) and not k.endswith(_SECRETS)}
    said = sorted(f"{k}={v}" for k, v in ours.items())
    key = " ".join([project or cwd, *(f"{k}={v}" for k, v in sorted(options.items())), *said])
    known = kept.get(key)
    if isinstance(known, dict) and known.get("marks") == _settings_marks(
        known.get("files", ()), known["says"]["place"]
    ):
        return {name: str(value) for name, value in known["says"].items()}
    found = _read_hook_settings(cwd, options, project)
    rest = {k: v for k, v in kept.items() if k != key and not any(f"{secret}=" in k for secret in _SECRETS)}
    state.save_state(_KEPT, {**dict(list(rest.items())[-_MOST_KEPT + 1 :]), key: found})
    return {name: str(value) for name, value in found["says"].items()}


def _read_hook_settings(cwd: str, options: Mapping[str, str], project: str | None) -> dict[str, Any]:
    from pathlib import Path

    from recollect.config import default_user_file, load_config
    from recollect.trust import trust_file

    config = load_config(cwd=Path(cwd), environ=os.environ, options=options).config
    own = os.environ.get("RECOLLECT_CONFIG") or str(default_user_file())
    files = [f for f in (project, own, str(trust_file())) if f]
    return {
        "files": files,
        "marks": _settings_marks(files, config.place),
        "says": {
            "place": config.place,
            "space": config.space,
            "user": config.user,
            "key_command": config.key_command,
        },
    }


def _nearest_project_file(cwd: str) -> str | None:
    folder = os.path.abspath(cwd)
    while True:
        if os.path.isfile(path := os.path.join(folder, _PROJECT_FILE)):
            return path
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def _settings_marks(files: Sequence[str], place: str) -> list[Any]:
    """Changes when a settings file does, or when the memory's file or one that SQLite keeps beside it became a link."""
    return [
        *map(_file_mark, files),
        *(os.path.islink(place + end) and os.path.realpath(place + end) for end in _BESIDE),
    ]


def _file_mark(path: str) -> list[int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return [found.st_mtime_ns, found.st_size]
