"""The documentation cannot drift: every key of a preset stands in docs/presets.md."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from toldonce.presets import policy
from toldonce.presets.loader import LINE_FIELDS
from toldonce.presets.policy import Kind, Subject

DOCS = Path(__file__).parent.parent / "docs" / "presets.md"
TABLES = (
    Kind, Subject, policy.Preset, policy.CapturePolicy, policy.ConversationPolicy, policy.DistilPolicy,
    policy.DocumentPolicy, policy.RecallPolicy, policy.ContextPolicy, policy.Section, policy.Schedule,
    policy.GracePolicy, policy.Quota, policy.Area,
)  # fmt: skip
KEYS = sorted({field.name for table in TABLES for field in dataclasses.fields(table)})


@pytest.mark.parametrize("key", KEYS)
def test_every_key_of_a_preset_is_documented(key: str) -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert f"`{key}`" in text or f"[{key}" in text or f"`[[{key}" in text or f"[context.{key}]" in text


@pytest.mark.parametrize("field", sorted(LINE_FIELDS))
def test_every_field_of_a_line_is_documented(field: str) -> None:
    assert f"{{{field}}}" in DOCS.read_text(encoding="utf-8")


def test_every_test_that_the_security_page_names_is_there() -> None:
    root = Path(__file__).parents[1]
    named = set(re.findall(r"`(test_\w+\.py)`", (root / "SECURITY.md").read_text(encoding="utf-8")))
    there = {file.name for folder in ("security", "faults") for file in (root / "tests" / folder).glob("test_*.py")}
    assert len(named) > 10 and named <= there
