"""The folder of a run of answers: what is given, answers and verdicts as JSON lines, each step beginning where it is.

`told.jsonl` holds everything about the run but the expected answers. `to_answer_a.jsonl` and `to_answer_b.jsonl` are
for readers, `to_judge.jsonl` for judges: they hold what waits, and nothing of which run it came from. Answers are read
from every `answers*.jsonl`, verdicts from every `verdicts*.jsonl`. Without a folder all of it is kept in the process.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from toldonce.bench.files import read_rows
from toldonce.bench.told import ToldQuestion
from toldonce.errors import InputError

SETTINGS, TOLD = "run.json", "told.jsonl"
ANSWERS, VERDICTS = "answers", "verdicts"
TO_ANSWER, TO_JUDGE = ("to_answer_a.jsonl", "to_answer_b.jsonl"), "to_judge.jsonl"
_NOTHING: Mapping[str, Any] = {}
_NAMES: Mapping[type, str] = {str: "text", bool: "true or false"}

T = TypeVar("T")


class AnswerFiles:
    """What was given, answered and judged so far, by id."""

    def __init__(self, folder: Path | None = None, *, settings: Mapping[str, Any] = _NOTHING) -> None:
        self.folder = folder
        self.told: dict[str, ToldQuestion] = {}
        self.answers: dict[str, str] = {}
        self.verdicts: dict[str, bool] = {}
        if folder is None:
            return
        _claim_folder(folder, settings)
        if (folder / TOLD).exists():
            _cut_torn_line(folder / TOLD)
            self.told = {row["id"]: ToldQuestion(**row) for row in _read_checked(folder / TOLD, ToldQuestion.__slots__)}
        self.answers = _read_values(folder, ANSWERS, field="answer", wanted=str)
        self.verdicts = _read_values(folder, VERDICTS, field="correct", wanted=bool)
        if strange := self.answers.keys() - self.told.keys():
            raise InputError(f"{folder} has an answer to {min(strange)}, which is the id of no line of {TOLD}")

    def add_told(self, rows: Iterable[ToldQuestion]) -> None:
        """Keep what was given for some questions, as far as it is not known."""
        made = {row.id: row for row in rows if row.id not in self.told}
        self.told |= made
        self._append(TOLD, [asdict(row) for row in made.values()])

    def add_answer(self, name: str, answer: str) -> None:
        """Keep a model's answer."""
        self.answers[name] = answer
        self._append(f"{ANSWERS}.jsonl", [{"id": name, "answer": answer}])

    def add_verdict(self, name: str, *, is_correct: bool) -> None:
        """Keep a model's verdict."""
        self.verdicts[name] = is_correct
        self._append(f"{VERDICTS}.jsonl", [{"id": name, "correct": is_correct}])

    def write_text(self, name: str, text: str) -> None:
        """Write a text of its own, if there is a folder."""
        if self.folder is not None:
            _write(self.folder / name, lambda path: path.write_text(text, encoding="utf-8"))

    def write_waiting(self, name: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Write what waits, in place of what waited before."""
        self.write_text(name, "".join(_as_line(row) for row in rows))

    def _append(self, name: str, rows: Iterable[Mapping[str, Any]]) -> None:
        if self.folder is None:
            return
        path = self.folder / name
        begin = "" if not path.exists() or path.read_bytes()[-1:] in (b"", b"\n") else "\n"
        text = begin + "".join(_as_line(row) for row in rows)
        with _write(path, lambda place: place.open("a", encoding="utf-8")) as file:
            file.write(text)


def _claim_folder(folder: Path, settings: Mapping[str, Any]) -> None:
    """Make the folder of a run, or refuse one that holds a run with other settings."""
    place = folder / SETTINGS
    if not place.exists():
        _write(folder, lambda path: path.mkdir(parents=True, exist_ok=True))
        text = json.dumps(settings, ensure_ascii=False, indent=2) + "\n"
        _write(place, lambda path: path.write_text(text, encoding="utf-8"))
        return
    try:
        kept = json.loads(place.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise InputError(f"{place} cannot be read: {problem}") from None
    given = json.loads(json.dumps(settings))
    other = [name for name in given if not isinstance(kept, dict) or kept.get(name) != given[name]]
    if other:
        said = ", ".join(f"{name} {kept.get(name)!r}" for name in other) if isinstance(kept, dict) else "other settings"
        raise InputError(f"{folder} holds a run with {said}: give the same options, or another folder")


def _cut_torn_line(path: Path) -> None:
    """Take back the end of a file whose writing was interrupted: that conversation is lived through again."""
    text = path.read_bytes()
    if not text.endswith(b"\n"):
        _write(path, lambda place: place.write_bytes(text[: text.rfind(b"\n") + 1]))


def _read_values(folder: Path, stem: str, *, field: str, wanted: type[T]) -> dict[str, T]:
    found: dict[str, T] = {}
    for path in sorted(folder.glob(f"{stem}*.jsonl")):
        for number, row in enumerate(_read_checked(path, ("id", field)), start=1):
            value = row[field]
            if not isinstance(value, wanted):
                raise InputError(f"{path}: row {number} has {field!r} that is not {_NAMES[wanted]}")
            if found.setdefault(row["id"], value) != value:
                raise InputError(f"{path}: {row['id']} has two different values of {field!r} in this folder")
    return found


def _read_checked(path: Path, fields: Iterable[str]) -> list[dict[str, Any]]:
    """The rows of a file, each of them a table with these fields."""
    rows = read_rows(path)
    for number, row in enumerate(rows, start=1):
        missing = [name for name in fields if not isinstance(row, dict) or name not in row]
        if missing or not isinstance(row["id"], str):
            raise InputError(f"{path}: row {number} needs {', '.join(missing or ['a text as id'])}")
    return rows


def _as_line(row: Mapping[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


def _write(path: Path, write: Callable[[Path], T]) -> T:
    try:
        return write(path)
    except OSError as problem:
        raise InputError(f"{path} cannot be written: {problem.strerror}") from None
