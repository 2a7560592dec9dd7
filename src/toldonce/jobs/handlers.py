"""What each job does, as a table from its name to the function that does it.

Every handler may run twice: its work is idempotent, in short transactions, and never inside a model call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from toldonce.capture.observe import SETTLE, build_settle_job, end_conversation
from toldonce.coding.learn_session import learn_session
from toldonce.jobs import consolidate, report
from toldonce.jobs.daily_digest import consolidate_profiles, run_topics
from toldonce.jobs.embed import PACK, embed_records, pack_vectors
from toldonce.jobs.enrich import enrich_records
from toldonce.jobs.planning import FURTHEST, readable_preset
from toldonce.jobs.purge import run_erase_rest, run_purge
from toldonce.jobs.reflect import run_reflect
from toldonce.jobs.task import AT_EXIT, SKIPPED, JobDefinition, JobResult, LeasedJob
from toldonce.jobs.time_index import TIMES, run_times
from toldonce.jobs.webhooks import run_webhook
from toldonce.operations.jobs import EMBED
from toldonce.operations.space_state import preset_of_space
from toldonce.operations.webhooks import WEBHOOK
from toldonce.presets.policy import Preset
from toldonce.recall.query import find_named_attributes
from toldonce.records import Conversation, Record, Space, State, attribute_of
from toldonce.storage import lifecycle
from toldonce.storage.scrub import ERASE_REST
from toldonce.storage.store import Tables
from toldonce.storage.tables.jobs import Job
from toldonce.text.words import WORD, fold_word

if TYPE_CHECKING:
    from toldonce.memory import Memory

T = TypeVar("T")

PAGE = 500
LEFT_BEHIND = timedelta(hours=1)
KEEP_RUNS = timedelta(days=90)
KEEP_DRAFTS = timedelta(days=7)
LARGE = 100 * 1024 * 1024
# Copies made at exits within this time replace each other, so that three short sessions do not push out all older ones.
EXIT_COPIES_APART = timedelta(hours=1)
_ASK_AGAIN = timedelta(days=1)


def run_settle(memory: Memory, task: LeasedJob) -> JobResult:
    """Turn a conversation into knowledge if it is really over; one that went on is planned again."""
    conversation = memory.store.write(lambda t: _finished_conversation(t, task))
    if conversation is None:
        return SKIPPED
    task.check_lease()
    made = memory.sessions.settle_one(conversation, now=task.now, last_try=task.is_last_try)
    if made is None:
        return SKIPPED
    detail = {"writer": made.made_by, **({"model_error": made.problem} if made.problem else {})}
    left_out = {"left_out": made.left_out} if made.left_out else {}
    return JobResult({"kept": len(made.kept), "documents": made.documents, **left_out}, detail=detail)


def _finished_conversation(tables: Tables, task: LeasedJob) -> Conversation | None:
    """The conversation, ended by now; None when it is not over, or was settled, or lies in a deleted space."""
    conversation = tables.conversations.get(task.job.args["conversation"])
    space = tables.people.space(task.space)
    if conversation is None or space is None or conversation.state == "settled":
        return None
    if space.deleted_at is not None:
        tables.jobs.put(build_settle_job(conversation, due_at=task.now + _ASK_AGAIN))
        return None
    if conversation.state == "open" and not _end_if_over(tables, conversation, space, task=task):
        return None
    return conversation


def _end_if_over(tables: Tables, conversation: Conversation, space: Space, *, task: LeasedJob) -> bool:
    policy = _space_preset(space).conversation
    by: str | None = policy.find_ending(conversation, at=task.now, zone_name=space.zone)
    if by is None and conversation.updated_at > task.now + FURTHEST:
        by = "wrong_clock"
    if by is not None:
        return tables.conversations.end(conversation.id, ended_by=by)
    timer = policy.next_ending(updated_at=conversation.updated_at, zone_name=space.zone)
    if timer is not None:
        tables.jobs.put(build_settle_job(conversation, due_at=timer[0]))
    return False


def run_resume(memory: Memory, task: LeasedJob) -> JobResult:
    """Conversations that lost their timer, as those of an import do, get it back."""
    lost = memory.store.read(lambda t: _lost_timers(t, now=task.now))
    return JobResult({"resumed": _run_in_pages(memory, task, lost, _put_timer)})


def _put_timer(tables: Tables, job: Job) -> bool:
    """Plan a job unless somebody did meanwhile; one for a conversation that was settled meanwhile does nothing."""
    is_lost = tables.jobs.get(job.space, job.key) is None
    if is_lost:
        tables.jobs.put(job)
    return is_lost


def _run_in_pages(memory: Memory, task: LeasedJob, items: Sequence[T], work: Callable[[Tables, T], bool]) -> int:
    """Do this for each of the items, a page of them in a transaction; returns for how many something was done."""
    done = 0
    for start in range(0, len(items), PAGE):
        task.check_lease()
        done += memory.store.write(partial(_run_page, task, items[start : start + PAGE], work))
    return done


def _run_page(task: LeasedJob, items: Sequence[T], work: Callable[[Tables, T], bool], tables: Tables) -> int:
    task.check_lease_in_transaction(tables)
    return sum(work(tables, item) for item in items)


def _lost_timers(tables: Tables, *, now: datetime) -> list[Job]:
    """The settle jobs that should be there and are not."""
    spaces = [space for space in tables.people.spaces() if space.deleted_at is None]
    policies = {s.name: (preset.conversation, s.zone) for s in spaces if (preset := readable_preset(s)) is not None}
    lost = []
    for conversation in tables.conversations.find_unsettled(None):
        if conversation.space not in policies:
            continue
        policy, zone_name = policies[conversation.space]
        timer = policy.next_ending(updated_at=conversation.updated_at, zone_name=zone_name)
        due_at = now if conversation.state == "ended" else timer[0] if timer else None
        job = build_settle_job(conversation, due_at=due_at) if due_at is not None else None
        if job is not None and tables.jobs.get(job.space, job.key) is None:
            lost.append(job)
    return lost


def settle_pending(memory: Memory, task: LeasedJob) -> JobResult:
    """End conversations that were left behind, and have them settled one by one, each with its own attempts."""

    def is_left(conversation: Conversation) -> bool:
        return conversation.state != "settled" and task.now - conversation.updated_at >= LEFT_BEHIND

    def plan(tables: Tables, before: Conversation) -> bool:
        conversation = tables.conversations.get(before.id)
        if conversation is None or not is_left(conversation):
            return False
        if conversation.state == "open":
            end_conversation(tables, conversation, by="left_behind", at=task.now)
        else:
            tables.jobs.put(build_settle_job(conversation, due_at=task.now))
        return True

    left = memory.store.read(lambda t: [c for c in t.conversations.find_unsettled(task.space) if is_left(c)])
    planned = _run_in_pages(memory, task, left, plan)
    return JobResult({"planned": planned}) if planned else SKIPPED


def run_expire(memory: Memory, task: LeasedJob) -> JobResult:
    """Mark expired records as expired, in every space."""

    def page(tables: Tables) -> int:
        task.check_lease_in_transaction(tables)
        return lifecycle.expire_records(tables, tables.records.find_expired(now=task.now, limit=PAGE), now=task.now)

    expired = 0
    while memory.store.read(lambda t: t.records.find_expired(now=task.now, limit=1)):
        expired += memory.store.write(page)
    return JobResult({"expired": expired})


def run_fade(memory: Memory, task: LeasedJob) -> JobResult:
    """Time weakens records of the kinds whose confidence fades; too weak ones are excluded from search."""
    space = memory.store.read(lambda t: t.people.space(task.space))
    preset = _space_preset(space) if space else None
    if preset is None or not _fading_kinds(preset):
        return SKIPPED
    weakened, hidden, after = 0, 0, 0
    while states := _fade_page(memory, task, preset, after=after):
        after = max(states)
        weakened += sum(state is not None for state in states.values())
        hidden += list(states.values()).count("faded")
    return JobResult({"weakened": weakened, "hidden": hidden})


def _fading_kinds(preset: Preset) -> list[str]:
    return [name for name, kind in preset.kinds.items() if kind.fading == "confidence" and not kind.protected]


def _fade_page(memory: Memory, task: LeasedJob, preset: Preset, *, after: int) -> dict[int, State | None]:
    """The next page of records after a place, with the state that fading left each in; None for what is protected."""

    def fade(tables: Tables, record: Record) -> State | None:
        if _is_protected(record, preset):
            return None
        return lifecycle.fade_record(tables, record, preset.kind(record.kind), now=task.now)

    def work(tables: Tables) -> dict[int, State | None]:
        task.check_lease_in_transaction(tables)
        page = tables.records.find_fading(task.space, _fading_kinds(preset), after=after, limit=PAGE)
        return {seq: fade(tables, record) for seq, record in page}

    return memory.store.write(work)


def _is_protected(record: Record, preset: Preset) -> bool:
    """Whether a record is about something that never fades: by its subject, or by its words where it has none."""
    attribute = attribute_of(record.subject)
    words = frozenset(map(fold_word, WORD.findall(record.text)))
    named = (attribute,) if attribute else find_named_attributes(words, preset.subjects)
    return any(preset.subjects[name].protected for name in named if name in preset.subjects)


def run_backup(memory: Memory, task: LeasedJob) -> JobResult:
    """The next of the rolling copies; a memory that is not in a file has none."""
    if not Path(memory.store.place).is_file():
        return SKIPPED
    task.check_lease()
    since = task.now - EXIT_COPIES_APART if task.job.args.get(AT_EXIT) else None
    return JobResult({"bytes": memory.storage.backup(replace_since=since).stat().st_size})


def run_upkeep(memory: Memory, task: LeasedJob) -> JobResult:
    """Remove old runs, unused answers of models and expired audit entries; compact a large store."""
    trimmed = memory.store.write(lambda t: t.jobs.trim_runs(before=task.now - KEEP_RUNS))
    memory.store.write(lambda t: t.ledger.trim(before=task.now - KEEP_DRAFTS))
    expired = memory.audit.expire(now=task.now)
    if memory.store.size() > LARGE:
        memory.store.compact()
    return JobResult({"trimmed": trimmed, "audit entries expired": expired})


def _space_preset(space: Space) -> Preset:
    return preset_of_space(space)[0]


DUTIES: Mapping[str, JobDefinition] = {
    SETTLE: JobDefinition(run=run_settle),
    "settle_pending": JobDefinition(run=settle_pending),
    "resume": JobDefinition(run=run_resume, whole_store=True, at_start=True),
    "expire": JobDefinition(run=run_expire, whole_store=True, at_start=True),
    "topics": JobDefinition(run=run_topics),
    "consolidate_profiles": JobDefinition(run=consolidate_profiles),
    "consolidate": JobDefinition(run=consolidate.consolidate_person, idle=consolidate.find_idle_jobs),
    "reflect": JobDefinition(run=run_reflect),
    "enrich": JobDefinition(run=enrich_records),
    "fade": JobDefinition(run=run_fade),
    "purge": JobDefinition(run=run_purge, for_deleted=True),
    ERASE_REST: JobDefinition(run=run_erase_rest, whole_store=True),
    EMBED: JobDefinition(run=embed_records, whole_store=True, needs_embedder=True),
    PACK: JobDefinition(run=pack_vectors, whole_store=True, needs_embedder=True),
    TIMES: JobDefinition(run=run_times, whole_store=True),
    WEBHOOK: JobDefinition(run=run_webhook, whole_store=True),
    "backup": JobDefinition(run=run_backup, whole_store=True),
    "upkeep": JobDefinition(run=run_upkeep, whole_store=True),
    "learn_session": JobDefinition(run=learn_session),
    "report_week": JobDefinition(run=report.run_weekly_report, idle=report.idle_week),
    "report_month": JobDefinition(run=report.run_monthly_report, idle=report.idle_month),
}
