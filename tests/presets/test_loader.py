"""Presets: the shipped ones load, a user's own works, and mistakes are refused by file and key."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from tests.conftest import OpenMemory
from toldonce import InputError, presets
from toldonce.errors import BadPreset, NotAllowed, UnknownPreset

OWN = """
name = "diary"
title = "Diary"
about = "A diary with one kind."
default_kind = "entry"

[kinds.line]
prefix = "line"
tier = "demand"

[kinds.entry]
prefix = "entry"
expiry = "after"
lasts = "90d"

[capture]
kind = "line"

[conversation]
key = "user"
ends = ["day"]

[recall]
signals = { words = 1.0 }

[context]
budget = 300

[[context.sections]]
source = "search"
open = "## Diary"
line = "- {date}: {text}"
"""


def broken(tmp_path: Path, old: str, new: str) -> str:
    path = tmp_path / "diary.toml"
    assert old in OWN
    path.write_text(OWN.replace(old, new), encoding="utf-8")
    return str(path)


def test_five_presets_ship_with_the_package() -> None:
    assert presets.shipped_presets() == ("assistant", "coding", "community", "companion", "life")
    for name in presets.shipped_presets():
        assert presets.load_preset(name).name == name


@pytest.mark.parametrize(
    "kind, days",
    [
        ("gotcha", 60),
        ("error_pattern", 60),
        ("preference", 180),
        ("context", 7),
        ("environment_quirk", 7),
        ("session_insight", 30),
        ("task_outcome", 30),
        ("pr_review", 90),
        ("pr_finding", 90),
        ("decision", None),
        ("convention", None),
        ("dependency_relation", None),
        ("human_feedback", None),
    ],
)
def test_half_lives_of_the_coding_kinds_are_as_published(kind: str, days: int | None) -> None:
    row = presets.load_preset("coding").kind(kind)
    assert row.half_life == (timedelta(days=days) if days else None)


def test_a_users_own_preset_works_and_travels_with_the_file(tmp_path: Path, open_memory: OpenMemory) -> None:
    path = tmp_path / "diary.toml"
    path.write_text(OWN, encoding="utf-8")
    memory = open_memory(str(path))
    memory.remember("Saw a heron", user="alex")
    memory.close()
    path.unlink()
    again = open_memory()
    assert again.recall("heron", user="alex")[0].record.kind == "entry"
    assert "- Mar 2: Saw a heron" in again.context("heron", user="alex").text


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("title =", "titel =", "unknown key 'titel'"),
        ('prefix = "line"', 'prefix = "line"\nhalflife = "3d"', "unknown key 'kinds.line.halflife'"),
        ('lasts = "90d"', 'lasts = "90 suns"', "kinds.entry.lasts"),
        ('lasts = "90d"', "lasts = 90", "kinds.entry.lasts must be a length of time"),
        ('expiry = "after"', 'expiry = "sometime"', "kinds.entry.expiry is 'sometime'; choose one of never"),
        ('kind = "line"', 'kind = "page"', "capture.kind: no kind 'page'"),
        ("words = 1.0", "sounds = 1.0", "signals must be some of"),
        ("- {date}: {text}", "- {day}: {text}", "unknown field {day}"),
        ("budget = 300", 'budget = "small"', "context.budget must be a int"),
        ('about = "A diary with one kind."\n', "", "missing key 'about'"),
        ('default_kind = "entry"', 'default_kind = "poem"', "default_kind: no kind 'poem'"),
        ("[capture]", "[capture", "not valid TOML"),
    ],
)
def test_mistakes_are_refused_by_file_and_key(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = broken(tmp_path, old, new)
    with pytest.raises(BadPreset) as refused:
        presets.load_preset(path)
    assert said in str(refused.value)
    assert "diary.toml" in str(refused.value)


def test_a_bad_schedule_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "diary.toml"
    path.write_text(OWN + '\n[[schedules]]\njob = "expire"\ncron = "99 * * * *"\n', encoding="utf-8")
    with pytest.raises(BadPreset, match="schedules"):
        presets.load_preset(str(path))


def test_an_unknown_preset_names_the_known_ones() -> None:
    with pytest.raises(UnknownPreset, match="assistant, coding, community, companion, life"):
        presets.load_preset("butler")


def test_a_memory_keeps_the_preset_it_was_made_with(open_memory: OpenMemory) -> None:
    open_memory("companion").close()
    with pytest.raises(NotAllowed, match="companion"):
        open_memory("life")
    assert open_memory().stats()["preset"] == "companion"
    assert issubclass(NotAllowed, InputError)


def test_a_key_that_was_called_otherwise_is_still_read() -> None:
    """A space keeps the text of a preset of its own, whichever version of the package wrote it."""
    old = OWN.replace('prefix = "entry"', 'prefix = "entry"\ndoubted_when_stale = false')
    assert not presets.parse_preset(old, "diary.toml").kinds["entry"].outdated_when_stale
