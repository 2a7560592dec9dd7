"""Probes from the user's own memory: records go in, questions are made of their words by fixed rules, places come out.

What is remembered of the probes is ids and places of words, never text, so that erasing a record erases its probe.
Nothing is written but that one row, and no record counts as shown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

from toldonce.bench.measures import ALL, mean_scores
from toldonce.clock import to_micros
from toldonce.errors import InputError
from toldonce.lang.vocabulary import stop_words, words_for_subject
from toldonce.operations.space_state import preset_of_space
from toldonce.records import attribute_of
from toldonce.text.words import fold_word

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toldonce import Memory
    from toldonce.presets.policy import Subject
    from toldonce.records import Hit, Record
    from toldonce.storage.store import Tables

Form = Literal["words", "gap", "subject"]
FORM = 1
ROW = "bench:own"
PROBES = 150
DEPTH = 20
SHOWN = 5
FALL = 0.02
_STRETCHES = 50
_LONGEST_QUESTION = 6
_COMMON = 2_000
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A question made of one record: which of its words, by their places, and words of the preset's table.

    words    the owner and the record's most telling words
    gap      the record's words without the most telling one
    subject  the owner and the preset's words for the attribute, none of which the record uses
    """

    record: str
    form: Form
    picks: tuple[int, ...] = ()
    table: tuple[str, ...] = ()
    place: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnResult:
    """How the probes came out: now, and in the run that is the standard, over the probes that both could ask."""

    probes: tuple[Probe, ...]
    scores: Mapping[str, Mapping[str, float]]
    before: Mapping[str, float] | None
    worse: tuple[tuple[Probe, int | None], ...]
    better: int
    gone: int

    @property
    def is_worse(self) -> bool:
        """Whether recall is worse than the standard by more than a few probes explain."""
        return self.before is not None and self.scores[ALL]["recall@5"] < self.before["recall@5"] - FALL


def judge_own_memory(
    memory: Memory, *, space: str | None, now: datetime, renew: bool = False, most: int = PROBES
) -> OwnResult:
    """Ask the remembered probes, or new ones, compare, and remember the outcome as the standard unless it is worse."""
    home = space or memory.space.name
    known = None if renew else _load_probes(memory, home)
    wanted = known if known is not None else _make_probes(memory, home, now=now, most=most)
    if not wanted:
        raise InputError("there is nothing to make probes of yet: tell this memory something first")
    asked = _ask_probes(memory, wanted, home)
    if not asked:
        raise InputError("all records that the probes were made of are gone: make new ones with --renew")
    judged = _build_judgement(wanted, asked, is_first=known is None)
    # The best run so far is the standard: small falls must not add up unseen.
    if judged.before is None or judged.scores[ALL]["recall@5"] >= judged.before["recall@5"]:
        _save_probes(memory, home, asked, now=now)
    return judged


def probe_question(probe: Probe, record: Record) -> str:
    """The question that a probe asks."""
    words = _WORD.findall(record.text)
    picked = [words[place] for place in probe.picks if place < len(words)]
    return " ".join([*_owner_in_words(record), *probe.table, *picked] if probe.form != "gap" else picked)


def _build_judgement(wanted: Sequence[Probe], asked: Sequence[Probe], *, is_first: bool) -> OwnResult:
    past = {_probe_key(probe): probe.place for probe in wanted}
    pairs = [(probe, past[_probe_key(probe)]) for probe in asked]
    lost = [(p, was) for p, was in pairs if _is_shown(was) and not _is_shown(p.place)]
    found = [p for p, was in pairs if _is_shown(p.place) and not _is_shown(was)]
    forms = {form: [p for p in asked if p.form == form] for form in dict.fromkeys(sorted(p.form for p in asked))}
    return OwnResult(
        probes=tuple(asked),
        scores={name: _scores_of_places(p.place for p in some) for name, some in [*forms.items(), (ALL, asked)]},
        before=None if is_first else _scores_of_places(was for _, was in pairs),
        worse=() if is_first else tuple(lost),
        better=0 if is_first else len(found),
        gone=len(wanted) - len(asked),
    )


def _scores_of_places(places: Iterable[int | None]) -> dict[str, float]:
    return mean_scores(
        [
            {**{f"recall@{k}": float(p is not None and p <= k) for k in (1, 5, 10)}, "mrr": 1 / p if p else 0.0}
            for p in places
        ]
    )


def _is_shown(place: int | None) -> bool:
    return place is not None and place <= SHOWN


def _probe_key(probe: Probe) -> tuple[str, str]:
    return probe.record, probe.form


def _ask_probes(memory: Memory, probes: Sequence[Probe], space: str) -> list[Probe]:
    """The probes whose record still counts, each with the place at which it was found."""
    records = memory.store.read(lambda t: t.records.get({probe.record for probe in probes}))
    asked = []
    for probe in probes:
        record = records.get(probe.record)
        if record is None or not record.is_current:
            continue
        hits = memory.recall(probe_question(probe, record), limit=DEPTH, min_score=0.0, space=space, counted=False)
        place = next((place for place, hit in enumerate(hits, start=1) if is_same_evidence(hit, record)), None)
        asked.append(Probe(**{**_probe_as_row(probe), "place": place}))
    return asked


