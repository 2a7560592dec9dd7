"""What people and time do to a record: confirm, correct, flag, pin, forget, restore, expire, fade.

Each step changes a state or a standing and writes it into the record's history; nothing here destroys anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from toldonce.access import Action, current_actor, may_act
from toldonce.errors import InputError, NotAllowed, RecordNotFound
from toldonce.presets.policy import Kind, faded_confidence, standing_of
from toldonce.records import History, Record, State, Trust, Visibility, new_id
from toldonce.storage.store import Tables

PERSON, AGENT = "person", "agent"
# The reason of a confirmation of what was only proposed.
_WAITED = "it was proposed"


@dataclass(frozen=True, slots=True)
class Flagged:
    """A record that a person called wrong, and the records related to it by supersession, to be looked at."""

    record: Record
    review: tuple[Record, ...]


def need(tables: Tables, record_id: str, *, reader: str | None = None) -> Record:
    """The record of that id, or a clear error; one that the reader may not see is not there for them."""
    if not isinstance(record_id, str):
        raise InputError(f"an id of a record is a text, not {type(record_id).__name__}")
    found = tables.records.get([record_id]).get(record_id)
    if found is None or not tables.people.may_read(found, reader):
        raise RecordNotFound(
            f"there is no record {record_id!r} here: check the id; a purged one is gone", record_id=record_id
        )
    return found


# To confirm what is only proposed decides about it.
_OF_PROPOSED: Mapping[Action, Action] = {"confirm": "accept"}


def require_action(tables: Tables, record_id: str, *actions: Action, reader: str | None) -> tuple[Record, Action]:
    """The record of that id, and the first of these actions that a reader may take with it."""
    record, is_agent = need(tables, record_id, reader=reader), current_actor().is_agent
    standing = tables.people.find_standing(record, reader)
    for action in actions:
        wanted = _OF_PROPOSED.get(action, action) if record.state == "proposed" else action
        if may_act(wanted, standing, is_agent=is_agent):
            return record, action
    if may_act(actions[0], standing):
        raise NotAllowed(f"an agent may not {actions[0]} a record: forget it, or ask the person to do it themselves")
    whose = "belongs to the space" if record.user is None else "is what another person said or stored"
    who = "an admin of the space" if record.user is None else "they or an admin of the space"
    raise NotAllowed(f"{record.id} {whose}: only {who} may {actions[0]} it")


def mark_confirmed(tables: Tables, record: Record, kind: Kind, *, now: datetime) -> Record:
    """A person says that it is true: its confidence rises, it no longer fades, and no inference can replace it."""
    record = _expired_by_now(tables, record, now=now)
    if record.state not in ("active", "proposed"):
        raise NotAllowed(f"{record.id} is {record.state}: restore it first, then confirm it")
    if _is_over(record, now):
        raise NotAllowed(f"{record.id} expired before it was confirmed: state it again")
    before = tables.records.read_standing(record)
    confidence = min(1.0, (before.confidence if before else record.confidence) + kind.confirming_adds)
    tables.records.set_standing(
        record, confidence=confidence, validated=True, pinned=record.pinned, faded_at=record.faded_at
    )
    if record.state == "proposed":
        tables.records.set_state(record, "active", action="confirmed", at=now, by=PERSON, reason=_WAITED)
    else:
        tables.records.note_change(record, record.state, action="confirmed", at=now, by=PERSON)
    return need(tables, record.id)


def mark_unconfirmed(tables: Tables, record: Record, kind: Kind, *, now: datetime) -> Record:
    """A person takes back that it is true: as certain as its kind makes it, and waiting again if it was proposed."""
    if not record.validated:
        return record
    confidence = min(record.confidence, kind.confidence_for(record.origin))
    tables.records.set_standing(record, confidence=confidence, validated=False, pinned=record.pinned, faded_at=now)
    confirmed = [c for c in tables.records.read_changes(record.id) if c.action == "confirmed"]
    has_waited = bool(confirmed) and confirmed[-1].reason == _WAITED
    state: State = "proposed" if has_waited and record.state == "active" else record.state
    if state != record.state:
        tables.records.set_state(record, state, action="unconfirmed", at=now, by=PERSON)
    else:
        tables.records.note_change(record, state, action="unconfirmed", at=now, by=PERSON)
    return need(tables, record.id)


def share_record(tables: Tables, record: Record, visibility: Visibility, *, now: datetime) -> Record:
    """Other people may see it from now on, or no longer; its history says so."""
    if record.user is None:
        raise InputError(f"{record.id} belongs to nobody alone: everybody in its space may see it")
    if record.visibility == visibility:
        return record
    for part in (record, *tables.records.find_parts(record)):
        tables.records.set_visibility(part, visibility)
        reason = f"{part.visibility} to {visibility}"
        tables.records.note_change(part, part.state, action="shared", at=now, reason=reason, by=PERSON)
    return need(tables, record.id)


def corrected_record(
    record: Record, text: str, kind: Kind, *, now: datetime, author: str | None = None, is_agent: bool = False
) -> Record:
    """The record that stands in for a wrong one: validated, certain, about the same thing, with its author's trust."""
    if record.conversation is not None:
        raise NotAllowed(f"{record.id} is a message, and messages are never rewritten: correct what was drawn from it")
    if record.state in ("superseded", "forgotten", "expired") or _is_over(record, now):
        raise NotAllowed(f"{record.id} does not count now: correct the record that does, or restore this one first")
    metadata = {k: v for k, v in record.metadata.items() if k != "value"}
    return replace(
        record,
        id=new_id(kind.prefix, now),
        text=text,
        summary="",
        at=now,
        created_at=now,
        confidence=1.0,
        validated=True,
        origin="user_input",
        role=AGENT if is_agent else PERSON,
        author=author or "",
        made_by=AGENT if is_agent else PERSON,
        trust=Trust.AGENT if is_agent else Trust.PERSON,
        state="active",
        state_reason="",
        state_at=None,
        superseded_by=None,
        access_count=0,
        accessed_at=None,
        faded_at=None,
        metadata=metadata,
        notices=(),
    )


