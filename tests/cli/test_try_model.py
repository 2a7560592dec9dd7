"""`toldonce try-model`: a good model passes, a bad one is told apart, and nothing is stored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.scripted import Raw, Request, Scripted, scripted
from tests.shell import Shell


@pytest.fixture
def server() -> Iterator[Scripted]:
    with scripted() as server:
        yield server


def fact(request: Request, words: str, text: str, **given: Any) -> dict[str, Any]:
    source = next(row["id"] for row in request.data["messages"] if words in row["text"])
    return {
        "source": source, "quote": None, "about": None, "relation": None, "text": text, "type": "fact",
        "attribute": "other", "value": None, "change": "holds", "replaces": [], "confidence": 0.95, **given,
    }  # fmt: skip


def answer_well(request: Request) -> dict[str, Any]:
    if "naproxen" not in request.turns[0]:
        return {
            "facts": [
                fact(request, "Leeds", "Alex lives in Leeds.", attribute="residence", value="Leeds"),
                fact(request, "Sofia", "Sofia studies law.", about="Sofia", relation="sister", type="person"),
                fact(request, "ibuprofen", "Alex takes ibuprofen 400 twice a day.", attribute="medication"),
                fact(request, "short", "Alex wants short answers.", type="instruction"),
            ]
        }
    over = [row["id"] for row in request.data["known"] if "ibuprofen" in row["text"]]
    return {
        "facts": [
            fact(request, "naproxen", "Alex takes naproxen once a day.", attribute="medication", replaces=over),
            fact(request, "York", "Alex plans to move to York.", attribute="residence", change="planned"),
        ]
    }


def test_a_good_model_passes_and_is_shown_with_tokens_cost_and_time(
    shell: Shell, server: Scripted, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TOLDONCE_WRITER_PRICES", "scripted = 1/1")
    server.say(facts=answer_well)
    said = shell("try-model", server.writer).stdout
    assert "  - Alex takes naproxen once a day." in said
    assert "Superseded:\n  - Alex takes ibuprofen 400 twice a day." in said
    assert "Tokens: 200 read, 40 written" in said and "Cost: 0.0002. Time: " in said
    assert "Good enough: 7 of 7 checks passed." in said


@pytest.mark.parametrize("answer", [{"facts": []}, Raw("I am a teapot.")], ids=["nothing", "garbage"])
def test_a_bad_model_is_told_apart(shell: Shell, server: Scripted, answer: Any) -> None:
    server.say(facts=answer)
    said = shell("try-model", server.writer).stdout
    assert "Extracted nothing." in said and "Not good enough: 0 of 7 checks passed." in said


def test_a_model_that_replaces_the_present_by_a_plan_misses_checks(shell: Shell, server: Scripted) -> None:
    def confuse(request: Request) -> dict[str, Any]:
        made = answer_well(request)
        return {"facts": [{**one, "change": "holds", "replaces": []} for one in made["facts"]]}

    server.say(facts=confuse)
    said = shell("try-model", server.writer).stdout
    assert "missed  ends the old medicine" in said and "missed  keeps a plan as a plan" in said


def test_a_missing_key_is_told_before_anything_is_asked(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert "set OPENAI_API_KEY" in shell("try-model", "openai:gpt-4o-mini", code=2).stderr
    assert "name a model to try" in shell("try-model", "none", code=2).stderr
