"""What work teaches the map: files that were read, edited or written join the right module, and modules are promoted.

A map and what happened come in, a new map goes out; nothing is stored here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from toldonce.coding.codemap.languages import file_stem, is_test, language_of_file, tested_stem
from toldonce.coding.codemap.modules import is_mappable, rename_related
from toldonce.coding.codemap.values import Confidence, Module, ModuleMap, is_beside_core
from toldonce.errors import InputError

# A module is mapped when this many sessions have changed something in it.
_MAPPED_AFTER = 3
_MOST_SESSIONS = 12
_MOST_LEARNED = 40
_CHANGEABLE = frozenset(
    ("description", "name", "learned", "related", "depends_on", "packages", "entry_points", "tests", "confidence")
)


@dataclass(frozen=True, slots=True)
class FileEvent:
    """In a session, a file was read, edited or written."""

    path: str
    action: Literal["read", "edit", "write"]
    session: str


def past_tasks(told: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[str, list[str]]:
    """By file, what records say of earlier work in it; a record names its file or files in its metadata."""
    found: dict[str, list[str]] = {}
    for text, metadata in told:
        files = metadata.get("files") or [metadata.get("file")]
        for file in files if isinstance(files, list) else ():
            if isinstance(file, str) and file:
                found.setdefault(file, []).append(text)
    return found


def learn_from_events(map_: ModuleMap, events: Iterable[FileEvent]) -> ModuleMap:
    """The map with what these events teach; the same events twice teach nothing more."""
    learned = map_
    for event in events:
        path = event.path.removeprefix("./")
        if not is_mappable(path, language_of_file(path)):
            continue
        module = _home_module(learned, path)
        if module is not None:
            learned = _replace_module(learned, module, _apply_event(module, event, path))
    return learned


def update_module(map_: ModuleMap, name: str, /, **fields: Any) -> ModuleMap:
    """The map with a module changed as a person or an agent says; a name that is not there yet makes a module."""
    wrong = sorted(set(fields) - _CHANGEABLE - {"folder"})
    if wrong:
        raise InputError(f"a module has no {wrong[0]!r}: it can change {', '.join(sorted(_CHANGEABLE))}")
    module = map_.find_module(name)
    changes: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in fields.items()}
    if "confidence" in changes:
        changes["confidence"] = _parse_confidence(changes["confidence"])
    if module is None:
        folder = str(changes.pop("folder", "")) or f"{name}/"
        made = dataclasses.replace(
            Module(name=name, folder=folder, said=True, confidence=Confidence.PARTIAL), **changes
        )
        return dataclasses.replace(map_, modules=(*map_.modules, made))
    least = max(module.confidence, Confidence.PARTIAL)
    changed = dataclasses.replace(module, **{"confidence": least, **changes, "said": True})
    taught = _replace_module(map_, module, changed)
    if changed.name == module.name:
        return taught
    return dataclasses.replace(taught, modules=rename_related(taught.modules, {module.name: changed.name}))


def _parse_confidence(said: Any) -> Confidence:
    try:
        return said if isinstance(said, Confidence) else Confidence[str(said).upper()]
    except KeyError:
        raise InputError("confidence is shallow, partial or mapped") from None


def _apply_event(module: Module, event: FileEvent, path: str) -> Module:
    edits = event.action != "read"
    sessions = _append_limited(module.sessions, event.session)
    edited = _append_limited(module.edited, event.session) if edits else module.edited
    is_known = path in module.files or path in module.tests
    learned = module.learned if is_known else _append_limited(module.learned, path, most=_MOST_LEARNED)
    earned = Confidence.MAPPED if len(edited) >= _MAPPED_AFTER else Confidence.PARTIAL
    return dataclasses.replace(
        module, sessions=sessions, edited=edited, learned=learned, confidence=max(module.confidence, earned)
    )


def _append_limited(known: tuple[str, ...], one: str, *, most: int = _MOST_SESSIONS) -> tuple[str, ...]:
    return known if one in known else (*known, one)[-most:]


def _home_module(map_: ModuleMap, path: str) -> Module | None:
    """The module of a file; a test that lies in none but the top one belongs to what it tests."""
    module = map_.module_of(path)
    if module is not None and (module.folder or path in module.learned or not is_test(path)):
        return module
    return _nearest_module(map_, path) or module


def _nearest_module(map_: ModuleMap, path: str) -> Module | None:
    """The module of what a test is named after; else the one whose files or tests share the most folders with it."""
    if is_beside_core(path):
        return None
    if is_test(path):
        tested = tested_stem(path)
        for module in map_.modules:
            if any(file_stem(file) == tested for file in (*module.files, *module.learned) if not is_test(file)):
                return module

    def shared(module: Module) -> int:
        return max((_common_prefix_length(path, other) for other in (*module.tests, *module.files)), default=0)

    best = max(map_.modules, key=shared, default=None)
    return best if best is not None and shared(best) > 0 else None


def _common_prefix_length(one: str, other: str) -> int:
    count = 0
    for a, b in zip(one.split("/")[:-1], other.split("/")[:-1], strict=False):
        if a != b:
            break
        count += 1
    return count


def _replace_module(map_: ModuleMap, old: Module, new: Module) -> ModuleMap:
    if old == new:
        return map_
    return dataclasses.replace(map_, modules=tuple(new if m is old else m for m in map_.modules))
