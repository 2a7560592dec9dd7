"""Names that the fast rules missed: records with few of them are read again by the accurate taggers, and stamped.

Two ways to write one name are joined only when they surely mean the same, and never by a part of a name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from toldonce.capture.observe import list_mentions
from toldonce.distil.drafts import MACHINE_ROLES
from toldonce.distil.writer import RulesWriter, Writer
from toldonce.jobs.drafting import draft_with_writer, find_space_and_preset, guard_against_changes, model_output
from toldonce.jobs.task import SKIPPED, JobResult, LeasedJob
from toldonce.lang.vocabulary import normalise_alias
from toldonce.models.tagger import Mention, RegexTagger, Tagger, lookup_marks, merge_mentions, same_entity
from toldonce.presets.policy import Preset
from toldonce.records import Record
from toldonce.storage.store import Tables

if TYPE_CHECKING:
    from toldonce.memory import Memory

FEW = 2
BATCH = 50
CROWDED = 200
STAMP = "enriched_at"
# What the fast rules call a name of which they know no more.
UNTYPED = "other"
# An entity as the store lists it: place, name, type, mentions.
_Row: TypeAlias = tuple[int, str, str, int]


def enrich_records(memory: Memory, task: LeasedJob) -> JobResult:
    """Read up to fifty records again; skipped when nothing here reads better than the fast rules."""
    home = find_space_and_preset(memory, task)
    if home is None or not _accurate_taggers(memory, memory.engine.writer_for(task.space), home[1]):
        return SKIPPED
    check = guard_against_changes(memory, task)
    waiting = memory.store.read(lambda t: t.records.to_enrich(task.space, most=FEW, limit=BATCH))
    if not waiting:
        return SKIPPED
    writer, found = draft_with_writer(
        memory, task, home[1], lambda w: _tag_records(task, waiting, _accurate_taggers(memory, w, home[1]))
    )

    def keep(tables: Tables) -> int:
        check(tables)
        return _store_mentions(tables, task, waiting, found, writer)

    return JobResult({"records": len(waiting), "names": memory.store.write(keep)}, detail=model_output(writer.raw))


def _accurate_taggers(memory: Memory, writer: Writer, preset: Preset) -> list[Tagger]:
    """The taggers that see more than the fast rules; a writer with a model is one.

    Where a model reads whole conversations for facts, it names people there and is not paid to read them again.
    """
    accurate = [tagger for tagger in memory.engine.taggers if tagger.accurate]
    if isinstance(writer, RulesWriter) or (writer.reads_known and "facts" in preset.distil.steps):
        return accurate
    from toldonce.distil.model.tagger import ModelTagger

    return [*accurate, ModelTagger(writer)]


def _tag_records(
    task: LeasedJob, waiting: Sequence[tuple[int, Record]], taggers: Sequence[Tagger]
) -> list[list[Mention]]:
    """All that the fast rules and every accurate tagger see in records, of overlapping names the most certain.

    A model reads all records in one request, without what machines said.
    """
    from toldonce.distil.model.tagger import ModelTagger

    records = [record for _, record in waiting]
    spoken = [record.text if record.role not in MACHINE_ROLES else "" for record in records]
    task.check_lease()
    asked = [tagger.tag_all(spoken) for tagger in taggers if isinstance(tagger, ModelTagger)]
    others = [RegexTagger(), *(tagger for tagger in taggers if not isinstance(tagger, ModelTagger))]
    found = []
    for number, record in enumerate(records):
        task.check_lease()
        seen = [mention for tagger in others for mention in tagger.tag(record.text)]
        found.append(merge_mentions([*seen, *(mention for one in asked for mention in one[number])]))
    return found


def _store_mentions(
    tables: Tables,
    task: LeasedJob,
    records: Sequence[tuple[int, Record]],
    found: Sequence[Sequence[Mention]],
    writer: Writer,
) -> int:
    names: dict[tuple[str, str], Mention] = {}
    for (seq, record), mentions in zip(records, found, strict=True):
        tables.entities.mention(list_mentions(seq, record, mentions))
        stamp = {STAMP: task.now.isoformat()}
        tables.records.set_metadata(record.id, {**record.metadata, **stamp})
        names |= {(normalise_alias(mention.text), mention.type): mention for mention in mentions}
    writer.stored(tables)
    _join_entities(tables, task.space, list(names.values()))
    return sum(len(mentions) for mentions in found)


def _join_entities(tables: Tables, space: str, mentions: Sequence[Mention]) -> None:
    """Entities that are surely one become one, under the name that is mentioned more often.

    An initial may stand for two people: a name that fits several entities is left alone.
    """
    known = tables.entities.names(space)
    marked: dict[str, set[_Row]] = defaultdict(set)
    for row in known:
        for mark in lookup_marks(row[1]):
            marked[mark].add(row)
    for mention in mentions:
        alike = _similar_entities(mention.text, mention.type, marked)
        mine = {row for row in alike if normalise_alias(row[1]) == normalise_alias(mention.text)}
        others = alike - mine
        if (
            len(mine) == 1
            and len(others) == 1
            and _similar_entities(next(iter(others))[1], mention.type, marked) == alike
        ):
            into, other = sorted(alike, key=lambda row: (-row[3], row[0]))
            tables.entities.join(into[0], other[0])
            for rows in marked.values():
                rows.discard(other)


def _similar_entities(name: str, type_: str, marked: Mapping[str, set[_Row]]) -> set[_Row]:
    """The entities that a name of that type may mean.

    A mark that very many share, as a common first name, tells nothing: names that have no other in common stay apart.
    """
    near = {row for mark in lookup_marks(name) if len(rows := marked.get(mark, ())) <= CROWDED for row in rows}
    return {row for row in near if row[2] in (type_, UNTYPED) and same_entity(row[1], name)}
