"""OpenTelemetry: spans and metrics of operations, background jobs, model calls and HTTP requests.

`instrument` wraps the public operations from outside; before it is called nothing of OpenTelemetry is imported. No
attribute carries remembered text, a question, a name of a person or a space, or the message of an error.
"""

from __future__ import annotations

import functools
import importlib.util
import inspect
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from toldonce import __version__
from toldonce.errors import ConfigError, ToldonceError
from toldonce.jobs.background import JobRunner
from toldonce.memory import Memory
from toldonce.models.chat import HttpChat, Reply
from toldonce.models.remote import RemoteEmbedder
from toldonce.optional import install_hint
from toldonce.storage.tables.usage import LedgerTable, Usage

if TYPE_CHECKING:
    from toldonce.jobs.planning import Duties
    from toldonce.jobs.task import Handler, JobResult, LeasedJob

try:
    from opentelemetry import metrics, propagate, trace
    from opentelemetry.metrics import CallbackOptions, MeterProvider, Observation
    from opentelemetry.trace import Span, SpanKind, Status, StatusCode, TracerProvider
except ImportError as problem:
    raise ConfigError(f"OpenTelemetry is not installed: {install_hint('otel')}") from problem

SCOPE = "toldonce"
# Operations that get a span, and what is counted of their results.
OPERATIONS: Mapping[str, Callable[[Any], Mapping[str, int]]] = {
    "observe": lambda kept: _count_messages([kept]),
    "observe_many": lambda kept: _count_messages(kept),
    "remember": lambda _: {"toldonce.records": 1},
    "settle": lambda done: {
        "toldonce.conversations": len(done),
        "toldonce.records": sum(len(one.kept) for one in done),
    },
    "recall": lambda hits: {"toldonce.hits": len(hits)},
    "context": lambda made: {"toldonce.hits": len(made.hits), "toldonce.tokens": made.tokens},
    "tend": lambda runs: {"toldonce.jobs": len(runs)},
}
_JOBS_COLUMN = 4
_wrapped: list[tuple[type, str, Any]] = []
_memories: weakref.WeakSet[Memory] = weakref.WeakSet()


def _count_messages(kept: Iterable[object]) -> Mapping[str, int]:
    from toldonce.records import Record

    stored = [isinstance(one, Record) for one in kept]
    return {"toldonce.messages.stored": sum(stored), "toldonce.messages.skipped": len(stored) - sum(stored)}


class Instruments:
    """The tracer and the metrics."""

    def __init__(self, spans: TracerProvider | None, figures: MeterProvider | None) -> None:
        self.tracer = trace.get_tracer(SCOPE, __version__, spans)
        meter = metrics.get_meter(SCOPE, __version__, figures)
        self.operations = meter.create_histogram(
            "toldonce.operation.duration", "s", "Time of an operation of a memory."
        )
        self.jobs = meter.create_histogram("toldonce.job.duration", "s", "Time of a background job.")
        self.messages = meter.create_counter("toldonce.messages", "{message}", "Messages observed, by outcome.")
        self.records = meter.create_counter("toldonce.records", "{record}", "Records learned or remembered.")
        self.model_calls = meter.create_histogram("gen_ai.client.operation.duration", "s", "Time of a model call.")
        self.tokens = meter.create_histogram("gen_ai.client.token.usage", "{token}", "Tokens of a model call.")
        self.cost = meter.create_counter("toldonce.model.cost", "{unit}", "Cost of model calls, in writer_prices.")
        self.requests = meter.create_histogram("http.server.request.duration", "s", "Time of a request.")
        meter.create_observable_gauge(
            "toldonce.jobs.waiting", [count_waiting_jobs], "{job}", "Background jobs that are planned."
        )

    @contextmanager
    def span(self, name: str, *, kind: SpanKind = SpanKind.INTERNAL, **given: Any) -> Iterator[Span]:
        """A span that notes which error ended it, and nothing of what that says."""
        with self.tracer.start_as_current_span(
            name, kind=kind, record_exception=False, set_status_on_exception=False, **given
        ) as span:
            try:
                yield span
            except BaseException as problem:
                span.set_attribute("error.type", type(problem).__name__)
                span.set_status(Status(StatusCode.ERROR, type(problem).__name__))
                raise


