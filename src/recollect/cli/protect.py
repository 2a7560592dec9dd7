"""Commands that protect a memory: its audit log and its quotas."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

import click

from recollect.cli.invocation import Invocation, pass_invocation
from recollect.cli.options import named_command, person, when
from recollect.cli.page import PageLayout, count_noun, format_pairs, format_table

if TYPE_CHECKING:
    from recollect.presets.policy import Quota
    from recollect.records import AuditEntry
    from recollect.storage.tables.audit import AuditCheck


@named_command("audit")
@click.option("--verify", is_flag=True, help="Check the hash chain of the whole log.")
@click.option("--head", metavar="DIGEST", help="A digest noted earlier, which must still be in the log.")
@click.option("--user", "-u", type=person, metavar="NAME", help="Only what was done for this person.")
@click.option("--action", metavar="NAME", help="Only this action, such as export.")
@click.option("--since", type=when, metavar="TIME", help="Only from this time on.")
@click.option("--limit", "-n", type=click.IntRange(min=1), default=50, show_default=True, help="Maximum entries.")
@click.option(
    "--keep-days", type=click.IntRange(min=0), metavar="DAYS", help="Keep entries this long; 0 keeps them forever."
)
@click.pass_context
@pass_invocation
def audit(
    invocation: Invocation,
    ctx: click.Context,
    verify: bool,
    head: str | None,
    user: str | None,
    action: str | None,
    since: object,
    limit: int,
    keep_days: int | None,
) -> None:
    """Show who did what and when, or verify the log."""
    with invocation.open() as memory:
        if keep_days is not None:
            memory.audit.keep_days(keep_days or None)
        if verify or head is not None:
            checked = memory.audit.verify(head=head)
            invocation.answer(checked, lambda: _format_audit_check(checked))
            ctx.exit(1 if checked.problems else 0)
        start = invocation.moment(since, memory)  # type: ignore[arg-type]
        entries = memory.audit.entries(actor=user, action=action, since=start, limit=limit, space=invocation.space)
        page = invocation.page(memory)
        invocation.answer(
            {"entries": entries}, lambda: _format_audit_entries(entries, page) or ["The audit log has no such entry."]
        )


def _format_audit_check(checked: AuditCheck) -> list[str]:
    whole = f"The log is whole: {count_noun(checked.rows, 'entry', 'entries')}. Newest digest: {checked.head}"
    older = [f"{count_noun(checked.unchained, 'entry', 'entries')} from before the chain cannot be checked."]
    return [*(checked.problems or [whole]), *(older if checked.unchained else [])]


def _format_audit_entries(entries: list[AuditEntry], page: PageLayout) -> list[str]:
    rows = [
        (page.moment(e.at), e.action, e.actor or "-", e.interface, e.space or "-", json.dumps(e.detail)[:200])
        for e in entries
    ]
    return (
        format_table(("when", "action", "for", "interface", "space", "detail"), rows, columns=page.columns)
        if rows
        else []
    )


@named_command("quota")
@click.option("--records-per-person", type=click.IntRange(min=0), metavar="N", help="Records of one person.")
@click.option("--bytes-per-person", type=click.IntRange(min=0), metavar="N", help="Bytes of one person's texts.")
@click.option("--records-per-space", type=click.IntRange(min=0), metavar="N", help="Records of all people.")
@click.option("--bytes-per-space", type=click.IntRange(min=0), metavar="N", help="Bytes of all texts.")
@click.option("--writes-per-minute", type=click.IntRange(min=0), metavar="N", help="Records one person may add.")
@pass_invocation
def quota(invocation: Invocation, /, **limits: int | None) -> None:
    """Show the limits of a space, or set some of them.

    0 is no limit.
    """
    with invocation.open() as memory:
        held = memory.spaces.quota(space=invocation.space)
        said = {name: value for name, value in limits.items() if value is not None}
        if said:
            held = memory.spaces.set_quota(dataclasses.replace(held, **said), space=invocation.space)
        invocation.answer({"quota": held}, lambda: _format_quota(held, invocation.page(memory)))


def _format_quota(held: Quota, page: PageLayout) -> list[str]:
    rows = dataclasses.asdict(held).items()
    return format_pairs([(n.replace("_", " "), f"{v:,}" if v else "no limit") for n, v in rows], columns=page.columns)
