"""The registry of named things: found again by any alias, linked to the records that mention them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from recollect.records import Entity, new_id
from recollect.storage.rows import Rows


class KnownEntity(NamedTuple):
    """An entity that a name led to."""

    seq: int
    id: str
    name: str
    type: str
    alias: str


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

    def mention(self, record: int, *, space: str, alias: str, shown: str, type: str, now: datetime) -> None:
        """Link a record to the entity of that alias and type, else of that alias, else to a new one."""
        found = self._rows.one("find_alias", tenant=self._tenant, space=space, alias=alias, type=type)
        seq = found[0] if found else self._add(space, alias=alias, shown=shown, type=type, now=now)
        self._rows.run("add_mention", entity=seq, record=record)

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

    def _add(self, space: str, *, alias: str, shown: str, type: str, now: datetime) -> int:
        row = self._rows.one(
            "add_entity", id=new_id("ent", now), tenant=self._tenant, space=space, name=shown, type=type
        )
        assert row is not None, "RETURNING gives a row"
        seq: int = row[0]
        self.add_alias(seq, space=space, alias=alias, shown=shown, type=type)
        return seq
