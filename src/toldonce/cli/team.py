"""Commands across spaces: a search over all that one may read, and figures about what is known there."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from toldonce.cli import text_output as show
from toldonce.cli.invocation import Invocation, pass_invocation
from toldonce.cli.options import CliGroup, as_text, user_option
from toldonce.cli.page import PageLayout, count_noun, format_table
from toldonce.cli.projects import KnownProject, list_projects
from toldonce.config import is_path, is_server
from toldonce.errors import SpaceNotFound, ToldonceError

if TYPE_CHECKING:
    from toldonce.memory import Memory
    from toldonce.operations.team import TeamFigures
    from toldonce.records import Hit


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
    """Find what helps with a question in every space that you may read, and in your other projects on this machine."""
    wanted = _TeamQuestion(query, user, spaces, kind, limit)
    with invocation.open(vectors=True) as memory:
        found = {_name_own(invocation): wanted.ask(memory, invocation.user(user))}
        page = invocation.page(memory)
    for project in _list_others(invocation, spaces):
        hits = _search_project(invocation, project, wanted)
        if hits:
            found[project.folder] = hits
    ranked = sorted(((hit, name) for name, hits in found.items() for hit in hits), key=lambda row: -row[0].score)[
        :limit
    ]
    value = {"query": query, "hits": [hit for hit, _ in ranked], "projects": [name for _, name in ranked]}
    invocation.answer(value, lambda: _format_ranked(ranked, page) if ranked else ["Nothing was found."])


@dataclass(frozen=True, slots=True)
class _TeamQuestion:
    """What is asked of each memory."""

    query: str
    user: str | None
    spaces: Sequence[str]
    kinds: Sequence[str]
    limit: int

    def ask(self, memory: Memory, person: str | None) -> list[Hit]:
        """What a person may see of it in the spaces of one memory."""
        return list(
            memory.team.search(
                self.query, person, spaces=self.spaces or None, kinds=self.kinds or None, limit=self.limit
            )
        )


def _name_own(invocation: Invocation) -> str:
    """The folder of the project that the command runs in; "" where there is none."""
    place = os.path.abspath(invocation.place) if is_path(invocation.place) else invocation.place
    return next((one.folder for one in list_projects() if one.place == place), "")


def _list_others(invocation: Invocation, spaces: Sequence[str]) -> list[KnownProject]:
    """The other projects of this machine: none where a memory, a server or spaces were named."""
    if is_server(invocation.place) or invocation.given.get("place") or spaces:
        return []
    own = os.path.abspath(invocation.place) if is_path(invocation.place) else invocation.place
    return [one for one in list_projects() if one.place != own]


def _search_project(invocation: Invocation, project: KnownProject, wanted: _TeamQuestion) -> list[Hit]:
    """The hits in another project, as the person whose it is; one that cannot be opened is named and passed over."""
    person = wanted.user or project.user or invocation.settings.config.user or None
    try:
        with invocation.open_at(project.place, vectors=True) as memory:
            return wanted.ask(memory, person)
    except SpaceNotFound:
        return []
    except ToldonceError as problem:
        invocation.note(f"{project.folder} was not searched: {problem}")
        return []


def _format_ranked(ranked: Sequence[tuple[Hit, str]], page: PageLayout) -> list[str]:
    """Numbered hits under the project that each run of them is from."""
    hits = show.format_hit_blocks([hit for hit, _ in ranked], page)
    lines: list[str] = []
    before: str | None = None
    is_divided = len({name for _, name in ranked}) > 1
    for (_, name), block in zip(ranked, hits, strict=True):
        lines += [""] if lines else []
        if is_divided and name != before:
            lines += [click.style(f"In {name or 'this memory'}:", bold=True)]
        lines += block
        before = name
    return lines


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
