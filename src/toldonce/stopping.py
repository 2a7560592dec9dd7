"""How a process that runs until a signal is told to stop, and how long work ends that is not wanted any more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from queue import Empty, SimpleQueue

from toldonce.errors import WorkStopped

_is_over: ContextVar[Callable[[], bool] | None] = ContextVar("toldonce_is_over", default=None)


@contextmanager
def stopping_when(is_over: Callable[[], bool]) -> Iterator[None]:
    """Within, long work ends at its next step once `is_over` says so."""
    token = _is_over.set(is_over)
    try:
        yield
    finally:
        _is_over.reset(token)


def check_not_over() -> None:
    """Raise WorkStopped once that says so."""
    is_over = _is_over.get()
    if is_over is not None and is_over():
        raise WorkStopped


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
