"""MCP over HTTP under strangers who hold connections, send slowly or send nonsense: real clients get their answers."""

from __future__ import annotations

import http.client
import json
import logging
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

SERVER = """
import resource, socket, sys
from toldonce import Memory
from toldonce.mcp.http_guard import HttpLimits
from toldonce.mcp.server import serve_http
from toldonce.tools.table import Toolbox
from toldonce.tools.definition import Caller

place, files, limits = sys.argv[1], int(sys.argv[2]), eval(sys.argv[3])
resource.setrlimit(resource.RLIMIT_NOFILE, (files, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
with Memory.open(place, "assistant", embedder=None, background=False) as memory, socket.socket() as listening:
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    print(listening.getsockname()[1], flush=True)
    serve_http(Toolbox(memory, Caller(user="alex")), listening, limits=HttpLimits(**limits))
"""
HELLO = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
    }
)
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


@contextmanager
def serving(tmp_path: Path, *, files: int = 1024, **limits: Any) -> Iterator[tuple[int, Path]]:
    """A server in a process of its own: its port, and the file that its log goes to."""
    log = tmp_path / "log"
    with log.open("wb") as lines:
        command = [sys.executable, "-c", SERVER, str(tmp_path / "memory.db"), str(files), repr(limits)]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=lines)
        assert server.stdout is not None
        try:
            yield int(server.stdout.readline()), log
        finally:
            server.terminate()
            server.communicate(timeout=60)


def answer(port: int, body: str = HELLO) -> tuple[int, str]:
    """What a real client is answered; a server that keeps it waiting fails the test."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("POST", "/mcp", body, {**HEADERS, "Host": f"127.0.0.1:{port}"})
        response = connection.getresponse()
        return response.status, response.read(10_000).decode()
    finally:
        connection.close()


def connect(port: int, stack: ExitStack, sent: bytes = b"") -> socket.socket:
    found = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
    found.sendall(sent)
    return found


@pytest.fixture(autouse=True)
def enough_files() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, before[1]), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_idle_sockets_keep_nobody_out(tmp_path: Path) -> None:
    """More sockets than the server may open files, all silent, and nothing is closed by time."""
    with serving(tmp_path, files=200, head_seconds=3600.0) as (port, _), ExitStack() as stack:
        assert answer(port)[0] == 200
        for _ in range(500):
            connect(port, stack)
        for _ in range(5):
            status, said = answer(port)
            assert status == 200 and "toldonce" in said.lower()


def test_half_sent_requests_keep_nobody_out(tmp_path: Path) -> None:
    with serving(tmp_path, files=200, head_seconds=3600.0) as (port, _), ExitStack() as stack:
        for _ in range(500):
            connect(port, stack, b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
        assert answer(port)[0] == 200


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"POST /mcp HTTP/1.1\r\nHost: x\r\n",
        b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99\r\n\r\n{",
    ],
)
def test_a_request_that_does_not_come_whole_is_closed(tmp_path: Path, sent: bytes) -> None:
    with serving(tmp_path, head_seconds=0.3, body_seconds=0.3) as (port, _), ExitStack() as stack:
        slow = connect(port, stack, sent)
        assert is_closed(slow)


def is_closed(connection: socket.socket) -> bool:
    """Whether the other side closes; waits as long as the socket's own time-out."""
    try:
        while connection.recv(65_536):
            pass
    except ConnectionResetError:
        return True
    return True


def test_a_slow_second_request_is_closed_too(tmp_path: Path) -> None:
    with serving(tmp_path, head_seconds=3.0) as (port, _), ExitStack() as stack:
        head = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n" + "".join(
            f"{k}: {v}\r\n" for k, v in HEADERS.items()
        )
        kept = connect(port, stack, f"{head}Content-Length: {len(HELLO)}\r\n\r\n{HELLO}".encode())
        assert kept.recv(20).startswith(b"HTTP/1.1 200")
        kept.sendall(b"POST /mcp HT")
        assert is_closed(kept)


def test_a_connection_is_refused_in_words_when_all_have_a_request(tmp_path: Path) -> None:
    with serving(tmp_path, connections=8) as (port, _), ExitStack() as stack:
        lines = [f"Host: 127.0.0.1:{port}", *(f"{k}: {v}" for k, v in HEADERS.items()), "Content-Length: 99"]
        begun = "\r\n".join(["POST /mcp HTTP/1.1", *lines, "Expect: 100-continue", "", ""]).encode()
        for _ in range(8):
            assert connect(port, stack, begun).recv(100).startswith(b"HTTP/1.1 100")
        late = connect(port, stack)
        said = b"".join(iter(lambda: late.recv(1000), b""))
        assert b"503" in said.splitlines()[0] and b"try again later" in said


def test_a_body_has_a_limit(tmp_path: Path) -> None:
    with serving(tmp_path) as (port, _):
        assert answer(port, "x" * 4_100_000)[0] == 413
        assert answer(port)[0] == 200


def test_a_flood_of_nonsense_writes_few_lines(tmp_path: Path) -> None:
    with serving(tmp_path) as (port, log):
        for _ in range(300):
            with ExitStack() as stack:
                found = connect(port, stack, b"\x00nonsense\r\n\r\n")
                found.recv(1000)
        assert answer(port)[0] == 200
        assert len(log.read_bytes().splitlines()) < 40


def test_a_server_that_is_told_to_stop_while_it_starts_stops(tmp_path: Path) -> None:
    program = SERVER.replace("import resource", "import resource, threading", 1).replace(
        "limits=HttpLimits(**limits))", "stopped=asked)"
    )
    program = program.replace("with Memory", "asked = threading.Event()\nasked.set()\nwith Memory", 1)
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "memory.db"), "1024", "{}"],
        timeout=240,
        check=False,
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr


def test_repeated_lines_are_counted() -> None:
    from toldonce.mcp.http_guard import RepeatFilter

    now = 0.0
    repeats = RepeatFilter(most=2, seconds=60, clock=lambda: now)

    def passes() -> tuple[bool, str]:
        record = logging.LogRecord("x", logging.WARNING, "", 0, "same", None, None)
        return repeats.filter(record), record.getMessage()

    assert [passes()[0] for _ in range(5)] == [True, True, False, False, False]
    now = 61.0
    assert passes() == (True, "same (and 3 more like it)") and passes() == (True, "same")


def test_the_limit_of_connections_leaves_files_for_the_memory() -> None:
    from toldonce.mcp.http_guard import HttpLimits, fit_limits

    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (100, before[1]))
    try:
        assert fit_limits(HttpLimits()).connections == 50
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
