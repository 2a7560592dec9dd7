"""Webhooks: where to send what happens, the place up to which that is done, and how it went."""

from __future__ import annotations

from dataclasses import replace

from toldonce.conformance.samples import NOW, moment_after
from toldonce.storage.store import Store
from toldonce.storage.tables.events import EventPlace
from toldonce.storage.tables.webhooks import StoredWebhook, Webhook


class WebhooksConformance:
    """Webhooks with their secrets, places and counts."""

    def test_a_webhook_is_read_back_as_it_was_added(self, store: Store) -> None:
        webhook = Webhook(
            id="hook_1",
            url="https://example.org/hook?a=1",
            events=("session_completed", "record_added"),
            with_text=True,
            private=False,
            created_at=NOW,
        )
        place = EventPlace(1, 2, 3, 4)
        store.write(lambda t: t.webhooks.add(webhook, secret="whsec_x", place=place))
        assert store.read(lambda t: t.webhooks.all()) == [StoredWebhook(webhook, "whsec_x", place)]
        assert store.read(lambda t: t.webhooks.all("hook_1")) == [StoredWebhook(webhook, "whsec_x", place)]
        assert store.read(lambda t: t.webhooks.all("hook_2")) == []

    def test_deliveries_move_its_place_and_are_counted(self, store: Store) -> None:
        webhook = _add_webhook(store)
        place = EventPlace(5, 6, 7, 8)
        store.write(lambda t: t.webhooks.move(webhook.id, place, at=moment_after(hours=1), delivered=2))
        store.write(lambda t: t.webhooks.move(webhook.id, place, at=moment_after(hours=2), dropped=1, last_error="500"))
        (found,) = store.read(lambda t: t.webhooks.all())
        wanted = replace(webhook, delivered=2, dropped=1, delivered_at=moment_after(hours=1), last_error="500")
        assert found == StoredWebhook(wanted, "whsec_x", place)

    def test_one_that_ended_may_be_opened_again(self, store: Store) -> None:
        webhook = _add_webhook(store)
        store.write(lambda t: t.webhooks.end(webhook.id, at=NOW, last_error="410"))
        (ended,) = store.read(lambda t: t.webhooks.all())
        assert (ended.webhook.ended_at, ended.webhook.last_error) == (NOW, "410")
        store.write(lambda t: t.webhooks.reopen(webhook.id))
        assert store.read(lambda t: t.webhooks.all()[0].webhook) == webhook

    def test_a_removed_webhook_is_gone(self, store: Store) -> None:
        webhook = _add_webhook(store)
        assert store.write(lambda t: t.webhooks.remove(webhook.id))
        assert not store.write(lambda t: t.webhooks.remove(webhook.id))
        assert store.read(lambda t: t.webhooks.all()) == []


def _add_webhook(store: Store) -> Webhook:
    webhook = Webhook(
        id="hook_1", url="https://example.org/", events=("record_added",), with_text=False, private=True, created_at=NOW
    )
    store.write(lambda t: t.webhooks.add(webhook, secret="whsec_x", place=EventPlace()))
    return webhook
