"""Records in and out of the store, with their history and links."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from toldonce.clock import from_micros, to_micros
from toldonce.errors import InputError
from toldonce.presets.policy import Standing
from toldonce.records import Activity, Change, Link, LinkType, Record, RecordCount, State, Trust, Visibility
from toldonce.storage.rows import Rows

if TYPE_CHECKING:
    from toldonce.storage.store import View

EVERYONE = "everyone"
_MOST_WORDS = 16
_SCAN = 200
# Further from 1970 than any moment, in microseconds.
_EVER = 2**62
_TRUST = {int(trust): trust for trust in Trust}
_decode = json.JSONDecoder().raw_decode


def text_fingerprint(text: str) -> str:
    """The same for texts that differ only in case, spacing and closing punctuation."""
    plain = " ".join(text.casefold().split()).rstrip(".!")
    return hashlib.blake2b(plain.encode(), digest_size=12).hexdigest()


def record_audience(record: Record) -> str:
    """Whose searches may find a record at all: its owner's, or everyone's."""
    return record.user if record.user is not None and record.visibility == "private" else EVERYONE


def record_from_row(row: tuple[Any, ...]) -> Record:
    """The record of a row of `record_columns`."""
    return Record(
        id=row[1],
        tenant=row[2],
        space=row[3],
        kind=row[4],
        text=row[5],
        title=row[6],
        summary=row[7],
        author=row[8],
        role=row[9],
        user=row[10],
        session=row[11],
        channel=row[12],
        branch=row[13],
        visibility=row[14],
        subject=row[15],
        state=row[16],
        state_reason=row[17],
        state_at=from_stored_time(row[18]),
        superseded_by=row[19],
        confidence=row[20],
        validated=bool(row[21]),
        pinned=bool(row[22]),
        origin=row[23],
        made_by=row[24],
        trust=_TRUST[min(max(row[25], Trust.EXTERNAL), Trust.PERSON)],
        conversation=row[26],
        at=from_micros(row[27]),
        created_at=from_micros(row[28]),
        expires_at=from_stored_time(row[29]),
        accessed_at=from_stored_time(row[30]),
        access_count=row[31],
        faded_at=from_stored_time(row[32]),
        tags=_read_stored_list(row[33]) if row[33] != "[]" else (),
        metadata=read_stored_table(row[34]) if row[34] != "{}" else {},
        sources=_read_stored_list(row[35]) if row[35] != "[]" else (),
    )


def read_stored_table(text: str) -> dict[str, Any]:
    """A stored JSON object; {} if it is invalid, so that one damaged row breaks nothing. A check reports it."""
    found = _read_stored_json(text)
    return found if isinstance(found, dict) else {}


# Many records share their sources and tags, and the same records are read again and again.
@lru_cache(maxsize=4096)
def _read_stored_list(text: str) -> tuple[str, ...]:
    found = _read_stored_json(text)
    return tuple(map(str, found)) if isinstance(found, list) else ()


def _read_stored_json(text: str) -> object:
    """Stored JSON, which has no space around it; nothing if it is invalid. `json.loads` takes twice as long."""
    try:
        found, end = _decode(text)
    except (ValueError, RecursionError):
        return None
    return found if end == len(text) else None


def from_stored_time(value: int | None) -> datetime | None:
    """A stored moment, or nothing."""
    return None if value is None else from_micros(value)


def to_stored_time(value: datetime | None) -> int | None:
    """A moment as it is stored, or nothing."""
    return None if value is None else to_micros(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordFilter:
    """Whose records, of which kinds and of when. Nothing said about a field leaves it open.

    With `joined`, what a person took part in counts as theirs too.
    """

    spaces: tuple[str, ...] | None = None
    user: str | None = None
    kinds: tuple[str, ...] | None = None
    since: datetime | None = None
    until: datetime | None = None
    joined: bool = False

    def values(self) -> dict[str, Any]:
        """The parameters of the queries over a period."""
        return {
            "spaces": None if self.spaces is None else json.dumps(self.spaces),
            "user": self.user,
            "kinds": None if self.kinds is None else json.dumps(self.kinds),
            "since": -_EVER if self.since is None else to_micros(self.since),
            "until": _EVER if self.until is None else to_micros(self.until),
            "joined": int(self.joined),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowseFilter:
    """What a reader wants to look at, beside what they may see. Nothing said about a field leaves it open.

    `below_confidence` is the first confidence that is too high. With `derived`, messages are left out.
    """

    states: tuple[State, ...] = ("active",)
    origins: tuple[str, ...] | None = None
    visibility: Visibility | None = None
    least_confidence: float = 0.0
    below_confidence: float = 2.0
    pinned: bool | None = None
    validated: bool | None = None
    derived: bool = False

    def query(self, usual: str, inactive: str) -> str:
        """Which query reads it: what is active may have expired, everything else has an index of its own."""
        return usual if {"active", "expired"} & set(self.states) else inactive

    def values(self, view: View) -> dict[str, Any]:
        """The parameters of the `browsed` part of queries."""
        names = ("tenant", "spaces", "user", "kinds", "session", "since", "until", "now", "where")
        seen = view.values()
        return {name: seen[name] for name in names} | {
            "states": json.dumps(self.states),
            "origins": None if self.origins is None else json.dumps(self.origins),
            "visibility": self.visibility,
            "least_confidence": float(self.least_confidence),
            "below_confidence": float(self.below_confidence),
            "pinned": None if self.pinned is None else int(self.pinned),
            "validated": None if self.validated is None else int(self.validated),
            "derived": int(self.derived),
        }


class RecordTable:
    """Records, their changes and their links."""

    __slots__ = ("_rows", "_tenant")

    def __init__(self, rows: Rows, tenant: str) -> None:
        self._rows = rows
        self._tenant = tenant

    def add(self, record: Record, *, embed: bool, grams: str = "") -> int:
        """Keep a record, with its sources; returns its place in the store."""
        row = self._rows.one(
            "add_record",
            id=record.id,
            tenant=self._tenant,
            space=record.space,
            kind=record.kind,
            text=record.text,
            title=record.title,
            summary=record.summary,
            author=record.author,
            role=record.role,
            user=record.user,
            session=record.session,
            channel=record.channel,
            branch=record.branch,
            visibility=record.visibility,
            audience=record_audience(record),
            subject=record.subject,
            state=record.state,
            state_reason=record.state_reason,
            state_at=to_stored_time(record.state_at),
            superseded_by=record.superseded_by,
            confidence=record.confidence,
            validated=int(record.validated),
            pinned=int(record.pinned),
            origin=record.origin,
            made_by=record.made_by,
            trust=int(record.trust),
            conversation=record.conversation,
            fingerprint=None if record.conversation else text_fingerprint(record.text),
            at=to_micros(record.at),
            created_at=to_micros(record.created_at),
            expires_at=to_stored_time(record.expires_at),
            accessed_at=to_stored_time(record.accessed_at),
            access_count=record.access_count,
            faded_at=to_stored_time(record.faded_at),
            embedding="wanted" if embed else "none",
            tags=json.dumps(record.tags) if record.tags else "[]",
            metadata=_dump_metadata(record.metadata),
        )
        assert row is not None, "RETURNING gives a row"
        if grams:
            self._rows.run("add_grams", seq=row[0], grams=grams)
        for source in record.sources:
            self.link(record.space, record.id, source, type="derived_from", at=record.created_at)
        seq: int = row[0]
        return seq

    def get(self, ids: Iterable[str]) -> dict[str, Record]:
        """Records by id, in any state; ids that are not there are left out."""
        found = self._rows.all("get_records", tenant=self._tenant, ids=json.dumps(list(ids)))
        return {row[1]: record_from_row(row) for row in found}

    def by_seq(self, seqs: Iterable[int]) -> dict[int, Record]:
        """Records by their place in the store."""
        found = self._rows.all("get_by_seq", tenant=self._tenant, seqs=json.dumps(list(seqs)))
        return {row[0]: record_from_row(row) for row in found}

    def find_places(self, ids: Iterable[str]) -> list[int]:
        """The places in the store of these records."""
        return [row[0] for row in self._rows.all("get_records", tenant=self._tenant, ids=json.dumps(list(ids)))]

    def find(self, view: View, *, limit: int) -> list[Record]:
        """Visible records, newest first."""
        return [record_from_row(row) for row in self._rows.all("find_records", **view.values(), limit=limit)]

    def browse(self, view: View, chosen: BrowseFilter, *, limit: int) -> list[Record]:
        """Records in the chosen states that the view's person may see, newest first."""
        rows = self._rows.all(chosen.query("browse_records", "browse_inactive"), **chosen.values(view), limit=limit)
        return [record_from_row(row) for row in rows]

    def count_browsed(self, view: View, chosen: BrowseFilter) -> list[RecordCount]:
        """How many of them there are by kind, state and area."""
        rows = self._rows.all(chosen.query("count_browsed", "count_inactive"), **chosen.values(view))
        return [RecordCount(r[0], r[1], str(r[2]), r[3], from_micros(r[4]), int(r[5])) for r in rows]

    def count_activity(self, view: View, *, since: datetime, every: timedelta, count: int) -> list[Activity]:
        """Messages, derived records and changes by people in so long stretches of time, oldest first."""
        seen, length = view.values(), every // timedelta(microseconds=1)
        given = {name: seen[name] for name in ("tenant", "spaces", "user")}
        given |= {"since": to_micros(since), "every": length, "until": to_micros(since + every * count)}
        said: Counter[tuple[int, int]] = Counter()
        for place, is_message, number in self._rows.all("count_activity", **given):
            said[place, is_message] = number
        changed = dict(self._rows.all("count_person_changes", **given))
        return [
            Activity(since + every * place, said[place, 1], said[place, 0], changed.get(place, 0))
            for place in range(count)
        ]

    def find_derived(self, view: View, *, limit: int) -> list[Record]:
        """Visible records of the view's kinds that are not messages, newest first."""
        name = "find_derived" if view.user is None else "find_readable_derived"
        return [record_from_row(row) for row in self._rows.all(name, **view.values(), limit=limit)]

    def find_about(self, view: View, places: Sequence[str], *, limit: int) -> list[Record]:
        """Visible records of the view's kinds about these files, or files in folders ("/" at the end), newest first.

        A record is about the `file` and `files` of its metadata and the paths that it cites.
        """
        rows = self._rows.all("find_about", **view.values(), places=json.dumps(list(places)), limit=limit)
        return [record_from_row(row) for row in rows]

    def find_pinned(self, view: View, *, limit: int) -> list[Record]:
        """Visible records that a person pinned, newest first."""
        return [record_from_row(row) for row in self._rows.all("find_pinned", **view.values(), limit=limit)]

    def read_page(
        self,
        space: str | None,
        *,
        user: str | None = None,
        state: State | None = None,
        after: int = 0,
        limit: int = 500,
    ) -> list[tuple[int, Record]]:
        """Records of a space in any state, in the order they came, after a place."""
        rows = self._rows.all(
            "all_records", tenant=self._tenant, space=space, user=user, state=state, after=after, limit=limit
        )
        return [(row[0], record_from_row(row)) for row in rows]

    def in_time(self, stretch: RecordFilter, *, limit: int = -1) -> list[int]:
        """The places of records of a period, in any state, in the order they were said; the newest `limit`."""
        rows = self._rows.all("places_in_time", tenant=self._tenant, **stretch.values(), limit=limit)
        return [row[0] for row in reversed(rows)]

    def changes_in_time(self, stretch: RecordFilter, *, limit: int = -1) -> list[Change]:
        """What happened to records in a period, oldest first; the newest `limit`."""
        rows = self._rows.all("changes_in_time", tenant=self._tenant, **stretch.values(), limit=limit)
        return [_change_from_row(row) for row in reversed(rows)]

    def known_of_person(self, space: str, user: str, *, limit: int) -> list[Record]:
        """What was learnt of a person and counts, newest first; their messages are left out."""
        rows = self._rows.all("known_of_person", tenant=self._tenant, space=space, user=user, limit=limit)
        return [record_from_row(row) for row in rows]

    def same_text(self, record: Record) -> Record | None:
        """The current record of the same owner and kind that says exactly the same."""
        row = self._rows.one(
            "same_text",
            tenant=self._tenant,
            fingerprint=text_fingerprint(record.text),
            space=record.space,
            kind=record.kind,
            user=record.user,
        )
        return record_from_row(row) if row else None

    def said_before(self, record: Record) -> Record | None:
        """The newest record of the same owner and kind that says exactly the same, in whatever state."""
        row = self._rows.one(
            "said_before",
            tenant=self._tenant,
            fingerprint=text_fingerprint(record.text),
            space=record.space,
            kind=record.kind,
            user=record.user,
        )
        return record_from_row(row) if row else None

    def find_proposed(self, space: str, *, limit: int = 500) -> list[Record]:
        """Records that wait for a person's review, oldest first; not those that a question asks about."""
        rows = self._rows.all("proposed_records", tenant=self._tenant, space=space, limit=limit)
        return [record_from_row(row) for row in rows]

    def same_subject(self, record: Record, *, limit: int = 500) -> list[Record]:
        """Current records about the same subject of the same owner, the newest of many, oldest first."""
        if record.subject is None:
            return []
        rows = self._rows.all(
            "same_subject",
            tenant=self._tenant,
            space=record.space,
            subject=record.subject,
            user=record.user,
            limit=limit,
        )
        return [record_from_row(row) for row in reversed(rows)]

    def subject_values(self, record: Record, *, limit: int) -> list[tuple[str, str]]:
        """Ids and values of current records about the same subject of the same owner, newest first."""
        if record.subject is None:
            return []
        rows = self._rows.all(
            "subject_values",
            tenant=self._tenant,
            space=record.space,
            subject=record.subject,
            user=record.user,
            limit=limit,
        )
        return [(row[0], row[1]) for row in rows]

    def find_similar(self, record: Record, view: View, *, limit: int = 5) -> list[Record]:
        """Visible records that share the most telling words with a text."""
        words = list(dict.fromkeys(re.findall(r"[^\W_]{3,}", record.text.casefold())))[:_MOST_WORDS]
        if not words:
            return []
        match = self._rows.matching(words)
        rows = self._rows.all("search_words", **view.values(), match=match, scan=_SCAN, limit=limit)
        found = self.by_seq(row[0] for row in rows)
        return [found[row[0]] for row in rows]

    def session_count(self, space: str, session: str) -> int:
        """How many derived records a session has written."""
        row = self._rows.one("count_session_records", tenant=self._tenant, space=space, session=session)
        return row[0] if row else 0

    def set_state(
        self,
        record: Record,
        state: State,
        *,
        action: str,
        at: datetime,
        reason: str = "",
        by: str = "",
        other: str | None = None,
        superseded_by: str | None = None,
    ) -> None:
        """Change a record's state and write it into its history."""
        self._rows.run(
            "set_state",
            tenant=self._tenant,
            id=record.id,
            state=state,
            reason=reason,
            at=to_micros(at),
            superseded_by=superseded_by,
        )
        self.note_change(record, state, action=action, at=at, reason=reason, by=by, other=other)

    def set_standing(
        self, record: Record, *, confidence: float, validated: bool, pinned: bool, faded_at: datetime | None
    ) -> None:
        """Change how sure a record is, and whether a person validated or pinned it; fading starts from there."""
        self._rows.run("forget_standing", tenant=self._tenant, id=record.id)
        self._rows.run(
            "set_standing",
            tenant=self._tenant,
            id=record.id,
            confidence=confidence,
            validated=int(validated),
            pinned=int(pinned),
            faded_at=to_stored_time(faded_at),
        )

    def set_faded(self, record: Record, *, confidence: float, standing: Standing, at: datetime) -> None:
        """Lower the confidence of a record by time, and keep what it fades from."""
        self._rows.run(
            "put_standing",
            tenant=self._tenant,
            id=record.id,
            confidence=standing.confidence,
            since=to_micros(standing.since),
        )
        self._rows.run("set_faded", tenant=self._tenant, id=record.id, confidence=confidence, faded_at=to_micros(at))

    def read_standing(self, record: Record) -> Standing | None:
        """What the confidence of a record fades from; None when it has not faded since it was set."""
        row = self._rows.one("get_standing", tenant=self._tenant, id=record.id)
        return Standing(row[0], from_micros(row[1])) if row else None

    def set_expiry(self, record_id: str, expires_at: datetime | None) -> None:
        """Give a record another end of its time."""
        self._rows.run("set_expiry", tenant=self._tenant, id=record_id, expires_at=to_stored_time(expires_at))

    def set_metadata(self, record_id: str, metadata: Mapping[str, Any]) -> None:
        """Replace a record's metadata."""
        self._rows.run("set_metadata", tenant=self._tenant, id=record_id, metadata=_dump_metadata(metadata))

    def set_visibility(self, record: Record, visibility: Visibility) -> None:
        """Change who may see a record; its words are found by its new readers only."""
        audience = record_audience(replace(record, visibility=visibility))
        self._rows.run(
            "index_record_again",
            tenant=self._tenant,
            id=record.id,
            text=record.text,
            title=record.title,
            author=record.author,
            audience=audience,
        )
        self._rows.run("set_visibility", tenant=self._tenant, id=record.id, visibility=visibility, audience=audience)

    def note_change(
        self,
        record: Record,
        state: State,
        *,
        action: str,
        at: datetime,
        reason: str = "",
        by: str = "",
        other: str | None = None,
    ) -> None:
        """Add a line to a record's history."""
        self._rows.run(
            "add_change",
            tenant=self._tenant,
            space=record.space,
            record=record.id,
            at=to_micros(at),
            action=action,
            state=state,
            reason=reason,
            by=by,
            other=other,
        )

    def read_changes(self, record_id: str) -> list[Change]:
        """A record's history, oldest first."""
        return [_change_from_row(row) for row in self._rows.all("list_changes", tenant=self._tenant, record=record_id)]

    def touch(self, shown: Iterable[tuple[datetime, Sequence[str]]]) -> None:
        """Count that records were shown: each time at a moment some of them."""
        several = [{"tenant": self._tenant, "ids": json.dumps(ids), "at": to_micros(at)} for at, ids in shown]
        self._rows.run_many("touch_records", several)

    def link(self, space: str, source: str, target: str, *, type: LinkType, at: datetime) -> None:
        """Draw a typed edge; the same edge twice is one edge."""
        self._rows.run(
            "add_link", tenant=self._tenant, space=space, source=source, type=type, target=target, at=to_micros(at)
        )

    def read_links(self, record_id: str) -> list[Link]:
        """Edges that start or end at a record."""
        rows = self._rows.all("list_links", tenant=self._tenant, id=record_id)
        return [Link(source=r[0], type=r[1], target=r[2], at=from_micros(r[3])) for r in rows]

    def find_parts(self, record: Record) -> list[Record]:
        """The other parts of the message that a record is a part of, in order; none for a message in one piece."""
        rows = self._rows.all("message_parts", tenant=self._tenant, id=record.id)
        return [record_from_row(row) for row in rows]

    def given_way(self, ids: Iterable[str], *, at: datetime) -> set[str]:
        """Those of these records whose place a current one had taken by that moment, or probably had.

        They may count still; one that was kept after all is not among them.
        """
        rows = self._rows.all("given_way", tenant=self._tenant, ids=json.dumps(list(ids)), at=to_micros(at))
        return {row[0] for row in rows}

    def to_enrich(self, space: str, *, most: int, limit: int) -> list[tuple[int, Record]]:
        """Active records with at most `most` names that were not read by an accurate tagger, newest first."""
        rows = self._rows.all("records_to_enrich", tenant=self._tenant, space=space, most=most, limit=limit)
        return [(row[0], record_from_row(row)) for row in rows]

    def find_expired(self, *, now: datetime, space: str | None = None, limit: int = 1000) -> list[Record]:
        """Active and doubted records that have expired."""
        rows = self._rows.all("expired_records", tenant=self._tenant, space=space, now=to_micros(now), limit=limit)
        return [record_from_row(row) for row in rows]

    def find_fading(
        self, space: str, kinds: Iterable[str], *, after: int, limit: int = 500
    ) -> list[tuple[int, Record]]:
        """Active records of these kinds that time may weaken, after a place."""
        rows = self._rows.all(
            "fading_records", tenant=self._tenant, space=space, kinds=json.dumps(list(kinds)), after=after, limit=limit
        )
        return [(row[0], record_from_row(row)) for row in rows]

    def count_by_kind(self, space: str | None, user: str | None = None) -> list[tuple[str, str, int, datetime]]:
        """How many records of each kind and state, and the newest moment of each."""
        rows = self._rows.all("count_by_kind", tenant=self._tenant, space=space, user=user)
        return [(r[0], r[1], r[2], from_micros(r[3])) for r in rows]


def _change_from_row(row: tuple[Any, ...]) -> Change:
    return Change(
        record=row[0], at=from_micros(row[1]), action=row[2], state=row[3], reason=row[4], by=row[5], other=row[6]
    )


def _dump_metadata(value: Mapping[str, Any]) -> str:
    if not value:
        return "{}"
    try:
        return json.dumps(dict(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError):
        raise InputError(
            "metadata must be a table of JSON values: texts, numbers, true, false, null, lists, tables"
        ) from None
