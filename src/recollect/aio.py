"""AsyncMemory: the same operations for asyncio, one hop to a thread per operation, and no logic of its own."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, TypeVar

from recollect.memory import Memory

P = ParamSpec("P")
T = TypeVar("T")


def _hop(
    operation: Callable[Concatenate[Memory, P], T],
) -> Callable[Concatenate[AsyncMemory, P], Coroutine[Any, Any, T]]:
    @functools.wraps(operation)
    async def hopped(self: AsyncMemory, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(operation, self.memory, *args, **kwargs)

    return hopped


class AsyncMemory:
    """A `Memory` whose operations are awaited."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

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
    settle_conversation = _hop(Memory.settle_conversation)
    writer_for = _hop(Memory.writer_for)
    remember_all = _hop(Memory.remember_all)
    recall = _hop(Memory.recall)
    why_not = _hop(Memory.why_not)
    context = _hop(Memory.context)
    window = _hop(Memory.window)
    get = _hop(Memory.get)
    confirm = _hop(Memory.confirm)
    correct = _hop(Memory.correct)
    flag = _hop(Memory.flag)
    pin = _hop(Memory.pin)
    forget = _hop(Memory.forget)
    restore = _hop(Memory.restore)
    review = _hop(Memory.review)
    history = _hop(Memory.history)
    purge = _hop(Memory.purge)
    erase = _hop(Memory.erase)
    profile = _hop(Memory.profile)
    forget_profile = _hop(Memory.forget_profile)
    entity = _hop(Memory.entity)
    records = _hop(Memory.records)
    is_kept_out = _hop(Memory.is_kept_out)
    why_off = _hop(Memory.why_off)
    document = _hop(Memory.document)
    change_document = _hop(Memory.change_document)
    unsettled = _hop(Memory.unsettled)
    mark_settled = _hop(Memory.mark_settled)
    outdate = _hop(Memory.outdate)
    questions = _hop(Memory.questions)
    answer = _hop(Memory.answer)
    timeline = _hop(Memory.timeline)
    report = _hop(Memory.report)
    stats = _hop(Memory.stats)
    audit = _hop(Memory.audit)
    verify_audit = _hop(Memory.verify_audit)
    record_key_change = _hop(Memory.record_key_change)
    keep_audit = _hop(Memory.keep_audit)
    expire_audit = _hop(Memory.expire_audit)
    quota = _hop(Memory.quota)
    set_quota = _hop(Memory.set_quota)
    refused = _hop(Memory.refused)
    add_space = _hop(Memory.add_space)
    spaces = _hop(Memory.spaces)
    switch = _hop(Memory.switch)
    delete_space = _hop(Memory.delete_space)
    restore_space = _hop(Memory.restore_space)
    preset_in = _hop(Memory.preset_in)
    people = _hop(Memory.people)
    set_person = _hop(Memory.set_person)
    block = _hop(Memory.block)
    shown = _hop(Memory.shown)
    mark_shown = _hop(Memory.mark_shown)
    tend = _hop(Memory.tend)
    reembed = _hop(Memory.reembed)
    jobs = _hop(Memory.jobs)
    runs = _hop(Memory.runs)
    usage = _hop(Memory.usage)
    backup = _hop(Memory.backup)
    check = _hop(Memory.check)
    export = _hop(Memory.export)
    import_ = _hop(Memory.import_)
    close = _hop(Memory.close)
