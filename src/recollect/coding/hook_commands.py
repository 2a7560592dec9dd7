"""Commands for coding agents: install, uninstall, hook, metrics."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from recollect.cli.invocation import Invocation, pass_invocation
from recollect.cli.options import named_command
from recollect.cli.page import count_noun, format_table

if TYPE_CHECKING:
    from recollect.coding.hooks.agent_files import HookCommand
    from recollect.coding.hooks.install import FileChange, InstallTarget
    from recollect.coding.hooks.metrics import SessionComparison, SessionFigures

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


@named_command("install")
@_agent
@_scope
@_dry_run
@click.option("--hold-out", type=click.IntRange(0, 50), default=0, metavar="PERCENT", help="Sessions without memory.")
@pass_invocation
def install(invocation: Invocation, agent: str, for_project: bool, dry_run: bool, hold_out: int) -> None:
    """Set Recollect up beside a coding agent.

    Its hooks and its MCP server are put into the agent's own settings.
    Everything else in these files stays. What they were is kept; `recollect uninstall` brings it back.
    """
    from recollect.coding.hooks.install import apply_install, plan_install

    target = _install_target(agent, for_project)
    changes = plan_install(target, _hook_command(invocation, for_project, hold_out))
    copies = [] if dry_run else apply_install(target, changes)
    _print_changes(
        invocation,
        changes,
        dry_run=dry_run,
        done=f"{agent} is set up. `recollect uninstall {agent}` takes it out again.",
    )
    for copy in copies:
        invocation.note(f"What was there is kept at {copy}.")
    if "://" in invocation.place:
        invocation.note("Hooks read a memory in a file; from a database the agent remembers by its MCP server alone.")
    elif not Path(invocation.place).exists():
        invocation.note(
            f"There is no memory at {invocation.place} yet: `recollect init --preset coding` makes one for this folder."
        )


@named_command("uninstall")
@_agent
@_scope
@_dry_run
@pass_invocation
def uninstall(invocation: Invocation, agent: str, for_project: bool, dry_run: bool) -> None:
    """Take Recollect out of a coding agent again.

    Files that nobody changed since are as they were before, to the byte; from others only our part is taken out.
    """
    from recollect.coding.hooks.install import apply_uninstall, plan_uninstall

    target = _install_target(agent, for_project)
    changes = plan_uninstall(target)
    if not dry_run:
        apply_uninstall(target, changes)
    _print_changes(invocation, changes, dry_run=dry_run, done=f"Recollect is out of {agent}.")


@named_command("hook")
@click.argument("agent", type=click.Choice(AGENTS))
@click.argument("event")
@click.option("--no-tend", is_flag=True, help="Learn from the session later, not right after its end.")
@click.option("--hold-out", type=click.IntRange(0, 50), default=0, metavar="PERCENT", help="Sessions without memory.")
@pass_invocation
def hook(invocation: Invocation, agent: str, event: str, no_tend: bool, hold_out: int) -> None:
    """Answer a coding agent's hook.

    The agent's JSON is read from standard input, the answer is written to standard output.
    Agents call this once `recollect install` has configured them. It never fails: problems are only logged.
    """
    from recollect.coding.hooks.entry import run_hook

    options = [f"--{name}={invocation.given[name]}" for name in ("place", "space") if invocation.given.get(name)]
    options += ["--no-tend"] if no_tend else []
    run_hook([agent, event, *options, *([f"--hold-out={hold_out}"] if hold_out else [])])


@named_command("metrics")
@click.option("--limit", "-n", type=click.IntRange(min=1), default=20, show_default=True, help="How many sessions.")
@pass_invocation
def metrics(invocation: Invocation, limit: int) -> None:
    """Show what sessions spent on finding their way.

    With memory and without. Discovery tokens are what searching, listing and reading before the first edit returned,
    by the transcript.
    """
    from recollect.coding.hooks import LEARN
    from recollect.coding.hooks.metrics import compare_sessions, newest_session_figures

    with invocation.open() as memory:
        runs = [
            run
            for run in memory.jobs.runs(name=LEARN, limit=_MOST_RUNS)
            if run.space == invocation.current_space(memory).name
        ]
        found = newest_session_figures(runs)
        page = invocation.page(memory)
        value = {"sessions": found[-limit:], "comparison": compare_sessions(found)}
        dates = [page.date(one.at) for one in found[-limit:]]
        nothing = ["No session was learnt from yet: `recollect install` sets an agent up."]
        invocation.answer(
            value,
            lambda: (
                _format_session_figures(found[-limit:], dates, compare_sessions(found), page.columns)
                if found
                else nothing
            ),
        )


def _install_target(agent: str, for_project: bool) -> InstallTarget:
    from recollect.coding.hooks.branches import find_repository
    from recollect.coding.hooks.install import InstallTarget

    here = find_repository(str(Path.cwd()))
    root = Path(here.root) if here is not None else Path.cwd()
    return InstallTarget(agent, "project" if for_project else "user", root, Path.home())


def _hook_command(invocation: Invocation, for_project: bool, hold_out: int) -> HookCommand:
    """How the agent calls Recollect: a project's files are shared, so they name no folder of this machine."""
    from recollect.coding.hooks.agent_files import HookCommand

    shared = for_project and shutil.which("recollect") is not None
    program = ("recollect",) if shared else (sys.executable, "-P", "-m", "recollect")
    place = (f"--place={Path(invocation.given['place']).absolute()}",) if invocation.given.get("place") else ()
    space = (f"--space={invocation.space}",) if invocation.space else ()
    held = (f"--hold-out={hold_out}",) if hold_out else ()
    return HookCommand(program, (*place, *space, *held), server=(*program, "mcp", *place, *space))


def _print_changes(invocation: Invocation, changes: Sequence[FileChange], *, dry_run: bool, done: str) -> None:
    from recollect.coding.hooks.install import change_as_json

    value = {"changed": not dry_run and bool(changes), "files": [change_as_json(change) for change in changes]}
    shown = [line for change in changes for line in change.difference()]
    ended = "Nothing to change." if not changes else "Nothing was changed." if dry_run else done
    invocation.answer(value, lambda: [*shown, ended])


def _format_session_figures(
    found: Sequence[SessionFigures], dates: Sequence[str], compared: SessionComparison, columns: int
) -> list[str]:
    from recollect.coding.hooks.metrics import draw_bars

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
    chart = ["", "Discovery tokens before the first edit (█ with memory, ░ without)", *draw_bars(each, columns=columns)]
    return [*format_table(head, rows, columns=columns), *chart, "", *_format_comparison(compared)]


def _format_comparison(compared: SessionComparison) -> list[str]:
    from recollect.coding.hooks.metrics import ENOUGH

    lines = [
        f"{name}: median {group.median:,.0f}, trimmed mean {group.trimmed_mean:,.0f} tokens in "
        f"{count_noun(group.sessions, 'session')} with edits"
        for name, group in (("Without memory", compared.without), ("With memory", compared.with_memory))
    ]
    if compared.saved is None or compared.low is None or compared.high is None:
        return [
            *lines,
            f"Not enough sessions yet to measure savings: {ENOUGH} with memory and {ENOUGH} without are needed.",
        ]
    interval = f"95 % between {compared.low:,.0f} and {compared.high:,.0f}"
    return [*lines, f"Memory saved {compared.saved:,.0f} tokens a session ({interval})."]
