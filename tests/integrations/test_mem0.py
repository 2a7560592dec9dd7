"""mem0's calls over a memory: a program of theirs must run unchanged but for its import."""

from __future__ import annotations

import asyncio
import inspect
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ManualClock, OpenMemory
from tests.integrations.table import Integration
from toldonce.errors import InputError
from toldonce.integrations.mem0 import AsyncMemory, Memory
from toldonce.integrations.mem0_arguments import InvalidArgument, matches

INTEGRATION = Integration(
    name="mem0",
    package="",
    module="toldonce.integrations.mem0",
    page="mem0.md",
    works={
        "add and search": "test_a_conversation_becomes_memories_with_its_metadata",
        "get, update, delete, history": "test_an_id_names_a_memory_until_it_is_deleted",
        "users, agents and runs": "test_agents_runs_and_people_are_kept_apart",
        "metadata and expiration by `update`": "test_metadata_and_expiration_are_updated_as_in_mem0",
        "filters with operators": "test_filters_are_read_as_mem0_writes_them",
        "`AsyncMemory`": "test_the_calls_can_be_awaited",
    },
    lacks=("stores, embedders and rerankers of its configuration",),
)
TALK = [
    {"role": "user", "content": "im planning to watch a movie tonight, any recommendations?"},
    {"role": "assistant", "content": "How about a thriller?"},
    {"role": "user", "content": "nah not a big fan of thrillers, but I love sci-fi movies"},
]


@pytest.fixture
def m(open_memory: OpenMemory) -> Memory:
    return Memory(memory=open_memory("assistant"))


def texts(found: dict[str, list[dict[str, Any]]]) -> list[str]:
    return [item["memory"] for item in found["results"]]


def test_a_conversation_becomes_memories_with_its_metadata(m: Memory) -> None:
    added = m.add(TALK, user_id="alice", metadata={"category": "movies"})
    assert {item["event"] for item in added["results"]} == {"ADD"}
    assert any("loves sci-fi" in text for text in texts(added))
    found = m.search("which movies?", filters={"user_id": "alice"})["results"]
    assert found and {"id", "memory", "hash", "metadata", "score", "created_at", "updated_at", "user_id"} <= set(
        found[0]
    )
    assert found[0]["metadata"] == {"category": "movies"}
    assert texts(m.search("movies", filters={"user_id": "bob"})) == []


def test_a_question_that_names_nothing_gets_what_is_always_shown(m: Memory) -> None:
    """What mem0's own quickstart asks."""
    m.add("Hi, I'm Alex. I love basketball and gaming.", user_id="alex")
    (found,) = m.search("What do you know about me?", filters={"user_id": "alex"})["results"]
    assert found["memory"] == "alex loves basketball and gaming" and found["score"] == 0.1
    assert m.search("What do you know about me?", filters={"user_id": "bob"}) == {"results": []}


def test_ids_may_stand_inside_and(m: Memory) -> None:
    m.add("I love sci-fi movies", user_id="alex", metadata={"category": "movies", "rating": 4})
    m.add("I love sci-fi movies", user_id="bob", metadata={"category": "movies", "rating": 5})
    both = [{"user_id": "alex"}, {"category": "movies"}]
    found = m.search("which movies?", filters={"AND": [*both, {"rating": {"gte": 4}}]})["results"]
    assert {item["user_id"] for item in found} == {"alex"}
    assert m.get_all(filters={"AND": [*both, {"rating": {"gte": 5}}]}) == {"results": []}


def test_a_change_of_mind_is_an_update_and_the_older_value_goes(m: Memory, clock: ManualClock) -> None:
    m.add("i live in Porto", user_id="alice")
    clock.pass_time(days=20)
    (changed,) = m.add("we moved to Braga last week", user_id="alice")["results"]
    assert (changed["event"], changed["previous_memory"]) == ("UPDATE", "alice lives in Porto")
    assert "alice lives in Porto" not in texts(m.get_all(filters={"user_id": "alice"}))
    assert "Braga" in texts(m.search("where does alice live?", user_id="alice"))[0]


def test_an_id_names_a_memory_until_it_is_deleted(m: Memory) -> None:
    (made,) = m.add("Alice is left-handed", user_id="alice", infer=False)["results"]
    assert m.update(made["id"], "Alice uses both hands")["message"] == "Memory updated successfully!"
    assert m.get(made["id"])["memory"] == "Alice uses both hands"  # type: ignore[index]
    assert [line["event"] for line in m.history(made["id"])] == ["ADD", "UPDATE"]
    assert m.delete(made["id"])["message"] == "Memory deleted successfully!"
    assert m.get(made["id"]) is None and m.get("fact_none") is None
    assert [line["event"] for line in m.history(made["id"])] == ["ADD", "UPDATE", "DELETE"]
    assert texts(m.get_all(filters={"user_id": "alice"})) == []


