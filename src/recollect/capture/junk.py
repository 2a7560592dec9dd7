"""Scores how much a text looks like noise: a text comes in, a number from 0 to 1 goes out; nothing is refused here."""

from __future__ import annotations

import re

from recollect.lang.registry import unite_words

# Said to show that one has heard, as `_bare_words` writes them.
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
    return max(_monotony(text), _log_share(text), _wall_share(text))


def _short_junk(text: str) -> float:
    """1.0 for a text without a single word, 0.9 for one that only says that it was heard, 0.5 for a bare answer."""
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
    return [_shortened(word) for word in words]


def _shortened(word: str) -> str:
    if word in _acknowledgements() or word.isdigit():
        return word
    return _STRETCHED.sub(r"\1", re.sub(r"^(?:ha|he|hu|ah|rs|ja){2,}[hars]?$", "haha", word))


def _monotony(text: str) -> float:
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
