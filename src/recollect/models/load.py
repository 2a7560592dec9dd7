"""Finds the embedder that a setting names. No model is imported or loaded before it is needed.

default                                  the one inside the package
none                                     none: words, names and time alone
http://localhost:11434/v1#nomic-embed-text   an OpenAI-compatible address and a model (`?dimensions=256` cuts vectors)
sentence-transformers:NAME_OR_FOLDER     a model of that package
onnx:FOLDER                              a folder with model.onnx and vocab.txt
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit, urlunsplit

from recollect.errors import ConfigError

if TYPE_CHECKING:
    from recollect.models.embedder import Embedder

KEYS = ("RECOLLECT_EMBEDDER_KEY", "OPENAI_API_KEY")


def load_embedder(setting: str, *, environ: Mapping[str, str] = os.environ) -> Embedder | None:
    """The embedder of that name, or None for `none`."""
    kind, _, rest = setting.partition(":")
    if setting == "none":
        return None
    if setting == "default":
        from recollect.models.minilm import MiniLM

        return MiniLM()
    if kind in ("http", "https"):
        return _remote(setting, environ)
    if kind == "sentence-transformers" and rest:
        from recollect.models.local import SentenceTransformer

        return SentenceTransformer(rest)
    if kind == "onnx" and rest:
        from recollect.models.local import OnnxEmbedder

        return OnnxEmbedder(rest)
    raise ConfigError(
        f"unknown embedder {setting!r}; use default, none, URL#MODEL, sentence-transformers:NAME or onnx:FOLDER"
    )


def _remote(setting: str, environ: Mapping[str, str]) -> Embedder:
    from recollect.models.remote import RemoteEmbedder

    parts = urlsplit(setting)
    if not parts.fragment:
        raise ConfigError(f"name the model behind the address: {setting}#MODEL")
    asked = parse_qs(parts.query).get("dimensions", ["0"])[0]
    if not asked.isdigit():
        raise ConfigError(f"dimensions must be a whole number, not {asked!r}")
    address = urlunsplit((parts.scheme, parts.netloc, parts.path, "", ""))
    key = next((environ[name] for name in KEYS if environ.get(name)), "")
    return RemoteEmbedder(address, parts.fragment, dimensions=int(asked), key=key)