def test_agents_runs_and_people_are_kept_apart(m: Memory) -> None:
    m.add("prefers short answers", user_id="alice", agent_id="tutor", run_id="r1", infer=False)
    m.add("prefers long answers", user_id="alice", agent_id="critic", infer=False)
    m.add("the run failed twice", run_id="r2", infer=False)
    assert texts(m.get_all(filters={"user_id": "alice", "agent_id": "tutor"})) == ["prefers short answers"]
    assert texts(m.get_all(filters={"run_id": "r2"})) == ["the run failed twice"]
    m.delete_all(user_id="alice", agent_id="critic")
    assert texts(m.get_all(user_id="alice")) == ["prefers short answers"]
    m.reset()
    assert texts(m.get_all(user_id="alice")) == texts(m.get_all(filters={"run_id": "r2"})) == []


def test_an_agent_or_a_run_is_found_without_its_user(m: Memory) -> None:
    m.add("eu moro em Lisboa, odeio coentros", user_id="alice", agent_id="chef", run_id="r1")
    m.add("i live in Faro", user_id="bob", agent_id="driver", run_id="r2")
    m.add("prefers gas stoves", agent_id="chef", infer=False)
    everyone = m.get_all(filters={"agent_id": "chef"})["results"]
    assert {item.get("user_id") for item in everyone} == {"alice", None}
    assert {item["run_id"] for item in m.search("onde mora?", filters={"run_id": "r1"})["results"]} == {"r1"}
    assert {item["user_id"] for item in m.get_all(filters={"user_id": {"in": ["bob"]}})["results"]} == {"bob"}
    m.delete_all(run_id="r1")
    assert texts(m.get_all(user_id="alice")) == texts(m.search("Lisboa coentros", user_id="alice")) == []
    assert texts(m.get_all(filters={"agent_id": "chef"})) == ["prefers gas stoves"]
    assert "bob lives in Faro" in texts(m.get_all(user_id="bob"))


def test_what_was_deleted_is_not_found_as_it_was_said(m: Memory) -> None:
    added = m.add("I love sci-fi movies and im a nurse", user_id="alice")["results"]
    nurse = next(item["id"] for item in added if item["memory"] == "alice is a nurse")
    m.delete(nurse)
    assert texts(m.search("who is a nurse?", user_id="alice", threshold=0.0)) == []
    assert texts(m.get_all(user_id="alice")) == ["alice loves sci-fi movies"]
    with pytest.raises(InputError, match="deleted before"):
        m.delete(nurse)
    m.add("my bike is a red Brompton", user_id="alice")
    m.delete_all(user_id="alice")
    assert texts(m.search("sci-fi movies, nurse, bike", user_id="alice", threshold=0.0)) == []
    m.add("i live in Porto", user_id="alice")
    m.reset()
    assert texts(m.search("Porto", user_id="alice", threshold=0.0)) == []


