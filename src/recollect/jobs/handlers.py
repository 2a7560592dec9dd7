"""What each job does, as a table from its name to the function that does it.

Every handler may run twice: its work is idempotent, in short transactions, and never inside a model call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from recollect.capture.observe import SETTLE, end_conversation, settle_job
from recollect.coding.learn_session import learn_session
from recollect.jobs import consolidate, report
from recollect.jobs.daily_digest import consolidate_profiles, topics
from recollect.jobs.embed import PACK, embed, pack
from recollect.jobs.enrich import enrich
from recollect.jobs.planning import FURTHEST, readable_preset
from recollect.jobs.purge import erase_rest, purge
from recollect.jobs.reflect import reflect
from recollect.jobs.task import SKIPPED, Done, Duty, Task
from recollect.jobs.time_index import TIMES, times
from recollect.kinds import Kind
from recollect.operations.jobs import EMBED
from recollect.operations.space_state import preset_of_space
from recollect.presets.policy import Preset
from recollect.records import Conversation, Space, State
from recollect.storage import lifecycle
from recollect.storage.scrub import ERASE_REST
from recollect.storage.store import Tables
from recollect.storage.tables.jobs import Job

if TYPE_CHECKING:
    from recollect.memory import Memory

T = TypeVar("T")

PAGE = 500
LEFT_BEHIND = timedelta(hours=1)
KEEP_RUNS = timedelta(days=90)
KEEP_DRAFTS = timedelta(days=7)
LARGE = 100 * 1024 * 1024
_ASK_AGAIN = timedelta(days=1)


def settle(memory: Memory, task: Task) -> Done:
    """Turn a conversation into knowledge if it is really over; one that went on is planned again."""
    conversation = memory.store.write(lambda t: _over(t, task))
    if conversation is None:
        return SKIPPED
    task.beat()
    made = memory.sessions.settle_one(conversation, now=task.now, last_try=task.is_last_try)
    if made is None:
        return SKIPPED
    detail = {"writer": made.made_by, **({"model_error": made.problem} if made.problem else {})}
    left_out = {"left_out": made.left_out} if made.left_out else {}
    return Done({"kept": len(made.kept), "documents": made.documents, **left_out}, detail=detail)


def _over(tables: Tables, task: Task) -> Conversation | None:
    """The conversation, ended by now; None when it is not over, or was settled, or lies in a deleted space."""
    conversation = tables.conversations.get(task.job.args["conversation"])
    space = tables.people.space(task.space)
    if conversation is None or space is None or conversation.state == "settled":
        return None
    if space.deleted_at is not None:
        tables.jobs.put(settle_job(conversation, due_at=task.now + _ASK_AGAIN))
        return None
    if conversation.state == "open" and not _end(tables, conversation, space, task=task):
        return None
    return conversation


def _end(tables: Tables, conversation: Conversation, space: Space, *, task: Task) -> bool:
    policy = _preset(space).conversation
    by: str | None = policy.find_ending(conversation, at=task.now, zone_name=space.zone)
    if by is None and conversation.updated_at > task.now + FURTHEST:
        by = "wrong_clock"
    if by is not None:
        return tables.conversations.end(conversation.id, ended_by=by)
    timer = policy.next_ending(updated_at=conversation.updated_at, zone_name=space.zone)
    if timer is not None:
        tables.jobs.put(settle_job(conversation, due_at=timer[0]))
    return False


def resume(memory: Memory, task: Task) -> Done:
    """Conversations that lost their timer, as those of an import do, get it back."""
    lost = memory.store.read(lambda t: _lost_timers(t, now=task.now))
    return Done({"resumed": _in_pages(memory, task, lost, _put_timer)})


def _put_timer(tables: Tables, job: Job) -> bool:
    """Plan a job unless somebody did meanwhile; one for a conversation that was settled meanwhile does nothing."""
    is_lost = tables.jobs.get(job.space, job.key) is None
    if is_lost:
        tables.jobs.put(job)
    return is_lost


def _in_pages(memory: Memory, task: Task, items: Sequence[T], work: Callable[[Tables, T], bool]) -> int:
    """Do this for each of the items, a page of them in a transaction; returns for how many something was done."""
    done = 0
    for start in range(0, len(items), PAGE):
        task.beat()
        done += memory.store.write(partial(_do_page, task, items[start : start + PAGE], work))
    return done


def _do_page(task: Task, items: Sequence[T], work: Callable[[Tables, T], bool], tables: Tables) -> int:
    task.hold(tables)
    return sum(work(tables, item) for item in items)


def _lost_timers(tables: Tables, *, now: datetime) -> list[Job]:
    """The settle jobs that should be there and are not."""
    spaces = [space for space in tables.people.spaces() if space.deleted_at is None]
    policies = {s.name: (preset.conversation, s.zone) for s in spaces if (preset := readable_preset(s)) is not None}
    lost = []
    for conversation in tables.conversations.unsettled(None):
        if conversation.space not in policies:
            continue
        policy, zone_name = policies[conversation.space]
        timer = policy.next_ending(updated_at=conversation.updated_at, zone_name=zone_name)
        due_at = now if conversation.state == "ended" else timer[0] if timer else None
        job = settle_job(conversation, due_at=due_at) if due_at is not None else None
        if job is not None and tables.jobs.get(job.space, job.key) is None:
            lost.append(job)
    return lost


def settle_pending(memory: Memory, task: Task) -> Done:
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
            tables.jobs.put(settle_job(conversation, due_at=task.now))
        return True

    left = memory.store.read(lambda t: [c for c in t.conversations.unsettled(task.space) if is_left(c)])
    planned = _in_pages(memory, task, left, plan)
    return Done({"planned": planned}) if planned else SKIPPED


def expire(memory: Memory, task: Task) -> Done:
    """Mark expired records as expired, in every space."""

    def page(tables: Tables) -> int:
        task.hold(tables)
        return lifecycle.expire(tables, tables.records.expired(now=task.now, limit=PAGE), now=task.now)

    expired = 0
    while memory.store.read(lambda t: t.records.expired(now=task.now, limit=1)):
        expired += memory.store.write(page)
    return Done({"expired": expired})


def fade(memory: Memory, task: Task) -> Done:
    """Time weakens records of the kinds whose confidence fades; too weak ones are excluded from search."""
    space = memory.store.read(lambda t: t.people.space(task.space))
    kinds = {n: k for n, k in _preset(space).kinds.items() if k.fading == "confidence"} if space else {}
    if not kinds:
        return SKIPPED
    weakened, hidden, after = 0, 0, 0
    while states := _fade_page(memory, task, kinds, after=after):
        after = max(states)
        weakened += len(states)
        hidden += list(states.values()).count("faded")
    return Done({"weakened": weakened, "hidden": hidden})


def _fade_page(memory: Memory, task: Task, kinds: Mapping[str, Kind], *, after: int) -> dict[int, State]:
    """The next page of records after a place, each with the state that fading left it in."""

    def work(tables: Tables) -> dict[int, State]:
        task.hold(tables)
        page = tables.records.fading(task.space, kinds, after=after, limit=PAGE)
        return {seq: lifecycle.fade(tables, record, kinds[record.kind], now=task.now) for seq, record in page}

    return memory.store.write(work)


def backup(memory: Memory, task: Task) -> Done:
    """The next of the rolling copies; a memory that is not in a file has none."""
    if not Path(memory.store.place).is_file():
        return SKIPPED
    task.beat()
    return Done({"bytes": memory.storage.backup().stat().st_size})


def upkeep(memory: Memory, task: Task) -> Done:
    """Old runs go, and answers of models that nobody came back for; a large store gives back its empty room."""
    trimmed = memory.store.write(lambda t: t.jobs.trim_runs(before=task.now - KEEP_RUNS))
    memory.store.write(lambda t: t.ledger.trim(before=task.now - KEEP_DRAFTS))
    expired = memory.audit.expire(now=task.now)
    if memory.store.size() > LARGE:
        memory.store.compact()
    return Done({"trimmed": trimmed, "audit entries expired": expired})


def _preset(space: Space) -> Preset:
    return preset_of_space(space)[0]


DUTIES: Mapping[str, Duty] = {
    SETTLE: Duty(run=settle),
    "settle_pending": Duty(run=settle_pending),
    "resume": Duty(run=resume, whole_store=True, at_start=True),
    "expire": Duty(run=expire, whole_store=True, at_start=True),
    "topics": Duty(run=topics),
    "consolidate_profiles": Duty(run=consolidate_profiles),
    "consolidate": Duty(run=consolidate.consolidate, idle=consolidate.idle),
    "reflect": Duty(run=reflect),
    "enrich": Duty(run=enrich),
    "fade": Duty(run=fade),
    "purge": Duty(run=purge, for_deleted=True),
    ERASE_REST: Duty(run=erase_rest, whole_store=True),
    EMBED: Duty(run=embed, whole_store=True, needs_embedder=True),
    PACK: Duty(run=pack, whole_store=True, needs_embedder=True),
    TIMES: Duty(run=times, whole_store=True),
    "backup": Duty(run=backup, whole_store=True),
    "upkeep": Duty(run=upkeep, whole_store=True),
    "learn_session": Duty(run=learn_session),
    "report_week": Duty(run=report.weekly, idle=report.idle_week),
    "report_month": Duty(run=report.monthly, idle=report.idle_month),
}
