"""Whether what a clause says of somebody lies behind or ahead: a predicate goes in, its tense comes out if it is plain.

"In March" has one year only where the tense is plain. A habit, a wish, what was arranged for some other day and a story
of long ago leave it open.
"""

from __future__ import annotations

import re
from datetime import datetime

from recollect.lang.grammar import Predicate
from recollect.lang.registry import combined, language_of, languages, unite_patterns
from recollect.text.patterns import compile_pattern, join_patterns
from recollect.times.dates import Tense

_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_unsure = unite_patterns(lambda language: language.extraction.tenses.unsure)
_long_ago = unite_patterns(lambda language: language.extraction.tenses.long_ago)


@combined
def _goes_on() -> re.Pattern[str]:
    """Two things are told of, and a time may be that of either: "got in and start in September". Case counts."""
    return re.compile(join_patterns(language.extraction.tenses.goes_on for language in languages()) or "(?!)")


def tense(predicate: Predicate, language: str) -> Tense | None:
    """The tense of a predicate; None where it is not plain, or where a time in it may be that of something else."""
    signs, words = language_of(language).extraction.tenses, predicate.words
    if predicate.ended or _unsure().search(f"{predicate.adverb} {words}") or _goes_on().search(words):
        return None
    if compile_pattern(signs.ahead).match(words):
        return "future"
    if not compile_pattern(signs.behind).match(words):
        return "present"
    return None if compile_pattern(signs.for_later).search(words) else "past"


def is_of_another_year(text: str, at: datetime) -> bool:
    """Whether a text tells, or may tell, of another year than the one up to or from the moment it was said."""
    return _long_ago().search(text) is not None or any(int(year) != at.year for year in _YEAR.findall(text))
