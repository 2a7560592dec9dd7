"""Destroying what a person or a record left, with everything drawn from it, in one transaction."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from recollect.keep.grams import grams_of
from recollect.keep.store import Tables
from recollect.records import Document, Record

_WORD = re.compile(r"[^\W_]+")


def purge_record(tables: Tables, record: Record) -> int:
    """Destroy a record and what could not be known without it."""
    return destroy(tables, with_drawn(tables, tables.records.places([record.id])))


def with_drawn(tables: Tables, seqs: Iterable[int]) -> list[int]:
    """These places and those of records drawn from them, but for records that say nothing which only these told."""
    doomed = set(seqs)
    while True:
        drawn = {seq: sources for seq, sources in tables.purge.drawn(doomed).items() if seq not in doomed}
        known = tables.records.by_seq({*drawn, *(s for sources in drawn.values() for s in sources)})
        words = {seq: _words(record) for seq, record in known.items()}
        more = {seq for seq, sources in drawn.items() if not _stands(words, seq, sources=sources, without=doomed)}
        if not more:
            return sorted(doomed)
        doomed |= more


def _stands(words: Mapping[int, set[str]], seq: int, *, sources: frozenset[int], without: set[int]) -> bool:
    """Whether every word that the record shares with a source that goes is also in a source that stays."""
    gone = {word for source in sources & without for word in words[source]}
    left = {word for source in sources - without for word in words[source]}
    return bool(sources - without) and words[seq] & gone <= left


def _words(record: Record) -> set[str]:
    text = f"{record.text} {record.title} {record.summary}".casefold()
    return {*_WORD.findall(text), *grams_of(text).split()}


def erase_person(tables: Tables, user: str, *, space: str | None, now: datetime) -> int:
    """Destroy every record of a person, everything drawn from any of them, their documents and who they were."""
    seqs = tables.purge.with_derived(tables.purge.of_user(user, space=space), whole=True)
    removed = destroy(tables, seqs)
    tables.documents.drop(user, space=space)
    tables.people.drop_person(user, space=space)
    tables.purge.forget_person(user, space=space)
    tables.documents.audit(space or "", "erase", at=now, actor="", detail={"records": removed})
    return removed


def destroy(tables: Tables, seqs: Collection[int]) -> int:
    """Destroy these records, and take what came from them out of every document."""
    if not seqs:
        return 0
    gone = {record.id for record in tables.records.by_seq(seqs).values()}
    for document in tables.documents.all(None):
        if cleaned := without_sources(document, gone):
            tables.documents.rewrite(cleaned)
    return tables.purge.destroy(sorted(seqs))


def without_sources(document: Document, gone: Collection[str]) -> Document | None:
    """The document without entries that came from erased records, or None when none did."""
    kept = tuple(
        replace(e, sources=tuple(s for s in e.sources if s not in gone)) for e in document.entries
        if not e.sources or any(s not in gone for s in e.sources)
    )  # fmt: skip
    if kept == document.entries:
        return None
    texts = {e.text for e in kept}
    subjects = {k: v for k, v in document.data.get("subjects", {}).items() if v in texts}
    return replace(document, entries=kept, data={**document.data, "subjects": subjects})
