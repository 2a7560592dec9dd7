"""How people give standing instructions in Portuguese, and how these are rewritten in the third person."""

from __future__ import annotations

from toldonce.lang.instructions import CommandPhrases, Instructions
from toldonce.lang.pt.clauses import GRAMMAR

# What may stand before the heart of an instruction.
_LEAD = (
    r"(?:^|[,;:–—-]\s*|\b(?:e|mas|então|também)\s+)(?:(?:ok|oi|olá|por favor|lembre-se|lembre|importante|atenção|aliás"
    r"|ah)\W+)*"
)
_TONGUES = r"inglês|português|espanhol|francês|alemão|italiano|holandês|russo|chinês|japonês|coreano|árabe"
_COMMANDS = (
    r"(?:respond[ae]r?|us[ea]r?|utiliz[ea]r?|inclu[aí]r?|inclui|escrev[ae]r?|fal[ea]r?|explique|explica|explicar"
    r"|mostr[ea]r?|cit[ea]r?|coloqu[e]|coloca|colocar|evit[ea]r?|comec[e]|começ[ae]r?|termin[ea]r?|traduz[air]*"
    r"|resum[air]*|format[ea]r?|adicion[ea]r?|mantenha|mantém|manter|seja|ser|sê|confirm[ea]r?|verifi(?:que|ca|car)"
    r"|pergunt[ea]r?|lembr[ea]r?|d[êáa]r?|diga|diz|dizer|mencion[ea]r?|sugira|sugere|sugerir|recomend[ea]r?"
    r"|inform[ea]r?|apresent[ea]r?|forneça|fornece|fornecer|faça|faz|fazer|list[ea]r?|cham[ea]r?|trat[ea]r?"
    r"|envi[ea]r?|mand[ea]r?|pare|para|parar|deix[ea]r?|especifi(?:que|ca|car)|consider[ea]r?|pul[ea]r?|troqu[e]"
    r"|calcul[ea]r?|resposta|destaqu[e]|ofereça|prioriz[ea]r?|convert[ae]r?|assum[ae]r?|conte|conta|compare|limite"
    r"|organize|indique|detalhe|justifique)"
)
_AGORA = (
    r"(?:a partir de (?:agora|hoje|já)|de (?:agora|hoje) em diante|daqui (?:pra|para|por|em) (?:a )?(?:frente"
    r"|diante)|doravante|no futuro|(?:n?as|d?as) próximas (?:vezes|respostas|mensagens|conversas)|em todas as"
    r" (?:suas )?respostas|por padrão|até segunda ordem)"
)
_QUANDO = (
    r"(?:sempre que|toda vez que|todas as vezes que|cada vez que|quando) eu (?:te )?(?:pedir|perguntar|falar"
    r"|mencionar|disser|mandar|enviar|pedir|quiser|escrever|solicitar)\b"
)
_MODOS = (
    r"(?:emojis?|emoticons?|gírias|jargões|jargão|markdown|tópicos|listas|abreviações|siglas|palavrões|anglicismos"
    r"|estrangeirismos|pontos de exclamação|rodeios|enrolação|desculpas|introduções|tabelas|ironia|sarcasmo"
    r"|diminutivos|termos técnicos)"
)
_RESPOSTAS = r"(?:respostas?|mensagens|explicações|resumos|textos|e-?mails)"
_PATTERNS = (
    rf"{_LEAD}(?:sempre|nunca|jamais)\s+(?:mais |me |se |que possível )?{_COMMANDS}\b",
    (
        rf"{_LEAD}(?:me |não (?:me )?)?{_COMMANDS}(?:-me)? (?:me )?(?:sempre|nunca|só|somente|apenas"
        r"|exclusivamente)\b(?! (?:que você|agora|uma))"
    ),
    (
        rf"{_LEAD}{_AGORA}\W+(?:(?:por favor|eu quero que você|quero que você|você deve|só|sempre|nunca|não|me|por"
        rf" favor,)\W+)*{_COMMANDS}\b"
    ),
    rf"{_LEAD}(?:não )?(?:me )?{_COMMANDS}\b[^?]*\b(?:{_AGORA}|{_QUANDO})",
    rf"{_LEAD}{_QUANDO}[^?]*,\s*(?:por favor,? |sempre |só |me )*{_COMMANDS}\b",
    (
        rf"{_LEAD}(?:por favor,? )?(?:me )?(?:respond[ae]|escrev[ae]|fal[ea]|convers[ea])(?:-me| comigo| pra mim| para"
        rf" mim)?(?: sempre| só| apenas)? em (?:(?:{_TONGUES})|tópicos|frases curtas|linguagem simples)\b"
    ),
    (
        r"\b(?:pode(?:m)? me chamar|me cham[ea]|cham[ea]-me|(?:quero|prefiro|gosto de) (?:que (?:você )?me chame|ser"
        r" chamad[oa])|me trat[ea]|trat[ea]-me|prefiro que me chamem|podes chamar-me) (?:de|por|pelo|como|apenas|só)\b"
    ),
    (
        r"\b(?:eu )?(?:quero|gostaria|preciso|prefiro|espero|queria) que (?:você|tu|o assistente) (?:sempre |nunca |não"
        r" |só |me |pare |evite )*\w+"
    ),
    (
        rf"{_LEAD}(?:por favor,? )?mantenha (?:as |suas |as suas |todas as )?{_RESPOSTAS} (?:curtas|breves|concisas"
        r"|objetivas|simples|formais|diretas|com|em|abaixo)"
    ),
    (
        r"(?:^|, |por favor,? )seja (?:sempre |mais |bem )?(?:breve|concis[oa]|diret[oa]|objetiv[oa]|formal|informal"
        r"|educad[oa]|honest[oa])\b"
    ),
    (
        rf"{_LEAD}(?:por favor,? )?(?:não|nunca|pare de|evite|sem|chega de|nada de) (?:mais )?(?:us[ea]r?|utiliz[ea]r?"
        r"|coloque|colocar|escrev[ae]r?|inclua|incluir|mande|mandar|envie)?(?: mais| muitos| nenhum| os| as| tantos)*"
        rf" ?{_MODOS}\b"
    ),
    (
        r"(?:^|, |por favor,? )(?:pare de|para de|deixe de) (?:pedir desculpas|repetir|perguntar|usar|me chamar|sugerir"
        r"|mandar|explicar|responder|falar)\b"
    ),
    (
        r"(?:^|, |por favor,? )não (?:me )?(?:chame|chames|sugira|recomende|explique|assuma|repita|peça|mande|envie"
        r"|responda|fale|use|utilize|escreva)\b.*\b(?:mais|nunca|novamente|de novo|sem|a menos que|respostas?)\b"
    ),
    (
        r"(?:^|, |por favor,? )(?:sempre )?use (?:o )?(?:sistema métrico|celsius|fahrenheit|formato 24|quilômetros"
        r"|quilos|reais|euros|português|linguagem (?:simples|formal|informal))\b"
    ),
    r"\blembre-se (?:sempre )?de (?:sempre )?\w+r\b",
    rf"{_LEAD}(?:agora )?já (?:tu |você )?(?:podes?|podem) (?:voltar a )?{_COMMANDS}\b",
    rf"{_LEAD}(?:agora )?(?:tu |você )?(?:podes?|podem)(?: agora| já)? voltar a {_COMMANDS}\b",
    (
        rf"{_LEAD}(?:agora )?(?:tu |você )?(?:podes?|podem)(?: agora| já)? (?!.*\b(?:isso|isto|meus?|minhas?)\b)"
        rf"{_COMMANDS}\b[^?]*\b(?:outra vez|de novo"
        r"|novamente|agora)\W*$"
    ),
    rf"{_LEAD}(?:já|agora já) não (?:precisas?|é preciso|é necessário|tens? (?:de|que)) ?(?:de )?{_COMMANDS}\b",
    rf"{_LEAD}(?:tu |você )?não (?:precisas?|é preciso|é necessário|tens? (?:de|que)) mais ?(?:de )?{_COMMANDS}\b",
    (
        r"(?:^|, |por favor,? )(?:esquec[ea]|ignor[ea])(?:-se)? (?:d?o que (?:eu )?(?:disse|pedi|falei)|(?:a |minha |a"
        r" minha )?(?:regra|instrução|pedido)) (?:sobre|d[eoa]s?)\b"
    ),
)  # fmt: skip
# A sentence without any of these words cannot be one, which most sentences show at once.
_SIGNS = (
    r"\b(?:sempre|nunca|jamais|partir|diante|frente|doravante|futuro|próximas|respostas?|padrão|vez|quando|responda"
    r"|responde|fale|fala|escreva|escreve|converse|chame|chama|chame-me|chamar|tratar|trate|que|mantenha|seja|não"
    r"|pare|para|evite|sem|chega|nada|deixe|use|lembre-se|só|somente|apenas|ordem|podes?|podem|esque[cç][ea]"
    r"|ignor[ea])\b"
)
# Said in the same words but meant otherwise: thanks, agreement, telling what oneself will do.
_NOT_PATTERNS = (r"^\W*(?:nunca (?:pensei|mais|vi|fui|tinha)|sempre (?:que|quis|fui|gostei))\b(?! .*,)",)

