"""Commands that protect a memory: its audit log and its quotas."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from toldonce.cli.invocation import Invocation, pass_invocation
from toldonce.cli.options import named_command, person, when
from toldonce.cli.page import PageLayout, count_noun, format_pairs, format_table

if TYPE_CHECKING:
    from toldonce.presets.policy import Quota
    from toldonce.records import AuditEntry, TenantQuota
    from toldonce.storage.tables.audit import AuditCheck


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
@click.option("--tenant-records", type=click.IntRange(min=0), metavar="N", help="Records in all spaces together.")
@click.option("--tenant-bytes", type=click.IntRange(min=0), metavar="N", help="Bytes of texts in all spaces together.")
@click.option("--tenant-writes-per-minute", type=click.IntRange(min=0), metavar="N", help="Records all may add.")
@click.option("--model-cost-per-day", type=click.FloatRange(min=0), metavar="X", help="What models may cost a day.")
@pass_invocation
def quota(
    invocation: Invocation,
    /,
    tenant_records: int | None,
    tenant_bytes: int | None,
    tenant_writes_per_minute: int | None,
    model_cost_per_day: float | None,
    **limits: int | None,
) -> None:
    """Show the limits of spaces, or set some of them.

    0 is no limit.
    """
    with invocation.open() as memory:
        held = memory.spaces.quota(space=invocation.space)
        if said := _keep_given(limits):
            held = memory.spaces.set_quota(dataclasses.replace(held, **said), space=invocation.space)
        tenant = memory.spaces.tenant_quota()
        of_tenant = {"records": tenant_records, "bytes": tenant_bytes, "writes_per_minute": tenant_writes_per_minute}
        if told := _keep_given({**of_tenant, "model_cost_per_day": model_cost_per_day}):
            tenant = memory.spaces.set_tenant_quota(dataclasses.replace(tenant, **told))
        page = invocation.page(memory)
        invocation.answer({"quota": held, "tenant_quota": tenant}, lambda: _format_quotas(held, tenant, page))


def _keep_given(limits: Mapping[str, float | None]) -> dict[str, Any]:
    return {name: value for name, value in limits.items() if value is not None}


def _format_quotas(held: Quota, tenant: TenantQuota, page: PageLayout) -> list[str]:
    together = [(f"all spaces: {name}", value) for name, value in dataclasses.asdict(tenant).items()]
    rows = [*dataclasses.asdict(held).items(), *together]
    return format_pairs([(n.replace("_", " "), f"{v:,}" if v else "no limit") for n, v in rows], columns=page.columns)
