"""The table of tools served over streamable HTTP with the MCP SDK. It holds no tools of its own.

Errors in a call are returned to the client as the call's result; the server goes on.
"""

from __future__ import annotations

import hmac
import secrets
import socket
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anyio.from_thread
import anyio.to_thread
import mcp_types as types
from mcp.server.lowlevel.server import Server
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from mcp_types.version import is_version_at_least

from toldonce.mcp import calls
from toldonce.mcp.calls import CallingClient
from toldonce.mcp.stdio import find_agent_session
from toldonce.stopping import StopFlag
from toldonce.tools.table import Toolbox

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from toldonce.mcp.http_guard import HttpLimits

PATH = "/mcp"
# Where a server that knows who is asking puts the tools of a request.
TOOLBOX = "toldonce.toolbox"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
# A call may take 300,000 characters, each of them spelled as six in JSON.
_LARGEST_REQUEST = 4_000_000


@dataclass(frozen=True)
class McpHandlers:
    """The handlers of one server: they translate between the SDK and plain values."""

    box: Toolbox
    own_session: str

    async def list_tools(self, ctx: ServerRequestContext[Any], _: Any) -> types.ListToolsResult:
        """What the caller may call; who can be asked needs no token."""
        can_ask, box = _can_ask(ctx), self._choose_box(ctx)
        rows = [calls.describe_tool(box, tool, can_ask=can_ask) for tool in box.tools()]
        return types.ListToolsResult(tools=[types.Tool.model_validate(row) for row in rows])

    async def call_tool(
        self, ctx: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        """Carry out a call in a thread of its own."""
        in_result = is_version_at_least(ctx.protocol_version, calls.ASKS_IN_RESULT)
        client = CallingClient(
            can_ask=_can_ask(ctx),
            ask=None if in_result else lambda question: anyio.from_thread.run(_ask_person, ctx, question),
            answers={name: _as_plain(answer) for name, answer in (params.input_responses or {}).items()},
            request_state=params.request_state,
        )
        box, given = self._choose_box(ctx).as_caller(session=self._session(ctx)), dict(params.arguments or {})
        result = await anyio.to_thread.run_sync(lambda: calls.answer_call(box, params.name, given, client))
        if "inputRequests" in result:
            return types.InputRequiredResult.model_validate(result)
        return types.CallToolResult.model_validate(result)

    def _choose_box(self, ctx: ServerRequestContext[Any]) -> Toolbox:
        """The tools of whoever made the request, where the server knows; else those of the server."""
        return self.box if ctx.request is None else ctx.request.scope.get(TOOLBOX, self.box)

    def _session(self, ctx: ServerRequestContext[Any]) -> str | None:
        """The session that a call belongs to: as set for the server, else the connection's, else client and day."""
        if self.box.caller.session or ctx.request is None:
            return self.box.caller.session or find_agent_session(self.box) or self.own_session
        if known := ctx.request.headers.get("mcp-session-id"):
            return f"mcp-{known}"
        client = ctx.session.client_params
        name = client.client_info.name if client else "client"
        return f"mcp-{name}-{self.box.memory.clock():%Y-%m-%d}"


def build_server(box: Toolbox) -> Server[Any]:
    """An MCP server over a toolbox."""
    handlers = McpHandlers(box, f"mcp-{secrets.token_hex(6)}")
    return Server(
        calls.SERVER_INFO["name"],
        version=calls.SERVER_INFO["version"],
        title=calls.SERVER_INFO["title"],
        instructions=calls.write_instructions(box),
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
    )


def http_app(box: Toolbox, *, host: str = LOOPBACK[0], allowed: Sequence[str] = (), token: str = "") -> Any:
    """The same as an ASGI application. Requests must name a known host, and the token where there is one."""
    names = [f"[{name}]" if ":" in name else name for name in dict.fromkeys((host, *LOOPBACK, *allowed))]
    security = TransportSecuritySettings(
        allowed_hosts=[form for name in names for form in (name, f"{name}:*")],
        allowed_origins=[
            f"{scheme}://{form}" for scheme in ("http", "https") for name in names for form in (name, f"{name}:*")
        ],
    )
    app = build_server(box).streamable_http_app(
        streamable_http_path=PATH, transport_security=security, host=host, max_request_body_size=_LARGEST_REQUEST
    )
    return _Guarded(app, token) if token else app


def serve_http(
    box: Toolbox,
    listening: socket.socket,
    *,
    allowed: Sequence[str] = (),
    token: str = "",
    limits: HttpLimits | None = None,
    stopped: StopFlag | threading.Event | None = None,
) -> None:
    """Serve many clients over HTTP at a socket until the process is told to stop; `stopped` says that it was before."""
    import uvicorn

    from toldonce.mcp.http_guard import HttpLimits, fit_limits, guarded_protocol, limit_repeats

    app = http_app(box, host=listening.getsockname()[0], allowed=allowed, token=token)
    limits = fit_limits(limits or HttpLimits())
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=3,
        ws="none",
        http=guarded_protocol(limits),
        timeout_keep_alive=limits.idle_seconds,
        backlog=limits.backlog,
        h11_max_incomplete_event_size=limits.head_bytes,
    )
    limit_repeats()

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets=sockets)
            # A request to stop that came before the server listened to signals.
            self.should_exit = self.should_exit or (stopped is not None and stopped.is_set())

    Server(config).run(sockets=[listening])


class _Guarded:
    """An application behind one bearer token."""

    def __init__(self, app: Any, token: str) -> None:
        self._app = app
        self._wanted = f"Bearer {token}".encode()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        said = dict(scope.get("headers") or ()).get(b"authorization", b"")
        if scope["type"] != "http" or hmac.compare_digest(said, self._wanted):
            await self._app(scope, receive, send)
            return
        headers = [(b"www-authenticate", b"Bearer"), (b"content-type", b"text/plain; charset=utf-8")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": b"this memory asks for a bearer token\n"})


async def _ask_person(ctx: ServerRequestContext[Any], question: str) -> bool:
    """Whether the person agrees; a client that fails to ask them has no agreement."""
    try:
        answer = await ctx.session.elicit_form(question, dict(calls.QUESTION), ctx.request_id)
    except MCPError:
        return False
    return calls.is_agreement(_as_plain(answer))


def _as_plain(answer: Any) -> Any:
    return answer.model_dump() if isinstance(answer, types.ElicitResult) else None


def _can_ask(ctx: ServerRequestContext[Any]) -> bool:
    """Whether the client can put a question to the person."""
    capabilities = ctx.session.client_capabilities
    asking = capabilities.elicitation if capabilities is not None else None
    has_form = asking is not None and (asking.form is not None or asking.url is None)
    in_result = is_version_at_least(ctx.protocol_version, calls.ASKS_IN_RESULT)
    return has_form and (in_result or ctx.session.can_send_request)
