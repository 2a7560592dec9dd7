"""The commands' shared building blocks: kinds of arguments, options that stand everywhere, and the command class."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from toldonce.cli.invocation import Invocation
from toldonce.tables import parse_duration

F = TypeVar("F", bound=Callable[..., Any])
EVERYWHERE = ("place", "space", "json", "quiet", "no_color")


def when(value: str) -> datetime | timedelta:
    """A moment: an ISO text, or a length of time such as 7d, meaning that long ago."""
    for read in (parse_duration, datetime.fromisoformat):
        with suppress(ValueError):
            return read(value)
    raise click.BadParameter(f"{value!r} is not a time: write 2026-05-03, 2026-05-03T14:30, or 7d for a week ago")


def pair(value: str) -> tuple[str, Any]:
    """`key=value`: numbers, true, false, null and JSON count as such, anything else is a text."""
    key, sign, said = value.partition("=")
    if not sign or not key.strip():
        raise click.BadParameter(f"{value!r} must be written key=value")
    try:
        return key.strip(), json.loads(said)
    except ValueError:
        return key.strip(), said


def as_text(value: str) -> str:
    """A text for people; bytes that are no text are refused."""
    if any("\ud800" <= c <= "\udfff" for c in value):
        raise click.BadParameter("it holds bytes that are not UTF-8 text")
    return value


def person(value: str) -> str:
    """Somebody's name; a blank one is most often a variable of a script that was not filled in."""
    if not value.strip():
        raise click.BadParameter("it is blank: name the person, or leave it out")
    return as_text(value)


def complete_preset(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The shipped presets that begin so, for the shell."""
    from toldonce.presets import shipped_presets

    return [CompletionItem(name) for name in shipped_presets() if name.startswith(incomplete)]


def shared_options() -> list[click.Parameter]:
    """Options that may stand before the command or after it."""
    said: dict[str, Any] = {"expose_value": False, "callback": _keep_global_option}
    flag: dict[str, Any] = {"is_flag": True, "default": False}
    return [
        click.Option(["--place", "-f"], metavar="PATH", help="The memory to use.", **said),
        click.Option(["--space"], metavar="NAME", help="The space to work in.", **said),
        click.Option(["--json"], help="Answer with one JSON document.", **said, **flag),
        click.Option(["--quiet", "-q"], help="Print only the result.", **said, **flag),
        click.Option(["--no-color"], help="Write without colours.", **said, **flag),
    ]


class CliCommand(click.Command):
    """A command that takes the shared options too, and lists them apart from its own."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.extend(shared_options())

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = [p for p in self.get_params(ctx) if isinstance(p, click.Option)]
        shown = [(p.name, record) for p in options if (record := p.get_help_record(ctx))]
        for title, everywhere in (("Options", False), ("Everywhere", True)):
            rows = [record for name, record in shown if (name in EVERYWHERE) is everywhere]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


class CliGroup(click.Group):
    """A command with commands of its own; alone, it lists."""

    command_class = CliCommand

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "invoke_without_command": True})
        self.params.extend(shared_options())


def named_command(name: str) -> Callable[[Callable[..., Any]], click.Command]:
    """Makes a function a command of that name."""
    return click.command(name, cls=CliCommand)


def user_option(help: str = "Whose memory.") -> Callable[[F], F]:
    """`--user`, which the settings may fill in."""
    return click.option("--user", "-u", type=person, metavar="NAME", help=help)


def pair_option(name: str, help: str) -> Callable[[F], F]:
    """An option that takes `key=value` and may be repeated."""
    return click.option(name, type=pair, metavar="KEY=VALUE", multiple=True, help=f"{help}; may be repeated.")


def yes_option(function: F) -> F:
    """`--yes`, for commands that destroy."""
    return click.option("--yes", "-y", is_flag=True, help="Do not ask.")(function)


def _keep_global_option(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    if value in (None, False) or ctx.resilient_parsing:
        return
    ctx.ensure_object(Invocation).given[str(param.name)] = value
    if param.name == "no_color":
        for context in (ctx, ctx.find_root()):
            context.color = False
