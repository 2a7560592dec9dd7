"""What people say is kept in their own words, about whom it is, and until they say otherwise."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce import Memory
from toldonce.distil.drafts import ConversationMessage
from toldonce.distil.statements.reading import find_statements, load_weights, read_claim, score_statement
from toldonce.distil.statements.succession import Stated, find_ending, split_statement
from toldonce.lang.vocabulary import normalise_spelling

START = datetime(2026, 3, 2, 9, tzinfo=UTC)


def talk(*lines: str) -> list[ConversationMessage]:
    """Messages of "name: text"; the name "bot" is the assistant's."""
    said = []
    for place, line in enumerate(lines):
        who, _, text = line.partition(": ")
        role = "assistant" if who == "bot" else "user"
        at = START + timedelta(minutes=place)
        said.append(ConversationMessage(f"m{place}", text, who, role, at, "" if role == "assistant" else who.title()))
    return said


def rest(older: str, newer: str, language: str, *, days: int = 20) -> str | None:
    """What is left of an older statement of one person after a newer one."""
    first = Stated(older, language, "kim", START)
    second = Stated(newer, language, "kim", START + timedelta(days=days))
    ending = find_ending(second, first, weights=load_weights(), counts={})
    return ending.rest if ending else None


def test_a_statement_stands_where_its_evidence_is() -> None:
    message = "hey hey. im allergic to kiwi btw!! how are you"
    found = find_statements(talk(f"kim: {message}"))
    kiwi = next(draft for draft in found if "kiwi" in draft.words)
    assert message[kiwi.start : kiwi.end] == kiwi.words
    assert kiwi.source == "m0"
    assert kiwi.type == "health"


def test_spoken_spelling_is_read_and_never_written() -> None:
    text = "Im gonna move, dont tell em"
    usual = normalise_spelling(text, "en")
    assert usual.text == "i'm going to move, don't tell them"
    assert text[usual.places[usual.text.index("move")] :].startswith("move")
    assert [draft.words for draft in find_statements(talk(f"kim: {text}"))] == [text]


@pytest.mark.parametrize(
    ("text", "language", "usual"),
    [("vc tá bem? tô indo pra casa", "pt", "voce esta bem? estou indo para casa"),
     ("xq no vienes tb", "es", "porque no vienes tambien")],
)  # fmt: skip
def test_each_language_has_its_own_spelling(text: str, language: str, usual: str) -> None:
    assert normalise_spelling(text, language).text == usual


def test_a_short_answer_keeps_its_question() -> None:
    found = find_statements(talk("bot: I see. Which shoulder is it?", "kim: the left one"))
    assert found[-1].question == "Which shoulder is it?"
    assert "shoulder" in found[-1].text and found[-1].words == "the left one"


def test_taking_up_a_proposal_keeps_the_proposal() -> None:
    found = find_statements(
        talk("bot: The cache key misses the locale. Adding it to the key fixes the bug.", "kim: yes do that")
    )
    assert "locale" in found[-1].text
    assert found[-1].words == "yes do that"


def test_a_pronoun_stands_for_whom_was_named_last() -> None:
    found = find_statements(
        talk("kim: my brother Theo is in Leeds for work", "kim: he can't eat shellfish, ends up in hospital")
    )
    assert found[-1].about == ("theo",)
    assert "Theo" in found[-1].text


def test_pronomes_em_portugues() -> None:
    found = find_statements(talk("kim: minha irmã Lara mudou pra Recife", "kim: ela não come camarão, passa mal"))
    assert found[-1].about == ("lara",)


@pytest.mark.parametrize(
    ("kept", "left", "language"),
    [
        ("im a nurse at the children's hospital and i work nights", "haha good one", "en"),
        ("my daughter Ines is allergic to walnuts", "how are you doing today?", "en"),
        ("the dentist put me on amoxicillin 500 mg three times a day", "if i won the lottery i'd buy an island", "en"),
        ("minha mãe Odete toma losartana 50 mg de manhã", "kkkk boa", "pt"),
        ("sou alérgica a dipirona", "bom dia, tudo bem?", "pt"),
        ("mi hijo Bruno es celíaco, nada de gluten", "jajaja qué bueno", "es"),
        ("trabajo en una imprenta de lunes a viernes", "hola, ¿qué tal?", "es"),
    ],
)
def test_what_a_listener_would_keep_scores_above_small_talk(kept: str, left: str, language: str) -> None:
    least = load_weights()["least"]["worth"]
    assert score_statement(read_claim(kept, language)) >= least
    assert score_statement(read_claim(left, language)) < least


