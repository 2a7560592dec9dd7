"""Whom a reply answers, in a talk with several people."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from toldonce.lang.vocabulary import content_words
from toldonce.storage.tables.conversations import Said
from toldonce.text.words import WORD, fold_word, term_coverage

# A name stands among the first words of a reply that calls somebody: "Ross, ...", "Olá Ross, ...".
_FIRST_WORDS = 2


def find_addressee(reply: str, said: Sequence[Said], names: Mapping[str, Collection[str]]) -> str | None:
    """The person whom a reply answers; `said` came before it, in order, `names` tells what each person is called.

    It is the one whom the reply calls by name, else the one whose open question or remark it repeats most of.
    """
    speakers = [message.user for message in said if message.is_human and message.user is not None]
    if len(set(speakers)) < 2:
        return speakers[-1] if speakers else None
    first = {fold_word(word) for word in WORD.findall(reply)[:_FIRST_WORDS]}
    called = [user for user in set(speakers) if not first.isdisjoint(map(fold_word, names.get(user, ())))]
    if len(called) == 1:
        return called[0]
    words = content_words(reply)
    best: tuple[float, bool, int] = (-1.0, False, -1)
    found: str | None = None
    for place, message in enumerate(said):
        if not message.is_human or message.user is None:
            continue
        is_open = not any(later.user == message.user and not later.is_human for later in said[place:])
        asked = sorted(content_words(message.text))
        likeness = term_coverage(asked, words) + 0.5 * len(words.intersection(asked)) + is_open
        best, found = max((best, found), ((likeness, "?" in message.text, place), message.user), key=lambda b: b[0])
    return found
