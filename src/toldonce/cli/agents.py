"""Commands for agents: mcp serves the table of tools, tools lists it, tool calls one of it."""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from toldonce.cli.invocation import Invocation, pass_invocation
from toldonce.cli.options import as_text, named_command, user_option
from toldonce.config import is_server
from toldonce.errors import InputError
from toldonce.optional import install_hint

if TYPE_CHECKING:
    from toldonce.memory import Memory
    from toldonce.tools.table import Toolbox

F = TypeVar("F", bound=Callable[..., Any])
_folder = click.Path(exists=True, file_okay=False)
_NOT_SET_UP = (
    "no memory is set up in this folder: `toldonce init` makes one (`--preset coding` for a code base), or name one"
    " with --place"
)
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def _caller_options(function: F) -> F:
    """Options that say on whose behalf tools are called."""
    roles = click.Choice(["agent", "consolidator", "person"])
    for option in (
        click.option("--role", type=roles, default="agent", show_default=True, help="Who calls."),
        click.option("--as", "made_by", metavar="NAME", default="agent", help="The name under which things are kept."),
        click.option("--root", metavar="PATH", type=_folder, help="The code base; the current folder by default."),
        click.option("--branch", metavar="NAME", help="The current branch."),
        click.option("--session", "-s", metavar="ID", help="The session that calls belong to."),
        user_option("On whose behalf."),
    ):
        function = option(function)
    return function


@named_command("mcp")
@_caller_options
@click.option("--http", is_flag=True, help="Serve over HTTP instead of standard input and output.")
@click.option("--host", default=_LOOPBACK[0], show_default=True, help="The address to listen at.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="The port; 0 picks a free one."
)
@click.option("--allow-host", multiple=True, metavar="NAME", help="A host name that clients may use; may be repeated.")
@click.option("--token", envvar="TOLDONCE_MCP_TOKEN", metavar="TEXT", default="", help="What clients must present.")
@pass_invocation
def mcp(
    invocation: Invocation, /, http: bool, host: str, port: int, allow_host: Sequence[str], token: str, **caller: Any
) -> None:
    """Serve the memory to agents over MCP.

    Without --http it speaks with the one client that started it.
    """
    if http and importlib.util.find_spec("mcp") is None:
        raise InputError(f"`toldonce mcp --http` needs the MCP SDK: {install_hint('mcp')}")
    if http and host not in _LOOPBACK and not token:
        raise InputError(f"at {host} others can reach this memory: set a token in TOLDONCE_MCP_TOKEN first")
    if not _is_folder_set_up(invocation):
        _serve_without_memory(http=http)
        return
    from toldonce.cli.maintenance import run_exit_jobs

    with invocation.open(make=True, vectors=True) as memory:
        box = _open_toolbox(invocation, memory, **caller)
        _warn_about_unnamed_person(invocation, box)
        # A server does the work of its memory itself.
        is_here = not is_server(invocation.place)
        stop = memory.job_runner.watch(memory) if is_here else None
        try:
            if http:
                _over_http(invocation, box, host, port, allowed=allow_host, token=token)
            else:
                _over_stdio(box)
        finally:
            if stop is not None:
                stop()
                run_exit_jobs(memory, invocation.current_space(memory))


@named_command("tools")
@click.argument("name", required=False)
@_caller_options
@pass_invocation
def tools(invocation: Invocation, /, name: str | None, **caller: Any) -> None:
    """List the tools that an agent sees here, or one with its arguments."""
    with invocation.open() as memory:
        box = _open_toolbox(invocation, memory, **caller)
        rows = [
            {"name": tool.name, "about": tool.about, "takes_away": tool.loss is not None, "schema": box.schema(tool)}
            for tool in ([box.find(name)] if name else box.tools())
        ]
        invocation.answer({"tools": rows}, lambda: _format_tools(rows, whole=name is not None))


