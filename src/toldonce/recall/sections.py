"""Which records the sections of a prompt block show: what a search finds, what is always shown, what is newest.

First candidates are read for every section, best first; then each section takes what no other one shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from itertools import chain, zip_longest

from toldonce import tokens
from toldonce.errors import InputError
from toldonce.presets.policy import Kind, Preset, Section
from toldonce.recall.query import order_by_topic
from toldonce.recall.rank import order_standing
from toldonce.records import Hit, Reason, Record, Signal, Surroundings, Why
from toldonce.storage.store import Store, Tables, View

# About what a line says beside the text of its record: who said it, and when.
_LABEL = 12
# A search is followed by what is about the same topics, of this many of the newest records.
_MOST_RELATED = 200
# This many times as many records as there is room for are read of what is always shown.
_MORE_STANDING = 3
# A statement with this share of a message's characters says nearly all of it.
_NEARLY_WHOLE = 0.7
# The best hits for the question by each view, up to a number of each.
Search = Callable[[Sequence[tuple[View, int]]], Sequence[list[Hit]]]
RecordReader = Callable[[Tables], list[Record]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextRequest:
    """What a prompt block is wanted for."""

    text: str
    user: str | None
    session: str | None
    channel: str | None
    budget: int
    shown_before: frozenset[str] = frozenset()
    annotate: Callable[[Record, Kind], str] | None = None
    around: Surroundings = field(default_factory=Surroundings)
    viewer: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise InputError(f"the question must be a string, not {type(self.text).__name__}")

    @property
    def is_for_another(self) -> bool:
        """Whether somebody else looks at the block than the person whom it is made for."""
        return self.viewer not in (None, self.user)


def find_section_hits(
    store: Store, asked: ContextRequest, view: View, *, preset: Preset, search: Search
) -> dict[int, Sequence[Hit]]:
    """The records that each section may show, best first, by the section's place."""
    sections = dict(enumerate(preset.context.sections))
    views = {place: _view_of_section(section, asked, view, preset=preset) for place, section in sections.items()}
    always = {place: section for place, section in sections.items() if section.source == "always"}
    reads = {place: _standing_reads(one, asked, views[place]) for place, one in always.items()}

    def read_standing(tables: Tables) -> dict[int, list[Hit]]:
        tables.fetch_ahead(*chain.from_iterable(reads.values()))
        return {place: _standing_hits(tables, some, views[place]) for place, some in reads.items()}

    standing = store.read(read_standing, person=view.user)
    crowded = {place for place, hits in standing.items() if _is_over_budget(hits, sections[place], budget=asked.budget)}
    limits = {place: 2 * section.limit for place, section in sections.items() if section.source == "search"}
    limits |= {place: sections[place].limit for place in crowded}
    wanted = {place: (views[place], limit) for place, limit in limits.items() if asked.text.strip()}
    searched = dict(zip(wanted, search(list(wanted.values())), strict=True))

    chosen = {place: _choose_standing_hits(standing[place], searched.get(place, [])) for place in crowded}
    others: dict[int, Callable[[Tables], list[Hit]]] = {
        place: partial(_newest_hits, section=section, view=views[place])
        for place, section in sections.items()
        if section.source == "newest"
    }
    others |= {
        place: partial(_join_related, section=sections[place], asked=asked, view=views[place], found=found)
        for place, found in searched.items()
        if place not in crowded
    }

    def read_others(tables: Tables) -> dict[int, list[Hit]]:
        tables.fetch_ahead(*others.values())
        return {place: read(tables) for place, read in others.items()}

    return {**standing, **chosen, **store.read(read_others, person=view.user)}


