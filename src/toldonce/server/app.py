"""Puts the server together: a memory and settings come in, one ASGI application goes out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from toldonce import __version__
from toldonce.errors import ToldonceError
from toldonce.mcp.server import PATH as MCP_PATH
from toldonce.operations.routes import TABLE
from toldonce.server.api import add_operations, answer_invalid
from toldonce.server.browser import add_api_page, add_operations_paths, add_sign_in
from toldonce.server.credentials import Credentials
from toldonce.server.events import EventWatch, add_events
from toldonce.server.guard import TOO_LARGE, Application, Guard
from toldonce.server.mcp_mount import McpMount
from toldonce.server.metrics import Metrics
from toldonce.server.pages.routes import Pages
from toldonce.server.problems import RequestProblem
from toldonce.server.schemas import describe_answer
from toldonce.server.settings import ServerSettings
from toldonce.server.shared_state import RepeatedRequests, SharedConfirmations
from toldonce.server.tool_routes import add_tools
from toldonce.server.transfer import add_transfer

if TYPE_CHECKING:
    from toldonce.memory import Memory

_ABOUT = "A memory for AI agents: what is said becomes what is known, and comes back when it helps."


@dataclass(frozen=True, slots=True)
class ServerApp:
    """The application, and what whoever runs it needs beside it."""

    asgi: Application
    api: FastAPI
    credentials: Credentials
    events: EventWatch


def create_app(memory: Memory, settings: ServerSettings | None = None) -> ServerApp:
    """The application over a memory. The memory stays open when the application stops."""
    settings = settings or ServerSettings()
    memory.webhooks.is_private_allowed = settings.private_webhooks
    metrics, credentials, events = Metrics(), Credentials(memory, settings), EventWatch(memory)
    confirmations = SharedConfirmations(memory)
    repeated = RepeatedRequests(memory, seconds=settings.limits.long_seconds)
    mcp = McpMount(memory, confirmations)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with mcp.run():
            yield
        events.stop()

    api = FastAPI(
        title="Toldonce", version=__version__, description=_ABOUT, docs_url=None, redoc_url=None, lifespan=lifespan
    )
    pages = Pages(memory, credentials, settings, events.read_newest)

    async def answer_error(request: Request, problem: Exception) -> Response:
        return pages.answer_error(request.scope, problem)

    async def answer_http_error(request: Request, problem: Exception) -> Response:
        return pages.answer_error(request.scope, read_http_error(request, problem))

    for problem in (ToldonceError, RequestProblem, Exception):
        api.add_exception_handler(problem, answer_error)
    api.add_exception_handler(RequestValidationError, answer_invalid)
    api.add_exception_handler(HTTPException, answer_http_error)
    add_operations_paths(api, memory, metrics)
    add_sign_in(api, memory, credentials, settings)
    add_api_page(api)
    add_operations(api, memory, repeated)
    add_transfer(api, memory)
    add_tools(api, memory, repeated, confirmations)
    add_events(api, events, metrics, credentials)
    api.router.routes.append(Route(MCP_PATH, endpoint=mcp))
    pages.add_to(api)
    api.openapi = _describe_api(api)  # type: ignore[method-assign]
    guard = Guard(api, credentials=credentials, settings=settings, metrics=metrics, answer_error=pages.answer_error)
    return ServerApp(guard, api, credentials, events)


def _describe_api(api: FastAPI) -> Any:
    """The OpenAPI description with the answers of operations, made once."""
    build = api.openapi

    def describe() -> dict[str, Any]:
        if api.openapi_schema is not None:
            return api.openapi_schema
        schema = build()
        shared = schema.setdefault("components", {}).setdefault("schemas", {})
        answers = {route.operation: describe_answer(route, shared) for route in TABLE if route.operation != "export"}
        for methods in schema["paths"].values():
            for row in methods.values():
                if row["operationId"] in answers:
                    content = {"application/json": {"schema": answers[row["operationId"]]}}
                    row["responses"]["200"] = {"description": "The answer.", "content": content}
        schema["components"]["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
        schema["security"] = [{"key": []}]
        api.openapi_schema = schema
        return schema

    return describe


def read_http_error(request: Request, problem: Exception) -> RequestProblem:
    """Paths and methods that are not there, and bodies that cannot be read."""
    assert isinstance(problem, HTTPException)
    if TOO_LARGE in request.scope:
        refusal: RequestProblem = request.scope[TOO_LARGE]
        return refusal
    kinds = {404: "no-such-path", 405: "no-such-method"}
    told = {404: "there is no such path: /docs lists all", 405: "this path does not take that method: /docs lists all"}
    status = problem.status_code
    detail = told.get(status, "the request cannot be read: send JSON as /docs describes it")
    refused = RequestProblem(status, kinds.get(status, "bad-request"), detail)
    refused.headers = dict(problem.headers or {})
    return refused
