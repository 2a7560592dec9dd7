"""The life preset: knowledge about one person, which that person sees, corrects and has the last word on."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce import Memory
from toldonce.errors import InputError


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("life", zone="America/Sao_Paulo")


def tell(memory: Memory, clock: ManualClock, text: str, *, session: str) -> None:
    memory.observe(text, user="maria", session=session, display_name="Maria")
    memory.settle(session=session)
    clock.pass_time(days=1)


def current(memory: Memory, words: str) -> list[str]:
    return [hit.record.text for hit in memory.recall(words, user="maria", kinds=["fact"])]


def test_confidence_depends_on_where_knowledge_comes_from(memory: Memory) -> None:
    """LIFE-2: Told by the person 1.0 and validated; drawn from conversation 0.95; inferred 0.7."""
    told = memory.remember("Maria was born in Recife", user="maria", author="person")
    heard = memory.remember("Maria runs on Sundays", user="maria", origin="conversation")
    inferred = memory.remember("Maria sleeps better after running", kind="insight", user="maria", origin="ai_inference")
    assert (told.confidence, told.validated) == (1.0, True)
    assert (heard.confidence, inferred.confidence) == (0.95, 0.7)


def test_a_move_replaces_the_old_address_and_keeps_it_in_history(memory: Memory, clock: ManualClock) -> None:
    """LIFE-6, LIFE-7: The loser keeps its confidence, and gets superseded-by and when."""
    tell(memory, clock, "I live in Recife", session="s1")
    old = memory.recall("Recife", user="maria", kinds=["fact"])[0].record
    tell(memory, clock, "I moved to Curitiba", session="s2")
    assert memory.recall("Recife", user="maria", kinds=["fact"]) == []
    gone = memory.get(old.id)
    assert (gone.state, gone.confidence) == ("superseded", 0.95)
    assert gone.superseded_by == memory.recall("Curitiba", user="maria", kinds=["fact"])[0].record.id


def test_the_past_can_be_asked_for(memory: Memory, clock: ManualClock) -> None:
    """`as_of` answers from what was believed then."""
    tell(memory, clock, "I live in Recife", session="s1")
    then = clock.now - timedelta(hours=1)
    tell(memory, clock, "I moved to Curitiba", session="s2")
    hits = memory.recall("live moved", user="maria", kinds=["fact"], as_of=then)
    assert len(hits) == 1
    assert "Recife" in hits[0].record.text


def test_what_the_person_validated_is_never_overwritten(memory: Memory, clock: ManualClock) -> None:
    """LIFE-7: A contradiction of a validated fact becomes a question, and the fact stays."""
    tell(memory, clock, "I live in Recife", session="s1")
    fact = memory.recall("Recife", user="maria", kinds=["fact"])[0].record
    memory.confirm(fact.id)
    tell(memory, clock, "I live in Curitiba", session="s2")
    assert memory.get(fact.id).state == "active"
    (question,) = memory.questions("maria")
    assert question.older == fact.id


def test_the_next_context_asks_and_the_answer_settles_it(memory: Memory, clock: ManualClock) -> None:
    """LIFE-8: The doubt stands in the block; 'yes, I moved' makes the newer record count."""
    tell(memory, clock, "I live in Recife", session="s1")
    memory.confirm(memory.recall("Recife", user="maria", kinds=["fact"])[0].record.id)
    tell(memory, clock, "I live in Curitiba", session="s2")
    context = memory.context("good morning", user="maria", session="s3")
    assert len(context.questions) == 1
    assert "To clear up gently" in context.text
    kept = memory.answer(context.questions[0].id, "Yes, I moved to Curitiba")
    assert "Curitiba" in kept.text
    assert kept.validated
    assert memory.questions("maria") == []
    assert memory.recall("Recife", user="maria", kinds=["fact"]) == []


def test_the_answer_no_keeps_the_older_fact(memory: Memory, clock: ManualClock) -> None:
    """LIFE-8: The newer record is forgotten."""
    tell(memory, clock, "I live in Recife", session="s1")
    memory.confirm(memory.recall("Recife", user="maria", kinds=["fact"])[0].record.id)
    tell(memory, clock, "I live in Curitiba", session="s2")
    kept = memory.answer(memory.questions("maria")[0].id, "No, nothing changed")
    assert "Recife" in kept.text
    assert memory.recall("Curitiba", user="maria", kinds=["fact"]) == []


def test_correcting_makes_a_certain_record_and_keeps_the_old_one(memory: Memory, clock: ManualClock) -> None:
    """LIFE-10: The new item is validated at 1.0; history shows both."""
    wrong = memory.remember("Maria works at a bank", user="maria", origin="ai_inference")
    clock.pass_time(hours=1)
    right = memory.correct(wrong.id, "Maria works at a school")
    assert (right.confidence, right.validated) == (1.0, True)
    assert memory.get(wrong.id).state == "superseded"
    assert [r.id for r in memory.history(right.id).chain] == [wrong.id, right.id]


def test_the_compact_profile_is_always_in_the_prompt(memory: Memory, clock: ManualClock) -> None:
    """LIFE-3: Goals before challenges before patterns, versioned, within its tokens."""
    tell(memory, clock, "I live in Recife. My goal is to run a marathon.", session="s1")
    profile = memory.profile("maria")
    assert profile.version == 1
    assert {"location", "goals"} <= {entry.section for entry in profile.entries}
    assert "Recife" in memory.context("what is the weather?", user="maria", session="s2").text
    tell(memory, clock, "I moved to Curitiba", session="s3")
    after = memory.profile("maria")
    assert after.version == 2
    assert [e.text for e in after.entries if e.section == "location"] != [
        e.text for e in profile.entries if e.section == "location"
    ]


def test_it_works_in_portuguese(memory: Memory, clock: ManualClock) -> None:
    """LIFE-16: Statements, subjects and questions in Portuguese."""
    tell(memory, clock, "Eu moro em Recife", session="s1")
    tell(memory, clock, "Me mudei para Curitiba", session="s2")
    hits = memory.recall("onde a Maria mora?", user="maria", kinds=["fact"])
    assert "Curitiba" in hits[0].record.text
    assert all("Recife" not in hit.record.text for hit in hits)


def test_a_day_ends_a_conversation_in_the_owners_zone(memory: Memory, clock: ManualClock) -> None:
    """23:30 in São Paulo is the same day as 22:00, though it is another one in UTC."""
    clock.pass_time(hours=16)  # 22:00 in São Paulo
    memory.observe("I had soup", user="maria", session="s1")
    clock.pass_time(hours=1.5)
    memory.observe("And bread", user="maria", session="s1")
    assert not [run for run in memory.tend() if run.name == "settle"]
    clock.pass_time(hours=1)
    assert [run.status for run in memory.tend() if run.name == "settle"] == ["completed"]


HEALTH_TOLD = {
    "en": ("im allergic to penicillin btw", "doc put me on lisinopril 10mg, mornings", "they upped lisinopril to 20mg"),
    "pt": ("ah, sou alérgica a dipirona", "o médico passou losartana 25mg de manhã", "aumentaram a losartana pra 50mg"),
    "es": ("soy alérgica a la penicilina eh", "el médico me puso losartán 25mg", "me subieron el losartán a 50mg"),
}  # fmt: skip


@pytest.mark.parametrize("language", HEALTH_TOLD)
def test_health_stands_in_the_compact_memory_at_once(memory: Memory, clock: ManualClock, language: str) -> None:
    """An allergy and the newest dose are there after the conversation, whatever is asked; the old dose is not."""
    allergy, first, newer = HEALTH_TOLD[language]
    for place, text in enumerate((allergy, first, newer)):
        tell(memory, clock, text, session=f"s{place}")
    lines = [entry.text for entry in memory.profile("maria").entries if entry.section == "health"]
    assert any(word in line for line in lines for word in ("penicil", "dipirona"))
    assert any(newer[-4:] in line for line in lines)
    assert not any(first.split("mg")[0][-2:] + "mg" in line for line in lines)
    shown = memory.context("what is the weather?", user="maria", session="new", budget=400).text
    assert newer[-4:] in shown


def test_the_compact_memory_has_places_for_what_matters(memory: Memory, clock: ManualClock) -> None:
    """Health, diet, family, home, work and schedule, from what was said in passing."""
    told = (
        "my son Theo is 7 and he's coeliac",
        "stopped eating meat in january",
        "we moved to a flat in Porto last month",
        "im a nurse at the children's hospital, full time",
        "yoga every tuesday and thursday at 7",
    )
    for place, text in enumerate(told):
        tell(memory, clock, text, session=f"s{place}")
    sections = {entry.section for entry in memory.profile("maria").entries}
    assert {"health", "diet", "location", "occupation", "schedule"} <= sections


def test_the_compact_memory_survives_the_night(memory: Memory, clock: ManualClock) -> None:
    """Consolidation keeps the lines that statements made."""
    tell(memory, clock, "im allergic to penicillin btw", session="s1")
    before = [entry.text for entry in memory.profile("maria").entries]
    clock.pass_time(days=1)
    memory.tend()
    assert [entry.text for entry in memory.profile("maria").entries if entry.section == "health"] == before


def test_a_plan_leaves_the_compact_memory_when_its_day_is_over(memory: Memory, clock: ManualClock) -> None:
    """What is over is not shown, though nobody said anything since."""
    tell(memory, clock, "got tickets for a concert in Braga on 20 March", session="s1")
    assert [entry.section for entry in memory.profile("maria").entries] == ["top_of_mind"]
    clock.pass_time(days=30)
    assert memory.profile("maria").entries == ()


def test_a_statement_in_the_compact_memory_is_not_repeated_below(memory: Memory, clock: ManualClock) -> None:
    """A prompt block says a thing once."""
    tell(memory, clock, "im allergic to penicillin btw", session="s1")
    block = memory.context("any allergies to penicillin?", user="maria", session="new")
    assert block.text.count("allergic to penicillin") == 1


def test_an_answer_that_is_no_text_is_refused(memory: Memory, clock: ManualClock) -> None:
    tell(memory, clock, "I live in Recife", session="s1")
    memory.confirm(memory.review.records("maria")[0].id)
    tell(memory, clock, "I live in Olinda", session="s2")
    (question,) = memory.questions("maria")
    for nothing in (5, None, "  "):
        with pytest.raises(InputError):
            memory.answer(question.id, nothing)  # type: ignore[arg-type]
    assert memory.questions("maria") == [question]
