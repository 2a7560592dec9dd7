"""The command line interface `toldonce`. A command's module is imported when the command is called.

Errors of the engine are printed in one line with an exit code; only unexpected ones are logged with a traceback.
"""

from __future__ import annotations

import contextlib
import difflib
import importlib
import logging
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from toldonce.cli.invocation import Invocation
from toldonce.cli.options import shared_options
from toldonce.errors import JobError, ModelError, StoreError, ToldonceError, WebhookError, shorten_message
from toldonce.logs import locate_exception, set_up

OK, FOUND_WRONG, BAD_INPUT, STORE_PROBLEM, BUG, INTERRUPTED = 0, 1, 2, 3, 4, 130

# Where each command lives: a module of this package and the name in it.
COMMANDS: Mapping[str, Mapping[str, str]] = {
    "Start": {
        "init": "cli.setup.init",
        "presets": "cli.setup.presets",
        "trust": "cli.trust.trust",
        "completion": "cli.setup.completion",
    },
    "Store and ask": {
        "observe": "cli.capture.observe",
        "remember": "cli.capture.remember",
        "journal": "cli.journal.journal",
        "settle": "cli.capture.settle",
        "recall": "cli.recall.recall",
        "context": "cli.recall.context",
        "why-not": "cli.recall.why_not",
    },
    "Correct": {
        "review": "cli.review.review",
        "history": "cli.corrections.history",
        "confirm": "cli.corrections.confirm",
        "correct": "cli.corrections.correct",
        "flag": "cli.corrections.flag",
        "pin": "cli.corrections.pin",
        "unpin": "cli.corrections.unpin",
        "forget": "cli.corrections.forget",
        "restore": "cli.corrections.restore",
        "purge": "cli.corrections.purge",
        "erase": "cli.corrections.erase",
        "questions": "cli.corrections.questions",
        "answer": "cli.corrections.answer",
    },
    "Work on code": {
        "scan": "coding.commands.scan",
        "locate": "coding.commands.locate",
        "map": "coding.commands.map_",
    },
    "Browse": {
        "profile": "cli.known.profile",
        "entity": "cli.known.entity",
        "timeline": "cli.report.timeline",
        "report": "cli.report.report",
        "stats": "cli.known.stats",
        "spaces": "cli.known.spaces",
        "people": "cli.known.people",
        "team": "cli.team.team",
    },
    "Maintain": {
        "tend": "cli.maintenance.tend",
        "worker": "cli.maintenance.worker",
        "jobs": "cli.maintenance.jobs",
        "runs": "cli.maintenance.runs",
        "usage": "cli.maintenance.usage",
        "export": "cli.maintenance.export",
        "import": "cli.maintenance.import_",
        "backup": "cli.maintenance.backup",
        "move": "cli.move.move",
        "encrypt": "cli.encrypt.encrypt",
        "decrypt": "cli.encrypt.decrypt",
        "rekey": "cli.encrypt.rekey",
        "audit": "cli.protect.audit",
        "quota": "cli.protect.quota",
        "reembed": "cli.maintenance.reembed",
        "doctor": "cli.doctor.doctor",
        "try-model": "cli.try_model.try_model",
        "bench": "cli.bench.bench",
    },
    "Serve": {
        "serve": "cli.serve.serve",
        "proxy": "cli.proxy.proxy",
        "bot": "cli.bot.bot",
        "keys": "cli.keys.keys",
        "webhooks": "cli.webhooks.webhooks",
        "login": "cli.remote.login",
        "logout": "cli.remote.logout",
        "whoami": "cli.remote.whoami",
    },
    "Serve agents": {
        "mcp": "cli.agents.mcp",
        "tools": "cli.agents.tools",
        "tool": "cli.agents.tool",
        "install": "coding.hook_commands.install",
        "uninstall": "coding.hook_commands.uninstall",
        "hook": "coding.hook_commands.hook",
        "metrics": "coding.hook_commands.metrics",
    },
}
_PLACES = {name: place for section in COMMANDS.values() for name, place in section.items()}
log = logging.getLogger("toldonce.cli")


SHORT_HELP = """\
Toldonce is a memory for agents and people.

  toldonce remember "We deploy on Fridays"   keep something
  toldonce recall "when do we deploy?"       find it again
  toldonce init                              make a memory in this folder, with a preset of your choice
  toldonce install                           set it up beside a coding agent
  toldonce serve                             open its pages in a browser

`toldonce --help` lists all commands, `toldonce COMMAND --help` explains one."""


