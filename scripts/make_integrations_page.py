"""Writes docs/integrations/README.md from the table in each test module of an integration.

`python scripts/make_integrations_page.py` writes the page; a test fails when it is stale. Versions are those of the
packages that are installed here.
"""

from __future__ import annotations

import importlib
import re
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

if TYPE_CHECKING:
    from tests.integrations.table import Integration

PAGE = ROOT / "docs" / "integrations" / "README.md"
NO_VERSION = "–"
HEAD = """# Integrations

What is listed as working has a test with the real package and, where a model is needed, a scripted one. This page is
made from the tests: `python scripts/make_integrations_page.py`.

Most take a `PersonMemory(memory, "alex", session=..., space=...)`: the memory of one person. Who the person is comes
from your program or from the configuration of a run, never from a text or from the arguments of a tool. Nobody's memory
reaches another person's prompt: `tests/integrations/test_isolation.py` tries it. A block that Toldonce writes for a
prompt is marked as data; retrievers and search results are plain text that the framework renders.
"""
APART = """
¹ It needs an older `mcp` than the extras `server` and `mcp`, so install it in an environment without them;
its tests run in an environment of their own.
"""


def find_integrations() -> list[Integration]:
    """The table of every test module that has one, sorted by name."""
    files = sorted((ROOT / "tests" / "integrations").glob("test_*.py"))
    named = [path.stem for path in files if re.search(r"^INTEGRATION = ", path.read_text(encoding="utf-8"), re.M)]
    modules = [importlib.import_module(f"tests.integrations.{name}") for name in named]
    return sorted((module.INTEGRATION for module in modules), key=lambda one: one.name.lower())


def write_page(integrations: list[Integration]) -> str:
    """The page as text."""
    rows = [
        "| for | version tried | what works | what does not |",
        "|---|---|---|---|",
        *(_write_row(one) for one in integrations),
    ]
    return f"{HEAD}\n" + "\n".join(rows) + f"\n{APART}"


def without_versions(page: str) -> str:
    """The page with every version left out: a newer package alone does not make it stale."""
    return re.sub(r"^(\| [^|]+ \|)[^|]*\|", r"\1 |", page, flags=re.M)


def _write_row(one: Integration) -> str:
    mark = "¹" if one.apart else ""
    works, lacks = "; ".join(one.works), "; ".join(one.lacks)
    return f"| [{one.name}]({one.page}){mark} | {_find_version(one)} | {works} | {lacks} |"


def _find_version(one: Integration) -> str:
    if one.apart:
        return f"`{one.package}` {one.apart.partition('==')[2]}"
    try:
        return f"`{one.package}` {version(one.package)}" if one.package else NO_VERSION
    except PackageNotFoundError:
        return f"`{one.package}`"


if __name__ == "__main__":
    PAGE.write_text(write_page(find_integrations()), encoding="utf-8")
    print(f"{PAGE.relative_to(ROOT)} was written.")
