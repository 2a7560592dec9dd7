"""Guards an HTTP server against clients that hold connections and flood logs.

A connection must send a whole request head, and then its body, within a time; a process holds a limited number of
connections, and makes room for a new one by closing the one that has waited longest without a request; lines that
repeat are counted instead of logged. Nothing here knows what is served.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

log = logging.getLogger("toldonce.mcp")


@dataclass(frozen=True, slots=True)
class HttpLimits:
    """What one client, and all of them together, may take of a server."""

    connections: int = 256
    head_seconds: float = 10.0
    body_seconds: float = 60.0
    idle_seconds: int = 15
    head_bytes: int = 65_536
    # How many connections the loop accepts before it looks at them.
    backlog: int = 64


def fit_limits(limits: HttpLimits) -> HttpLimits:
    """The limits with no more connections than half of the files that this process may open."""
    try:
        import resource
    except ImportError:
        return limits
    from dataclasses import replace

    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return replace(limits, connections=max(8, min(limits.connections, most // 2))) if most > 0 else limits


def guarded_protocol(limits: HttpLimits) -> type[H11Protocol]:
    """The protocol of a server with these limits."""

    class Guarded(GuardedProtocol):
        pass

    Guarded.limits = limits
    return Guarded


class GuardedProtocol(H11Protocol):
    """One connection, closed when it keeps the server waiting or when another needs its place."""

    limits = HttpLimits()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._timer: asyncio.TimerHandle | None = None
        self._waits_for = ""
        self._began = self.loop.time()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > self.limits.connections and not self._make_room():
            log.warning("a connection was refused: %d are open, all with a request", self.limits.connections)
            transport.write(_REFUSAL)
            transport.close()
            return
        self._wait_for("head")

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.is_closing():
            self._wait_for("")
        elif self.conn.their_state is h11.IDLE:
            # A part of a head has come; the time for all of it has begun with its first byte.
            self._wait_for("head")
        else:
            self._wait_for("body" if self.conn.their_state is h11.SEND_BODY else "")

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._began = self.loop.time()
        self._wait_for("")

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_for("")
        super().connection_lost(exc)

    @property
    def is_idle(self) -> bool:
        """Whether no request is under way."""
        cycle: Any = self.cycle
        return cycle is None or cycle.response_complete

    def _wait_for(self, what: str) -> None:
        """Begin to wait for a part of a request, unless that is waited for already; for nothing, stop waiting."""
        if what == self._waits_for and what:
            return
        if self._timer is not None:
            self._timer.cancel()
        seconds = {"head": self.limits.head_seconds, "body": self.limits.body_seconds}.get(what)
        self._timer = self.loop.call_later(seconds, self._give_up) if seconds else None
        self._waits_for = what

    def _give_up(self) -> None:
        log.info("a connection was closed: its request did not come in time")
        self._timer, self._waits_for = None, ""
        self.transport.abort()

    def _make_room(self) -> bool:
        """Close the connection that has waited longest without a request; False when all have one."""
        others = (c for c in self.connections if isinstance(c, GuardedProtocol) and c is not self)
        idle = [c for c in others if c.is_idle and not c.transport.is_closing()]
        if not idle:
            return False
        oldest = min(idle, key=lambda c: c._began)
        self.connections.discard(oldest)
        oldest.transport.abort()
        return True


_REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\nretry-after: 5\r\n"
    b"connection: close\r\n\r\ntoo many connections: try again later\n"
)


class RepeatFilter(logging.Filter):
    """Lets the first few of equal lines through in each span of time, and then tells how many were left out."""

    def __init__(self, *, most: int = 5, seconds: float = 60.0, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._most, self._seconds, self._clock = most, seconds, clock
        self._seen: dict[tuple[str, int, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is written."""
        key, now = (record.name, record.levelno, str(record.msg)[:200]), self._clock()
        since, count = self._seen.get(key, (now, 0))
        if now - since >= self._seconds:
            if count > self._most:
                record.msg = f"{record.msg} (and {count - self._most} more like it)"
            since, count = now, 0
        if len(self._seen) > 1_000:
            self._seen.clear()
        self._seen[key] = (since, count + 1)
        return count < self._most


def limit_repeats() -> None:
    """Put one filter before every line that a flood of requests can cause."""
    repeats = RepeatFilter()
    handlers = [h for name in ("", "toldonce", "uvicorn", "uvicorn.error") for h in logging.getLogger(name).handlers]
    for handler in {*handlers, *([logging.lastResort] if logging.lastResort else [])}:
        handler.addFilter(repeats)
