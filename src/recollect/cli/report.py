"""Commands that tell what happened: a timeline of records and changes, and reports as Markdown."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path

import click

from recollect.cli.invocation import Door, pass_door
from recollect.cli.options import command, user_option, when
from recollect.cli.page import Page, clean, cut, wrap
from recollect.errors import InputError, ReadOnlyStore
from recollect.records import Happening

_ABOUT = ("appointment", "week", "month")
_REPLACED_BY = "now: "


@command("timeline")
@user_option("Only what is this person's, or what they took part in.")
@click.option("--since", type=when, help="Nothing before that time.")
@click.option("--until", type=when, help="Nothing from that time on.")
@click.option("--kind", "-k", "kinds", metavar="KIND", multiple=True, help="Only this kind; may be repeated.")
@click.option("--limit", "-n", type=click.IntRange(min=1), default=100, show_default=True, help="How many at most.")
@pass_door
def timeline(
    door: Door,
    user: str | None,
    since: datetime | timedelta | None,
    until: datetime | timedelta | None,
    kinds: tuple[str, ...],
    limit: int,
) -> None:
    """Show what happened when.

    Records as they came and what was done to them since, day by day, the newest at the end.
    """
    with door.open() as memory:
        told = memory.timeline(
            door.user(user),
            since=door.moment(since, memory),
            until=door.moment(until, memory),
            kinds=kinds or None,
            limit=limit,
            space=door.space,
        )
        page = door.page(memory)
        door.answer({"timeline": told}, lambda: _days(told, page) or ["Nothing happened then."])
    if len(told) == limit:
        door.note(f"These are the newest {limit}: see more with --limit, or other days with --until.")


@command("report")
@click.argument("about", type=click.Choice(_ABOUT))
@user_option("Whom it is about.")
@click.option("--since", type=when, help="From that time; else as long as such a report usually goes back.")
@click.option("--until", type=when, help="Up to that time; else up to now.")
@click.option("--out", "-o", type=click.Path(dir_okay=False, path_type=Path), help="Write it to this file.")
@click.option("--force", is_flag=True, help="Replace the file of --out when it is there already.")
@click.option("--keep", is_flag=True, help="Keep it in the memory too.")
@pass_door
def report(
    door: Door,
    about: str,
    user: str | None,
    since: datetime | timedelta | None,
    until: datetime | timedelta | None,
    out: Path | None,
    force: bool,
    keep: bool,
) -> None:
    """Write a report as Markdown.

    For an appointment with a doctor, or of a week or a month. Every line names the records it comes from.
    """
    if out is not None and out.exists() and not force:
        raise InputError(f"{out} is there already: choose another name, or replace it with --force")
    with door.open() as memory:
        made = memory.report(
            about,
            door.user(user),
            since=door.moment(since, memory),
            until=door.moment(until, memory),
            keep=keep,
            space=door.space,
        )
    if out is not None:
        _write(out, made.text)
    lines = [f"Wrote the report to {out}."] if out is not None else [clean(made.text).rstrip("\n")]
    door.answer({**_plain(made), "file": out} if out is not None else made, lambda: lines)
    if made.record is not None:
        door.note(f"Kept as {made.record.id}.")


def _plain(value: object) -> dict[str, object]:
    from recollect.cli.json_output import plain

    found: dict[str, object] = plain(value)
    return found


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise ReadOnlyStore(f"{file} cannot be written: {problem.strerror}") from None


def _days(told: list[Happening], page: Page) -> list[str]:
    lines: list[str] = []
    for day, happenings in groupby(told, key=lambda h: page.date(h.at)):
        lines += ([""] if lines else []) + [click.style(day, bold=True)]
        for one in happenings:
            lines += _happening(one, page)
    return lines


def _happening(one: Happening, page: Page) -> list[str]:
    """A time, what happened to which kind of record, its text, and what took its place."""
    head = f"  {page.moment(one.at)[-5:]}  "
    what = one.record.kind if one.action == "added" else f"{one.record.kind} {one.action}"
    why = f" ({clean(one.reason)})" if one.reason else ""
    text = f"{what}{why}: {one.record.title or one.record.text}"
    first, *rest = wrap(text, page.columns - len(head), lines=2)
    indent = " " * len(head)
    lines = [head + first, *(indent + line for line in rest)]
    if one.other is not None:
        lines.append(click.style(indent + cut(_REPLACED_BY + one.other.text, page.columns - len(head)), dim=True))
    return lines
