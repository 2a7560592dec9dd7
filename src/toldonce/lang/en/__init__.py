"""English as one value: the data modules of this folder come in, `LANGUAGE` goes out.

Extraction rules are loaded when they are first needed. It may import the types of `lang`, and `text`, but no other
language.
"""

from __future__ import annotations

from functools import cache

from toldonce.lang.base import Extraction, Language
from toldonce.lang.en.calendar import CALENDAR
from toldonce.lang.en.comparison import COMPARISON
from toldonce.lang.en.dates import DATES
from toldonce.lang.en.health import HEALTH
from toldonce.lang.en.names import NAMES
from toldonce.lang.en.prose import DETECTION, PROSE
from toldonce.lang.en.questions import QUESTIONS
from toldonce.lang.en.secrets import SECRETS
from toldonce.lang.en.sessions import SESSIONS
from toldonce.lang.en.subjects import SUBJECTS
from toldonce.lang.en.texts import TEXTS
from toldonce.lang.en.vocabulary import VOCABULARY


@cache
def _load_english_extraction() -> Extraction:
    from toldonce.lang.en.extraction import EXTRACTION

    return EXTRACTION


LANGUAGE = Language(
    code="en",
    name="English",
    detection=DETECTION,
    vocabulary=VOCABULARY,
    calendar=CALENDAR,
    dates=DATES,
    texts=TEXTS,
    load_extraction=_load_english_extraction,
    prose=PROSE,
    questions=QUESTIONS,
    names=NAMES,
    secrets=SECRETS,
    comparison=COMPARISON,
    sessions=SESSIONS,
    health=HEALTH,
    subjects=SUBJECTS,
)
