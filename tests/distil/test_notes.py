"""Notes made by rule: a title people recognise, telling sentences with their speakers, nothing for small talk."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from toldonce.distil.drafts import ConversationMessage, NoteDraft
from toldonce.distil.notes import write_note

AT = datetime(2024, 5, 3, 10, tzinfo=UTC)


def conversation(*lines: tuple[str, str]) -> list[ConversationMessage]:
    return [
        ConversationMessage(
            f"m{n}", text, name.lower(), "assistant" if name == "Bot" else "user", AT + timedelta(minutes=n), name
        )
        for n, (name, text) in enumerate(lines)
    ]


def noted(*lines: tuple[str, str]) -> NoteDraft:
    draft = write_note(conversation(*lines))
    assert draft is not None
    return draft


MOVE = (
    ("Alex", "Hey Sam! How are you?"),
    ("Sam", "Good, thanks! And you?"),
    ("Alex", "I moved to Lisbon last week and started a new job at Acme."),
    ("Sam", "Wow, congrats! Is the apartment in Lisbon big?"),
    ("Alex", "Small, but my dog Rex loves the balcony."),
    ("Sam", "I signed up for a pottery class in Porto, so I will visit Lisbon soon."),
    ("Alex", "Great, talk soon!"),
)
MUDANÇA = (
    ("Alex", "Oi Sam, tudo bem?"),
    ("Sam", "Tudo, e você?"),
    ("Alex", "Me mudei para Lisboa na semana passada e comecei na Acme."),
    ("Sam", "Que legal! O apartamento em Lisboa é grande?"),
    ("Alex", "Pequeno, mas meu cachorro Rex adora a varanda."),
)


def test_title_names_what_the_talk_was_about() -> None:
    assert "Lisbon" in noted(*MOVE).title
    assert "Lisboa" in noted(*MUDANÇA).title


def test_title_does_not_name_the_speakers() -> None:
    assert "Alex" not in noted(*MOVE).title and "Sam" not in noted(*MOVE).title


def test_title_is_short_and_opens_with_a_capital() -> None:
    long = " ".join(f"extraordinarily{n} complicated{n} subject{n}." for n in range(40))
    for draft in (noted(*MOVE), noted(("Alex", long))):
        assert 0 < len(draft.title) <= 80
        assert draft.title[0] == draft.title[0].upper()


def test_summary_shows_the_news_with_who_said_it() -> None:
    summary = noted(*MOVE).summary
    assert "Alex: I moved to Lisbon last week and started a new job at Acme." in summary
    assert "Sam: I signed up for a pottery class in Porto" in summary
    assert "How are you" not in summary and "talk soon" not in summary
    assert "Alex: Me mudei para Lisboa na semana passada e comecei na Acme." in noted(*MUDANÇA).summary


def test_summary_has_one_to_four_sentences_in_the_order_they_were_said() -> None:
    things = ["boat", "piano", "drone", "kayak", "tractor", "violin", "camera", "telescope"]
    draft = noted(*((("Alex", "Sam")[n % 2], f"I bought a {thing} yesterday.") for n, thing in enumerate(things)))
    assert list(draft.sources) == sorted(draft.sources)


def test_sources_are_all_messages_it_speaks_of() -> None:
    draft = noted(*MOVE)
    assert list(draft.sources) == [message.id for message in conversation(*MOVE)]


def test_everybody_who_spoke_is_a_participant_once() -> None:
    assert noted(*MOVE).participants == ("alex", "sam")


def test_note_bears_the_moment_of_the_last_message() -> None:
    assert noted(*MOVE).at == AT + timedelta(minutes=6)


@pytest.mark.parametrize(
    "lines",
    [
        (),
        (("Alex", ""),),
        (("Alex", "Hey! How are you?"), ("Sam", "Good, thanks! And you?"), ("Alex", "Fine, bye!")),
        (("Alex", "Oi, tudo bem?"), ("Sam", "Tudo, e você?"), ("Alex", "Também, tchau!")),
        (("Alex", "ok"), ("Sam", "👍"), ("Alex", "haha yeah")),
    ],
)
def test_small_talk_makes_no_note(lines: tuple[tuple[str, str], ...]) -> None:
    assert write_note(conversation(*lines)) is None


def test_what_the_person_said_counts_more_than_what_the_assistant_said() -> None:
    draft = noted(
        ("Alex", "I adopted a greyhound called Comet from the shelter."),
        ("Bot", "Greyhounds are gentle sighthounds that need short walks, soft bedding and a warm coat in winter."),
        ("Alex", "Comet sleeps on the sofa all day."),
    )
    assert draft.summary.startswith("Alex: I adopted a greyhound called Comet from the shelter.")


def test_code_is_not_quoted_in_a_note() -> None:
    code = "```\nimport parser\nparser.run()\n```"
    draft = noted(("Alex", f"My parser crashes on empty files.\n{code}\nI fixed the tokenizer yesterday."))
    assert "import" not in draft.summary and "tokenizer" in draft.summary


def test_the_same_conversation_gives_the_same_note() -> None:
    assert write_note(conversation(*MOVE)) == write_note(conversation(*MOVE))


def test_a_title_is_a_phrase_of_the_talk() -> None:
    """What stands in the title was said so, word for word, and is no list of words."""
    for talk in (MOVE, MUDANÇA):
        draft = noted(*talk)
        assert any(draft.title.lower() in text.lower() for _, text in talk)
        assert len(draft.title.split()) > 1


def test_a_question_stays_with_its_answer() -> None:
    talk = (
        ("Ana", "Which knee did you hurt on the climbing wall yesterday?"),
        ("Rui", "The left knee, at the climbing wall"),
        ("Ana", "Did the physio say anything about the ligament?"),
    )
    summary = noted(*talk).summary
    assert "Which knee" not in summary or "The left knee" in summary
    assert "ligament" not in summary
