"""Updates: a later statement of the same person about the same matter stands above the one that it replaces."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from tests.conftest import ManualClock, OpenMemory
from toldonce.clock import to_micros
from toldonce.recall.features import ScoringQuestion, weighted_terms
from toldonce.recall.query import analyse_query
from toldonce.recall.scoring import MOST_RIVALS, MOST_UPDATES, REACH, VALUE_REACH, find_updates
from toldonce.storage.tables.search import UnitRow
from toldonce.times.reader import Window

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)


def unit(seq: int, text: str, *, author: str = "ana", role: str = "user", days: float = 0) -> UnitRow:
    return UnitRow(seq, text, author, role, to_micros(NOW - timedelta(days=days)))


def updates(text: str, *units: UnitRow, behind: float = 0.5, windows: tuple[Window, ...] = ()) -> list[int]:
    """The numbers of the units that update a better one; each scores `behind` less than the one before."""
    asked = ScoringQuestion(
        text, weighted_terms(analyse_query(text, now=NOW, zone=UTC).terms, {}, size=100), frozenset(), windows
    )
    scores = np.array([10.0 - behind * place for place in range(len(units))], dtype=np.float32)
    return [units[place].seq for place in find_updates(asked, units, scores)]


OLD, NEW = unit(1, "I weigh 80 kilos", days=90), unit(2, "Today I weigh 75 kilos", days=2)


@pytest.mark.parametrize(
    ("question", "old", "new"),
    [
        ("How much do I weigh?", "I weigh 80 kilos", "ok so i weigh 75 kilos, finally"),
        ("when is my dentist appointment?", "dentist appointment is on monday", "the dentist moved my appointment"),
        ("How often do I see my therapist?", "i see my therapist every two weeks", "I see my therapist weekly"),
        ("what's the budget for the kitchen?", "kitchen budget is 5,000", "we raised the kitchen budget, 6,200"),
        ("Where did I get my guitar serviced?", "got the guitar serviced at Rui's", "guitar serviced downtown"),
        ("Quanto eu peso?", "eu peso 80 kg", "agora peso 75 kg"),
        ("qual o prazo da entrega?", "o prazo da entrega é dia 20", "adiaram a entrega, novo prazo é dia 25"),
        ("¿Cuánto pago de alquiler?", "pago 700 de alquiler", "subió, ahora pago 760 de alquiler"),
        ("cuando es la reunión con Eva?", "la reunión con Eva es el lunes", "cambiamos la reunión con Eva al jueves"),
    ],
)
def test_the_later_statement_about_the_same_matter_updates_the_first(question: str, old: str, new: str) -> None:
    older, newer = unit(1, old, days=30), unit(2, new, days=1)
    assert updates(question, older, newer) == [2]
    assert updates(question, newer, older) == []


@pytest.mark.parametrize(
    "question",
    [
        "How much did I weigh at first?",
        "What was my previous weight, what did I weigh?",
        "How much did I weigh before?",
        "What should I weigh?",
        "Summarize what I weigh",
        "Is there a difference between what I weigh and what I lift?",
        "Quanto eu pesava antes? I weigh",
        "¿Cuánto pesaba al principio? I weigh",
    ],
)
def test_a_question_for_the_past_advice_or_several_things_has_no_update(question: str) -> None:
    assert updates(question, OLD, NEW) == []


def test_a_question_with_a_date_has_no_update() -> None:
    day = Window(NOW - timedelta(days=95), NOW - timedelta(days=80), "in February", 0, 5, 1.0)
    assert updates("How much do I weigh?", OLD, NEW, windows=(day,)) == []


def test_what_another_person_or_the_assistant_said_later_updates_nothing() -> None:
    assert updates("How much do I weigh?", OLD, NEW._replace(author="rui")) == []
    assert updates("How much do I weigh?", OLD._replace(role="assistant"), NEW._replace(role="assistant")) == []


def test_a_later_message_about_something_else_updates_nothing() -> None:
    aside = unit(3, "My car is new now, and it can carry 400 kilos", days=1)
    assert updates("How much do I weigh?", OLD, aside) == []


def test_words_that_are_spread_over_a_text_make_no_statement() -> None:
    question = "What is my deadline for the garden plan?"
    older = unit(1, "the deadline for the garden plan is 20 April", days=9)
    spread = unit(2, "I sat in the garden. Lovely. Then work: 3 calls. My tax deadline, well, fine.", days=1)
    assert updates(question, older, spread, behind=3.0) == []


def test_another_value_is_an_update_though_it_scores_less_and_the_same_value_is_none() -> None:
    question = "How many bikes do I own?"
    older = unit(1, "I own three bikes", days=9)
    other, same = unit(2, "I own four bikes", days=1), unit(2, "I own three bikes and a van", days=1)
    behind = (REACH + VALUE_REACH) / 2
    assert updates(question, older, other, behind=behind) == [2]
    assert updates(question, older, same, behind=behind) == []
    assert updates(question, older, other, behind=VALUE_REACH) == []


def test_a_word_of_change_reaches_further_than_another_value() -> None:
    older, newer = unit(1, "I own three bikes", days=9), unit(2, "I own no bikes any more", days=1)
    assert updates("How many bikes do I own?", older, newer, behind=2 * VALUE_REACH) == [2]


def test_what_says_little_of_the_question_updates_nothing() -> None:
    question = "What is my limit for the parking of the blue company van near the station?"
    older = unit(1, "parking is 30 minutes", days=9)
    assert updates(question, older, unit(2, "parking is now 20 minutes", days=1)) == []


def test_of_things_of_nobody_only_a_changed_value_is_an_update() -> None:
    question = "What is the height of the tower?"
    older = unit(1, "The height of the tower is 90 metres", days=9)
    assert updates(question, older, unit(2, "The height of the other tower is 80 metres", days=1)) == []
    assert updates(question, older, unit(2, "The height of the tower changed, they say", days=1)) == []
    assert updates(question, older, unit(2, "The height of the tower was increased, 95 metres", days=1)) == [2]


def test_a_changed_value_comes_before_other_updates() -> None:
    older = unit(1, "I spend 120 a week at the market", days=60)
    aside = unit(2, "I spend 200 at the holiday market, every week", days=30)
    change = unit(3, "what I spend at the market went up to 135", days=10)
    assert updates("How much do I spend at the market?", older, aside, change) == [3, 2]


def test_below_the_first_place_only_a_change_is_an_update() -> None:
    first = unit(1, "the market I spend my money at has a new roof", days=1)
    older = unit(2, "I spend 120 at the market", days=60)
    question = "How much do I spend at the market?"
    assert updates(question, first, older, unit(3, "I spend 135 at the market", days=10)) == []
    assert updates(question, first, older, unit(3, "I now spend 135 at the market", days=10)) == [3]


def test_only_a_few_of_the_first_results_move() -> None:
    many = [unit(n, f"I weigh {90 - n} kilos", days=50 - n) for n in range(2, MOST_RIVALS + 3)]
    assert updates("How much do I weigh?", OLD, *many, behind=0.1) == [unit.seq for unit in many[:MOST_UPDATES]]
    last = [unit(n, "We had soup", days=50) for n in range(2, MOST_RIVALS + 1)]
    assert updates("How much do I weigh?", OLD, *last, unit(99, NEW.text), behind=0.1) == []


def test_recall_shows_the_update_first_and_keeps_all_it_found(open_memory: OpenMemory, clock: ManualClock) -> None:
    """What was said first stays the better match, is still found, and scores as before."""
    memory = open_memory("assistant")
    memory.observe("the deadline to submit my draft to the writing group is 20 April", user="ana", session="a")
    clock.pass_time(days=9)
    memory.observe("ugh they pushed the deadline for the draft, its 25 April", user="ana", session="b")
    for dish in "soup rice fish beans pasta stew salad bread curry pie".split():
        memory.observe(f"We had {dish}", user="ana", session="c")
    question = "When is the deadline to submit my draft to the writing group?"
    before = memory.recall(question.replace("is the", "was the original"), user="ana")
    hits = memory.recall(question, user="ana")
    assert [hit.record.text[:3] for hit in before[:2]] == ["the", "ugh"]
    assert [hit.record.text[:3] for hit in hits[:2]] == ["ugh", "the"]
    assert hits[0].score > hits[1].score
    assert {hit.record.id for hit in hits} == {hit.record.id for hit in before}
