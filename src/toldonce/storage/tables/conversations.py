"""Conversations: open, ended, settled; the messages in them, and the questions to ask in the next one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from toldonce.clock import from_micros, to_micros
from toldonce.records import Conversation, Question, Record
from toldonce.storage.rows import Rows
from toldonce.storage.tables.audit import AuditTable
from toldonce.storage.tables.records import from_stored_time, record_from_row, to_stored_time


@dataclass(frozen=True, slots=True)
class Said:
    """What somebody said, or a machine said to `user`."""

    user: str | None
    is_human: bool
    text: str


class ConversationTable:
    """What is being said, and what waits to be settled."""

    __slots__ = ("_rows", "_tenant")

    def __init__(self, rows: Rows, tenant: str) -> None:
        self._rows = rows
        self._tenant = tenant

    def open_one(self, space: str, key: str) -> Conversation | None:
        """The open conversation of a key."""
        row = self._rows.one("open_conversation", tenant=self._tenant, space=space, key=key)
        return _conversation_from_row(row) if row else None

    def open_elsewhere(self, space: str, *, user: str | None, session: str | None) -> list[Conversation]:
        """Open conversations of the same person in other sessions."""
        rows = self._rows.all("other_open_conversations", tenant=self._tenant, space=space, user=user, session=session)
        return [_conversation_from_row(row) for row in rows]

    def add(self, conversation: Conversation) -> None:
        """Open a conversation, still without messages."""
        self._rows.run(
            "add_conversation",
            tenant=self._tenant,
            id=conversation.id,
            space=conversation.space,
            key=conversation.key,
            user=conversation.user,
            session=conversation.session,
            channel=conversation.channel,
            started_at=to_micros(conversation.started_at),
            updated_at=to_micros(conversation.updated_at),
        )

    def extend(self, conversation_id: str, *, first: datetime, last: datetime, count: int = 1) -> None:
        """`count` more messages were said between two moments."""
        self._rows.run(
            "extend_conversation",
            tenant=self._tenant,
            id=conversation_id,
            first=to_micros(first),
            last=to_micros(last),
            count=count,
        )

    def end(self, conversation_id: str, *, ended_by: str) -> bool:
        """Close it for more messages; False if it was closed already."""
        return self._rows.run("end_conversation", tenant=self._tenant, id=conversation_id, ended_by=ended_by) > 0

    def last_settled(self, space: str) -> dict[str, datetime]:
        """When something that a person began was last settled, for everyone of whom that happened."""
        rows = self._rows.all("last_settled", tenant=self._tenant, space=space)
        return {row[0]: from_micros(row[1]) for row in rows}

    def settle(self, conversation_id: str, *, at: datetime) -> bool:
        """Mark it settled; False if someone else did."""
        return self._rows.run("settle_conversation", tenant=self._tenant, id=conversation_id, at=to_micros(at)) > 0

    def reopen(self, conversation_id: str) -> bool:
        """Have a settled conversation settled again; False if it was not settled."""
        return self._rows.run("reopen_conversation", tenant=self._tenant, id=conversation_id) > 0

    def get(self, conversation_id: str) -> Conversation | None:
        """A conversation by id."""
        row = self._rows.one("get_conversation", tenant=self._tenant, id=conversation_id)
        return _conversation_from_row(row) if row else None

    def find_unsettled(
        self, space: str | None, *, session: str | None = None, channel: str | None = None, user: str | None = None
    ) -> list[Conversation]:
        """Conversations that are open or wait to be settled, oldest first."""
        rows = self._rows.all(
            "list_conversations", tenant=self._tenant, space=space, session=session, channel=channel, user=user
        )
        return [_conversation_from_row(row) for row in rows]

    def last_said(self, conversation_id: str) -> list[Said]:
        """The newest messages of a conversation, in order."""
        return _said_from_rows(self._rows.all("last_said", tenant=self._tenant, conversation=conversation_id))

    def last_said_in(self, space: str, *, session: str | None, channel: str | None) -> list[Said]:
        """The newest messages of a session, a channel, or outside of both, in order."""
        given = {"tenant": self._tenant, "space": space, "session": session, "channel": channel}
        return _said_from_rows(self._rows.all("last_said_in", **given))

    def all(self, space: str | None) -> list[Conversation]:
        """Every conversation of a space."""
        return [
            _conversation_from_row(row) for row in self._rows.all("all_conversations", tenant=self._tenant, space=space)
        ]

    def restore(self, conversation: Conversation) -> None:
        """Put back a conversation exactly as it was exported."""
        c = conversation
        self._rows.run(
            "restore_conversation",
            tenant=self._tenant,
            id=c.id,
            space=c.space,
            key=c.key,
            user=c.user,
            session=c.session,
            channel=c.channel,
            started_at=to_micros(c.started_at),
            updated_at=to_micros(c.updated_at),
            messages=c.messages,
            state=c.state,
            ended_by=c.ended_by,
            settled_at=to_stored_time(c.settled_at),
        )

    def read_messages(self, conversation_id: str, *, after: int = 0, limit: int = 500) -> list[tuple[int, Record]]:
        """What was said, in order, after a place."""
        rows = self._rows.all(
            "conversation_messages", tenant=self._tenant, conversation=conversation_id, after=after, limit=limit
        )
        return [(row[0], record_from_row(row)) for row in rows]

    def ask(self, question: Question) -> None:
        """Keep a question for the person, with an entry in the audit log."""
        q = question
        is_new = self._rows.run(
            "add_question",
            tenant=self._tenant,
            id=q.id,
            space=q.space,
            user=q.user,
            text=q.text,
            older=q.older,
            newer=q.newer,
            created_at=to_micros(q.created_at),
            answered_at=to_stored_time(q.answered_at),
            answer=q.answer,
        )
        if is_new:
            self._note_question(q, "ask question", at=q.created_at)

    def questions(
        self, space: str | None, *, user: str | None = None, only_open: bool = True, question_id: str | None = None
    ) -> list[Question]:
        """Questions for a person, oldest first."""
        rows = self._rows.all(
            "list_questions", tenant=self._tenant, space=space, user=user, open=int(only_open), id=question_id
        )
        return [
            Question(
                id=r[0],
                space=r[1],
                user=r[2],
                text=r[3],
                older=r[4],
                newer=r[5],
                created_at=from_micros(r[6]),
                answered_at=from_stored_time(r[7]),
                answer=r[8],
            )
            for r in rows
        ]

    def answer(self, question_id: str, text: str, *, at: datetime) -> None:
        """Close a question, with an entry in the audit log."""
        self._rows.run("answer_question", tenant=self._tenant, id=question_id, answer=text, at=to_micros(at))
        for question in self.questions(None, only_open=False, question_id=question_id):
            self._note_question(question, "answer question", at=at)

    def _note_question(self, question: Question, action: str, *, at: datetime) -> None:
        detail = {"question": question.id}
        AuditTable(self._rows, self._tenant).add(question.space, action, at=at, detail=detail)


def _said_from_rows(rows: list[tuple[Any, ...]]) -> list[Said]:
    return [Said(user, role == "user", text) for user, role, text in reversed(rows)]


def _conversation_from_row(row: tuple[Any, ...]) -> Conversation:
    return Conversation(
        id=row[0],
        space=row[1],
        key=row[2],
        user=row[3],
        session=row[4],
        channel=row[5],
        started_at=from_micros(row[6]),
        updated_at=from_micros(row[7]),
        messages=row[8],
        state=row[9],
        ended_by=row[10],
        settled_at=from_stored_time(row[11]),
    )
