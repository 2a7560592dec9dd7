"""What a host with agents of its own needs: lists of records, documents, and settling that somebody else does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from recollect.capture.fields import require_counts
from recollect.clock import as_moment
from recollect.curate import Curated
from recollect.errors import NotAllowed
from recollect.presets.policy import Preset
from recollect.records import Conversation, Document, Record
from recollect.storage import lifecycle
from recollect.storage.store import Tables

if TYPE_CHECKING:
    from recollect.distil.writer import Writer
    from recollect.storage.tables.usage import Usage


class Hosted(Curated):
    """A memory as a host's own agents use it, beside what people do in it."""

    def records(
        self, user: str | None = None, *, kinds: Sequence[str] | None = None, where: Mapping[str, Any] | None = None,
        session: str | None = None, limit: int = 50, space: str | None = None,
    ) -> list[Record]:  # fmt: skip
        """What counts now and a person may see, newest first: by kind, metadata or session, without a question."""
        require_counts(least=0, limit=limit)
        view, _ = self._view(user, space, kinds=kinds, where=where, session=session)
        found = self.store.read(lambda t: t.records.find(view, limit=limit))
        self._note_reading("list", found, user=user)
        return found

    def usage(self, *, space: str | None = None, since: datetime | str | None = None) -> list[Usage]:
        """What language models were asked: calls, tokens and cost per space, task and model, from that day on."""
        day = as_moment(since, self.clock()) if since is not None else None
        return self.store.read(lambda t: t.ledger.usage(space, since=day))

    def document(
        self, name: str, *, owner: str = "", user: str | None = None, space: str | None = None
    ) -> Document | None:
        """The current version of a document of the space, or of a person in it; None when there is none.

        With `user`, only the entries of another person's document whose sources that person may see.
        """
        found = self._document(self._at(space, reader=user)[0].name, owner, name, as_of=None)
        return found if found is None or user is None or owner in ("", user) else self._as_shown_to(user, found)

    def change_document(
        self, name: str, change: Callable[[Document], Document | None], *, owner: str = "", space: str | None = None,
        writer: Writer | None = None,
    ) -> Document | None:  # fmt: skip
        """What `change` makes of a document, kept in the same step; None when there was nothing to change.

        A document of the same version takes the place of the one that `change` got, one of a higher version follows it.
        A writer whose drafts are in the change is told in the same step that they are stored.
        """
        home, now = self._at(space)[0], self.clock()

        def work(tables: Tables) -> Document | None:
            before = tables.documents.get(home.name, owner, name)
            after = change(before or Document(name=name, owner=owner, space=home.name, version=0, entries=(), at=now))
            if after is not None and before is not None and after.version == before.version:
                tables.documents.rewrite(after)
            elif after is not None:
                tables.documents.put(after)
            if writer is not None:
                writer.stored(tables)
            return after

        return self._write(work)

    def unsettled(
        self, *, session: str | None = None, user: str | None = None, space: str | None = None
    ) -> list[Conversation]:
        """Conversations that are open or wait to be settled, oldest first; with `user`, those that person began."""
        home, _ = self._at(space, reader=user)
        return self.store.read(lambda t: t.conversations.unsettled(home.name, session=session, user=user))

    def mark_settled(self, session: str, *, space: str | None = None) -> int:
        """Somebody else drew what matters from a session: it is not settled again; returns how many conversations."""
        home, now = self._at(space)[0], self.clock()

        def work(tables: Tables) -> int:
            waiting = tables.conversations.unsettled(home.name, session=session)
            for conversation in waiting:
                tables.conversations.end(conversation.id, ended_by="session_end")
            return sum(tables.conversations.settle(conversation.id, at=now) for conversation in waiting)

        return self._write(work)

    def outdate(self, older_id: str, newer_id: str, *, reason: str = "", user: str | None = None) -> Record:
        """The newer record holds against the older one, which is replaced or hardly believed, as its kind says.

        What a person validated stays: correct it instead.
        """
        now = self.clock()

        def work(tables: Tables, older: Record, preset: Preset) -> Record:
            newer = lifecycle.need(tables, newer_id, reader=user)
            if older.validated and not newer.validated:
                raise NotAllowed(f"a person validated {older.id}: only the person can correct it")
            if older.id == newer.id or (older.space, older.user) != (newer.space, newer.user):
                raise NotAllowed(f"{newer.id} cannot outdate {older.id}: they must be two records of one person")
            if preset.kind(older.kind).conflict == "demote":
                lifecycle.demote(tables, older, newer, to=preset.distil.demoted_to, at=now, reason=reason)
            else:
                lifecycle.supersede(tables, older, newer, at=now, reason=reason)
            return lifecycle.need(tables, older.id)

        return self._on(older_id, "outdate", work, user=user)
