"""What webhooks are to be sent: read from the events of the store, and planned as jobs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from toldonce.operations.event_log import StoredEvent, is_past_events, read_event_page
from toldonce.operations.webhooks import WEBHOOK, delivery_job_key
from toldonce.storage.store import Tables
from toldonce.storage.tables.events import EventPlace
from toldonce.storage.tables.jobs import Job
from toldonce.storage.tables.webhooks import StoredWebhook, Webhook

# An event is tried for about a day: after 30 s, then four times as long each time, an hour at most.
_MAX_ATTEMPTS = 28
_TIMEOUT = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Delivery:
    """What is sent: the id stays the same when it is sent again, so that receivers can drop what they have."""

    id: str
    type: str
    at: datetime
    data: Mapping[str, Any]

    def write(self) -> bytes:
        """The body."""
        sent = {"type": self.type, "timestamp": self.at.isoformat(), "data": dict(self.data)}
        return json.dumps(sent, ensure_ascii=False).encode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class PendingDelivery:
    """A delivery that is to be sent, and the place after it."""

    delivery: Delivery
    place: EventPlace


@dataclass(frozen=True, slots=True)
class DeliveryPage:
    """The next deliveries of a webhook, the place after them all, and whether more follow."""

    stored: StoredWebhook
    deliveries: tuple[PendingDelivery, ...]
    place: EventPlace
    has_more: bool


def find_undelivered(tables: Tables) -> Iterator[str]:
    """The ids of webhooks for which something happened, and no job is planned yet."""
    for stored in tables.webhooks.all():
        is_planned = (
            stored.webhook.ended_at is not None or tables.jobs.get("", delivery_job_key(stored.webhook.id)) is not None
        )
        if not is_planned and not is_past_events(tables, stored.place, stored.webhook.events, own_job=WEBHOOK):
            yield stored.webhook.id


def plan_delivery(tables: Tables, webhook_id: str, *, due_at: datetime) -> None:
    """Plan the job that sends what happened."""
    tables.jobs.put(
        Job(
            space="",
            key=delivery_job_key(webhook_id),
            name=WEBHOOK,
            args={"webhook": webhook_id},
            due_at=due_at,
            max_attempts=_MAX_ATTEMPTS,
            timeout=_TIMEOUT,
        )
    )


def read_deliveries(tables: Tables, webhook_id: str) -> DeliveryPage | None:
    """What a webhook is to be sent next; None when it was removed or has ended."""
    for stored in tables.webhooks.all(webhook_id):
        if stored.webhook.ended_at is not None:
            return None
        page = read_event_page(tables, stored.place, names=stored.webhook.events)
        # Its own deliveries are jobs too, and would never end.
        wanted = [one for one in page.events if one.event.topic != "job" or one.event.id != WEBHOOK]
        made = tuple(PendingDelivery(_make_delivery(stored.webhook, one), one.place) for one in wanted)
        return DeliveryPage(stored, made, page.place, page.has_more)
    return None


def _make_delivery(webhook: Webhook, stored: StoredEvent) -> Delivery:
    event = stored.event
    data = event.plain()
    # Of what a move takes along, so that it stays the same where the memory went.
    named = json.dumps([webhook.id, stored.key, event.name, data], sort_keys=True)
    if webhook.with_text and stored.record is not None and stored.record.state == "active":
        data["text"] = stored.record.text
    return Delivery(f"evt_{hashlib.sha256(named.encode()).hexdigest()[:32]}", event.name, event.at, data)
