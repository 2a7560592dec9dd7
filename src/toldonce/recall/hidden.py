"""What may not be shown though it was kept: words of blocked people, and messages that a skip rule keeps out by now.

Records come in; those that may be shown go out, notes without what a blocked person is quoted with. Nothing is stored.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from toldonce.presets.policy import CapturePolicy
from toldonce.records import Document, Hit, Person, Record
from toldonce.storage.store import Tables
from toldonce.text.words import WORD, fold_word

_SENTENCE = re.compile(r"[^.!?…]+[.!?…]*\s*")


@dataclass(frozen=True, slots=True)
class _Speakers:
    """The names under which people speak in notes: of those who are blocked, and of everybody."""

    blocked: frozenset[str]
    everybody: frozenset[str]


def hide_records(
    tables: Tables, records: Sequence[Record], *, blocked: Sequence[Person], policy: CapturePolicy
) -> dict[str, Record]:
    """Those of the records that may be shown, by id, as they may be shown."""
    ids = {person.id for person in blocked}
    noted = [record for record in records if not ids.isdisjoint(record.participants)]
    sources = tables.records.get({source for record in noted for source in record.sources})
    shown: dict[str, Record] = {}
    for record in records:
        if _is_of_blocked(record, ids) or (record.conversation is not None and policy.is_skipped(record.text)):
            continue
        if not ids.isdisjoint(record.participants):
            said = [sources[source] for source in record.sources if source in sources]
            quoted = _without_quotes(record, _find_speakers(tables, record, blocked, said))
            if quoted is None:
                continue
            record = quoted
        shown[record.id] = record
    return shown


def hide_hits(tables: Tables, hits: Sequence[Hit], *, blocked: Sequence[Person], policy: CapturePolicy) -> list[Hit]:
    """Those of the hits that may be shown, as they may be shown, with what may be shown under them."""
    records = [record for hit in hits for record in (hit.record, *hit.doubted)]
    shown = hide_records(tables, records, blocked=blocked, policy=policy)
    return [
        replace(hit, record=shown[hit.record.id], doubted=tuple(shown[o.id] for o in hit.doubted if o.id in shown))
        for hit in hits
        if hit.record.id in shown
    ]


def hide_entries(document: Document, sources: Mapping[str, Record], *, blocked: Sequence[Person]) -> Document:
    """The document without lines that only blocked people said."""
    ids = {person.id for person in blocked}

    def is_hidden(of: Iterable[str]) -> bool:
        said = [sources[source] for source in of if source in sources]
        return bool(said) and all(_is_of_blocked(record, ids) for record in said)

    return replace(document, entries=tuple(entry for entry in document.entries if not is_hidden(entry.sources)))


def _is_of_blocked(record: Record, blocked: Collection[str]) -> bool:
    """Whether a blocked person said it, or is whom it is about."""
    return record.user in blocked or record.metadata.get("speaker") in blocked


def _find_speakers(tables: Tables, record: Record, blocked: Sequence[Person], sources: Sequence[Record]) -> _Speakers:
    """The names that people had when the note was made, and those that they have now."""
    ids = {person.id for person in blocked}
    known = [person for one in record.participants if (person := tables.people.get(record.space, one)) is not None]
    now = {name for person in known for name in _names_of(person)}
    gone = {name for person in blocked for name in _names_of(person)}
    gone |= {source.author for source in sources if source.user in ids and source.author}
    return _Speakers(frozenset(gone), frozenset(now | gone | {source.author for source in sources if source.author}))


def _names_of(person: Person) -> set[str]:
    return {name for name in (person.display_name, person.username, person.id) if name}


def _without_quotes(record: Record, speakers: _Speakers) -> Record | None:
    """A note without what blocked people are quoted with; None when nothing is left."""
    text, removed = _cut_quotes(record.text, speakers)
    if not text.strip():
        return None
    summary = _cut_quotes(record.summary, speakers)[0]
    return replace(record, text=text.strip(), summary=summary.strip(), title=_cut_title(record.title, text, removed))


def _cut_quotes(text: str, speakers: _Speakers) -> tuple[str, str]:
    """The text without the quotes of blocked people, and those; of prose, without the sentences that name them."""
    names = "|".join(map(re.escape, sorted(speakers.everybody, key=len, reverse=True))) or "(?!)"
    labels = list(re.finditer(rf"(?:^|(?<=\s))({names}): ", text))
    if not labels:
        sentences = _SENTENCE.findall(text)
        named = [any(name.casefold() in sentence.casefold() for name in speakers.blocked) for sentence in sentences]
        pieces = list(zip(named, sentences, strict=True))
    else:
        ends = [*(label.start() for label in labels[1:]), len(text)]
        pieces = [(False, text[: labels[0].start()])]
        for label, end in zip(labels, ends, strict=True):
            pieces.append((label[1] in speakers.blocked, text[label.start() : end]))
    kept, removed = ("".join(piece for hidden, piece in pieces if hidden is wanted) for wanted in (False, True))
    return kept, removed


def _cut_title(title: str, kept: str, removed: str) -> str:
    """The phrases of a title without those that only the removed words explain."""
    left, gone = (frozenset(map(fold_word, WORD.findall(text))) for text in (kept, removed))
    phrases = [phrase for phrase in title.split(", ") if phrase]
    return ", ".join(p for p in phrases if not any(w in gone - left for w in map(fold_word, WORD.findall(p))))
