"""What people, newer words and time do to a record: confirm, correct, doubt, flag, forget, restore, expire, fade.

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
from toldonce.storage.store import Tables, View
from toldonce.storage.tables.records import text_fingerprint

PERSON, AGENT = "person", "agent"
# The reason of a confirmation of what was only proposed.
_WAITED = "it was proposed"
# What stood over a doubted record, as its history says it.
_GONE, _BACK, _ENDED = "what doubted it is gone", "what doubts it is back", "what doubted it was replaced"
_FREED = "cleared"
# A record in one of these states leaves what it doubts doubted: only a person takes a doubt away.
_DOUBTING = frozenset({"active", "doubted", "expired", "faded"})
_OVER_BY_TIME = frozenset({"expired", "faded", "superseded"})
_ABOUT_DOUBT = frozenset({"doubted", _FREED, "restored", "confirmed"})
_CHAIN = frozenset({"supersedes", "doubts"})


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
    """The newer record counts from now on; the older one stays in history with its confidence.

    What the older one doubted is doubted by the newer one, or ended with it if that says the same.
    """
    older = _expired_by_now(tables, older, now=at)
    tables.records.set_state(
        older, "superseded", action="superseded", at=at, reason=reason, by=by, other=newer.id, superseded_by=newer.id
    )
    tables.records.link(newer.space, newer.id, older.id, type="supersedes", at=at)
    for record in _doubted_by(tables, older):
        if record.id == newer.id:
            continue
        if text_fingerprint(record.text) == text_fingerprint(newer.text):
            supersede_record(tables, record, newer, at=at, reason="the newer one says it", by=by)
        elif not doubt_record(tables, record, newer, at=at, reason=_ENDED):
            _free_doubted(tables, record, older, at=at)


def doubt_record(tables: Tables, older: Record, newer: Record, *, at: datetime, reason: str, by: str = "") -> bool:
    """Have a newer record probably end an older one, which is shown only under it from now on; whether that is done.

    It is not where neither may be hidden, so that only the person can tell: the older one was confirmed or pinned. Nor
    is it for a message, which is evidence, for what does not count, and for two records that were judged before.
    """
    older = _expired_by_now(tables, older, now=at)
    is_kept = older.validated or older.pinned or older.conversation is not None
    if is_kept or older.state not in ("active", "doubted") or newer.state != "active" or newer.id == older.id:
        return False
    if not may_judge(tables, newer, older):
        return False
    tables.records.set_state(
        older, "doubted", action="doubted", at=at, reason=reason, by=by, other=newer.id, superseded_by=newer.id
    )
    tables.records.link(newer.space, newer.id, older.id, type="doubts", at=at)
    return True


def may_judge(tables: Tables, newer: Record, older: Record) -> bool:
    """Whether nobody decided yet that the older of two records holds beside the newer one, or instead of it."""
    pair = {newer.id, older.id}
    return not any(x.type == "judged" and {x.source, x.target} == pair for x in tables.records.read_links(older.id))


def note_judged(tables: Tables, newer: Record, older: Record, *, at: datetime) -> None:
    """Remember that the older of two records was kept, so that the newer one neither ends nor doubts it again."""
    tables.records.link(newer.space, newer.id, older.id, type="judged", at=at)


def find_doubters(tables: Tables, record: Record) -> list[Record]:
    """The records that doubt a doubted one, the newest first; one that a person took away does not."""
    links = tables.records.read_links(record.id)
    judged = {x.source for x in links if x.type == "judged" and x.target == record.id}
    ids = {x.source for x in links if x.type == "doubts" and x.target == record.id} - judged
    found = [one for one in tables.records.get(ids).values() if one.state in _DOUBTING]
    return sorted(found, key=lambda one: (one.at, one.id), reverse=True)


def release_doubted(tables: Tables, gone: Sequence[Record], *, at: datetime) -> None:
    """What some records doubted counts again once a person took them away, unless another one doubts it too.

    What doubts the ones that are gone doubts it then. If time had ended them before, it ends with them.
    """
    ids = {one.id for one in gone}
    doubting = tables.doubts.find_under(ids, View(spaces=(), now=at, tenant=tables.tenant))
    for newer in gone:
        if newer.id not in doubting:
            continue
        above = find_doubters(tables, newer)
        for older in _doubted_by(tables, newer):
            left = [one for one in (*find_doubters(tables, older), *above) if one.id not in ids]
            if older.id in ids or (left and older.superseded_by != newer.id):
                continue
            if left and _move_doubt(tables, older, left[0], at=at):
                continue
            if newer.state in _OVER_BY_TIME:
                tables.records.set_state(older, "superseded", action="superseded", at=at, reason=_GONE, other=newer.id)
            else:
                _free_doubted(tables, older, newer, at=at)


def _move_doubt(tables: Tables, older: Record, newer: Record, *, at: datetime) -> bool:
    """Have another record doubt a doubted one, whatever state that has; whether the two may be judged."""
    if not may_judge(tables, newer, older):
        return False
    tables.records.set_state(
        older, "doubted", action="doubted", at=at, reason=_GONE, other=newer.id, superseded_by=newer.id
    )
    tables.records.link(newer.space, newer.id, older.id, type="doubts", at=at)
    return True


def _free_doubted(tables: Tables, record: Record, doubter: Record, *, at: datetime) -> None:
    tables.records.set_state(record, "active", action=_FREED, at=at, reason=_GONE, other=doubter.id)


def _doubt_again(tables: Tables, back: Record, *, at: datetime) -> None:
    """What a record doubted until it was taken away is doubted again, now that it is back."""
    ids = {x.target for x in tables.records.read_links(back.id) if x.type == "doubts" and x.source == back.id}
    for record in tables.records.get(ids).values():
        changes = (c for c in reversed(tables.records.read_changes(record.id)) if c.action in _ABOUT_DOUBT)
        last = next(changes, None)
        was_freed = last is not None and (last.action, last.other) == (_FREED, back.id)
        if record.state == "active" and was_freed:
            doubt_record(tables, record, back, at=at, reason=_BACK)


def _doubted_by(tables: Tables, newer: Record) -> list[Record]:
    """The records that one doubts now."""
    ids = {x.target for x in tables.records.read_links(newer.id) if x.type == "doubts" and x.source == newer.id}
    return [record for record in tables.records.get(ids).values() if record.state == "doubted"] if ids else []


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
    release_doubted(tables, [need(tables, record.id)], at=now)
    near = {
        i for link in tables.records.read_links(record.id) if link.type in _CHAIN for i in (link.source, link.target)
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
    release_doubted(tables, list(tables.records.get([one.id for one in (*parts, *drawn)]).values()), at=now)
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


def mark_restored(
    tables: Tables, record: Record, kind: Kind, *, now: datetime, zone: str, holds_alone: bool = True
) -> Record:
    """It is active again, and never judged again against what had ended or doubted it.

    That is superseded, since the person decides, if a person had put it in place or if of both only one can hold
    (`holds_alone`); otherwise both count.
    """
    newer = [*find_doubters(tables, record), *_successors(tables, record)]
    record = _expired_by_now(tables, record, now=now)
    if record.state == "active":
        return record
    if record.state == "proposed":
        raise NotAllowed(f"{record.id} is proposed and never counted: confirm it instead")
    holds_alone = holds_alone or _was_ended_by_person(tables, record)
    parts = [record, *tables.records.find_parts(record)]
    for part in parts:
        if _is_over(part, now):
            tables.records.set_expiry(part.id, kind.expires_at(now, zone))
        if part.state not in ("active", "proposed"):
            tables.records.set_state(part, "active", action="restored", at=now, by=PERSON)
    for drawn in _drawn_from(tables, parts, whole=True) if record.state == "forgotten" else ():
        *earlier, last = tables.records.read_changes(drawn.id)
        if drawn.state == "forgotten" and last.other == record.id:
            state = earlier[-1].state if earlier else "active"
            is_free = state == "doubted" and not find_doubters(tables, drawn)
            _follow(tables, drawn, record, "active" if is_free else state, at=now)
            _doubt_again(tables, drawn, at=now)
    back = need(tables, record.id)
    for one in newer:
        note_judged(tables, one, back, at=now)
        if holds_alone and one.state == "active" and one.subject == back.subject:
            supersede_record(tables, one, back, at=now, reason="the earlier one was restored", by=PERSON)
    if record.state in ("forgotten", "flagged"):
        _doubt_again(tables, back, at=now)
    if record.state == "faded":
        fresh = kind.confidence_for(record.origin)
        tables.records.set_standing(record, confidence=fresh, validated=False, pinned=record.pinned, faded_at=now)
    return need(tables, record.id)


def _successors(tables: Tables, record: Record) -> list[Record]:
    """The records that replaced a superseded one, one after the other, up to the one that is active."""
    found: dict[str, Record] = {}
    current: Record | None = record
    while current is not None and current.id not in found:
        if current is not record:
            found[current.id] = current
            if current.state == "active":
                break
        after = _superseded_by(tables, current)
        current = tables.records.get([after]).get(after) if after is not None else None
    return [one for one in found.values() if one.id != record.id]


def _was_ended_by_person(tables: Tables, record: Record) -> bool:
    ends = [c for c in tables.records.read_changes(record.id) if c.action == "superseded"]
    return bool(ends) and ends[-1].by == PERSON


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
    if record.state not in ("active", "doubted") or not _is_over(record, now):
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
    doubted = [one for one in _doubted_by(tables, record) if tables.people.may_read(one, reader)]
    return History(record, tuple(changes), tuple(ordered), related, tuple(models), tuple(doubted))


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
