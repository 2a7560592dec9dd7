"""The gate: raw text comes in; text fit to be remembered goes out, with what was changed in it and a junk score.

It is pure: it asks no store, model or clock, logs nothing, and refuses only what is empty or too long.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from toldonce.capture.secrets.redact import redact_secrets
from toldonce.capture.secrets.remembered import SecretWords, read_secret_words
from toldonce.errors import EmptyText, InputError, TextTooLong
from toldonce.lang.registry import unite_words

# What frames a block that memory wrote into a prompt. Such a block is never taken in again.
MEMORY_OPEN = "<toldonce-memory"
MEMORY_CLOSE = "</toldonce-memory>"

# Tab, line feed and carriage return stay; they are layout.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_PRIVATE_MARK = re.compile(r"<(?P<end>/?)private\s{0,20}>", re.IGNORECASE)
# Hosts of agents escape what hooks tell them.
_LESS, _MORE = "(?:<|&(?:amp;)*lt;)", "(?:>|&(?:amp;)*gt;)"
_MEMORY_MARK = re.compile(rf"{_LESS}{MEMORY_OPEN[1:]}|(?P<end>{_LESS}{MEMORY_CLOSE[1:-1]}{_MORE})")
# A cut can join the halves of another mark, so the text is looked at again; whoever builds more layers than this
# loses everything from the next mark on.
_MAX_ROUNDS = 4
# Redaction can shorten a text, a key block above all, but not a text this many times over the limit.
_HOPELESS = 8
# A message that is too long for one record is kept in at most this many parts.
MOST_PARTS = 16


@dataclass(frozen=True, slots=True)
class GateLimits:
    """How long a text may be once cleaned, whether secrets are taken out of it, and the file that we read it from.

    A text of several `parts` may be that many times as long.
    """

    max_chars: int = 32_000
    redact_secrets: bool = True
    file: str = ""
    parts: int = 1


@dataclass(frozen=True, slots=True)
class GateChange:
    """One kind of thing taken out of a text, and how often; never the thing itself."""

    what: Literal["secret", "private", "memory", "control"]
    detail: str
    count: int


@dataclass(frozen=True, slots=True)
class AdmittedText:
    """A text that may be remembered; `junk` runs from 0 (worth keeping) to 1 (noise), for the preset to judge."""

    text: str
    changes: tuple[GateChange, ...]
    junk: float
    secrets: tuple[SecretWords, ...] = field(default=(), repr=False)


Changed = tuple[str, tuple[GateChange, ...]]


def admit_through_gate(text: str, *, limits: GateLimits) -> AdmittedText:
    """The text as it may be remembered, with all that was changed; raises EmptyText or TextTooLong."""
    if not isinstance(text, str):
        raise InputError(f"the text must be a string, not {type(text).__name__}")
    text, changes = _normalise_characters(text)
    text, cuts = _without_marked_spans(text)
    changes += cuts
    most = limits.max_chars * limits.parts
    _check_text_length(text, max(most, limits.max_chars * _HOPELESS), limit=most)
    secrets: tuple[SecretWords, ...] = ()
    if limits.redact_secrets and (found := redact_secrets(text, name=limits.file)).found:
        secrets = read_secret_words(text, found.found)
        text, changes = found.text, changes + count_secrets(one.type for one in found.found)
    _check_content(text, changes)
    _check_text_length(text, most, limit=most)
    return AdmittedText(text, changes, junk_score(text), secrets)


def clean_values(value: Any) -> Any:
    """Metadata of another program without control characters and surrogate halves, which would refuse all of it."""
    if isinstance(value, str):
        return _normalise_characters(value)[0]
    if isinstance(value, Mapping):
        return {clean_values(name): clean_values(one) for name, one in value.items()}
    return [clean_values(one) for one in value] if isinstance(value, list | tuple) else value


def _normalise_characters(text: str) -> Changed:
    """The text without control characters and with surrogate halves joined or replaced; otherwise unchanged."""
    if text.isprintable():
        return text, ()
    changes: tuple[GateChange, ...] = ()
    text, controls = _CONTROL.subn("", text)
    if controls:
        changes += (GateChange("control", "control characters", controls),)
    if _SURROGATE.search(text):
        mended = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        changes += (GateChange("control", "broken characters", len(_SURROGATE.findall(text))),)
        text = mended
    return text, changes


def _without_marked_spans(text: str) -> Changed:
    """The text without private spans and without memory's own blocks."""
    if "<" not in text and "&" not in text:
        return text, ()
    counts: Counter[str] = Counter()
    for _ in range(_MAX_ROUNDS):
        text, private = _cut_marked_text(text, _PRIVATE_MARK)
        text, memory = _cut_marked_text(text, _MEMORY_MARK)
        counts.update(private=private, memory=memory)
        if not private and not memory:
            break
    else:
        text = _before_any_mark(text)
    details: tuple[tuple[Literal["private", "memory"], str], ...] = (
        ("private", "private span"),
        ("memory", "block written by memory"),
    )
    return text, tuple(GateChange(what, detail, counts[what]) for what, detail in details if counts[what])


