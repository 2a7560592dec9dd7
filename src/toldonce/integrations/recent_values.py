"""The newest few values by key, for programs that run for long and see the same thing again soon or never."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
_MOST_RECENT = 10_000


class RecentValues(Generic[K, V]):
    """The newest few values by key, for several threads."""

    def __init__(self, most: int = _MOST_RECENT) -> None:
        self._most = most
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        """The value of a key, if it is among the newest."""
        with self._lock:
            return self._values.get(key)

    def put(self, key: K, value: V) -> None:
        """Set a value; the oldest is dropped when there are too many."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            if len(self._values) > self._most:
                self._values.popitem(last=False)
