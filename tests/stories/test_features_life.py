"""The life preset, feature by feature: what test_life.py does not tell yet, each by the id of its feature."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce import Memory, Record, presets
from toldonce.errors import InputError
from toldonce.recall.render import confidence_level
from toldonce.tools.definition import Caller
from toldonce.tools.table import Toolbox

AREAS = ("health", "finance", "relationships", "career", "growth", "leisure", "spirituality", "mental_health")


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("life", zone="America/Sao_Paulo")


def tell(memory: Memory, clock: ManualClock, *texts: str) -> None:
    """Each text in a session of its own, a day apart."""
    for text in texts:
        session = f"{clock.now:%m-%d}"
        memory.observe(text, user="maria", session=session, display_name="Maria")
        memory.settle(session=session)
        clock.pass_time(days=1)


def of_kind(memory: Memory, kind: str) -> list[Record]:
    return [h.record for h in memory.timeline("maria", kinds=[kind]) if h.action == "added"]


def box(memory: Memory, **caller: Any) -> Toolbox:
    return Toolbox(memory, Caller(user="maria", **caller))


def test_life_1_knowledge_has_a_type_an_area_a_source_and_evidence(memory: Memory) -> None:
    """LIFE-1: fact, preference, memory, insight and person; area and sub-area; title, tags, related items."""
    running = memory.remember(
        "Maria runs on Sundays", user="maria", metadata={"area": "health", "sub_area": "exercise"}
    )
    insight = memory.remember(
        "Maria sleeps better after running",
        kind="insight",
        user="maria",
        origin="ai_inference",
        title="Sleep",
        source=running.id,
        tags=["sleep"],
        metadata={"area": "health", "evidence": "three good nights after runs"},
    )
    assert (insight.kind, insight.title, insight.origin, insight.tags) == (
        "insight",
        "Sleep",
        "ai_inference",
        ("sleep",),
    )
    assert insight.sources == (running.id,)
    assert insight.metadata["evidence"] == "three good nights after runs"
    assert {"fact", "preference", "memory", "insight", "person"} <= set(presets.load_preset("life").kinds)


def test_life_1_there_are_eight_areas_with_icon_and_colour(memory: Memory) -> None:
    """LIFE-1: an area that is none of the eight is refused; a fact with a known attribute finds its own."""
    areas = presets.load_preset("life").areas
    assert tuple(areas) == AREAS
    assert all(a.icon and a.colour and a.sub_areas and set(a.label) == {"en", "pt"} for a in areas.values())
    with pytest.raises(InputError, match="health, finance"):
        memory.remember("Maria likes tea", user="maria", metadata={"area": "kitchen"})
    told = memory.remember("Maria weighs 60 kg", user="maria", subject="maria/weight")
    assert (told.metadata["area"], told.metadata["sub_area"]) == ("health", "body")


def test_life_1_people_carry_who_they_are(memory: Memory, clock: ManualClock) -> None:
    """LIFE-1: drawn from a conversation, a person has a name and what they are to the speaker."""
    tell(memory, clock, "My sister Ana is a nurse")
    people = [record.metadata["person"] for record in of_kind(memory, "person")]
    assert {"name": "Ana", "relationship": "sister"} in people


def test_life_2_confidence_has_three_levels_and_moves_with_the_persons_word(memory: Memory) -> None:
    """LIFE-2: high from 0.9, medium from 0.7; confirming adds 0.1 up to 1, rejecting hides the item."""
    guess = memory.remember("Maria may like jazz", kind="insight", user="maria", origin="ai_inference")
    assert [confidence_level(c) for c in (0.95, 0.9, 0.89, 0.7, 0.69, 0.5)] == [
        "high",
        "high",
        "medium",
        "medium",
        "low",
        "low",
    ]
    assert (guess.confidence, memory.confirm(guess.id).confidence) == (0.7, pytest.approx(0.8))
    assert memory.forget(guess.id).state == "forgotten"
    assert memory.recall("jazz", user="maria") == []


def test_life_3_the_compact_memory_stays_within_its_tokens(memory: Memory, clock: ManualClock) -> None:
    """LIFE-3: versioned, always in the prompt, goals before challenges before patterns; health before all of them."""
    tell(
        memory,
        clock,
        "I live in Recife. My goal is to run a marathon.",
        "I was diagnosed with asthma.",
        "I love samba.",
    )
    text = memory.context("what is the weather?", user="maria", session="new").text
    assert "Recife" in text
    assert text.index("Health") < text.index("Goals") < text.index("Patterns")
    order = list(presets.load_preset("life").documents["user_memory"].sections)
    assert order.index("goals") < order.index("challenges") < order.index("patterns")
    assert memory.profile("maria").version == 3


def test_life_4_the_night_runs_at_three_in_the_persons_own_zone(memory: Memory, clock: ManualClock) -> None:
    """LIFE-4: 03:00 in Lisbon for one, in São Paulo for another; five minutes, three retries, skipped without news."""
    memory.people.update("maria", zone="Europe/Lisbon")
    memory.people.update("joao")
    memory.tend()
    jobs = {job.key.rpartition(":")[2]: job for job in memory.jobs.all() if job.name == "consolidate"}
    assert jobs["maria"].due_at == datetime(2026, 3, 3, 3, tzinfo=UTC)
    assert jobs["joao"].due_at == datetime(2026, 3, 3, 6, tzinfo=UTC)
    assert (jobs["maria"].timeout.total_seconds(), jobs["maria"].max_attempts) == (300, 4)


def test_life_4_a_night_leaves_a_record_and_the_next_one_is_skipped(memory: Memory, clock: ManualClock) -> None:
    """LIFE-4: what was said is consolidated once, and the run says what it did."""
    memory.observe("I moved to Curitiba", user="maria", session="s1", display_name="Maria")
    memory.tend()
    clock.pass_time(days=1)
    memory.tend()
    clock.pass_time(days=1)
    memory.tend()
    later, first = [run.status for run in memory.jobs.runs(name="consolidate")][:2]
    assert (first, later) == ("completed", "skipped")
    assert memory.recall("Curitiba", user="maria", kinds=["fact"])


def test_life_5_the_night_draws_facts_preferences_and_changes(memory: Memory, clock: ManualClock) -> None:
    """LIFE-5: told facts at 0.95, with the compact memory updated in the same night."""
    memory.observe("I work at a bank. I love samba.", user="maria", session="s1", display_name="Maria")
    memory.tend()
    clock.pass_time(days=1)
    memory.tend()
    (fact,) = of_kind(memory, "fact")
    (preference,) = of_kind(memory, "preference")
    assert (fact.confidence, preference.confidence) == (0.95, 0.95)
    assert {"occupation", "patterns"} <= {entry.section for entry in memory.profile("maria").entries}


def test_life_6_a_weight_keeps_its_history_and_the_newest_counts(memory: Memory, clock: ManualClock) -> None:
    """LIFE-6: weight and height are series, addresses and jobs are replaced."""
    tell(memory, clock, "I weigh 62 kg", "I weigh 60 kg now")
    first, second = of_kind(memory, "fact")
    assert (memory.get(first.id).is_current, second.is_current) == (False, True)
    assert [r.metadata["value"] for r in memory.history(second.id).chain] == ["62 kg", "60 kg"]


def test_life_6_a_goal_ends_when_it_is_reached(memory: Memory, clock: ManualClock) -> None:
    """LIFE-6: other goals go on."""
    tell(
        memory, clock, "My goal is to run a marathon.", "My goal is to learn French.", "I finished the marathon today!"
    )
    goals = [r.text for r in memory.review.records("maria", kinds=["fact"]) if (r.subject or "").endswith("/goal")]
    assert not any("goal is to run" in text for text in goals)
    assert any("French" in text for text in goals)


def test_life_7_confidence_then_recency_decide_and_the_loser_keeps_its_own(memory: Memory, clock: ManualClock) -> None:
    """LIFE-7: a guess never replaces what was told; of two told things the newer counts."""
    told = memory.remember("Maria lives in Recife", user="maria", subject="maria/residence", confidence=0.95)
    clock.pass_time(days=1)
    memory.remember(
        "Maria lives in Olinda", user="maria", subject="maria/residence", confidence=0.7, origin="ai_inference"
    )
    assert memory.get(told.id).is_current
    clock.pass_time(days=1)
    newer = memory.remember("Maria lives in Curitiba", user="maria", subject="maria/residence", confidence=0.95)
    assert newer.is_current
    assert memory.get(told.id).confidence == 0.95


def test_life_9_tools_search_add_and_analyze(memory: Memory, clock: ManualClock) -> None:
    """LIFE-9: five hits by default and ten at most; an area is required; related facts, patterns, contradictions."""
    tools = box(memory)
    assert [tool.name for tool in tools.tools()] == [
        "search_knowledge",
        "add_knowledge",
        "analyze_context",
        "answer_question",
    ]
    with pytest.raises(InputError, match="area"):
        tools.call("add_knowledge", {"type": "fact", "content": "Maria saves money"})
    added = tools.call(
        "add_knowledge", {"type": "fact", "content": "Maria saves money for a flat", "area": "finance"}
    ).value
    assert (added["area"], added["confidence"]) == ("finance", 0.9)
    (found,) = tools.call("search_knowledge", {"query": "flat", "area": "finance"}).value
    assert found["id"] == added["id"]
    with pytest.raises(InputError, match="limit"):
        tools.call("search_knowledge", {"query": "flat", "limit": 11})
    about = tools.call("analyze_context", {"currentTopic": "money for the flat", "relatedAreas": ["finance"]}).value
    assert set(about) == {"relatedFacts", "patterns", "contradictions", "suggestedConnections"}
    assert [fact["id"] for fact in about["relatedFacts"]] == [added["id"]]


def test_life_10_the_person_views_adds_validates_deletes_and_sees_history(memory: Memory, clock: ManualClock) -> None:
    """LIFE-10: by area; what they add is certain and validated; what they delete is hidden and stays for audit."""
    tell(memory, clock, "I was diagnosed with asthma", "I work at a bank")
    health = memory.review.records("maria", where={"area": "health"})
    assert [record.text for record in health] == ["Maria was diagnosed with asthma"]
    added = memory.remember("Maria was born in Recife", user="maria", author="person")
    assert (added.validated, added.confidence, added.origin) == (True, 1.0, "user_input")
    assert memory.confirm(health[0].id).validated
    memory.forget(health[0].id, reason="not any more")
    assert memory.review.records("maria", where={"area": "health"}) == []
    assert [c.action for c in memory.history(health[0].id).changes] == ["confirmed", "forgotten"]


def test_life_12_a_summary_for_the_doctor(memory: Memory, clock: ManualClock) -> None:
    """LIFE-12: measures with their history, conditions, medication, symptoms in their own words; as Markdown."""
    tell(
        memory,
        clock,
        "I weigh 62 kg",
        "I weigh 60 kg now. I've had a headache for three days.",
        "I was diagnosed with asthma. I take metformin every morning.",
        "My wife has a fever",
    )
    report = memory.report("appointment", "maria")
    for words in ("60 kg", "62 kg", "−2 kg", "headache", "asthma", "metformin"):
        assert words in report.text
    assert "fever" not in report.text
    assert all(memory.get(source) for source in report.sources)


def test_life_12_weekly_and_monthly_reports_come_by_themselves(memory: Memory, clock: ManualClock) -> None:
    """LIFE-12: kept as records, on Monday and on the first of the month, in the person's own zone."""
    tell(memory, clock, "I moved to Curitiba")
    for _ in range(32):
        clock.pass_time(days=1)
        memory.tend()
    titles = [record.title for record in of_kind(memory, "report")]
    assert titles == ["The week of 2 March 2026 to 8 March 2026", "The month of 1 March 2026 to 31 March 2026"]


