"""Texts come in, WordPiece token numbers go out, as the uncased BERT vocabulary has them."""

from __future__ import annotations

import unicodedata

LONGEST_WORD = 100
_MOST_CACHED = 50_000


class WordPiece:
    """Splits texts into pieces of words by a vocabulary; remembers the pieces of words it has seen."""

    def __init__(self, vocabulary: dict[str, int]) -> None:
        self._vocabulary = vocabulary
        self._start = vocabulary["[CLS]"]
        self._end = vocabulary["[SEP]"]
        self._unknown = [vocabulary["[UNK]"]]
        self._seen: dict[str, list[int]] = {}

    def tokens(self, text: str, *, limit: int) -> list[int]:
        """The numbers of a text's pieces between the start and end marks, at most `limit` of them."""
        ids = [self._start]
        for word in split_words(text):
            ids.extend(self._pieces_of(word))
            if len(ids) >= limit:
                break
        return [*ids[: limit - 1], self._end]

    def pair(self, question: str, text: str, *, limit: int) -> tuple[list[int], list[int]]:
        """The numbers of two texts, each closed by the end mark, and which of the two each is of; the second is cut.

        A question that takes more than half the room is cut too.
        """
        first = self.tokens(question, limit=limit // 2)
        second = self.tokens(text, limit=limit - len(first) + 1)[1:]
        return first + second, [0] * len(first) + [1] * len(second)

    def _pieces_of(self, word: str) -> list[int]:
        found = self._seen.get(word)
        if found is None:
            found = self._pieces(word)
            if len(self._seen) < _MOST_CACHED:
                self._seen[word] = found
        return found

    def _pieces(self, word: str) -> list[int]:
        if len(word) > LONGEST_WORD:
            return self._unknown
        pieces: list[int] = []
        start = 0
        while start < len(word):
            end = len(word)
            prefix = "##" if start else ""
            while end > start and prefix + word[start:end] not in self._vocabulary:
                end -= 1
            if end == start:
                return self._unknown
            pieces.append(self._vocabulary[prefix + word[start:end]])
            start = end
        return pieces


def split_words(text: str) -> list[str]:
    """Words in lower case without accents; punctuation and CJK characters stand on their own."""
    plain = text.lower()
    if not plain.isascii():
        plain = "".join(c for c in unicodedata.normalize("NFD", plain) if unicodedata.category(c) != "Mn")
    return plain.translate(_SPACED).split()


class _Spacing(dict[int, str]):
    """How each character is written before splitting, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        spaced = self[code] = _space_around_symbol(chr(code))
        return spaced


def _space_around_symbol(char: str) -> str:
    category = unicodedata.category(char)
    if char in "\t\n\r" or category == "Zs":
        return " "
    if char == "\ufffd" or category.startswith("C"):
        return ""
    code = ord(char)
    is_ascii_mark = 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126
    if is_ascii_mark or category.startswith("P") or _is_cjk(code):
        return f" {char} "
    return char


def _is_cjk(code: int) -> bool:
    return (
        0x4E00 <= code <= 0x9FFF or 0x3400 <= code <= 0x4DBF or 0xF900 <= code <= 0xFAFF or 0x20000 <= code <= 0x2FA1F
    )


_SPACED = _Spacing()
