"""The community preset, feature by feature: what test_community.py does not tell yet, each by the id of its feature."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ManualClock, OpenMemory
from tests.importers.older_stores import make_facts
from tests.scripted import Request, Scripted, Status, scripted
from toldonce import Memory, Record
from toldonce.distil.tiers import read_tiers
from toldonce.errors import NotAllowed
from toldonce.presets import preset_text
from toldonce.tools.definition import Caller
from toldonce.tools.table import Toolbox

TALKS = (
    "My dog Bento ate my shoes again", "That strategy game crashed twice on my laptop",
    "I cooked ramen with egg and noodles", "The wifi driver works on the older kernel",
)  # fmt: skip
MORE_TALKS = (
    "Bento the dog needs a vet for his paw", "The strategy game has a great tutorial",
    "The ramen place has the best noodles and egg", "A kernel update broke the wifi driver",
)  # fmt: skip


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("community", space="guild")


@pytest.fixture
def server() -> Iterator[Scripted]:
    def note(request: Request) -> dict[str, object]:
        sources = [message["id"] for message in request.data["messages"]]
        return {"title": "Moving day", "summary": "Alex found a flat.", "sources": sources}

    def facts(request: Request) -> dict[str, object]:
        said = request.data["messages"][0]
        told = {
            "type": "preference", "text": f"Alex said: {said['text']}", "about": None, "attribute": None, "value": None,
            "change": "holds", "confidence": 0.9, "source": said["id"], "quote": said["text"],
        }  # fmt: skip
        return {"facts": [told]}

    with scripted() as running:
        running.say(note=note, facts=facts)
        yield running


def say(memory: Memory, user: str, text: str, *, channel: str = "general") -> object:
    return memory.observe(text, user=user, channel=channel, username=user, display_name=user.title())


def quiet(memory: Memory, clock: ManualClock) -> None:
    clock.pass_time(minutes=30)
    memory.tend()


def of_kind(memory: Memory, kind: str) -> list[Record]:
    return [h.record for h in memory.timeline(kinds=[kind]) if h.action == "added"]


def test_com_2_a_message_is_on_disk_when_the_call_returns(open_memory: OpenMemory, memory: Memory) -> None:
    """COM-2: every human message joins its channel's buffer, persisted at once."""
    say(memory, "alex", "I found a flat in Austin")
    other = open_memory(space="guild")
    assert [h.record.text for h in other.timeline()] == ["I found a flat in Austin"]
    assert other.stats()["unsettled conversations"] == 1


def test_com_5_a_note_has_title_summary_people_channel_and_date(memory: Memory, clock: ManualClock) -> None:
    """COM-5: and the buffer is gone once the note is there."""
    say(memory, "alex", "I found a flat in Austin, the rent is fine")
    quiet(memory, clock)
    (note,) = of_kind(memory, "note")
    assert note.title
    assert "Austin" in note.text
    assert (note.channel, note.metadata["participants"]) == ("general", ["alex"])
    assert memory.stats()["unsettled conversations"] == 0


def test_com_5_a_failed_model_call_keeps_the_buffer(
    open_memory: OpenMemory, clock: ManualClock, server: Scripted
) -> None:
    """COM-5: all or nothing; a later try makes the note."""
    memory = open_memory("community", writer=server.writer)
    say(memory, "alex", "I found a flat in Austin")
    server.say(facts=Status(500))
    quiet(memory, clock)
    assert of_kind(memory, "note") == []
    assert memory.stats()["unsettled conversations"] == 1
    server.say(facts={"facts": []})
    clock.pass_time(hours=2)
    memory.tend()
    assert [note.title for note in of_kind(memory, "note")] == ["Moving day"]


def test_com_6_each_new_line_of_a_profile_names_its_note(memory: Memory, clock: ManualClock) -> None:
    """COM-6: everyone who took part gets what the note says of them, with the note and the message as its source."""
    say(memory, "alex", "I live in Austin")
    say(memory, "sam", "I work at a bakery")
    quiet(memory, clock)
    (note,) = of_kind(memory, "note")
    for user, word in (("alex", "Austin"), ("sam", "bakery")):
        (entry,) = memory.profile(user).entries
        (message,) = [record.id for record in of_kind(memory, "message") if record.user == user]
        assert word in entry.text
        assert entry.sources == (note.id, message)


