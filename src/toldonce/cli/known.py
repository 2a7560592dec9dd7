"""Commands that show what is known: profiles, entities, sizes, and the spaces and people of a memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from toldonce.access import ROLES
from toldonce.cli import text_output as show
from toldonce.cli.invocation import Invocation, pass_invocation
from toldonce.cli.options import CliGroup, complete_preset, named_command, person, user_option, when, yes_option
from toldonce.cli.page import PageLayout, format_table, mask_controls, wrap_text
from toldonce.recall.render import confidence_level

if TYPE_CHECKING:
    from toldonce.memory import Memory
    from toldonce.records import Record

_MOST_ITEMS = 500


@named_command("profile")
@click.argument("user", type=person)
@click.option("--as-of", type=when, help="What was believed at that time.")
@click.option("--items", is_flag=True, help="Show single records instead, by area of life or by kind.")
@click.option("--forget", "line", metavar="LINE", help="Take this line out of the profile.")
@click.option("--clear", is_flag=True, help="Take every line out of the profile.")
@click.option("--reader", type=person, metavar="NAME", help="Show only what this person may see of it.")
@yes_option
@pass_invocation
def profile(
    invocation: Invocation,
    user: str,
    as_of: object,
    items: bool,
    line: str | None,
    clear: bool,
    reader: str | None,
    yes: bool,
) -> None:
    """Show what is known of a person, or take lines out of it."""
    with invocation.open() as memory:
        page = invocation.page(memory)
        if items:
            found = _known_records(memory, user, reader=reader or user, space=invocation.space)
            nothing = [f"Nothing is known of {user} yet."]
            invocation.answer({"items": found}, lambda: _by_group(found, page) or nothing)
            return
        if line is not None or clear:
            if clear and not invocation.confirm_action(f"Take every line out of the profile of {user}?", yes=yes):
                return
            memory.documents.forget_line(user, None if clear else line, reader=reader, space=invocation.space)
        moment = invocation.moment(as_of, memory)  # type: ignore[arg-type]
        known = memory.profile(user, reader=reader, as_of=moment, space=invocation.space)
        empty = [f"Nothing is known of {user} yet."] if known.version == 0 else ["The profile is empty."]
        invocation.answer(known, lambda: show.format_document(known, page) if known.entries else empty)


def _known_records(memory: Memory, user: str, *, reader: str, space: str | None) -> dict[str, list[Record]]:
    """A person's extracted or stated records, newest first, by area of life where they have one, else by kind."""
    groups: dict[str, list[Record]] = {}
    for one in memory.review.records(reader, limit=_MOST_ITEMS, space=space):
        if one.user == user and one.conversation is None:
            groups.setdefault(str(one.metadata.get("area", one.kind)), []).append(one)
    return dict(sorted(groups.items()))


def _by_group(groups: dict[str, list[Record]], page: PageLayout) -> list[str]:
    lines: list[str] = []
    for group, records in groups.items():
        lines += ([""] if lines else []) + [click.style(mask_controls(group).replace("_", " "), bold=True)]
        for one in records:
            standing = (
                "confirmed" if one.validated else f"{confidence_level(one.confidence)}, {one.origin.replace('_', ' ')}"
            )
            lines += wrap_text(f"- {one.text}", page.columns, indent="  ")
            lines.append(click.style(f"    {one.id}  {page.date(one.at)}  {standing}", dim=True))
    return lines


@named_command("entity")
@click.argument("name")
@user_option("Only what this person may see.")
@click.option("--limit", "-n", type=click.IntRange(min=1), default=20, show_default=True, help="How many records.")
@pass_invocation
def entity(invocation: Invocation, name: str, user: str | None, limit: int) -> None:
    """Show a named thing and what mentions it."""
    with invocation.open() as memory:
        known = memory.entity(name, user=invocation.user(user), limit=limit, space=invocation.space)
        page = invocation.page(memory)
        nothing = [f"Nobody mentioned {name}."]
        invocation.answer({"entity": known}, lambda: show.format_entity(known, page) if known else nothing)


