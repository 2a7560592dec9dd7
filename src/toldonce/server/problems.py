"""Errors as answers: one table from the engine's errors to a status, and problem+json that says what to do.

No answer carries a trace or remembered text; what is unexpected is logged with the id of its request.
"""

from __future__ import annotations

import http
import json
import logging
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from toldonce import errors
from toldonce.logs import locate_exception

MEDIA_TYPE = "application/problem+json"
NOTHING = "nothing-there"
log = logging.getLogger("toldonce.server")

# The first class that an error is an instance of decides.
STATUSES: Mapping[type[errors.ToldonceError], int] = {
    errors.QuotaExceeded: 429,
    errors.TooMany: 409,
    errors.TextTooLong: 413,
    errors.RecordNotFound: 404,
    errors.SpaceNotFound: 404,
    errors.NotAllowed: 403,
    errors.KeyReused: 409,
    errors.InputError: 422,
    errors.ConfigError: 422,
    errors.StoreBusy: 503,
    errors.ServerUnavailable: 503,
    errors.StoreClosed: 503,
    errors.DiskFull: 507,
    errors.StoreError: 500,
    errors.ModelError: 502,
    errors.WebhookError: 502,
    errors.WorkStopped: 504,
    errors.JobError: 500,
    errors.ToldonceError: 500,
}


# Statuses of what a person can put right in the form that was sent.
OF_FORMS = (409, 413, 422, 429)


class RequestProblem(Exception):
    """A request that the server itself refuses, before or beside the engine."""

    def __init__(self, status: int, kind: str, detail: str, **headers: str) -> None:
        super().__init__(detail)
        self.status = status
        self.kind = kind
        self.detail = detail
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class FieldProblem(errors.InputError):
    """What a person typed into a form of a page cannot be taken; `field` is the id of the field."""

    def __init__(self, message: str | None = None, *, field: str = "") -> None:
        super().__init__(message)
        self.field = field


def status_of(problem: errors.ToldonceError) -> int:
    """The status that stands for an error of the engine."""
    return next(status for cls, status in STATUSES.items() if isinstance(problem, cls))


def describe_error(problem: Exception) -> Response:
    """The answer for whatever went wrong."""
    if isinstance(problem, RequestProblem):
        return make_problem(problem.status, problem.kind, problem.detail, headers=problem.headers)
    if isinstance(problem, errors.ToldonceError):
        more, headers = _attributes_of(problem)
        return make_problem(status_of(problem), type(problem).__name__, str(problem), headers=headers, more=more)
    log.error("unexpected %s in a request", type(problem).__name__, exc_info=problem)
    told = f"this is a bug in Toldonce ({type(problem).__name__}): the log of the server has it under the request id"
    log.debug("%s", locate_exception(problem))
    return make_problem(500, "bug", told)


def make_problem(
    status: int,
    kind: str,
    detail: str,
    *,
    headers: Mapping[str, str] | None = None,
    more: Mapping[str, Any] | None = None,
) -> Response:
    """A problem document: `kind` names it for programs, `detail` says what to do."""
    title = http.HTTPStatus(status).phrase
    body = {"type": f"urn:toldonce:{kind}", "title": title, "status": status, "detail": detail, **(more or {})}
    return Response(json.dumps(body).encode(), status, dict(headers or {}), MEDIA_TYPE)


def _attributes_of(problem: errors.ToldonceError) -> tuple[dict[str, Any], dict[str, str]]:
    """What programs want to know of an error, and its headers."""
    names = ("length", "limit", "line", "place", "record_id", "retry_after_s", "is_certain")
    more = {name: found for name in names if (found := getattr(problem, name, None)) not in (None, "", 0)}
    wait = more.get("retry_after_s")
    return more, {} if wait is None else {"Retry-After": str(max(1, round(wait)))}
