"""Commands across spaces: a search over all that one may read, and figures about what is known there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from toldonce.cli import text_output as show
from toldonce.cli.invocation import Invocation, pass_invocation
from toldonce.cli.options import CliGroup, as_text, user_option
from toldonce.cli.page import PageLayout, count_noun, format_table

if TYPE_CHECKING:
    from toldonce.operations.team import TeamFigures


@click.group("team", cls=CliGroup)
@click.pass_context
def team(ctx: click.Context) -> None:
    """Search and count across all spaces; alone, shows the figures."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(figures)


@team.command("search")
@click.argument("query", type=as_text)
@user_option("Only what this person may see.")
@click.option("--in", "spaces", multiple=True, metavar="SPACE", help="Only this space; may be repeated.")
@click.option("--kind", "-k", multiple=True, metavar="KIND", help="Only this kind; may be repeated.")
@click.option("--limit", "-n", type=click.IntRange(min=1), default=10, help="Maximum results.")
@pass_invocation
def search(
    invocation: Invocation, query: str, user: str | None, spaces: Sequence[str], kind: Sequence[str], limit: int
) -> None:
    """Find what helps with a question in every space that you may read."""
    with invocation.open(vectors=True) as memory:
        person = invocation.user(user)
        found = memory.team.search(query, person, spaces=spaces or None, kinds=kind or None, limit=limit)
        page = invocation.page(memory)
        value = {"query": query, "hits": found}
        invocation.answer(
            value, lambda: show.format_hits(found, page, explain=False) if found else ["Nothing was found."]
        )


@team.command("figures")
@user_option("Only what this person may see.")
@click.option("--in", "spaces", multiple=True, metavar="SPACE", help="Only this space; may be repeated.")
@click.option("--kind", "-k", multiple=True, metavar="KIND", help="Only this kind, such as gotcha; may be repeated.")
@click.option("--limit", "-n", type=click.IntRange(min=1), default=10, help="Maximum lines of each list.")
@pass_invocation
def figures(invocation: Invocation, user: str | None, spaces: Sequence[str], kind: Sequence[str], limit: int) -> None:
    """Show what is met most often, who confirmed what, and which modules something is known about."""
    with invocation.open() as memory:
        person = invocation.user(user)
        found = memory.team.figures(person, spaces=spaces or None, kinds=kind or None, limit=limit)
        page = invocation.page(memory)
        invocation.answer(found, lambda: _format_figures(found, page))


def _format_figures(found: TeamFigures, page: PageLayout) -> list[str]:
    wide = page.columns
    lines = [f"{count_noun(found.records, 'record')} in {', '.join(found.spaces) or 'no space'}"]
    files = [(one.space, one.file, str(one.records), str(one.shown), one.example.id) for one in found.by_file]
    lines += _section("By file", ("space", "file", "records", "shown", "most shown"), files, wide)
    used = [(r.space, str(r.access_count), r.title or r.summary or r.text) for r in found.by_use]
    lines += _section("Most used", ("space", "shown", "record"), used, wide)
    who = [(name or "not named", str(count)) for name, count in found.confirmed_by.items()]
    lines += _section("Confirmed by", ("who", "records"), who, wide)
    modules = [(one.space, one.module, one.folder, str(one.records)) for one in found.modules]
    return lines + _section("Modules", ("space", "module", "folder", "records"), modules, wide)


def _section(title: str, head: Sequence[str], rows: Sequence[Sequence[str]], columns: int) -> list[str]:
    return ["", title, *format_table(tuple(head), list(rows), columns=columns)] if rows else []
