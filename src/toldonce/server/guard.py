"""What every request passes before the application: names, credential, limits, a request id, metrics and a log line.

It is plain ASGI, so that streams stay streams. The log has paths, statuses and ids, never texts.
"""

from __future__ import annotations

import logging
import re
import secrets
import time
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anyio
from anyio import to_thread
from starlette.requests import HTTPConnection
from starlette.responses import Response

from toldonce.host_names import read_host, read_origin
from toldonce.server.api import IDENTITY
from toldonce.server.forms import is_form, read_form
from toldonce.server.problems import RequestProblem
from toldonce.server.settings import RequestLimits, ServerSettings

if TYPE_CHECKING:
    from toldonce.server.credentials import Credentials
    from toldonce.server.identity import Identity
    from toldonce.server.metrics import Metrics

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
AnswerError = Callable[[Scope, Exception], Response]

REQUEST_ID = "toldonce.request_id"
TOO_LARGE = "toldonce.too_large"
# Paths that answer without a credential: one says that the process is alive, the other signs a browser in.
OPEN_PATHS = frozenset({"/health", "/sign-in"})
# Files of the pages, the same for everybody: a page that says how to sign in needs them, too.
_OPEN_FILES = "/static/"
_STREAMS = frozenset({"/v1/events"})
_LONG = frozenset({"/v1/import", "/v1/export", "/v1/storage/backup", "/v1/jobs/tend", "/v1/settle", "/v1/people/erase"})
_REQUEST_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_HEADERS = {
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"content-security-policy": b"default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    b"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    b"cache-control": b"no-store",
}
log = logging.getLogger("toldonce.server")


@dataclass(slots=True)
class Allowance:
    """How many requests one client has left; it fills up again with time."""

    left: float
    at: float


class RateLimit:
    """Requests a minute for each client, with as many at once."""

    def __init__(self, per_minute: int, *, clock: Callable[[], float] = time.monotonic, most: int = 10_000) -> None:
        self._per_minute, self._clock, self._most = per_minute, clock, most
        self._clients: dict[str, Allowance] = {}

    def take(self, client: str) -> float:
        """Count a request; how many seconds to wait when there are too many, else 0."""
        now, most = self._clock(), float(self._per_minute)
        if most <= 0:
            return 0.0
        if len(self._clients) >= self._most and client not in self._clients:
            self._clients.pop(next(iter(self._clients)))
        one = self._clients.setdefault(client, Allowance(most, now))
        one.left = min(most, one.left + (now - one.at) * most / 60)
        one.at = now
        if one.left < 1:
            return (1 - one.left) * 60 / most
        one.left -= 1
        return 0.0


