"""What is done about a new record: it is joined with what says the same, and ends, doubts or leaves what is known.

`Resolver.meet` decides by the effects of the judge and the preset's table, and changes nothing; `carry_out` does it
once the new record is stored. Nothing else ends a record but a person, and they through this module too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Literal

from toldonce.distil.doubt import ask_about_conflict, doubt_and_ask
from toldonce.distil.drafts import OPPOSITES
from toldonce.distil.relate import (
    LIKELY,
    SURE,
    Effect,
    Saying,
    Scale,
    is_over_by_value,
    relate,
)
from toldonce.distil.statements.reading import load_weights
from toldonce.distil.statements.store import is_part_of_ended, must_stay, stated_in, stated_text
from toldonce.distil.statements.succession import Stated, score_ending
from toldonce.presets.policy import Preset
from toldonce.records import DocumentEntry, Record, attribute_of
from toldonce.storage import lifecycle
from toldonce.storage.store import Tables, View
from toldonce.storage.tables.records import text_fingerprint

Outcome = Literal["added", "duplicate", "superseded", "doubted", "asked", "outranked"]

NEWER = "a newer value was given"
DOUBT = "a newer statement probably ends it"
# A record is compared with at most this many others about its subject, and this many of its owner, the newest ones, so
# that a person with a large memory does not delay others.
_MOST_VALUES = 2_000
_MOST_OF_SUBJECT = 200
_MOST_OF_OWNER = 400
# People say one thing at a time: of what words alone suggest that it is over, at most this much is doubted.
_MOST_DOUBTED = 4
# What is less certain, or was inferred, was not plainly said.
_PLAINLY = 0.5
_GUESSED = frozenset({"ai_inference"})


@dataclass(frozen=True, slots=True)
class Met:
    """What happens to a new record and to those it meets; `record` is the one that is kept.

    `others` are those that it ends, doubts, asks about or repeats, as `outcome` says; `doubted` are further ones that
    it puts in doubt, and `asks` the ids of those of which only the person can tell.
    """

    record: Record
    outcome: Outcome = "added"
    others: tuple[Record, ...] = ()
    doubted: tuple[Record, ...] = ()
    asks: frozenset[str] = frozenset()

    @property
    def other(self) -> Record | None:
        """The record that it met first, if any."""
        return next(iter((*self.others, *self.doubted)), None)

    @property
    def ended(self) -> tuple[Record, ...]:
        """Those that are over."""
        return self.others if self.outcome == "superseded" else ()


class Resolver:
    """Meets new records with what is known, one after the other, inside one transaction."""

    def __init__(self, tables: Tables, preset: Preset, *, now: datetime) -> None:
        self._tables = tables
        self._preset = preset
        self._now = now
        self._owned: dict[tuple[str, str], list[Saying]] = {}
        self._weights = load_weights()

    def meet(
        self,
        record: Record,
        *,
        stated: Stated | None = None,
        twins: Collection[str] = (),
        over: Sequence[Record] = (),
        doubts: Sequence[Record] = (),
    ) -> Met:
        """What happens to a record that is about to be added.

        `twins` are the ids of records that mean the same by their vectors; `over` and `doubts` are those that whoever
        read it says it ends or cannot be true with.
        """
        if twin := self._tables.records.same_text(record):
            return Met(twin, "duplicate", (twin,))
        newer = self._say(record, stated)
        told = {one.id: (self._say(one), Effect("ends", SURE, "named")) for one in over}
        told |= {one.id: (self._say(one), Effect("ends", LIKELY, "named")) for one in doubts}
        known = self._find_candidates(newer, twins)
        scale = Scale(self._weights, Counter(stem for one in known if one.is_spoken for stem in one.stated.claim.stems))
        for older in known:
            if older.record.id not in told and (effect := relate(newer, older, scale)).relation != "unrelated":
                told[older.record.id] = older, effect
        for older, effect in list(told.values()):
            if effect.why == "words" and effect.relation == "ends":
                told |= {one.record.id: (one, effect) for one in _facts_of(older, newer, known)}
        same = [older for older, effect in told.values() if effect.relation == "same"]
        ends = [(older, effect) for older, effect in told.values() if effect.relation == "ends"]
        if not ends:
            return Met(same[-1].record, "duplicate", (same[-1].record,)) if same else Met(record)
        return replace(self._decide(newer, ends), asks=frozenset(one.id for one in doubts))

    def _decide(self, newer: Saying, ends: Sequence[tuple[Saying, Effect]]) -> Met:
        """What happens to those that a new record would end, by the standing of both and by how sure it is."""
        record, kind = newer.record, self._preset.kind(newer.record.kind)
        sure = sorted((o.record for o, v in ends if v.chance >= SURE), key=lambda one: (one.validated, one.at))
        least = self._preset.distil.doubts_from
        likely = [older for older, effect in ends if least <= effect.chance < SURE]
        likely = sorted(likely, key=lambda one: one.record.at, reverse=True)[:_MOST_DOUBTED]
        doubted = tuple(o.record for o in likely if o.record.validated or outranks_older(record, o.record))
        if not sure:
            return Met(record, "doubted" if doubted else "added", doubted=doubted)
        rival = sure[-1]
        won = tuple(one for one in sure if outranks_older(record, one))
        if rival in won:
            outcome: Outcome = "doubted" if kind.conflict == "demote" and newer.rule != "series" else "superseded"
            return self._once(Met(record, outcome, tuple(reversed(won)), doubted))
        if record.at < rival.at and not rival.validated and record.confidence >= rival.confidence:
            return Met(_as_outranked(record, rival, "a newer value is known"), "outranked", (rival,))
        if newer.rule == "series" and not rival.validated:
            return Met(record, "superseded", (rival,), doubted)
        if kind.conflict == "ask" or rival.validated or rival.pinned:
            return self._once(Met(_as_offered(record, rival, self._now), "asked", (rival,), doubted))
        return Met(_as_outranked(record, rival, "less sure than what is known"), "outranked", (rival,))

    def _once(self, met: Met) -> Met:
        """The same, or the record about which the person is being asked already."""
        if met.outcome != "asked" or met.other is None:
            return met
        asked = _find_asked_record(self._tables, met.record, met.other)
        return Met(asked, "duplicate", (asked,)) if asked else met

    def carry_out(self, met: Met) -> tuple[Record, ...]:
        """Do to the others what was decided, now that the new record is stored; those that are not shown any more."""
        gone: list[Record] = []
        if met.outcome == "asked":
            self._ask(met.others[0], met.record)
        for older in met.others if met.outcome in ("superseded", "doubted") else ():
            if met.outcome == "superseded" and not older.pinned:
                lifecycle.supersede_record(self._tables, older, met.record, at=met.record.at, reason=NEWER)
                gone.append(older)
            else:
                gone += self._demote(older, met.record)
        for older in met.doubted:
            gone += [older] if self._doubt(older, met) else []
        hidden = {one.id for one in gone}
        for known in self._owned.values():
            known[:] = [one for one in known if one.record.id not in hidden]
        return tuple(gone)

    def remember(self, record: Record, stated: Stated | None = None) -> None:
        """Let what was just stored meet what comes after it."""
        if (known := self._owned.get((record.space, record.user or ""))) is not None:
            known.append(self._say(record, stated))

    def find_owned(self, space: str, owner: str | None) -> list[Record]:
        """What counts of what was learnt of a person."""
        return [one.record for one in self._read_owned(space, owner)]

    def _doubt(self, older: Record, met: Met) -> bool:
        """Put a record in doubt; the person is asked where only they can tell, or where it matters to them.

        What facts were read of a statement is asked of the facts.
        """
        if older.metadata.get("subjects") and not (older.validated or older.pinned):
            return lifecycle.doubt_record(self._tables, older, met.record, at=met.record.at, reason=DOUBT)
        preset, now = self._preset, self._now
        done = doubt_and_ask(self._tables, older, met.record, preset=preset, now=now, reason=DOUBT)
        is_doubted = done == "doubted"
        if is_doubted and older.id in met.asks:
            self._ask(older, met.record)
        return is_doubted

    def _demote(self, older: Record, newer: Record) -> list[Record]:
        """Put a record in doubt whose value was replaced, where its kind keeps such records; it is hardly believed."""
        if not lifecycle.doubt_record(self._tables, older, newer, at=newer.at, reason=NEWER):
            self._ask(older, newer)
            return []
        lower = min(older.confidence, self._preset.distil.demoted_to)
        self._tables.records.set_standing(older, confidence=lower, validated=False, pinned=False, faded_at=newer.at)
        return [older]

    def _ask(self, older: Record, newer: Record) -> None:
        self._tables.conversations.ask(ask_about_conflict(older, newer, now=self._now))

    def _say(self, record: Record, stated: Stated | None = None) -> Saying:
        row = self._preset.subjects.get(attribute_of(record.subject))
        return Saying(
            record,
            stated or stated_in(record),
            rule=(row.rule if row else None) or "set",
            is_rule=record.kind in self._preset.distil.overturns,
            is_spoken=stated is not None or "words" in record.metadata,
            least=self._preset.distil.jaccard,
        )

    def _find_candidates(self, newer: Saying, twins: Collection[str]) -> list[Saying]:
        """The few records that a new one may repeat, end or contradict."""
        record, kind = newer.record, self._preset.kind(newer.record.kind)
        found: dict[str, Saying] = {}
        if newer.is_spoken:
            found = {one.record.id: one for one in self._read_owned(record.space, record.user)}
            found = {id_: one for id_, one in found.items() if _may_touch(newer, one)}
        for other in self._of_subject(newer):
            found.setdefault(other.id, self._say(other))
        if not newer.is_spoken:
            shown = set(twins)
            for other in self._find_near(record, twins):
                is_own = (other.kind, other.user) == (record.kind, record.user)
                if ((is_own or self._is_shared_rule(newer, other)) and kind.conflict != "coexist") or is_own:
                    near = self._say(other)
                    found.setdefault(other.id, replace(near, least=0.0) if other.id in shown else near)
        return sorted(found.values(), key=lambda one: (one.record.at, one.record.id))

    def _of_subject(self, newer: Saying) -> list[Record]:
        """What is known of the same attribute of the same person, where one value does something to another."""
        record = newer.record
        if record.subject is None or newer.is_spoken:
            return []
        if newer.rule != "set":
            return self._tables.records.same_subject(record, limit=_MOST_OF_SUBJECT)
        person, _, attribute = record.subject.rpartition("/")
        found = self._with_value(record, partial(is_over_by_value, newer.value)) if newer.value else []
        for opposite in OPPOSITES.get(attribute, ()) if newer.value else ():
            contrary = replace(record, subject=f"{person}/{opposite}")
            found += self._with_value(contrary, lambda said: said == newer.value)
        return found

    def _with_value(self, record: Record, fits: Callable[[str], bool]) -> list[Record]:
        """Records about a subject whose value fits; only these are read whole, since there may be many others."""
        values = self._tables.records.subject_values(record, limit=_MOST_VALUES)
        return list(self._tables.records.get([id_ for id_, value in values if fits(value.casefold())]).values())

    def _find_near(self, record: Record, twins: Collection[str]) -> list[Record]:
        """What says nearly the same by its words or its vector."""
        overturns = self._preset.distil.overturns
        kinds = overturns if record.kind in overturns else (record.kind,)
        view = View(spaces=(record.space,), now=self._now, tenant=self._tables.tenant, user=record.user, kinds=kinds)
        found = [*self._tables.records.find_similar(record, view), *self._tables.records.get(twins).values()]
        return [other for other in found if other.is_current and other.subject == record.subject]

    def _is_shared_rule(self, newer: Saying, other: Record) -> bool:
        """Whether both are rules of work of the whole project."""
        is_rule = newer.is_rule and other.kind in self._preset.distil.overturns
        return is_rule and (newer.record.visibility == other.visibility == "project" or other.user == newer.record.user)

    def _read_owned(self, space: str, owner: str | None) -> list[Saying]:
        key = space, owner or ""
        if key not in self._owned:
            policy = self._preset.distil
            kinds = tuple(sorted({*policy.statements.values(), *policy.kinds.values()}))
            view = View(spaces=(space,), now=self._now, tenant=self._tables.tenant, user=owner, kinds=kinds)
            records = self._tables.records.find_derived(view, limit=_MOST_OF_OWNER)
            self._owned[key] = [self._say(record) for record in records]
        return self._owned[key]


def _may_touch(newer: Saying, older: Saying) -> bool:
    """Whether a person's words can say anything of an older record: not of what was read from the same message.

    Of an attribute that a fact was read of in these words, that fact decides. What a person answers puts nothing in
    doubt that they confirmed: it may be that answer.
    """
    new, old = newer.stated, older.stated
    if new.question and older.record.validated:
        return False
    if not older.is_spoken and attribute_of(older.record.subject) in newer.record.metadata.get("subjects", ()):
        return False
    is_earlier = older.record.at < newer.record.at and set(newer.record.sources[:1]).isdisjoint(older.record.sources)
    is_near = old.speaker == new.speaker or bool(new.claim.content & old.claim.content)
    return is_earlier and is_near and not must_stay(older.record, old, new)


def _facts_of(said: Saying, newer: Saying, known: Sequence[Saying]) -> list[Saying]:
    """The facts that were read out of a statement which is doubted, as far as they are about the same."""
    facts = (one for one in known if not one.is_spoken)
    return [f for f in facts if is_part_of_ended(f.record, said.record, older=f.stated, newer=newer.stated)]


def find_ended_lines(entries: Iterable[DocumentEntry], newer: Stated) -> list[str]:
    """The lines of the speaker's document that a statement ends."""
    weights = load_weights()
    older = (stated_text(entry.text, newer.speaker, entry.at) for entry in entries if entry.at and entry.at < newer.at)
    scored = [(score_ending(newer, one, weights=weights, counts={}), one.words) for one in older]
    ended = sorted((pair for pair in scored if pair[0] >= weights["least"]["replacement"]), reverse=True)
    return [words for _, words in ended[:_MOST_DOUBTED]]


