"""Finds the embedder that a setting names. No model is imported or loaded before it is needed."""

from __future__ import annotations

from recollect.errors import ConfigError
from recollect.models.embedder import Embedder


def load_embedder(setting: str) -> Embedder | None:
    """The embedder of that name: `default` is the one that ships with the package, `none` is none."""
    if setting == "none":
        return None
    if setting == "default":
        from recollect.models.minilm import MiniLM

        return MiniLM()
    raise ConfigError(f"unknown embedder {setting!r}; use 'default' or 'none'")