@named_command("stats")
@user_option("Only this person's records.")
@pass_invocation
def stats(invocation: Invocation, user: str | None) -> None:
    """Count what is in the memory."""
    with invocation.open() as memory:
        counts = memory.stats(user=user, space=invocation.space)
        value = {"place": getattr(memory, "place", None) or memory.store.place, **counts}
        invocation.answer(value, lambda: show.format_stats(counts, invocation.page(memory)))


@click.group("spaces", cls=CliGroup)
@click.pass_context
@pass_invocation
def spaces(invocation: Invocation, ctx: click.Context) -> None:
    """List the spaces, or change one."""
    if ctx.invoked_subcommand is None:
        with invocation.open() as memory:
            found, page = memory.spaces.all(), invocation.page(memory)
            rows = [
                (s.name, s.preset, s.zone, _format_switch(s.enabled, s.deleted_at), page.date(s.created_at))
                for s in found
            ]
            head = ("space", "preset", "time zone", "memory", "since")
            invocation.answer({"spaces": found}, lambda: format_table(head, rows, columns=page.columns))


@spaces.command("add")
@click.argument("name")
@click.option("--preset", "-p", shell_complete=complete_preset, help="Its preset; that of the first space by default.")
@click.option("--zone", help="Its time zone, such as Europe/Lisbon.")
@pass_invocation
def add(invocation: Invocation, name: str, preset: str | None, zone: str | None) -> None:
    """Make a space."""
    with invocation.open() as memory:
        made = memory.spaces.add(name, preset=preset, zone=zone or memory.space.zone)
        invocation.answer(
            {"space": made}, lambda: [f"The space {made.name} is there (preset {made.preset}, {made.zone})."]
        )


@spaces.command("on")
@click.argument("name")
@pass_invocation
def on(invocation: Invocation, name: str) -> None:
    """Switch memory on in a space."""
    with invocation.open() as memory:
        space = memory.spaces.switch(on=True, space=name)
        invocation.answer({"space": space}, lambda: [f"Memory is on in {name}."])


@spaces.command("off")
@click.argument("name")
@pass_invocation
def off(invocation: Invocation, name: str) -> None:
    """Switch memory off in a space.

    Until it is on again nothing is kept there, and nothing is shown.
    """
    with invocation.open() as memory:
        space = memory.spaces.switch(on=False, space=name)
        invocation.answer({"space": space}, lambda: [f"Memory is off in {name}."])


@spaces.command("delete")
@click.argument("name")
@pass_invocation
def delete(invocation: Invocation, name: str) -> None:
    """Hide a whole space.

    It can be restored until its grace is over.
    """
    with invocation.open() as memory:
        space = memory.spaces.delete(name)
        invocation.answer(
            {"space": space}, lambda: [f"{name} is hidden; `toldonce spaces restore {name}` brings it back."]
        )


@spaces.command("restore")
@click.argument("name")
@pass_invocation
def restore(invocation: Invocation, name: str) -> None:
    """Bring a deleted space back."""
    with invocation.open() as memory:
        space = memory.spaces.restore(name)
        invocation.answer({"space": space}, lambda: [f"{name} is back."])


@click.group("people", cls=CliGroup)
@click.pass_context
@pass_invocation
def people(invocation: Invocation, ctx: click.Context) -> None:
    """List everyone seen, or change one."""
    if ctx.invoked_subcommand is None:
        with invocation.open() as memory:
            found, page = memory.people.all(space=invocation.space), invocation.page(memory)
            rows = [
                (p.id, p.name, p.zone or "-", p.language or "-", "out" if p.blocked else "in", page.moment(p.seen_at))
                for p in found
            ]
            head = ("id", "name", "time zone", "language", "memory", "last seen")
            nobody = ["Nobody was seen here yet."]
            invocation.answer(
                {"people": found}, lambda: format_table(head, rows, columns=page.columns) if rows else nobody
            )


@people.command("set")
@click.argument("user", type=person)
@click.option("--name", default="", help="What to call them.")
@click.option("--username", default="", help="Their user name.")
@click.option("--zone", default="", help="Their time zone, such as Europe/Lisbon.")
@click.option("--language", default="", help="Their language, such as pt.")
@pass_invocation
def set_(invocation: Invocation, user: str, name: str, username: str, zone: str, language: str) -> None:
    """Keep a person's name, time zone or language.

    What is not said stays as it was.
    """
    with invocation.open() as memory:
        kept = memory.people.update(
            user, display_name=name, username=username, zone=zone, language=language, space=invocation.space
        )
        invocation.answer(
            {"person": kept}, lambda: [f"{kept.id} is {kept.name}, {kept.zone or 'no time zone of their own'}."]
        )


