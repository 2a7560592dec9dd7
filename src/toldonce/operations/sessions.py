"""`memory.sessions`: the turns of a session, what it was shown, and conversations that are not settled yet."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from toldonce.capture.fields import check_counts
from toldonce.capture.observe import end_all
from toldonce.errors import ModelError
from toldonce.operations.engine import Engine
from toldonce.records import Conversation, Question, Record
from toldonce.storage import lifecycle
from toldonce.storage.store import Tables

if TYPE_CHECKING:
    from toldonce.distil.settle import Settled


class Sessions:
    """Read the turns of a session and settle conversations one by one."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def window(
        self, session: str, *, turns: int | None = None, user: str | None = None, space: str | None = None
    ) -> list[Record]:
        """The last turns of a session, oldest first; with `user`, what that person may see of them."""
        check_counts(least=0, turns=turns)
        home, preset = self._engine.find_space(space, reader=user)
        limit = 2 * (preset.conversation.window_turns if turns is None else turns)
        now = self._engine.clock()
        found = self._engine.store.read(
            lambda t: t.search.read_window(home.name, session=session, channel=None, now=now, limit=limit, user=user),
            person=user,
        )
        self._engine.note_reading("read session", found, user=user)
        return found

    def around(self, record_id: str, *, reach: int = 2, user: str | None = None) -> list[Record]:
        """A message with up to `reach` messages before and after it in its conversation, oldest first.

        With `user`, those that the person may see. What is not a message comes back alone.
        """
        check_counts(least=0, reach=reach)

        def read(tables: Tables) -> list[Record]:
            record = lifecycle.need(tables, record_id, reader=user)
            windows = tables.search.read_windows(tables.records.find_places([record.id]), reach=reach)
            found = tables.records.by_seq(windows[0]) if windows and record.conversation else {}
            shown = [found[seq] for seq in (windows[0] if found else ()) if seq in found]
            return [one for one in shown if tables.people.may_read(one, user) and not _is_hidden(one)] or [record]

        found = self._engine.store.read(read, person=user)
        self._engine.note_reading("read session", found, user=user)
        return found

    def shown(self, session: str, *, user: str | None = None, space: str | None = None) -> frozenset[str]:
        """The ids of what a session was shown, where the preset shows a record once per session.

        With `user`, those that the person may see.
        """
        home, _ = self._engine.find_space(space, reader=user)

        def read(tables: Tables) -> frozenset[str]:
            kept = tables.documents.read_setting(home.name, f"shown:{session}")
            return _keep_readable(tables, frozenset((kept or "").split()), user)

        return self._engine.store.read(read)

    def mark_shown(
        self, session: str, ids: Iterable[str], *, user: str | None = None, space: str | None = None
    ) -> None:
        """Store that a session was shown these records; with `user`, those that the person may see."""
        home, _ = self._engine.find_space(space, reader=user)
        key, named = f"shown:{session}", frozenset(ids)

        def work(tables: Tables) -> None:
            new = _keep_readable(tables, named, user)
            before = tables.documents.read_setting(home.name, key) or ""
            tables.documents.set_setting(home.name, key, " ".join(sorted(new.union(before.split()))))

        self._engine.write(work)

    def unsettled(
        self, *, session: str | None = None, user: str | None = None, space: str | None = None
    ) -> list[Conversation]:
        """Conversations that are open or wait to be settled, oldest first; with `user`, those that person began."""
        home, _ = self._engine.find_space(space, reader=user)
        return self._engine.store.read(lambda t: t.conversations.find_unsettled(home.name, session=session, user=user))

    def mark_settled(self, session: str, *, space: str | None = None) -> int:
        """Mark a session as settled by someone else, so that it is not settled again; how many conversations."""
        home, now = self._engine.find_space(space)[0], self._engine.clock()

        def work(tables: Tables) -> int:
            waiting = tables.conversations.find_unsettled(home.name, session=session)
            return sum(_settle_without_reading(tables, conversation, at=now) for conversation in waiting)

        return self._engine.write(work)

    def settle_each(self, conversations: Iterable[Conversation], *, reader: str | None, now: datetime) -> list[Settled]:
        """Settle conversations that have ended; what each gave, as far as a reader may see it.

        Raises ModelError when a model failed and conversations wait for it; all others are settled.
        """
        from toldonce.distil.settle import filter_settled_for

        settled, failed = [], []
        for conversation in conversations:
            try:
                settled.append(self.settle_one(conversation, now=now))
            except ModelError as problem:
                failed.append(problem)
        if failed:
            count = len(settled) + len(failed)
            message = f"{len(failed)} of {count} conversations wait and will be tried again: {failed[0]}"
            raise ModelError(message, retry_after_s=failed[0].retry_after_s) from failed[0]
        return [filter_settled_for(reader, done) for done in settled if done is not None]

    def settle_one(self, conversation: Conversation, *, now: datetime, last_try: bool = True) -> Settled | None:
        """Turn one conversation into knowledge; None when it was settled before.

        When a model fails the conversation waits, or rules do the work if the preset says so and this is the last try.
        """
        from toldonce.distil.settle import settle_conversation
        from toldonce.distil.writer import RulesWriter

        home, preset = self._engine.find_space(conversation.space)
        by_rules = last_try and preset.distil.when_model_fails == "rules"
        doubts = self._engine.store.read(lambda t: t.conversations.questions(home.name))
        if doubts:
            doubts = self._answer_doubts(doubts, conversation)
        done = settle_conversation(
            self._engine.store,
            conversation,
            preset=preset,
            space=home,
            writer=self._engine.writer_for(home.name),
            stand_in=RulesWriter() if by_rules else None,
            embedder=self._engine.embedder,
            now=now,
        )
        if doubts and done is not None and done.repeated:
            self._take_repeated(doubts, done.repeated, conversation)
        return done

    def _answer_doubts(self, doubts: list[Question], conversation: Conversation) -> list[Question]:
        """Take what people replied about open questions as their answers; the questions that stay open."""
        from toldonce.distil.settle import read_talk
        from toldonce.operations.corrections import answer_from_talk

        said = self._engine.store.read(lambda t: read_talk(t, conversation))
        return [doubt for doubt in doubts if not answer_from_talk(self._engine, doubt, said)]

    def _take_repeated(self, doubts: list[Question], repeated: Collection[str], conversation: Conversation) -> None:
        """Take what people said once more as their answer to a question that was open when they said it."""
        from toldonce.operations.corrections import answer_by_repeating

        for doubt in doubts:
            if doubt.created_at < conversation.updated_at:
                answer_by_repeating(self._engine, doubt, repeated)


