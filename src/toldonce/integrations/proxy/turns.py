"""The memory's side of a request: whose it is, which block it gets, and what of it is observed.

Only requests of people who are known here, or of everyone where that was chosen, have a memory. When the memory fails,
the request goes on without it. Nothing of a request but its messages is stored.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from toldonce.access import acting_as
from toldonce.capture.fields import check_names
from toldonce.errors import InputError
from toldonce.integrations.proxy.formats import AskedExchange, Body, ConversationFormat, ModelAnswer
from toldonce.integrations.recent_values import RecentValues
from toldonce.logs import locate_exception

if TYPE_CHECKING:
    from toldonce.memory import Memory

USER_HEADER, SESSION_HEADER, MEMORY_HEADER = "x-toldonce-user", "x-toldonce-session", "x-toldonce-memory"
# Within this time the same message after the same conversation is a repeated request, as when an answer is made again.
REPEATED_WITHIN = timedelta(minutes=10)
log = logging.getLogger("toldonce.proxy")


@dataclass(frozen=True, slots=True)
class Turn:
    """One request with what the memory does for it; `state` says "on", or why the memory is off."""

    state: str
    content: bytes
    user: str = ""
    session: str = ""
    new_texts: tuple[str, ...] = ()
    asked: str = ""
    key: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProxyPeople:
    """Whose requests have a memory: people known here, and with `everyone` whoever is named.

    `default` is meant where a request names nobody, and counts as known.
    """

    everyone: bool = False
    default: str | None = None


class TurnMemory:
    """Gives requests their block and observes what was said. Its methods wait for the store: call them in a thread."""

    def __init__(self, memory: Memory, *, people: ProxyPeople | None = None, space: str | None = None) -> None:
        self._memory = memory
        self._people = people or ProxyPeople()
        self._space = space
        # By person and id of an answer: the session it belongs to, and what the person had asked.
        self._answers: RecentValues[tuple[str, str], tuple[str, str]] = RecentValues()
        self._kept: RecentValues[str, datetime] = RecentValues()

    def begin(self, wire: ConversationFormat, content: bytes, headers: Mapping[str, str]) -> Turn:
        """The request as it goes to the model."""
        if headers.get(MEMORY_HEADER, "").strip().casefold() == "off":
            return Turn("off: as the request says", content)
        try:
            body = json.loads(content)
        except (ValueError, RecursionError):
            return Turn("off: the request is not JSON", content)
        exchange = wire.read_exchange(body) if isinstance(body, dict) else None
        if exchange is None:
            return Turn("off: the request has no messages", content)
        try:
            return self._begin_exchange(wire, content, body, exchange=exchange, headers=headers)
        except InputError as problem:
            log.info("a request has no memory: %s", problem)
            return Turn("off: its person or session cannot be used", content)
        except Exception as problem:
            log.error("the memory failed, a request goes on without it: %s", locate_exception(problem))
            return Turn("off: the memory failed", content)

    def keep(self, turn: Turn, answer: ModelAnswer) -> None:
        """Observe what the person said and, if it came whole, what the model answered."""
        if turn.state != "on":
            return
        try:
            with acting_as(interface="proxy", person=turn.user):
                self._keep_messages(turn, answer)
        except Exception as problem:
            log.error("the memory failed, a message was not kept: %s", locate_exception(problem))

    def _begin_exchange(
        self,
        wire: ConversationFormat,
        content: bytes,
        body: Body,
        *,
        exchange: AskedExchange,
        headers: Mapping[str, str],
    ) -> Turn:
        user = self._find_user(body, headers)
        if not user:
            return Turn("off: nobody is named", content)
        check_names(user=user)
        if not self._is_known(user):
            return Turn("off: unknown person", content)
        if self._memory.people.is_kept_out(user, space=self._space):
            return Turn("off: kept out of memory", content)
        session, asked = self._find_session(user, exchange, headers)
        new_texts = exchange.new_texts
        block = self._make_block(asked, user=user, session=session, is_new=bool(new_texts))
        if block:
            content = json.dumps(wire.insert_block(body, block)).encode()
        key = _hash_texts(user, session, exchange.previous_answer, *(t for pair in exchange.messages for t in pair))
        return Turn("on", content, user, session, new_texts, asked, key, self._memory.clock())

    def _find_user(self, body: Body, headers: Mapping[str, str]) -> str:
        """The person of a request: of its header, else of its field `user`, else as set."""
        named = body.get("user")
        field = named if isinstance(named, str) else ""
        return headers.get(USER_HEADER, "").strip() or field.strip() or self._people.default or ""

    def _is_known(self, user: str) -> bool:
        if self._people.everyone or user == self._people.default:
            return True
        home, _ = self._memory.engine.find_space(self._space)
        return self._memory.store.read(lambda t: t.people.get(home.name, user)) is not None

    def _find_session(self, user: str, exchange: AskedExchange, headers: Mapping[str, str]) -> tuple[str, str]:
        """The session of a request, and what the person asked last in it.

        Without a header it is made of how the conversation began, which every later request of it repeats.
        """
        session, asked = self._answers.get((user, exchange.previous_answer)) or ("", "")
        if exchange.said:
            asked = exchange.said[-1]
        if named := headers.get(SESSION_HEADER, "").strip():
            return named, asked
        if exchange.conversation:
            return f"proxy-{_hash_texts(user, exchange.conversation)}", asked
        began = exchange.previous_answer or (exchange.said[0] if exchange.said else "")
        return session or f"proxy-{_hash_texts(user, began)}", asked

    def _make_block(self, asked: str, *, user: str, session: str, is_new: bool) -> str:
        if not asked:
            return ""
        _, preset = self._memory.engine.find_space(self._space)
        # The client does not send earlier blocks again, so each request needs all of its own.
        shown_in = None if preset.context.once_per_session else session
        with acting_as(interface="proxy", person=user):
            return self._memory.context(asked, user, session=shown_in, space=self._space, counted=is_new).text

    def _keep_messages(self, turn: Turn, answer: ModelAnswer) -> None:
        if answer.answer_id:
            self._answers.put((turn.user, answer.answer_id), (turn.session, turn.asked))
        now = self._memory.clock()
        before = self._kept.get(turn.key)
        is_repeated = before is not None and now - before < REPEATED_WITHIN
        said = (
            [] if is_repeated else [self._make_message(text, turn, "user", turn.at or now) for text in turn.new_texts]
        )
        if answer.is_whole and answer.text.strip():
            said.append(self._make_message(answer.text, turn, "assistant", now))
        if said:
            self._observe(said)
        if turn.new_texts:
            self._kept.put(turn.key, now)

    def _make_message(self, text: str, turn: Turn, role: str, at: datetime) -> dict[str, Any]:
        return {
            "text": text,
            "user": turn.user,
            "session": turn.session,
            "role": role,
            "at": at,
            "space": self._space,
        }

    def _observe(self, messages: Sequence[Mapping[str, Any]]) -> None:
        """Observe these together; where one of them cannot be kept, the others are kept by themselves."""
        try:
            self._memory.observe_many(messages)
        except InputError as problem:
            if len(messages) == 1:
                log.info("a message was not kept: %s", problem)
                return
            for message in messages:
                self._observe([message])


def _hash_texts(*texts: str) -> str:
    """A short name for texts, the same in every process."""
    whole = json.dumps(texts).encode()
    return hashlib.blake2b(whole, digest_size=10).hexdigest()
