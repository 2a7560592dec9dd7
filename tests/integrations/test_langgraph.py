"""LangGraph over a memory, with the real package: its store, and the node in a real graph with a scripted model."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.store.base import GetOp, InvalidNamespaceError, ListNamespacesOp, MatchCondition, PutOp, SearchOp

from tests.conftest import ManualClock, OpenMemory
from tests.integrations.table import Integration
from tests.server.serving import serving
from toldonce import Memory
from toldonce.errors import InputError
from toldonce.integrations.langgraph import MemoryNode, ToldonceStore

INTEGRATION = Integration(
    name="LangGraph",
    package="langgraph",
    module="toldonce.integrations.langgraph",
    page="langgraph.md",
    works={
        "`BaseStore`: get, put, delete, search, list_namespaces": "test_values_come_back_as_they_were_put",
        "`batch` and `abatch`": "test_a_batch_reads_before_it_writes",
        "filters with operators": "test_items_are_filtered_by_values_and_operators",
        "match conditions with wildcards": "test_namespaces_are_listed_by_conditions",
        "semantic search, by the memory's embedder or your own": "test_search_by_meaning_needs_no_configuration",
        "`index` of an item and of the store": "test_only_the_fields_of_the_index_are_searched",
        "TTL, refreshed on read": "test_an_item_expires_unless_it_is_read",
        "a node that observes and recalls": "test_a_node_recalls_and_observes_in_a_real_graph",
    },
    lacks=("expired items are never returned, also with `omit_expired=False`",),
)
ALEX = ("memories", "alex")


class LetterEmbeddings:
    """Counts letters: enough to tell near from far without a model."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def __call__(self, texts: list[str]) -> list[list[float]]:
        self.calls.append(list(texts))
        return [[float(text.lower().count(chr(letter))) for letter in range(97, 123)] for text in texts]


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("assistant")


@pytest.fixture
def store(memory: Memory) -> ToldonceStore:
    return ToldonceStore(memory)


def keys(found: Any) -> list[str]:
    return [item.key for item in found]


def test_values_come_back_as_they_were_put(store: ToldonceStore, open_memory: OpenMemory, clock: ManualClock) -> None:
    value = {"text": "Olá, 世界", "n": 1.5, "list": [1, {"a": None}], "yes": True}
    store.put(ALEX, "a/b //?%", value)
    made = store.get(ALEX, "a/b //?%")
    assert made is not None and made.value == value and made.namespace == ALEX and made.key == "a/b //?%"
    clock.pass_time(minutes=1)
    store.put(ALEX, "a/b //?%", {"text": "new"})
    newer = ToldonceStore(open_memory()).get(ALEX, "a/b //?%")
    assert newer is not None and newer.value == {"text": "new"}, "another process sees it"
    assert (newer.created_at, newer.updated_at) == (made.created_at, clock())
    store.delete(ALEX, "a/b //?%")
    assert store.get(ALEX, "a/b //?%") is None and store.search(ALEX) == []
    store.delete(ALEX, "never there")


def test_an_older_value_leaves_no_version_behind(store: ToldonceStore, memory: Memory) -> None:
    for number in range(3):
        store.put(ALEX, "k", {"n": number})
    assert len(memory.store.read(lambda t: t.documents.all(None))) == 1


@pytest.mark.parametrize("namespace", [(), ("a", ""), ("a.b",), ("langgraph", "x")])
def test_a_bad_namespace_is_refused(store: ToldonceStore, namespace: tuple[str, ...]) -> None:
    with pytest.raises(InvalidNamespaceError):
        store.put(namespace, "k", {"a": 1})


def test_a_value_that_is_not_json_is_refused(store: ToldonceStore) -> None:
    with pytest.raises(InputError, match="JSON"):
        store.put(ALEX, "k", {"a": object()})


def test_a_batch_reads_before_it_writes(store: ToldonceStore) -> None:
    store.put(ALEX, "k", {"n": 1})
    ops = [
        PutOp(ALEX, "k", {"n": 2}),
        GetOp(ALEX, "k"),
        PutOp(ALEX, "k", {"n": 3}),
        SearchOp(("memories",), filter={"n": 1}),
        ListNamespacesOp(),
    ]
    _, got, _, found, spaces = store.batch(ops)
    assert got.value == {"n": 1} and keys(found) == ["k"] and spaces == [ALEX]
    assert store.get(ALEX, "k").value == {"n": 3}, "the last write counts"
    first, *_ = asyncio.run(store.abatch([GetOp(ALEX, "k"), *ops]))
    assert first.value == {"n": 3}


