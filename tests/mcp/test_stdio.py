"""The server over standard input and output, line by line: what it answers, what it refuses, and what it costs."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from typing import Any

import pytest

from tests.conftest import OpenMemory
from tests.conftest import git as run_git
from toldonce import Memory
from toldonce.mcp.stdio import StdioServer
from toldonce.tools.definition import Caller
from toldonce.tools.table import Toolbox

NEWER = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}


def request(method: str, number: Any = 1, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, **({"params": params} if params else {})}


def converse(box: Toolbox | None, *lines: Any, notice: str = "") -> list[dict[str, Any]]:
    """What the server answers to these lines before the client goes away, in the order of their ids."""
    data = b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines)
    outgoing = io.BytesIO()
    StdioServer(box, io.BytesIO(data), outgoing, notice=notice).serve()
    answers = [json.loads(line) for line in outgoing.getvalue().splitlines()]
    assert all(answer["jsonrpc"] == "2.0" for answer in answers)
    return sorted(answers, key=lambda answer: str(answer["id"]))


@pytest.fixture
def box(open_memory: OpenMemory) -> Toolbox:
    return Toolbox(open_memory("companion"), Caller(user="alex"))


def test_the_handshake_agrees_on_the_version_of_the_client_if_it_is_known(box: Toolbox) -> None:
    (answer,) = converse(box, request("initialize", **HELLO))
    assert answer["result"]["protocolVersion"] == "2025-06-18"
    assert answer["result"]["serverInfo"]["name"] == "toldonce" and answer["result"]["capabilities"] == {
        "tools": {"listChanged": False}
    }
    (answer,) = converse(box, request("initialize", **{**HELLO, "protocolVersion": "1999-01-01"}))
    assert answer["result"]["protocolVersion"] == "2025-11-25"


def test_a_client_of_the_newer_protocol_needs_no_handshake(box: Toolbox) -> None:
    found, tools = converse(box, request("server/discover", _meta=NEWER), request("tools/list", 2, _meta=NEWER))
    assert found["result"]["supportedVersions"] == ["2026-07-28"] and found["result"]["resultType"] == "complete"
    assert [tool["name"] for tool in tools["result"]["tools"]] == list(box.preset.tools)
    later = {**NEWER, "io.modelcontextprotocol/protocolVersion": "2031-01-01"}
    (refused,) = converse(box, request("server/discover", _meta=later))
    assert refused["error"]["code"] == -32022 and refused["error"]["data"]["supported"] == ["2026-07-28"]


@pytest.mark.parametrize(
    "line, code",
    [
        (b"{\n", -32700), (b"\xff\xfe\n", -32700), (b"[1]\n", -32600), (b'"x"\n', -32600),
        (request("tools/fly"), -32601), (request("server/discover"), -32601), (request("resources/list"), -32601),
        (request("tools/call"), -32602), (request("tools/call", name="store_memory", arguments=7), -32602),
        ({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}, -32602),
        ({"jsonrpc": "2.0", "id": [1], "method": "ping"}, -32600), (b"[" * 100_000 + b"\n", -32700),
        (b"x" * 4_000_001 + b"\n", -32700),
    ],
)  # fmt: skip
def test_what_cannot_be_served_is_an_error_and_the_server_goes_on(box: Toolbox, line: Any, code: int) -> None:
    answers = converse(box, line, b"\n", request("ping", 7))
    assert [a["error"]["code"] for a in answers if "error" in a] == [code]
    assert [a["id"] for a in answers if "result" in a] == [7]


def test_notifications_are_not_answered_and_a_cancelled_call_neither(box: Toolbox) -> None:
    gone = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}}
    initialised = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    call = request("tools/call", 5, name="store_memory", arguments={"content": "Alex likes jazz"})
    assert [a["id"] for a in converse(box, initialised, gone, call, request("ping", 6))] == [6]


def test_a_client_that_goes_before_the_person_answered_has_no_agreement(box: Toolbox) -> None:
    kept = box.memory.remember("Alex likes jazz", "fact", user="alex")
    hello = {**HELLO, "capabilities": {"elicitation": {}}}
    call = request("tools/call", 2, name="forget_memory", arguments={"memory_id": kept.id})
    answers = converse(box, request("initialize", **hello), call)
    assert any(a.get("method") == "elicitation/create" for a in answers)
    assert box.memory.get(kept.id).state == "active"


def test_without_a_memory_it_has_no_tools_and_says_how_to_set_one_up() -> None:
    lines = (request("initialize", **HELLO), request("tools/list", 2), request("tools/call", 3, name="search_memory"))
    hello, tools, call = converse(None, *lines, notice="Run `toldonce init`.")
    assert hello["result"]["instructions"] == "Run `toldonce init`." and tools["result"]["tools"] == []
    assert call["result"]["isError"] and call["result"]["content"][0]["text"] == "Run `toldonce init`."


def test_a_project_that_was_not_set_up_gets_a_server_that_says_so_and_makes_nothing(shell: Any) -> None:
    run_git("init", "--quiet", cwd=shell.folder)
    with Memory.open(shell.folder.parent / "mine.db", "assistant", embedder=None, background=False) as memory:
        memory.remember("The other project is called Xanadu")
    server = shell.process("mcp", TOLDONCE_PLACE=str(shell.folder.parent / "mine.db"))
    lines = [request("initialize", **HELLO), request("tools/call", 2, name="search_memory", arguments={"query": "it"})]
    out, err = server.communicate(b"".join(json.dumps(line).encode() + b"\n" for line in lines), timeout=60)
    assert server.returncode == 0, err
    assert out.count(b"toldonce init") == 2 and b"Xanadu" not in out
    assert not (shell.folder.parent / "home" / ".local" / "share").exists()


def test_the_handshake_loads_neither_the_sdk_nor_a_model(made: Any) -> None:
    """The SDK costs most of a second of processor time, and an agent starts the server with every session."""
    heavy = "{'mcp', 'mcp_types', 'pydantic', 'anyio', 'httpx', 'toldonce.models.minilm'}"
    code = (
        "import atexit, sys\n"
        f"atexit.register(lambda: print(sorted({heavy} & set(sys.modules)), file=sys.stderr))\n"
        "from toldonce.cli.main import run_cli; run_cli()"
    )
    lines = json.dumps(request("initialize", **HELLO)) + "\n" + json.dumps(request("tools/list", 2)) + "\n"
    ran = subprocess.run(
        [sys.executable, "-c", code, "mcp"], cwd=made.folder, env={**os.environ, **made.env}, input=lines,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ran.stderr.strip() == "[]" and len(ran.stdout.splitlines()) == 2
