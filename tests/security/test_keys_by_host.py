"""A key goes only to the host that it was configured for."""

from __future__ import annotations

import pytest

from toldonce.errors import ConfigError
from toldonce.models.keys import PROVIDERS, choose_key, origin_of
from toldonce.models.load import chat_address, load_embedder, load_reranker

KEYS = {"OPENAI_API_KEY": "openai", "ANTHROPIC_API_KEY": "anthropic", "GEMINI_API_KEY": "gemini"}


def key(url: str, **environ: str) -> str:
    return choose_key(url, key_variable="TOLDONCE_EMBEDDER_KEY", environ={**KEYS, **environ})


@pytest.mark.parametrize("name", ["openai", "anthropic", "gemini"])
def test_a_providers_key_goes_to_the_provider(name: str) -> None:
    assert key(PROVIDERS[name].url) == name


@pytest.mark.parametrize(
    "url",
    [
        "http://attacker/v1",
        "http://api.openai.com/v1",
        "https://api.openai.com:8443/v1",
        "http://localhost:11434/v1",
        "https://api.openai.com.attacker.com/v1",
        "https://attacker.com/api.openai.com",
        "https://xapi.openai.com/v1",
        "https://attacker.com?https://api.openai.com",
        "https://attacker.com#api.openai.com",
    ],
)
def test_a_providers_key_goes_nowhere_else(url: str) -> None:
    assert key(url) == ""


def test_the_base_url_variable_names_another_home_for_a_providers_key() -> None:
    base = {"OPENAI_BASE_URL": "https://gateway.example/openai/v1"}
    assert key("https://gateway.example/openai/v1", **base) == "openai"
    assert key("https://gateway.example:444/openai/v1", **base) == ""
    assert key("http://gateway.example/openai/v1", **base) == ""
    assert key("https://other.example/v1", **base) == ""


def test_a_gateways_key_does_not_go_to_the_provider() -> None:
    base = {"OPENAI_BASE_URL": "https://gateway.example/openai/v1", "ANTHROPIC_BASE_URL": "not an address"}
    assert key("https://api.openai.com/v1", **base) == ""
    assert chat_address("https://api.openai.com/v1#m", environ={**KEYS, **base}).key == ""
    assert key("https://api.anthropic.com/v1", **base) == ""


@pytest.mark.parametrize(
    ("writer", "variable", "value", "url"),
    [
        ("openai:m", "OPENAI_BASE_URL", "https://gateway.example/openai/v1/", "https://gateway.example/openai/v1"),
        ("openai-responses:m", "OPENAI_BASE_URL", "http://127.0.0.1:4000", "http://127.0.0.1:4000"),
        ("anthropic:m", "ANTHROPIC_BASE_URL", "https://gateway.example", "https://gateway.example/v1"),
        ("gemini:m", "GOOGLE_GEMINI_BASE_URL", "https://gateway.example/g/", "https://gateway.example/g/v1beta"),
        ("ollama:m", "OLLAMA_HOST", "gpu.example", "http://gpu.example:11434/v1"),
        ("ollama:m", "OLLAMA_HOST", "gpu.example:8080", "http://gpu.example:8080/v1"),
        ("ollama:m", "OLLAMA_HOST", ":8080", "http://localhost:8080/v1"),
        ("ollama:m", "OLLAMA_HOST", "[::1]", "http://[::1]:11434/v1"),
        ("ollama:m", "OLLAMA_HOST", "https://gpu.example", "https://gpu.example/v1"),
    ],
)
def test_a_providers_variable_says_where_it_is_asked(writer: str, variable: str, value: str, url: str) -> None:
    found = chat_address(writer, environ={**KEYS, variable: value})
    assert (found.url, found.model) == (url, "m")
    assert found.key == KEYS.get(found.key_variable, "")
    # Costs are told by the price list of the provider, which another host does not have.
    assert found.name.endswith("#m") and ":" not in found.name.replace("::1", "")


@pytest.mark.parametrize(
    "value", ["gateway.example/v1", "ftp://host/v1", "https://user:pw@host/v1", "https://h/v1?a=1"]
)
def test_a_variable_without_an_address_is_refused(value: str) -> None:
    with pytest.raises(ConfigError):
        chat_address("openai:m", environ={**KEYS, "OPENAI_BASE_URL": value})


def test_an_empty_variable_names_nothing() -> None:
    assert chat_address("openai:m", environ={**KEYS, "OPENAI_BASE_URL": " "}).url == "https://api.openai.com/v1"


def test_the_settings_own_key_goes_to_the_address_of_the_setting() -> None:
    assert key("http://localhost:8000/v1", TOLDONCE_EMBEDDER_KEY="own") == "own"
    assert key(PROVIDERS["openai"].url, TOLDONCE_EMBEDDER_KEY="own") == "own"


def test_the_keys_of_other_settings_stay_at_home() -> None:
    assert key("http://host/v1", TOLDONCE_WRITER_KEY="w", TOLDONCE_RERANKER_KEY="r") == ""


def test_writers_follow_the_same_rule() -> None:
    assert chat_address("http://attacker/v1#m", environ=KEYS).key == ""
    assert chat_address("anthropic:https://attacker/v1#m", environ=KEYS).key == ""
    assert chat_address("anthropic:m", environ=KEYS).key == "anthropic"
    assert chat_address("https://api.openai.com/v1#m", environ=KEYS).key == "openai"
    assert chat_address("ollama:m", environ=KEYS).key == ""


@pytest.mark.parametrize("mark", ["@", "\\@", " ", "\t", "\n", "\x00"])
def test_an_address_that_can_be_read_in_two_ways_is_refused(mark: str) -> None:
    setting = f"https://api.openai.com{mark}attacker.com/v1#m"
    for load in (load_embedder, load_reranker, chat_address):
        with pytest.raises(ConfigError):
            load(setting, environ=KEYS)


def test_what_has_no_host_has_no_origin() -> None:
    assert origin_of("https://[bad/v1") is None and origin_of("x") is None
