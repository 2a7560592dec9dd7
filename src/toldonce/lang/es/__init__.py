"""Spanish as one value: the data modules of this folder come in, `LANGUAGE` goes out.

Extraction rules are loaded when they are first needed. It may import the types of `lang`, and `text`, but no other
language.
"""

from __future__ import annotations

from functools import cache

from toldonce.lang.base import Extraction, Language
from toldonce.lang.es.calendar import CALENDAR
from toldonce.lang.es.comparison import COMPARISON
from toldonce.lang.es.dates import DATES
from toldonce.lang.es.health import HEALTH
from toldonce.lang.es.names import NAMES
from toldonce.lang.es.prose import DETECTION, PROSE
from toldonce.lang.es.questions import QUESTIONS
from toldonce.lang.es.secrets import SECRETS
from toldonce.lang.es.sessions import SESSIONS
from toldonce.lang.es.subjects import SUBJECTS
from toldonce.lang.es.texts import TEXTS
from toldonce.lang.es.vocabulary import VOCABULARY


@cache
def _load_spanish_extraction() -> Extraction:
    from toldonce.lang.es.extraction import EXTRACTION

    return EXTRACTION


LANGUAGE = Language(
    code="es",
    name="Español",
    detection=DETECTION,
    vocabulary=VOCABULARY,
    calendar=CALENDAR,
    dates=DATES,
    texts=TEXTS,
    load_extraction=_load_spanish_extraction,
    prose=PROSE,
    questions=QUESTIONS,
    names=NAMES,
    secrets=SECRETS,
    comparison=COMPARISON,
    sessions=SESSIONS,
    health=HEALTH,
    subjects=SUBJECTS,
)
