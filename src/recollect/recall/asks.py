"""What sort of question a text is, by its words alone, in English and Portuguese. Pure text; nothing is looked up."""

from __future__ import annotations

import re
from functools import lru_cache

# A question is looked at several times while it is answered.
_remembered = lru_cache(maxsize=64)

_ANYTHING = re.compile(
    r"\?|^\W*(?:(?:who|what|where|when|how)['’]?s?|whom|whose|which|why|is|are|was|were|do|does|did|can(?!['’]t)|could"
    r"|would|will|should|have|has|had|tell|list|name|give|show|summari[sz]e|summary|describe|explain|remind|find"
    r"|(?:(?:o|a|em|de|com|para|por|desde|at[eé]) )?(?:que|quem|qual|quais|quando|onde|quant[oa]s?)|como|porqu[eê]"
    r"|diga|diz|liste|mostr[ae]|resum[aeo]|expli(?:que|ca)|lembr[ae])\b",
    re.I,
)
# Something is to be done; what was said of it is looked for by its words.
_TO_DO = re.compile(
    r"^\W*(?:please |let's |por favor,? |vamos )?(?:add|build|change|check|clean|compare|create|debug|delete|draft"
    r"|finish|fix|help|implement|improve|install|make|move|plan|refactor|remove|rename|review|rewrite|run|set up|test"
    r"|translate|try|update|use|write|adicion[ae]|ajud[ae]|atualiz[ae]|compar[ae]|consert[ae]|corri[gj][ae]|cri[ae]"
    r"|escrev[ae]|fa[cç]a|implement[ae]|instal[ae]|melhor[ae]|mud[ae]|planej[ae]|remov[ae]|renomei[ae]|revis[ae]|rod[ae]"
    r"|test[ae]|traduza?|us[ae]|verifi(?:que|ca))(?![\w-])",
    re.I,
)
# Who tells of themselves.
_SELF = re.compile(
    r"\b(?:i|me|my|mine|myself|we|us|our|ours|eu|mim|comigo|meus?|minhas?|n[oó]s|noss[oa]s?|a gente|estou|tenho|fui"
    r"|ando)\b",
    re.I,
)
_BEGINS_WITH_SELF = re.compile(
    r"^\W*(?:\w+[,:] |(?:and|but|so|today|yesterday|hoje|ontem|mas) )?"
    r"(?:i|we|eu|n[oó]s|a gente|estou|tenho|fui|ando)\b",
    re.I,
)
_ENDED = re.compile(r"[.!…][\"'”’)]*\s*$")
_WHEN = re.compile(
    r"^\W*(?:(?:since |until )?when|(?:on |in )?(?:what|which) (?:date|day|month|year)|(?:at )?what time"
    r"|(?:desde |at[eé] |para )?quando|h[aá] quanto|(?:em |a |de )?que (?:dia|data|m[eê]s|ano|horas?)"
    r"|(?:em )?qual (?:dia|data|m[eê]s|ano)|qual (?:[eé]|foi|era) (?:o dia|a data))\b"
    r"|\bhow (?:long|many (?:days|weeks|months|years|hours))\b|\bquanto tempo\b"
    r"|\bquant(?:os (?:dias|meses|anos(?! t[eêi]))|as (?:semanas|horas))\b",
    re.I,
)
_YOU = re.compile(r"\byou(?:r|rs)?\b|\bvoc[eê]s?\b", re.I)
_POLITE = re.compile(
    r"\b(?:can|could|would|will|do|pode|poderia|consegue) (?:you|voc[eê])\b(?: please)?|thank you|obrigad[oa]", re.I
)
_HELP = re.compile(
    r"\b(?:how (?:do|can|could|should|would|might) (?:i|we|you|one)|(?:should|can|could|may) (?:i|we)"
    r"|(?:can|could|would|will) you|do you (?:think|have any|know any|recommend|suggest)|what are some|help me"
    r"|any (?:advice|tips?|ideas?|thoughts|suggestions?|recommendations?))\b"
    r"|(?:^|[.!?]\s)\W*(?:please )?(?:how to|explain|describe|recommend|suggest|write|draft)\b"
    r"|\b(?:como (?:eu )?(?:fa[cç]o|fazer|posso|devo|podemos|devemos)|(?:devo|posso|podemos|devemos|poderia(?:mos)?)"
    r"|voc[eê] (?:pode|poderia|consegue|recomenda|sugere|acha)|(?:pode|poderia|consegue) me|me ajud\w+|ajude-me"
    r"|o que (?:recomenda|sugere)|algum conselho|alguma (?:dica|ideia|sugest[aã]o|recomenda[cç][aã]o))\b"
    r"|(?:^|[.!?]\s)\W*(?:por favor,? )?(?:explique|descreva|recomende|sugira|escreva)\b",
    re.I,
)
_SAID = re.compile(
    r"\b(?:did|remind\w*|remember|said|told|mention\w*|discuss\w*|talked|earlier|last time"
    r"|previous (?:chat|conversation|session|answer)s?|lembr\w+|disse\w*|fal(?:ei|ou|amos)|mencion\w+|coment\w+"
    r"|anterior(?:es|mente)?)\b",
    re.I,
)
_ORDER = re.compile(
    r"\b(?:(?:in|by) (?:what|which) order|the order (?:in which|of|that)|chronolog\w+|the sequence (?:of|in which)"
    r"|(?:em|por) que ordem|a ordem (?:em que|d[aeo]s?)|cronol[oó]gic\w+|a sequ[eê]ncia (?:em que|d[aeo]s?))\b",
    re.I,
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
    r"|history|evol\w+|chang\w+|over time|foi|fui|era|eram|tinha|tive|teve|antes|primeir[oa]s?|inicial(?:mente)?"
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
# Portuguese verbs tell who is meant without a pronoun.
_OWN = re.compile(
    r"\b(?:i|i'm|i've|my|me|mine|we|our|us|eu|meus?|minhas?|n[oó]s|noss[oa]s?|moro|tenho|temos|sou|somos|estou|estamos"
    r"|fa[cç]o|gosto|costumo|onde (?:[eé] que )?trabalho)\b",
    re.I,
)


@_remembered
def asks_something(text: str) -> bool:
    """Whether it is a question, or begins as one."""
    return _ANYTHING.search(text) is not None


@_remembered
def is_remark(text: str) -> bool:
    """Whether somebody tells of themselves and asks for nothing. A few words to look for are no remark."""
    words = len(text.split())
    if words < 4 or asks_something(text) or _TO_DO.search(text):
        return False
    is_told = _ENDED.search(text) is not None
    if _SELF.search(text):
        return is_told or words >= 9 or _BEGINS_WITH_SELF.search(text) is not None
    return is_told and words >= 12


@_remembered
def asks_when(text: str) -> bool:
    """Whether the answer is a time, or a length of time."""
    return _WHEN.search(text) is not None


@_remembered
def asks_the_assistant(text: str) -> bool:
    """Whether it asks what the assistant said or did, politeness aside."""
    return _YOU.search(_POLITE.sub(" ", text)) is not None


@_remembered
def asks_for_a_summary(text: str) -> bool:
    """Whether the answer is an overview."""
    return _SUMMARY.search(text) is not None


@_remembered
def asks_for_help(text: str) -> bool:
    """Whether it asks for advice or for something to be done, not for what was said or done before."""
    return _HELP.search(text) is not None and not _SAID.search(text) and not asks_over_time(text)


@_remembered
def asks_over_time(text: str) -> bool:
    """Whether it asks how things went from the beginning: in what order, or in short."""
    return _ORDER.search(text) is not None or asks_for_a_summary(text)


@_remembered
def asks_how_things_stand(text: str) -> bool:
    """Whether it asks how one thing of the asker's stands now, so that of two statements the newer one holds."""
    if _BROADER.search(text):
        return False
    if _NOW.search(text):
        return True
    return all(wanted.search(text) for wanted in (_OWN, _PRESENT)) and not _EARLIER.search(text)
