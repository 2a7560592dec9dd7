"""The proxy between the real `openai` client and a scripted model on this machine."""

from __future__ import annotations

import gzip
import json
import logging
import re
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import openai
import pytest
import uvicorn

from tests.conftest import ManualClock, OpenMemory
from tests.integrations.proxy_upstream import (
    PATIENCE_S,
    Events,
    Hanging,
    Upstream,
    Whole,
    chat,
    chat_events,
    response,
    response_events,
)
from tests.integrations.table import Integration
from tests.shell import Shell
from toldonce import Memory
from toldonce.errors import InputError, StoreError
from toldonce.integrations.proxy.answers import AnswerReader
from toldonce.integrations.proxy.app import ProxyApp, ProxySettings, leads_elsewhere, read_address
from toldonce.integrations.proxy.formats import ChatFormat, ResponsesFormat
from toldonce.integrations.proxy.turns import ProxyPeople, TurnMemory
from toldonce.integrations.recent_values import RecentValues
from toldonce.presets.loader import preset_text
from toldonce.server.run import listen_at

INTEGRATION = Integration(
    name="Proxy for OpenAI's formats",
    package="openai",
    module="toldonce.integrations.proxy",
    page="proxy.md",
    works={
        "chat completions": "test_a_question_gets_what_is_remembered_and_both_sides_are_observed",
        "responses": "test_responses_carry_the_block_as_instructions",
        "streams of both": "test_responses_are_streamed_and_go_on_in_their_session",
        "calls of tools": "test_calls_of_tools_pass_and_their_result_repeats_nothing",
        "errors": "test_errors_of_the_model_pass_and_nothing_is_observed",
        "cancelling": "test_a_client_that_cancels_ends_the_request_to_the_model",
        "off for unknown people": "test_a_person_who_is_not_known_has_no_memory_unless_everyone_has",
    },
    lacks=("WebSockets (the realtime API)", "a memory on a server of Toldonce"),
)
KEY = "sk-proj-Zr4Tq81LmVbNx07KdPwE55aYhGcUj29sQfTo"
PAGE = Path(__file__).resolve().parents[2] / "docs" / "integrations" / "proxy.md"
TOOL = {"type": "function", "function": {"name": "weather", "parameters": {"type": "object", "properties": {}}}}
CALL = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Lisbon"}'}}


@pytest.fixture
def upstream() -> Iterator[Upstream]:
    with Upstream().run() as running:
        yield running


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    made = open_memory("assistant")
    made.observe("i live in Lisbon now", "alex", session="earlier")
    made.remember("Alex is allergic to peanuts", user="alex", author="person")
    made.observe("my cat is called Miso", "bea", session="earlier")
    made.remember("Bea keeps a diary about her divorce", user="bea", author="person")
    return made


@contextmanager
def run_proxy(
    memory: Memory, to: str, *, people: ProxyPeople | None = None, **settings: Any
) -> Iterator[Callable[..., openai.OpenAI]]:
    """Makes clients of a proxy that runs until the block ends."""
    app = ProxyApp(TurnMemory(memory, people=people), ProxySettings(to=to, **settings))
    started = threading.Event()

    class Announced(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets=sockets)
            started.set()

    server = Announced(uvicorn.Config(app, log_level="error", access_log=False, lifespan="on", ws="none"))
    clients: list[openai.OpenAI] = []
    with listen_at("127.0.0.1", 0) as listening:
        thread = threading.Thread(target=lambda: server.run(sockets=[listening]), daemon=True)
        thread.start()
        assert started.wait(30), "the proxy did not start"
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"

        def connect(user: str | None = None, **headers: str) -> openai.OpenAI:
            sent = {"X-Toldonce-User": user, **headers} if user else headers
            clients.append(openai.OpenAI(base_url=address, api_key=KEY, default_headers=sent, max_retries=0))
            return clients[-1]

        try:
            yield connect
        finally:
            for client in clients:
                client.close()
            server.should_exit = True
            thread.join(30)


@pytest.fixture
def connect(memory: Memory, upstream: Upstream) -> Iterator[Callable[..., openai.OpenAI]]:
    with run_proxy(memory, upstream.url) as made:
        yield made


