"""docs/integrations/README.md says what the tests say, and every claim names a test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts.make_integrations_page import PAGE, find_integrations, without_versions, write_page
from tests.integrations.table import Integration

HERE = Path(__file__).parent
INTEGRATIONS = find_integrations()


def test_the_page_is_not_stale() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert without_versions(page) == without_versions(write_page(INTEGRATIONS)), (
        "run `python scripts/make_integrations_page.py`"
    )


def test_a_newer_package_alone_does_not_make_it_stale() -> None:
    page = write_page(INTEGRATIONS)
    assert without_versions(re.sub(r"` \d[\d.]*", "` 99.0", page)) == without_versions(page)
    assert without_versions(page.replace("retriever", "nothing")) != without_versions(page)


@pytest.mark.parametrize("integration", INTEGRATIONS, ids=lambda one: one.name)
def test_every_claim_names_a_test_and_every_page_is_there(integration: Integration) -> None:
    tests = "\n".join(path.read_text(encoding="utf-8") for path in HERE.rglob("*.py"))
    known = set(re.findall(r"def (?:check_)?(\w+)\(", tests))
    assert set(integration.works.values()) <= known
    page = (HERE.parents[1] / "docs" / "integrations" / integration.page).read_text(encoding="utf-8")
    assert integration.module.rpartition(".")[2] in page


def test_every_module_has_a_table() -> None:
    shared = {
        "__init__", "hosts", "mem0_arguments", "memory_files", "observed_session", "person_memory", "recent_values",
        "session_items", "stored_items",
    }  # fmt: skip
    folder = HERE.parents[1] / "src" / "toldonce" / "integrations"
    modules = {path.stem for path in folder.glob("*.py")} | {path.parent.name for path in folder.glob("*/__init__.py")}
    # Chroma is a part of the storage.
    own = [one.module for one in INTEGRATIONS if one.module.startswith("toldonce.integrations.")]
    assert {module.rpartition(".")[2] for module in own} == modules - shared
