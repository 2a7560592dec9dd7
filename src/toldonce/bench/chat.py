"""A collection lived through as a chat: a memory comes out that heard each message at its time, ready to be asked.

Every conversation is settled some hours after its last message, and the background work of its day is done.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from toldonce import Memory, presets
from toldonce.bench.cache import CachedEmbedder
from toldonce.bench.run import (
    FIRST_DAY,
    BenchSetup,
    StandingClock,
    observe_one_by_one,
    passage_messages,
    refuse_failed_runs,
)
from toldonce.bench.values import BenchQuestion, Collection
from toldonce.records import Context, Hit

CHANNEL = "chat"
# How long after its last message a conversation is settled, and how long after the last one a question is asked.
SETTLED_AFTER = timedelta(hours=3)
ASKED_AFTER = timedelta(days=2)
# How many messages plain recall may choose from.
MOST_HITS = 60

_Messages = list[dict[str, Any]]


class LivedChat:
    """The memory of a chat after its last conversation, and what it tells when it is asked."""

    def __init__(self, memory: Memory, clock: StandingClock, *, kind: str, person: str) -> None:
        self._memory = memory
        self._clock = clock
        self._end = clock.now
        self._kind = kind
        self._person = person or None

    def asked_at(self, question: BenchQuestion) -> datetime:
        """The moment at which a question is asked: its own, else some days after the last message."""
        return question.at or self._end

    def tell_block(self, question: BenchQuestion, *, budget: int | None) -> Context:
        """The prompt block for a question."""
        self._clock.now = self.asked_at(question)
        return self._memory.context(question.text, self._person, budget=budget, counted=False)

    def find_messages(self, question: BenchQuestion) -> list[Hit]:
        """The messages that recall finds for a question, best first, none left out for its score."""
        self._clock.now = self.asked_at(question)
        return self._memory.recall(
            question.text, self._person, limit=MOST_HITS, kinds=[self._kind], min_score=0.0, counted=False
        )


@contextmanager
def live_chat(collection: Collection, setup: BenchSetup, embedder: CachedEmbedder | None) -> Iterator[LivedChat]:
    """Live through a collection, in order of time."""
    preset = presets.load_preset(setup.preset)
    kind = preset.kind(preset.capture.kind)
    conversations = _read_conversations(collection, longest=kind.max_chars)
    clock = StandingClock(conversations[0][0]["at"] if conversations else FIRST_DAY)
    opened = Memory.open(
        setup.new_place(), setup.preset, embedder=embedder, reranker=setup.reranker, clock=clock, background=False
    )
    with closing(opened) as memory:
        for messages in conversations:
            _hold_conversation(memory, clock, messages)
        clock.now += ASKED_AFTER
        refuse_failed_runs(memory.tend())
        yield LivedChat(memory, clock, kind=kind.name, person=collection.person)


def _read_conversations(collection: Collection, *, longest: int) -> list[_Messages]:
    """The messages of each conversation, those that began first first; the person's name is that of the speaker."""
    found = []
    for _, group in groupby(passage_messages(collection.passages, longest=longest), key=lambda m: m["session"]):
        messages = [
            {**message, "user": message["display_name"] or collection.person or None, "channel": CHANNEL}
            for message in group
            if message["text"].strip()
        ]
        if messages:
            found.append(messages)
    return sorted(found, key=lambda messages: messages[0]["at"])


def _hold_conversation(memory: Memory, clock: StandingClock, messages: _Messages) -> None:
    """Observe each message at its time, then settle. The clock never goes back where conversations overlap."""
    for message in messages:
        clock.now = max(clock.now, message["at"])
        list(observe_one_by_one(memory, [message]))
    clock.now = max(clock.now, messages[-1]["at"] + SETTLED_AFTER)
    memory.settle(session=messages[0]["session"])
    refuse_failed_runs(memory.tend())