@people.command("block")
@click.argument("user", type=person)
@pass_invocation
def block(invocation: Invocation, user: str) -> None:
    """Keep a person out of memory.

    Nothing of theirs is kept, and nothing is shown to them.
    """
    _set_blocked(invocation, user, blocked=True)


@people.command("unblock")
@click.argument("user", type=person)
@pass_invocation
def unblock(invocation: Invocation, user: str) -> None:
    """Let a person into memory again."""
    _set_blocked(invocation, user, blocked=False)


@people.command("consent")
@click.argument("user", type=person)
@click.option("--give", "given", flag_value="give", help="They agree.")
@click.option("--withdraw", "given", flag_value="withdraw", help="They no longer agree.")
@click.option("--purpose", default="memory", show_default=True, help="What it is about: to be remembered, or your own.")
@click.option("--means", default="command line", show_default=True, help="How they said so.")
@click.option("--wording", default="", help="The text that they agreed to.")
@pass_invocation
def consent(invocation: Invocation, user: str, given: str | None, purpose: str, means: str, wording: str) -> None:
    """Show what a person agreed to, or record it.

    Who withdraws the purpose "memory" is kept out of memory; what is there stays until `toldonce erase`.
    """
    with invocation.open() as memory:
        if given is not None:
            memory.people.set_consent(
                user,
                is_given=given == "give",
                purpose=purpose,
                means=means,
                wording=wording,
                space=invocation.space,
            )
        found, page = memory.people.consents(user, space=invocation.space), invocation.page(memory)
    rows = [(page.moment(c.at), c.purpose, "given" if c.is_given else "withdrawn", c.means or "-") for c in found]
    head, nothing = ("when", "purpose", "consent", "means"), [f"{user} was not asked yet."]
    invocation.answer({"consents": found}, lambda: format_table(head, rows, columns=page.columns) if rows else nothing)


@people.command("members")
@pass_invocation
def members(invocation: Invocation) -> None:
    """List who has which role.

    Members see what is kept with --visibility team.
    """
    with invocation.open() as memory:
        roles = memory.people.members(space=invocation.space)
        page = invocation.page(memory)
    nobody = ["Nobody has a role here: `toldonce people add USER --role owner` gives the first."]
    invocation.answer(
        {"members": roles},
        lambda: format_table(("person", "role"), list(roles.items()), columns=page.columns) if roles else nobody,
    )


@people.command("add")
@click.argument("user", type=person)
@click.option("--role", type=click.Choice(ROLES), default="member", show_default=True, help="What they are here.")
@click.option("--by", type=person, metavar="NAME", help="Do it as this person, who must be allowed to.")
@pass_invocation
def add_member(invocation: Invocation, user: str, role: str, by: str | None) -> None:
    """Give a person a role in the space."""
    with invocation.open() as memory:
        memory.people.add_member(user, role, by=by, space=invocation.space)
    invocation.answer({"user": user, "role": role}, lambda: [f"{user} is now: {role}."])


@people.command("remove")
@click.argument("user", type=person)
@click.option("--by", type=person, metavar="NAME", help="Do it as this person, who must be allowed to.")
@pass_invocation
def remove_member(invocation: Invocation, user: str, by: str | None) -> None:
    """Take a person's role in the space away.

    What they wrote stays.
    """
    with invocation.open() as memory:
        memory.people.remove_member(user, by=by, space=invocation.space)
    invocation.answer({"user": user, "role": None}, lambda: [f"{user} has no role any more."])


def _set_blocked(invocation: Invocation, user: str, *, blocked: bool) -> None:
    with invocation.open() as memory:
        memory.people.block(user, blocked=blocked, space=invocation.space)
    told = "kept out of memory" if blocked else "let into memory"
    invocation.answer({"user": user, "blocked": blocked}, lambda: [f"{user} is {told}."])


def _format_switch(enabled: bool, deleted_at: object) -> str:
    if deleted_at:
        return "deleted"
    return "on" if enabled else "off"
