"""Where a sentence states something and where a clause can begin in it, by the words of its language."""

from __future__ import annotations

import re
from dataclasses import dataclass

# A clause begins after at most this many characters of opening words.
_LONGEST_OPENER = 70
# A sentence with more first-person subjects than this is not read further; nothing useful would be found.
MOST_SUBJECTS = 30


@dataclass(frozen=True, slots=True)
class Clauses:
    """How a language begins a question, parts its clauses and opens them, and under what condition it speaks."""

    asking: re.Pattern[str]
    condition: re.Pattern[str]
    boundary: re.Pattern[str]
    openers: re.Pattern[str]

    def statement_end(self, text: str, *, asks: bool) -> int:
        """How far the sentence states something before it turns into a question; 0 when nothing of it is stated."""
        if self.condition.match(text):
            return 0
        question = self.asking.search(text)
        if question:
            return question.start()
        return 0 if asks else len(text)

    def can_open_clause(self, left: str) -> bool:
        """Whether a clause can begin after these words of its sentence."""
        boundary = self.boundary.match(left)
        opener = left[boundary.end() :] if boundary else left
        return len(opener) < _LONGEST_OPENER and self.openers.match(opener) is not None
