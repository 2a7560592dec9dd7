"""Documents from drafts: which section a fact belongs to, and what gives way to it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime

from recollect.distil.drafts import FactDraft
from recollect.presets.policy import DocumentPolicy
from recollect.records import Document, DocumentEntry


def empty(name: str, owner: str, space: str, *, at: datetime) -> Document:
    """A document that has no version yet."""
    return Document(name=name, owner=owner, space=space, version=0, entries=(), at=at)


def section_of(draft: FactDraft, policy: DocumentPolicy) -> str | None:
    """The section of a draft: by its attribute first, then by its type."""
    attribute = (draft.subject or "").rpartition("/")[2]
    for wanted in (attribute, draft.type):
        for section, takes in policy.sections.items():
            if wanted and wanted in takes:
                return section
    return None


def updated(
    document: Document,
    drafts: Iterable[FactDraft],
    *,
    policy: DocumentPolicy,
    sources: tuple[str, ...],
    replaces: Collection[str],
    now: datetime,
) -> Document | None:
    """The next version with these drafts in it, or None when they add nothing.

    `sources` are the records to cite instead of the drafts' own messages, when given; `replaces` are the attributes
    whose newest value takes the place of the former one.
    """
    entries = list(document.entries)
    values = dict(document.data.get("subjects", {}))
    for draft in drafts:
        section = section_of(draft, policy)
        if section is None or any(_same(e.text, draft.text) for e in entries):
            continue
        attribute = (draft.subject or "").rpartition("/")[2]
        if draft.subject and attribute in replaces:
            entries = [e for e in entries if e.text != values.get(draft.subject)]
            values[draft.subject] = draft.text
        entries.append(DocumentEntry(section=section, text=draft.text, sources=sources or (draft.source,), at=draft.at))
    ordered = _bounded(entries, policy)
    if ordered == document.entries:
        return None
    data = {**document.data, "subjects": values}
    return replace(document, version=document.version + 1, entries=ordered, data=data, at=now)


def revised(document: Document, old: str, new: str | None, *, now: datetime) -> Document | None:
    """The next version with one text replaced or taken out, or None when it does not stand there."""
    if not any(_same(e.text, old) for e in document.entries):
        return None
    kept = tuple(
        replace(e, text=new) if new is not None and _same(e.text, old) else e
        for e in document.entries if new is not None or not _same(e.text, old)
    )  # fmt: skip
    subjects = {k: (new if _same(v, old) else v) for k, v in document.data.get("subjects", {}).items()}
    data = {**document.data, "subjects": {k: v for k, v in subjects.items() if v is not None}}
    return replace(document, version=document.version + 1, entries=kept, data=data, at=now)


def _bounded(entries: list[DocumentEntry], policy: DocumentPolicy) -> tuple[DocumentEntry, ...]:
    """Entries in the order of the sections, the newest of each when there are too many."""
    ordered: list[DocumentEntry] = []
    for section in policy.sections:
        ordered += [e for e in entries if e.section == section][-policy.entries_per_section :]
    return tuple(ordered)


def _same(one: str, other: str) -> bool:
    return " ".join(one.casefold().split()).rstrip(".!") == " ".join(other.casefold().split()).rstrip(".!")
