"""A secret that was redacted once for a person is redacted in what that person says later, however it is said then.

What is remembered of it is a keyed digest of its words, never the words. Pure: digests come in, a safe text goes out.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from toldonce.capture.secrets.phrases import secret_phrases
from toldonce.capture.secrets.redact import SecretFinding, find_marks, redact_secrets
from toldonce.lang.registry import combine_languages

_WORD = re.compile(r"[^\W_]+")
# Blocks of a key have their own marks; they need not be remembered word by word.
_MOST_WORDS = 24
_FEWEST_CHARS = 4
# Digits that are a year in most sentences.
_YEAR = re.compile(r"(?:19|20)\d\d")
_KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class SecretWords:
    """The words of one secret while it is being redacted; they are neither stored nor shown."""

    type: str
    words: tuple[str, ...] = field(repr=False)


def read_secret_words(text: str, found: Iterable[SecretFinding]) -> tuple[SecretWords, ...]:
    """The words of what was found in a text, as far as they are enough to know it again."""
    read = (SecretWords(one.type, _list_words(text[one.start : one.end])) for one in found)
    return tuple(one for one in read if len(one.words) <= _MOST_WORDS and sum(map(len, one.words)) >= _FEWEST_CHARS)


def make_digest_key() -> str:
    """A new key for the digests of one memory."""
    return secrets.token_hex(_KEY_BYTES)


def digest_secret(words: Iterable[str], *, key: str, person: str) -> str:
    """What is stored of a secret: without the key it tells nothing, and each person's is another one."""
    said = "\n".join((person, *words)).encode("utf-8", "replace")
    return hashlib.blake2b(said, key=bytes.fromhex(key), digest_size=20).hexdigest()


def describe_secret(secret: SecretWords) -> str:
    """What is stored beside its digest: of how many words it is, and of which type."""
    return f"{len(secret.words)} {secret.type}"


class KnownSecrets:
    """The secrets of one person, by their digests."""

    def __init__(self, person: str, *, key: str, described: Mapping[str, str]) -> None:
        self._person, self._key = person, key
        self._types = {digest: text.partition(" ")[2] for digest, text in described.items()}
        self._lengths = sorted({int(text.partition(" ")[0]) for text in described.values()}, reverse=True)

    def redact_value(self, value: Any) -> Any:
        """A text, or what holds texts, without what is known to be a secret."""
        if isinstance(value, str):
            return self.redact_text(value)[0]
        if isinstance(value, Mapping):
            return {name: self.redact_value(inner) for name, inner in value.items()}
        return [self.redact_value(inner) for inner in value] if isinstance(value, list | tuple) else value

    def redact_text(self, text: str) -> tuple[str, list[str]]:
        """A text without what is known to be a secret, and the types of what was taken out."""
        spans = list(self._find(text))
        parts: list[str] = []
        last = 0
        for start, end, type in spans:
            parts += (text[last:start], f"[REDACTED: {type}]")
            last = end
        return "".join(parts) + text[last:], [type for *_, type in spans]

    def _find(self, text: str) -> Iterator[tuple[int, int, str]]:
        marks = find_marks(text)
        found = [m for m in _WORD.finditer(text) if not any(a <= m.start() < b for a, b in marks)]
        words = [unicodedata.normalize("NFC", match[0]) for match in found]
        may_be_year = not _speaks_of_secrets(text)
        place = 0
        while place < len(words):
            here = next((n for n in self._lengths if self._type_of(words[place : place + n], n)), 0)
            if here and not (here == 1 and may_be_year and _YEAR.fullmatch(words[place])):
                type = self._type_of(words[place : place + here], here)
                yield found[place].start(), found[place + here - 1].end(), cast("str", type)
            place += here or 1

    def _type_of(self, words: Collection[str], length: int) -> str | None:
        if len(words) < length:
            return None
        return self._types.get(digest_secret(words, key=self._key, person=self._person))


@combine_languages
def _secret_keywords() -> tuple[str, ...]:
    return tuple({keyword.strip() for keyword, _ in secret_phrases() if keyword.strip().isalpha()})


def _speaks_of_secrets(text: str) -> bool:
    lowered = text.lower()
    return any(keyword in lowered for keyword in _secret_keywords())


def read_secrets_of(text: str) -> tuple[SecretWords, ...]:
    """The words of every secret in a text."""
    return read_secret_words(text, redact_secrets(text).found)


def _list_words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(unicodedata.normalize("NFC", text)))
