"""A coding agent reads a memory whole: hooks and searches give the point and an id, `get_memory` the rest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import OpenMemory
from toldonce import Memory
from toldonce.coding.hooks import entry
from toldonce.errors import RecordNotFound
from toldonce.tools.definition import Caller
from toldonce.tools.table import Toolbox

LONG = (
    "I spent a morning on this one and looked at the cookie settings first, which were all right. Users are logged out "
    "because refresh() compares the expiry in local time. Always convert with to_utc() first. The tests in "
    "tests/auth/test_session.py freeze the clock in UTC, so none of them ever saw the difference between both clocks."
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    found = tmp_path / "shop"
    (found / ".git").mkdir(parents=True)
    (found / "session.py").write_text("def refresh():\n    ...\n", encoding="utf-8")
    return found


def box_for(memory: Memory, root: Path, **caller: Any) -> Toolbox:
    return Toolbox(memory, Caller(root=str(root), session="s1", **caller))


def test_a_search_gives_the_point_and_an_id_that_reads_the_whole(open_memory: OpenMemory, root: Path) -> None:
    box = box_for(open_memory("coding"), root)
    kept = box.call("record_gotcha", {"content": LONG, "file": "session.py", "cites": ["session.py:1-2"]}).value
    (hit,) = box.call("search_memory", {"query": "why are users logged out after a refresh?"}).value
    assert "local time" in hit["text"] and "to_utc()" in hit["text"] and hit["id"] == kept["id"]
    whole = box.call("get_memory", {"id": hit["id"]}).value
    assert whole["text"] == LONG and whole["summary"] == hit["text"] and whole["file"] == "session.py"
    assert whole["cites"] == [{"place": "session.py:1-2", "state": "fresh"}]
    assert whole["history"] == []
    (root / "session.py").write_text("def renew(): ...\n", encoding="utf-8")
    assert box.call("get_memory", {"id": hit["id"]}).value["cites"][0]["state"] == "stale"


def test_it_says_where_a_memory_comes_from_and_what_it_replaced(open_memory: OpenMemory, root: Path) -> None:
    memory = open_memory("coding")
    said = memory.observe("Let's keep sessions in Redis", "alex", session="s0")
    old = memory.remember("Sessions live in Redis", "decision", source=[said.id])  # type: ignore[union-attr]
    new = memory.correct(old.id, "Sessions live in Postgres")
    box = box_for(memory, root)
    first, second = (box.call("get_memory", {"id": one.id}).value for one in (old, new))
    assert [change["action"] for change in first["history"]] == ["superseded"]
    assert first["sources"][0]["text"] == "Let's keep sessions in Redis" and first["state"] == "superseded"
    assert [row["id"] for row in second["versions"]] == [old.id] and second["versions"][0]["superseded_by"] == new.id


def test_what_the_caller_may_not_see_is_not_there(open_memory: OpenMemory, root: Path) -> None:
    memory = open_memory("coding")
    theirs = memory.remember("Alex dislikes the linter", "preference", user="alex", visibility="private")
    with pytest.raises(RecordNotFound):
        box_for(memory, root, user="sam").call("get_memory", {"id": theirs.id})
    with pytest.raises(RecordNotFound):
        box_for(memory, root).call("get_memory", {"id": "gotcha_none"})


def test_hooks_give_the_point_and_the_id(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(root.parent / "home"))
    (root / "toldonce.toml").write_text('place = "memory.db"\npreset = "coding"\n', encoding="utf-8")
    with Memory.open(root / "memory.db", "coding", embedder=None, background=False) as memory:
        trap = memory.remember(LONG, "gotcha", metadata={"file": "session.py"})
        rule = memory.remember(f"Convention: {LONG}", "convention")
        short = memory.remember("Use tabs in Go files", "convention")

    def hook(name: str, **payload: Any) -> str:
        raw = {"session_id": "s1", "cwd": str(root), **payload}
        return entry.answer_hook(["claude-code", name, "--no-tend"], json.dumps(raw).encode())

    begun = hook("session-start", source="startup")
    assert rule.id in begun and "to_utc()" in begun and short.id not in begun and "tabs in Go" in begun
    warned = hook("before-edit", tool_name="Edit", tool_input={"file_path": "session.py"})
    assert trap.id in warned and "local time" in warned and "cookie settings" not in warned
