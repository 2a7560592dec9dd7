"""Documents from drafts: which section a fact belongs to, which entries it replaces, and how many entries fit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from recollect import tokens
from recollect.distil.drafts import EntryDraft, FactDraft
from recollect.distil.goals import is_reached
from recollect.distil.profiles import section_for
from recollect.distil.same_statement import says_same
from recollect.lang.grammar import REACHED
from recollect.presets.policy import DocumentPolicy
from recollect.records import Document, DocumentEntry


def new_document(name: str, owner: str, space: str, *, at: datetime) -> Document:
    """A document that has no version yet."""
    return Document(name=name, owner=owner, space=space, version=0, entries=(), at=at)


def section_of(draft: FactDraft, policy: DocumentPolicy) -> str | None:
    """The section of a draft: by its attribute first, then by its type."""
    return section_for(draft.subject, draft.type, policy.sections)


def update_document(
    document: Document,
    drafts: Iterable[FactDraft],
    *,
    policy: DocumentPolicy,
    sources: tuple[str, ...],
    replaces: Collection[str],
    now: datetime,
    gone: Collection[str] = (),
) -> Document | None:
    """The next version with these drafts in it, or None when they add nothing.

    `sources` are the records to cite instead of the drafts' own messages, when given; `replaces` are the attributes
    whose newest value replaces the former one, and `gone` the texts of records that these superseded.
    """
    entries = [e for e in document.entries if not any(_is_same_entry(e.text, text) for text in gone)]
    values = dict(document.data.get("subjects", {}))
    for draft in drafts:
        section = section_of(draft, policy)
        if section is None or any(e.section == section and says_same(draft.text, e.text) for e in entries):
            continue
        attribute = (draft.subject or "").rpartition("/")[2]
        if draft.value and draft.value.startswith(REACHED):
            entries = [e for e in entries if e.section != section or not is_reached(e.text, draft.value)]
            continue
        if draft.subject and attribute in replaces:
            entries = [e for e in entries if e.text != values.get(draft.subject)]
            values[draft.subject] = draft.text
        entries.append(DocumentEntry(section=section, text=draft.text, sources=sources or (draft.source,), at=draft.at))
    return _next_version(document, bound_entries(entries, policy), {**document.data, "subjects": values}, now=now)


def rewrite_document(
    document: Document, drafts: Sequence[EntryDraft], *, policy: DocumentPolicy, now: datetime
) -> Document | None:
    """The next version with exactly these lines, the most important ones of each section first.

    None when nothing changes.
    """
    known = {(e.section, e.text): e.at for e in document.entries}
    entries = [
        DocumentEntry(section=d.section, text=d.text, sources=d.sources, at=known.get((d.section, d.text), now))
        for d in drafts
        if d.section in policy.sections
    ]
    kept = bound_entries(entries, policy, first=True)
    texts = {e.text for e in kept}
    subjects = {k: v for k, v in document.data.get("subjects", {}).items() if v in texts}
    return _next_version(document, kept, {**document.data, "subjects": subjects}, now=now)


def revise_document(document: Document, old: str, new: str | None, *, now: datetime) -> Document | None:
    """The next version with one text replaced or removed, or None when the document does not contain it."""
    if not any(_is_same_entry(e.text, old) for e in document.entries):
        return None
    kept = tuple(
        replace(e, text=new) if new is not None and _is_same_entry(e.text, old) else e
        for e in document.entries
        if new is not None or not _is_same_entry(e.text, old)
    )
    subjects = {k: (new if _is_same_entry(v, old) else v) for k, v in document.data.get("subjects", {}).items()}
    data = {**document.data, "subjects": {k: v for k, v in subjects.items() if v is not None}}
    return replace(document, version=document.version + 1, entries=kept, data=data, at=now)


def bound_entries(
    entries: Sequence[DocumentEntry], policy: DocumentPolicy, *, first: bool = False
) -> tuple[DocumentEntry, ...]:
    """Entries in the order of the sections, as many as there is room for: each one's newest, or with `first` its first.

    If all of them together take too many tokens, the last sections are cut first.
    """
    ordered: list[DocumentEntry] = []
    most = policy.entries_per_section
    for section in policy.sections:
        mine = [e for e in entries if e.section == section]
        ordered += mine[:most] if first else mine[-most:]
    while policy.tokens and ordered and tokens.count_tokens(_document_text(ordered)) > policy.tokens:
        ordered.pop()
    return tuple(ordered)


def _document_text(entries: Iterable[DocumentEntry]) -> str:
    """About what a prompt shows of the document."""
    sections = dict.fromkeys(e.section for e in entries)
    return "\n".join([*(f"{name}:" for name in sections), *(f"- {e.text}" for e in entries)])


def _next_version(
    document: Document, entries: tuple[DocumentEntry, ...], data: dict[str, object], *, now: datetime
) -> Document | None:
    if [(e.section, e.text, e.sources) for e in entries] == [(e.section, e.text, e.sources) for e in document.entries]:
        return None
    return replace(document, version=document.version + 1, entries=entries, data=data, at=now)


def _is_same_entry(one: str, other: str) -> bool:
    return " ".join(one.casefold().split()).rstrip(".!") == " ".join(other.casefold().split()).rstrip(".!")
