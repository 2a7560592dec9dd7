"""Counts that pages show, kept until something happens: they read every record that a person may see.

What is kept are numbers, by who asked; never texts. A change of roles alone is seen after a minute.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from datetime import datetime
from typing import Any

_MOST = 256


class CountCache:
    """Answers with numbers, valid while nothing happened in the store and for at most a minute."""

    def __init__(self, read_place: Callable[[], Hashable], clock: Callable[[], datetime]) -> None:
        self._read_place = read_place
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, tuple[Hashable, Any]] = OrderedDict()

    def get(self, key: Hashable, count: Callable[[], Any]) -> Any:
        """The answer kept under a key while it holds, else a new one."""
        stamp = (self._read_place(), int(self._clock().timestamp() // 60))
        with self._lock:
            found = self._kept.get(key)
        if found is not None and found[0] == stamp:
            return found[1]
        answer = count()
        with self._lock:
            self._kept[key] = (stamp, answer)
            self._kept.move_to_end(key)
            if len(self._kept) > _MOST:
                self._kept.popitem(last=False)
        return answer

    def clear(self) -> None:
        """Drop everything: something was destroyed."""
        with self._lock:
            self._kept.clear()
