"""What a report is made of and what it becomes: the records of a person and a stretch of time come in as materials,
a report's draft goes out as a record. Nothing is written here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo

from toldonce.distil.drafts import Material, ReportDraft
from toldonce.distil.reports import QUESTION, REPLACED, SAID, find_outline
from toldonce.distil.writer import Writer
from toldonce.errors import InputError
from toldonce.lang.detect import detect_language
from toldonce.lang.registry import language_of
from toldonce.presets.policy import Area, Preset
from toldonce.records import Question, Record, Report, Space, Trust, attribute_of, new_id
from toldonce.storage.export_format import format_utc
from toldonce.storage.store import Tables
from toldonce.storage.tables.records import RecordFilter

# More than this no report can tell; the newest are taken.
_MOST_KNOWN = 2000
_MOST_SAID = 5000


def gather_report_material(
    tables: Tables, about: str, stretch: RecordFilter, *, preset: Preset, zone: tzinfo, now: datetime
) -> list[Material]:
    """What is known, what was said, what was replaced and what is in doubt, with every moment in the reader's zone."""
    known = _find_known_records(tables, about, stretch, preset=preset)
    spoken = replace(stretch, kinds=(preset.capture.kind,))
    said = [
        r for r in _records_of_stretch(tables, spoken, limit=_MOST_SAID) if r.role == "user" and r.state == "active"
    ]
    language = detect_language(" ".join(r.text for r in [*known, *said]))
    current = drop_superseded([r for r in known if _is_current_at(r, now)], preset)
    found = [_material_of_record(r, kind=r.kind, preset=preset, language=language) for r in current]
    found += [_material_of_record(r, kind=SAID, preset=preset, language=language) for r in said]
    before = [r for r in known if _was_replaced(r, stretch) or _is_of_a_series(r, preset)]
    found += [_material_of_record(r, kind=REPLACED, preset=preset, language=language) for r in before]
    questions = tables.conversations.questions((stretch.spaces or ("",))[0], user=stretch.user)
    return [replace(m, at=m.at.astimezone(zone)) for m in [*found, *map(_material_of_question, questions)]]


def draft_of(
    records: Sequence[Material], about: str, stretch: RecordFilter, *, writer: Writer, zone: tzinfo, language: str = ""
) -> ReportDraft:
    """What the writer makes of the materials of a stretch of time."""
    since, until = _stretch_ends(stretch)
    return writer.report(
        records, about=about, since=since.astimezone(zone), until=until.astimezone(zone), language=language
    )


def build_report(draft: ReportDraft, about: str, stretch: RecordFilter, *, made_by: str) -> Report:
    """The report that a draft tells."""
    since, until = _stretch_ends(stretch)
    return Report(
        about=about,
        title=draft.title,
        text=draft.text,
        since=since,
        until=until,
        sources=draft.sources,
        made_by=made_by,
    )


def report_record(told: Report, *, user: str | None, preset: Preset, space: Space, now: datetime) -> Record:
    """The record that a report is kept as."""
    if not preset.distil.report_kind:
        raise InputError(f"the {preset.name} preset keeps no reports: its TOML file names no report_kind")
    kind = preset.kind(preset.distil.report_kind)
    return Record(
        id=new_id(kind.prefix, now),
        kind=kind.name,
        text=told.text,
        title=told.title,
        at=told.until,
        created_at=now,
        space=space.name,
        user=user,
        visibility=kind.visibility_for("system"),
        role="system",
        confidence=kind.confidence_for("conversation"),
        made_by=told.made_by,
        trust=Trust.AGENT,
        expires_at=kind.expires_at(told.until, space.zone),
        sources=told.sources,
        metadata={"about": told.about, "since": format_utc(told.since), "until": format_utc(told.until)},
    )


def find_existing_report(tables: Tables, record: Record) -> Record | None:
    """The report that is kept already about the same thing, of the same person, up to the same moment."""
    end = record.at
    same = RecordFilter(
        spaces=(record.space,), user=record.user, kinds=(record.kind,), since=end, until=end + timedelta.resolution
    )
    kept = _records_of_stretch(tables, same, limit=_MOST_KNOWN)
    return next((r for r in kept if r.is_current and r.metadata == record.metadata), None)


def _stretch_ends(stretch: RecordFilter) -> tuple[datetime, datetime]:
    assert stretch.since is not None and stretch.until is not None, "a report is about a stretch with two ends"
    return stretch.since, stretch.until


def _find_known_records(tables: Tables, about: str, stretch: RecordFilter, *, preset: Preset) -> list[Record]:
    """Derived records in any state, without earlier reports."""
    without = {preset.capture.kind, preset.distil.report_kind}
    if "facts" in preset.distil.steps:
        without.add(preset.distil.note_kind)  # a note of a conversation says again what its facts say
    since = None if find_outline(about).standing else stretch.since
    wanted = replace(stretch, since=since, kinds=tuple(k for k in preset.kinds if k not in without))
    found = _records_of_stretch(tables, wanted, limit=_MOST_KNOWN)
    replaced = {r.id for r in found if r.state == "superseded"}
    recent = [c.record for c in tables.records.changes_in_time(stretch, limit=_MOST_KNOWN) if c.action == "superseded"]
    return found + list(tables.records.get(set(recent) - replaced).values())


def _records_of_stretch(tables: Tables, stretch: RecordFilter, *, limit: int) -> list[Record]:
    places = tables.records.in_time(stretch, limit=limit)
    found = tables.records.by_seq(places)
    return [found[place] for place in places]


def _material_of_record(record: Record, *, kind: str, preset: Preset, language: str) -> Material:
    area_key = str(record.metadata.get("area", ""))
    area = preset.areas.get(area_key)
    value = record.metadata.get("value")
    return Material(
        id=record.id,
        text=record.text,
        at=record.at,
        kind=kind,
        title=record.author if kind == SAID else record.title,
        people=(record.user,) if record.user else (),
        subject=record.subject,
        value=str(value) if value else None,
        area=_area_name(area_key, area, language),
        confidence=record.confidence,
        validated=record.validated,
        is_current=record.is_current,
    )


def _area_name(key: str, area: Area | None, language: str) -> str:
    """The name of an area of life in a language: the preset's own word for it, else the language's."""
    if area is None:
        return ""
    return area.label.get(language) or language_of(language).texts.areas.get(key, "")


def _material_of_question(question: Question) -> Material:
    return Material(id=question.newer, text=question.text, at=question.created_at, kind=QUESTION)


def drop_superseded(records: Sequence[Record], preset: Preset) -> list[Record]:
    """The records without those, such as demoted ones, that a more certain record about the same subject replaces."""
    surest: dict[str, float] = {}
    for record in records:
        if record.subject:
            surest[record.subject] = max(record.confidence, surest.get(record.subject, 0.0))
    most = preset.distil.demoted_to
    return [r for r in records if r.confidence > most or surest.get(r.subject or "", 0.0) <= r.confidence]


def _is_current_at(record: Record, now: datetime) -> bool:
    return record.is_current and (record.expires_at is None or record.expires_at > now)


def _was_replaced(record: Record, stretch: RecordFilter) -> bool:
    return (
        record.state == "superseded"
        and record.state_at is not None
        and (stretch.since is None or record.state_at >= stretch.since)
        and (stretch.until is None or record.state_at < stretch.until)
    )


def _is_of_a_series(record: Record, preset: Preset) -> bool:
    """Whether an earlier value still tells something beside the newest one."""
    subject = preset.subjects.get(attribute_of(record.subject))
    return record.state == "superseded" and subject is not None and subject.rule == "series"
