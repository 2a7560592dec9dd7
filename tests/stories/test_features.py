"""The list of features to tick off: every id is told by a story of this folder, in its docstring."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

FEATURES = (
    *(f"COM-{number}" for number in range(1, 16)),
    *(f"ROB-{number}" for number in range(1, 10)),
    *(f"AST-{number}" for number in range(1, 17)),
    *(f"LIFE-{number}" for number in (*range(1, 11), 12, 13, 15, 16)),
)
_ID = re.compile(r"\b(?:COM|ROB|AST|LIFE)-\d+\b")


def told() -> set[str]:
    """The ids that the docstrings of test functions name."""
    found: set[str] = set()
    for file in Path(__file__).parent.glob("test_*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        tests = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name.startswith("test_")]
        found |= {match for test in tests for match in _ID.findall(ast.get_docstring(test) or "")}
    return found


TOLD = told()


@pytest.mark.parametrize("feature", FEATURES)
def test_every_feature_has_a_story(feature: str) -> None:
    assert feature in TOLD


def test_no_story_names_a_feature_that_is_not_on_the_list() -> None:
    assert set(FEATURES) >= TOLD
