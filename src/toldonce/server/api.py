"""The REST API: one path for each row of the table of operations, with its arguments, rights and answer."""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

from anyio import to_thread
from fastapi import Body, FastAPI, Header, Path, Query, Request, Response
from pydantic import BaseModel

from toldonce.capture.fields import check_key
from toldonce.capture.observe import REPEATED
from toldonce.errors import InputError
from toldonce.operations.routes import FILES, PREFIX, TABLE, Route
from toldonce.operations.wire import from_plain_value
from toldonce.records import Document
from toldonce.server import calls
from toldonce.server.calls import Condition
from toldonce.server.identity import Identity
from toldonce.server.problems import make_problem
from toldonce.server.schemas import NEVER_NOTHING, build_arguments_model, path_names
from toldonce.server.shared_state import KeptAnswer, RepeatedRequests
from toldonce.tools.definition import ID_CHARS

if TYPE_CHECKING:
    from toldonce.memory import Memory

# How a client says that a request may come again.
IdempotencyKey = Annotated[
    str | None,
    Header(alias="Idempotency-Key", description="A repeated request with the same key is carried out once."),
]
Handler = Callable[..., Awaitable[Response]]
IDENTITY = "toldonce.identity"
# Arguments that are tables, with an example; in a query they are texts of JSON.
_TABLES = {"where": '{"area": "health"}', "columns": '{"text": "body"}'}
_VERSIONED = ("get", "documents.get", "profile")
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"description": told, "content": {"application/problem+json": {"schema": {"type": "object"}}}}
    for status, told in (
        (400, "The request cannot be read."),
        (401, "No credential that holds."),
        (403, "The credential may not do this."),
        (404, "There is no such thing for this credential."),
        (409, "A limit, the same request in progress, or an idempotency key that was used for another one."),
        (412, "It was changed meanwhile."),
        (413, "Too large."),
        (422, "The arguments are wrong."),
        (428, "A version is missing."),
        (429, "Too many requests, or a quota is used up."),
        (502, "A model did not answer."),
        (503, "Busy: try again."),
        (504, "It took too long."),
    )
}


def identity_of(request: Request) -> Identity:
    """Whose request it is, as the guard found out."""
    found: Identity = request.scope[IDENTITY]
    return found


def add_operations(app: FastAPI, memory: Memory, repeated: RepeatedRequests) -> None:
    """Add a path for every operation that answers with JSON."""
    for route in TABLE:
        if route.operation not in FILES:
            add_route(app, route, _make_handler(memory, repeated, route))


def add_route(app: FastAPI, route: Route, handler: Handler, *, more: Mapping[int | str, Any] | None = None) -> None:
    """Add a handler with the arguments of its operation."""
    model = build_arguments_model(route)
    handler.__signature__ = _build_signature(route, model, has_document=route.operation == "documents.change")  # type: ignore[attr-defined]
    handler.__name__ = route.operation.replace(".", "_")
    group = route.operation.rpartition(".")[0] or "memory"
    app.add_api_route(
        PREFIX + route.path,
        handler,
        methods=[route.method],
        operation_id=route.operation,
        summary=(inspect.getdoc(route.function) or "").split("\n")[0],
        description=_describe(route),
        response_model=None,
        tags=[group],
        responses={**PROBLEMS, **(more or {})},
    )


def _describe(route: Route) -> str:
    needs = "owns the whole memory" if route.right == "own" else f"has the right `{route.right}`"
    return f"{inspect.getdoc(route.function) or ''}\n\nNeeds a credential that {needs}."


def _build_signature(route: Route, model: type[BaseModel] | None, *, has_document: bool) -> inspect.Signature:
    kind = inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter("request", kind, annotation=Request)]
    for name in path_names(route):
        in_path: Any = Annotated[str, Path(min_length=1, max_length=ID_CHARS)]
        parameters.append(inspect.Parameter(name, kind, annotation=in_path))
    if route.is_write and route.operation not in FILES:
        parameters.append(inspect.Parameter("repeat_key", kind, annotation=IdempotencyKey, default=None))
    if has_document:
        parameters.append(inspect.Parameter("document", kind, annotation=Annotated[dict[str, Any], Body(embed=False)]))
    if model is not None:
        is_body = route.method in ("POST", "PUT", "PATCH") and not has_document and route.operation not in FILES
        annotation: Any = Annotated[model, Body() if is_body else Query()]
        is_needed = not is_body or any(field.is_required() for field in model.model_fields.values())
        default: Any = inspect.Parameter.empty if is_needed else model()
        parameters.append(inspect.Parameter("arguments", kind, annotation=annotation, default=default))
    return inspect.Signature(parameters)


