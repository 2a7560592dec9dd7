"""Items of a key-value store as documents: each has a namespace, a key, a JSON value, and vectors of its texts.

Items of a person are documents of that person: they are exported and erased with everything else. Expired items are
never read; `sweep` removes them.
"""

from __future__ import annotations

import base64
import json
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from toldonce.capture.observe import redact_nested
from toldonce.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from toldonce.memory import Memory
    from toldonce.records import Document

Namespace = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredItem:
    """One item; `vectors` are those that `embedder` made of its texts."""

    namespace: Namespace
    key: str
    owner: str
    value: dict[str, Any]
    created_at: datetime
    updated_at: datetime
    ttl_minutes: float | None = None
    expires_at: datetime | None = None
    embedder: str = ""
    vectors: tuple[str, ...] = ()

    def is_expired(self, now: datetime) -> bool:
        """Whether its time is over."""
        return self.expires_at is not None and self.expires_at <= now


class ItemStore:
    """Reads and writes items: of one person, of the person whose id is at a place of the namespace, or of the space.

    `root` keeps the items of two frameworks apart.
    """

    def __init__(
        self,
        memory: Memory,
        user: str | None = None,
        *,
        space: str | None = None,
        person_at: int | None = None,
        root: str = "items",
    ) -> None:
        self.memory = memory
        self._root = root
        self._user = user
        self._space = space
        self._person_at = person_at

    def get(self, namespace: Namespace, key: str) -> StoredItem | None:
        """The item of a key, unless its time is over."""
        owner = self._owner_of(namespace)
        if self._is_off(owner):
            return None
        found = self.memory.documents.get(self._name_item(namespace, key), owner=owner, space=self._space)
        item = _read_item(found) if found is not None else None
        return None if item is None or item.is_expired(self.memory.clock()) else item

    def list_below(self, prefix: Namespace) -> list[StoredItem]:
        """Every item whose namespace begins like this, the last changed first."""
        now = self.memory.clock()
        found = [item for item in self._list_all(prefix) if not item.is_expired(now)]
        off = {owner for owner in {item.owner for item in found} if self._is_off(owner)}
        return [item for item in found if item.owner not in off]

    def put(
        self,
        namespace: Namespace,
        key: str,
        value: Mapping[str, Any],
        *,
        ttl_minutes: float | None = None,
        embedder: str = "",
        vectors: Iterable[str] = (),
    ) -> None:
        """Store an item in place of an older one. Nothing is stored of a person for whom memory is switched off."""
        owner, now = self._owner_of(namespace), self.memory.clock()
        if self._is_off(owner):
            return
        preset = self.memory.spaces.preset(self._space)
        data = {
            "namespace": list(namespace),
            "key": key,
            "value": redact_nested(_copy_json(value), preset.capture.redact_secrets),
            "updated_at": now.isoformat(),
            "ttl_minutes": ttl_minutes,
            "expires_at": _end_of_ttl(ttl_minutes, now),
            "embedder": embedder,
            "vectors": list(vectors),
        }

        def change(before: Document) -> Document:
            made = before.data.get("created_at", now.isoformat())
            return replace(before, version=before.version or 1, data={**data, "created_at": made})

        self.memory.documents.change(self._name_item(namespace, key), change, owner=owner, space=self._space)

    def remove(self, namespace: Namespace, key: str) -> None:
        """Remove an item, if it is there."""
        owner = self._owner_of(namespace)
        self.memory.documents.remove(self._name_item(namespace, key), owner=owner, space=self._space)

    def extend(self, item: StoredItem) -> None:
        """Let the lifetime of an item begin again, since it was read."""
        if item.ttl_minutes is None:
            return
        expires_at = _end_of_ttl(item.ttl_minutes, self.memory.clock())

        def change(before: Document) -> Document | None:
            return replace(before, data={**before.data, "expires_at": expires_at}) if before.version else None

        name = self._name_item(item.namespace, item.key)
        self.memory.documents.change(name, change, owner=item.owner, space=self._space)

    def sweep(self) -> int:
        """Remove every item whose time is over; returns how many."""
        now = self.memory.clock()
        over = [item for item in self._list_all(()) if item.is_expired(now)]
        for item in over:
            name = self._name_item(item.namespace, item.key)
            self.memory.documents.remove(name, owner=item.owner, space=self._space)
        return len(over)

    def _list_all(self, prefix: Namespace) -> list[StoredItem]:
        is_for_all = self._person_at is not None and len(prefix) <= self._person_at
        owner = None if is_for_all else self._owner_of(prefix)
        found = self.memory.documents.all(self._name_items_below(prefix), owner=owner, space=self._space)
        items = [item for document in found if (item := _read_item(document)) is not None]
        return sorted(items, key=lambda item: item.updated_at, reverse=True)

    def _name_items_below(self, prefix: Namespace) -> str:
        """How the names of documents of all items of a namespace, and of those below it, begin."""
        return f"{self._root}:" + "".join(f"{quote(label, safe='')}:" for label in prefix)

    def _name_item(self, namespace: Namespace, key: str) -> str:
        """The name of an item's document: it has no slash, which the path of a request could not hold.

        No label can look like the end of its namespace.
        """
        return f"{self._name_items_below(namespace)}:{quote(key, safe='')}"

    def _owner_of(self, namespace: Namespace) -> str:
        """Whose the items of a namespace are; the space itself has no name."""
        if self._person_at is None:
            return self._user or ""
        return namespace[self._person_at] if len(namespace) > self._person_at else ""

    def _is_off(self, owner: str) -> bool:
        return self.memory.people.is_kept_out(owner or None, space=self._space)


