"""`memory.webhooks`: addresses that are sent what happens. A job delivers; events are read from the store itself."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from recollect.capture.fields import check_flags, check_lists, check_names
from recollect.errors import InputError, NotAllowed, WebhookError
from recollect.operations.engine import Engine
from recollect.operations.events import StoredEvent, check_event_names, is_past_events, read_event_page
from recollect.records import new_id
from recollect.storage.store import Tables
from recollect.storage.tables.events import EventPlace
from recollect.storage.tables.jobs import Job
from recollect.storage.tables.webhooks import StoredWebhook, Webhook

WEBHOOK = "webhook"
# An event is tried for about a day: after 30 s, then four times as long each time, an hour at most.
_MAX_ATTEMPTS = 28
_TIMEOUT = timedelta(minutes=10)
_MOST_WEBHOOKS = 50


@dataclass(frozen=True, slots=True)
class NewWebhook:
    """A webhook with the secret that signs its deliveries, which is shown once."""

    webhook: Webhook
    secret: str


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


class Webhooks:
    """Add, list, test and remove webhooks."""

    # A server sets it to what its settings allow.
    is_private_allowed = True

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(
        self,
        url: str,
        *,
        events: Sequence[str] = ("session_completed",),
        with_text: bool = False,
        private: bool = False,
    ) -> NewWebhook:
        """Have events sent to an https address from now on; returns the secret that signs them, which is shown once.

        Deliveries have ids, states and counts; `with_text` adds the text of records. `private` allows addresses of this
        machine and its own network, by plain http too. Deliveries are tried again for about a day.
        """
        from recollect.operations.webhook_sending import find_addresses, make_secret, read_target

        now = self._engine.clock()
        check_names(url=url)
        check_lists(events=events)
        check_flags(with_text=with_text, private=private)
        if not events:
            raise InputError("events is a list of names with at least one")
        check_event_names(events)
        if private and not self.is_private_allowed:
            raise NotAllowed("this server sends nothing to private addresses: start it with --private-webhooks")
        try:
            find_addresses(read_target(url or "", private=private), private=private)
        except WebhookError as problem:
            raise InputError(str(problem)) from problem
        names = tuple(dict.fromkeys(events))
        made = Webhook(
            id=new_id("hook", now), url=url, events=names, with_text=with_text, private=private, created_at=now
        )
        secret = make_secret()

        def work(tables: Tables) -> None:
            if len(tables.webhooks.all()) >= _MOST_WEBHOOKS:
                raise InputError(f"a memory has at most {_MOST_WEBHOOKS} webhooks: remove one first")
            tables.webhooks.add(made, secret=secret, place=tables.events.newest())
            tables.audit.add("", "add webhook", at=now, detail={"webhook": made.id})

        self._engine.write(work)
        return NewWebhook(made, secret)

    def all(self) -> list[Webhook]:
        """All webhooks, oldest first, with how deliveries went; never a secret."""
        return [stored.webhook for stored in self._engine.store.read(lambda t: t.webhooks.all())]

    def remove(self, webhook_id: str) -> Webhook:
        """Send nothing more there, and drop the secret."""
        now = self._engine.clock()

        def work(tables: Tables) -> Webhook:
            removed = _require_webhook(tables, webhook_id).webhook
            tables.webhooks.remove(webhook_id)
            tables.jobs.drop("", _job_key(webhook_id))
            tables.audit.add("", "remove webhook", at=now, detail={"webhook": webhook_id})
            return removed

        return self._engine.write(work)

    def test(self, webhook_id: str) -> Webhook:
        """Send a delivery of type `test` now; WebhookError says what went wrong. One that had ended is used again."""
        from recollect.operations.webhook_sending import send_delivery

        now = self._engine.clock()
        stored = self._engine.store.read(lambda t: _require_webhook(t, webhook_id))
        sent = Delivery(id=new_id("test", now), type="test", at=now, data={"webhook": webhook_id})
        send_delivery(stored.webhook.url, stored.secret, sent, private=stored.webhook.private, now=now)
        self._engine.write(lambda t: t.webhooks.reopen(webhook_id))
        return replace(stored.webhook, ended_at=None, last_error="")


def find_undelivered(tables: Tables) -> Iterator[str]:
    """The ids of webhooks for which something happened, and no job is planned yet."""
    for stored in tables.webhooks.all():
        is_planned = stored.webhook.ended_at is not None or tables.jobs.get("", _job_key(stored.webhook.id)) is not None
        if not is_planned and not is_past_events(tables, stored.place, stored.webhook.events, own_job=WEBHOOK):
            yield stored.webhook.id


def plan_delivery(tables: Tables, webhook_id: str, *, due_at: datetime) -> None:
    """Plan the job that sends what happened."""
    tables.jobs.put(
        Job(
            space="",
            key=_job_key(webhook_id),
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
    named = f"{webhook.id}:{stored.key}:{event.id}:{event.at.isoformat()}"
    data = event.plain()
    if webhook.with_text and stored.record is not None and stored.record.state == "active":
        data["text"] = stored.record.text
    return Delivery(f"evt_{hashlib.sha256(named.encode()).hexdigest()[:32]}", event.name, event.at, data)


def _job_key(webhook_id: str) -> str:
    return f"{WEBHOOK}:{webhook_id}"


def _require_webhook(tables: Tables, webhook_id: str) -> StoredWebhook:
    found = tables.webhooks.all(webhook_id)
    if not found:
        raise InputError(f"there is no webhook {str(webhook_id)[:60]!r}: `recollect webhooks list` shows all")
    return found[0]
