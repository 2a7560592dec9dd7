"""How people give standing instructions in Spanish, and how these are rewritten in the third person."""

from __future__ import annotations

from toldonce.lang.es.clauses import GRAMMAR
from toldonce.lang.instructions import CommandPhrases, Instructions

# What may stand before the heart of an instruction.
_LEAD = (
    r"(?:^|[,;:–—¡-]\s*|\b(?:y|pero|entonces|también)\s+)(?:(?:ok|hola|oye|mira|por favor|porfa|recuerda|importante"
    r"|atención"
    r"|por cierto|ah|bueno|vale)\W+)*"
)
_TONGUES = (
    r"inglés|español|castellano|portugués|francés|alemán|italiano|holandés|ruso|chino|japonés|coreano|árabe|catalán"
    r"|gallego"
    r"|euskera"
)
_ME = r"(?:me|nos)?"
_COMMANDS = (
    rf"(?:respond[ea]s?{_ME}|respónde(?:me|nos)|respondé(?:me|nos)?|contest[ea]s?|contésta(?:me|nos)|contestá(?:me"
    rf"|nos)?"
    rf"|us[ea]s?|usá|utilic[e]s?|utiliza|incluy[ae]s?|incluí|escrib[ae]s?|escríbe(?:me|nos)|escribí(?:me|nos)"
    rf"|habl[ea]s?"
    r"|háblame|hablame|hablá(?:me)?|expliques?|explica|explícame|explicame|muestr[ea]s?|muéstrame|mostrá(?:me)?"
    r"|cit[ea]s?"
    r"|pongas?|pon|poné|evit[ea]s?|evitá|empie[cz][ea]s?|empezá|termin[ea]s?|traduzcas?|traduce|traducí|resum[ae]s?"
    r"|resumí"
    r"|formate[ea]s?|añad[ae]s?|agregues?|agrega|agregá|mantengas?|mantén|mantené|seas?|sé|confirm[ea]s?|confirmá"
    r"|verifi(?:ques?|ca|cá)|preguntes?|pregunta|preguntá|preguntame|pregúntame|recuerd[ea]s?|recuérdame|recordame"
    r"|d[aé]s?"
    r"|dame|digas?|di|decí|dime|decime|mencion[ea]s?|sugier[ae]s?|sugiéreme|sugerime|recomiend[ea]s?|recomiéndame"
    r"|inform[ea]s?"
    r"|present[ea]s?|hagas?|haz|hacé|list[ea]s?|llam[ea]s?|llámame|llamame|llamá(?:me)?|trat[ea]s?|trátame|tratame"
    r"|envíes?|envía"
    r"|mandes?|manda|mandá|pares?|para|pará|dejes?|deja|dejá|especifi(?:ques?|ca)|consider[ea]s?|salt[ea]s?"
    r"|cambies?|cambia"
    r"|calcul[ea]s?|destaques?|destaca|ofrezcas?|ofrece|priori[cz][ea]s?|conviertas?|convierte|asumas?|asume"
    r"|cuentes?|cuenta"
    r"|compares?|compara|limites?|limita|organices?|organiza|indiques?|indica|detalles?|detalla|justifiques?|justifica"
    r"|respondas|responder|contestar|usar|escribir|hablar|explicar|mostrar|incluir|poner|evitar|mandar|enviar"
    r"|llamar|tratar"
    r"|preguntar|recordar|dar|decir|hacer|resumir|traducir)"
)
_AHORA = (
    r"(?:(?:a partir|desde) de? ?(?:ahora|hoy|ya)|de (?:ahora|hoy|aquí) en (?:adelante|más)|de acá en más"
    r"|de aquí en adelante"
    r"|desde ahora|en el futuro|en adelante|(?:en )?las próximas (?:veces|respuestas|conversaciones)"
    r"|en todas (?:tus|las)"
    r" respuestas|por defecto|hasta nuevo aviso)"
)
_CUANDO = (
    r"(?:siempre que|cada vez que|todas las veces que|cuando) (?:yo )?(?:te )?(?:pida|pregunte|hable|mencione|diga"
    r"|mande"
    r"|envíe|quiera|escriba|solicite|pido|pregunto)\b"
)
_MODOS = (
    r"(?:emojis?|emoticonos?|emoticones|jerga|modismos|markdown|viñetas|listas|abreviaturas|siglas|groserías"
    r"|palabrotas|tacos"
    r"|anglicismos|extranjerismos|signos de exclamación|exclamaciones|rodeos|disculpas|introducciones|tablas|ironía"
    r"|sarcasmo"
    r"|diminutivos|tecnicismos|términos técnicos|relleno)"
)
_RESPUESTAS = r"(?:respuestas?|mensajes|explicaciones|resúmenes|textos|correos|e-?mails)"
_TU = r"(?:tú|vos|usted|ustedes|el asistente)"

