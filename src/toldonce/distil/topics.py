"""Topics by rule: the notes of a day come in, groups of several notes with a title and a summary go out, at most eight.

Notes are alike by their words, and by their vectors when every note has one; the same notes give the same groups.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from toldonce.distil.drafts import ConversationMessage, Material, TopicDraft
from toldonce.distil.notes import (
    NoteLine,
    end_with_full_stop,
    name_subject,
    pick_key_lines,
    score_words,
    sentence_content_words,
)
from toldonce.distil.reading import split_sentences
from toldonce.text.words import fold_word, stem_of_word

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

MOST = 8
# Two groups are one topic from here on; unrelated notes lie far under it, by words and by vectors.
_ALIKE_BY_WORDS = 0.1
_ALIKE_BY_BOTH = 0.3
_LINES = 8
_SPEAKER = re.compile(r"(?:^|(?<=[.!?…] ))[^:.!?…]{1,40}: ")
# A topic is named after what several of its notes say.
_SHARED = 2


def group_topics(notes: Sequence[Material]) -> list[TopicDraft]:
    """What several of a day's notes were about; a note like no other is in no topic."""
    ordered = sorted(notes, key=lambda note: (note.at, note.id))
    joined = [group for group in _group_notes(ordered) if len(group) >= _SHARED] if ordered else []
    largest = sorted(sorted(joined, key=len, reverse=True)[:MOST])
    return [_draft_topic([ordered[place] for place in group]) for group in largest]


def _group_notes(notes: Sequence[Material]) -> list[list[int]]:
    """Places of notes that belong together: the two nearest groups are joined while they are near enough.

    How near two groups are is the mean over their notes.
    """
    import numpy as np

    near, enough = _note_similarity(notes)
    np.fill_diagonal(near, -np.inf)
    groups = {place: [place] for place in range(len(notes))}
    while len(groups) > 1:
        one, other = sorted(divmod(int(near.argmax()), len(notes)))
        if near[one, other] < enough:
            break
        ours, theirs = len(groups[one]), len(groups[other])
        near[one] = near[:, one] = (near[one] * ours + near[other] * theirs) / (ours + theirs)
        near[other] = near[:, other] = near[one, one] = -np.inf
        groups[one] = sorted(groups[one] + groups.pop(other))
    return sorted(groups.values())


def _note_similarity(notes: Sequence[Material]) -> tuple[NDArray[float64], float]:
    """How alike each note is to each other, and from where on two are about the same."""
    import numpy as np

    words = _cosine_table(_note_word_weights(notes))
    if not all(note.vector for note in notes):
        return words, _ALIKE_BY_WORDS
    vectors = np.asarray([note.vector for note in notes], dtype=np.float64)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return (words + vectors @ vectors.T) / 2, _ALIKE_BY_BOTH


def _note_word_weights(notes: Sequence[Material]) -> NDArray[float64]:
    """A row of weighted words for each note; the title counts twice, a word that every note has counts nothing."""
    import numpy as np

    bags = [Counter(_topic_stems(f"{note.title}. {note.title}. {note.text}")) for note in notes]
    seen = Counter(word for bag in bags for word in bag)
    places = {word: place for place, word in enumerate(sorted(seen))}
    table = np.zeros((len(notes), max(1, len(places))))
    for row, bag in enumerate(bags):
        for word, count in bag.items():
            table[row, places[word]] = (1 + math.log(count)) * math.log((1 + len(notes)) / seen[word])
    return table


def _cosine_table(table: NDArray[float64]) -> NDArray[float64]:
    import numpy as np

    table = table / np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-9)
    cosines: NDArray[float64] = table @ table.T
    return cosines


def _topic_stems(text: str) -> list[str]:
    """What a note is about; who said it is no part of that."""
    return [
        stem_of_word(fold_word(word))
        for sentence in split_sentences(_SPEAKER.sub("", text))
        for word in sentence_content_words(sentence)
    ]


def _draft_topic(notes: Sequence[Material]) -> TopicDraft:
    lines = _topic_lines(notes)
    sources = tuple(note.id for note in notes)
    weights = score_words(lines)
    chosen = [
        line
        for note in notes
        for line in pick_key_lines([one for one in lines if one.message.id == note.id], weights, most=1)
    ]
    summary = " ".join(end_with_full_stop(line.text) for line in chosen[:_LINES]) or " ".join(
        note.text for note in notes
    )
    seen = Counter(word for note in notes for word in set(_topic_stems(f"{note.title}. {note.text}")))
    shared = {word: w for word, w in weights.items() if seen[stem_of_word(fold_word(word))] >= _SHARED}
    title = _topic_title(lines, shared) or _topic_title(lines, weights) or notes[0].title
    return TopicDraft(title, summary, sources)


def _topic_title(lines: Sequence[NoteLine], weights: Mapping[str, float]) -> str:
    """The phrase that stands for the lines by the weights of their words, without who said it."""
    speakers = {w.lower() for line in lines for w in line.text[:40].rpartition(":")[0].split()}
    return name_subject(lines, weights, without=speakers)


def _topic_lines(notes: Sequence[Material]) -> list[NoteLine]:
    """The sentences of the notes, each still with who said it."""
    found: list[NoteLine] = []
    for note in notes:
        said = ConversationMessage(note.id, note.text, "", "user", note.at, "")
        for sentence in split_sentences(note.text):
            text = " ".join(sentence.text.split())
            words = sentence_content_words(sentence)
            if words:
                found.append(NoteLine(said, len(found), text, sentence.asks, words, states=False))
    return found
