"""Whether what a clause says of somebody lies behind or ahead: a predicate goes in, its tense comes out if it is plain.

"In March" has one year only where the tense is plain. A habit, a wish, what was arranged for some other day and a story
of long ago leave it open.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import NamedTuple

from recollect.distil.rules import Predicate
from recollect.distil.words_en import ARRANGED, COUNT, DONE, DONE_PARTICIPLE, RELATION
from recollect.distil.words_pt import ARRANGED as ARRANGED_PT
from recollect.distil.words_pt import FIRST_TO_THIRD, WE_FORMS
from recollect.distil.words_pt import RELATION as RELATION_PT
from recollect.times.dates import Tense
from recollect.times.words import ONE_TIME, ONE_TIME_PT, SETTING_OUT, SETTING_OUT_PT


def tense(predicate: Predicate, language: str) -> Tense | None:
    """The tense of a predicate; None where it is not plain, or where a time in it may be that of something else."""
    signs, words = _PORTUGUESE if language == "pt" else _ENGLISH, predicate.words
    if predicate.ended or _UNSURE.search(f"{predicate.adverb} {words}") or _GOES_ON.search(words):
        return None
    if signs.ahead.match(words):
        return "future"
    if not signs.behind.match(words):
        return "present"
    return None if signs.for_later.search(words) else "past"


def is_of_another_year(text: str, at: datetime) -> bool:
    """Whether a text tells, or may tell, of another year than the one up to or from the moment it was said."""
    return _LONG_AGO.search(text) is not None or any(int(year) != at.year for year in _YEAR.findall(text))


class _Signs(NamedTuple):
    """How a predicate opens that lies ahead or behind; what of the latter was only arranged then, for another day."""

    ahead: re.Pattern[str]
    behind: re.Pattern[str]
    for_later: re.Pattern[str]


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.I)


_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_LONG_AGO = _any(
    r"\b(?:years?|decades?) (?:ago|back|later|before|earlier)\b",
    r"\b(?:last|next|previous|following|that|same) year\b|\bthe year (?:before|after|i|we|my)\b",
    r"\bwhen (?:i|we|my \w+) (?:was|were|first)\b|\bas a (?:kid|child|teen\w*|student|boy|girl)\b",
    r"\bin (?:high school|college|school|university|those days)\b|\bback (?:then|in|when)\b|\bat (?:age|the age of)\b",
    r"\b(?:childhood|growing up|once upon)\b",
    r"\banos? (?:atrás|passado|retrasado|que vem|depois|antes|anterior|seguinte)\b|\b(?:há|faz) (?:\w+ ){1,3}anos\b",
    r"\b(?:próximo|naquele|nesse|mesmo) ano\b|\baos \w+ anos\b|\bem criança\b|\bnaquel[ae]s? (?:época|tempos?)\b",
    r"\bquando (?:eu |a gente |meu |minha )?(?:era|tinha|estava|éramos|tínhamos|fui)\b",
    r"\bna (?:infância|época|faculdade|escola|adolescência)\b",
)
# Habits, wishes, what might be or should have been.
_UNSURE = _any(
    r"\b(?:usually|always|often|typically|normally|regularly|generally|sometimes|never|rarely|seldom|occasionally)\b",
    r"\b(?:frequently|mostly|every|each|most|any|once|originally|would|could|might|should|supposed|almost|nearly)\b",
    r"(?<!in )(?<!since )(?<!early )(?<!late )(?<!of )(?<!\d )(?-i:\bmay\b)",
    r"\b(?:geralmente|normalmente|sempre|nunca|raramente|às vezes|costum\w+|tod[oa]s?|cada|talvez|quase|deveria)\b",
    r"\b(?:poderia|gostaria|queria)\b",
)
# "Got in and start in September" tells of two things, and the time may be that of either.
_GOES_ON = re.compile(
    rf"\b(?:and|but|or|then) (?!(?:the|an?|my|our|his|her|their|some|two|three|{DONE})\b|[A-Z]).* (?:in|on|since) "
    r"|\b(?:e|mas|ou) (?!(?:os?|as?|uma?|meus?|minhas?|dois|duas|três)\b|[A-ZÀ-Ý]).* (?:em|n[oa]|desde) "
)

_THING = rf"(?:a|an|my|our|another|the|{COUNT})"
_ENGLISH = _Signs(
    # Whoever is moving, or has an exam, on Monday speaks of what comes.
    ahead=_any(
        rf"will (?!have\b)|am going to\b|am (?:now |also |currently |finally )?(?:{SETTING_OUT})\b",
        rf"am (?:running|taking|having|playing|expecting) (?:{_THING} )?(?:[\w'-]+ ){{0,2}}?"
        rf"(?:{ONE_TIME}|baby|party|gig|race)\b",
        r"(?:plan|am planning) to\b",
        rf"have (?:{_THING} )?(?:(?!from|after|of|about|for|since)[\w'-]+ ){{0,3}}?{ONE_TIME}\b",
        rf"my (?:[\w'-]+ ){{0,3}}?{ONE_TIME} (?:is|will be)\b",
    ),
    behind=_any(
        rf"(?!was\b|had\b){DONE}\b|had {_THING}\b|did not\b|turned\b|came\b",
        rf"have (?!.*\bsince\b)(?:\w+ly |just )*{DONE_PARTICIPLE}\b",
        r"was (?!born|going|about|\w+ing\b|due|planned|scheduled|invited|offered|told)\w",
    ),
    for_later=_any(
        rf"^(?:have (?:\w+ly |just )*)?{ARRANGED}\b",
        r"\b(?:tickets?|flights?|reservations?|invit\w+|seats?|plans|deadline|starting|beginning|arriving|coming)\b",
        r"\b(?:opening|closing|happening|ending|effective|due|planned|scheduled|about|regarding|before|after|until)\b",
        rf"\bfor (?!work\b|fun\b|lunch\b|dinner\b|free\b|{COUNT}\b|the first\b).* (?:in|on)\b",
        rf"^(?:got|made|found|landed|bought|received|won|took)\b.*\b{ONE_TIME}\b",
        # "Decided to move in March" tells when it will be; "started to run in March" and "moved to Rome" when it was.
        r"^(?!started|began|learn|went|came|moved|relocated|flew|drove|travel|returned|hiked|biked|cycled|ran|walked)"
        r"(?!switched|upgraded)\w+\b.*?(?<!promoted) to (?!(?:the|an?|my|our|his|her|their|work|school|bed|church)\b)"
        r"(?!(?:town|college|university|therapy|court|hospital)\b)(?-i:[a-z])",
        # The time when something else was made, and the month in which people met for life.
        r"^(?!got|was|have)\w+ .*\b(?:built|made|born|written|held|taken|bought|sold|won|released|published|launched)"
        r" (?:in|on)\b",
        rf"^met (?:my|our) {RELATION}\b",
    ),
)

_DID = (
    [first for first, third in FIRST_TO_THIRD.items() if re.search("[ií]$", first) and re.search("[aeio][ui]$", third)]
    + "fiz tive estive vim fomos tivemos".split()
    + [form for form in WE_FORMS if re.search("ou$|foi$|teve$", form)]
)
_PORTUGUESE = _Signs(
    ahead=_any(
        r"(?:vou|vamos|vai) (?:me |nos |se )?(?:\w+[aei]r\b|(?:para|pra|a|ao) (?-i:[A-ZÀ-Ý]))",
        rf"(?:me )?(?:estou|estamos) (?:me |nos )?(?:{SETTING_OUT_PT})\b|(?:pretendo|planejo) \w",
        rf"(?:tenho|temos|tem) (?:uma? |meu |minha )?(?:\w+ )?{ONE_TIME_PT}\b|(?:meu|minha) {ONE_TIME_PT} (?:é|será)\b",
    ),
    behind=_any(rf"(?:me |nos |se |não )*(?!nasci|cresci)(?:{'|'.join(sorted(_DID, key=len, reverse=True))})\b"),
    for_later=_any(
        rf"^(?:me |não )*{ARRANGED_PT}\b",
        r"\b(?:passage(?:m|ns)|ingressos?|bilhetes?|convites?|convidad[oa]|reservas?|prazo)\b",
        rf"^(?:comprei|consegui|ganhei|recebi|arrumei|arranjei)\b.*\b{ONE_TIME_PT}\b",
        r"\b(?:sobre|antes|depois|após|até|começando|previst[oa]|a partir)\b",
        r"^(?:me |não )*+(?!mudei|mudou|fui|foi|fomos|voltei|viajei|viajou|vim|passei|entrei|parti)\w+ .*"
        r"\b(?:para|pra|pro)\b",
        r"^(?:me |não )*+(?!comecei|voltei|aprendi|parei|deixei|passei|fui|vim)\w+(?: .*? (?:para|pra|de|em|por|a))?"
        r" (?:me |se |nos )?\w+[aei]r\b",
        r" (?:construíd|feit|escrit|comprad|vendid|lançad|publicad|fundad|gravad|pintad|abert|marcad)[oa]s?"
        r" (?:em|n[oa])\b",
        rf"^conheci (?:o |a )?(?:meu|minha) {RELATION_PT}\b",
    ),
)
