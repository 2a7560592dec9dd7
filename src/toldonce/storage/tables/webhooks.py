"""Webhooks: where to send what happens, up to which place that is done, and how it went."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from toldonce.clock import from_micros, to_micros
from toldonce.storage.rows import Rows
from toldonce.storage.tables.events import EventPlace
from toldonce.storage.tables.records import from_stored_time


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """An address that is sent events. `private` allows addresses of this machine and of its own network.

    `dropped` counts events that were given up after the last attempt. Nothing is sent after `ended_at`.
    """

    id: str
    url: str
    events: tuple[str, ...]
    with_text: bool
    private: bool
    created_at: datetime
    delivered: int = 0
    dropped: int = 0
    delivered_at: datetime | None = None
    ended_at: datetime | None = None
    last_error: str = ""


@dataclass(frozen=True, slots=True)
class StoredWebhook:
    """A webhook with what only deliveries need: the secret that signs them, and the place after the last one."""

    webhook: Webhook
    secret: str
    place: EventPlace


class WebhookTable:
    """The webhooks of a memory."""

    __slots__ = ("_rows", "_tenant")

    def __init__(self, rows: Rows, tenant: str) -> None:
        self._rows = rows
        self._tenant = tenant

    def add(self, webhook: Webhook, *, secret: str, place: EventPlace) -> None:
        """Store a new webhook for what happens after a place."""
        self._rows.run(
            "add_webhook",
            tenant=self._tenant,
            id=webhook.id,
            url=webhook.url,
            secret=secret,
            events=json.dumps(webhook.events),
            with_text=int(webhook.with_text),
            private=int(webhook.private),
            event_place=json.dumps(place),
            created_at=to_micros(webhook.created_at),
        )

    def all(self, webhook_id: str | None = None) -> list[StoredWebhook]:
        """All webhooks, oldest first, or the one with an id."""
        rows = self._rows.all("list_webhooks", tenant=self._tenant, id=webhook_id)
        return [_webhook_from_row(row) for row in rows]

    def remove(self, webhook_id: str) -> bool:
        """Remove a webhook; False when there is none with this id."""
        return self._rows.run("drop_webhook", tenant=self._tenant, id=webhook_id) > 0

    def move(
        self,
        webhook_id: str,
        place: EventPlace,
        *,
        at: datetime,
        delivered: int = 0,
        dropped: int = 0,
        last_error: str = "",
    ) -> None:
        """Everything up to a place was delivered, dropped, or is not for this webhook."""
        self._rows.run(
            "move_webhook",
            tenant=self._tenant,
            id=webhook_id,
            event_place=json.dumps(place),
            at=to_micros(at),
            delivered=delivered,
            dropped=dropped,
            last_error=last_error,
        )

    def reopen(self, webhook_id: str) -> None:
        """Send to a webhook again that had ended."""
        self._rows.run("reopen_webhook", tenant=self._tenant, id=webhook_id)

    def end(self, webhook_id: str, *, at: datetime, last_error: str) -> None:
        """Send nothing more to a webhook."""
        self._rows.run("end_webhook", tenant=self._tenant, id=webhook_id, at=to_micros(at), last_error=last_error)


def _webhook_from_row(row: tuple[Any, ...]) -> StoredWebhook:
    webhook = Webhook(
        id=row[0],
        url=row[1],
        events=tuple(json.loads(row[3])),
        with_text=bool(row[4]),
        private=bool(row[5]),
        created_at=from_micros(row[7]),
        delivered=row[8],
        dropped=row[9],
        delivered_at=from_stored_time(row[10]),
        ended_at=from_stored_time(row[11]),
        last_error=row[12],
    )
    return StoredWebhook(webhook, row[2], EventPlace(*json.loads(row[6])))