_PATTERNS = (
    rf"{_LEAD}(?:siempre|nunca|jamás)\s+(?:más |me |se |que puedas )?{_COMMANDS}\b",
    (
        rf"{_LEAD}(?:me |no (?:me )?)?{_COMMANDS} (?:siempre|nunca|solo|sólo|solamente|únicamente"
        r"|exclusivamente)\b(?! (?:que tú|ahora|una))"
    ),
    (
        rf"{_LEAD}{_AHORA}\W+(?:(?:por favor|porfa|quiero que|quiero que me|debes|tienes que|tenés que|solo|siempre"
        rf"|nunca|no"
        rf"|me)\W+)*{_COMMANDS}\b"
    ),
    rf"{_LEAD}(?:no )?(?:me )?{_COMMANDS}\b[^?]*\b(?:{_AHORA}|{_CUANDO})",
    rf"{_LEAD}{_CUANDO}[^?]*,\s*(?:por favor,? |siempre |solo |me )*{_COMMANDS}\b",
    (
        rf"{_LEAD}(?:por favor,? |porfa,? )?(?:me )?(?:respond\w+|respónde\w+|contest\w+|contésta\w+|escrib\w+"
        rf"|escríbe\w+"
        rf"|habl\w+|háblame)(?: conmigo)?(?: siempre| solo)? en (?:{_TONGUES}|viñetas|frases cortas"
        rf"|lenguaje (?:simple|sencillo))\b"
    ),
    (
        r"\b(?:puedes llamarme|podés llamarme|me puedes (?:llamar|decir)|me podés decir|llámame|llamame|llamá?me"
        r"|dime|decime"
        r"|(?:quiero|prefiero|me gusta) que me (?:llames|llamen|llame|digas|digan)|trátame de|tratame de|puedes decirme"
        r"|podés decirme) (?:por |solo |de |como )?(?-i:[A-ZÀ-Ý\"])"
    ),
    (
        rf"\b(?:yo )?(?:quiero|quisiera|me gustaría|necesito|prefiero|espero) que (?:{_TU} )?(?:siempre |nunca |no "
        rf"|solo |me "
        r"|pares |evites )*\w+(?:[ae]s|as|es|me|e|a)\b"
    ),
    (
        rf"{_LEAD}(?:por favor,? )?(?:mantén|mantené|mantenga) (?:las |tus |todas las "
        rf"|todas tus )?{_RESPUESTAS} (?:cortas|breves"
        r"|concisas|simples|sencillas|formales|directas|con|en|por debajo)"
    ),
    (
        r"(?:^|, |por favor,? |porfa,? )(?:sé|sea) (?:siempre |más |bien )?(?:breve|concis[oa]|direct[oa]"
        r"|objetiv[oa]|formal"
        r"|informal|amable|honest[oa]|sincer[oa])\b"
    ),
    (
        rf"{_LEAD}(?:por favor,? |porfa,? )?(?:no|nunca|deja de|dejá de|evita|evitá|sin|basta de|nada de) (?:más )?"
        r"(?:us(?:es|ar|e)|utilic?\w*|pongas|poner|escribas|escribir|incluyas|incluir|mandes|mandar|envíes|enviar)?"
        rf"(?: más| muchos| ningún| los| las| tantos| tantas)* ?{_MODOS}\b"
    ),
    (
        r"(?:^|, |por favor,? |porfa,? )(?:deja de|dejá de|para de|pará de|deje de) (?:disculparte|pedir (?:perdón"
        r"|disculpas)|repetir"
        r"|preguntar(?:me)?|usar|llamarme|decirme|sugerir|mandar|explicar|responder|contestar|hablar)\b"
    ),
    (
        r"(?:^|, |por favor,? |porfa,? )no (?:me )?(?:llames|digas|sugieras|recomiendes|expliques|asumas|repitas"
        r"|pidas|mandes"
        r"|envíes|respondas|contestes|hables|uses|utilices|escribas|trates)\b.*\b(?:más|nunca|otra vez|de nuevo|sin"
        r"|a menos que"
        r"|respuestas?|de usted)\b"
    ),
    (
        r"(?:^|, |por favor,? |porfa,? )(?:siempre )?(?:usa|usá|use) (?:el |los )?(?:sistema métrico|celsius"
        r"|fahrenheit|formato (?:de )?24"
        r"|kilómetros|kilos|euros|pesos|español|lenguaje (?:simple|sencillo|formal|informal|inclusivo))\b"
    ),
    (
        r"\b(?:trátame|tratame|tráteme|háblame|hablame|tutéame|tuteame|voséame) (?:de (?:tú|vos|usted)|siempre)\b"
        r"|\btut[eé]ame\b"
    ),
    r"\brecuerda (?:siempre )?\w+r\b",
    rf"{_LEAD}(?:ahora )?ya (?:{_TU} )?(?:puedes|podés|puede|pueden) (?:volver a )?{_COMMANDS}\b",
    rf"{_LEAD}(?:ahora )?(?:{_TU} )?(?:puedes|podés|puede|pueden)(?: ahora| ya)? volver a {_COMMANDS}\b",
    (
        rf"{_LEAD}(?:ahora )?(?:{_TU} )?(?:puedes|podés|puede|pueden)(?: ahora| ya)? (?!.*\b(?:eso|esto|mis?)\b)"
        rf"{_COMMANDS}\b[^?]*\b(?:otra vez|de nuevo|nuevamente|ahora)\W*$"
    ),
    rf"{_LEAD}ya no (?:hace falta|necesitas|necesitás|es necesario|tienes que|tenés que) ?(?:que )?{_COMMANDS}\b",
    rf"{_LEAD}no (?:hace falta|necesitas|es necesario|tienes que) (?:que )?{_COMMANDS}\b[^?]*\b(?:más|ya)\W*$",
    (
        r"(?:^|, |por favor,? |porfa,? )(?:olvida|olvidá|olvídate de|ignora|ignorá) (?:lo que (?:te )?(?:dije|pedí)"
        r"|(?:la |mi )?(?:regla"
        r"|instrucción|petición)) (?:sobre|de|del)\b"
    ),
)  # fmt: skip
# A sentence without any of these words cannot be one, which most sentences show at once.
_SIGNS = (
    r"\b(?:siempre|nunca|jamás|partir|adelante|futuro|próximas|respuestas?|defecto|vez|cuando|respond\w+|respónd\w+"
    r"|contest\w+"
    r"|contést\w+|hab[lé]\w*|háblame|escrib\w+|escríb\w+|llam\w+|llám\w+|trat\w+|trát\w+|que|mantén|mantené|sé|sea"
    r"|no|para|pará"
    r"|evit\w+|sin|basta|nada|dej[aáe]\w*|us[aáe]\w*|recuerda|solo|sólo|solamente|aviso|puedes|podés|pueden|puede"
    r"|olvid\w+"
    r"|olvíd\w+|ignor\w+|ya|dime|decime|tut[eé]ame|tuteame)\b"
)
# Said in the same words but meant otherwise: thanks, agreement, telling what oneself will do.
_NOT_PATTERNS = (
    r"^\W*(?:nunca (?:pensé|más|vi|fui|había|he|me)|siempre (?:que|quise|fui|me|he|es|un))\b(?! .*,)",
    r"^\W*(?:de ahora en adelante|a partir de (?:ahora|hoy)),? (?:yo|voy|vamos|me)\b",
)

