"""Words of texts as PostgreSQL indexes them: the tokens of SQLite's full-text index, as `tsvector` and `tsquery`.

Both backends find the same words because the same tokenizer reads the texts; nothing here touches a database.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import apsw

_WORDS = ("porter", ["unicode61", "remove_diacritics", "2"])
_PAIRS = ("unicode61", ["remove_diacritics", "0", "categories", "L* M* N*"])
# PostgreSQL refuses longer words, and does not count positions beyond the second number.
_LONGEST = 400
_LAST_POSITION = 16_383
# Between two fields, so that no phrase reaches from one into the next.
_GAP = 8
_AUDIENCE = "@"
_TENANT = "="

_local = threading.local()


def list_tokens(text: str) -> list[str]:
    """The words of a text, folded and stemmed, in order."""
    return _tokenize(_WORDS, text)


def _tokenize(kind: tuple[str, list[str]], text: str) -> list[str]:
    made: dict[str, Any] = _local.__dict__.setdefault("tokenizers", {})
    if kind[0] not in made:
        # A connection belongs to one thread at a time.
        made[kind[0]] = apsw.Connection(":memory:").fts5_tokenizer(*kind)
    found = made[kind[0]](text.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False)
    return [_shorten(forms[0]) for forms in found]


def _shorten(token: str) -> str:
    if len(token) <= _LONGEST:
        return token
    return token[:_LONGEST] + hashlib.blake2b(token.encode(), digest_size=8).hexdigest()


def build_word_vector(*, tenant: str, text: str, title: str, author: str, audience: str) -> tuple[str, int]:
    """The `tsvector` of a record and how many words it has, those of its audience included."""
    fields = (
        ([_AUDIENCE + token for token in list_tokens(audience)], ""),
        (list_tokens(title), "A"),
        (list_tokens(author), "B"),
        (list_tokens(text), ""),
    )
    return f"{_quote(_TENANT + tenant)} {_place_words(fields)}", sum(len(tokens) for tokens, _ in fields)


def build_gram_vector(grams: str, *, tenant: str) -> tuple[str, int]:
    """The same for pairs of characters."""
    tokens = _tokenize(_PAIRS, grams)
    return f"{_quote(_TENANT + tenant)} {_place_words([(tokens, '')])}", len(tokens)


def _place_words(fields: Iterable[tuple[Sequence[str], str]]) -> str:
    places: dict[str, list[str]] = {}
    position = 1
    for tokens, weight in fields:
        for token in tokens:
            places.setdefault(token, []).append(f"{min(position, _LAST_POSITION)}{weight}")
            position += 1
        position += _GAP if tokens else 0
    return " ".join(f"{_quote(token)}:{','.join(at)}" for token, at in places.items())


def build_match(words: Sequence[str], *, tenant: str, among: Sequence[str] = (), readers: Sequence[str] = ()) -> str:
    """What `rank_words` and its like look for: any of these words, one of `among`, for one of these readers."""
    terms = [_term(tokens) for word in words if (tokens := list_tokens(word))]
    required = [_any_of(_phrases(among, "")), _any_of(_phrases(readers, _AUDIENCE))]
    if (words and not terms) or (among and not required[0]) or (readers and not required[1]):
        return json.dumps({"filter": _quote(_TENANT), "terms": terms})
    return json.dumps({"filter": _all_of([_quote(_TENANT + tenant), *required]), "terms": terms})


def build_pair_match(pairs: Sequence[str], *, tenant: str) -> str:
    """The same over pairs of characters; a single one stands for every pair that begins with it."""
    found = [(token, len(pair) == 1) for pair in pairs for token in _tokenize(_PAIRS, pair)]
    terms = [{"query": _quote(token) + (":*" if is_prefix else "")} for token, is_prefix in found]
    return json.dumps({"filter": _quote(_TENANT + (tenant if terms else "")), "terms": terms})


def _term(tokens: Sequence[str]) -> dict[str, Any]:
    return {"query": _phrase(tokens), "word": max(tokens, key=len), "phrase": len(tokens) > 1}


def _phrases(words: Sequence[str], mark: str) -> Iterator[str]:
    for word in words:
        if tokens := list_tokens(word):
            yield _phrase([mark + token for token in tokens])


def _phrase(tokens: Sequence[str]) -> str:
    return f"({' <-> '.join(map(_quote, tokens))})"


def _any_of(queries: Iterable[str]) -> str:
    some = list(queries)
    return f"({' | '.join(some)})" if some else ""


def _all_of(queries: Iterable[str]) -> str:
    return " & ".join(query for query in queries if query)


def _quote(token: str) -> str:
    escaped = token.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"
