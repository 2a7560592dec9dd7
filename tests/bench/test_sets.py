"""Files in their published forms become collections with the right passages, questions and evidence."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.bench.conftest import BEAM, FAQUAD, LOCOMO, ORACLE, PLUS, write_json
from toldonce.bench.choice import QuestionChoice
from toldonce.bench.sets import NAMES, SOURCES, LoadedSet, load_sets
from toldonce.bench.values import BenchQuestion, Collection
from toldonce.errors import InputError

ARTICLE = {"context": "A biblioteca abre cedo.", "qas": [{"id": "1", "question": "Quando abre?"}]}


def one(folder: Path, name: str, **options: Any) -> LoadedSet:
    (found,) = load_sets(folder, [name], **options)
    return found


def collection(folder: Path, name: str, **options: Any) -> Collection:
    return one(folder, name, **options).collections[0]


def by_id(questions: tuple[BenchQuestion, ...]) -> dict[str, BenchQuestion]:
    return {q.id: q for q in questions}


def test_everything_in_a_folder_is_found_but_what_must_be_named(data: Path) -> None:
    names = [loaded.name for loaded in load_sets(data)]
    assert names == ["locomo", "longmemeval-o48", "longmemeval-scut", "beam-100k", "faquad", "locomo-plus"]
    assert one(data, "longmemeval-pool").questions == 3


def test_a_family_names_all_of_its_sets(data: Path) -> None:
    assert [loaded.name for loaded in load_sets(data, ["longmemeval"])] == ["longmemeval-o48", "longmemeval-scut"]


@pytest.mark.parametrize(
    "name, file, rows",
    [
        ("locomo", "locomo10.json", LOCOMO),
        ("longmemeval-o48", "longmemeval_oracle.json", ORACLE),
        ("longmemeval-s", "longmemeval_s_cleaned.json", ORACLE),
        ("beam-500k", "BEAM_500K.jsonl", BEAM),
        ("locomo-plus", "locomo_plus.json", PLUS),
        ("faquad", "faquad/train.json", {"data": [{"paragraphs": [ARTICLE]}]}),
    ],
)
def test_published_file_names_are_known(tmp_path: Path, name: str, file: str, rows: object) -> None:
    write_json(tmp_path / file, rows)
    assert [loaded.name for loaded in load_sets(tmp_path)][-1] == name
    assert one(tmp_path, name).questions > 0


def test_locomo_evidence_is_read_in_all_its_spellings(data: Path) -> None:
    found = collection(data, "locomo")
    assert [p.id for p in found.passages] == ["D1:1", "D1:2", "D2:1", "D2:2"]
    assert found.passages[1].turns[0].text == "Lovely! [shares a photo: a dog on a sofa]"
    assert found.passages[0].at == datetime(2023, 1, 20, 16, 4, tzinfo=UTC)
    assert {q.id: set(q.gold) for q in found.questions} == {
        "conv-1/q0": {"D1:1"},
        "conv-1/q1": {"D1:1", "D2:2"},
        "conv-1/q2": {"D2:1"},
    }
    assert [q.category for q in found.questions] == ["4 single-hop", "1 multi-hop", "2 temporal"]


def test_locomo_sessions_hold_their_turns(data: Path) -> None:
    found = collection(data, "locomo", granularity="session")
    assert [(p.id, len(p.turns)) for p in found.passages] == [("session_1", 2), ("session_2", 2)]
    assert set(found.questions[1].gold) == {"session_1", "session_2"}


def test_longmemeval_question_stands_among_sessions_of_others(data: Path) -> None:
    found = {c.id: c for c in one(data, "longmemeval-o48").collections}
    assert list(found) == ["q1", "q2", "q3"]
    assert [p.id for p in found["q1"].passages] == ["s_early", "s_old", "s_new", "s_cousin", "s_late"]
    (question,) = found["q1"].questions
    assert question.at == datetime(2023, 6, 1, 10, 0, tzinfo=UTC) and question.gold == {"s_old", "s_new"}
    assert question.groups == ({"s_old"}, {"s_new"}) and question.dated
    assert found["q2"].questions[0].groups == ()


def test_longmemeval_haystack_prefers_sessions_from_before_the_question(tmp_path: Path) -> None:
    turns = [{"role": "user", "content": "x", "has_answer": True}]
    rows = [
        {
            "question_id": f"q{n}",
            "question_type": "t",
            "question": "?",
            "question_date": "2023/03/01 (Wed) 08:00",
            "haystack_session_ids": [f"s{n}"],
            "haystack_sessions": [turns],
            "answer_session_ids": [f"s{n}"],
            "haystack_dates": [f"2023/{2 if n % 2 else 4:02}/01 (Wed) 08:00"],
        }
        for n in range(120)
    ]
    write_json(tmp_path / "longmemeval_oracle.json", rows)
    found = one(tmp_path, "longmemeval-o48").collections
    assert {len(c.passages) for c in found} == {48}
    evidence = {c.id: c.questions[0].gold for c in found}
    assert all(p.at and p.at.month == 2 for c in found for p in c.passages if p.id not in evidence[c.id])
    assert found[0].passages != found[2].passages


def test_answers_of_faquad_are_texts_or_tables_with_one(data: Path) -> None:
    (loaded,) = load_sets(data, ["faquad"])
    assert [question.answer for one in loaded.collections for question in one.questions] == [
        "às oito",
        "cinquenta reais",
    ]


def test_longmemeval_turns_are_those_marked_as_the_answer(data: Path) -> None:
    found = {c.id: c for c in one(data, "longmemeval-o48", granularity="turn").collections}
    assert found["q2"].questions[0].gold == {"s_cousin#2"}
    assert [p.turns[0].role for p in found["q2"].passages if p.session == "s_cousin"] == ["user", "assistant", "user"]
    assert found["q1"].questions[0].groups == ({"s_old#0", "s_old#1"}, {"s_new#0", "s_new#1"})


def test_longmemeval_pool_is_one_collection_in_order_of_time(data: Path) -> None:
    found = collection(data, "longmemeval-pool")
    assert [p.id for p in found.passages] == ["s_early", "s_old", "s_new", "s_cousin", "s_late"]
    assert list(by_id(found.questions)) == ["q1", "q2", "q3"]


def test_longmemeval_cut_sessions_keep_their_haystack(data: Path) -> None:
    found = collection(data, "longmemeval-scut", granularity="turn")
    assert [p.id for p in found.passages] == ["s_old", "s_x", "s_new"]
    assert found.passages[1].turns[0].text == "A train was late\u2028again"
    assert found.questions[0].groups == ({"s_old"}, {"s_new"}) and found.questions[0].dated


def test_beam_sources_are_found_however_deep_they_stand(data: Path) -> None:
    found = by_id(collection(data, "beam-100k").questions)
    assert not any("abstention" in name for name in found)
    conflict = found["100K-1/contradiction_resolution/0"]
    assert conflict.gold == {"6"} and conflict.groups == ({"6"}, {"6"}) and not conflict.dated
    update = found["100K-1/knowledge_update/0"]
    assert update.gold == {"2", "4"} and update.groups == ({"2"}, {"4"}) and update.dated
    assert found["100K-1/knowledge_update/1"].groups == ()
    assert found["100K-1/temporal_reasoning/0"].groups == ()
    assert found["100K-1/instruction_following/0"].standing and not update.standing


def test_beam_messages_carry_batch_and_day(data: Path) -> None:
    first, *_, last = collection(data, "beam-100k").passages
    assert (first.session, first.at) == ("batch 1", datetime(2024, 3, 15, tzinfo=UTC))
    assert (last.session, last.at) == ("batch 2", None)


def test_locomo_plus_cues_stand_among_turns_of_conversations(data: Path) -> None:
    found = collection(data, "locomo-plus")
    assert [p.id for p in found.passages][:3] == ["cue7", "cue9", "conv-1/D1:1"] and len(found.passages) == 6
    assert found.questions[0].gold == {"cue7"} and found.questions[0].category == "causal"


def test_locomo_plus_is_read_under_its_published_field_names(tmp_path: Path) -> None:
    row = {"relation_type": "value", "cue_dialogue": "A: I quit.", "trigger_query": "A: Calm now."}
    write_json(tmp_path / "locomo_plus.json", [row])
    found = collection(tmp_path, "locomo-plus")
    assert (found.questions[0].text, found.questions[0].category) == ("A: Calm now.", "value")
    assert len(found.passages) == 1


def test_faquad_questions_want_their_paragraph(data: Path) -> None:
    found = collection(data, "faquad")
    assert {q.id: set(q.gold) for q in found.questions} == {"t/0/a": {"t/0"}, "t/1/a": {"t/1"}}
    assert len(found.passages) == len(FAQUAD)


ANSWERED = QuestionChoice(is_answered=True)


def test_questions_that_nothing_answers_are_asked_where_answers_are_counted(data: Path) -> None:
    found = {q.id: q for c in one(data, "longmemeval-o48", choice=ANSWERED).collections for q in c.questions}
    assert list(found) == ["q1", "q2", "q3", "q4_abs"]
    assert (found["q4_abs"].is_unknown, found["q4_abs"].category) == (True, "abstention")
    assert not found["q1"].is_unknown
    chosen = QuestionChoice(is_answered=True, categories=("abs",))
    (haystack,) = one(data, "longmemeval-o48", choice=chosen).collections
    assert {p.id for p in haystack.passages} == {"s_abs", "s_new", "s_old", "s_cousin", "s_late", "s_early"}
    assert all(c.questions[0].gold == frozenset() for c in one(data, "longmemeval-o48", choice=chosen).collections)


def test_locomo_questions_without_evidence_are_asked_where_answers_are_counted(data: Path) -> None:
    found = collection(data, "locomo", choice=ANSWERED).questions
    assert [q.id for q in found] == ["conv-1/q0", "conv-1/q1", "conv-1/q2", "conv-1/q3"]


@pytest.mark.parametrize(
    "tempting, shown", [("Contemporary", "wrong, as in: Contemporary."), ("Not mentioned", "wrong."), (None, "wrong.")]
)
def test_an_adversarial_question_expects_that_it_is_not_known(tmp_path: Path, tempting: str | None, shown: str) -> None:
    asked = {"question": "?", "evidence": ["D1:1"], "category": 5, "adversarial_answer": tempting or ""}
    write_json(tmp_path / "locomo10.json", [{**LOCOMO[0], "qa": [asked]}])
    (question,) = collection(tmp_path, "locomo", choice=ANSWERED).questions
    assert question.is_unknown and question.answer.endswith(shown) and "not known" in question.answer


def test_a_sample_is_the_same_for_the_same_seed(data: Path) -> None:
    def drawn(**choice: Any) -> list[str]:
        return [q.id for c in one(data, "locomo", choice=QuestionChoice(**choice)).collections for q in c.questions]

    draws = [drawn(sample=2, seed=seed) for seed in range(20)]
    assert drawn(sample=2, seed=7) == draws[7] and len({tuple(draw) for draw in draws}) == 3
    assert all(draw == sorted(draw) and len(draw) == 2 for draw in draws)
    assert drawn(sample=9) == drawn()


def test_questions_are_chosen_by_category_and_conversation(data: Path) -> None:
    chosen = one(data, "locomo", choice=QuestionChoice(categories=("4", "2 TEMP")))
    assert [q.category for c in chosen.collections for q in c.questions] == ["4 single-hop", "2 temporal"]
    first = one(data, "longmemeval-o48", choice=QuestionChoice(conversations=2))
    assert [c.id for c in first.collections] == ["q1", "q2"]
    with pytest.raises(
        InputError, match="no question of locomo that can be scored in the categories 9; it has 1 multi"
    ):
        load_sets(data, choice=QuestionChoice(categories=("9",)))
    assert [one.name for one in load_sets(data, choice=QuestionChoice(categories=("pt",)))] == ["faquad"]


def test_a_limit_takes_the_first_questions_and_only_their_collections(data: Path) -> None:
    found = one(data, "longmemeval-o48", choice=QuestionChoice(limit=2))
    assert [c.id for c in found.collections] == ["q1", "q2"] and found.questions == 2


def test_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"has no files of locomo: looked for locomo10\.json, in it and in every folder"
    ):
        load_sets(tmp_path, ["locomo"])
    with pytest.raises(InputError, match="s_cut_questions.jsonl and s_cut_sessions.jsonl"):
        load_sets(tmp_path)


@pytest.mark.parametrize("name", ["", "notes.txt"])
def test_a_place_without_any_set_is_told_so(tmp_path: Path, name: str) -> None:
    (tmp_path / "notes.txt").touch()
    with pytest.raises(InputError, match=r"is or holds no data set: looked for locomo10\.json, longmemeval_oracle"):
        load_sets(tmp_path / name)


def test_endings_count_in_any_case(tmp_path: Path) -> None:
    write_json(tmp_path / "x.gz", LOCOMO).rename(tmp_path / "LOCOMO10.JSON.GZ")
    assert load_sets(tmp_path)[0].name == "locomo"


def test_one_of_two_files_is_not_enough(data: Path) -> None:
    (data / "longmemeval" / "s_cut_part_sessions.jsonl.gz").unlink()
    with pytest.raises(InputError, match="has no files of longmemeval-scut"):
        load_sets(data, ["longmemeval-scut"])


def test_an_unknown_set_is_refused_with_the_known_ones(data: Path) -> None:
    with pytest.raises(InputError, match="no set 'locmo'; choose some of locomo, "):
        load_sets(data, ["locmo"])


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no folder"):
        load_sets(tmp_path / "nowhere")


@pytest.mark.parametrize(
    "content, message",
    [
        (b"{", "not valid JSON in line 1"),
        (b"\xff\xfe\x00", "cannot be read"),
        (b'[{"sample_id": "x"}]', "not in the form of locomo: it has no 'conversation'"),
        (b'["text"]', "not in the form of locomo: TypeError while reading it"),
        (b"[]", "has no question of locomo that can be scored"),
    ],
)
def test_a_file_of_another_form_is_refused_by_its_name(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "locomo10.json").write_bytes(content)
    with pytest.raises(InputError, match=message) as refused:
        load_sets(tmp_path, ["locomo"])
    assert "locomo10.json" in str(refused.value)


def test_a_torn_archive_is_refused(data: Path) -> None:
    path = data / "locomo" / "locomo_part.json.gz"
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match="cannot be read"):
        load_sets(data, ["locomo"])


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "faquad.jsonl").write_text('{"doc": "a", "text": "b", "questions": []}\n{"doc"\n', encoding="utf-8")
    with pytest.raises(InputError, match="not valid JSON in line 2"):
        load_sets(tmp_path)


def test_every_set_and_measure_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "bench.md").read_text(encoding="utf-8")
    assert [name for name in NAMES if f"`{name}`" not in page] == []
    assert [w.shown for s in SOURCES for w in s.wants if w.shown not in page] == []
    for figure in ("hit@5", "recall@10", "all@5", "ndcg@10", "mrr", "fresh", "in_context", "tokens", "cpu_ms"):
        assert f"`{figure}`" in page
