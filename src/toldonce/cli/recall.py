"""Commands that ask the memory: recall, context, why-not. They only read, and import no model they do not need."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toldonce.cli import text_output as show
from toldonce.cli.invocation import Invocation, pass_invocation
from toldonce.cli.options import as_text, named_command, pair_option, user_option, when
from toldonce.cli.page import count_noun
from toldonce.config import is_server
from toldonce.errors import InputError

if TYPE_CHECKING:
    from toldonce.memory import Memory
    from toldonce.records import Context


@named_command("recall")
@click.argument("query", type=as_text)
@user_option("Only what this person may see.")
@click.option("--limit", "-n", type=click.IntRange(min=1), help="Maximum results.")
@click.option("--kind", "-k", multiple=True, metavar="KIND", help="Only this kind; may be repeated.")
@click.option("--session", "-s", metavar="ID", help="Only this session.")
@click.option("--not-session", metavar="ID", help="Everything except this session.")
@click.option("--channel", metavar="ID", help="Only this channel.")
@click.option("--since", type=when, help="Not older than this: 2026-05-03, or 7d for a week ago.")
@click.option("--until", type=when, help="Older than this.")
@click.option("--as-of", type=when, help="What was believed at that time.")
@pair_option("--where", "Only with this metadata")
@click.option("--min-score", type=click.FloatRange(0, 1), help="Only hits at least this good.")
@click.option("--explain", is_flag=True, help="Say why each was found, and what was left out.")
@pass_invocation
def recall(
    invocation: Invocation,
    query: str,
    user: str | None,
    limit: int | None,
    kind: Sequence[str],
    session: str | None,
    not_session: str | None,
    channel: str | None,
    since: datetime | timedelta | None,
    until: datetime | timedelta | None,
    as_of: datetime | timedelta | None,
    where: Sequence[tuple[str, Any]],
    min_score: float | None,
    explain: bool,
) -> None:
    """Find what helps with a question, best first."""
    _require_query(query)
    with invocation.open(vectors=True) as memory:
        found = memory.recall(
            query,
            invocation.user(user),
            branches=_branches_here(invocation, memory),
            limit=limit,
            kinds=kind or None,
            session=session,
            exclude_session=not_session,
            channel=channel,
            since=invocation.moment(since, memory),
            until=invocation.moment(until, memory),
            as_of=invocation.moment(as_of, memory),
            where=dict(where) or None,
            min_score=min_score,
            space=invocation.space,
            explain=explain,
        )
        page = invocation.page(memory)
        told = {"left_out": found.left_out} if explain else {}
        value = {"query": query, "hits": found, "waiting": found.waiting, **told}
        nothing = ["Nothing was found."] if not found else []
        invocation.answer(
            value,
            lambda: (
                nothing + show.format_hits(found, page, explain=explain) + show.format_left_out(found.left_out, page)
            ),
        )
        if not found or found.waiting:
            _note_waiting(invocation, memory)
        invocation.embed_briefly(memory)


@named_command("context")
@click.argument("query", type=as_text, default="")
@user_option("Whom the prompt is for.")
@click.option("--session", "-s", metavar="ID", help="The current session.")
@click.option("--channel", metavar="ID", help="The current channel.")
@click.option("--budget", "-b", type=click.IntRange(min=1), help="Maximum tokens.")
@click.option("--as-of", type=when, help="What was believed at that time.")
@click.option("--explain", is_flag=True, help="Show what each line costs, why it is there and what was left out.")
@click.option("--write", "target", type=click.Path(path_type=Path), metavar="FILE", help="Keep the block in this file.")
@click.option(
    "--every", type=click.IntRange(min=1), metavar="SECONDS", help="With --write: write it again, until Ctrl-C."
)
@pass_invocation
def context(
    invocation: Invocation,
    query: str,
    user: str | None,
    session: str | None,
    channel: str | None,
    budget: int | None,
    as_of: datetime | timedelta | None,
    explain: bool,
    target: Path | None,
    every: int | None,
) -> None:
    """Write the block that goes into a prompt.

    It holds what helps with QUERY and is never larger than the budget of tokens. With --explain nothing is counted as
    shown. With --write it is kept in a file, for agents that read files and take no hook: between two marks, so that
    everything else in the file stays.
    """
    if target is None:
        _require_query(query)
    if every is not None and target is None:
        raise InputError("--every needs --write FILE")
    with invocation.open(vectors=True) as memory:
        asked: dict[str, Any] = {
            "session": session, "channel": channel, "budget": budget, "as_of": invocation.moment(as_of, memory),
            "space": invocation.space, "branches": _branches_here(invocation, memory),
            "explain": explain, "counted": not explain,
        }  # fmt: skip
        made = _build_block(invocation, memory, query, invocation.user(user), asked)
        if target is not None:
            _keep_in_file(invocation, target, made.text)
            while every is not None:
                time.sleep(every)
                made = _build_block(invocation, memory, query, invocation.user(user), asked)
                _keep_in_file(invocation, target, made.text)
            return
        plain = [made.text] if made.text else []
        invocation.answer(made, lambda: show.format_block(made) if explain else plain)
        if not made.text:
            _note_waiting(invocation, memory)
        invocation.embed_briefly(memory)
    about = [count_noun(made.tokens, "token"), count_noun(len(made.hits), "record")]
    about += [count_noun(len(made.questions), "question")] if made.questions else []
    about += [f"{len(made.dropped)} left out for want of room"] if made.dropped else []
    invocation.note(f"({', '.join(about)})" if made.text else "Nothing to say: the block is empty.")


@named_command("why-not")
@click.argument("record_id", metavar="ID")
@click.argument("query", type=as_text)
@user_option("Who asks.")
@click.option("--limit", "-n", type=click.IntRange(min=1), help="Maximum hits.")
@click.option("--kind", "-k", multiple=True, metavar="KIND", help="Only this kind; may be repeated.")
@click.option("--session", "-s", metavar="ID", help="Only this session.")
@click.option("--as-of", type=when, help="What was believed at that time.")
@pair_option("--where", "Only with this metadata")
@click.option("--min-score", type=click.FloatRange(0, 1), help="Only hits at least this good.")
@pass_invocation
def why_not(
    invocation: Invocation,
    record_id: str,
    query: str,
    user: str | None,
    limit: int | None,
    kind: Sequence[str],
    session: str | None,
    as_of: datetime | timedelta | None,
    where: Sequence[tuple[str, Any]],
    min_score: float | None,
) -> None:
    """Say why a record is not among the hits.

    When it is among the hits for QUERY, say at which place.
    """
    _require_query(query)
    with invocation.open(vectors=True) as memory:
        why = memory.why_not(
            record_id,
            query,
            user=invocation.user(user),
            limit=limit,
            kinds=kind or None,
            session=session,
            as_of=invocation.moment(as_of, memory),
            where=dict(where) or None,
            min_score=min_score,
            space=invocation.space,
        )
        invocation.answer(why, lambda: show.format_verdict(why, invocation.page(memory)))


def _keep_in_file(invocation: Invocation, target: Path, text: str) -> None:
    """Put the block between its marks in a file, and say whether that changed anything."""
    from toldonce.cli.context_file import write_block

    is_changed = write_block(target, text)
    told = f"{target} was written." if is_changed else f"{target} is current."
    invocation.answer({"file": str(target), "changed": is_changed}, lambda: [told])


def _build_block(
    invocation: Invocation, memory: Memory, query: str, user: str | None, asked: dict[str, Any]
) -> Context:
    if not invocation.is_in_project(memory):
        return memory.context(query, user, **asked)
    from toldonce.coding.project_context import project_context

    return project_context(memory, query, user, root=Path.cwd(), **asked)


def _branches_here(invocation: Invocation, memory: Memory) -> list[str] | None:
    """The branches whose memories hold in the current folder; None for all where the memory is of no code base."""
    if not invocation.is_in_project(memory):
        return None
    from toldonce.tools.definition import Caller
    from toldonce.tools.records import branches_of

    return branches_of(Caller(root=str(Path.cwd())))


def _note_waiting(invocation: Invocation, memory: Memory) -> None:
    """Nothing came back: perhaps because memory is off here, or because meaning could not be compared yet."""
    if reason := memory.spaces.why_off(space=invocation.space):
        invocation.note(f"Nothing is shown here: {reason} with `toldonce spaces`.")
        return
    if is_server(invocation.place):
        return
    waiting = (
        memory.stats(space=invocation.space)["waiting for a vector"] if memory.embedder and not invocation.quiet else 0
    )
    if waiting:
        told = f"{count_noun(waiting, 'record waits', 'records wait')} for a vector"
        invocation.note(f"{told} and can only be found by words, names and times: `toldonce tend` makes them.")


def _require_query(query: str) -> None:
    if not query.strip():
        raise InputError("there is nothing to look for: ask a question of at least one word")
