"""What people take for granted of themselves while they ask something else is kept, and nothing of anybody else."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from toldonce.distil.drafts import ConversationMessage
from toldonce.distil.extract import extract_facts

AT = datetime(2024, 5, 3, 10, tzinfo=UTC)

GRANTED = [
    ("What do you think about my preference for small theatres over big halls?",
     "Alex prefers small theatres over big halls"),
    ("Given my preference for short answers, how would you explain this?", "Alex prefers short answers"),
    ("Considering my love of jazz, what should I listen to?", "Alex loves jazz"),
    ("Do you remember my love for old maps?", "Alex loves old maps"),
    ("What can I do about my dislike of crowds?", "Alex dislikes crowds"),
    ("How do I deal with my fear of flying?", "Alex is afraid of flying"),
    ("What can I cook given my peanut allergy?", "Alex has a peanut allergy"),
    ("What snacks fit my egg allergy?", "Alex has an egg allergy"),
    ("Is there a cure for my allergies?", "Alex has allergies"),
    ("Because of my allergy to nuts I can't eat there.", "Alex has an allergy to nuts"),
    ("Can I run with my asthma?", "Alex has asthma"),
    ("As someone who hates crowds, where should I travel?", "Alex hates crowds"),
    ("As someone who is allergic to shellfish, can I eat this?", "Alex is allergic to shellfish"),
    ("As someone with ADHD, how do I focus?", "Alex has ADHD"),
    ("So as a vegan, where can I eat in Rome?", "Alex is vegan"),
    ("Dada a minha preferência por respostas curtas, como você explicaria isso?", "Alex prefere respostas curtas"),
    ("O que posso comer com a minha alergia a amendoim?", "Alex tem alergia a amendoim"),
    ("Considerando meu medo de avião, o que você sugere?", "Alex tem medo de avião"),
    ("Como alguém que prefere trabalhar cedo, como organizo meu dia?", "Alex prefere trabalhar cedo"),
    ("Como vegetariano, o que devo pedir?", "Alex é vegetariano"),
]  # fmt: skip

NOT_GRANTED = [
    "I finally got over my fear of flying.",
    "I was cured of my allergy to cats.",
    "I don't have a preference for window seats.",
    "Does my preference for tea matter?",
    "How does my allergy to nuts affect travel?",
    "What about my son's allergy to milk?",
    "What gifts match my wife's preference for silver?",
    "I see her as someone who hates conflict.",
    "He spoke to me as someone who loves cats would.",
    "Pretend you know of my love of jazz.",
    "As a joke, what would you say?",
    "Fui curado da minha alergia a gatos.",
    "Vejo ela como alguém que odeia brigas.",
]


def _told(text: str) -> list[str]:
    return [
        draft.text
        for draft in extract_facts([ConversationMessage("m1", text, "alex", "user", AT, "Alex")], subjects={})
    ]


@pytest.mark.parametrize(("sentence", "text"), GRANTED)
def test_what_a_question_takes_for_granted_is_kept(sentence: str, text: str) -> None:
    assert _told(sentence) == [text]


@pytest.mark.parametrize("sentence", NOT_GRANTED)
def test_what_is_not_granted_is_left_alone(sentence: str) -> None:
    assert _told(sentence) == []


def test_what_is_granted_points_at_its_words() -> None:
    said = "Thanks! What can I cook given my peanut allergy, please?"
    [draft] = extract_facts([ConversationMessage("m1", said, "alex", "user", AT, "Alex")], subjects={})
    assert said[draft.start : draft.end] == "given my peanut allergy"
    assert (draft.subject, draft.value) == ("alex/allergy", "peanut allergy")