@named_command("tool")
@click.argument("name")
@click.argument("arguments", type=as_text, default="{}")
@_caller_options
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@pass_invocation
def tool(invocation: Invocation, /, name: str, arguments: str, yes: bool, **caller: Any) -> None:
    """Call a tool with a JSON table of arguments, and print its result."""
    try:
        given = json.loads(arguments)
    except ValueError as problem:
        raise InputError(f"the arguments are not JSON: {problem}") from None
    with invocation.open(make=True, vectors=True) as memory:
        box = _open_toolbox(invocation, memory, **caller)
        lost = box.loss(name, given)
        if lost and not invocation.confirm_action(f"This takes away {lost}. Go on?", yes=yes):
            raise click.Abort
        from toldonce.cli.json_output import to_json_document

        click.echo(to_json_document(box.call(name, given, confirmed=True).value))


def _open_toolbox(invocation: Invocation, memory: Memory, *, user: str | None, **said: Any) -> Toolbox:
    from toldonce.client import RemoteMemory
    from toldonce.tools.definition import Caller
    from toldonce.tools.table import Toolbox

    person = invocation.user(user)
    if person is None and isinstance(memory, RemoteMemory):
        # The server fixes the person of a personal key; what asks here must know whom it asks for.
        person = memory.whoami()["person"]
    box = Toolbox(memory, Caller(user=person, space=invocation.space, **said))
    has_map = any(policy.per == "space" for policy in box.preset.documents.values())
    return box.as_caller(root=_find_code_base(invocation)) if has_map and box.caller.root is None else box


def _find_code_base(invocation: Invocation) -> str:
    """The current folder; outside a repository the one of the project's file, from which paths are counted."""
    from toldonce.coding.hooks.branches import find_repository
    from toldonce.coding.hooks.settings import project_folder

    here = os.getcwd()
    return here if find_repository(here) else project_folder(invocation.settings.sources["place"]) or here


def _is_folder_set_up(invocation: Invocation) -> bool:
    """Memory is opt-in: without a place that was named for this folder, every project would share one memory."""
    from toldonce.coding.hooks.branches import find_repository
    from toldonce.coding.hooks.settings import is_set_up

    return is_set_up(invocation.settings.sources["place"], find_repository(os.getcwd()))


def _serve_without_memory(*, http: bool) -> None:
    """An agent that starts the server in every project must not see it fail in those without a memory."""
    if http:
        raise InputError(_NOT_SET_UP)
    from toldonce.mcp.stdio import serve_stdio

    serve_stdio(None, notice=_NOT_SET_UP[0].upper() + _NOT_SET_UP[1:])


def _warn_about_unnamed_person(invocation: Invocation, box: Toolbox) -> None:
    """Whoever starts a server without naming the person may not know that its clients see what is private to all."""
    is_private = box.preset.kind(box.preset.capture.kind).visibility_for("person") == "private"
    people = len(box.memory.people.all(space=box.caller.space)) if is_private and box.caller.user is None else 0
    if people > 1:
        invocation.warn(f"without --user clients are shown what is private to each of {people} people")


def _over_stdio(box: Toolbox) -> None:
    from toldonce.mcp.stdio import serve_stdio

    serve_stdio(box)


def _over_http(
    invocation: Invocation, box: Toolbox, host: str, port: int, *, allowed: Sequence[str], token: str
) -> None:
    from toldonce.cli.maintenance import until_stopped
    from toldonce.mcp.server import PATH, serve_http
    from toldonce.server.run import listen_at

    with listen_at(host, port) as listening:
        shown = f"[{host}]" if ":" in host else host
        # The server stops by itself and then passes the signal on, which must not cut the closing short.
        with until_stopped() as stopped:
            invocation.note(f"Serving at http://{shown}:{listening.getsockname()[1]}{PATH}")
            serve_http(box, listening, allowed=allowed, token=token, stopped=stopped)


def _format_tools(rows: Sequence[dict[str, Any]], *, whole: bool) -> list[str]:
    lines = []
    for row in rows:
        lines += [click.style(row["name"], bold=True), f"  {row['about']}"]
        required = row["schema"]["required"]
        for name, schema in row["schema"]["properties"].items():
            needed = "" if name in required else ", optional"
            lines.append(f"  {name} ({schema['type']}{needed}): {schema['description']}")
        if whole:
            lines.append(json.dumps(row["schema"], indent=2, ensure_ascii=False))
        lines.append("")
    return lines[:-1]