def _keep_readable(tables: Tables, ids: frozenset[str], user: str | None) -> frozenset[str]:
    if user is None or not ids:
        return ids
    return frozenset(i for i, record in tables.records.get(ids).items() if tables.people.may_read(record, user))


def end_conversations(
    engine: Engine, *, session: str | None, channel: str | None, user: str | None, space: str | None
) -> list[Conversation]:
    """End these conversations now; returns those that are not settled."""
    home, _ = engine.find_space(space, reader=user)
    engine.write(lambda t: end_all(t, home.name, session=session, channel=channel, user=user, at=engine.clock()))
    return engine.store.read(
        lambda t: t.conversations.find_unsettled(home.name, session=session, channel=channel, user=user)
    )


def _settle_without_reading(tables: Tables, conversation: Conversation, *, at: datetime) -> bool:
    """End a conversation from which somebody else learned; False when it was settled before."""
    tables.conversations.end(conversation.id, ended_by="session_end")
    if not tables.conversations.settle(conversation.id, at=at):
        return False
    detail = {"conversation": conversation.id, "records": 0, "documents": 0}
    tables.audit.add(conversation.space, "settle", at=at, detail=detail)
    return True


def _is_hidden(record: Record) -> bool:
    """Whether a person took a message out of memory."""
    return record.state in ("forgotten", "flagged")
