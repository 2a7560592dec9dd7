"""Destroying what a person or a record left, with everything drawn from it, in one transaction."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime

from toldonce.records import PERSONAL, Document, DocumentEntry, Record
from toldonce.storage import lifecycle
from toldonce.storage.keyed_ids import is_keyed
from toldonce.storage.store import Tables
from toldonce.storage.tables.purge import MOST_WORDS, is_supported

# A shorter name is found in bytes by chance; the tables are searched for it all the same.
SHORTEST_NAME = 4


@dataclass(frozen=True, slots=True)
class DestroyedRecords:
    """How many records are gone, and texts of theirs that nothing else holds, to look for in the bytes of files.

    `sessions` are those that an erased person took part in.
    """

    records: int
    texts: tuple[str, ...] = ()
    sessions: frozenset[str] = frozenset()


def purge_record(tables: Tables, record: Record, *, now: datetime) -> DestroyedRecords:
    """Destroy a record, the other parts of a message that it is a part of, and what could not be known without them."""
    ids = [part.id for part in (record, *tables.records.find_parts(record))]
    return destroy_and_name(tables, tables.purge.with_derived(tables.records.find_places(ids), whole=False), now=now)


def destroy_and_name(tables: Tables, seqs: Collection[int], *, now: datetime) -> DestroyedRecords:
    """Destroy these records, and name words that are now nowhere else."""
    words = tables.purge.read_words(seqs)
    removed = destroy_records(tables, seqs, now=now)
    return DestroyedRecords(removed, tuple(tables.purge.find_unused_words(words)))


def erase_person(tables: Tables, user: str, *, space: str | None, now: datetime) -> DestroyedRecords:
    """Destroy every record of a person, everything drawn from any of them, their documents and who they were."""
    purge = tables.purge
    said = {*purge.of_user(user, space=space), *purge.find_echoes(user, space=space)}
    seqs = purge.with_derived(said, whole=True)
    words, names, sessions = purge.read_words(seqs), purge.read_names(user, space=space), purge.find_sessions(seqs)
    sessions |= purge.planned_sessions(user, space=space)
    gone = {record.id for record in tables.records.by_seq(seqs).values()}
    removed = destroy_records(tables, seqs, now=now, whole=True)
    tables.documents.drop(user, space=space)
    tables.people.drop_person(user, space=space)
    purge.forget_person(user, space=space, sessions=sessions, gone=gone)
    if space is None:
        tables.people.drop_space(PERSONAL + user)
        purge.forget_space(PERSONAL + user)
    tables.audit.add(space or "", "erase", at=now, detail={"records": removed})
    tables.audit.blank_person(user, space=space)
    tables.tombstones.add(user, space=space, at=now)
    ended = sorted(purge.ended_sessions(sessions, space=None), key=lambda name: (-len(name), name))[:MOST_WORDS]
    texts = {name for name in (*names, *ended) if len(name) >= SHORTEST_NAME}
    return DestroyedRecords(removed, (*purge.find_unused_words(words), *sorted(texts)), frozenset(sessions))


def destroy_records(tables: Tables, seqs: Collection[int], *, now: datetime, whole: bool = False) -> int:
    """Destroy these records and what came from them alone in every document; with `whole`, what came from any.

    What only they doubted counts again, unless time had ended them before.
    """
    if not seqs:
        return 0
    records = list(tables.records.by_seq(seqs).values())
    lifecycle.release_doubted(tables, records, at=now)
    gone = {record.id for record in records}
    for document in tables.documents.drawn_from(gone):
        if cleaned := without_sources(tables, document, gone, whole=whole):
            tables.documents.rewrite(cleaned)
    tables.purge.note_destroyed(record_id for record_id in gone if is_keyed(record_id))
    return tables.purge.destroy(sorted(seqs))


def hide_lines(tables: Tables, hidden: Collection[Record], *, now: datetime) -> None:
    """Take what came from hidden records alone out of the current documents; earlier versions keep it."""
    gone = {record.id for record in hidden}
    for document in tables.documents.drawn_from(gone):
        current = tables.documents.get(document.space, document.owner, document.name)
        if current is None or current.version != document.version:
            continue
        if cleaned := without_sources(tables, document, gone, whole=False):
            tables.documents.put(replace(cleaned, version=document.version + 1, at=now))


def without_sources(tables: Tables, document: Document, gone: Collection[str], *, whole: bool) -> Document | None:
    """The document without entries that came from records that go, or None when it names none of them.

    An entry came from the messages and records that it names; a note, which sums up what several said, is its source
    only where it names no other. Without `whole` an entry stays that says nothing which only these said.
    """
    named = {source for entry in document.entries for source in entry.sources}
    known = tables.records.get(named)
    overviews = {record.id for record in known.values() if record.participants}

    def stays(entry: DocumentEntry) -> bool:
        evidence = [s for s in entry.sources if s not in overviews] or entry.sources
        lost = [s for s in evidence if s in gone]
        if whole or not lost:
            return not lost
        left = [known[s].text for s in evidence if s not in gone and s in known]
        return is_supported(entry.text, left=left, gone=[known[s].text for s in lost if s in known])

    kept = tuple(replace(e, sources=tuple(s for s in e.sources if s not in gone)) for e in document.entries if stays(e))
    if kept == document.entries:
        return None
    texts = {e.text for e in kept}
    subjects = {k: v for k, v in document.data.get("subjects", {}).items() if v in texts}
    return replace(document, entries=kept, data={**document.data, "subjects": subjects})
