"""Spanish clauses: how a sentence opens, parts and ends them, and how they are put into the third person."""

from __future__ import annotations

import re

from toldonce.lang.base import Clauses
from toldonce.lang.es.words import (
    COUNT,
    DAY,
    FIRST_TO_THIRD,
    IMPERSONAL,
    MONTH,
    ONCE,
    PAST,
    REGULARLY,
    RELATION,
    SINCE,
    SOON,
    UNACCENTED,
    UNIT,
    WE_PLURAL,
)
from toldonce.lang.verb_grammar import ClauseEnd, Pronouns, VerbGrammar

_KEPT = (
    "siempre nunca generalmente normalmente usualmente a_veces casi_nunca raramente todavía aún actualmente finalmente"
    " recientemente ahora ya solo sólo jamás"
)
_SMALL = (
    "también realmente muy simplemente mucho sinceramente honestamente literalmente prácticamente hoy_en_día"
    " igual además personalmente ahorita últimamente justo recién básicamente ya"
)
_ADVERB = "(?:" + "|".join(word.replace("_", " ") for word in (_KEPT + " " + _SMALL).split()) + ")"
_VERBS = "|".join(sorted({*FIRST_TO_THIRD, *ONCE, *UNACCENTED}, key=len, reverse=True))
_SUBJECT = re.compile(
    rf"(?<![\w-])(?:(?P<we>nosotr[oa]s |mi {RELATION}(?: [A-ZÀ-Ý]\w+)? y yo |yo y mi {RELATION}(?: [A-ZÀ-Ý]\w+)? "
    rf"|mi {RELATION} y yo )|(?P<self>yo ))?(?P<adverbs>(?:{_ADVERB} ){{0,4}})(?P<not>no )?(?P<more>(?:{_ADVERB} )"
    rf"{{0,4}})(?P<clitic>me |nos |se )?(?P<verb>{_VERBS})(?P<enclitic>(?!))?(?![\w-])"
    r"|(?<![\w-])(?P<mine>mis?|nuestr[oa]s?)(?= )",
    re.I,
)
_BOUNDARY = re.compile(
    r".*(?:[,;:()\x00!?¡¿.…]|\s[-–—]+\s|[–—]|\b(?:y|e|pero|entonces|porque|pues|así que|por eso|ya que|aunque|mientras"
    r"|además|o sea|es que)\b)",
    re.I | re.S,
)
_OPENER = (
    r"hola|holi|buenas|buenos días|buenas tardes|buenas noches|qué tal|ah|oh|uy|ay|vaya|guau|sí|no|ok|okey|vale"
    r"|bueno|bien"
    r"|mira|oye|pues|entonces|por cierto|a propósito|la verdad|la neta|en realidad|de hecho|también|además|incluso"
    r"|ahora"
    r"|ahorita|actualmente|hoy en día|hoy|ayer|anoche|recientemente|últimamente|por fin|al final|finalmente"
    r"|afortunadamente|desgraciadamente|lamentablemente|por suerte|personalmente|sinceramente|básicamente|en fin"
    r"|gracias"
    r"|perdón|perdona|disculpa|claro|por supuesto|primero|después|luego|y|e|pero|porque|pues|normalmente|generalmente"
    r"|a veces|siempre|nunca|yo|a mí|a nosotros|de momento|por ahora|en este momento|como (?:sabes|ya sabes|sabrás)"
    r"|para que conste|para que sepas|te cuento|te cuento que|fíjate que|resulta que|que|sabes|en el trabajo|en casa"
    r"|en general|originalmente|desde (?:pequeñ[oa]|niñ[oa]|chic[oa])|de (?:pequeñ[oa]|niñ[oa])|jaja+|jeje+|che|wey|tío"
    r"|antes|antiguamente|hace tiempo|hace años"
    rf"|{SOON}|{PAST}|{REGULARLY}|en (?:{MONTH}|\d{{4}})|el (?:{DAY})|hace {COUNT} {UNIT}|{SINCE}"
)
_OPENERS = re.compile(rf"\W*(?:(?:{_OPENER})(?:\W+|$))*$", re.I)
# "Cuando viajo, prefiero el tren" states when something holds; "¿cuándo puedo viajar?" asks.
_HOLDS_WHEN = r"(?:cuando (?:yo )?(?!puedo\b|debo\b|empiezo\b)(?:me |no )?(?:voy|estoy|soy|\w{2,}o)\b)"
_ASKING = re.compile(
    r"¿|(?:^|[,;:–—-]|\b(?:y|pero|entonces|o|por favor|porque)\b)\W{0,40}+(?:(?:tú|usted|vos|ustedes)? ?(?:puedes"
    r"|podrías"
    r"|podés|puede|podría|sabes|sabés|sabe|crees|creés|conoces|conocés|tienes|tenés|recomiendas|recomendás|sugieres)"
    rf" (?:me|algún|alguna|que|qué|cómo|si|cuál|una|un|dónde|decirme|ayudarme|recomendarme|darme)\b|(?!{_HOLDS_WHEN})"
    r"(?:cómo|cuál|cuáles|cuándo|dónde|adónde|quién|por qué|qué|cuánto|cuánta|cuántos|cuántas|debo|debería|vale la pena"
    r"|es posible|puedo|me (?:ayudas|dices|sugieres|recomiendas|explicas|das|puedes|podrías)|ayúdame|dime|explícame"
    r"|recomiéndame|alguna (?:idea|sugerencia|recomendación)|algún consejo)\b)",
    re.I,
)
_CONDITION = re.compile(
    r"^\W*(?:(?:y|pero|entonces|aun|incluso|solo|ah|mmm)\W+)*(?:si(?! me\b(?! \w+ías?))|por si|en caso de|tal vez"
    r"|quizás?"
    r"|a lo mejor|imagina|imagínate|supón|supongamos|ojalá|digamos|a menos que|como si)\b",
    re.I,
)
_CLAUSE_END = re.compile(
    r"[;()\x00…]|:(?=\s|$)|\s[-–—]+\s|[–—]|--"
    r"|\s(?=(?:pero|porque|pues|sin embargo|aunque|mientras|cuando|donde|si|por eso|ya que|a pesar|así que|entonces"
    r"|cuyo|cuya|considerando|dado que|sino|para que)\b)|,?\s+y (?=(?:yo|él|ella|nosotr[oa]s|ellos|ellas|tú|usted|no"
    r"|también|ahora|eso|está|estoy|es|fue|tiene|tengo|voy|quiero|mi|mis|ya|creo|me|nos|le|necesito|quisiera|a mí"
    rf"|{'|'.join(FIRST_TO_THIRD)})\b)"
    r"|,\s+(?=(?:yo|él|ella|eso|tú|usted|no|estoy|es|fue|tiene|voy|quiero|puedes|podrías|gracias|que|pero|así que|qué"
    r"|cuál|cómo|me|nos|le)\b)",
    re.I,
)
# "Me gusta cuando las respuestas tienen ejemplos": what is liked comes after the word that else begins another clause.
_LIKED_WHEN = re.compile(
    r"\b(?:gustan?|encantan?|adoro|amo|prefiero|aprecio|detesto|odio|soporto|aguanto|molestan?)(?: mucho| más)?$", re.I
)
_WHEN = re.compile(r"\s(?=(?:cuando|si)\b)", re.I)
# "Prefiero herramientas ligeras, sin dependencias, en vez de" goes on: what it is held against tells the most.
_INSTEAD = re.compile(r"(?:,\s+sin [^,]{2,40})*,?\s+(?:en vez de|en lugar de|antes que)\s", re.I)
_COMMA = re.compile(r",(?!\d)")
_LISTED = re.compile(r",\s++(?:[^,]{2,40},\s++)*[^,]{2,40}\s+(?:y|e|o)\s++[^,]{2,40}$|,\s++(?:y|o)\s++[^,]{2,40}$")
_FURTHER = re.compile(
    r",\s+(?:[A-ZÀ-Ý][\w.]+(?: [A-ZÀ-Ý][\w.]+)?$|(?:como|tipo|incluyendo|especialmente|sobre todo)\s|una? [^,]{3,50}$)"
)
_FILLER = re.compile(
    r"(?:[\s,]++(?:también|no|verdad|jaja+|jeje+|vale|ahora|ahorita|mismo|por cierto|por favor|porfa|gracias|hoy en día"
    r"|de momento|actualmente|y|o|con|de|entonces|la verdad|che|wey|tío|eh))+$|[\s,.!?¡¿…*_~]++$",
    re.I,
)
_TIMED = re.compile(rf"\b(?:{PAST}|{SOON}|{REGULARLY})", re.I)
_BEFORE = re.compile(rf"\b(?P<when>{SINCE}|{PAST}|{SOON})[\s,]*(?:nosotros |yo )?$", re.I)
_CASE = re.compile(
    r"(?:^|[;.]\s+|\by |\bpero )cuando (?:yo )?(?P<verb>\w+o|voy|estoy|soy)\b(?P<rest>[^,;.!?]{0,50}),\s*$", re.I
)
_ANYMORE = re.compile(r"^(?:me )?(\S+) más\b|\s+más$", re.I)
# First-person forms that are far more often a noun or a small word unless "yo" or "no" goes before.
_DOUBTFUL = frozenset(
    "como canto cuento uso caso gano paso junto marco cargo camino monto ando trato entiendo creo espero dicen cae caen"
    " di sé mando corto cambio sumo muestro despierto".split()
)
_MARKED = re.compile(r"(?:yo|solo|sólo|nunca|siempre|casi nunca|me|nos|ya|no)\b", re.I)
# "Antes vivía en Cádiz" is said of oneself also without the pronoun.
_ONCE_MARKED = re.compile(r"\b(?:antes|de pequeñ[oa]|de niñ[oa]|yo|antiguamente|hace tiempo)\b[\s,]*(?:yo )?$", re.I)

