"""`memory.webhooks`: addresses that are sent what happens. A job delivers; events are read from the store itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from toldonce.capture.fields import check_flags, check_lists, check_names
from toldonce.errors import InputError, NotAllowed, WebhookError
from toldonce.operations.engine import Engine
from toldonce.operations.events import check_event_names
from toldonce.records import new_id
from toldonce.storage.store import Tables
from toldonce.storage.tables.webhooks import StoredWebhook, Webhook

WEBHOOK = "webhook"
_MOST_WEBHOOKS = 50


@dataclass(frozen=True, slots=True)
class NewWebhook:
    """A webhook with the secret that signs its deliveries, which is shown once."""

    webhook: Webhook
    secret: str


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
        secret: str | None = None,
    ) -> NewWebhook:
        """Have events sent to an https address from now on; returns the secret that signs them, which is shown once.

        Deliveries have ids, states and counts; `with_text` adds the text of records. `private` allows addresses of this
        machine and its own network, by plain http too. Deliveries are tried again for about a day. `secret` is one that
        the receiver has already; a webhook with it that is here for this address is returned.
        """
        from toldonce.operations.webhook_sending import check_secret, find_addresses, make_secret, read_target

        now = self._engine.clock()
        check_names(url=url)
        if secret is not None:
            check_secret(secret)
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
        signs = secret or make_secret()

        def work(tables: Tables) -> Webhook:
            known = tables.webhooks.all()
            if here := next((one for one in known if (one.webhook.url, one.secret) == (url, signs)), None):
                return here.webhook
            if len(known) >= _MOST_WEBHOOKS:
                raise InputError(f"a memory has at most {_MOST_WEBHOOKS} webhooks: remove one first")
            tables.webhooks.add(made, secret=signs, place=tables.events.newest())
            tables.audit.add("", "add webhook", at=now, detail={"webhook": made.id})
            return made

        return NewWebhook(self._engine.write(work), signs)

    def all(self) -> list[Webhook]:
        """All webhooks, oldest first, with how deliveries went; never a secret."""
        return [stored.webhook for stored in self._engine.store.read(lambda t: t.webhooks.all())]

    def remove(self, webhook_id: str) -> Webhook:
        """Send nothing more there, and drop the secret."""
        now = self._engine.clock()

        def work(tables: Tables) -> Webhook:
            removed = _require_webhook(tables, webhook_id).webhook
            tables.webhooks.remove(webhook_id)
            tables.jobs.drop("", delivery_job_key(webhook_id))
            tables.audit.add("", "remove webhook", at=now, detail={"webhook": webhook_id})
            return removed

        return self._engine.write(work)

    def test(self, webhook_id: str) -> Webhook:
        """Send a delivery of type `test` now; WebhookError says what went wrong. One that had ended is used again."""
        from toldonce.operations.webhook_deliveries import Delivery
        from toldonce.operations.webhook_sending import send_delivery

        now = self._engine.clock()
        stored = self._engine.store.read(lambda t: _require_webhook(t, webhook_id))
        sent = Delivery(id=new_id("test", now), type="test", at=now, data={"webhook": webhook_id})
        send_delivery(stored.webhook.url, stored.secret, sent, private=stored.webhook.private, now=now)
        self._engine.write(lambda t: t.webhooks.reopen(webhook_id))
        return replace(stored.webhook, ended_at=None, last_error="")


def delivery_job_key(webhook_id: str) -> str:
    """The key of the job that sends to a webhook."""
    return f"{WEBHOOK}:{webhook_id}"


def _require_webhook(tables: Tables, webhook_id: str) -> StoredWebhook:
    found = tables.webhooks.all(webhook_id)
    if not found:
        raise InputError(f"there is no webhook {str(webhook_id)[:60]!r}: `toldonce webhooks list` shows all")
    return found[0]
