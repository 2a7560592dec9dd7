"""Which questions of a set are asked: collections come in, the same collections with the chosen questions go out."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace

from toldonce.bench.values import Collection


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionChoice:
    """The questions to ask of each set, narrowed in this order.

    `conversations` takes the first collections; `is_answered` asks what has an expected answer, otherwise what has
    evidence; `categories` are names or how they begin; `sample` draws by chance with `seed`; `limit` takes the first.
    """

    conversations: int | None = None
    is_answered: bool = False
    categories: tuple[str, ...] = ()
    sample: int | None = None
    seed: int = 0
    limit: int | None = None


# All that rankings can be measured by: what has evidence.
EVERY_QUESTION = QuestionChoice()


def choose_questions(collections: Iterable[Collection], choice: QuestionChoice) -> tuple[Collection, ...]:
    """The collections with the chosen questions, in their order; those without any are left out."""
    given = list(collections)[: choice.conversations]
    questions = [q for c in given for q in c.questions if (q.answer if choice.is_answered else q.gold)]
    if begins := tuple(name.casefold() for name in choice.categories):
        questions = [question for question in questions if question.category.casefold().startswith(begins)]
    if choice.sample is not None and choice.sample < len(questions):
        places = random.Random(choice.seed).sample(range(len(questions)), choice.sample)
        questions = [questions[place] for place in sorted(places)]
    kept = {id(question) for question in questions[: choice.limit]}
    narrowed = (replace(c, questions=tuple(q for q in c.questions if id(q) in kept)) for c in given)
    return tuple(collection for collection in narrowed if collection.questions)
