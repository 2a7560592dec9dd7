"""Documents as they are shown: a line that is doubted is under the newer one that probably ended it.

A stored document comes in; it goes out for readers, and is never stored so.
"""

from __future__ import annotations

from dataclasses import replace

from toldonce.records import Document, DocumentEntry, Record
from toldonce.storage.store import Tables, View
from toldonce.storage.tables.records import text_fingerprint

# The most doubted records that are shown under one.
MOST_SHOWN = 3


def fold_document(tables: Tables, document: Document, view: View) -> Document:
    """The document with each doubted line under the newer record, which is put there if it has no line itself."""
    sources = {source for entry in document.entries for source in entry.sources}
    if not sources or not tables.doubts.exist(view):
        return document
    doubted = tables.doubts.find_among(sources, view)
    over = tables.doubts.find_over((older.id for some in doubted.values() for older in some), view) if doubted else {}
    kept: list[DocumentEntry] = []
    texts = {text_fingerprint(entry.text) for entry in document.entries}
    newer_by_text: dict[str, Record] = {}
    for entry in document.entries:
        older = next((one for s in entry.sources for one in doubted.get(s, ()) if _is_line_of(entry, s, one)), None)
        if older is None:
            kept.append(entry)
            continue
        for newer in over.get(older.id, ())[:1]:
            newer_by_text[text_fingerprint(newer.text)] = newer
            if newer.id not in sources and text_fingerprint(newer.text) not in texts:
                sources.add(newer.id)
                kept.append(_entry_of(newer, entry.section))
    under = tables.doubts.find_under((*sources, *(one.id for one in newer_by_text.values())), view)
    if not doubted and not under:
        return document

    def with_doubted(entry: DocumentEntry) -> DocumentEntry:
        known = newer_by_text.get(text_fingerprint(entry.text))
        ids = [*entry.sources, *([known.id] if known else ())]
        found = list({one.id: one for id_ in ids for one in under.get(id_, ())}.values())
        said = {text_fingerprint(entry.text)}
        shown = [one for one in found if text_fingerprint(one.text) not in said][:MOST_SHOWN]
        return replace(entry, doubted=tuple(shown)) if shown else entry

    return replace(document, entries=tuple(map(with_doubted, kept)))


def _is_line_of(entry: DocumentEntry, source: str, older: Record) -> bool:
    """Whether a line was written from a doubted record, or says the same as one drawn from its message."""
    return source == older.id or text_fingerprint(entry.text) == text_fingerprint(older.text)


def _entry_of(record: Record, section: str) -> DocumentEntry:
    text = record.text.removeprefix(f"{record.author}: ") if record.author else record.text
    return DocumentEntry(section=section, text=text, sources=(record.id,), at=record.at)
