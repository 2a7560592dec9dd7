"""A statement is stored as a record: quota, block list, gate, and how it meets what is known, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from toldonce.capture.fields import check_lists
from toldonce.capture.remember import add_record, admit_record, remove_known_secrets
from toldonce.capture.secrets.remembered import SecretWords
from toldonce.errors import NotAllowed
from toldonce.operations.engine import Engine
from toldonce.operations.quotas import NO_LIMIT, amounts_of_records, check_quotas, quota_of, tenant_quota_of
from toldonce.operations.space_state import require_on
from toldonce.presets.policy import Preset
from toldonce.records import Record
from toldonce.storage.store import Tables


def keep_statement(
    tables: Tables,
    record: Record,
    *,
    preset: Preset,
    now: datetime,
    same_meaning: Sequence[str] = (),
    secrets: Sequence[SecretWords] = (),
) -> Record:
    """The record as it was stored, or the one that says the same already.

    `same_meaning` are the ids of records whose vectors say that they mean the same, `secrets` what was redacted in it.
    """
    from toldonce.distil.reconcile import apply_reconciliation, reconcile_record

    _check_may_store(tables, record, preset=preset, now=now)
    if record.state == "proposed" and (before := tables.records.said_before(record)):
        return before
    record = admit_record(tables, record, preset=preset)
    record = remove_known_secrets(tables, record, secrets, preset=preset, now=now)
    met = reconcile_record(tables, record, preset=preset, now=now, twins=same_meaning)
    if met is not None and met.outcome == "duplicate":
        for source in record.sources:
            tables.records.link(record.space, met.record.id, source, type="derived_from", at=now)
        return met.record
    kept = met.record if met else record
    add_record(tables, kept, preset=preset)
    if met is None:
        return kept
    apply_reconciliation(tables, met, preset=preset, now=now)
    return replace(kept, notices=(*kept.notices, *([f"{met.outcome}: {met.other.id}"] if met.other else [])))


def find_same_meaning(engine: Engine, record: Record, preset: Preset) -> list[str]:
    """The ids of those among the three nearest records that mean the same, where the preset asks for that."""
    if not preset.distil.cosine or engine.embedder is None:
        return []
    view, _ = engine.view_for(record.user, record.space, kinds=(record.kind,))
    return engine.searcher.find_duplicates(record.text, view, least=preset.distil.cosine)


def as_sources(source: str | Sequence[str] | None) -> tuple[str, ...]:
    """The ids that a caller names as sources: none, one or several."""
    if source is None or isinstance(source, str):
        return (source,) if source else ()
    check_lists(source=source)
    return tuple(source)


def _check_may_store(tables: Tables, record: Record, *, preset: Preset, now: datetime) -> None:
    require_on(tables, record.space)
    state = tables.people.read_space_state(record.space)
    quota, tenant = quota_of(state, preset), tenant_quota_of(state)
    if quota != NO_LIMIT or tenant.limits_writing:
        adding = amounts_of_records([(record.space, record.user, record.text)])
        check_quotas(tables, adding, quotas={record.space: quota}, tenant=tenant, now=now)
    if tables.people.is_blocked(record.space, record.user):
        raise NotAllowed("this person is blocked: people.block(user, blocked=False) lets them in again")