def is_same_evidence(hit: Hit, record: Record) -> bool:
    """Whether a hit is the record, was drawn from it, or is what it was drawn from."""
    return hit.record.id == record.id or record.id in hit.record.sources or hit.record.id in record.sources


def _make_probes(memory: Memory, space: str, *, now: datetime, most: int) -> list[Probe]:
    """At most `most` probes of records from all over the memory, half of them of what was derived, if there is any."""
    home = next((s for s in memory.spaces.all() if s.name == space), memory.space)
    preset, _ = preset_of_space(home)

    def work(tables: Tables) -> list[Probe]:
        sample = _sample_records(tables, space, now=now)
        said = [r for r in sample if r.kind == preset.capture.kind]
        drawn = [r for r in sample if r.kind != preset.capture.kind]
        made = _probes_of_records(tables, drawn, preset.subjects, most=most if not said else most // 2)
        return made + _probes_of_records(tables, said, preset.subjects, most=most - len(made))

    return memory.store.read(work)


def _sample_records(tables: Tables, space: str, *, now: datetime) -> list[Record]:
    """Records that count, from many stretches of the store, in an order that only their ids decide."""
    first, last = tables.search.place_ends()
    step = max(1, (last - first + 1) // _STRETCHES)
    found: dict[str, Record] = {}
    for start in range(max(0, first - 1), last + 1, step):
        for _, record in tables.records.read_page(space, state="active", after=start, limit=min(step, PROBES)):
            if record.expires_at is None or to_micros(record.expires_at) > to_micros(now):
                found[record.id] = record
    return sorted(found.values(), key=lambda r: sha256(r.id.encode()).digest())


def _probes_of_records(
    tables: Tables, records: Iterable[Record], subjects: Mapping[str, Subject], *, most: int
) -> list[Probe]:
    made: list[Probe] = []
    for record in records:
        if len(made) >= most:
            break
        made += _probes_of(tables, record, subjects)
    return made[:most]


def _probes_of(tables: Tables, record: Record, subjects: Mapping[str, Subject]) -> list[Probe]:
    telling = _rare_word_places(tables, record)
    made = []
    if len(telling) >= 2:
        words = tuple(sorted(telling[: min(3, len(telling) - 1)]))
        made.append(Probe(record=record.id, form="words", picks=words))
    if len(telling) >= 4:
        rest = tuple(sorted(telling[1 : 1 + _LONGEST_QUESTION]))
        made.append(Probe(record=record.id, form="gap", picks=rest))
    if table := _other_words(record, subjects):
        made.append(Probe(record=record.id, form="subject", table=table))
    return made


def _rare_word_places(tables: Tables, record: Record) -> list[int]:
    """The places of a record's words that carry content, the rarest in this memory first, each word once."""
    places = {fold_word(word): place for place, word in reversed(list(enumerate(_WORD.findall(record.text))))}
    content = {word: place for word, place in places.items() if word not in stop_words() and len(word) > 1}
    counts = {word: tables.search.count_matches((word,), most=_COMMON) for word in content}
    return [content[word] for word in sorted(content, key=lambda word: (counts[word], content[word]))]


def _other_words(record: Record, subjects: Mapping[str, Subject]) -> tuple[str, ...]:
    """Up to two words for the attribute that a fact is about, in the language of those that it uses itself."""
    attribute = attribute_of(record.subject)
    if attribute not in subjects:
        return ()
    used = {fold_word(word) for word in _WORD.findall(record.text)}
    for words in (*subjects[attribute].words.values(), *words_for_subject(attribute)):
        other = tuple(word for word in words if fold_word(word) not in used)
        if len(other) < len(words):
            return other[:2]
    return ()


def _owner_in_words(record: Record) -> list[str]:
    """Whose fact it is, in words."""
    return _WORD.findall((record.subject or "").rpartition("/")[0])


def _load_probes(memory: Memory, space: str) -> list[Probe] | None:
    kept = memory.store.read(lambda t: t.documents.read_setting(space, ROW))
    found = json.loads(kept) if kept else {}
    if found.get("form") != FORM:
        return None
    return [Probe(**{**row, "picks": tuple(row["picks"]), "table": tuple(row["table"])}) for row in found["probes"]]


def _save_probes(memory: Memory, space: str, probes: Sequence[Probe], *, now: datetime) -> None:
    row = {"form": FORM, "at": now.isoformat(), "probes": [_probe_as_row(probe) for probe in probes]}
    memory.store.write(lambda t: t.documents.set_setting(space, ROW, json.dumps(row)))


def _probe_as_row(probe: Probe) -> dict[str, Any]:
    return asdict(probe)
