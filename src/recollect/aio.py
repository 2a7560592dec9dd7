"""AsyncMemory: the same operations for asyncio, one hop to a thread per operation, and no logic of its own."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from recollect.memory import Memory
from recollect.operations.audit import Audit
from recollect.operations.documents import Documents
from recollect.operations.jobs import Jobs
from recollect.operations.people import People
from recollect.operations.review import Review
from recollect.operations.sessions import Sessions
from recollect.operations.spaces import Spaces
from recollect.operations.transfer import Storage

G = TypeVar("G")
P = ParamSpec("P")
T = TypeVar("T")


class _Awaited(Generic[G]):
    """Holds what works synchronously."""

    def __init__(self, sync: G) -> None:
        self._sync = sync


def _hop(
    operation: Callable[Concatenate[G, P], T],
) -> Callable[Concatenate[_Awaited[G], P], Coroutine[Any, Any, T]]:
    @functools.wraps(operation)
    async def hopped(self: _Awaited[G], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(operation, self._sync, *args, **kwargs)

    return hopped


class AsyncPeople(_Awaited[People]):
    """`memory.people`, awaited."""

    all = _hop(People.all)
    update = _hop(People.update)
    block = _hop(People.block)
    is_kept_out = _hop(People.is_kept_out)


class AsyncSpaces(_Awaited[Spaces]):
    """`memory.spaces`, awaited."""

    add = _hop(Spaces.add)
    all = _hop(Spaces.all)
    preset = _hop(Spaces.preset)
    switch = _hop(Spaces.switch)
    delete = _hop(Spaces.delete)
    restore = _hop(Spaces.restore)
    why_off = _hop(Spaces.why_off)
    quota = _hop(Spaces.quota)
    set_quota = _hop(Spaces.set_quota)


class AsyncDocuments(_Awaited[Documents]):
    """`memory.documents`, awaited."""

    get = _hop(Documents.get)
    change = _hop(Documents.change)
    forget_line = _hop(Documents.forget_line)


class AsyncReview(_Awaited[Review]):
    """`memory.review`, awaited."""

    propose = _hop(Review.propose)
    waiting = _hop(Review.waiting)
    records = _hop(Review.records)
    supersede = _hop(Review.supersede)


class AsyncSessions(_Awaited[Sessions]):
    """`memory.sessions`, awaited."""

    window = _hop(Sessions.window)
    shown = _hop(Sessions.shown)
    mark_shown = _hop(Sessions.mark_shown)
    unsettled = _hop(Sessions.unsettled)
    mark_settled = _hop(Sessions.mark_settled)
    settle_each = _hop(Sessions.settle_each)
    settle_one = _hop(Sessions.settle_one)


class AsyncJobs(_Awaited[Jobs]):
    """`memory.jobs`, awaited."""

    all = _hop(Jobs.all)
    runs = _hop(Jobs.runs)
    usage = _hop(Jobs.usage)
    reembed = _hop(Jobs.reembed)
    refused_vectors = _hop(Jobs.refused_vectors)


class AsyncAudit(_Awaited[Audit]):
    """`memory.audit`, awaited."""

    entries = _hop(Audit.entries)
    verify = _hop(Audit.verify)
    keep_days = _hop(Audit.keep_days)
    expire = _hop(Audit.expire)
    record_key_change = _hop(Audit.record_key_change)


class AsyncStorage(_Awaited[Storage]):
    """`memory.storage`, awaited."""

    backup = _hop(Storage.backup)
    check = _hop(Storage.check)


class AsyncMemory(_Awaited[Memory]):
    """A `Memory` whose operations are awaited."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(memory)
        self.memory = memory
        self.people = AsyncPeople(memory.people)
        self.spaces = AsyncSpaces(memory.spaces)
        self.documents = AsyncDocuments(memory.documents)
        self.review = AsyncReview(memory.review)
        self.sessions = AsyncSessions(memory.sessions)
        self.jobs = AsyncJobs(memory.jobs)
        self.audit = AsyncAudit(memory.audit)
        self.storage = AsyncStorage(memory.storage)

    @classmethod
    async def open(cls, *args: Any, **kwargs: Any) -> AsyncMemory:
        """The memory at a path; takes what `Memory.open` takes."""
        return cls(await asyncio.to_thread(Memory.open, *args, **kwargs))

    async def __aenter__(self) -> AsyncMemory:
        return self

    async def __aexit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        await self.close()

    observe = _hop(Memory.observe)
    observe_many = _hop(Memory.observe_many)
    remember = _hop(Memory.remember)
    settle = _hop(Memory.settle)
    recall = _hop(Memory.recall)
    why_not = _hop(Memory.why_not)
    context = _hop(Memory.context)
    get = _hop(Memory.get)
    history = _hop(Memory.history)
    confirm = _hop(Memory.confirm)
    correct = _hop(Memory.correct)
    flag = _hop(Memory.flag)
    pin = _hop(Memory.pin)
    forget = _hop(Memory.forget)
    restore = _hop(Memory.restore)
    purge = _hop(Memory.purge)
    erase = _hop(Memory.erase)
    questions = _hop(Memory.questions)
    answer = _hop(Memory.answer)
    profile = _hop(Memory.profile)
    entity = _hop(Memory.entity)
    timeline = _hop(Memory.timeline)
    report = _hop(Memory.report)
    stats = _hop(Memory.stats)
    tend = _hop(Memory.tend)
    export = _hop(Memory.export)
    import_ = _hop(Memory.import_)
    close = _hop(Memory.close)
