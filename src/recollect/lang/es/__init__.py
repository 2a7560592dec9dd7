"""Spanish as one value: the data modules of this folder come in, `LANGUAGE` goes out.

Extraction rules are loaded when they are first needed. It may import the types of `lang`, and `text`, but no other
language.
"""

from __future__ import annotations

from functools import cache

from recollect.lang.base import Extraction, Language
from recollect.lang.es.calendar import CALENDAR
from recollect.lang.es.comparison import COMPARISON
from recollect.lang.es.dates import DATES
from recollect.lang.es.health import HEALTH
from recollect.lang.es.names import NAMES
from recollect.lang.es.prose import DETECTION, PROSE
from recollect.lang.es.questions import QUESTIONS
from recollect.lang.es.secrets import SECRETS
from recollect.lang.es.sessions import SESSIONS
from recollect.lang.es.subjects import SUBJECTS
from recollect.lang.es.texts import TEXTS
from recollect.lang.es.vocabulary import VOCABULARY


@cache
def _load_spanish_extraction() -> Extraction:
    from recollect.lang.es.extraction import EXTRACTION

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