_TONGUE = r"(?P<tongue>[A-Za-zÀ-ÿ]{4,12})"
_SUBJUNCTIVES = {
    "usa": "use", "usá": "use", "habla": "hable", "hablá": "hable", "háblame": "le hable", "hablame": "le hable",
    "responde": "responda", "respondé": "responda", "respóndeme": "le responda", "respondeme": "le responda",
    "contesta": "conteste", "contestá": "conteste", "contéstame": "le conteste", "contestame": "le conteste",
    "escribe": "escriba", "escribí": "escriba", "escríbeme": "le escriba", "escribime": "le escriba",
    "incluye": "incluya", "incluí": "incluya", "explica": "explique", "explícame": "le explique",
    "explicame": "le explique", "muestra": "muestre", "muéstrame": "le muestre", "mostrá": "muestre",
    "evita": "evite", "evitá": "evite", "mantén": "mantenga", "mantené": "mantenga", "pon": "ponga", "poné": "ponga",
    "llama": "llame", "traduce": "traduzca", "haz": "haga", "hacé": "haga", "da": "dé", "dame": "le dé",
    "dime": "le diga",
    "decime": "le diga", "di": "diga", "sé": "sea", "resume": "resuma", "agrega": "agregue", "agregá": "agregue",
    "añade": "añada", "manda": "mande", "mandá": "mande", "envía": "envíe", "pregunta": "pregunte",
    "pregúntame": "le pregunte", "confirma": "confirme", "recuérdame": "le recuerde", "trátame": "le trate",
    "tratame": "le trate", "tráteme": "le trate", "tutéame": "le tutee", "tuteame": "le tutee", "empieza": "empiece",
    "recomiéndame": "le recomiende", "sugiéreme": "le sugiera", "deja": "deje", "dejá": "deje", "para": "pare",
    "uses": "use", "hables": "hable", "respondas": "responda", "contestes": "conteste", "escribas": "escriba",
    "incluyas": "incluya", "expliques": "explique", "muestres": "muestre", "evites": "evite", "mantengas": "mantenga",
    "pongas": "ponga", "llames": "llame", "traduzcas": "traduzca", "hagas": "haga", "des": "dé", "digas": "diga",
    "seas": "sea", "resumas": "resuma", "agregues": "agregue", "añadas": "añada", "mandes": "mande", "envíes": "envíe",
    "preguntes": "pregunte", "trates": "trate", "repitas": "repita", "sugieras": "sugiera", "recomiendes": "recomiende",
    "asumas": "asuma", "empieces": "empiece", "pidas": "pida",
}  # fmt: skip
_PHRASES = CommandPhrases(
    command=r"^(?P<lead>(?:siempre |nunca |jamás |no |solo |sólo |ya )*(?:me )?)(?P<verb>[a-zà-ÿ]+)\b(?P<rest>.*)$",
    subjunctives=_SUBJUNCTIVES,
    not_commands=frozenset(("sin", "nada", "basta", "yo", "que", "en")),
    infinitive="r",
    clitics={"me ": "le "},
    wants="{name} quiere que el asistente {rest}",
    asked='{name} pidió: "{said}"',
    third_person=GRAMMAR.third_person,
)

