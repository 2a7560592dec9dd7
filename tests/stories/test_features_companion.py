"""The companion preset, feature by feature: what test_companion.py does not tell yet, each by the id of its feature."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from tests.conftest import ManualClock, OpenMemory
from tests.importers.older_stores import make_chroma
from toldonce import Memory
from toldonce.integrations.hosts import Notebook
from toldonce.tools.definition import Caller
from toldonce.tools.table import Toolbox


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("companion", zone="America/Sao_Paulo")


def test_rob_1_each_type_says_when_it_ends(memory: Memory, clock: ManualClock) -> None:
    """ROB-1: conversation in 30 days, fact never, context at midnight where the owner lives."""
    said = memory.remember("Nice kitchen", kind="conversation", user="ana")
    fact = memory.remember("Ana is a nurse", kind="fact", user="ana")
    context = memory.remember("Baking bread", kind="context", user="ana")
    assert said.expires_at == clock.now + timedelta(days=30)
    assert fact.expires_at is None
    assert context.expires_at is not None
    assert context.expires_at.isoformat() == "2026-03-03T03:00:00+00:00"  # midnight in São Paulo


def test_rob_2_search_takes_a_type_a_limit_and_a_least_score(memory: Memory) -> None:
    """ROB-2: five hits at most by default, none under 0.3, each scored from 0 to 1."""
    for number in range(8):
        memory.remember(f"The robot likes charging dock number {number}", kind="fact", user="ana")
    memory.remember("The robot looked for the charging dock", kind="conversation", user="ana")
    hits = memory.recall("robot charging dock", user="ana", kinds=["fact"])
    assert len(hits) == 5
    assert {hit.record.kind for hit in hits} == {"fact"}
    assert all(0.3 <= hit.score <= 1 for hit in hits)
    assert len(memory.recall("robot charging dock", user="ana", limit=2)) == 2


def test_rob_3_a_new_session_begins_with_an_empty_window(memory: Memory) -> None:
    """ROB-3: the last turns of this session, and of no other; how many is up to the caller."""
    for number in range(3):
        memory.observe(f"question {number}", user="ana", session="morning")
        memory.observe(f"answer {number}", user="ana", session="morning", role="assistant")
    assert len(memory.sessions.window("morning")) == 6
    assert [record.text for record in memory.sessions.window("morning", turns=1)] == ["question 2", "answer 2"]
    assert memory.sessions.window("evening") == []


def test_rob_4_short_ways_to_keep_things(memory: Memory, clock: ManualClock) -> None:
    """ROB-4: remember_fact, remember_conversation, set_context and get_context with the newest value."""
    notebook = Notebook(memory, Caller(user="ana"))
    assert notebook.remember_fact("Ana is a nurse", category="user_profile").kind == "fact"
    assert notebook.remember_conversation("We talked about bread").expires_at is not None
    notebook.set_context("task", "baking")
    clock.pass_time(minutes=1)
    notebook.set_context("task", "cleaning")
    assert notebook.get_context("task") == "cleaning"
    assert notebook.get_context("nothing") is None
    clock.pass_time(days=1)
    assert notebook.get_context("task") is None


def test_rob_5_expired_memories_never_come_back_and_are_counted(open_memory: OpenMemory, clock: ManualClock) -> None:
    """ROB-5: not found from the moment they end; cleaned up at start and every hour."""
    memory = open_memory("companion")
    kept = memory.remember("Table set for four", kind="context", user="ana")
    clock.pass_time(days=1)
    assert memory.recall("table", user="ana", min_score=0) == []
    memory.close()
    again = open_memory()
    (run,) = [run for run in again.tend() if run.name == "expire"]
    assert run.counts == {"expired": 1}
    assert again.get(kept.id).state == "expired"
    clock.pass_time(hours=1)
    assert [run.counts for run in again.tend() if run.name == "expire"] == [{"expired": 0}]


def test_rob_6_three_tools_with_the_documented_arguments_and_results(memory: Memory) -> None:
    """ROB-6: search_memories, store_memory, forget_memory; forgetting asks first."""
    box = Toolbox(memory, Caller(user="ana"))
    arguments = {tool.name: set(tool.arguments) for tool in box.tools()}
    assert arguments == {
        "search_memories": {"query", "memory_type", "limit"},
        "store_memory": {"content", "memory_type", "metadata"},
        "forget_memory": {"memory_id"},
    }
    stored = box.call("store_memory", {"content": "Ana plays the violin", "metadata": {"field": "hobby"}}).value
    assert set(stored) == {"id", "content", "type", "created_at"}
    assert stored["type"] == "fact"
    (found,) = box.call("search_memories", {"query": "violin", "memory_type": "fact"}).value
    assert set(found) == {"content", "type", "score", "created_at", "metadata"}
    assert found["metadata"]["field"] == "hobby"
    asked = box.call("forget_memory", {"memory_id": stored["id"]}).value
    done = box.call("forget_memory", {"memory_id": stored["id"], "confirm": asked["confirm"]}).value
    assert done == {"success": True, "id": stored["id"]}
    assert box.call("search_memories", {"query": "violin"}).value == []


def test_rob_7_a_profile_is_facts_of_a_category(memory: Memory) -> None:
    """ROB-7: kept with category=user_profile, listed and searched by it."""
    memory.remember("Call her Aninha", user="ana", metadata={"category": "user_profile", "field": "name"})
    memory.remember("The plumber comes at nine", user="ana", metadata={"category": "errand"})
    about = memory.review.records("ana", where={"category": "user_profile"})
    assert [record.metadata["field"] for record in about] == ["name"]


@pytest.mark.in_a_file
def test_rob_8_one_file_is_backed_up_while_in_use_and_reset_by_removing_it(
    open_memory: OpenMemory, memory: Memory, tmp_path: Path
) -> None:
    """ROB-8: a copy made in the middle of writing is whole; without its file a memory begins anew."""
    memory.remember("The spare key is under the pot", user="ana")
    copy = memory.storage.backup(tmp_path / "copy.db")
    memory.remember("The key was moved", user="ana")
    assert [h.record.text for h in open_memory(file=copy.name).timeline()] == ["The spare key is under the pot"]
    memory.close()
    for file in tmp_path.glob("memory.db*"):
        file.unlink()
    assert open_memory("companion").timeline() == []


def test_rob_9_a_folder_of_chroma_with_six_types_becomes_three(memory: Memory, tmp_path: Path) -> None:
    """ROB-9: observation is conversation, preference is fact, event and task are context."""
    assert memory.import_(make_chroma(tmp_path / "chroma"), user="ana").kept == 6
    kinds = {h.record.metadata["imported"]["type"]: h.record.kind for h in memory.timeline()}
    assert kinds == {
        "conversation": "message",
        "observation": "message",
        "fact": "fact",
        "preference": "fact",
        "event": "context",
        "task": "context",
    }
    (hit,) = memory.recall("tea", user="ana", kinds=["fact"])
    assert hit.record.text == "Ana prefers tea"
