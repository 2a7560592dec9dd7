"""A person sets one record right: confirm, correct, flag, pin, forget, restore, purge, and answers to questions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

from toldonce.access import current_actor
from toldonce.capture.fields import check_flags, check_metadata, check_names
from toldonce.capture.gate import GateLimits, admit_through_gate
from toldonce.capture.observe import list_gate_notices, redact_nested
from toldonce.capture.remember import add_record, remove_known_secrets
from toldonce.capture.secrets.remembered import read_secrets_of
from toldonce.errors import InputError, RecordNotFound
from toldonce.operations.engine import Engine
from toldonce.operations.erasing import build_finishing_job, finish_purge, plan_finishing
from toldonce.presets.policy import Preset
from toldonce.records import Question, Record, Visibility, attribute_of
from toldonce.storage import erase, lifecycle
from toldonce.storage.lifecycle import Flagged
from toldonce.storage.store import Tables

if TYPE_CHECKING:
    from toldonce.distil.answer import Verdict
    from toldonce.distil.drafts import ConversationMessage


def confirm_record(engine: Engine, record_id: str, *, confirmed: bool = True, user: str | None) -> Record:
    """The record, validated by a person or no longer so."""
    check_flags(confirmed=confirmed)
    mark = lifecycle.mark_confirmed if confirmed else lifecycle.mark_unconfirmed

    def work(tables: Tables, record: Record, preset: Preset) -> Record:
        now = engine.clock()
        if confirmed and record.state == "doubted":
            record = _bring_back(engine, tables, record, preset)
        corrected = lifecycle.find_corrected(tables, record) if confirmed else None
        done = mark(tables, record, preset.kind(record.kind), now=now)
        if corrected is not None:
            lifecycle.supersede_record(tables, corrected, done, at=now, reason="corrected by a person", by="person")
            revise_documents(engine, tables, corrected, preset, text=done.text)
        return done

    return engine.change_record(record_id, "confirm" if confirmed else "unconfirm", work, user=user)


def correct_record(engine: Engine, record_id: str, text: str, *, user: str | None) -> Record:
    """The new record that supersedes the wrong one; of another person's record it is a proposal that they decide on."""
    now = engine.clock()

    def write(record: Record, preset: Preset) -> Record:
        newer = lifecycle.corrected_record(
            record, text, preset.kind(record.kind), now=now, author=user, is_agent=current_actor().is_agent
        )
        admitted = admit_through_gate(text, limits=GateLimits(max_chars=preset.kind(record.kind).max_chars))
        return replace(newer, text=admitted.text, notices=list_gate_notices(admitted))

    def correct(tables: Tables, record: Record, preset: Preset) -> Record:
        newer = remove_known_secrets(tables, write(record, preset), read_secrets_of(text), preset=preset, now=now)
        add_record(tables, newer, preset=preset)
        lifecycle.supersede_record(tables, record, newer, at=now, reason="corrected by a person", by="person")
        revise_documents(engine, tables, record, preset, text=newer.text)
        return newer

    def propose(tables: Tables, record: Record, preset: Preset) -> Record:
        offered = lifecycle.proposed_correction(record, write(record, preset), preset.kind(record.kind))
        before = tables.records.said_before(offered)
        if before is not None and before.state == "proposed" and before.author == offered.author:
            return before
        add_record(tables, offered, preset=preset)
        lifecycle.link_proposal(tables, record, offered, at=now)
        return offered

    return engine.change_record(record_id, "correct", correct, user=user, otherwise=("propose", propose))


def flag_record(engine: Engine, record_id: str, *, reason: str, user: str | None) -> Flagged:
    """The flagged record and those that came from it."""

    def work(tables: Tables, record: Record, preset: Preset) -> Flagged:
        revise_documents(engine, tables, record, preset, text=None)
        cleaned = _clean_reason(reason, preset) or "flagged"
        return lifecycle.mark_flagged(tables, record, reason=cleaned, now=engine.clock(), reader=user)

    return engine.change_record(record_id, "flag", work, user=user)


