"""English as one value: the data modules of this folder come in, `LANGUAGE` goes out.

Extraction rules are loaded when they are first needed. It may import the types of `lang`, and `text`, but no other
language.
"""

from __future__ import annotations

from functools import cache

from recollect.lang.base import Extraction, Language
from recollect.lang.en.calendar import CALENDAR
from recollect.lang.en.comparison import COMPARISON
from recollect.lang.en.dates import DATES
from recollect.lang.en.health import HEALTH
from recollect.lang.en.names import NAMES
from recollect.lang.en.prose import DETECTION, PROSE
from recollect.lang.en.questions import QUESTIONS
from recollect.lang.en.secrets import SECRETS
from recollect.lang.en.sessions import SESSIONS
from recollect.lang.en.subjects import SUBJECTS
from recollect.lang.en.texts import TEXTS
from recollect.lang.en.vocabulary import VOCABULARY


@cache
def _load_english_extraction() -> Extraction:
    from recollect.lang.en.extraction import EXTRACTION

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
