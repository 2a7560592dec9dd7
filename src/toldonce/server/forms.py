"""Forms of pages: the body of a request comes in, its fields go out, and the body can be read again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

from toldonce.server.problems import RequestProblem

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
FORM = "toldonce.form"
CSRF_FIELD = "csrf_token"
_MEDIA_TYPE = b"application/x-www-form-urlencoded"
_MOST_FIELDS = 2_000


def is_form(scope: MutableMapping[str, Any]) -> bool:
    """Whether a request has a form as its body."""
    said: bytes = dict(scope["headers"]).get(b"content-type", b"")
    return said.split(b";")[0].strip().lower() == _MEDIA_TYPE


async def read_form(scope: MutableMapping[str, Any], receive: Receive) -> Receive:
    """Read the form of a request into its scope; returns a `receive` that gives the body once more."""
    body = bytearray()
    while True:
        message = await receive()
        body += message.get("body") or b""
        if message["type"] != "http.request":
            raise RequestProblem(400, "form", "this form broke off: send all of it")
        if not message.get("more_body"):
            break
    try:
        text = bytes(body).decode("utf-8")
        scope[FORM] = parse_qs(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS, errors="strict")
    except ValueError as problem:
        raise RequestProblem(400, "form", "this form cannot be read: send UTF-8 with fewer fields") from problem
    whole: list[MutableMapping[str, Any]] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

    async def receive_again() -> MutableMapping[str, Any]:
        return whole.pop() if whole else await receive()

    return receive_again
