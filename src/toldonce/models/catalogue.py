"""What is known of chat models: the context that fits and the price of tokens, from `catalogue.toml` with its date."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from toldonce.models.load import ChatAddress

# Providers whose models are those of another.
_SAME = {"openai-responses": "openai"}


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model of the table: tokens that fit, or 0 if unknown, and US dollars for a million tokens."""

    name: str
    context: int
    input: float
    cached: float
    output: float


def find_model(address: ChatAddress) -> ListedModel | None:
    """What the table says of a provider's model; None for one that it does not know or at another address."""
    provider, _, model = address.name.partition(":")
    listed: Mapping[str, Any] = read_catalogue().get(_SAME.get(provider, provider), {})
    if "#" in address.name or not isinstance(listed, dict):
        return None
    names = [name for name in listed if model == name or model.startswith(name and f"{name}-")]
    best = max(names, key=len, default=None)
    return None if best is None else ListedModel(name=best, **listed[best])


def read_catalogue_date() -> str:
    """The day on which the table was written."""
    return str(read_catalogue()["date"])


@cache
def read_catalogue() -> Mapping[str, Any]:
    """The table as it is in the file."""
    return tomllib.loads(files("toldonce.models").joinpath("catalogue.toml").read_text(encoding="utf-8"))
