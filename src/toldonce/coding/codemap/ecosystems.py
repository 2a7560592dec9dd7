"""Every way of building that the manifests of a folder name; the languages themselves are read in two files beside."""

from __future__ import annotations

import re
from collections.abc import Callable

from toldonce.coding.codemap import ecosystems_compiled as compiled
from toldonce.coding.codemap import ecosystems_scripted as scripted
from toldonce.coding.codemap.manifests import Ecosystem, Folder

READERS: tuple[Callable[[Folder], Ecosystem | None], ...] = (
    scripted.read_python, scripted.read_javascript, compiled.read_go, compiled.read_rust, compiled.read_jvm,
    compiled.read_c, compiled.read_dotnet, scripted.read_ruby, scripted.read_php, compiled.read_elixir,
    compiled.read_swift, compiled.read_dart, compiled.read_haskell, compiled.read_zig,
)  # fmt: skip


def read_folder(folder: Folder) -> list[Ecosystem]:
    """Every way of building that a folder's manifests name; a plain Makefile comes last, with no language."""
    found = [one for reader in READERS if (one := reader(folder))]
    make = _read_make_targets(folder)
    return [*found, make] if make else found


_TARGET = re.compile(r"^([A-Za-z][\w-]*)\s*:(?!=)", re.MULTILINE)


def _read_make_targets(folder: Folder) -> Ecosystem | None:
    """Targets of a Makefile or justfile, for what no manifest says."""
    source = folder.first_existing("Makefile", "makefile", "GNUmakefile", "justfile", "Justfile", "Taskfile.yml")
    if not source:
        return None
    program = {"j": "just", "t": "task"}.get(source[0].lower(), "make")
    targets = set(_TARGET.findall(folder.read_text(source))) | set(
        re.findall(r"^  ([a-z][\w-]*):$", folder.read_text(source), re.MULTILINE)
    )
    commands = {name: f"{program} {name}" for name in ("build", "test", "lint", "format", "check") if name in targets}
    return Ecosystem(language="", source=source, build=program, commands=commands)
