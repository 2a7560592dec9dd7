"""What `Memory` needs of the background jobs, which are a layer above it."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from toldonce.storage.tables.jobs import Run

if TYPE_CHECKING:
    from toldonce.memory import Memory


class BackgroundJobs(Protocol):
    """Runs background jobs. The package root provides one, since jobs are a layer above `Memory`."""

    def run_due(self, memory: Memory, *, now: datetime) -> list[Run]:
        """Run every job that is due and return what was done."""

    def watch(self, memory: Memory) -> Callable[[], None]:
        """Run due jobs in the background until the returned function is called."""

    def embed_few(self, memory: Memory, places: Sequence[int]) -> None:
        """Make the vectors that a few records lack."""


def make_catch_up(memory: Memory) -> Callable[[Sequence[int]], None]:
    """A function that makes the vectors of a few records. It does not keep the memory alive."""
    place = weakref.ref(memory)

    def catch_up(places: Sequence[int]) -> None:
        if (found := place()) is not None:
            found.job_runner.embed_few(found, places)

    return catch_up
