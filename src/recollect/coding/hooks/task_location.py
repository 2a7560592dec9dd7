"""Where a prompt's task lies, by the code map: once when a session begins its work, and when it turns to another task.

The map is the one part of a hook that costs as much as all others together, so it is only asked when it can say
something new.
"""

from __future__ import annotations

import os
import re
import zlib

from recollect.coding.hooks import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_FEWEST_TERMS = 4
_SAME_TASK = 0.3


def is_new_task(session: str, terms: Sequence[str]) -> bool:
    """Whether a prompt is the first that says enough, or has little in common with the one that was located last."""
    if len(terms) < _FEWEST_TERMS:
        return False
    name = state.session_file(session, ".task")
    before = set(state.load_state(name).get("terms") or ())
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


def locate_for_hook(root: str, task: str, told: Sequence[tuple[str, dict[str, Any]]]) -> tuple[str, list[str]]:
    """A few lines that say where to look, and the files they name; nothing where no map was made.

    `told` is what records say of earlier work like it, with their metadata.
    """
    cache = os.path.join(state.user_cache_folder(), "codemap")
    if not _may_be_mapped(root, cache):
        return "", []
    from pathlib import Path

    from recollect.coding.codemap.index import open_index
    from recollect.coding.codemap.learn import past_tasks
    from recollect.coding.codemap.locate import locate_files
    from recollect.coding.codemap.render import render_located

    index = open_index(Path(root), cache=Path(cache))
    if index is None:
        return "", []
    with index:
        found = locate_files(index, task, learned=past_tasks(told))
        return render_located(found), [file.path for file in found.files[:5]]
