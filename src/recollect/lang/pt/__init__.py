"""Portuguese as one value: the data modules of this folder come in, `LANGUAGE` goes out.

Extraction rules are loaded when they are first needed. It may import the types of `lang`, and `text`, but no other
language.
"""

from __future__ import annotations

from functools import cache

from recollect.lang.base import Extraction, Language
from recollect.lang.pt.calendar import CALENDAR
from recollect.lang.pt.comparison import COMPARISON
from recollect.lang.pt.dates import DATES
from recollect.lang.pt.health import HEALTH
from recollect.lang.pt.names import NAMES
from recollect.lang.pt.prose import DETECTION, PROSE
from recollect.lang.pt.questions import QUESTIONS
from recollect.lang.pt.secrets import SECRETS
from recollect.lang.pt.sessions import SESSIONS
from recollect.lang.pt.subjects import SUBJECTS
from recollect.lang.pt.texts import TEXTS
from recollect.lang.pt.vocabulary import VOCABULARY


@cache
def _load_portuguese_extraction() -> Extraction:
    from recollect.lang.pt.extraction import EXTRACTION

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
