"""Chat models over HTTP: three ways to spell a request, a ladder of forms, and errors that say what to do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.scripted import Broken, Raw, Scripted, Silent, Status, scripted
from toldonce.errors import ConfigError, ModelError
from toldonce.models.chat import AnswerSchema, ChatMessage, HttpChat, open_chat
from toldonce.models.load import chat_address

ASKED = AnswerSchema("judge", {"type": "object", "properties": {"ok": {"type": "boolean"}}})
TURNS = (ChatMessage("system", "# Task: judge"), ChatMessage("user", "Is it so?"))
SECRET = "sesame-1234"


@pytest.fixture
def server() -> Iterator[Scripted]:
    with scripted() as server:
        yield server


def chat(server: Scripted, setting: str = "{url}#m", **changes: Any) -> HttpChat:
    address = chat_address(setting.format(url=server.url), environ={"TOLDONCE_WRITER_KEY": SECRET})
    return open_chat(replace(address, **changes))


WIRES = [
    pytest.param("{url}#m", "/v1/chat/completions", "authorization", f"Bearer {SECRET}", id="openai"),
    pytest.param("anthropic:{url}#m", "/v1/messages", "x-api-key", SECRET, id="anthropic"),
    pytest.param("gemini:{url}#m", "/v1/models/m:generateContent", "x-goog-api-key", SECRET, id="gemini"),
]


@pytest.mark.parametrize("setting, path, header, value", WIRES)
def test_each_provider_is_asked_in_its_own_words(
    server: Scripted, setting: str, path: str, header: str, value: str
) -> None:
    server.script({"ok": True})
    reply = chat(server, setting).ask(TURNS, asked=ASKED)
    (request,) = server.requests
    assert request.path.endswith(path) and request.headers[header] == value
    assert (request.system, request.turns) == ("# Task: judge", ["Is it so?"])
    assert (reply.text, reply.input_tokens, reply.output_tokens, reply.is_whole) == ('{"ok": true}', 100, 20, True)
    assert "properties" in str({k: v for k, v in request.body.items() if k not in ("messages", "contents")})


@pytest.mark.parametrize("setting", [w.values[0] for w in WIRES])
def test_an_answer_that_ran_into_its_limit_is_not_whole(server: Scripted, setting: str) -> None:
    server.script(Raw('{"ok": tr', is_cut=True))
    assert not chat(server, setting).ask(TURNS, asked=ASKED).is_whole


def test_the_answer_of_a_tool_is_the_answer(server: Scripted) -> None:
    """Anthropic holds a model to a schema by having it call a tool."""
    from toldonce.models.chat_wires import AnthropicWire

    said = {"content": [{"type": "text", "text": "Well"}, {"type": "tool_use", "input": {"ok": False}}]}
    assert AnthropicWire().reply(said).text == '{"ok": false}'


@pytest.mark.parametrize(
    "forms, tried", [(("json_object", "prompt"), 2), (("prompt",), 3)], ids=["no schema", "neither"]
)
def test_a_server_without_a_form_is_asked_in_a_simpler_one_and_that_is_remembered(
    server: Scripted, forms: tuple[str, ...], tried: int
) -> None:
    server.only_forms = forms
    server.say(judge={"ok": True})
    assert chat(server).ask(TURNS, asked=ASKED).text == '{"ok": true}'
    assert len(server.requests) == tried
    assert '"properties"' in server.requests[-1].system, "what the server does not hold it to, the prompt must say"
    chat(server).ask(TURNS, asked=ASKED)
    assert len(server.requests) == tried + 1
    chat(server, "{url}#other").ask(TURNS, asked=ASKED)
    assert server.requests[tried + 1].form == "json_schema", "another model is another matter"


def test_a_model_that_ignores_a_form_is_asked_in_a_simpler_one_from_then_on(server: Scripted) -> None:
    server.say(judge={"ok": True})
    model = chat(server)
    model.ask(TURNS, asked=ASKED)
    model.ask(TURNS, asked=ASKED, simpler=True)
    model.ask(TURNS, asked=ASKED)
    assert [r.form for r in server.requests] == ["json_schema", "json_object", "json_object"]


def test_a_simpler_form_that_brings_no_json_either_is_not_remembered(server: Scripted) -> None:
    server.script(Raw("well"), Raw("well"), {"ok": True})
    for simpler in (False, True, False):
        chat(server).ask(TURNS, asked=ASKED, simpler=simpler)
    assert [r.form for r in server.requests] == ["json_schema", "json_object", "json_schema"]


def test_a_request_that_no_form_mends_fails_with_the_servers_word_for_it(server: Scripted) -> None:
    server.say(judge=Status(404, body={"error": {"code": "model_not_found", "message": "I never heard of Lisbon"}}))
    with pytest.raises(ModelError, match=r"answered 404 Not Found \(model_not_found\)$"):
        chat(server).ask(TURNS, asked=ASKED)
    assert [r.form for r in server.requests] == ["json_schema", "json_object", "prompt"]


DATED = {"Retry-After": "Mon, 02 Mar 2026 09:00:30 GMT", "Date": "Mon, 02 Mar 2026 09:00:00 GMT"}


@pytest.mark.parametrize(
    "answer, said, wait",
    [
        (Status(429, {"Retry-After": "17"}), "answered 429", 17.0),
        (Status(429, {"Retry-After": "0.5"}), "answered 429", 0.5),
        (Status(503, {"Retry-After": "soon"}), "answered 503", None),
        (
            Status(500, body={"error": {"message": "Maria lives in Lisbon"}}),
            "answered 500 Internal Server Error$",
            None,
        ),
        (Status(302, {"Location": "http://localhost:1/"}), "answered 302", None),
        (Status(401, body=["?"]), "answered 401 Unauthorized$", None),
        (Status(200, body={"choices": []}), "did not answer as a model does", None),
        (Status(200, body=[1]), "did not answer as a model does", None),
        (Broken(), "broke off", None),
    ],
)
def test_a_failed_call_is_a_clear_error_with_the_wait_that_was_asked_for(
    server: Scripted, answer: Any, said: str, wait: float | None
) -> None:
    server.script(answer)
    with pytest.raises(ModelError, match=said) as raised:
        chat(server).ask(TURNS, asked=ASKED)
    assert raised.value.retry_after_s == wait
    assert SECRET not in str(raised.value)
    assert len(server.requests) == 1, "trying again is the caller's matter"


def test_a_wait_may_be_told_as_a_date() -> None:
    from email.message import Message

    from toldonce.models.http_json import _retry_after_seconds

    headers = Message()
    for name, value in DATED.items():
        headers[name] = value
    assert _retry_after_seconds(headers) == 30.0


def test_a_model_that_is_silent_for_too_long_fails(server: Scripted) -> None:
    server.script(Silent())
    with pytest.raises(ModelError, match="did not answer: timed out"):
        chat(server, timeout_s=0.2).ask(TURNS, asked=ASKED)


def test_an_address_where_nobody_listens_fails(server: Scripted) -> None:
    model = chat(server)
    server.close()
    with pytest.raises(ModelError, match="did not answer"):
        model.ask(TURNS, asked=ASKED)


def test_a_provider_without_its_key_says_which_variable_to_set() -> None:
    address = chat_address("openai:gpt-4o-mini", environ={"TOLDONCE_WRITER_KEY": SECRET})
    with pytest.raises(ModelError, match="set OPENAI_API_KEY"):
        open_chat(address).ask(TURNS, asked=ASKED)


@pytest.mark.parametrize(
    "setting, url, model, name, key",
    [
        ("openai:gpt-4o-mini", "https://api.openai.com/v1", "gpt-4o-mini", "openai:gpt-4o-mini", "o"),
        ("anthropic:claude-x", "https://api.anthropic.com/v1", "claude-x", "anthropic:claude-x", "a"),
        ("gemini:gemini-x", "https://generativelanguage.googleapis.com/v1beta", "gemini-x", "gemini:gemini-x", "g"),
        ("ollama:llama3.2:1b", "http://localhost:11434/v1", "llama3.2:1b", "ollama:llama3.2:1b", ""),
        ("https://host:8443/v1#org/m", "https://host:8443/v1", "org/m", "host#org/m", "w"),
        ("anthropic:https://proxy/v1#m", "https://proxy/v1", "m", "proxy#m", "w"),
    ],
)
def test_a_setting_names_provider_address_and_model(setting: str, url: str, model: str, name: str, key: str) -> None:
    """A provider's key goes to that provider alone; an address of one's own has a key of its own."""
    environ = {
        "OPENAI_API_KEY": "o", "ANTHROPIC_API_KEY": "a", "GEMINI_API_KEY": "g", "TOLDONCE_WRITER_KEY": "w",
    }  # fmt: skip
    found = chat_address(setting, environ=environ)
    assert (found.url, found.model, found.name, found.key) == (url, model, name, key)
    assert not found.key or f"'{found.key}'" not in repr(found)


def test_an_address_may_say_how_long_to_wait() -> None:
    assert chat_address("http://host/v1?timeout=300#m", environ={}).timeout_s == 300


@pytest.mark.parametrize(
    "setting, said",
    [
        ("gpt-4o", "unknown writer 'gpt-4o'; use none, PROVIDER:MODEL"),
        ("mistral:large", "unknown writer"),
        ("openai:", "unknown writer"),
        ("http://host/v1", "name the model behind the address: http://host/v1#MODEL"),
        ("http://user:pass@host/v1#m", "an address holds no key"),
        ("http://host/v1?timeout=long#m", "timeout must be a whole number"),
    ],
)
def test_a_setting_that_names_nothing_is_refused(setting: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        chat_address(setting, environ={})
