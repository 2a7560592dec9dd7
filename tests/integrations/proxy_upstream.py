"""A model's API on a free port: it answers as scripted, streams event by event and keeps every request."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PATIENCE_S = 30


@dataclass(frozen=True)
class Whole:
    """One JSON answer."""

    body: Any
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Events:
    """A stream of events. One that `hangs` waits after the last until the client is gone; a `cut` one just ends."""

    data: Sequence[Any]
    hangs: bool = False
    cut: bool = False


@dataclass(frozen=True)
class Hanging:
    """No answer: it waits until the client is gone."""


@dataclass(frozen=True)
class Asked:
    """A request as it reached the model."""

    method: str
    path: str
    headers: Mapping[str, str]
    content: bytes

    @property
    def body(self) -> Any:
        return json.loads(self.content)


def chat(text: str | None, **message: Any) -> Whole:
    """A whole answer in the format of chat completions."""
    said = {"role": "assistant", "content": text, **message}
    choice = {"index": 0, "message": said, "finish_reason": "tool_calls" if "tool_calls" in message else "stop"}
    return Whole({"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]})


def chat_events(*parts: Any, end: bool = True) -> list[Any]:
    """The events of a streamed answer, each a text or a delta."""
    deltas = [(part if isinstance(part, dict) else {"content": part}, None) for part in parts]
    return [
        {
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": "m",
            "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
        }
        for delta, reason in [*deltas, *([({}, "stop")] if end else [])]
    ]


def response(text: str, answer_id: str = "resp_1", **more: Any) -> dict[str, Any]:
    """An answer in the format of responses."""
    part = {"type": "output_text", "text": text, "annotations": []}
    message = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]}
    return {
        "id": answer_id, "object": "response", "created_at": 1, "model": "m", "status": "completed",
        "output": [message], "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], **more,
    }  # fmt: skip


def response_events(text: str, answer_id: str = "resp_1") -> list[dict[str, Any]]:
    """The events of a streamed answer in the format of responses."""
    delta = {"type": "response.output_text.delta", "item_id": "msg_1", "output_index": 0, "content_index": 0}
    whole = response(text, answer_id)
    events = [
        {"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}},
        *({**delta, "delta": word, "logprobs": []} for word in text.split(" ")),
        {"type": "response.completed", "response": whole},
    ]
    return [{**event, "sequence_number": number} for number, event in enumerate(events)]


class Upstream:
    """The server: `script` says what comes next, `asked` what was requested."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.left = threading.Event()
        self.answers: list[Any] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), make_handler(self))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def script(self, *answers: Any) -> None:
        """The next answers."""
        self.answers += answers

    @contextmanager
    def run(self) -> Iterator[Upstream]:
        """Answer until the block ends."""
        thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            thread.join()
            self._server.server_close()


def make_handler(upstream: Upstream) -> type[BaseHTTPRequestHandler]:
    """The class whose objects answer one connection each."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            upstream.asked.append(Asked(self.command, self.path, headers, content))
            answer = upstream.answers.pop(0)
            if isinstance(answer, Whole):
                self._send_whole(answer)
            elif isinstance(answer, Events):
                self._send_events(answer)
            else:
                self._wait_until_left()

        do_GET = do_DELETE = do_POST

        def _send_whole(self, answer: Whole) -> None:
            body = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
            self.send_response(answer.status)
            for name, value in {"Content-Type": "application/json", **answer.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def _send_events(self, answer: Events) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream; charset=utf-8")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for data in answer.data:
                kind = f"event: {data['type']}\n" if "type" in data else ""
                self._send_chunk(f"{kind}data: {json.dumps(data)}\n\n".encode())
            if answer.hangs:
                self._wait_until_left()
                return
            if answer.cut:
                self.close_connection = True
                return
            if "type" not in answer.data[-1]:
                self._send_chunk(b"data: [DONE]\n\n")
            self._send_chunk(b"")

        def _send_chunk(self, data: bytes) -> None:
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            self.wfile.flush()

        def _wait_until_left(self) -> None:
            self.connection.settimeout(PATIENCE_S)
            self.close_connection = True
            if self.connection.recv(1) == b"":
                upstream.left.set()

        def log_message(self, *_: object) -> None:
            pass

    return Handler
