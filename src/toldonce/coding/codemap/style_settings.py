"""Settings of formatters and linters, in JSON, TOML, YAML or JavaScript, as sentences about how code is written.

A file's text comes in; sentences with the line of their setting go out. JavaScript is searched, never run, and of YAML
only what such files use is read.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from toldonce.coding.jsonc import read_jsonc

Table = Mapping[str, Any]
Reader = Callable[[str], Iterator[tuple[str, int]]]

PRETTIER: Mapping[str, str | Mapping[str, str]] = {
    "semi": {"True": "Statements end with semicolons (prettier)", "False": "No semicolons at line ends (prettier)"},
    "singleQuote": {"True": "Strings have single quotes (prettier)", "False": "Strings have double quotes (prettier)"},
    "tabWidth": "Code is indented by {} columns (prettier)",
    "useTabs": {"True": "Code is indented with tabs (prettier)"},
    "printWidth": "Lines are at most {} characters long (prettier)",
    "trailingComma": "Trailing commas: {} (prettier)",
}
# A rule of ESLint: the sentence for each of its options, and under "" for any other.
_ESLINT: Mapping[str, Mapping[str, str]] = {
    "semi": {"": "Statements end with semicolons", "never": "No semicolons at line ends"},
    "quotes": {"": "Strings have {} quotes"},
    "indent": {"": "Code is indented by {} spaces", "tab": "Code is indented with tabs"},
    "no-console": {"": "Nothing is printed with console.log"},
    "no-var": {"": "Variables are declared with const or let, never var"},
    "prefer-const": {"": "Variables that are not reassigned are const"},
    "eqeqeq": {"": "Values are compared with === and !=="},
    "camelcase": {"": "Names are in camelCase"},
    "no-unused-vars": {"": "There are no unused variables"},
    "@typescript-eslint/no-explicit-any": {"": "The type any is not used"},
    "max-len": {"": "Lines are at most {} characters long"},
    "curly": {"": "Blocks always have braces"},
    "comma-dangle": {"": "Trailing commas: {}"},
    "no-tabs": {"": "Code is not indented with tabs"},
    "func-style": {"": "Functions are written as a {}"},
    "no-default-export": {"": "Modules have no default export"},
    "explicit-function-return-type": {"": "Functions say what type they return"},
    "consistent-type-imports": {"": "Types are imported with `import type`"},
    "no-floating-promises": {"": "Every promise is awaited or handled"},
}
_ESLINT_DEFAULTS = {
    "quotes": "double", "indent": "4", "max-len": "80", "comma-dangle": "never", "func-style": "expression",
}  # fmt: skip
_OFF = ("0", "off")


def settings_reader(load: Callable[[str], Table], rules: Mapping[str, str | Mapping[str, str]]) -> Reader:
    """Reads a file with `load`; each setting that the rules name becomes its sentence."""

    def read(text: str) -> Iterator[tuple[str, int]]:
        try:
            table = load(text)
        except ValueError:
            return
        for way, sentence in rules.items():
            value = _nested_value(table, way.split("."))
            said = sentence.get(str(value), "") if isinstance(sentence, Mapping) else sentence
            if value not in (None, "", [], {}) and said:
                yield said.format(_format_setting_value(value)), line_of_setting(text, way)

    return read


def _nested_value(table: Any, way: Sequence[str]) -> Any:
    for name in way:
        table = table.get(name) if isinstance(table, Mapping) else None
    return table


def _format_setting_value(value: Any) -> str:
    return ", ".join(str(v) for v in value) if isinstance(value, list) else str(value)


def line_of_setting(text: str, way: str) -> int:
    """The line that sets the last name of the way, which is where a reader looks."""
    name = re.escape(way.rpartition(".")[2])
    found = re.search(rf"""^[ \t]*["']?{name}["']?\s*[=:]""", text, re.M)
    return text.count("\n", 0, found.start()) + 1 if found else 0


_COMMENT = re.compile(r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\\n])*')|//[^\n]*|/\*.*?\*/""", re.S)