def test_com_7_a_profile_is_read_and_one_line_or_all_of_it_is_taken_out(memory: Memory, clock: ManualClock) -> None:
    """COM-7: sections of entries, each with its source; what was taken out stays in the document's history."""
    say(memory, "alex", "I live in Austin. I love chess. My dog is called Bento.")
    quiet(memory, clock)
    before = memory.profile("alex")
    assert {"bio", "interests", "relationships"} <= {entry.section for entry in before.entries}
    line = next(entry.text for entry in before.entries if entry.section == "interests")
    clock.pass_time(minutes=1)
    assert line not in [entry.text for entry in memory.documents.forget_line("alex", line).entries]
    assert memory.documents.forget_line("alex").entries == memory.profile("alex").entries == ()
    assert memory.profile("alex", as_of=before.at).entries == before.entries


def test_com_8_a_days_notes_become_topics_at_midnight(memory: Memory, clock: ManualClock) -> None:
    """COM-8: three to eight, each with the notes it came from and everyone in them, found beside the notes."""
    for place, text in enumerate((*TALKS, *MORE_TALKS)):
        say(memory, "alex", text, channel=f"room-{place}")
        say(memory, "sam", f"Tell me more, that is fun: {text}", channel=f"room-{place}")
    quiet(memory, clock)
    clock.pass_time(days=1)
    memory.tend()
    topics = of_kind(memory, "topic")
    assert 3 <= len(topics) <= 8
    assert {s for t in topics for s in t.sources} == {n.id for n in of_kind(memory, "note")}
    assert all(t.title and set(t.metadata["participants"]) == {"alex", "sam"} for t in topics)
    assert {"note", "topic"} <= {hit.record.kind for hit in memory.recall("ramen noodles", limit=10)}


def test_a_note_and_its_topic_do_not_both_stand_in_a_prompt(memory: Memory, clock: ManualClock) -> None:
    """A prompt says a thing once; a search still finds both."""
    for place, text in enumerate((*TALKS, *MORE_TALKS)):
        say(memory, "alex", text, channel=f"room-{place}")
    quiet(memory, clock)
    clock.pass_time(days=1)
    memory.tend()
    shown = [hit.record for hit in memory.context("ramen noodles", user="alex", channel="new").hits]
    ids = {record.id for record in shown if record.kind == "note"}
    assert ids or [record for record in shown if record.kind == "topic"]
    assert all(ids.isdisjoint(record.sources) for record in shown if record.kind == "topic")


def test_com_9_profiles_are_put_in_order_at_midnight(memory: Memory, clock: ManualClock) -> None:
    """COM-9: what was said twice stands once, of two opinions the newer one stays, and sources are kept."""
    for text in (
        "I love hiking. My dog barks a lot.",
        "I love hiking in the mountains. It rained on my bike.",
        "I love coffee. My bike has a flat tyre.",
        "I hate coffee. My bike is repaired now.",
    ):
        say(memory, "alex", text)
        quiet(memory, clock)
    clock.pass_time(days=1)
    assert [run.status for run in memory.tend() if run.name == "consolidate_profiles"] == ["completed"]
    entries = memory.profile("alex").entries
    texts = [entry.text for entry in entries]
    assert sum("hiking" in text for text in texts) == 1
    assert [text for text in texts if "coffee" in text] == ["hates coffee"]
    assert all(entry.sources for entry in entries)


def test_com_10_a_missed_night_is_made_up_for_at_start(
    open_memory: OpenMemory, memory: Memory, clock: ManualClock
) -> None:
    """COM-10: a memory that was not running for days does its midnight work as soon as it runs again."""
    for place, text in enumerate((*TALKS, *MORE_TALKS)):
        say(memory, "alex", text, channel=f"room-{place}")
    quiet(memory, clock)
    memory.close()
    clock.pass_time(days=3)
    again = open_memory(space="guild")
    done = {run.name: run.status for run in again.tend()}
    assert done["topics"] == "completed"
    assert of_kind(again, "topic")
    assert [run.name for run in again.jobs.runs(name="topics")]