def pin_record(engine: Engine, record_id: str, *, pinned: bool, user: str | None) -> Record:
    """The record, pinned or no longer pinned."""
    check_flags(pinned=pinned)

    def work(tables: Tables, record: Record, preset: Preset) -> Record:
        if pinned and record.state == "doubted":
            record = _bring_back(engine, tables, record, preset)
        return lifecycle.set_pinned(tables, record, pinned=pinned, now=engine.clock())

    return engine.change_record(record_id, "pin" if pinned else "unpin", work, user=user)


def annotate_record(engine: Engine, record_id: str, metadata: Mapping[str, Any], *, user: str | None) -> None:
    """Give a record this metadata in place of its own, checked and redacted as when it was stored."""
    checked = check_metadata(metadata)

    def work(tables: Tables, record: Record, preset: Preset) -> None:
        tables.records.set_metadata(record.id, redact_nested(checked, preset.capture.redact_secrets))

    engine.change_record(record_id, "correct", work, user=user)


def share_record(engine: Engine, record_id: str, visibility: Visibility, *, user: str | None) -> Record:
    """The record, seen by other people from now on or no longer."""
    if visibility not in get_args(Visibility):
        raise InputError(f"visibility is one of {', '.join(get_args(Visibility))}, not {str(visibility)[:40]!r}")

    def work(tables: Tables, record: Record, _: Preset) -> Record:
        return lifecycle.share_record(tables, record, visibility, now=engine.clock())

    return engine.change_record(record_id, "share", work, user=user)


def forget_record(engine: Engine, record_id: str, *, reason: str, user: str | None) -> Record:
    """The record, hidden."""

    def work(tables: Tables, record: Record, preset: Preset) -> Record:
        revise_documents(engine, tables, record, preset, text=None)
        hidden = lifecycle.mark_forgotten(tables, record, reason=_clean_reason(reason, preset), now=engine.clock())
        erase.hide_lines(tables, hidden, now=engine.clock())
        return hidden[0]

    return engine.change_record(record_id, "forget", work, user=user)


def restore_record(engine: Engine, record_id: str, *, user: str | None) -> Record:
    """The record, active again."""

    def work(tables: Tables, record: Record, preset: Preset) -> Record:
        return _bring_back(engine, tables, record, preset)

    return engine.change_record(record_id, "restore", work, user=user)


def _bring_back(engine: Engine, tables: Tables, record: Record, preset: Preset) -> Record:
    """The record, active again; what replaced it is superseded where one value alone can hold."""
    zone = engine.find_space(record.space)[0].zone
    return lifecycle.mark_restored(
        tables,
        record,
        preset.kind(record.kind),
        now=engine.clock(),
        zone=zone,
        holds_alone=_holds_alone(record, preset),
    )


def _holds_alone(record: Record, preset: Preset) -> bool:
    """Whether one value alone of a record's subject can hold."""
    row = preset.subjects.get(attribute_of(record.subject))
    return row is not None and row.rule not in (None, "set")


def purge_record(engine: Engine, record_id: str, *, user: str | None) -> int:
    """How many records were destroyed."""
    rest = build_finishing_job(engine.clock())

    def work(tables: Tables, record: Record, _: Preset) -> erase.DestroyedRecords:
        plan_finishing(tables, rest)
        return erase.purge_record(tables, record, now=engine.clock())

    destroyed = engine.change_record(record_id, "purge", work, user=user)
    finish_purge(engine, destroyed.texts, rest)
    return destroyed.records


def answer_question(engine: Engine, question_id: str, text: str, *, user: str | None) -> Record:
    """The record that holds after a person answered a question."""
    from toldonce.distil.answer import read_verdict

    found = engine.store.read(lambda t: t.conversations.questions(None, only_open=False, question_id=question_id))
    if not found or (user is not None and found[0].user not in (None, user)):
        raise RecordNotFound(f"there is no question {question_id!r}", record_id=question_id)
    question = found[0]
    older = engine.store.read(lambda t: lifecycle.need(t, question.older, reader=user), person=user)
    newer = engine.store.read(lambda t: lifecycle.need(t, question.newer, reader=user), person=user)
    engine.note_reading("read", (older, newer), user=user)
    answer = admit_through_gate(text, limits=GateLimits()).text
    said = read_verdict(answer, older=older.text, newer=newer.text)
    return _close_question(engine, question, (older, newer), said, text=answer, user=user)


