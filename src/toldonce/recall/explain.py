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
from toldonce.recall.sections import BlockHits, ContextRequest
from toldonce.records import Hit, LeftOut, Question, QuestionReading, Reason, Record
from toldonce.storage.store import Tables, View

if TYPE_CHECKING:
    from collections.abc import Callable

# The most records that are listed as left out: all that compete for a place, and the nearest of the others.
MOST_LEFT_OUT = 100
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
    reasons = {id_: cause for id_, cause in causes.items() if id_ not in inside}
    for id_, cause in _find_replaced(tables, inside).items():
        weighed = reasons[id_].values if id_ in reasons else {}
        reasons[id_] = Reason(cause.code, {**weighed, **cause.values})
    records = tables.records.get(reasons)
    ordered = [records[id_] for id_ in reasons if id_ in records]
    readable = [record for record in ordered if tables.people.may_read(record, viewer)]
    kept = {record.id: record for record in hide(tables, readable)}
    listed = sorted((id_ for id_ in reasons if id_ in kept), key=lambda id_: _nearness(reasons[id_]))[:MOST_LEFT_OUT]
    at = view.as_of or view.now
    return tuple(
        LeftOut(
            record=kept[id_],
            tokens=reasons[id_].values.get("needs") or tokens.count_tokens(kept[id_].text),
            reason=_sharpen(reasons[id_], kept[id_], at=at),
            chance=reasons[id_].values.get("score"),
        )
        for id_ in listed
    )


def _nearness(reason: Reason) -> tuple[bool, float, int]:
    """What was nearly in the block first: all other causes come before a low rank, and the more likely ones first."""
    return reason.code in _RANKED, -reason.values.get("score", 0.0), int(reason.values.get("place", 0))


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
        return Reason("expired", {**reason.values, "at": record.expires_at.isoformat()})
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
        return (shows.record.id, *(one.id for one in shows.doubted))
    if isinstance(shows, Question):
        return (shows.older, shows.newer)
    return (*shows.entry.sources, *(o.id for o in shows.entry.doubted)) if isinstance(shows, EntryShown) else ()


def explain_lost_lines(drops: dict[str, Reason], fitted: FittedContext, asked: ContextRequest) -> None:
    """Add what found no room; how much room there was would tell another viewer of lines that they do not see."""
    free = {} if asked.is_for_another else {"free": asked.budget - fitted.tokens}
    for line in fitted.dropped:
        for id_ in _ids_behind(line.shows):
            weighed = {"score": drops[id_].values["score"]} if id_ in drops and "score" in drops[id_].values else {}
            drops[id_] = Reason("no_room", {"needs": line.tokens, **weighed, **free})


def explain_not_shown(found: Sequence[Hit], left: BlockHits, candidates: Sequence[BlockCandidate]) -> dict[str, Reason]:
    """Why what was found does not compete for a place, by the ids: shown elsewhere, over, said by its message."""
    chances = {hit.record.id: {"score": round(hit.score, 4)} for hit in found}
    still = {hit.record.id for hit in left.found}
    reasons = dict.fromkeys(chances.keys() - still, Reason("retold"))
    reasons |= dict.fromkeys(still - {one.id for one in candidates}, Reason("aside")) | left.left_out
    return {id_: Reason(one.code, {**one.values, **chances.get(id_, {})}) for id_, one in reasons.items()}


def explain_choice(
    candidates: Sequence[BlockCandidate], chosen: Sequence[BlockCandidate], *, least: float
) -> dict[str, Reason]:
    """Why the others were not chosen, by their ids: too unlikely to help, repeated by a chosen one, or no room."""
    kept = {one.id for one in chosen}
    reasons = {}
    for one in candidates:
        if one.id in kept:
            continue
        newness = min((find_newness(one, other) for other in chosen), default=1.0)
        weighed = {"needs": one.cost, "score": round(one.chance, 4)}
        if one.chance < least:
            reasons[one.id] = Reason("weak", {**weighed, "least": least})
        elif newness < LEAST_NEW or one.chance * newness < least:
            reasons[one.id] = Reason("retold", weighed)
        else:
            reasons[one.id] = Reason("no_room", weighed)
    return reasons
