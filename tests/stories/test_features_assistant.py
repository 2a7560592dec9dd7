"""The assistant preset, feature by feature: what test_assistant.py does not tell yet, each by the id of its feature."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
import pytest

from tests.conftest import START, ManualClock, OpenMemory
from toldonce import Memory, Record, presets
from toldonce.errors import NotAllowed
from toldonce.integrations.hosts import ContextProvider, ScheduleProvider, ToolProvider
from toldonce.integrations.openai_agents import ToldonceSession
from toldonce.models.embedder import Vectors
from toldonce.models.tagger import Mention, RegexTagger, merge_mentions
from toldonce.tools.definition import Caller
from toldonce.tools.table import Toolbox


class CountingEmbedder:
    """Vectors that depend on nothing but the text and the model's name; it counts how often it was asked."""

    dimensions = 16
    local = True

    def __init__(self, name: str = "counting") -> None:
        self.name = name
        self.asked = 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += len(texts)
        seeds = [blake2b((self.name + text).encode(), digest_size=8).digest() for text in texts]
        rows = [np.random.default_rng(list(seed)).normal(size=self.dimensions) for seed in seeds]
        found = np.array(rows, dtype=np.float32).reshape(len(texts), self.dimensions)
        unit: Vectors = found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)
        return unit


class PlaceTagger:
    """An accurate tagger that knows one place."""

    name = "places"
    accurate = True

    def tag(self, text: str) -> list[Mention]:
        start = text.find("serra da estrela")
        return [Mention("serra da estrela", "location", start, start + 16, 0.95)] if start >= 0 else []


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("assistant")


def of_kind(memory: Memory, kind: str) -> list[Record]:
    return [h.record for h in memory.timeline("alex", kinds=[kind]) if h.action == "added"]


def tell(memory: Memory, clock: ManualClock, *texts: str) -> None:
    """Each text in a session of its own, a day apart."""
    for text in texts:
        session = f"{clock.now:%m-%d}"
        memory.observe(text, user="alex", session=session, display_name="Alex")
        memory.settle(session=session)
        clock.pass_time(days=1)


def test_ast_1_kinds_have_prefixes_and_deletion_is_soft(memory: Memory) -> None:
    """AST-1: episode, fact and reflection; what is forgotten stays and can be restored."""
    assert memory.remember("Alex said hello", kind="episode", user="alex").id.startswith("msg_")
    assert memory.remember("A week of travel", kind="reflection", user="alex").id.startswith("ref_")
    fact = memory.remember("Alex is left-handed", user="alex")
    assert fact.id.startswith("fact_")
    assert memory.forget(fact.id).state == "forgotten"
    assert memory.restore(fact.id).is_current


def test_ast_2_saving_a_turn_asks_no_model(open_memory: OpenMemory) -> None:
    """AST-2: found by words and by names at once; no embedding and no language model; far under 50 ms."""
    embedder = CountingEmbedder()
    memory = open_memory("assistant", embedder=embedder)
    memory.observe("warm up", user="alex", session="s1")
    began = time.process_time()
    for number in range(20):
        memory.observe(f"Maria Silva called me about plan {number}", user="alex", session="s1")
    assert (time.process_time() - began) / 20 < 0.05
    assert embedder.asked == 0
    entity = memory.entity("Maria Silva", user="alex")
    assert entity is not None
    assert entity.mentions == 20


def test_ast_4_every_session_is_consolidated_once_and_in_pages(memory: Memory, clock: ManualClock) -> None:
    """AST-4: also when the person never came back; a second run finds nothing to do."""
    said = [{"text": f"Line {n} about sailing", "user": "alex", "session": "long"} for n in range(65)]
    memory.observe_many([*said, {"text": "I live in Porto", "user": "alex", "session": "long"}])
    memory.tend()
    clock.pass_time(days=1)
    assert [run.status for run in memory.tend() if run.name == "settle"] == ["completed"]
    facts = of_kind(memory, "fact")
    assert len(facts) == 1
    clock.pass_time(days=1)
    memory.tend()
    assert [fact.id for fact in of_kind(memory, "fact")] == [fact.id for fact in facts]
    assert presets.load_preset("assistant").conversation.page == 30


def test_ast_5_the_same_fact_is_kept_once(memory: Memory) -> None:
    """AST-5: exactly the same in one batch, or three quarters of the words in common with what is known."""
    first = memory.remember("Alex plays the violin in the city orchestra every week", user="alex")
    assert memory.remember("alex plays the violin in the city orchestra every week!", user="alex").id == first.id
    alike = memory.remember("Alex plays the violin in the city orchestra every single week", user="alex")
    assert alike.id == first.id
    other = memory.remember("Alex plays the cello in a village band", user="alex")
    assert other.id != first.id