def test_a_prefix_ends_at_a_label(store: ToldonceStore) -> None:
    for namespace in [("foo",), ("foo", "child"), ("foobar",), ("Foo",), ("foo%",)]:
        store.put(namespace, "k", {"v": 1})
    assert {item.namespace for item in store.search(("foo",))} == {("foo",), ("foo", "child")}
    assert len(store.search(())) == 5


@pytest.mark.parametrize(
    "wanted, found",
    [
        ({"color": "red"}, {"a", "b"}),
        ({"score": {"$gt": 3}}, {"a", "c"}),
        ({"score": {"$gte": 3, "$lt": 4.5}}, {"b", "c"}),
        ({"color": {"$ne": "red"}}, {"c", "d"}),
        ({"color": {"$eq": "red"}, "score": {"$lte": 3}}, {"b"}),
        ({"deep": {"x": 1}}, {"d"}),
        ({"deep.x": {"$lt": 2}}, {"d"}),
        ({"tags": ["x", "y"]}, {"d"}),
        ({"score": {"$lt": "text"}}, set()),
        ({"nothing": None}, {"a", "b", "c", "d"}),
    ],
)
def test_items_are_filtered_by_values_and_operators(store: ToldonceStore, wanted: Any, found: set[str]) -> None:
    store.put(ALEX, "a", {"color": "red", "score": 4.5})
    store.put(ALEX, "b", {"color": "red", "score": 3.0})
    store.put(ALEX, "c", {"color": "green", "score": 4})
    store.put(ALEX, "d", {"deep": {"x": 1, "y": 2}, "tags": ["x", "y"]})
    assert set(keys(store.search(ALEX, filter=wanted))) == found


def test_an_unknown_operator_is_named(store: ToldonceStore) -> None:
    store.put(ALEX, "a", {"n": 1})
    with pytest.raises(InputError, match=r"\$near.*\$gte"):
        store.search(ALEX, filter={"n": {"$near": 1}})


def test_pages_are_the_last_changed_first(store: ToldonceStore, clock: ManualClock) -> None:
    for number in range(5):
        clock.pass_time(minutes=1)
        store.put(ALEX, str(number), {"n": number})
    assert keys(store.search(ALEX, limit=2)) == ["4", "3"]
    assert keys(store.search(ALEX, limit=2, offset=4)) == ["0"]


@pytest.mark.parametrize(
    "conditions, depth, found",
    [
        ([], None, {("a", "b", "f"), ("a", "c", "f"), ("b", "a", "f"), ("users", "1")}),
        ([("prefix", ("a",))], None, {("a", "b", "f"), ("a", "c", "f")}),
        ([("prefix", ("a", "*", "f"))], None, {("a", "b", "f"), ("a", "c", "f")}),
        ([("suffix", ("*", "f"))], None, {("a", "b", "f"), ("a", "c", "f"), ("b", "a", "f")}),
        ([("prefix", ("a",)), ("suffix", ("b", "f"))], None, {("a", "b", "f")}),
        ([], 1, {("a",), ("b",), ("users",)}),
        ([("prefix", ("a", "b", "f", "g"))], None, set()),
    ],
)
def test_namespaces_are_listed_by_conditions(
    store: ToldonceStore, conditions: Any, depth: int | None, found: set[tuple[str, ...]]
) -> None:
    for namespace in [("a", "b", "f"), ("a", "c", "f"), ("b", "a", "f"), ("users", "1")]:
        store.put(namespace, "k", {"v": 1})
    matches = tuple(MatchCondition(kind, path) for kind, path in conditions)
    assert store.batch([ListNamespacesOp(matches, depth)])[0] == sorted(found)
    assert store.batch([ListNamespacesOp(matches, depth, limit=1, offset=1)])[0] == sorted(found)[1:2]


