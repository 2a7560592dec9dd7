"""LangChain over a memory, with the real package: a retriever in a chain, and a chat history."""

from __future__ import annotations

import asyncio

import pytest
from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from langchain_core.runnables.history import RunnableWithMessageHistory

from tests.conftest import OpenMemory
from tests.integrations.table import Integration
from toldonce import Memory
from toldonce.integrations.langchain import ToldonceChatHistory, ToldonceRetriever
from toldonce.integrations.person_memory import PersonMemory

INTEGRATION = Integration(
    name="LangChain",
    package="langchain-core",
    module="toldonce.integrations.langchain",
    page="langchain.md",
    works={
        "retriever (`BaseRetriever`), also asynchronous": "test_a_retriever_finds_what_is_known_of_one_person",
        "retriever inside a chain": "test_a_retriever_works_in_a_chain",
        "chat history (`BaseChatMessageHistory`)": "test_messages_come_back_as_they_were_added",
        "`RunnableWithMessageHistory` (deprecated by LangChain)": "test_a_chain_with_history_remembers_its_chat",
    },
    lacks=("documents are plain text, not marked as data",),
)
CALL = {"name": "weather", "args": {"city": "Lisbon"}, "id": "c1", "type": "tool_call"}


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    memory = open_memory("assistant")
    memory.remember("Alex is allergic to peanuts", user="alex")
    memory.remember("Sam keeps bees and is allergic to cats", user="sam")
    return memory


def test_a_retriever_finds_what_is_known_of_one_person(memory: Memory) -> None:
    retriever = ToldonceRetriever(person=PersonMemory(memory, "alex"), limit=3)
    (found,) = retriever.invoke("what is Alex allergic to?")
    assert found.page_content == "Alex is allergic to peanuts"
    assert found.id and found.metadata["kind"] == "fact" and found.metadata["score"] > 0
    assert asyncio.run(retriever.ainvoke("what is Alex allergic to?")) == [found]
    assert ToldonceRetriever(person=PersonMemory(memory, "kim")).invoke("allergic") == []


def test_a_retriever_works_in_a_chain(memory: Memory) -> None:
    seen: list[str] = []
    prompt = ChatPromptTemplate.from_messages([("system", "Known: {known}"), ("human", "{question}")])
    retriever = ToldonceRetriever(person=PersonMemory(memory, "alex"))
    known = retriever | RunnableLambda(lambda documents: "; ".join(d.page_content for d in documents))

    def answer(asked: object) -> AIMessage:
        seen.append(str(asked))
        return AIMessage("No peanuts.")

    chain = {"known": known, "question": RunnablePassthrough()} | prompt | RunnableLambda(answer)
    assert chain.invoke("what am I allergic to?").content == "No peanuts."
    assert "Known: Alex is allergic to peanuts" in seen[0] and "bees" not in seen[0]


def test_messages_come_back_as_they_were_added(memory: Memory, open_memory: OpenMemory) -> None:
    messages = [
        HumanMessage("is it warm in Lisbon?", id="h1"),
        AIMessage("", tool_calls=[CALL], id="a1"),
        ToolMessage("24 degrees", tool_call_id="c1", id="t1"),
        AIMessage([{"type": "text", "text": "Yes, 24 degrees."}], id="a2", response_metadata={"n": 1}),
    ]
    history = ToldonceChatHistory("monday", memory, user="alex")
    assert isinstance(history, BaseChatMessageHistory)
    history.add_messages(messages[:2])
    asyncio.run(history.aadd_messages(messages[2:]))
    assert ToldonceChatHistory("monday", open_memory(), user="alex").messages == messages
    assert asyncio.run(history.aget_messages()) == messages
    said = [(r.role, r.text) for r in memory.sessions.window("monday")]
    assert said == [("user", "is it warm in Lisbon?"), ("assistant", "Yes, 24 degrees.")], "tools are no talk"
    assert ToldonceChatHistory("monday", memory, user="sam").messages == []
    history.clear()
    assert history.messages == [] and memory.sessions.window("monday"), "what was said stays"


def test_secrets_are_redacted_in_history_and_memory(memory: Memory) -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    history = ToldonceChatHistory("monday", memory, user="alex")
    call = {**CALL, "args": {"token": key}}
    history.add_messages([HumanMessage(f"my token is {key}"), AIMessage("", tool_calls=[call]), SystemMessage(key)])
    assert key not in str(history.messages) and key not in str(memory.sessions.window("monday"))


@pytest.mark.filterwarnings("ignore:RunnableWithMessageHistory is deprecated")
def test_a_chain_with_history_remembers_its_chat(memory: Memory) -> None:
    model = GenericFakeChatModel(messages=iter([AIMessage("Hi Alex."), AIMessage("You are Alex.")]))
    prompt = ChatPromptTemplate.from_messages([MessagesPlaceholder("history"), ("human", "{text}")])
    chain = RunnableWithMessageHistory(
        prompt | model,
        lambda session_id: ToldonceChatHistory(session_id, memory, user="alex"),
        input_messages_key="text",
        history_messages_key="history",
    )
    for text in ("im Alex", "who am i?"):
        answer = chain.invoke({"text": text}, {"configurable": {"session_id": "s1"}})
    assert answer.content == "You are Alex."
    kept = ToldonceChatHistory("s1", memory, user="alex").messages
    assert [m.content for m in kept] == ["im Alex", "Hi Alex.", "who am i?", "You are Alex."]
