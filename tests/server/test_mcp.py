"""MCP over HTTP: the same credentials, and the tools of whoever is asking."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from tests.server.serving import Serving


async def call(server: Serving, secret: str, name: str, **arguments: Any) -> Any:
    headers = {"Authorization": f"Bearer {secret}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(streamable_http_client(f"{server.url}/mcp", http_client=http)) as client,
    ):
        if not name:
            return [tool.name for tool in (await client.list_tools()).tools]
        result = await client.call_tool(name, arguments)
        assert not result.is_error, result.content
        return result.structured_content


def run(story: Any) -> Any:
    return asyncio.run(asyncio.wait_for(story, 60))


def test_tools_belong_to_the_person_of_the_key(server: Serving) -> None:
    alex, sam = server.key("a", user="alex"), server.key("s", user="sam")
    made = run(call(server, alex, "remember_fact", content="Alex keeps bees on the roof"))
    assert server.memory.get(made["id"]).user == "alex"
    assert run(call(server, alex, "search_memory", query="bees"))["result"][0]["id"] == made["id"]
    assert run(call(server, sam, "search_memory", query="bees roof"))["result"] == []


def test_a_key_that_may_only_read_sees_no_tool_that_writes(server: Serving) -> None:
    names = run(call(server, server.key("r", user="alex", rights=["read"]), ""))
    assert "search_memory" in names and "remember_fact" not in names


@pytest.mark.parametrize("secret", [None, "tk_wrong", "nonsense"])
def test_nobody_reaches_the_tools_without_a_credential(server: Serving, secret: str | None) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    assert server.client(secret).post("/mcp", json=body).status_code == 401
