"""What a person's answer to a doubt means: the newer record, the older one, or something else; and where it was given.

Texts come in, a verdict goes out. Pure functions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from toldonce.distil.drafts import MACHINE_ROLES, ConversationMessage
from toldonce.lang.registry import unite_patterns
from toldonce.lang.vocabulary import content_stems
from toldonce.text.words import fold_word

_yes = unite_patterns(lambda language: language.comparison.yes, r"^\W*({})\b")
_no = unite_patterns(lambda language: language.comparison.no, r"^\W*({})\b")
# Names and numbers tell two statements apart; a capital that opens a sentence, and "I", name nobody.
_NAME = re.compile(r"(?<![.!?…]\s)(?<!^)\b[A-ZÀ-Ý][\w'-]+|\b\d+(?:[.,]\d+)?")


Side = Literal["newer", "older"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Which side the person took."""

    choice: Side | Literal["other"]


def read_verdict(answer: str, *, older: str, newer: str, yes: Side = "newer") -> Verdict:
    """What an answer to 'did something change?' says: by what it names, then by its yes or no, then by its words.

    `yes` is the side that a yes takes: to "do you still live in Porto?" it is the older one.
    """
    if (said := " ".join(answer.split())) in (" ".join(older.split()), " ".join(newer.split())) and older != newer:
        return Verdict("older" if said == " ".join(older.split()) else "newer")
    named, old, new = (_folded_names(text) for text in (answer, older, newer))
    if choice := _verdict_by_words(named, old=old, new=new):
        return choice
    if named - old - new:
        return Verdict("other")
    if _yes().search(answer) or _no().search(answer):
        no: Side = "older" if yes == "newer" else "newer"
        return Verdict(yes if _yes().search(answer) else no)
    words = [content_stems(text) for text in (answer, older, newer)]
    return _verdict_by_words(words[0], old=words[1], new=words[2]) or Verdict("other")


def find_answer(
    said: Sequence[ConversationMessage], *, speaker: str | None, older: str, newer: str
) -> tuple[ConversationMessage, Verdict] | None:
    """Where a person answers an assistant that asks about a doubt, and which side they take; None when they do not.

    The assistant asks in its own words, so it is the words that tell the two statements apart which show what it asks
    about. `speaker` is the person who was asked; None means anybody.
    """
    old, new = content_stems(older), content_stems(newer)
    for asked, reply in pairwise(said):
        is_asked = asked.role in MACHINE_ROLES and "?" in asked.text and reply.role not in MACHINE_ROLES
        if not is_asked or (speaker is not None and reply.speaker != speaker):
            continue
        stems = content_stems(asked.text)
        names_older, names_newer = bool(stems & (old - new)), bool(stems & (new - old))
        yes: Side = "older" if names_older and not names_newer else "newer"
        verdict = read_verdict(reply.text, older=older, newer=newer, yes=yes)
        if (names_older or names_newer) and verdict.choice != "other":
            return reply, verdict
    return None


def _verdict_by_words(said: frozenset[str], *, old: frozenset[str], new: frozenset[str]) -> Verdict | None:
    for_new, for_old = len(said & (new - old)), len(said & (old - new))
    if for_new == for_old:
        return None
    return Verdict("newer" if for_new > for_old else "older")


def _folded_names(text: str) -> frozenset[str]:
    return frozenset(fold_word(name) for name in _NAME.findall(text))
