"""What models were paid for: answers whose result is not in the store yet, and the count of calls, tokens and cost."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from toldonce.clock import to_micros
from toldonce.storage.rows import Rows

_DAY = timedelta(days=1) // timedelta(microseconds=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What one task asked of one model in a space.

    `refused` answers were paid for and could not be used. `cost` is in millionths; `unpriced` calls are not in it.
    """

    space: str
    task: str
    model: str
    calls: int = 0
    refused: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: int = 0
    unpriced: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodCost:
    """What models cost in a day or a month (UTC), and how many conversations they read in it.

    `period` is written as 2026-03-02 or 2026-03. `cost` is in millionths; `unpriced` calls are not in it.
    """

    period: str
    conversations: int = 0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: int = 0
    unpriced: int = 0

    @property
    def cost_per_conversation(self) -> float:
        """What a conversation cost on average, in millionths, with everything that was asked beside it."""
        return self.cost / self.conversations if self.conversations else 0.0

    def __add__(self, other: PeriodCost) -> PeriodCost:
        names = ("conversations", "calls", "input_tokens", "output_tokens", "cost", "unpriced")
        added = {name: getattr(self, name) + getattr(other, name) for name in names}
        return PeriodCost(period=self.period, **added)


class LedgerTable:
    """Paid answers by what was asked, and the books."""

    __slots__ = ("_rows", "_tenant")

    def __init__(self, rows: Rows, tenant: str) -> None:
        self._rows = rows
        self._tenant = tenant

    def find_answer(self, space: str, key: str) -> str | None:
        """The answer that was paid for before, if its result is not in the store yet."""
        row = self._rows.one("get_draft", tenant=self._tenant, space=space, key=key)
        return str(row[0]) if row else None

    def put(self, space: str, key: str, answer: str, *, at: datetime) -> None:
        """Keep an answer until `drop`."""
        self._rows.run("put_draft", tenant=self._tenant, space=space, key=key, answer=answer, at=to_micros(at))

    def drop(self, space: str, keys: Iterable[str]) -> int:
        """Drop answers whose result is in the store; returns their number."""
        return self._rows.run("drop_drafts", tenant=self._tenant, space=space, keys=json.dumps(list(keys)))

    def trim(self, *, before: datetime) -> int:
        """Drop unused answers from before a moment."""
        return self._rows.run("trim_drafts", tenant=self._tenant, before=to_micros(before))

    def count(self, usage: Usage, *, at: datetime) -> None:
        """Add to the books of a day."""
        self._rows.run(
            "add_usage",
            tenant=self._tenant,
            space=usage.space,
            task=usage.task,
            model=usage.model,
            day=_day_number(at),
            calls=usage.calls,
            refused=usage.refused,
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cost=usage.cost,
            unpriced=usage.unpriced,
        )

    def usage(self, space: str | None = None, *, since: datetime | None = None) -> list[Usage]:
        """The books per space, task and model, from the day of `since` on."""
        day = None if since is None else _day_number(since)
        rows = self._rows.all("list_usage", tenant=self._tenant, space=space, since=day)
        return [
            Usage(
                space=r[0],
                task=r[1],
                model=r[2],
                calls=r[3],
                refused=r[4],
                input_tokens=r[5],
                output_tokens=r[6],
                cost=r[7],
                unpriced=r[8],
            )
            for r in rows
        ]

    def usage_by_day(
        self, reading: str, space: str | None = None, *, since: datetime | None = None
    ) -> list[PeriodCost]:
        """The books of each day, oldest first; an answer to the task `reading` is a conversation that was read."""
        day = None if since is None else _day_number(since)
        rows = self._rows.all("list_usage_by_day", tenant=self._tenant, reading=reading, space=space, since=day)
        return [
            PeriodCost(
                period=f"{_EPOCH + timedelta(days=r[0]):%Y-%m-%d}",
                conversations=r[1],
                calls=r[2],
                input_tokens=r[3],
                output_tokens=r[4],
                cost=r[5],
                unpriced=r[6],
            )
            for r in rows
        ]


def _day_number(at: datetime) -> int:
    return to_micros(at) // _DAY