INSTRUCTIONS = Instructions(
    signs=_SIGNS,
    patterns=_PATTERNS,
    not_patterns=_NOT_PATTERNS,
    phrase=_PHRASES.phrase,
    retell_what=str,
    texts={
        "called": "{name} pide que se use el nombre {value}",
        "not_called": "{name} no quiere que se use el nombre {value}",
        "answers_in": "{name} quiere respuestas en {tongue}",
        "no_longer_answers_in": "{name} ya no quiere respuestas en {tongue}",
        "no_longer_needs": "{name} ya no necesita que el asistente siga con esto: {what}",
        "took_back": "{name} retiró la petición sobre {what}",
        "wants_none": "{name} no quiere {what}",
        "fine_with": "{name} acepta {what}",
        "allows": "{name} deja al asistente {what}",
    },
    lead=(
        r"^\W*(?:(?:hola|oye|mira|por favor|porfa|entonces|y|pero|ah|bueno|vale|por cierto|importante|atención"
        r"|recuerda|(?:a partir"
        r"|desde) de (?:ahora|hoy|ya)|de (?:ahora|hoy|aquí) en (?:adelante|más)|de acá en más|desde ahora|en el futuro"
        r"|en adelante|(?:yo )?(?:quiero|quisiera|me gustaría|necesito|prefiero|espero) que(?: tú| usted"
        r"| vos)?)\b[\s,:;.!-]*)+"
    ),
    called=(
        r"\b(?i:llám[ae]me|llamame|llamarme|me llames|me llamen|me llame|puedes llamarme|dime|decime|me digas"
        r"|me digan|decirme)"
        r" (?:por |solo |sólo |de |como )?[\"']?(?P<name>[A-ZÀ-Ý][\w-]+(?: [A-ZÀ-Ý][\w-]+)?)"
    ),
    not_called=r"\b(?:no|nunca|deja de|dejá de|deje de|para de)\b[^.;]*\b(?:llam\w+|llám\w+|dig\w+|decirme)",
    spoken=(
        r"^(?:siempre |solo |sólo )*(?:me )?(?:respond\w+|respónde\w+|contest\w+|contésta\w+|escrib\w+|escríbe\w+"
        r"|habl\w+|háblame)"
        rf"(?: conmigo| siempre| solo| sólo)* en {_TONGUE}(?: siempre)?(?:,? (?:por favor|porfa))?$"
    ),
    spoken_infinitive=(
        r"^(?:responder|contestar|escribir|hablar|respondas|contestes|escribas|hables)(?:me)?(?: conmigo)?"
        rf"(?: siempre| solo| sólo)? en {_TONGUE}$"
    ),
    tongues=_TONGUES,
    not_tongues=frozenset("viñetas frases lenguaje párrafos tablas listas".split()),
    allowed=(
        r"^(?:ahora )?(?P<already>ya )?(?:tú |vos |usted )?(?:puedes|podés|puede|pueden)(?P<now> ahora| ya)?"
        r" (?P<back>volver a )?(?P<what>\w+[aei]r(?:me)?\b.*?)(?P<again>,? (?:otra vez|de nuevo|nuevamente|ahora))*$"
    ),
    allowed_by=("already", "now", "back", "again"),
    over=(
        r"^(?:(?:ya|ahora) )?(?:tú |vos |usted )?(?:(?<=ya )no (?:hace falta|necesitas|necesitás|es necesario"
        r"|tienes que|tenés que)"
        r"|no (?:hace falta|necesitas|es necesario|tienes que))(?: más)? ?(?:que )?(?P<what>\w+.*?)(?:,? (?:más|ya"
        r"|ahora))*$"
    ),
    stop=(r"^(?:para|pará|deja|dejá|deje) de (?=(?:responder|contestar|hablar|escribir)(?:me)?\b)(?P<what>.+)$"),
    back=(
        r"^(?:olvida|olvidá|olvídate de|ignora|ignorá) (?:lo que (?:te )?(?:dije|pedí) (?:sobre|de|del)|(?:la "
        r"|mi )?(?:regla"
        r"|instrucción|petición) (?:sobre|de|del)) (?P<what>.+)$"
    ),
    lately=(
        r"(?:a partir|desde) de (?:ahora|hoy)|de (?:ahora|hoy|aquí) en (?:adelante|más)|de acá en más|desde ahora"
        r"|otra vez"
        r"|de nuevo|nuevamente|por favor|porfa|gracias"
    ),
    politely=r"siempre|nunca|jamás|solo|sólo|no|me",
    refuses=r"^(?:me )*(?:nunca|jamás|no|evita|evitá|sin|deja de|dejá de|basta de|nada de)\b",
    refusal=r"evita|evitá|sin|basta de|nada de|deja de|dejá de|para de|pará de",
    clause_first=(r"^(?P<when>(?:siempre que|cada vez que|cuando) (?:yo )?[^,]+), (?P<rest>.+)$"),
    pronoun="yo",
)
