"""A language model that answers or judges in a benchmark: questions come in, one field of its JSON goes out.

It counts calls, tokens and cost, and estimates them before anything is asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from toldonce.distil.model.answers import find_json
from toldonce.distil.tiers import Price
from toldonce.errors import ModelError
from toldonce.models.chat import AnswerSchema, ChatMessage, open_chat
from toldonce.models.load import ChatAddress
from toldonce.tokens import count_tokens

_TRIES = 2
_TYPES = {str: "string", bool: "boolean"}


@dataclass(frozen=True, slots=True)
class ModelUse:
    """What a model reads and writes, in how many calls; the cost is in millionths, and None without a price."""

    model: str
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: int | None = None


class AskedModel:
    """A model with its price, and what it was used for so far."""

    def __init__(self, address: ChatAddress, price: Price | None) -> None:
        self._address = address
        self._price = price
        self.use = ModelUse(address.name, cost=None if price is None else 0)

    def estimate_use(self, requests: Iterable[str], *, written: int) -> ModelUse:
        """What these requests will take if the model writes that many tokens to each."""
        sizes = [count_tokens(text) for text in requests]
        cost = None if self._price is None else self._price.cost_in_millionths(sum(sizes), written * len(sizes))
        return ModelUse(self._address.name, len(sizes), sum(sizes), written * len(sizes), cost)

    def ask(self, asked: str, *, system: str, field: str, wanted: type[str] | type[bool]) -> str | bool:
        """The one field of the model's answer; asked again when it is not there."""
        schema: dict[str, Any] = {
            "type": "object",
            "properties": {field: {"type": _TYPES[wanted]}},
            "required": [field],
            "additionalProperties": False,
        }
        turns = [ChatMessage("system", system), ChatMessage("user", asked)]
        for _ in range(_TRIES):
            reply = open_chat(self._address).ask(turns, asked=AnswerSchema(field, schema))
            self._count(reply.input_tokens, reply.output_tokens, reply.cached_tokens)
            value = (find_json(reply.text) or {}).get(field)
            if isinstance(value, wanted):
                return value
        raise ModelError(f"{self._address.name} did not answer with `{field}` as JSON: try another model")

    def _count(self, read: int, written: int, cached: int) -> None:
        use = self.use
        cost = self._price.cost_in_millionths(read, written, cached_tokens=cached) if self._price else 0
        self.use = replace(
            use,
            calls=use.calls + 1,
            input_tokens=use.input_tokens + read,
            output_tokens=use.output_tokens + written,
            cost=None if use.cost is None else use.cost + cost,
        )
