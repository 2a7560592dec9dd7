"""Commands for coding agents: install, uninstall, hook, metrics."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from toldonce.cli.invocation import Invocation, pass_invocation
from toldonce.cli.options import named_command
from toldonce.cli.page import count_noun, format_table
from toldonce.errors import InputError

if TYPE_CHECKING:
    from toldonce.coding.hooks.agent_files import HookCommand
    from toldonce.coding.hooks.install import FileChange, InstallTarget
    from toldonce.coding.hooks.metrics import MemoryFigures, SessionComparison, SessionFigures
    from toldonce.memory import Memory

AGENTS = ("claude-code", "codex", "cursor", "gemini", "opencode")
_MOST_RUNS = 5_000
# What a person must do after the installation, because an agent leaves it to them.
_AFTER_INSTALL = {
    "codex": "Codex runs new or changed hooks only once you trust them: start `codex`, type /hooks and trust those of"
    " Toldonce. Until then no memory is shown or learnt; its MCP tools work all the same. `codex exec` runs hooks that"
    " were not trusted yet with --dangerously-bypass-hook-trust."
}
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
    """Set Toldonce up beside a coding agent.

    Its hooks and its MCP server are put into the agent's own settings.
    Everything else in these files stays. What they were is kept; `toldonce uninstall` brings it back.
    """
    from toldonce.coding.hooks.install import apply_install, plan_install

    if invocation.given.get("place") and not for_project:
        raise InputError(
            "with --place every project would share that memory: set one project up with --project, or leave --place"
            " out, so that each project's own memory is used"
        )
    target = _install_target(agent, for_project)
    changes = plan_install(target, _hook_command(invocation, for_project, hold_out))
    copies = [] if dry_run else apply_install(target, changes)
    _print_changes(
        invocation,
        changes,
        dry_run=dry_run,
        done=f"{agent} is set up. `toldonce uninstall {agent}` takes it out again.",
    )
    for copy in copies:
        invocation.note(f"What was there is kept at {copy}.")
    if changes and not dry_run and agent in _AFTER_INSTALL:
        invocation.note(_AFTER_INSTALL[agent])
    if "://" in invocation.place:
        invocation.note("Hooks read a memory in a file; from a database the agent remembers by its MCP server alone.")
    elif not _is_folder_set_up(invocation):
        invocation.note("This folder has no memory yet: `toldonce init --preset coding` makes one for it.")


@named_command("uninstall")
@_agent
@_scope
@_dry_run
@pass_invocation
def uninstall(invocation: Invocation, agent: str, for_project: bool, dry_run: bool) -> None:
    """Take Toldonce out of a coding agent again.

    Files that nobody changed since are as they were before, to the byte; from others only our part is taken out.
    """
    from toldonce.coding.hooks.install import apply_uninstall, plan_uninstall

    target = _install_target(agent, for_project)
    changes = plan_uninstall(target)
    if not dry_run:
        apply_uninstall(target, changes)
    _print_changes(invocation, changes, dry_run=dry_run, done=f"Toldonce is out of {agent}.")


@named_command("hook")
@click.argument("agent", type=click.Choice(AGENTS))
@click.argument("event")
@click.option("--no-tend", is_flag=True, help="Learn from the session later, not right after its end.")
@click.option("--hold-out", type=click.IntRange(0, 50), default=0, metavar="PERCENT", help="Sessions without memory.")
@pass_invocation
def hook(invocation: Invocation, agent: str, event: str, no_tend: bool, hold_out: int) -> None:
    """Answer a coding agent's hook.

    The agent's JSON is read from standard input, the answer is written to standard output.
    Agents call this once `toldonce install` has configured them. It never fails: problems are only logged.
    """
    from toldonce.coding.hooks.entry import run_hook

    options = [f"--{name}={invocation.given[name]}" for name in ("place", "space") if invocation.given.get(name)]
    options += ["--no-tend"] if no_tend else []
    run_hook([agent, event, *options, *([f"--hold-out={hold_out}"] if hold_out else [])])


@named_command("metrics")
@click.option("--limit", "-n", type=click.IntRange(min=1), default=20, show_default=True, help="How many sessions.")
@click.option("--system", is_flag=True, help="Over all projects of this machine that agents worked on.")
@pass_invocation
def metrics(invocation: Invocation, limit: int, system: bool) -> None:
    """Show what sessions spent on finding their way.

    With memory and without, and what memory did for them. Discovery tokens are what searching, listing and reading
    before the first edit returned, by the transcript.
    """
    if system:
        _show_system_metrics(invocation)
        return
    from toldonce.coding.hooks.metrics import compare_sessions, summarise_memory

    with invocation.open() as memory:
        found = _read_session_figures(memory, invocation.current_space(memory).name)
        page = invocation.page(memory)
        compared, summary = compare_sessions(found), summarise_memory(found)
        value = {"sessions": found[-limit:], "comparison": compared, "memory": summary}
        dates = [page.date(one.at) for one in found[-limit:]]
        nothing = ["No session was learnt from yet: `toldonce install` sets an agent up."]

        def lines() -> list[str]:
            table = _format_session_figures(found[-limit:], dates, compared, page.columns)
            return [*table, "", *_format_memory_figures(summary)]

        invocation.answer(value, lambda: lines() if found else nothing)


def _read_session_figures(memory: Memory, space: str) -> list[SessionFigures]:
    from toldonce.coding.hooks import LEARN
    from toldonce.coding.hooks.metrics import newest_session_figures

    runs = memory.jobs.runs(name=LEARN, limit=_MOST_RUNS)
    return newest_session_figures(run for run in runs if run.space == space)


def _show_system_metrics(invocation: Invocation) -> None:
    """Figures of every project whose hooks ran on this machine; counts only, nothing that was said."""
    from toldonce.coding.hooks.metrics import summarise_memory
    from toldonce.coding.hooks.settings import list_known_memories
    from toldonce.errors import ToldonceError

    projects: dict[str, list[SessionFigures]] = {}
    for place, space in list_known_memories():
        try:
            with invocation.open_at(place) as memory:
                projects[place] = _read_session_figures(memory, space)
        except ToldonceError as problem:
            invocation.warn(f"{place} is left out: {problem}")
    everything = sorted((one for found in projects.values() for one in found), key=lambda one: one.at)
    figures = {place: summarise_memory(found) for place, found in projects.items()}
    rows = [
        (place, str(one.sessions), str(one.hits), f"{one.coverage:.0%}", f"{one.latency_ms:.0f} ms")
        for place, one in figures.items()
    ]
    head = ("project", "sessions", "hits", "coverage", "latency")
    invocation.answer(
        {"projects": figures, "system": summarise_memory(everything)},
        lambda: [
            *format_table(head, rows, columns=invocation.page().columns),
            "",
            *_format_memory_figures(summarise_memory(everything)),
        ],
    )


def _format_memory_figures(found: MemoryFigures) -> list[str]:
    from toldonce.coding.hooks.metrics import FIRST

    shown = count_noun(found.shown, "memory", "memories")
    used = f"Memory hits: of {shown} shown, {found.hits} ({found.hit_rate:.0%}) named a file that was then used."
    covered = f"Coverage: {found.coverage:.0%} of {count_noun(found.sessions, 'session')} were shown something."
    lines = [used, covered, f"Latency: a hook answered in {found.latency_ms:.0f} ms (median)."]
    if found.first_saving is None:
        return [*lines, f"A first figure of the tokens saved needs {FIRST} sessions with edits."]
    tokens = f"{abs(found.first_saving):,.0f} discovery tokens {'less' if found.first_saving >= 0 else 'more'}"
    return [*lines, f"First figure, not certain yet: {tokens} in the median session ({found.saving_basis} compared)."]


def _is_folder_set_up(invocation: Invocation) -> bool:
    from toldonce.coding.hooks.branches import find_repository
    from toldonce.coding.hooks.settings import is_set_up

    named_by = invocation.settings.sources["place"]
    return is_set_up(named_by, find_repository(str(Path.cwd()))) and Path(invocation.place).exists()


def _install_target(agent: str, for_project: bool) -> InstallTarget:
    from toldonce.coding.hooks.branches import find_repository
    from toldonce.coding.hooks.install import InstallTarget

    here = find_repository(str(Path.cwd()))
    root = Path(here.root) if here is not None else Path.cwd()
    return InstallTarget(agent, "project" if for_project else "user", root, Path.home())


def _hook_command(invocation: Invocation, for_project: bool, hold_out: int) -> HookCommand:
    """How the agent calls Toldonce: a project's files are shared, so they name no folder of this machine if possible.

    A program inside a virtual environment is on the PATH of the shells that entered it alone, not on the agent's.
    """
    from toldonce.coding.hooks.agent_files import HookCommand

    found = shutil.which("toldonce")
    is_on_path = found is not None and not (sys.prefix != sys.base_prefix and Path(found).is_relative_to(sys.prefix))
    program = ("toldonce",) if for_project and is_on_path else (sys.executable, "-P", "-m", "toldonce")
    if for_project and not is_on_path:
        invocation.warn(
            f"`toldonce` is not on the agent's PATH, so the project's files name {sys.executable}, which only this"
            " machine has: install Toldonce as a tool (docs/install.md), then install the hooks again"
        )
    place = (f"--place={Path(invocation.given['place']).absolute()}",) if invocation.given.get("place") else ()
    space = (f"--space={invocation.space}",) if invocation.space else ()
    held = (f"--hold-out={hold_out}",) if hold_out else ()
    return HookCommand(program, (*place, *space, *held), server=(*program, "mcp", *place, *space))


def _print_changes(invocation: Invocation, changes: Sequence[FileChange], *, dry_run: bool, done: str) -> None:
    from toldonce.coding.hooks.install import change_as_json

    value = {"changed": not dry_run and bool(changes), "files": [change_as_json(change) for change in changes]}
    shown = [line for change in changes for line in change.difference()]
    ended = "Nothing to change." if not changes else "Nothing was changed." if dry_run else done
    invocation.answer(value, lambda: [*shown, ended])


def _format_session_figures(
    found: Sequence[SessionFigures], dates: Sequence[str], compared: SessionComparison, columns: int
) -> list[str]:
    from toldonce.coding.hooks.metrics import draw_bars

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
    from toldonce.coding.hooks.metrics import ENOUGH

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
