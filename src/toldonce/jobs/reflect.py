"""The weekly reflection: what was learnt of each person in seven days becomes one record, at most once in six days."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING

from toldonce.capture.remember import add_record
from toldonce.clock import load_zone
from toldonce.distil.drafts import MACHINE_ROLES, Material, ReportDraft
from toldonce.distil.settle import admit_written_text
from toldonce.jobs.drafting import (
    draft_with_writer,
    find_space_and_preset,
    guard_against_changes,
    material_for_writer,
    model_output,
)
from toldonce.jobs.task import SKIPPED, JobResult, LeasedJob
from toldonce.presets.policy import Preset
from toldonce.records import Record, Space, Trust, new_id
from toldonce.storage.store import Tables, View
from toldonce.storage.tables.records import RecordFilter
from toldonce.tokens import ELLIPSIS

if TYPE_CHECKING:
    from toldonce.distil.writer import Writer
    from toldonce.memory import Memory

WEEK = timedelta(days=7)
NOT_WITHIN = timedelta(days=6)
MOST_MEMORIES = 200
ANSWER_CHARS = 80
LEAST_FACTS = 3
TAG = "weekly"


def run_reflect(memory: Memory, task: LeasedJob) -> JobResult:
    """Reflect on the week of each person about whom enough was learnt; skipped when there is none."""
    home = find_space_and_preset(memory, task)
    if home is None or not home[1].distil.reflection_kind:
        return SKIPPED
    space, preset = home
    made, said = 0, []
    for person in memory.store.read(lambda t: _people_due(t, space, preset, task)):
        task.check_lease()
        kept, raw = _reflect_on(memory, task, space, preset, person=person)
        made += kept
        said.append(raw)
    return JobResult({"reflections": made}, detail=model_output(*said)) if made else SKIPPED


def _people_due(tables: Tables, space: Space, preset: Preset, task: LeasedJob) -> list[str | None]:
    """The people of whom enough was learnt this week, and whose last reflection is long enough ago."""
    facts = _records_of_week(tables, space, preset, task)
    people = dict.fromkeys(record.user for record in facts)
    counted = [person for person in people if sum(r.user == person for r in facts) >= LEAST_FACTS]
    return [person for person in counted if not _has_reflection(tables, space, preset, task, person)]


def _records_of_week(
    tables: Tables, space: Space, preset: Preset, task: LeasedJob, *, person: str | None = None, said: bool = False
) -> list[Record]:
    """What was learnt in the last seven days, or with `said` what was said, oldest first."""
    kinds = (preset.capture.kind,) if said else tuple(dict.fromkeys(preset.distil.kinds.values()))
    stretch = RecordFilter(spaces=(space.name,), user=person, kinds=kinds, since=task.now - WEEK, until=task.now)
    places = tables.records.in_time(stretch, limit=MOST_MEMORIES)
    found = tables.records.by_seq(places)
    return [found[place] for place in places if found[place].state in ("active", "doubted", "superseded")]


def _has_reflection(tables: Tables, space: Space, preset: Preset, task: LeasedJob, person: str | None) -> bool:
    kinds = (preset.distil.reflection_kind,)
    view = View(spaces=(space.name,), now=task.now, user=person, kinds=kinds, since=task.now - NOT_WITHIN)
    return any(record.user == person for record in tables.records.find_derived(view, limit=MOST_MEMORIES))


def _reflect_on(
    memory: Memory, task: LeasedJob, space: Space, preset: Preset, *, person: str | None
) -> tuple[bool, str]:
    check = guard_against_changes(memory, task)
    materials = memory.store.read(lambda t: _materials_of_person(t, space, preset, task, person))
    until = _day_of_run(task, space)
    writer, draft = draft_with_writer(
        memory, task, preset, lambda w: w.reflect(materials, since=until - WEEK, until=until)
    )
    known = {one.id for one in materials}
    text = admit_written_text(draft.text, preset, kind=preset.distil.reflection_kind) if draft is not None else ""
    if draft is None or not text or not draft.sources or not known.issuperset(draft.sources):
        return False, writer.raw
    admitted = replace(draft, text=text)

    def keep(tables: Tables) -> bool:
        check(tables)
        writer.stored(tables)
        if _has_reflection(tables, space, preset, task, person):
            return False
        add_record(
            tables,
            _reflection_record(tables, admitted, space, preset, writer=writer, person=person, task=task),
            preset=preset,
        )
        return True

    return memory.store.write(keep), writer.raw


def _day_of_run(task: LeasedJob, space: Space) -> datetime:
    """The day of the run: a second try asks for the same, so that an answer that was paid for is found again."""
    return datetime.combine(task.now.astimezone(load_zone(space.zone)).date(), time.min, tzinfo=load_zone(space.zone))


def _materials_of_person(
    tables: Tables, space: Space, preset: Preset, task: LeasedJob, person: str | None
) -> Sequence[Material]:
    """What was learnt of a person, then what they said, as much as there is room for."""
    learnt = [r for r in _records_of_week(tables, space, preset, task, person=person) if r.user == person]
    said = [r for r in _records_of_week(tables, space, preset, task, person=person, said=True) if r.user == person]
    room = max(0, MOST_MEMORIES - len(learnt))
    newest = said[-room:] if room else []
    zone = load_zone(space.zone)
    return [
        *(material_for_writer(r, zone=zone) for r in learnt),
        *(material_for_writer(_shorten_answer(r), is_said=True, zone=zone) for r in newest),
    ]


def _shorten_answer(message: Record) -> Record:
    """An assistant's answer is only context for what the person said."""
    if message.role not in MACHINE_ROLES or len(message.text) <= ANSWER_CHARS:
        return message
    return replace(message, text=message.text[: ANSWER_CHARS - 1] + ELLIPSIS)


def _reflection_record(
    tables: Tables,
    draft: ReportDraft,
    space: Space,
    preset: Preset,
    *,
    writer: Writer,
    person: str | None,
    task: LeasedJob,
) -> Record:
    kind = preset.kind(preset.distil.reflection_kind)
    sources = tables.records.get(draft.sources)
    return Record(
        id=new_id(kind.prefix, task.now),
        kind=kind.name,
        text=draft.text,
        title=draft.title,
        at=task.now,
        created_at=task.now,
        space=space.name,
        user=person,
        visibility=kind.visibility_for("system"),
        role="system",
        made_by=writer.name,
        origin="ai_inference",
        confidence=kind.confidence_for("ai_inference"),
        trust=min((record.trust for record in sources.values()), default=Trust.AGENT),
        sources=draft.sources,
        tags=(TAG,),
    )
