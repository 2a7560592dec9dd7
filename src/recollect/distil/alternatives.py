"""Things of which a team uses one at a time: two rules of work come in, whether they choose differently goes out.

Only rules about the same matter are compared, and only where both name one of the same alternatives.
"""

from __future__ import annotations

import re
from collections.abc import Set

from recollect.recall.query import fold
from recollect.recall.rank import jaccard
from recollect.recall.stem import stem
from recollect.recall.stopwords import STOP

# How much of what is left of two rules must be the same for them to be about one matter.
SAME_MATTER = 0.6

ALTERNATIVES: tuple[frozenset[str], ...] = tuple(
    frozenset(row.split())
    for row in (
        "tab tabs space spaces espaco espacos", "npm pnpm yarn bun", "pip poetry uv pipenv conda pdm",
        "pytest unittest nose", "jest vitest mocha ava jasmine", "single double simples duplas",
        "snake_case camelcase pascalcase kebab-case", "rest graphql grpc", "merge rebase squash",
        "mysql mariadb postgres postgresql sqlite mongodb", "eslint biome tslint", "black ruff yapf autopep8",
        "webpack vite rollup esbuild parcel", "redux zustand mobx", "fetch axios", "threads asyncio",
        "make just task", "maven gradle bazel", "docker podman", "utc local",
    )
)  # fmt: skip
_SAME = {"tabs": "tab", "spaces": "space", "espaco": "space", "espacos": "space", "postgresql": "postgres",
         "simples": "single", "duplas": "double"}  # fmt: skip
_LITTLE = frozenset("use prefer instead rather over project".split())
_WORD = re.compile(r"[^\W_]+(?:[-_][^\W_]+)*")
_REJECTED = re.compile(
    r"\b(?:not|never|no|don't use|do not use|instead of|rather than|over|em vez de|e não|não|nunca)\s+(?:the |o |a )?"
    r"([\w-]+)",
    re.I,
)


def choose_differently(one: str, other: str) -> bool:
    """Whether two rules about the same matter name different ones of things of which one is used at a time."""
    for row in ALTERNATIVES:
        ours, theirs = _chosen(one, row), _chosen(other, row)
        if ours and theirs and ours != theirs:
            return jaccard(_matter(one, row), _matter(other, row)) >= SAME_MATTER
    return False


def _chosen(text: str, row: Set[str]) -> str | None:
    """The one alternative that a rule asks for; None when it names none or asks for several."""
    rejected = {fold(word) for word in _REJECTED.findall(text)}
    named = {_SAME.get(word, word) for word in _words(text) if word in row and word not in rejected}
    return named.pop() if len(named) == 1 else None


def _matter(text: str, row: Set[str]) -> frozenset[str]:
    """What a rule is about, without what it chooses."""
    return frozenset(stem(word) for word in _words(text) if word not in row and word not in STOP) - _LITTLE


def _words(text: str) -> list[str]:
    return [fold(word) for word in _WORD.findall(text)]
