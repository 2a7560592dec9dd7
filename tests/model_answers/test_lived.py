"""A recorded conversation as a lived story: `benchmarks.lived --writer` against a server that replays good answers."""

from __future__ import annotations

import json
from datetime import UTC, timedelta
from pathlib import Path
from typing import Any

import pytest

from benchmarks.lived import main
from tests.model_answers.replay import CONVERSATIONS, answer_story, fold_id, load_story, read_messages
from tests.scripted import scripted


def make_lived_story(story: dict[str, Any]) -> dict[str, Any]:
    """A recorded conversation as a line of a file of stories: its questions are the probes."""
    messages = []
    for session in story["sessions"]:
        at = session["at"].replace(tzinfo=UTC)
        for number, (name, text) in enumerate(read_messages(session)):
            person = {"role": "assistant"} if name == "assistant" else {"display_name": name}
            user = story["user"] if name == "assistant" else fold_id(name)
            moment = (at + number * timedelta(minutes=3)).isoformat()
            messages.append({"at": moment, "user": user, "session": f"{at:%m%d}", "text": text, **person})
    later = (story["sessions"][-1]["at"].replace(tzinfo=UTC) + timedelta(days=2)).isoformat()
    probes = [
        {"at": later, "user": story["user"], "session": "later", "query": one["ask"], **one}
        for one in story["questions"]
    ]
    last = [fact["text"] for fact in story["sessions"][-1]["facts"]]
    first = [fact["text"] for fact in story["sessions"][0]["facts"]]
    gone = [text for text in first for fact in story["sessions"][-1]["facts"] if _is_replaced(text, fact)]
    return {
        "id": "recorded",
        "preset": story["preset"],
        "messages": messages,
        "probes": probes,
        "known": [{"all": [f"^ ?{text}"]} for text in last],
        "gone": [{"all": [f"^ ?{text}"]} for text in gone],
    }


def _is_replaced(text: str, fact: dict[str, Any]) -> bool:
    return any(words in text for words in fact.get("replaces", ()))


def test_a_lived_story_is_measured_with_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = next(path for path in CONVERSATIONS if path.stem == "assistant_en_marathon")
    story = load_story(path)
    file = tmp_path / "stories.jsonl"
    file.write_text(json.dumps(make_lived_story(story)) + "\n", encoding="utf-8")
    with scripted() as server:
        answer_story(server, story)
        main([str(file), "--writer", server.writer, "--show", "--out", str(tmp_path / "out.json")])
        asked = server.calls["facts"]
    told = capsys.readouterr().out.splitlines()
    assert [line.split() for line in told[:3]] == [
        ["probes", "6/6", "1.000"],
        ["known", "7/7", "1.000"],
        ["gone", "5/5", "1.000"],
    ]
    assert told[3].split()[:5] == ["facts", str(asked), "calls", str(100 * asked), "read"]
    kept = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert len(kept) == 18 and not any(one["problems"] for one in kept)


def test_what_does_not_hold_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same story of which a model reads nothing; stories of other presets are left out."""
    story = make_lived_story(load_story(CONVERSATIONS[0]))
    file = tmp_path / "stories.jsonl"
    file.write_text("\n".join(json.dumps({**story, "preset": name}) for name in (story["preset"], "coding")))
    with scripted() as server:
        main([str(file), "--writer", server.writer, "--preset", story["preset"], "--show"])
    told = capsys.readouterr().out
    assert "recorded known: " in told and ": missing\n" in told
    assert "0/7" in told
