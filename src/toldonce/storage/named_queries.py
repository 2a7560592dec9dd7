"""Named SQL: reads a file of queries into a table from name to text.

A query opens with `-- name: its_name` and a line of purpose. `-- part: its_name` opens a piece that several queries
share, put in where they say `{its_name}`, and so may parts that stand further down; that happens once, when the file is
read, and never with a value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

_HEAD = re.compile(r"^-- (name|part): (\w+)$", re.MULTILINE)
_PART = re.compile(r"\{(\w+)\}")


@cache
def load_queries(package: str) -> Mapping[str, str]:
    """All queries of a backend's `queries.sql`, by name."""
    text = files(package).joinpath("queries.sql").read_text(encoding="utf-8")
    pieces = _HEAD.split(text)[1:]
    found = {(what, name): body.strip() for what, name, body in zip(*[iter(pieces)] * 3, strict=True)}
    parts: dict[str, str] = {}
    queries: dict[str, str] = {}
    for (what, name), body in found.items():
        (parts if what == "part" else queries)[name] = _PART.sub(lambda m: parts[m[1]], body)
    return queries


def query_parameters(sql: str) -> frozenset[str]:
    """The names of the values a query takes."""
    bare = re.sub(r"--.*|'(?:[^']|'')*'", "", sql)
    return frozenset(re.findall(r"(?<!:):([a-z_]\w*)", bare))
