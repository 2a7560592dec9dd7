"""Answers of a language model: what may be read of them, what the model is told to fix, and the schema it gets."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import pytest

from toldonce import Memory
from toldonce.coding import model_tasks
from toldonce.distil.model import tasks
from toldonce.distil.model.answers import MOST_ITEMS, Answer, Flag, Number, read_answer, schema_of
from toldonce.distil.model.conversation import ATTRIBUTES, NoteAnswer, build_facts_form
from toldonce.distil.tiers import read_tiers
from toldonce.errors import ConfigError

FACT = {
    "type": "fact", "text": "Alex lives in Lisbon", "about": None, "attribute": "residence", "value": "Lisbon",
    "change": "holds", "confidence": 0.9, "source": "m1", "quote": "I live in Lisbon",
}  # fmt: skip
FactsAnswer: Any = build_facts_form((*ATTRIBUTES, "residence"), (), has_note=False)
AREAS = (("health", "body"), ("career", "work"))
FORMS = [
    NoteAnswer,
    FactsAnswer,
    build_facts_form(ATTRIBUTES, AREAS, has_note=True),
    *(
        form
        for module in (tasks, model_tasks)
        for form in vars(module).values()
        if isinstance(form, type)
        and issubclass(form, Answer)
        and form.__name__.endswith("Answer")
        and form is not Answer
    ),
]


class Verdict(Answer):
    contradicts: Flag
    certainty: Number
    keep: Literal["newer", "older", "ask"]


def objects_in(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if schema["type"] == "object":
        yield schema
        for inner in schema["properties"].values():
            yield from objects_in(inner)
    elif schema["type"] == "array":
        yield from objects_in(schema["items"])


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
def test_a_schema_is_strict_and_keeps_to_what_all_providers_know(form: type[Answer]) -> None:
    schema = schema_of(form)
    for one in objects_in(schema):
        assert one["additionalProperties"] is False and one["required"] == list(one["properties"])
    assert {
        key for key in ("$ref", "$defs", "anyOf", "maxItems", "default") if f'"{key}"' in json.dumps(schema)
    } == set()


def test_the_form_of_a_note_has_all_fields_and_no_unions() -> None:
    assert schema_of(NoteAnswer) == {
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "summary": {"type": "string"},
            "sources": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["title", "summary", "sources"],
        "additionalProperties": False,
    }


def test_a_bad_item_is_left_out_and_told_with_its_place_and_the_fix() -> None:
    rows = [FACT, {**FACT, "type": "gossip", "confidence": "high"}, 7, {**FACT, "text": " ", "value": "x" * 301}]
    read = read_answer(FactsAnswer, json.dumps({"facts": rows}))
    assert read.answer is not None and [item.text for item in read.answer.facts] == ["Alex lives in Lisbon"]
    assert read.problems == (
        "facts[1].type must be one of fact, preference, instruction, event, person, goal, status",
        "facts[1].confidence must be a number",
        "facts[2] must be an object",
        "facts[3].text is empty",
        "facts[3].value is too long: at most 300 characters",
    )


@pytest.mark.parametrize(
    "answer, problem",
    [
        ({"contradicts": 1, "certainty": 0.5, "keep": "newer"}, "contradicts must be true or false"),
        ({"contradicts": True, "certainty": "0.5", "keep": "newer"}, "certainty must be a number"),
        ({"contradicts": True, "certainty": True, "keep": "newer"}, "certainty must be a number"),
        ({"contradicts": True, "certainty": float("nan"), "keep": "newer"}, "certainty must be a number"),
        ({"contradicts": True, "certainty": 1e12, "keep": "newer"}, "certainty must be a number"),
        ({"contradicts": True, "certainty": 0.5}, "keep must be one of newer, older, ask"),
        ({"contradicts": True, "certainty": 0.5, "keep": "\ud800"}, "keep must be a text"),
    ],
)
def test_an_answer_without_lists_is_read_whole_or_not_at_all(answer: dict[str, Any], problem: str) -> None:
    read = read_answer(Verdict, json.dumps(answer))
    assert read.answer is None and read.problems == (problem,)


def test_too_many_items_are_refused() -> None:
    read = read_answer(FactsAnswer, json.dumps({"facts": [FACT] * (MOST_ITEMS + 1)}))
    assert read.answer is None and read.problems == (f"facts must have at most {MOST_ITEMS} items",)


def test_missing_and_empty_are_null_and_what_was_not_asked_for_is_ignored() -> None:
    read = read_answer(NoteAnswer, json.dumps({"title": "", "sources": ["m1"], "mood": "sunny"}))
    assert read.answer == NoteAnswer(title=None, summary=None, sources=("m1",)) and read.problems == ()


def test_no_problem_quotes_the_answer() -> None:
    secret = "hunter2hunter2"
    rows = [dict.fromkeys(FACT, secret), {key: [secret] for key in FACT}, secret, {secret: secret}]
    problems = read_answer(FactsAnswer, json.dumps({"facts": rows, secret: secret})).problems
    assert problems and not any(secret in problem for problem in problems)


def test_a_text_passes_the_gate() -> None:
    text = "Key: AKIAQWERTYUIOPASDFGH\ud800 \x00done"
    read = read_answer(FactsAnswer, json.dumps({"facts": [{**FACT, "text": text}]}))
    assert (
        read.answer is not None and "AKIA" not in read.answer.facts[0].text and "\x00" not in read.answer.facts[0].text
    )


# What is loaded


def test_without_a_language_model_pydantic_is_not_loaded(tmp_path: Path) -> None:
    code = """
import sys
from toldonce import Memory
from toldonce.coding.drafting import draft_modules, draft_session
from toldonce.coding.transcripts.reader import Transcript
from toldonce.distil.drafts import ModuleSketch
from toldonce.distil.writer import RulesWriter

with Memory.open("memory.db", embedder=None, background=False) as memory:
    memory.observe("I live in Lisbon and work as a nurse.", user="maria", session="s")
    memory.settle(session="s")
    memory.context("Where does Maria live?", user="maria")
    memory.tend()
    draft_modules(RulesWriter(), [ModuleSketch(module="a", folder="a/")])
    draft_session(RulesWriter(), Transcript(agent="claude-code", session="s", events=()))
assert not [name for name in sys.modules if name.startswith("pydantic")]
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_without_pydantic_a_language_model_is_refused_with_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pydantic", None)
    with pytest.raises(ConfigError, match=r"install .*\[models\]'"):
        Memory.open(tmp_path / "memory.db", writer="ollama:m", embedder=None, background=False)
    assert read_tiers("none") is None
