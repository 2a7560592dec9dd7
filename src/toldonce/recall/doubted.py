"""Shows doubted records where they belong: under the newer ones that probably end them, and nowhere else.

Hits come in as they were found; they go out with what is doubted under its newer record.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from toldonce.lang.vocabulary import content_words
from toldonce.records import Hit, Record
from toldonce.storage.doubted_lines import MOST_SHOWN
from toldonce.storage.store import Tables, View
from toldonce.storage.tables.records import text_fingerprint

# A message is the doubted statement itself if that has this share of its words.
_NEARLY_ALL = 0.7


@dataclass(frozen=True, slots=True)
class Overtaken:
    """Hits without the messages that only say what is doubted; `since` is what those that say more have under them.

    `gone` are the ids of the messages that a newer record replaces.
    """

    hits: list[Hit]
    gone: frozenset[str] = frozenset()
    since: Mapping[str, tuple[Record, ...]] = field(default_factory=dict)


def attach_doubted(tables: Tables, hits: Sequence[Hit], view: View) -> list[Hit]:
    """The hits, each with the doubted records that are shown under it."""
    return attach_to_each(tables, [hits], view)[0]


def attach_to_each(tables: Tables, found: Sequence[Sequence[Hit]], view: View) -> list[list[Hit]]:
    """The same for several lists of hits, read at once."""
    ids = [hit.record.id for hits in found for hit in hits] if tables.doubts.exist(view) else []
    under = tables.doubts.find_under(ids, view)
    return [
        [replace(hit, doubted=choose_shown(hit.record, under.get(hit.record.id, ()))) for hit in hits]
        if under
        else list(hits)
        for hits in found
    ]


def choose_shown(newer: Record, doubted: Iterable[Record]) -> tuple[Record, ...]:
    """The newest of the doubted records that say something else than the newer one and than each other."""
    said = {text_fingerprint(newer.text)}
    shown = []
    for older in doubted:
        if (words := text_fingerprint(older.text)) not in said:
            said.add(words)
            shown.append(older)
    return tuple(shown[:MOST_SHOWN])


def replace_overtaken(tables: Tables, hits: Sequence[Hit], view: View) -> Overtaken:
    """The hits with the newer record instead of a message that says what is doubted and little else."""
    messages = [hit.record.id for hit in hits if hit.record.conversation is not None]
    doubted = tables.doubts.find_among(messages, view) if tables.doubts.exist(view) else {}
    if not doubted:
        return Overtaken(list(hits))
    over = tables.doubts.find_over((older.id for some in doubted.values() for older in some), view)
    shown: dict[str, Hit] = {}
    gone: set[str] = set()
    since: dict[str, tuple[Record, ...]] = {}
    for hit in hits:
        some = doubted.get(hit.record.id, ())
        newer = list({one.id: one for older in some for one in over.get(older.id, ())}.values())
        if newer and any(_says_little_else(hit.record, older) for older in some):
            put = replace(hit, record=newer[0])
            gone.add(hit.record.id)
        else:
            put = hit
            if newer:
                since[hit.record.id] = tuple(newer[:MOST_SHOWN])
        known = shown.get(put.record.id)
        if known is None or known.score < put.score:
            shown[put.record.id] = put
    return Overtaken(attach_doubted(tables, list(shown.values()), view), frozenset(gone), since)


def _says_little_else(message: Record, doubted: Record) -> bool:
    said = content_words(message.text)
    return len(said & content_words(doubted.text)) >= _NEARLY_ALL * len(said)
