"""What the nightly jobs share: records as a writer sees them, and a writer that falls back to rules at the last try."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, tzinfo
from typing import TYPE_CHECKING, Any, TypeVar

from toldonce.distil.drafts import DocumentLimits, EntryDraft, Material
from toldonce.distil.settle import admit_written_text
from toldonce.distil.writer import RulesWriter, Writer
from toldonce.errors import JobError, ModelError
from toldonce.jobs.task import LeasedJob
from toldonce.operations.space_state import preset_of_space
from toldonce.presets.policy import DocumentPolicy, Preset
from toldonce.records import Document, Record, Space

if TYPE_CHECKING:
    from toldonce.memory import Memory
    from toldonce.models.embedder import Embedder
    from toldonce.storage.store import Tables
from toldonce.storage.vectors.model_identity import VectorModels

T = TypeVar("T")


def find_space_and_preset(memory: Memory, task: LeasedJob) -> tuple[Space, Preset] | None:
    """The space that a job belongs to, with its preset; None when it is gone, deleted or switched off."""
    space = memory.store.read(lambda t: t.people.space(task.space))
    if space is None or space.deleted_at is not None or not space.enabled:
        return None
    return space, preset_of_space(space)[0]


def draft_with_writer(memory: Memory, task: LeasedJob, preset: Preset, work: Callable[[Writer], T]) -> tuple[Writer, T]:
    """What a writer made, and which one: rules, if a model failed at the last try and the preset says so."""
    writer = memory.engine.writer_for(task.space)
    try:
        return writer, work(writer)
    except ModelError:
        if not task.is_last_try or preset.distil.when_model_fails != "rules":
            raise
    rules = RulesWriter()
    return rules, work(rules)


def guard_against_changes(memory: Memory, task: LeasedJob) -> Callable[[Tables], None]:
    """What to call before drafts are kept: it raises when the run is no longer ours, or when something was destroyed.

    A draft may contain what was destroyed after it was read, so the next try makes a new one.
    """
    destroyed = memory.store.read(lambda t: t.purge.count_purges(task.space))

    def check(tables: Tables) -> None:
        task.check_lease_in_transaction(tables)
        if tables.purge.count_purges(task.space) != destroyed:
            raise JobError("something was destroyed while it worked: the next try starts again")

    return check


def model_output(*said: str) -> dict[str, Any]:
    """What a model literally said, in one or several pieces of work, for the record of the run."""
    whole = "\n".join(filter(None, said))
    return {"output": whole} if whole else {}


def material_for_writer(record: Record, *, is_said: bool = False, zone: tzinfo = UTC) -> Material:
    """A record as a writer sees it, at local time; with `is_said`, a message with the name of who says it."""
    said = record.metadata
    people = record.participants or ((record.user,) if record.user else ())
    value = said.get("value")
    return Material(
        id=record.id,
        text=record.text,
        at=record.at.astimezone(zone),
        kind="" if is_said else str(said.get("sort", record.kind)),
        title=record.author if is_said else record.title,
        people=people,
        subject=record.subject,
        value=None if value is None else str(value),
        area=str(said.get("area", "")),
        confidence=record.confidence,
        validated=record.validated,
        is_current=record.is_current,
    )


def materials_with_vectors(
    tables: Tables, records: Sequence[Record], embedder: Embedder | None, *, zone: tzinfo = UTC
) -> list[Material]:
    """Records as a writer sees them, with the vectors that the store has for them."""
    plain = [material_for_writer(record, zone=zone) for record in records]
    model = tables.vectors.known_model(VectorModels(tables).name_for(embedder)) if embedder is not None else None
    if model is None:
        return plain
    from toldonce.storage.vectors.index import decode_vectors

    places = {record.id: tables.records.find_places([record.id])[0] for record in records}
    blobs = tables.vectors.of(model[0], places.values())
    found = {}
    for record in plain:
        mine = [blob for (place, _), blob in blobs.items() if place == places[record.id]]
        found[record.id] = tuple(decode_vectors(mine, model[1]).mean(axis=0).tolist()) if mine else ()
    return [replace(one, vector=found[one.id]) for one in plain]


def document_lines(
    document: Document | None, *, zone: tzinfo = UTC, validated: Collection[str] = ()
) -> list[EntryDraft]:
    """The lines of a document as a writer sees them, at local time; `validated` are ids of validated records."""
    return [
        EntryDraft(
            e.section,
            e.text,
            e.sources,
            at=e.at.astimezone(zone) if e.at else None,
            validated=not set(validated).isdisjoint(e.sources),
        )
        for e in (document.entries if document else ())
    ]


def document_limits(policy: DocumentPolicy, person: str) -> DocumentLimits:
    """Whose document it is and how much fits into it, as a writer sees it."""
    lines = {section: policy.limit_of(section) for section in policy.sections}
    return DocumentLimits(person=person, lines=lines, tokens=policy.tokens)


def name_of_person(tables: Tables, space: str, person: str) -> str:
    """What a person is called, else their id."""
    known = tables.people.get(space, person)
    return (known.name if known else "") or person


def keep_sourced_lines(drafts: Iterable[EntryDraft], known: Iterable[str], preset: Preset) -> list[EntryDraft]:
    """The lines that name a source, and no source that was not given, as the gate lets them in."""
    ids = set(known)
    whole = (draft for draft in drafts if draft.sources and ids.issuperset(draft.sources))
    return [replace(draft, text=text) for draft in whole if (text := admit_written_text(draft.text, preset, kind=None))]
