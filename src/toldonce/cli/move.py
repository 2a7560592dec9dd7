"""The command that moves a memory to another place: from a file to PostgreSQL, or back."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from toldonce.cli.invocation import Invocation, pass_invocation
from toldonce.cli.options import named_command
from toldonce.cli.page import PageLayout, count_noun, format_table
from toldonce.errors import InputError

if TYPE_CHECKING:
    from toldonce.operations.moving import TableSum


@named_command("move")
@click.argument("source")
@click.argument("target")
@click.option("--preview", is_flag=True, help="Only show what would be moved.")
@click.option("--with-secrets", is_flag=True, help="Move records that seem to hold a secret, too.")
@pass_invocation
def move(invocation: Invocation, source: str, target: str, preview: bool, with_secrets: bool) -> None:
    """Move a memory between a file and PostgreSQL.

    SOURCE and TARGET are paths or addresses. SOURCE stays as it is. Stop what writes to it first.
    """
    from toldonce.operations.moving import move_between, preview_move

    if "://" not in source and not os.path.isfile(source):
        raise InputError(f"there is no memory at {source}: give the path of its file, or postgresql://...")
    from_key, page = invocation.key_of(source), invocation.page()
    if preview:
        plan = preview_move(source, key=from_key)
        told = [f"{len(plan.secrets)} records seem to hold a secret."] if plan.secrets else []
        invocation.answer(plan, lambda: [*_format_sums(plan.tables, page), *told, "Nothing was moved yet."])
        return
    moved = move_between(source, target, keys=(from_key, invocation.key_of(target)), with_secrets=with_secrets)
    done = "Everything was there already" if moved.was_there else "Moved"
    same = f"{done}; count and checksum of every type are the same in both places. The source was left as it is."
    invocation.answer(moved, lambda: [*_format_sums(moved.tables, page), same, *_format_webhooks(moved.tables)])


def _format_webhooks(tables: Mapping[str, TableSum]) -> list[str]:
    """What is sent once must come from one place."""
    count = tables["webhook"].rows
    return (
        [f"{count_noun(count, 'webhook')} moved along: deliveries come from there now, and no longer from the source."]
        if count
        else []
    )


def _format_sums(tables: Mapping[str, TableSum], page: PageLayout) -> list[str]:
    rows = [(name, f"{one.rows:,}", one.checksum[:16]) for name, one in tables.items()]
    return format_table(("type", "rows", "checksum"), rows, columns=page.columns)
