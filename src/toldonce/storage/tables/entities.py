"""The registry of named things: found again by any alias, linked to the records that mention them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from toldonce.records import Entity, new_id
from toldonce.storage.rows import Rows


class KnownEntity(NamedTuple):
    """An entity that a name led to."""

    seq: int
    id: str
    name: str
    type: str
    alias: str


class RecordMention(NamedTuple):
    """A record names something. `alias` is the name as `models.tagger.normalise` writes it, `shown` as it was said."""

    record: int
    space: str
    alias: str
    shown: str
    type: str
    now: datetime


class EntityTable:
    """Entities, their aliases and their mentions."""

    __slots__ = ("_rows", "_tenant")

    def __init__(self, rows: Rows, tenant: str) -> None:
        self._rows = rows
        self._tenant = tenant

    def find(self, aliases: Iterable[str], spaces: Iterable[str]) -> list[KnownEntity]:
        """Entities that have one of these aliases, written as `models.tagger.normalise` writes them."""
        wanted = list(aliases)
        if not wanted:
            return []
        rows = self._rows.all(
            "find_entities", tenant=self._tenant, spaces=json.dumps(list(spaces)), aliases=json.dumps(wanted)
        )
        return [KnownEntity(*row) for row in rows]

    def mention(self, mentions: Sequence[RecordMention]) -> None:
        """Link each record to the entity of that alias and type, else of that alias, else to a new one."""
        known = self._find_aliases(mentions)
        new: dict[tuple[str, str], RecordMention] = {}
        for one in mentions:
            if (one.space, one.alias) not in known:
                new.setdefault((one.space, one.alias), one)
        for (key, one), entity in zip(new.items(), self._add(list(new.values())), strict=True):
            known[key] = {one.type: entity}
        meant = ((one, known[one.space, one.alias]) for one in mentions)
        self._rows.run_many(
            "add_mention",
            [{"entity": types.get(one.type) or min(types.values()), "record": one.record} for one, types in meant],
        )

    def add_alias(self, entity: int, *, space: str, alias: str, shown: str, type: str) -> None:
        """One more way to write an entity; an alias that is taken stays where it is."""
        self._rows.run(
            "add_alias", tenant=self._tenant, space=space, alias=alias, type=type, entity=entity, shown=shown
        )

    def join(self, into: int, other: int) -> None:
        """Make one entity of two: the aliases and mentions of the other become those of the first."""
        for query in ("move_mentions", "move_aliases", "drop_entity"):
            self._rows.run(query, into=into, entity=other)

    def get(self, seq: int) -> Entity | None:
        """An entity with its aliases and number of mentions in current records."""
        row = self._rows.one("entity_by_seq", seq=seq)
        if row is None:
            return None
        return Entity(
            id=row[0], name=row[1], type=row[2], space=row[3], aliases=tuple(json.loads(row[4])), mentions=row[5]
        )

    def names(self, space: str, *, limit: int = 5000) -> list[tuple[int, str, str, int]]:
        """Entities of a space: place, name, type, mentions; most mentioned first."""
        rows = self._rows.all("list_entities", tenant=self._tenant, space=space, limit=limit)
        return [(row[0], row[2], row[3], row[4]) for row in rows]

    def _find_aliases(self, mentions: Sequence[RecordMention]) -> dict[tuple[str, str], dict[str, int]]:
        """The entities that these names may mean: by space and alias, then by type."""
        found: dict[tuple[str, str], dict[str, int]] = {}
        for space in {one.space for one in mentions}:
            aliases = {one.alias for one in mentions if one.space == space}
            rows = self._rows.all("find_aliases", tenant=self._tenant, space=space, aliases=json.dumps(sorted(aliases)))
            for alias, type, entity in rows:
                found.setdefault((space, alias), {})[type] = entity
        return found

    def _add(self, mentions: Sequence[RecordMention]) -> list[int]:
        """New entities, in this order; returns their places."""
        tenant = self._tenant
        rows = self._rows.all_of(
            "add_entity",
            [
                {
                    "id": new_id("ent", one.now),
                    "tenant": tenant,
                    "space": one.space,
                    "name": one.shown,
                    "type": one.type,
                }
                for one in mentions
            ],
        )
        places: list[int] = [row[0][0] for row in rows]
        self._rows.run_many(
            "add_alias",
            [
                {
                    "tenant": tenant,
                    "space": one.space,
                    "alias": one.alias,
                    "type": one.type,
                    "entity": place,
                    "shown": one.shown,
                }
                for place, one in zip(places, mentions, strict=True)
            ],
        )
        return places
