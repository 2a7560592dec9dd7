"""AsyncMemory: the same operations for asyncio, one hop to a thread per operation, and no logic of its own."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from toldonce.memory import Memory
from toldonce.operations.audit import Audit
from toldonce.operations.documents import Documents
from toldonce.operations.events import Callback, Event, Subscription
from toldonce.operations.jobs import Jobs
from toldonce.operations.journals import Journals
from toldonce.operations.keys import Keys
from toldonce.operations.people import People
from toldonce.operations.review import Review
from toldonce.operations.sealed import Sealed
from toldonce.operations.sessions import Sessions
from toldonce.operations.spaces import Spaces
from toldonce.operations.team import Team
from toldonce.operations.transfer import Storage
from toldonce.operations.webhooks import Webhooks

G = TypeVar("G")
P = ParamSpec("P")
T = TypeVar("T")


class _Awaited(Generic[G]):
    """Holds what works synchronously."""

    def __init__(self, sync: G) -> None:
        self._sync = sync


def _hop_to_thread(
    operation: Callable[Concatenate[G, P], T],
) -> Callable[Concatenate[_Awaited[G], P], Coroutine[Any, Any, T]]:
    @functools.wraps(operation)
    async def hopped(self: _Awaited[G], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(getattr(self._sync, operation.__name__), *args, **kwargs)

    return hopped


_running: set[asyncio.Future[Any]] = set()


def _call_back(callback: Callback, event: Event) -> None:
    """Call it in the loop; what a coroutine raises is logged by the loop, as for any task."""
    made = callback(event)
    if inspect.isawaitable(made):
        # The loop itself holds tasks weakly.
        task = asyncio.ensure_future(made)
        _running.add(task)
        task.add_done_callback(_running.discard)


class AsyncPeople(_Awaited[People]):
    """`memory.people`, awaited."""

    all = _hop_to_thread(People.all)
    update = _hop_to_thread(People.update)
    block = _hop_to_thread(People.block)
    is_kept_out = _hop_to_thread(People.is_kept_out)
    consents = _hop_to_thread(People.consents)
    set_consent = _hop_to_thread(People.set_consent)
    members = _hop_to_thread(People.members)
    add_member = _hop_to_thread(People.add_member)
    remove_member = _hop_to_thread(People.remove_member)


class AsyncSpaces(_Awaited[Spaces]):
    """`memory.spaces`, awaited."""

    add = _hop_to_thread(Spaces.add)
    all = _hop_to_thread(Spaces.all)
    preset = _hop_to_thread(Spaces.preset)
    switch = _hop_to_thread(Spaces.switch)
    delete = _hop_to_thread(Spaces.delete)
    restore = _hop_to_thread(Spaces.restore)
    why_off = _hop_to_thread(Spaces.why_off)
    quota = _hop_to_thread(Spaces.quota)
    set_quota = _hop_to_thread(Spaces.set_quota)
    tenant_quota = _hop_to_thread(Spaces.tenant_quota)
    set_tenant_quota = _hop_to_thread(Spaces.set_tenant_quota)


class AsyncDocuments(_Awaited[Documents]):
    """`memory.documents`, awaited."""

    all = _hop_to_thread(Documents.all)
    remove = _hop_to_thread(Documents.remove)
    get = _hop_to_thread(Documents.get)
    change = _hop_to_thread(Documents.change)
    forget_line = _hop_to_thread(Documents.forget_line)


class AsyncReview(_Awaited[Review]):
    """`memory.review`, awaited."""

    propose = _hop_to_thread(Review.propose)
    waiting = _hop_to_thread(Review.waiting)
    records = _hop_to_thread(Review.records)
    count = _hop_to_thread(Review.count)
    entities = _hop_to_thread(Review.entities)
    share = _hop_to_thread(Review.share)
    activity = _hop_to_thread(Review.activity)
    supersede = _hop_to_thread(Review.supersede)


class AsyncSessions(_Awaited[Sessions]):
    """`memory.sessions`, awaited."""

    window = _hop_to_thread(Sessions.window)
    around = _hop_to_thread(Sessions.around)
    shown = _hop_to_thread(Sessions.shown)
    mark_shown = _hop_to_thread(Sessions.mark_shown)
    unsettled = _hop_to_thread(Sessions.unsettled)
    mark_settled = _hop_to_thread(Sessions.mark_settled)
    settle_each = _hop_to_thread(Sessions.settle_each)
    settle_one = _hop_to_thread(Sessions.settle_one)


class AsyncJobs(_Awaited[Jobs]):
    """`memory.jobs`, awaited."""

    all = _hop_to_thread(Jobs.all)
    runs = _hop_to_thread(Jobs.runs)
    usage = _hop_to_thread(Jobs.usage)
    costs = _hop_to_thread(Jobs.costs)
    reembed = _hop_to_thread(Jobs.reembed)
    refused_vectors = _hop_to_thread(Jobs.refused_vectors)


class AsyncAudit(_Awaited[Audit]):
    """`memory.audit`, awaited."""

    entries = _hop_to_thread(Audit.entries)
    verify = _hop_to_thread(Audit.verify)
    keep_days = _hop_to_thread(Audit.keep_days)
    expire = _hop_to_thread(Audit.expire)
    record_key_change = _hop_to_thread(Audit.record_key_change)


class AsyncJournals(_Awaited[Journals]):
    """`memory.journals`, awaited."""

    write = _hop_to_thread(Journals.write)
    notes = _hop_to_thread(Journals.notes)
    forget = _hop_to_thread(Journals.forget)


class AsyncKeys(_Awaited[Keys]):
    """`memory.keys`, awaited."""

    add = _hop_to_thread(Keys.add)
    all = _hop_to_thread(Keys.all)
    rotate = _hop_to_thread(Keys.rotate)
    revoke = _hop_to_thread(Keys.revoke)
    identify = _hop_to_thread(Keys.identify)


class AsyncSealed(_Awaited[Sealed]):
    """`memory.sealed`, awaited."""

    put = _hop_to_thread(Sealed.put)
    search = _hop_to_thread(Sealed.search)
    get = _hop_to_thread(Sealed.get)
    all = _hop_to_thread(Sealed.all)
    count = _hop_to_thread(Sealed.count)
    delete = _hop_to_thread(Sealed.delete)


class AsyncTeam(_Awaited[Team]):
    """`memory.team`, awaited."""

    search = _hop_to_thread(Team.search)
    figures = _hop_to_thread(Team.figures)


class AsyncStorage(_Awaited[Storage]):
    """`memory.storage`, awaited."""

    backup = _hop_to_thread(Storage.backup)
    backups = _hop_to_thread(Storage.backups)
    check = _hop_to_thread(Storage.check)


class AsyncWebhooks(_Awaited[Webhooks]):
    """`memory.webhooks`, awaited."""

    add = _hop_to_thread(Webhooks.add)
    all = _hop_to_thread(Webhooks.all)
    remove = _hop_to_thread(Webhooks.remove)
    test = _hop_to_thread(Webhooks.test)


class AsyncMemory(_Awaited[Memory]):
    """A `Memory` whose operations are awaited."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(memory)
        self.memory = memory
        self.people = AsyncPeople(memory.people)
        self.spaces = AsyncSpaces(memory.spaces)
        self.documents = AsyncDocuments(memory.documents)
        self.review = AsyncReview(memory.review)
        self.journals = AsyncJournals(memory.journals)
        self.sealed = AsyncSealed(memory.sealed)
        self.team = AsyncTeam(memory.team)
        self.sessions = AsyncSessions(memory.sessions)
        self.jobs = AsyncJobs(memory.jobs)
        self.audit = AsyncAudit(memory.audit)
        self.keys = AsyncKeys(memory.keys)
        self.storage = AsyncStorage(memory.storage)
        self.webhooks = AsyncWebhooks(memory.webhooks)

    @classmethod
    async def open(cls, *args: Any, **kwargs: Any) -> AsyncMemory:
        """The memory at a path; takes what `Memory.open` takes."""
        return cls(await asyncio.to_thread(Memory.open, *args, **kwargs))

    async def __aenter__(self) -> AsyncMemory:
        return self

    async def __aexit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        await self.close()

    @functools.wraps(Memory.on)
    async def on(self, event: str, callback: Callback) -> Subscription:
        loop = asyncio.get_running_loop()
        return self._sync.on(event, lambda happened: loop.call_soon_threadsafe(_call_back, callback, happened))

    observe = _hop_to_thread(Memory.observe)
    observe_many = _hop_to_thread(Memory.observe_many)
    remember = _hop_to_thread(Memory.remember)
    settle = _hop_to_thread(Memory.settle)
    recall = _hop_to_thread(Memory.recall)
    why_not = _hop_to_thread(Memory.why_not)
    context = _hop_to_thread(Memory.context)
    get = _hop_to_thread(Memory.get)
    history = _hop_to_thread(Memory.history)
    confirm = _hop_to_thread(Memory.confirm)
    correct = _hop_to_thread(Memory.correct)
    flag = _hop_to_thread(Memory.flag)
    pin = _hop_to_thread(Memory.pin)
    forget = _hop_to_thread(Memory.forget)
    restore = _hop_to_thread(Memory.restore)
    purge = _hop_to_thread(Memory.purge)
    erase = _hop_to_thread(Memory.erase)
    questions = _hop_to_thread(Memory.questions)
    answer = _hop_to_thread(Memory.answer)
    profile = _hop_to_thread(Memory.profile)
    entity = _hop_to_thread(Memory.entity)
    timeline = _hop_to_thread(Memory.timeline)
    report = _hop_to_thread(Memory.report)
    stats = _hop_to_thread(Memory.stats)
    tend = _hop_to_thread(Memory.tend)
    export = _hop_to_thread(Memory.export)
    import_ = _hop_to_thread(Memory.import_)
    close = _hop_to_thread(Memory.close)
