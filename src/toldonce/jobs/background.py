"""What the memory is handed to have its background work done. Nothing of that work is imported before it is needed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toldonce.jobs.planning import Duties
    from toldonce.memory import Memory
    from toldonce.storage.tables.jobs import Run


class JobRunner:
    """Runs due jobs for any memory, when asked or in the background."""

    def __init__(self, duties: Duties | None = None) -> None:
        self._own = duties

    def run_due(self, memory: Memory, *, now: datetime) -> list[Run]:
        """Run every job that is due at that moment, in order of due time and key, and say what was done.

        What the background of this memory has begun meanwhile is waited for: afterwards nothing is due.
        """
        from toldonce.jobs.runner import DuePass
        from toldonce.jobs.watcher import wait_for_round

        done = DuePass(memory, self._duties(), now=now).run_due_jobs()
        wait_for_round(memory)
        return done

    def watch(self, memory: Memory) -> Callable[[], None]:
        """Run due jobs in the background until the returned function is called."""
        from toldonce.jobs.watcher import watch_memory

        return watch_memory(memory, self.turn)

    def embed_few(self, memory: Memory, places: Sequence[int]) -> None:
        """Make the vectors that a few records lack."""
        from toldonce.jobs.embed import embed_few

        embed_few(memory, places)

    def turn(self, memory: Memory, *, starting: bool, halt: threading.Event) -> timedelta | None:
        """One round in the background: how long to wait for the next, or None when the memory was closed."""
        from toldonce.jobs.runner import run_round

        return run_round(memory, self._duties(), starting=starting, halt=halt)

    def _duties(self) -> Duties:
        if self._own is not None:
            return self._own
        from toldonce.jobs.handlers import DUTIES

        return DUTIES
