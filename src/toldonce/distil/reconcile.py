"""A new record meets what is known: duplicates are joined, contradictions are settled by the tables, doubts are asked.

Only a record of the same owner can be superseded, about the same subject or saying the contrary of the same thing; the
same input and clock give the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from toldonce.distil.alternatives import is_different_choice, strip_rule_frame
from toldonce.distil.drafts import OPPOSITES, Material
from toldonce.distil.goals import is_reached
from toldonce.distil.instructions import replaces_instruction
from toldonce.distil.judgement import CERTAIN_ENOUGH, judge_contradiction
from toldonce.distil.same_statement import contradicts, says_same
from toldonce.lang.detect import detect_language
from toldonce.lang.grammar import ANY_JOB, ENDED, REACHED
from toldonce.lang.registry import language_of, unite_patterns, unite_words
from toldonce.presets.policy import Kind, Preset
from toldonce.records import Question, Record, attribute_of, new_id
from toldonce.storage import lifecycle
from toldonce.storage.store import Tables, View
from toldonce.storage.tables.records import text_fingerprint
from toldonce.text.words import collect_words

Outcome = Literal["added", "duplicate", "superseded", "demoted", "asked", "outranked"]

NEWER = "a newer value was given"
# A record is compared with at most this many others about its subject, the newest ones, so that a person with a large
# memory does not delay others.
_MOST_VALUES = 2_000
_MOST_KNOWN = 200
# Who works at "a bakery" quits "the bakery".
_articles = unite_words(lambda language: language.comparison.articles)
_over = unite_patterns(lambda language: language.comparison.over, r" (?:{}) ")
# What is less certain, or was inferred, was not plainly said.
_PLAINLY = 0.5
_GUESSED = frozenset({"ai_inference"})


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """The result for a new record: the one that is kept, what happened, and the record it was compared with.

    `more` are further records to which the same happens.
    """

    record: Record
    outcome: Outcome
    other: Record | None = None
    more: tuple[Record, ...] = ()


def reconcile_record(
    tables: Tables,
    record: Record,
    *,
    preset: Preset,
    now: datetime,
    twins: Collection[str] = (),
    over: Sequence[Record] = (),
) -> Reconciliation | None:
    """What the tables say about a record that is about to be added; None when it meets nothing.

    `twins` are the ids of records that mean the same by their vectors, `over` those that it is said to end.
    """
    if over:
        return _end_named_records(tables, record, over, preset=preset, now=now)
    if twin := tables.records.same_text(record):
        return Reconciliation(twin, "duplicate", twin)
    rule = _conflict_rule_of(record, preset)
    known = tables.records.same_subject(record, limit=_MOST_KNOWN) if rule != "set" else []
    rivals = [other for other in known if _is_different_value(other, record, rule=rule)] or _find_contrary_records(
        tables, record, rule=rule
    )
    if not rivals:
        said = [other for other in known if _is_as_certain(other, record, rule=rule)]
        if said:
            return Reconciliation(said[-1], "duplicate", said[-1])
        return _reconcile_without_subject(tables, record, preset=preset, now=now, twins=twins)
    met = _decide_conflict(record, rivals[-1], kind=preset.kind(record.kind), now=now, rule=rule)
    if met.outcome == "asked" and (asked := _find_asked_record(tables, met)):
        return Reconciliation(asked, "duplicate", asked)
    return replace(met, more=tuple(other for other in rivals[:-1] if outranks_older(record, other)))


def _end_named_records(
    tables: Tables, record: Record, over: Sequence[Record], *, preset: Preset, now: datetime
) -> Reconciliation:
    """What happens to records that a new one is said to end: they are superseded, or asked about if validated."""
    rule = _conflict_rule_of(record, preset)
    known = tables.records.same_subject(record, limit=_MOST_KNOWN) if rule != "set" else []
    same = [other for other in known if _is_different_value(other, record, rule=rule)]
    rivals = sorted(
        {other.id: other for other in (*same, *over)}.values(), key=lambda other: (other.validated, other.at)
    )
    met = _decide_conflict(record, rivals[-1], kind=preset.kind(record.kind), now=now, rule=rule)
    if met.outcome == "demoted":
        met = replace(met, outcome="superseded")
    if met.outcome == "asked" and (asked := _find_asked_record(tables, met)):
        return Reconciliation(asked, "duplicate", asked)
    return replace(met, more=tuple(other for other in rivals[:-1] if outranks_older(record, other)))


def outranks_older(newer: Record, older: Record) -> bool:
    """Whether the newer record wins: by its standing, then by its moment. Among equals, confidence does not count."""
    ours, theirs = _standing_of(newer), _standing_of(older)
    return ours > theirs if ours != theirs else newer.at >= older.at


def _standing_of(record: Record) -> tuple[bool, int, bool]:
    """Validated before what is not, a person's word before an agent's, what was plainly said before a guess."""
    is_said = record.origin not in _GUESSED and record.confidence >= _PLAINLY
    return record.validated, int(record.trust), is_said


def _find_contrary_records(tables: Tables, record: Record, *, rule: str) -> list[Record]:
    """What says the contrary of a record where several values stand side by side: meat eaten again, and avoided."""
    person, _, attribute = (record.subject or "").rpartition("/")
    value = _value_of_record(record)
    if rule != "set" or not value:
        return []
    turned = value.removeprefix(ENDED) if value.startswith(ENDED) else ENDED + value
    chosen = _value_before_over(value)
    found = _find_records_by_value(tables, record, lambda said: said == turned or _less_preferred(said) == chosen)
    for opposite in OPPOSITES.get(attribute, ()):
        found += _find_records_by_value(
            tables, replace(record, subject=f"{person}/{opposite}"), lambda said: said == value
        )
    return sorted(found, key=lambda other: other.at)


def _find_records_by_value(tables: Tables, record: Record, fits: Callable[[str], bool]) -> list[Record]:
    """Records about the same subject whose value fits; only these are read whole, since there may be many others."""
    ids = [id_ for id_, value in tables.records.subject_values(record, limit=_MOST_VALUES) if fits(value.casefold())]
    return list(tables.records.get(ids).values())


def _value_before_over(value: str) -> str:
    return _over().split(value)[0]


def _less_preferred(value: str) -> str:
    """What somebody likes less than something else, if their words say so."""
    return [*_over().split(value), ""][1]


def _conflict_rule_of(record: Record, preset: Preset) -> str:
    attribute = attribute_of(record.subject)
    row = preset.subjects.get(attribute)
    return (row.rule if row else None) or "set"


def _is_different_value(older: Record, newer: Record, *, rule: str) -> bool:
    old, new = _value_of_record(older), _value_of_record(newer)
    if rule == "opposite":
        return replaces_instruction(new, old)
    if rule == "goal":
        return new.startswith((ENDED, REACHED)) and not old.startswith(REACHED) and is_reached(old or older.text, new)
    if new.startswith(ENDED):
        return not old.startswith(ENDED) and _is_ended(old, new.removeprefix(ENDED))
    return old != new if old and new else older.text.casefold() != newer.text.casefold()


def _is_ended(held: str, ended: str) -> bool:
    """Whether what somebody no longer does or has is what they were known to; to lose a job ends any job."""
    ours, theirs = set(held.split()) - _articles(), set(ended.split()) - _articles()
    return ended == ANY_JOB or not held or ours <= theirs or theirs <= ours


def _is_as_certain(older: Record, newer: Record, *, rule: str) -> bool:
    """Whether the older record holds the same value, and is no less sure of it."""
    return (
        rule != "goal"
        and _value_of_record(older) == _value_of_record(newer) != ""
        and older.confidence >= newer.confidence
    )


def _value_of_record(record: Record) -> str:
    """The value that a record gives its subject; one that a caller set counts where the text holds its words."""
    value = str(record.metadata.get("value", "")).casefold()
    is_read = "span" in record.metadata
    return value if is_read or collect_words(value, ()) <= collect_words(record.text, ()) else ""


def _find_asked_record(tables: Tables, met: Reconciliation) -> Record | None:
    """The record that says the same and about which the person is being asked already."""
    rival = met.other.id if met.other else ""
    open_ones = tables.conversations.questions(met.record.space, user=met.record.user)
    doubted = tables.records.get([question.newer for question in open_ones if question.older == rival])
    mine = [other for other in doubted.values() if other.kind == met.record.kind and other.user == met.record.user]
    return next((other for other in mine if text_fingerprint(other.text) == text_fingerprint(met.record.text)), None)


def _reconcile_without_subject(
    tables: Tables, record: Record, *, preset: Preset, now: datetime, twins: Collection[str]
) -> Reconciliation | None:
    """What meets a record that has no rival by its subject: one that says the same, or one that it contradicts."""
    kinds = preset.distil.overturns if record.kind in preset.distil.overturns else (record.kind,)
    view = View(spaces=(record.space,), now=now, tenant=tables.tenant, user=record.user, kinds=kinds)
    found = [*tables.records.find_similar(record, view), *tables.records.get(twins).values()]
    near = [other for other in found if other.is_current and other.subject == record.subject]
    kind = preset.kind(record.kind)
    if record.is_current and kind.conflict != "coexist":
        for other in near:
            if _overturns(record, other, preset=preset) or (
                _is_of_same_owner(record, other) and _says_contrary(record, other)
            ):
                return _decide_conflict(record, other, kind=kind, now=now, rule="replace")
    is_rule = record.kind in preset.distil.overturns
    for other in near:
        least = 0.0 if other.id in twins else preset.distil.jaccard
        if _is_of_same_owner(record, other) and _says_same(record, other, is_rule=is_rule, least=least):
            return Reconciliation(other, "duplicate", other)
    return None


def _is_of_same_owner(record: Record, other: Record) -> bool:
    return (other.kind, other.user) == (record.kind, record.user)


def _says_same(record: Record, other: Record, *, is_rule: bool, least: float) -> bool:
    if says_same(record.text, other.text, least=least):
        return True
    return is_rule and says_same(strip_rule_frame(record.text), strip_rule_frame(other.text), least=least)


def _overturns(record: Record, other: Record, *, preset: Preset) -> bool:
    """Whether a rule of work excludes an older one: of the same person, or both of the whole project."""
    is_shared = record.visibility == other.visibility == "project"
    if record.kind not in preset.distil.overturns or not (is_shared or other.user == record.user):
        return False
    if is_different_choice(other.text, record.text):
        return True
    return contradicts(strip_rule_frame(record.text), strip_rule_frame(other.text))


def _says_contrary(newer: Record, older: Record) -> bool:
    found = judge_contradiction(*(Material(id=r.id, text=r.text, at=r.at) for r in (older, newer)))
    return found.contradicts and found.certainty >= CERTAIN_ENOUGH


def _decide_conflict(record: Record, rival: Record, *, kind: Kind, now: datetime, rule: str) -> Reconciliation:
    if outranks_older(record, rival):
        if kind.conflict == "demote":
            return Reconciliation(record, "demoted", rival)
        return Reconciliation(record, "superseded", rival)
    if record.at < rival.at and not rival.validated and record.confidence >= rival.confidence:
        return Reconciliation(_as_outranked(record, rival, "a newer value is known"), "outranked", rival)
    if rule == "series" and not rival.validated:
        return Reconciliation(record, "superseded", rival)
    if kind.conflict == "ask" or rival.validated:
        return doubt_record(record, rival, now=now)
    return Reconciliation(_as_outranked(record, rival, "less sure than what is known"), "outranked", rival)


def doubt_record(record: Record, rival: Record, *, now: datetime) -> Reconciliation:
    """The new record as a proposal: the person is asked which of the two is right."""
    doubt = replace(record, state="proposed", state_reason="contradicts what is known", state_at=now)
    return Reconciliation(doubt, "asked", rival)


def _as_outranked(record: Record, rival: Record, reason: str) -> Record:
    return replace(record, state="superseded", state_reason=reason, state_at=record.at, superseded_by=rival.id)


def apply_reconciliation(tables: Tables, met: Reconciliation, *, preset: Preset, now: datetime) -> None:
    """Do to the rivals what was decided; the new record is in the store already."""
    if met.other is None:
        return
    if met.outcome == "asked":
        tables.conversations.ask(ask_about_conflict(met.other, met.record, now=now))
        return
    demoted = preset.distil.demoted_to
    for other in (met.other, *met.more):
        if met.outcome == "superseded":
            lifecycle.supersede_record(tables, other, met.record, at=met.record.at, reason=NEWER)
        elif met.outcome == "demoted" and (other is met.other or other.confidence > demoted):
            lifecycle.demote_record(tables, other, met.record, to=demoted, at=met.record.at, reason=NEWER)


def ask_about_conflict(older: Record, newer: Record, *, now: datetime) -> Question:
    """The doubt between two records, as something to ask gently, in the language of the newer one."""
    asked = language_of(detect_language(f"{newer.text} {older.text}")).texts.question
    text = asked.format(older=older.text.rstrip("."), newer=newer.text.rstrip("."))
    return Question(
        id=new_id("ask", now),
        space=newer.space,
        user=newer.user,
        text=text,
        older=older.id,
        newer=newer.id,
        created_at=now,
    )
