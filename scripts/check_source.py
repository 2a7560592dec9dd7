"""Reads every module under src/ and prints what breaks the house rules as `path:line: message`; it changes nothing.

Run as `check_source.py [--count] [root]`. Exits 0 with a one-line summary when all is well, 1 when there are findings.
`--count` prints how often each archaic phrase occurs instead of all findings. Archaic phrases are searched for in the
documentation, too.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from toldonce.lang.registry import all_languages, language_codes

MODULE_LINES = 600
FUNCTION_LINES = 80

# A place ending in "/" is a folder. Paths are relative to the package, src/toldonce.
BROAD_EXCEPT_PLACES = (
    "cli/",
    "mcp/",
    "server/",
    "tools/",
    "integrations/",
    "coding/",  # an interface reports every error to its caller
    "jobs/runner.py",  # one failed job must not end the others
    "operations/events.py",  # a host's callback must not harm the operation it follows
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

# What nobody writes in a good library's documentation, and what to write instead. The key is a pattern of whole words.
ARCHAIC_PHRASES = {
    r"doors?": "entry point, interface",
    r"mend(?:s|ed|ing)?": "fix, repair",
    r"stand(?:s|ing)? in(?! for)": "is in",
    r"stands? (?:above|alone|behind|beside|outside|there)": "is above, is next to",
    r"so many(?! that)": "the number itself: at most, up to, maximum",
    r"anew": "again",
    r"nobody wait(?:s|ing)": "in the background",
    r"nobody knows": "unknown",
    r"(?:gives?|gave|giving) way": "is superseded, is replaced",
    r"(?:take|takes|took|taken) (?:its|the|their) place(?! in)": "replaces",
    r"in the place of": "instead of, replaces",
    r"told(?! (?:otherwise|to)\b)": "reported, described, named",
    r"(?:speaks?|tells?|spoken|spoke) of": "is about, mentions",
    r"(?:time has|time had) run out": "expired",
    r"expired leaves?|leaves? every search": "is removed, is excluded from search",
    r"(?:believed|fades?|is|opens it|shown|works) no more": "no longer",
    r"(?:not )?to be had": "available, unavailable",
    r"but for": "except",
    r"surest|surer|likeliest|weightiest": "most certain, most likely, heaviest",
    r"by night": "at night",
    r"by turns": "alternately",
    r"at hand": "current, available",
    r"hangs? on": "depends on",
    r"lately": "recently",
    r"made whole|makes? whole": "complete",
    r"monstrous": "oversized",
    r"(?:are|be|being|is|was|were) passed over|passes over": "skip",
    r"none of ours": "not ours, unknown",
    r"what became of|becomes? of": "the result of",
    r"amongst|betwixt|henceforth|hereby|herein|hitherto|lest|naught|shall|thence|thereby|therein|thereof|thereupon|unto|"
    r"upon|whence|whereby|wherein|whereof|whilst|whosoever": "a word of today",
}
# Their strings are data, not prose: word lists of a language, and the made-up records of the conformance suite.
WORD_LIST_PLACES = ("conformance/", "lang/")
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "benchmarks/README.md", "docs/**/*.md")
SENTENCE_MARKS = re.compile(r"[.:;!?,{(]")
PATTERN_MARKS = re.compile(r"\(\?|\\[bdsw]|\[\^|\w\|\w")
CODE_IN_PROSE = re.compile(r"`[^`]*`")
# What keeps the formatter away, and the literals that may be laid out by hand.
FORMAT_SKIP = re.compile(r"#\s*fmt:\s*(?:skip|off)\b")
TABLES = (ast.Dict, ast.List, ast.Set, ast.Tuple)
TABLE_TYPES = frozenset({"dict", "frozenset", "set", "tuple"})
# Fewer words are a name, a key or a label; more of them without any punctuation are a list.
SHORTEST_PROSE_WORDS, LONGEST_SENTENCE_WORDS = 3, 20


@dataclass(frozen=True, slots=True)
class Module:
    """One source file: `shown` is its path from the root, `place` its path inside the package."""

    shown: str
    place: str
    lines: int
    tree: ast.Module
    source: str = ""

    def is_under(self, places: tuple[str, ...]) -> bool:
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
    if module.is_under(BROAD_EXCEPT_PLACES):
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
    may_manage = module.is_under(CONNECTION_SQL_PLACES)
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
    if module.is_under(PRESET_NAME_PLACES):
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
        for language in all_languages()
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
    if module.is_under(LANGUAGE_PLACES):
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


def docstrings(tree: ast.Module) -> set[int]:
    """The identities of all strings that stand alone as a statement."""
    return {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)}


def word_lists(tree: ast.Module) -> set[int]:
    """The identities of all strings that are split into words at once."""
    attributes = (n for n in ast.walk(tree) if isinstance(n, ast.Attribute) and n.attr in {"split", "splitlines"})
    return {id(node.value) for node in attributes}


def comments(source: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def messages(module: Module) -> Iterator[tuple[int, str]]:
    """The strings that people may read: whole sentences, not patterns and not lists of words."""
    if module.is_under(WORD_LIST_PLACES):
        return
    skipped = word_lists(module.tree) | docstrings(module.tree)
    for node in ast.walk(module.tree):
        if isinstance(node, ast.JoinedStr):
            skipped.update(id(part) for part in node.values)
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            text = node.value
        else:
            continue
        is_list = len(text.split()) > LONGEST_SENTENCE_WORDS and not SENTENCE_MARKS.search(text)
        if len(text.split()) >= SHORTEST_PROSE_WORDS and not is_list and not PATTERN_MARKS.search(text):
            yield node.lineno, text


def prose(module: Module) -> Iterator[tuple[int, str]]:
    """Comments, docstrings and messages of a module, with the line where each begins."""
    yield from comments(module.source)
    known = docstrings(module.tree)
    for node in ast.walk(module.tree):
        if id(node) in known and isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
    yield from messages(module)


def compile_phrases(*phrases: str) -> re.Pattern[str]:
    """Any of these phrases as whole words, also where a line ends between two of them."""
    spaced = (phrase.replace(" ", r"\s+") for phrase in phrases)
    return re.compile(rf"\b(?:{'|'.join(spaced)})\b", re.IGNORECASE)


_ARCHAIC = {compile_phrases(phrase): better for phrase, better in ARCHAIC_PHRASES.items()}
# Most texts have none of them, which one pattern finds out faster than all.
_ANY_ARCHAIC = compile_phrases(*ARCHAIC_PHRASES)


def archaic_phrases(text: str) -> Iterator[tuple[int, str, str]]:
    """Line within the text, phrase and replacement of every archaic phrase in it; code in backticks does not count."""
    plain = CODE_IN_PROSE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    for pattern, better in _ARCHAIC.items() if _ANY_ARCHAIC.search(plain) else ():
        for match in pattern.finditer(plain):
            yield plain.count("\n", 0, match.start()), " ".join(match[0].lower().split()), better


def check_prose(module: Module) -> Found:
    for line, text in prose(module) if _ANY_ARCHAIC.search(module.source) else ():
        for below, phrase, better in archaic_phrases(text):
            yield line + below, f"'{phrase}' is archaic; write plainly: {better}"


def is_table(node: ast.expr | None) -> bool:
    """Whether a value is a literal collection, or one inside a single call such as `frozenset({...})`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TABLE_TYPES:
        return len(node.args) == 1 and not node.keywords and isinstance(node.args[0], TABLES)
    return isinstance(node, TABLES)