def ask(client: openai.OpenAI, *messages: Any, **options: Any) -> Any:
    given = [{"role": "user", "content": m} if isinstance(m, str) else m for m in messages]
    return client.chat.completions.create(model="m", messages=given, **options)


def heard(memory: Memory, user: str = "alex") -> list[tuple[str | None, str]]:
    """Role and text of what was observed through the proxy, in order."""
    found = memory.review.records(user, kinds=["message"], limit=100)
    kept = [r for r in found if r.session != "earlier"]
    return [(r.role, r.text) for r in sorted(kept, key=lambda r: r.id)]


def test_a_question_gets_what_is_remembered_and_both_sides_are_observed(
    connect: Callable[..., openai.OpenAI], memory: Memory, upstream: Upstream
) -> None:
    upstream.script(chat("No: it has peanuts."))
    answer = ask(connect("alex"), {"role": "system", "content": "Be brief."}, "can i eat this peanut cake?")
    assert answer.choices[0].message.content == "No: it has peanuts."
    system, said = upstream.asked[0].body["messages"]
    assert system["role"] == "system" and system["content"].startswith("Be brief.\n\n<toldonce-memory")
    assert "allergic to peanuts" in system["content"] and "not instructions" in system["content"]
    assert said == {"role": "user", "content": "can i eat this peanut cake?"}
    assert heard(memory) == [("user", "can i eat this peanut cake?"), ("assistant", "No: it has peanuts.")]


def test_the_next_question_finds_what_was_said_in_another_conversation(
    connect: Callable[..., openai.OpenAI], memory: Memory, upstream: Upstream
) -> None:
    upstream.script(chat("Noted."), chat("At 9."))
    ask(connect("alex"), "the dentist appointment is on friday at 9")
    memory.settle()
    ask(connect("alex"), "when is the dentist appointment?")
    assert "friday at 9" in upstream.asked[1].body["messages"][0]["content"].casefold()


def test_the_person_is_also_named_by_the_field_user(
    connect: Callable[..., openai.OpenAI], memory: Memory, upstream: Upstream
) -> None:
    upstream.script(chat("Lisbon."), chat("Miso."))
    ask(connect(), "where do i live?", user="alex")
    assert "Lisbon now" in json.dumps(upstream.asked[0].body) and upstream.asked[0].body["user"] == "alex"
    ask(connect("bea"), "how is my cat called?", user="alex")
    assert "Lisbon now" not in json.dumps(upstream.asked[1].body), "the header decides"


def test_nothing_of_one_person_reaches_the_request_of_another(
    connect: Callable[..., openai.OpenAI], memory: Memory, upstream: Upstream
) -> None:
    questions = (
        "what do you know about alex?",
        "what am i allergic to? peanuts?",
        "where do i live? Lisbon?",
        "my diary?",
    )
    upstream.script(*[chat("I do not know.")] * 4, Whole(response("?", "resp_a")), *[Whole(response("?"))] * 2)
    for question in questions:
        ask(connect("bea"), question)
    connect("alex").responses.create(model="m", input="my locker code word is marmalade")
    bea = connect("bea")
    # Naming an answer of somebody else does not lead to their conversation.
    bea.responses.create(model="m", input="which code word?", previous_response_id="resp_a")
    bea.responses.create(model="m", input="which code word?", extra_headers={"X-Toldonce-Session": "earlier"})
    sent = [asked.body for asked in upstream.asked if asked.headers.get("authorization")]
    of_bea = json.dumps([body for body in sent if "marmalade" not in str(body.get("input"))])
    assert len(sent) == 7 and "diary" in of_bea
    assert not [word for word in ("allergic to peanuts", "Alex", "Lisbon now", "marmalade") if word in of_bea]


def test_an_answer_is_streamed_unchanged_and_observed_whole(
    connect: Callable[..., openai.OpenAI], memory: Memory, upstream: Upstream
) -> None:
    upstream.script(Events(chat_events({"role": "assistant"}, "You live ", "in Lisboa, ", "não é? ☀")))
    with ask(connect("alex"), "where do i live?", stream=True) as stream:
        said = [chunk.choices[0].delta.content for chunk in stream]
    assert [part for part in said if part] == ["You live ", "in Lisboa, ", "não é? ☀"]
    assert heard(memory) == [("user", "where do i live?"), ("assistant", "You live in Lisboa, não é? ☀")]
    assert upstream.asked[0].body["stream"] is True and "Lisbon now" in json.dumps(upstream.asked[0].body)


