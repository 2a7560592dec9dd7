"""Vectors from an embedder that may refuse some texts: every other text gets its vector, in few calls.

It tells an embedder that refuses a text from one that refuses everything; it keeps and marks nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from toldonce.errors import ModelError, TextRefused
from toldonce.models.embedder import Embedder, Vectors, have_direction

AT_ONCE = 64
PLAIN = "word"

EmbeddedOrRefused: TypeAlias = "list[Vectors | TextRefused]"


def embed_separately(
    embedder: Embedder, texts: Sequence[str], *, go_on: Callable[[], None], doubt_counts: bool = False
) -> EmbeddedOrRefused:
    """The vector of each text, in order, or why the embedder does not take it even alone.

    `go_on` is called before each call to the embedder and may raise. Raises ModelError when the embedder is away or
    refuses a plain word too; a refusal that is not certain is one of the text only where `doubt_counts`.
    """
    ask = partial(_embed_together, embedder, go_on=go_on, doubt_counts=doubt_counts)
    vectors, refusal = ask(texts)
    if refusal is None:
        return vectors
    _, at_fault = ask([PLAIN])
    if at_fault is not None:
        told = f"the embedder takes not even a plain word: {at_fault}"
        raise ModelError(told, retry_after_s=at_fault.retry_after_s) from at_fault
    return _embed_by_halves(ask, texts, refusal)


_Ask: TypeAlias = "Callable[[Sequence[str]], tuple[EmbeddedOrRefused, TextRefused | None]]"


def _embed_together(
    embedder: Embedder, texts: Sequence[str], *, go_on: Callable[[], None], doubt_counts: bool
) -> tuple[EmbeddedOrRefused, TextRefused | None]:
    go_on()
    try:
        vectors = embedder.embed(texts)
    except TextRefused as refusal:
        if not refusal.is_certain and not doubt_counts:
            raise
        return [], refusal
    if not have_direction(vectors):
        return [], TextRefused("the model made a vector that has no direction")
    return list(vectors), None


def _embed_by_halves(ask: _Ask, texts: Sequence[str], refusal: TextRefused) -> EmbeddedOrRefused:
    """The same for texts that were refused together: smaller pieces are asked for, down to single texts."""
    if len(texts) == 1:
        return [refusal]
    found: EmbeddedOrRefused = []
    size = AT_ONCE if len(texts) > AT_ONCE else (len(texts) + 1) // 2
    for start in range(0, len(texts), size):
        piece = texts[start : start + size]
        vectors, refused = ask(piece)
        found += vectors if refused is None else _embed_by_halves(ask, piece, refused)
    return found
