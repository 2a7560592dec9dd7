"""Commands of the map, corrected by the project's own rules: no `npm run` beside "Use pnpm, never npm".

A line with commands in backticks and the rules that hold come in; the line as the rules want it goes out. Nothing is
imported for a line that no rule is about: a hook corrects every block.
"""

from __future__ import annotations

import re

from toldonce.distil.alternative_tools import ALTERNATIVES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_COMMAND = re.compile(r"(?P<before>(?:, )?\w+ )`(?P<tool>[\w.-]+)(?P<rest>[^`]*)`")
_WORD = re.compile(r"[\w-]+")
# Of these, one command line is right for each of the tools.
_SAME_COMMANDS = frozenset(("npm", "pnpm", "yarn", "bun"))
# A rule about more than this is not about the whole project: "yarn for the old admin pages of the shop".
_MOST_TOPIC = 2


def correct_commands(line: str, rules: Sequence[str]) -> str:
    """A line of the map with the tools that the rules choose; a command whose tool they reject is left out."""
    if "`" not in line:
        return line
    corrected = _COMMAND.sub(lambda found: _correct_command(found, rules), line)
    title, colon, rest = corrected.partition(": ")
    return f"{title}{colon}{rest.removeprefix(', ')}" if rest else "" if corrected != line else line


def _correct_command(found: re.Match[str], rules: Sequence[str]) -> str:
    used = found["tool"]
    row = next((row for row in ALTERNATIVES if used in row), None)
    chosen = _find_choice(used, row, rules) if row else None
    if chosen is None:
        return found[0]
    return f"{found['before']}`{chosen}{found['rest']}`" if {used, chosen} <= _SAME_COMMANDS else ""


def _find_choice(used: str, row: frozenset[str], rules: Sequence[str]) -> str | None:
    """What the newest rule chooses instead of a tool; None where they leave it or say nothing about it."""
    for rule in rules:
        if not row.intersection(map(str.lower, _WORD.findall(rule))):
            continue
        from toldonce.distil.alternatives import chosen_alternative, rule_topic

        chosen = chosen_alternative(rule, row)
        if chosen is not None and len(rule_topic(rule, row)) <= _MOST_TOPIC:
            return chosen if chosen != used else None
    return None
