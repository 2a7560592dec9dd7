"""Commands that tell what happened: a timeline of records and changes, and reports as Markdown."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path

import click

from toldonce.cli.invocation import Invocation, pass_invocation
from toldonce.cli.options import named_command, user_option, when
from toldonce.cli.page import PageLayout, cut_to_columns, mask_controls, wrap_text
from toldonce.errors import InputError, ReadOnlyStore
from toldonce.records import Happening

_ABOUT = ("appointment", "week", "month")
_REPLACED_BY = "now: "


@named_command("timeline")
@user_option("Only what is this person's, or what they took part in.")
@click.option("--since", type=when, help="Nothing before that time.")
@click.option("--until", type=when, help="Nothing from that time on.")
@click.option("--kind", "-k", "kinds", metavar="KIND", multiple=True, help="Only this kind; may be repeated.")
@click.option("--limit", "-n", type=click.IntRange(min=1), default=100, show_default=True, help="Maximum results.")
@pass_invocation
def timeline(
    invocation: Invocation,
    user: str | None,
    since: datetime | timedelta | None,
    until: datetime | timedelta | None,
    kinds: tuple[str, ...],
    limit: int,
) -> None:
    """Show what happened when.

    Records as they came and what was done to them since, day by day, the newest at the end.
    """
    with invocation.open() as memory:
        told = memory.timeline(
            invocation.user(user),
            since=invocation.moment(since, memory),
            until=invocation.moment(until, memory),
            kinds=kinds or None,
            limit=limit,
            space=invocation.space,
        )
        page = invocation.page(memory)
        invocation.answer({"timeline": told}, lambda: _format_days(told, page) or ["Nothing happened then."])
    if len(told) == limit:
        invocation.note(f"These are the newest {limit}: see more with --limit, or other days with --until.")


@named_command("report")
@click.argument("about", type=click.Choice(_ABOUT))
@user_option("Whom it is about.")
@click.option("--since", type=when, help="From that time; by default, the usual period of such a report.")
@click.option("--until", type=when, help="Up to that time; now by default.")
@click.option("--out", "-o", type=click.Path(dir_okay=False, path_type=Path), help="Write it to this file.")
@click.option("--force", is_flag=True, help="Replace the file of --out when it is there already.")
@click.option("--keep", is_flag=True, help="Keep it in the memory too.")
@pass_invocation
def report(
    invocation: Invocation,
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
    with invocation.open() as memory:
        made = memory.report(
            about,
            invocation.user(user),
            since=invocation.moment(since, memory),
            until=invocation.moment(until, memory),
            keep=keep,
            space=invocation.space,
        )
    if out is not None:
        _write_text_file(out, made.text)
    lines = [f"Wrote the report to {out}."] if out is not None else [mask_controls(made.text).rstrip("\n")]
    invocation.answer({**_happening_as_value(made), "file": out} if out is not None else made, lambda: lines)
    if made.record is not None:
        invocation.note(f"Kept as {made.record.id}.")


def _happening_as_value(value: object) -> dict[str, object]:
    from toldonce.cli.json_output import to_plain_value

    found: dict[str, object] = to_plain_value(value)
    return found


def _write_text_file(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise ReadOnlyStore(f"{file} cannot be written: {problem.strerror}") from None


def _format_days(told: list[Happening], page: PageLayout) -> list[str]:
    lines: list[str] = []
    for day, happenings in groupby(told, key=lambda h: page.date(h.at)):
        lines += ([""] if lines else []) + [click.style(day, bold=True)]
        for one in happenings:
            lines += _format_happening(one, page)
    return lines


def _format_happening(one: Happening, page: PageLayout) -> list[str]:
    """A time, what happened to which kind of record, its text, and the record that replaced it."""
    head = f"  {page.moment(one.at)[-5:]}  "
    what = one.record.kind if one.action == "added" else f"{one.record.kind} {one.action}"
    why = f" ({mask_controls(one.reason)})" if one.reason else ""
    text = f"{what}{why}: {one.record.title or one.record.text}"
    first, *rest = wrap_text(text, page.columns - len(head), lines=2)
    indent = " " * len(head)
    lines = [head + first, *(indent + line for line in rest)]
    if one.other is not None:
        lines.append(
            click.style(indent + cut_to_columns(_REPLACED_BY + one.other.text, page.columns - len(head)), dim=True)
        )
    return lines