def choose_section_hits(
    tables: Tables,
    candidates: Mapping[int, Sequence[Hit]],
    asked: ContextRequest,
    view: View,
    *,
    preset: Preset,
    drops: dict[str, Reason] | None = None,
) -> dict[int, list[Hit]]:
    """Of these what each section shows: nothing that is superseded, and no record in two sections."""
    found: dict[int, list[Hit]] = {}
    taken = set(asked.shown_before) | _cited_by_document(tables, asked, view, preset=preset)
    # How much of a message is shown in the statement that quotes it.
    quoted: dict[str, int] = {}
    former = find_superseded(tables, candidates, view)
    for place, section in enumerate(preset.context.sections):
        wanted = [hit for hit in candidates.get(place, ()) if hit.record.id not in former]
        fresh = [hit for hit in wanted if taken.isdisjoint((hit.record.id, hit.record.text))]
        fresh = [hit for hit in fresh if quoted.get(hit.record.id, 0) < _NEARLY_WHOLE * len(hit.record.text)]
        found[place] = drop_retold_hits(fresh)[: section.limit]
        if drops is not None:
            from toldonce.recall.explain import explain_left_hits

            explain_left_hits(drops, wanted, fresh, found[place], asked=asked, section=section)
        taken |= {hit.record.id for hit in found[place]}
        for hit in found[place]:
            quoted |= {id_: len(str(hit.record.metadata.get("words", ""))) for id_ in hit.record.sources}
    return found


def _cited_by_document(tables: Tables, asked: ContextRequest, view: View, *, preset: Preset) -> set[str]:
    """What the person's own document says already, as far as there is room: ids of derived records, and its lines."""
    cited: set[str] = set()
    texts: set[str] = set()
    for section in preset.context.sections:
        if section.source != "document" or preset.documents[section.document].per != "person" or not asked.user:
            continue
        document = tables.documents.get(view.spaces[0], asked.user, section.document, as_of=view.as_of)
        room = min(section.tokens or asked.budget, asked.budget) - 2 * _LABEL
        for entry in document.entries if document else ():
            room -= tokens.count_tokens(entry.text) + _LABEL // 4
            if room > 0:
                cited |= set(entry.sources)
                texts.add(entry.text)
    return texts | ({record.id for record in tables.records.get(cited).values() if record.sources} if cited else set())


def find_superseded(tables: Tables, candidates: Mapping[int, Sequence[Hit]], view: View) -> set[str]:
    """Records that are superseded, or written from what is: in a prompt they would mislead. Pinned ones stay."""
    records = (hit.record for hits in candidates.values() for hit in hits)
    parts = {record.id: {record.id, *record.sources} for record in records if not record.pinned}
    ids = {id_ for found in parts.values() for id_ in found}
    former = tables.records.given_way(ids, at=view.as_of or view.now) if ids else set()
    return {id_ for id_, found in parts.items() if not former.isdisjoint(found)} if former else set()


def _view_of_section(section: Section, asked: ContextRequest, view: View, *, preset: Preset) -> View:
    if section.source == "always":
        return replace(view, kinds=tuple(section.kinds or preset.kinds_of_tier("always")))
    is_elsewhere = section.source == "search" and section.exclude_session
    return replace(view, kinds=section.kinds or None, not_session=asked.session if is_elsewhere else view.not_session)


def _newest_hits(tables: Tables, *, section: Section, view: View) -> list[Hit]:
    """The newest records, as far as they are new enough."""
    newest = (tables.records.find_derived if view.kinds else tables.records.find)(view, limit=section.limit)
    oldest = view.now - timedelta(days=section.max_days) if section.max_days else None
    return [Hit(record, 1.0) for record in newest if oldest is None or record.at >= oldest]


def _join_related(
    tables: Tables, *, section: Section, asked: ContextRequest, view: View, found: list[Hit]
) -> list[Hit]:
    """What was found, with what is known about the files that are worked on, and with what fills a section up."""
    if asked.around.files and view.kinds:
        known = tables.records.find_about(view, asked.around.files, limit=section.limit)
        found = alternate_hits(found, _number_hits(known, "file"))
    return _fill_up(tables, found, view, asked, limit=section.limit) if section.fill else found