def answer_from_talk(engine: Engine, question: Question, said: Sequence[ConversationMessage]) -> bool:
    """Settle a question by what the person replied when an assistant asked about it; whether they did."""
    from toldonce.distil.answer import find_answer

    pair = _read_doubted_pair(engine, question)
    later = [message for message in said if message.at > question.created_at]
    found = find_answer(later, speaker=question.user, older=pair[0].text, newer=pair[1].text) if pair else None
    if pair is None or found is None:
        return False
    reply, verdict = found
    _close_question(engine, question, pair, verdict, text=reply.text, user=question.user)
    return True


def answer_by_repeating(engine: Engine, question: Question, repeated: Collection[str]) -> bool:
    """Settle a question when the person said one of the two things again later; whether they did."""
    from toldonce.distil.answer import Verdict

    pair = _read_doubted_pair(engine, question)
    sides = question.older in repeated, question.newer in repeated
    if pair is None or sides[0] == sides[1]:
        return False
    verdict = Verdict("newer" if sides[1] else "older")
    _close_question(engine, question, pair, verdict, text="", user=question.user)
    return True


def _read_doubted_pair(engine: Engine, question: Question) -> tuple[Record, Record] | None:
    """The two records of a question, while the person may still say which of them holds."""
    found = engine.records_by_id((question.older, question.newer))
    older, newer = (next((r for r in found if r.id == i), None) for i in (question.older, question.newer))
    if older is None or newer is None:
        return None
    is_open = older.state in ("active", "doubted") and newer.state in ("active", "proposed")
    return (older, newer) if is_open else None


def _close_question(
    engine: Engine, question: Question, pair: tuple[Record, Record], verdict: Verdict, *, text: str, user: str | None
) -> Record:
    """Let the side that the person took hold; the question is answered."""
    kept = _choose_record(engine, *pair, verdict, text=text, user=user)
    engine.write(lambda t: t.conversations.answer(question.id, verdict.choice, at=engine.clock()))
    return kept


def _choose_record(
    engine: Engine, older: Record, newer: Record, said: Verdict, *, text: str, user: str | None
) -> Record:
    if said.choice == "newer":
        kept = confirm_record(engine, newer.id, user=user)

        def replace_older(tables: Tables) -> None:
            lifecycle.supersede_record(tables, older, kept, at=engine.clock(), reason="the person said so", by="person")
            revise_documents(engine, tables, older, engine.find_space(older.space)[1], text=kept.text)

        engine.write(replace_older)
        return kept
    if newer.state == "proposed":
        reason = "the person said it is not so" if said.choice == "older" else "the person said something else"
        forget_record(engine, newer.id, reason=reason, user=user)
    if said.choice == "older":
        kept = confirm_record(engine, older.id, user=user)
    else:
        kept = correct_record(engine, older.id, text, user=user)
    if newer.state == "active":
        engine.write(lambda t: _leave_or_end(engine, t, newer, kept, older))
    return kept


def _leave_or_end(engine: Engine, tables: Tables, newer: Record, kept: Record, older: Record) -> None:
    """The newer record stays beside the one that the person took, unless of both only one can hold."""
    lifecycle.note_judged(tables, newer, older, at=engine.clock())
    preset = engine.find_space(kept.space)[1]
    now = lifecycle.need(tables, newer.id)
    if now.is_current and newer.subject == kept.subject and _holds_alone(kept, preset):
        lifecycle.supersede_record(tables, now, kept, at=engine.clock(), reason="the person said so", by="person")
        revise_documents(engine, tables, now, preset, text=None)


def revise_documents(engine: Engine, tables: Tables, record: Record, preset: Preset, *, text: str | None) -> None:
    """Change a corrected line in the person's documents too, or remove a rejected one (`text` None)."""
    from toldonce.distil.documents import revise_document

    for name in preset.documents:
        document = tables.documents.get(record.space, record.user or "", name)
        if document and (after := revise_document(document, record.text, text, now=engine.clock())):
            tables.documents.put(after)


def _clean_reason(reason: str, preset: Preset) -> str:
    """A reason without secrets, where the preset redacts them."""
    check_names(reason=reason)
    return redact_nested(reason, preset.capture.redact_secrets)
