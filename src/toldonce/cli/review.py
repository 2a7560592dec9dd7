"""The command by which people decide about what was offered: accept it, change its words, or refuse it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import click

from toldonce.cli.invocation import Invocation, pass_invocation
from toldonce.cli.options import named_command, user_option
from toldonce.errors import InputError

if TYPE_CHECKING:
    from toldonce.memory import Memory
    from toldonce.records import Record

Choice = Literal["accepted", "changed", "refused"]
EVERYTHING = "all"


@named_command("review")
@click.option("--seed", "root", type=click.Path(exists=True, file_okay=False), help="First read this project's files.")
@click.option("--accept", multiple=True, metavar="ID", help="Accept it; `all` accepts everything pending.")
@click.option("--edit", multiple=True, nargs=2, metavar="ID TEXT", help="Accept it in other words.")
@click.option("--refuse", multiple=True, metavar="ID", help="Refuse it; `all` refuses everything pending.")
@click.option("--ask", is_flag=True, help="Go through pending items one by one.")
@user_option("Only what this person may see.")
@pass_invocation
def review(
    invocation: Invocation,
    root: str | None,
    accept: Sequence[str],
    edit: Sequence[tuple[str, str]],
    refuse: Sequence[str],
    ask: bool,
    user: str | None,
) -> None:
    """List what waits for approval, or decide about it.

    What a project's files say is only offered: nothing of it is shown to an agent before you accept it, and what you
    refuse is not offered again.
    """
    with invocation.open() as memory:
        if root is not None:
            from toldonce.coding.codemap.seed import offer_seeds

            offer_seeds(memory, root, space=invocation.space)
        waiting = memory.review.waiting(user=invocation.user(user), space=invocation.space)
        done = _decide_waiting(memory, waiting, accept=accept, edit=edit, refuse=refuse)
        if ask:
            done |= _ask_each(memory, [record for record in waiting if record.id not in done])
        left = memory.review.waiting(user=invocation.user(user), space=invocation.space)
        invocation.answer({"done": done, "waiting": left}, lambda: [*_format_decisions(done), *_format_waiting(left)])


def _decide_waiting(
    memory: Memory,
    waiting: Sequence[Record],
    *,
    accept: Sequence[str],
    edit: Sequence[tuple[str, str]],
    refuse: Sequence[str],
) -> dict[str, Choice]:
    known = {record.id for record in waiting}
    done: dict[str, Choice] = {}
    for record_id, text in edit:
        memory.correct(_require_waiting(record_id, known), text)
        done[record_id] = "changed"
    for record_id in _choose_waiting(refuse, known - set(done)):
        memory.forget(record_id, reason="refused at review")
        done[record_id] = "refused"
    for record_id in _choose_waiting(accept, known - set(done)):
        memory.confirm(record_id)
        done[record_id] = "accepted"
    return done


def _choose_waiting(named: Sequence[str], waiting: set[str]) -> list[str]:
    return sorted(waiting) if EVERYTHING in named else [_require_waiting(record_id, waiting) for record_id in named]


def _require_waiting(record_id: str, waiting: set[str]) -> str:
    if record_id not in waiting:
        raise InputError(f"{record_id} does not wait for review: `toldonce review` lists what does")
    return record_id


def _ask_each(memory: Memory, waiting: Sequence[Record]) -> dict[str, Choice]:
    done: dict[str, Choice] = {}
    for record in waiting:
        click.echo(f"\n{record.text}\n  from {_describe_record_origin(record)}")
        said = click.prompt("accept, edit, refuse or skip", type=click.Choice(["a", "e", "r", "s"]), default="s")
        text = click.prompt("in your words", default=record.text) if said == "e" else ""
        choices = {"a": ([record.id], [], []), "e": ([], [(record.id, text)], []), "r": ([], [], [record.id])}
        if said in choices:
            accept, edit, refuse = choices[said]
            done |= _decide_waiting(memory, [record], accept=accept, edit=edit, refuse=refuse)
    return done


def _format_decisions(done: dict[str, Choice]) -> list[str]:
    counts = {choice: list(done.values()).count(choice) for choice in dict.fromkeys(done.values())}
    return [", ".join(f"{count} {choice}" for choice, count in counts.items()) + "."] if done else []


def _format_waiting(left: Sequence[Record]) -> list[str]:
    if not left:
        return ["Nothing waits for review."]
    told = f"{len(left)} wait for your word: `toldonce review --accept ID`, `--edit ID TEXT`, `--refuse ID`, `--ask`."
    return [
        *(
            line
            for record in left
            for line in (record.text, f"    {record.id}  from {_describe_record_origin(record)}")
        ),
        "",
        told,
    ]


def _describe_record_origin(record: Record) -> str:
    from toldonce.coding.citations import read_citations

    places = [citation.place for citation in read_citations(record.metadata)]
    return ", ".join(places) or record.made_by
