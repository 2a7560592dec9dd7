"""Which key may be sent to which address. Pure: the environment comes in as a mapping, one key or none goes out.

The key of a setting (`TOLDONCE_EMBEDDER_KEY` and the like) belongs to the address in that setting. A provider's key
belongs to the provider's own host, and to the host that the provider's own base URL variable names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from toldonce.errors import ConfigError

_PORTS = {"http": 80, "https": 443}
Origin = tuple[str, str, int | None]


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider's own address, how it is spoken to, the variable of its key, and the one that names another host."""

    url: str
    wire: str
    key_variable: str = ""
    base_variable: str = ""


PROVIDERS: Mapping[str, Provider] = {
    "openai": Provider("https://api.openai.com/v1", "openai", "OPENAI_API_KEY", "OPENAI_BASE_URL"),
    "openai-responses": Provider("https://api.openai.com/v1", "openai-responses", "OPENAI_API_KEY", "OPENAI_BASE_URL"),
    "anthropic": Provider("https://api.anthropic.com/v1", "anthropic", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
    "gemini": Provider(
        "https://generativelanguage.googleapis.com/v1beta", "gemini", "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"
    ),
    "ollama": Provider("http://localhost:11434/v1", "openai"),
}


def split_address(url: str, *, key_variable: str) -> SplitResult:
    """The parts of an address; refused when it holds a key, or characters that programs read differently."""
    if any(c <= " " or c in "\\\x7f" for c in url):
        raise ConfigError("an address has no blanks, backslashes or control characters in it")
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as problem:
        raise ConfigError(f"the address cannot be read: {problem}") from None
    if "@" in parts.netloc:
        raise ConfigError(f"an address holds no key: give it in {key_variable}")
    return parts


def choose_key(url: str, *, key_variable: str, environ: Mapping[str, str]) -> str:
    """The key for an address that a setting names: the setting's own, else the one of the provider whose host it is."""
    own = environ.get(key_variable, "")
    return own or next((key for p in PROVIDERS.values() if (key := provider_key(p, url, environ=environ))), "")


def provider_key(provider: Provider, url: str, *, environ: Mapping[str, str]) -> str:
    """A provider's key, when the address is the provider's own or the one of its base URL variable; else none."""
    homes = [provider.url, environ.get(provider.base_variable, "") if provider.base_variable else ""]
    is_home = any(home and origin_of(home) == origin_of(url) for home in homes)
    return environ.get(provider.key_variable, "") if provider.key_variable and is_home else ""


def origin_of(url: str) -> Origin | None:
    """Scheme, host and port of an address; None for what has no host."""
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname else None
