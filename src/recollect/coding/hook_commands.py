"""Commands for coding agents: install, uninstall, hook, metrics."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from recollect.cli.invocation import Door, pass_door
from recollect.cli.options import command
from recollect.cli.page import counted, table

if TYPE_CHECKING:
    from recollect.coding.hooks.agent_files import Caller
    from recollect.coding.hooks.install import Change, Target
    from recollect.coding.hooks.metrics import Comparison, Session

AGENTS = ("claude-code", "codex", "cursor", "gemini", "opencode")
_MOST_RUNS = 5_000
_agent = click.argument("agent", type=click.Choice(AGENTS))
_scope = click.option(
    "--project/--user",
    "for_project",
    default=False,
    help="For this project only, or for you in every project (default).",
)
_dry_run = click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")


@command("install")
@_agent
@_scope
@_dry_run
@click.option("--hold-out", type=click.IntRange(0, 50), default=0, metavar="PERCENT", help="Sessions without memory.")
@pass_door
def install(door: Door, agent: str, for_project: bool, dry_run: bool, hold_out: int) -> None:
    """Set Recollect up beside a coding agent.

    Its hooks and its MCP server are put into the agent's own settings.
    Everything else in these files stays. What they were is kept; `recollect uninstall` brings it back.
    """
    from recollect.coding.hooks.install import apply_install, plan_install

    target = _target(agent, for_project)
    changes = plan_install(target, _caller(door, for_project, hold_out))
    copies = [] if dry_run else apply_install(target, changes)
    _tell(door, changes, dry_run=dry_run, done=f"{agent} is set up. `recollect uninstall {agent}` takes it out again.")
    for copy in copies:
        door.note(f"What was there is kept at {copy}.")
    if not Path(door.place).exists():
        door.note(
            f"There is no memory at {door.place} yet: `recollect init --preset coding` makes one for this folder."
        )


@command("uninstall")
@_agent
@_scope
@_dry_run
@pass_door
def uninstall(door: Door, agent: str, for_project: bool, dry_run: bool) -> None:
    """Take Recollect out of a coding agent again.

    Files that nobody changed since are as they were before, to the byte; from others only our part is taken out.
    """
    from recollect.coding.hooks.install import apply_uninstall, plan_uninstall

    target = _target(agent, for_project)
    changes = plan_uninstall(target)
    if not dry_run:
        apply_uninstall(target, changes)
    _tell(door, changes, dry_run=dry_run, done=f"Recollect is out of {agent}.")


@command("hook")
@click.argument("agent", type=click.Choice(AGENTS))
@click.argument("event")
@click.option("--no-tend", is_flag=True, help="Learn from the session later, not right after its end.")
@click.option("--hold-out", type=click.IntRange(0, 50), default=0, metavar="PERCENT", help="Sessions without memory.")
@pass_door
def hook(door: Door, agent: str, event: str, no_tend: bool, hold_out: int) -> None:
    """Answer a coding agent's hook.

    The agent's JSON comes on standard input, our answer goes to standard output.
    Agents call this by themselves once `recollect install` has told them. It never fails and never says why: that
    stands in the log.
    """
    from recollect.coding.hooks.entry import main

    options = [f"--{name}={door.given[name]}" for name in ("place", "space") if door.given.get(name)]
    options += ["--no-tend"] if no_tend else []
    main([agent, event, *options, *([f"--hold-out={hold_out}"] if hold_out else [])])


@command("metrics")
@click.option("--limit", "-n", type=click.IntRange(min=1), default=20, show_default=True, help="How many sessions.")
@pass_door
def metrics(door: Door, limit: int) -> None:
    """Show what sessions spent on finding their way.

    With memory and without. Discovery tokens are what searching, listing and reading before the first edit returned,
    by the transcript.
    """
    from recollect.coding.hooks import LEARN
    from recollect.coding.hooks.metrics import compare, sessions_of

    with door.open() as memory:
        runs = [run for run in memory.jobs.runs(name=LEARN, limit=_MOST_RUNS) if run.space == door.home(memory).name]
        found = sessions_of(runs)
        page = door.page(memory)
        value = {"sessions": found[-limit:], "comparison": compare(found)}
        dates = [page.date(one.at) for one in found[-limit:]]
        nothing = ["No session was learnt from yet: `recollect install` sets an agent up."]
        door.answer(value, lambda: _figures(found[-limit:], dates, compare(found), page.columns) if found else nothing)


def _target(agent: str, for_project: bool) -> Target:
    from recollect.coding.hooks.branches import repository
    from recollect.coding.hooks.install import Target

    here = repository(str(Path.cwd()))
    root = Path(here.root) if here is not None else Path.cwd()
    return Target(agent, "project" if for_project else "user", root, Path.home())


def _caller(door: Door, for_project: bool, hold_out: int) -> Caller:
    """How the agent calls Recollect: a project's files are shared, so they name no folder of this machine."""
    from recollect.coding.hooks.agent_files import Caller

    shared = for_project and shutil.which("recollect") is not None
    program = ("recollect",) if shared else (sys.executable, "-P", "-m", "recollect")
    place = (f"--place={Path(door.given['place']).absolute()}",) if door.given.get("place") else ()
    space = (f"--space={door.space}",) if door.space else ()
    held = (f"--hold-out={hold_out}",) if hold_out else ()
    return Caller(program, (*place, *space, *held), server=(*program, "mcp", *place, *space))


def _tell(door: Door, changes: Sequence[Change], *, dry_run: bool, done: str) -> None:
    from recollect.coding.hooks.install import as_json

    value = {"changed": not dry_run and bool(changes), "files": [as_json(change) for change in changes]}
    shown = [line for change in changes for line in change.difference()]
    ended = "Nothing to change." if not changes else "Nothing was changed." if dry_run else done
    door.answer(value, lambda: [*shown, ended])


def _figures(found: Sequence[Session], dates: Sequence[str], compared: Comparison, columns: int) -> list[str]:
    from recollect.coding.hooks.metrics import bars

    head = ("day", "agent", "memory", "discovery", "calls", "shown", "searched", "used", "learnt", "session")
    rows = [
        (
            day,
            one.agent,
            "yes" if one.with_memory else "no",
            f"{one.discovery_tokens:,}",
            str(one.discovery_calls),
            f"{one.shown} ({one.shown_tokens:,})",
            str(one.searched),
            str(one.used),
            str(one.kept),
            one.session,
        )
        for day, one in zip(dates, found, strict=True)
    ]
    each = [(day, one.discovery_tokens, "█" if one.with_memory else "░") for day, one in zip(dates, found, strict=True)]
    chart = ["", "Discovery tokens before the first edit (█ with memory, ░ without)", *bars(each, columns=columns)]
    return [*table(head, rows, columns=columns), *chart, "", *_compared(compared)]


def _compared(compared: Comparison) -> list[str]:
    from recollect.coding.hooks.metrics import ENOUGH

    lines = [
        f"{name}: median {group.median:,.0f}, trimmed mean {group.trimmed_mean:,.0f} tokens in "
        f"{counted(group.sessions, 'session')} with edits"
        for name, group in (("Without memory", compared.without), ("With memory", compared.with_memory))
    ]
    if compared.saved is None or compared.low is None or compared.high is None:
        return [*lines, f"Not enough sessions yet to speak of a saving: {ENOUGH} of both sorts are needed."]
    interval = f"95 % between {compared.low:,.0f} and {compared.high:,.0f}"
    return [*lines, f"Memory saved {compared.saved:,.0f} tokens a session ({interval})."]
