"""The books of what models were paid for: an answer is kept by what was asked until its result is in the store.

A crash between the two finds the answer again instead of paying twice. No transaction is open while a model is asked.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta

from toldonce.clock import Clock
from toldonce.distil.tiers import Budget, Price
from toldonce.errors import BudgetSpent
from toldonce.models.chat import ChatMessage, Reply
from toldonce.storage.store import Store, Tables
from toldonce.storage.tables.usage import Usage


class Ledger:
    """What one piece of work in a space asks of models."""

    def __init__(self, store: Store, space: str, *, clock: Clock) -> None:
        self._store = store
        self._space = space
        self._clock = clock
        self._keys: list[str] = []
        self._purges = store.read(lambda t: t.purge.count_purges(space))

    @property
    def is_stale(self) -> bool:
        """Whether something was destroyed in the space since this work began, so that answers may still mention it."""
        return self._store.read(lambda t: t.purge.count_purges(self._space)) != self._purges

    def find(self, key: str) -> str | None:
        """The answer that was paid for before, when work was cut short."""
        found = self._store.read(lambda t: t.ledger.find_answer(self._space, key))
        if found is not None:
            self._keys.append(key)
        return found

    def check_budget(self, budget: Budget | None) -> None:
        """Raise BudgetSpent when today (UTC) has used up the writer's budget or what models may cost this tenant."""
        now = self._clock().astimezone(UTC)
        midnight = datetime.combine(now.date(), time.min, tzinfo=UTC)

        def ask(tables: Tables) -> tuple[float, list[Usage]]:
            limit = tables.amounts.tenant_quota().model_cost_per_day
            return limit, tables.ledger.usage(since=midnight) if limit or budget else []

        limit, used = self._store.read(ask)
        cost, tokens = sum(u.cost for u in used), sum(u.input_tokens + u.output_tokens for u in used)
        if limit and cost >= limit * 1_000_000:
            text, remedy = f"{limit:g} for the tenant", "the quota with `toldonce quota --model-cost-per-day`"
        elif budget is not None and budget.is_reached(cost=cost, tokens=tokens):
            text, remedy = budget.text, "writer_budget"
        else:
            return
        raise BudgetSpent(
            f"today's budget for models ({text}) is spent: the work waits until midnight UTC, or raise {remedy}",
            retry_after_s=(midnight + timedelta(days=1) - now).total_seconds(),
        )

    def record_usage(
        self, key: str, answer: str | None, *, task: str, model: str, paid: Sequence[Reply], price: Price | None
    ) -> None:
        """Count what was paid, and keep the answer if there is a good one and nothing was destroyed meanwhile."""
        usage = _build_usage(self._space, task, model, paid, price=price, good=answer is not None)
        at = self._clock()

        def work(tables: Tables) -> None:
            tables.ledger.count(usage, at=at)
            if answer is not None and tables.purge.count_purges(self._space) == self._purges:
                tables.ledger.put(self._space, key, answer, at=at)
                self._keys.append(key)

        self._store.write(work)

    def stored(self, tables: Tables) -> None:
        """Drop this work's answers, in the transaction that stores the results."""
        if self._keys:
            tables.ledger.drop(self._space, self._keys)


def draft_key(task: str, version: str, model: str, turns: Sequence[ChatMessage]) -> str:
    """The name of an answer: everything it depends on."""
    asked = json.dumps([task, version, model, [[t.role, t.text] for t in turns]])
    return hashlib.sha256(asked.encode()).hexdigest()


def _build_usage(space: str, task: str, model: str, paid: Sequence[Reply], *, price: Price | None, good: bool) -> Usage:
    read, written = sum(r.input_tokens for r in paid), sum(r.output_tokens for r in paid)
    cached = sum(min(r.cached_tokens, r.input_tokens) for r in paid)
    return Usage(
        space=space,
        task=task,
        model=model,
        calls=len(paid),
        refused=len(paid) - good,
        input_tokens=read,
        output_tokens=written,
        cost=price.cost_in_millionths(read, written, cached_tokens=cached) if price else 0,
        unpriced=0 if price else len(paid),
    )
