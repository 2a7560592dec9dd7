"""Portuguese clauses: how a sentence opens, parts and ends them, and how they are put into the third person."""

from __future__ import annotations

import re

from toldonce.lang.base import Clauses
from toldonce.lang.pt.words import (
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
from toldonce.lang.verb_grammar import ClauseEnd, Pronouns, VerbGrammar

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
    rf" )?(?:meu|minha) {RELATION}(?: [A-ZÀ-Ý]\w+)? )|(?P<self>eu ))?(?P<adverbs>(?:{_ADVERB} ){{0,4}})(?P<not>não"
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
# First-person forms that are far more often a noun or a small word unless "eu" or "não" goes before.
_DOUBTFUL = frozenset(
    "como curso canto conto visto uso caso ganho largo fundo corto paro levo passo junto marco volto fumo tendo".split()
)
_MARKED = re.compile(r"(?:eu|só|nunca|sempre|raramente) ", re.I)
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
_POINTING = re.compile(
    r"\b(?:isso|isto|aquilo|eles?|elas?|deles?|delas?|neles?|nelas?|você|vocês|vc|te|lhe|teu|tua|seu|sua|seus|suas"
    r"|aqui|lá|ali|aí|disso|nisso|disto|nisto|daquilo|daquel[ea]s?|aquel[ea]s?|naquel[ea]s?|contigo)\b|\b(?:d"
    r"|n)?(?:ess[ea]s?|est[ea]s?)\b(?! (?:semana|mês|ano|fim|manhã|tarde|noite|verão|inverno|semestre|domingo"
    r"|sábado|segunda|terça|quarta|quinta|sexta))|(?:^\S+ | )(?:o|a|os|as|um|uma|meu|minha|que|de|em|para|pra"
    r"|coisas?|algo|tudo)$",
    re.I,
)


GRAMMAR = VerbGrammar(
    subject=_SUBJECT,
    clauses=Clauses(_ASKING, _CONDITION, _BOUNDARY, _OPENERS),
    end=ClauseEnd(
        stop=_CLAUSE_END,
        comma=_COMMA,
        listed=_LISTED,
        further=_FURTHER,
        filler=_FILLER,
        when=_WHEN,
        liked_when=_LIKED_WHEN,
        instead=_INSTEAD,
    ),
    pronouns=Pronouns(
        theirs=_THEIRS,
        mine=_MINE,
        article_for=lambda pronoun, _: _ARTICLE.get(pronoun, ""),
        finite=_FINITE,
        of="de",
        clitic="me",
        their_clitic="se",
        negation="não",
        no_more=("não", "mais"),
        when="quando",
        case=_CASE,
    ),
    head="meu",
    third=FIRST_TO_THIRD,
    once=ONCE,
    we_word="a gente",
    we_plural=WE_PLURAL,
    doubtful=_DOUBTFUL,
    marked=_MARKED,
    kept_adverbs=frozenset(_KEPT.split()),
    already="já",
    only="só",
    any_more=_ANYMORE,
    any_more_words=re.compile(r"^mais |\s+mais$"),
    timed=_TIMED,
    before=_BEFORE,
    pointing=_POINTING,
    ours="n",
    habits=frozenset(verb for verb in FIRST_TO_THIRD if verb.endswith("o") and verb not in _DOUBTFUL),
    first_person={third: first for first, third in FIRST_TO_THIRD.items() if first not in WE_PLURAL},
)
