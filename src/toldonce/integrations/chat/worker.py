"""Calls of a memory in threads: writes one after another in the order of events, reads beside them.

A write that fails because the store cannot be reached is tried again before the next one; nothing else waits for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from toldonce.errors import InputError, StoreError
from toldonce.logs import locate_exception

T = TypeVar("T")
_MOST_FAILED = 10_000
log = logging.getLogger("toldonce.chat")


class ChatWorker:
    """The thread that writes for a bot."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="toldonce-chat")
        self._failed: deque[Callable[[], object]] = deque(maxlen=_MOST_FAILED)

    def submit(self, call: Callable[[], T]) -> Future[T | None]:
        """Have a write done after those before it; its result is None when it could not be done now."""
        return self._thread.submit(self._run, call)

    async def write(self, call: Callable[[], T]) -> T | None:
        """The result of a write, once it and those before it are on disk."""
        return await asyncio.wrap_future(self.submit(call))

    def close(self) -> None:
        """Finish the writes that were begun or wait, then stop."""
        self._thread.submit(self._try_failed)
        self._thread.shutdown(wait=True)
        if self._failed:
            log.error("%d messages could not be stored: the store cannot be reached", len(self._failed))

    def _run(self, call: Callable[[], T]) -> T | None:
        self._try_failed()
        try:
            return call()
        except StoreError as problem:
            log.error("a message waits, since the store cannot be reached: %s", problem)
            self._failed.append(call)
        except InputError as problem:
            log.info("a message is not remembered: %s", problem)
        except Exception as problem:
            log.error("a message is not remembered: %s", locate_exception(problem))
        return None

    def _try_failed(self) -> None:
        while self._failed:
            try:
                self._failed[0]()
            except StoreError:
                return
            except Exception as problem:
                log.error("a message is not remembered: %s", locate_exception(problem))
            self._failed.popleft()
