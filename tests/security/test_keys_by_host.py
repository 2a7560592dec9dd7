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
