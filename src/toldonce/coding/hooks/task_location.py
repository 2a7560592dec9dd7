"""Where a prompt's task lies, by the code map: once when a session begins its work, and when it turns to another task.

The map is the one part of a hook that costs as much as all others together, so it is only asked when it can say
something new.
"""

from __future__ import annotations

import os
import re
import zlib

from toldonce.coding.hooks import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

# A first prompt may be short ("users are logged out"); a later one as short goes on with the same task.
_FEWEST_AT_FIRST, _FEWEST_LATER = 2, 4
_SAME_TASK = 0.3


def is_new_task(session: str, terms: Sequence[str]) -> bool:
    """Whether a prompt is the first that says enough, or has little in common with the one that was located last."""
    name = state.session_file(session, ".task")
    before = set(state.load_state(name).get("terms") or ())
    if len(terms) < (_FEWEST_LATER if before else _FEWEST_AT_FIRST):
        return False
    now = {zlib.crc32(term.encode()) for term in terms}
    if before and len(before & now) / len(now) >= _SAME_TASK:
        return False
    # Checksums only: the prompt itself is not stored here.
    state.save_state(name, {"terms": sorted(now)})
    return True


def _may_be_mapped(root: str, cache: str) -> bool:
    """Whether an index with this project's name lies in the cache: a look that costs nothing before one that does."""
    name = re.sub(r"[^A-Za-z0-9._-]", "", os.path.basename(os.path.realpath(root)))[:40] or "root"
    try:
        return any(file.startswith(name) for file in os.listdir(cache))
    except OSError:
        return False


def locate_for_hook(
    root: str, task: str, told: Sequence[tuple[str, dict[str, Any]]], *, map_data: dict[str, Any]
) -> tuple[str, list[str]]:
    """A few lines that say where to look, and the files and folders they name; nothing where no index was made.

    `told` is what records say of earlier work like it, with their metadata; `map_data` is the map as it is stored.
    """
    cache = os.path.join(state.user_cache_folder(), "codemap")
    if not _may_be_mapped(root, cache):
        return "", []
    from pathlib import Path

    from toldonce.coding.codemap.document import map_from_data
    from toldonce.coding.codemap.index import open_index
    from toldonce.coding.codemap.learn import past_tasks
    from toldonce.coding.codemap.locate import list_places, locate_files
    from toldonce.coding.codemap.render import render_located

    index = open_index(Path(root), cache=Path(cache))
    if index is None:
        return "", []
    with index:
        known = map_from_data(map_data)
        found = locate_files(index, task, learned=past_tasks(told), known=known)
        return render_located(found), list_places(found, known)