def test_life_13_everything_is_exported_in_time_order_with_what_is_current(
    memory: Memory, clock: ManualClock, tmp_path: Path
) -> None:
    """LIFE-13: as JSON or Markdown, replaced items included."""
    tell(memory, clock, "I live in Recife", "I moved to Curitiba")
    memory.export(tmp_path / "me.json", user="maria")
    told = json.loads((tmp_path / "me.json").read_text(encoding="utf-8"))["records"]
    assert [r["at"] for r in told] == sorted(r["at"] for r in told)
    current = {r["content"]: r["is_current"] for r in told if r["type"] == "fact"}
    assert current == {"Maria lives in Recife": False, "Maria moved to Curitiba": True}
    memory.export(tmp_path / "me.md", user="maria")
    assert "~~Maria lives in Recife~~" in (tmp_path / "me.md").read_text(encoding="utf-8")


def test_life_15_patterns_over_time_become_insights(memory: Memory, clock: ManualClock) -> None:
    """LIFE-15: what several records suggest and none says, with the records and the evidence."""
    for kilos in (66, 65, 63, 62):
        memory.observe(f"I weigh {kilos} kg now", user="maria", session=f"{clock.now:%m-%d}", display_name="Maria")
        clock.pass_time(days=6)
        memory.tend()
    insight = of_kind(memory, "insight")[-1]
    assert "gone down from 66 kg (2 March 2026) to" in insight.text
    assert (insight.origin, insight.confidence) == ("ai_inference", 0.7)
    assert len(insight.sources) >= 3
    assert insight.metadata["evidence"]


def test_life_16_reports_questions_and_profiles_speak_portuguese(memory: Memory, clock: ManualClock) -> None:
    """LIFE-16: said in Portuguese, told in Portuguese."""
    tell(memory, clock, "Eu moro em Recife", "Estou pesando 62 quilos. Estou com dor de cabeça desde ontem.")
    assert "mora em Recife" in [entry.text for entry in memory.profile("maria").entries]
    report = memory.report("appointment", "maria").text
    assert "Resumo para uma consulta médica" in report
    assert "Sintomas desde" in report
    memory.confirm(memory.recall("Recife", user="maria", kinds=["fact"])[0].record.id)
    tell(memory, clock, "Eu moro em Curitiba")
    (question,) = memory.questions("maria")
    assert "“Maria mora em Curitiba”. Mudou alguma coisa?" in question.text
    assert "Curitiba" in memory.answer(question.id, "Sim, me mudei").text
