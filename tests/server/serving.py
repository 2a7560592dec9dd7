"""A server on the loopback interface in a thread of its own, and clients for it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import uvicorn

from toldonce import Memory
from toldonce.server.app import ServerApp, create_app
from toldonce.server.run import listen_at
from toldonce.server.settings import RequestLimits, ServerSettings

OPEN_LIMITS = RequestLimits(requests_per_minute=0)


class Serving:
    """One server that runs, over a memory of the test."""

    def __init__(self, memory: Memory, app: ServerApp, url: str) -> None:
        self.memory = memory
        self.app = app
        self.url = url
        self._clients: list[httpx.Client] = []

    def key(self, name: str = "test", **given: Any) -> str:
        """The secret of a new key."""
        return self.memory.keys.add(name, **given).secret

    def client(self, secret: str | None = None, **headers: str) -> httpx.Client:
        """A client with a credential, or with none."""
        sent = {"Authorization": f"Bearer {secret}", **headers} if secret is not None else headers
        self._clients.append(httpx.Client(base_url=self.url, headers=sent, timeout=30))
        return self._clients[-1]

    def owner(self) -> httpx.Client:
        """A client that owns the whole memory."""
        return self.client(self.key("owner", rights=["read", "write", "manage"], role="person"))

    def of(self, person: str, **given: Any) -> httpx.Client:
        """A client of a person."""
        return self.client(self.key(person, user=person, **given))

    def close(self) -> None:
        for client in self._clients:
            client.close()


@contextmanager
def serving(memory: Memory, settings: ServerSettings | None = None) -> Iterator[Serving]:
    """Serve a memory until the block ends."""
    app = create_app(memory, settings or ServerSettings(limits=OPEN_LIMITS))
    listening = listen_at("127.0.0.1", 0)
    started = threading.Event()

    class Announced(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets=sockets)
            started.set()

    server = Announced(uvicorn.Config(app.asgi, log_level="error", access_log=False, lifespan="on", ws="none"))
    thread = threading.Thread(target=lambda: server.run(sockets=[listening]), daemon=True)
    thread.start()
    assert started.wait(30), "the server did not start"
    running = Serving(memory, app, f"http://127.0.0.1:{listening.getsockname()[1]}")
    try:
        yield running
    finally:
        running.close()
        app.events.stop()
        server.should_exit = True
        thread.join(30)
        listening.close()
