"""Commands that tell the memory something: observe, remember, settle. They make no background work run."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toldonce.cli import text_output as show
from toldonce.cli.invocation import Invocation, pass_invocation
from toldonce.cli.options import as_text, named_command, pair_option, user_option, when
from toldonce.cli.page import PageLayout, count_noun
from toldonce.errors import EmptyText, InputError

if TYPE_CHECKING:
    from toldonce.capture.observe import Skipped
    from toldonce.distil.settle import Settled
    from toldonce.memory import Memory
    from toldonce.records import Record

BATCH = 500
_FIELDS = (
    "text",
    "user",
    "session",
    "role",
    "at",
    "channel",
    "space",
    "branch",
    "username",
    "display_name",
    "metadata",
    "idempotency_key",
)


@named_command("observe")
@click.argument("text", type=as_text, required=False)
@user_option("Who said it.")
@click.option("--session", "-s", metavar="ID", help="The session it was said in.")
@click.option("--role", default="user", show_default=True, help="Who speaks: user, assistant, system or tool.")
@click.option("--at", type=when, help="When it was said; now by default.")
@click.option("--channel", metavar="ID", help="The channel it was said in.")
@pair_option("--meta", "Something to keep with it")
@click.option("--idempotency-key", metavar="KEY", help="Store it once, however often it is sent with this key.")
@click.option("--jsonl", is_flag=True, help="Each line is a JSON table with text, user, session, role, at, ...")
@pass_invocation
def observe(
    invocation: Invocation,
    text: str | None,
    user: str | None,
    session: str | None,
    role: str,
    at: datetime | timedelta | None,
    channel: str | None,
    meta: Sequence[tuple[str, Any]],
    idempotency_key: str | None,
    jsonl: bool,
) -> None:
    """Keep a message as it was said.

    Without TEXT, or with -, each line of standard input is a message.
    """
    with invocation.open(make=True) as memory:
        same: dict[str, Any] = {
            "user": invocation.user(user), "session": session, "role": role, "at": invocation.moment(at, memory),
            "channel": channel, "metadata": dict(meta) or None,
        }  # fmt: skip
        if text is not None and text != "-":
            kept_one = memory.observe(text, space=invocation.space, idempotency_key=idempotency_key, **same)
            _answer_observed(invocation, [kept_one], one=True)
            return
        if idempotency_key is not None:
            raise InputError(
                "--idempotency-key is for one TEXT: with --jsonl each line has an idempotency_key of its own"
            )
        kept = _observe_lines(memory, _read_stdin_messages(jsonl=jsonl), same, space=invocation.space)
        if not kept:
            raise EmptyText("standard input was empty: there is nothing to remember")
        _answer_observed(invocation, kept, one=False)


@named_command("remember")
@click.argument("text", type=as_text)
@click.option("--kind", "-k", metavar="KIND", help="What kind of record; the preset has a default.")
@user_option("Whom it is about.")
@click.option("--subject", metavar="WHO/WHAT", help="What it is about, such as alex/residence.")
@click.option("--by", type=click.Choice(["person", "agent"]), default="person", show_default=True, help="Who says so.")
@click.option("--source", metavar="ID", multiple=True, help="A record it came from; may be repeated.")
@click.option("--session", "-s", metavar="ID", help="The session it belongs to.")
@click.option("--at", type=when, help="Since when; now by default.")
@click.option("--title", type=as_text, metavar="TEXT", default="", help="A title.")
@click.option("--tag", multiple=True, help="A tag; may be repeated.")
@pair_option("--meta", "Something to keep with it")
@click.option("--pin", is_flag=True, help="Show it always.")
@click.option(
    "--visibility",
    type=click.Choice(["private", "team", "project"]),
    help="Who may read it: its person, members of the space, or everyone there; its kind has a default.",
)
@pass_invocation
def remember(
    invocation: Invocation,
    text: str,
    kind: str | None,
    user: str | None,
    subject: str | None,
    by: Any,
    source: Sequence[str],
    session: str | None,
    at: datetime | timedelta | None,
    title: str,
    tag: Sequence[str],
    meta: Sequence[tuple[str, Any]],
    pin: bool,
    visibility: Any,
) -> None:
    """Keep a statement: a fact, a preference, a decision.

    `toldonce presets` shows which kinds there are. What is known already is not kept twice.
    """
    with invocation.open(make=True) as memory:
        before = memory.clock()
        record = memory.remember(
            text,
            kind,
            user=invocation.user(user),
            author=by,
            subject=subject,
            source=source or None,
            session=session,
            at=invocation.moment(at, memory),
            title=title,
            tags=tag,
            metadata=_cite_code(invocation, memory, text, dict(meta)),
            pinned=pin,
            visibility=visibility,
            space=invocation.space,
        )
        known = record.created_at < before
        told = "Known already" if known else "Kept"
        invocation.answer(
            {"record": record, "known_already": known},
            lambda: _format_remembered(invocation, told, record, invocation.page(memory)),
        )


def _cite_code(invocation: Invocation, memory: Memory, text: str, metadata: dict[str, Any]) -> dict[str, Any] | None:
    """The metadata with citations of what a statement names of the code base that the command runs in."""
    if not invocation.is_in_project(memory):
        return metadata or None
    from toldonce.coding.codemap.git import find_root
    from toldonce.coding.named_code import cite_in_metadata

    return cite_in_metadata(find_root(Path()), text, metadata, now=memory.clock())


def _cite_settled(memory: Memory, records: Sequence[Record]) -> None:
    """Cite what settled records name of the code base that the command runs in."""
    from toldonce.coding.codemap.git import find_root
    from toldonce.coding.fixed_bugs import cite_settled

    cite_settled(memory, records, root=find_root(Path()), now=memory.clock())


@named_command("settle")
@click.option("--session", "-s", metavar="ID", help="Only conversations of this session.")
@click.option("--channel", metavar="ID", help="Only conversations of this channel.")
@user_option("Only conversations of this person.")
@pass_invocation
def settle(invocation: Invocation, session: str | None, channel: str | None, user: str | None) -> None:
    """Turn conversations into notes, facts and profiles now.

    Otherwise it happens when the preset says that a conversation is over.
    """
    with invocation.open() as memory:
        with invocation.show_progress("Settling"):
            done = memory.settle(session=session, channel=channel, user=user, space=invocation.space)
        if done and invocation.is_in_project(memory):
            _cite_settled(memory, [record for one in done for record in one.kept])
        if problem := next((one.problem for one in done if one.problem), ""):
            invocation.warn(f"rules did the work because the language model failed: {problem}")
        if left_out := sum(one.left_out for one in done):
            invocation.warn(
                f"{left_out} facts were left out: a conversation keeps at most distil.max_facts (a key of the preset);"
                " the messages are kept"
            )
        invocation.answer({"settled": done}, lambda: _format_settled(done, invocation.page(memory)))


def _observe_lines(
    memory: Memory, lines: Iterator[tuple[int, dict[str, Any]]], same: Mapping[str, Any], *, space: str | None
) -> list[Record | Skipped]:
    """The result for each line. When a line is refused, the error names it and says which are stored already."""
    kept: list[Record | Skipped] = []
    done = 0
    batch: list[tuple[int, dict[str, Any]]] = []
    try:
        while batch := list(islice(lines, BATCH)):
            kept += memory.observe_many([{**same, **message} for _, message in batch], space=space)
            done = batch[-1][0]
    except InputError as problem:
        told = str(problem)
        if problem.place is not None:
            told = f"line {batch[problem.place][0]} of standard input: {told.partition(': ')[2]}"
        problem.args = (f"{told}; lines 1 to {done} are kept, go on with line {done + 1}" if done else told,)
        raise
    return kept


def _read_stdin_messages(*, jsonl: bool) -> Iterator[tuple[int, dict[str, Any]]]:
    if sys.stdin.isatty():
        click.echo("Reading messages from the terminal, one a line; end with Ctrl-D.", err=True)
    for number, raw in enumerate(sys.stdin.buffer, start=1):
        try:
            line = raw.decode("utf-8").strip()
        except UnicodeDecodeError:
            raise InputError(f"line {number} of standard input is not UTF-8 text") from None
        if line:
            yield number, (_parse_message_line(line, number) if jsonl else {"text": line})


def _parse_message_line(line: str, number: int) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except ValueError as problem:
        raise InputError(f"line {number} of standard input is not JSON: {problem}") from None
    if not isinstance(message, dict) or "text" not in message:
        raise InputError(f"line {number} of standard input must be a table with a text")
    if unknown := sorted(message.keys() - set(_FIELDS)):
        raise InputError(f"line {number} of standard input: unknown key {unknown[0]!r}; known: {', '.join(_FIELDS)}")
    return {key: value for key, value in message.items() if value is not None}


def _answer_observed(invocation: Invocation, kept: list[Record | Skipped], *, one: bool) -> None:
    good = [k for k in kept if k]
    value = {"message": kept[0]} if one else {"messages": kept, "kept": len(good), "skipped": len(kept) - len(good)}
    invocation.answer(value, lambda: _format_observed(invocation, kept, one=one))


def _format_observed(invocation: Invocation, kept: list[Record | Skipped], *, one: bool) -> list[str]:
    from toldonce.records import Record

    good = [k for k in kept if isinstance(k, Record)]
    if invocation.quiet:
        return [k.id for k in good]
    lines = [f"{click.style('!', fg='yellow')} {notice}" for k in good for notice in k.notices]
    if one:
        return [*lines, *(f"Kept {k.id}" if isinstance(k, Record) else f"Skipped: {k.reason}" for k in kept)]
    reasons = sorted({k.reason for k in kept if not isinstance(k, Record)})
    skipped = f", skipped {len(kept) - len(good)} ({'; '.join(reasons)})" if reasons else ""
    return [*lines, f"Kept {count_noun(len(good), 'message')}{skipped}"]


def _format_remembered(invocation: Invocation, told: str, record: Record, page: PageLayout) -> list[str]:
    if invocation.quiet:
        return [record.id]
    notices = [f"{click.style('!', fg='yellow')} {notice}" for notice in record.notices]
    return [*notices, click.style(f"{told}:", fg="green"), *show.format_record(record, page, indent="  ")]


def _format_settled(done: Sequence[Settled], page: PageLayout) -> list[str]:
    if not done:
        return ["No conversation is waiting."]
    kept = [record for one in done for record in one.kept]
    documents = sum(one.documents for one in done)
    changed = f" and changed {count_noun(documents, 'document')}" if documents else ""
    lines = [f"Settled {count_noun(len(done), 'conversation')}: kept {count_noun(len(kept), 'record')}{changed}."]
    for record in kept:
        lines += ["", *show.format_record(record, page)]
    return lines
