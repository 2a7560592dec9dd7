"""The figures that scripts/name_metrics.py prints."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "scripts" / "name_metrics.py"


def write(folder: Path, place: str, source: str) -> None:
    path = folder / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source, encoding="utf-8")


def measure(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


def figures(folder: Path) -> dict[str, float]:
    """The percentages by the first word of their line."""
    result = measure(folder)
    assert result.returncode == 0, result.stderr
    return {line.split()[0]: float(line.split()[-2]) for line in result.stdout.splitlines() if line.endswith(" %")}


@pytest.mark.parametrize(
    "source, percent",
    [
        ("def rank_hits(): ...\n", 0.0),
        ("def rank(): ...\n", 100.0),
        ("def _rank(): ...\n", 100.0),
        ("async def rank(): ...\n\n\ndef map_(): ...\n\n\ndef rank_hits(): ...\n\n\ndef _sort_hits(): ...\n", 50.0),
        ("if x:\n    def rank(): ...\nelse:\n    def rank_hits(): ...\n", 50.0),
        ("class Store:\n    def get(self): ...\n", 0.0),
        ("def rank_hits():\n    def inner(): ...\n", 0.0),
        ("def __getattr__(name): ...\n", 0.0),
    ],
)
def test_one_word_names_are_counted_at_module_level(tmp_path: Path, source: str, percent: float) -> None:
    write(tmp_path, "a.py", source)
    assert figures(tmp_path)["one-word"] == percent


def test_names_are_shared_across_modules_whatever_their_underscores(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "def read_row(): ...\n\n\ndef read_page(): ...\n")
    write(
        tmp_path,
        "inner/b.py",
        "def _read_row(): ...\n\n\ndef read_line(): ...\n\n\nclass C:\n    def read_page(self): ...\n",
    )
    assert figures(tmp_path)["shared"] == 50.0


@pytest.mark.parametrize(
    "body, percent",
    [
        ("'Other words.'\n    z = other(2)\n    return z", 100.0),
        ("z = other(2, 3)\n    return z", 0.0),
        ("z = other.attribute(2)\n    return z", 0.0),
    ],
)
def test_shape_repeats_when_names_and_constants_are_erased(tmp_path: Path, body: str, percent: float) -> None:
    write(tmp_path, "a.py", "def first_one(x):\n    y = call(1)\n    return y\n")
    write(tmp_path, "b.py", f"class C:\n    def second(self) -> int: ...\n\n\ndef third_one(a, b):\n    {body}\n")
    assert figures(tmp_path)["repeated"] == percent


def test_check_fails_above_the_limits(tmp_path: Path) -> None:
    write(tmp_path, "good/a.py", "def rank_hits(): ...\n")
    write(tmp_path, "bad/a.py", "def rank(): ...\n")
    assert measure("--check", tmp_path / "good").returncode == 0
    assert measure("--check", tmp_path / "good", tmp_path / "bad").returncode == 1


def test_names_behind_the_figures_are_listed(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "def rank(): ...\n")
    write(tmp_path, "b.py", "def _rank(): ...\n")
    listed = [line.strip() for line in measure("--list", tmp_path).stdout.splitlines() if " in " in line]
    assert listed == [
        "one word: rank in a.py",
        "one word: rank in b.py",
        "shared: rank in a.py",
        "shared: rank in b.py",
    ]


def test_without_a_folder_the_package_is_measured() -> None:
    result = measure()
    assert result.returncode == 0 and "toldonce: " in result.stdout.splitlines()[0]
