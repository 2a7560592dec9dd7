"""The prompt block for a question about a code base: `Memory.context` with what the working tree itself says.

A memory, a question and a folder come in. The block names the modules and files that the question is about, shows what
is remembered there, keeps to the branches that are merged here, and marks memories whose cited code has changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toldonce.coding.citations import warn_of_changes
from toldonce.coding.codemap.corrections import correct_commands
from toldonce.coding.codemap.document import NAME, from_document
from toldonce.coding.codemap.git import find_root
from toldonce.coding.codemap.index import open_index
from toldonce.coding.codemap.locate import list_places, locate_files
from toldonce.coding.codemap.past_work import past_work
from toldonce.coding.codemap.render import describe_modules, render_located
from toldonce.coding.codemap.values import ModuleMap
from toldonce.records import Context, Surroundings

if TYPE_CHECKING:
    from toldonce.memory import Memory


def has_code_map(memory: Memory, *, space: str | None = None) -> bool:
    """Whether the preset of a space keeps a code map."""
    return NAME in memory.spaces.preset(space).documents


def project_context(
    memory: Memory,
    query: str,
    user: str | None = None,
    *,
    root: Path,
    space: str | None = None,
    branches: Sequence[str] | None = None,
    **options: Any,
) -> Context:
    """`Memory.context` for the code base at `root`; further options are those of `Memory.context`."""
    top = find_root(root)
    return memory.context(
        query,
        user,
        space=space,
        branches=branches,
        annotate=warn_of_changes(top),
        around=_find_surroundings(memory, query, user, root=top, space=space),
        **options,
    )


def _find_surroundings(memory: Memory, query: str, user: str | None, *, root: Path, space: str | None) -> Surroundings:
    """Where a question belongs, by the index of the last scan, and the project's rules about its commands."""
    rules = memory.review.records(user, kinds=memory.spaces.preset(space).kinds_of_tier("always"), space=space)
    correct = partial(correct_commands, rules=[record.text for record in rules])
    index = open_index(root)
    if index is None:
        return Surroundings(correct=correct)
    document = memory.documents.get(NAME, space=space)
    known = from_document(document) if document else ModuleMap()
    with index:
        found = locate_files(index, query, learned=past_work(memory, user, space=space), known=known)
    lines = (*render_located(found).splitlines(), *describe_modules(found, known))
    return Surroundings(lines, tuple(list_places(found, known)), correct)