def test_everything_is_deleted_however_much_it_is(m: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toldonce.integrations.mem0._MOST", 2)
    for number in range(5):
        m.add(f"likes the number {number}", user_id="alice", infer=False)
    assert len(m.get_all(user_id="alice", top_k=9)["results"]) == 5
    m.delete_all(user_id="alice")
    assert texts(m.get_all(user_id="alice")) == []


def test_an_updated_memory_keeps_its_id_and_its_time(m: Memory, clock: ManualClock) -> None:
    (made,) = m.add("Alice is left-handed", user_id="alice", infer=False)["results"]
    for text in ("Alice uses both hands", "Alice is right-handed"):
        clock.pass_time(days=1)
        m.update(made["id"], text)
    for shown in (m.get_all(user_id="alice"), m.search("handed", user_id="alice")):
        (item,) = shown["results"]
        assert (item["id"], item["created_at"]) == (made["id"], made["created_at"])
        assert item["memory"] == "Alice is right-handed" and item["updated_at"] > made["updated_at"]


def test_what_has_expired_is_shown_only_on_request(m: Memory, clock: ManualClock) -> None:
    m.add("has a free ticket", user_id="alice", infer=False, expiration_date="2026-03-05")
    assert texts(m.get_all(user_id="alice")) == ["has a free ticket"]
    clock.pass_time(days=30)
    assert texts(m.get_all(user_id="alice")) == []
    assert texts(m.get_all(user_id="alice", show_expired=True)) == ["has a free ticket"]


@pytest.mark.parametrize(
    ("wanted", "fits"),
    [
        ({"rank": 5}, True),
        ({"rank": {"gte": 5, "lt": 6}}, True),
        ({"rank": {"gt": 5}}, False),
        ({"city": {"icontains": "PORT"}}, True),
        ({"city": {"in": ["Faro"]}}, False),
        ({"city": {"nin": ["Faro"]}}, True),
        ({"none": "*"}, False),
        ({"city": {"gt": 3}}, False),
        ({"OR": [{"rank": 1}, {"city": "Porto"}]}, True),
        ({"AND": [{"rank": 5}, {"NOT": [{"city": "Porto"}]}]}, False),
    ],
)
def test_filters_are_read_as_mem0_writes_them(wanted: dict[str, Any], fits: bool) -> None:
    assert matches({"metadata": {"rank": 5, "city": "Porto"}}, wanted) is fits


@pytest.mark.parametrize(
    "call",
    [
        lambda m: m.add("hello"),
        lambda m: m.search("x"),
        lambda m: m.get_all(filters={"category": "x"}),
        lambda m: m.add([1, 2], user_id="a"),
        lambda m: m.search("x", user_id="a", top_k=-1),
        lambda m: m.search("x", user_id="a", top_k=True),
        lambda m: m.search("x", user_id="two words"),
        lambda m: m.search("x", filters={"user_id": " "}),
        lambda m: m.get_all(filters={"user_id": "a", "agent_id": "b c"}),
        lambda m: m.delete_all(),
        lambda m: m.delete_all(user_id="a b"),
        lambda m: (
            m.get_all(filters={"user_id": "a", "rank": {"near": 1}}) if m.add("b", user_id="a", infer=False) else 0
        ),
    ],
)
def test_wrong_calls_say_what_to_do(m: Memory, call: Any) -> None:
    with pytest.raises(InputError, match=r"user_id|agent_id|messages|top_k|operator") as refused:
        call(m)
    assert isinstance(refused.value, ValueError), "as mem0 refuses them"


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda m: m.add("hello", user_id="a", timestamp=1740910050), "timestamp"),
        (lambda m: m.add("hello", user_id="a", expiration_date="soon"), "expiration_date"),
        (lambda m: m.add("hello", user_id="a", expiration_date=5), "expiration_date"),
        (lambda m: m.add("hello", user_id="a", memory_type="semantic"), "memory_type"),
        (lambda m: m.add("hello", user_id="a", metadata=[1]), "metadata"),
        (lambda m: m.search("x", user_id="a", reference_date="2026-03-05"), "reference_date"),
        (lambda m: m.search(" ", user_id="a"), "query"),
        (lambda m: m.search("x", user_id="a", threshold=1.5), "threshold"),
        (lambda m: m.search("x", user_id="a", threshold="high"), "threshold"),
        (lambda m: m.update("fact_x"), "expiration_date"),
        (lambda m: m.update("fact_x", expiration_date="soon"), "expiration_date"),
        (lambda m: m.add("b", user_id="a", infer=False) and m.get_all(user_id="a", filters={"OR": []}), "OR"),
        (lambda m: m.add("b", user_id="a", infer=False) and m.get_all(user_id="a", filters={"AND": {"x": 1}}), "AND"),
    ],
)
def test_what_mem0_refuses_is_refused(m: Memory, call: Any, named: str) -> None:
    with pytest.raises(InvalidArgument, match=named):
        call(m)


# The parameters of mem0 2.2.1, each with whether it must be given by name.
SIGNATURES = {
    "add": ("messages *user_id *agent_id *run_id *metadata *timestamp *expiration_date *infer *memory_type *prompt"),
    "search": "query *top_k *filters *threshold *rerank *explain *reference_date *show_expired",
    "get": "memory_id",
    "get_all": "*filters *top_k *show_expired",
    "update": "memory_id text metadata expiration_date data",
    "delete": "memory_id",
    "delete_all": "user_id agent_id run_id",
    "history": "memory_id",
    "reset": "",
}


def list_parameters(call: Any) -> str:
    """The parameters of a method, those that must be given by name with a star."""
    named = [one for one in inspect.signature(call).parameters.values() if one.name != "self"]
    return " ".join("*" * (one.kind is one.KEYWORD_ONLY) + one.name for one in named if one.kind is not one.VAR_KEYWORD)


