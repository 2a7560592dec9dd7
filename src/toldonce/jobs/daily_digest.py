"""The two passes at midnight: a day's notes become topics, and the profiles of those who spoke are put in order.

What a pass made and the mark that it is done are one transaction, so that a pass broken off anywhere is made once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING

from toldonce.access import is_readable_by_all
from toldonce.capture.remember import add_record
from toldonce.clock import from_micros, load_zone, to_micros
from toldonce.distil.documents import is_crowded, rewrite_document
from toldonce.distil.drafts import EntryDraft, TopicDraft
from toldonce.distil.settle import admit_written_text
from toldonce.distil.writer import Writer
from toldonce.jobs.drafting import (
    document_limits,
    document_lines,
    draft_with_writer,
    find_space_and_preset,
    guard_against_changes,
    keep_sourced_lines,
    material_for_writer,
    materials_with_vectors,
    model_output,
    name_of_person,
)
from toldonce.jobs.task import SKIPPED, JobResult, LeasedJob
from toldonce.presets.policy import DocumentPolicy, Preset
from toldonce.records import Document, Record, Space, Trust, new_id
from toldonce.storage.store import Tables
from toldonce.storage.tables.records import RecordFilter

if TYPE_CHECKING:
    from toldonce.memory import Memory

TOPICS = "topics"
PROFILES = "profiles"
# Notes are grouped by comparing each with each: of a day with more, this many are taken, spread evenly over the day.
MOST_NOTES = 300
# The newest notes of a person that their profile is compared with.
MOST_NEWS = 200
# A conversation that ran over midnight is noted after the pass of its day; its note goes into the next one.
_LATE = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class PassMark:
    """How far a pass has come: the last day it did, and when it did it."""

    day: date
    at: datetime


def run_topics(memory: Memory, task: LeasedJob) -> JobResult:
    """Each day since the last pass gets its topics: what several of its notes, in the space's zone, have in common."""
    home = find_space_and_preset(memory, task)
    if home is None or not home[1].distil.topic_kind:
        return SKIPPED
    space, preset = home
    days = memory.store.read(lambda t: _waiting_notes(t, space, preset, TOPICS, now=task.now))
    made, left_out, said = 0, 0, []
    for day, notes in days.items():
        task.check_lease()
        chosen = _pick_evenly(notes, MOST_NOTES)
        kept, raw = _existing_topics(memory, task, space, preset, day=day, notes=chosen)
        made, left_out = made + kept, left_out + len(notes) - len(chosen)
        said.append(raw)
    counts = {"topics": made, "days": len(days), **({"left_out": left_out} if left_out else {})}
    return JobResult(counts, detail=model_output(*said)) if days else SKIPPED


