"""A look into a memory for a hook: by words only, with the engine's own queries, and without the engine.

It reads what a space always shows, what fits a prompt and what is known of a file, notes what was shown, and plans
work for later. It waits for nobody: a busy memory is an error that the caller passes over.
"""

from __future__ import annotations

import json
import os
import re
import time

import apsw

from recollect.coding.hooks.cache import WORD, engine_kit, preset_kit
from recollect.storage.sqlite.connect import READ_WRITE, connect, refuse_lost_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from recollect.storage.encryption import EncryptionKey

    Row = dict[str, Any]

# Under this key a document may keep its own short form for a prompt.
SHORT = "short"
_PLAIN = b"SQLite format 3\0"
_BUSY_MS = 60
_BUSY_PLANNING_MS = 800
_SCAN = 400
_MOST_TERMS = 24
_MOST_STANDING = 200
_ENOUGH_TERMS = 6
_SAME_FILE, _SAME_FOLDER = 0.3, 0.1
_STEM = 5
_WORD = re.compile(r"[^\W_]+", re.UNICODE)


class Glance:
    """An open memory, seen from one space by one person on some branches."""

    __slots__ = ("_connection", "_view", "kit", "space")

    def __init__(self, connection: apsw.Connection, kit: dict[str, Any], space: str, view: dict[str, Any]) -> None:
        self._connection = connection
        self._view = view
        self.kit = kit
        self.space = space

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def standing(self, section: dict[str, Any]) -> list[Row]:
        """What is always shown, most important first: pinned records, then by kind, the newest of each first."""
        order = {name: place for place, name in enumerate(section["kinds"] or self.kit["always"])}
        pinned = self._all("find_pinned", limit=section["limit"])
        standing = self._all("find_derived", kinds=json.dumps(list(order)), limit=_MOST_STANDING)
        standing.sort(key=lambda row: (order[row["kind"]], -row["at"], -row["seq"]))
        return list({row["id"]: row for row in [*pinned, *standing]}.values())[: section["limit"]]

    def relevant(self, text: str, section: dict[str, Any], *, files: Sequence[str] = ()) -> list[Row]:
        """What fits a prompt, best first: at least two of its words, or a file that it is about."""
        terms = self.terms(text)
        kinds = json.dumps(section["kinds"]) if section["kinds"] else None
        rows: dict[str, Row] = {}
        if terms:
            match = self.kit["match"].replace(f'"{WORD}"', " OR ".join(f'"{term}"' for term in terms))
            limit = section["limit"] * 3
            found = self._all("search_words", match=match, kinds=kinds, limit=limit, scan=_SCAN)
            rows = {row["id"]: row for row in self._by_seq([row["seq"] for row in found])}
        if files:
            rows |= {row["id"]: row for row in self.about(files, kinds=section["kinds"], limit=section["limit"])}
        now = time.time()
        scored = [(self._score(row, terms, files, now), row) for row in rows.values()]
        best = sorted((s for s in scored if s[0] > 0), key=lambda s: (-s[0], s[1]["seq"]))
        return [row for _, row in best[: section["limit"]]]

    def about(self, files: Sequence[str], *, kinds: Sequence[str], limit: int) -> list[Row]:
        """What is known of these files, newest first."""
        if not files or not kinds:
            return []
        named = [*files, *(os.path.basename(file) for file in files)]
        where = json.dumps({"file": sorted(set(named))})
        return self._all("find_derived", kinds=json.dumps(list(kinds)), where=where, limit=limit)

    def document(self, name: str) -> tuple[str, list[dict[str, Any]]]:
        """The short form of the space's document of that name, where it has one, and its entries."""
        row = self._one("get_document", space=self.space, owner="", name=name)
        if row is None:
            return "", []
        return str(json.loads(row["data"]).get(SHORT) or ""), json.loads(row["entries"])

    def terms(self, text: str) -> list[str]:
        """The words of a text that carry content."""
        stop = set(self.kit["stop"])
        words = dict.fromkeys(word.casefold() for word in _WORD.findall(text[:8_000]))
        return [w for w in words if w not in stop and (len(w) > 2 or not w.isascii())][:_MOST_TERMS]

    def shown(self, session: str) -> set[str]:
        """What this session was shown before, whichever door showed it."""
        if not self.kit["once"] or not session:
            return set()
        row = self._one("get_setting", space=self.space, key=f"shown:{session}")
        return set(row["value"].split()) if row else set()

    def note_shown(self, session: str, ids: Sequence[str], *, before: Iterable[str]) -> None:
        """Remember and count what is shown now; skipped when somebody else writes at this moment."""
        if not ids:
            return
        try:
            with self._connection:
                if self.kit["once"] and session:
                    value = " ".join(sorted({*before, *ids}))
                    self._run("put_setting", space=self.space, key=f"shown:{session}", value=value)
                self._run("touch_records", ids=json.dumps(list(ids)), at=_micros())
        except (apsw.BusyError, apsw.ReadOnlyError):
            return

    def take_noted(self, key: str) -> list[Row]:
        """The records that a setting names, as far as they still count; the setting is emptied."""
        row = self._one("get_setting", space=self.space, key=key)
        if row is None or not row["value"]:
            return []
        try:
            self._run("put_setting", space=self.space, key=key, value="")
        except (apsw.BusyError, apsw.ReadOnlyError):
            return []
        found = {r["id"]: r for r in self._all("get_records", ids=json.dumps(row["value"].split()))}
        return [found[i] for i in row["value"].split() if i in found and found[i]["state"] == "active"]

    def plan(self, name: str, key: str, *, args: dict[str, Any], in_seconds: int = 0) -> None:
        """Have something done later; a waiting job of the same key moves to the new time."""
        self._connection.set_busy_timeout(_BUSY_PLANNING_MS)
        self._run(
            "put_job", space=self.space, key=key, name=name, args=json.dumps(args), cron="", zone="UTC",
            due_at=_micros() + in_seconds * 1_000_000, max_attempts=3, timeout_ms=300_000,
        )  # fmt: skip

    def is_due(self, name: str) -> bool:
        """Whether a job of that name waits to be done."""
        row = self._one("next_due", names=json.dumps([name]))
        due = next(iter(row.values()), None) if row else None
        return due is not None and due <= _micros()

    def _score(self, row: Row, terms: Sequence[str], files: Sequence[str], now: float) -> float:
        """The preset's parts of a score, by words; 0 when too little speaks for the record."""
        weights, kind = self.kit["score"], self.kit["kinds"].get(row["kind"], {})
        file = _file(row)
        near = _SAME_FILE if file and file in files else 0.0
        if not near and file and any(os.path.dirname(file) == os.path.dirname(f) for f in files):
            near = _SAME_FOLDER
        words = {w.casefold()[:_STEM] for w in _WORD.findall(f"{row['title']} {row['text']} {file}")}
        shared = sum(term[:_STEM] in words for term in terms)
        if shared < min(2, len(terms)) and near < _SAME_FILE:
            return 0.0
        alike = min(1.0, shared / max(1, min(len(terms), _ENOUGH_TERMS)))
        parts = {
            "similarity": alike, "fused": alike, "recency": _recency(row, kind.get("half_life"), now),
            "frequency": min(1.0, row["access_count"] / max(1, self.kit["frequent_at"])),
        }  # fmt: skip
        return float(sum(weight * parts[part] for part, weight in weights.items()) * kind.get("weight", 1.0) + near)

    def _by_seq(self, seqs: Sequence[int]) -> list[Row]:
        found = {row["seq"]: row for row in self._all("get_by_seq", seqs=json.dumps(list(seqs)))}
        return [found[seq] for seq in seqs if seq in found]

    def _all(self, query: str, **values: Any) -> list[Row]:
        found: list[Any] = self._connection.execute(self.kit["queries"][query], {**self._view, **values}).fetchall()
        return found

    def _one(self, query: str, **values: Any) -> Row | None:
        found = self._all(query, **values)
        return found[0] if found else None

    def _run(self, query: str, **values: Any) -> None:
        self._connection.execute(self.kit["queries"][query], {**self._view, **values})


def look(
    place: str, space: str, *, user: str | None, branches: Sequence[str] | None, key_command: str = ""
) -> Glance | None:
    """A look into a memory; None when there is nothing to see: no file, not a memory, switched off, kept out."""
    if not os.path.isfile(place):
        return None
    refuse_lost_file(place)
    connection = connect(place, flags=READ_WRITE, busy_ms=_BUSY_MS, key=_key_of(place, key_command))
    glance = None
    try:
        connection.row_trace = _as_dict
        glance = _opened(connection, space, user=user, branches=branches)
    finally:
        if glance is None:
            connection.close()
    return glance


def _key_of(place: str, command: str) -> EncryptionKey | None:
    """The key of an encrypted memory; nothing is imported for a plain one."""
    with open(place, "rb") as file:
        if file.read(len(_PLAIN)) in (_PLAIN, b""):
            return None
    from recollect.storage.encryption import find_key

    return find_key(place, environ=os.environ, command=command)


def _opened(
    connection: apsw.Connection, space: str, *, user: str | None, branches: Sequence[str] | None
) -> Glance | None:
    kit = engine_kit()
    if (connection.pragma("application_id"), connection.pragma("user_version")) != (kit["application"], kit["schema"]):
        return None
    view = {
        **kit["view"], "tenant": kit["tenant"], "user": user, "now": _micros(),
        "spaces": json.dumps([space, kit["personal"] + user] if user else [space]),
        "branches": None if branches is None else json.dumps(list(branches)),
    }  # fmt: skip
    glance = Glance(connection, kit, space, view)
    home = glance._one("get_space", name=space)
    person = glance._one("get_person", space=space, id=user) if user else None
    if home is None or not home["enabled"] or home["deleted_at"] is not None or (person and person["blocked"]):
        return None
    glance.kit = {**kit, **preset_kit(home["preset"], home["preset_text"])}
    return glance


def _as_dict(cursor: apsw.Cursor, row: tuple[Any, ...]) -> Row:
    return {column[0]: value for column, value in zip(cursor.get_description(), row, strict=True)}


def metadata_of(row: Row) -> dict[str, Any]:
    """What a row names beside its text, where it names a file."""
    found: dict[str, Any] = json.loads(row["metadata"]) if '"file"' in row["metadata"] else {}
    return found


def _file(row: Row) -> str:
    return str(metadata_of(row).get("file") or "")


def _recency(row: Row, half_life: float | None, now: float) -> float:
    """The share of its strength that time has left a record since it was last used."""
    if half_life is None or row["pinned"] or row["validated"]:
        return 1.0
    age = max(0.0, now - (row["accessed_at"] or row["at"]) / 1_000_000)
    return float(0.5 ** (age / half_life))


def _micros() -> int:
    return int(time.time() * 1_000_000)
