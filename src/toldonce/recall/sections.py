"""Which records a prompt block may show: what stands always, and what one search finds for the question."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from itertools import chain, pairwise

from toldonce import tokens
from toldonce.errors import InputError
from toldonce.presets.policy import Kind, Preset, Section
from toldonce.recall.doubted import attach_to_each, replace_overtaken
from toldonce.recall.query import NAME, Query, asks_for_several, asks_what_is_known, find_asked_names, goes_on
from toldonce.recall.rank import order_standing
from toldonce.records import Hit, Person, Reason, Record, Signal, Space, Surroundings, Why
from toldonce.storage.store import Store, Tables, View
from toldonce.text.words import WORD, fold_word

# About what a line says beside the text of its record: who said it, and when.
_LABEL = 12
# This many results of the search compete for a place.
MOST_CANDIDATES = 80
_MOST_ABOUT_FILES = 12
# What stands always comes before newer things of its kind if it is at least so likely to help with the question.
_BEARS = 0.02
# A message of at most this many characters is shown whole, and not what was read from it.
_SHORT_MESSAGE = 400
# A reply of at most this many words makes little sense alone.
_SHORT_REPLY = 8
_NUMBER = re.compile(r"\d+")
_HANDLE = re.compile(r"<@!?(\w+)>|@([\w.]+)")
_PLAIN_WORD = re.compile(r"[^\W_]+")
# Those who took part in this many of the best results are people of the block.
_LIKELY = 10
# This many times as many records as there is room for are read of what is always shown.
_MORE_STANDING = 3
# A question that needs several pieces is asked again with the names that this many of its first hits mention most.
_NAMING_HITS, _MOST_NAMES = 15, 3
# What only a second look found is so much less likely to help than its chance there says.
_SECOND_LOOK = 0.4
# The last turns that tell what a question goes on from.
_TURNS_BEFORE = 2
# If the best hit is less likely to help than this, nothing clearly answers the question.
_UNCLEAR = 0.08
# The best hits for a text by each view, up to a number of each.
Search = Callable[[str, Sequence[tuple[View, int]]], Sequence[list[Hit]]]
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


@dataclass(frozen=True, slots=True)
class BlockHits:
    """What a block may show: of each standing section, by its place, and all that a search found, best first.

    `left_out` tells why others are not among them, by their ids.
    """

    standing: dict[int, list[Hit]]
    found: list[Hit]
    left_out: dict[str, Reason] = field(default_factory=dict)

    def all(self) -> Iterable[Hit]:
        """All of them."""
        return chain(self.found, *self.standing.values())


def find_block_hits(store: Store, asked: ContextRequest, view: View, *, preset: Preset, search: Search) -> BlockHits:
    """What stands always, and what one search over all kinds of the preset's sections finds for the question."""
    sections = dict(enumerate(preset.context.sections))
    views = {place: _view_of_section(section, asked, view, preset=preset) for place, section in sections.items()}
    reads: dict[int, list[RecordReader]] = {}
    for place, section in sections.items():
        if section.source == "always":
            reads[place] = _standing_reads(section, asked, views[place])

    def read_standing(tables: Tables) -> dict[int, list[Hit]]:
        newest = {
            place: partial(_newest_hits, section=section, view=views[place])
            for place, section in sections.items()
            if section.source == "newest"
        }
        tables.fetch_ahead(*chain.from_iterable(reads.values()), *newest.values())
        found = {place: _standing_hits(tables, some, views[place]) for place, some in reads.items()}
        return found | {place: read(tables) for place, read in newest.items()}

    standing = store.read(read_standing, person=view.user)
    searched = _view_of_search(asked, view, preset=preset)
    found = _search_in_steps(store, asked, searched, search=partial(_look, search, view=searched, preset=preset))
    if asked.around.files:
        about = store.read(partial(_find_about_files, asked=asked, views=views, sections=sections), person=view.user)
        found = list({hit.record.id: hit for hit in (*found, *about)}.values())
    # What is pinned comes first, then what is likely to help, then what is newer.
    likely = {hit.record.id: hit.score for hit in found if hit.score >= _BEARS}
    left_out: dict[str, Reason] = {}
    for place, hits in standing.items():
        if sections[place].source == "newest" and asks_what_is_known(asked.text):
            left_out |= {hit.record.id: Reason("aside") for hit in hits if hit.record.id not in likely}
            hits = [hit for hit in hits if hit.record.id in likely]
        standing[place] = sorted(hits, key=lambda hit: (not hit.record.pinned, -likely.get(hit.record.id, 0.0)))
    return BlockHits(standing, found, left_out)


