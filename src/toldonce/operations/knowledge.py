"""What is known, for people to look at: profiles, entities, the timeline, reports and counts."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from itertools import combinations
from typing import TYPE_CHECKING, Any

from toldonce.capture.fields import check_names, require_counts
from toldonce.capture.remember import add_record, admit_record
from toldonce.clock import as_moment
from toldonce.clock import load_zone as zone_of
from toldonce.errors import InputError, ModelError
from toldonce.lang.vocabulary import normalise_alias
from toldonce.lang.wording import stored_language
from toldonce.operations.documents import hide_private
from toldonce.operations.engine import Engine
from toldonce.operations.jobs import Jobs
from toldonce.presets.policy import Preset
from toldonce.recall.render import strip_name
from toldonce.recall.sections import ContextRequest
from toldonce.records import (
    Context,
    Document,
    DocumentEntry,
    Entity,
    EntityGraph,
    EntityLink,
    Happening,
    History,
    Question,
    Reason,
    Record,
    Report,
    Space,
)
from toldonce.storage import lifecycle
from toldonce.storage.doubted_lines import fold_document
from toldonce.storage.store import Tables, View
from toldonce.storage.tables.records import RecordFilter
from toldonce.storage.vectors.model_identity import VectorModels
from toldonce.text.words import collect_words
from toldonce.times.reader import has_passed

if TYPE_CHECKING:
    from toldonce.distil.drafts import Material, ReportDraft
    from toldonce.distil.writer import Writer
    from toldonce.models.embedder import Embedder

log = logging.getLogger("toldonce")

# How many mentions of an entity are read at most to count those that one person may see.
_MAX_MENTIONS = 1_000
_MAX_FACTS = 200


def read_record(engine: Engine, record_id: str, *, user: str | None) -> Record:
    """One record, in whatever state."""
    record = engine.store.read(lambda t: lifecycle.need(t, record_id, reader=user), person=user)
    engine.note_reading("read", [record], user=user)
    return record


def read_history(engine: Engine, record_id: str, *, user: str | None) -> History:
    """Everything that happened to a record, and the chain of records it belongs to."""
    found = engine.store.read(lambda t: lifecycle.history(t, record_id, reader=user), person=user)
    engine.note_reading("read", found.chain, user=user)
    return found


def list_questions(engine: Engine, user: str | None, *, space: str | None) -> list[Question]:
    """Open questions about conflicts."""
    home, _ = engine.find_space(space, reader=user)
    return engine.store.read(lambda t: t.conversations.questions(home.name, user=user), person=user)


def read_profile(
    engine: Engine, user: str, *, reader: str | None, as_of: datetime | str | None, space: str | None
) -> Document:
    """What is known of a person; with `reader`, only what that person may see of it."""
    check_names(user=user, reader=reader)
    named = _find_named_profile(engine, user, as_of=as_of, space=space, reader=reader) if user else None
    view, _ = engine.view_for(reader, space, as_of=as_of)
    plain = named or _find_profile(engine, user, as_of=as_of, space=space, reader=reader)
    known = engine.store.read(lambda t: fold_document(t, plain, view), person=reader)
    if named or reader is None or reader == user:
        sources = {source for entry in known.entries for source in entry.sources}
        engine.note_reading("read profile", engine.records_by_id(sources) if reader is None else (), user=reader)
        return known
    return hide_private(engine, reader, known)


def _find_named_profile(
    engine: Engine, name: str, *, as_of: datetime | str | None, space: str | None, reader: str | None
) -> Document | None:
    """What others said of somebody who never spoke; None where nobody of that name is known, or they spoke."""
    from toldonce.distil.person_data import merge_person_data, names_in
    from toldonce.distil.reporting import drop_superseded

    home, preset = engine.find_space(space, reader=reader)
    if engine.store.read(lambda t: t.people.get(home.name, name)) is not None:
        return None
    kinds = tuple(sorted({*preset.distil.statements.values(), *preset.distil.kinds.values()}))
    if not kinds:
        return None
    view, _ = engine.view_for(reader, space, kinds=kinds, as_of=as_of)
    records = engine.store.read(lambda t: t.records.find_derived(view, limit=_MAX_MENTIONS))
    asked = collect_words(name, ())
    about = drop_superseded([r for r in records if not asked.isdisjoint(names_in(r))], preset)
    if not about:
        return None
    entries = [
        DocumentEntry(section=str(r.metadata.get("area") or r.kind), text=r.text, sources=(r.id,), at=r.at)
        for r in about
    ]
    data = merge_person_data(sorted(about, key=lambda r: "person" not in r.metadata))
    return Document(
        name="profile", owner=name, space=home.name, version=0, entries=tuple(entries), at=engine.clock(), data=data
    )


def _find_profile(
    engine: Engine, user: str, *, as_of: datetime | str | None, space: str | None, reader: str | None
) -> Document:
    from toldonce.distil.reporting import drop_superseded

    home, preset = engine.find_space(space, reader=reader)
    now = engine.clock()
    moment = as_moment(as_of, now) if as_of is not None else None
    for name, policy in preset.documents.items():
        if policy.per == "person":
            found = engine.store.read(lambda t, name=name: t.documents.get(home.name, user, name, as_of=moment))  # type: ignore[misc]
            blank = Document(name=name, owner=user, space=home.name, version=0, entries=(), at=now)
            kept = [e for e in (found or blank).entries if not has_passed(e, policy.passing, now=moment or now)]
            called = (found or blank).data.get("names", ())
            lines = (replace(entry, text=strip_name(entry.text, called)) for entry in kept)
            return replace(found or blank, entries=tuple(lines))
    view, _ = engine.view_for(user, space, kinds=preset.kinds_of_tier("always", "task"), as_of=as_of)
    records = engine.store.read(lambda t: t.records.find_derived(view, limit=_MAX_FACTS))
    mine = drop_superseded([r for r in records if r.user == user], preset)
    person = engine.store.read(lambda t: t.people.get(home.name, user))
    called = (person.name, user) if person else (user,)
    entries = tuple(
        DocumentEntry(section=r.kind, text=strip_name(r.text, called), sources=(r.id,), at=r.at) for r in mine
    )
    return Document(name="profile", owner=user, space=home.name, version=0, entries=entries, at=now)


def find_entity(engine: Engine, name: str, *, user: str | None, limit: int, space: str | None) -> Entity | None:
    """A named thing with the records that mention it, as far as a person may see them; None when it was never named."""
    if not isinstance(name, str):
        raise InputError(f"a name must be a text, not {type(name).__name__}")
    check_names(name=name)
    if type(limit) is not int:
        raise InputError("limit must be a whole number")
    require_counts(limit=limit)
    view, _ = engine.view_for(user, space)
    most = limit if user is None else max(limit, _MAX_MENTIONS)

    def look(tables: Tables) -> Entity | None:
        known = tables.entities.find([normalise_alias(name)], view.spaces)
        found = tables.entities.get(known[0].seq) if known else None
        if found is None:
            return None
        seqs = [seq for seq, _ in tables.search.find_by_entities([known[0].seq], view, limit=most)]
        records = tables.records.by_seq(seqs)
        shown = tuple(records[s] for s in seqs[:limit])
        if user is None:
            return replace(found, records=shown)
        return _describe_from(found, name, [records[s].text for s in seqs], records=shown) if seqs else None

    entity = engine.store.read(look, person=user)
    engine.note_reading("entity", entity.records if entity else (), user=user)
    return entity


def draw_entities(engine: Engine, user: str | None, *, limit: int, space: str | None) -> EntityGraph:
    """The entities that a person may know of, and which of them are mentioned together."""
    require_counts(limit=limit)
    view, preset = engine.view_for(user, space)

    def read(tables: Tables) -> EntityGraph:
        found: dict[str, Entity] = {}
        mentions: dict[str, set[int]] = {}
        for home in view.spaces:
            for seq, name, *_ in tables.entities.names(home, limit=_MAX_MENTIONS):
                if len(found) == limit:
                    break
                seqs = [place for place, _ in tables.search.find_by_entities([seq], view, limit=_MAX_FACTS)]
                records = tables.records.by_seq(seqs)
                # A report names everything of its time: it says nothing about what belongs together.
                telling = {place: one for place, one in records.items() if one.kind != preset.distil.report_kind}
                entity = tables.entities.get(seq) if telling else None
                if entity is None:
                    continue
                found[entity.id] = _describe_from(entity, name, [one.text for one in telling.values()], records=())
                mentions[entity.id] = set(telling)
        ordered = sorted(found.values(), key=lambda one: (-one.mentions, one.name))
        return EntityGraph(entities=tuple(ordered), links=tuple(_find_links(ordered, mentions)))

    return engine.store.read(read, person=user)


def _find_links(entities: Sequence[Entity], mentions: Mapping[str, set[int]]) -> list[EntityLink]:
    """Which entities are mentioned together, most often first; not more than a picture can show."""
    pairs = [
        EntityLink(one=one.id, other=other.id, records=shared)
        for one, other in combinations(entities, 2)
        if (shared := len(mentions[one.id] & mentions[other.id]))
    ]
    return sorted(pairs, key=lambda link: -link.records)[: 3 * len(entities)]


def explain_context(
    engine: Engine,
    made: Context,
    asked: ContextRequest,
    view: View,
    drops: Mapping[str, Reason],
    *,
    preset: Preset,
    space: Space,
) -> Context:
    """A prompt block with how its message was read and what was left out of it, as far as the viewer may read that."""
    from toldonce.recall.explain import list_left_out, read_message
    from toldonce.recall.hidden import hide_records

    viewer = asked.viewer or asked.user
    shown = {i for line in made.lines for i in (line.record, *line.sources) if i}
    blocked = engine.store.read(lambda t: t.people.find_blocked(view.spaces))

    def hide(tables: Tables, records: Sequence[Record]) -> Sequence[Record]:
        return list(hide_records(tables, records, blocked=blocked, policy=preset.capture).values())

    def read(tables: Tables) -> Context:
        left = list_left_out(tables, drops, shown, viewer=viewer, view=view, hide=hide)
        zone = zone_of(space.zone)
        told = read_message(tables, asked.text, view, viewer=viewer, preset=preset, zone=zone)
        return replace(made, left_out=left, reading=told)

    explained = engine.store.read(read, person=viewer)
    engine.note_reading("context", [one.record for one in explained.left_out], user=viewer)
    return explained


def read_timeline(
    engine: Engine,
    user: str | None,
    *,
    since: datetime | str | None,
    until: datetime | str | None,
    kinds: Sequence[str] | None,
    limit: int,
    space: str | None,
) -> list[Happening]:
    """What happened when, oldest first, the newest `limit`."""
    from toldonce.storage.timeline import list_happenings

    require_counts(limit=limit)
    stretch = _find_stretch(engine, user, since, until, kinds=kinds, space=space)
    now = engine.clock()
    found = engine.store.read(lambda t: list_happenings(t, stretch, now=now, limit=limit), person=user)
    engine.note_reading("timeline", {h.record.id: h.record for h in found}.values(), user=user)
    return found


def write_report(
    engine: Engine,
    about: str,
    user: str | None,
    *,
    since: datetime | str | None,
    until: datetime | str | None,
    keep: bool,
    space: str | None,
) -> Report:
    """A report about a period, stored as a record on request."""
    from toldonce.distil.reporting import build_report, gather_report_material, report_record
    from toldonce.distil.reports import find_outline

    now = engine.clock()
    # What was said at this very moment belongs to it too.
    end = as_moment(until, now + timedelta.resolution)
    home, preset = engine.find_space(space)
    start = since or end - timedelta(days=find_outline(about).days)
    stretch = _find_stretch(engine, user, start, end, space=space)
    person = engine.store.read(lambda t: t.people.get(home.name, user)) if user else None
    zone = zone_of((person.zone if person else "") or home.zone)
    language = stored_language(person.language) if person else ""
    records = engine.store.read(
        lambda t: gather_report_material(t, about, stretch, preset=preset, zone=zone, now=now), person=user
    )
    draft, writer = _draft_report_with_writer(
        engine, records, about, stretch, zone=zone, language=language, space=home.name
    )
    report = build_report(draft, about, stretch, made_by=writer.name)
    engine.note_reading("report", engine.records_by_id(report.sources) if user is None else (), user=user)
    if not keep:
        return report
    record = report_record(report, user=user, preset=preset, space=home, now=now)
    return replace(report, record=engine.write(lambda t: _keep_once(t, record, preset=preset, writer=writer)))


def count_everything(engine: Engine, *, user: str | None, space: str | None, jobs: Jobs) -> dict[str, Any]:
    """Counts by kind and state, the newest moment, and the sizes of everything else."""
    engine.flush_notes()
    home, preset = engine.find_space(space, reader=user)
    counts, sizes, models, (model, waiting) = engine.store.read(
        lambda t: (
            t.records.count_by_kind(home.name, user),
            t.documents.count_sizes(home.name),
            t.vectors.list_models(),
            _count_waiting(t, engine.embedder, space=home.name),
        )
    )
    names = ("people", "entities", "unsettled conversations", "waiting for a vector", "jobs", "open questions")
    kinds: dict[str, dict[str, int]] = {}
    for kind, state, count, _ in counts:
        kinds.setdefault(kind, {})[state] = count
    newest = max((moment for *_, moment in counts), default=None)
    return {
        "space": home.name,
        "preset": preset.name,
        "kinds": kinds,
        "newest": newest,
        **dict(zip(names, sizes, strict=True)),
        **({} if waiting is None else {"waiting for a vector": waiting}),
        "refused a vector": len(jobs.refused_vectors()),
        "models": {m[1]: m[3] for m in models},
        "model": model,
        "bytes": engine.store.size(),
    }


def _count_waiting(tables: Tables, embedder: Embedder | None, *, space: str) -> tuple[str | None, int | None]:
    """The name of the model in use, and after a switch that no job noticed yet how many records lack its vectors."""
    models = VectorModels(tables)
    if embedder is None or models.is_in_use(embedder) or not tables.vectors.has_models():
        return models.in_use, None
    name = models.name_for(embedder)
    known = tables.vectors.known_model(name)
    return name, tables.vectors.count_lacking(known[0] if known else None, space=space)


def _find_stretch(
    engine: Engine,
    user: str | None,
    since: datetime | str | None,
    until: datetime | str | None,
    *,
    kinds: Sequence[str] | None = None,
    space: str | None,
) -> RecordFilter:
    """What a person may see of a period; nothing of a space that is switched off."""
    view, _ = engine.view_for(user, space, kinds=kinds, since=since, until=until)
    return RecordFilter(
        spaces=view.spaces, user=user, kinds=view.kinds, since=view.since, until=view.until, joined=True
    )


def _draft_report_with_writer(
    engine: Engine,
    records: Sequence[Material],
    about: str,
    stretch: RecordFilter,
    *,
    zone: tzinfo,
    language: str,
    space: str,
) -> tuple[ReportDraft, Writer]:
    """A report and who made it: the writer, or rules when it does not answer."""
    from toldonce.distil.reporting import draft_of
    from toldonce.distil.writer import RulesWriter

    writer = engine.writer_for(space)
    try:
        return draft_of(records, about, stretch, writer=writer, zone=zone, language=language), writer
    except ModelError as problem:
        log.warning("the report is made by rules: %s", problem)
        rules = RulesWriter()
        return draft_of(records, about, stretch, writer=rules, zone=zone, language=language), rules


def _keep_once(tables: Tables, record: Record, *, preset: Preset, writer: Writer) -> Record:
    """Store a report unless the same one is there already."""
    from toldonce.distil.reporting import find_existing_report

    kept = find_existing_report(tables, record)
    if kept is None:
        kept = admit_record(tables, record, preset=preset)
        add_record(tables, kept, preset=preset)
    writer.stored(tables)
    return kept


def _describe_from(entity: Entity, asked: str, texts: Sequence[str], *, records: tuple[Record, ...]) -> Entity:
    """The entity as these texts alone describe it, under the names that they use."""
    said = " ".join(texts).casefold()
    names = [alias for alias in (entity.name, *entity.aliases) if alias.casefold() in said] or [asked]
    return replace(entity, name=names[0], aliases=tuple(sorted(set(names))), mentions=len(texts), records=records)
