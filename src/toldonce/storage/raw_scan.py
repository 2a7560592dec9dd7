"""Searches the bytes of files for texts, piece by piece, whatever the files are."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator

from toldonce.storage.live_files import read_live

_PIECE = 8 * 1024 * 1024


def find_in_files(paths: Iterable[str | os.PathLike[str]], needles: Collection[str]) -> set[str]:
    """Which of these texts occur in the bytes of any of the files, written as UTF-8; a missing file holds nothing."""
    left = {needle: needle.encode() for needle in needles if needle}
    found: set[str] = set()
    longest = max(map(len, left.values()), default=0)
    for path in paths:
        for piece in _overlapping_pieces(path, overlap=max(longest - 1, 0)) if left else ():
            hits = {needle for needle, raw in left.items() if raw in piece}
            found |= hits
            left = {needle: raw for needle, raw in left.items() if needle not in hits}
    return found


def _overlapping_pieces(path: str | os.PathLike[str], *, overlap: int) -> Iterator[bytes]:
    """The file in pieces, each beginning with the end of the one before, so that nothing lies between two."""
    try:
        with read_live(path) as file:
            tail = b""
            while piece := file.read(_PIECE):
                yield tail + piece
                tail = (tail + piece)[-overlap:] if overlap else b""
    except FileNotFoundError:
        return