def _look(search: Search, text: str, *, view: View, preset: Preset) -> list[Hit]:
    """What is found for a text. Messages are looked for alone too, as what was read from them may crowd some out."""
    wanted = [(view, MOST_CANDIDATES)]
    if view.kinds is None or preset.capture.kind in view.kinds:
        wanted.append((replace(view, kinds=(preset.capture.kind,)), MOST_CANDIDATES))
    found: dict[str, Hit] = {}
    for hit in chain.from_iterable(search(text, wanted)):
        if hit.record.id not in found or found[hit.record.id].score < hit.score:
            found[hit.record.id] = hit
    return list(found.values())


def _search_in_steps(
    store: Store, asked: ContextRequest, view: View, *, search: Callable[[str], list[Hit]]
) -> list[Hit]:
    """What is found for a question, with a second look where one is not enough; best first.

    A question that goes on from the turns before is asked again with these; one that needs several pieces of evidence,
    with the names that the first ones mention.
    """
    if not asked.text.strip():
        return []
    found = search(asked.text)
    again = ""
    if goes_on(asked.text):
        again = " ".join(record.text for record in store.read(partial(_read_turns_before, asked=asked, view=view)))
    elif asks_for_several(asked.text):
        again = " ".join(_find_new_names(asked.text, found[:_NAMING_HITS]))
    if again:
        found = _join_looks(found, search(f"{asked.text} {again}"))
    return sorted(found, key=lambda hit: -hit.score)


def _read_turns_before(tables: Tables, *, asked: ContextRequest, view: View) -> list[Record]:
    """The last turns of the session or channel."""
    if asked.session is None and asked.channel is None:
        return []
    return tables.search.read_window(
        view.spaces[0],
        session=asked.session,
        channel=asked.channel,
        now=view.now,
        limit=_TURNS_BEFORE,
        user=asked.user,
    )


def _find_new_names(question: str, hits: Iterable[Hit]) -> list[str]:
    """The names in these hits that the question does not name, but those of who speaks; the most likely first."""
    chances: dict[str, float] = {}
    known = set(map(fold_word, WORD.findall(question)))
    for hit in hits:
        known.update(map(fold_word, WORD.findall(hit.record.author)))
        for name in set(NAME.findall(hit.record.text)):
            chances[name] = chances.get(name, 0.0) + hit.score
    names = [name for name in chances if fold_word(name) not in known]
    return sorted(names, key=lambda name: (-chances[name], name))[:_MOST_NAMES]


def _join_looks(first: Sequence[Hit], second: Sequence[Hit]) -> list[Hit]:
    found = {hit.record.id: hit for hit in first}
    for hit in second:
        chance = _SECOND_LOOK * hit.score
        known = found.get(hit.record.id)
        if known is None or known.score < chance:
            found[hit.record.id] = replace(known or hit, score=chance)
    return list(found.values())


def _view_of_search(asked: ContextRequest, view: View, *, preset: Preset) -> View:
    """What the one search looks at: all kinds that some section shows."""
    searched = [section for section in preset.context.sections if section.source == "search"]
    standing = [section for section in preset.context.sections if section.source in ("always", "newest")]
    kinds = dict.fromkeys(
        (
            *chain.from_iterable(section.kinds for section in searched),
            *chain.from_iterable(section.kinds or preset.kinds_of_tier("always") for section in standing),
        )
    )
    is_whole = any(not section.kinds for section in searched)
    is_elsewhere = any(section.exclude_session for section in searched)
    session = asked.session if is_elsewhere else view.not_session
    return replace(view, kinds=None if is_whole else tuple(kinds), not_session=session)


