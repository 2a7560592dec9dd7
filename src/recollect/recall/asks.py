"""What sort of question a text is, by its words alone, in English and Portuguese. Pure text; nothing is looked up."""

from __future__ import annotations

import re

_ANYTHING = re.compile(
    r"\?|^\W*(?:who|what|when|where|which|why|how|is|are|was|were|do|does|did|can|could|would|will|should|have|has|had"
    r"|tell|list|name|give|show|summar|describe|explain|remind|find|quem|que|qual|quais|quando|onde|como|por que|quanto"
    r"|diga|liste|mostre|resuma|explique)",
    re.I,
)
_WHEN = re.compile(
    r"^\W*(?:when|what (?:date|day|month|year|time)|which (?:date|day|month|year)|quando|h[aá] quanto"
    r"|(?:em )?que (?:dia|data|m[eê]s|ano))\b|\bhow (?:long|many (?:days|weeks|months|years|hours))\b",
    re.I,
)
_YOU = re.compile(r"\byou(?:r|rs)?\b|\bvoc[eê]s?\b", re.I)
_POLITE = re.compile(
    r"\b(?:can|could|would|will|do|pode|poderia|consegue) (?:you|voc[eê])\b(?: please)?|thank you|obrigad[oa]", re.I
)
_SUMMARY = re.compile(r"\bsummar|\brecap\b|\boverview\b|\bresum[oai]|\bresumir|\bs[ií]ntese\b", re.I)
_NOW = re.compile(
    r"\b(?:current(?:ly)?|now(?:adays)?|latest|newest|(?:most )?recent(?:ly)?|these days|today|still|so far|up to date"
    r"|anymore|atual(?:mente)?|agora|hoje|mais recente(?:mente)?|ainda|ultimamente|at[eé] agora)\b",
    re.I,
)
_PRESENT = re.compile(
    r"\b(?:is|are|am|do|does|have|has|[eé]|s[aã]o|est(?:á|a|ão|ao|ou|amos)|sou|somos|tenho|t[eê]m|temos|fa[cç]o|faz"
    r"|mor[oa]|trabalh[oa]|us[oa]|gost[oa]|cust[ao]|fic[ao])\b|\b(?:what|who|where|when|how)['’]s\b",
    re.I,
)
_EARLIER = re.compile(
    r"\b(?:did|was|were|had|first|initial(?:ly)?|original(?:ly)?|previous(?:ly)?|former(?:ly)?|earlier|before|used to"
    r"|ago|back then|at the time|(?<!since i )(?<!since we )started|when (?:i|we)|last (?:week|month|year)|order"
    r"|history|evol\w+|chang\w+|over time|fo[ir]|fui|era|eram|tinha|tive|teve|antes|primeir[oa]s?|inicial(?:mente)?"
    r"|original(?:mente)?|anterior(?:es|mente)?|antig[oa]s?|costumava|atr[aá]s|passad[oa]|hist[oó]ria|mud\w+)\b",
    re.I,
)
# Advice, and questions about several things at once: no statement of them makes another one stale.
_BROADER = re.compile(
    r"\b(?:should|could|would|might|can|suggest\w*|recommend\w*|advice|ways|tips|ideas|how to|ever|always|never|between"
    r"|both|two|three|several|compare\w*|across|consider\w*|tell me|explain|total|summar\w+|list|devo|deveria|poderia"
    r"|pode|posso|sugir\w+|sugest\w+|recomend\w+|conselhos?|dicas?|ideias?|como fazer|alguma vez|sempre|nunca|entre"
    r"|amb[oa]s|dois|duas|tr[eê]s|v[aá]ri[oa]s|compar\w+|expli\w+|resum\w+|list\w+)\b",
    re.I,
)
_OWN = re.compile(r"\b(?:i|i'm|i've|my|me|mine|we|our|us|eu|meus?|minhas?|n[oó]s|noss[oa]s?)\b", re.I)


def asks_something(text: str) -> bool:
    """Whether it is a question at all, and not a remark."""
    return _ANYTHING.search(text) is not None


def asks_when(text: str) -> bool:
    """Whether the answer is a time, or a length of time."""
    return _WHEN.search(text) is not None


def asks_the_assistant(text: str) -> bool:
    """Whether it asks what the assistant said or did, politeness aside."""
    return _YOU.search(_POLITE.sub(" ", text)) is not None


def asks_for_a_summary(text: str) -> bool:
    """Whether the answer is an overview."""
    return _SUMMARY.search(text) is not None


def asks_how_things_stand(text: str) -> bool:
    """Whether it asks how one thing of the asker's stands now, so that of two statements the newer one holds."""
    if _BROADER.search(text):
        return False
    if _NOW.search(text):
        return True
    return all(wanted.search(text) for wanted in (_OWN, _PRESENT)) and not _EARLIER.search(text)
