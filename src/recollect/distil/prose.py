"""The words a person wrote themselves: a message comes in, its sentences with their places and language go out.

Code, quotations, pasted text, tables and links are blanked and never looked at; places in the message stay true.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from recollect.distil.words_pt import FIRST_TO_THIRD

# Stands for a quotation inside a sentence; no rule reads across it.
QUOTED = "\x00"

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
_SPEECH = re.compile(r"\b(?:i|i'm|i’m|we|me|you|your|eu|você|meu|minha|sou|estou|tenho|moro)\b", re.I)
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
_GIVEN_TO_WORK_ON = re.compile(
    r"\b(?:translat\w+|rewrit\w+|re-?phras\w+|paraphras\w+|proof-?read\w*|summari[sz]e|edit|correct|polish|says"
    r"|said|wrote|traduz\w+|reescrev\w+|parafrase\w*|corrij\w+|corrig\w+|resum[ai]\w*|disse"
    r"|escreveu)\b[^.!?\n]{0,60}:.*\Z",
    re.I | re.S,
)
_INTRODUCED = re.compile(
    r"\b(?:draft|essay|e-?mail|letter|paragraph|article|transcript|excerpt|passage|text|poem|story|script|post"
    r"|prompt|bio|r[ée]sum[ée]|sentences?|here(?:'|’)?s|here is|here are|following|below|pasted|rascunho|redação"
    r"|carta|texto|parágrafo|artigo|trecho|frases?|poema|aqui está|segue|abaixo|seguinte)\b[^.!?\n]{0,80}:["
    r" \t]*\n.*\Z",
    re.I | re.S,
)
_LETTER = re.compile(r"^[ \t]*(?:Dear|Prezad[oa]s?|Car[oa]s?|Querid[oa]s?)\s[^\n]{2,60},[ \t]*\n.*\Z", re.M | re.S)
_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "\t": " ", "\xa0": " "})

# A gap as wide as a column of a table parts sentences too.
_STOP = re.compile(r"[.!?…]+[\"')\]]*(?=\s|$)|\n+| {20,}+")
_SHORT = frozenset("dr mr mrs ms st sr sra dra prof jr vs e.g i.e a.m p.m u.s u.k no av approx inc ltd ph.d".split())
_BULLET = re.compile(r"[ ]*(?:[-*•+#]+|\d{1,2}[.)])?[ *_]*")

_ENGLISH = frozenset(
    "the a an i i'm i've my you your is are was were and but or of to in on at with for this that it have"
    " has had do don't not we our they what how when can will would about from just so be been am there"
    " always never please".split()
)
_PORTUGUESE = frozenset(
    "o os as um uma eu meu minha meus minhas você seu sua é são era foi e mas ou de do da dos das em no na"
    " nos nas com para pra por que não isso isto este esta tenho tem estou está sou gosto quero muito mais"
    " já também ao à se lhe nós quando onde como porque sempre nunca responda mora a gente se seja"
    " agora outra novamente podes precisas".split()
) | (FIRST_TO_THIRD.keys() - {"use", "vim"})
_ACCENT = re.compile(r"[ãõçáéíóúâêôÃÕÇÁÉÍÓÚÂÊÔ]")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a message: `text` stands at `start` there, character for character, with straight apostrophes."""

    text: str
    start: int
    language: str
    asks: bool


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
    for pattern in (_LETTER, _GIVEN_TO_WORK_ON, _INTRODUCED):
        text = _blanked(text, pattern)
    return text


def _blanked_match(match: re.Match[str]) -> str:
    return "\n" * len(match[0])


def _blanked(text: str, pattern: re.Pattern[str], *, mark: str = "\n") -> str:
    return pattern.sub(lambda match: mark * len(match[0]), text)


def _is_spoken(quotation: str) -> bool:
    return len(quotation.split()) > 8 or _SPEECH.search(quotation) is not None


def sentences(text: str) -> list[Sentence]:
    """The sentences of the author's own words, in order."""
    prose = own_words(text)
    spoken = language_of(prose)
    return [
        Sentence(prose[start:end], start, language_of(prose[start:end], otherwise=spoken), _is_asked(prose[start:end]))
        for start, end in _spans(prose)
    ]


def _is_asked(sentence: str) -> bool:
    return "?" in sentence[-4:]


def _spans(prose: str) -> Iterator[tuple[int, int]]:
    start = 0
    for stop in _STOP.finditer(prose):
        if stop[0] == "." and prose[start : stop.start()].rpartition(" ")[2].lower() in _SHORT:
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


def language_of(text: str, *, otherwise: str = "en") -> str:
    """'en' or 'pt', by the small words of the text."""
    words = _WORD.findall(text.lower().replace("’", "'"))
    english = sum(map(_ENGLISH.__contains__, words))
    portuguese = sum(map(_PORTUGUESE.__contains__, words)) + len(_ACCENT.findall(text)) / 2
    if english == portuguese:
        return otherwise
    return "pt" if portuguese > english else "en"
