"""What is known that a conversation may change: the current records of those who speak, the nearest ones first.

Only read for a writer that can tell what a conversation changes. Records are near by their vectors, where the store has
them, by shared words, and by being the one value of something a person has one of.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from toldonce.access import may_read
from toldonce.distil.drafts import LINE, MACHINE_ROLES, ConversationMessage, Material
from toldonce.lang.vocabulary import content_stems
from toldonce.presets.policy import Preset
from toldonce.records import Record, attribute_of
from toldonce.storage.store import Store, Tables, View

# Records that are compared per person, and those that a request shows.
_MOST_READ = 400
MOST_KNOWN = 30
_SINGLE = frozenset(("replace", "series", "goal", "opposite"))


def read_known(
    store: Store, said: Sequence[tuple[Record, ConversationMessage]], view: View, *, preset: Preset
) -> tuple[Material, ...]:
    """What is known of those who speak in a conversation."""
    people = [(message, heard.speaker) for message, heard in said if heard.role not in MACHINE_ROLES]
    speakers = tuple(dict.fromkeys(speaker for _, speaker in people))
    messages = [message for message, _ in people]
    return tuple(store.read(lambda t: find_known(t, messages, view, preset=preset, speakers=speakers)))


def find_known(
    tables: Tables, messages: Sequence[Record], view: View, *, preset: Preset, speakers: Collection[str]
) -> list[Material]:
    """What these messages may change, oldest first; of private things only what all who speak may read."""
    found = [one for person in speakers for one in read_person(tables, person, view, preset=preset)]
    shared = filter_shared(found, speakers)
    near = _score_nearness(tables, messages, [one for one in shared if isinstance(one, Record)], preset=preset)
    best = sorted(shared, key=lambda one: (near.get(one.id, 0.0), one.at), reverse=True)[:MOST_KNOWN]
    return sorted((as_material(one) for one in best), key=lambda one: (one.at, one.id))


def filter_shared(found: Sequence[Record | Material], speakers: Collection[str]) -> list[Record | Material]:
    """What all who speak may read; lines of documents are for everybody."""
    return [one for one in found if isinstance(one, Material) or all(may_read(one, p) for p in speakers)]


def read_person(tables: Tables, person: str, view: View, *, preset: Preset) -> list[Record | Material]:
    """What counts of what was learnt of a person: records, or the lines of documents where there are no facts."""
    policy = preset.distil
    if "facts" in policy.steps:
        kinds = tuple(sorted({*policy.statements.values(), *policy.kinds.values()}))
        mine = View(spaces=view.spaces, now=view.now, tenant=tables.tenant, user=person, kinds=kinds)
        return [r for r in tables.records.find_derived(mine, limit=_MOST_READ) if r.user == person]
    names = (name for name, document in preset.documents.items() if document.per == "person")
    documents = (tables.documents.get(view.spaces[0], person, name) for name in names)
    return [
        Material(
            id=f"{LINE}{entry.text}",
            text=entry.text,
            at=entry.at or document.at,
            people=(person,),
            area=entry.section,
        )
        for document in documents
        if document is not None
        for entry in document.entries
    ]


def as_material(one: Record | Material) -> Material:
    """Something known as a writer sees it."""
    if isinstance(one, Material):
        return one
    people = (one.user,) if one.user else ()
    return Material(id=one.id, text=one.text, at=one.at, people=people, subject=one.subject, validated=one.validated)


def _score_nearness(
    tables: Tables, messages: Sequence[Record], known: Sequence[Record], *, preset: Preset
) -> Mapping[str, float]:
    if len(known) <= MOST_KNOWN:
        return {}
    said = content_stems(" ".join(message.text for message in messages))
    vectors = _similarities(tables, messages, known)
    scores = {}
    for record in known:
        stems = content_stems(record.text)
        row = preset.subjects.get(attribute_of(record.subject))
        is_single = row is not None and row.rule in _SINGLE
        scores[record.id] = len(stems & said) / max(1, len(stems)) + vectors.get(record.id, 0.0) + 0.5 * is_single
    return scores


def _similarities(tables: Tables, messages: Sequence[Record], known: Sequence[Record]) -> Mapping[str, float]:
    """How near each record is to the message nearest to it, by the vectors that the store has; {} without any."""
    models = [model for model in tables.vectors.list_models() if model[3]]
    if not models:
        return {}
    import numpy as np

    from toldonce.storage.vectors.index import decode_vectors

    number, _, size, _ = max(models, key=lambda model: model[3])
    said = _read_vectors(tables, number, messages)
    theirs = _read_vectors(tables, number, known)
    if not said or not theirs:
        return {}
    spoken = decode_vectors([blob for blobs in said.values() for blob in blobs], size)
    spoken = spoken / np.maximum(np.linalg.norm(spoken, axis=1, keepdims=True), 1e-9)
    found = {}
    for id_, blobs in theirs.items():
        mine = decode_vectors(blobs, size).mean(axis=0)
        found[id_] = float((spoken @ (mine / max(float(np.linalg.norm(mine)), 1e-9))).max())
    return found


def read_stored_vectors(tables: Tables, records: Sequence[Record], *, model: str) -> dict[str, tuple[float, ...]]:
    """The vector of each record that a model made, where the store has one; its length is 1."""
    number_and_size = tables.vectors.known_model(model)
    if number_and_size is None or not records:
        return {}
    import numpy as np

    from toldonce.storage.vectors.index import decode_vectors

    number, size = number_and_size[:2]
    found = {}
    for id_, blobs in _read_vectors(tables, number, records).items():
        mean = decode_vectors(blobs, size).mean(axis=0)
        found[id_] = tuple((mean / max(float(np.linalg.norm(mean)), 1e-9)).tolist())
    return found


def _read_vectors(tables: Tables, model: int, records: Sequence[Record]) -> dict[str, list[bytes]]:
    places = {seq: record.id for record in records for seq in tables.records.find_places([record.id])}
    found: dict[str, list[bytes]] = {}
    for (seq, _), blob in tables.vectors.of(model, places).items():
        found.setdefault(places[seq], []).append(blob)
    return found