def instrument(*, tracer_provider: TracerProvider | None = None, meter_provider: MeterProvider | None = None) -> None:
    """Make spans and metrics from now on, for every memory of this process; calling it again does nothing.

    They go to these providers, else to those that the application configured. Call it before memories are opened, so
    that their background jobs are included.
    """
    if _wrapped:
        return
    made = Instruments(tracer_provider, meter_provider)
    for name, count in OPERATIONS.items():
        _wrap(Memory, name, functools.partial(_trace_operation, made, name, count))
    _wrap(Memory, "__init__", _register_memory)
    _wrap(HttpChat, "ask", functools.partial(_trace_chat, made))
    _wrap(RemoteEmbedder, "embed", functools.partial(_trace_embedding, made))
    _wrap(LedgerTable, "count", functools.partial(_count_cost, made))
    _wrap(JobRunner, "_duties", functools.partial(_trace_duties, made))
    if importlib.util.find_spec("fastapi") is not None:
        from toldonce.server.guard import Guard

        _wrap(Guard, "__call__", functools.partial(_trace_request, made))
        _wrap(Guard, "_note", functools.partial(_note_request, made))


def uninstrument() -> None:
    """Take everything back that `instrument` wrapped."""
    while _wrapped:
        owner, name, original = _wrapped.pop()
        setattr(owner, name, original)


def export_by_otlp() -> None:
    """Send spans and metrics where the variables `OTEL_EXPORTER_OTLP_*` say, unless a provider is configured."""
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.metrics import MeterProvider as SdkMeterProvider
    from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
    from opentelemetry.sdk.resources import SERVICE_NAME, OTELResourceDetector, Resource
    from opentelemetry.sdk.trace import TracerProvider as SdkTracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    if not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
        return
    resource = Resource.create({SERVICE_NAME: SCOPE}).merge(OTELResourceDetector().detect())
    spans = SdkTracerProvider(resource=resource)
    spans.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(spans)
    reader = PeriodicExportingMetricReader(OTLPMetricExporter())
    metrics.set_meter_provider(SdkMeterProvider([reader], resource=resource))


def count_waiting_jobs(_: CallbackOptions) -> Iterable[Observation]:
    """How many jobs are planned in the memories that are open here."""
    found = 0
    for memory in list(_memories):
        try:
            found += memory.store.read(lambda t: t.documents.count_sizes(None))[_JOBS_COLUMN]
        except ToldonceError:
            # It was closed, or its store is away: what it has is not known.
            continue
    return [Observation(found)]