class RootCommand(click.Group):
    """The command `toldonce`: finds its commands in a table and reports every error."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            click.echo(SHORT_HELP)
            ctx.exit(OK)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_PLACES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _PLACES:
            return None
        module, _, name = _PLACES[cmd_name].rpartition(".")
        found: click.Command = getattr(importlib.import_module(f"toldonce.{module}"), name)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in _PLACES and not name.startswith("-") and not ctx.resilient_parsing:
            near = difflib.get_close_matches(name, _PLACES, n=1)
            raise click.UsageError(f"no such command {name!r}" + (f": did you mean {near[0]!r}?" if near else ""), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for section, commands in COMMANDS.items():
            with formatter.section(section):
                found = ((name, self.get_command(ctx, name)) for name in commands)
                formatter.write_dl([(name, c.get_short_help_str(70)) for name, c in found if c])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            _stop_writing()
            ctx.exit(OK)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Runs a command and ends the process with its exit code."""
        set_up()
        given = sys.argv[1:] if args is None else list(args)
        run, name = super().main, prog_name or "toldonce"
        with contextlib.suppress(BrokenPipeError):
            sys.exit(_run_guarded(lambda: run(args, name, complete_var, False, **extra), as_json=_wants_json(given)))
        _stop_writing()
        sys.exit(OK)


@click.group(cls=RootCommand, context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 100})
@click.pass_context
def cli(ctx: click.Context) -> None:
    """A memory for agents and people: tell it things, ask it later, and correct what is wrong.

    Begin with `toldonce init`, or just `toldonce remember "..."`. An option listed below may also stand after
    the command.
    """
    ctx.ensure_object(Invocation)
    if os.environ.get("NO_COLOR"):
        ctx.color = False


cli.params.extend(shared_options())


def _print_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        from toldonce import __version__

        click.echo(f"toldonce {__version__}")
        ctx.exit()


cli.params.append(
    click.Option(
        ["--version"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_print_version,
        help="Show the version.",
    )
)


def run_cli() -> None:
    """The entry point of the command `toldonce`."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    cli.main(prog_name="toldonce")


def exit_code(problem: ToldonceError) -> int:
    """The exit code that stands for an error."""
    if isinstance(problem, StoreError):
        return STORE_PROBLEM
    return FOUND_WRONG if isinstance(problem, JobError | ModelError | WebhookError) else BAD_INPUT


def _run_guarded(run: Callable[[], Any], *, as_json: bool) -> int:
    """Run a call, report any error, and return the exit code."""
    try:
        return run() or OK
    except ToldonceError as problem:
        _print_problem(type(problem).__name__, str(problem), as_json=as_json)
        return exit_code(problem)
    except click.UsageError as problem:
        _print_problem("UsageError", _usage_message(problem), as_json=as_json)
        return BAD_INPUT
    except click.ClickException as problem:
        _print_problem(type(problem).__name__, problem.format_message(), as_json=as_json)
        return BAD_INPUT
    except click.Abort:
        _print_problem("Interrupted", "stopped; whatever was acknowledged before is kept", as_json=as_json)
        return INTERRUPTED
    except BrokenPipeError:
        raise
    except OSError as problem:
        name = str(problem.filename or "")[:200]
        _print_problem("FileError", f"{name + ': ' if name else ''}{problem.strerror or problem}", as_json=as_json)
        return STORE_PROBLEM
    except Exception as problem:
        return _report_bug(problem, as_json=as_json)


def _usage_message(problem: click.UsageError) -> str:
    path = problem.ctx.command_path if problem.ctx else "toldonce"
    message = problem.format_message().rstrip(".")
    return f"{message}{'' if message.endswith('?') else '.'} `{path} --help` says how it is called."


def _report_bug(problem: Exception, *, as_json: bool) -> int:
    log.error("unexpected %s", type(problem).__name__, exc_info=problem)
    _print_problem(
        "Bug",
        f"this is a bug in Toldonce ({locate_exception(problem)}): please report it; "
        "TOLDONCE_LOG_LEVEL=debug shows the whole trace",
        as_json=as_json,
    )
    return BUG


def _print_problem(kind: str, message: str, *, as_json: bool) -> None:
    message = shorten_message(message)
    if as_json:
        import json

        click.echo(json.dumps({"error": {"type": kind, "message": message}}, indent=2))
    else:
        click.echo(click.style("error: ", fg="red") + message, err=True, color=_wants_colour())


def _wants_colour() -> bool | None:
    return False if os.environ.get("NO_COLOR") or "--no-color" in sys.argv else None


def _wants_json(args: Sequence[str]) -> bool:
    """Whether --json is among the options, also when the rest of the line cannot be read."""
    before = args[: args.index("--")] if "--" in args else args
    return "--json" in before


def _stop_writing() -> None:
    """Nobody reads any more: what is still buffered goes nowhere, instead of failing once more at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            os.dup2(nowhere, stream.fileno())


if __name__ == "__main__":
    run_cli()