def proposed_correction(record: Record, newer: Record, kind: Kind) -> Record:
    """A correction of another person's record as X what anybody says."""
    return replace(
        newer,
        validated=False,
        pinned=False,
        confidence=min(record.confidence, kind.confidence_for(newer.origin)),
        state="proposed",
        state_reason=f"it corrects {record.id}",
        state_at=newer.at,
    )


def link_proposal(tables: Tables, record: Record, proposal: Record, *, at: datetime) -> None:
    """Keep what a proposal would replace once it is confirmed."""
    tables.records.link(proposal.space, proposal.id, record.id, type="supersedes", at=at)


def find_corrected(tables: Tables, proposal: Record) -> Record | None:
    """The record that a proposed correction replaces once it is confirmed; None for any other record."""
    if proposal.state != "proposed":
        return None
    links = [x for x in tables.records.read_links(proposal.id) if x.type == "supersedes" and x.source == proposal.id]
    found = tables.records.get([link.target for link in links]).values()
    return next((record for record in found if record.state == "active"), None)


def supersede_record(tables: Tables, older: Record, newer: Record, *, at: datetime, reason: str, by: str = "") -> None:
    """The newer record counts from now on; the older one stays in history with its confidence."""
    older = _expired_by_now(tables, older, now=at)
    tables.records.set_state(
        older, "superseded", action="superseded", at=at, reason=reason, by=by, other=newer.id, superseded_by=newer.id
    )
    tables.records.link(newer.space, newer.id, older.id, type="supersedes", at=at)


def demote_record(tables: Tables, older: Record, newer: Record, *, to: float, at: datetime, reason: str) -> None:
    """The older record stays but is hardly believed; the newer one is marked as superseding it."""
    lower = min(older.confidence, to)
    tables.records.set_standing(older, confidence=lower, validated=older.validated, pinned=older.pinned, faded_at=at)
    tables.records.note_change(older, older.state, action="demoted", at=at, reason=reason, other=newer.id)
    tables.records.link(newer.space, newer.id, older.id, type="supersedes", at=at)


