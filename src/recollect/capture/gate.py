"""The gate: raw text comes in; text fit to be remembered goes out, with what was changed in it and a junk score.

It is pure: it asks no store, model or clock, logs nothing, and refuses only what is empty or too long.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Literal

from recollect.capture.junk import junk_score
from recollect.capture.secrets import redact
from recollect.errors import EmptyText, InputError, TextTooLong

# What frames a block that memory wrote into a prompt. Such a block is never taken in again.
MEMORY_OPEN = "<recollect-memory"
MEMORY_CLOSE = "</recollect-memory>"

# Tab, line feed and carriage return stay; they are layout.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_PRIVATE_MARK = re.compile(r"<(?P<end>/?)private\s{0,20}>", re.IGNORECASE)
_MEMORY_MARK = re.compile(rf"{re.escape(MEMORY_OPEN)}|(?P<end>{re.escape(MEMORY_CLOSE)})")
# A cut can join the halves of another mark, so the text is looked at again; whoever builds more layers than this
# loses everything from the next mark on.
_MAX_ROUNDS = 4
# Redaction can shorten a text, a key block above all, but not a text this many times over the limit.
_HOPELESS = 8


@dataclass(frozen=True, slots=True)
class GateLimits:
    """How long a text may be once cleaned, whether secrets are taken out of it, and the file that we read it from."""

    max_chars: int = 32_000
    redact_secrets: bool = True
    file: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """One kind of thing taken out of a text, and how often; never the thing itself."""

    what: Literal["secret", "private", "memory", "control"]
    detail: str
    count: int


@dataclass(frozen=True, slots=True)
class Admitted:
    """A text that may be remembered; `junk` runs from 0 (worth keeping) to 1 (noise), for the preset to judge."""

    text: str
    changes: tuple[Change, ...]
    junk: float


Changed = tuple[str, tuple[Change, ...]]


def admit(text: str, *, limits: GateLimits) -> Admitted:
    """The text as it may be remembered, with all that was changed; raises EmptyText or TextTooLong."""
    if not isinstance(text, str):
        raise InputError(f"the text must be a string, not {type(text).__name__}")
    text, changes = _normalised(text)
    text, cuts = _without_marked_spans(text)
    changes += cuts
    _check_length(text, limits.max_chars * _HOPELESS, limit=limits.max_chars)
    if limits.redact_secrets:
        text, secrets = _without_secrets(text, limits.file)
        changes += secrets
    _check_content(text, changes)
    _check_length(text, limits.max_chars, limit=limits.max_chars)
    return Admitted(text, changes, junk_score(text))


def _normalised(text: str) -> Changed:
    """The text without control characters, halves of characters mended or replaced; otherwise as given."""
    if text.isprintable():
        return text, ()
    changes: tuple[Change, ...] = ()
    text, controls = _CONTROL.subn("", text)
    if controls:
        changes += (Change("control", "control characters", controls),)
    if _SURROGATE.search(text):
        mended = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        changes += (Change("control", "broken characters", len(_SURROGATE.findall(text))),)
        text = mended
    return text, changes


def _without_marked_spans(text: str) -> Changed:
    """The text without private spans and without memory's own blocks."""
    if "<" not in text:
        return text, ()
    counts: Counter[str] = Counter()
    for _ in range(_MAX_ROUNDS):
        text, private = _cut(text, _PRIVATE_MARK)
        text, memory = _cut(text, _MEMORY_MARK)
        counts.update(private=private, memory=memory)
        if not private and not memory:
            break
    else:
        text = _before_any_mark(text)
    details: tuple[tuple[Literal["private", "memory"], str], ...] = (
        ("private", "private span"),
        ("memory", "block written by memory"),
    )
    return text, tuple(Change(what, detail, counts[what]) for what, detail in details if counts[what])


def _before_any_mark(text: str) -> str:
    starts = [match.start() for mark in (_PRIVATE_MARK, _MEMORY_MARK) if (match := mark.search(text))]
    return text[: min(starts, default=len(text))]


def _cut(text: str, mark: re.Pattern[str]) -> tuple[str, int]:
    """The text without what stands between opening and closing marks, nested ones too, and how many cuts that took.

    A span left open ends with the text; a closing mark that closes nothing goes alone.
    """
    kept, count, depth, last = [], 0, 0, 0
    for match in mark.finditer(text):
        if depth == 0:
            kept.append(text[last : match.start()])
            count += 1
        depth = max(0, depth - 1) if match["end"] else depth + 1
        last = match.end()
    if not count:
        return text, 0
    return "".join(kept) + ("" if depth else text[last:]), count


def _without_secrets(text: str, file: str) -> Changed:
    redaction = redact(text, name=file)
    if not redaction.found:
        return text, ()
    counts = Counter(finding.type for finding in redaction.found)
    return redaction.text, tuple(Change("secret", type, count) for type, count in counts.items())


def _check_content(text: str, changes: tuple[Change, ...]) -> None:
    if text and not text.isspace():
        return
    taken_out = ", ".join(dict.fromkeys(change.detail for change in changes))
    raise EmptyText(f"There is nothing left to remember once this was taken out: {taken_out}." if taken_out else None)


def _check_length(text: str, most: int, *, limit: int) -> None:
    if len(text) > most:
        message = f"The text has {len(text)} characters, the limit is {limit}: split it into parts."
        raise TextTooLong(message, length=len(text), limit=limit)