def _pick_evenly(notes: Sequence[Record], most: int) -> Sequence[Record]:
    """At most `most` of the notes, spread evenly over their order."""
    return notes if len(notes) <= most else [notes[place * len(notes) // most] for place in range(most)]


def _existing_topics(
    memory: Memory, task: LeasedJob, space: Space, preset: Preset, *, day: date, notes: Sequence[Record]
) -> tuple[int, str]:
    """Make the topics of one day; returns how many, and what a model said."""
    known, kind = {note.id: note for note in notes}, preset.distil.topic_kind
    check = guard_against_changes(memory, task)
    materials = memory.store.read(
        lambda t: materials_with_vectors(t, notes, memory.embedder, zone=load_zone(space.zone))
    )
    writer, drafts = draft_with_writer(memory, task, preset, lambda w: w.topics(materials))
    whole = [draft for draft in drafts if len(draft.sources) > 1 and known.keys() >= set(draft.sources)]
    whole = [
        replace(d, title=admit_written_text(d.title, preset, kind=kind), summary=text)
        for d in whole
        if (text := admit_written_text(d.summary, preset, kind=kind))
    ]

    def keep(tables: Tables) -> None:
        check(tables)
        for draft in whole:
            sources = [known[source] for source in draft.sources]
            add_record(
                tables, _topic_record(draft, sources, space, preset, by=writer.name, now=task.now), preset=preset
            )
        writer.stored(tables)
        _set_mark(tables, space.name, TOPICS, PassMark(day, task.now))

    memory.store.write(keep)
    return len(whole), writer.raw


def _topic_record(
    draft: TopicDraft, notes: Sequence[Record], space: Space, preset: Preset, *, by: str, now: datetime
) -> Record:
    kind = preset.kind(preset.distil.topic_kind)
    people = dict.fromkeys(person for note in notes for person in note.participants)
    at = max(note.at for note in notes)
    return Record(
        id=new_id(kind.prefix, now),
        kind=kind.name,
        text=draft.summary,
        title=draft.title,
        at=at,
        created_at=now,
        space=space.name,
        visibility=kind.visibility_for("system"),
        role="system",
        made_by=by,
        confidence=kind.confidence_for("conversation"),
        origin="conversation",
        sources=draft.sources,
        trust=min((note.trust for note in notes), default=Trust.AGENT),
        expires_at=kind.expires_at(at, space.zone),
        metadata={"participants": list(people), "day": at.astimezone(load_zone(space.zone)).date().isoformat()},
    )


def _waiting_notes(
    tables: Tables, space: Space, preset: Preset, name: str, *, now: datetime
) -> dict[date, list[Record]]:
    """The notes that a pass has still to do, by day, yesterday being the last.

    A note that came after the pass of its day goes with the next day.
    """
    mark = _read_pass_mark(tables, space.name, name)
    today = now.astimezone(load_zone(space.zone)).date()
    since = _midnight_of(mark.day - _LATE, space) if mark else None
    days: dict[date, list[Record]] = {}
    for note in _notes_between(tables, space, preset, since=since, until=_midnight_of(today, space)):
        told = note.at.astimezone(load_zone(space.zone)).date()
        day = told if mark is None else max(told, mark.day + timedelta(days=1))
        if day < today and (mark is None or told > mark.day or _has_late_note(tables, note, preset, mark)):
            days.setdefault(day, []).append(note)
    return dict(sorted(days.items()))


def _has_late_note(tables: Tables, note: Record, preset: Preset, mark: PassMark) -> bool:
    """Whether a note of a day that is done was made since, and is in no topic."""
    if note.created_at < mark.at:
        return False
    drawn = tables.records.get(link.source for link in tables.records.read_links(note.id) if link.target == note.id)
    return all(record.kind != preset.distil.topic_kind for record in drawn.values())


def _notes_between(
    tables: Tables, space: Space, preset: Preset, *, since: datetime | None, until: datetime
) -> list[Record]:
    """The current notes of a period that everybody may read, oldest first.

    What is made of them is for everybody, so nothing private may be in it.
    """
    kinds = (preset.distil.note_kind,) if preset.distil.note_kind else ()
    places = tables.records.in_time(RecordFilter(spaces=(space.name,), kinds=kinds, since=since, until=until))
    found = tables.records.by_seq(places)
    return [note for place in places if (note := found[place]).is_current and is_readable_by_all(note)]


def _midnight_of(day: date, space: Space) -> datetime:
    return datetime.combine(day, time.min, tzinfo=load_zone(space.zone)).astimezone(UTC)


def _read_pass_mark(tables: Tables, space: str, name: str) -> PassMark | None:
    kept = tables.documents.read_setting(space, f"done:{name}")
    if not kept:
        return None
    said = json.loads(kept)
    return PassMark(date.fromisoformat(said["day"]), from_micros(said["at"]))


def _set_mark(tables: Tables, space: str, name: str, mark: PassMark) -> None:
    tables.documents.set_setting(
        space, f"done:{name}", json.dumps({"day": mark.day.isoformat(), "at": to_micros(mark.at)})
    )


def consolidate_profiles(memory: Memory, task: LeasedJob) -> JobResult:
    """Everyone who spoke since the last pass gets their profile put in order, each in a transaction of its own."""
    home = find_space_and_preset(memory, task)
    policies = {n: p for n, p in home[1].documents.items() if p.per == "person"} if home else {}
    if home is None or not policies:
        return SKIPPED
    space, preset = home
    days = memory.store.read(lambda t: _waiting_notes(t, space, preset, PROFILES, now=task.now))
    if not days:
        return SKIPPED
    last, changed, said = max(days), 0, []
    people = _by_person([note for notes in days.values() for note in notes])
    left_out = sum(max(0, len(notes) - MOST_NEWS) for notes in people.values())
    for person, all_notes in people.items():
        notes = all_notes[-MOST_NEWS:]
        for name, policy in policies.items():
            task.check_lease()
            one = _Profile(memory, task, space, preset, name=name, person=person, day=last)
            changed += one.consolidate(notes, policy)
            said.append(one.said)
    memory.store.write(lambda t: _set_mark(t, space.name, PROFILES, PassMark(last, task.now)))
    counts = {"people": len(people), "changed": changed, **({"left_out": left_out} if left_out else {})}
    return JobResult(counts, detail=model_output(*said))


def _by_person(notes: Sequence[Record]) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = {}
    for note in notes:
        for person in note.participants:
            found.setdefault(person, []).append(note)
    return found


class _Profile:
    """One person's document on its way through the pass; a mark in it says up to which day it was put in order."""

    def __init__(
        self, memory: Memory, task: LeasedJob, space: Space, preset: Preset, *, name: str, person: str, day: date
    ) -> None:
        self._memory = memory
        self._task = task
        self._space = space
        self._preset = preset
        self._name = name
        self._person = person
        self._day = day.isoformat()
        self.said = ""

    def consolidate(self, notes: Sequence[Record], policy: DocumentPolicy) -> bool:
        """Put it in order, unless that was done; returns whether it changed."""
        check = guard_against_changes(self._memory, self._task)
        document = self._memory.store.read(lambda t: t.documents.get(self._space.name, self._person, self._name))
        if document is None or document.data.get("consolidated", "") >= self._day:
            return False
        if self._memory.engine.writer_for(self._space.name).reads_known and not is_crowded(document, policy):
            return False
        zone = load_zone(self._space.zone)
        lines = document_lines(document, zone=zone)
        news = [material_for_writer(note, zone=zone) for note in notes]
        name = self._memory.store.read(lambda t: name_of_person(t, self._space.name, self._person))
        limits = document_limits(policy, name)
        writer, drafts = draft_with_writer(
            self._memory,
            self._task,
            self._preset,
            lambda w: w.profile(lines, news, sections=policy.sections, limits=limits),
        )
        self.said = writer.raw
        known = {source for line in lines for source in line.sources} | {note.id for note in notes}
        return self._keep(document, keep_sourced_lines(drafts, known, self._preset), policy, writer=writer, check=check)

    def _keep(
        self,
        document: Document,
        drafts: Sequence[EntryDraft],
        policy: DocumentPolicy,
        *,
        writer: Writer,
        check: Callable[[Tables], None],
    ) -> bool:
        now = self._task.now
        after = rewrite_document(document, drafts, policy=policy, now=now)
        marked = replace(after or document, data={**(after or document).data, "consolidated": self._day})

        def keep(tables: Tables) -> bool:
            check(tables)
            writer.stored(tables)
            current = tables.documents.get(self._space.name, self._person, self._name)
            if current is None or current.version != document.version:
                return False
            tables.documents.put(marked) if after else tables.documents.rewrite(marked)
            return after is not None

        return self._memory.store.write(keep)
