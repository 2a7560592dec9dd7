"""Facts of a conversation against what is known and was not shown to the model that read it: drafts in, drafts out.

A writer that reads what is known says itself what a conversation ends, as far as its request showed it. Only pairs
beyond that are judged: near by their vectors or of one subject, a few per fact, all in one request per conversation.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from toldonce.distil.documents import section_of
from toldonce.distil.drafts import FactDraft, Judgement, Material
from toldonce.distil.judgement import CERTAIN_ENOUGH
from toldonce.distil.known import as_material, filter_shared, read_person, read_stored_vectors
from toldonce.distil.writer import Writer
from toldonce.errors import ModelError
from toldonce.models.embedder import Embedder
from toldonce.presets.policy import Preset
from toldonce.records import Record, attribute_of
from toldonce.storage.store import Store, Tables, View
from toldonce.storage.vectors.model_identity import VectorModels

log = logging.getLogger("toldonce.distil")

MOST_RIVALS = 3
# How near the vectors of two statements must be to be judged: of one subject, and of two.
NEAR_OF_SUBJECT = 0.3
NEAR_BY_VECTOR = 0.5


@dataclass(frozen=True, slots=True)
class _Candidate:
    """Something known of a person, with the messages it came from and its vector, if there is one."""

    material: Material
    sources: frozenset[str]
    vector: tuple[float, ...] = ()


def judge_drafts(
    store: Store,
    drafts: Sequence[FactDraft],
    *,
    writer: Writer,
    preset: Preset,
    view: View,
    speakers: Collection[str],
    shown: Collection[str],
    embedder: Embedder | None,
    may_skip: bool,
) -> tuple[FactDraft, ...]:
    """The drafts with what they replace or put in doubt; what is plainly a mistake is left out.

    Only what all speakers may read is compared. `shown` are the ids that the writer saw when it made the drafts. When
    the model fails, the drafts stay as they are with `may_skip`, and the error comes out without.
    """
    open_drafts = [draft for draft in drafts if _is_open(draft, preset)]
    people = dict.fromkeys(draft.person for draft in open_drafts)
    read = partial(_read_candidates, view=view, preset=preset, speakers=speakers, shown=shown, embedder=embedder)
    known = {person: store.read(partial(read, person=person)) for person in people}
    if not any(known.values()):
        return tuple(drafts)
    try:
        pairs = _find_pairs(open_drafts, known, preset=preset, embedder=embedder)
        judged = writer.judge([(older, _draft_material(draft)) for older, draft in pairs])
    except ModelError as problem:
        if not may_skip:
            raise
        log.warning("the facts of a conversation are kept unjudged because a model failed: %s", problem)
        return tuple(drafts)
    return _apply_judgements(drafts, list(zip(pairs, judged, strict=True)))


def _is_open(draft: FactDraft, preset: Preset) -> bool:
    """Whether neither the answer nor the subject table says what a draft does to others."""
    row = preset.subjects.get(attribute_of(draft.subject))
    return draft.change != "planned" and not draft.replaces and (row is None or row.rule in (None, "set"))


def _read_candidates(
    tables: Tables,
    *,
    person: str,
    view: View,
    preset: Preset,
    speakers: Collection[str],
    shown: Collection[str],
    embedder: Embedder | None,
) -> list[_Candidate]:
    known = filter_shared(read_person(tables, person, view, preset=preset), speakers)
    found = [one for one in known if one.id not in shown]
    records = [one for one in found if isinstance(one, Record)]
    vectors = (
        read_stored_vectors(tables, records, model=VectorModels(tables).name_for(embedder))
        if embedder is not None
        else {}
    )
    sources = {record.id: frozenset(record.sources) for record in records}
    return [_Candidate(as_material(one), sources.get(one.id, frozenset()), vectors.get(one.id, ())) for one in found]


def _find_pairs(
    drafts: Sequence[FactDraft],
    known: Mapping[str, Sequence[_Candidate]],
    *,
    preset: Preset,
    embedder: Embedder | None,
) -> list[tuple[Material, FactDraft]]:
    """For each draft the few things known that it may contradict, the nearest first."""
    ours = _embed_texts([draft.text for draft in drafts], embedder)
    lines = [one for candidates in known.values() for one in candidates if one.material.area]
    theirs = dict(zip(map(id, lines), _embed_texts([one.material.text for one in lines], embedder), strict=True))
    pairs = []
    for draft, vector in zip(drafts, ours, strict=True):
        near = []
        for one in known[draft.person]:
            is_later = one.material.at > draft.at
            if is_later or draft.source in one.sources or one.material.text.casefold() == draft.text.casefold():
                continue
            nearness = _score_pair(one, draft, vector, one.vector or theirs.get(id(one), ()), preset=preset)
            near.append((nearness, one.material.at, one.material.id, one.material))
        near.sort(key=lambda found: found[:3], reverse=True)
        pairs += [(found[3], draft) for found in near if found[0] >= 1][:MOST_RIVALS]
    return pairs


def _score_pair(
    one: _Candidate, draft: FactDraft, ours: Sequence[float], theirs: Sequence[float], *, preset: Preset
) -> float:
    """How near a draft is to something known; from 1 on the pair is worth judging."""
    is_same = _has_same_subject(one.material, draft, preset=preset)
    if not ours or not theirs:
        return float(is_same)
    product = sum(a * b for a, b in zip(ours, theirs, strict=True))
    return product / (NEAR_OF_SUBJECT if is_same else NEAR_BY_VECTOR)


def _has_same_subject(known: Material, draft: FactDraft, *, preset: Preset) -> bool:
    """Whether both are about one attribute of one person, or lines of one section of a document."""
    if known.area:
        return any(section_of(draft, policy) == known.area for policy in preset.documents.values())
    return known.subject is not None and known.subject == draft.subject


def _embed_texts(texts: Sequence[str], embedder: Embedder | None) -> list[tuple[float, ...]]:
    if embedder is None or not texts:
        return [() for _ in texts]
    return [tuple(vector.tolist()) for vector in embedder.embed(texts)]


def _draft_material(draft: FactDraft) -> Material:
    return Material(
        id=f"{draft.source} {draft.text}", text=draft.text, at=draft.at, people=(draft.person,), subject=draft.subject
    )


def _apply_judgements(
    drafts: Sequence[FactDraft], judged: Sequence[tuple[tuple[Material, FactDraft], Judgement]]
) -> tuple[FactDraft, ...]:
    sure = [(pair, one) for pair, one in judged if one.contradicts and one.certainty >= CERTAIN_ENOUGH]
    kept = []
    for draft in drafts:
        mine = [(older.id, one.keep) for (older, newer), one in sure if newer is draft]
        if any(keep == "older" for _, keep in mine):
            log.info("a fact is left out: it was judged to be a mistake beside what is known")
            continue
        over = tuple(id_ for id_, keep in mine if keep == "newer")
        doubts = tuple(id_ for id_, keep in mine if keep == "ask")
        kept.append(replace(draft, replaces=(*draft.replaces, *over), doubts=doubts) if mine else draft)
    return tuple(kept)