def test_search_by_meaning_needs_no_configuration(open_memory: OpenMemory) -> None:
    store = ToldonceStore(open_memory("assistant", embedder="default"))
    store.put(ALEX, "food", {"text": "loves pasta and pizza"})
    store.put(ALEX, "work", {"text": "is a nurse in a hospital"})
    store.put(ALEX, "hidden", {"text": "Italian dinners"}, index=False)
    found = store.search(ALEX, query="Italian dinner")
    assert keys(found) == ["food", "work", "hidden"], "what has no vector comes last"
    assert found[0].score > found[1].score and found[2].score is None
    assert keys(store.search(ALEX, query="Italian dinner", limit=1, offset=1)) == ["work"]


def test_only_the_fields_of_the_index_are_searched(memory: Memory) -> None:
    embed = LetterEmbeddings()
    store = ToldonceStore(memory, index={"dims": 26, "embed": embed, "fields": ["title", "parts[*].text"]})
    store.put(ALEX, "a", {"title": "zzz", "body": "qqq", "parts": [{"text": "xxx"}, {"text": "yyy"}]})
    store.put(ALEX, "b", {"title": "qqq", "body": "zzz"})
    store.put(ALEX, "c", {"title": "bbb", "note": "zzz"}, index=["note"])
    assert set(keys(store.search(ALEX, query="zzz", limit=2))) == {"a", "c"}
    assert keys(store.search(ALEX, query="xxx"))[0] == "a"
    assert keys(store.search(ALEX, query="qqq"))[0] == "b"
    store.put(ALEX, "a", {"title": "bbb"})
    assert all(item.score == 0 for item in store.search(ALEX, query="xxx")), "a new value has new vectors"


def test_an_asynchronous_embedder_is_awaited(memory: Memory) -> None:
    letters = LetterEmbeddings()

    async def embed(texts: list[str]) -> list[list[float]]:
        await asyncio.sleep(0)
        return letters(texts)

    async def story() -> list[str]:
        store = ToldonceStore(memory, index={"dims": 26, "embed": embed})
        await asyncio.gather(*(store.aput(ALEX, word, {"text": word}) for word in ("aaa", "bbb", "ccc")))
        return keys(await store.asearch(ALEX, query="bbb"))

    assert asyncio.run(story())[0] == "bbb"


def test_vectors_of_two_embedders_never_mix(memory: Memory, open_memory: OpenMemory) -> None:
    ToldonceStore(memory, index={"dims": 26, "embed": LetterEmbeddings()}).put(ALEX, "a", {"text": "zzz"})
    other = ToldonceStore(open_memory("assistant", embedder="default"))
    assert other.search(ALEX, query="zzz")[0].score is None


def test_an_item_expires_unless_it_is_read(memory: Memory, clock: ManualClock) -> None:
    store = ToldonceStore(memory, ttl={"default_ttl": 10, "refresh_on_read": True})
    for key in ("got", "found", "peeked"):
        store.put((key,), key, {"k": key})
    store.put(("kept",), "kept", {"k": "kept"}, ttl=None)
    clock.pass_time(minutes=8)
    assert store.get(("got",), "got") and store.search(("found",))
    assert store.get(("peeked",), "peeked", refresh_ttl=False)
    clock.pass_time(minutes=8)
    assert store.list_namespaces() == [("found",), ("got",), ("kept",)]
    assert store.get(("peeked",), "peeked") is None and store.search(("peeked",)) == []
    assert len(memory.documents.all("items:")) == 4 and store.sweep_ttl() == 1
    assert len(memory.documents.all("items:")) == 3


def test_expired_items_are_removed_as_often_as_the_host_says(memory: Memory, clock: ManualClock) -> None:
    store = ToldonceStore(memory, ttl={"sweep_interval_minutes": 5})
    store.put(ALEX, "a", {"n": 1}, ttl=1)
    clock.pass_time(minutes=6)
    store.get(ALEX, "other")
    assert memory.documents.all("items:") == []


def test_items_of_a_person_are_theirs_and_go_with_them(memory: Memory) -> None:
    shared = ToldonceStore(memory, person_at=1)
    shared.put(ALEX, "a", {"text": "peanut allergy"})
    shared.put(("memories", "sam"), "s", {"text": "likes tea"})
    shared.put(("settings",), "x", {"n": 1})
    assert keys(shared.search(ALEX)) == ["a"]
    assert set(keys(shared.search(("memories",)))) == {"a", "s"}
    assert shared.list_namespaces() == [ALEX, ("memories", "sam"), ("settings",)]
    assert ToldonceStore(memory, user="sam").search(()) != [], "the documents are the person's own"
    assert memory.erase(user="alex").is_complete
    assert shared.search(ALEX) == [] and set(keys(shared.search(()))) == {"s", "x"}
    with pytest.raises(InputError, match="person_at"):
        ToldonceStore(memory, user="alex", person_at=1)


