"""The projects of this machine that `toldonce init` made a memory for: which a search over all of them looks into.

Each project has a memory of its own, and nothing goes from one into another; a person who asks sees all of theirs.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from toldonce.config import is_path
from toldonce.errors import StoreError
from toldonce.state_folder import find_state_folder
from toldonce.storage.atomic_file import write_whole_file

_FILE = "projects.json"


@dataclass(frozen=True, slots=True)
class KnownProject:
    """A folder with a memory, where that is, and whose it is if it says so."""

    folder: str
    place: str
    user: str | None = None

    @property
    def name(self) -> str:
        """What the folder is called."""
        return os.path.basename(self.folder) or self.folder

    @property
    def is_there(self) -> bool:
        """Whether its memory may be opened: a file that was removed is no project any more."""
        return not is_path(self.place) or os.path.isfile(self.place)


def list_projects() -> list[KnownProject]:
    """The projects that are still there; none when the list cannot be read."""
    try:
        rows = json.loads(_find_file().read_text(encoding="utf-8"))
        known = [KnownProject(row["folder"], row["place"], row.get("user")) for row in rows]
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return []
    return [one for one in known if one.is_there]


def add_project(project: KnownProject) -> None:
    """Put a project on the list."""
    others = [one for one in list_projects() if one.place != project.place]
    path = _find_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with write_whole_file(path) as file:
            file.write(json.dumps([asdict(one) for one in (*others, project)], indent=2).encode())
    except OSError as problem:
        raise StoreError(f"{path} cannot be written: {problem.strerror}") from None


def _find_file() -> Path:
    return Path(find_state_folder()) / _FILE
