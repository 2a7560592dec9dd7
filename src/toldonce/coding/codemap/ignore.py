"""Ignore rules as .gitignore files write them, for trees that git does not list for us."""

from __future__ import annotations

import re
from dataclasses import dataclass

ALWAYS = frozenset(
    ".git .hg .svn node_modules __pycache__ .venv venv .tox .mypy_cache .ruff_cache .pytest_cache .idea .gradle "
    ".next .nuxt .terraform target bower_components .cache .eggs".split()
)


@dataclass(frozen=True, slots=True)
class IgnoreRule:
    """One line of an ignore file: the paths it means below its folder, and whether it takes them back in."""

    pattern: re.Pattern[str]
    only_folders: bool
    takes_back: bool


def read_rules(text: str) -> list[IgnoreRule]:
    """The rules of one ignore file."""
    rules = [_parse_ignore_rule(line.rstrip("\r")) for line in text.splitlines()]
    return [rule for rule in rules if rule]


def is_ignored(path: str, rules: list[tuple[str, list[IgnoreRule]]], *, folder: bool) -> bool:
    """Whether a path is left out; `rules` are (folder with a slash at its end, its rules), outermost first."""
    ignored = False
    for base, found in rules:
        inside = path[len(base) :]
        for rule in found:
            if (folder or not rule.only_folders) and rule.pattern.fullmatch(inside):
                ignored = not rule.takes_back
    return ignored


def _parse_ignore_rule(line: str) -> IgnoreRule | None:
    text = line if line.endswith("\\ ") else line.rstrip()
    if not text or text.startswith("#"):
        return None
    takes_back = text.startswith("!")
    text = text[1:] if takes_back else text
    only_folders = text.endswith("/")
    text = text.rstrip("/")
    anchored = "/" in text
    pattern = _glob_pattern(text.lstrip("/"))
    return IgnoreRule(re.compile(pattern if anchored else rf"(?:.*/)?{pattern}"), only_folders, takes_back)


def _glob_pattern(text: str) -> str:
    out, place = "", 0
    while place < len(text):
        rest = text[place:]
        if rest.startswith("**/"):
            out, place = out + "(?:.*/)?", place + 3
        elif rest.startswith("**"):
            out, place = out + ".*", place + 2
        elif rest[0] == "[" and (end := rest.find("]", 2)) > 0:
            inner = rest[1:end].replace("\\", "\\\\")
            out, place = out + f"[{'^' + inner[1:] if inner[0] in '!^' else inner}]", place + end + 1
        elif rest[0] == "\\" and len(rest) > 1:
            out, place = out + re.escape(rest[1]), place + 2
        else:
            out, place = out + {"*": "[^/]*", "?": "[^/]"}.get(rest[0], re.escape(rest[0])), place + 1
    return out