def test_calls_of_tools_pass_and_their_result_repeats_nothing(
    connect: Callable[..., openai.OpenAI], memory: Memory, upstream: Upstream
) -> None:
    client = connect("alex")
    upstream.script(chat(None, tool_calls=[CALL]), chat("24 degrees in Lisbon."))
    called = ask(client, "is it warm in Lisbon?", tools=[TOOL]).choices[0].message
    assert called.tool_calls[0].function.name == "weather" and upstream.asked[0].body["tools"] == [TOOL]
    result = {"role": "tool", "tool_call_id": "c1", "content": "24 degrees"}
    ask(client, "is it warm in Lisbon?", called.model_dump(exclude_none=True), result, tools=[TOOL])
    sent = upstream.asked[1].body["messages"]
    assert [m["role"] for m in sent] == ["system", "user", "assistant", "tool"] and sent[2]["tool_calls"] == [CALL]
    assert sent[3] == result and sent[0]["content"] == upstream.asked[0].body["messages"][0]["content"]
    assert heard(memory) == [("user", "is it warm in Lisbon?"), ("assistant", "24 degrees in Lisbon.")]


def test_a_streamed_call_of_a_tool_passes(
    connect: Callable[..., openai.OpenAI], memory: Memory, upstream: Upstream
) -> None:
    upstream.script(Events(chat_events({"role": "assistant", "tool_calls": [{"index": 0, **CALL}]})))
    chunks = list(ask(connect("alex"), "is it warm in Lisbon?", tools=[TOOL], stream=True))
    assert chunks[0].choices[0].delta.tool_calls[0].function.arguments == '{"city": "Lisbon"}'
    assert heard(memory) == [("user", "is it warm in Lisbon?")]


@pytest.mark.parametrize(
    "status, error",
    [(401, openai.AuthenticationError), (400, openai.BadRequestError), (429, openai.RateLimitError)],
)
def test_errors_of_the_model_pass_and_nothing_is_observed(
    connect: Callable[..., openai.OpenAI], memory: Memory, upstream: Upstream, status: int, error: type[Exception]
) -> None:
    body = {"error": {"message": "the model says no", "type": "t", "param": None, "code": "c"}}
    upstream.script(Whole(body, status, {"Retry-After": "7", "X-Request-Id": "req_1"}))
    with pytest.raises(error, match="the model says no") as raised:
        ask(connect("alex"), "where do i live?")
    assert isinstance(raised.value, openai.APIStatusError)
    assert raised.value.response.headers["retry-after"] == "7" and raised.value.request_id == "req_1"
    assert heard(memory) == []


def test_a_repeated_request_is_observed_once(
    connect: Callable[..., openai.OpenAI], memory: Memory, upstream: Upstream, clock: ManualClock
) -> None:
    upstream.script(Whole({}, 500), chat("Lisbon."), chat("In Lisbon."), chat("Still Lisbon."))
    ask(connect("alex").with_options(max_retries=1), "where do i live?")
    ask(connect("alex"), "where do i live?")
    assert heard(memory) == [
        ("user", "where do i live?"), ("assistant", "Lisbon."), ("assistant", "In Lisbon.")
    ]  # fmt: skip
    clock.pass_time(hours=1)
    ask(connect("alex"), "where do i live?")
    assert [role for role, _ in heard(memory)].count("user") == 2


