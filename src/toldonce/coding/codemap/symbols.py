"""Definitions of a source text with their lines, by patterns or, where the extra `code` is installed, by a parser.

Text in, names out; a text that does not parse gives what could be read of it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition: its name, what it is, and its first and last line, counted from one."""

    name: str
    kind: str
    line: int
    last: int


# In these patterns a space stands for blanks and tabs, a tilde for none or more of them, and % for the defined name.
_JS = (
    (
        r"^~(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:async )?"
        r"(?P<kind>function\*?|class|interface|enum|type|namespace) %"
    ),
    r"^(?:export )?(?:declare )?(?P<kind>const|let|var) %",
    r"^~(?:[\w$]+\.)+%~=~(?:async )?(?:function\b|\()",
    r"^ %~[:=]~(?:async~)?(?:function\b|\([^)\n]*\)[^=\n]*=>)",
    r"^ (?:(?:public|private|protected|static|async|readonly|override|get|set) )*[*#]?%~(?:<[^>\n]*>)?\([^;\n]*\{~$",
)
_TYPED = (
    r"^~(?:[\w@]+ )*?(?P<kind>class|interface|enum|record|struct|trait|object|namespace|protocol|extension) %",
    r"^~(?:\w+ )*?(?P<kind>fun|func|function|def) &?(?:<[^>\n]*>~)?(?:[\w.]+\.)?%",
    (
        r"^ (?:(?:public|private|protected|internal|static|final|abstract|virtual|override|async|synchronized|sealed"
        r"|unsafe|partial|native|default|extern|new|readonly) )+(?:<[^>\n]*> )?[\w<>\[\],.?]+ %~\("
    ),
)
_C = (
    (
        r"^~(?:typedef )?(?:template~<[^>\n]*>~)?(?P<kind>struct|class|enum(?: class)?|union|namespace) (?:[A-Z_]+ )?%"
        r"(?=[^;\n]*(?:\{|$))"
    ),
    r"^#~(?P<kind>define) %",
    r"^[A-Za-z_][\w\x20\t*&:<>,]*?[\x20\t*&:]%~\([^;\n]*$",
    r"^ (?:[\w:<>,*&]+ )+[*&]?%~\([^;\n]*\{",
)
_PYTHON = (r"^~(?:async )?(?P<kind>def|class) %", r"^(?P<name>[A-Z_][A-Z0-9_]+)~(?::[^=\n]+)?=")
_GO = (
    r"^(?P<kind>func) (?:\([^)\n]*\)~)?%",
    r"^(?P<kind>type|var|const) %",
    r"^\t% (?P<kind>struct|interface)\b",
)
_RUST = (
    (
        r"^~(?:pub(?:\([^)\n]*\))? )?(?:default |async |unsafe |const (?=fn)|extern \"[^\"\n]*\" )*"
        r"(?P<kind>fn|struct|enum|trait|mod|type|union|const|static|macro_rules!) %"
    ),
    r"^~(?P<kind>impl)\b(?:<[^{\n]*?>)? (?:[\w:<>,'&\x20\t]+[\x20\t]for )?%",
)
_RUBY = (r"^~(?P<kind>def|class|module) (?:self\.)?(?:\w+::)*(?P<name>[A-Za-z_]\w*[?!]?)",)
_OTHERS = (
    (
        r"^~(?:local |pub |export )*"
        r"(?P<kind>defp?|defmodule|function|sub|proc|fn|func|class|module|message|service|resource|table|view|type) %"
    ),
)
_PATTERNS: Mapping[str, tuple[str, ...]] = {
    "python": _PYTHON, "javascript": _JS, "typescript": _JS, "vue": _JS, "svelte": _JS, "astro": _JS, "go": _GO,
    "rust": _RUST, "java": _TYPED, "kotlin": _TYPED, "scala": _TYPED, "c#": _TYPED, "php": _TYPED, "swift": _TYPED,
    "dart": _TYPED, "groovy": _TYPED, "c": _C, "c++": _C, "objective-c": _C, "ruby": _RUBY,
}  # fmt: skip
_NOT_NAMES = frozenset(
    "_ if for while switch return catch else do sizeof match new throw function constructor in of".split()
)
_KINDS = {"def": "function", "func": "function", "fn": "function", "fun": "function", "function*": "function"}
# A line longer than this was made by a program; patterns would only waste time on it.
_LONG_LINE = 2_000
_MOST = 2_000
_compiled: dict[str, list[re.Pattern[str]]] = {}


def find_symbols(text: str, language: str) -> list[Symbol]:
    """The definitions of a text, in order."""
    from toldonce.coding.codemap import parse

    parsed = parse.parse_symbols(text, language)
    return parsed if parsed is not None else by_pattern(text, language)


def by_pattern(text: str, language: str) -> list[Symbol]:
    """The definitions that regular expressions find."""
    breaks = [m.start() for m in re.finditer("\n", text)]
    if not text or len(text) > _LONG_LINE * (len(breaks) + 1):
        return []
    found = sorted({(start, name): kind for start, name, kind in _match_symbols(text, language)}.items())[:_MOST]
    indents = [_indent_at(text, start) for (start, _), _ in found]
    lines = [bisect_right(breaks, start - 1) + 1 for (start, _), _ in found]
    ends = _definition_ends(indents, lines, len(breaks) + 1)
    return [Symbol(name, kind, line, end) for ((_, name), kind), line, end in zip(found, lines, ends, strict=True)]


def _match_symbols(text: str, language: str) -> Iterator[tuple[int, str, str]]:
    for pattern in _symbol_patterns(language):
        has_kind = "kind" in pattern.groupindex
        for match in pattern.finditer(text):
            if (name := match["name"]) not in _NOT_NAMES:
                said = match["kind"].split()[0] if has_kind else "method"
                yield match.start(), name, _KINDS.get(said, said)


def _symbol_patterns(language: str) -> list[re.Pattern[str]]:
    if language not in _compiled:
        _compiled[language] = [re.compile(_expand_pattern(p), re.MULTILINE) for p in _PATTERNS.get(language, _OTHERS)]
    return _compiled[language]


def _expand_pattern(pattern: str) -> str:
    named = pattern.replace("%", r"(?P<name>[A-Za-z_$][\w$]*)")
    return named.replace(" ", r"[\x20\t]+").replace("~", r"[\x20\t]*")


def _indent_at(text: str, start: int) -> int:
    place = start
    while place < len(text) and text[place] in " \t":
        place += 1
    return place - start


def _definition_ends(indents: list[int], lines: list[int], total: int) -> list[int]:
    """A definition ends before the next one that stands no deeper."""
    ends = [total] * len(lines)
    waiting: list[int] = []
    for place, indent in enumerate(indents):
        while waiting and indents[waiting[-1]] >= indent:
            done = waiting.pop()
            ends[done] = max(lines[done], lines[place] - 1)
        waiting.append(place)
    return ends