def _before_any_mark(text: str) -> str:
    starts = [match.start() for mark in (_PRIVATE_MARK, _MEMORY_MARK) if (match := mark.search(text))]
    return text[: min(starts, default=len(text))]


def _cut_marked_text(text: str, mark: re.Pattern[str]) -> tuple[str, int]:
    """The text without what is between opening and closing marks, also nested ones, and the number of cuts.

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


def count_secrets(types: Iterable[str]) -> tuple[GateChange, ...]:
    """How many secrets of each type were taken out."""
    return tuple(GateChange("secret", type, count) for type, count in Counter(types).items())


def _check_content(text: str, changes: tuple[GateChange, ...]) -> None:
    if text and not text.isspace():
        return
    taken_out = ", ".join(dict.fromkeys(change.detail for change in changes))
    raise EmptyText(f"There is nothing left to remember once this was taken out: {taken_out}." if taken_out else None)


def _check_text_length(text: str, most: int, *, limit: int) -> None:
    if len(text) > most:
        message = f"The text has {len(text)} characters, the limit is {limit}: split it into parts."
        raise TextTooLong(message, length=len(text), limit=limit)


# Words of mere acknowledgement, as `_bare_words` writes them.
_acknowledgements = unite_words(lambda language: language.vocabulary.acknowledgements)
# An answer may settle a question that was asked before, so it is less junk than a nod.
_answers = unite_words(lambda language: language.vocabulary.answers)
_MAX_ACKNOWLEDGEMENT = 40
_STRETCHED = re.compile(r"(.{1,3}?)\1{2,}")
_LOG_LINE = re.compile(
    r"\s*(?:\[?\d{2,4}[-/:]\d\d[-/:]\d\d|\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b"
    r"|at [\w.$<>]+\(|0x[0-9a-f]{4,}|[\w.-]+\[\d+\]:|File \"[^\"]*\", line \d+)"
)
_WALL = re.compile(r"[A-Za-z0-9+/=_-]{80,}")


def junk_score(text: str) -> float:
    """How much the text looks like noise, 0 to 1: acknowledgements, emoji, stretched letters, logs, encoded walls."""
    if len(text) <= _MAX_ACKNOWLEDGEMENT and (score := _short_junk(text)):
        return score
    if not any(map(str.isalnum, text)):
        return 1.0
    return max(_measure_monotony(text), _log_share(text), _wall_share(text))


def _short_junk(text: str) -> float:
    """1.0 for a text without a single word, 0.9 for a mere acknowledgement, 0.5 for a bare answer."""
    words = _bare_words(text)
    if not words:
        return 1.0
    heard, answers = _acknowledgements(), _answers()
    if not all(word in heard or word in answers for word in words):
        return 0.0
    return 0.5 if any(word in answers for word in words) else 0.9


def _bare_words(text: str) -> list[str]:
    """The words in lower case, with laughter and stretched letters cut down: `kkkkkk` is `k`, `yesss` is `yes`."""
    words = re.findall(r"[^\W_]+", text.lower())
    return [_shorten_stretched_word(word) for word in words]


def _shorten_stretched_word(word: str) -> str:
    if word in _acknowledgements() or word.isdigit():
        return word
    return _STRETCHED.sub(r"\1", re.sub(r"^(?:ha|he|hu|ah|rs|ja){2,}[hars]?$", "haha", word))


def _measure_monotony(text: str) -> float:
    """Near 1 for few different characters, or few different words, in a long row."""
    few = max(3, len(text) // 100)
    # Where the beginning has more than a few, so has the whole, which may be long.
    if len(text) >= 12 and len(set(text[:100])) <= few and len(set(text)) <= few:
        return 0.95
    words = text.split()
    if len(words) < 8:
        return 0.0
    share = len(set(words)) / len(words)
    return 0.8 if share <= 0.2 else 0.0


def _log_share(text: str) -> float:
    """Up to 0.7 for five lines or more that machines wrote."""
    lines = [line for line in text.splitlines() if line.strip()] if text.count("\n") >= 4 else []
    if len(lines) < 5:
        return 0.0
    share = sum(_LOG_LINE.match(line) is not None for line in lines) / len(lines)
    return 0.7 * share if share >= 0.5 else 0.0


def _wall_share(text: str) -> float:
    """Up to 0.9 by the share of encoded data; a link is no wall, since it leads somewhere."""
    if len(text) < 80 or "://" in text:
        return 0.0
    share = sum(len(wall) for wall in _WALL.findall(text)) / len(text)
    return 0.9 * share if share >= 0.5 else 0.0