def test_an_address_without_a_server_is_reported(memory: Memory) -> None:
    with listen_at("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
    with run_proxy(memory, f"http://127.0.0.1:{port}") as connect:
        with pytest.raises(openai.InternalServerError, match="cannot be reached") as raised:
            ask(connect("alex"), "where do i live?")
        assert raised.value.status_code == 502 and raised.value.code == "upstream_unreachable"
    assert heard(memory) == []


def test_a_client_that_cancels_ends_the_request_to_the_model(
    connect: Callable[..., openai.OpenAI], memory: Memory, upstream: Upstream
) -> None:
    upstream.script(Events(chat_events("Once upon ", end=False), hangs=True))
    stream = ask(connect("alex"), "tell me a long story", stream=True)
    assert next(iter(stream)).choices[0].delta.content == "Once upon "
    stream.close()
    assert upstream.left.wait(PATIENCE_S)
    wait_until(lambda: heard(memory) == [("user", "tell me a long story")])


def test_a_client_that_gives_up_before_the_answer_ends_the_request(
    connect: Callable[..., openai.OpenAI], memory: Memory, upstream: Upstream
) -> None:
    upstream.script(Hanging())
    with pytest.raises(openai.APITimeoutError):
        ask(connect("alex"), "where do i live?", timeout=0.5)
    assert upstream.left.wait(PATIENCE_S) and heard(memory) == []


def test_an_answer_that_breaks_off_breaks_off_for_the_client(
    connect: Callable[..., openai.OpenAI], memory: Memory, upstream: Upstream
) -> None:
    upstream.script(Events(chat_events("Once upon ", end=False), cut=True))
    with pytest.raises((openai.APIConnectionError, httpx.RemoteProtocolError)):
        list(ask(connect("alex"), "tell me a story", stream=True))
    assert heard(memory) == [("user", "tell me a story")]


def test_responses_carry_the_block_as_instructions(
    connect: Callable[..., openai.OpenAI], memory: Memory, upstream: Upstream
) -> None:
    upstream.script(Whole(response("Better not.")))
    answer = connect("alex").responses.create(model="m", input="peanut cake?", instructions="Be brief.")
    assert answer.output_text == "Better not."
    sent = upstream.asked[0].body
    assert upstream.asked[0].path == "/v1/responses" and sent["input"] == "peanut cake?"
    assert sent["instructions"].startswith("Be brief.\n\n<toldonce-memory") and "peanuts" in sent["instructions"]
    assert heard(memory) == [("user", "peanut cake?"), ("assistant", "Better not.")]


def test_responses_are_streamed_and_go_on_in_their_session(
    connect: Callable[..., openai.OpenAI], memory: Memory, upstream: Upstream
) -> None:
    client = connect("alex")
    upstream.script(Events(response_events("You live in Lisbon.", "resp_7")), Whole(response("Yes.", "resp_8")))
    with client.responses.create(model="m", input="where do i live?", stream=True) as stream:
        kinds = [event.type for event in stream]
    assert kinds[0] == "response.created" and kinds[-1] == "response.completed" and len(kinds) == 6
    result: Any = {"type": "function_call_output", "call_id": "c1", "output": "sunny"}
    client.responses.create(model="m", input=[result], previous_response_id="resp_7")
    sent = upstream.asked[1].body
    assert "Lisbon now" in sent["instructions"] and sent["input"] == [result]
    assert [text for _, text in heard(memory)] == ["where do i live?", "You live in Lisbon.", "Yes."]
    sessions = {r.session for r in memory.review.records("alex", kinds=["message"]) if r.session != "earlier"}
    assert len(sessions) == 1


def test_requests_of_one_conversation_share_a_session_unless_one_is_named(
    connect: Callable[..., openai.OpenAI], memory: Memory, upstream: Upstream
) -> None:
    upstream.script(chat("Hi."), chat("Good."), chat("Hello."))
    ask(connect("alex"), "hello there assistant")
    ask(connect("alex"), "hello there assistant", {"role": "assistant", "content": "Hi."}, "i bought a kayak")
    ask(connect("alex", **{"X-Toldonce-Session": "tuesday"}), "hello there assistant")
    found = [r for r in memory.review.records("alex", kinds=["message"]) if r.session != "earlier"]
    sessions = {r.text: r.session for r in found}
    assert sessions["Hi."] == sessions["i bought a kayak"] == sessions["Good."] != sessions["Hello."] == "tuesday"


def test_a_person_who_is_not_known_has_no_memory_unless_everyone_has(
    connect: Callable[..., openai.OpenAI], memory: Memory, upstream: Upstream
) -> None:
    upstream.script(*[chat("Hi.")] * 3)
    raw = connect("carla").chat.completions.with_raw_response.create(
        model="m", messages=[{"role": "user", "content": "i like kayaks"}]
    )
    assert raw.headers["x-toldonce-memory"] == "off: unknown person"
    ask(connect(), "i like kayaks")
    assert all(asked.body["messages"] == [{"role": "user", "content": "i like kayaks"}] for asked in upstream.asked)
    assert not memory.review.records("carla")
    with run_proxy(memory, upstream.url, people=ProxyPeople(everyone=True)) as open_to_all:
        ask(open_to_all("carla"), "i like kayaks")
    assert ("user", "i like kayaks") in heard(memory, "carla")


def test_a_default_person_is_meant_where_nobody_is_named(memory: Memory, upstream: Upstream) -> None:
    upstream.script(chat("Lisbon."), chat("?"))
    with run_proxy(memory, upstream.url, people=ProxyPeople(default="alex")) as connect:
        ask(connect(), "where do i live?")
        ask(connect("carla"), "where do i live?")
    assert "Lisbon now" in json.dumps(upstream.asked[0].body) and "Lisbon now" not in json.dumps(upstream.asked[1].body)


def test_who_is_kept_out_is_neither_observed_nor_given_anything(
    connect: Callable[..., openai.OpenAI], memory: Memory, upstream: Upstream
) -> None:
    upstream.script(chat("?"), chat("?"))
    ask(connect("alex", **{"X-Toldonce-Memory": "off"}), "where do i live?")
    memory.people.set_consent("alex", is_given=False)
    ask(connect("alex"), "where do i live?")
    assert all("Lisbon now" not in json.dumps(asked.body) for asked in upstream.asked)
    assert heard(memory) == []


def test_the_rules_of_the_preset_decide_what_is_kept(
    upstream: Upstream, open_memory: OpenMemory, tmp_path: Path
) -> None:
    text = preset_text("assistant")[0].replace('name = "assistant"', 'name = "skipping"', 1)
    (tmp_path / "skipping.toml").write_text(text.replace("[capture]", "[capture]\nskip = ['^!']", 1), encoding="utf-8")
    memory = open_memory(str(tmp_path / "skipping.toml"), file="skipping.db")
    upstream.script(chat("Playing."), chat("Kept."))
    with run_proxy(memory, upstream.url, people=ProxyPeople(everyone=True)) as connect:
        ask(connect("alex"), "!play some music")
        ask(connect("alex"), f"my password is {KEY}")
    texts = [text for _, text in heard(memory)]
    assert len(texts) == 3 and "!play some music" not in texts and not any(KEY in text for text in texts)


def test_the_key_of_the_client_reaches_the_model_and_nothing_else(
    connect: Callable[..., openai.OpenAI],
    memory: Memory,
    upstream: Upstream,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    upstream.script(chat("Lisbon."), Whole({}, 500), chat("?"))
    with caplog.at_level(logging.DEBUG, logger="toldonce"):
        ask(connect("alex"), "where do i live?")
        with pytest.raises(openai.InternalServerError):
            ask(connect("alex"), "where do i live?")
        ask(connect("x" * 5_000), "where do i live?")
    assert all(asked.headers["authorization"] == f"Bearer {KEY}" for asked in upstream.asked)
    assert not [name for asked in upstream.asked for name in asked.headers if name.startswith("x-toldonce")]
    memory.close()
    assert all(KEY.encode() not in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert KEY not in caplog.text and "where do i live" not in caplog.text


def test_other_paths_pass_with_their_query(connect: Callable[..., openai.OpenAI], upstream: Upstream) -> None:
    upstream.script(Whole({"object": "list", "data": [{"id": "m", "object": "model", "created": 1, "owned_by": "o"}]}))
    assert [m.id for m in connect("alex").models.list(extra_query={"a": "b c"})] == ["m"]
    assert (upstream.asked[0].method, upstream.asked[0].path) == ("GET", "/v1/models?a=b+c")


@pytest.mark.parametrize(
    ("path", "leaves"),
    [
        ("/chat/completions", False), ("/models/org%2Fname", False), ("/files/a..b", False), ("/files/100%", False),
        ("/../admin", True), ("/x/%2e%2e/admin", True), ("/%252e%252e/admin", True), ("/..%2fadmin", True),
        ("/.%5c..%5cadmin", True), ("/./x", True), ("/%25252525252e/", True),
    ],
)  # fmt: skip
def test_no_path_leaves_the_base_address(path: str, leaves: bool) -> None:
    assert leads_elsewhere(path) is leaves


def test_a_path_with_dots_is_not_passed_on(memory: Memory, upstream: Upstream) -> None:
    with run_proxy(memory, f"{upstream.url}/api/v1") as connect:
        address = urlsplit(str(connect("alex").base_url))
        assert address.hostname is not None
        for path in ("/v1/../admin", "/v1/%2e%2e/admin", "/v1/x/..%2f..%2fadmin"):
            with socket.create_connection((address.hostname, address.port or 80), timeout=30) as raw:
                raw.sendall(f"GET {path} HTTP/1.1\r\nHost: {address.netloc}\r\n\r\n".encode())
                assert raw.recv(4_096).split()[1] == b"404"
    assert upstream.asked == []


def test_a_base_address_with_a_path_stands_for_version_one(memory: Memory, upstream: Upstream) -> None:
    upstream.script(chat("Hi."))
    with run_proxy(memory, f"{upstream.url}/api/openai/v1/") as connect:
        ask(connect("alex"), "hello")
    assert upstream.asked[0].path == "/api/openai/v1/chat/completions"


def test_a_request_that_cannot_be_read_passes_to_the_byte(
    connect: Callable[..., openai.OpenAI], memory: Memory, upstream: Upstream
) -> None:
    url = f"{connect().base_url}chat/completions"
    bodies = [b"{ no json", b"[1]", b'{"messages": 3}', b'{"messages": [3, null, {"role": 4}]}', b"[" * 100_000]
    upstream.script(*[Whole({"error": {"message": "bad"}}, 400)] * len(bodies))
    for body in bodies:
        answer = httpx.post(url, content=body, headers={"X-Toldonce-User": "alex"})
        assert answer.status_code == 400
    assert [asked.content for asked in upstream.asked] == bodies


def test_a_compressed_answer_is_read_and_passed_on(
    connect: Callable[..., openai.OpenAI], memory: Memory, upstream: Upstream
) -> None:
    body = gzip.compress(json.dumps(chat("Lisbon.").body).encode())
    upstream.script(Whole(body, headers={"Content-Encoding": "gzip"}))
    assert ask(connect("alex"), "where do i live?").choices[0].message.content == "Lisbon."
    assert ("assistant", "Lisbon.") in heard(memory)


def test_cookies_of_one_client_are_not_sent_for_another(
    connect: Callable[..., openai.OpenAI], upstream: Upstream
) -> None:
    upstream.script(Whole(chat("Hi.").body, headers={"Set-Cookie": "id=alex"}), chat("Hi."))
    ask(connect("alex"), "hello")
    ask(connect("bea"), "hello")
    assert "cookie" not in upstream.asked[1].headers


def test_when_the_memory_fails_the_request_goes_on_without_it(
    connect: Callable[..., openai.OpenAI], memory: Memory, upstream: Upstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise StoreError("broken")

    upstream.script(chat("Hi."), chat("Hi."))
    monkeypatch.setattr(memory, "observe", fail)
    assert ask(connect("alex"), "hello").choices[0].message.content == "Hi."
    monkeypatch.setattr(memory, "context", fail)
    assert ask(connect("alex"), "hello").choices[0].message.content == "Hi."
    assert upstream.asked[1].body["messages"] == [{"role": "user", "content": "hello"}]


def test_pages_of_other_origins_and_clients_without_the_token_are_refused(memory: Memory, upstream: Upstream) -> None:
    with run_proxy(memory, upstream.url, token="open-sesame", largest_request=1_000) as connect:
        url = f"{connect().base_url}chat/completions"
        root = url.partition("/v1/")[0]
        token = {"X-Toldonce-Token": "open-sesame"}

        def refused(address: str = url, content: bytes = b"{}", **headers: str) -> tuple[int, str]:
            answer = httpx.post(address, content=content, headers=headers)
            return answer.status_code, answer.json()["error"]["code"]

        assert refused() == (401, "wrong_token")
        assert refused(**token, Origin="https://evil.example") == (403, "unknown_origin")
        assert refused(**token, Host="evil.example") == (403, "unknown_host")
        assert refused(f"{root}/chat/completions", **token) == (404, "unknown_path")
        assert refused(content=b"x" * 2_000, **token) == (413, "request_too_large")
        assert httpx.get(f"{root}/health").json() == {"status": "ok"}
    assert upstream.asked == []


@pytest.mark.parametrize(
    "to", ["api.openai.com", "ftp://host/v1", "https://", "https://me:pw@host", "https://h/v1?k=1"]
)
def test_an_address_that_cannot_be_used_is_refused(to: str) -> None:
    with pytest.raises(InputError):
        read_address(to)


def test_the_block_joins_the_form_of_the_instructions() -> None:
    parts = [{"type": "text", "text": "Be brief."}]
    body = {"messages": [{"role": "developer", "content": parts}]}
    assert ChatFormat().insert_block(body, "B")["messages"] == [
        {"role": "developer", "content": [*parts, {"type": "text", "text": "B"}]}
    ]
    assert ChatFormat().insert_block({"messages": []}, "B")["messages"] == [{"role": "system", "content": "B"}]
    stored = ResponsesFormat().insert_block({"prompt": {"id": "p"}, "input": "hi"}, "B")
    assert stored["input"] == [{"role": "developer", "content": "B"}, {"role": "user", "content": "hi"}]
    assert "instructions" not in stored


@pytest.mark.parametrize("size", [1, 2, 7, 10_000])
def test_a_stream_is_read_however_it_is_cut(size: int) -> None:
    events = [json.dumps(event, ensure_ascii=False) for event in chat_events("Olá, ", "tudo bem? ☀")]
    stream = (": ping\r\n\r\n" + "".join(f"data:{e}\r\n\r\n" for e in events) + "data: [DONE]").encode()
    reader = AnswerReader(ChatFormat(), is_stream=True)
    for place in range(0, len(stream), size):
        reader.feed(stream[place : place + size])
    reader.finish()
    assert reader.answer.text == "Olá, tudo bem? ☀" and reader.answer.is_whole


def test_an_answer_that_is_too_large_is_not_read() -> None:
    reader = AnswerReader(ChatFormat(), is_stream=False, largest=10)
    reader.feed(json.dumps(chat("Lisbon.").body).encode())
    reader.finish()
    assert not reader.answer.text and not reader.answer.is_whole


def test_only_the_newest_values_are_kept() -> None:
    recent: RecentValues[int, str] = RecentValues(2)
    for number in (1, 2, 1, 3):
        recent.put(number, str(number))
    assert (recent.get(1), recent.get(2), recent.get(3)) == ("1", None, "3")


def test_the_command_serves_the_example_of_the_page(made: Shell, upstream: Upstream, capsys: Any) -> None:
    made("people", "set", "alex", "--name", "Alex")
    made("remember", "Alex needs left-handed scissors", "--user", "alex")
    upstream.script(chat("A left-handed one."))
    proxy = made.process("proxy", "--to", upstream.url, "--port", "0")
    assert proxy.stderr is not None
    try:
        lines = iter(proxy.stderr.readline, b"")
        address = next(
            found[1].decode() for line in lines if (found := re.search(rb"Base URL for clients: (\S+)", line))
        )
        wait_until(lambda: can_reach(address))
        (example,) = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        exec(example.replace("http://127.0.0.1:8767/v1", address), {})
    finally:
        proxy.send_signal(signal.SIGTERM)
        _, err = proxy.communicate(timeout=60)
    assert proxy.returncode == 0 and "A left-handed one." in capsys.readouterr().out, err
    assert "left-handed" in json.dumps(upstream.asked[0].body["messages"][0])


def test_the_command_says_what_is_missing(made: Shell) -> None:
    assert "is no address" in made("proxy", "--to", "api.openai.com", code=2).stderr
    refused = made("proxy", "--to", "https://api.openai.com", "--host", "0.0.0.0", code=2)
    assert "TOLDONCE_PROXY_TOKEN" in refused.stderr
    remote = made("proxy", "--to", "https://api.openai.com", "--place", "https://memory.example", code=2)
    assert "--place" in remote.stderr


def can_reach(address: str) -> bool:
    try:
        return httpx.get(address.replace("/v1", "/health")).is_success
    except httpx.HTTPError:
        return False


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait for what happens in another thread or process; nothing is asserted about how long it takes."""
    waiting = threading.Event()
    for _ in range(3_000):
        if is_so():
            return
        waiting.wait(0.02)
    raise AssertionError("it did not happen")
