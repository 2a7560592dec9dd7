"""How to install what an optional part needs, from where this program itself came."""

from __future__ import annotations

import json
import os
import shlex
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import unquote, urlsplit

_NAME = "toldonce"
_PAGE = "docs/install.md"
# Programs that keep a tool in an environment of its own, by a part of that environment's path.
_TOOLS = {"uv/tools/": "uv tool install --force", "pipx/venvs/": "pipx install --force"}


def install_hint(extra: str) -> str:
    """What to run to get an extra: a command with the path or address that this program was installed from."""
    return describe_install(extra, *_read_installation(), python=sys.executable)


def describe_install(extra: str, origin: str | None, installer: str, *, python: str) -> str:
    """The same for a program that came from `origin`, the text of its direct_url.json; None when it is unknown."""
    target = _find_target(extra, origin) if origin is not None else None
    if target is None:
        return f"install the extra `{extra}` of {_NAME}, as {_PAGE} of its source tells"
    tool = next((command for part, command in _TOOLS.items() if part in Path(python).as_posix()), None)
    program = shlex.quote(python)
    command = f"uv pip install --python {program}" if installer == "uv" else f"{program} -m pip install"
    return f"run `{tool or command} {target}`"


def _read_installation() -> tuple[str | None, str]:
    """Where this program was installed from and by what, as the installer wrote it down."""
    try:
        found = distribution(_NAME)
    except PackageNotFoundError:
        return None, ""
    return found.read_text("direct_url.json"), (found.read_text("INSTALLER") or "").strip()


def _find_target(extra: str, origin: str) -> str | None:
    try:
        given = json.loads(origin)
        url, folder, source = given["url"], given.get("dir_info"), given.get("vcs_info")
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    if urlsplit(url).scheme == "file":
        path = unquote(urlsplit(url).path)
        if not os.path.exists(path):
            return None
        if folder is not None:
            return f"{'-e ' if folder.get('editable') else ''}'{path}[{extra}]'"
    address = f"{source['vcs']}+{url}@{source['commit_id']}" if source else url
    return f"'{_NAME}[{extra}] @ {address}'"
