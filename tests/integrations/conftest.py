"""What the tests of integrations share: a memory that knows something of two people."""

from __future__ import annotations

import pytest

from tests.conftest import OpenMemory
from toldonce import Memory
from toldonce.integrations.person_memory import PersonMemory


@pytest.fixture
def known(open_memory: OpenMemory) -> Memory:
    """Alex is allergic to peanuts, Sam to cats."""
    memory = open_memory("assistant")
    memory.remember("Alex is allergic to peanuts", user="alex")
    memory.remember("Sam is allergic to cats", user="sam")
    return memory


@pytest.fixture
def alex(known: Memory) -> PersonMemory:
    return PersonMemory(known, "alex", "monday")
