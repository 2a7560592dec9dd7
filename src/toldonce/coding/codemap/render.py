"""The map and a located task as text for a prompt or a person, never longer than its budget in tokens."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

from toldonce.coding.codemap.locate import Located, LocatedFile
from toldonce.coding.codemap.values import Module, ModuleMap
from toldonce.tokens import count_tokens

ALWAYS_BUDGET = 60
LOCATED_BUDGET = 150
_WITH_LINES = 3
_UNSURE = 0.25
_FEW = 5
_MANY = 15
_TESTS = 2
_COMMANDS = ("build", "test", "lint")
_FIRST = ("commands", "tests")


def render_map(map_: ModuleMap, budget: int = ALWAYS_BUDGET) -> str:
    """How the project is built and tested, its modules by name, then more of each, as much as fits."""
    facts = dict(tool_lines(map_))
    lines: list[str] = []
    for section in _FIRST:
        lines = _append_if_fits(lines, facts.pop(section), budget) if section in facts else lines
    names = [f"{m.name}/" if m.folder.rstrip("/").endswith(m.name) else m.name for m in map_.modules]
    if listed := _as_many("Modules: ", names, budget - count_tokens("\n".join(lines)) - 2):
        lines = _append_if_fits(lines, listed, budget)
    for text in (*facts.values(), *(f"- {module_line(module)}" for module in map_.modules)):
        longer = _append_if_fits(lines, text, budget)
        if longer is lines:
            break
        lines = longer
    return "\n".join(lines)


def render_located(located: Located, budget: int = LOCATED_BUDGET) -> str:
    """Where a task belongs: three files with lines, then paths by folder; empty without a match or when it is named."""
    if not located.files or located.named:
        return ""
    sure = located.confidence >= _UNSURE
    modules = (
        [f"Module{'s' if len(located.modules) > 1 else ''}: {', '.join(located.modules)}"] if located.modules else []
    )
    head = "Likely files:" if sure else "Perhaps (weak match):"
    shown = located.files[: _MANY if sure else _FEW]
    lines: list[str] = []
    for line in (*modules, head):
        lines = _append_if_fits(lines, line, budget)
    for file in shown[:_WITH_LINES]:
        lines = _append_if_fits(lines, _with_places(file), budget)
    if located.tests:
        lines = _append_if_fits(lines, _as_many("tests: ", located.tests[:_TESTS], budget), budget)
    rest = _by_folder([file.path for file in shown[_WITH_LINES:]])
    for line in rest:
        lines = _append_if_fits(lines, line, budget)
    return "\n".join(lines) if len(lines) > len(modules) + 1 else ""


def describe_modules(located: Located, known: ModuleMap, *, most: int = 2) -> list[str]:
    """A line for each of the first modules of a task: what it is for, how its tests are run, what it needs."""
    found = [module for name in located.modules[:most] if (module := known.find_module(name))]
    return [module_line(dataclasses.replace(module, files=())) for module in found]


def tool_lines(map_: ModuleMap) -> list[tuple[str, str]]:
    """What is known of languages, tools and commands, as (section, line)."""
    tools = map_.tools
    commands = [f"{name} `{tools.commands[name]}`" for name in _COMMANDS if name in tools.commands]
    rows = [
        ("languages", "Languages: ", [f"{name} ({number})" for name, number in list(map_.languages.items())[:4]]),
        ("commands", "Commands: ", commands),
        ("build", "Build: ", tools.build),
        ("tests", "Tests: ", tools.test),
        ("test configuration", "Test configuration: ", tools.test_config[:4]),
        ("linters", "Linters: ", tools.linters),
        ("frameworks", "Frameworks: ", tools.frameworks),
        ("entry points", "Entry points: ", tools.entry_points[:4]),
    ]
    return [(section, title + ", ".join(names)) for section, title, names in rows if names]


def module_line(module: Module) -> str:
    """A module in one line."""
    parts = [f"{module.name} ({module.folder or './'}, {module.confidence.name.lower()})"]
    if module.description:
        parts.append(module.description.rstrip("."))
    parts += [f"files {', '.join(_strip_folder(module.files, module.folder)[:4])}"] if module.files else []
    run = f"tests `{module.test_command}`" if module.test_command else f"tests {', '.join(module.tests[:2])}"
    parts += [run] if module.tests or module.test_command else []
    parts += [f"uses {', '.join(module.depends_on[:3])}"] if module.depends_on else []
    parts += [f"packages {', '.join(module.packages[:4])}"] if module.packages else []
    return "; ".join(parts)


def _strip_folder(paths: Sequence[str], folder: str) -> list[str]:
    return [path.removeprefix(folder) for path in paths]


def _with_places(file: LocatedFile) -> str:
    places = ", ".join(f"{place.name} {place.line}-{place.last}" for place in file.places)
    return f"{file.path}: {places}" if places else file.path


def _by_folder(paths: Iterable[str]) -> list[str]:
    folders: dict[str, list[str]] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder, []).append(name)
    return [f"{folder}/: {', '.join(names)}" if folder else ", ".join(names) for folder, names in folders.items()]


def _append_if_fits(lines: list[str], line: str, budget: int) -> list[str]:
    """The lines with one more, or the very same lines when it does not fit."""
    longer = [*lines, line]
    return longer if count_tokens("\n".join(longer)) <= budget else lines


def _as_many(title: str, names: Sequence[str], budget: int) -> str:
    text = ""
    for number in range(1, len(names) + 1):
        longer = title + ", ".join(names[:number])
        if count_tokens(longer) > budget:
            break
        text = longer
    return text
