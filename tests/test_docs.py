"""The documentation cannot drift: every key of a preset stands in docs/presets.md."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from recollect.kinds import Kind, Subject
from recollect.presets import policy
from recollect.presets.loader import LINE_FIELDS

DOCS = Path(__file__).parent.parent / "docs" / "presets.md"
TABLES = (
    Kind, Subject, policy.Preset, policy.CapturePolicy, policy.ConversationPolicy, policy.DistilPolicy,
    policy.DocumentPolicy, policy.RecallPolicy, policy.ContextPolicy, policy.Section, policy.Schedule,
    policy.GracePolicy, policy.Area,
)  # fmt: skip
KEYS = sorted({field.name for table in TABLES for field in dataclasses.fields(table)})


@pytest.mark.parametrize("key", KEYS)
def test_every_key_of_a_preset_is_documented(key: str) -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert f"`{key}`" in text or f"[{key}" in text or f"`[[{key}" in text or f"[context.{key}]" in text


@pytest.mark.parametrize("field", sorted(LINE_FIELDS))
def test_every_field_of_a_line_is_documented(field: str) -> None:
    assert f"{{{field}}}" in DOCS.read_text(encoding="utf-8")
