"""How a process that runs until a signal is told to stop."""

from __future__ import annotations

from contextlib import suppress
from queue import Empty, SimpleQueue


class StopFlag:
    """A flag that a signal handler may set at any moment.

    The handler runs in the thread that waits. An Event would wait for a lock that this thread holds, for good.
    """

    def __init__(self) -> None:
        self._is_set = False
        self._wake: SimpleQueue[None] = SimpleQueue()

    def set(self) -> None:
        """Set the flag and wake who waits."""
        self._is_set = True
        self._wake.put(None)

    def is_set(self) -> bool:
        """Whether the flag is set."""
        return self._is_set

    def wait(self, seconds: float | None = None) -> bool:
        """Whether the flag is set, at the latest after that time."""
        if not self._is_set:
            with suppress(Empty):
                self._wake.get(timeout=seconds)
        return self._is_set