def _find_about_files(
    tables: Tables, asked: ContextRequest, views: Mapping[int, View], sections: Mapping[int, Section]
) -> list[Hit]:
    """What is known about the files that are worked on, whatever words it shares with the question."""
    found: list[Hit] = []
    for place, section in sections.items():
        if section.source == "search" and views[place].kinds:
            known = tables.records.find_about(views[place], asked.around.files, limit=_MOST_ABOUT_FILES)
            found += [replace(hit, score=1.0) for hit in _number_hits(known, "file")]
    return found


def drop_shown(
    tables: Tables, hits: BlockHits, asked: ContextRequest, view: View, *, preset: Preset, window: Iterable[str]
) -> BlockHits:
    """The hits without what is superseded, what stands elsewhere in the prompt, and what another section shows."""
    # By its id or its text, why a record is not shown again.
    taken = dict.fromkeys((*window, *_cited_by_document(tables, asked, view, preset=preset)), "retold")
    taken |= dict.fromkeys(asked.shown_before, "shown_before")
    taken |= dict.fromkeys(find_superseded(tables, hits.all(), view), "superseded")
    left_out = dict(hits.left_out)

    def keep(some: Iterable[Hit]) -> list[Hit]:
        kept = []
        for hit in some:
            if cause := taken.get(hit.record.id) or taken.get(hit.record.text):
                left_out[hit.record.id] = Reason(cause)
            else:
                kept.append(hit)
        return kept

    standing: dict[int, list[Hit]] = {}
    for place, some in hits.standing.items():
        fresh, limit = drop_retold_hits(keep(some)), preset.context.sections[place].limit
        standing[place] = fresh[:limit]
        left_out |= {hit.record.id: Reason("full", {"most": limit}) for hit in fresh[limit:]}
        taken |= dict.fromkeys((hit.record.id for hit in standing[place]), "retold")
    return BlockHits(standing, keep(hits.found), left_out)


def place_doubted(tables: Tables, hits: BlockHits, view: View) -> tuple[BlockHits, Mapping[str, tuple[Record, ...]]]:
    """The hits with doubted records under the newer ones, and what was said since of what some messages say."""
    standing = attach_to_each(tables, list(hits.standing.values()), view)
    overtaken = replace_overtaken(tables, hits.found, view)
    left_out = hits.left_out | dict.fromkeys(overtaken.gone, Reason("superseded"))
    return BlockHits(dict(zip(hits.standing, standing, strict=True)), overtaken.hits, left_out), overtaken.since


def merge_forms(hits: Sequence[Hit], replied: Mapping[str, Record]) -> list[Hit]:
    """The hits with a message and what was read from it as one: the message where it is short, or the better match.

    What was read from a reply and the message before it, in `replied` by the reply's id, is a form of the reply.
    """
    by_id = {hit.record.id: hit for hit in hits}
    alone = {id_: {id_, replied[id_].id} if id_ in replied else {id_} for id_ in by_id}
    read_from: dict[str, list[Hit]] = {}
    for hit in hits:
        for source in hit.record.sources[-1:]:
            if source in by_id and alone[source].issuperset(hit.record.sources):
                read_from.setdefault(source, []).append(hit)
    shown = dict(by_id)
    for id_, forms in read_from.items():
        message, best = by_id[id_], max(hit.score for hit in forms)
        if len(message.record.text) <= _SHORT_MESSAGE or message.score >= best:
            shown[id_] = replace(message, score=max(message.score, best))
            for form in forms:
                # A date or an amount that was worked out is in what was read alone.
                if _numbers(form.record.text) <= _numbers(message.record.text):
                    shown.pop(form.record.id, None)
    return list(shown.values())


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


