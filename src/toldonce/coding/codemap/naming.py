"""Modules without a description become sketches for a writer, and its drafts become names in the map.

What a person, an agent or an earlier draft said of a module stays as it is. Nothing is stored here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from toldonce.coding.codemap.index import Index
from toldonce.coding.codemap.learn import update_module
from toldonce.coding.codemap.values import Module, ModuleMap
from toldonce.distil.drafts import ModuleDraft, ModuleSketch

_MOST_FILES = 6
_MOST_SYMBOLS = 12


def sketch_unnamed_modules(map_: ModuleMap, index: Index) -> list[ModuleSketch]:
    """The modules that have no name but their folder's, as a writer sees them."""
    places = {row[1]: row[0] for row in index.read_all("present_files")}
    return [_sketch_module(module, index, places) for module in map_.modules if not module.said and module.files]


def list_described_modules(map_: ModuleMap) -> list[str]:
    """The names of the modules that are not sketched."""
    return [module.name for module in map_.modules if module.said or not module.files]


def with_names(map_: ModuleMap, drafts: Sequence[ModuleDraft]) -> ModuleMap:
    """The map with modules named as the drafts say, where the name is still free."""
    known, now = map_, {}
    for draft in drafts:
        module, holder = known.find_module(draft.module), known.find_module(draft.name)
        if module is not None and not module.said and holder in (None, module):
            known = update_module(known, draft.module, name=draft.name, description=draft.description)
            now[draft.module] = draft.name
    for draft in drafts:
        if draft.related and draft.module in now:
            near = [now.get(other, other) for other in draft.related]
            known = _relate_module(known, now[draft.module], near)
    return known


def _sketch_module(module: Module, index: Index, places: dict[str, int]) -> ModuleSketch:
    files = module.files[:_MOST_FILES]
    per_file = [index.read_all("symbols_of", file=places[path]) for path in files if path in places]
    return ModuleSketch(
        module=module.name,
        folder=module.folder,
        says=module.description,
        files=files,
        entry_points=module.entry_points,
        symbols=tuple(_interleave_symbols(per_file)),
    )


def _interleave_symbols(per_file: Sequence[Sequence[tuple[str, str, int, int]]]) -> list[str]:
    """Names of every file in turn, so that a long one does not crowd out the others."""
    longest = max(map(len, per_file), default=0)
    in_turn = (symbols[turn][0] for turn in range(longest) for symbols in per_file if turn < len(symbols))
    return list(dict.fromkeys(in_turn))[:_MOST_SYMBOLS]


def _relate_module(map_: ModuleMap, name: str, others: Iterable[str]) -> ModuleMap:
    module = map_.find_module(name)
    assert module is not None, "it was just named"
    there = [other for other in others if map_.find_module(other) is not None]
    return update_module(map_, name, related=list(dict.fromkeys([*there, *module.related])))
