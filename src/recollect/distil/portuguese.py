"""Portuguese clauses: a sentence comes in, what it says of its speaker goes out, and is put into the third person.

The subject is mostly left unsaid, so the verb's own first person is what is looked for, at the start of a clause.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from recollect.distil.clauses import MOST_SUBJECTS, Clauses
from recollect.distil.prose import QUOTED, Sentence
from recollect.distil.rules import Predicate, Tongue
from recollect.distil.words_pt import (
    COUNT,
    DAY,
    FIRST_TO_THIRD,
    MONTH,
    ONCE,
    PAST,
    REGULARLY,
    RELATION,
    SINCE,
    SOON,
    UNIT,
    WE_FORMS,
    WE_PLURAL,
)

_KEPT = (
    "sempre nunca geralmente normalmente costumeiramente às_vezes raramente ainda atualmente finalmente recentemente"
    " agora já só"
)
_SMALL = (
    "também realmente muito simplesmente só acabei_de mesmo sinceramente honestamente literalmente praticamente logo"
    " hoje_em_dia"
)
_ADVERB = "(?:" + "|".join(word.replace("_", " ") for word in (_KEPT + " " + _SMALL).split()) + ")"
_SUBJECT = re.compile(
    rf"(?<![\w-])(?:(?P<we>a gente |nós |(?:o |a )?(?:meu|minha) {RELATION}(?: [A-ZÀ-Ý]\w+)? e eu |eu e (?:o |a"
    rf" )?(?:meu|minha) {RELATION}(?: [A-ZÀ-Ý]\w+)? )|(?P<eu>eu ))?(?P<adverbs>(?:{_ADVERB} ){{0,4}})(?P<not>não"
    rf" )?(?P<more>(?:{_ADVERB} ){{0,4}})(?P<clitic>me |nos |se )?(?P<verb>"
    rf"{'|'.join(sorted(FIRST_TO_THIRD.keys() | WE_FORMS | ONCE.keys(), key=len, reverse=True))})(?P<enclit"
    r"ic>-me|-nos)?(?![\w-])|(?<![\w-])(?:o |a |os |as )?(?P<mine>meus?|minhas?|nossos?|nossas?)(?= )",
    re.I,
)
_BOUNDARY = re.compile(
    r".*(?:[,;:()\x00!?.…]|\s[-–—]+\s|[–—]|\b(?:e|mas|então|porque|pois|porém|aí|só que|por isso|já que|embora"
    r"|enquanto|além disso)\b)",
    re.I | re.S,
)
_OPENER = (
    r"oi|olá|opa|e aí|bom dia|boa tarde|boa noite|ah|oh|nossa|uau|sim|não|ok|tá|beleza|bem|bom|olha|então|aliás|a"
    r" propósito|na verdade|por acaso|também|além disso|inclusive|agora|atualmente|hoje em dia|hoje|ontem"
    r"|recentemente|ultimamente|finalmente|felizmente|infelizmente|pessoalmente|sinceramente|basicamente|enfim"
    r"|obrigad[oa]|valeu|desculpa|claro|com certeza|primeiro|depois|aí|e|mas|porque|pois|normalmente|geralmente|às"
    r" vezes|sempre|nunca|eu|no momento|neste momento|como (?:você sabe|sabe)|só para constar|para contexto|no"
    r" trabalho|em casa|em geral|originalmente|desde (?:pequen[oa]|criança)|ano passado|mês passado|semana"
    r" passada"
    rf"|{SOON}|{PAST}|{REGULARLY}|em (?:{MONTH}|\d{{4}})|n[oa] (?:{DAY})|há {COUNT} {UNIT}|{SINCE}"
)
_OPENERS = re.compile(rf"\W*(?:(?:{_OPENER})(?:\W+|$))*$", re.I)
# "Quando viajo, prefiro o trem" states when something holds; "Quando posso viajar?" asks.
_HOLDS_WHEN = r"(?:quando (?:eu )?(?!posso\b|devo\b|começo\b)(?:vou|estou|sou|\w{2,}o)\b)"
_ASKING = re.compile(
    r"(?:^|[,;:–—-]|\b(?:e|mas|então|ou|por favor|porque)\b)\W{0,40}+(?:(?:você|vc|tu|vocês)? ?(?:pode|poderia|podes"
    r"|consegue|conseguiria|sabe|sabia|acha|achas|conhece|tem|teria|recomenda|sugere) (?:me|você|vc|algum|alguma"
    rf"|que|como|se|qual|uma|um|o que|onde)\b|(?!{_HOLDS_WHEN})(?:como|qual|quais|quando|onde|quem|por que"
    r"|por quê|o que|quanto|quantos|quantas|será que|devo|deveria|vale a pena|dá (?:para|pra)|é possível|posso"
    r"|me (?:ajuda|ajude|diga|diz|sugere|sugira|recomenda|recomende|explica|explique|dá|dê)"
    r"|alguma (?:dica|ideia|sugestão))\b)",
    re.I,
)
_CONDITION = re.compile(
    r"^\W*(?:(?:e|mas|então|mesmo|só|ah|hum)\W+)*(?:se|caso|talvez|imagin[ae]|suponha|quem dera|tomara|oxalá"
    r"|digamos|a menos que|como se)\b",
    re.I,
)
_CLAUSES = Clauses(_ASKING, _CONDITION, _BOUNDARY, _OPENERS)
_CLAUSE_END = re.compile(
    r"[;()\x00…]|:(?=\s|$)|\s[-–—]+\s|[–—]|--"
    r"|\s(?=(?:mas|porque|pois|porém|embora|enquanto|quando|onde|se|caso|só que|por"
    r" isso|já que|apesar|então|o que|cujo|cuja|considerando|visto que|senão)\b)|,?\s+e (?=(?:eu|ele|ela|nós|eles"
    r"|elas|a gente|você|não|também|agora|isso|está|estou|é|foi|tem|tenho|vou|quero|meu|minha|já|acho"
    rf"|me|preciso|gostaria|{'|'.join(FIRST_TO_THIRD)})\b)"
    r"|,\s+(?=(?:eu|ele|ela|isso|você|vc|não|estou|é|foi|tem|vou|quero|pode|poderia|obrigad|que|mas|então|o que"
    r"|qual|como)\b)",
    re.I,
)
# "Gosto quando as respostas têm exemplos": what is liked comes after the word that else begins another clause.
_LIKED_WHEN = re.compile(
    r"\b(?:gosto|adoro|amo|curto|prefiro|aprecio|detesto|odeio|suporto|aguento)(?: muito| mais)?$", re.I
)
_WHEN = re.compile(r"\s(?=(?:quando|se)\b)", re.I)
# "Prefiro ferramentas leves, sem dependências, em vez de" goes on: what it is held against tells the most.
_INSTEAD = re.compile(r"(?:,\s+sem [^,]{2,40})*,?\s+(?:em vez de|ao invés de|no lugar de|do que)\s", re.I)
_COMMA = re.compile(r",(?!\d)")
_LISTED = re.compile(r",\s++(?:[^,]{2,40},\s++)*[^,]{2,40}\s+(?:e|ou)\s++[^,]{2,40}$|,\s++(?:e|ou)\s++[^,]{2,40}$")
_FURTHER = re.compile(
    r",\s+(?:[A-ZÀ-Ý][\w.]+(?: [A-ZÀ-Ý][\w.]+)?$|(?:como|tipo|incluindo|especialmente|principalmente)\s|um[a]?"
    r" [^,]{3,50}$)"
)
_FILLER = re.compile(
    r"(?:[\s,]++(?:também|né|rs+|kk+|haha+|viu|tá|agora|mesmo|aliás|por favor|obrigad[oa]|hoje em dia|no momento"
    r"|atualmente|e|ou|com|de|então|aí|demais))+$|[\s,.!?…*_~]++$",
    re.I,
)
_TIMED = re.compile(rf"\b(?:{PAST}|{SOON}|{REGULARLY})", re.I)
_BEFORE = re.compile(rf"\b(?P<when>{SINCE}|{PAST}|{SOON})[\s,]*$", re.I)
_CASE = re.compile(
    r"(?:^|[;.]\s+|\be |\bmas )quando (?:eu )?(?P<verb>\w+o|vou|estou|sou)\b(?P<rest>[^,;.!?]{0,50}),\s*$", re.I
)
_ANYMORE = re.compile(r"^(?:me )?(\S+) mais\b|\s+mais$", re.I)
_EMOJI = re.compile(r"[\u2600-\u27BF\U0001F000-\U0001FAFF\uFE0F]+")
# First-person forms that are far more often a noun or a small word unless "eu" or "não" goes before.
_DOUBTFUL = frozenset(
    "como curso canto conto visto uso caso ganho largo fundo corto paro levo passo junto marco volto fumo tendo".split()
)
_MARKED = re.compile(r"(?:eu|só|nunca|sempre|raramente) ", re.I)


def predicates(sentence: Sentence) -> Iterator[Predicate]:
    """What the main clauses of the sentence say of the speaker."""
    text = _EMOJI.sub(lambda m: " " * len(m[0]), sentence.text)
    stated = _CLAUSES.stated(text, asks=sentence.asks)
    for match in islice(_SUBJECT.finditer(text, 0, stated), MOST_SUBJECTS):
        if _CLAUSES.opens(text[: match.start()]) and _is_first_person(match):
            yield from _read(text[:stated], match, at=sentence.start)


def _is_first_person(match: re.Match[str]) -> bool:
    if match["mine"]:
        return True
    verb = match["verb"].lower()
    if verb in ONCE:
        return match["eu"] is not None
    if verb not in FIRST_TO_THIRD or verb in WE_PLURAL:
        return (match["we"] or "").lower().startswith("a gente") or verb in WE_PLURAL
    return verb not in _DOUBTFUL or match["not"] is not None or _MARKED.match(match[0]) is not None


def _read(text: str, match: re.Match[str], *, at: int) -> Iterator[Predicate]:
    end = _clause_end(text, match.end())
    rest = " ".join(text[match.end() : end].split())
    span = (at + match.start(), at + end)
    if match["mine"]:
        if rest:
            yield Predicate("meu", f"{match['mine'].lower()} {rest}", *span, shared=match["mine"][0] in "nN")
        return
    adverbs = [word for word in (match["adverbs"] + match["more"]).lower().split() if word in _KEPT.split()]
    clitic = "me" if match["clitic"] or match["enclitic"] else ""
    verb = match["verb"].lower()
    once = ONCE.get(verb)
    no_more = "já" in adverbs or _ANYMORE.search(f"{verb} {rest}") is not None
    ended = once is not None or (match["not"] is not None and no_more)
    rest = re.sub(r"^mais |\s+mais$", "", rest) if ended else rest
    verb = once or verb
    head = f"não {verb}" if match["not"] and not ended else verb
    words = " ".join(filter(None, ["não" if match["not"] and not ended else "", clitic, verb, rest]))
    when = "" if _TIMED.search(words) else _said_of_time(text[: match.start()])
    shared = bool(match["we"]) or verb in WE_PLURAL
    told = Predicate(
        head, words, *span, adverb=" ".join(a for a in adverbs if a != "só" or not ended), when=when, shared=shared
    )
    yield replace(told, ended=ended, adverb=match["verb"].lower() if once else "" if ended else told.adverb)


def _said_of_time(left: str) -> str:
    """When it was or holds, if that was said before the clause."""
    if (case := _CASE.search(left)) and (verb := FIRST_TO_THIRD.get(case["verb"].lower())):
        return f"quando {verb}{theirs(case['rest'])}"
    before = _BEFORE.search(left)
    return before["when"][0].lower() + before["when"][1:] if before else ""


def _clause_end(text: str, begin: int) -> int:
    """Where the clause that begins here stops, without trailing fillers."""
    stop = _CLAUSE_END.search(text, begin)
    if stop and _WHEN.match(text, stop.start()) and _LIKED_WHEN.search(text, 0, stop.start()):
        stop = _CLAUSE_END.search(text, stop.end() + 1)
    end = stop.start() if stop else len(text)
    if text.count('"', begin, end) % 2 and (closing := text.find('"', end)) > 0:
        end = closing + 1
    for comma in _COMMA.finditer(text, begin, end):
        tail = text[comma.start() : end].rstrip(" .!?")
        if _INSTEAD.match(tail):
            continue
        if not _LISTED.match(tail) and not _FURTHER.match(tail):
            end = comma.start()
        break
    while (filler := _FILLER.search(text, begin, end)) is not None:
        end = filler.start()
    return end


_THEIRS = {
    "meu": "seu", "minha": "sua", "meus": "seus", "minhas": "suas", "nosso": "seu", "nossa": "sua", "nossos": "seus",
    "nossas": "suas",
    "me": "se", "mim": "si", "comigo": "consigo", "eu": "ele/a", "nos": "nos", "conosco": "consigo",
}  # fmt: skip
_MINE = re.compile(r"\b(?:meus?|minhas?|nossos?|nossas?|me|mim|comigo|conosco)\b", re.I)
_ARTICLE = {
    "meu": "O",
    "minha": "A",
    "meus": "Os",
    "minhas": "As",
    "nosso": "O",
    "nossa": "A",
    "nossos": "Os",
    "nossas": "As",
}
_FINITE = re.compile(
    r" (?=(?:é|são|era|foi|está|estão|se|tem|têm|faz|fez|mora|moram|trabalha|trabalham|nasceu|adora|gosta|ama|vai"
    r"|vem|estuda|ganhou|chama-se|ficou|custa|pesa|fica|vive|fala|completa|acontece)\b)"
)


def theirs(words: str) -> str:
    """The words with the speaker's own pronouns turned into the third person."""
    return _MINE.sub(lambda match: _THEIRS[match[0].lower()], words)


