"""Where programs of Toldonce keep files of their own between two calls, and which of them belong to a session.

Hooks write these files; an erasure removes those of a person's sessions. Only the standard library is imported, since
hooks have no time for more.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

SESSIONS = "sessions"
# The journal, a block that waits to be shown, a transcript that came inside an event, checksums of the task's words.
JOURNAL, WAITING, TRANSCRIPT, TASK = ".jsonl", ".waiting", ".json", ".task"
_ENDINGS = (JOURNAL, WAITING, TRANSCRIPT, TASK)
_SAFE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."


def find_state_folder() -> str:
    """Where it is, as each system has its place for such things. Asking a library would cost a fifth of the time."""
    if sys.platform == "win32":
        return os.path.join(os.environ.get("LOCALAPPDATA") or os.path.expanduser("~"), "toldonce")
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Application Support/toldonce")
    return os.path.join(os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state"), "toldonce")


def session_file(session: str, ending: str = JOURNAL) -> str:
    """The name of a session's file, whatever the agent calls its sessions."""
    plain = "".join(c if c in _SAFE else "_" for c in session).lstrip(".")[:120]
    return os.path.join(SESSIONS, (plain or "unnamed") + ending)


def remove_session_files(sessions: Iterable[str]) -> list[str]:
    """Remove every file of these sessions, halves of unfinished ones too; returns those that could not be removed."""
    wanted = {os.path.basename(session_file(session, ending)) for session in sessions for ending in _ENDINGS}
    place, left = os.path.join(find_state_folder(), SESSIONS), []
    try:
        names = os.listdir(place) if wanted else []
    except OSError:
        return []
    for name in names:
        begun, _, process = name.rpartition(".")
        if name in wanted or (begun in wanted and process.isdigit()):
            try:
                os.remove(os.path.join(place, name))
            except FileNotFoundError:
                continue
            except OSError:
                left.append(os.path.join(place, name))
    return left
