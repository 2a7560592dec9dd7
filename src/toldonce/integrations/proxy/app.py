"""The proxy as an ASGI application: every request goes on to one address, those with a conversation with a memory.

Bytes of an answer are passed on as they come and unchanged. A client that goes away ends the request to the model. What
authorises a client at the model is passed on and neither stored nor logged.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import re
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any
from urllib.parse import unquote, urlsplit

import httpx

from toldonce.errors import InputError
from toldonce.host_names import read_host, read_origin
from toldonce.integrations.proxy.answers import AnswerReader
from toldonce.integrations.proxy.formats import FORMATS, ConversationFormat
from toldonce.integrations.proxy.turns import MEMORY_HEADER, Turn, TurnMemory

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

BASE, HEALTH = "/v1", "/health"
TOKEN_HEADER = "x-toldonce-token"
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_MOST_DECODED = 4
_LARGEST_REQUEST = 64_000_000
_CONNECT_S, _ANSWER_S = 10.0, 600.0
# Headers of one connection, and those that no longer hold for what is passed on.
_HOP_BY_HOP = frozenset(
    b"connection keep-alive proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade"
    b" content-length".split()
)
_OF_REQUEST = _HOP_BY_HOP | {b"host", b"accept-encoding", b"expect"}
_OF_ANSWER = _HOP_BY_HOP | {b"content-encoding", b"date"}
log = logging.getLogger("toldonce.proxy")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProxySettings:
    """Where requests go, by which names the proxy may be reached, and the token that clients must bring, if any."""

    to: str
    hosts: tuple[str, ...] = ()
    token: str = ""
    largest_request: int = _LARGEST_REQUEST

    def host_names(self) -> frozenset[str]:
        """The names by which clients may reach the proxy."""
        return frozenset(name.casefold().strip("[]") for name in (*_LOOPBACK, *self.hosts))


def leads_elsewhere(path: str) -> bool:
    """Whether a path leaves its place by dots, however they are written; whoever answers may decode it twice."""
    for _ in range(_MOST_DECODED):
        if any(part in (".", "..") for part in re.split(r"[/\\]", path)):
            return True
        path, before = unquote(path), path
        if path == before:
            return False
    return True


def read_address(to: str) -> str:
    """The base address of a model's API; without a path it is that of version 1."""
    parts = urlsplit(to.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(f"{to!r} is no address: give one like https://api.openai.com/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise InputError("the address must hold neither a name, a password, nor a query: clients send their own keys")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/') or BASE}"


class Refusal(Exception):
    """A request that is answered here, in the form in which OpenAI answers errors."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code = status, code

    def to_json(self) -> bytes:
        """The body of the answer."""
        error = {"message": str(self), "type": "toldonce_proxy", "param": None, "code": self.code}
        return json.dumps({"error": error}).encode()


class ProxyApp:
    """The ASGI application. It may serve many clients at once; the memory stays open when it stops."""

    def __init__(self, turns: TurnMemory, settings: ProxySettings) -> None:
        self._turns = turns
        self._settings = settings
        self._to = read_address(settings.to)
        self.client: httpx.AsyncClient | None = None

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._run_lifespan(receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)

    async def _run_lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        # Cookies of one client's answers must not be sent with another's requests.
        jar = CookieJar(policy=DefaultCookiePolicy(allowed_domains=[]))
        timeout = httpx.Timeout(_ANSWER_S, connect=_CONNECT_S)
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=50)
        async with httpx.AsyncClient(timeout=timeout, cookies=jar, limits=limits) as self.client:
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})

    async def _answer(self, scope: Message, receive: Receive, send: Send) -> None:
        headers = _read_headers(scope["headers"])
        try:
            if scope["path"] == HEALTH:
                await _send_whole(send, 200, b'{"status": "ok"}')
                return
            self._check_client(headers)
            url = self._find_target(scope)
            content = await _read_body(receive, self._settings.largest_request)
        except Refusal as refused:
            await _send_whole(send, refused.status, refused.to_json())
            return
        except _ClientGone:
            return
        passed = [(n, v) for n, v in scope["headers"] if n not in _OF_REQUEST and not n.startswith(b"x-toldonce-")]
        wire = _find_format(scope["method"], scope["path"])
        make_request = partial(
            httpx.Request, scope["method"], url, headers=[*passed, (b"accept-encoding", b"identity")]
        )
        await _until_gone(self._relay(make_request, content, wire, headers=headers, send=send), receive)

    async def _relay(
        self,
        make_request: Callable[..., httpx.Request],
        content: bytes,
        wire: ConversationFormat | None,
        *,
        headers: Mapping[str, str],
        send: Send,
    ) -> None:
        turn = await asyncio.to_thread(self._turns.begin, wire, content, headers) if wire else None
        try:
            response = await self._send_on(make_request(content=(turn.content if turn else content) or None))
        except Refusal as refused:
            await _send_whole(send, refused.status, refused.to_json())
            return
        is_stream = "text/event-stream" in response.headers.get("content-type", "")
        reader = AnswerReader(wire, is_stream=is_stream) if wire and response.is_success else None
        watched = _ObservedAnswer(self._turns, turn, reader) if turn and reader else None
        try:
            await _send_head(send, response, turn)
            async for chunk in response.aiter_bytes():
                if watched is not None:
                    await watched.read_chunk(chunk)
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
            if watched is not None:
                await watched.read_end()
        except httpx.HTTPError as problem:
            # The answer has begun: without its end the client sees that it broke off.
            log.warning("an answer broke off: %s", type(problem).__name__)
            return
        finally:
            await response.aclose()
            if watched is not None:
                await watched.keep()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send_on(self, request: httpx.Request) -> httpx.Response:
        assert self.client is not None, "the application runs within its lifespan"
        try:
            return await self.client.send(request, stream=True)
        except httpx.TimeoutException:
            raise Refusal(504, "upstream_timeout", f"{self._to} did not answer in time") from None
        except httpx.HTTPError as problem:
            message = f"{self._to} cannot be reached ({type(problem).__name__}): check --to of `toldonce proxy`"
            raise Refusal(502, "upstream_unreachable", message) from None

    def _check_client(self, headers: Mapping[str, str]) -> None:
        """Refuse web pages that use the browser of somebody on this machine, and clients without the token."""
        names = self._settings.host_names()
        if read_host(headers.get("host", "")) not in names:
            raise Refusal(403, "unknown_host", "this host name is not served: allow it with --allow-host")
        if "origin" in headers and read_origin(headers["origin"]) not in names:
            raise Refusal(
                403, "unknown_origin", "pages of this origin may not use the proxy: allow it with --allow-host"
            )
        said = headers.get(TOKEN_HEADER, "")
        if self._settings.token and not hmac.compare_digest(said.encode(), self._settings.token.encode()):
            raise Refusal(401, "wrong_token", "send the token of this proxy in the header X-Toldonce-Token")

    def _find_target(self, scope: Message) -> str:
        path = scope.get("raw_path") or scope["path"].encode()
        behind = path.decode("ascii", "replace").partition("?")[0].removeprefix(BASE)
        if not scope["path"].startswith(f"{BASE}/"):
            raise Refusal(404, "unknown_path", f"paths begin with {BASE}/: end the base URL of the client with {BASE}")
        if leads_elsewhere(behind):
            raise Refusal(404, "unknown_path", f"a path has no `..` in it: what is passed on is below {BASE}/")
        query = scope["query_string"].decode("ascii", "replace")
        return f"{self._to}{behind}{'?' + query if query else ''}"


class _ObservedAnswer:
    """An answer on its way to the client. It is kept before its end is passed on: the next request finds it."""

    def __init__(self, turns: TurnMemory, turn: Turn, reader: AnswerReader) -> None:
        self._turns, self._turn, self._reader = turns, turn, reader
        self._is_kept = False

    async def read_chunk(self, chunk: bytes) -> None:
        """Read the next bytes before they are passed on."""
        self._reader.feed(chunk)
        if self._reader.answer.is_whole:
            await self.keep()

    async def read_end(self) -> None:
        """All bytes were read."""
        self._reader.finish()
        await self.keep()

    async def keep(self) -> None:
        """Observe what was said, once. The thread ends its work even when the client is gone meanwhile."""
        if not self._is_kept:
            self._is_kept = True
            await asyncio.to_thread(self._turns.keep, self._turn, self._reader.answer)


class _ClientGone(Exception):
    """The client closed the connection before its request was complete."""


async def _until_gone(work: Coroutine[Any, Any, None], receive: Receive) -> None:
    """Do the work, and give it up when the client closes the connection."""
    tasks = [asyncio.ensure_future(work), asyncio.ensure_future(_wait_until_gone(receive))]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        done, _ = await asyncio.gather(*tasks, return_exceptions=True)
    if isinstance(done, Exception):
        raise done


async def _wait_until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _read_body(receive: Receive, largest: int) -> bytes:
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _ClientGone
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > largest:
            raise Refusal(413, "request_too_large", f"a request may have at most {largest:,} bytes")
        if not message.get("more_body", False):
            return b"".join(parts)


async def _send_head(send: Send, response: httpx.Response, turn: Turn | None) -> None:
    headers: Headers = [(n.lower(), v) for n, v in response.headers.raw if n.lower() not in _OF_ANSWER]
    if turn is not None:
        headers.append((MEMORY_HEADER.encode(), turn.state.encode()))
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})


async def _send_whole(send: Send, status: int, body: bytes) -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _find_format(method: str, path: str) -> ConversationFormat | None:
    if method != "POST":
        return None
    return next((wire for wire in FORMATS if path.rstrip("/") == BASE + wire.path), None)


def _read_headers(raw: Sequence[tuple[bytes, bytes]]) -> dict[str, str]:
    """Headers as texts; names of people are often sent as UTF-8."""
    return {name.decode("latin-1"): _decode_header(value) for name, value in raw}


def _decode_header(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")
