"""Which key may be sent to which address. Pure: the environment comes in as a mapping, one key or none goes out.

The key of a setting (`TOLDONCE_EMBEDDER_KEY` and the like) belongs to the address in that setting. A provider's key
belongs to one host: the one that the provider's own base URL variable names, or else the provider's own.
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
    """A provider's own address, how it is spoken to, the variable of its key, and the one that names another address.

    `path` follows the address wherever it is, as the provider's own clients add it. `bare_port` belongs to a provider
    whose variable may name a host alone.
    """

    url: str
    wire: str
    path: str = ""
    key_variable: str = ""
    base_variable: str = ""
    bare_port: int = 0


PROVIDERS: Mapping[str, Provider] = {
    "openai": Provider("https://api.openai.com/v1", "openai", "", "OPENAI_API_KEY", "OPENAI_BASE_URL"),
    "openai-responses": Provider(
        "https://api.openai.com/v1", "openai-responses", "", "OPENAI_API_KEY", "OPENAI_BASE_URL"
    ),
    "anthropic": Provider("https://api.anthropic.com", "anthropic", "/v1", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
    "gemini": Provider(
        "https://generativelanguage.googleapis.com", "gemini", "/v1beta", "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"
    ),
    "ollama": Provider("http://localhost:11434", "openai", "/v1", "", "OLLAMA_HOST", 11434),
}


def provider_address(provider: Provider, *, environ: Mapping[str, str]) -> str:
    """Where a provider is asked: where its base URL variable says, else at home."""
    said = _read_base(provider, environ)
    if not said:
        return provider.url + provider.path
    if provider.bare_port and "://" not in said:
        said = _complete_host(said, provider.bare_port)
    parts = split_address(said, key_variable=provider.key_variable or "no variable")
    if parts.scheme not in _PORTS or not parts.hostname or parts.query or parts.fragment:
        raise ConfigError(f"{provider.base_variable} holds no address: write it as {provider.url}")
    return said.rstrip("/") + provider.path


def _read_base(provider: Provider, environ: Mapping[str, str]) -> str:
    return environ.get(provider.base_variable, "").strip() if provider.base_variable else ""


def _complete_host(said: str, port: int) -> str:
    """The address of a host that is named alone, with or without a port."""
    host, _, path = said.partition("/")
    has_port = ":" in host and not host.endswith("]")
    name, number = host.rsplit(":", 1) if has_port else (host, "")
    named = name or "localhost"
    return f"http://{named}:{number or port}/{path}".rstrip("/")


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
    """A provider's key, when the address is at the one host that the provider is asked at; else none."""
    home = origin_of(_read_base(provider, environ) or provider.url)
    is_home = home is not None and home == origin_of(url)
    return environ.get(provider.key_variable, "") if provider.key_variable and is_home else ""


def origin_of(url: str) -> Origin | None:
    """Scheme, host and port of an address; None for what has no host."""
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname else None