@pytest.mark.parametrize("call", SIGNATURES)
def test_every_argument_of_mem0_is_known_by_its_name(call: str) -> None:
    ours, theirs = list_parameters(getattr(Memory, call)).split(), SIGNATURES[call].split()
    assert ours[: len(theirs)] == theirs
    assert set(ours[len(theirs) :]) <= {"*user_id", "*agent_id", "*run_id", "*limit"}, "as in older versions"


@pytest.mark.parametrize("call", SIGNATURES)
def test_a_misspelled_argument_is_refused(m: Memory, call: str) -> None:
    with pytest.raises(TypeError, match="metdata"):
        getattr(m, call)(metdata={"a": 1})


def test_the_arguments_are_those_of_the_package_if_it_is_installed() -> None:
    package = pytest.importorskip("mem0")
    assert {call: list_parameters(getattr(package.Memory, call)) for call in SIGNATURES} == SIGNATURES


def test_metadata_and_expiration_are_updated_as_in_mem0(m: Memory, clock: ManualClock) -> None:
    m.add("I love sci-fi movies", user_id="alice", metadata={"category": "movies", "rank": 1})
    (made,) = m.get_all(user_id="alice")["results"]
    m.update(made["id"], metadata={"rank": 2, "seen": True, "user_id": "bob"})
    wanted = {"category": "movies", "rank": 2, "seen": True}
    changed = m.get(made["id"])
    assert changed is not None
    assert (changed["metadata"], changed["memory"], changed["user_id"]) == (wanted, made["memory"], "alice")
    assert m.search("movies", user_id="alice", filters={"rank": {"gte": 2}})["results"][0]["id"] == made["id"]
    m.update(made["id"], "alice loves westerns", expiration_date=datetime(2026, 3, 5, 10))
    found = m.get(made["id"])
    assert found is not None
    assert (found["memory"], found["expiration_date"], found["metadata"]) == (
        "alice loves westerns",
        "2026-03-05",
        wanted,
    )
    clock.pass_time(days=30)
    assert texts(m.get_all(user_id="alice")) == []
    m.update(made["id"], expiration_date=None)
    assert texts(m.get_all(user_id="alice")) == ["alice loves westerns"]


def test_metadata_keep_every_name_but_those_of_ids(m: Memory) -> None:
    (made,) = m.add("b", user_id="a", infer=False, metadata={"mem0": [1], "run_id": "r", "actor_id": "x"})["results"]
    assert made["metadata"] == {"mem0": [1]}
    assert texts(m.get_all(filters={"run_id": "r"})) == []
    assert m.search("b", user_id="a", top_k=0) == {"results": []}
    assert texts(m.get_all(user_id=" a ")) == ["b"]


def test_a_number_is_an_id_as_text(m: Memory) -> None:
    m.add("likes tea", user_id=7, infer=False)  # type: ignore[arg-type]
    assert texts(m.get_all(filters={"user_id": 7})) == texts(m.get_all(filters={"user_id": "7"})) == ["likes tea"]


def test_a_memory_that_is_not_there_is_an_error_of_both(m: Memory) -> None:
    for call in (m.delete, lambda id_: m.update(id_, "text")):
        with pytest.raises(ValueError, match="no record 'fact_nowhere'") as refused:
            call("fact_nowhere")
        assert isinstance(refused.value, InputError)
    assert m.get("fact_nowhere") is None


def test_it_opens_the_memory_that_the_configuration_names(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    config = {"vector_store": {"provider": "qdrant"}, "toldonce": {"place": "mine.db", "preset": "life"}}
    with Memory.from_config(config) as mine:
        mine.add("I love figs", user_id="alice")
    assert (tmp_path / "mine.db").exists()
    with Memory(config) as again:
        assert texts(again.get_all(user_id="alice"))


def test_the_calls_can_be_awaited(open_memory: OpenMemory) -> None:
    async def story() -> list[str]:
        mine = AsyncMemory(memory=open_memory("assistant"))
        await mine.add("I love figs", user_id="alice", llm=None)
        return texts(await mine.search("figs", user_id="alice"))

    assert any("figs" in text for text in asyncio.run(story()))


def test_an_awaited_memory_is_made_as_in_older_and_newer_versions(tmp_path: Path) -> None:
    config = {"toldonce": {"place": str(tmp_path / "m.db")}}

    async def story() -> list[dict[str, Any]]:
        async with AsyncMemory.from_config(config) as first:
            await first.add("I love sci-fi movies", user_id="alex")
        second = await AsyncMemory.from_config(config)
        found = await second.get_all(filters={"user_id": "alex"})
        second.close()
        return found["results"]

    assert asyncio.run(story())
