"""Replays a recorded conversation: its messages go in, a server answers as a good model would, all requests are kept.

A conversation is a TOML file: sessions with messages (`Name: words`, three minutes apart), the facts and the note that
a good model answers with, written by hand, and six questions asked at the end. A fact names its message and what it
replaces by words that are in them. `memory` says in which section of the compact memory news belong.
"""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.scripted import Request, Scripted, scripted
from toldonce import Memory, Record
from toldonce.tokens import count_tokens

FOLDER = Path(__file__).parent
CONVERSATIONS = sorted((FOLDER / "conversations").glob("*.toml"))
_BETWEEN = timedelta(minutes=3)
_BLANK = {
    "quote": None,
    "about": None,
    "relation": None,
    "type": "fact",
    "attribute": "other",
    "value": None,
    "change": "holds",
    "confidence": 0.95,
    "area": "other",
    "title": None,
}


@dataclass(slots=True)
class Replay:
    """What a replay left behind: requests, records, and the block for each question."""

    story: dict[str, Any]
    requests: list[Request]
    records: list[Record] = field(default_factory=list)
    profiles: dict[str, list[str]] = field(default_factory=dict)
    blocks: list[tuple[dict[str, Any], str, list[str]]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def spoken_tokens(self) -> int:
        """The tokens of the plain conversation."""
        said = (session["messages"].strip() for session in self.story["sessions"])
        return sum(count_tokens(text) for text in said)

    @property
    def input_tokens(self) -> int:
        """The tokens of all requests: prompts, data, and the schemas, which most providers count as input too."""
        return sum(map(_count_input, self.requests))


def _count_input(request: Request) -> int:
    form = json.dumps(request.body["response_format"], separators=(",", ":"))
    return sum(map(count_tokens, (request.system, *request.turns, form)))


def load_story(path: Path) -> dict[str, Any]:
    """A conversation as the file has it."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def read_messages(session: dict[str, Any]) -> list[tuple[str, str]]:
    """Who says what."""
    lines = session["messages"].strip().splitlines()
    return [(name, text) for name, _, text in (line.partition(": ") for line in lines)]


def replay_story(path: Path, folder: Path) -> Replay:
    """Live through a conversation with its nights, then ask the questions."""
    story = load_story(path)
    now = [story["sessions"][0]["at"].replace(tzinfo=UTC)]
    with scripted() as server:
        answer_story(server, story)
        memory = Memory.open(
            str(folder / "memory.db"),
            preset=story["preset"],
            clock=lambda: now[0],
            background=False,
            writer=server.writer,
        )
        with memory:
            memory.tend()
            for session in story["sessions"]:
                _live_session(memory, story, session, now)
            made = Replay(story, server.requests)
            _ask_questions(memory, story, made)
            found = memory.store.read(lambda t: t.records.read_page(None, limit=1000))
            made.records = [record for _, record in found if record.conversation is None]
            people = {fold_id(name) for session in story["sessions"] for name, _ in read_messages(session)}
            made.profiles = {one: [entry.text for entry in memory.profile(one).entries] for one in people}
            made.problems = [run.error for run in memory.jobs.runs(limit=1000) if run.error]
    return made


def _live_session(memory: Memory, story: dict[str, Any], session: dict[str, Any], now: list[datetime]) -> None:
    at = session["at"].replace(tzinfo=UTC)
    while now[0].date() < at.date():
        now[0] = datetime.combine(now[0].date() + timedelta(days=1), datetime.min.time(), tzinfo=UTC) + timedelta(
            hours=5
        )
        memory.tend()
    now[0] = at
    label = f"session-{at:%m%d}"
    for name, text in read_messages(session):
        is_machine = name == "assistant"
        person = story["user"] if is_machine else fold_id(name)
        given: dict[str, Any] = {"role": "assistant"} if is_machine else {"display_name": name}
        memory.observe(text, person, session=label, channel="general", at=now[0], **given)
        now[0] += _BETWEEN
    memory.settle()
    now[0] = datetime.combine(now[0].date() + timedelta(days=1), datetime.min.time(), tzinfo=UTC) + timedelta(hours=5)
    memory.tend()


def fold_id(name: str) -> str:
    """The id of somebody who speaks, made of the name."""
    return name.lower().translate(str.maketrans("áéíóúãõçñê", "aeiouaocne"))


def _ask_questions(memory: Memory, story: dict[str, Any], made: Replay) -> None:
    for question in story["questions"]:
        block = memory.context(question["ask"], story["user"], session="later", channel="general")
        quotes = [hit.record.text[:40] for hit in block.hits if hit.record.kind == "message"]
        told = [line for line in block.text.splitlines() if not any(quote and quote in line for quote in quotes)]
        made.blocks.append((question, block.text, told))


def answer_story(server: Scripted, story: dict[str, Any]) -> None:
    """Have a server answer every request of a conversation as the file has it."""

    def answer_facts(request: Request) -> dict[str, Any]:
        said = {row["text"] for row in request.data["messages"]}
        session = next(one for one in story["sessions"] if any(text in said for _, text in read_messages(one)))
        items = [_build_item(fact, request) for fact in session["facts"]]
        ids = [row["id"] for row in request.data["messages"]]
        title, summary = session.get("note", (None, None))
        noted = {"note_title": title, "note_summary": summary, "note_sources": [ids[0], ids[-1]] if title else []}
        return {"facts": [item for item in items if item], **noted}

    server.say(
        facts=answer_facts,
        user_memory=lambda request: _rewrite_document(request, story.get("memory", {})),
        profile=lambda request: _rewrite_document(request, story.get("memory", {})),
    )


def _build_item(fact: dict[str, Any], request: Request) -> dict[str, Any] | None:
    """A fact as the answer has it; None when its message is on another page."""
    source = next((row["id"] for row in request.data["messages"] if fact["at"] in row["text"]), None)
    if source is None:
        return None
    known = request.data.get("known", [])
    over = [row["id"] for words in fact.get("replaces", ()) for row in known if words in row["text"]]
    given = {key: value for key, value in fact.items() if key not in ("at", "replaces")}
    area = given.get("area", "other").rpartition("/")[2]
    return {**_BLANK, **given, "area": area, "source": source, "replaces": over}


def _rewrite_document(request: Request, places: dict[str, str]) -> dict[str, Any]:
    """The lines as they are, and the news where the file says they belong."""
    rows = [(row["section"], row) for row in request.data.get("entries", ())]
    for row in request.data.get("news", ()):
        rows += [(section, row) for words, section in places.items() if words in row["text"]]
    return {"entries": [{"section": section, "text": r["text"], "sources": [r["id"]]} for section, r in rows]}


def render_requests(made: Replay) -> str:
    """All requests of a replay as a text to review: each prompt once, then the data."""
    seen: set[str] = set()
    parts = []
    for number, request in enumerate(made.requests, 1):
        prompt = "as above" if request.system in seen else request.system
        seen.add(request.system)
        turns = "\n\n".join(re.sub(r"^", "| ", turn, flags=re.MULTILINE) for turn in request.turns)
        parts.append(f"=== request {number}: {request.task}\n--- prompt: {prompt}\n--- data:\n{turns}\n")
    return "\n".join(parts)
