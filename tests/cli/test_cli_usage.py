"""`toldonce usage` and the settings of the writer, from the command line to a scripted server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.scripted import Scripted, Status, scripted


@pytest.fixture
def server() -> Iterator[Scripted]:
    with scripted() as server:
        told = {"source": "m1", "text": "Alex likes trams.", "type": "fact", "change": "holds", "confidence": 0.9}
        server.say(facts={"facts": [told]})
        yield server


@pytest.fixture
def settled(made: Any, server: Scripted, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A memory in which one conversation was settled with a model."""
    monkeypatch.setenv("TOLDONCE_WRITER", server.writer)
    monkeypatch.setenv("TOLDONCE_WRITER_KEY", "sesame")
    monkeypatch.setenv("TOLDONCE_WRITER_PRICES", "scripted = 100/1000")
    made("observe", "I saw a yellow tram", "--user", "alex", "--session", "s")
    made("settle")
    return made


def test_without_a_model_nothing_was_asked(made: Any) -> None:
    assert made("usage").stdout == "No language model was asked.\n"
    assert made.json("usage") == {"costs": [], "usage": []}


def test_the_settings_choose_the_model_and_usage_tells_what_it_cost(settled: Any, server: Scripted) -> None:
    assert server.requests[0].headers["authorization"] == "Bearer sesame"
    rows = settled.json("usage")["usage"]
    assert [(r["task"], r["calls"], r["input_tokens"], r["cost"]) for r in rows] == [
        ("facts", 1, 100, 30_000),
    ]
    told = settled("usage", "--by", "task").stdout
    assert "127.0.0.1#scripted" in told and "Cost: 0.0300\n" in told
    (month,) = settled.json("usage")["costs"]
    assert (month["conversations"], month["cost"]) == (1, 30_000)
    assert settled("usage").stdout.splitlines()[-1].split()[1:] == ["1", "1", "100", "20", "0.0300", "0.0300"]
    assert "Alex likes trams." in settled("recall", "tram", "--user", "alex").stdout


def test_usage_can_be_told_for_a_space_and_from_a_day_on(settled: Any) -> None:
    settled("spaces", "add", "work")
    assert settled.json("usage", "--space", "work")["usage"] == []
    assert settled.json("usage", "--since", "2100-01-01")["costs"] == []
    assert len(settled.json("usage", "--since", "1h")["usage"]) == 1


def test_calls_without_a_price_are_said_to_be_so(settled: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TOLDONCE_WRITER_PRICES")
    settled("observe", "I saw another tram", "--user", "alex", "--session", "t")
    settled("settle")
    assert "Cost: 0.0300, and 1 call without a price" in settled("usage", "--by", "task").stdout
    assert "1 call had no price" in settled("usage", "--by", "day").stdout


def test_a_writer_that_means_nothing_is_refused(made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOLDONCE_WRITER", "gpt")
    assert "unknown writer 'gpt'" in made("recall", "tram", code=2).stderr


def test_a_model_that_is_away_does_not_stop_the_settling(settled: Any, server: Scripted) -> None:
    server.say(facts=Status(503))
    settled("observe", "I live in Lisbon", "--user", "alex", "--session", "t")
    told = settled("settle")
    assert "rules did the work because the language model failed" in told.stderr
    assert "alex lives in Lisbon" in settled("recall", "Lisbon", "--user", "alex").stdout


def test_a_conversation_that_has_to_wait_is_told(shell: Any, server: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOLDONCE_WRITER", server.writer)
    shell("init", "--preset", "community")
    shell("observe", "I live in Lisbon", "--user", "alex", "--channel", "c")
    server.say(facts=Status(503))
    assert "1 of 1 conversations wait and will be tried again" in shell("settle", code=1).stderr
