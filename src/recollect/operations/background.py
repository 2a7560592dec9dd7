"""What `Memory` needs of the background jobs, which are a layer above it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from recollect.storage.tables.jobs import Run

if TYPE_CHECKING:
    from recollect.memory import Memory


class BackgroundJobs(Protocol):
    """Runs background jobs. The package root provides one, since jobs are a layer above `Memory`."""

    def run_due(self, memory: Memory, *, now: datetime) -> list[Run]:
        """Run every job that is due and return what was done."""

    def watch(self, memory: Memory) -> Callable[[], None]:
        """Run due jobs in the background until the returned function is called."""