def read_replied(tables: Tables, records: Sequence[Record], view: View) -> dict[str, Record]:
    """For each short message among these the message before it, if somebody else said it and the reader may see it."""
    short = {
        record.id: record for record in records if record.conversation and len(record.text.split()) <= _SHORT_REPLY
    }
    places = tables.records.find_places(short)
    if not places:
        return {}
    windows = tables.search.read_windows(places, reach=1)
    around = tables.records.by_seq({place for window in windows for place in window})
    found: dict[str, Record] = {}
    for window in windows:
        for before, reply in pairwise(window):
            said, answered = around.get(reply), around.get(before)
            if said is None or answered is None or said.id not in short or said.author == answered.author:
                continue
            if answered.state == "active" and tables.people.may_read(answered, view.user):
                found[said.id] = answered
    return found


def find_shortfall(query: Query, hits: Sequence[Hit]) -> tuple[str, dict[str, str]] | None:
    """What the hits lack for a question, as a code with values; nothing where they may answer it.

    A name is mentioned nowhere; what fits best was said by another person than the one asked about; nothing fits well.
    """
    if not asks_what_is_known(query.text):
        return None
    if not hits:
        return "nothing", {}
    if unnamed := _find_unnamed(find_asked_names(query), hits):
        return "unnamed", {"names": ", ".join(unnamed)}
    best = max(hits, key=lambda hit: hit.score)
    asked = set(map(fold_word, WORD.findall(query.text)))
    authors = {hit.record.author for hit in hits if hit.record.role == "user" and hit.record.author}
    named = {author for author in authors if not asked.isdisjoint(map(fold_word, WORD.findall(author)))}
    if len(named) == 1 and best.record.author in authors - named:
        return "another", {"other": best.record.author, "asked": named.pop()}
    return ("unclear", {}) if best.score < _UNCLEAR else None


def _find_unnamed(names: Sequence[str], hits: Iterable[Hit]) -> list[str]:
    """Those of the names that no hit mentions and nobody who speaks in one has."""
    if not names:
        return []
    said = set(WORD.findall(fold_word("\n".join(f"{hit.record.author} {hit.record.text}" for hit in hits))))
    return [name for name in names if fold_word(name) not in said]


def choose_people(
    tables: Tables,
    asked: ContextRequest,
    section: Section,
    *,
    space: Space,
    window: Sequence[Record],
    hits: Sequence[Hit],
) -> list[Person]:
    """Whose profiles stand: of all in the conversation, of a few who are mentioned, or took part in what was found."""
    known = {person.id: person for person in tables.people.all(space.name) if not person.blocked}
    present = [asked.user, *(record.user for record in reversed(window))]
    mentioned = _find_mentioned_people(asked.text, known.values())
    took_part = [p for hit in hits[:_LIKELY] for p in hit.record.participants]
    chosen: dict[str, Person] = {p: known[p] for p in present if p in known}
    for names, most in ((mentioned, section.mentioned), (took_part, section.participants)):
        more = [p for p in dict.fromkeys(names) if p in known and p not in chosen][:most]
        chosen |= {p: known[p] for p in more}
    return list(chosen.values())


def _find_mentioned_people(text: str, people: Iterable[Person]) -> list[str]:
    handles = {fold_word(a or b) for a, b in _HANDLE.findall(text)}
    said = _space_words(text)
    found = []
    for person in people:
        names = {n for n in (person.id, person.username, person.display_name) if n}
        if handles & {fold_word(n) for n in names} or any(_space_words(n) in said for n in names):
            found.append(person.id)
    return found


def _space_words(text: str) -> str:
    """The folded words of a text with a space on either side of each, so that one can be looked up whole."""
    return f" {' '.join(_PLAIN_WORD.findall(fold_word(text)))} "


def _numbers(text: str) -> set[str]:
    return set(_NUMBER.findall(text))


def find_superseded(tables: Tables, hits: Iterable[Hit], view: View) -> set[str]:
    """Records that are superseded, or written from what is: in a prompt they would mislead. Pinned ones stay."""
    records = [hit.record for hit in hits]
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
