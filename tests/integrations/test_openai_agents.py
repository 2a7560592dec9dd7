"""The OpenAI Agents SDK over a memory, with the real SDK against a scripted model on this machine."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from agents import Agent, OpenAIChatCompletionsModel, RunConfig, Runner
from agents.memory import Session, SessionSettings
from openai import AsyncOpenAI

from tests.conftest import ManualClock, OpenMemory
from tests.integrations.table import Integration
from tests.scripted import Request, Server, Status
from toldonce import Memory
from toldonce.integrations.hosts import ContextProvider, ToolProvider
from toldonce.integrations.openai_agents import (
    ObserveRuns,
    ToldonceSession,
    add_context,
    function_tools,
    item_text,
    with_context,
)
from toldonce.integrations.person_memory import PersonMemory
from toldonce.integrations.session_items import PAGE_ITEMS
from toldonce.tools.definition import Caller

INTEGRATION = Integration(
    name="OpenAI Agents SDK",
    package="openai-agents",
    module="toldonce.integrations.openai_agents",
    page="openai-agents.md",
    works={
        "sessions (`Session` protocol)": "test_items_come_back_exactly_as_they_were_added",
        "context as instructions of one agent": "test_the_context_block_comes_as_instructions",
        "context for all agents of a run (`call_model_input_filter`)": "test_a_filter_adds_context_for_a_person",
        "hooks that observe runs without a session": "test_hooks_observe_a_run_without_a_session",
        "tools, with approval by the host": "test_the_agent_calls_the_tools_of_the_memory",
    },
)
SAID = {"role": "user", "content": "I moved to Lisbon last week"}
CALL = {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": '{"city": "Lisbon"}'}
RESULT = {"type": "function_call_output", "call_id": "c1", "output": "24 degrees, ☀"}
REPLY = {
    "type": "message", "id": "m1", "role": "assistant", "status": "completed",
    "content": [{"type": "output_text", "text": "Lisbon is sunny today.", "annotations": []}],
}  # fmt: skip
ITEMS = [SAID, CALL, RESULT, REPLY]


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("assistant")


def session_of(memory: Memory, session_id: str = "s1", **options: Any) -> ToldonceSession:
    return ToldonceSession(session_id, memory, **{"user": "alex", **options})


def run(story: Any) -> Any:
    return asyncio.run(asyncio.wait_for(story, timeout=60))


def added(session: ToldonceSession, *items: dict[str, Any]) -> None:
    run(session.add_items(list(items)))


def test_it_is_a_session_of_the_sdk(memory: Memory) -> None:
    assert isinstance(session_of(memory), Session)


def test_items_come_back_exactly_as_they_were_added(memory: Memory, open_memory: OpenMemory) -> None:
    added(session_of(memory), SAID, CALL)
    added(session_of(memory), RESULT, REPLY)
    assert run(session_of(memory).get_items()) == ITEMS
    assert run(session_of(open_memory()).get_items()) == ITEMS, "another process sees the same"
    assert run(session_of(memory).get_items(limit=2)) == ITEMS[-2:]
    assert run(session_of(memory, session_settings=SessionSettings(limit=1)).get_items()) == [REPLY]
    assert run(session_of(memory, "s2").get_items()) == []
    assert run(session_of(memory, user="sam").get_items()) == []


def test_what_was_said_is_remembered_and_tool_calls_are_not(memory: Memory) -> None:
    added(session_of(memory), *ITEMS)
    kept = memory.sessions.window("s1")
    assert [(r.role, r.text) for r in kept] == [
        ("user", "I moved to Lisbon last week"),
        ("assistant", "Lisbon is sunny today."),
    ]
    assert memory.recall("where does Alex live?", user="alex")[0].record.text == SAID["content"]
    assert memory.settle(session="s1"), "a session of the SDK is settled like any other"


def test_popping_takes_the_last_item_back_and_forgets_what_it_said(memory: Memory) -> None:
    session = session_of(memory)
    added(session, *ITEMS)
    reply = memory.sessions.window("s1")[-1]
    assert run(session.pop_item()) == REPLY
    assert memory.get(reply.id).state == "forgotten", "hidden, not destroyed"
    assert run(session.pop_item()) == RESULT
    assert run(session.get_items()) == [SAID, CALL]
    assert [run(session.pop_item()) for _ in range(3)] == [CALL, SAID, None]


def test_clearing_empties_the_session_and_keeps_the_evidence(memory: Memory) -> None:
    session = session_of(memory)
    added(session, *ITEMS)
    run(session.clear_session())
    assert run(session.get_items()) == []
    assert memory.recall("Lisbon", user="alex"), "what was said is still known"
    added(session, SAID)
    assert run(session.get_items()) == [SAID]


def test_erasing_a_person_erases_their_sessions(memory: Memory) -> None:
    session = session_of(memory)
    added(session, *ITEMS)
    run(session.pop_item())
    proof = memory.erase(user="alex")
    assert run(session.get_items()) == []
    assert proof.is_complete


def test_purging_a_message_takes_its_item_and_what_answered_it(memory: Memory) -> None:
    added(session_of(memory), *ITEMS)
    memory.purge(memory.sessions.window("s1")[0].id)
    assert run(session_of(memory).get_items()) == [REPLY]


def test_secrets_are_kept_neither_in_items_nor_in_memory(memory: Memory) -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    said = {"role": "user", "content": f"my token is {key}"}
    added(session_of(memory), said, {**RESULT, "output": f"used {key}"})
    assert key not in json.dumps(run(session_of(memory).get_items()))
    assert key not in memory.sessions.window("s1")[0].text


SEALED = "gAAAAABo" + "Zm9vYmFyYmF6cXV4" * 12 + "=="
OPAQUE = [
    {"type": "reasoning", "id": "rs_68af4030592c81938ec0a5fbab4a3e9f", "summary": [], "encrypted_content": SEALED},
    {"type": "reasoning", "id": "rs_2", "summary": [{"type": "summary_text", "text": "The key is hunter2hunter2"}]},
    {"type": "compaction", "id": "cmp_1", "encrypted_content": SEALED, "created_by": "api"},
    {"role": "assistant", "content": [{"type": "output_text", "text": "Sealed", "encrypted_content": SEALED}]},
    {"type": "compaction", "content": "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"},
]


def test_reasoning_compacted_and_encrypted_items_come_back_untouched_and_are_not_remembered(memory: Memory) -> None:
    added(session_of(memory), *OPAQUE)
    assert run(session_of(memory).get_items()) == OPAQUE
    assert memory.sessions.window("s1") == [] and not memory.recall("sealed key", user="alex")


def test_ids_and_images_are_no_secrets(memory: Memory) -> None:
    image = "data:image/png;base64," + "iVBORw0KGgoAAAANSUhEUgAAAAUA" * 20
    item = {
        "type": "message", "id": "msg_68af4030592c81938ec0a5fbab4a3e9f0123456789", "role": "user",
        "content": [{"type": "input_image", "image_url": image}, {"type": "input_text", "text": "Who?"}],
    }  # fmt: skip
    call = {**CALL, "call_id": "call_" + "a1B2c3D4e5F6g7H8i9J0k1L2", "id": "fc_" + "9f" * 20}
    added(session_of(memory), item, call)
    assert run(session_of(memory).get_items()) == [item, call]


def test_a_limit_of_nothing_gives_nothing(memory: Memory) -> None:
    added(session_of(memory), *ITEMS)
    assert run(session_of(memory).get_items(limit=0)) == []
    assert run(session_of(memory, session_settings=SessionSettings(limit=0)).get_items()) == []


def numbered(count: int) -> list[dict[str, Any]]:
    return [{"type": "function_call", "call_id": f"c{n}", "name": "x", "arguments": "{}"} for n in range(count)]


def test_a_long_session_is_read_popped_and_cleared_as_a_short_one(memory: Memory) -> None:
    items, session = numbered(PAGE_ITEMS * 2 + 5), session_of(memory)
    added(session, *items[:3])
    added(session, *items[3:])
    assert run(session.get_items()) == items
    for limit in (1, 5, 6, PAGE_ITEMS + 5, PAGE_ITEMS + 6, 1_000):
        assert run(session.get_items(limit=limit)) == items[-limit:]
    assert [run(session.pop_item()) for _ in range(7)] == items[-1:-8:-1]
    added(session, SAID)
    assert run(session.get_items()) == [*items[:-7], SAID]
    run(session.clear_session())
    assert run(session.get_items()) == []
    added(session, *ITEMS)
    assert run(session_of(memory).get_items()) == ITEMS


def test_adding_to_a_long_session_writes_no_more_than_a_page(memory: Memory, monkeypatch: Any) -> None:
    added(session_of(memory), *numbered(1_200))
    written = []
    change = memory.documents.change

    def watched(name: str, make: Any, **options: Any) -> Any:
        after = change(name, make, **options)
        written.append(len(after.entries) if after else 0)
        return after

    monkeypatch.setattr(memory.documents, "change", watched)
    added(session_of(memory), SAID)
    assert sum(written) <= PAGE_ITEMS and len(written) <= 3
    assert len(run(session_of(memory).get_items())) == 1_201


def test_purging_a_message_takes_what_answered_it_on_the_next_page_too(memory: Memory) -> None:
    added(session_of(memory), SAID, *numbered(PAGE_ITEMS + 3), REPLY)
    memory.purge(memory.sessions.window("s1")[0].id)
    assert run(session_of(memory).get_items()) == [REPLY]


def test_while_memory_is_off_nothing_is_kept(memory: Memory) -> None:
    memory.spaces.switch(on=False)
    added(session_of(memory), *ITEMS)
    assert run(session_of(memory).get_items()) == []
    memory.spaces.switch(on=True)
    memory.people.block("alex")
    added(session_of(memory), *ITEMS)
    assert run(session_of(memory).get_items()) == []


def test_an_item_that_cannot_be_remembered_does_not_cost_the_others(memory: Memory) -> None:
    added(
        session_of(memory),
        {"role": "user", "content": "I moved to Lisbon"},
        {"role": "juggler", "content": "Hello"},
        {"role": "assistant", "content": "Noted."},
    )
    assert [record.text for record in memory.sessions.window("s1")] == ["I moved to Lisbon", "Noted."]
    assert len(run(session_of(memory).get_items())) == 3


def test_an_item_that_cannot_be_remembered_is_kept_all_the_same(memory: Memory) -> None:
    items = [{"role": "user", "content": " "}, {"role": "juggler", "content": "Hello"}]
    added(session_of(memory), *items, {"role": "developer", "content": "Be brief."})
    assert [item_text(item) for item in run(session_of(memory).get_items())] == [" ", "Hello", "Be brief."]
    assert memory.sessions.window("s1") == []


def test_two_writers_of_one_session_lose_nothing(memory: Memory) -> None:
    async def story() -> list[Any]:
        items = [{"role": "user", "content": f"message number {n}"} for n in range(20)]
        await asyncio.gather(*(session_of(memory).add_items([item]) for item in items))
        return await session_of(memory).get_items()

    assert {item["content"] for item in run(story())} == {f"message number {n}" for n in range(20)}


# With the SDK's own runner


class Model(Server):
    """A chat model that says what the test wrote, one answer a request."""

    def __init__(self) -> None:
        self.script: list[dict[str, Any]] = []
        super().__init__(self._next)

    def _next(self, _: Request) -> Status:
        said = {"role": "assistant", "content": None, **self.script.pop(0)}
        reason = "tool_calls" if "tool_calls" in said else "stop"
        choice = {"index": 0, "message": said, "finish_reason": reason}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        body = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
        return Status(200, headers={"Content-Type": "application/json"}, body=body)

    def says(self, text: str) -> None:
        self.script.append({"content": text})

    def calls(self, name: str, **arguments: Any) -> None:
        function = {"name": name, "arguments": json.dumps(arguments)}
        self.script.append(
            {"tool_calls": [{"id": f"call_{len(self.script)}", "type": "function", "function": function}]}
        )

    def agent(self, **options: Any) -> Agent[Any]:
        client = AsyncOpenAI(base_url=self.url, api_key="none", max_retries=0)
        return Agent(name="helper", model=OpenAIChatCompletionsModel("m", client), **options)


@pytest.fixture
def model() -> Iterator[Model]:
    server = Model()
    yield server
    server.close()


def ask(agent: Agent[Any], text: str, session: ToldonceSession) -> Any:
    return run(Runner.run(agent, text, session=session, run_config=RunConfig(tracing_disabled=True)))


def test_the_second_run_of_a_session_carries_the_first(memory: Memory, model: Model) -> None:
    model.says("Nice to meet you, Alex.")
    model.says("Your name is Alex.")
    agent, session = model.agent(), session_of(memory)
    ask(agent, "My name is Alex", session)
    assert ask(agent, "What is my name?", session).final_output == "Your name is Alex."
    told = [(turn["role"], turn["content"]) for turn in model.requests[-1].body["messages"]]
    assert ("user", "My name is Alex") in told and told[-1] == ("user", "What is my name?")
    assert memory.sessions.window("s1")[0].text == "My name is Alex"


def test_the_context_block_comes_as_instructions(memory: Memory, model: Model, clock: ManualClock) -> None:
    memory.remember("Alex is vegetarian", user="alex", session="s0")
    clock.pass_time(days=1)
    caller = Caller(user="alex", session="s1")
    model.says("How about lentils?")
    agent = model.agent(instructions=with_context("You plan meals.", ContextProvider(memory, caller)))
    ask(agent, "What should I eat, as a vegetarian?", session_of(memory))
    system = model.requests[-1].system
    assert system.startswith("You plan meals.") and "Alex is vegetarian" in system
    assert "toldonce-memory" in system, "remembered text is marked as data"


def test_the_agent_calls_the_tools_of_the_memory(memory: Memory, model: Model) -> None:
    tools = function_tools(ToolProvider.over(memory, Caller(user="alex", session="s1")))
    agent = model.agent(tools=tools)
    model.calls("remember_fact", content="Alex plays the cello")
    model.calls("search_memory", query="cello")
    model.calls("search_memory", quary="cello")
    model.says("You play the cello.")
    session = session_of(memory)
    ask(agent, "Remember that I play the cello", session)
    assert [t["function"]["name"] for t in model.requests[0].body["tools"]] == [tool.name for tool in tools]
    outputs = [turn["content"] for turn in model.requests[-1].body["messages"] if turn["role"] == "tool"]
    assert "Alex plays the cello" in outputs[1] and outputs[1].startswith("<toldonce-memory>")
    assert outputs[2] == "error: search_memory: unknown argument 'quary'; it takes query, kind, limit"
    kinds = [item.get("type", "message") for item in run(session.get_items())]
    assert kinds.count("function_call") == kinds.count("function_call_output") == 3


def test_a_host_may_approve_what_takes_away(open_memory: OpenMemory, model: Model) -> None:
    memory = open_memory("companion", file="c.db")
    kept = memory.remember("Alex likes jazz", "fact", user="alex")
    agent = model.agent(tools=function_tools(ToolProvider.over(memory, Caller(user="alex")), approve=True))
    model.calls("forget_memory", memory_id=kept.id)
    model.says("Forgotten.")
    waiting = ask(agent, "Forget that I like jazz", session_of(memory))
    assert memory.get(kept.id).state == "active" and len(waiting.interruptions) == 1
    state = waiting.to_state()
    state.approve(waiting.interruptions[0])
    run(Runner.run(agent, state, run_config=RunConfig(tracing_disabled=True)))
    assert memory.get(kept.id).state == "forgotten"


def test_a_filter_adds_context_for_a_person(memory: Memory, model: Model) -> None:
    memory.remember("Alex is vegetarian", user="alex")
    memory.remember("Sam is vegetarian since May and hates kale", user="sam")
    config = RunConfig(
        tracing_disabled=True,
        call_model_input_filter=add_context(lambda context: PersonMemory(memory, context["user"])),
    )
    for user in ("alex", "sam"):
        model.says("Lentils.")
        said = "I am kim. what should a vegetarian eat?"
        run(Runner.run(model.agent(instructions="Plan meals."), said, context={"user": user}, run_config=config))
    first, second = (request.system for request in model.requests)
    assert first.startswith("Plan meals.") and "Alex is vegetarian" in first and "kale" not in first
    assert "kale" in second and "Alex is vegetarian" not in second


def test_hooks_observe_a_run_without_a_session(memory: Memory, model: Model) -> None:
    model.says("Noted.")
    hooks = ObserveRuns(PersonMemory(memory, "alex", "monday"))
    run(Runner.run(model.agent(), "i moved to Lisbon", hooks=hooks, run_config=RunConfig(tracing_disabled=True)))
    said = [(r.user, r.role, r.text) for r in memory.sessions.window("monday")]
    assert said == [("alex", "user", "i moved to Lisbon"), ("alex", "assistant", "Noted.")]
