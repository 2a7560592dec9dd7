"""Prints how guessable the names of a package are: three percentages and, with --list, the names behind them.

Run as `name_metrics.py [--list] [--check] [folder ...]`; without a folder it measures src/toldonce.

- One-word names: the share of module-level functions whose name, without underscores at its ends, is a single word.
- Shared names: the share of module-level functions whose name, so shortened, is in another module too.
- Repeated shapes: the share of functions and methods whose body occurs elsewhere with other names and constants. Only
  bodies of two lines or more count, without their docstring.

Methods are left out of the first two: `get`, `close` or `write` reads well after the name of its object. Special
functions such as `__getattr__` are left out everywhere. For comparison: starlette 1.10 has 6 % one-word names, httpx
0.28 has 24 %.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

# `--check` fails above these percentages.
MOST_ONE_WORD, MOST_SHARED, MOST_REPEATED = 25.0, 15.0, 11.0
SHORTEST_BODY_LINES = 2

Function = ast.FunctionDef | ast.AsyncFunctionDef
# Names in the syntax tree that do not belong to the shape of a body.
ERASED_FIELDS = frozenset({"annotation", "ctx", "kind", "returns", "type_comment"})


@dataclass(frozen=True, slots=True)
class NamedFunction:
    """A module-level function by its module and its name without underscores at the ends."""

    module: str
    name: str


@dataclass(frozen=True, slots=True)
class Metrics:
    """The figures of one package, and the functions that each one counts."""

    functions: tuple[NamedFunction, ...]
    one_word: tuple[NamedFunction, ...]
    shared: tuple[NamedFunction, ...]
    bodies: int
    repeated: int

    @property
    def one_word_percent(self) -> float:
        return to_percent(len(self.one_word), len(self.functions))

    @property
    def shared_percent(self) -> float:
        return to_percent(len(self.shared), len(self.functions))

    @property
    def repeated_percent(self) -> float:
        return to_percent(self.repeated, self.bodies)

    @property
    def is_within_limits(self) -> bool:
        return (
            self.one_word_percent < MOST_ONE_WORD
            and self.shared_percent < MOST_SHARED
            and self.repeated_percent < MOST_REPEATED
        )


def to_percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0


def is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def find_module_functions(module: str, tree: ast.Module) -> Iterator[NamedFunction]:
    """The functions at the top level of a module, those under `if` and `try` included."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop(0)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, Function):
                if not is_dunder(child.name):
                    yield NamedFunction(module, child.name.strip("_"))
            elif not isinstance(child, ast.ClassDef | ast.expr):
                waiting.append(child)


def erase_names(node: object) -> str:
    """The shape of a piece of syntax: the types of its nodes, with names and constants erased."""
    if isinstance(node, ast.Constant):
        return "Constant"
    if isinstance(node, ast.AST):
        fields = (value for field, value in ast.iter_fields(node) if field not in ERASED_FIELDS)
        return f"{type(node).__name__}({','.join(map(erase_names, fields))})"
    if isinstance(node, list):
        return f"[{','.join(map(erase_names, node))}]"
    return ""


def find_body_shapes(tree: ast.Module) -> Iterator[str]:
    """The shapes of all bodies of functions and methods that are long enough to count."""
    for node in ast.walk(tree):
        if not isinstance(node, Function) or is_dunder(node.name):
            continue
        body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
        if body and (body[-1].end_lineno or 0) - body[0].lineno + 1 >= SHORTEST_BODY_LINES:
            yield erase_names(body)


def measure_package(folder: Path) -> Metrics:
    """The figures of all modules under a folder; a file that is not Python raises SyntaxError."""
    functions: list[NamedFunction] = []
    shapes: Counter[str] = Counter()
    for path in sorted(folder.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
        functions.extend(find_module_functions(path.relative_to(folder).as_posix(), tree))
        shapes.update(find_body_shapes(tree))
    modules: defaultdict[str, set[str]] = defaultdict(set)
    for function in functions:
        modules[function.name].add(function.module)
    return Metrics(
        functions=tuple(functions),
        one_word=tuple(function for function in functions if "_" not in function.name),
        shared=tuple(function for function in functions if len(modules[function.name]) > 1),
        bodies=shapes.total(),
        repeated=sum(count for count in shapes.values() if count > 1),
    )


def format_metrics(folder: Path, metrics: Metrics, *, with_names: bool) -> list[str]:
    lines = [
        f"{folder}: {len(metrics.functions)} module-level functions, {metrics.bodies} bodies",
        f"  one-word names   {metrics.one_word_percent:5.1f} %",
        f"  shared names     {metrics.shared_percent:5.1f} %",
        f"  repeated shapes  {metrics.repeated_percent:5.1f} %",
    ]
    for title, functions in (("one word", metrics.one_word), ("shared", metrics.shared)) if with_names else ():
        ordered = sorted(functions, key=lambda function: (function.name, function.module))
        lines.extend(f"  {title}: {function.name} in {function.module}" for function in ordered)
    return lines


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description="Measure the function names of a package.")
    parser.add_argument("folders", nargs="*", type=Path, help="package folders; src/toldonce when none is given")
    parser.add_argument("--list", action="store_true", help="also list the one-word and the shared names")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a figure is above its limit")
    given = parser.parse_args(arguments)
    own = Path(__file__).resolve().parents[1] / "src" / "toldonce"
    measured = [(folder, measure_package(folder)) for folder in given.folders or [own]]
    for folder, metrics in measured:
        print("\n".join(format_metrics(folder, metrics, with_names=given.list)))
    return 1 if given.check and not all(metrics.is_within_limits for _, metrics in measured) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