def mark_flagged(tables: Tables, record: Record, *, reason: str, now: datetime, reader: str | None = None) -> Flagged:
    """A person says that it is wrong: it is no longer shown, and related records they may see are listed for review."""
    record = _expired_by_now(tables, record, now=now)
    for part in (record, *tables.records.find_parts(record)):
        tables.records.set_state(part, "flagged", action="flagged", at=now, reason=reason, by=PERSON)
    near = {
        i
        for link in tables.records.read_links(record.id)
        if link.type == "supersedes"
        for i in (link.source, link.target)
    }
    review = [r for r in tables.records.get(near - {record.id}).values() if tables.people.may_read(r, reader)]
    return Flagged(need(tables, record.id), tuple(sorted(review, key=lambda r: r.at)))


def set_pinned(tables: Tables, record: Record, *, pinned: bool, now: datetime) -> Record:
    """Always shown and never fading, or no longer so."""
    record = _expired_by_now(tables, record, now=now)
    before = tables.records.read_standing(record)
    tables.records.set_standing(
        record,
        confidence=before.confidence if before else record.confidence,
        validated=record.validated,
        pinned=pinned,
        faded_at=now if before else record.faded_at,
    )
    tables.records.note_change(record, record.state, action="pinned" if pinned else "unpinned", at=now, by=PERSON)
    return need(tables, record.id)


def mark_forgotten(tables: Tables, record: Record, *, reason: str, now: datetime) -> list[Record]:
    """Hide a record with what could not be known without it, restorable until they are purged; the record comes first.

    What its own person validated stays.
    """
    record = _expired_by_now(tables, record, now=now)
    parts = [record, *tables.records.find_parts(record)]
    for part in parts:
        if part.state != "forgotten":
            tables.records.set_state(part, "forgotten", action="forgotten", at=now, reason=reason, by=PERSON)
    drawn = [one for one in _drawn_from(tables, parts, whole=False) if not (one.validated and one.user == record.user)]
    for one in drawn:
        if one.state != "forgotten":
            _follow(tables, one, record, "forgotten", at=now, reason="what it came from was forgotten")
    return [need(tables, record.id), *parts[1:], *drawn]


def _follow(tables: Tables, drawn: Record, origin: Record, state: State, *, at: datetime, reason: str = "") -> None:
    """Hide or show a record because what it came from was; a replaced one stays replaced."""
    action = "forgotten" if state == "forgotten" else "restored"
    tables.records.set_state(
        drawn, state, action=action, at=at, reason=reason, by=PERSON, other=origin.id, superseded_by=drawn.superseded_by
    )


def _drawn_from(tables: Tables, records: Sequence[Record], *, whole: bool) -> list[Record]:
    """The records that these led to: all of them, or without `whole` those that say what only these said."""
    places = tables.records.find_places([record.id for record in records])
    drawn = set(tables.purge.with_derived(places, whole=whole)) - set(places)
    return list(tables.records.by_seq(drawn).values()) if drawn else []


def mark_restored(tables: Tables, record: Record, kind: Kind, *, now: datetime, zone: str) -> Record:
    """It is active again. A record that had replaced it is superseded, since the person decides."""
    record = _expired_by_now(tables, record, now=now)
    if record.state == "active":
        return record
    if record.state == "proposed":
        raise NotAllowed(f"{record.id} is proposed and never counted: confirm it instead")
    successor = _current_successor(tables, record)
    if successor is not None:
        supersede_record(tables, successor, record, at=now, reason="the earlier one was restored", by=PERSON)
    parts = [record, *tables.records.find_parts(record)]
    for part in parts:
        if _is_over(part, now):
            tables.records.set_expiry(part.id, kind.expires_at(now, zone))
        if part.state not in ("active", "proposed"):
            tables.records.set_state(part, "active", action="restored", at=now, by=PERSON)
    for drawn in _drawn_from(tables, parts, whole=True) if record.state == "forgotten" else ():
        *earlier, last = tables.records.read_changes(drawn.id)
        if drawn.state == "forgotten" and last.other == record.id:
            _follow(tables, drawn, record, earlier[-1].state if earlier else "active", at=now)
    if record.state == "faded":
        fresh = kind.confidence_for(record.origin)
        tables.records.set_standing(record, confidence=fresh, validated=False, pinned=record.pinned, faded_at=now)
    return need(tables, record.id)


