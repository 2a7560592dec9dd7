"""Real coding agents from npm, driven by a scripted model server on this machine. Run them with `make test-agents`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import git

PACKAGES = Path(__file__).resolve().parents[2] / ".agents"
WANTED = "TEST_AGENTS"
CLAUDE = "@anthropic-ai/claude-code@2.1.197"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip everything here unless it was asked for: these tests install programs and take minutes."""
    reason = "" if os.environ.get(WANTED) else "`make test-agents` runs it"
    reason = reason or ("" if shutil.which("npm") else "npm is not installed")
    here = Path(__file__).parent
    for item in items:
        if reason and item.path.is_relative_to(here):
            item.add_marker(pytest.mark.skip(reason=reason))


@dataclass
class AnthropicServer:
    """A model that answers in turn what `script` holds, then "Done.", and keeps every request."""

    script: list[dict[str, Any]] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""

    def texts(self) -> str:
        """All that the model was sent, as one text."""
        return json.dumps(self.requests, ensure_ascii=False)

    def next_block(self, body: dict[str, Any]) -> dict[str, Any]:
        """What to answer a request: requests without tools are for titles and the like."""
        self.requests.append(body)
        return self.script.pop(0) if self.script and body.get("tools") else {"type": "text", "text": "Done."}


def stream_events(block: dict[str, Any], model: str) -> Iterator[tuple[str, dict[str, Any]]]:
    usage = {"input_tokens": 10, "output_tokens": 10}
    empty = {"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": [], "usage": usage}
    yield "message_start", {"type": "message_start", "message": {**empty, "stop_reason": None, "stop_sequence": None}}
    if block["type"] == "text":
        first, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
    else:
        first = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    yield "content_block_start", {"type": "content_block_start", "index": 0, "content_block": first}
    yield "content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}
    yield "content_block_stop", {"type": "content_block_stop", "index": 0}
    reason = "end_turn" if block["type"] == "text" else "tool_use"
    done = {"stop_reason": reason, "stop_sequence": None}
    yield "message_delta", {"type": "message_delta", "delta": done, "usage": {"output_tokens": 10}}
    yield "message_stop", {"type": "message_stop"}


@pytest.fixture
def model() -> Iterator[AnthropicServer]:
    found = AnthropicServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])) or b"{}")
            if "count_tokens" in self.path:
                self._send("application/json", b'{"input_tokens": 10}')
                return
            block, name = found.next_block(body), body.get("model", "m")
            if body.get("stream"):
                events = stream_events(block, name)
                text = "".join(f"event: {kind}\ndata: {json.dumps(data)}\n\n" for kind, data in events)
                self._send("text/event-stream", text.encode())
                return
            answer = {"id": "msg_1", "type": "message", "role": "assistant", "model": name, "content": [block]}
            rest = {"stop_reason": "end_turn", "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
            self._send("application/json", json.dumps({**answer, **rest}).encode())

        def do_GET(self) -> None:
            self._send("application/json", b"{}")

        def _send(self, kind: str, content: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    found.url = f"http://127.0.0.1:{server.server_address[1]}"
    yield found
    server.shutdown()
    server.server_close()


@dataclass
class Claude:
    """Claude Code in a home of its own, with Recollect installed for every project."""

    program: Path
    home: Path
    model: AnthropicServer

    @property
    def env(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "PYTHONPATH") if name in os.environ}
        own = {"HOME": str(self.home), "ANTHROPIC_BASE_URL": self.model.url, "ANTHROPIC_API_KEY": "none"}
        quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}
        return {**kept, **own, **quiet, "RECOLLECT_EMBEDDER": "none"}

    def recollect(self, *args: str, cwd: Path) -> str:
        command = [sys.executable, "-P", "-m", "recollect", *args]
        return subprocess.run(command, cwd=cwd, env=self.env, check=True, capture_output=True, text=True).stdout

    def ask(self, prompt: str, *, cwd: Path) -> str:
        """What the agent says at the end; whatever it asks to do is allowed."""
        command = [str(self.program), "-p", prompt, "--allowedTools", "Read,Edit,Write,mcp__recollect"]
        done = subprocess.run(
            command,
            cwd=cwd,
            env=self.env,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def make_project(self, name: str) -> Path:
        folder = self.home / name
        folder.mkdir(parents=True)
        git("init", "--quiet", cwd=folder)
        return folder


@pytest.fixture
def claude(tmp_path: Path, model: AnthropicServer) -> Claude:
    program = PACKAGES / "node_modules" / ".bin" / "claude"
    if not program.exists():
        PACKAGES.mkdir(exist_ok=True)
        command = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(PACKAGES), CLAUDE]
        subprocess.run(command, check=True, capture_output=True, timeout=600)
    found = Claude(program, tmp_path / "home", model)
    found.home.mkdir()
    found.recollect("install", "claude-code", cwd=found.home)
    return found
