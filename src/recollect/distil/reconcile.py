"""A new record meets what is known: duplicates are joined, contradictions are settled by the tables, doubts are asked.

Only a record about the same subject of the same owner can be superseded; the same input and clock give the same result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from recollect.distil.drafts import ENDED, REACHED
from recollect.keep import lifecycle
from recollect.keep.store import Tables, View
from recollect.kinds import Kind
from recollect.presets.policy import Preset
from recollect.records import Question, Record, new_id

Outcome = Literal["added", "duplicate", "superseded", "demoted", "asked", "outranked"]
Alike = Callable[[str, str], float]


@dataclass(frozen=True, slots=True)
class Reconciled:
    """What became of a new record: the one that is kept, what happened, and the record it met."""

    record: Record
    outcome: Outcome
    other: Record | None = None


def reconcile(tables: Tables, record: Record, *, preset: Preset, now: datetime, alike: Alike) -> Reconciled | None:
    """What the tables say about a record that is about to be added; None when it meets nothing."""
    if twin := tables.records.same_text(record):
        return Reconciled(twin, "duplicate", twin)
    rule = _rule(record, preset)
    rivals = [other for other in tables.records.same_subject(record) if _differs(other, record, rule=rule)]
    if rule == "set" or not rivals:
        return _near_duplicate(tables, record, preset=preset, now=now, alike=alike)
    kind = preset.kind(record.kind)
    return _settle(record, rivals[-1], kind=kind, now=now, rule=rule)


def outranks(newer: Record, older: Record) -> bool:
    """Whether the newer record wins: never over what a person validated, else the surer one, else the newer."""
    if older.validated != newer.validated:
        return newer.validated
    if older.confidence != newer.confidence:
        return newer.confidence > older.confidence
    return newer.at >= older.at


def _rule(record: Record, preset: Preset) -> str:
    attribute = (record.subject or "").rpartition("/")[2]
    row = preset.subjects.get(attribute)
    return row.rule if row else "set"


def _differs(older: Record, newer: Record, *, rule: str) -> bool:
    old, new = str(older.metadata.get("value", "")), str(newer.metadata.get("value", ""))
    if new.startswith((ENDED, REACHED)):
        return old.casefold() == new.partition(": ")[2].casefold() or rule == "replace"
    if rule == "goal":
        return False
    return (old.casefold() != new.casefold()) if old and new else older.text.casefold() != newer.text.casefold()


def _near_duplicate(
    tables: Tables, record: Record, *, preset: Preset, now: datetime, alike: Alike
) -> Reconciled | None:
    view = View(spaces=(record.space,), now=now, tenant=tables.tenant, user=record.user, kinds=(record.kind,))
    for other in tables.records.similar(record, view):
        same_owner = other.user == record.user and other.subject == record.subject
        if same_owner and alike(other.text, record.text) >= preset.distil.jaccard:
            return Reconciled(other, "duplicate", other)
    return None


def _settle(record: Record, rival: Record, *, kind: Kind, now: datetime, rule: str) -> Reconciled:
    if outranks(record, rival):
        if kind.conflict == "demote":
            return Reconciled(record, "demoted", rival)
        return Reconciled(record, "superseded", rival)
    if record.at < rival.at and not rival.validated and record.confidence >= rival.confidence:
        return Reconciled(_outranked(record, rival, "a newer value is known"), "outranked", rival)
    if rule == "series" and not rival.validated:
        return Reconciled(record, "superseded", rival)
    if kind.conflict == "ask" or rival.validated:
        doubt = replace(record, state="proposed", state_reason="contradicts what is known", state_at=now)
        return Reconciled(doubt, "asked", rival)
    return Reconciled(_outranked(record, rival, "less sure than what is known"), "outranked", rival)


def _outranked(record: Record, rival: Record, reason: str) -> Record:
    return replace(record, state="superseded", state_reason=reason, state_at=record.at, superseded_by=rival.id)


def carry_out(tables: Tables, met: Reconciled, *, preset: Preset, now: datetime) -> None:
    """Do to the rival what was decided; the new record is in the store already."""
    other = met.other
    if other is None:
        return
    if met.outcome == "superseded":
        lifecycle.supersede(tables, other, met.record, at=met.record.at, reason="a newer value was told")
    elif met.outcome == "demoted":
        lifecycle.demote(
            tables, other, met.record, to=preset.distil.demoted_to, at=met.record.at, reason="a newer value was told"
        )
    elif met.outcome == "asked":
        tables.documents.ask(question(other, met.record, now=now))


def question(older: Record, newer: Record, *, now: datetime) -> Question:
    """The doubt between two records, as something to ask gently."""
    text = f"Earlier I understood: “{older.text}” Now it sounds like: “{newer.text}” Did something change?"
    return Question(
        id=new_id("ask", now), space=newer.space, user=newer.user, text=text, older=older.id, newer=newer.id,
        created_at=now,
    )  # fmt: skip
