"""Contradictions by rule: only what two sentences plainly say, in two languages."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from toldonce.distil.drafts import Material
from toldonce.distil.judgement import judge_contradiction

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


def said(text: str, *, subject: str | None = "alex/thing", value: str | None = None) -> Material:
    return Material(id=text, text=text, at=NOW, subject=subject, value=value)


@pytest.mark.parametrize(
    "older, newer",
    [
        ("Alex likes coffee", "Alex doesn't like coffee"),
        ("Alex loves coffee", "Alex hates coffee"),
        ("Alex dislikes coffee", "Alex likes coffee"),
        ("Alex eats meat", "Alex no longer eats meat"),
        ("Alex has two kids", "Alex has three kids"),
        ("Maria gosta de café", "Maria não gosta de café"),
        ("Maria adora praia", "Maria detesta praia"),
        ("Maria tem dois filhos", "Maria tem três filhos"),
    ],
)
def test_what_excludes_the_other_is_seen(older: str, newer: str) -> None:
    found = judge_contradiction(said(older), said(newer))
    assert found.contradicts
    assert found.certainty >= 0.7
    assert found.keep == "newer"


@pytest.mark.parametrize(
    "older, newer",
    [
        ("Alex likes coffee", "Alex likes tea"),
        ("Alex likes coffee", "Alex loves coffee"),
        ("Alex does not like tea", "Alex dislikes tea"),
        ("Alex lives in Porto", "Alex's sister Ana lives in Porto"),
        ("Alex went to Porto on 3 May 2026", "Alex went to Porto on 9 May 2026"),
        ("Alex has a dog", "Alex has a cat"),
        ("Maria gosta de café", "Maria gosta de chá"),
    ],
)
def test_what_goes_together_is_left_alone(older: str, newer: str) -> None:
    assert not judge_contradiction(said(older), said(newer)).contradicts


def test_numbers_are_only_compared_within_a_subject() -> None:
    assert not judge_contradiction(said("Alex ran 5 km", subject=None), said("Alex ran 7 km", subject=None)).contradicts


def test_what_ended_contradicts_what_held() -> None:
    found = judge_contradiction(said("Alex works at Acme", value="Acme"), said("Alex left them", value="not: acme"))
    assert (found.contradicts, found.certainty) == (True, 0.95)