def test_nothing_is_kept_of_a_blocked_person(memory: Memory) -> None:
    store = ToldonceStore(memory, user="alex")
    store.put(ALEX, "a", {"n": 1})
    memory.people.block("alex")
    store.put(ALEX, "b", {"n": 2})
    assert store.get(ALEX, "a") is None and store.search(()) == []
    memory.people.block("alex", blocked=False)
    assert keys(store.search(())) == ["a"]


def test_secrets_are_redacted(store: ToldonceStore) -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    store.put(ALEX, "a", {"deep": [{"token": f"use {key}"}]})
    assert key not in str(store.get(ALEX, "a").value)


def test_the_store_works_over_a_server(memory: Memory) -> None:
    with serving(memory) as server:
        key = server.key("graph", rights=["read", "write", "manage"], role="person")
        with Memory.open(server.url, api_key=key) as remote:
            store = ToldonceStore(remote, person_at=1)
            store.put(ALEX, "a/b", {"text": "likes tea"}, ttl=5)
            store.put(("memories", "sam"), "s", {"n": 2})
            assert store.get(ALEX, "a/b").value == {"text": "likes tea"}
            assert keys(store.search(("memories",), filter={"n": {"$gt": 1}})) == ["s"]
            store.delete(ALEX, "a/b")
            assert store.list_namespaces() == [("memories", "sam")]
    assert keys(ToldonceStore(memory, person_at=1).search(())) == ["s"]


class State(TypedDict):
    messages: Annotated[list[AnyMessage], add_messages]
    memory: str


def build_graph(memory: Memory, prompts: list[str], *replies: str) -> Any:
    node, model = MemoryNode(memory), GenericFakeChatModel(messages=iter(map(AIMessage, replies)))

    def answer(state: State) -> dict[str, Any]:
        prompts.append(state["memory"])
        return {"messages": [model.invoke([SystemMessage(state["memory"]), *state["messages"]])]}

    graph = StateGraph(State)
    graph.add_node("recall", node)
    graph.add_node("answer", answer)
    graph.add_node("observe", node.observe)
    for start, end in ((START, "recall"), ("recall", "answer"), ("answer", "observe")):
        graph.add_edge(start, end)
    return graph.compile(checkpointer=InMemorySaver(), store=ToldonceStore(memory))


def say(graph: Any, text: str, user: str = "alex", thread: str = "t1") -> Any:
    config = {"configurable": {"user_id": user, "thread_id": thread}}
    return graph.invoke({"messages": [HumanMessage(text)]}, config)["messages"][-1].content


def test_a_node_recalls_and_observes_in_a_real_graph(memory: Memory) -> None:
    prompts: list[str] = []
    graph = build_graph(memory, prompts, "Noted.", "In Lisbon.", "I do not know.")
    assert say(graph, "hi! i moved to Lisbon last month") == "Noted."
    memory.settle(session="t1")
    assert say(graph, "where do I live?", thread="t2") == "In Lisbon."
    assert say(graph, "where do I live?", user="sam", thread="t3") == "I do not know."
    assert "Lisbon" in prompts[1] and "Lisbon" not in prompts[0] + prompts[2]
    kept = [(r.user, r.role, r.text) for r in memory.sessions.window("t1")]
    assert kept == [("alex", "user", "hi! i moved to Lisbon last month"), ("alex", "assistant", "Noted.")]


def test_a_message_is_observed_once(memory: Memory) -> None:
    graph = build_graph(memory, [], "One.", "Two.", "Three.")
    for text in ("first thing to say", "second thing to say", "third thing to say"):
        say(graph, text)
    assert [r.text for r in memory.sessions.window("t1")] == [
        "first thing to say", "One.", "second thing to say", "Two.", "third thing to say", "Three.",
    ]  # fmt: skip


def test_who_speaks_comes_from_the_configuration_alone(memory: Memory) -> None:
    graph = build_graph(memory, [], "No.")
    with pytest.raises(InputError, match=r"configurable\.user_id"):
        graph.invoke({"messages": [HumanMessage("I am sam, user_id sam")]}, {"configurable": {"thread_id": "t"}})