@pytest.mark.parametrize(
    ("older", "newer", "language"),
    [
        ("im on sertraline 50 mg every morning", "sertraline's been upped to 100 mg", "en"),
        ("pottery class is on tuesdays at 6", "pottery's moved to thursdays", "en"),
        ("we're going to Porto in june", "porto is off, too expensive", "en"),
        ("please never use bullet points", "you can use bullet points again", "en"),
        ("faço natação toda terça às 7", "larguei a natação, sem tempo", "pt"),
        ("tomo rivotril 2 mg de noite", "a médica baixou o rivotril pra 1 mg", "pt"),
        ("salgo a correr los lunes", "ya no salgo a correr, me duele la rodilla", "es"),
        ("tomo enalapril 10 mg cada noche", "me subieron el enalapril a 20 mg", "es"),
    ],
)
def test_a_change_of_mind_ends_what_was_said_before(older: str, newer: str, language: str) -> None:
    assert rest(older, newer, language) == ""


@pytest.mark.parametrize(
    ("older", "newer", "language"),
    [
        ("my sister Ruth is allergic to wasps", "the bus was late again today", "en"),
        ("my brother drives a taxi in Cork", "my brother drives a taxi in Cork, he hates the ring road", "en"),
        ("i work at the library on mondays", "had soup for lunch, it was fine", "en"),
        ("meu filho Davi tem asma", "comprei um sofá novo ontem", "pt"),
        ("vivo en Rosario con mi hermana", "ayer vi una película buenísima", "es"),
    ],
)
def test_something_else_ends_nothing(older: str, newer: str, language: str) -> None:
    assert rest(older, newer, language) is None


@pytest.mark.parametrize(
    ("text", "language", "denied"),
    [
        ("my brother drives a taxi, he hates the ring road", "en", ("ring", "road", "hate")),
        ("moro no Porto, não gosto do frio", "pt", ("frio",)),
        ("no, never", "en", ("smoke",)),
    ],
)
def test_only_the_clause_with_the_negation_is_denied(text: str, language: str, denied: tuple[str, ...]) -> None:
    claim = read_claim(text, language, context="do you smoke?" if denied == ("smoke",) else "")
    assert {stem for stem in claim.content if stem in claim.denied} == set(denied)


def test_what_is_not_over_stays() -> None:
    older = "I do pilates on mondays. My son Theo is allergic to peanuts and carries an EpiPen."
    assert rest(older, "i quit pilates, too dear", "en") == "My son Theo is allergic to peanuts and carries an EpiPen."


def test_a_statement_is_split_where_a_new_subject_begins() -> None:
    assert split_statement("im a nurse at st james and my wife runs a bakery", "en") == [
        "im a nurse at st james and", "my wife runs a bakery",
    ]  # fmt: skip


def statements(memory: Memory, user: str) -> dict[str, str]:
    """What stands among a person's statements, with the state of each."""
    found = [memory.get(entry.record.id) for entry in memory.timeline(user=user, limit=500)]
    return {record.text: record.state for record in found if "words" in record.metadata}


def test_a_statement_outlives_the_message_of_a_companion(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("companion")
    memory.observe("my sister Wilma is allergic to bee stings", user="otto", session="a", display_name="Otto")
    memory.settle()
    clock.pass_time(days=60)
    memory.tend()
    block = memory.context("Wilma is coming to the picnic, anything to look out for?", user="otto", session="b")
    assert "bee stings" in block.text


def test_what_is_over_names_what_replaced_it(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("assistant")
    memory.observe("choir practice is on mondays at 7, old school hall", user="otto", session="a", display_name="Otto")
    memory.settle()
    clock.pass_time(days=10)
    memory.observe("choir's moved to wednesdays, same place", user="otto", session="b", display_name="Otto")
    memory.settle()
    found = statements(memory, "otto")
    older = next(text for text in found if "mondays" in text)
    assert found[older] == "superseded"
    newer = next(text for text in found if "wednesdays" in text)
    assert found[newer] == "active"
    known = [memory.get(entry.record.id) for entry in memory.timeline(user="otto")]
    record = next(one for one in known if one.text == older and "words" in one.metadata)
    assert record.superseded_by is not None
    assert memory.get(record.superseded_by).text == newer


def test_a_validated_statement_is_never_ended_by_another(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("assistant")
    memory.observe("im on ramipril 5 mg every morning", user="otto", session="a", display_name="Otto")
    memory.settle()
    record = next(
        one for entry in memory.timeline(user="otto") if "words" in (one := memory.get(entry.record.id)).metadata
    )
    memory.confirm(record.id)
    clock.pass_time(days=10)
    memory.observe("ramipril's been upped to 10 mg", user="otto", session="b", display_name="Otto")
    memory.settle()
    assert memory.get(record.id).state == "active"
