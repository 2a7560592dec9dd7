"""Commands by which people correct what is remembered; only purge and erase destroy, and both ask first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import click

from toldonce.cli import text_output as show
from toldonce.cli.invocation import Invocation, pass_invocation
from toldonce.cli.options import as_text, named_command, person, user_option, yes_option
from toldonce.cli.page import count_noun

if TYPE_CHECKING:
    from toldonce.memory import Memory
    from toldonce.records import Erasure, Record

_id = click.argument("record_id", metavar="ID")
_as_person = user_option("Act as this person: what is private to others is not there.")


@named_command("history")
@_id
@_as_person
@pass_invocation
def history(invocation: Invocation, record_id: str, user: str | None) -> None:
    """Show a record and all that happened to it."""
    with invocation.open() as memory:
        told = memory.history(record_id, user=invocation.user(user))
        invocation.answer(told, lambda: show.format_history(told, invocation.page(memory)))


@named_command("confirm")
@_id
@_as_person
@pass_invocation
def confirm(invocation: Invocation, record_id: str, user: str | None) -> None:
    """Say that a record is true.

    It no longer fades, and no inference replaces it.
    """
    _change_record(invocation, "Confirmed", lambda memory: memory.confirm(record_id, user=invocation.user(user)))


@named_command("correct")
@_id
@click.argument("text", type=as_text)
@_as_person
@pass_invocation
def correct(invocation: Invocation, record_id: str, text: str, user: str | None) -> None:
    """Say what is true instead.

    TEXT replaces the record, which stays in history. Of another person's record it is a proposal that they confirm.
    """
    _change_record(
        invocation,
        "Corrected; this counts now",
        lambda memory: memory.correct(record_id, text, user=invocation.user(user)),
    )


@named_command("flag")
@_id
@click.option("--reason", type=as_text, metavar="TEXT", default="", help="What is wrong with it.")
@_as_person
@pass_invocation
def flag(invocation: Invocation, record_id: str, reason: str, user: str | None) -> None:
    """Say that a record is wrong.

    It is no longer shown, and records that depend on it are listed. `toldonce restore` undoes this.
    """
    with invocation.open() as memory:
        done = memory.flag(record_id, reason=reason, user=invocation.user(user))
        page = invocation.page(memory)
        near = [line for one in done.review for line in ["", *show.format_record(one, page, indent="  ")]]
        look = ["", click.style("Look at these too:", bold=True), *near] if near else []
        invocation.answer(
            done,
            lambda: [
                *_format_changed_record(invocation, "Flagged", done.record, memory),
                *(look if not invocation.quiet else []),
            ],
        )


@named_command("pin")
@_id
@_as_person
@pass_invocation
def pin(invocation: Invocation, record_id: str, user: str | None) -> None:
    """Show a record always and never let it fade."""
    _change_record(invocation, "Pinned", lambda memory: memory.pin(record_id, user=invocation.user(user)))


@named_command("unpin")
@_id
@_as_person
@pass_invocation
def unpin(invocation: Invocation, record_id: str, user: str | None) -> None:
    """Take a pin back."""
    _change_record(
        invocation, "Unpinned", lambda memory: memory.pin(record_id, pinned=False, user=invocation.user(user))
    )


@named_command("forget")
@_id
@click.option("--reason", type=as_text, metavar="TEXT", default="", help="Why.")
@_as_person
@pass_invocation
def forget(invocation: Invocation, record_id: str, reason: str, user: str | None) -> None:
    """Hide a record.

    `toldonce restore` brings it back, until its grace is over.
    """
    _change_record(
        invocation, "Forgotten", lambda memory: memory.forget(record_id, reason=reason, user=invocation.user(user))
    )


@named_command("restore")
@click.argument("what", metavar="[ID|BACKUP]", required=False)
@click.option(
    "--accept-possibly-forged",
    "allow_unproven",
    is_flag=True,
    help="Restore a backup that nothing proves to be ours although a signing key is set.",
)
@yes_option
@_as_person
@pass_invocation
def restore(invocation: Invocation, what: str | None, user: str | None, yes: bool, allow_unproven: bool) -> None:
    """Bring back a record, or the whole memory from a backup.

    A record was forgotten, flagged, superseded, expired, or has faded. BACKUP is a file that `toldonce backup` made;
    without anything it is the newest sound copy beside the memory. What it holds is shown first, and the replaced file
    is kept.
    """
    from toldonce.cli.restore import is_backup, restore_memory

    if what is None or is_backup(what):
        restore_memory(invocation, what, yes=yes, allow_unproven=allow_unproven)
        return
    _change_record(invocation, "Restored", lambda memory: memory.restore(what, user=invocation.user(user)))


@named_command("purge")
@_id
@yes_option
@_as_person
@pass_invocation
def purge(invocation: Invocation, record_id: str, yes: bool, user: str | None) -> None:
    """Destroy a record permanently.

    What was drawn from it alone goes too, and nothing brings it back.
    """
    with invocation.open() as memory:
        memory.get(record_id, user=invocation.user(user))
        if not invocation.confirm_action(f"Destroy {record_id} and what was drawn from it alone, for good?", yes=yes):
            invocation.note("Nothing was destroyed.")
            return
        gone = memory.purge(record_id, user=invocation.user(user))
        invocation.answer({"purged": gone}, lambda: [f"Destroyed {count_noun(gone, 'record')}."])


@named_command("erase")
@click.option("--user", "-u", type=person, required=True, metavar="NAME", help="Whose traces to destroy.")
@yes_option
@click.pass_context
@pass_invocation
def erase(invocation: Invocation, ctx: click.Context, user: str, yes: bool) -> None:
    """Destroy everything of a person permanently.

    What was drawn from it goes too, backups included; then every table is searched for what is left.
    """
    with invocation.open() as memory:
        where = f"in the space {invocation.space!r}" if invocation.space else "in every space"
        if not invocation.confirm_action(f"Destroy everything of {user} {where}, backups included, for good?", yes=yes):
            invocation.note("Nothing was destroyed.")
            return
        with invocation.show_progress("Erasing"):
            receipt = memory.erase(user=user, space=invocation.space)
    invocation.answer(receipt, lambda: _format_receipt(receipt))
    ctx.exit(0 if receipt.is_complete else 1)


@named_command("questions")
@user_option("Only questions to this person.")
@pass_invocation
def questions(invocation: Invocation, user: str | None) -> None:
    """List open questions about what contradicts."""
    with invocation.open() as memory:
        waiting = memory.questions(invocation.user(user), space=invocation.space)
        page = invocation.page(memory)
        nothing = ["No question is waiting."] if not waiting else []
        invocation.answer({"questions": waiting}, lambda: nothing + show.format_questions(waiting, page))


@named_command("answer")
@click.argument("question_id", metavar="ID")
@click.argument("text", type=as_text)
@_as_person
@pass_invocation
def answer(invocation: Invocation, question_id: str, text: str, user: str | None) -> None:
    """Answer an open question.

    TEXT says which of the two holds, or what is true instead.
    """
    _change_record(
        invocation,
        "Answered; this counts now",
        lambda memory: memory.answer(question_id, text, user=invocation.user(user)),
    )


def _change_record(invocation: Invocation, told: str, work: Callable[[Memory], Record]) -> None:
    with invocation.open() as memory:
        record = work(memory)
        invocation.answer({"record": record}, lambda: _format_changed_record(invocation, told, record, memory))


def _format_changed_record(invocation: Invocation, told: str, record: Record, memory: Memory) -> list[str]:
    if invocation.quiet:
        return [record.id]
    told = "Proposed; it waits for whose record it is" if record.state == "proposed" else told
    notices = [f"{click.style('!', fg='yellow')} {notice}" for notice in record.notices]
    return [
        *notices,
        click.style(f"{told}:", fg="green"),
        *show.format_record(record, invocation.page(memory), indent="  "),
    ]


def _format_receipt(receipt: Erasure) -> list[str]:
    lines = [f"Destroyed {count_noun(receipt.removed, 'record')}."]
    if receipt.traces:
        lines.append("Still there: " + _format_counts(receipt.traces))
    lines += [f"Not done yet: {line}." for line in receipt.pending]
    if receipt.is_complete:
        searched = f"{count_noun(receipt.searched, 'text')} in the bytes of {count_noun(receipt.files, 'file')}"
        lines.append(f"Nothing is left: every table was searched, and for {searched}.")
    if receipt.copies:
        lines.append("Copies elsewhere may still hold the person; delete or replace them:")
        lines += [f"  {copy.path} ({copy.what} of {copy.at:%Y-%m-%d})" for copy in receipt.copies]
    return lines


def _format_counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())
