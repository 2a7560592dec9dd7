"""A long text comes in; its sentences that carry the point, cause and remedy first, go out within a token budget.

A summary is made of whole sentences, or of whole clauses where no sentence fits. Only a text without either is cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from toldonce import tokens
from toldonce.lang.registry import unite_patterns

_causes = unite_patterns(lambda language: language.sessions.causes)
_remedies = unite_patterns(lambda language: language.sessions.remedies)
_passing = unite_patterns(lambda language: language.sessions.passing)
_own_doing = unite_patterns(lambda language: language.sessions.own_doing)

# A stop that ends a sentence is followed by a new one, not by the rest of a file name, a version or an abbreviation.
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"')\]]*\s+(?=[\"'(\[`*_¿¡]*[^\W_a-z])|\s*\n\s*(?:[-*•]\s+|\d+[.)]\s+|#+\s+)?")
_CLAUSE_END = re.compile(r"(?<=[,;:])\s+|\s+[-–—]+\s+|\s+(?=\()|(?<=\))\s+")
_CODE = re.compile(
    r"`[^`]{2,80}`|\b[\w-]+/[\w./-]+|\b\w+\(\)|\b[a-z]+_[a-z_]+\b|\b[a-z]+[A-Z]\w+|\b[A-Z][A-Z0-9_]{3,}\b"
)
_MOST_SENTENCES = 60
_MOST_CLAUSES = 24
_FEWEST_WORDS = 3


def summarise_text(text: str, budget: int) -> str:
    """A text in at most `budget` tokens; a text that fits is its own summary."""
    whole = " ".join(text.split())
    if tokens.count_tokens(whole) <= budget:
        return whole
    sentences = list(dict.fromkeys(_list_sentences(text)))[:_MOST_SENTENCES]
    ranked = sorted(sentences, key=_score_point, reverse=True)
    cause = next((s for s in ranked if _causes().search(s)), "")
    remedy = next((s for s in ranked if s != cause and _remedies().search(s)), "")
    if cause and remedy and (pair := _fit_pair(cause, remedy, budget)):
        chosen = dict(zip((cause, remedy), pair, strict=True))
    else:
        best = ranked[0] if ranked else whole
        chosen = {best: _shorten_sentence(best, budget) or _cut_to_point(best, budget)}
    for sentence in ranked:
        if sentence not in chosen and _score_point(sentence) > 0:
            trial = {**chosen, sentence: sentence}
            chosen = trial if tokens.count_tokens(" ".join(trial.values())) <= budget else chosen
    return " ".join(chosen[sentence] for sentence in sentences or [whole] if sentence in chosen)


def _fit_pair(cause: str, remedy: str, budget: int) -> tuple[str, str] | None:
    """The cause and what to do about it, both whole if they fit, else one of them shortened; None if neither is."""
    pairs = [
        (cause, remedy),
        (cause, _shorten_sentence(remedy, budget - tokens.count_tokens(cause) - 1)),
        (_shorten_sentence(cause, budget - tokens.count_tokens(remedy) - 1), remedy),
        (cause, tokens.cut_text(remedy, budget - tokens.count_tokens(cause) - 1)),
        (
            half := _shorten_sentence(cause, budget * 3 // 5),
            tokens.cut_text(remedy, budget - tokens.count_tokens(half) - 1),
        ),
    ]
    for one, other in pairs:
        is_enough = min(len(one.split()), len(other.split())) >= _FEWEST_WORDS
        if is_enough and tokens.count_tokens(f"{one} {other}") <= budget:
            return one, other
    return None


def _cut_to_point(sentence: str, budget: int) -> str:
    """A sentence without stops, cut: its beginning, and what it says to do where that comes too late for it."""
    head = tokens.cut_text(sentence, budget)
    advice = next((found.start() for found in _remedies().finditer(sentence) if found.start() > len(head) // 2), None)
    if advice is None:
        return head
    opening = tokens.cut_text(sentence[:advice], budget // 2)
    return f"{opening} {tokens.cut_text(sentence[advice:], budget - tokens.count_tokens(opening) - 1)}"


def _list_sentences(text: str) -> Iterator[str]:
    for part in _SENTENCE_END.split(text):
        sentence = " ".join(part.split())
        if any(character.isalnum() for character in sentence):
            yield sentence


def _score_point(sentence: str) -> float:
    """How much a sentence is to the point: it says a cause or what to do, and names code."""
    words = sentence.split()
    score = 2.0 * bool(_causes().search(sentence)) + 2.0 * bool(_remedies().search(sentence))
    score += 0.5 * min(len(_CODE.findall(sentence)), 2) + 0.02 * min(len(words), 25)
    score -= 1.0 * bool(_passing().search(sentence)) + 1.0 * bool(_own_doing().search(sentence))
    # A heading, a remark of two words and a question say little alone.
    return score - 2.0 * (len(words) < _FEWEST_WORDS or sentence.endswith((":", "?")))


def _shorten_sentence(sentence: str, budget: int) -> str:
    """The neighbouring clauses of a sentence that are most to the point and fit; "" when no clause fits."""
    clauses = [clause for clause in _CLAUSE_END.split(sentence) if clause.strip()][:_MOST_CLAUSES]
    runs = (clauses[first:last] for first in range(len(clauses)) for last in range(first + 1, len(clauses) + 1))
    fitting = [joined for run in runs if 0 < tokens.count_tokens(joined := _join_clauses(run)) <= budget]
    return max(fitting, key=lambda run: (_score_point(run), len(run)), default="")


def _join_clauses(clauses: Sequence[str]) -> str:
    joined = " ".join(clauses).rstrip(" ,;:–—-")
    return joined if not joined or joined[-1] in ".!?…)" else f"{joined}."
