"""Ten recorded conversations with a good model: what is stored, superseded, shown and spent, and what is asked of it.

When a prompt or the data of a request changes on purpose, write the requests anew and review the diff:

    TOLDONCE_RECORD=1 .venv/bin/python -m pytest tests/model_answers
"""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.model_answers.replay import (
    CONVERSATIONS,
    FOLDER,
    Replay,
    fold_id,
    load_story,
    read_messages,
    render_requests,
    replay_story,
)
from toldonce.presets.loader import load_preset

MOST_INPUT = 6.0
STORIES = pytest.mark.parametrize("path", CONVERSATIONS, ids=lambda path: path.stem)


@cache
def replayed(path: Path) -> Replay:
    with TemporaryDirectory() as folder:
        return replay_story(path, Path(folder))


@STORIES
def test_requests_are_those_that_were_reviewed(path: Path) -> None:
    kept = FOLDER / "requests" / f"{path.stem}.txt"
    made = render_requests(replayed(path))
    if os.environ.get("TOLDONCE_RECORD"):
        kept.write_text(made, encoding="utf-8")
    assert made.splitlines() == kept.read_text(encoding="utf-8").splitlines()


@STORIES
def test_every_answer_is_good_at_once_and_no_job_fails(path: Path) -> None:
    made = replayed(path)
    assert made.problems == [] and all(len(request.turns) == 1 for request in made.requests)


def facts_of(story: dict[str, Any]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The facts that hold at the end, and those that were replaced on the way."""
    held: list[dict[str, Any]] = []
    gone: list[dict[str, Any]] = []
    for session in story["sessions"]:
        before = list(held)
        for fact in session["facts"]:
            is_plan = fact.get("change") == "planned"
            over = [
                old
                for old in before
                if any(words in old["text"] for words in fact.get("replaces", ()))
                and (not is_plan or old.get("change") == "planned")
            ]
            gone += over
            held = [old for old in held if old not in over]
        held += session["facts"]
    return held, gone


def speaker_of(story: dict[str, Any], fact: dict[str, Any]) -> str:
    """The id of the person whose message says a fact."""
    said = [message for session in story["sessions"] for message in read_messages(session)]
    return next(fold_id(name) for name, text in said if fact["at"] in text)


@STORIES
def test_every_fact_is_stored_with_its_person_area_and_title_and_every_change_is_applied(path: Path) -> None:
    made = replayed(path)
    held, gone = facts_of(made.story)
    preset = load_preset(made.story["preset"])
    if "facts" not in preset.distil.steps:
        assert [fact for fact in held if not is_in_profile(made, fact)] == []
        assert [fact for fact in gone if is_in_profile(made, fact)] == []
        return
    # What nobody mentions for weeks fades where the preset says so; that is no change.
    current = {record.text: record for record in made.records if record.state in ("active", "faded")}
    assert [fact["text"] for fact in held if fact["text"] not in current] == []
    shown = {text for text, record in current.items() if record.is_current}
    assert [fact["text"] for fact in gone if fact["text"] in shown] == []
    for fact in held:
        record = current[fact["text"]]
        assert record.user == speaker_of(made.story, fact)
        if "about" in fact:
            assert record.metadata["person"]["name"] == fact["about"]
            assert record.metadata["person"]["relationship"] == fact["relation"]
        if preset.areas:
            assert f"{record.metadata['area']}/{record.metadata['sub_area']}" == fact["area"]
            assert record.title == fact["title"]


def is_in_profile(made: Replay, fact: dict[str, Any]) -> bool:
    """Whether the profile of the person who said it has the fact, with or without the name before it."""
    lines = made.profiles[speaker_of(made.story, fact)]
    return any(fact["text"].casefold().endswith(line.casefold()) for line in lines)


@STORIES
def test_six_questions_are_answered_and_nothing_stale_is_shown(path: Path) -> None:
    made = replayed(path)
    assert len(made.blocks) == 6
    for question, block, told in made.blocks:
        assert [words for words in question["must"] if not re.search(words, block)] == [], question["ask"]
        stale = [line for words in question.get("stale", ()) for line in told if re.search(words, line, re.IGNORECASE)]
        assert stale == [], question["ask"]


def test_ten_conversations_in_three_languages() -> None:
    stories = [load_story(path) for path in CONVERSATIONS]
    assert len(stories) >= 10 and {story["language"] for story in stories} == {"en", "pt", "es"}


def test_input_is_at_most_six_times_the_plain_conversation() -> None:
    """Prompts, data, and the schemas beside them."""
    made = [replayed(path) for path in CONVERSATIONS]
    spoken = sum(one.spoken_tokens for one in made)
    assert sum(one.input_tokens for one in made) <= MOST_INPUT * spoken