class Guard:
    """The application behind its checks."""

    def __init__(
        self,
        app: Application,
        *,
        credentials: Credentials,
        settings: ServerSettings,
        metrics: Metrics,
        answer_error: AnswerError,
    ) -> None:
        self._app = app
        self._answer_error = answer_error
        self._credentials = credentials
        self._settings = settings
        self._metrics = metrics
        self._rate = RateLimit(settings.limits.requests_per_minute)
        # Guessing credentials is slower than using one.
        self._failures = RateLimit(-(-settings.limits.requests_per_minute // 10))
        self._running = 0
        self._streaming = 0
        self._hosts = settings.host_names()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = GuardedAnswer(send, _choose_request_id(scope))
        scope[REQUEST_ID] = answer.request_id
        began = time.perf_counter()
        try:
            await self._serve(scope, receive, answer)
        except Exception as problem:
            if not answer.status:
                await self._answer_error(scope, problem)(scope, receive, answer)
            elif answer.status != 500:
                log.error("request %s failed after its answer began", answer.request_id, exc_info=problem)
                raise
        finally:
            self._note(scope, answer, time.perf_counter() - began)

    async def _serve(self, scope: Scope, receive: Receive, answer: GuardedAnswer) -> None:
        request, path = HTTPConnection(scope), scope["path"]
        check_names(request, self._hosts)
        if path in OPEN_PATHS:
            if path != "/health":
                self._count_failure(request)
        elif not path.startswith(_OPEN_FILES):
            scope[IDENTITY] = await self._identify(request)
        # Nothing of a body is read before its sender is known, and none outside the limits of requests under way.
        receive = limit_body(scope, receive, choose_body_limit(scope, self._settings.limits))
        await self._run_limited(scope, receive, answer)

    async def _answer(self, scope: Scope, receive: Receive, answer: GuardedAnswer) -> None:
        identity: Identity | None = scope.get(IDENTITY)
        if identity is not None:
            if is_form(scope):
                receive = await read_form(scope, receive)
            await to_thread.run_sync(self._credentials.check_write, HTTPConnection(scope), identity)
        await self._app(scope, receive, answer)

    async def _identify(self, request: HTTPConnection) -> Identity:
        try:
            identity = await to_thread.run_sync(self._credentials.identify, request)
        except RequestProblem as problem:
            if problem.status == 401:
                self._count_failure(request)
            raise
        if wait := self._rate.take(identity.credential):
            raise _refuse_rate(wait)
        return identity

    def _count_failure(self, request: HTTPConnection) -> None:
        if wait := self._failures.take(request.client.host if request.client else ""):
            raise _refuse_rate(wait)

    async def _run_limited(self, scope: Scope, receive: Receive, answer: GuardedAnswer) -> None:
        limits, path = self._settings.limits, scope["path"]
        if path in _STREAMS and scope["method"] == "GET":
            await self._run_stream(scope, receive, answer)
            return
        if self._running >= limits.concurrent:
            raise RequestProblem(503, "busy", "too many requests are under way: try again", Retry_After="1")
        self._running += 1
        try:
            with anyio.fail_after(limits.long_seconds if path in _LONG else limits.seconds):
                await self._answer(scope, receive, answer)
        except TimeoutError as problem:
            if answer.status:
                raise
            raise RequestProblem(504, "timeout", "this took too long: ask for less at once") from problem
        finally:
            self._running -= 1

    async def _run_stream(self, scope: Scope, receive: Receive, answer: GuardedAnswer) -> None:
        if self._streaming >= self._settings.limits.streams:
            raise RequestProblem(503, "busy", "too many clients listen for events: try again", Retry_After="10")
        self._streaming += 1
        try:
            await self._app(scope, receive, answer)
        finally:
            self._streaming -= 1

    def _note(self, scope: Scope, answer: GuardedAnswer, seconds: float) -> None:
        path = find_route_path(scope)
        identity = scope.get(IDENTITY)
        self._metrics.count_request(scope["method"], path, answer.status, seconds)
        log.info(
            "request id=%s method=%s path=%s status=%d ms=%.1f credential=%s",
            answer.request_id,
            find_method(scope),
            path,
            answer.status,
            seconds * 1_000,
            identity.credential if identity else "-",
        )


def find_route_path(scope: Scope) -> str:
    """The path of the table, not the one of the request, which may hold names and anything else."""
    found: str | None = getattr(scope.get("route"), "path", None)
    return found or (scope["path"] if scope["path"] in OPEN_PATHS else "other")


def find_method(scope: Scope) -> str:
    """The method of a request, as far as it is a word."""
    return scope["method"] if scope["method"].isalpha() else "other"


class GuardedAnswer:
    """Sends an answer with the headers that every answer has, and knows whether it has begun."""

    def __init__(self, send: Send, request_id: str) -> None:
        self._send = send
        self.request_id = request_id
        self.status = 0

    async def __call__(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = list(message.get("headers") or ())
            present = {name.lower() for name, _ in headers}
            headers += [(name, value) for name, value in _HEADERS.items() if name not in present]
            message = {**message, "headers": [*headers, (b"x-request-id", self.request_id.encode())]}
        await self._send(message)


def check_names(request: HTTPConnection, hosts: frozenset[str]) -> None:
    """Refuse a request under a name that is not the server's, or from a page of another origin."""
    if read_host(request.headers.get("host", "")) not in hosts:
        raise RequestProblem(421, "host", "this server is not known by that name: start it with --allow-host NAME")
    origin = request.headers.get("origin")
    if origin is not None and read_origin(origin) not in hosts:
        raise RequestProblem(403, "origin", "this server does not answer pages of other origins")
    if request.headers.get("sec-fetch-site") == "cross-site" and request.scope["path"] not in OPEN_PATHS:
        raise RequestProblem(403, "origin", "this server does not answer pages of other origins")


def choose_body_limit(scope: Scope, limits: RequestLimits) -> int:
    """How many bytes the body of a request may have: next to none where nobody is known, and a form is held whole."""
    if IDENTITY not in scope:
        return limits.open_bytes
    most = limits.import_bytes if scope["path"] == "/v1/import" else limits.body_bytes
    return min(most, limits.form_bytes) if is_form(scope) else most


def limit_body(scope: Scope, receive: Receive, most: int) -> Receive:
    """`receive` that refuses a body with more bytes than that."""
    declared = dict(scope["headers"]).get(b"content-length", b"0")
    if not declared.isdigit() or len(declared) > 15 or int(declared) > most:
        raise _refuse_size(most)
    seen = 0

    async def receive_limited() -> MutableMapping[str, Any]:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body") or b"")
        if seen > most:
            # Whoever reads the body may take this for a body that cannot be read.
            scope[TOO_LARGE] = refusal = _refuse_size(most)
            raise refusal
        return message

    return receive_limited


def _refuse_size(most: int) -> RequestProblem:
    return RequestProblem(413, "too-large", f"a request may have {most:,} bytes: send less at once")


def _refuse_rate(wait: float) -> RequestProblem:
    return RequestProblem(429, "rate", "too many requests: wait, then try again", Retry_After=str(max(1, round(wait))))


def _choose_request_id(scope: Scope) -> str:
    """The id that a client gave its request, if it is plain; else a new one."""
    said = dict(scope["headers"]).get(b"x-request-id", b"").decode("latin-1")
    return said if _REQUEST_ID.fullmatch(said) else secrets.token_hex(8)
