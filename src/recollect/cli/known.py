"""Commands that show what is known: profiles, entities, sizes, and the spaces and people of a memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from recollect.cli import text_output as show
from recollect.cli.invocation import Door, pass_door
from recollect.cli.options import DoorGroup, command, complete_preset, person, user_option, when, yes_option
from recollect.cli.page import Page, clean, table, wrap
from recollect.recall.render import level

if TYPE_CHECKING:
    from recollect.memory import Memory
    from recollect.records import Record

_MOST_ITEMS = 500


@command("profile")
@click.argument("user", type=person)
@click.option("--as-of", type=when, help="What was believed at that time.")
@click.option("--items", is_flag=True, help="Show single records instead, by area of life or by kind.")
@click.option("--forget", "line", metavar="LINE", help="Take this line out of the profile.")
@click.option("--clear", is_flag=True, help="Take every line out of the profile.")
@click.option("--reader", type=person, metavar="NAME", help="Show only what this person may see of it.")
@yes_option
@pass_door
def profile(
    door: Door, user: str, as_of: object, items: bool, line: str | None, clear: bool, reader: str | None, yes: bool
) -> None:
    """Show what is known of a person, or take lines out of it."""
    with door.open() as memory:
        page = door.page(memory)
        if items:
            found = _items(memory, user, reader=reader or user, space=door.space)
            nothing = [f"Nothing is known of {user} yet."]
            door.answer({"items": found}, lambda: _by_group(found, page) or nothing)
            return
        if line is not None or clear:
            if clear and not door.sure(f"Take every line out of the profile of {user}?", yes=yes):
                return
            memory.documents.forget_line(user, None if clear else line, reader=reader, space=door.space)
        moment = door.moment(as_of, memory)  # type: ignore[arg-type]
        known = memory.profile(user, reader=reader, as_of=moment, space=door.space)
        empty = [f"Nothing is known of {user} yet."] if known.version == 0 else ["The profile is empty."]
        door.answer(known, lambda: show.document(known, page) if known.entries else empty)


def _items(memory: Memory, user: str, *, reader: str, space: str | None) -> dict[str, list[Record]]:
    """A person's records that were drawn or told, newest first, by area of life where they have one, else by kind."""
    groups: dict[str, list[Record]] = {}
    for one in memory.review.records(reader, limit=_MOST_ITEMS, space=space):
        if one.user == user and one.conversation is None:
            groups.setdefault(str(one.metadata.get("area", one.kind)), []).append(one)
    return dict(sorted(groups.items()))


def _by_group(groups: dict[str, list[Record]], page: Page) -> list[str]:
    lines: list[str] = []
    for group, records in groups.items():
        lines += ([""] if lines else []) + [click.style(clean(group).replace("_", " "), bold=True)]
        for one in records:
            standing = "confirmed" if one.validated else f"{level(one.confidence)}, {one.origin.replace('_', ' ')}"
            lines += wrap(f"- {one.text}", page.columns, indent="  ")
            lines.append(click.style(f"    {one.id}  {page.date(one.at)}  {standing}", dim=True))
    return lines


@command("entity")
@click.argument("name")
@user_option("Only what this person may see.")
@click.option("--limit", "-n", type=click.IntRange(min=1), default=20, show_default=True, help="How many records.")
@pass_door
def entity(door: Door, name: str, user: str | None, limit: int) -> None:
    """Show a named thing and what mentions it."""
    with door.open() as memory:
        known = memory.entity(name, user=door.user(user), limit=limit, space=door.space)
        page = door.page(memory)
        nothing = [f"Nobody mentioned {name}."]
        door.answer({"entity": known}, lambda: show.entity(known, page) if known else nothing)


@command("stats")
@user_option("Only this person's records.")
@pass_door
def stats(door: Door, user: str | None) -> None:
    """Count what is in the memory."""
    with door.open() as memory:
        counts = memory.stats(user=user, space=door.space)
        value = {"place": door.place, **counts}
        door.answer(value, lambda: show.stats(counts, door.page(memory)))


@click.group("spaces", cls=DoorGroup)
@click.pass_context
@pass_door
def spaces(door: Door, ctx: click.Context) -> None:
    """List the spaces, or change one."""
    if ctx.invoked_subcommand is None:
        with door.open() as memory:
            found, page = memory.spaces.all(), door.page(memory)
            rows = [
                (s.name, s.preset, s.zone, _switch(s.enabled, s.deleted_at), page.date(s.created_at)) for s in found
            ]
            head = ("space", "preset", "time zone", "memory", "since")
            door.answer({"spaces": found}, lambda: table(head, rows, columns=page.columns))


