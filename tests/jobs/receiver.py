"""A receiver of webhooks, which every test may ask for."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest


class Receiver:
    """A web server that keeps what it is sent and answers as it is told."""

    def __init__(self) -> None:
        self.taken: list[dict[str, Any]] = []
        self.answers: list[int] = []
        self.before_answer: Callable[[], object] = lambda: None
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                outer.taken.append({"headers": headers, "body": body, **json.loads(body)})
                outer.before_answer()
                self.send_response(outer.answers.pop(0) if outer.answers else 204)
                self.send_header("Location", "http://127.0.0.1:9/elsewhere")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/hook?from=memory"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def ids(self) -> list[str]:
        return [one["headers"]["webhook-id"] for one in self.taken]


def is_signed_by(secret: str, sent: dict[str, Any]) -> bool:
    """The check that docs/events.md describes."""
    headers = sent["headers"]
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + sent["body"]
    key = base64.b64decode(secret.removeprefix("whsec_"))
    wanted = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return hmac.compare_digest(wanted, headers["webhook-signature"])


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.close()
