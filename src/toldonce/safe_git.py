"""The one place that starts git: a read-only question to a repository that may be a stranger's.

Nothing that the repository's own configuration names is executed, no object is fetched from anywhere, nobody is asked
for anything, and time and output are bounded. Imports little when loaded, since hooks wait for it.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Mapping

TIMEOUT_S = 60.0
LARGEST_BYTES = 200_000_000
# Commands that read, and run no filter, text conversion or helper of the repository with the options below.
COMMANDS = frozenset({"for-each-ref", "log", "ls-files", "merge-base", "rev-parse"})
# What stays of the caller's GIT_ variables: where git itself lies, and how far up a repository is looked for.
_KEPT_VARIABLES = ("GIT_EXEC_PATH", "GIT_CEILING_DIRECTORIES", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM")
# Asking for a password or an editor by a window or a terminal, and other ways to run a program or to write a file.
_DROPPED_VARIABLES = ("SSH_ASKPASS", "PAGER", "EDITOR", "VISUAL", "LESS", "LESSOPEN")
# An empty list of protocols allows none: a missing object of a partial clone is not fetched, by no version of git.
# `GIT_NO_LAZY_FETCH` says the same to git 2.45 and newer before it starts a process for it.
_VARIABLES: Mapping[str, str] = {
    "GIT_ALLOW_PROTOCOL": "", "GIT_NO_LAZY_FETCH": "1", "GIT_PROTOCOL_FROM_USER": "0", "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "GIT_PAGER": "", "GIT_EDITOR": ":", "GIT_ATTR_NOSYSTEM": "1",
    "GIT_NO_REPLACE_OBJECTS": "1", "GIT_SSH_COMMAND": "false", "LC_ALL": "C",
}  # fmt: skip
# Whatever a repository's configuration can name to be executed by a command that reads. Given on the command line it
# wins over the repository's own.
_NO_PROGRAM = "false"
_SETTINGS: Mapping[str, str] = {
    "core.quotepath": "off", "core.fsmonitor": "false", "core.untrackedCache": "false", "core.hooksPath": os.devnull,
    "core.attributesFile": os.devnull, "core.alternateRefsCommand": _NO_PROGRAM, "core.askPass": "",
    "core.editor": ":", "core.gitProxy": "", "core.pager": "", "core.sshCommand": _NO_PROGRAM, "credential.helper": "",
    "diff.external": "", "diff.ignoreSubmodules": "all", "fetch.recurseSubmodules": "false", "gc.auto": "0",
    "gpg.program": _NO_PROGRAM, "gpg.ssh.program": _NO_PROGRAM, "gpg.ssh.defaultKeyCommand": "",
    "gpg.x509.program": _NO_PROGRAM, "log.showSignature": "false", "log.mailmap": "false", "protocol.allow": "never",
    "protocol.ext.allow": "never", "protocol.file.allow": "never", "safe.bareRepository": "explicit",
    "submodule.recurse": "false",
}  # fmt: skip


def run_git(
    root: str | os.PathLike[str], *words: str, timeout_s: float = TIMEOUT_S, largest_bytes: int = LARGEST_BYTES
) -> bytes | None:
    """What a git command prints about a working tree.

    None when there is no git, no repository, the command fails, takes too long or prints more than `largest_bytes`.
    """
    if not words or words[0] not in COMMANDS:
        raise ValueError(f"git {words[:1]} is not among the commands that only read")
    folder = os.fspath(root)
    program = find_git(folder)
    return (
        None if program is None else _limited_output([program, *_git_options(folder), *words], timeout_s, largest_bytes)
    )


def find_git(root: str | os.PathLike[str] | None = None) -> str | None:
    """The git program on the path; one that lies in the working tree itself is not taken."""
    inside = os.path.join(os.path.realpath(root), "") if root is not None else None
    for folder in os.get_exec_path():
        path = os.path.join(folder, "git.exe" if sys.platform == "win32" else "git")
        is_ours = inside is not None and os.path.join(os.path.realpath(folder), "").startswith(inside)
        if os.path.isabs(folder) and not is_ours and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return None


def _git_options(folder: str) -> list[str]:
    settings = [word for name, value in _SETTINGS.items() for word in ("-c", f"{name}={value}")]
    return ["-C", folder, "--no-pager", "--literal-pathspecs", *settings]


def _git_environment() -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in _DROPPED_VARIABLES and (not name.startswith("GIT_") or name in _KEPT_VARIABLES)
    }
    return {**kept, **_VARIABLES}


def _limited_output(command: list[str], timeout_s: float, largest_bytes: int) -> bytes | None:
    import subprocess
    import threading

    # A session of its own, so that whatever git started ends with it.
    apart = {"start_new_session": True} if os.name == "posix" else {}
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_git_environment(),
            **apart,  # type: ignore[call-overload]
        )
    except OSError:
        return None
    timer = threading.Timer(timeout_s, _kill_process_group, (process,))
    timer.daemon = True
    timer.start()
    try:
        with process:
            said: bytes = process.stdout.read(largest_bytes + 1)
            if len(said) > largest_bytes:
                _kill_process_group(process)
    finally:
        timer.cancel()
    return said if process.returncode == 0 and len(said) <= largest_bytes else None


def _kill_process_group(process: subprocess.Popen[bytes]) -> None:
    """End git and everything that it started."""
    import signal

    if process.returncode is not None:
        return
    try:
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    except OSError:
        return
