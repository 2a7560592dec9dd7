"""One JSON request to the address of a model, and the JSON it answers.

Whatever goes wrong is a ModelError that quotes neither what was asked nor what was answered. Nothing is tried again.
"""

from __future__ import annotations

import http.client
import json
import re
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any

from toldonce.errors import ModelError, ModelRefused

LARGEST = 4_000_000
# What servers call it when a filter of theirs stops a request.
_FILTERED = frozenset(("content_filter", "content_policy_violation"))
_CODE = re.compile(r"[a-z][a-z_]{2,40}")
_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,9})?")


def post_json(
    url: str, body: Mapping[str, Any], *, headers: Mapping[str, str], timeout_s: float, largest: int = LARGEST
) -> Any:
    """What the server answers, read whole before the time is up and up to that many bytes."""
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json", **headers})
    give_up_at = time.monotonic() + timeout_s
    try:
        with _STRAIGHT.open(request, timeout=timeout_s) as answer:
            return json.loads(_read_whole_body(answer, give_up_at, largest))
    except urllib.error.HTTPError as problem:
        with problem:
            raise _error_of_response(url, problem) from problem
    except (json.JSONDecodeError, RecursionError, UnicodeDecodeError) as problem:
        # What a parser says of it might quote it.
        raise ModelError(f"{url} did not answer: its answer is not JSON", status=200) from problem
    except http.client.HTTPException as problem:
        raise ModelError(f"{url} did not answer: its answer broke off") from problem
    except (OSError, ValueError) as problem:
        raise ModelError(f"{url} did not answer: {str(problem) or type(problem).__name__}") from problem


def bearer_headers(key: str) -> Mapping[str, str]:
    """How most servers want a key handed over; nothing where there is none."""
    return {"Authorization": f"Bearer {key}"} if key else {}


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirection would carry the key and the text to another host."""

    def redirect_request(self, *_: Any) -> None:
        return None


_STRAIGHT = urllib.request.build_opener(_NoRedirect)


def _read_whole_body(answer: http.client.HTTPResponse, give_up_at: float, largest: int) -> bytes:
    """The body, within limits of size and time: a server may also send it drop by drop."""
    parts: list[bytes] = []
    size = 0
    while part := answer.read1(65536):
        parts.append(part)
        size += len(part)
        if size > largest:
            raise ValueError("the answer is too large")
        if time.monotonic() > give_up_at:
            raise TimeoutError("timed out")
    if answer.length:
        raise ValueError("the answer broke off")
    return b"".join(parts)


def _error_of_response(url: str, problem: urllib.error.HTTPError) -> ModelError:
    code = _server_error_code(problem)
    said = f"{url} answered {problem.code} {problem.reason}{code}"
    if code.strip(" ()") in _FILTERED:
        return ModelRefused(said, status=problem.code)
    return ModelError(said, status=problem.code, retry_after_s=_retry_after_seconds(problem.headers))


def _server_error_code(problem: urllib.error.HTTPError) -> str:
    """The server's own word for what is wrong. Its sentences stay out: they may quote what was asked."""
    try:
        told = json.loads(problem.read(65536))["error"]
        word = told.get("code") or told.get("type") or told.get("status")
        return f" ({word.lower()})" if _CODE.fullmatch(word.lower()) else ""
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, http.client.HTTPException):
        return ""


def _retry_after_seconds(headers: Message) -> float | None:
    """The seconds that a server asks to wait, given as a number or as a date next to its own."""
    told = headers.get("Retry-After", "").strip()
    if _NUMBER.fullmatch(told):
        return float(told)
    try:
        wait = parsedate_to_datetime(told) - parsedate_to_datetime(headers["Date"])
        return max(0.0, wait.total_seconds())
    except (TypeError, ValueError):
        return None
