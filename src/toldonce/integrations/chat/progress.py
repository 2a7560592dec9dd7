"""How far each channel was read, so that nothing is missed after a gap and nothing is read twice.

A position is the newest message that is stored together with all before it. While a channel is behind, as after a
start, live messages do not move its position: those before them may still have to be read from the history.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from toldonce.operations.chat_messages import read_progress, save_progress

if TYPE_CHECKING:
    from toldonce.memory import Memory

_SAVED_EVERY = 50


class Position(NamedTuple):
    """A message of a channel, by its moment and id."""

    at: datetime
    id: str


class ReadProgress:
    """The positions of one platform's channels, by the channel's name. Safe for several threads."""

    def __init__(self, memory: Memory, platform: str) -> None:
        self._memory = memory
        self._key = f"chat:{platform}"
        self._lock = threading.Lock()
        self._positions = _read_positions(read_progress(memory.engine, self._key))
        self._waiting: dict[str, Position] = {}
        self._current: set[str] = set()
        self._is_paused = False
        self._unsaved = 0

    def last(self, channel: str) -> Position | None:
        """The position of a channel; None when it was never read."""
        with self._lock:
            return self._positions.get(channel)

    def newest(self) -> Position | None:
        """The newest position of any channel."""
        with self._lock:
            return max(self._positions.values(), default=None)

    def note_live(self, channel: str, position: Position) -> None:
        """A message came while connected, and is stored."""
        with self._lock:
            is_next = channel in self._current and not self._is_paused
            _raise_position(self._positions if is_next else self._waiting, channel, position)
            self._unsaved += is_next
            is_due = self._unsaved >= _SAVED_EVERY
        if is_due:
            self.save()

    def note_read(self, channel: str, position: Position) -> None:
        """A message was read from the history, in order, and is stored."""
        with self._lock:
            _raise_position(self._positions, channel, position)
            self._unsaved += 1

    def pause(self) -> None:
        """The connection was lost: what comes next may have a gap before it."""
        with self._lock:
            self._is_paused = True

    def resume(self) -> None:
        """The connection goes on, and everything from the gap was delivered."""
        with self._lock:
            self._is_paused = False
            for channel in self._current & self._waiting.keys():
                self._take_waiting(channel)

    def mark_behind(self) -> None:
        """A new connection began: every channel has to be caught up with."""
        with self._lock:
            self._is_paused = False
            self._current.clear()

    def mark_current(self, channel: str) -> None:
        """A channel was caught up with."""
        with self._lock:
            self._current.add(channel)
            self._take_waiting(channel)

    def _take_waiting(self, channel: str) -> None:
        if (waiting := self._waiting.pop(channel, None)) is not None:
            _raise_position(self._positions, channel, waiting)
            self._unsaved += 1

    def save(self) -> None:
        """Store the positions, if they have moved."""
        with self._lock:
            if not self._unsaved:
                return
            self._unsaved = 0
            written = {name: f"{at.isoformat()} {id_}" for name, (at, id_) in self._positions.items()}
        save_progress(self._memory.engine, self._key, written)


def _raise_position(positions: dict[str, Position], channel: str, position: Position) -> None:
    before = positions.get(channel)
    if before is None or before.at <= position.at:
        positions[channel] = position


def _read_positions(written: Mapping[str, str]) -> dict[str, Position]:
    found = {}
    for name, text in written.items():
        at, _, id_ = text.partition(" ")
        found[name] = Position(datetime.fromisoformat(at), id_)
    return found
