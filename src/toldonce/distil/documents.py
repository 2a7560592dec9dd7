"""Documents from drafts and statements: which section one belongs to, which entries it replaces, and how many fit."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo

from toldonce import tokens
from toldonce.distil.drafts import EntryDraft, FactDraft
from toldonce.distil.goals import is_reached
from toldonce.distil.profiles import section_for
from toldonce.distil.reading import write_absolute_dates
from toldonce.distil.same_statement import says_same
from toldonce.distil.statements.reading import Claim, has_dose
from toldonce.distil.statements.store import stated_in
from toldonce.lang.grammar import REACHED
from toldonce.lang.vocabulary import content_stems, statement_words
from toldonce.presets.policy import DocumentPolicy
from toldonce.records import Document, DocumentEntry, Record, attribute_of
from toldonce.times.dates import Tense
from toldonce.times.reader import has_passed

# Topics of health: what a doctor or somebody else says of them counts as well.
_HEALTH = frozenset(("allergy", "medication", "condition"))
# What is said so is not the person's own plain word.
_NOT_PLAIN = frozenset(("joking", "supposing"))
_CHANGES = frozenset(("negation", "ends", "replaces", "begins", "again", "often", "now"))
_QUOTED = re.compile(r"[\"“«][^\"”»]{6,}[\"”»]")
# A line says nothing more than a statement that has this share of its words.
_NEARLY_ALL = 0.9
_OVER = frozenset(("negation", "ends", "past"))


def new_document(name: str, owner: str, space: str, *, at: datetime) -> Document:
    """A document that has no version yet."""
    return Document(name=name, owner=owner, space=space, version=0, entries=(), at=at)


def section_of(draft: FactDraft, policy: DocumentPolicy) -> str | None:
    """The section of a draft: by its attribute first, then by its type."""
    return section_for(draft.subject, draft.type, policy.sections)


def entry_of_statement(record: Record, policy: DocumentPolicy, *, zone: tzinfo) -> DocumentEntry | None:
    """A statement as a line of a document, with its relative times written as dates; None when it has no place there.

    It has none where a fact that was read out of it stands already, or stood until it was replaced. The name of the
    speaker is left out: the document is theirs.
    """
    said = stated_in(record)
    topics = find_lasting_topics(said.claim, said.language)
    if _QUOTED.search(said.words):
        topics &= _HEALTH
    section = next((s for s in policy.sections if topics.intersection(policy.topics.get(s, ()))), None)
    facts = {section_for(f"/{one}", "", policy.sections) for one in record.metadata.get("subjects", ())}
    if section is None or section in facts:
        return None
    words = record.text.removeprefix(f"{record.author}: ") if record.author else record.text
    tense: Tense | None = "future" if section in policy.passing else None
    text = write_absolute_dates(words, record.at.astimezone(zone), said.language, tense=tense)
    return DocumentEntry(section=section, text=text, sources=(record.id,), at=record.at)


def find_lasting_topics(claim: Claim, language: str) -> frozenset[str]:
    """What a statement is about, as far as it tells how things are: neither a joke nor a question nor one dinner.

    `routine` is what somebody does again and again. A symptom that is over is none, and of a family it tells only if
    it names somebody.
    """
    if claim.is_asked or not _NOT_PLAIN.isdisjoint(claim.cues):
        return frozenset()
    topics = set(claim.topics) | ({"medication"} if has_dose(claim, language) else set())
    if "recovery" in topics or not _OVER.isdisjoint(claim.cues):
        topics.discard("symptom")
    if "taste" in topics or _CHANGES.isdisjoint(claim.cues):
        topics.discard("diet")
    if claim.names <= statement_words(language).kin:
        topics.discard("family")
    if "often" in claim.cues and (claim.days or claim.numbers):
        topics.add("routine")
    return frozenset(topics & _HEALTH if "quoting" in claim.cues else topics)


def update_document(
    document: Document,
    drafts: Iterable[FactDraft],
    *,
    policy: DocumentPolicy,
    sources: tuple[str, ...],
    replaces: Collection[str],
    now: datetime,
    stated: Iterable[DocumentEntry] = (),
    gone: Collection[str] = (),
    gone_ids: Collection[str] = (),
    names: Iterable[str] = (),
) -> Document | None:
    """The next version with these drafts and statements in it, or None when nothing changes.

    `sources` are the records to cite before the drafts' own messages; `replaces` are the attributes
    whose newest value replaces the former one. `gone` are the texts and `gone_ids` the ids of superseded records.
    `names` are those by which lines may call the person, so that they can be shown without.
    """
    lost = set(gone_ids)
    ranked = _ranked_entries(document)
    entries = [
        e
        for e in document.entries
        if not (e.sources and lost.issuperset(e.sources)) and not any(_is_same_entry(e.text, text) for text in gone)
    ]
    values = dict(document.data.get("subjects", {}))
    for draft in drafts:
        section = section_of(draft, policy)
        if section is None or any(e.section == section and says_same(draft.text, e.text) for e in entries):
            continue
        attribute = attribute_of(draft.subject)
        if draft.value and draft.value.startswith(REACHED):
            entries = [e for e in entries if e.section != section or not is_reached(e.text, draft.value)]
            continue
        if draft.subject and attribute in replaces:
            entries = [e for e in entries if e.text != values.get(draft.subject)]
            values[draft.subject] = draft.text
        entries.append(
            DocumentEntry(
                section=section, text=draft.text, sources=(*sources, draft.source, *draft.context), at=draft.at
            )
        )
    entries = _add_stated_entries(entries, stated)
    lasting = [e for e in entries if not has_passed(e, policy.passing, now=now)]
    kept = bound_entries(lasting, policy, ranked=ranked)
    called = sorted({*document.data.get("names", ()), *names})
    data = {**document.data, "subjects": values, "names": called}
    if ranked:
        data["ranked"] = _count_sections(e for e in kept if e in ranked)
    return _next_version(document, kept, data, now=now)


def is_ranked(document: Document) -> bool:
    """Whether nothing was added since the document was last rewritten."""
    return len(_ranked_entries(document)) == len(document.entries)


def is_crowded(document: Document, policy: DocumentPolicy) -> bool:
    """Whether a section is more than half full, so that there is something to put in order."""
    counts = _count_sections(document.entries)
    return any(2 * count > policy.limit_of(section) for section, count in counts.items())


def _ranked_entries(document: Document) -> list[DocumentEntry]:
    """The lines that the last rewriting put in order of importance; what was added since follows them."""
    left = dict(document.data.get("ranked", {}))
    found = []
    for entry in document.entries:
        if left.get(entry.section, 0) > 0:
            left[entry.section] -= 1
            found.append(entry)
    return found


def _count_sections(entries: Iterable[DocumentEntry]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for entry in entries:
        counts[entry.section] = counts.get(entry.section, 0) + 1
    return counts


def rewrite_document(
    document: Document,
    drafts: Sequence[EntryDraft],
    *,
    policy: DocumentPolicy,
    now: datetime,
    stated: Sequence[DocumentEntry] = (),
) -> Document | None:
    """The next version with exactly these lines, the most important ones of each section first, then statements.

    None when nothing changes.
    """
    known = {(e.section, e.text): e.at for e in document.entries}
    entries = [
        DocumentEntry(section=d.section, text=d.text, sources=d.sources, at=known.get((d.section, d.text), now))
        for d in drafts
        if d.section in policy.sections
    ]
    entries = _add_stated_entries(entries, stated)
    kept = bound_entries([e for e in entries if not has_passed(e, policy.passing, now=now)], policy, first=True)
    texts = {e.text for e in kept}
    subjects = {k: v for k, v in document.data.get("subjects", {}).items() if v in texts}
    data = {**document.data, "subjects": subjects, "ranked": _count_sections(kept)}
    return _next_version(document, kept, data, now=now)


def _add_stated_entries(entries: Sequence[DocumentEntry], stated: Iterable[DocumentEntry]) -> list[DocumentEntry]:
    """The entries with those that people stated; a line that says nothing more than one of them is left out."""
    told = [e for e in stated if not any(_is_same_entry(e.text, known.text) for known in entries)]
    said = [(e.section, content_stems(e.text)) for e in told]
    return [*(e for e in entries if not any(_is_told_by(e, *one) for one in said)), *told]


def _is_told_by(entry: DocumentEntry, section: str, stems: frozenset[str]) -> bool:
    """Whether a statement of the same section has nearly every word of a line."""
    own = _predicate_stems(entry.text)
    return entry.section == section and len(own & stems) >= _NEARLY_ALL * len(own)


def _predicate_stems(line: str) -> frozenset[str]:
    """The stems of what a line says of the one whose name opens it."""
    return content_stems(line.partition(" ")[2]) or content_stems(line)


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
    entries: Sequence[DocumentEntry],
    policy: DocumentPolicy,
    *,
    first: bool = False,
    ranked: Collection[DocumentEntry] = (),
) -> tuple[DocumentEntry, ...]:
    """Entries in the order of the sections, as many as there is room for: each one's newest, or with `first` its first.

    Of the `ranked` ones, which are in order of importance, the least important go before anything newer does. If all of
    them together take too many tokens, the last sections are cut first.
    """
    ordered: list[DocumentEntry] = []
    for section in policy.sections:
        mine = [e for e in entries if e.section == section]
        most = policy.limit_of(section)
        if first:
            ordered += mine[:most]
            continue
        best, later = [e for e in mine if e in ranked], [e for e in mine if e not in ranked]
        room = max(0, most - len(later))
        ordered += [*best[:room], *later[-most:]]
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