_THEIRS = {
    "mi": "su", "mis": "sus", "nuestro": "su", "nuestra": "su", "nuestros": "sus", "nuestras": "sus", "me": "le",
    "mí": "sí", "conmigo": "consigo", "mío": "suyo", "mía": "suya", "míos": "suyos", "mías": "suyas", "nos": "se",
}  # fmt: skip
_MINE = re.compile(r"\b(?:mis?|nuestr[oa]s?|me|mí|conmigo|mí[oa]s?|nos)\b", re.I)
_FINITE = re.compile(
    r" (?=(?:es|son|era|eran|fue|está|están|se|tiene|tienen|hace|hizo|vive|viven|trabaja|trabajan|nació|adora|ama"
    r"|va|van"
    r"|viene|estudia|ganó|quedó|cuesta|pesa|queda|habla|cumple|murió|falleció|le|ha|dice|dijo)\b)"
)
_MASCULINE = frozenset(
    "problema tema idioma día mapa papá planeta programa clima sistema poema dilema esquema sofá carisma cura poeta"
    " artista terapeuta dentista colega".split()
)
_FEMININE = frozenset(
    "madre mujer moto foto mano nuera sangre piel clase calle llave leche noche tarde gente suerte".split()
)
_FEMININE_END = re.compile(r"(?:a|ción|sión|dad|tad|tud|umbre|ez|itis|as|ciones|dades)$")


