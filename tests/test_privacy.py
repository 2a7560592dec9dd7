"""One person never gets another's private words, whichever door is asked and however the words got into the memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import ManualClock, OpenMemory, write_noting_preset
from toldonce import Memory
from toldonce.errors import InputError
from toldonce.integrations.hosts import ToolProvider
from toldonce.models.embedder import Vectors
from toldonce.tools.definition import Caller

PRESETS = ("assistant", "companion", "life")


class _RemoteEmbedder:
    """An embedder elsewhere, which keeps what it was sent."""

    name, dimensions, local = "remote", 2, False

    def __init__(self) -> None:
        self.sent: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.sent += texts
        return np.ones((len(texts), 2), dtype=np.float32)


def test_a_question_is_sent_to_no_model_for_a_person_who_is_kept_out(open_memory: OpenMemory) -> None:
    embedder = _RemoteEmbedder()
    memory = open_memory("assistant", embedder=embedder)
    memory.observe("The tram to Braga is late", "bob")
    memory.people.block("ana")
    assert not memory.recall("where is my therapist?", "ana") and embedder.sent == []
    assert memory.recall("tram to Braga", "bob") and embedder.sent == ["tram to Braga"]
    memory.spaces.switch(on=False)
    assert not memory.recall("tram to Faro", "bob") and embedder.sent == ["tram to Braga"]


def _said_together(memory: Memory, clock: ManualClock) -> None:
    """Ana and Bob speak in one session, and the assistant answers without saying whom."""
    for text, user, role in (
        ("My therapist is Doctor Quill and I take sertraline in Zanzibar", "ana", "user"),
        ("Noted: sertraline with breakfast, as Doctor Quill said", None, "assistant"),
        ("Thanks for having me, I live in Braga", "bob", "user"),
        ("Ana works at Umbrella and Ana is allergic to walnuts", "bob", "user"),
    ):
        memory.observe(text, user=user, session="shared", channel="room", role=role, display_name=(user or "").title())
        clock.pass_time(minutes=1)
    clock.pass_time(hours=3)
    memory.settle()
    for _ in range(8):
        memory.tend()
        clock.pass_time(days=1)


def _seen(memory: Memory, user: str, tmp_path: Path) -> Iterator[tuple[str, str]]:
    """Everything that a person gets, by the door that gave it."""
    for query in ("sertraline", "Doctor Quill", "Zanzibar", "Umbrella walnuts", "what is known of Ana?"):
        yield "recall", str([hit.record for hit in memory.recall(query, user=user, limit=20, min_score=0)])
        for session, channel in (("shared", "room"), ("other", None), ("shared", None), (None, "room")):
            yield "context", memory.context(query, user=user, session=session, channel=channel).text
    for name in ("Zanzibar", "Doctor Quill", "Umbrella"):
        yield f"entity {name}", str(memory.entity(name, user=user) or "")
    yield "profile", str(memory.profile(user))
    yield "questions", str(memory.questions(user))
    yield "timeline", str(memory.timeline(user))
    yield "report", str(memory.report("month", user=user))
    memory.export(tmp_path / f"{user}.jsonl", user=user)
    yield "export", (tmp_path / f"{user}.jsonl").read_text()
    for tool in ToolProvider.over(memory, Caller(user=user, session="shared")).get_tools():
        for given in ({"query": "sertraline Zanzibar"}, {"name": "Zanzibar"}, {"currentTopic": "sertraline Umbrella"}):
            if tool.schema["required"] == list(given):
                yield tool.name, tool.call(given).replace('"found": false, "name": "Zanzibar"', "")


@pytest.mark.parametrize("preset", PRESETS)
def test_nobody_gets_what_another_said_in_the_same_session(
    preset: str, open_memory: OpenMemory, clock: ManualClock, tmp_path: Path
) -> None:
    memory = open_memory(preset)
    _said_together(memory, clock)
    for user, secrets in (
        ("ana", ("Umbrella", "walnuts", "Braga")),
        ("bob", ("sertraline", "Quill", "Zanzibar")),
        ("carl", ("sertraline", "Quill", "Zanzibar", "Umbrella", "walnuts", "Braga")),
    ):
        told = [
            (invocation, word) for invocation, text in _seen(memory, user, tmp_path) for word in secrets if word in text
        ]
        assert not told, f"{user} was told"


@pytest.mark.parametrize("preset", PRESETS)
def test_people_still_get_their_own_words_and_the_answers_to_them(
    preset: str, open_memory: OpenMemory, clock: ManualClock
) -> None:
    memory = open_memory(preset)
    _said_together(memory, clock)
    found = [hit.record for hit in memory.recall("sertraline", user="ana", limit=20, min_score=0)]
    assert {"user", "assistant"} <= {record.role for record in found}
    assert {record.user for record in found} == {"ana"}


def test_each_person_of_a_private_conversation_gets_a_note_of_their_own(
    open_memory: OpenMemory, tmp_path: Path
) -> None:
    memory = open_memory(write_noting_preset(tmp_path))
    memory.observe("I bought a red bicycle in Utrecht", user="ana", session="s")
    memory.observe("My sister teaches physics in Graz", user="bob", session="s")
    [settled] = memory.settle(session="s")
    notes = {record.user: record for record in settled.kept if record.kind == "note"}
    assert notes.keys() == {"ana", "bob"}
    assert "Graz" not in notes["ana"].text + notes["ana"].title
    assert len(notes["ana"].sources) == 1


def test_what_people_say_for_all_to_read_becomes_one_note(open_memory: OpenMemory) -> None:
    memory = open_memory("community")
    memory.observe("I bought a red bicycle in Utrecht", user="ana", channel="c")
    memory.observe("My sister teaches physics in Graz", user="bob", channel="c")
    [settled] = memory.settle(channel="c")
    [note] = [record for record in settled.kept if record.kind == "note"]
    assert note.user is None
    assert note.metadata["participants"] == ["ana", "bob"]


def test_an_answer_that_names_nobody_is_for_the_person_who_spoke_last(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    memory.observe("I need a plumber", user="ana", session="s")
    memory.observe("I need a florist", user="bob", session="s")
    assert memory.observe("The florist on the corner is open", session="s", role="assistant").user == "bob"
    assert memory.observe("Nobody spoke here yet", session="t", role="assistant").user is None


def test_scores_tell_nothing_of_words_that_others_said_beside(open_memory: OpenMemory) -> None:
    """A record is weighed by what stands around it, but not by what its reader may not see."""
    scores = []
    for word in ("zebra xylophone", "apple banana"):
        memory = open_memory("assistant", file=f"{word}.db", embedder="default")
        memory.observe(f"The {word} is hidden in the shed", user="ana", session="s")
        memory.observe("All right, thank you for telling me about it", user="bob", session="s")
        memory.tend()
        scores.append([hit.score for hit in memory.recall("zebra xylophone", user="bob", min_score=0)])
    assert scores[0] == scores[1]


def test_an_entity_is_told_of_as_far_as_the_person_may_see(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    for text in ("I moved to Zanzibar", "The sea in Zanzibar is warm"):
        memory.observe(text, user="ana", session="s")
    memory.observe("Is Zanzibar far away?", user="bob", session="t")
    mine, all_of_it = memory.entity("zanzibar", user="bob"), memory.entity("zanzibar")
    assert mine is not None and (mine.mentions, len(mine.records), mine.aliases) == (1, 1, ("Zanzibar",))
    assert all_of_it is not None and all_of_it.mentions == 3
    assert memory.entity("zanzibar", user="carl") is None


def test_what_is_drawn_from_private_words_is_private_to_who_said_them(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    one = memory.observe("I take sertraline", user="ana", session="s")
    two = memory.observe("I take nothing", user="bob", session="t")
    assert memory.remember("Somebody here takes sertraline", source=one.id, author="agent").user == "ana"
    with pytest.raises(InputError, match="private to several people"):
        memory.remember("One takes something, one does not", source=[one.id, two.id], author="agent")
    assert "sertraline" not in str([hit.record for hit in memory.recall("takes sertraline", user="bob")])
