"""Evidence: each piece raises the record that has it above one that has not, all else being equal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from toldonce.clock import to_micros
from toldonce.recall.features import (
    NAMES,
    ScoringQuestion,
    Similarity,
    authors_by_word,
    best_per_unit,
    compute_features,
    score_groups,
    score_units,
    similarity_to_recalled,
    weighted_terms,
)
from toldonce.storage.tables.search import UnitRow
from toldonce.times.reader import Window

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)


def unit(seq: int, text: str, *, author: str = "ana", role: str = "user", days: float = 0) -> UnitRow:
    return UnitRow(seq, text, author, role, to_micros(NOW - timedelta(days=days)))


def question(
    text: str, *words: str, people: frozenset[str] = frozenset(), windows: tuple[Window, ...] = ()
) -> ScoringQuestion:
    return ScoringQuestion(text, weighted_terms(words, {}, size=100), people, windows)


def column(
    name: str,
    asked: ScoringQuestion,
    *units: UnitRow,
    sims: tuple[float, ...] | None = None,
    follows: dict[int, int] | None = None,
) -> list[float]:
    similarity = Similarity(np.array(sims or (0.0,) * len(units), dtype=np.float32))
    return [
        round(float(v), 4) for v in compute_features(asked, units, similarity, follows=follows)[:, NAMES.index(name)]
    ]


def test_words_count_by_their_stem() -> None:
    asked = question("gardening?", "gardening")
    assert column("cover", asked, unit(1, "We garden a lot"), unit(2, "Nothing of it")) == [1.0, 0.0]


def test_rare_words_tell_more_than_common_ones() -> None:
    terms = weighted_terms(("heron", "day"), {"heron": 1, "day": 90}, size=100)
    assert terms["heron"] > 5 * terms["dai"] if "dai" in terms else terms["heron"] > 5 * terms["day"]


def test_words_that_only_frame_a_question_count_for_less() -> None:
    terms = weighted_terms(("discussed", "pottery"), {}, size=100)
    assert terms["discuss"] < terms["potteri"] / 2


def test_a_word_that_begins_alike_counts_a_little() -> None:
    asked = question("vida estudantil?", "estudantil")
    first, second = column("kin", asked, unit(1, "a casa dos estudantes"), unit(2, "o curso de verao"))
    assert 0 < first < 1
    assert second == 0


def test_a_word_near_in_meaning_counts_a_little() -> None:
    first, second = column("near", question("applause", "applause"), unit(1, "they clap"), unit(2, "they sleep"))
    assert 0 < first < 1
    assert second == 0


def test_a_short_answer_is_held_up_by_the_question_before_it() -> None:
    asked = question("favourite fruit?", "favourite", "fruit")
    said, answer, other = unit(1, "What is your favourite fruit?"), unit(2, "Mango!", author="Bo"), unit(3, "Mango!")
    for name in ("around", "answers"):
        values = column(name, asked, said, answer, other, follows={1: 2})
        assert values[1] > values[2], name


def test_nobody_answers_their_own_question() -> None:
    asked = question("favourite fruit?", "favourite", "fruit")
    said, more = unit(1, "What is your favourite fruit?"), unit(2, "The train leaves at nine.")
    assert column("answers", asked, said, more, follows={1: 2})[1] == 0


def test_long_neighbours_count_for_less() -> None:
    asked = question("fruit", "fruit")

    def lent(words: int) -> float:
        before = unit(1, "fruit " + "and " * (words - 1))
        return column("around", asked, before, unit(2, "Mango!"), follows={1: 2})[1]

    assert lent(20) == 1.0
    assert lent(300) == pytest.approx(0.1, abs=0.01)


def test_likeness_of_meaning_counts_for_a_record_and_its_neighbours() -> None:
    asked = question("x", "x")
    units = (unit(1, "a"), unit(2, "b"), unit(3, "c"))
    assert column("sim", asked, *units, sims=(0.8, 0.0, 0.0)) == [0.8, 0.0, 0.0]
    assert column("next", asked, *units, sims=(0.0, 0.8, 0.0), follows={1: 2}) == [0.8, 0.0, 0.0]


def test_the_assistants_words_count_when_the_assistant_is_asked() -> None:
    said = unit(1, "Try the museum", role="assistant")
    assert column("reply_asked", question("What did you recommend?", "recommend"), said) == [1.0]
    assert column("reply_asked", question("Can you tell me where I live?", "live"), said) == [0.0]


def test_the_person_named_in_the_question_is_preferred() -> None:
    units = (unit(1, "I paint", author="Maria Silva"), unit(2, "I paint", author="Tiago"))
    named = authors_by_word(("maria", "paint"), units)
    assert named == {"maria": frozenset({"maria silva"})}
    asked = question("what does Maria paint?", "paint", people=named["maria"])
    assert column("author", asked, *units) == [1.0, 0.0]


def test_a_named_time_prefers_what_was_said_then() -> None:
    window = Window(NOW - timedelta(days=8), NOW - timedelta(days=7), "last week", 0, 9, 1.0)
    asked = question("last week", "x", windows=(window,))
    inside, near, far = column("date", asked, unit(1, "a", days=7.5), unit(2, "b", days=6), unit(3, "c", days=60))
    assert inside == 1.0
    assert 0.3 < near < 1
    assert far < 0.01


@pytest.mark.parametrize(
    "name, text, better, worse",
    [
        ("time", "When did she leave?", "She left yesterday", "She left"),
        ("time", "Quando ela saiu?", "Ela saiu ontem", "Ela saiu"),
        ("time", "Quando ela saiu?", "Ela saiu em março", "Ela saiu"),
        ("time", "Em que dia ela saiu?", "Ela saiu na sexta-feira", "Ela saiu"),
    ],
)
def test_the_sort_of_question_prefers_the_sort_of_answer(name: str, text: str, better: str, worse: str) -> None:
    assert column(name, question(text, "x"), unit(1, better), unit(2, worse)) == [1.0, 0.0]


def test_what_the_best_say_points_to_more_of_it() -> None:
    rows = np.eye(4, dtype=np.float32)[[0, 0, 0, 0, 0, 1]]
    similarity = Similarity(
        np.array([0.9, 0.9, 0.9, 0.9, 0.0, 0.0], dtype=np.float32),
        rows,
        np.arange(6),
        np.eye(4, dtype=np.float32),
        np.zeros(4, dtype=np.float32),
        np.eye(4, dtype=np.float32)[0],
    )
    units = [unit(n, "text") for n in range(6)]
    found = compute_features(question("x", "x"), units, similarity)[:, NAMES.index("echo")]
    assert found[4] == pytest.approx(1.0)
    assert found[5] == pytest.approx(0.0)


@pytest.mark.parametrize("text", ["where is the kettle?", "in which order did I buy the kettle?"])
def test_units_of_a_group_score_as_if_there_were_no_others(text: str) -> None:
    chance = np.random.default_rng(7)
    vectors = chance.standard_normal((9, 4), np.float32)
    # The last unit has two parts, and one has no vector.
    whose = np.array([0, 1, 2, 3, 4, 5, 6, 7, 7])
    shape = (np.eye(4, dtype=np.float32), np.zeros(4, dtype=np.float32), vectors[0])

    def among(places: Sequence[int]) -> Similarity:
        kept = [row for row, owner in enumerate(whose) if owner in places]
        if not kept:
            return Similarity.without_vectors(len(places))
        owners = np.array([list(places).index(whose[row]) for row in kept])
        sims = best_per_unit(np.vecdot(vectors[kept], vectors[0]), owners, size=len(places))
        return Similarity(sims, vectors[kept], owners, *shape)

    units = [unit(n, f"the kettle is in place {n}", days=n) for n in range(9)]
    groups = [[0, 1, 2, 3], [3, 5, 7, 8], list(range(9)), [8], []]
    asked = question(text, "kettle")
    together = score_groups(asked, units, among(range(9)), groups)
    for group, found in zip(groups, together, strict=True):
        alone = score_units(asked, [units[place] for place in group], among(group))
        assert found.tolist() == pytest.approx(alone.tolist())


def test_a_record_with_more_of_the_words_scores_higher() -> None:
    asked = question("garden tools", "garden", "tools")
    units = [unit(1, "garden tools in the shed"), unit(2, "garden"), unit(3, "nothing")]
    values = score_units(asked, units, Similarity.without_vectors(3)).tolist()
    assert values == sorted(values, reverse=True)


def test_what_a_remark_brings_to_mind_scores_less_than_an_answer() -> None:
    units = [unit(1, "garden tools in the shed"), unit(2, "nothing of the sort")]
    asked = question("garden tools?", "garden", "tools")
    told = replace(asked, is_statement=True)
    gaps = [float(np.diff(score_units(q, units, Similarity.without_vectors(2)))[0]) for q in (asked, told)]
    assert abs(gaps[1]) < abs(gaps[0])


def test_a_message_that_tells_of_the_asked_time_on_another_day_gains() -> None:
    day_before = Window(NOW - timedelta(days=1, hours=12), NOW - timedelta(hours=12), "3 May", 0, 5, 1.0)
    units = [unit(1, "Yesterday we sailed"), unit(2, "We sailed")]
    asked = replace(question("What happened on 3 May?", windows=(day_before,)), told=frozenset({1}))
    assert column("tells", asked, *units) == [1.0, 0.0]


@pytest.mark.parametrize(
    "asked, wish, other",
    [
        ("Which tea should I buy?", "I prefer green tea", "Green tea is on sale"),
        ("How do I brew tea?", "Always give grams when I ask about tea", "The tea always comes late"),
        ("Que chá devo comprar?", "Prefiro chá verde", "O chá verde acabou"),
    ],
)
def test_a_wish_counts_where_help_is_asked_for(asked: str, wish: str, other: str) -> None:
    assert column("wish", question(asked, "x"), unit(1, wish), unit(2, other), sims=(0.5, 0.5)) == [1.0, 0.0]


def test_a_wish_counts_as_far_as_it_is_near_what_is_asked() -> None:
    near, far, reply = (unit(1, "I prefer tea"), unit(2, "I prefer trains"), unit(3, "I prefer tea", role="assistant"))
    asked = question("Which drink should I buy?", "drink")
    assert column("wish", asked, near, far, reply, sims=(0.5, 0.0, 0.5)) == [1.0, 0.0, 0.0]


def test_a_wish_counts_for_nothing_where_no_help_is_asked_for() -> None:
    wish = unit(1, "I prefer tea")
    assert column("wish", question("Which tea did I buy?", "tea"), wish) == [0.0]
    about_ana = question("How can we describe Ana's tea?", "tea", people=frozenset({"ana"}))
    assert column("wish", about_ana, wish) == [0.0]


def test_whoever_asks_for_help_leans_less_on_words() -> None:
    units = [unit(1, "garden tools in the shed"), unit(2, "nothing of the sort")]
    asked, for_help = (question(text, "garden", "tools") for text in ("garden tools?", "Any advice on garden tools?"))
    gaps = [float(np.diff(score_units(q, units, Similarity.without_vectors(2)))[0]) for q in (asked, for_help)]
    assert abs(gaps[1]) < abs(gaps[0])


def test_what_came_up_first_leads_where_the_order_is_asked_for() -> None:
    units = [unit(1, "tea", days=1), unit(2, "tea", days=3), unit(3, "tea", days=2)]
    assert column("late", question("In what order did I try them?", "tea"), *units) == [1.0, 0.0, 0.5]
    assert column("late", question("What did I try?", "tea"), *units) == [0.0, 0.0, 0.0]


def test_a_time_named_in_a_remark_is_not_looked_for() -> None:
    day = Window(NOW - timedelta(days=1), NOW, "yesterday", 0, 5, 1.0)
    units = [unit(1, "Rain", days=0.5), unit(2, "Rain", days=80)]
    question_of = question("What was it like yesterday?", windows=(day,))
    remark = score_units(replace(question_of, is_statement=True), units, Similarity.without_vectors(2))
    asked = score_units(question_of, units, Similarity.without_vectors(2))
    assert remark[0] == remark[1] and asked[0] > asked[1]


def alike(rows: list[list[float]], asked: list[float], whose: list[int] | None = None) -> Similarity:
    """Likeness in a space that is as it is: nothing stretched, nothing in common."""
    table, question_ = np.array(rows, dtype=np.float32), np.array(asked, dtype=np.float32)
    owners = np.array(whose or range(len(rows)))
    size = int(owners.max()) + 1
    axes = len(asked)
    sims = best_per_unit(table @ question_, owners, size=size)
    return Similarity(sims, table, owners, np.eye(axes, dtype=np.float32), np.zeros(axes, dtype=np.float32), question_)


def test_what_is_common_is_taken_off_likeness() -> None:
    plain = alike([[0.9, 0.4], [0.8, 0.6]], [1, 0])
    less = plain.without_crowding(np.array([0.5, 0.0], dtype=np.float32))
    assert plain.sims[0] > plain.sims[1]
    assert less.sims[0] < less.sims[1]
    assert plain.without_crowding(None) is plain


def test_a_remark_calls_up_what_is_like_the_records_likest_to_it() -> None:
    found = alike([[1, 0, 0], [0.6, 0.8, 0], [0, 1, 0], [0, 0, 1]], [0.8, 0.6, 0]).without_crowding(
        np.zeros(4, dtype=np.float32)
    )
    heard = similarity_to_recalled(found)
    assert heard[2] > heard[3]
    assert similarity_to_recalled(Similarity.without_vectors(2)).tolist() == [0, 0]


def test_a_record_that_holds_the_words_of_a_remark_is_heard_first() -> None:
    found = alike([[1, 0, 0], [0, 1, 0], [0, 0.8, 0.6]], [0.9, 0.4, 0]).without_crowding(np.zeros(3, dtype=np.float32))
    by_meaning, by_words = (
        similarity_to_recalled(found),
        similarity_to_recalled(found, np.array([0, 0.9, 0], dtype=np.float32)),
    )
    few_words = similarity_to_recalled(found, np.array([0, 0.1, 0], dtype=np.float32))
    assert by_words[2] > by_meaning[2]
    assert np.allclose(few_words, by_meaning)


def test_a_long_record_speaks_once_however_many_parts_it_has() -> None:
    others = [[0.7, 0.0, 0.7], [0.0, 1.0, 0.0]]
    once = alike([[0.8, 0.6, 0], *others], [1, 0, 0]).without_crowding(np.zeros(3, dtype=np.float32))
    thrice = alike([[0.8, 0.6, 0]] * 3 + others, [1, 0, 0], [0, 0, 0, 1, 2]).without_crowding(
        np.zeros(5, dtype=np.float32)
    )
    assert np.allclose(similarity_to_recalled(once), similarity_to_recalled(thrice), atol=1e-6)
