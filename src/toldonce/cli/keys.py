"""Commands for the keys of the server: list, add, rotate and revoke them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import click

from toldonce.cli.invocation import Invocation, pass_invocation
from toldonce.cli.options import CliGroup, person, when
from toldonce.errors import InputError

if TYPE_CHECKING:
    from toldonce.operations.keys import NewKey
    from toldonce.storage.tables.access_keys import AccessKey

_RIGHTS = click.Choice(["read", "write", "manage"])
_ROLES = click.Choice(["agent", "consolidator", "person"])


@click.group("keys", cls=CliGroup)
@click.pass_context
def keys(ctx: click.Context) -> None:
    """Keys with which programs use the server; alone, lists them."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_keys)


@keys.command("list")
@pass_invocation
def list_keys(invocation: Invocation, /) -> None:
    """List all keys with what they may do and when they were last used."""
    with invocation.open() as memory:
        found, now = memory.keys.all(), memory.clock()
        invocation.answer({"keys": found}, lambda: _format_keys(found, now))


@keys.command("add")
@click.argument("name")
@click.option("--user", "-u", type=person, metavar="NAME", help="The person that holders of the key act for.")
@click.option("--everyone", is_flag=True, help="Instead: holders act for whomever they name, and see everything.")
@click.option("--in", "spaces", multiple=True, metavar="SPACE", help="A space that the key reaches; may be repeated.")
@click.option("--right", "rights", multiple=True, type=_RIGHTS, help="What it may do, by default read and write.")
@click.option("--role", type=_ROLES, default="agent", show_default=True, help="What holders count as.")
@click.option("--expires", type=when, metavar="WHEN", help="When it ends: a date, or a length of time such as 90d.")
@pass_invocation
def add_key(
    invocation: Invocation,
    /,
    name: str,
    user: str | None,
    everyone: bool,
    spaces: Sequence[str],
    rights: Sequence[Any],
    role: Any,
    expires: datetime | timedelta | None,
) -> None:
    """Make a key. Its secret is printed once."""
    if (user is not None) == everyone:
        raise InputError("say whom the key is for: --user PERSON, or --everyone for a program that acts for all")
    with invocation.open(make=True) as memory:
        until = memory.clock() + expires if isinstance(expires, timedelta) else expires
        made = memory.keys.add(
            name, user=user, spaces=spaces or None, rights=rights or ("read", "write"), role=role, expires_at=until
        )
        _show_new_key(invocation, made)


@keys.command("rotate")
@click.argument("key")
@click.option("--grace", type=float, default=0.0, metavar="HOURS", help="How long the previous secret still holds.")
@pass_invocation
def rotate_key(invocation: Invocation, /, key: str, grace: float) -> None:
    """Give a key a new secret, which is printed once."""
    with invocation.open() as memory:
        _show_new_key(invocation, memory.keys.rotate(_find_key_id(memory.keys.all(), key), grace_hours=grace))


@keys.command("revoke")
@click.argument("key")
@pass_invocation
def revoke_key(invocation: Invocation, /, key: str) -> None:
    """End a key at once. KEY is its id, or its name when no other has it."""
    with invocation.open() as memory:
        ended = memory.keys.revoke(_find_key_id(memory.keys.all(), key))
        invocation.answer({"key": ended}, lambda: [f"{ended.name} ({ended.id}) is revoked."])


def _find_key_id(known: Sequence[AccessKey], said: str) -> str:
    named = [key.id for key in known if key.name == said and key.revoked_at is None]
    if len(named) > 1:
        raise InputError(f"several keys are called {said!r}: name one by id: {', '.join(named)}")
    return named[0] if named else said


def _show_new_key(invocation: Invocation, made: NewKey) -> None:
    invocation.note(f"{made.key.name} ({made.key.id}): keep this secret, it is not shown again.")
    invocation.answer({"key": made.key, "secret": made.secret}, lambda: [made.secret])


def _format_keys(found: Sequence[AccessKey], now: datetime) -> list[str]:
    lines = []
    for key in found:
        state = "revoked" if key.revoked_at else "expired" if key.has_expired(now) else "holds"
        until = f" until {key.expires_at:%Y-%m-%d}" if key.expires_at and state == "holds" else ""
        used = f"used {key.last_used_at:%Y-%m-%d %H:%M}" if key.last_used_at else "never used"
        reach = ", ".join(key.spaces) if key.spaces else "all spaces"
        lines.append(
            f"{key.id}  {key.name}: {key.person or 'everyone'} as {key.role}, {', '.join(key.rights)} in {reach}; "
            f"{state}{until}, {used}"
        )
    return lines
