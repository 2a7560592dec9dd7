"""The two formats of OpenAI that carry a conversation: chat completions and responses.

A parsed request comes in; what is new in it and a copy with a block inserted go out. Answers are read from parsed JSON,
whole or event by event. Nothing here knows the memory, and what cannot be read is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from toldonce.integrations.person_memory import read_text

Body = dict[str, Any]
_INSTRUCTION_ROLES = ("system", "developer")
# Calls of tools, their results and everything else that is neither said by the person nor an instruction.
_OTHER = "other"


@dataclass(frozen=True, slots=True)
class AskedExchange:
    """What a request asks: who said what so far, and the conversation it names, if it does."""

    messages: tuple[tuple[str, str], ...]
    conversation: str = ""
    previous_answer: str = ""

    @property
    def new_texts(self) -> tuple[str, ...]:
        """What the person said since the last answer; nothing when the request only brings results of tools."""
        found = []
        for role, text in reversed(self.messages):
            if role not in ("user", *_INSTRUCTION_ROLES):
                break
            if role == "user" and text.strip():
                found.append(text)
        return tuple(reversed(found))

    @property
    def said(self) -> tuple[str, ...]:
        """Everything that the person said, oldest first."""
        return tuple(text for role, text in self.messages if role == "user" and text.strip())


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What a model answered, as far as it is known. Only a whole answer is one that the person got to read."""

    text: str = ""
    answer_id: str = ""
    is_whole: bool = False

    def extend(self, text: str = "", *, answer_id: str = "", is_whole: bool = False) -> ModelAnswer:
        """The answer with what one more event says."""
        return ModelAnswer(self.text + text, self.answer_id or answer_id, self.is_whole or is_whole)


class ConversationFormat(Protocol):
    """One way to ask a model and to be answered."""

    @property
    def path(self) -> str:
        """Where requests of this format go, behind the base address."""
        ...

    def read_exchange(self, body: Body) -> AskedExchange | None:
        """What a request asks; None when it cannot be read."""
        ...

    def insert_block(self, body: Body, block: str) -> Body:
        """A copy of the request with a block among its instructions."""
        ...

    def read_answer(self, body: Any) -> ModelAnswer:
        """The answer in one whole JSON document."""
        ...

    def read_event(self, event: Any, so_far: ModelAnswer) -> ModelAnswer:
        """The answer after one more event of a stream."""
        ...


@dataclass(frozen=True, slots=True)
class ChatFormat:
    """`POST /chat/completions`: every request carries the whole conversation."""

    path: str = "/chat/completions"

    def read_exchange(self, body: Body) -> AskedExchange | None:
        """See ConversationFormat."""
        messages = body.get("messages")
        return AskedExchange(tuple(_list_messages(messages))) if isinstance(messages, list) else None

    def insert_block(self, body: Body, block: str) -> Body:
        """See ConversationFormat.

        It joins the first message where that one instructs the model: many models take only one such message, and only
        at the beginning.
        """
        first, *rest = body["messages"] or [None]
        if not isinstance(first, dict) or first.get("role") not in _INSTRUCTION_ROLES:
            return {**body, "messages": [{"role": "system", "content": block}, *body["messages"]]}
        return {**body, "messages": [{**first, "content": _join_content(first.get("content"), block)}, *rest]}

    def read_answer(self, body: Any) -> ModelAnswer:
        """See ConversationFormat."""
        message = _find_field(_first_choice(body), "message")
        return ModelAnswer(read_text(_find_field(message, "content")), is_whole=True)

    def read_event(self, event: Any, so_far: ModelAnswer) -> ModelAnswer:
        """See ConversationFormat."""
        choice = _first_choice(event)
        text = _find_field(_find_field(choice, "delta"), "content")
        is_whole = _find_field(choice, "finish_reason") is not None
        return so_far.extend(text if isinstance(text, str) else "", is_whole=is_whole)


@dataclass(frozen=True, slots=True)
class ResponsesFormat:
    """`POST /responses`: a request carries the conversation, or only what is new after an answer that it names."""

    path: str = "/responses"

    def read_exchange(self, body: Body) -> AskedExchange | None:
        """See ConversationFormat."""
        given = body.get("input")
        items = [{"role": "user", "content": given}] if isinstance(given, str) else given
        if not isinstance(items, list):
            return None
        named = body.get("conversation")
        conversation = named if isinstance(named, str) else _find_field(named, "id")
        previous = body.get("previous_response_id")
        return AskedExchange(
            tuple(_list_messages(items)),
            conversation if isinstance(conversation, str) else "",
            previous if isinstance(previous, str) else "",
        )

    def insert_block(self, body: Body, block: str) -> Body:
        """See ConversationFormat.

        Instructions hold for one request, so blocks do not pile up in a conversation that the model's server keeps.
        Those of a stored prompt would be replaced by them: there the block is a message.
        """
        if body.get("prompt") is None:
            own = body.get("instructions")
            return {**body, "instructions": f"{own}\n\n{block}" if isinstance(own, str) and own else block}
        given = body["input"]
        items = [{"role": "user", "content": given}] if isinstance(given, str) else given
        return {**body, "input": [{"role": "developer", "content": block}, *items]}

    def read_answer(self, body: Any) -> ModelAnswer:
        """See ConversationFormat."""
        output, answer_id = _find_field(body, "output"), _find_field(body, "id")
        messages = [m for m in output if _find_field(m, "type") == "message"] if isinstance(output, list) else []
        is_whole = _find_field(body, "status") in ("completed", "incomplete", None)
        text = "\n".join(said for message in messages if (said := read_text(_find_field(message, "content"))))
        return ModelAnswer(text, answer_id if isinstance(answer_id, str) else "", is_whole)

    def read_event(self, event: Any, so_far: ModelAnswer) -> ModelAnswer:
        """See ConversationFormat. The last event repeats the whole answer."""
        if _find_field(event, "type") not in ("response.completed", "response.incomplete"):
            return so_far
        return self.read_answer(_find_field(event, "response"))


FORMATS: Sequence[ConversationFormat] = (ChatFormat(), ResponsesFormat())


def _list_messages(items: Sequence[Any]) -> Iterator[tuple[str, str]]:
    """Role and text of each message; images and files have no text."""
    for item in items:
        role = _find_field(item, "role")
        is_message = isinstance(role, str) and _find_field(item, "type") in (None, "message")
        yield (role, read_text(_find_field(item, "content"))) if is_message else (_OTHER, "")


def _join_content(content: Any, block: str) -> Any:
    if isinstance(content, list):
        return [*content, {"type": "text", "text": block}]
    return f"{content}\n\n{block}" if isinstance(content, str) and content else block


def _first_choice(body: Any) -> Any:
    """The first of several answers, or of several parts of them: the others were not what the person read."""
    choices = _find_field(body, "choices")
    listed = choices if isinstance(choices, list) else []
    return next((choice for choice in listed if _find_field(choice, "index") in (0, None)), None)


def _find_field(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else None
