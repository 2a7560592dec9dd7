"""Paths that are not operations: signing in and out, who am I, health, readiness, metrics and the page of the API."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from anyio import to_thread
from fastapi import FastAPI, Query, Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from toldonce import __version__
from toldonce.errors import NotAllowed
from toldonce.operations.routes import PREFIX
from toldonce.operations.wire import to_plain_value
from toldonce.server.api import PROBLEMS, identity_of, json_response
from toldonce.server.credentials import BROWSER_LASTS, COOKIE, Credentials, read_cookie, refuse_credential
from toldonce.server.forms import is_form
from toldonce.server.metrics import MEDIA_TYPE

if TYPE_CHECKING:
    from toldonce.memory import Memory
    from toldonce.server.metrics import Metrics
    from toldonce.server.settings import ServerSettings


def is_local_path(target: str) -> bool:
    """Whether a place to go to is a path of this server and nothing else."""
    return (
        target.startswith("/") and not target.startswith(("//", "/\\")) and "\\" not in target and target.isprintable()
    )


def add_sign_in(app: FastAPI, memory: Memory, credentials: Credentials, settings: ServerSettings) -> None:
    """Add the paths for signing in and out, and for asking who one is."""

    @app.get("/sign-in", include_in_schema=False, response_model=None)
    async def sign_in(token: str = Query("", max_length=200), next: str = Query("/", max_length=500)) -> Response:
        """Sign a browser in by the link that was printed; a link holds once."""
        cookie = await to_thread.run_sync(credentials.redeem_link, token)
        if cookie is None:
            raise refuse_credential("this link was used or has expired: start `toldonce serve` again for a new one")
        answer = RedirectResponse(next if is_local_path(next) else "/", 303)
        answer.set_cookie(
            COOKIE,
            cookie,
            max_age=int(BROWSER_LASTS.total_seconds()),
            path="/",
            secure=settings.is_secure,
            httponly=True,
            samesite="strict",
        )
        return answer

    @app.post("/sign-out", include_in_schema=False, response_model=None)
    async def sign_out(request: Request) -> Response:
        """End the session of this browser."""
        if cookie := read_cookie(request, COOKIE):
            await to_thread.run_sync(credentials.sign_out, cookie)
        answer = RedirectResponse("/", 303) if is_form(request.scope) else Response(status_code=204)
        answer.delete_cookie(COOKIE, path="/")
        return answer

    @app.get(f"{PREFIX}/whoami", operation_id="whoami", tags=["identity"], response_model=None, responses=PROBLEMS)
    async def whoami(request: Request) -> Response:
        """Whom this credential stands for, and what it may do."""
        identity, cookie = identity_of(request), read_cookie(request, COOKIE)
        known = (memory.space, *await to_thread.run_sync(memory.spaces.all))
        home = next((space for space in known if identity.may_enter(space.name)), None)
        told: dict[str, Any] = {**identity.as_table(), "version": __version__, "home": to_plain_value(home)}
        if identity.kind == "browser" and cookie:
            told["csrf_token"] = await to_thread.run_sync(credentials.csrf_token, cookie)
        return json_response(told)


def add_operations_paths(app: FastAPI, memory: Memory, metrics: Metrics) -> None:
    """Add health, readiness and metrics."""

    @app.get("/health", include_in_schema=False, response_model=None)
    async def health() -> Response:
        """Whether the process is alive. It needs no credential and shows nothing else."""
        return json_response({"status": "ok"})

    @app.get("/ready", operation_id="ready", tags=["server"], response_model=None, responses=PROBLEMS)
    async def ready() -> Response:
        """Whether the memory can be read."""
        await to_thread.run_sync(lambda: memory.store.read(lambda t: t.people.space(memory.space.name)))
        return json_response({"status": "ready"})

    told = {"description": "The figures.", "content": {MEDIA_TYPE: {"schema": {"type": "string"}}}}

    @app.get(
        "/metrics",
        operation_id="metrics",
        tags=["server"],
        response_model=None,
        response_class=Response,
        responses={**PROBLEMS, 200: told},
    )
    async def figures(request: Request) -> Response:
        """Figures for Prometheus."""
        if not identity_of(request).is_owner:
            raise NotAllowed("metrics need a credential that owns the whole memory")
        return Response(await to_thread.run_sync(metrics.write, memory), media_type=MEDIA_TYPE)


def add_api_page(app: FastAPI) -> None:
    """Add the page that describes the API. It loads nothing from elsewhere."""

    @app.get("/docs", include_in_schema=False, response_model=None)
    async def api_page() -> Response:
        """Every path with its arguments."""
        return HTMLResponse(write_api_page(app.openapi()))


def write_api_page(schema: dict[str, Any]) -> str:
    """The OpenAPI description as a page for people."""
    parts = []
    for path, methods in schema["paths"].items():
        for method, row in methods.items():
            told = html.escape(row.get("description") or row.get("summary", "")).replace("\n", "<br>")
            names = [f"<code>{html.escape(name)}</code>" for name in _argument_names(schema, row)]
            parts.append(
                f"<section><h2>{method.upper()} {html.escape(path)}</h2><p>{told}</p>"
                f"<p>Arguments: {', '.join(names) or 'none'}</p></section>"
            )
    title = f"Toldonce {html.escape(schema['info']['version'])}"
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>'
        f"<body><h1>{title}</h1>"
        f'<p>The whole description for programs: <a href="/openapi.json">OpenAPI 3.1</a>.</p>{"".join(parts)}'
        "</body></html>"
    )


def _argument_names(schema: dict[str, Any], row: dict[str, Any]) -> list[str]:
    names = [one["name"] for one in row.get("parameters", ())]
    body = row.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    named = body.get("$ref", "").rpartition("/")[2]
    return names + list(schema["components"]["schemas"].get(named, body).get("properties", {}))
