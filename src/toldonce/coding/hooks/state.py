"""The folder for what hooks keep between two calls: caches that may be lost, a journal per session, and a log.

Everything here gives up quietly: a home that cannot be written to costs speed and figures, never an answer.
"""

from __future__ import annotations

import json
import os
import sys
import time

from toldonce import state_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

LOG = "hooks.log"
_LOG_BYTES = 256 * 1024
# Defined below all interfaces, since an erasure removes a session's files too.
folder = state_folder.find_state_folder
session_file = state_folder.session_file


def user_cache_folder() -> str:
    """Where the caches of the rest of Toldonce are, the index of a code base among them."""
    if sys.platform == "win32":
        return os.path.join(os.environ.get("LOCALAPPDATA") or os.path.expanduser("~"), "toldonce", "Cache")
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Caches/toldonce")
    return os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "toldonce")


def load_state(name: str) -> dict[str, Any]:
    """What was kept under a name; nothing when it is not there or cannot be read."""
    try:
        with open(os.path.join(folder(), name), encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def save_state(name: str, value: Mapping[str, Any]) -> None:
    """Keep a value under a name, whole or not at all."""
    path = os.path.join(folder(), name)
    part = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(part, "w", encoding="utf-8", opener=_for_owner) as file:
            json.dump(value, file)
        os.replace(part, path)
    except OSError:
        return


def drop_state(name: str) -> None:
    """Forget what was kept under a name."""
    try:
        os.remove(os.path.join(folder(), name))
    except OSError:
        return


def append_journal(session: str, entry: Mapping[str, Any]) -> None:
    """Add a line to a session's journal: which file was touched, what was shown. Never what was said."""
    _append_line(os.path.join(folder(), session_file(session)), json.dumps({**entry, "at": int(time.time())}))


def read_journal(session: str) -> list[dict[str, Any]]:
    """The lines of a session's journal."""
    found = []
    try:
        with open(os.path.join(folder(), session_file(session)), encoding="utf-8") as file:
            for line in file:
                try:
                    found.append(json.loads(line))
                except ValueError:
                    continue
    except OSError:
        return []
    return [entry for entry in found if isinstance(entry, dict)]


def sweep_sessions(*, days: int = 30) -> None:
    """Delete the state of sessions unused for `days` days."""
    place, oldest = os.path.join(folder(), state_folder.SESSIONS), time.time() - days * 86_400
    try:
        old = [entry.path for entry in os.scandir(place) if entry.stat().st_mtime < oldest]
        for path in old:
            os.remove(path)
    except OSError:
        return


def log_problem(what: str, problem: BaseException) -> None:
    """Leave a line about what went wrong: its type and place, never its message, which may quote anything."""
    place, trace = "", problem.__traceback__
    while trace is not None:
        file = os.path.basename(trace.tb_frame.f_code.co_filename)
        place = f"{file}:{trace.tb_lineno}" if file.endswith(".py") else place
        trace = trace.tb_next
    path = os.path.join(folder(), LOG)
    try:
        if os.path.getsize(path) > _LOG_BYTES:
            os.replace(path, path + ".1")
    except OSError:
        pass
    _append_line(path, f"{time.strftime('%Y-%m-%dT%H:%M:%S%z')} {what}: {type(problem).__name__} at {place}")


def _append_line(path: str, line: str) -> None:
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        # One write of one line: lines of processes that write at the same moment do not mix.
        with open(path, "ab", buffering=0, opener=_for_owner) as file:
            file.write(line.encode("utf-8", "replace") + b"\n")
    except OSError:
        return


def _for_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
