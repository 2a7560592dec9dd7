"""`memory.team`: a search over all spaces that one may read, and figures about what is known there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from toldonce.access import may_enter
from toldonce.capture.fields import require_counts
from toldonce.errors import SpaceNotFound
from toldonce.operations.engine import Engine
from toldonce.presets.policy import Preset
from toldonce.records import PERSONAL, Hit, Hits, Record
from toldonce.storage.store import Tables, View

_USUAL = 10
# Records and changes of one space that figures are made of, the newest first.
_MOST_RECORDS, _MOST_CHANGES = 10_000, 5_000
_CONFIRM = "confirm"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileCount:
    """How many records are about one file of a space, how often they were shown, and the most shown of them."""

    space: str
    file: str
    records: int
    shown: int
    example: Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmation:
    """Who confirmed which record, and when; "" is somebody who was not named."""

    by: str
    at: datetime
    record: Record


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleCoverage:
    """How many records are about files of one module of a code map."""

    space: str
    module: str
    folder: str
    records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamFigures:
    """Figures about what is known in several spaces. `records` were looked at; the lists are cut at the limit."""

    spaces: tuple[str, ...]
    records: int
    by_file: tuple[FileCount, ...]
    by_use: tuple[Record, ...]
    confirmed: tuple[Confirmation, ...]
    confirmed_by: dict[str, int]
    modules: tuple[ModuleCoverage, ...]
    modules_known: int


class Team:
    """Search and figures across spaces. A person sees what they may read in each, and nothing else is counted."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def search(
        self,
        query: str,
        user: str | None = None,
        *,
        spaces: Sequence[str] | None = None,
        kinds: Sequence[str] | None = None,
        limit: int = _USUAL,
    ) -> Hits:
        """The best hits of all spaces that a person may read, or of these; each record names its space."""
        require_counts(limit=limit)
        found: dict[str, Hit] = {}
        for name in self._choose_spaces(spaces, user):
            for hit in self._search_one(query, user, name, kinds=kinds, limit=limit):
                found.setdefault(hit.record.id, hit)
        best = sorted(found.values(), key=lambda hit: -hit.score)[:limit]
        self._engine.count_shown(best, at=self._engine.clock())
        self._engine.note_reading("recall", [hit.record for hit in best], user=user)
        return Hits(best)

    def figures(
        self,
        user: str | None = None,
        *,
        spaces: Sequence[str] | None = None,
        kinds: Sequence[str] | None = None,
        limit: int = _USUAL,
    ) -> TeamFigures:
        """What is met most often, by file and by use; who confirmed what; which modules something is known about."""
        require_counts(limit=limit)
        names = self._choose_spaces(spaces, user)
        records = [r for name in names for r in self._read_records(user, name, kinds)]
        confirmed = [c for name in names for c in self._read_confirmations(user, name, kinds)]
        confirmed.sort(key=lambda one: one.at, reverse=True)
        modules = [m for name in names for m in self._cover_modules(name, records)]
        by_use = sorted(records, key=lambda r: (-r.access_count, r.at, r.id))
        return TeamFigures(
            spaces=tuple(names),
            records=len(records),
            by_file=tuple(count_by_file(records)[:limit]),
            by_use=tuple(r for r in by_use[:limit] if r.access_count),
            confirmed=tuple(confirmed[:limit]),
            confirmed_by=dict(Counter(one.by for one in confirmed).most_common(limit)),
            modules=tuple(sorted(modules, key=lambda m: (-m.records, m.space, m.module))[:limit]),
            modules_known=sum(m.records > 0 for m in modules),
        )

    def _choose_spaces(self, wanted: Sequence[str] | None, user: str | None) -> list[str]:
        """The spaces that may be entered and are on; one that was named and is not there is an error."""
        known = {
            space.name: space
            for space in self._engine.store.read(lambda t: t.people.spaces())
            if may_enter(space.name, user) and (user is not None or not space.name.startswith(PERSONAL))
        }
        if missing := [name for name in wanted or () if name not in known]:
            raise SpaceNotFound(f"there is no space {str(missing[0])[:100]!r} here")
        chosen = known if wanted is None else dict.fromkeys(wanted)
        return [name for name in chosen if not self._engine.is_kept_out(user, name)]

    def _search_one(
        self, query: str, user: str | None, space: str, *, kinds: Sequence[str] | None, limit: int
    ) -> list[Hit]:
        found = self._view_one(user, space, kinds)
        return self._engine.search(query, *found, limit=limit) if found is not None else []

    def _read_records(self, user: str | None, space: str, kinds: Sequence[str] | None) -> list[Record]:
        found = self._view_one(user, space, kinds)
        if found is None:
            return []
        view = found[0]
        return self._engine.store.read(lambda t: t.records.find(view, limit=_MOST_RECORDS), person=user)

    def _view_one(self, user: str | None, space: str, kinds: Sequence[str] | None) -> tuple[View, Preset] | None:
        """What a person may see of this space alone; None when its preset has none of the kinds."""
        preset = self._engine.find_space(space, reader=user)[1]
        fitting = [kind for kind in kinds or () if kind in preset.kinds]
        if kinds and not fitting:
            return None
        view, _ = self._engine.view_for(user, space, kinds=fitting or None)
        return replace(view, spaces=(space,)), preset

    def _read_confirmations(self, user: str | None, space: str, kinds: Sequence[str] | None) -> list[Confirmation]:
        """From the audit log, which knows who; only of records that this person may read."""

        def read(tables: Tables) -> list[Confirmation]:
            entries = tables.audit.list_entries(space, action=_CONFIRM, limit=_MOST_CHANGES)
            known = tables.records.get({str(entry.detail.get("record", "")) for entry in entries})
            found = [(entry, known.get(str(entry.detail.get("record", "")))) for entry in entries]
            return [
                Confirmation(by=entry.actor, at=entry.at, record=record)
                for entry, record in found
                if record is not None and tables.people.may_read(record, user) and (not kinds or record.kind in kinds)
            ]

        return self._engine.store.read(read)

    def _cover_modules(self, space: str, records: Sequence[Record]) -> Iterable[ModuleCoverage]:
        files = [name for record in records if record.space == space for name in files_of(record)]
        for module in self._list_modules(space):
            folder, named = str(module.get("folder", "")), set(module.get("files", ()))
            known = sum(name in named or bool(folder and name.startswith(folder)) for name in files)
            yield ModuleCoverage(space=space, module=str(module.get("name", "")), folder=folder, records=known)

    def _list_modules(self, space: str) -> list[dict[str, Any]]:
        """Modules of the space's documents: a document that is a map has them in its data."""
        documents = self._engine.store.read(lambda t: t.documents.all(space))
        newest = {document.name: document for document in documents if not document.owner}
        return [module for one in newest.values() for module in one.data.get("modules", ()) if isinstance(module, dict)]


def files_of(record: Record) -> list[str]:
    """The files that a record is about."""
    named = [record.metadata.get("file"), *_as_list(record.metadata.get("files"))]
    return list(dict.fromkeys(name for name in named if isinstance(name, str) and name))


def count_by_file(records: Iterable[Record]) -> list[FileCount]:
    """Files with the number of records about each, those with most first."""
    about: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        for name in files_of(record):
            about.setdefault((record.space, name), []).append(record)
    counts = [
        FileCount(
            space=space,
            file=name,
            records=len(found),
            shown=sum(r.access_count for r in found),
            example=max(found, key=lambda r: (r.access_count, r.at)),
        )
        for (space, name), found in about.items()
    ]
    return sorted(counts, key=lambda one: (-one.records, -one.shown, one.space, one.file))


def _as_list(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []
