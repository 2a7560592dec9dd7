"""Reads a memory for a hook: by words only, with the engine's own queries and ranking, and without loading the engine.

It reads what a space always shows, what fits a prompt and what is known of a file, notes what was shown, and plans
work for later. It waits for no other writer: a busy memory is an error that the caller ignores.
"""

from __future__ import annotations

import json
import os
import time

import apsw

from toldonce.coding.hooks.cache import WORD, load_engine_facts, load_preset_facts
from toldonce.recall import rank
from toldonce.storage.sqlite.connect import READ_WRITE, open_connection, refuse_lost_file
from toldonce.text.words import (
    MOST_TERMS,
    collect_words,
    count_covered,
    list_terms,
    shorten_question,
    term_coverage,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from toldonce.storage.encryption import EncryptionKey

    Row = dict[str, Any]

_PLAIN = b"SQLite format 3\0"
_BUSY_MS = 60
_BUSY_PLANNING_MS = 800
_SCAN = 400
# This many times as many records as a section is wide compete for a place in a block.
_MOST_CANDIDATES = 3
_ENOUGH_TERMS = 6
_LEAST_TERMS = 2
_SAME_FILE, _SAME_MODULE, _SAME_FOLDER = 0.3, 0.2, 0.1
_MICROS = 1_000_000
_MOST_DOUBTED = 3


class HookRecord:
    """A record as a hook reads it: what ranking and lines need, under the names of `Record`, with times in seconds."""

    __slots__ = (
        "access_count", "at_seconds", "author", "confidence", "doubted", "file", "files", "id", "is_kept", "kind",
        "metadata", "pinned", "role", "seq", "summary", "text", "title", "used_at_seconds",
    )  # fmt: skip

    def __init__(self, row: Row) -> None:
        self.seq: int = row["seq"]
        self.id: str = row["id"]
        self.kind: str = row["kind"]
        self.text: str = row["text"]
        self.title: str = row["title"]
        self.summary: str = row["summary"]
        self.author: str = row["author"]
        self.role: str = row["role"]
        self.confidence: float = row["confidence"]
        self.pinned = bool(row["pinned"])
        self.is_kept = bool(row["pinned"] or row["validated"])
        self.access_count: int = row["access_count"]
        self.at_seconds: float = row["at"] / _MICROS
        self.used_at_seconds: float = (row["accessed_at"] or row["at"]) / _MICROS
        self.metadata: dict[str, Any] = json.loads(row["metadata"] or "{}")
        self.file = str(self.metadata.get("file") or "")
        self.files = _files_in_metadata(self.metadata)
        # The older records that it probably ends, which are shown under it.
        self.doubted: list[HookRecord] = []

    @property
    def at(self) -> datetime:
        """When it was said; a date is made only where one is shown."""
        from datetime import UTC, datetime

        return datetime.fromtimestamp(self.at_seconds, UTC)


class HookReader:
    """An open memory, seen from one space by one person on some branches."""

    __slots__ = ("_connection", "_stop", "_view", "facts", "space")

    def __init__(self, connection: apsw.Connection, facts: dict[str, Any], space: str, view: dict[str, Any]) -> None:
        self._connection = connection
        self._view = view
        self._stop = frozenset(facts["stop"])
        self.facts = facts
        self.space = space

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def standing(self, section: dict[str, Any]) -> list[HookRecord]:
        """What is always shown, most important first: pinned records, then by kind, the newest of each first."""
        kinds = section["kinds"] or self.facts["always"]
        pinned = self._records("find_pinned", limit=section["limit"])
        standing = self._records("find_derived", kinds=json.dumps(kinds), limit=rank.MOST_STANDING)
        return self._without_superseded(rank.order_standing(pinned, standing, kinds))[: section["limit"]]

    def relevant(
        self, text: str, section: dict[str, Any], *, files: Sequence[str] = ()
    ) -> list[tuple[float, HookRecord]]:
        """What fits a prompt with its score, best first: at least two of its words, or a file or folder it is about."""
        asked, most = self.terms(text), _MOST_CANDIDATES * section["limit"]
        kinds = json.dumps(section["kinds"]) if section["kinds"] else None
        found: dict[str, HookRecord] = {}
        if asked:
            match = self.facts["match"].replace(f'"{WORD}"', " OR ".join(f'"{term}"' for term in asked))
            seqs = self._all("search_words", match=match, kinds=kinds, limit=most, scan=_SCAN)
            held = self._without_superseded(self._by_seq([row["seq"] for row in seqs]))
            found = {record.id: record for record in held}
        if files:
            found |= {record.id: record for record in self.about(files, kinds=section["kinds"], limit=most)}
        return self._score_records(found.values(), asked, files)[:most]

    def about(self, files: Sequence[str], *, kinds: Sequence[str], limit: int) -> list[HookRecord]:
        """What is known of these files, or of those in folders (with "/" at the end), newest first."""
        if not files or not kinds:
            return []
        places = json.dumps(sorted({*files, *(os.path.basename(file) for file in files if not file.endswith("/"))}))
        found = self._records("find_about", kinds=json.dumps(list(kinds)), places=places, limit=limit)
        return self._without_superseded(found)

    def document(self, name: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The data of the space's document of that name, and its entries."""
        row = self._one("get_document", space=self.space, owner="", name=name)
        return (json.loads(row["data"]), json.loads(row["entries"])) if row else ({}, [])

    def terms(self, text: str) -> list[str]:
        """The words of a prompt that carry content. Very short ones are in too many records to point to one."""
        found = list_terms(shorten_question(text), self._stop)
        return [term for term in found if len(term) > 2 or not term.isascii()][:MOST_TERMS]

    def shown(self, session: str) -> set[str]:
        """What this session was shown before, by whichever interface."""
        if not self.facts["once"] or not session:
            return set()
        row = self._one("get_setting", space=self.space, key=f"shown:{session}")
        return set(row["value"].split()) if row else set()

    def note_shown(self, session: str, ids: Sequence[str], *, before: Iterable[str]) -> bool:
        """Remember and count what is shown now; returns whether the session is known to have seen it.

        Skipped when somebody else writes at this moment.
        """
        is_listed = bool(self.facts["once"] and session)
        if not ids:
            return is_listed
        try:
            with self._connection:
                if is_listed:
                    value = " ".join(sorted({*before, *ids}))
                    self._run("put_setting", space=self.space, key=f"shown:{session}", value=value)
                self._run("touch_records", ids=json.dumps(list(ids)), at=_now_micros())
        except (apsw.BusyError, apsw.ReadOnlyError):
            return False
        return is_listed

    def forget_shown(self, session: str) -> None:
        """Have everything count as not shown to this session; skipped when somebody else writes at this moment."""
        if not self.facts["once"] or not self.shown(session):
            return
        try:
            self._run("put_setting", space=self.space, key=f"shown:{session}", value="")
        except (apsw.BusyError, apsw.ReadOnlyError):
            return

    def take_noted(self, key: str) -> list[HookRecord]:
        """The records that a setting names, as far as they still count; the setting is emptied."""
        row = self._one("get_setting", space=self.space, key=key)
        if row is None or not row["value"]:
            return []
        try:
            self._run("put_setting", space=self.space, key=key, value="")
        except (apsw.BusyError, apsw.ReadOnlyError):
            return []
        rows = self._all("get_records", ids=json.dumps(row["value"].split()))
        found = {r["id"]: HookRecord(r) for r in rows if r["state"] == "active"}
        noted = [found[i] for i in row["value"].split() if i in found]
        self._attach_doubted(noted)
        return noted

    def plan(self, name: str, key: str, *, args: dict[str, Any], in_seconds: int = 0) -> None:
        """Have something done later; a waiting job of the same key moves to the new time."""
        self._connection.set_busy_timeout(_BUSY_PLANNING_MS)
        self._run(
            "put_job",
            space=self.space,
            key=key,
            name=name,
            args=json.dumps(args),
            cron="",
            zone="UTC",
            due_at=_now_micros() + in_seconds * 1_000_000,
            max_attempts=3,
            timeout_ms=300_000,
        )

    def is_due(self, name: str) -> bool:
        """Whether a job of that name waits to be done."""
        row = self._one("next_due", names=json.dumps([name]))
        due = next(iter(row.values()), None) if row else None
        return due is not None and due <= _now_micros()

    def words_of(self, record: HookRecord) -> frozenset[str]:
        """The words with content that a record holds."""
        return collect_words(f"{record.title} {record.text} {record.file}", self._stop)

    def _score_records(
        self, records: Iterable[HookRecord], asked: Sequence[str], files: Sequence[str]
    ) -> list[tuple[float, HookRecord]]:
        """Records with their scores, best first, without those that share too little with the prompt."""
        scored, now = [], time.time()
        for record in records:
            near = max(_file_nearness(file, files) for file in record.files or ("",))
            held = self.words_of(record)
            if near < _SAME_MODULE and count_covered(asked, held) < min(_LEAST_TERMS, len(asked)):
                continue
            similarity = term_coverage(asked, held, enough=_ENOUGH_TERMS)
            total = self._score(record, similarity, now=now) + near
            if total > 0:
                scored.append((rank.order_key(total, fused=similarity, at_seconds=record.at_seconds), total, record))
        scored.sort(key=lambda row: row[0])
        return [(total, record) for _, total, record in scored]

    def _score(self, record: HookRecord, similarity: float, *, now: float) -> float:
        kind = self.facts["kinds"].get(record.kind, {})
        ageing = rank.Ageing(
            age_seconds=now - record.used_at_seconds,
            half_life_seconds=kind.get("half_life"),
            is_kept=record.is_kept,
            access_count=record.access_count,
        )
        parts = rank.score_parts(
            self.facts["score"],
            fused=similarity,
            similarity=similarity,
            ageing=ageing,
            frequent_at=self.facts["frequent_at"],
        )
        return rank.weigh_parts(parts, self.facts["score"], kind_weight=kind.get("weight", 1.0))

    def _without_superseded(self, records: Iterable[HookRecord]) -> list[HookRecord]:
        """The records without those that a newer one replaced: a search still finds them, but they would mislead."""
        found = list(records)
        ids = [record.id for record in found if not record.pinned]
        former = {row["target"] for row in self._all("given_way", ids=json.dumps(ids), at=_now_micros())} if ids else ()
        kept = [record for record in found if record.id not in former]
        self._attach_doubted(kept)
        return kept

    def _attach_doubted(self, records: Sequence[HookRecord]) -> None:
        """Give each record the doubted ones that are shown under it; mostly none is doubted."""
        if not records or self._one("any_doubted") is None:
            return
        under: dict[str, list[HookRecord]] = {}
        for row in self._all("find_doubted", ids=json.dumps([record.id for record in records])):
            under.setdefault(row["top"], []).append(HookRecord(row))
        for record in records:
            record.doubted = under.get(record.id, [])[:_MOST_DOUBTED]

    def _by_seq(self, seqs: Sequence[int]) -> list[HookRecord]:
        found = {record.seq: record for record in self._records("get_by_seq", seqs=json.dumps(list(seqs)))}
        return [found[seq] for seq in seqs if seq in found]

    def _records(self, query: str, **values: Any) -> list[HookRecord]:
        return [HookRecord(row) for row in self._all(query, **values)]

    def _all(self, query: str, **values: Any) -> list[Row]:
        found: list[Any] = self._connection.execute(self.facts["queries"][query], {**self._view, **values}).fetchall()
        return found

    def _one(self, query: str, **values: Any) -> Row | None:
        found = self._all(query, **values)
        return found[0] if found else None

    def _run(self, query: str, **values: Any) -> None:
        self._connection.execute(self.facts["queries"][query], {**self._view, **values})


def open_reader(
    place: str, space: str, *, user: str | None, branches: Sequence[str] | None, key_command: str = ""
) -> HookReader | None:
    """A look into a memory; None when there is nothing to see: no file, not a memory, switched off, kept out."""
    if not os.path.isfile(place):
        return None
    refuse_lost_file(place)
    connection = open_connection(place, flags=READ_WRITE, busy_ms=_BUSY_MS, key=_key_for_place(place, key_command))
    reader = None
    try:
        connection.row_trace = _as_dict
        reader = _reader_of(connection, space, user=user, branches=branches)
    finally:
        if reader is None:
            connection.close()
    return reader


def _key_for_place(place: str, command: str) -> EncryptionKey | None:
    """The key of an encrypted memory; nothing is imported for a plain one."""
    with open(place, "rb") as file:
        if file.read(len(_PLAIN)) in (_PLAIN, b""):
            return None
    from toldonce.storage.encryption import find_key

    return find_key(place, environ=os.environ, command=command)


def _reader_of(
    connection: apsw.Connection, space: str, *, user: str | None, branches: Sequence[str] | None
) -> HookReader | None:
    facts = load_engine_facts()
    if (connection.pragma("application_id"), connection.pragma("user_version")) != (
        facts["application"],
        facts["schema"],
    ):
        return None
    view = {
        **facts["view"], "tenant": facts["tenant"], "user": user, "now": _now_micros(),
        "spaces": json.dumps([space, facts["personal"] + user] if user else [space]),
        "branches": None if branches is None else json.dumps(list(branches)),
    }  # fmt: skip
    reader = HookReader(connection, facts, space, view)
    home = reader._one("get_space", name=space)
    person = reader._one("get_person", space=space, id=user) if user else None
    if home is None or not home["enabled"] or home["deleted_at"] is not None or (person and person["blocked"]):
        return None
    reader.facts = {**facts, **load_preset_facts(home["preset"], home["preset_text"])}
    return reader


def _as_dict(cursor: apsw.Cursor, row: tuple[Any, ...]) -> Row:
    return {column[0]: value for column, value in zip(cursor.get_description(), row, strict=True)}


def _files_in_metadata(metadata: Mapping[str, Any]) -> list[str]:
    """The files that a record is about: the one it names first, others of the same work, and those it cites."""
    more, cites = metadata.get("files"), metadata.get("cites")
    cited = [row.get("path") for row in cites if isinstance(row, dict)] if isinstance(cites, list) else []
    found = [metadata.get("file"), *(more if isinstance(more, list) else ()), *cited]
    return list(dict.fromkeys(file for file in found if isinstance(file, str) and file))


def _file_nearness(file: str, files: Sequence[str]) -> float:
    """What a record's file adds to its score when it is one of these, or lies beside one."""
    if not file:
        return 0.0
    if file in files:
        return _SAME_FILE
    if any(other.endswith("/") and file.startswith(other) for other in files):
        return _SAME_MODULE
    folder = os.path.dirname(file)
    return _SAME_FOLDER if any(os.path.dirname(other) == folder for other in files) else 0.0


def _now_micros() -> int:
    return int(time.time() * 1_000_000)