def collect_arguments(values: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call: those of the path, and those that the request says itself."""
    arguments = values.pop("arguments", None)
    said = {} if arguments is None else {name: getattr(arguments, name) for name in arguments.model_fields_set}
    if arguments is not None and "limit" in type(arguments).model_fields and "cursor" in type(arguments).model_fields:
        said.setdefault("limit", arguments.limit)
    for name in _TABLES:
        if isinstance(text := said.get(name), str):
            said[name] = _read_table(name, text)
    return {**said, **values}


def _read_table(name: str, text: str) -> dict[str, Any]:
    try:
        table = json.loads(text)
    except (ValueError, RecursionError):
        table = None
    if not isinstance(table, dict):
        raise InputError(f"{name} is a JSON table in the query, such as {_TABLES[name]}")
    return table


def _make_handler(memory: Memory, repeated: RepeatedRequests, route: Route) -> Handler:
    async def handle(*, request: Request, repeat_key: str | None = None, **values: Any) -> Response:
        document = values.pop("document", None)
        given, identity = collect_arguments(values), identity_of(request)
        condition = Condition(request.headers.get("if-match"), request.headers.get("if-none-match"))

        def work() -> Any:
            if document is not None:
                new = read_document(document)
                return calls.change_document(memory, identity, route, given, new=new, condition=condition)
            return calls.carry_out(memory, identity, route, given, condition=condition)

        if repeat_key is not None and route.is_keyed:
            given |= _add_keys(given, repeat_key)
        elif repeat_key is not None:
            told = json.dumps([route.operation, given, document], sort_keys=True, default=str).encode()
            return await to_thread.run_sync(
                lambda: answer_once(repeated, identity, repeat_key, told, lambda: _answer(route, work(), condition)),
                abandon_on_cancel=True,
            )
        return await to_thread.run_sync(lambda: _answer(route, work(), condition), abandon_on_cancel=True)

    return handle


def _add_keys(given: Mapping[str, Any], key: str) -> dict[str, Any]:
    """The header of a request as the key of its message, or of each of its messages that has none."""
    if "messages" not in given:
        return {"idempotency_key": given.get("idempotency_key") or key}
    check_key(key)
    return {
        "messages": [
            {"idempotency_key": f"{key}/{number}", **message} for number, message in enumerate(given["messages"])
        ]
    }


def read_document(table: Mapping[str, Any]) -> Document:
    """A document that a client sent."""
    try:
        document: Document = from_plain_value(Document, table)
        is_sound = type(document.version) is int and all(type(e.text) is str for e in document.entries)
    except (TypeError, ValueError, KeyError, AttributeError) as problem:
        raise InputError("the body must be a whole document as GET answers it") from problem
    if not is_sound or not isinstance(document.data, dict):
        raise InputError("the body must be a whole document as GET answers it")
    return document


def answer_once(
    repeated: RepeatedRequests, identity: Identity, key: str, told: bytes, work: Callable[[], Response]
) -> Response:
    """Carry out a request, or answer as when it was carried out before."""
    place, before = repeated.begin(identity.credential, key, told)
    if before is not None:
        return Response(before.body, before.status, {"Idempotent-Replayed": "true"}, "application/json")
    try:
        answer = work()
    except Exception:
        repeated.give_up(place)
        raise
    repeated.finish(place, KeptAnswer(answer.status_code, bytes(answer.body)))
    return answer


def _answer(route: Route, answer: Any, condition: Condition) -> Response:
    if route.operation in NEVER_NOTHING:
        answer = calls.require_found(answer)
    headers = {}
    if route.is_keyed and _is_repeated(answer):
        headers["Idempotent-Replayed"] = "true"
    if route.operation in _VERSIONED or route.operation == "documents.change":
        headers["ETag"] = tag = calls.version_tag(answer)
        if route.method == "GET" and condition.if_none_match == tag:
            return Response(status_code=304, headers=headers)
    return json_response(answer, headers=headers)


def _is_repeated(answer: Mapping[str, Any]) -> bool:
    """Whether every message of an answer was stored by an earlier request."""
    kept = answer.get("result", [answer])
    return bool(kept) and all(REPEATED in one.get("notices", ()) for one in kept)


def json_response(answer: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """The answer as JSON; a lone surrogate, which UTF-8 cannot hold, is escaped."""
    try:
        body = json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        body = json.dumps(answer, separators=(",", ":")).encode()
    return Response(body, status, dict(headers or {}), "application/json")


async def answer_invalid(_: Request, problem: Any) -> Response:
    """Arguments that do not fit: where, and what is wanted. What was sent is not repeated."""
    found = problem.errors()
    told = "; ".join(f"{'.'.join(str(part) for part in e['loc'][1:]) or 'body'}: {e['msg']}" for e in found[:5])
    return make_problem(422, "InputError", told, more={"errors": len(found)})