def _wrap(owner: type, name: str, wrapper: Callable[..., Any]) -> None:
    """Replace a method by one that calls `wrapper` with the method itself first."""
    original = getattr(owner, name)

    @functools.wraps(original)
    def wrapped(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        return wrapper(original, self, *args, **kwargs)

    # A web server looks at the function itself to see how an application is to be called.
    @functools.wraps(original)
    async def application(self: Any, scope: Any, receive: Any, send: Any) -> None:
        await wrapper(original, self, scope, receive, send)

    _wrapped.append((owner, name, original))
    setattr(owner, name, application if inspect.iscoroutinefunction(original) else wrapped)


def _register_memory(original: Callable[..., None], memory: Memory, /, *args: Any, **kwargs: Any) -> None:
    _memories.add(memory)
    original(memory, *args, **kwargs)


def _trace_operation(
    made: Instruments,
    name: str,
    count: Callable[[Any], Mapping[str, int]],
    original: Callable[..., Any],
    memory: Memory,
    /,
    *args: Any,
    **kwargs: Any,
) -> Any:
    noted, began = {"toldonce.operation": name}, time.perf_counter()
    try:
        with made.span(f"toldonce {name}", attributes=noted) as span:
            result = original(memory, *args, **kwargs)
            counts = count(result)
            span.set_attributes(counts)
    except BaseException as problem:
        noted = {**noted, "error.type": type(problem).__name__}
        raise
    finally:
        made.operations.record(time.perf_counter() - began, noted)
    for outcome in ("stored", "skipped"):
        if number := counts.get(f"toldonce.messages.{outcome}"):
            made.messages.add(number, {"toldonce.outcome": outcome})
    if number := counts.get("toldonce.records"):
        made.records.add(number, {"toldonce.operation": name})
    return result


def _trace_chat(
    made: Instruments, original: Callable[..., Reply], chat: HttpChat, /, *args: Any, **kwargs: Any
) -> Reply:
    with _model_span(made, "chat", chat.name) as (span, noted):
        reply = original(chat, *args, **kwargs)
        for sort, tokens in (("input", reply.input_tokens), ("output", reply.output_tokens)):
            span.set_attribute(f"gen_ai.usage.{sort}_tokens", tokens)
            made.tokens.record(tokens, {**noted, "gen_ai.token.type": sort})
        return reply


def _trace_embedding(made: Instruments, original: Callable[..., Any], embedder: RemoteEmbedder, /, *args: Any) -> Any:
    with _model_span(made, "embeddings", embedder.name):
        return original(embedder, *args)


@contextmanager
def _model_span(made: Instruments, operation: str, name: str) -> Iterator[tuple[Span, dict[str, str]]]:
    """A span by the conventions for generative AI; a model's name is `provider:model`, `host#model` or its own."""
    provider, mark, model = name.partition(":")
    host, is_elsewhere, elsewhere = name.rpartition("#")
    noted = {
        "gen_ai.operation.name": operation,
        "gen_ai.provider.name": provider if mark and not is_elsewhere else "_OTHER",
        "gen_ai.request.model": elsewhere if is_elsewhere else model or name,
    }
    if is_elsewhere:
        noted["server.address"] = host
    began = time.perf_counter()
    try:
        with made.span(
            f"{operation} {noted['gen_ai.request.model']}", kind=SpanKind.CLIENT, attributes=dict(noted)
        ) as span:
            yield span, noted
    except BaseException as problem:
        noted["error.type"] = type(problem).__name__
        raise
    finally:
        made.model_calls.record(time.perf_counter() - began, noted)


def _count_cost(
    made: Instruments, original: Callable[..., None], table: LedgerTable, /, usage: Usage, **kwargs: Any
) -> None:
    original(table, usage, **kwargs)
    if usage.cost:
        made.cost.add(usage.cost / 1_000_000, {"gen_ai.request.model": usage.model, "toldonce.task": usage.task})


def _trace_duties(made: Instruments, original: Callable[..., Duties], runner: JobRunner, /) -> Duties:
    from dataclasses import replace

    return {name: replace(duty, run=_trace_job(made, name, duty.run)) for name, duty in original(runner).items()}


def _trace_job(made: Instruments, name: str, run: Handler) -> Handler:
    def traced(memory: Memory, task: LeasedJob) -> JobResult:
        noted, began = {"toldonce.job": name}, time.perf_counter()
        status = "failed"
        try:
            with made.span(f"toldonce job {name}", attributes=dict(noted)) as span:
                result = run(memory, task)
                status = result.status
                span.set_attribute("toldonce.job.attempt", task.job.attempts)
                span.set_attribute("toldonce.job.status", status)
            return result
        finally:
            made.jobs.record(time.perf_counter() - began, {**noted, "toldonce.job.status": status})

    return traced


async def _trace_request(
    made: Instruments, original: Callable[..., Any], guard: Any, /, scope: Any, receive: Any, send: Any
) -> None:
    if scope["type"] != "http":
        await original(guard, scope, receive, send)
        return
    sent = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    with made.span("request", kind=SpanKind.SERVER, context=propagate.extract(sent)):
        await original(guard, scope, receive, send)


def _note_request(
    made: Instruments, original: Callable[..., None], guard: Any, /, scope: Any, answer: Any, seconds: float
) -> None:
    from toldonce.server.guard import find_method, find_route_path

    original(guard, scope, answer, seconds)
    noted: dict[str, str | int] = {
        "http.request.method": find_method(scope),
        "http.route": find_route_path(scope),
        "http.response.status_code": answer.status,
    }
    span = trace.get_current_span()
    span.update_name(f"{noted['http.request.method']} {noted['http.route']}")
    span.set_attributes(noted)
    if answer.status >= 500:
        span.set_status(Status(StatusCode.ERROR))
    made.requests.record(seconds, noted)
