"""What a session was shown is said to be shown, by one list for hooks and tools, until the agent drops its context."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from toldonce import Memory
from toldonce.coding.hooks import agent_sessions, entry
from toldonce.mcp.server import McpHandlers
from toldonce.storage import lifecycle
from toldonce.tools.definition import Caller
from toldonce.tools.table import Toolbox

ASKED = "refresh token of the Redis session store"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    found = tmp_path / "shop"
    (found / ".git").mkdir(parents=True)
    (found / "toldonce.toml").write_text('place = "memory.db"\npreset = "coding"\n', encoding="utf-8")
    return found


@pytest.fixture
def memory(root: Path) -> Iterator[Memory]:
    with Memory.open(root / "memory.db", "coding", embedder=None, background=False) as found:
        found.remember("The refresh token is not checked against the Redis session store", kind="gotcha")
        found.remember("The Redis session store forgets a token after an hour", kind="gotcha")
        yield found


def hook(root: Path, name: str, agent: str = "claude-code", **payload: Any) -> str:
    raw = {"session_id": "s1", "cwd": str(root), **payload}
    return entry.answer_hook([agent, name, "--no-tend"], json.dumps(raw).encode())


def search(memory: Memory, session: str | None = "s1", **given: Any) -> Any:
    return Toolbox(memory, Caller(session=session)).call("search_memory", {"query": ASKED, **given}).value


def test_a_repeated_search_gives_the_same_hits_and_says_that_they_were_shown(memory: Memory) -> None:
    first, again = search(memory), search(memory)
    assert len(first) == 2 and not any("shown_before" in row for row in first)
    assert again == [{**row, "shown_before": True} for row in first]
    assert not any("shown_before" in row for row in search(memory, "s2"))


def test_new_hits_stand_beside_the_ones_that_were_shown(memory: Memory) -> None:
    first = search(memory, limit=1)
    again = search(memory, limit=1)
    assert [("shown_before" in row) for row in again] == [True, False]
    assert again[0]["id"] == first[0]["id"]


def test_a_search_says_what_a_hook_showed_and_a_hook_does_not_repeat_a_search(root: Path, memory: Memory) -> None:
    assert "refresh token" in hook(root, "prompt", prompt=ASKED)
    assert all(row["shown_before"] for row in search(memory))
    search(memory, "s2")
    assert hook(root, "prompt", session_id="s2", prompt=ASKED) == ""


@pytest.mark.parametrize(
    "agent, event, payload",
    [("claude-code", "SessionStart", {"source": "compact"}), ("codex", "PreCompact", {}), ("opencode", "compact", {}),
     ("gemini", "PreCompress", {"trigger": "manual"})],
)  # fmt: skip
def test_compaction_resets_the_list(root: Path, memory: Memory, agent: str, event: str, payload: Any) -> None:
    search(memory)
    hook(root, event, agent, **payload)
    assert not any("shown_before" in row for row in search(memory))
    hook(root, event, agent, **payload)
    assert "refresh token" in hook(root, "prompt", agent, prompt=ASKED)


def test_a_compaction_that_gemini_only_considers_resets_nothing(root: Path, memory: Memory) -> None:
    """It calls the hook before every request, whether it compacts or not."""
    search(memory)
    hook(root, "PreCompress", "gemini", trigger="auto")
    assert all(row["shown_before"] for row in search(memory))


def test_the_mcp_server_of_an_agent_takes_part_in_the_session_of_its_hooks(root: Path, memory: Memory) -> None:
    server = McpHandlers(Toolbox(memory, Caller(root=str(root))), "mcp-own")
    context = type("Context", (), {"request": None})()
    assert server._session(context) == "mcp-own"
    hook(root, "session-start", source="startup")
    assert server._session(context) == "s1"
    hook(root, "session-end")
    assert server._session(context) == "mcp-own"


def test_of_two_agents_in_one_project_the_server_finds_its_own(root: Path, monkeypatch: Any) -> None:
    for session, parents in (("mine", [70, 50, 2]), ("other", [80, 60, 2])):
        monkeypatch.setattr(agent_sessions, "list_parents", lambda parents=parents: parents)
        agent_sessions.note_session(str(root), session)
    assert agent_sessions.find_session(str(root), [50, 2]) == "mine"
    assert agent_sessions.find_session(str(root), [60, 2]) == "other"
    assert agent_sessions.find_session(str(root), [999]) in ("mine", "other")
    assert agent_sessions.find_session(str(root.parent), [50]) == ""


def test_the_list_of_sessions_stays_small(root: Path) -> None:
    for number in range(20):
        agent_sessions.note_session(str(root), f"s{number}")
    (kept,) = agent_sessions.state.load_state("current-sessions.json").values()
    assert list(kept) == [f"s{number}" for number in range(12, 20)]


def test_an_erased_person_leaves_no_list_of_what_a_subagent_was_shown(root: Path, memory: Memory) -> None:
    memory.observe("Where is the token checked?", "ana", session="s1")
    hook(root, "prompt", agent_id="a1", prompt=ASKED)
    hook(root, "prompt", session_id="s2", agent_id="a1", prompt=ASKED)
    assert memory.sessions.shown("s1/a1") and memory.sessions.shown("s2/a1")
    memory.erase(user="ana")
    keys = ("shown:s1/a1", "shown:s2/a1")
    gone, left = memory.store.read(lambda t: [t.documents.read_setting("main", key) for key in keys])
    assert gone is None and left


def test_a_doubted_record_is_shown_under_the_newer_one_to_agents_and_in_hooks(root: Path, memory: Memory) -> None:
    older = memory.remember("The refresh token lives for 20 minutes in the Redis session store", kind="convention")
    newer = memory.remember("Refresh token of the Redis session store: 30 minutes from now on", kind="convention")
    at = memory.clock()
    assert memory.store.write(lambda t: lifecycle.doubt_record(t, older, newer, at=at, reason="a newer word"))
    [row] = [row for row in search(memory, "s9") if row["id"] == newer.id]
    assert [one["id"] for one in row["doubted"]] == [older.id] and "probably over" in row["doubted"][0]["line"]
    assert all(row["id"] != older.id for row in search(memory, "s9"))
    shown = hook(root, "UserPromptSubmit", prompt=ASKED)
    assert shown.index("30 minutes") < shown.index("20 minutes") < shown.index("probably over since")
    assert shown.count("20 minutes") == 1
