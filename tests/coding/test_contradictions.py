"""Rules of a project that contradict each other: the newer one replaces the older, or a person is asked."""

from __future__ import annotations

import pytest

from tests.coding.memory_pairs import DUPLICATES, OPPOSITES
from tests.conftest import OpenMemory
from toldonce import Memory
from toldonce.distil.alternatives import strip_rule_frame
from toldonce.distil.same_statement import contradicts


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("coding", space="shop")


def test_no_opposite_is_dropped_as_known_and_most_replace_the_older_one(open_memory: OpenMemory) -> None:
    memory = open_memory("coding")
    replaced = 0
    for number, (kind, older, newer) in enumerate(OPPOSITES):
        space = memory.spaces.add(f"space{number}").name
        first = memory.remember(older, kind, space=space)
        second = memory.remember(newer, kind, space=space)
        assert first.id != second.id, (older, newer)
        replaced += memory.get(first.id).state == "superseded"
    assert replaced >= 25


def test_restated_memories_are_known_already(open_memory: OpenMemory) -> None:
    memory = open_memory("coding")
    joined = 0
    for number, (kind, older, newer) in enumerate(DUPLICATES):
        space = memory.spaces.add(f"space{number}").name
        joined += memory.remember(older, kind, space=space).id == memory.remember(newer, kind, space=space).id
    assert joined >= 24


@pytest.mark.parametrize(
    "first, second", [("decision", "convention"), ("convention", "gotcha"), ("gotcha", "decision")]
)
def test_kinds_of_rules_contradict_each_other(memory: Memory, first: str, second: str) -> None:
    old = memory.remember("Always squash before merging", first)
    new = memory.remember("Never squash before merging", second)
    assert (memory.get(old.id).state, memory.get(old.id).superseded_by) == ("superseded", new.id)


def test_the_agents_of_two_people_share_the_rules_of_a_project(memory: Memory) -> None:
    old = memory.remember("Use npm for the client", "convention", user="ana")
    memory.remember("Use pnpm for the client", "convention", user="ben")
    assert memory.get(old.id).state == "superseded"


def test_a_private_rule_of_one_person_leaves_that_of_another(memory: Memory) -> None:
    old = memory.remember("Use npm for the client", "preference", user="ana", author="person")
    memory.remember("Use pnpm for the client", "preference", user="ben", author="person")
    assert memory.get(old.id).state == "active"


def test_what_a_person_said_is_asked_about_not_replaced_by_an_agent(memory: Memory) -> None:
    old = memory.remember(
        "Always squash before merging", "convention", user="ana", author="person", visibility="project"
    )
    new = memory.remember("Never squash before merging", "convention", user="ana")
    assert (memory.get(old.id).state, new.state) == ("active", "proposed")
    assert memory.questions("ana")


@pytest.mark.parametrize(
    "older, newer",
    [
        ("Clear the cache before the unit tests", "Don't clear the cache after the unit tests"),
        ("Retry the payment call 3 times", "Retry the mail call 5 times"),
        ("Bug 12 is in the parser", "Bug 15 is in the parser"),
        ("Use tabs in Makefiles", "Use spaces in Python files"),
        ("The export job runs nightly", "The import of users is slow"),
        ("Never squash release branches", "Always squash feature branches"),
        ("Is strict mode on in tsconfig?", "Strict mode is off in tsconfig"),
        ("auth imports billing", "billing has tests"),
    ],
)
def test_what_may_hold_at_once_is_no_contradiction(memory: Memory, older: str, newer: str) -> None:
    old = memory.remember(older, "convention")
    assert memory.remember(newer, "convention").id != old.id
    assert memory.get(old.id).state == "active"


@pytest.mark.parametrize(
    "rule, bare",
    [
        ("We always use tabs here", "tabs"),
        ("never use tabs", "never tabs"),
        ("a gente sempre usa pnpm no frontend", "pnpm no frontend"),
        ("Nosotros siempre usamos pnpm", "pnpm"),
        ("use", "use"),
    ],
)
def test_a_rule_is_compared_without_what_only_makes_it_one(rule: str, bare: str) -> None:
    assert strip_rule_frame(rule) == bare


def test_a_statement_does_not_contradict_itself() -> None:
    for _, older, newer in (*OPPOSITES, *DUPLICATES):
        assert not contradicts(older, older) and not contradicts(newer, newer)
    assert not any(contradicts(newer, older) for _, older, newer in DUPLICATES)
