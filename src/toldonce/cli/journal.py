"""The command that reads a folder of dated notes as somebody's journal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toldonce.cli.invocation import Invocation, pass_invocation
from toldonce.cli.options import named_command, user_option
from toldonce.cli.page import count_noun
from toldonce.errors import EmptyText, InputError

if TYPE_CHECKING:
    from toldonce.memory import Memory

_NO_DATE = "without a day: name it like 2026-03-02.md, or give it `date: 2026-03-02` in its front matter"
_PRESET = "life"


@dataclass(slots=True)
class _Reading:
    """What a folder brought so far."""

    notes: int = 0
    new: int = 0
    here: int = 0
    replaced: int = 0
    forgotten: int = 0
    first: str = ""
    last: str = ""
    removed: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)


@named_command("journal")
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path, exists=True))
@user_option("Whose journal it is.")
@click.option("--prune", is_flag=True, help="Forget notes that are no longer in FOLDER.")
@click.option("--preview", is_flag=True, help="Say what would come in, and store nothing.")
@pass_invocation
def journal(invocation: Invocation, folder: Path, user: str | None, prune: bool, preview: bool) -> None:
    """Read a folder of dated notes as a journal.

    Each note is about the day in its name (2026-03-02.md) or in its front matter. Run it again whenever you wrote: what
    is here already does not come twice, and a note that was changed replaces what it said before.
    """
    preset, owner = invocation.settings.config.preset or _PRESET, invocation.user(user)
    if owner is None:
        raise InputError("say whose journal it is, with --user NAME")
    with (
        invocation.open_for_import(preset=preset, preview=preview) as (memory, space),
        invocation.show_progress("Reading"),
    ):
        told = _read_folder(memory, folder, {"user": owner, "space": space}, prune=prune, preview=preview)
    value = {name: getattr(told, name) for name in _Reading.__slots__} | {"folder": folder, "is_preview": preview}
    invocation.answer(value, lambda: list(_format_report(told, folder, prune=prune, preview=preview)))


def _read_folder(memory: Memory, folder: Path, whose: dict[str, Any], *, prune: bool, preview: bool) -> _Reading:
    from toldonce.importers.notes import find_day, read_texts
    from toldonce.importers.source_tree import SourceTree

    told, names, where = _Reading(), set[str](), str(folder.resolve())
    with SourceTree(folder) as source:
        for name, text in read_texts(source):
            names.add(name)
            if not isinstance(text, str):
                told.problems.append(f"{name}: {text.reason}")
            elif find_day(name, text) is None:
                told.problems.append(f"{name}: {_NO_DATE}")
            else:
                _write_note(memory, told, text, {"name": name, "folder": where, "preview": preview, **whose})
    if not told.notes and not told.problems:
        raise EmptyText(f"there are no notes in {folder}: it needs files like 2026-03-02.md")
    told.removed = [one.name for one in memory.journals.notes(folder=where, **whose) if one.name not in names]
    if prune and not preview:
        told.forgotten = sum(memory.journals.forget(name, folder=where, **whose) for name in told.removed)
    return told


def _write_note(memory: Memory, told: _Reading, text: str, given: dict[str, Any]) -> None:
    try:
        written = memory.journals.write(text, **given)
    except InputError as problem:
        told.problems.append(f"{given['name']}: {problem}")
        return
    told.notes += 1
    told.new += len(written.new)
    told.here += written.here
    told.replaced += written.replaced
    told.left_out.update(written.left_out)
    told.first = min(told.first or written.on, written.on)
    told.last = max(told.last, written.on)


def _format_report(told: _Reading, folder: Path, *, prune: bool, preview: bool) -> Iterator[str]:
    yield f"Read {count_noun(told.notes, 'note')} from {folder}: new entries {told.new}, here already {told.here}."
    if told.first:
        yield f"Days: {told.first} to {told.last}."
    if told.replaced:
        verb = "would replace" if preview else "replaced"
        yield f"Changed notes {verb} {count_noun(told.replaced, 'entry', 'entries')}."
    for reason, count in told.left_out.items():
        yield f"Left out {count}: {reason}."
    if told.removed:
        named = ", ".join(told.removed[:5]) + (", ..." if len(told.removed) > 5 else "")
        done = "they were forgotten" if prune and not preview else "forget them with --prune"
        yield f"No longer in the folder: {named} ({count_noun(len(told.removed), 'note')}); {done}."
    for problem in told.problems:
        yield f"Problem: {problem}."
    if preview:
        yield "Nothing was stored yet."