def test_com_12_the_block_answers_where_it_was_learnt(memory: Memory, clock: ManualClock) -> None:
    """COM-12: the title and the date of the note stand beside each fact."""
    say(memory, "alex", "I live in Austin. The river trail and the bats under the bridge are great.")
    quiet(memory, clock)
    (note,) = of_kind(memory, "note")
    assert f"- lives in Austin  [{note.title}, Mar 2]" in memory.context("hi", user="alex", channel="general").text


def test_com_13_notes_go_to_the_fast_model_and_topics_to_the_strong_one(
    open_memory: OpenMemory, clock: ManualClock, server: Scripted
) -> None:
    """COM-13: which model does which task is a setting; the strong one puts a crowded profile in order."""
    hobbies = "chess climbing pottery rowing sewing juggling fencing baking".split()

    def facts(request: Request) -> dict[str, object]:
        said = request.data["messages"][0]
        told = {"type": "preference", "attribute": "likes", "change": "holds", "confidence": 0.9, "source": said["id"]}
        return {"facts": [{**told, "text": f"Alex likes {hobby}.", "value": hobby} for hobby in hobbies]}

    server.say(facts=facts)
    tiers = read_tiers(f"{server.url}#fast", strong=f"{server.url}#strong")
    memory = open_memory("community", writer=tiers)
    for place, text in enumerate(TALKS):
        say(memory, "alex", text, channel=f"room-{place}")
    quiet(memory, clock)
    clock.pass_time(days=1)
    memory.tend()
    asked = {(request.task, request.body["model"]) for request in server.requests}
    assert {("facts", "fast"), ("topics", "strong"), ("profile", "strong")} <= asked
    assert not {("facts", "strong"), ("topics", "fast"), ("profile", "fast")} & asked


def test_com_14_a_rule_says_which_messages_are_skipped(open_memory: OpenMemory, tmp_path: Path) -> None:
    """COM-14: a pattern in the preset, here commands to a bot, keeps messages out."""
    text = preset_text("community")[0].replace('name = "community"', 'name = "ours"')
    (tmp_path / "ours.toml").write_text(text.replace('roles = ["user"]', 'roles = ["user"]\nskip = ["^!"]'))
    memory = open_memory(str(tmp_path / "ours.toml"))
    assert not say(memory, "alex", "!play some music")
    assert say(memory, "alex", "what music was that?")


def test_com_14_only_servers_that_were_added_have_a_memory(memory: Memory) -> None:
    """COM-14: a server that is not on the list, or was switched off, is neither heard nor answered."""
    memory.spaces.add("friends")
    memory.spaces.switch(on=False, space="friends")
    assert not memory.observe("hello", user="alex", channel="c", space="friends")
    assert memory.context("hello", user="alex", space="friends").text == ""


def test_com_15_an_older_store_of_facts_is_imported_and_left_untouched(memory: Memory, tmp_path: Path) -> None:
    """COM-15: its facts are searched and shown beside notes; importing again changes nothing."""
    place = make_facts(tmp_path / "bot.db")
    before = place.read_bytes()
    assert memory.import_(place).kept == 3
    assert memory.import_(place).kept == 0
    assert place.read_bytes() == before
    assert memory.recall("where does Alex live?")[0].record.text == "Alex lives in Austin"
    assert "Alex lives in Austin" in memory.context("who lives in Austin?", user="4711", channel="general").text


def test_com_7_an_agent_takes_a_line_out_only_after_a_yes(memory: Memory, clock: ManualClock) -> None:
    """COM-7: the tool says what would go, and does it when it is called with the token it gave."""
    say(memory, "alex", "I love chess")
    quiet(memory, clock)
    given = {"user": "Alex", "text": memory.profile("alex").entries[0].text}
    with pytest.raises(NotAllowed, match="the person it is about"):
        Toolbox(memory, Caller(user="sam")).call("forget_profile_entry", given, confirmed=True)
    box = Toolbox(memory, Caller(user="alex"))
    asked = box.call("forget_profile_entry", given).value
    assert asked["done"] is False
    assert memory.profile("alex").entries
    box.call("forget_profile_entry", {**given, "confirm": asked["confirm"]})
    assert memory.profile("alex").entries == ()
