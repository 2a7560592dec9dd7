"""Rules of conduct: what a person wants done or not done comes in, whether a newer wish ends an older one goes out.

A wish is written as its verb phrase ("use bullet points"), with a mark before what is not or no longer wanted.
"""

from __future__ import annotations

from recollect.distil.drafts import ENDED, TAKEN_BACK
from recollect.recall.query import content_words, fold
from recollect.recall.stem import stem

# Of these a person wants one at a time.
_EITHER_OR = tuple(
    frozenset(stem(fold(word)) for word in row.split())
    for row in (
        "metric imperial métrico métricas imperiais", "celsius fahrenheit", "24 12", "british american",
        "short brief concise long longer detailed curtas curta breves longas longa detalhadas detalhada",
        "formal informal casual formais informais", "kilometers kilometres miles", "kilos pounds",
        "euros dollars reais",
    )
)  # fmt: skip
# Verbs that carry a wish and tell nothing of what it is about, and what every wish is about.
_LIGHT = frozenset(
    stem(fold(word))
    for word in (
        "use using add adding include including write writing put putting send sending give giving make making keep"
        " keeping show showing say saying start starting end ending do doing be being have always never only any more"
        " again anymore longer now please answer answers reply replies response responses message messages answering"
        " replying"
        " usar use usa escrever escreva escreve incluir inclua colocar coloque pôr mandar mande dar dê fazer faça"
        " manter mantenha mostrar mostre sempre nunca mais já agora respostas resposta mensagens responder responda"
        " responde"
    ).split()
)


def ends(newer: str, older: str) -> bool:
    """Whether a newer wish takes the place of an older one: its opposite, another choice, or that one taken back."""
    if newer.startswith(TAKEN_BACK):
        return _same_matter(_bare(newer), _bare(older))
    if newer.startswith(ENDED) != older.startswith(ENDED):
        return _same_matter(_bare(newer), _bare(older))
    return not newer.startswith(ENDED) and _chooses_differently(_bare(newer), _bare(older))


def _bare(wish: str) -> str:
    return wish.removeprefix(ENDED).removeprefix(TAKEN_BACK)


def _same_matter(one: str, other: str) -> bool:
    """Whether one of two wishes is about the other, or part of it."""
    ours, theirs = _matter(one), _matter(other)
    return bool(ours) and bool(theirs) and (ours <= theirs or theirs <= ours)


def _chooses_differently(one: str, other: str) -> bool:
    for row in _EITHER_OR:
        ours, theirs = _matter(one), _matter(other)
        if (ours & row) and (theirs & row) and not (ours & theirs & row):
            return ours - row == theirs - row
    return False


def _matter(wish: str) -> frozenset[str]:
    return frozenset(map(stem, content_words(wish))) - _LIGHT