def outranks_older(newer: Record, older: Record) -> bool:
    """Whether the newer record wins: by its standing, then by its moment. Among equals, confidence does not count."""
    ours, theirs = _standing_of(newer), _standing_of(older)
    return ours > theirs if ours != theirs else newer.at >= older.at


def _standing_of(record: Record) -> tuple[bool, int, bool]:
    """Validated before what is not, a person's word before an agent's, what was plainly said before a guess."""
    is_said = record.origin not in _GUESSED and record.confidence >= _PLAINLY
    return record.validated, int(record.trust), is_said


def _find_asked_record(tables: Tables, record: Record, rival: Record) -> Record | None:
    """The record that says the same and about which the person is being asked already."""
    open_ones = tables.conversations.questions(record.space, user=record.user)
    doubted = tables.records.get([question.newer for question in open_ones if question.older == rival.id])
    mine = [other for other in doubted.values() if other.kind == record.kind and other.user == record.user]
    return next((other for other in mine if text_fingerprint(other.text) == text_fingerprint(record.text)), None)


def _as_offered(record: Record, rival: Record, now: datetime) -> Record:
    """What the person is asked about: a guess or an agent's word waits for the answer, their own holds meanwhile."""
    if _standing_of(record)[1:] >= _standing_of(rival)[1:]:
        return record
    return replace(record, state="proposed", state_reason="contradicts what is known", state_at=now)


def _as_outranked(record: Record, rival: Record, reason: str) -> Record:
    return replace(record, state="superseded", state_reason=reason, state_at=record.at, superseded_by=rival.id)


def end_record(tables: Tables, older: Record, newer: Record, *, at: datetime, reason: str, by: str = "") -> None:
    """Somebody says that a newer record replaces an older one."""
    lifecycle.supersede_record(tables, older, newer, at=at, reason=reason, by=by)
