"""Reads every module under src/ and prints what breaks the house rules as `path:line: message`; it changes nothing.

Run as `check_source.py [root]`. Exits 0 with a one-line summary when all is well, 1 when there are findings.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from recollect.lang.registry import language_codes, languages

MODULE_LINES = 600
FUNCTION_LINES = 80

# A place ending in "/" is a folder. Paths are relative to the package, src/recollect.
BROAD_EXCEPT_PLACES = (
    "cli/",
    "mcp/",
    "tools/",
    "integrations/",
    "coding/",  # an interface reports every error to its caller
    "jobs/runner.py",  # one failed job must not end the others
)
CONNECTION_SQL_PLACES = ("storage/sqlite/", "storage/postgres/")
PRESET_NAME_PLACES = ("presets/", "cli/", "mcp/", "tools/", "integrations/", "coding/")

# What decides by a language, or lists its words, is the language's own.
LANGUAGE_PLACES = ("lang/",)
# A list or pattern with so many small words or month names of one language belongs to that language.
FEWEST_WORDS = 3

PRESETS = frozenset({"assistant", "coding", "community", "companion", "life"})
# "assistant" is also the role of whoever answers; compared with one of these it is not a preset's name.
ROLE_WORDS = ("author", "role", "sender", "speaker")

# Small words that are also keywords, operators and names of fields.
CODE_WORDS = frozenset(
    "and as do for from has have if in is it not of on or to who with at by no any when about am an".split()
)

VAGUE_NAME = re.compile(r"_*(?:\w+_)?(?:utils?|helpers?|managers?)|_*common")
QUERY = re.compile(
    r"""\A\s*(?:WITH\s+\w+|SELECT)\b | \bSELECT\b.+\bFROM\b
    | \b(?:INSERT|REPLACE)\s+(?:OR\s+\w+\s+)?INTO\b | \bUPDATE\s+\S+\s+SET\b | \bDELETE\s+FROM\b
    | \b(?:CREATE|ALTER|DROP)\s+(?:\w+\s+)?(?:TABLE|INDEX|TRIGGER|VIEW)\b""",
    re.VERBOSE | re.DOTALL,
)
# Lower case is also how people write ("select a preset from the list"), so a mark of SQL must stand with it.
LOWER_QUERY = re.compile(
    r"\A(?=.*(?:[*=?(]|\bwhere\b|:\w))\s*(?:select\s.+\sfrom|insert\s+into|update\s+\S+\s+set|delete\s+from)\s",
    re.DOTALL,
)
CONNECTION_SQL = re.compile(
    r"\A\s*(?:PRAGMA\s+\w+.*|BEGIN(?:\s+\w+)?|COMMIT|ROLLBACK(?:\s+TO\s+\S+)?|(?:SAVEPOINT|RELEASE|ATTACH|DETACH)\s+\S+.*"
    r"|VACUUM(?:\s+\S+.*)?)\s*;?\s*\Z",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Module:
    """One source file: `shown` is its path from the root, `place` its path inside the package."""

    shown: str
    place: str
    lines: int
    tree: ast.Module

    def stands_in(self, places: tuple[str, ...]) -> bool:
        return any(self.place.startswith(p) if p.endswith("/") else self.place == p for p in places)


Found = Iterator[tuple[int, str]]
Function = ast.FunctionDef | ast.AsyncFunctionDef


def function_lines(node: Function) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def functions(module: Module) -> list[Function]:
    return [n for n in ast.walk(module.tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]


def check_sizes(module: Module) -> Found:
    if module.lines > MODULE_LINES:
        yield 1, f"module has {module.lines} lines, the ceiling is {MODULE_LINES}"
    for node in functions(module):
        if function_lines(node) > FUNCTION_LINES:
            yield (
                node.lineno,
                f"function {node.name} has {function_lines(node)} lines, the ceiling is {FUNCTION_LINES}",
            )


def check_names(module: Module) -> Found:
    for part in Path(module.place).with_suffix("").parts:
        if VAGUE_NAME.fullmatch(part):
            yield 1, f"'{part}' says nothing; name the module after what it does"


def is_broad(caught: ast.expr | None) -> bool:
    if caught is None:
        return True
    if isinstance(caught, ast.Tuple):
        return any(is_broad(one) for one in caught.elts)
    name = caught.attr if isinstance(caught, ast.Attribute) else getattr(caught, "id", "")
    return name in {"Exception", "BaseException"}


def is_suppress(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return name == "suppress"


def check_excepts(module: Module) -> Found:
    if module.stands_in(BROAD_EXCEPT_PLACES):
        return
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ExceptHandler) and is_broad(node.type):
            yield node.lineno, f"broad except; allowed only in {', '.join(BROAD_EXCEPT_PLACES)}"
        elif isinstance(node, ast.Call) and is_suppress(node) and any(is_broad(one) for one in node.args):
            yield node.lineno, f"broad suppress; allowed only in {', '.join(BROAD_EXCEPT_PLACES)}"


def literals(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Every string the module uses; docstrings and other bare strings are left out, an f-string is one string."""
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            skipped.update(id(part) for part in node.values)
            yield node.lineno, "".join(str(p.value) if isinstance(p, ast.Constant) else "{}" for p in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.lineno, node.value


def check_sql(module: Module) -> Found:
    may_manage = module.stands_in(CONNECTION_SQL_PLACES)
    for line, text in literals(module.tree):
        if QUERY.search(text) or LOWER_QUERY.search(text):
            yield line, "SQL in Python; give it a name in the backend's queries.sql"
        elif CONNECTION_SQL.match(text) and not may_manage:
            yield line, f"connection statement; allowed only in {', '.join(CONNECTION_SQL_PLACES)}"


def preset_names(node: ast.AST) -> set[str]:
    """Preset names standing in `node` itself, or in the tuple, list or set that it writes out."""
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    values = {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}
    return values & PRESETS


def without_roles(names: set[str], beside: str) -> set[str]:
    return names - {"assistant"} if any(word in beside.lower() for word in ROLE_WORDS) else names


def decided_by(node: ast.AST) -> set[str]:
    """The preset names on which `node` decides something; {} for a node that decides nothing."""
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        return without_roles(set().union(*map(preset_names, sides)), ast.unparse(node))
    if isinstance(node, ast.Match):
        values = [n.value for case in node.cases for n in ast.walk(case.pattern) if isinstance(n, ast.MatchValue)]
        return without_roles(set().union(*map(preset_names, values)), ast.unparse(node.subject))
    if isinstance(node, ast.Subscript):
        return preset_names(node.slice) - {"assistant"}
    if isinstance(node, ast.Dict):
        keys = set().union(*(preset_names(key) for key in node.keys if key is not None))
        return keys if len(keys) > 1 else set()
    return set()


def check_presets(module: Module) -> Found:
    if module.stands_in(PRESET_NAME_PLACES):
        return
    for node in ast.walk(module.tree):
        for name in sorted(decided_by(node)):
            yield getattr(node, "lineno", 1), f"decides by the preset name '{name}'; make it a setting of the preset"


def language_names(node: ast.AST) -> set[str]:
    """Codes of languages standing in `node` itself, or in the tuple, list or set that it writes out."""
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    values = {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}
    return values & set(language_codes())


def decides_by_language(node: ast.AST) -> set[str]:
    """The codes of languages by which `node` decides something; {} for a node that decides nothing."""
    if isinstance(node, ast.Compare):
        return set().union(*map(language_names, [node.left, *node.comparators]))
    if isinstance(node, ast.Match):
        values = [n.value for case in node.cases for n in ast.walk(case.pattern) if isinstance(n, ast.MatchValue)]
        return set().union(*map(language_names, values))
    if isinstance(node, ast.Subscript):
        return language_names(node.slice)
    if isinstance(node, ast.Dict):
        return set().union(*(language_names(key) for key in node.keys if key is not None))
    return set()


@cache
def telling_words() -> dict[str, frozenset[str]]:
    """By language: small words and names of months, without those of one letter and those that code uses as well."""
    return {
        language.code: frozenset(
            word
            for word in (*language.vocabulary.stop, *(month.lower() for month in language.dates.months))
            if len(word) > 1 and word not in CODE_WORDS
        )
        for language in languages()
    }


def listed_words(node: ast.AST) -> set[str]:
    """The words that a literal lists: elements of a collection, a string that is split, alternatives of a pattern."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return {part.value.lower() for part in node.elts if isinstance(part, ast.Constant) and type(part.value) is str}
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split":
        inner = node.func.value
        return (
            set(inner.value.lower().split()) if isinstance(inner, ast.Constant) and type(inner.value) is str else set()
        )
    text = constant_text(node)
    return (
        set(re.findall(r"(?<=[|(:^])[^\W\d_]+(?=[|)\\])", text.lower()))
        if text.count("|") >= FEWEST_WORDS - 1
        else set()
    )


def constant_text(node: ast.AST) -> str:
    """The text of a string or of the fixed parts of an f-string; "" for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return ""


def check_languages(module: Module) -> Found:
    if module.stands_in(LANGUAGE_PLACES):
        return
    for node in ast.walk(module.tree):
        line = getattr(node, "lineno", 1)
        for code in sorted(decides_by_language(node)):
            yield line, f"decides by the language '{code}'; make it a part of the language in lang/"
        words = listed_words(node)
        for code, telling in telling_words().items():
            if len(words & telling) >= FEWEST_WORDS:
                yield line, f"lists words of the language '{code}'; move them to lang/{code}/"
                break


CHECKS: tuple[Callable[[Module], Found], ...] = (
    check_sizes,
    check_names,
    check_excepts,
    check_sql,
    check_presets,
    check_languages,
)


def read_modules(root: Path) -> tuple[list[Module], list[str]]:
    """All modules under `root`/src, and a finding for each file that cannot be read as Python."""
    modules, broken = [], []
    for path in sorted((root / "src").rglob("*.py")):
        shown = path.relative_to(root).as_posix()
        place = path.relative_to(root / "src").as_posix().partition("/")[2] or path.name
        try:
            source = path.read_text(encoding="utf-8")
            modules.append(Module(shown, place, len(source.splitlines()), ast.parse(source)))
        except (SyntaxError, ValueError) as error:
            broken.append(f"{shown}:{getattr(error, 'lineno', None) or 1}: not readable as Python")
    return modules, broken


def summary(modules: list[Module]) -> str:
    longest = max((m.lines for m in modules), default=0)
    deepest = max((function_lines(f) for m in modules for f in functions(m)), default=0)
    return (
        f"source check: {len(modules)} modules, longest {longest} lines, longest function {deepest} lines, no findings"
    )


def main(arguments: list[str]) -> int:
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parents[1]
    modules, findings = read_modules(root)
    for module in modules:
        lines = sorted(found for check in CHECKS for found in check(module))
        findings.extend(f"{module.shown}:{line}: {message}" for line, message in lines)
    print("\n".join(findings) if findings else summary(modules))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
