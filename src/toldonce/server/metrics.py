"""Figures for Prometheus: requests, their time, events and jobs. No label carries a name, an id or a text."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

if TYPE_CHECKING:
    from toldonce.memory import Memory

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0)
_METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})


class Metrics:
    """The figures of one process, or of all processes of a server that share a folder for them."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "toldonce_requests",
            "Requests by method, path and status.",
            ("method", "path", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "toldonce_request_seconds", "Time of requests.", ("path",), buckets=_BUCKETS, registry=self._registry
        )
        self._listeners = Gauge(
            "toldonce_event_listeners",
            "Clients that listen for events.",
            registry=self._registry,
            multiprocess_mode="livesum",
        )

    def count_request(self, method: str, path: str, status: int, seconds: float) -> None:
        """Count one request that was answered."""
        self._requests.labels(method if method in _METHODS else "other", path, str(status)).inc()
        self._seconds.labels(path).observe(seconds)

    def count_listener(self, change: int) -> None:
        """A client began or ceased to listen for events."""
        self._listeners.inc(change)

    def write(self, memory: Memory) -> bytes:
        """All figures as Prometheus reads them, with sizes of the memory."""
        registry = self._registry
        if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
            from prometheus_client.multiprocess import MultiProcessCollector

            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        sizes = memory.store.read(lambda t: t.documents.count_sizes(None))
        names = ("people", "entities", "unsettled_conversations", "records_without_vector", "jobs", "open_questions")
        lines = [
            f"# TYPE toldonce_{name} gauge\ntoldonce_{name} {size}\n" for name, size in zip(names, sizes, strict=False)
        ]
        lines.append(f"# TYPE toldonce_store_bytes gauge\ntoldonce_store_bytes {memory.store.size()}\n")
        return generate_latest(registry) + "".join(lines).encode()