def check_format_skips(module: Module) -> Found:
    assignments = (node for node in ast.walk(module.tree) if isinstance(node, ast.Assign | ast.AnnAssign))
    tables = {node.end_lineno for node in assignments if is_table(node.value)}
    for line, comment in comments(module.source) if "fmt:" in module.source else ():
        if FORMAT_SKIP.search(comment) and line not in tables:
            yield line, "'fmt: skip' is for tables of data only; remove it and let the formatter format this"


def check_documents(root: Path) -> list[str]:
    """The archaic phrases of the documentation, blocks of code left out."""
    findings = []
    for path in sorted({path for pattern in DOCUMENTS for path in root.glob(pattern)}):
        is_code = False
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            is_code = is_code != line.lstrip().startswith("```")
            for _, phrase, better in () if is_code else archaic_phrases(line):
                shown = path.relative_to(root).as_posix()
                findings.append(f"{shown}:{number}: '{phrase}' is archaic; write plainly: {better}")
    return findings


def check_homonyms(modules: Sequence[Module]) -> list[str]:
    """Every public class whose name an earlier module has taken already."""
    places: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    for module in modules:
        for node in module.tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append((module.shown, node.lineno))
    return [
        f"{shown}:{line}: class {name} is also in {found[0][0]}; give each its own name"
        for name, found in places.items()
        for shown, line in found[1:]
    ]


# `check_homonyms` and `check_documents` are run as well; they read more than one module.
def check_redefinitions(module: Module) -> Found:
    """A constant of a module that is assigned twice: the second value silently replaces the first."""
    seen: set[str] = set()
    for node in module.tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        for name in (n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)):
            if name in seen and name.isupper():
                yield node.lineno, f"{name} is assigned twice; give one of them another name"
            seen.add(name)


CHECKS: tuple[Callable[[Module], Found], ...] = (
    check_sizes,
    check_names,
    check_excepts,
    check_sql,
    check_presets,
    check_redefinitions,
    check_languages,
    check_prose,
    check_format_skips,
)


def read_modules(root: Path) -> tuple[list[Module], list[str]]:
    """All modules under `root`/src, and a finding for each file that cannot be read as Python."""
    modules, broken = [], []
    for path in sorted((root / "src").rglob("*.py")):
        shown = path.relative_to(root).as_posix()
        place = path.relative_to(root / "src").as_posix().partition("/")[2] or path.name
        try:
            source = path.read_text(encoding="utf-8")
            modules.append(Module(shown, place, len(source.splitlines()), ast.parse(source), source))
        except (SyntaxError, ValueError) as error:
            broken.append(f"{shown}:{getattr(error, 'lineno', None) or 1}: not readable as Python")
    return modules, broken


def summary(modules: list[Module]) -> str:
    longest = max((m.lines for m in modules), default=0)
    deepest = max((function_lines(f) for m in modules for f in functions(m)), default=0)
    return (
        f"source check: {len(modules)} modules, longest {longest} lines, longest function {deepest} lines, no findings"
    )


def count_phrases(findings: Sequence[str]) -> list[str]:
    """How often each archaic phrase was found, the most frequent first."""
    counts = Counter(match[1] for finding in findings if (match := re.search(r": '([^']+)' is archaic", finding)))
    return [f"{count:5d}  {phrase}" for phrase, count in counts.most_common()]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description="Check the source against the house rules.")
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parents[1])
    parser.add_argument("--count", action="store_true", help="count the archaic phrases instead of listing findings")
    given = parser.parse_args(arguments)
    modules, findings = read_modules(given.root)
    for module in modules:
        lines = sorted(found for check in CHECKS for found in check(module))
        findings.extend(f"{module.shown}:{line}: {message}" for line, message in lines)
    findings.extend(check_homonyms(modules) + check_documents(given.root))
    print("\n".join(count_phrases(findings) if given.count else findings or [summary(modules)]))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
