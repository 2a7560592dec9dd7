"""What all tasks for a model share: short names for ids, records as plain lines, and the form of a task.

Pure. An answer can point only to what was in its data: a name that stands for nothing there is a problem, no guess.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from toldonce.distil.drafts import Material
from toldonce.distil.model.answers import Answer
from toldonce.distil.tiers import Task
from toldonce.lang.vocabulary import content_stems
from toldonce.records import attribute_of
from toldonce.text.words import text_grams

R = TypeVar("R", covariant=True)

# Characters of remembered text in one request, shared out evenly among its texts.
MOST_CHARS = 80_000
_LEAST_SHARE = 400
# A line that is further than this from the one before gets its own time.
_SILENCE = timedelta(minutes=20)


@dataclass(frozen=True, slots=True)
class CheckedResult(Generic[R]):
    """What an answer becomes, and what in it names nothing of the input."""

    result: R
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTask(Generic[R]):
    """One task for a model: the data, the form of the answer, and what to make of it.

    `items` names the list of the answer whose items are independent: bad ones are asked for again and may be left out.
    `parts` are the further pages of the prompt. `spoken` is what people said and `written` reads the prose out of a
    result; their languages must agree.
    """

    task: Task
    data: str | Mapping[str, Any]
    answer: type[Answer]
    make: Callable[[Any], CheckedResult[R]]
    items: str = ""
    parts: tuple[str, ...] = ()
    spoken: str = ""
    written: Callable[[Any], str] | None = None


class ShortNames:
    """Short names for ids: m1, m2 and so on. What was not named here cannot be named in an answer."""

    def __init__(self) -> None:
        self._ids: dict[str, tuple[str, ...]] = {}
        self._counts: dict[str, int] = {}

    def assign_name(self, letter: str, ids: tuple[str, ...]) -> str:
        """A new name that stands for these ids."""
        self._counts[letter] = self._counts.get(letter, 0) + 1
        name = f"{letter}{self._counts[letter]}"
        self._ids[name] = ids
        return name

    def ids_of(self, refs: Sequence[str], place: str, *, least: int = 1) -> CheckedResult[tuple[str, ...]]:
        """The ids that names stand for, each once."""
        problems = [f"{place}[{n}] names nothing of the input" for n, ref in enumerate(refs) if ref not in self._ids]
        found = tuple(dict.fromkeys(id_ for ref in refs for id_ in self._ids.get(ref, ())))
        if not problems and len(found) < least:
            problems.append(f"{place} must name at least {least} of the input")
        return CheckedResult(found, tuple(problems))


def render_section(name: str, lines: Sequence[str]) -> str:
    """A part of the data under its name; "" when it has no lines."""
    return "\n".join([f"## {name}", *lines]) if lines else ""


def render_materials(records: Iterable[Material], names: ShortNames) -> list[str]:
    """Records as lines: id, what it is, then its words; a line with the time is above those that it holds for."""
    known = list(records)
    texts = share_text_budget([record.text for record in known])
    rows = []
    for record, text in zip(known, texts, strict=True):
        id_ = names.assign_name("r", (record.id,))
        rows.append((record.at, indent_breaks(f"{id_} {describe_material(record, text)}")))
    return add_times(rows)


def describe_material(record: Material, text: str, *, moment: str = "") -> str:
    """What a record is, then its words: without a value or title that they say anyway, with the name of a speaker."""
    attribute = attribute_of(record.subject)
    has_value = attribute and record.value and not _has_words(text, record.value)
    told = f"{attribute} = {record.value}" if has_value else attribute
    marks = "; ".join(filter(None, [moment, record.kind, told, "confirmed" if record.validated else ""]))
    has_title = record.title and not (record.kind and _has_words(text, record.title))
    return f"{f'[{marks}] ' if marks else ''}{f'{record.title}: ' if has_title else ''}{text}"


def _has_words(text: str, words: str) -> bool:
    """Whether a text has all these words, in whatever form."""
    stems = content_stems(words)
    return words.casefold() in text.casefold() or (bool(stems) and stems <= content_stems(text))


def add_times(rows: Iterable[tuple[datetime, str]]) -> list[str]:
    """The lines, with the time above each that is on another day or some time away from the one before."""
    found: list[str] = []
    last: datetime | None = None
    for at, line in rows:
        if last is None or abs(at - last) >= _SILENCE or at.date() != last.date():
            found.append(f"[{format_moment(at)}]")
        last = at
        found.append(line)
    return found


def indent_breaks(line: str) -> str:
    """One line of data: what follows a line break inside it is indented and so cannot begin with an id."""
    return "\n    ".join(line.splitlines())


def share_text_budget(texts: Sequence[str]) -> list[str]:
    """The texts, each cut to an even share of what one request may hold."""
    share = max(_LEAST_SHARE, MOST_CHARS // max(1, len(texts)))
    return [text if len(text) <= share else text[: share - 1] + "…" for text in texts]


def find_word_spans(words: str, text: str) -> list[tuple[int, int]]:
    """Where words occur in a text as whole words, ignoring case; [] when they do not."""
    wanted = words.strip()
    if not wanted:
        return []
    # In a script without spaces every character touches a letter.
    bare = re.escape(wanted)
    pattern = re.compile(bare if text_grams(wanted) else rf"(?<!\w){bare}(?!\w)", re.IGNORECASE)
    return [match.span() for match in pattern.finditer(text)]


def clamp_probability(number: float) -> float:
    """A model's number as one from 0 to 1."""
    return min(1.0, max(0.0, number))


def format_moment(at: datetime) -> str:
    """A moment for a model: the day of the week helps it with "next Friday"."""
    return at.strftime("%Y-%m-%d %a %H:%M")
