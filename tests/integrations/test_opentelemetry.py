"""OpenTelemetry with the SDK's in-memory exporters: what is traced and counted, and that no text is in it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from tests.conftest import OpenMemory
from tests.integrations.table import Integration
from tests.scripted import Embedding, Status, scripted
from tests.server.serving import serving
from toldonce import AsyncMemory, InputError, Memory
from toldonce.distil.tiers import read_tiers
from toldonce.integrations.opentelemetry import instrument, uninstrument

INTEGRATION = Integration(
    name="OpenTelemetry",
    package="opentelemetry-sdk",
    module="toldonce.integrations.opentelemetry",
    page="opentelemetry.md",
    works={
        "spans of operations and jobs": "test_operations_and_jobs_are_spans_with_counts",
        "model calls with tokens and cost": "test_a_model_call_is_a_span_with_its_tokens_and_cost",
        "requests with the caller's trace": "test_a_request_continues_the_trace_of_its_caller",
        "metrics": "test_operations_jobs_and_the_queue_are_measured",
    },
    lacks=("spans of a remote memory's client",),
)
CANARY = "zanzibar"


class Traced:
    """Everything that was exported."""

    def __init__(self) -> None:
        self._spans = InMemorySpanExporter()
        self._reader = InMemoryMetricReader()
        provider = TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(self._spans))
        instrument(tracer_provider=provider, meter_provider=MeterProvider([self._reader]))

    @property
    def spans(self) -> list[ReadableSpan]:
        return list(self._spans.get_finished_spans())

    def find(self, name: str) -> ReadableSpan:
        return next(span for span in self.spans if span.name == name)

    def attributes(self, name: str) -> dict[str, Any]:
        return dict(self.find(name).attributes or {})

    def figures(self) -> dict[str, list[Any]]:
        """The points of every metric."""
        data = self._reader.get_metrics_data()
        metrics = [m for r in data.resource_metrics for s in r.scope_metrics for m in s.metrics] if data else []
        return {metric.name: list(metric.data.data_points) for metric in metrics}

    def text(self) -> str:
        return " ".join(span.to_json() for span in self.spans) + repr(self.figures())


@pytest.fixture
def traced() -> Iterator[Traced]:
    yield Traced()
    uninstrument()


def test_operations_and_jobs_are_spans_with_counts(traced: Traced, open_memory: OpenMemory) -> None:
    memory = open_memory("life")
    memory.observe(f"I live in {CANARY}", user="alexandra", session=CANARY)
    (settled,) = memory.settle(session=CANARY)
    memory.recall(f"who lives in {CANARY}?", user="alexandra")
    made = memory.context(f"what of {CANARY}", user="alexandra")
    memory.tend()
    stored = traced.attributes("toldonce observe")
    assert (stored["toldonce.messages.stored"], stored["toldonce.messages.skipped"]) == (1, 0)
    assert traced.attributes("toldonce settle")["toldonce.records"] == len(settled.kept)
    assert traced.attributes("toldonce context")["toldonce.tokens"] == made.tokens
    assert traced.attributes("toldonce job expire")["toldonce.job.status"] == "completed"
    for secret in (CANARY, "alexandra"):
        assert secret not in traced.text().casefold()


def test_operations_jobs_and_the_queue_are_measured(traced: Traced, open_memory: OpenMemory) -> None:
    memory = open_memory("life")
    memory.observe_many([{"text": f"I live in room {n}", "user": "alex", "session": "a"} for n in range(2)])
    memory.tend()
    figures = traced.figures()
    (messages,) = figures["toldonce.messages"]
    assert (messages.value, dict(messages.attributes)) == (2, {"toldonce.outcome": "stored"})
    done = {(p.attributes["toldonce.operation"], p.count) for p in figures["toldonce.operation.duration"]}
    assert done == {("observe_many", 1), ("tend", 1)}
    assert {p.attributes["toldonce.job"] for p in figures["toldonce.job.duration"]} >= {"expire", "resume"}
    assert figures["toldonce.jobs.waiting"][0].value >= len(memory.jobs.all()) > 0


def test_a_model_call_is_a_span_with_its_tokens_and_cost(traced: Traced, open_memory: OpenMemory) -> None:
    with scripted() as model:
        memory = open_memory("life", writer=read_tiers(model.writer, prices="scripted = 1000/2000"))
        memory.observe(f"I live in {CANARY} with my sister", user="alexandra", session="a")
        memory.settle(session="a")
        call = traced.attributes("chat scripted")
        assert call["gen_ai.operation.name"] == "chat" and call["gen_ai.request.model"] == "scripted"
        usage = memory.jobs.usage()
        read = sum(one.input_tokens for one in usage)
        assert sum((s.attributes or {}).get("gen_ai.usage.input_tokens", 0) for s in traced.spans) == read > 0
        figures = traced.figures()
        tokens = {p.attributes["gen_ai.token.type"]: p.sum for p in figures["gen_ai.client.token.usage"]}
        assert tokens["input"] == read
        cost = sum(one.cost for one in usage) / 1_000_000
        assert sum(p.value for p in figures["toldonce.model.cost"]) == pytest.approx(cost) and cost > 0
    settled = traced.find("toldonce settle")
    parent = traced.find("chat scripted").parent
    assert settled.context is not None and parent is not None and parent.trace_id == settled.context.trace_id
    assert CANARY not in traced.text().casefold()


def test_a_failed_model_call_has_its_type(traced: Traced, open_memory: OpenMemory) -> None:
    server = Embedding()
    server.answer = lambda _: Status(401, body={"error": {"message": CANARY}})
    memory = open_memory("life", embedder=server.setting)
    memory.remember(f"Alex lives in {CANARY}", user="alex")
    memory.tend()
    server.close()
    span = next(s for s in traced.spans if s.name.startswith("embeddings"))
    assert (span.attributes or {})["error.type"] == "ModelError" and span.status.status_code == StatusCode.ERROR
    assert CANARY not in traced.text().casefold()


def test_an_error_is_noted_by_its_type_alone(traced: Traced, open_memory: OpenMemory) -> None:
    memory = open_memory("life")
    with pytest.raises(InputError):
        memory.observe(f"I live in {CANARY}", user="")
    span = traced.find("toldonce observe")
    assert span.status.status_code == StatusCode.ERROR and span.events == ()
    (point,) = traced.figures()["toldonce.operation.duration"]
    assert dict(point.attributes) == {"toldonce.operation": "observe", "error.type": "InputError"}
    assert CANARY not in traced.text()


def test_a_request_continues_the_trace_of_its_caller(traced: Traced, open_memory: OpenMemory) -> None:
    with serving(open_memory("assistant")) as server:
        client = server.of("alexandra")
        caller = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        kept = client.post("/v1/records", json={"text": f"Lives in {CANARY}"}, headers={"traceparent": caller}).json()
        client.get(f"/v1/records/{kept['id']}", headers={"traceparent": caller})
    request, stored = traced.find("POST /v1/records"), traced.find("toldonce remember")
    assert request.context is not None and stored.parent is not None
    assert f"{request.context.trace_id:032x}" == caller.split("-")[1]
    assert stored.parent.span_id == request.context.span_id
    assert traced.attributes("POST /v1/records")["http.response.status_code"] == 200
    assert traced.find("GET /v1/records/{record_id}")
    routes = {p.attributes["http.route"] for p in traced.figures()["http.server.request.duration"]}
    assert routes == {"/v1/records", "/v1/records/{record_id}"}
    for secret in (CANARY, "alexandra", kept["id"]):
        assert secret not in traced.text()


def test_an_async_memory_is_traced_too(traced: Traced, tmp_path: Path) -> None:
    async def story() -> None:
        async with await AsyncMemory.open(tmp_path / "memory.db", embedder=None, background=False) as memory:
            await memory.observe("I live in Lisbon", user="alex")

    asyncio.run(story())
    assert traced.find("toldonce observe")


def test_off_means_untouched() -> None:
    before = Memory.observe
    Traced()
    instrument()
    assert Memory.observe is not before
    uninstrument()
    assert Memory.observe is before


@pytest.mark.parametrize(("switch", "imported"), [("", False), ("0", False), ("1", True)])
def test_nothing_is_imported_unless_it_is_switched_on(switch: str, imported: bool, tmp_path: Path) -> None:
    opened = f"Memory.open({str(tmp_path / 'memory.db')!r}, embedder=None)"
    code = f"import sys; from toldonce import Memory; {opened}; print('opentelemetry' in sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "TOLDONCE_OTEL": switch},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == str(imported)