def parse_relaxed_json(text: str) -> Table:
    """A table in JSON as settings files have it, with comments and a comma after the last value."""
    table = read_jsonc(text)
    return table if isinstance(table, dict) else {}


def _strip_comments(text: str) -> str:
    """A script without comments; one that is never closed is not looked for to the end from each place."""
    last = text.rfind("*/") + 2 if "*/" in text else 0
    closed, rest = text[:last], text[last:]
    return "".join(_COMMENT.sub(lambda found: found[1] or "", part) for part in (closed, rest.replace("/*", "")))


def parse_settings(text: str) -> Table:
    """JSON with comments, or else YAML: files without an ending may be either."""
    try:
        return parse_relaxed_json(text)
    except ValueError:
        return parse_simple_yaml(text)


# YAML

_YAML_ITEM = re.compile(r"""-(?:\s+(.*))?$""")
_YAML_PAIR = re.compile(r"""("[^"]*"|'[^']*'|[^\s:#][^:#]*?)\s*:(?:\s+(.*))?$""")
_YAML_COMMENT = re.compile(r"(?:^|\s)#.*$")
_DEEPEST = 20
_LONGEST_LINE = 500


def parse_simple_yaml(text: str) -> Table:
    """A table out of nested keys, lists and plain values; what is written in any other way is left out."""
    rows = [_YAML_COMMENT.sub("", line).rstrip() for line in text.splitlines()]
    plain = [row for row in rows if row.strip() not in ("", "---") and len(row) <= _LONGEST_LINE]
    lines = [(len(row) - len(row.lstrip()), row.strip()) for row in plain]
    found = _parse_yaml_block(lines, depth=0)
    return found if isinstance(found, dict) else {}


def _parse_yaml_block(lines: Sequence[tuple[int, str]], *, depth: int) -> Any:
    """The list or table that these lines are, each with its indentation."""
    items: list[Any] = []
    table: dict[str, Any] = {}
    for text, inner in _split_yaml_entries(lines):
        item, pair = _YAML_ITEM.match(text), _YAML_PAIR.match(text)
        said = (item[1] if item else pair[2] if pair else "") or ""
        value = _parse_yaml_value(said) if said or not inner or depth > _DEEPEST else None
        if value is None:
            value = _parse_yaml_block(inner, depth=depth + 1)
        if item:
            items.append(value)
        elif pair:
            table[pair[1].strip("'\"")] = value
    return items or table


def _split_yaml_entries(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[str, Sequence[tuple[int, str]]]]:
    """Each entry of a block with the lines that belong to it: deeper ones, or a list right below its key."""
    starts = [
        place
        for place, (indent, text) in enumerate(lines)
        if indent <= lines[0][0] and not (text.startswith("- ") and not lines[0][1].startswith("- "))
    ]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield lines[start][1], lines[start + 1 : end]


def _parse_yaml_value(text: str) -> Any:
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        return [_parse_yaml_value(part) for part in text[1:-1].split(",") if part.strip()]
    plain = text.strip("'\"")
    if plain == text and plain.lower() in ("true", "false"):
        return plain.lower() == "true"
    return int(plain) if plain == text and plain.isdigit() else plain


# ESLint and Prettier


def read_eslint(text: str) -> Iterator[tuple[str, int]]:
    """The rules of ESLint that say how code is written, of a file in JSON or YAML."""
    try:
        table = parse_settings(text)
    except ValueError:
        return
    # A manifest has them under a key of its own.
    own = table.get("eslintConfig")
    rules = (own if isinstance(own, Mapping) else table).get("rules")
    for name, value in rules.items() if isinstance(rules, Mapping) else ():
        level, *options = value if isinstance(value, list) and value else [value]
        yield from _describe_rule(str(name), level, _plain_option(options), text=text)


def _plain_option(options: Sequence[Any]) -> str:
    first = options[0] if options else ""
    if isinstance(first, Mapping):
        first = next((first[key] for key in ("code", "max") if key in first), "")
    return "" if isinstance(first, list) else str(first)


