"""A correction is its author's: of one's own record it counts, of another's it is a proposal to whose record it is."""

from __future__ import annotations

import pytest

from tests.conftest import OpenMemory
from tests.server.serving import serving
from toldonce import Memory
from toldonce.errors import NotAllowed
from toldonce.records import Record, Trust


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("assistant")


def office(memory: Memory) -> Record:
    return memory.remember("The office opens at nine", "fact", user="ana", visibility="project")


def test_a_strangers_correction_waits_and_changes_nothing(memory: Memory) -> None:
    record = office(memory)
    offered = memory.correct(record.id, "The office opens at noon", user="zoe")
    assert (offered.state, offered.author, offered.validated, offered.user) == ("proposed", "zoe", False, "ana")
    assert memory.get(record.id).state == "active"
    for person in ("ana", "zoe", None):
        assert [hit.record.id for hit in memory.recall("When does the office open?", person)] == [record.id]
        assert "noon" not in memory.context("When does the office open?", person).text
    assert [one.id for one in memory.review.waiting(user="ana")] == [offered.id]
    assert memory.correct(record.id, "The office opens at noon", user="zoe").id == offered.id, "it is offered once"
    memory.people.add_member("mo")
    for person in ("zoe", "mo"):
        with pytest.raises(NotAllowed):
            memory.confirm(offered.id, user=person)


def test_whose_record_it_is_takes_or_rejects_a_proposal(memory: Memory) -> None:
    record = office(memory)
    memory.forget(memory.correct(record.id, "The office opens at ten", user="zoe").id, user="ana")
    assert memory.get(record.id).state == "active"
    offered = memory.correct(record.id, "The office opens at noon", user="zoe")
    taken = memory.confirm(offered.id, user="ana")
    assert (taken.state, taken.validated, taken.author) == ("active", True, "zoe")
    assert memory.get(record.id).superseded_by == offered.id
    assert [hit.record.id for hit in memory.recall("When does the office open?", "ana")] == [offered.id]


def test_ones_own_correction_counts_at_once_with_the_trust_of_who_made_it(memory: Memory) -> None:
    record = memory.remember("Ana lives in Faro", "fact", user="ana")
    said = memory.correct(record.id, "Ana lives in Porto", user="ana")
    assert (said.state, said.validated, said.trust, said.author) == ("active", True, Trust.PERSON, "ana")
    with serving(memory) as server:
        by_agent = server.of("ana").post(f"/v1/records/{said.id}/correct", json={"text": "Ana lives in Braga"}).json()
    assert (by_agent["state"], by_agent["made_by"]) == ("active", "agent")
    assert memory.get(by_agent["id"]).trust == Trust.AGENT


def test_a_message_of_another_is_not_rewritten_by_a_proposal(memory: Memory) -> None:
    said = memory.observe("The office opens at nine", "ana", channel="c")
    assert isinstance(said, Record)
    memory.review.share(said.id, "project", user="ana")
    with pytest.raises(NotAllowed):
        memory.correct(said.id, "The office opens at noon", user="zoe")