def test_ast_5_a_batch_is_deduplicated_before_it_is_saved(memory: Memory) -> None:
    """AST-5: said three times in one session, kept once."""
    for _ in range(3):
        memory.observe("I work at a bakery", user="alex", session="s1", display_name="Alex")
    memory.settle(session="s1")
    assert [fact.text for fact in of_kind(memory, "fact")] == ["Alex works at a bakery"]


def test_ast_7_a_fact_that_left_is_in_no_index(memory: Memory, clock: ManualClock) -> None:
    """AST-7: soft-deleted by decay, it is found neither by words nor by its names; reflections are protected."""
    fact = memory.remember("Alex met Maria Silva at the fair", user="alex")
    reflection = memory.remember("A week of fairs", kind="reflection", user="alex")
    clock.pass_time(days=40)
    memory.tend()
    assert memory.get(fact.id).state == "faded"
    assert memory.get(reflection.id).confidence == reflection.confidence
    assert memory.recall("Maria Silva fair", user="alex", kinds=["fact"]) == []
    entity = memory.entity("Maria Silva", user="alex")
    assert entity is None or entity.records == ()


def test_ast_8_an_entity_has_a_name_a_type_aliases_and_a_count(memory: Memory) -> None:
    """AST-8: found again by any way to write it, never by a part of somebody's name."""
    for text in ("I met Dr. Maria Silva", "MARIA SILVA called", "maria silva wrote to me"):
        memory.observe(text, user="alex", session="s1")
    entity = memory.entity("maria silva", user="alex")
    assert entity is not None
    assert (entity.name, entity.type) == ("Maria Silva", "person")
    assert entity.mentions >= 2
    assert memory.entity("Silva", user="alex") is None


def test_ast_9_fast_rules_find_shapes_and_of_overlapping_names_the_surest_wins() -> None:
    """AST-9: mentions, hashtags, addresses, links and dates by pattern; then the surest, then the longest."""
    found = {
        m.type for m in RegexTagger().tag("@ana wrote #news to bo@example.org, see https://example.org on 2026-05-03")
    }
    assert {"mention", "hashtag", "email", "url", "date"} <= found
    short, long, sure = (
        Mention("Porto", "location", 0, 5, 0.6), Mention("Porto Alegre", "location", 0, 12, 0.6),
        Mention("Alegre", "person", 6, 12, 0.9),
    )  # fmt: skip
    assert merge_mentions([short, long]) == [long]
    assert merge_mentions([long, sure, short]) == [short, sure]


def test_ast_10_the_night_reads_records_with_few_names_again(open_memory: OpenMemory, clock: ManualClock) -> None:
    """AST-10: by an accurate tagger, once for each record; without one the job is skipped."""
    memory = open_memory("assistant", taggers=[PlaceTagger()])
    memory.observe("we hiked the serra da estrela", user="alex", session="s1")
    assert memory.entity("serra da estrela", user="alex") is None
    memory.tend()
    clock.pass_time(days=1)
    runs = [run for run in memory.tend() if run.name == "enrich"]
    assert [run.status for run in runs] == ["completed"]
    entity = memory.entity("serra da estrela", user="alex")
    assert entity is not None
    assert entity.type == "location"
    clock.pass_time(days=1)
    memory.tend()  # reads what the first night's own work had added
    clock.pass_time(days=1)
    assert [run.status for run in memory.tend() if run.name == "enrich"] == ["skipped"]


def test_ast_10_enrichment_is_skipped_without_an_accurate_tagger(memory: Memory, clock: ManualClock) -> None:
    """AST-10: the fast rules have seen everything already."""
    memory.observe("we hiked the serra da estrela", user="alex", session="s1")
    memory.tend()
    clock.pass_time(days=1)
    assert [run.status for run in memory.tend() if run.name == "enrich"] == ["skipped"]


def test_ast_11_a_week_becomes_one_reflection(memory: Memory, clock: ManualClock) -> None:
    """AST-11: on Sunday, from three facts or more, tagged weekly, not again within six days, and never fading."""
    memory.tend()
    tell(memory, clock, "I live in Porto", "I work at a bakery", "I have a dog called Bento", "I love sailing")
    clock.now = START.replace(day=8, hour=3, minute=30)
    memory.tend()
    (reflection,) = of_kind(memory, "reflection")
    assert reflection.tags == ("weekly",)
    assert len(reflection.sources) >= 3
    block = memory.context("hello", user="alex").text
    assert "Bento" in block[block.index("## Weekly insight") :]
    clock.pass_time(days=2)
    memory.tend()
    assert [record.id for record in of_kind(memory, "reflection")] == [reflection.id]


def test_ast_11_two_facts_are_too_few(memory: Memory, clock: ManualClock) -> None:
    """AST-11: a quiet week gets no reflection."""
    memory.tend()
    tell(memory, clock, "I live in Porto")
    clock.now = START.replace(day=8, hour=3, minute=30)
    memory.tend()
    assert of_kind(memory, "reflection") == []


