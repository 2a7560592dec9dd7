"""Checks with the real package of CrewAI, and a scripted model. Run as `crewai_checks.py NAME`."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime, timedelta
from typing import Any

os.environ.setdefault("CREWAI_DISABLE_TELEMETRY", "true")

from crewai import Agent, Crew, Task
from crewai.llms.base_llm import BaseLLM
from crewai.memory.storage.backend import StorageBackend
from crewai.memory.types import MemoryRecord
from crewai.memory.unified_memory import Memory as CrewMemory

from toldonce import Memory
from toldonce.integrations.crewai import ToldonceStorage, embed_with


class Script(BaseLLM):
    """A model that always says the same, and keeps what it was asked."""

    asked: list[str] = []  # noqa: RUF012  (pydantic copies it for each instance)

    def call(self, messages: Any, *_: Any, **__: Any) -> str:
        self.asked.append(str(messages))
        return "Thought: I know it.\nFinal Answer: No peanuts."


def open_memory() -> Memory:
    return Memory.open("memory.db", preset="assistant", background=False)


def crew_memory(memory: Memory, user: str, llm: BaseLLM) -> CrewMemory:
    return CrewMemory(storage=ToldonceStorage(memory, user), embedder=embed_with(memory), llm=llm)


def tell(memory: CrewMemory, text: str) -> None:
    memory.remember(text, scope="/people", categories=["health"], importance=0.9, metadata={"n": 1})


def check_it_is_a_storage_of_crewai() -> None:
    memory = open_memory()
    storage, embed = ToldonceStorage(memory, "alex"), embed_with(memory)
    assert isinstance(storage, StorageBackend)
    texts = {"a": "allergic to peanuts", "b": "works as a nurse", "c": "plays the cello"}
    old = datetime.now(UTC) - timedelta(days=9)
    storage.save(
        [
            MemoryRecord(
                id=key,
                content=text,
                scope=f"/people/{key}",
                categories=[key],
                metadata={"key": key},
                embedding=embed([text])[0],
                **({"created_at": old} if key == "c" else {}),
            )
            for key, text in texts.items()
        ]
    )
    found = storage.search(embed(["music and instruments"])[0], "/people", limit=2)
    assert found[0][0].id == "c" and found[0][1] > found[1][1]
    assert [r.id for r, _ in storage.search(embed(["music"])[0], categories=["a"])] == ["a"]
    assert [r.id for r, _ in storage.search(embed(["music"])[0], metadata_filter={"key": "b"})] == ["b"]
    assert storage.list_scopes("/people") == ["/people/a", "/people/b", "/people/c"]
    assert storage.list_categories() == {"a": 1, "b": 1, "c": 1} and storage.count("/people/a") == 1
    info = storage.get_scope_info("/people")
    assert info.record_count == 3 and info.oldest_record == old
    moved = storage.get_record("a").model_copy(update={"scope": "/moved", "embedding": None})
    storage.update(moved)
    assert storage.count() == 3 and storage.search(embed(["peanuts"])[0])[0][0].scope == "/moved"
    assert storage.delete(older_than=datetime.now(UTC) - timedelta(days=1)) == 1
    assert ToldonceStorage(memory, "sam").list_records() == [], "records are one person's"
    storage.reset()
    assert storage.count() == 0


def check_a_crew_reads_what_helps_its_person() -> None:
    memory, llm = open_memory(), Script(model="scripted")
    tell(crew_memory(memory, "sam", llm), "Sam is allergic to cats")
    mine = crew_memory(memory, "alex", llm)
    tell(mine, "Alex is allergic to peanuts")
    agent = Agent(role="Cook", goal="Plan meals", backstory="Careful.", llm=llm)
    task = Task(description="What is the person allergic to?", expected_output="A list", agent=agent)
    result = Crew(agents=[agent], tasks=[task], memory=mine).kickoff()
    mine.close()
    assert "No peanuts." in str(result)
    asked = "\n".join(llm.asked)
    assert "Alex is allergic to peanuts" in asked and "allergic to cats" not in asked, asked


def check_records_go_with_the_person() -> None:
    memory, llm = open_memory(), Script(model="scripted")
    mine = crew_memory(memory, "alex", llm)
    tell(mine, "Alex is allergic to peanuts")
    mine.close()
    assert memory.erase(user="alex").is_complete
    assert ToldonceStorage(memory, "alex").count() == 0


if __name__ == "__main__":
    globals()[f"check_{sys.argv[1]}"]()