def _fill_up(tables: Tables, found: list[Hit], view: View, asked: ContextRequest, *, limit: int) -> list[Hit]:
    """What was found and what is about the topics of the question alternately, then the newest of the same kinds."""
    known = tables.records.read_derived_topics(view, limit=_MOST_RELATED)
    order = order_by_topic([topics for _, _, topics in known], asked.text)
    most = 2 * limit + len(asked.shown_before)
    related = [known[place] for place in order[:most]]
    newest = known[: max(0, most + limit - len(found) - len(related))]
    records = {hit.record.id: hit.record for hit in found}
    unread = {seq for seq, id_, _ in (*related, *newest) if id_ not in records}
    records |= {record.id: record for record in tables.records.by_seq(unread).values()}
    by_topic, by_time = ([records[id_] for _, id_, _ in some] for some in (related, newest))
    with_topics = alternate_hits(found, _number_hits(by_topic, "topic"))
    return alternate_hits([*with_topics, *_number_hits(by_time, "newest")])


def _number_hits(records: Iterable[Record], signal: str) -> list[Hit]:
    """These as hits that a signal found in this order."""
    return [Hit(record, 0.0, Why((Signal(signal, rank, 0.0),))) for rank, record in enumerate(records, start=1)]


def _standing_reads(section: Section, asked: ContextRequest, view: View) -> list[RecordReader]:
    """What reads the pinned records of any kind, and the standing ones of each of the section's kinds, newest first.

    Of each kind a few more are read than there is room for, since some may be superseded or shown elsewhere.
    """
    most = _MORE_STANDING * section.limit + len(asked.shown_before)
    every_kind = replace(view, kinds=None)
    return [
        lambda t: t.records.find_pinned(every_kind, limit=section.limit),
        *(partial(_read_standing, kind=kind, view=view, most=most) for kind in view.kinds or ()),
    ]


def _read_standing(tables: Tables, *, kind: str, view: View, most: int) -> list[Record]:
    return tables.records.find_derived(replace(view, kinds=(kind,)), limit=most)


def _standing_hits(tables: Tables, reads: Sequence[RecordReader], view: View) -> list[Hit]:
    """Pinned records, then standing ones in the order of the section's kinds."""
    pinned, *standing = (read(tables) for read in reads)
    ordered = order_standing(pinned, list(chain.from_iterable(standing)), view.kinds or ())
    return [Hit(record, 1.0, Why()) for record in ordered]


def _is_over_budget(standing: Sequence[Hit], section: Section, *, budget: int) -> bool:
    """Whether a section has no room for all of these."""
    if len(standing) > section.limit:
        return True
    room = min(section.tokens or budget, budget)
    return sum(tokens.count_tokens(hit.record.text) + _LABEL for hit in standing) > room


def _choose_standing_hits(standing: Sequence[Hit], found: Sequence[Hit]) -> list[Hit]:
    """When there are too many: pinned ones, then alternately the best match for the question and the newest."""
    near = [Hit(hit.record, 1.0, Why()) for hit in found]
    pinned = [hit for hit in standing if hit.record.pinned]
    return alternate_hits([*pinned, *alternate_hits(near, standing)])


def alternate_hits(*lists: Sequence[Hit]) -> list[Hit]:
    """The hits of these lists alternately, each record once, at its first place."""
    unique: dict[str, Hit] = {}
    for turn in zip_longest(*lists):
        for hit in turn:
            if hit is not None:
                unique.setdefault(hit.record.id, hit)
    return list(unique.values())


def drop_retold_hits(hits: Sequence[Hit]) -> list[Hit]:
    """The hits of a section without those that retell a better one: of a topic and its notes, only the first stays."""
    kept: list[Hit] = []
    ids: set[str] = set()
    cited: set[str] = set()
    for hit in hits:
        record = hit.record
        if record.sources:
            if record.id in cited or not ids.isdisjoint(record.sources):
                continue
            ids.add(record.id)
            cited.update(record.sources)
        kept.append(hit)
    return kept
