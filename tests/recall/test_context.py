"""What a prompt block shows of statements: what the question is about, once, and in the room that is left."""

from __future__ import annotations

from datetime import timedelta

from tests.conftest import START, ManualClock, OpenMemory
from tests.stories.test_spoken import talk
from toldonce.recall.query import order_by_topic
from toldonce.recall.render import strip_name
from toldonce.records import Hit, Record
from toldonce.storage.tables.records import find_topic_marks


def statement(text: str, *, days: int = 0, **marks: list[str]) -> Hit:
    at = START - timedelta(days=days)
    metadata = {"language": "en", **marks}
    return Hit(Record(id=text, space="main", kind="statement", text=text, at=at, created_at=at, metadata=metadata), 0.0)


def _order(hits: list[Hit], question: str) -> list[str]:
    topics = [find_topic_marks(hit.record.metadata) for hit in hits]
    return [hits[place].record.text for place in order_by_topic(topics, question)]


def test_a_statement_about_the_topic_needs_no_word_of_the_question() -> None:
    hits = [
        statement("the guitar is back from repair", topics=["hobby"]),
        statement("I get migraines", topics=["medication"]),
    ]
    assert _order(hits, "which medicine is safe for me?") == ["I get migraines"]


def test_a_name_in_the_question_brings_what_was_said_of_the_person() -> None:
    hits = [statement("she is celiac", about=["pili"]), statement("I moved house", topics=["home"])]
    assert _order(hits, "Dinner with Pili on Friday, ideas?") == ["she is celiac"]


def test_what_few_statements_share_counts_more_and_then_the_newer() -> None:
    common = [statement(f"meal {n}", days=n, topics=["food"]) for n in range(3)]
    rare = statement("Rui cooks on Sundays", days=9, topics=["food"], names=["rui"])
    ordered = _order([*common, rare], "what food does Rui cook?")
    assert ordered == ["Rui cooks on Sundays", "meal 0", "meal 1", "meal 2"]


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
