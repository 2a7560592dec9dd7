"""Finding records: by words, by character pairs, by entities, by time. Returns places in the store with a raw score."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from toldonce.clock import to_micros
from toldonce.records import Record
from toldonce.storage.rows import Rows
from toldonce.storage.tables.records import EVERYONE, record_from_row

if TYPE_CHECKING:
    from toldonce.storage.store import View

Found = list[tuple[int, float]]
# Which of these places are shown.
Shown = Callable[[Iterable[int]], set[int]]

# Matches are ranked before they are filtered; most stores have few hidden records among the best of these.
_SCAN = 400
_ENOUGH = 20
_RECENT = 1_000
_MOSTLY_SHARED = 2_000
_EVERYTHING = -1
# This many more than wanted are read at first, because some may be hidden.
_SPARE = 8


class UnitRow(NamedTuple):
    """What a record says, who said it, and when in microseconds; whether the view shows it; its kind and session."""

    seq: int
    text: str
    author: str
    role: str
    at: int
    is_shown: bool = True
    kind: str = ""
    session: str | None = None


# As `UnitRow._make`, without a look at the number of columns.
_make_unit: Callable[[tuple[Any, ...]], UnitRow] = partial(tuple.__new__, UnitRow)


class SearchTable:
    """The signals that a store can give. A higher score is a better match; no match is []."""

    __slots__ = ("_rows", "_tenant")

    def __init__(self, rows: Rows, tenant: str) -> None:
        self._rows = rows
        self._tenant = tenant

    def find_readers(self, view: View) -> tuple[str, ...]:
        """Whose records to look among, where that leaves much out; the view has the last word."""
        # A name of signs alone has no words to look for.
        if view.user is None or not any(map(str.isalnum, view.user)):
            return ()
        shared = self._count(self._rows.matching((), readers=(EVERYONE,)), _MOSTLY_SHARED)
        return () if shared >= _MOSTLY_SHARED else (view.user, EVERYONE)

    def find_by_words(self, words: Sequence[str], view: View, *, limit: int, among: Sequence[str] = ()) -> Found:
        """Records with any of these words, best first; with `among`, only those that hold one of these too."""
        match = self._rows.matching(words, among=among, readers=self.find_readers(view))
        return self._ranked("search_words", match, view, limit=limit)

    def places_by_word(
        self, words: Sequence[str], view: View, *, most: int, beside: Sequence[str] = ()
    ) -> dict[str, list[int]]:
        """For each word the places of records that hold it, and another one of `beside`: the newest `most` of them.

        They are those of the view's reader where that leaves much out; the view may hide some of them still.
        """
        readers = self.find_readers(view) if words else ()
        matches = [
            self._rows.matching((word,), among=[other for other in beside if other != word], readers=readers)
            for word in words
        ]
        found = self._rows.all_of("search_holding", [{"match": match, "most": most} for match in matches])
        return {word: [row[0] for row in rows] for word, rows in zip(words, found, strict=True)}

    def recent_words(self, words: Sequence[str], view: View, *, limit: int) -> Found:
        """Records by words that are nearly everywhere: the best among the newest matches."""
        match = self._rows.matching(words, readers=self.find_readers(view))
        rows = self._rows.all("search_recent_words", **view.values(), match=match, limit=limit, scan=_RECENT)
        return [(row[0], -row[1]) for row in rows]

    def find_by_grams(self, pairs: Sequence[str], view: View, *, limit: int) -> Found:
        """Records by pairs of characters, for scripts without spaces."""
        return self._ranked("search_grams", self._rows.matching_pairs(pairs), view, limit=limit)

    def find_by_entities(self, entities: Iterable[int], view: View, *, limit: int) -> Found:
        """Records that mention these entities, those that mention most of them first, then the newest."""
        ranked = partial(self.first_mentions, list(entities))
        return first_visible(ranked, partial(self.filter_visible, view=view), limit=limit)

    def first_mentions(self, entities: Sequence[int], most: int) -> Found:
        """The first `most` in that order, whoever may see them."""
        if len(entities) == 1:
            # No need to count: the newest are read from the end of the index, however many there are.
            return [(row[0], 1.0) for row in self._rows.all("mentions_of_one", entity=entities[0], most=most)]
        rows = self._rows.all("mentions_of_any", entities=json.dumps(entities), most=most)
        return [(row[0], float(row[1])) for row in rows]

    def find_by_time(self, start: datetime, end: datetime, view: View, *, limit: int) -> Found:
        """Records of a period, newest first; the score is the moment."""
        rows = self._rows.all("search_time", **view.values(), start=to_micros(start), end=to_micros(end), limit=limit)
        return [(row[0], float(row[1])) for row in rows]

    def find_by_subjects(
        self, attributes: Iterable[str], view: View, *, limit: int, owners: Iterable[str] | None = None
    ) -> Found:
        """Records about these attributes of these people or else of anyone, newest first; the score is the moment."""
        whose = None if owners is None else json.dumps(list(owners))
        wanted = json.dumps(list(attributes))
        rows = self._rows.all("search_subjects", **view.values(), attributes=wanted, owners=whose, limit=limit)
        return [(row[0], float(row[1])) for row in rows]

    def read_units(self, seqs: Iterable[int], view: View) -> list[UnitRow]:
        """Records by place as evidence, if they are active or the view shows them."""
        return list(map(_make_unit, self._rows.all("units", **view.values(), seqs=json.dumps(list(seqs)))))

    def read_windows(self, seqs: Iterable[int], *, reach: int) -> list[tuple[int, ...]]:
        """For each of these messages of a conversation: the places of those around it and its own, in order."""
        rows = self._rows.all("windows", tenant=self._tenant, seqs=json.dumps(list(seqs)), reach=reach)
        return [(*reversed(_parse_places(before)), seq, *_parse_places(after)) for seq, before, after in rows]

    def filter_visible(self, seqs: Iterable[int], view: View) -> set[int]:
        """Which of these places hold a record that the view shows."""
        rows = self._rows.all("visible_seqs", **view.values(), seqs=json.dumps(list(seqs)))
        return {row[0] for row in rows}

    def count_matches(self, words: Sequence[str], *, most: int) -> int:
        """How many records hold any of these words, counted no further than `most`."""
        return self._count(self._rows.matching(words), most)

    def merge(self, *, pages: int) -> int:
        """Bring the parts that the index of words was written in together, some pages at a time; how many are left.

        Words are looked up in every part. With pages below zero it starts again with all parts there are.
        """
        self._rows.run("merge_words", pages=pages)
        row = self._rows.one("count_word_parts")
        return row[0] if row else 0

    def size(self) -> int:
        """About how many records the store has."""
        row = self._rows.one("count_records")
        return row[0] if row else 0

    def place_ends(self) -> tuple[int, int]:
        """The places of the oldest and of the newest record; places in between may be empty."""
        row = self._rows.one("place_ends")
        return (row[0], row[1]) if row and row[0] is not None else (0, 0)

    def read_window(
        self,
        space: str,
        *,
        session: str | None,
        channel: str | None,
        now: datetime,
        limit: int,
        user: str | None = None,
    ) -> list[Record]:
        """The last messages of a session, or else of a channel, oldest first; with a user only what they may see."""
        rows = self._rows.all(
            "window_messages",
            tenant=self._tenant,
            space=space,
            session=session,
            channel=channel,
            now=to_micros(now),
            limit=limit,
            user=user,
        )
        return [record_from_row(row) for row in reversed(rows)]

    def _ranked(self, query: str, match: str, view: View, *, limit: int) -> Found:
        values: dict[str, Any] = {**view.values(), "match": match, "limit": limit}
        rows = self._rows.all(query, **values, scan=_SCAN)
        if len(rows) < min(limit, _ENOUGH) and self._more_than(query, match, _SCAN):
            rows = self._rows.all(query, **values, scan=_EVERYTHING)
        return [(row[0], -row[1]) for row in rows]

    def _more_than(self, query: str, match: str, scanned: int) -> bool:
        if query == "search_words":
            return self._count(match, scanned + 1) > scanned
        row = self._rows.one("count_gram_matches", match=match, scan=scanned + 1)
        return row is not None and row[0] > scanned

    def _count(self, match: str, most: int) -> int:
        row = self._rows.one("count_word_matches", match=match, scan=most)
        return row[0] if row else 0


def first_visible(ranked: Callable[[int], Sequence[tuple[int, float]]], shown: Shown, *, limit: int) -> Found:
    """The first that are shown. `ranked` gives the first N; it is called again where most are hidden."""
    most = limit + _SPARE
    while True:
        some = ranked(most)
        seen = shown(seq for seq, _ in some)
        found = [row for row in some if row[0] in seen]
        if len(found) >= limit or len(some) < most:
            return found[:limit]
        most *= 4


def _parse_places(packed: str | None) -> tuple[int, ...]:
    return tuple(map(int, packed.split(","))) if packed else ()
