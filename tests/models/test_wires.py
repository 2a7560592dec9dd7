"""What goes wrong with a model's answer, spelled as each provider spells it, over real HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.conftest import START
from tests.scripted import Raw, Request, Scripted, Status, scripted
from toldonce.coding.drafting import draft_modules, draft_session
from toldonce.coding.transcripts.reader import Spoken, Transcript
from toldonce.distil.drafts import ConversationMessage, DocumentLimits, ExtractionScope, Material, ModuleSketch
from toldonce.distil.ledger import Ledger
from toldonce.distil.model.writer import ModelWriter
from toldonce.distil.tiers import TASKS, Price, Tiers, read_tiers
from toldonce.errors import BudgetSpent, ConfigError, ModelError, ModelRefused
from toldonce.models.catalogue import find_model, read_catalogue_date
from toldonce.models.load import chat_address
from toldonce.storage.sqlite.store import SqliteStore
from toldonce.storage.store import Store

SAID = [
    ConversationMessage("m", "eu me mudei para Recife e não quero mais sair daqui", "u1", "user", START, "Bruno"),
]
GOOD = {
    "source": "m1", "quote": None, "about": None, "relation": None, "text": "Bruno mora em Recife.", "type": "fact",
    "value": "Recife", "change": "holds", "replaces": [], "confidence": 0.9, "attribute": "other",
}  # fmt: skip
ENGLISH = {**GOOD, "text": "Bruno moved to Recife and he does not want to leave it any more, and he is glad of it."}
WIRES = ("openai", "openai-responses", "anthropic", "gemini", "ollama")
# Ollama speaks as OpenAI's completions do.
SPEAKS = {"ollama": "openai"}
USED = {"prompt_tokens": 100, "completion_tokens": 5, "input_tokens": 100, "output_tokens": 5}


@pytest.fixture
def server() -> Iterator[Scripted]:
    with scripted() as server:
        yield server


@pytest.fixture
def store() -> Iterator[Store]:
    store = SqliteStore(":memory:")
    yield store
    store.close()


def open_writer(server: Scripted, store: Store, wire: str = "openai", **settings: str) -> ModelWriter:
    tiers = read_tiers(f"{wire}:{server.url}#m", environ={}, **settings)
    assert tiers is not None
    return ModelWriter(tiers, Ledger(store, "main", clock=lambda: START))


def texts(writer: ModelWriter) -> list[str]:
    return [fact.text for fact in writer.extract(SAID, scope=ExtractionScope()).facts]


def refusal(wire: str) -> Any:
    """A refusal of the model itself."""
    return {
        "openai": {
            "choices": [{"message": {"content": None, "refusal": "I cannot help."}, "finish_reason": "stop"}],
            "usage": USED,
        },
        "openai-responses": {
            "status": "completed",
            "output": [{"type": "message", "content": [{"type": "refusal", "refusal": "I cannot help."}]}],
            "usage": USED,
        },
        "anthropic": {"content": [], "stop_reason": "refusal", "usage": USED},
        "gemini": {
            "candidates": [{"finishReason": "PROHIBITED_CONTENT"}],
            "usageMetadata": {"promptTokenCount": 100},
        },
    }[SPEAKS.get(wire, wire)]


def filtered(wire: str) -> Any:
    """An answer that a filter of the provider stopped."""
    return {
        "openai": {"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}], "usage": USED},
        "openai-responses": {
            "status": "incomplete",
            "incomplete_details": {"reason": "content_filter"},
            "output": [],
            "usage": USED,
        },
        "anthropic": {"content": [{"type": "text", "text": ""}], "stop_reason": "refusal", "usage": USED},
        "gemini": {"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 100}},
    }[SPEAKS.get(wire, wire)]


@pytest.mark.parametrize("said", [refusal, filtered], ids=["refusal", "content filter"])
@pytest.mark.parametrize("wire", WIRES)
def test_a_refusal_is_told_as_one_counted_and_not_asked_again(
    server: Scripted, store: Store, wire: str, said: Any
) -> None:
    server.script(Status(200, body=said(wire)))
    with pytest.raises(ModelRefused, match="refused the task facts"):
        texts(open_writer(server, store, wire))
    assert len(server.requests) == 1
    (used,) = store.read(lambda t: t.ledger.usage())
    assert (used.calls, used.refused, used.input_tokens) == (1, 1, 100)


@pytest.mark.parametrize("wire", WIRES)
def test_a_filter_that_answers_with_an_error_is_a_refusal(server: Scripted, store: Store, wire: str) -> None:
    server.script(Status(400, body={"error": {"code": "content_filter", "message": "no"}}))
    with pytest.raises(ModelRefused, match=r"answered 400 .*\(content_filter\)"):
        texts(open_writer(server, store, wire))
    assert len(server.requests) == 1


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    "status, wait", [(Status(429, {"Retry-After": "7"}), 7.0), (Status(503), None), (Status(529), None)]
)
def test_rate_limits_and_overload_say_how_long_to_wait(
    server: Scripted, store: Store, wire: str, status: Status, wait: float | None
) -> None:
    server.script(status)
    with pytest.raises(ModelError, match=f"answered {status.code}") as raised:
        texts(open_writer(server, store, wire))
    assert raised.value.retry_after_s == wait and len(server.requests) == 1


@pytest.mark.parametrize("wire", WIRES)
def test_a_cut_answer_is_asked_for_again_once(server: Scripted, store: Store, wire: str) -> None:
    server.script(Raw('{"facts": [{"sou', is_cut=True), {"facts": [GOOD]})
    assert texts(open_writer(server, store, wire)) == ["Bruno mora em Recife."]
    assert "cut off" in server.requests[1].turns[-1]


@pytest.mark.parametrize("wire", WIRES)
def test_the_wrong_language_is_asked_for_again_and_kept_if_it_stays(server: Scripted, store: Store, wire: str) -> None:
    server.script({"facts": [ENGLISH]}, {"facts": [ENGLISH]})
    assert texts(open_writer(server, store, wire)) == [ENGLISH["text"]]
    assert "another language" in server.requests[1].turns[-1]


@pytest.mark.parametrize("wire", WIRES)
def test_prose_around_json_is_read_and_prose_alone_is_corrected(server: Scripted, store: Store, wire: str) -> None:
    server.script(Raw("Here you are!"), Raw('Sure:\n```json\n{"facts": []}\n```'))
    assert texts(open_writer(server, store, wire)) == []
    assert len(server.requests) == 2


def schema_in(request: Request) -> Any:
    """The schema of a request, where its wire has it."""
    body = request.body
    if "response_format" in body:
        return body["response_format"]["json_schema"]["schema"]
    if "text" in body:
        return body["text"]["format"]["schema"]
    return body["tools"][0]["input_schema"] if "tools" in body else body["generationConfig"]["responseJsonSchema"]


@pytest.mark.parametrize("wire", WIRES)
def test_a_schema_is_asked_for_in_the_strictest_form_of_the_wire(server: Scripted, store: Store, wire: str) -> None:
    texts(open_writer(server, store, wire))
    (request,) = server.requests
    body = request.body
    assert schema_in(request)["required"] == ["facts"] and "# Task: facts" in request.system
    if wire == "anthropic":
        assert body["system"][0]["cache_control"] == {"type": "ephemeral"}
    if wire == "openai-responses":
        assert body["store"] is False


CACHED = {
    "openai": {
        "choices": [{"message": {"content": '{"facts": []}'}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": 800}},
    },
    "openai-responses": {
        "status": "completed",
        "output": [{"type": "message", "content": [{"type": "output_text", "text": '{"facts": []}'}]}],
        "usage": {"input_tokens": 1000, "output_tokens": 10, "input_tokens_details": {"cached_tokens": 800}},
    },
    "anthropic": {
        "content": [{"type": "tool_use", "input": {"facts": []}}],
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 200, "cache_read_input_tokens": 800, "output_tokens": 10},
    },
    "gemini": {
        "candidates": [{"content": {"parts": [{"text": '{"facts": []}'}]}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 1000, "candidatesTokenCount": 10, "cachedContentTokenCount": 800},
    },
}


@pytest.mark.parametrize("wire", WIRES)
def test_cached_tokens_are_counted_at_their_price(server: Scripted, store: Store, wire: str) -> None:
    server.script(Status(200, body=CACHED[SPEAKS.get(wire, wire)]))
    address = chat_address(f"{wire}:{server.url}#m", environ={})
    tiers = Tiers(address, address, prices={"m": Price(1.0, 4.0, 0.1)})
    ModelWriter(tiers, Ledger(store, "main", clock=lambda: START)).extract(SAID, scope=ExtractionScope())
    (used,) = store.read(lambda t: t.ledger.usage())
    assert (used.input_tokens, used.cost) == (1000, 200 + 80 + 40)


# The table of models


@pytest.mark.parametrize(
    "writer, name",
    [
        ("openai:gpt-4o-mini", "gpt-4o-mini"),
        ("openai:gpt-4o-mini-2024-07-18", "gpt-4o-mini"),
        ("openai-responses:gpt-4o", "gpt-4o"),
        ("openai:gpt-4other", None),
        ("openai:https://elsewhere.example/v1#gpt-4o", None),
        ("ollama:llama3.2", ""),
    ],
)
def test_a_model_is_found_by_the_longest_name(writer: str, name: str | None) -> None:
    found = find_model(chat_address(writer, environ={}))
    assert (found.name if found else None) == name
    assert len(read_catalogue_date().split("-")) == 3


def test_a_setting_goes_before_the_table() -> None:
    tiers = read_tiers("openai:gpt-4o-mini", prices="gpt-4o-mini = 9/9", environ={})
    assert tiers is not None and tiers.price(tiers.fast) == Price(9.0, 9.0)


# The budget


def test_a_spent_budget_stops_politely_until_the_next_day(server: Scripted, store: Store) -> None:
    writer = open_writer(server, store, budget="100 tokens")
    texts(writer)
    with pytest.raises(BudgetSpent, match="budget for models .100 tokens. is spent: the work waits") as raised:
        writer.note(SAID)
    assert len(server.requests) == 1
    assert raised.value.retry_after_s == 15 * 3600, "START is at nine"


def test_money_needs_prices(server: Scripted, store: Store) -> None:
    with pytest.raises(ConfigError, match="no price for 127.0.0.1#m: set writer_prices"):
        open_writer(server, store, budget="0.5")
    writer = open_writer(server, store, budget="0.0001", prices="m = 1/1")
    texts(writer)
    with pytest.raises(BudgetSpent):
        writer.note(SAID)


@pytest.mark.parametrize("text", ["much", "5 euros", "-1", "nan"])
def test_a_budget_that_means_nothing_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="write it like 0.50 or 300000 tokens"):
        read_tiers("ollama:m", budget=text, environ={})


def ask_everything(writer: ModelWriter, name: str) -> None:
    """Every task once, about somebody of this name."""
    said = [replace(SAID[0], name=name, text=f"{name} moved to Recife")]
    news = [
        Material(id=f"{name} {n}", text=f"{name} likes {n}", at=START + timedelta(days=n), kind="fact")
        for n in range(3)
    ]
    sections = {"bio": ("residence",)}
    limits = DocumentLimits(person=name, lines={"bio": 4}, tokens=600)
    writer.note(said)
    writer.extract(said, scope=ExtractionScope(has_note=True, areas=(("health", "body"),)))
    writer.profile([], news, sections=sections, limits=limits)
    writer.user_memory([], news, sections=sections, limits=limits)
    writer.topics(news)
    writer.judge([(news[0], news[1])])
    writer.insights(news)
    writer.reflect(news, since=START, until=START)
    writer.report(news, about=name, since=START, until=START)
    writer.names([f"{name} in Porto"])
    draft_modules(writer, [ModuleSketch(module=name, folder=f"{name}/")])
    draft_session(writer, Transcript(agent="codex", session=name, events=(Spoken(role="user", text=f"Ask {name}"),)))


@pytest.mark.parametrize("wire", WIRES)
def test_requests_of_one_task_begin_alike_up_to_their_data(server: Scripted, store: Store, wire: str) -> None:
    """Byte for byte, schema included, so that a provider finds it in its cache; the rules are the same in all tasks."""
    ask_everything(open_writer(server, store, wire), "Ana")
    ask_everything(open_writer(server, store, wire), "Bruno")
    by_task: dict[str, list[Request]] = {}
    for request in server.requests:
        by_task.setdefault(request.task, []).append(request)
    assert set(by_task) == set(TASKS)
    for first, second in by_task.values():
        one, other = json.dumps(first.body), json.dumps(second.body)
        place = one.index("Quoted data;")
        assert one[:place] == other[:place] and first.turns[0] != second.turns[0]
        assert schema_in(first) == schema_in(second) and first.system == second.system
    assert len({request.system.partition("# Task: ")[0] for request in server.requests}) == 1


@pytest.mark.parametrize("wire", WIRES)
def test_the_schema_of_every_task_is_strict(server: Scripted, store: Store, wire: str) -> None:
    """As OpenAI's strict mode demands: all fields required, no others, and only types that every provider knows."""
    ask_everything(open_writer(server, store, wire), "Ana")
    for request in server.requests:
        parts = list(walk_schema(schema_in(request)))
        assert {part["type"] for part in parts} <= {"object", "array", "string", "number", "boolean"}, request.task
        for part in parts:
            assert set(part) <= {"type", "properties", "required", "additionalProperties", "items", "enum"}
            if part["type"] == "object":
                assert part["required"] == list(part["properties"]) and part["additionalProperties"] is False


def walk_schema(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A schema and all that is in it."""
    yield schema
    for inner in (*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])):
        yield from walk_schema(inner)


@pytest.mark.parametrize("wire", ["openai", "openai-responses"])
def test_requests_to_openai_itself_carry_the_key_of_their_task(
    server: Scripted, store: Store, wire: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts(open_writer(server, store, wire))
    monkeypatch.setattr("toldonce.models.chat.CACHE_KEY_HOSTS", frozenset(("127.0.0.1",)))
    with closing(SqliteStore(":memory:")) as other:
        texts(open_writer(server, other, wire))
    assert [request.body.get("prompt_cache_key") for request in server.requests] == [None, "toldonce-facts"]
