"""Commands and tools against a server work with the key of one person, who needs no right to manage."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from tests.conftest import OpenMemory
from tests.server.serving import Serving, serving
from tests.shell import Shell
from toldonce.cli.main import cli


@pytest.fixture(params=["assistant", "coding", "community", "life", "companion"])
def server(open_memory: OpenMemory, request: pytest.FixtureRequest) -> Iterator[Serving]:
    memory = open_memory(request.param)
    memory.remember("The barn is red", user="alex", visibility="project")
    memory.remember("Sam has a boat", user="sam", visibility="private")
    memory.people.update("alex", display_name="Alex")
    memory.people.update("sam", display_name="Sam")
    with serving(memory) as running:
        yield running


GIVEN = {
    "query": "barn", "message": "barn", "content": "The gate is green", "text": "x", "user": "alex", "name": "Alex",
    "type": "fact", "area": "health", "currentTopic": "barn", "relatedAreas": [], "task": "paint the barn",
    "module": "barn", "update": {"description": "a barn"}, "questionId": "none", "answer": "yes",
}  # fmt: skip


def test_every_tool_can_be_called_with_a_personal_key(
    server: Serving, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOLDONCE_API_KEY", server.key("laptop", user="alex"))
    for tool in shell.json("tools", "--place", server.url)["tools"]:
        given = {name: GIVEN.get(name, "none") for name in tool["schema"]["required"]}
        if "type" in given:
            given["type"] = tool["schema"]["properties"]["type"].get("enum", ["fact"])[0]
        words = ["tool", tool["name"], json.dumps(given), "--yes", "--session", "s1", "--place", server.url]
        done = CliRunner().invoke(cli, words)
        assert "manage" not in done.output and "credential" not in done.output, (tool["name"], done.output)


def test_mcp_serves_with_a_personal_key(server: Serving, shell: Shell) -> None:
    process = shell.process("mcp", "--place", server.url, TOLDONCE_API_KEY=server.key("laptop", user="alex"))
    start = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": start},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    out, err = process.communicate("".join(json.dumps(line) + "\n" for line in lines).encode(), timeout=60)
    assert process.returncode == 0 and b"manage" not in err and b"credential" not in err, (out, err)
    assert b'"tools"' in out