def is_match(value: Any, wanted: Any) -> bool:
    """Whether a JSON value satisfies a filter: a value, a table of them, or operators such as {"$gt": 3}."""
    if isinstance(wanted, Mapping):
        if any(isinstance(name, str) and name.startswith("$") for name in wanted):
            return all(_compare(value, name, said) for name, said in wanted.items())
        return isinstance(value, Mapping) and all(is_match(read_path(value, k), v) for k, v in wanted.items())
    if isinstance(wanted, list | tuple):
        return isinstance(value, list) and len(value) == len(wanted) and all(map(is_match, value, wanted))
    return bool(value == wanted) and isinstance(value, bool) == isinstance(wanted, bool)


def read_path(value: Mapping[str, Any], path: str) -> Any:
    """The value under a key, or under keys joined by dots; None when there is none."""
    if path in value:
        return value[path]
    found: Any = value
    for key in path.split("."):
        found = found.get(key) if isinstance(found, Mapping) else None
    return found


_ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$gt": operator.gt, "$gte": operator.ge, "$lt": operator.lt, "$lte": operator.le,
}  # fmt: skip


def _compare(value: Any, name: str, said: Any) -> bool:
    if name == "$eq":
        return is_match(value, said)
    if name == "$ne":
        return not is_match(value, said)
    if name not in _ORDERS:
        known = ", ".join(("$eq", "$ne", *_ORDERS))
        raise InputError(f"there is no filter operator {str(name)[:40]!r}: use one of {known}")
    try:
        return _ORDERS[name](value, said)
    except TypeError:
        return False


def is_in_namespace(namespace: Namespace, pattern: Sequence[str], *, at_end: bool = False) -> bool:
    """Whether a namespace begins, or ends, with a pattern, in which "*" is any one label."""
    if len(pattern) > len(namespace):
        return False
    part = namespace[len(namespace) - len(pattern) :] if at_end else namespace
    return all(said in ("*", label) for label, said in zip(part, pattern, strict=False))


def encode_vector(vector: Sequence[float]) -> str:
    """A vector as text: 32-bit floats in base64."""
    import numpy as np

    return base64.b64encode(np.asarray(vector, dtype="<f4").tobytes()).decode()


def score_items(items: Iterable[StoredItem], query: Sequence[float], *, embedder: str) -> dict[int, float]:
    """The similarity of the nearest vector of each item that has one, by the item's place; from -1 to 1."""
    import numpy as np

    asked = np.asarray(query, dtype="<f4")
    coded = [(place, one) for place, item in enumerate(items) if item.embedder == embedder for one in item.vectors]
    held = [(place, np.frombuffer(base64.b64decode(one), dtype="<f4")) for place, one in coded]
    fitting = [(place, vector) for place, vector in held if vector.shape == asked.shape]
    scores: dict[int, float] = {}
    if fitting:
        similarities = _cosines(np.stack([vector for _, vector in fitting]), asked)
        for (place, _), similarity in zip(fitting, similarities.tolist(), strict=True):
            scores[place] = max(similarity, scores.get(place, -1.0))
    return scores


def _cosines(held: NDArray[np.float32], asked: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    lengths = np.linalg.norm(held, axis=1) * np.linalg.norm(asked)
    found: NDArray[np.float32] = np.divide(held @ asked, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return found


def _read_item(document: Document) -> StoredItem | None:
    """The item of a document; None when it is damaged or belongs to somebody else's use of the name."""
    data = document.data
    try:
        return StoredItem(
            namespace=tuple(data["namespace"]),
            key=data["key"],
            owner=document.owner,
            value=dict(data["value"]),
            created_at=datetime.fromisoformat(data["created_at"]),
            updated_at=datetime.fromisoformat(data["updated_at"]),
            ttl_minutes=data["ttl_minutes"],
            expires_at=datetime.fromisoformat(data["expires_at"]) if data["expires_at"] else None,
            embedder=data["embedder"],
            vectors=tuple(data["vectors"]),
        )
    except (KeyError, TypeError, ValueError):
        return None


def _copy_json(value: Mapping[str, Any]) -> dict[str, Any]:
    try:
        copied: dict[str, Any] = json.loads(json.dumps(dict(value)))
    except (TypeError, ValueError) as problem:
        raise InputError(f"an item must be a table of JSON values: {problem}") from None
    return copied


def _end_of_ttl(ttl_minutes: float | None, now: datetime) -> str | None:
    return None if ttl_minutes is None else (now + timedelta(minutes=ttl_minutes)).isoformat()