def test_ast_12_words_names_and_vectors_are_fused(open_memory: OpenMemory) -> None:
    """AST-12: each signal says at which rank it found a hit; without an embedder the others go on."""
    memory = open_memory("assistant", embedder=CountingEmbedder())
    memory.observe("Maria Silva plays chess in Porto", user="alex", session="s1")
    memory.tend()
    signals = {s.name for s in memory.recall("Maria Silva chess", user="alex")[0].why.signals}
    assert {"words", "entities", "vectors"} <= signals
    memory.close()
    without = open_memory()
    assert {s.name for s in without.recall("Maria Silva chess", user="alex")[0].why.signals} == {"words", "entities"}
    assert presets.load_preset("assistant").recall.rrf_k == 60


def test_ast_13_vectors_of_two_models_never_mix(open_memory: OpenMemory) -> None:
    """AST-13: the model is recorded with each vector; another one finds none of them until all are made anew."""
    memory = open_memory("assistant", embedder=CountingEmbedder("old"))
    memory.observe("The ferry leaves at nine", user="alex", session="s1")
    memory.tend()
    assert memory.stats()["models"] == {"old": 1}
    memory.close()
    again = open_memory(embedder=CountingEmbedder("new"))
    hits = again.recall("The ferry leaves at nine", user="alex")
    assert "vectors" not in {s.name for s in hits[0].why.signals}
    assert again.jobs.reembed() == 1
    again.tend()
    again.tend()
    assert {name: count for name, count in again.stats()["models"].items() if count} == {"new": 1}
    hits = again.recall("The ferry leaves at nine", user="alex")
    assert "vectors" in {s.name for s in hits[0].why.signals}


def test_ast_14_the_agent_has_six_tools_and_not_the_consolidators(memory: Memory) -> None:
    """AST-14: search, remember, correct, confirm, count, and look up a name."""
    box = Toolbox(memory, Caller(user="alex", session="s1"))
    assert [tool.name for tool in box.tools()] == [
        "search_memory",
        "remember_fact",
        "correct_fact",
        "confirm_fact",
        "memory_stats",
        "get_entity_info",
    ]
    kept = box.call("remember_fact", {"content": "Alex met Maria Silva in Porto"}).value
    (found,) = box.call("search_memory", {"query": "who did Alex meet?"}).value
    assert found["id"] == kept["id"]
    right = box.call("correct_fact", {"fact_id": kept["id"], "content": "Alex met Maria Silva in Lisbon"}).value
    assert box.call("confirm_fact", {"fact_id": right["id"]}).value["id"] == right["id"]
    assert box.call("memory_stats", {}).value["by_kind"] == {"fact": 1}
    assert box.call("get_entity_info", {"name": "Maria Silva"}).value["found"]
    with pytest.raises(NotAllowed):
        box.call("save_facts_batch", {"session_id": "s1", "facts": []})


def test_ast_15_the_nightly_schedule(memory: Memory) -> None:
    """AST-15: enrichment at two, consolidation at three, decay at four, reflection on Sunday at three."""
    memory.tend()
    hours = {job.name: (job.due_at.isoweekday(), job.due_at.hour) for job in memory.jobs.all()}
    assert {name: hours[name][1] for name in ("enrich", "settle_pending", "fade")} == {
        "enrich": 2,
        "settle_pending": 3,
        "fade": 4,
    }
    assert hours["reflect"] == (7, 3)


def test_ast_16_a_host_plugs_in_context_tools_and_schedules(memory: Memory, clock: ManualClock) -> None:
    """AST-16: three small providers that know no framework."""
    tell(memory, clock, "I live in Porto with my dog Bento")
    caller = Caller(user="alex", session="new")
    assert "Bento" in ContextProvider(memory, caller).get_context("what is my dog called?")
    tools = {tool.name: tool for tool in ToolProvider.over(memory, caller).get_tools()}
    assert "Bento" in tools["search_memory"].call({"query": "dog"})
    schedules = ScheduleProvider(memory)
    assert {"fade", "reflect"} <= {schedule.job for schedule in schedules.get_schedules()}
    assert all(run.status != "failed" for run in schedules.run_due())


def test_ast_16_a_session_of_the_agents_sdk_is_remembered(memory: Memory) -> None:
    """AST-16: items come back as they were given, and what was said in them is found like any message."""
    items: list[dict[str, Any]] = [
        {"role": "user", "content": "I moved to Lisbon"}, {"role": "assistant", "content": "How do you like it?"},
    ]  # fmt: skip
    session = ToldonceSession("s1", memory, user="alex")

    async def talk() -> list[Any]:
        await session.add_items(items)
        return await session.get_items()

    assert asyncio.run(talk()) == items
    assert memory.recall("Lisbon", user="alex")