def told(predicate: Predicate, name: str) -> str:
    """The predicate as a sentence about the person of that name."""
    first, _, rest = predicate.words.partition(" ")
    if first in _ARTICLE:
        owned, *said = _FINITE.split(rest, maxsplit=1)
        return " ".join([_ARTICLE[first], owned, "de", name, *map(theirs, said)])
    words = predicate.words.split()
    negated = words.pop(0) if words[0] == "não" else ""
    clitic = "se" if words[0] == "me" and words.pop(0) else ""
    verb = FIRST_TO_THIRD.get(words[0], words[0])
    rest = theirs(" ".join(words[1:]))
    if predicate.ended and predicate.adverb in ONCE:
        return " ".join(filter(None, [name, predicate.adverb, rest, predicate.when]))
    if predicate.ended:
        return " ".join(filter(None, [name, "não", clitic, verb, "mais", rest]))
    return " ".join(filter(None, [name, predicate.adverb, negated, clitic, verb, rest, predicate.when]))


def settled(words: str) -> str:
    """The words as they are; Portuguese tells stories without pointing."""
    return words


def unfinished(words: str) -> bool:
    """Whether the words point at something outside the clause, so that nobody could understand them later."""
    return QUOTED in words or _POINTING.search(words) is not None


_POINTING = re.compile(
    r"\b(?:isso|isto|aquilo|eles?|elas?|deles?|delas?|neles?|nelas?|você|vocês|vc|te|lhe|teu|tua|seu|sua|seus|suas"
    r"|aqui|lá|ali|aí|disso|nisso|disto|nisto|daquilo|daquel[ea]s?|aquel[ea]s?|naquel[ea]s?|contigo)\b|\b(?:d"
    r"|n)?(?:ess[ea]s?|est[ea]s?)\b(?! (?:semana|mês|ano|fim|manhã|tarde|noite|verão|inverno|semestre|domingo"
    r"|sábado|segunda|terça|quarta|quinta|sexta))|(?:^\S+ | )(?:o|a|os|as|um|uma|meu|minha|que|de|em|para|pra"
    r"|coisas?|algo|tudo)$",
    re.I,
)


TONGUE = Tongue(
    predicates=predicates,
    told=told,
    settled=settled,
    unfinished=unfinished,
    opens=_CLAUSES.opens,
    clause_end=_clause_end,
    habits=frozenset(verb for verb in FIRST_TO_THIRD if verb.endswith("o") and verb not in _DOUBTFUL),
    first_person={third: first for first, third in FIRST_TO_THIRD.items() if first not in WE_PLURAL},
)
