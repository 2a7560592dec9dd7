"""A thread that runs due jobs while its process lives. It holds a weak reference: a dropped memory is released."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from toldonce.memory import Memory


class WorkRound(Protocol):
    """One round of work: runs what is due and says how long to wait; None ends the watch."""

    def __call__(self, memory: Memory, *, starting: bool, halt: threading.Event) -> timedelta | None: ...


_lock = threading.Lock()
_watches: weakref.WeakKeyDictionary[Memory, Watch] = weakref.WeakKeyDictionary()


def watch_memory(memory: Memory, turn: WorkRound) -> Callable[[], None]:
    """Start to tend a memory in the background, or wake the thread that does; returns how to stop it."""
    with _lock:
        current = _watches.get(memory)
        if current is None or not current.is_alive:
            current = _watches[memory] = Watch(memory, turn)
        else:
            current.wake()
        return current.stop


def wait_for_round(memory: Memory) -> None:
    """Wait until the thread that tends this memory, if there is one, has ended the round that it is in."""
    with _lock:
        current = _watches.get(memory)
    if current is not None:
        current.wait_for_round()


class Watch:
    """The thread of one memory."""

    def __init__(self, memory: Memory, turn: WorkRound) -> None:
        self._turn = turn
        self._halt = threading.Event()
        self._woken = threading.Event()
        self._at_work = threading.Lock()
        # A memory that was dropped without being closed wakes the thread, which then ends.
        self._memory = weakref.ref(memory, lambda _: self._woken.set())
        self._thread = threading.Thread(target=self._run_thread, name="toldonce tend", daemon=True)
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether it still tends."""
        return self._thread.is_alive() and not self._halt.is_set()

    def wake(self) -> None:
        """Look now instead of waiting for the next due moment."""
        self._woken.set()

    def wait_for_round(self) -> None:
        """Wait for the end of the round under way; a round does not wait for itself."""
        if self._thread is not threading.current_thread():
            with self._at_work:
                pass

    def stop(self) -> None:
        """End the work under way and the thread; calling it again does nothing."""
        self._halt.set()
        self._woken.set()
        if self._thread is not threading.current_thread():
            self._thread.join()

    def _run_thread(self) -> None:
        pause = self._run_round(starting=True)
        while pause is not None and not self._halt.is_set():
            self._woken.wait(pause.total_seconds())
            self._woken.clear()
            pause = self._run_round(starting=False)

    def _run_round(self, *, starting: bool) -> timedelta | None:
        memory = self._memory()
        if memory is None or self._halt.is_set():
            return None
        with self._at_work:
            return self._turn(memory, starting=starting, halt=self._halt)
