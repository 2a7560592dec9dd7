"""MCP over HTTP beside the REST API, under the same credentials: each request gets the tools of its identity."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from anyio import to_thread
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings

from toldonce.mcp.server import TOOLBOX, build_server
from toldonce.server.api import IDENTITY
from toldonce.server.problems import RequestProblem
from toldonce.server.shared_state import SharedConfirmations
from toldonce.server.tool_routes import open_toolbox
from toldonce.tools.table import Toolbox

if TYPE_CHECKING:
    from toldonce.memory import Memory
    from toldonce.server.guard import Receive, Scope, Send


class McpMount:
    """The MCP server as a part of an application. It keeps no sessions, so that any process may answer."""

    def __init__(self, memory: Memory, confirmations: SharedConfirmations) -> None:
        self._memory = memory
        self._confirmations = confirmations
        self._manager: StreamableHTTPSessionManager | None = None

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Serve as long as the application runs."""
        server = build_server(Toolbox(self._memory, confirmations=self._confirmations))
        # The guard before the application has checked names already.
        security = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        self._manager = StreamableHTTPSessionManager(server, stateless=True, security_settings=security)
        async with self._manager.run():
            yield
        self._manager = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._manager is None:
            raise RequestProblem(503, "starting", "the server is starting or stopping: try again", Retry_After="1")
        identity = scope[IDENTITY]
        scope[TOOLBOX] = await to_thread.run_sync(lambda: open_toolbox(self._memory, self._confirmations, identity))
        await self._manager.handle_request(scope, receive, send)