@spaces.command("add")
@click.argument("name")
@click.option("--preset", "-p", shell_complete=complete_preset, help="Its preset; that of the first space by default.")
@click.option("--zone", help="Its time zone, such as Europe/Lisbon.")
@pass_door
def add(door: Door, name: str, preset: str | None, zone: str | None) -> None:
    """Make a space."""
    with door.open() as memory:
        made = memory.spaces.add(name, preset=preset, zone=zone or memory.space.zone)
        door.answer({"space": made}, lambda: [f"The space {made.name} is there (preset {made.preset}, {made.zone})."])


@spaces.command("on")
@click.argument("name")
@pass_door
def on(door: Door, name: str) -> None:
    """Switch memory on in a space."""
    with door.open() as memory:
        space = memory.spaces.switch(on=True, space=name)
        door.answer({"space": space}, lambda: [f"Memory is on in {name}."])


@spaces.command("off")
@click.argument("name")
@pass_door
def off(door: Door, name: str) -> None:
    """Switch memory off in a space.

    Until it is on again nothing is kept there, and nothing is shown.
    """
    with door.open() as memory:
        space = memory.spaces.switch(on=False, space=name)
        door.answer({"space": space}, lambda: [f"Memory is off in {name}."])


@spaces.command("delete")
@click.argument("name")
@pass_door
def delete(door: Door, name: str) -> None:
    """Hide a whole space.

    It can be restored until its grace is over.
    """
    with door.open() as memory:
        space = memory.spaces.delete(name)
        door.answer({"space": space}, lambda: [f"{name} is hidden; `recollect spaces restore {name}` brings it back."])


@spaces.command("restore")
@click.argument("name")
@pass_door
def restore(door: Door, name: str) -> None:
    """Bring a deleted space back."""
    with door.open() as memory:
        space = memory.spaces.restore(name)
        door.answer({"space": space}, lambda: [f"{name} is back."])


@click.group("people", cls=DoorGroup)
@click.pass_context
@pass_door
def people(door: Door, ctx: click.Context) -> None:
    """List everyone seen, or change one."""
    if ctx.invoked_subcommand is None:
        with door.open() as memory:
            found, page = memory.people.all(space=door.space), door.page(memory)
            rows = [
                (p.id, p.name, p.zone or "-", p.language or "-", "out" if p.blocked else "in", page.moment(p.seen_at))
                for p in found
            ]
            head = ("id", "name", "time zone", "language", "memory", "last seen")
            nobody = ["Nobody was seen here yet."]
            door.answer({"people": found}, lambda: table(head, rows, columns=page.columns) if rows else nobody)


@people.command("set")
@click.argument("user", type=person)
@click.option("--name", default="", help="What to call them.")
@click.option("--username", default="", help="Their user name.")
@click.option("--zone", default="", help="Their time zone, such as Europe/Lisbon.")
@click.option("--language", default="", help="Their language, such as pt.")
@pass_door
def set_(door: Door, user: str, name: str, username: str, zone: str, language: str) -> None:
    """Keep a person's name, time zone or language.

    What is not said stays as it was.
    """
    with door.open() as memory:
        kept = memory.people.update(
            user, display_name=name, username=username, zone=zone, language=language, space=door.space
        )
        door.answer(
            {"person": kept}, lambda: [f"{kept.id} is {kept.name}, {kept.zone or 'no time zone of their own'}."]
        )


@people.command("block")
@click.argument("user", type=person)
@pass_door
def block(door: Door, user: str) -> None:
    """Keep a person out of memory.

    Nothing of theirs is kept, and nothing is shown to them.
    """
    _block(door, user, blocked=True)


@people.command("unblock")
@click.argument("user", type=person)
@pass_door
def unblock(door: Door, user: str) -> None:
    """Let a person into memory again."""
    _block(door, user, blocked=False)


def _block(door: Door, user: str, *, blocked: bool) -> None:
    with door.open() as memory:
        memory.people.block(user, blocked=blocked, space=door.space)
    told = "kept out of memory" if blocked else "let into memory"
    door.answer({"user": user, "blocked": blocked}, lambda: [f"{user} is {told}."])


def _switch(enabled: bool, deleted_at: object) -> str:
    if deleted_at:
        return "deleted"
    return "on" if enabled else "off"
