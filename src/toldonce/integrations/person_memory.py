"""The memory of one person as agent frameworks use it: a block for the prompt, turns that are observed, search, tools.

Who the person is comes from the host's own configuration, never from a text or from the arguments of a tool. A text
that cannot be remembered as it is, one too long for instance, is logged and does not stop the agent; a store that
cannot be reached is an error.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, get_args

from toldonce.errors import InputError
from toldonce.integrations.hosts import ContextProvider, HostTool, ToolProvider
from toldonce.records import State
from toldonce.tools.definition import Caller

if TYPE_CHECKING:
    from toldonce.distil.settle import Settled
    from toldonce.memory import Memory
    from toldonce.records import Hits

P = ParamSpec("P")
T = TypeVar("T")
MESSAGE_ID = "message_id"
_TEXT_PARTS = ("text", "input_text", "output_text", None)
log = logging.getLogger("toldonce.agents")


@dataclass(frozen=True, slots=True)
class PersonMemory:
    """A memory for one person. `session` names the conversation, `budget` limits the block's tokens."""

    memory: Memory
    user: str | None = None
    session: str | None = None
    space: str | None = None
    budget: int | None = None

    @classmethod
    def __get_pydantic_core_schema__(cls, *_: object) -> Any:
        """What pydantic checks of a field with this type: that it is one, not what its own annotations say."""
        from pydantic_core import core_schema

        return core_schema.is_instance_schema(cls)

    @property
    def caller(self) -> Caller:
        """On whose behalf tools are called."""
        return Caller(user=self.user, session=self.session, space=self.space)

    def recall_block(self, prompt: str) -> str:
        """What helps with a prompt, marked as data; empty when nothing does or nothing was asked."""
        return ContextProvider(self.memory, self.caller, self.budget).get_context(prompt) if prompt.strip() else ""

    def search(self, query: str, limit: int | None = None) -> Hits:
        """The records that help with a question, best first; where the host asks for a number, as many as there are."""
        min_score = None if limit is None else 0.0
        return self.memory.recall(query, self.user, limit=limit, min_score=min_score, space=self.space)

    def observe(self, text: str, role: str = "user", *, message_id: str | None = None) -> None:
        """Observe a message. One with an id that was observed before, as frameworks repeat them, is left out."""
        if not text.strip() or (message_id is not None and self._has_observed(message_id)):
            return
        metadata = {MESSAGE_ID: message_id} if message_id is not None else None
        try:
            self.memory.observe(text, self.user, session=self.session, role=role, space=self.space, metadata=metadata)
        except InputError as problem:
            log.warning("a message is not remembered: %s", problem)

    def observe_turn(self, turn: Iterable[tuple[str, str]]) -> None:
        """Observe what was said in a turn, each a role and a text."""
        for role, text in turn:
            self.observe(text, role)

    def remember(self, text: str, *, metadata: Mapping[str, Any] | None = None) -> None:
        """Keep a statement that an agent found worth keeping."""
        try:
            self.memory.remember(
                text, user=self.user, session=self.session, space=self.space, made_by="agent", metadata=metadata
            )
        except InputError as problem:
            log.warning("a statement is not remembered: %s", problem)

    def settle(self) -> list[Settled]:
        """Finish the conversation now: it becomes facts and notes."""
        return self.memory.settle(session=self.session, user=self.user, space=self.space)

    def tools(self) -> list[HostTool]:
        """The tools that the preset gives its agent, each with a JSON schema."""
        return ToolProvider.over(self.memory, self.caller).get_tools()

    def _has_observed(self, message_id: str) -> bool:
        """Whether it was, in this session. One that was forgotten since is not observed again either."""
        found = self.memory.review.records(
            self.user,
            where={MESSAGE_ID: message_id},
            session=self.session,
            states=get_args(State),
            limit=1,
            space=self.space,
        )
        return bool(found)


# One person, or how to find the person in what the host configured for a run: its context, dependencies or state.
Whose = PersonMemory | Callable[[Any], PersonMemory]


def find_person(whose: Whose, configured: Any) -> PersonMemory:
    """Whose memory a run uses."""
    if isinstance(whose, PersonMemory):
        return whose
    found = whose(configured)
    if not isinstance(found, PersonMemory):
        raise InputError(f"the person of a run must be a PersonMemory, not {type(found).__name__}")
    return found


async def in_thread(call: Callable[P, T], /, *args: P.args, **options: P.kwargs) -> T:
    """The result of a blocking call, made in a thread."""
    return await asyncio.to_thread(call, *args, **options)


def require_name(value: object, where: str) -> str:
    """A name from the host's configuration; InputError says where to set one that is missing."""
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{where} must name the person: set it in the configuration of the run, not in the prompt")
    return value


def read_text(content: object) -> str:
    """What a message says in words: a text, or the text parts of a list; images, files and tool calls are left out."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list | tuple) else [content]
    return "\n".join(text for part in parts if (text := _read_part(part)))


def _read_part(part: object) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, Mapping):
        text = part.get("text") if part.get("type") in _TEXT_PARTS else None
    else:
        text = getattr(part, "text", None) if getattr(part, "type", None) in _TEXT_PARTS else None
    return text if isinstance(text, str) else ""