def _describe_rule(name: str, level: Any, option: str, *, text: str) -> Iterator[tuple[str, int]]:
    base = name.rpartition("/")[2]
    said = _ESLINT.get(name) or _ESLINT.get(base) or {}
    sentence = said.get(option) or said.get("")
    if sentence and str(level).lower() not in _OFF:
        yield f"{sentence.format(option or _ESLINT_DEFAULTS.get(base, ''))} (eslint)", line_of_setting(text, name)


_JS_TEXT = re.compile(r"""'[^'\n]*'|"[^"\n]*\"""")
_MESSAGE = re.compile(r"""\bmessage:\s*((?:'[^'\n]*'|"[^"\n]*")(?:\s*\+\s*(?:'[^'\n]*'|"[^"\n]*"))*)""")
_FEWEST_WORDS = 3
_MOST_BLOCKS = 40
_LONGEST_BLOCK = 20_000
_RULES = re.compile(r"""['"]?\brules['"]?\s*:\s*\{""")
_RULE = re.compile(
    r"""(?P<quote>['"]?)(?P<name>[@\w/-]+)(?P=quote)\s*:\s*(?P<list>\[\s*)?['"]?(?P<level>off|warn|error|[012])\b['"]?"""
    r"""(?(list)(?:\s*,\s*(?:['"](?P<option>[\w-]+)['"]|(?P<number>\d+)|\{\s*(?:code|max)\s*:\s*(?P<most>\d+)))?)"""
)


def read_eslint_script(text: str) -> Iterator[tuple[str, int]]:
    """The same of a configuration in JavaScript or TypeScript, flat or not, as far as its rules are written out."""
    bare = _strip_comments(text)
    for found in islice(_RULES.finditer(bare), _MOST_BLOCKS):
        for rule in _RULE.finditer(_inside_braces(bare, found.end())):
            option = rule["option"] or rule["number"] or rule["most"] or ""
            yield from _describe_rule(rule["name"], rule["level"], option, text=text)
    # What the project itself says to somebody who breaks a rule of its own.
    for message in _MESSAGE.finditer(text):
        said = " ".join("".join(part[1:-1] for part in _JS_TEXT.findall(message[1])).replace("\\n", " ").split())
        if len(said.split()) >= _FEWEST_WORDS:
            yield f"{said} (eslint)", text.count("\n", 0, message.start()) + 1


def _inside_braces(text: str, start: int) -> str:
    """What stands between an opening brace and the one that closes it."""
    depth = 1
    for place in range(start, min(len(text), start + _LONGEST_BLOCK)):
        depth += (text[place] == "{") - (text[place] == "}")
        if not depth:
            return text[start:place]
    return text[start : start + _LONGEST_BLOCK]


_ASSIGNED = re.compile(r"""(?<![\w.])['"]?(\w+)['"]?\s*:\s*(true|false|\d+|'\w+'|"\w+")""")


def parse_script_settings(text: str) -> Table:
    """Plain values that a configuration in JavaScript sets, the first of each name."""
    found: dict[str, Any] = {}
    for name, value in _ASSIGNED.findall(_strip_comments(text)):
        found.setdefault(name, _parse_yaml_value(value))
    return found


STYLE_READERS: tuple[tuple[str, Reader], ...] = (
    *((name, read_eslint) for name in (
        ".eslintrc", ".eslintrc.json", ".eslintrc.yml", ".eslintrc.yaml", "package.json",
    )),
    *((name, read_eslint_script) for name in (".eslintrc.*js", "eslint.config.*[jt]s")),
    *((name, settings_reader(parse_settings, PRETTIER)) for name in (
        ".prettierrc", ".prettierrc.json*", ".prettierrc.y*ml",
    )),
    (".prettierrc.toml", settings_reader(tomllib.loads, PRETTIER)),
    *((name, settings_reader(parse_script_settings, PRETTIER)) for name in (
        ".prettierrc.*js", "prettier.config.*[jt]s",
    )),
    ("package.json", settings_reader(parse_relaxed_json, {f"prettier.{key}": said for key, said in PRETTIER.items()})),
)  # fmt: skip
