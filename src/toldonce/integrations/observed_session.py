"""A session of a framework that is kept in a memory: its items come back as they were given, what they say is observed.

Secrets are redacted in both, in words, arguments and results of tools only: reasoning, compacted and encrypted items
are opaque to us, so they are kept untouched in the session and left out of the memory.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from toldonce.capture.observe import Skipped, redact_nested
from toldonce.errors import InputError, RecordNotFound
from toldonce.integrations.session_items import SAID, SessionItems
from toldonce.records import Record

if TYPE_CHECKING:
    from toldonce.memory import Memory

Item = dict[str, Any]
# Role and text of what an item says; None for a call of a tool and everything else that nobody said.
ReadMessage = Callable[[Item], tuple[str, str] | None]
# Parts of an item that hold words; all others, such as ids and signatures, must come back to the byte.
_WORDED = ("content", "arguments", "args", "output", "input", "text", "refusal", "transcript", "tool_calls")
_OPAQUE_TYPES = ("reasoning", "compaction")
_ENCRYPTED = "encrypted_content"
log = logging.getLogger("toldonce.agents")


class ObservedSession:
    """The items of one session of one person, added at the end and taken back from the end.

    Clearing empties the session and leaves what was said in the memory; an item that is popped is forgotten,
    which a person can undo. While memory is switched off, or for a person who is kept out of it, nothing is kept.
    """

    def __init__(
        self, memory: Memory, session_id: str, *, user: str | None, space: str | None, read_message: ReadMessage
    ) -> None:
        self._memory = memory
        self._session_id = session_id
        self._user = user
        self._space = space
        self._read_message = read_message
        self._items = SessionItems(memory, session_id, owner=user or "", space=space)

    def read(self, limit: int | None = None) -> list[Item]:
        """The items, oldest first; with a limit the newest of them."""
        return self._items.read(limit)

    def add(self, items: Sequence[Item]) -> None:
        """Add items, and observe what was said in them."""
        if not items or self._memory.people.is_kept_out(self._user, space=self._space):
            return
        kept = [redact_item(item) for item in items]
        self._items.add(list(zip(kept, self._observe_items(kept), strict=True)))

    def pop(self) -> Item | None:
        """Take the last item back, and forget what it said; None when there is none."""
        taken = self._items.take_last()
        if taken is None:
            return None
        if taken.section == SAID:
            self._forget(taken.sources[0])
        item: Item = json.loads(taken.text)
        return item

    def clear(self) -> None:
        """Empty the session; what was said in it stays remembered."""
        self._items.clear()

    def _observe_items(self, items: Sequence[Item]) -> list[str | None]:
        """The id of the message that each item is; None for a call of a tool, or for what the preset does not keep."""
        messages = {place: said for place, item in enumerate(items) if (said := self._message_of_item(item))}
        heard: Sequence[Record | Skipped | None]
        try:
            heard = self._memory.observe_many(messages.values(), space=self._space) if messages else []
        except InputError:
            # One that cannot be remembered must not cost the others.
            heard = [self._observe(message) for message in messages.values()]
        ids = {p: one.id for p, one in zip(messages, heard, strict=True) if isinstance(one, Record)}
        return [ids.get(place) for place in range(len(items))]

    def _message_of_item(self, item: Item) -> dict[str, Any] | None:
        said = None if is_opaque(item) else self._read_message(item)
        if said is None or not said[1].strip():
            return None
        return {"text": said[1], "user": self._user, "session": self._session_id, "role": said[0]}

    def _observe(self, message: Mapping[str, Any]) -> Record | Skipped | None:
        try:
            return self._memory.observe(**message, space=self._space)
        except InputError as problem:
            log.warning("an item of a session is kept but not remembered: %s", problem)
            return None

    def _forget(self, record_id: str) -> None:
        try:
            self._memory.forget(record_id, reason="taken back in its session")
        except RecordNotFound:
            log.info("the message of a popped item was purged before")


def is_opaque(item: Item) -> bool:
    """Whether an item is meant for the model's provider alone: its reasoning, a compacted history, encrypted parts."""
    if item.get("type") in _OPAQUE_TYPES or _ENCRYPTED in item:
        return True
    content = item.get("content")
    return isinstance(content, list) and any(isinstance(part, dict) and _ENCRYPTED in part for part in content)


def redact_item(item: Item) -> Item:
    """An item without secrets in its words; an opaque one, and everything that is not words, as it is."""
    return item if is_opaque(item) else {key: _redact_words(key, value) for key, value in item.items()}


def _redact_words(key: str, value: Any) -> Any:
    if key == "data" and isinstance(value, dict):
        return redact_item(value)
    if key not in _WORDED:
        return value
    if isinstance(value, list):
        return [redact_item(part) if isinstance(part, dict) else _redact_words(key, part) for part in value]
    return redact_nested(value, True) if isinstance(value, str | dict) else value
