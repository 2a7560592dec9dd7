"""The embedder's own vocabulary comes in, a table of words near in meaning goes out: `stem<TAB>stem:nearness ...`.

    python scripts/build_thesaurus.py OUT.txt.gz

No corpus is read: two words are near when their vectors are.
"""

from __future__ import annotations

import argparse
import gzip
from collections import defaultdict
from pathlib import Path

import numpy as np

from toldonce.lang.vocabulary import stop_words
from toldonce.models.minilm import MiniLM
from toldonce.text.words import stem_of_word

MOST = 8
LEAST_NEARNESS = 0.6
AT_ONCE = 512

Near = dict[str, dict[str, float]]


def nearest(embedder: MiniLM) -> Near:
    """For each stem the stems near it, and how near."""
    words = [w for w in embedder.vocabulary() if w.isalpha() and w.isascii() and len(w) >= 3 and w not in stop_words()]
    stems = [stem_of_word(word) for word in words]
    vectors = embedder.embed(words)
    near: Near = defaultdict(dict)
    for start in range(0, len(words), AT_ONCE):
        scores = vectors[start : start + AT_ONCE] @ vectors.T
        for row, column in zip(*np.nonzero(scores >= LEAST_NEARNESS), strict=True):
            here, there = stems[start + int(row)], stems[int(column)]
            if here != there:
                near[here][there] = max(near[here].get(there, 0.0), float(scores[row, column]))
    return near


def write(path: Path, near: Near) -> None:
    """The table as a text, the nearest first, the same bytes for the same table."""
    lines = []
    for word in sorted(near):
        best = sorted(near[word].items(), key=lambda item: (-item[1], item[0]))[:MOST]
        lines.append(f"{word}\t" + " ".join(f"{other}:{value:.2f}" for other, value in best))
    with path.open("wb") as file, gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as out:
        out.write("\n".join(lines).encode())


def main() -> None:
    """Build the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    near = nearest(MiniLM())
    write(args.out, near)
    print(f"{len(near)} stems, {args.out.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
