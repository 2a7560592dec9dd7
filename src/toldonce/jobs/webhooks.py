"""Sends what happened to webhooks, one delivery after the other in order; what was taken is written down at once.

A worker that is killed between the two sends the last delivery again, with the same id.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from toldonce.errors import WebhookError
from toldonce.jobs.schedule import FIRST_RETRY
from toldonce.jobs.task import SKIPPED, JobResult, LeasedJob
from toldonce.operations.webhook_deliveries import (
    DeliveryPage,
    PendingDelivery,
    find_undelivered,
    plan_delivery,
    read_deliveries,
)
from toldonce.storage.store import Tables
from toldonce.storage.tables.events import EventPlace
from toldonce.storage.tables.jobs import RunStatus

if TYPE_CHECKING:
    from toldonce.memory import Memory

BUDGET = timedelta(minutes=1)
GONE = 410


def lacks_deliveries(tables: Tables) -> bool:
    """Whether something happened that a webhook waits for, and nothing is planned for it yet."""
    return next(find_undelivered(tables), None) is not None


def plan_deliveries(tables: Tables, *, now: datetime) -> None:
    """Plan a job for each webhook for which something happened."""
    for webhook_id in list(find_undelivered(tables)):
        plan_delivery(tables, webhook_id, due_at=now)


def run_webhook(memory: Memory, task: LeasedJob) -> JobResult:
    """Send a webhook what happened since the last time, until all is sent, it fails or the time is used up."""
    webhook_id: str = task.job.args["webhook"]
    sending = _Sending(memory, task)
    while (page := memory.store.read(lambda t: read_deliveries(t, webhook_id))) is not None:
        for pending in page.deliveries:
            if not sending.send(page, pending):
                return sending.result("partial")
            if task.elapsed >= BUDGET:
                sending.plan_again(webhook_id, task.now)
                return sending.result("partial")
        sending.finish(page)
        if not page.has_more:
            break
    return sending.result("completed") if sending.counts else SKIPPED


class _Sending:
    """The deliveries of one run."""

    def __init__(self, memory: Memory, task: LeasedJob) -> None:
        self._memory = memory
        self._task = task
        self.counts: Counter[str] = Counter()

    def result(self, status: RunStatus) -> JobResult:
        """What this run did."""
        return JobResult(self.counts, status)

    def send(self, page: DeliveryPage, pending: PendingDelivery) -> bool:
        """Send one delivery; False when this run is over. Raises when nothing was sent and it is to be tried again."""
        from toldonce.operations.webhook_sending import send_delivery

        self._task.check_lease()
        webhook = page.stored.webhook
        try:
            now = self._memory.clock()
            send_delivery(webhook.url, page.stored.secret, pending.delivery, private=webhook.private, now=now)
        except WebhookError as problem:
            return self._note_failure(page, pending, problem)
        self._write(webhook.id, pending.place, delivered=1)
        self.counts["delivered"] += 1
        return True

    def finish(self, page: DeliveryPage) -> None:
        """Write down that all of a page is done."""
        self._write(page.stored.webhook.id, page.place)

    def plan_again(self, webhook_id: str, due_at: datetime) -> None:
        """Go on later; a job that runs is planned again when it ends, with all its attempts."""
        self._memory.store.write(lambda t: plan_delivery(t, webhook_id, due_at=due_at))

    def _note_failure(self, page: DeliveryPage, pending: PendingDelivery, problem: WebhookError) -> bool:
        webhook_id, at = page.stored.webhook.id, self._memory.clock()
        if problem.status == GONE:
            self._memory.store.write(lambda t: t.webhooks.end(webhook_id, at=at, last_error=str(problem)))
            return False
        if self._task.is_last_try and not self.counts:
            self._write(webhook_id, pending.place, dropped=1, last_error=str(problem))
            self.counts["dropped"] += 1
        else:
            self._write(webhook_id, None, last_error=str(problem))
            if not self.counts:
                raise problem
        self.plan_again(webhook_id, self._task.now + FIRST_RETRY)
        return False

    def _write(
        self, webhook_id: str, place: EventPlace | None, *, delivered: int = 0, dropped: int = 0, last_error: str = ""
    ) -> None:
        def work(tables: Tables) -> None:
            self._task.check_lease_in_transaction(tables)
            for stored in tables.webhooks.all(webhook_id):
                tables.webhooks.move(
                    webhook_id,
                    place or stored.place,
                    at=self._memory.clock(),
                    delivered=delivered,
                    dropped=dropped,
                    last_error=last_error,
                )

        self._memory.store.write(work)
