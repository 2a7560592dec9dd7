"""Which session of an agent works on a project now: its MCP server and its hooks keep one list of what was shown.

An agent tells its session to hooks only. Both are started by the agent, so a hook leaves the processes above it beside
the session, and the server looks for the session with the nearest process in common.
"""

from __future__ import annotations

import os
import time

from toldonce.coding.hooks import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_KEPT = "current-sessions.json"
_MOST_PROJECTS, _MOST_SESSIONS = 40, 8
_LASTS_SECONDS = 24 * 3600
_MOST_PARENTS = 8


def note_session(root: str, session: str) -> None:
    """Keep that a session works on a project."""
    if not session:
        return
    kept, place = state.load_state(_KEPT), os.path.realpath(root)
    now = int(time.time())
    others = {name: row for name, row in _sessions_of(kept, place).items() if name != session}
    newest = dict(list(others.items())[-_MOST_SESSIONS + 1 :])
    rest = {key: value for key, value in kept.items() if key != place}
    projects = dict(list(rest.items())[-_MOST_PROJECTS + 1 :])
    state.save_state(_KEPT, {**projects, place: {**newest, session: {"at": now, "pids": list_parents()}}})


def drop_session(root: str, session: str) -> None:
    """Keep that a session is over."""
    kept, place = state.load_state(_KEPT), os.path.realpath(root)
    known = _sessions_of(kept, place)
    if session in known:
        state.save_state(_KEPT, {**kept, place: {name: row for name, row in known.items() if name != session}})


def find_session(root: str, parents: Sequence[int]) -> str:
    """The session that works on a project below the nearest of these processes, else the newest one; "" for none."""
    oldest = time.time() - _LASTS_SECONDS
    known = {n: r for n, r in _sessions_of(state.load_state(_KEPT), os.path.realpath(root)).items() if r["at"] > oldest}
    nearness = {name: _first_common(parents, row["pids"]) for name, row in known.items()}
    # Later ones are newer, and the last of equals wins.
    return max(known, key=lambda name: (-nearness[name], known[name]["at"]), default="")


def list_parents() -> list[int]:
    """The processes above this one, the nearest first; only the nearest where the system does not list processes."""
    found = [os.getppid()]
    while len(found) < _MOST_PARENTS and found[-1] > 1:
        try:
            with open(f"/proc/{found[-1]}/stat", "rb") as file:
                # The name in brackets may hold anything; the number after the next word is the parent's.
                found.append(int(file.read(4096).rpartition(b")")[2].split()[1]))
        except (OSError, ValueError, IndexError):
            break
    return [pid for pid in found if pid > 1]


def _sessions_of(kept: dict[str, Any], place: str) -> dict[str, dict[str, Any]]:
    found = kept.get(place)
    return {n: r for n, r in found.items() if isinstance(r, dict) and r.keys() >= {"at", "pids"}} if found else {}


def _first_common(parents: Sequence[int], others: Sequence[int]) -> int:
    return next((place for place, pid in enumerate(parents) if pid in others), len(parents))
