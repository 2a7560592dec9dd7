"""Reads an answer from the bytes of an HTTP response while they pass: JSON, or a stream of server-sent events."""

from __future__ import annotations

import json
from typing import Any

from toldonce.integrations.proxy.formats import ConversationFormat, ModelAnswer

# What is larger passes as well, but is not read.
LARGEST_ANSWER = 16_000_000


class AnswerReader:
    """Collects one answer. It never fails: what it cannot read is no answer."""

    def __init__(self, wire: ConversationFormat, *, is_stream: bool, largest: int = LARGEST_ANSWER) -> None:
        self._wire = wire
        self._is_stream = is_stream
        self._left = largest
        self._waiting = bytearray()
        self._data: list[bytes] = []
        self.answer = ModelAnswer()

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes."""
        self._left -= len(chunk)
        if self._left < 0:
            self._waiting.clear()
            self._data.clear()
            return
        self._waiting += chunk
        if self._is_stream:
            *lines, rest = self._waiting.split(b"\n")
            self._waiting = bytearray(rest)
            for line in lines:
                self._take_line(bytes(line).rstrip(b"\r"))

    def finish(self) -> None:
        """There are no more bytes."""
        if self._left < 0:
            return
        if not self._is_stream:
            self.answer = self._wire.read_answer(_parse_json(bytes(self._waiting)))
            return
        # A server may leave out the empty line behind its last event.
        self._take_line(bytes(self._waiting).rstrip(b"\r"))
        self._take_line(b"")

    def _take_line(self, line: bytes) -> None:
        if line.startswith(b"data:"):
            self._data.append(line[5:].removeprefix(b" "))
        elif not line and self._data:
            event, self._data = _parse_json(b"\n".join(self._data)), []
            self.answer = self._wire.read_event(event, self.answer)


def _parse_json(text: bytes) -> Any:
    """The value; None for what is not JSON, as the mark at the end of a stream."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
