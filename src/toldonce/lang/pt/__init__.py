"""Portuguese as one value: the data modules of this folder come in, `LANGUAGE` goes out.

Extraction rules are loaded when they are first needed. It may import the types of `lang`, and `text`, but no other
language.
"""

from __future__ import annotations

from functools import cache

from toldonce.lang.base import Extraction, Language
from toldonce.lang.pt.calendar import CALENDAR
from toldonce.lang.pt.comparison import COMPARISON
from toldonce.lang.pt.dates import DATES
from toldonce.lang.pt.health import HEALTH
from toldonce.lang.pt.names import NAMES
from toldonce.lang.pt.prose import DETECTION, PROSE
from toldonce.lang.pt.questions import QUESTIONS
from toldonce.lang.pt.secrets import SECRETS
from toldonce.lang.pt.sessions import SESSIONS
from toldonce.lang.pt.subjects import SUBJECTS
from toldonce.lang.pt.texts import TEXTS
from toldonce.lang.pt.vocabulary import VOCABULARY


@cache
def _load_portuguese_extraction() -> Extraction:
    from toldonce.lang.pt.extraction import EXTRACTION

    return EXTRACTION


LANGUAGE = Language(
    code="pt",
    name="Português",
    detection=DETECTION,
    vocabulary=VOCABULARY,
    calendar=CALENDAR,
    dates=DATES,
    texts=TEXTS,
    load_extraction=_load_portuguese_extraction,
    prose=PROSE,
    questions=QUESTIONS,
    names=NAMES,
    secrets=SECRETS,
    comparison=COMPARISON,
    sessions=SESSIONS,
    health=HEALTH,
    subjects=SUBJECTS,
)
