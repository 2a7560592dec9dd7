"""The map of a code base as values: modules, how sure each is, and how the project is built. It holds no logic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolchain:
    """What a whole project is built and tested with, the main language first."""

    build: tuple[str, ...] = ()
    test: tuple[str, ...] = ()
    linters: tuple[str, ...] = ()
    frameworks: tuple[str, ...] = ()
    commands: Mapping[str, str] = field(default_factory=dict)
    entry_points: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    test_config: tuple[str, ...] = ()
    # A command that runs the tests whose paths follow it, where the test command itself takes no paths.
    run_tests: str = ""


_BESIDE_CORE = frozenset(
    "example examples sample samples demo demos doc docs docs_src documentation tutorial tutorials website fixture"
    " fixtures testdata vendor vendored third_party third-party node_modules".split()
)


def is_beside_core(path: str) -> bool:
    """Whether a file or folder holds examples, documentation, data of tests, settings of tools or code of others."""
    folders = path.lower().split("/")[:-1]
    return not _BESIDE_CORE.isdisjoint(folders) or any(folder.startswith(".") for folder in folders)


class Confidence(IntEnum):
    """How well a module is known: by its folder alone, by some work in it, or by repeated work."""

    SHALLOW = 0
    PARTIAL = 1
    MAPPED = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """A part of the code base: its folder, what it is for, its most telling files, and what it hangs together with.

    `learned` are files that work in this module led to, `sessions` the sessions that read it, `edited` those that
    changed it, `packages` the external ones that it imports; `said` marks a name or description that somebody or a
    model gave, which no scan replaces.
    """

    name: str
    folder: str
    description: str = ""
    said: bool = False
    files: tuple[str, ...] = ()
    count: int = 0
    entry_points: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    depends_on: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    confidence: Confidence = Confidence.SHALLOW
    learned: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    test_command: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleMap:
    """A code base: its modules, the largest first, its languages by number of files, and its tools."""

    modules: tuple[Module, ...] = ()
    languages: Mapping[str, int] = field(default_factory=dict)
    tools: Toolchain = field(default_factory=Toolchain)

    def module_of(self, path: str) -> Module | None:
        """The module that a file belongs to: the one it was learned for, else the one with the longest folder."""
        for module in self.modules:
            if path in module.learned:
                return module
        aside = is_beside_core(path)
        fitting = [m for m in self.modules if path.startswith(m.folder) and (not aside or is_beside_core(m.folder))]
        return max(fitting, key=lambda m: len(m.folder), default=None)

    def find_module(self, name: str) -> Module | None:
        """The module of that name."""
        return next((m for m in self.modules if m.name == name), None)
