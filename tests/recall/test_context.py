"""What a prompt block shows of statements: what the question is about, once, and in the room that is left."""

from __future__ import annotations

from tests.conftest import ManualClock, OpenMemory
from tests.stories.test_spoken import talk
from toldonce.recall.render import strip_name


def test_a_message_and_the_statement_that_quotes_it_are_one_line(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("assistant")
    talk(memory, clock, "my brother drives a taxi in Cork")
    block = memory.context("who drives a taxi?", user="kim", session="later")
    assert block.text.count("taxi") == 1
    assert {hit.record.kind for hit in block.hits if "taxi" in hit.record.text} == {"message"}


def test_a_former_name_at_the_beginning_of_a_line_is_left_out() -> None:
    assert strip_name("Robin likes jazz", ("Robin", "Rob")) == "likes jazz"
    assert strip_name("Robinson Crusoe is read aloud", ("Robin",)) == "Robinson Crusoe is read aloud"


def test_a_profile_names_nobody_by_a_former_name(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("community")
    memory.observe("I'm a nurse in Porto and I love jazz", user="u1", channel="c", display_name="Robin")
    clock.pass_time(hours=2)
    memory.tend()
    memory.observe("hello again", user="u1", channel="c", display_name="Kestrel")
    clock.pass_time(hours=2)
    memory.tend()
    block = memory.context("hi", user="u1", channel="c").text
    assert "Kestrel" in block
    assert "nurse" in block
    assert "- Robin" not in block


def test_profiles_leave_room_for_what_was_asked(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("community")
    for day in range(12):
        memory.observe(f"I love walks number {day} and I work at harbour {day}", user="u1", channel=f"c{day}")
        clock.pass_time(hours=2)
        memory.tend()
    memory.observe("the kiln in the shed is broken again", user="u2", channel="shed")
    clock.pass_time(hours=2)
    memory.tend()
    block = memory.context("what is wrong with the kiln?", user="u1", channel="c", budget=400)
    (profiles,) = [one for one in block.sections if one.source == "profiles"]
    assert profiles.tokens <= 120
    assert "kiln in the shed is broken" in block.text
