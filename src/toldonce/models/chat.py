"""What answers in words: the contract of a chat model, and one behind an HTTP address.

Messages go out, one answer with its token counts comes back. It asks for JSON in the strictest form that the model is
known to take and goes down from there; it neither checks an answer nor tries a failed call again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol
from urllib.parse import urlsplit

from toldonce.errors import ModelError, ModelRefused
from toldonce.models.http_json import post_json
from toldonce.models.load import ChatAddress

# From the strictest on: the server holds the model to the schema; to JSON of any shape; to nothing, the prompt asks.
FORMS = ("schema", "object", "prompt")
Form = Literal["schema", "object", "prompt"]

# What servers answer to a form that they do not know; another cause ends in the same answer for every form.
_NOT_THAT_FORM = frozenset({400, 404, 415, 422, 501})
_known_forms: dict[tuple[str, str], int] = {}

# Requests with one key go to one machine of the provider, which has their common beginning in its cache. Servers that
# only speak OpenAI's language may refuse the key.
CACHE_KEY_HOSTS = frozenset(("api.openai.com",))


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message to a model."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class AnswerSchema:
    """The JSON that is wanted: what to call it, and its schema."""

    name: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model said and what that cost; one that is not whole was cut by a limit of length.

    `cached_tokens` of the input came from the provider's cache. A refused answer was stopped by policy or by a filter.
    """

    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    is_whole: bool = True
    cached_tokens: int = 0
    is_refused: bool = False


class Chat(Protocol):
    """A model that answers messages. Called from any thread."""

    @property
    def name(self) -> str:
        """The model's name, recorded with everything it made; it tells no secret of its address."""

    def ask(self, turns: Sequence[ChatMessage], *, asked: AnswerSchema, simpler: bool = False) -> Reply:
        """The model's answer; `simpler` asks in a less strict form, for a model that answered without JSON.

        Raises ModelError when there is none, with the wait that the server asked for.
        """


class WireFormat(Protocol):
    """How one provider spells requests and answers; pure."""

    def path(self, model: str) -> str:
        """What follows the address."""

    def headers(self, key: str) -> Mapping[str, str]:
        """How the key is handed over."""

    def body(self, model: str, turns: Sequence[ChatMessage], *, asked: AnswerSchema, form: Form) -> Mapping[str, Any]:
        """The request."""

    def reply(self, answer: Any) -> Reply:
        """The answer; raises KeyError, TypeError, IndexError or ValueError for what is none."""


class HttpChat:
    """A model at an address."""

    def __init__(self, address: ChatAddress, wire: WireFormat) -> None:
        self._address = address
        self._wire = wire
        self._url = address.url.rstrip("/") + wire.path(address.model)
        self._takes_cache_key = urlsplit(address.url).hostname in CACHE_KEY_HOSTS

    @property
    def name(self) -> str:
        return self._address.name

    def ask(self, turns: Sequence[ChatMessage], *, asked: AnswerSchema, simpler: bool = False) -> Reply:
        """The answer in the strictest form that works here, which is remembered while the process lives."""
        place = (self._address.url, self._address.model)
        first = min(_known_forms.get(place, 0) + simpler, len(FORMS) - 1)
        for number in range(first, len(FORMS)):
            form: Form = FORMS[number]  # type: ignore[assignment]
            told = _messages_with_schema(turns, asked, form)
            body = self._wire.body(self._address.model, told, asked=asked, form=form)
            if self._takes_cache_key:
                body = {**body, "prompt_cache_key": f"toldonce-{asked.name}"}
            try:
                reply = self._read(self._post(body))
            except ModelError as problem:
                is_refused = isinstance(problem, ModelRefused)
                if form == FORMS[-1] or is_refused or problem.status not in _NOT_THAT_FORM:
                    raise
                continue
            if number > first or (simpler and is_json(reply.text)):
                _known_forms[place] = number
            return reply
        raise AssertionError("the last form either answers or raises")

    def _read(self, answer: Any) -> Reply:
        try:
            return self._wire.reply(answer)
        except (KeyError, TypeError, IndexError, ValueError, AttributeError) as problem:
            raise ModelError(f"{self._url} did not answer as a model does: {type(problem).__name__}") from problem

    def _post(self, body: Mapping[str, Any]) -> Any:
        if self._address.lacks_key:
            raise ModelError(f"there is no key for {self.name}: set {self._address.key_variable}")
        headers = self._wire.headers(self._address.key)
        return post_json(self._url, body, headers=headers, timeout_s=self._address.timeout_s)


def open_chat(address: ChatAddress) -> HttpChat:
    """The model at an address."""
    from toldonce.models.chat_wires import WIRES

    return HttpChat(address, WIRES[address.wire])


def is_json(text: str) -> bool:
    """Whether a text is one JSON object and nothing else."""
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _messages_with_schema(turns: Sequence[ChatMessage], asked: AnswerSchema, form: Form) -> Sequence[ChatMessage]:
    """The messages, with the schema among them where the server does not hold the model to it."""
    if form == "schema":
        return turns
    told = "Answer with one JSON object and nothing else, by this JSON schema:\n" + json.dumps(
        asked.schema, separators=(",", ":")
    )
    return [ChatMessage("system", f"{turns[0].text}\n\n{told}"), *turns[1:]]
