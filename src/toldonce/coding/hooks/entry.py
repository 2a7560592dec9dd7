"""The entry point for agents' hooks: `toldonce hook AGENT EVENT`, with the agent's JSON on standard input.

It never fails the agent: on any error it logs one line, prints nothing and exits with 0.
"""

from __future__ import annotations

import json
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

FLAGS = ("no-tend",)
OPTIONS = ("place", "space", "hold-out")
_MOST_BYTES = 64 * 1024 * 1024


def run_hook(args: Sequence[str]) -> int:
    """Answer one event: standard input in, at most one JSON document out, always 0."""
    try:
        said = answer_hook(args, _read_stdin())
        if said:
            sys.stdout.write(said + "\n")
            sys.stdout.flush()
    except KeyboardInterrupt:
        return 0
    except Exception as problem:
        _log_hook_problem(args, problem)
    return 0


def answer_hook(args: Sequence[str], data: bytes) -> str:
    """What to print for an event; "" for nothing."""
    from toldonce.coding.hooks.actions import handle_event
    from toldonce.coding.hooks.events import read_event

    names, options = _parse_arguments(args)
    if len(names) < 2 or not data.strip():
        return ""
    event = read_event(names[0], names[1], json.loads(data.decode("utf-8", "replace")))
    return handle_event(event, options) if event is not None else ""


def _parse_arguments(args: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """The names, and the options with their values; unknown options are ignored."""
    names: list[str] = []
    options: dict[str, str] = {}
    rest = iter(args)
    for arg in rest:
        if not arg.startswith("--"):
            names.append(arg)
            continue
        name, sign, value = arg[2:].partition("=")
        if name in FLAGS:
            options[name] = "yes"
        elif name in OPTIONS:
            options[name] = value if sign else next(rest, "")
    return names, options


def _read_stdin() -> bytes:
    if sys.stdin is None or sys.stdin.isatty():
        return b""
    return sys.stdin.buffer.read(_MOST_BYTES)


def _log_hook_problem(args: Sequence[str], problem: Exception) -> None:
    """Write a line to the log; an error in doing so is ignored."""
    try:
        from toldonce.coding.hooks import state

        state.log_problem(" ".join(args[:2]), problem)
    except Exception:
        return
