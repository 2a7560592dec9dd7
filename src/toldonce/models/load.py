"""Finds the embedder, the reranker or the address of the chat model that a setting names; none is loaded unneeded.

default                                  the one inside the package
none                                     none: words, names and time alone
http://localhost:11434/v1#nomic-embed-text   an OpenAI-compatible address and a model (`?dimensions=256` cuts vectors)
sentence-transformers:NAME_OR_FOLDER     a model of that package
onnx:FOLDER                              a folder with model.onnx and vocab.txt

http://localhost:8080/v1/rerank#MODEL    a reranker by its whole address, asked as Cohere's is; without #MODEL as TEI is
sentence-transformers:NAME_OR_FOLDER, onnx:FOLDER    a cross-encoder on this machine

openai:MODEL, openai-responses:MODEL, anthropic:MODEL, gemini:MODEL, ollama:MODEL    a chat model of that provider
                                         (where its OPENAI_BASE_URL or the like says, if that is set)
http://localhost:8000/v1#MODEL           one behind an OpenAI-compatible address (`?timeout=300` is in seconds)
anthropic:https://host/v1#MODEL          one behind an address that speaks as that provider does
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit, urlunsplit

from toldonce.errors import ConfigError
from toldonce.models.keys import PROVIDERS, choose_key, origin_of, provider_address, provider_key, split_address

if TYPE_CHECKING:
    from toldonce.models.embedder import Embedder
    from toldonce.models.reranker import Reranker
    from toldonce.models.tagger import Tagger

EMBEDDER_KEY = "TOLDONCE_EMBEDDER_KEY"
RERANKER_KEY = "TOLDONCE_RERANKER_KEY"
WRITER_KEY = "TOLDONCE_WRITER_KEY"
CHAT_TIMEOUT_S = 120.0
_CHATS = "PROVIDER:MODEL with one of " + ", ".join(PROVIDERS) + ", URL#MODEL, or PROVIDER:URL#MODEL"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatAddress:
    """A chat model: where it is, how it is spoken to, what to call it. A provider's key goes to no other address."""

    wire: str
    url: str
    model: str
    name: str
    key: str = field(default="", repr=False)
    key_variable: str = ""
    timeout_s: float = CHAT_TIMEOUT_S

    @property
    def lacks_key(self) -> bool:
        """Whether a key is needed and not there."""
        return bool(self.key_variable) and not self.key


def load_tagger(setting: str) -> Tagger:
    """The tagger of that name: `spacy:MODEL` with a model of spaCy's."""
    kind, _, model = setting.partition(":")
    if kind != "spacy" or not model:
        raise ConfigError(f"unknown tagger {setting!r}: write spacy:MODEL, as spacy:en_core_web_sm")
    from toldonce.models.spacy_tagger import SpacyTagger

    return SpacyTagger(model)


def load_embedder(setting: str, *, environ: Mapping[str, str] = os.environ) -> Embedder | None:
    """The embedder of that name, or None for `none`."""
    kind, _, rest = setting.partition(":")
    if setting == "none":
        return None
    if setting == "default":
        from toldonce.models.minilm import MiniLM

        return MiniLM()
    if kind in ("http", "https"):
        return _load_remote_embedder(setting, environ)
    if kind == "sentence-transformers" and rest:
        from toldonce.models.local import SentenceTransformer

        return SentenceTransformer(rest)
    if kind == "onnx" and rest:
        from toldonce.models.local import OnnxEmbedder

        return OnnxEmbedder(rest)
    raise ConfigError(
        f"unknown embedder {setting!r}; use default, none, URL#MODEL, sentence-transformers:NAME or onnx:FOLDER"
    )


def _load_remote_embedder(setting: str, environ: Mapping[str, str]) -> Embedder:
    from toldonce.models.remote import RemoteEmbedder

    parts = split_address(setting, key_variable=EMBEDDER_KEY)
    if not parts.fragment:
        raise ConfigError(f"name the model behind the address: {setting}#MODEL")
    asked = parse_qs(parts.query).get("dimensions", ["0"])[0]
    if not asked.isdigit():
        raise ConfigError(f"dimensions must be a whole number, not {asked!r}")
    address = urlunsplit((parts.scheme, parts.netloc, parts.path, "", ""))
    key = choose_key(address, key_variable=EMBEDDER_KEY, environ=environ)
    return RemoteEmbedder(address, parts.fragment, dimensions=int(asked), key=key)


def load_reranker(setting: str, *, environ: Mapping[str, str] = os.environ) -> Reranker | None:
    """The reranker of that name, or None for `none`. One on this machine is loaded when it is first asked."""
    kind, _, rest = setting.partition(":")
    if setting == "none":
        return None
    if kind in ("http", "https"):
        return _remote_reranker(setting, environ)
    if kind == "sentence-transformers" and rest:
        from toldonce.models.local import cross_encoder

        return cross_encoder(rest)
    if kind == "onnx" and rest:
        from toldonce.models.local import onnx_reranker

        return onnx_reranker(rest)
    raise ConfigError(
        f"unknown reranker {setting!r}; use none, URL#MODEL, URL, sentence-transformers:NAME or onnx:FOLDER"
    )


def _remote_reranker(setting: str, environ: Mapping[str, str]) -> Reranker:
    from toldonce.models.remote import RemoteReranker

    parts = split_address(setting, key_variable=RERANKER_KEY)
    if not parts.hostname or parts.path in ("", "/"):
        raise ConfigError(
            f"give the whole address of the reranker {setting!r}, as http://localhost:8080/v1/rerank#MODEL"
        )
    address = urlunsplit((parts.scheme, parts.netloc, parts.path, parts.query, ""))
    key = choose_key(address, key_variable=RERANKER_KEY, environ=environ)
    return RemoteReranker(address, parts.fragment, key=key)


def chat_address(setting: str, *, environ: Mapping[str, str] = os.environ) -> ChatAddress:
    """The address of the chat model of that name."""
    kind, _, rest = setting.partition(":")
    if kind in ("http", "https"):
        return _own_address(setting, setting, wire="openai", environ=environ)
    if kind not in PROVIDERS or not rest:
        raise ConfigError(f"unknown writer {setting!r}; use none, {_CHATS}")
    provider = PROVIDERS[kind]
    if rest.startswith(("http://", "https://")):
        return _own_address(setting, rest, wire=provider.wire, environ=environ)
    url = provider_address(provider, environ=environ)
    is_at_home = origin_of(url) == origin_of(provider.url)
    return ChatAddress(
        wire=provider.wire,
        url=url,
        model=rest,
        name=setting if is_at_home else f"{urlsplit(url).hostname}#{rest}",
        key=provider_key(provider, url, environ=environ),
        key_variable=provider.key_variable,
    )


def _own_address(setting: str, url: str, *, wire: str, environ: Mapping[str, str]) -> ChatAddress:
    parts = split_address(url, key_variable=WRITER_KEY)
    if not parts.fragment or not parts.hostname:
        raise ConfigError(f"name the model behind the address: {setting}#MODEL")
    asked = parse_qs(parts.query).get("timeout", [f"{CHAT_TIMEOUT_S:g}"])[0]
    if not asked.isdigit() or not int(asked):
        raise ConfigError(f"timeout must be a whole number of seconds, not {asked!r}")
    address = urlunsplit((parts.scheme, parts.netloc, parts.path, "", ""))
    return ChatAddress(
        wire=wire,
        url=address,
        model=parts.fragment,
        name=f"{parts.hostname}#{parts.fragment}",
        key=choose_key(address, key_variable=WRITER_KEY, environ=environ),
        timeout_s=float(asked),
    )
