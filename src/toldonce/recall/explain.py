"""Why a prompt block is as it is: how the message was read, what was left out and why, and what a viewer may see of it.

Loaded only for a block that is asked to explain itself, or that somebody else looks at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING

from toldonce import tokens
from toldonce.lang.detect import detect_language
from toldonce.lang.vocabulary import find_topics
from toldonce.presets.policy import Preset
from toldonce.recall import query as reading
from toldonce.recall.context import EntryShown
from toldonce.recall.fitting import LEAST_NEW, BlockCandidate, ContextLine, FittedContext, find_newness
from toldonce.recall.sections import ContextRequest
from toldonce.records import Hit, LeftOut, Question, QuestionReading, Reason, Record
from toldonce.storage.store import Tables, View

if TYPE_CHECKING:
    from collections.abc import Callable

# The most records that are listed as left out: the nearest ones are what somebody looks for.
MOST_LEFT_OUT = 20
# Causes that say how far a record was from the block.
_RANKED = ("below", "weak")
_ASKS: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("summary", reading.is_summary_request),
    ("course", reading.is_course_question),
    ("time", reading.is_time_question),
    ("help", reading.is_help_request),
    ("assistant", reading.is_about_assistant),
    ("state", lambda text: reading.is_question(text) and reading.is_current_state_question(text)),
    ("question", reading.is_question),
    ("statement", reading.is_statement),
)


def read_message(
    tables: Tables, text: str, view: View, *, viewer: str | None, preset: Preset, zone: tzinfo
) -> QuestionReading:
    """How the search reads a message. A name is listed if something that the viewer may read mentions it."""
    asked = reading.analyse_query(text, now=view.as_of or view.now, zone=zone)
    language = detect_language(text)
    return QuestionReading(
        names=tuple(_find_known_names(tables, asked.names, view, viewer)),
        times=tuple(dict.fromkeys(window.text for window in asked.windows)),
        attributes=reading.find_asked_attributes(asked, preset.subjects),
        topics=tuple(sorted(find_topics(text, language))),
        words=asked.terms,
        asks=tuple(name for name, applies in _ASKS if applies(text))[:2],
        language=language,
    )


def _find_known_names(tables: Tables, names: Sequence[str], view: View, viewer: str | None) -> list[str]:
    known = tables.entities.find(names, view.spaces)
    found = []
    for entity in known:
        seqs = [seq for seq, _ in tables.search.find_by_entities([entity.seq], view, limit=20)]
        mentions = tables.records.by_seq(seqs).values()
        if any(tables.people.may_read(record, viewer) for record in mentions):
            found.append(entity.name)
    return list(dict.fromkeys(found))


def list_left_out(
    tables: Tables,
    causes: Mapping[str, Reason],
    shown: Iterable[str],
    *,
    viewer: str | None,
    view: View,
    hide: Callable[[Tables, Sequence[Record]], Sequence[Record]],
) -> tuple[LeftOut, ...]:
    """What was considered and is not in the block, nearest first, and what its records replaced.

    What the viewer may not read is left out here too, and so is what `hide` keeps back.
    """
    inside = set(shown)
    replaced = _find_replaced(tables, inside)
    reasons = {**{id_: cause for id_, cause in causes.items() if id_ not in inside}, **replaced}
    records = tables.records.get(reasons)
    ordered = [records[id_] for id_ in reasons if id_ in records]
    readable = [record for record in ordered if tables.people.may_read(record, viewer)]
    kept = {record.id: record for record in hide(tables, readable)}
    listed = sorted((id_ for id_ in reasons if id_ in kept), key=lambda id_: _nearness(reasons[id_]))[:MOST_LEFT_OUT]
    at = view.as_of or view.now
    return tuple(
        LeftOut(
            record=kept[id_],
            tokens=tokens.count_tokens(kept[id_].text),
            reason=_sharpen(reasons[id_], kept[id_], at=at),
        )
        for id_ in listed
    )


def _nearness(reason: Reason) -> tuple[bool, int]:
    """What was nearly in the block first: all other causes come before a low rank, and ranks in their order."""
    return reason.code in _RANKED, int(reason.values.get("place", 0))


def _find_replaced(tables: Tables, shown: Iterable[str]) -> dict[str, Reason]:
    """The records that those in the block replaced."""
    found: dict[str, Reason] = {}
    for id_ in shown:
        for link in tables.records.read_links(id_):
            if link.type == "supersedes" and link.source == id_:
                found[link.target] = Reason("replaced", {"by": id_, "at": link.at.isoformat()})
    return found


def _sharpen(reason: Reason, record: Record, *, at: datetime) -> Reason:
    """What is over is named so, whatever else kept it out."""
    if record.expires_at is not None and record.expires_at <= at:
        return Reason("expired", {"at": record.expires_at.isoformat()})
    return reason


def hide_from_viewer(tables: Tables, fitted: FittedContext, viewer: str | None) -> FittedContext:
    """The block without the lines that show something which this person may not read."""
    shown = [line.shows for line in (*fitted.kept, *fitted.dropped)]
    ids = {i for one in shown for i in _ids_behind(one)}
    readable = {i for i, record in tables.records.get(ids).items() if tables.people.may_read(record, viewer)}

    def is_hidden(line: ContextLine) -> bool:
        if isinstance(line.shows, EntryShown) and line.shows.owner in ("", viewer):
            return False
        behind = _ids_behind(line.shows)
        is_unknown = isinstance(line.shows, EntryShown) and not behind
        return is_unknown or not readable.issuperset(behind)

    return fitted.without(is_hidden)


def _ids_behind(shows: object) -> tuple[str, ...]:
    """The records that a line shows or was written from."""
    if isinstance(shows, Hit):
        return (shows.record.id,)
    if isinstance(shows, Question):
        return (shows.older, shows.newer)
    return shows.entry.sources if isinstance(shows, EntryShown) else ()


def explain_lost_lines(drops: dict[str, Reason], fitted: FittedContext, asked: ContextRequest) -> None:
    """Add what found no room; how much room there was would tell another viewer of lines that they do not see."""
    free = {} if asked.is_for_another else {"free": asked.budget - fitted.tokens}
    for line in fitted.dropped:
        if isinstance(line.shows, Hit):
            drops[line.shows.record.id] = Reason("no_room", {"needs": line.tokens, **free})


def explain_choice(
    candidates: Sequence[BlockCandidate], chosen: Sequence[BlockCandidate], *, least: float
) -> dict[str, Reason]:
    """Why the others were not chosen, by their ids: too unlikely to help, repeated by a chosen one, or no room."""
    kept = {one.id for one in chosen}
    reasons = {}
    for one in candidates:
        if one.id in kept:
            continue
        chance = round(one.chance, 3)
        if one.chance < least:
            reasons[one.id] = Reason("weak", {"score": chance, "least": least})
        elif any(find_newness(one, other) < LEAST_NEW for other in chosen):
            reasons[one.id] = Reason("retold", {"score": chance})
        else:
            reasons[one.id] = Reason("no_room", {"needs": one.cost, "score": chance})
    return reasons
