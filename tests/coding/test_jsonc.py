"""JSON with comments is read as its agents read it, and changed without losing a comment."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from toldonce.coding.jsonc import edit_jsonc, read_jsonc


@pytest.mark.parametrize(
    "text, value",
    [
        ('{"a": 1, // one\n "b": [1, 2,], /* two */}', {"a": 1, "b": [1, 2]}),
        ('// first\n{"url": "http://x/*y*/", "q": "\\"//"}', {"url": "http://x/*y*/", "q": '"//'}),
        ("[]", []),
        (" -1.5e3 ", -1500.0),
        ('{"a": null, "b": true, "c": false}', {"a": None, "b": True, "c": False}),
    ],
)
def test_it_reads_what_json_with_comments_means(text: str, value: Any) -> None:
    assert read_jsonc(text) == value


@pytest.mark.parametrize(
    "text", ["", "{", '{"a" 1}', "{a: 1}", "[1 2]", "{} {}", '{"a": }', "[" * 500, '"x', "/* open"]
)
def test_what_is_broken_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"place|deeply|more after|[Uu]nterminated"):
        read_jsonc(text)


@pytest.mark.parametrize(
    "before, wanted, after",
    [
        ("{}", {"a": 1}, '{\n  "a": 1\n}'),
        ('{\n  "a": 1 // one\n}\n', {"a": 1, "b": 2}, '{\n  "a": 1, // one\n  "b": 2\n}\n'),
        ('{\n  "a": 1, // one\n}\n', {"a": 1, "b": 2}, '{\n  "a": 1, // one\n  "b": 2\n}\n'),
        ('{\n\t"a": 1, // one\n\t"b": 2 // two\n}\n', {"a": 1}, '{\n\t"a": 1 // one\n\t // two\n}\n'),
        ('{"a": 1 /* x */, "b": 2}', {"b": 2}, '{ /* x */ "b": 2}'),
        ('{"a": [1, 2 /* two */]}', {"a": [1]}, '{"a": [1 /* two */]}'),
        ('{"a": "x" /* why */}', {"a": "y"}, '{"a": "y" /* why */}'),
    ],
)
def test_a_change_leaves_the_rest_as_it_is(before: str, wanted: Any, after: str) -> None:
    assert edit_jsonc(before, wanted) == after


def make_value(chance: random.Random, depth: int = 0) -> Any:
    choice = chance.randrange(7 if depth < 3 else 4)
    if choice < 4:
        return chance.choice([1, -2.5, True, None, "x", 'a "quote" // no comment', "é\n"])
    if choice < 6:
        return {chance.choice("abcdefgh"): make_value(chance, depth + 1) for _ in range(chance.randrange(4))}
    return [make_value(chance, depth + 1) for _ in range(chance.randrange(4))]


def with_comments(value: Any, chance: random.Random, made: list[str]) -> str:
    """The value as text with comments strewn in, which are listed in `made`."""

    def comment() -> str:
        if chance.random() < 0.5:
            return chance.choice(["", " ", "\n  "])
        made.append(f"c{len(made)}e")
        return f" /* {made[-1]} */ " if chance.random() < 0.5 else f" // {made[-1]}\n"

    if isinstance(value, dict):
        parts = [
            f"{json.dumps(k)}{comment()}:{comment()}{with_comments(v, chance, made)}{comment()}"
            for k, v in value.items()
        ]
        return "{" + comment() + ",".join(parts) + comment() + "}"
    if isinstance(value, list):
        return "[" + comment() + ",".join(with_comments(v, chance, made) + comment() for v in value) + comment() + "]"
    return json.dumps(value)


@pytest.mark.parametrize("seed", range(200))
def test_any_change_of_any_text_gives_what_is_wanted(seed: int) -> None:
    chance = random.Random(seed)
    made: list[str] = []
    before = {f"k{n}": make_value(chance) for n in range(3)}
    text = with_comments(before, chance, made)
    assert read_jsonc(text) == before
    added = {**before, "new": {"hooks": [make_value(chance)]}}
    changed = edit_jsonc(text, added)
    assert read_jsonc(changed) == added and all(name in changed for name in made)
    assert read_jsonc(edit_jsonc(changed, before)) == before
    assert all(name in edit_jsonc(changed, before) for name in made)
    other = {"k1": make_value(chance), "k9": make_value(chance)}
    assert json.dumps(read_jsonc(edit_jsonc(text, other)), sort_keys=True) == json.dumps(other, sort_keys=True)


def test_a_comment_that_is_never_closed_is_an_error() -> None:
    for text in ('{"a": 1} /* b', '{"a": /*/ 1}', "/* " * 5_000):
        with pytest.raises(ValueError, match="no value|more after|no key|neither"):
            read_jsonc(text)
