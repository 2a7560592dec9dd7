"""Commands for webhooks: list, add, test and remove addresses that are sent what happens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from toldonce.cli.invocation import Invocation, pass_invocation
from toldonce.cli.options import CliGroup

if TYPE_CHECKING:
    from toldonce.storage.tables.webhooks import Webhook


@click.group("webhooks", cls=CliGroup)
@click.pass_context
def webhooks(ctx: click.Context) -> None:
    """Addresses that are sent what happens; alone, lists them."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_webhooks)


@webhooks.command("list")
@pass_invocation
def list_webhooks(invocation: Invocation, /) -> None:
    """List all webhooks with how their deliveries went."""
    with invocation.open() as memory:
        found = memory.webhooks.all()
        none = ["There are no webhooks: `toldonce webhooks add URL` adds one."]
        invocation.answer({"webhooks": found}, lambda: [_format_webhook(one) for one in found] or none)


@webhooks.command("add")
@click.argument("url")
@click.option("--event", "events", multiple=True, metavar="NAME", help="An event to send; may be repeated.")
@click.option("--with-text", is_flag=True, help="Send the text of records too.")
@click.option("--private", is_flag=True, help="Allow an address of this machine or its own network, also by http.")
@pass_invocation
def add_webhook(invocation: Invocation, /, url: str, events: Sequence[str], with_text: bool, private: bool) -> None:
    """Have events sent to URL, completed sessions by default. The secret that signs them is printed once."""
    with invocation.open(make=True) as memory:
        names = events or ("session_completed",)
        made = memory.webhooks.add(url, events=names, with_text=with_text, private=private)
        invocation.note(f"{made.webhook.id}: keep this secret, it is not shown again.")
        invocation.answer({"webhook": made.webhook, "secret": made.secret}, lambda: [made.secret])


@webhooks.command("test")
@click.argument("webhook")
@pass_invocation
def test_webhook(invocation: Invocation, /, webhook: str) -> None:
    """Send a delivery of type `test` now. WEBHOOK is its id."""
    with invocation.open() as memory:
        tested = memory.webhooks.test(webhook)
        invocation.answer({"webhook": tested}, lambda: [f"{tested.url} took the delivery."])


@webhooks.command("remove")
@click.argument("webhook")
@pass_invocation
def remove_webhook(invocation: Invocation, /, webhook: str) -> None:
    """Send nothing more to a webhook, and drop its secret."""
    with invocation.open() as memory:
        removed = memory.webhooks.remove(webhook)
        invocation.answer({"webhook": removed}, lambda: [f"{removed.url} ({removed.id}) is removed."])


def _format_webhook(one: Webhook) -> str:
    state = f"ended {one.ended_at:%Y-%m-%d %H:%M}" if one.ended_at else "active"
    text = ", with text" if one.with_text else ""
    dropped = f", {one.dropped} dropped" if one.dropped else ""
    error = f"; last error: {one.last_error}" if one.last_error else ""
    return f"{one.id}  {one.url}: {', '.join(one.events)}{text}; {state}, {one.delivered} delivered{dropped}{error}"