def _current_successor(tables: Tables, record: Record) -> Record | None:
    """The active record that replaced a superseded one, however many replacements there were."""
    seen: set[str] = set()
    current: Record | None = record
    while current is not None and current.id not in seen:
        seen.add(current.id)
        after = _superseded_by(tables, current)
        current = tables.records.get([after]).get(after) if after is not None else None
        if current is not None and current.state == "active":
            return current if current.subject == record.subject else None
    return None


def _superseded_by(tables: Tables, record: Record) -> str | None:
    """Which record replaced it; history still knows when it was forgotten or flagged afterwards."""
    for change in reversed(tables.records.read_changes(record.id)):
        if change.action in ("superseded", "restored"):
            return change.other or record.superseded_by
    return record.superseded_by


def _is_over(record: Record, now: datetime) -> bool:
    return record.expires_at is not None and record.expires_at <= now


def _expired_by_now(tables: Tables, record: Record, *, now: datetime) -> Record:
    """The record in its current state: past its expiry it counts as expired, even if that is not stored yet."""
    if record.state != "active" or not _is_over(record, now):
        return record
    expire_records(tables, [record], now=now)
    return need(tables, record.id)


def history(tables: Tables, record_id: str, *, reader: str | None = None) -> History:
    """Everything that happened to a record, and the chain of records it belongs to that a reader may see."""
    record = need(tables, record_id, reader=reader)
    chain: dict[str, Record] = {}
    waiting = [record.id]
    while waiting:
        for one in tables.records.get(waiting).values():
            chain[one.id] = one
        near = {
            i
            for c in waiting
            for link in tables.records.read_links(c)
            if link.type == "supersedes"
            for i in (link.source, link.target)
        }
        waiting = sorted(near - chain.keys())
    shown = [one for one in chain.values() if tables.people.may_read(one, reader)]
    ordered = sorted(shown, key=lambda r: (r.at, r.id))
    changes, related = tables.records.read_changes(record.id), _find_related(tables, record, reader=reader)
    models = tables.vectors.models_of(tables.records.find_places([record.id])[0])
    return History(record, tuple(changes), tuple(ordered), related, tuple(models))


def _find_related(tables: Tables, record: Record, *, reader: str | None) -> tuple[Record, ...]:
    """The records with which it has an edge of its own, as far as they count and a reader may see them."""
    links = [link for link in tables.records.read_links(record.id) if link.type == "related_to"]
    found = tables.records.get({i for link in links for i in (link.source, link.target)} - {record.id})
    shown = [one for one in found.values() if one.is_current and tables.people.may_read(one, reader)]
    return tuple(sorted(shown, key=lambda one: (one.at, one.id)))


def expire_records(tables: Tables, records: list[Record], *, now: datetime) -> int:
    """Mark expired records as expired; returns how many."""
    for record in records:
        tables.records.set_state(
            record, "expired", action="expired", at=record.expires_at or now, reason="its time ran out"
        )
    return len(records)


def fade_record(tables: Tables, record: Record, kind: Kind, *, now: datetime) -> State:
    """Time weakens a record; below the kind's minimum confidence it is excluded from search.

    What it fades from is kept: the next use restores it, and however often this runs the result is the same.
    """
    standing = standing_of(record, tables.records.read_standing(record))
    confidence = faded_confidence(standing, kind, now=now)
    tables.records.set_faded(record, confidence=confidence, standing=standing, at=now)
    if confidence >= kind.hide_below:
        return "active"
    days = (now - standing.since).days
    reason = f"not used for {days} days: confidence fell from {standing.confidence:.2g} to under {kind.hide_below:g}"
    tables.records.set_state(record, "faded", action="faded", at=now, reason=reason)
    return "faded"
