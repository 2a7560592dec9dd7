"""Which memory a folder's hooks use: what the settings say, kept beside the marks of the files they come from.

Memory is opt-in: only a place that the project's own file or `--place` names counts. The default place, the person's
own settings and the environment name one memory for every folder; hooks and MCP servers do not use it for a project.
"""

from __future__ import annotations

import os

from toldonce.coding.hooks import branches as git
from toldonce.coding.hooks import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from toldonce.coding.hooks.branches import Repository

# How `Settings.sources` calls the option.
PLACE_OPTION = "--place"
_KEPT = "settings-2.json"
_MOST_KEPT = 60
_PROJECT_FILE = "toldonce.toml"
_BESIDE = ("", "-wal", "-shm", "-journal")
_OUR_VARIABLES = ("TOLDONCE_", "XDG_")
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
    if known is not None and _is_current(known):
        return {name: str(value) for name, value in known["says"].items()}
    found = _read_hook_settings(cwd, options, project)
    rest = {k: v for k, v in kept.items() if k != key and not any(f"{secret}=" in k for secret in _SECRETS)}
    state.save_state(_KEPT, {**dict(list(rest.items())[-_MOST_KEPT + 1 :]), key: found})
    return {name: str(value) for name, value in found["says"].items()}


def _is_current(known: Any) -> bool:
    """Whether kept settings have everything that is read here, and their files did not change."""
    says = known.get("says") if isinstance(known, dict) else None
    if not isinstance(says, dict) or not says.keys() >= {"place", "space", "user", "key_command", "named_by"}:
        return False
    return bool(known.get("marks") == _settings_marks(known.get("files", ()), says["place"]))


def list_known_memories() -> list[tuple[str, str]]:
    """The places and spaces of the projects whose hooks ran recently here, as far as they are still there."""
    rows = [known["says"] for known in state.load_state(_KEPT).values() if _is_current(known)]
    named = {(str(says["place"]), str(says["space"])) for says in rows if is_set_up(says["named_by"], None)}
    return sorted(one for one in named if os.path.isfile(one[0]))


def is_set_up(named_by: str, repository: Repository | None) -> bool:
    """Whether a memory was set up for a folder; `named_by` says what named its place, as in `Settings.sources`.

    A file above a repository speaks for other projects too, so it does not count inside the repository.
    """
    if named_by == PLACE_OPTION:
        return True
    if os.path.basename(named_by) != _PROJECT_FILE:
        return False
    if repository is None:
        return True
    top = _outermost_root(repository)
    return os.path.abspath(named_by).startswith(os.path.join(top, ""))


def project_folder(named_by: str) -> str:
    """The folder of the project's file that names a place; "" where something else named it."""
    return os.path.dirname(os.path.abspath(named_by)) if os.path.basename(named_by) == _PROJECT_FILE else ""


def _outermost_root(repository: Repository) -> str:
    """The root of a repository; of a submodule, the root of the project that holds it."""
    outer = git.find_repository(os.path.dirname(repository.root))
    is_submodule = outer is not None and repository.own.startswith(os.path.join(outer.common, "modules") + os.sep)
    return _outermost_root(outer) if outer is not None and is_submodule else repository.root


def _read_hook_settings(cwd: str, options: Mapping[str, str], project: str | None) -> dict[str, Any]:
    from pathlib import Path

    from toldonce.config import default_user_file, load_config
    from toldonce.trust import trust_file

    settings = load_config(cwd=Path(cwd), environ=os.environ, options=options)
    config = settings.config
    own = os.environ.get("TOLDONCE_CONFIG") or str(default_user_file())
    files = [f for f in (project, own, str(trust_file())) if f]
    return {
        "files": files,
        "marks": _settings_marks(files, config.place),
        "says": {
            "place": config.place,
            "space": config.space,
            "user": config.user,
            "key_command": config.key_command,
            "named_by": settings.sources["place"],
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
