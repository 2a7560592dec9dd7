"""The words a person wrote themselves: a message comes in, its sentences with their places and language go out.

Code, quotations, pasted text, tables and links are blanked and never looked at; places in the message stay true.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from recollect.lang.detect import detect_language
from recollect.lang.grammar import QUOTED, Sentence
from recollect.lang.registry import combined, languages, unite_patterns, unite_words
from recollect.text.patterns import join_patterns

# Nobody says more than this in one breath; what is longer was pasted, and reading it would take long.
_LONGEST_TEXT = 20_000
_LONGEST_SENTENCE = 800
_LONG_LINE = re.compile(r"[^\n]{3000,}")

_BLOCKS = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|\"\"\".*?(?:\"\"\"|\Z)|<(\w+)[^>\n]*>.*?</\1>", re.S)
_LINKS = re.compile(r"\bhttps?://\S+|\bwww\.\S+")
_INLINE_CODE = re.compile(r"`[^`\n]*`")
_QUOTES = re.compile(
    r"\"[^\"\n]{2,400}\"|“[^”\n]{2,400}”|«[^»\n]{2,400}»|(?<!\w)'[^'\n]{2,300}'(?!\w)|(?<!\w)‘[^’\n]{2,300}’(?!\w)"
)
# A title or a term may stand in quotation marks; what somebody says there has a speaker of its own.
_speech = unite_patterns(lambda language: language.prose.speech, r"\b(?:{})\b")
_QUOTED_LINE = re.compile(r"^[ \t]*(?:>|\||[-=*_]{3,}[ \t]*$).*$", re.M)
_TURN_LINE = re.compile(
    r"^[ \t]*(?:\[[^\]\n]{3,30}\][ \t]*)?(?:[A-ZÀ-Ý]\w{1,20}(?: [A-ZÀ-Ý]\w{1,20})?|user|assistant)[ \t]*:[ \t]+\S.*$",
    re.M,
)
_CODE_LINE = re.compile(
    r"^[ \t]*(?:(?:def|class|import|return|const|let|var|function|public|private|SELECT|INSERT|CREATE)"
    r" .*[(){};=*].*|(?:Traceback|File \"|at \w+\.|#include|\$ |>>>|[{}\[\](<;]).*|.*(?:[;{}]|=>|/>|</\w+>)[ \t]*"
    r"|\d{4}-\d\d-\d\d[T ]\d\d:.*|\[?(?:INFO|DEBUG|WARN|WARNING|ERROR)\b.*)$",
    re.M,
)


@combined
def _pasted() -> tuple[re.Pattern[str], ...]:
    """A letter, a text that is to be worked on, and one that somebody introduces, each up to the end of the message."""
    cues = [language.prose for language in languages()]
    handed_over, introduced, letter = (
        join_patterns(getattr(cue, name) for cue in cues) or "(?!)" for name in ("handed_over", "introduced", "letter")
    )
    return (
        re.compile(rf"^[ \t]*(?:{letter})\s[^\n]{{2,60}},[ \t]*\n.*\Z", re.M | re.S),
        re.compile(rf"\b(?:{handed_over})\b[^.!?\n]{{0,60}}:.*\Z", re.I | re.S),
        re.compile(rf"\b(?:{introduced})\b[^.!?\n]{{0,80}}:[ \t]*\n.*\Z", re.I | re.S),
    )


_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "\t": " ", "\xa0": " "})

# A gap as wide as a column of a table parts sentences too.
_STOP = re.compile(r"[.!?…]+[\"')\]]*(?=\s|$)|\n+| {20,}+")
_abbreviations = unite_words(lambda language: language.vocabulary.abbreviations)
_BULLET = re.compile(r"[ ]*(?:[-*•+#]+|\d{1,2}[.)])?[ *_]*")


def own_words(text: str) -> str:
    """The message with everything blanked that its author did not say in their own voice; its length is unchanged."""
    text = _LONG_LINE.sub(_blanked_match, text[:_LONGEST_TEXT]) + "\n" * (len(text) - _LONGEST_TEXT)
    if "```" in text or "~~~" in text or '"""' in text or "</" in text:
        text = _blanked(text, _BLOCKS)
    if "http" in text or "www." in text:
        text = _blanked(text, _LINKS, mark=QUOTED)
    if "`" in text:
        text = _INLINE_CODE.sub(lambda m: m[0].replace("`", " ") if len(m[0]) < 30 else QUOTED * len(m[0]), text)
    if any(mark in text for mark in "\"'“«‘"):
        text = _QUOTES.sub(lambda m: QUOTED * len(m[0]) if _is_spoken(m[0]) else m[0], text)
    text = _CODE_LINE.sub(_blanked_match, _QUOTED_LINE.sub(_blanked_match, text))
    if ":" in text or "\n" in text:
        text = _without_pasted(text)
    return text.translate(_STRAIGHT)


def _without_pasted(text: str) -> str:
    if len(_TURN_LINE.findall(text)) > 1:
        text = _blanked(text, _TURN_LINE)
    for pattern in _pasted():
        text = _blanked(text, pattern)
    return text


def _blanked_match(match: re.Match[str]) -> str:
    return "\n" * len(match[0])


def _blanked(text: str, pattern: re.Pattern[str], *, mark: str = "\n") -> str:
    return pattern.sub(lambda match: mark * len(match[0]), text)


def _is_spoken(quotation: str) -> bool:
    return len(quotation.split()) > 8 or _speech().search(quotation) is not None


def sentences(text: str) -> list[Sentence]:
    """The sentences of the author's own words, in order."""
    prose = own_words(text)
    spoken = detect_language(prose)
    return [
        Sentence(
            prose[start:end], start, detect_language(prose[start:end], otherwise=spoken), _is_asked(prose[start:end])
        )
        for start, end in _spans(prose)
    ]


def _is_asked(sentence: str) -> bool:
    return "?" in sentence[-4:]


def _spans(prose: str) -> Iterator[tuple[int, int]]:
    start = 0
    for stop in _STOP.finditer(prose):
        if stop[0] == "." and prose[start : stop.start()].rpartition(" ")[2].lower() in _abbreviations():
            continue
        yield from _trimmed(prose, start, stop.end())
        start = stop.end()
    yield from _trimmed(prose, start, len(prose))


def _trimmed(prose: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end > start and prose[end - 1].isspace():
        end -= 1
    bullet = _BULLET.match(prose, start, end)
    start = bullet.end() if bullet else start
    if 1 < end - start <= _LONGEST_SENTENCE and any(ch.isalnum() for ch in prose[start:end]):
        yield start, end