def _article_for(pronoun: str, owned: str) -> str:
    """The article of what somebody owns, by the ending of its noun."""
    if pronoun not in ("mi", "mis", "nuestro", "nuestra", "nuestros", "nuestras"):
        return ""
    noun = owned.split()[0].lower() if owned else ""
    single = noun.removesuffix("s")
    is_feminine = pronoun.startswith("nuestra") or single in _FEMININE
    is_feminine = is_feminine or (single not in _MASCULINE and _FEMININE_END.search(noun) is not None)
    return {(False, False): "El", (True, False): "La", (False, True): "Los", (True, True): "Las"}[
        is_feminine, pronoun.endswith("s")
    ]


_POINTING = re.compile(
    r"\b(?:eso|esto|aquello|ellos?|ellas?|él|usted(?:es)?|te|tú|ti|tus?|sus?|allí|ahí|allá|aquel(?:la|los|las)?"
    r"|contigo)\b"
    r"|\b(?:aquí|acá)\b(?! en\b)"
    r"|\b(?:es[ea]s?|est[ea]s?|esos|estos)\b(?! (?:semana|mes|año|fin|finde|mañana|tarde|noche|verano|invierno|otoño"
    r"|primavera|semestre|trimestre|lunes|martes|miércoles|jueves|viernes|sábado|domingo))"
    r"|(?:^\S+ | )(?:el|la|los|las|lo|un|una|mi|que|de|en|para|por|cosas?|algo|todo)$",
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
        article_for=_article_for,
        finite=_FINITE,
        of="de",
        clitic="me",
        their_clitic="se",
        negation="no",
        no_more=("ya no", ""),
        when="cuando",
        case=_CASE,
        to_name="A {name}",
        to_them="le",
    ),
    head="mi",
    third=FIRST_TO_THIRD,
    once=ONCE,
    we_word="",
    we_plural=WE_PLURAL | {"hemos", "llevamos"},
    doubtful=_DOUBTFUL,
    marked=_MARKED,
    kept_adverbs=frozenset(_KEPT.split()),
    already="ya",
    only="solo",
    any_more=_ANYMORE,
    any_more_words=re.compile(r"^más |\s+más$"),
    timed=_TIMED,
    before=_BEFORE,
    pointing=_POINTING,
    ours="n",
    once_marked=_ONCE_MARKED,
    spellings=UNACCENTED,
    impersonal=IMPERSONAL,
    habits=frozenset(verb for verb in FIRST_TO_THIRD if verb.endswith("o") and verb not in _DOUBTFUL),
    first_person={
        third: first for first, third in FIRST_TO_THIRD.items() if first not in WE_PLURAL and first not in IMPERSONAL
    }
    | {"es": "soy", "ha": "he", "lleva": "llevo", "tuvo": "tuve"},
)