_TONGUE = r"(?P<tongue>(?:brazilian |european )?[A-Za-zÀ-ÿ]{4,12})"
_SUBJUNCTIVES = {
    "usa": "use", "fala": "fale", "responde": "responda", "escreve": "escreva", "inclui": "inclua",
    "explica": "explique",
    "mostra": "mostre", "evita": "evite", "mantém": "mantenha", "coloca": "coloque", "chama": "chame",
    "traduz": "traduza",
}  # fmt: skip
_PHRASES = CommandPhrases(
    command=(r"^(?P<lead>(?:sempre |nunca |jamais |não |só |apenas )*(?:me )?)(?P<verb>[a-zà-ÿ]+)\b(?P<rest>.*)$"),
    subjunctives=_SUBJUNCTIVES,
    not_commands=frozenset(("sem", "nada", "chega", "eu", "para")),
    infinitive="r",
    clitics={"me ": "lhe "},
    wants="{name} quer que o assistente {rest}",
    asked='{name} pediu: "{said}"',
    third_person=GRAMMAR.third_person,
)

INSTRUCTIONS = Instructions(
    signs=_SIGNS,
    patterns=_PATTERNS,
    not_patterns=_NOT_PATTERNS,
    phrase=_PHRASES.phrase,
    retell_what=str,
    texts={
        "called": "{name} pede para usar o nome {value}",
        "not_called": "{name} não quer que usem o nome {value}",
        "answers_in": "{name} quer respostas em {tongue}",
        "no_longer_answers_in": "{name} já não quer respostas em {tongue}",
        "no_longer_needs": "{name} já não precisa que o assistente continue a {what}",
        "took_back": "{name} retirou o pedido sobre {what}",
        "wants_none": "{name} não quer {what}",
        "fine_with": "{name} aceita {what}",
        "allows": "{name} deixa o assistente {what}",
    },
    lead=(
        r"^\W*(?:(?:oi|olá|por favor|então|e|mas|ah|aliás|importante|atenção|lembre-se|a partir de (?:agora|hoje|já)|de"
        r" (?:agora|hoje) em diante|daqui (?:pra|para)"
        r" (?:a )?frente|daqui em diante|doravante|no futuro|(?:eu )?(?:quero|gostaria|preciso|prefiro|espero|queria)"
        r" que (?:você|tu))\b[\s,:;.!-]*)+"
    ),
    called=(
        r"\b(?i:me cham[ea]|me chamem?|cham[ea]-me|me chamar|chamar-me|me trat[ea]|trat[ea]-me|ser chamad[oa]) (?:só "
        r"|apenas )?(?:de|por) [\"']?"
        r"(?P<name>[A-ZÀ-Ý][\w-]+(?: [A-ZÀ-Ý][\w-]+)?)"
    ),
    not_called=r"\b(?:não|nunca|pare de|para de|deixe de|deixa de)\b[^.;]*\bcham\w+",
    spoken=(
        r"^(?:sempre |só |apenas )*(?:me )?(?:respond[ae]|escrev[ae]|fal[ea]|convers[ea])(?:-me| comigo| pra mim| para"
        rf" mim)?(?: sempre| só| apenas)? (?:sempre |só )?em {_TONGUE}(?: sempre)?(?:,? por favor)?$"
    ),
    spoken_infinitive=(
        rf"^(?:responder|escrever|falar|conversar)(?:-me| comigo)?(?: sempre| só| apenas)? em {_TONGUE}$"
    ),
    tongues=_TONGUES,
    not_tongues=frozenset("tópicos frases linguagem".split()),
    allowed=(
        r"^(?:agora )?(?P<already>já )?(?:tu |você )?(?:podes?|podem)(?P<now> agora| já)? (?P<back>voltar a )?"
        r"(?P<what>\w+[aei]r\b.*?)(?P<again>,? (?:outra vez|de novo|novamente|agora|à vontade))*$"
    ),
    allowed_by=("already", "now", "back", "again"),
    over=(
        r"^(?:(?:já|agora) )?(?:tu |você )?(?:(?<=já )não (?:precisas?|é preciso|é necessário|tens? (?:de|que))"
        r"|não (?:precisas?|é preciso|é necessário|tens? (?:de|que)) mais)(?: mais)? ?(?:de )?(?P<what>\w+[aei]r\b.*?)"
        r"(?:,? (?:mais|agora))*$"
    ),
    stop=r"^(?:pare|para|deixa|deixe) de (?=(?:responder|falar|escrever|conversar)\b)(?P<what>.+)$",
    back=(
        r"^(?:esquec[ea]|ignor[ea])(?:-se)?(?: d?o que (?:eu )?(?:disse|pedi|falei) (?:sobre|d[eoa]s?)| (?:a |minha |a"
        r" minha )?(?:regra|instrução|pedido) (?:sobre|d[eoa]s?)) (?P<what>.+)$"
    ),
    lately=(
        r"a partir de (?:agora|hoje)|de (?:agora|hoje) em diante|daqui (?:pra|para) (?:a )?frente|outra vez|de novo"
        r"|novamente|por favor"
    ),
    politely=r"sempre|nunca|jamais|só|apenas|não|me",
    refuses=r"^(?:me )*(?:nunca|jamais|não|evite|sem)\b",
    refusal=r"evite|sem|chega de|nada de|pare de|para de",
    clause_first=r"^(?P<when>(?:sempre que|toda vez que|cada vez que|quando) eu [^,]+), (?P<rest>.+)$",
    pronoun="eu",
)
