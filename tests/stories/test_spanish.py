"""Spanish, as people write it: the assistant and life presets with users from both sides of the Atlantic."""

from __future__ import annotations

import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce import Memory


@pytest.fixture
def assistant(open_memory: OpenMemory) -> Memory:
    return open_memory("assistant", zone="Europe/Madrid")


@pytest.fixture
def life(open_memory: OpenMemory) -> Memory:
    return open_memory("life", zone="America/Mexico_City")


def tell(memory: Memory, clock: ManualClock, *texts: str, session: str) -> None:
    for text in texts:
        memory.observe(text, user="lucia", session=session, display_name="Lucía")
    memory.settle(session=session)
    clock.pass_time(days=1)


def known(memory: Memory, words: str, kind: str = "fact") -> list[str]:
    return [hit.record.text for hit in memory.recall(words, user="lucia", kinds=[kind], limit=10)]


def test_what_she_tells_of_herself_becomes_facts(assistant: Memory, clock: ManualClock) -> None:
    """Facts come out of casual messages, in Spanish and in the third person."""
    tell(
        assistant,
        clock,
        "holaa, pues nada, que vivo en Sevilla con mi novio",
        "trabajo de enfermera en el Hospital Macarena, hoy salgo tarde",
        "soy alérgica a los frutos secos así que cuidado con las recetas jaja",
        session="uno",
    )
    assert "Lucía vive en Sevilla con su novio" in known(assistant, "¿dónde vivo?")
    assert "Lucía trabaja de enfermera" in known(assistant, "¿cuál es mi profesión?")
    assert "Lucía es alérgica a los frutos secos" in known(assistant, "¿tengo alguna alergia?")


@pytest.mark.parametrize("moved", ["al final me he mudado a Bilbao, qué locura", "me mudé a Bilbao la semana pasada"])
def test_a_move_supersedes_the_old_address(life: Memory, clock: ManualClock, moved: str) -> None:
    """A newer residence replaces the older one, whichever way the past is formed."""
    tell(life, clock, "vivo en Cádiz", session="uno")
    tell(life, clock, moved, session="dos")
    assert known(life, "Cádiz") == []
    assert len(known(life, "Bilbao")) == 1


def test_standing_wishes_are_kept_and_taken_back(assistant: Memory, clock: ManualClock) -> None:
    """An instruction in Spanish holds until the person takes it back."""
    tell(assistant, clock, "porfa, de ahora en adelante usa viñetas", "no uses emojis", session="uno")
    rules = known(assistant, "viñetas emojis", kind="instruction")
    assert sorted(rules) == [
        "Lucía quiere que el asistente no use emojis",
        "Lucía quiere que el asistente use viñetas",
    ]
    tell(assistant, clock, "ya puedes volver a usar emojis", session="dos")
    assert "Lucía quiere que el asistente no use emojis" not in known(assistant, "emojis", kind="instruction")


def test_the_prompt_block_speaks_spanish(assistant: Memory, clock: ManualClock) -> None:
    """Headings, dates and labels follow the language of the person's own words."""
    tell(assistant, clock, "prefiero que las respuestas sean cortas", "me encanta el cine coreano", session="uno")
    block = assistant.context("¿qué película me recomiendas?", user="lucia", session="dos").text
    assert "## Preferencias permanentes" in block
    assert "Standing preferences" not in block


def test_yesterday_is_written_as_a_date(assistant: Memory, clock: ManualClock) -> None:
    """What was relative to the day it was said stays true later."""
    tell(assistant, clock, "ayer compré una bici de segunda mano", session="uno")
    assert all("ayer" not in text for text in known(assistant, "bici"))
    assert any("una bici de segunda mano" in text for text in known(assistant, "bici"))


def test_her_people_and_pets_are_known_by_name(life: Memory, clock: ManualClock) -> None:
    """Those whom she names belong to her, with what they are to her."""
    tell(life, clock, "mi hermana Tere vive en Puebla", "tengo un perro que se llama Frijol", session="uno")
    assert "Tere es hermana de Lucía" in known(life, "Tere", kind="person")
    assert "Tere, hermana de Lucía, vive en Puebla" in known(life, "Tere", kind="person")
    assert "Frijol es perro de Lucía" in known(life, "Frijol")


def test_a_doubt_is_asked_in_spanish_and_settled_by_her_answer(life: Memory, clock: ManualClock) -> None:
    """What she validated is not overwritten: she is asked, in her language, and her answer decides."""
    told = life.remember("Lucía vive en Guadalajara", user="lucia", author="person", subject="lucia/residence")
    assert told.validated
    clock.pass_time(days=1)
    tell(life, clock, "ahorita vivo en Monterrey", session="uno")
    asked = life.questions(user="lucia")
    assert len(asked) == 1
    assert asked[0].text.startswith("Antes entendí: “Lucía vive en Guadalajara”")
    life.answer(asked[0].id, "sí, cambió", user="lucia")
    assert known(life, "vive") == ["Lucía vive en Monterrey"]


def test_the_compact_memory_has_spanish_sections(life: Memory, clock: ManualClock) -> None:
    """The document that is always in the prompt is headed in her language."""
    tell(life, clock, "me llamo Lucía y soy diseñadora", "tengo 34 años", "mi meta es correr un maratón", session="uno")
    life.tend()
    block = life.context("¿qué hago este finde?", user="lucia", session="dos").text
    assert "## Sobre la persona" in block
    assert {"Edad:", "Objetivos:"} <= set(block.splitlines())


def test_the_report_for_her_doctor_is_in_spanish(life: Memory, clock: ManualClock) -> None:
    """Symptoms, medication and conditions are found by Spanish words and told under Spanish headings."""
    tell(
        life,
        clock,
        "tengo diabetes y tomo metformina todos los días",
        "llevo una semana con dolor de cabeza",
        session="uno",
    )
    report = life.report("appointment", user="lucia")
    assert report.title.startswith("Resumen para una cita médica")
    assert "## Condiciones, alergias, dieta" in report.text
    assert "dolor de cabeza" in report.text


def test_the_stored_language_decides_over_a_single_message(assistant: Memory) -> None:
    """A language that was set for the person holds, whatever one message is written in."""
    assistant.people.update("lucia", language="es-MX")
    assistant.observe("The wifi code is on the fridge", user="lucia", session="uno")
    block = assistant.context("where is the wifi code?", user="lucia", session="dos").text
    assert "## Lo que se dijo" in block


def test_a_report_is_written_in_the_language_stored_with_the_person(open_memory: OpenMemory) -> None:
    """Records may be in any language; the person reads the one they chose."""
    memory = open_memory("life")
    memory.observe("I weigh 72 kg today", user="ana", session="s")
    memory.settle()
    english = memory.report("appointment", "ana").text
    memory.people.update("ana", language="es-MX")
    spanish = memory.report("appointment", "ana").text
    assert "Weight: 72 kg" in english and "Sources" in english
    assert "72 kg" in spanish and "Sources" not in spanish and "Fuentes" in spanish
