"""Commands by which people set right what is remembered; only purge and erase destroy, and both ask first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import click

from recollect.cli import text_output as show
from recollect.cli.invocation import Door, pass_door
from recollect.cli.options import as_text, command, person, user_option, yes_option
from recollect.cli.page import counted

if TYPE_CHECKING:
    from recollect.memory import Memory
    from recollect.records import Erasure, Record

_id = click.argument("record_id", metavar="ID")
_as_person = user_option("Act as this person: what is private to others is not there.")


@command("history")
@_id
@_as_person
@pass_door
def history(door: Door, record_id: str, user: str | None) -> None:
    """Show a record and all that happened to it."""
    with door.open() as memory:
        told = memory.history(record_id, user=door.user(user))
        door.answer(told, lambda: show.history(told, door.page(memory)))


@command("confirm")
@_id
@_as_person
@pass_door
def confirm(door: Door, record_id: str, user: str | None) -> None:
    """Say that a record is true.

    It fades no more, and no inference replaces it.
    """
    _change(door, "Confirmed", lambda memory: memory.confirm(record_id, user=door.user(user)))


@command("correct")
@_id
@click.argument("text", type=as_text)
@_as_person
@pass_door
def correct(door: Door, record_id: str, text: str, user: str | None) -> None:
    """Say what is true instead.

    TEXT takes the place of the record, which stays in history.
    """
    _change(door, "Corrected; this counts now", lambda memory: memory.correct(record_id, text, user=door.user(user)))


@command("flag")
@_id
@click.option("--reason", type=as_text, metavar="TEXT", default="", help="What is wrong with it.")
@_as_person
@pass_door
def flag(door: Door, record_id: str, reason: str, user: str | None) -> None:
    """Say that a record is wrong.

    It is shown no more, and what hangs on it is listed. `recollect restore` takes it back.
    """
    with door.open() as memory:
        done = memory.flag(record_id, reason=reason, user=door.user(user))
        page = door.page(memory)
        near = [line for one in done.review for line in ["", *show.record(one, page, indent="  ")]]
        look = ["", click.style("Look at these too:", bold=True), *near] if near else []
        door.answer(done, lambda: [*_done(door, "Flagged", done.record, memory), *(look if not door.quiet else [])])


@command("pin")
@_id
@_as_person
@pass_door
def pin(door: Door, record_id: str, user: str | None) -> None:
    """Show a record always and never let it fade."""
    _change(door, "Pinned", lambda memory: memory.pin(record_id, user=door.user(user)))


@command("unpin")
@_id
@_as_person
@pass_door
def unpin(door: Door, record_id: str, user: str | None) -> None:
    """Take a pin back."""
    _change(door, "Unpinned", lambda memory: memory.pin(record_id, pinned=False, user=door.user(user)))


@command("forget")
@_id
@click.option("--reason", type=as_text, metavar="TEXT", default="", help="Why.")
@_as_person
@pass_door
def forget(door: Door, record_id: str, reason: str, user: str | None) -> None:
    """Hide a record.

    `recollect restore` brings it back, until its grace is over.
    """
    _change(door, "Forgotten", lambda memory: memory.forget(record_id, reason=reason, user=door.user(user)))


@command("restore")
@click.argument("what", metavar="[ID|BACKUP]", required=False)
@yes_option
@_as_person
@pass_door
def restore(door: Door, what: str | None, user: str | None, yes: bool) -> None:
    """Bring back a record, or the whole memory from a backup.

    A record was forgotten, flagged, superseded, expired, or has faded. BACKUP is a file that `recollect backup` made;
    without anything it is the newest sound copy beside the memory. What it holds is shown first, and the replaced file
    is kept.
    """
    from recollect.cli.restore import is_backup, restore_memory

    if what is None or is_backup(what):
        restore_memory(door, what, yes=yes)
        return
    _change(door, "Restored", lambda memory: memory.restore(what, user=door.user(user)))


@command("purge")
@_id
@yes_option
@_as_person
@pass_door
def purge(door: Door, record_id: str, yes: bool, user: str | None) -> None:
    """Destroy a record for good.

    What was drawn from it alone goes too, and nothing brings it back.
    """
    with door.open() as memory:
        memory.get(record_id, user=door.user(user))
        if not door.sure(f"Destroy {record_id} and what was drawn from it alone, for good?", yes=yes):
            door.note("Nothing was destroyed.")
            return
        gone = memory.purge(record_id, user=door.user(user))
        door.answer({"purged": gone}, lambda: [f"Destroyed {counted(gone, 'record')}."])


@command("erase")
@click.option("--user", "-u", type=person, required=True, metavar="NAME", help="Whose traces to destroy.")
@yes_option
@click.pass_context
@pass_door
def erase(door: Door, ctx: click.Context, user: str, yes: bool) -> None:
    """Destroy everything of a person for good.

    What was drawn from it goes too, backups included; then every table is searched for what is left.
    """
    with door.open() as memory:
        where = f"in the space {door.space!r}" if door.space else "in every space"
        if not door.sure(f"Destroy everything of {user} {where}, backups included, for good?", yes=yes):
            door.note("Nothing was destroyed.")
            return
        with door.working("Erasing"):
            receipt = memory.erase(user=user, space=door.space)
    door.answer(receipt, lambda: _receipt(receipt))
    ctx.exit(0 if receipt.is_complete else 1)


@command("questions")
@user_option("Only questions to this person.")
@pass_door
def questions(door: Door, user: str | None) -> None:
    """List doubts that wait for somebody's word."""
    with door.open() as memory:
        waiting = memory.questions(door.user(user), space=door.space)
        page = door.page(memory)
        nothing = ["No question is waiting."] if not waiting else []
        door.answer({"questions": waiting}, lambda: nothing + show.questions(waiting, page))


@command("answer")
@click.argument("question_id", metavar="ID")
@click.argument("text", type=as_text)
@_as_person
@pass_door
def answer(door: Door, question_id: str, text: str, user: str | None) -> None:
    """Settle a doubt.

    TEXT says which of the two holds, or what is true instead.
    """
    _change(door, "Answered; this counts now", lambda memory: memory.answer(question_id, text, user=door.user(user)))


def _change(door: Door, told: str, work: Callable[[Memory], Record]) -> None:
    with door.open() as memory:
        record = work(memory)
        door.answer({"record": record}, lambda: _done(door, told, record, memory))


def _done(door: Door, told: str, record: Record, memory: Memory) -> list[str]:
    if door.quiet:
        return [record.id]
    notices = [f"{click.style('!', fg='yellow')} {notice}" for notice in record.notices]
    return [*notices, click.style(f"{told}:", fg="green"), *show.record(record, door.page(memory), indent="  ")]


def _receipt(receipt: Erasure) -> list[str]:
    lines = [f"Destroyed {counted(receipt.removed, 'record')}."]
    if receipt.traces:
        lines.append("Still there: " + _listed(receipt.traces))
    lines += [f"Not done yet: {line}." for line in receipt.pending]
    if receipt.is_complete:
        searched = f"{counted(receipt.searched, 'text')} in the bytes of {counted(receipt.files, 'file')}"
        lines.append(f"Nothing is left: every table was searched, and for {searched}.")
    if receipt.copies:
        lines.append("Copies elsewhere may still hold the person; delete or replace them:")
        lines += [f"  {copy.path} ({copy.what} of {copy.at:%Y-%m-%d})" for copy in receipt.copies]
    return lines


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())
