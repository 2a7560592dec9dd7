"""`memory.review`: what waits for a person's decision, and lists of records without a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from recollect.capture.fields import require_counts
from recollect.capture.remember import Statement, build_record
from recollect.errors import NotAllowed
from recollect.operations.engine import Engine
from recollect.operations.remembering import keep_statement
from recollect.presets.policy import Preset
from recollect.records import Record
from recollect.storage import lifecycle
from recollect.storage.store import Tables


class Review:
    """Propose records, list what waits for a decision, and list what is known."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def propose(self, statements: Sequence[Statement], *, space: str | None = None) -> list[Record]:
        """Offer statements for review, all of them or none; returns those that were not offered before."""
        now = self._engine.clock()
        home, preset = self._engine.find_space(space)
        offered = [build_record(statement, preset=preset, space=home, now=now) for statement in statements]
        kept = self._engine.write(lambda t: [keep_statement(t, r, preset=preset, now=now) for r in offered])
        new_ids = {record.id for record in offered}
        new = [record for record in kept if record.id in new_ids]
        self._engine.note_writing("propose", new, at=now)
        return new

    def waiting(self, *, user: str | None = None, space: str | None = None) -> list[Record]:
        """What waits for a person's decision before it is used: confirm it, correct it, or forget it."""
        home, _ = self._engine.find_space(space, reader=user)

        def read(tables: Tables) -> list[Record]:
            return [r for r in tables.records.find_proposed(home.name) if tables.people.may_read(r, user)]

        return self._engine.store.read(read, person=user)

    def records(
        self,
        user: str | None = None,
        *,
        kinds: Sequence[str] | None = None,
        where: Mapping[str, Any] | None = None,
        session: str | None = None,
        limit: int = 50,
        space: str | None = None,
    ) -> list[Record]:
        """Current records that a person may see, newest first: by kind, metadata or session, without a question."""
        require_counts(least=0, limit=limit)
        view, _ = self._engine.view_for(user, space, kinds=kinds, where=where, session=session)
        found = self._engine.store.read(lambda t: t.records.find(view, limit=limit), person=user)
        self._engine.note_reading("list", found, user=user)
        return found

    def supersede(self, older_id: str, newer_id: str, *, reason: str = "", user: str | None = None) -> Record:
        """Have a newer record replace an older one, or lower the confidence in it, as its kind says.

        What a person validated stays: correct it instead.
        """
        now = self._engine.clock()

        def work(tables: Tables, older: Record, preset: Preset) -> Record:
            newer = lifecycle.need(tables, newer_id, reader=user)
            if older.validated and not newer.validated:
                raise NotAllowed(f"a person validated {older.id}: only the person can correct it")
            if older.id == newer.id or (older.space, older.user) != (newer.space, newer.user):
                raise NotAllowed(f"{newer.id} cannot supersede {older.id}: they must be two records of one person")
            if preset.kind(older.kind).conflict == "demote":
                lifecycle.demote_record(tables, older, newer, to=preset.distil.demoted_to, at=now, reason=reason)
            else:
                lifecycle.supersede_record(tables, older, newer, at=now, reason=reason)
            return lifecycle.need(tables, older.id)

        return self._engine.change_record(older_id, "mark outdated", work, user=user)
