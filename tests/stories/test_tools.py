"""What agents can call, preset by preset: the tools as documented, told as a story each. The ids name the features."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce import Memory
from toldonce.errors import InputError, NotAllowed, RecordNotFound
from toldonce.integrations.hosts import ContextProvider, Notebook, ScheduleProvider, ToolProvider
from toldonce.tokens import count_tokens
from toldonce.tools.definition import Caller, input_schema
from toldonce.tools.table import CONFIRM, Toolbox


def box_of(memory: Memory, **caller: Any) -> Toolbox:
    return Toolbox(memory, Caller(**{"user": "alex", "session": "s1", **caller}))


def arguments_of(box: Toolbox, name: str) -> dict[str, Any]:
    schema = input_schema(box.find(name), box.preset)
    return {
        n: row.get("default", "required" if n in schema["required"] else None)
        for n, row in schema["properties"].items()
    }


def ask(box: Toolbox, tool: str, **arguments: Any) -> Any:
    return box.call(tool, arguments).value


# Companion


def test_rob_6_three_tools_with_exactly_the_documented_arguments(open_memory: OpenMemory) -> None:
    """ROB-6: search_memories, store_memory, forget_memory, and no other."""
    box = box_of(open_memory("companion"))
    assert {tool.name: arguments_of(box, tool.name) for tool in box.tools()} == {
        "search_memories": {"query": "required", "memory_type": None, "limit": 5},
        "store_memory": {"content": "required", "memory_type": "fact", "metadata": None},
        "forget_memory": {"memory_id": "required"},
    }
    schema = box.schema(box.find("search_memories"))
    assert schema["properties"]["memory_type"]["enum"] == ["conversation", "fact", "context"]


def test_rob_6_results_have_exactly_the_documented_fields(open_memory: OpenMemory, clock: ManualClock) -> None:
    """ROB-6: what store, search and forget give back. The id to forget by stands among the metadata."""
    box = box_of(open_memory("companion"))
    kept = ask(box, "store_memory", content="Alex likes robots", metadata={"category": "user_profile"})
    made = clock.now.isoformat()
    assert kept == {"id": kept["id"], "content": "Alex likes robots", "type": "fact", "created_at": made}
    (found,) = ask(box, "search_memories", query="robots")
    assert found == {
        "content": "Alex likes robots",
        "type": "fact",
        "score": found["score"],
        "created_at": made,
        "metadata": {"category": "user_profile", "memory_id": kept["id"]},
    }
    assert 0.3 <= found["score"] <= 1
    token = ask(box, "forget_memory", memory_id=kept["id"])[CONFIRM]
    assert ask(box, "forget_memory", memory_id=kept["id"], confirm=token) == {"success": True, "id": kept["id"]}


def test_rob_2_types_filter_a_search_and_end_in_their_own_time(open_memory: OpenMemory, clock: ManualClock) -> None:
    """ROB-2: query, optional type, limit; each type with its own expiry."""
    box = box_of(open_memory("companion"))
    for memory_type in ("conversation", "fact", "context"):
        ask(box, "store_memory", content=f"the blue {memory_type} ball", memory_type=memory_type)
    assert {m["type"] for m in ask(box, "search_memories", query="blue ball")} == {"conversation", "fact", "context"}
    assert [m["type"] for m in ask(box, "search_memories", query="blue ball", memory_type="context")] == ["context"]
    assert len(ask(box, "search_memories", query="blue ball", limit=1)) == 1
    clock.pass_time(days=1)
    assert {m["type"] for m in ask(box, "search_memories", query="blue ball")} == {"conversation", "fact"}
    clock.pass_time(days=30)
    assert {m["type"] for m in ask(box, "search_memories", query="blue ball")} == {"fact"}


def test_rob_4_a_notebook_keeps_facts_conversation_and_context_by_key(
    open_memory: OpenMemory, clock: ManualClock
) -> None:
    """ROB-4: remember_fact, remember_conversation, set_context, get_context with the newest value."""
    memory = open_memory("companion")
    notes = Notebook(memory, Caller(user="alex"))
    assert notes.remember_fact("Alex is left-handed", category="user_profile").expires_at is None
    assert notes.remember_conversation("Good morning, robot").expires_at == clock.now + timedelta(days=30)
    assert notes.get_context("room") is None
    for room in ("kitchen", "garden", "kitchen"):
        notes.set_context("room", room)
        notes.set_context("last room", room)
        clock.pass_time(minutes=5)
    assert notes.get_context("room") == notes.get_context("last room") == "kitchen"
    assert Notebook(memory, Caller(user="sam")).get_context("room") is None
    clock.pass_time(days=1)
    assert notes.get_context("room") is None


# Assistant


def test_ast_14_the_agent_gets_six_tools(open_memory: OpenMemory, clock: ManualClock) -> None:
    """AST-14: search_memory, remember_fact, correct_fact, confirm_fact, memory_stats, get_entity_info."""
    box = box_of(open_memory("assistant"))
    kept = ask(box, "remember_fact", content="Alex works at Nimbus", tags=["work"])
    clock.pass_time(hours=1)
    assert ask(box, "remember_fact", content="alex works at nimbus.")["known_already"] is True
    assert ask(box, "search_memory", query="Where does Alex work?")[0]["id"] == kept["id"]
    confirmed = ask(box, "confirm_fact", fact_id=kept["id"])
    assert (confirmed["confidence"], confirmed["validated"]) == (1.0, True)
    corrected = ask(box, "correct_fact", fact_id=kept["id"], content="Alex works at Cirrus")
    assert corrected["replaced"] == [kept["id"]] and box.memory.get(kept["id"]).state == "superseded"
    assert ask(box, "memory_stats") == {"by_kind": {"fact": 1}, "total": 1, "latest": clock.now.isoformat()}
    info = ask(box, "get_entity_info", name="Cirrus")
    assert info["found"] and [m["id"] for m in info["memories"]] == [corrected["id"]]
    assert ask(box, "get_entity_info", name="Zorblax") == {"found": False, "name": "Zorblax"}


def test_ast_14_the_consolidator_works_through_a_session_with_its_own_tools(
    open_memory: OpenMemory, clock: ManualClock
) -> None:
    """AST-14, AST-4..6: pages of 30 episodes, facts with two levels of deduplication, conflicts, done only once."""
    memory = open_memory("assistant")
    for n in range(35):
        memory.observe(f"I tell you thing number {n}", user="alex", session="s1")
    old = memory.remember("Alex lives in Porto", user="alex")
    clock.pass_time(hours=1)
    box = box_of(memory, role="consolidator", made_by="consolidator", session=None)
    assert ask(box, "is_session_consolidated", session_id="s1")["consolidated"] is False
    first = ask(box, "get_episodes_for_consolidation", session_id="s1")
    second = ask(box, "get_episodes_for_consolidation", session_id="s1", offset=first["next_offset"])
    assert [len(first["episodes"]), len(second["episodes"]), second["next_offset"]] == [30, 5, None]
    source = [first["episodes"][0]["id"]]
    facts = [
        {"content": "Alex lives in Lisbon now", "source_ids": source},
        {"content": "alex lives in  lisbon now", "source_ids": source},
        {"content": "Alex lives in Porto.", "source_ids": source},
    ]
    saved = ask(box, "save_facts_batch", session_id="s1", facts=facts)
    assert [f["outcome"] for f in saved["facts"]] == ["saved", "duplicate in this batch", "duplicate"]
    new = saved["facts"][0]["id"]
    assert memory.get(new).sources == tuple(source)
    assert old.id in [fact["id"] for fact in ask(box, "detect_conflicts", fact_id=new)]
    ask(box, "resolve_conflict", old_fact_id=old.id, new_fact_id=new)
    assert memory.get(old.id).confidence == 0.3
    assert ask(box, "mark_session_consolidated", session_id="s1")["marked"] == 1
    assert ask(box, "is_session_consolidated", session_id="s1")["consolidated"] is True
    assert memory.settle(session="s1") == []


def test_ast_14_the_consolidator_cannot_invent_sources_or_overrule_the_person(open_memory: OpenMemory) -> None:
    """A fact names episodes of its own session; what a person confirmed is not demoted."""
    memory = open_memory("assistant")
    memory.observe("I live in Lisbon", user="alex", session="s1")
    box = box_of(memory, role="consolidator")
    with pytest.raises(InputError, match="must name episodes of this session"):
        ask(box, "save_facts_batch", session_id="s1", facts=[{"content": "x is y", "source_ids": ["msg_invented"]}])
    old = memory.confirm(memory.remember("Alex lives in Porto", user="alex").id)
    new = memory.remember("Alex settled in Lisbon", user="alex")
    with pytest.raises(NotAllowed, match="a person validated"):
        ask(box, "resolve_conflict", old_fact_id=old.id, new_fact_id=new.id)


def test_ast_16_a_host_plugs_in_context_tools_and_schedules(open_memory: OpenMemory, clock: ManualClock) -> None:
    """AST-16: three small objects, and no framework."""
    memory = open_memory("assistant")
    memory.remember("Alex is allergic to nuts", user="alex", session="s0")
    caller = Caller(user="alex", session="s1")
    assert "allergic to nuts" in ContextProvider(memory, caller).get_context("Can I eat this nut cake?")
    tools = {tool.name: tool for tool in ToolProvider.over(memory, caller).get_tools()}
    assert "allergic to nuts" in tools["search_memory"].call({"query": "nuts"})
    assert tools["search_memory"].call({}) == "error: search_memory: query is missing: give a text"
    schedules = ScheduleProvider(memory)
    assert [(s.job, s.cron) for s in schedules.get_schedules()][:4] == [
        ("enrich", "0 2 * * *"),
        ("settle_pending", "0 3 * * *"),
        ("fade", "0 4 * * *"),
        ("reflect", "0 3 * * 0"),
    ]
    schedules.run_due()
    clock.pass_time(days=1)
    assert "fade" in {run.name for run in schedules.run_due()}


# Life


def test_life_9_search_add_and_analyse_take_the_documented_arguments(open_memory: OpenMemory) -> None:
    """LIFE-9: limit 5 and at most 10, the area is required."""
    box = box_of(open_memory("life"))
    assert {tool.name: arguments_of(box, tool.name) for tool in box.tools()} == {
        "search_knowledge": {"query": "required", "type": None, "area": None, "limit": 5},
        "add_knowledge": {
            "type": "required",
            "content": "required",
            "area": "required",
            "subArea": None,
            "confidence": None,
        },
        "analyze_context": {"currentTopic": "required", "relatedAreas": "required", "lookForContradictions": False},
        "answer_question": {"questionId": "required", "answer": "required"},
    }
    types = ["fact", "preference", "memory", "insight", "person"]
    assert box.schema(box.find("add_knowledge"))["properties"]["type"]["enum"] == types
    assert len(box.schema(box.find("add_knowledge"))["properties"]["area"]["enum"]) == 8
    with pytest.raises(InputError, match="limit must be a whole number from 1 to 10"):
        ask(box, "search_knowledge", query="x", limit=11)
    with pytest.raises(InputError, match="area is missing: give one of health"):
        ask(box, "add_knowledge", type="fact", content="x")


def test_life_9_knowledge_is_found_by_type_and_area(open_memory: OpenMemory) -> None:
    """LIFE-9: what the agent adds is as sure as it says, 0.9 unless it says so, and not validated."""
    box = box_of(open_memory("life"))
    added = ask(box, "add_knowledge", type="fact", content="Alex sleeps six hours", area="health", subArea="sleep")
    ask(box, "add_knowledge", type="preference", content="Alex sleeps with the window open", area="leisure")
    assert (added["confidence"], added["level"], added["validatedByUser"]) == (0.9, "high", False)
    assert (added["area"], added["subArea"]) == ("health", "sleep")
    assert len(ask(box, "search_knowledge", query="sleeps")) == 2
    assert [i["id"] for i in ask(box, "search_knowledge", query="sleeps", area="health")] == [added["id"]]
    assert [i["type"] for i in ask(box, "search_knowledge", query="sleeps", type="preference")] == ["preference"]


def test_life_9_analysis_shows_facts_patterns_contradictions_and_connections(
    open_memory: OpenMemory, clock: ManualClock
) -> None:
    """LIFE-9: related facts, patterns, contradictions when asked for, and items of other areas that hang together."""
    box = box_of(open_memory("life"))
    fact = ask(
        box, "add_knowledge", type="fact", content="Alex has stress at the office before deadlines", area="career"
    )
    habit = ask(
        box,
        "add_knowledge",
        type="insight",
        area="health",
        confidence=0.7,
        content="Alex sleeps badly when there is stress before deadlines",
    )
    asked = {"currentTopic": "stress", "relatedAreas": ["career", "health"]}
    found = ask(box, "analyze_context", **asked)
    assert [i["id"] for i in found["relatedFacts"]] == [fact["id"]]
    assert [i["id"] for i in found["patterns"]] == [habit["id"]]
    assert found["contradictions"] == []
    (connection,) = found["suggestedConnections"]
    assert set(connection["items"]) == {fact["id"], habit["id"]} and set(connection["areas"]) == {"career", "health"}
    assert ask(box, "analyze_context", currentTopic="stress", relatedAreas=["finance"])["relatedFacts"] == []

    memory = box.memory
    older = memory.remember("Alex lives in Porto", user="alex", subject="alex/residence", author="person")
    clock.pass_time(days=1)
    newer = memory.remember("Alex lives in Lisbon", user="alex", subject="alex/residence", confidence=0.95)
    wanted = {"currentTopic": "where Alex lives", "relatedAreas": [], "lookForContradictions": True}
    (doubt,) = ask(box, "analyze_context", **wanted)["contradictions"]
    assert (doubt["existing"]["id"], doubt["new"]["id"]) == (older.id, newer.id)
    assert "Did something change?" in doubt["question"]
    settled = ask(box, "answer_question", questionId=doubt["questionId"], answer="yes, Lisbon")
    assert settled == {"id": newer.id, "content": "Alex lives in Lisbon", "success": True}
    assert ask(box, "analyze_context", **wanted)["contradictions"] == []
    with pytest.raises(RecordNotFound, match="there is no question"):
        ask(box, "answer_question", questionId="ask_none", answer="yes")


def test_life_10_a_person_views_adds_validates_corrects_and_deletes(open_memory: OpenMemory) -> None:
    """LIFE-10: what a person adds is validated and certain; the same table of tools serves people too."""
    memory = open_memory("life")
    mine = box_of(memory, role="person")
    added = ask(mine, "add_knowledge", type="fact", content="Alex has asthma", area="health")
    assert (added["confidence"], added["validatedByUser"], added["source"]) == (1.0, True, "user_input")
    learnt = ask(
        box_of(memory), "add_knowledge", type="insight", content="Alex coughs in spring", area="health", confidence=0.7
    )
    assert {r.id for r in memory.review.records("alex", where={"area": "health"})} == {added["id"], learnt["id"]}
    assert ask(mine, "confirm_fact", fact_id=learnt["id"])["confidence"] == pytest.approx(0.8)
    right = ask(mine, "correct_fact", fact_id=learnt["id"], content="Alex coughs in autumn")
    assert right["confidence"] == 1.0 and memory.get(learnt["id"]).state == "superseded"
    assert [r.id for r in memory.history(right["id"]).chain] == [learnt["id"], right["id"]]
    assert mine.call("forget_memory", {"memory_id": added["id"]}, confirmed=True).value["success"] is True
    assert memory.history(added["id"]).record.state == "forgotten"


def test_a_person_sees_line_by_line_what_an_agent_would_be_shown(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("life")
    memory.remember("Alex is allergic to penicillin", user="alex", author="person", kind="fact")
    memory.remember("Bea is allergic to latex", user="bea", author="person", kind="fact")
    told = ask(box_of(memory, role="person"), "show_context", message="what is Alex allergic to?")
    assert "penicillin" in told["text"] and "latex" not in json.dumps(told)
    assert sum(line["tokens"] for line in told["lines"]) == told["tokens"] <= told["budget"]
    (shown,) = [line for line in told["lines"] if "penicillin" in line["text"]]
    assert shown["record"] and shown["reasons"]
    small = ask(box_of(memory, role="person"), "show_context", message="what is Alex allergic to?", budget=0)
    assert (small["text"], small["tokens"]) == ("", 0)
    before = ask(box_of(memory, role="person"), "show_context", message="any allergies?", as_of="2001-01-01")
    assert "penicillin" not in before["text"]
    assert "show_context" not in [tool.name for tool in box_of(memory).tools()]


# Community


def test_com_7_profiles_are_read_and_one_line_is_taken_out(open_memory: OpenMemory, clock: ManualClock) -> None:
    """COM-7: each line names its source; taking one out needs a yes."""
    memory = open_memory("community")
    memory.observe("I live in Lisbon and I love chess", user="u1", display_name="Ana", channel="general")
    clock.pass_time(minutes=30)
    memory.tend()
    box = box_of(memory, user=None)
    profile = ask(box, "get_profile", user="ana")
    lines = [line for lines in profile["sections"].values() for line in lines]
    assert profile["user"] == "u1" and all(line["sources"] for line in lines)
    (home,) = [line["text"] for line in lines if "Lisbon" in line["text"]]
    token = ask(box, "forget_profile_entry", user="ana", text=home)[CONFIRM]
    assert ask(box, "forget_profile_entry", user="ana", text=home, confirm=token)["success"] is True
    assert home not in str(ask(box, "get_profile", user="u1"))
    assert {note["kind"] for note in ask(box, "search_notes", query="chess")} == {"conversation"}


# Coding


def test_code_9_a_duplicate_is_joined_and_the_agent_is_told(open_memory: OpenMemory, clock: ManualClock) -> None:
    """CODE-9: what is known already is not kept twice, and keeps where it was learnt."""
    box = box_of(open_memory("coding"), user=None)
    kept = ask(
        box, "record_gotcha", content="The login test needs Redis running on port 6379", file="tests/test_login.py"
    )
    clock.pass_time(hours=1)
    again = ask(box, "record_gotcha", content="the login test needs Redis running on port 6379.")
    assert (again["id"], again["known_already"]) == (kept["id"], True)
    assert again["known_as"].startswith("The login test"), "the agent sees whether it is really the same"
    assert box.memory.get(kept["id"]).metadata["file"] == "tests/test_login.py"


def test_code_8_a_search_is_short_and_says_what_the_session_has_seen(open_memory: OpenMemory) -> None:
    """CODE-8: about 30 tokens a result; what the session has seen is marked, and `get_memory` reads it whole."""
    box = box_of(open_memory("coding"), user=None)
    long = "The payment service retries three times. " * 20
    ask(box, "record_memory", type="decision", content=long, module="payments")
    (hit,) = ask(box, "search_memory", query="payment retries")
    assert count_tokens(hit["text"]) <= 40
    assert ask(box, "search_memory", query="payment retries") == [{**hit, "shown_before": True}]
    assert ask(box.as_caller(session="s2"), "search_memory", query="payment retries") == [hit]
    assert ask(box, "get_memory", id=hit["id"])["text"] == long


def test_code_23_runners_write_under_their_own_names(open_memory: OpenMemory) -> None:
    """CODE-23: insights, roadmap, review and ideation are told apart by who made a memory."""
    memory = open_memory("coding")
    for runner in ("insights", "roadmap", "review", "ideation"):
        box = box_of(memory, user=None, session=runner, made_by=f"runner:{runner}")
        told = ask(box, "record_memory", type="session_insight", content=f"What the {runner} runner found out")
        assert memory.get(told["id"]).made_by == f"runner:{runner}"


def test_code_4_the_agent_teaches_the_map_about_a_module(open_memory: OpenMemory) -> None:
    """CODE-4: an explicit update of the map; what is not given stays as it was."""
    memory = open_memory("coding")
    box = box_of(memory, user=None)
    first = ask(box, "update_module_map", module="authentication", update={"coreFiles": ["src/auth/config.ts"]})
    assert (first["module"]["coreFiles"], first["module"]["confidence"]) == (["src/auth/config.ts"], "partial")
    update = {"description": "JWT with Redis sessions", "coreFiles": ["src/auth/token.ts"], "dependencies": ["redis"]}
    second = ask(box, "update_module_map", module="authentication", update=update)
    assert second["version"] == first["version"] + 1
    assert second["module"]["coreFiles"] == ["src/auth/config.ts", "src/auth/token.ts"]
    assert "JWT with Redis sessions" in memory.context("token expiry", session="s9").text
    with pytest.raises(InputError, match="update: unknown argument 'colour'; it takes description, coreFiles"):
        ask(box, "update_module_map", module="authentication", update={"colour": "red"})


def test_code_11_what_is_kept_on_a_branch_is_found_there_and_not_elsewhere(
    open_memory: OpenMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CODE-11: the branch that is checked out counts, at the moment of the call."""
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    head = tmp_path / "project" / ".git" / "HEAD"
    head.parent.mkdir(parents=True)
    box = box_of(open_memory("coding"), user=None, session=None, root=str(tmp_path / "project"))
    for name in ("feature/tax", "main"):
        head.write_text(f"ref: refs/heads/{name}\n", encoding="utf-8")
        ask(box, "record_gotcha", content=f"rounding differs on {name}")
    assert [hit["text"] for hit in ask(box, "search_memory", query="rounding")] == ["rounding differs on main"]
    head.write_text("ref: refs/heads/feature/tax\n", encoding="utf-8")
    assert len(ask(box, "search_memory", query="rounding")) == 2


def test_code_23_locate_finds_the_files_of_a_task(
    open_memory: OpenMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The agent asks where a task belongs before it reads around; a change since the last question is seen."""
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    root = tmp_path / "project"
    (root / "shop").mkdir(parents=True)
    (root / "shop" / "basket.py").write_text("def total_price(items):\n    return sum(items)\n", encoding="utf-8")
    (root / "shop" / "login.py").write_text("def check_password(name):\n    return bool(name)\n", encoding="utf-8")
    box = box_of(open_memory("coding"), user=None, root=str(root))
    found = ask(box, "locate", task="the password check lets everybody in", limit=2)
    assert found["files"][0]["path"] == "shop/login.py" and found["files"][0]["reasons"]
    (root / "shop" / "invoice.py").write_text("def print_invoice():\n    pass\n", encoding="utf-8")
    assert ask(box, "locate", task="print the invoice twice")["files"][0]["path"] == "shop/invoice.py"
