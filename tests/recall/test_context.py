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
