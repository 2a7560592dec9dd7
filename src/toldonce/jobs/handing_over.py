"""Webhooks of a memory of this machine go on from the server that the memory was sent to.

What waits is sent from here first, since a server has numbers of its own for what happened. One whose receiver does not
take it stays here, and so does one that the server refuses: the next sign-in tries again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toldonce.errors import InputError
from toldonce.jobs.handlers import DUTIES
from toldonce.jobs.runner import DuePass
from toldonce.operations.event_log import is_past_events
from toldonce.operations.webhook_deliveries import plan_delivery
from toldonce.operations.webhooks import WEBHOOK
from toldonce.storage.store import Tables
from toldonce.storage.tables.webhooks import StoredWebhook

if TYPE_CHECKING:
    from toldonce.memory import Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedOver:
    """How many webhooks go on from the server, and why others stay here, by their ids."""

    webhooks: int
    left: dict[str, str]


def hand_over_webhooks(memory: Memory, remote: Memory, *, address: str) -> HandedOver:
    """Let the webhooks of a memory go on from a server, with their secrets."""
    done, left = 0, {}
    for stored in memory.store.read(_list_active):
        if reason := _hand_over_one(memory, remote, stored, address=address):
            left[stored.webhook.id] = reason
        else:
            done += 1
    return HandedOver(webhooks=done, left=left)


def _hand_over_one(memory: Memory, remote: Memory, stored: StoredWebhook, *, address: str) -> str:
    """Why a webhook stays here, "" when it does not."""
    webhook = stored.webhook
    if not memory.store.read(lambda t: _is_all_sent(t, webhook.id)):
        now = memory.clock()
        memory.store.write(lambda t: plan_delivery(t, webhook.id, due_at=now))
        DuePass(memory, {WEBHOOK: DUTIES[WEBHOOK]}, now=now).run_planned_jobs()
        if not memory.store.read(lambda t: _is_all_sent(t, webhook.id)):
            return "what waits for it was not taken: check its receiver"
    try:
        remote.webhooks.add(
            webhook.url,
            events=webhook.events,
            with_text=webhook.with_text,
            private=webhook.private,
            secret=stored.secret,
        )
    except InputError as problem:
        return str(problem)
    # Killed before this, both have it: adding it again there changes nothing, and here nothing happens any more.
    now = memory.clock()
    memory.store.write(lambda t: t.webhooks.end(webhook.id, at=now, last_error=f"moved to {address}"))
    return ""


def _list_active(tables: Tables) -> list[StoredWebhook]:
    return [stored for stored in tables.webhooks.all() if stored.webhook.ended_at is None]


def _is_all_sent(tables: Tables, webhook_id: str) -> bool:
    """Whether nothing waits for a webhook."""
    return all(
        is_past_events(tables, stored.place, stored.webhook.events, own_job=WEBHOOK)
        for stored in tables.webhooks.all(webhook_id)
    )
