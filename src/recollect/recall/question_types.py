"""What type of question a text is, by its words alone, in any language. Pure text; nothing is looked up."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from recollect.lang.registry import unite_patterns, until_registration


def _remembered(question_type: Callable[[str], bool]) -> Callable[[str], bool]:
    """A question is looked at several times while it is answered."""
    remembered: Callable[[str], bool] = until_registration(lru_cache(maxsize=64)(question_type))
    return remembered


_anything = unite_patterns(lambda language: language.questions.anything, r"\?|{}")
# Something is to be done; what was said of it is looked for by its words.
_to_do = unite_patterns(lambda language: language.questions.to_do)
# First-person statements.
_self = unite_patterns(lambda language: language.questions.self)
_begins_with_self = unite_patterns(lambda language: language.questions.begins_with_self)
_ENDED = re.compile(r"[.!…][\"'”’)]*\s*$")
_when = unite_patterns(lambda language: language.questions.when)
_you = unite_patterns(lambda language: language.questions.you)
_polite = unite_patterns(lambda language: language.questions.polite)
_help = unite_patterns(lambda language: language.questions.help)
_said = unite_patterns(lambda language: language.questions.said)
_order = unite_patterns(lambda language: language.questions.order)
_summary = unite_patterns(lambda language: language.questions.summary)
_now = unite_patterns(lambda language: language.questions.now)
_earlier = unite_patterns(lambda language: language.questions.earlier)
_happened = unite_patterns(lambda language: language.questions.happened)
_first = unite_patterns(lambda language: language.questions.first)
_quantity = unite_patterns(lambda language: language.questions.quantity)
# Advice, and questions about several things at once: no statement of them makes another one stale.
_broader = unite_patterns(lambda language: language.questions.broader)
_own = unite_patterns(lambda language: language.questions.own)


@_remembered
def is_question(text: str) -> bool:
    """Whether it is a question, or begins as one."""
    return _anything().search(text) is not None


@_remembered
def is_statement(text: str) -> bool:
    """Whether somebody talks about themselves and asks for nothing. A few search terms are not a statement."""
    words = len(text.split())
    if words < 4 or is_question(text) or _to_do().search(text):
        return False
    is_told = _ENDED.search(text) is not None
    if _self().search(text):
        return is_told or words >= 9 or _begins_with_self().search(text) is not None
    return is_told and words >= 12


@_remembered
def is_time_question(text: str) -> bool:
    """Whether the answer is a time, or a length of time."""
    return _when().search(text) is not None


@_remembered
def is_about_assistant(text: str) -> bool:
    """Whether it asks what the assistant said or did, politeness aside."""
    return _you().search(_polite().sub(" ", text)) is not None


@_remembered
def is_summary_request(text: str) -> bool:
    """Whether the answer is an overview."""
    return _summary().search(text) is not None


@_remembered
def is_help_request(text: str) -> bool:
    """Whether it asks for advice or for something to be done, not for what was said or done before."""
    return _help().search(text) is not None and not _said().search(text) and not is_course_question(text)


@_remembered
def is_course_question(text: str) -> bool:
    """Whether it asks how things went from the beginning: in what order, or in short."""
    return _order().search(text) is not None or is_summary_request(text)


@_remembered
def is_state_question(text: str) -> bool:
    """Whether it asks how one thing stands, so that a newer statement may replace an older one.

    What others did once, what came first and how things went are no states; how much of something there was is one,
    and of what the asker did the latest counts.
    """
    if _broader().search(text) or is_help_request(text) or is_course_question(text):
        return False
    if _now().search(text):
        return True
    if _earlier().search(text):
        return False
    if not _happened().search(text):
        return True
    return not _first().search(text) and any(wanted.search(text) for wanted in (_quantity(), _own()))


@_remembered
def is_current_state_question(text: str) -> bool:
    """Whether it asks how a thing of the asker's stands, or any thing now: of two statements the newer holds."""
    return is_state_question(text) and any(wanted.search(text) for wanted in (_now(), _own()))
