"""The words and phrases that name times in English and Portuguese, written without case and accents.

Tables and patterns only; what a phrase means is computed elsewhere.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping


def _table(rows: str) -> dict[str, int]:
    """Every word of the n-th line stands for n."""
    return {word: number for number, line in enumerate(rows.strip().splitlines()) for word in line.split()}


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def one_of(words: Iterable[str]) -> str:
    """A pattern for any of the words, the longest first."""
    return "(?:" + "|".join(sorted(words, key=len, reverse=True)) + ")"


MONTHS: Mapping[str, int] = {
    word: number + 1
    for word, number in _table(
        """
        january janeiro
        february fevereiro
        march marco
        april abril
        may maio
        june junho
        july julho
        august agosto
        september setembro
        october outubro
        november novembro
        december dezembro
        """
    ).items()
}
SHORT_MONTHS: Mapping[str, int] = {
    word: number + 1
    for word, number in _table(
        """
        jan
        feb fev
        mar
        apr abr
        mai
        jun
        jul
        aug ago
        sep sept set
        oct out
        nov
        dec dez
        """
    ).items()
}
# Words with another life: alone they name a month only behind a preposition, and the first two only with a capital.
VERB_MONTHS = frozenset({"may", "march"})
DOUBTFUL_MONTHS = VERB_MONTHS | {"april", "june", "august", "marco", "abril"}
SAFE_MONTHS = frozenset(MONTHS) - DOUBTFUL_MONTHS
DOUBTFUL_SHORT_MONTHS = frozenset({"mar", "set", "out", "ago", "mai", "dez"})

WEEKDAYS: Mapping[str, int] = _table(
    """
    monday segunda
    tuesday terca
    wednesday quarta
    thursday quinta
    friday sexta
    saturday sabado
    sunday domingo
    """
)
ENGLISH_WEEKDAYS = _set("monday tuesday wednesday thursday friday saturday sunday")
# Portuguese weekdays are also ordinals: "na segunda vez", "a quinta do avô".
ORDINAL_WEEKDAYS = frozenset({"segunda", "terca", "quarta", "quinta", "sexta"})
FREQUENT_ORDINALS = frozenset({"segunda", "quarta", "quinta"})
UNITS: Mapping[str, str] = {
    **dict.fromkeys(("hour", "hours", "hora", "horas"), "hour"),
    **dict.fromkeys(("day", "days", "dia", "dias"), "day"),
    **dict.fromkeys(("week", "weeks", "semana", "semanas"), "week"),
    **dict.fromkeys(("weekend", "weekends", "fim de semana", "fins de semana", "final de semana"), "weekend"),
    **dict.fromkeys(("month", "months", "mes", "meses"), "month"),
    **dict.fromkeys(("quarter", "quarters", "trimestre", "trimestres"), "quarter"),
    **dict.fromkeys(("year", "years", "ano", "anos"), "year"),
}

NUMBERS: Mapping[str, int] = {
    **_table(
        """
        zero
        a an one um uma
        two dois duas couple
        three tres
        four quatro few alguns algumas poucos poucas
        five cinco
        six seis several varios varias
        seven sete
        eight oito
        nine nove
        ten dez
        eleven onze
        twelve doze
        """
    ),
    "fifteen": 15,
    "quinze": 15,
    "twenty": 20,
    "vinte": 20,
    "thirty": 30,
    "trinta": 30,
}
VAGUE_NUMBERS = _set("couple few several alguns algumas poucos poucas varios varias")
NUMBER = rf"(?:a )?(?P<number>\d{{1,3}}|{one_of(NUMBERS)})(?: of)?"


def number(word: str) -> int:
    """What a number says, written in digits or as a word."""
    return int(word) if word.isdigit() else NUMBERS[word]


DAY_OFFSETS: Mapping[str, int] = {
    "today": 0,
    "hoje": 0,
    "yesterday": -1,
    "ontem": -1,
    "anteontem": -2,
    "tomorrow": 1,
    "amanha": 1,
    "day before yesterday": -2,
    "day after tomorrow": 2,
    "antes de ontem": -2,
    "depois de amanha": 2,
}

# Hours after the day's midnight; the night reaches into the next day.
DAY_PARTS: Mapping[str, tuple[int, int]] = {
    **dict.fromkeys(("morning", "manha"), (5, 12)),
    **dict.fromkeys(("afternoon", "tarde"), (12, 18)),
    "evening": (17, 24),
    **dict.fromkeys(("night", "noite"), (18, 30)),
    "madrugada": (0, 6),
}

SEASONS: Mapping[str, int] = _table(
    """
    spring primavera
    summer verao
    autumn fall outono
    winter inverno
    """
)
ORDINALS: Mapping[str, int] = {
    word: number + 1
    for word, number in _table(
        """
        first 1st primeiro 1º 1o
        second 2nd segundo 2º 2o
        third 3rd terceiro 3º 3o
        fourth 4th quarto 4º 4o
        """
    ).items()
}

# The first, second, third or fourth piece of a month; the last one is -1.
PLACES: Mapping[str, int] = {word: number for word, number in ORDINALS.items() if word.isalpha()} | {
    "primeira": 1, "segunda": 2, "terceira": 3, "quarta": 4, "last": -1, "ultimo": -1, "ultima": -1
}  # fmt: skip

# Feasts with a date of their own: how many years before the year it is called by, month, first day, number of days.
FEASTS: Mapping[str, tuple[int, int, int, int]] = {
    **dict.fromkeys(("christmas", "natal"), (0, 12, 24, 3)),
    **dict.fromkeys(("christmas eve", "vespera de natal"), (0, 12, 24, 1)),
    **dict.fromkeys(("christmas day", "dia de natal"), (0, 12, 25, 1)),
    "boxing day": (0, 12, 26, 1),
    **dict.fromkeys(("new year's eve", "reveillon", "vespera de ano novo"), (0, 12, 31, 1)),
    "new year's day": (0, 1, 1, 1),
    **dict.fromkeys(("new year's", "ano novo"), (1, 12, 31, 2)),
    "valentine's day": (0, 2, 14, 1),
    "halloween": (0, 10, 31, 1),
}

# Which part of a longer time is meant.
SECTIONS: Mapping[str, str] = {
    "early": "early",
    "mid": "middle",
    "late": "late",
    **dict.fromkeys(("start", "beginning", "inicio", "comeco", "principio", "comecos"), "start"),
    **dict.fromkeys(("middle", "meados", "meio"), "middle"),
    **dict.fromkeys(("end", "fim", "final", "fins", "finais"), "end"),
}

_PORTUGUESE = _set(
    """
    que em foi ha de da dos das um uma com para por voce eu meu minha quando onde quem ate desde entre na nas ao o os e
    nao dia ele ela isso fiz fizemos sobre falei
    """
)
_ENGLISH = _set(
    """
    the and of what did i is was were on in to my when we you between since before after until from with have for at it
    """
)


def is_portuguese(text: str, folded: str) -> bool:
    """Whether more of the text's little words are Portuguese than English; a letter with an accent counts as one."""
    accents = len(re.findall("[áàâãéêíóôõúç]", text.lower()))
    return accents + sum((word in _PORTUGUESE) - (word in _ENGLISH) for word in re.findall("[a-z]+", folded)) > 0


_PLAIN = str.maketrans("áàâãäåéèêëíìîïóòôõöúùûüçñýÿ’‘\u00a0\u202f", "aaaaaaeeeeiiiiooooouuuucnyy''  ")


def fold(text: str) -> str:
    """The text without case and accents, character for character, so that places in it stay true."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    return lowered if lowered.isascii() else lowered.translate(_PLAIN)


class Phrase:
    """A pattern compiled at its first use: a short-lived process that reads one question needs few of them."""

    __slots__ = ("_pattern", "_source")

    def __init__(self, source: str) -> None:
        self._source = source
        self._pattern: re.Pattern[str] | None = None

    @property
    def pattern(self) -> re.Pattern[str]:
        if self._pattern is None:
            self._pattern = re.compile(self._source)
        return self._pattern

    def match(self, text: str, place: int = 0) -> re.Match[str] | None:
        return self.pattern.match(text, place)

    def between(self, text: str, start: int, end: int) -> re.Match[str] | None:
        """The match that fills the whole stretch from start to end."""
        return self.pattern.fullmatch(text, start, end)

    def finditer(self, text: str, end: int) -> Iterator[re.Match[str]]:
        """Every match before that place."""
        return self.pattern.finditer(text, 0, end)

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return self.pattern.search(text, start, end)


def _phrase(pattern: str) -> Phrase:
    return Phrase(rf"(?:{pattern})\b")


def _ending(pattern: str) -> Phrase:
    """A pattern for what stands right before a time."""
    return Phrase(rf"(?<!\w)(?:{pattern})\Z")


_UNIT = f"(?P<unit>{one_of(UNITS)})"
_MONTH = f"(?P<month>{one_of(MONTHS)})"
_ANY_MONTH = f"(?P<month>{one_of([*MONTHS, *SHORT_MONTHS])})"
_WEEKDAY = f"(?P<weekday>{one_of(WEEKDAYS)})"
_SEASON = f"(?P<season>{one_of(SEASONS)})"
_PART = f"(?P<part>{one_of(DAY_PARTS)})"
_YEAR_NUMBER = r"(?:19|20)\d\d(?!\d)"
_YEAR_WORDS = "(?:last|this|next) year|(?:d?o |no )?(?:proximo ano|ano (?:passado|que vem))|[dn]?este ano"
YEAR_WORDS = Phrase(_YEAR_WORDS)
_OF_YEAR = rf"(?:(?:,? (?:of |de |do ano de |in )?|[-/](?=\d))(?P<year>{_YEAR_NUMBER}|{_YEAR_WORDS}))"
_DAY_NUMBER = r"\d{1,2}(?:st|nd|rd|th|[º°o])?(?![\w:%]|[.,/]\d)"

NAMED_DAY = _phrase(f"(?P<day>{one_of(DAY_OFFSETS)})(?! em dia)")
TONIGHT = _phrase("tonight")
RELATIVE_UNIT = _phrase(
    r"(?P<how>this past|last|past|previous|this|next|coming|upcoming|ultim[ao]s?|proxim[ao]s?|[dn]?est[ae]|n?ess[ae])"
    rf" (?:{NUMBER} )?{_UNIT}(?! \d)"
)
RELATIVE_NAME = _phrase(
    r"(?P<how>this past|last|past|previous|this|next|coming|upcoming|ultim[ao]|proxim[ao]|[dn]?est[ae])"
    rf" (?:{_WEEKDAY}(?P<feira>[- ]feira)?|{_MONTH}(?! \d)|{_SEASON}|{_PART})"
)
RELATIVE_STARTS = (
    "last past previous this next coming upcoming ultimo ultima ultimos ultimas proximo proxima proximos proximas"
    " este esta esse essa neste nesta nesse nessa deste desta"
)
UNIT_THEN_SIDE = _phrase(rf"{_UNIT} (?P<how>before last|after next|passad[ao]|retrasad[ao]|que vem)")
WEEKEND = _phrase("(?:weekend|(?:fim|final) de semana)(?! (?:of|d[eo]) )")
AGO = _phrase(rf"{NUMBER} {_UNIT}(?P<half> and a half| e mei[ao])?(?: or so)? (?P<side>ago|back|atras|from now)")
AWAY = _phrase(
    r"(?P<side>ha|faz|fazem|daqui a|dentro de) (?:cerca de |mais ou menos |quase |ja )?"
    rf"(?:{NUMBER}|uns|umas) {_UNIT}(?P<half> e mei[ao])?(?: atras)?(?! que| e mei)"
)
LASTING = frozenset({"ha", "faz", "fazem"})
HALF_YEAR = _phrase(
    "(?:half a year|meio ano) (?P<after>ago|back|atras|from now)|(?P<side>ha|faz|daqui a|dentro de) meio ano"
)
# Also how long something took: only what looks ahead is a time.
AHEAD = _phrase(rf"(?:in|em) (?:about |cerca de )?(?:{NUMBER}|uns|umas) {_UNIT}(?! (?:ago|atras|of|d[aeo]s?)\b)")
ENGLISH_WEEKDAY = _phrase(rf"(?P<weekday>{one_of(ENGLISH_WEEKDAYS)})(?:,? (?:of )?(?P<how>(?:last|this|next) week))?")
PORTUGUESE_WEEKDAY = _phrase(
    rf"(?P<weekday>{one_of(set(WEEKDAYS) - ENGLISH_WEEKDAYS)})(?P<feira>[- ]feira)?"
    r"(?: (?P<how>passad[ao]|retrasad[ao]|que vem|da semana (?:passada|que vem)|d?esta semana|da proxima semana))?"
)
MONTH_DAY = _phrase(
    rf"{_ANY_MONTH}\.? (?:the )?(?P<day>{_DAY_NUMBER})(?: ?(?:-|–|to|through) ?(?P<last>{_DAY_NUMBER}))?{_OF_YEAR}?"
)
MONTH_YEAR = _phrase(rf"{_ANY_MONTH}\.?{_OF_YEAR}(?![-/]\d)")
DAY_MONTH = _phrase(
    rf"(?P<day>{_DAY_NUMBER}|primeiro)(?: ?(?P<to>-|–|to|through|and|a|e|ate) ?(?P<last>{_DAY_NUMBER}))?"
    rf"(?P<of> (?:of|de) | |-|/){_ANY_MONTH}\b\.?{_OF_YEAR}?"
)
LONE_MONTH = _phrase(_MONTH)
SEASON = _phrase(rf"{_SEASON}(?:{_OF_YEAR}| (?P<how>passad[ao]|que vem))?(?! (?:months|season|or|and|ou|e) )")
FEAST = _phrase(
    r"(?:(?P<how>this past|last|past|previous|this|next|coming|ultimo|proximo|n?este) )?"
    rf"(?P<feast>{one_of(FEASTS)})(?:{_OF_YEAR}| (?P<after>passado|que vem))?"
)
QUARTER = _phrase(rf"q(?P<ordinal>[1-4]){_OF_YEAR}?(?!:)")
PART_OF_YEAR = _phrase(
    rf"(?P<ordinal>{one_of(ORDINALS)}) (?P<unit>quarter|half|trimestre|semestre)"
    rf"(?:{_OF_YEAR}|(?P<current> of the year| do ano))?(?! d[aeo] )"
)
PIECE_OF_MONTH = _phrase(
    rf"(?P<place>{one_of(PLACES)}) (?:{_WEEKDAY}(?:-feira)?|(?P<unit>weekend|week|fim de semana|semana))"
    rf" (?:of|in|d[eo]|em) {_MONTH}{_OF_YEAR}?"
)
SECTION_OF_UNIT = _phrase(
    rf"(?P<section>{one_of(SECTIONS)}) (?:of (?:the |this )?|d[oa] |d?est[ae] |dess[ae] )"
    r"(?P<unit>week|month|quarter|year|semana|mes|trimestre|ano)"
    r"(?! (?:passad|retrasad|que vem|anterior|seguinte|before|after|\d))"
)
ENGLISH_DECADE = _phrase(r"(?P<decade>(?:19|20)\d0|[3-9]0)'?s(?! to (?:low|high)|.{0,24}(?:°|degree))")
PORTUGUESE_DECADE = _phrase(r"(?:anos|decada de) (?P<decade>(?:19|20)\d0|\d0)(?!\d)")
ISO_DATE = _phrase(
    r"(?P<year>(?:19|20)\d\d)(?P<gap>[-/.])(?P<month>\d{1,2})(?P=gap)(?P<day>\d{1,2})(?:t\d\d:\d\d(?::\d\d)?)?"
)
ISO_MONTH = _phrase(r"(?P<year>(?:19|20)\d\d)-(?P<month>0[1-9]|1[0-2])(?!-?\d)")
NUMERIC_DATE = _phrase(
    r"(?P<one>\d{1,2})(?P<gap>[-/.])(?P<two>\d{1,2})(?P=gap)(?P<year>(?:19|20)\d\d|\d\d(?<=/\d\d))(?![-/.]?\d)"
)
SHORT_DATE = _phrase(r"(?P<one>\d{1,2})(?P<gap>/)(?P<two>\d{1,2})(?![/.]?\d)")
YEAR_RANGE = _phrase(rf"(?P<one>{_YEAR_NUMBER}) ?(?P<to>-|–|to|through|until|and|a|ate|e) ?(?P<two>{_YEAR_NUMBER})")
LONE_YEAR = _phrase(
    rf"(?P<year>{_YEAR_NUMBER})(?!'?\w|[.,:/-]\d| ?[%€$]| ?(?:to|or|and|a|e|ou|-|–) ?(?!(?:19|20)\d\d\b)\d)"
)
# What is counted rather than dated: a unit, or a plural that is no Portuguese verb in -mos and no common little word.
COUNTED_AFTER = _phrase(
    r" (?:people|persons|euros?|dollars?|reais|real|usd|eur|mil|km|kg|gb|mb|words?|tokens?|calor\w+|pessoas?|bc"
    r"|[a-z]{3,}(?<!mo)(?<!alway)(?<!plu)(?<!acros)(?<!perhap)(?<!thi)(?<!doe)(?<!depoi)(?<!ante)s)"
)
DAY_OF_MONTH = _phrase(
    r"(?P<day>\d{1,2})(?:st|nd|rd|th)(?=\s*(?:$|[.,;!?)]))|dia (?P<dia>\d{1,2})(?! d[eo] |[:/h,.]?\d|h)"
)

DAY_BY_MONTH = Phrase(r"\d.*[a-z]{3}|[a-z]{3}.*\d")

PART_AFTER = _phrase(rf",? (?:in the |at |de |da |a |pela |na )?{_PART}")
SHADE_BEFORE = _ending(
    rf"(?:{_PART}|(?P<weekend>weekend|(?:fim|final) de semana)|week|semana) (?:of|d[eo]) (?:the |dia )?"
)
DATE_AFTER_WEEKDAY = Phrase(r",? (?:the |dia |o dia )?")
SECTION_BEFORE = _ending(
    rf"(?:(?P<adjective>early|mid|late)[ -](?:in )?|(?P<section>{one_of(SECTIONS)}) (?:of (?:the )?|d[eoa] ))"
)
INSIDE_WORD = Phrase(r"[\w@#/\\.$€£=&+]\Z|(?<!mid)(?<!early)(?<!late)\d?-\Z")

# What stands before a time and bounds it, and what joins two of them.
FRAME_BEFORE = _ending(
    r"(?:(?P<since>since|starting(?: from| in| on)?|as of|desde|a partir d[eoa])|(?P<after>after|depois d[eoa]|apos)"
    r"|(?P<before>before|prior to|antes d[eoa])|(?P<until>until|till|up to|ate|by)"
    r"|(?P<between>between|from|entre|d[eo]))"
    r"(?: (?:in|on|the|o|a|em|no|na|ao|dia|d[eoa]))* "
)
CONNECTOR = Phrase(
    r",? ?(?:(?P<both>and|e)|(?P<to>to|until|till|through|thru|ate|a|ao|-|–|—))"
    r"(?: (?:the|o|a|ao|em|no|na|in|on|dia))* ?"
)
QUANTITY_BEFORE = _ending(rf"(?:{NUMBER} )?{_UNIT} ")
WEEKDAY_BESIDE = Phrase(r" (?P<side>before|after|antes d[eo]|depois d[eo]) (?:the |dia |o dia )?")
AGO_AFTER_WEEKDAY = Phrase(r",? (?:of |de |from )?")
BACK = _phrase(".*(?:ago|back|atras)")
WEEKS_FROM = _ending(rf"{NUMBER} weeks? (?:from|on) ")
DEADLINE = _ending("by (?:the )?|para (?:[ao] )?")

# What stands before a word decides whether it is a time at all.
LAST_IS_VERB = _ending(r"(?:will|to|would|can|could|may|might|should|must|not|\w*n't|\w*'ll|did|does|do) ")
RECURRENT = _ending(r"(?:every|each|most|any|some|toda|todas as|todo|todos os|cada|aos|as|nas|nos) (?:other )?")
FEAST_BEFORE = _ending(r"(?:black|good|easter|cyber|ash|palm|super|happy|bloody|casual|holy|fat|big) ")
WEEKDAY_PREFIX = _ending(
    r"(?:na|no|nesta|neste|esta|este|da|do|desde|ate|antes d[ea]|depois d[ea]|ultim[ao]|proxim[ao]|para|entre|[aoe]|de)"
    r"(?: a| o)? "
)
# "Na segunda vez", "a quinta do avô": these ordinals are days only where a sentence ends or goes on without their noun.
AFTER_ORDINAL_DAY = Phrase(
    r"\s*(?:$|[.,;:!?)\]\"…\n–—-]|(?:e|ou|ate|as|a (?:noite|tarde|terca|quarta|quinta|sexta|sabado|domingo)"
    r"|de (?:manha|tarde|noite|madrugada)|eu|ele|ela|nos|nao|eles|elas|voces?|que vem|passada|quando|porque|com"
    r"|fui|foi|fomos|foram|vou|vai|vamos|tive|tivemos|estive|fiz"
    r"|fizemos|disse|[a-z]{3,}ei|falamos|comi|vi|dia)\b)"
)
ORDINAL_USE = Phrase(
    r" (?:vez|vezes|parte|fase|guerra|divisao|edicao|temporada|posicao|fila|rodada|serie|classe|pagina|linha|etapa"
    r"|opcao|pessoa|tentativa|aula|versao|reuniao|semana|maior|melhor|pior|mais"
    r"|d[aeo]s? (?!manha|tarde|noite|madrugada))"
)
WEEKEND_PREFIX = _ending(
    r"(?:(?:over|at|on|during|since|until|before|after|by|of|for|from) the|no|n?este|n?esse|do|durante o|desde o"
    r"|ate o) "
)
SURE_MONTH_PREFIX = _ending(
    r"(?:in|during|since|before|after|until|till|by|early|mid|late|of|throughout|em|durante|desde|ate|apos|antes de"
    r"|depois de|a partir de|mes de|inicio de|fim de|final de|meados de|comeco de)[ -](?:late |early |mid[ -])?"
)
NO_MONTH_BEFORE = _ending("rio de ")
NAME_AFTER = Phrase(r" [A-Z][a-z]")
MONTH_PREFIX = _ending("(?:from|through|between|entre|de) ")
CONNECTED = _ending(
    rf"(?:\d{{1,4}}|(?:in|from|between|since|em|entre|de|desde) (?:[a-z]+ )?{one_of(MONTHS)}|{one_of(SAFE_MONTHS)})"
    r"(?: (?:to|and|through|until|a|e|ate)|,) "
)
SEASON_PREFIX = _ending(
    r"(?:(?:in|during|over|since|until|before|after|(?:end|start|beginning|middle) of) the|no|na|neste|nesta"
    r"|durante [oa]|desde [oa]|ate [oa]|antes d[oa]|depois d[oa]|(?:fim|final|inicio|meados) d[oa]) "
)
FEAST_PREFIX = _ending(r"(?:at|on|for|since|before|after|until|till|over|during|around|by|no|o|do|ao|pelo)(?: the)? ")
QUARTER_PREFIX = _ending(
    r"(?:in|during|since|before|after|until|by|of|for|from|no|em|desde|ate|late|early|the|and|to) "
)
YEAR_PREFIX = _ending(
    r"(?:in|since|before|after|until|till|during|throughout|from|year|between|around|by|early|mid|late|end of|start of"
    r"|beginning of|em|desde|ate|antes de|depois de|apos|durante|ano|ano de|entre|inicio de|fim de|final de|meados de"
    r"|comeco de|a partir de)[ -]"
)
DECADE_PREFIX = _ending(r"(?<!temperatures in )(?<!highs in )(?<!lows in )the (?:early |mid[- ]|late )?'?")
DAY_PREFIX = _ending(
    r"(?:on|since|until|till|by|before|after)(?: the)? |(?:no|o|ao|do|desde|ate|em|para o)(?: o| ao)? "
)
SHORT_DATE_PREFIX = _ending("(?:on|dia) ")

# What people are doing on a day to come when they say that they are doing it then.
SETTING_OUT = (
    "moving|relocating|flying|going|leaving|travell?ing|heading|returning|visiting|starting|getting married|graduating"
    "|retiring|hosting|attending|competing|launching|arriving|seeing|meeting|opening|throwing|presenting|performing"
)
# Occasions of which nobody has one every week: whoever has one on Monday speaks of what comes.
ONE_TIME = (
    "(?:appointment|interview|exam|flight|recital|wedding|check-?up|surgery|operation|conference|trip|audition|hearing"
    "|due date|reunion|exhibition|graduation|marathon|tournament)"
)
ONE_TIME_PT = (
    "(?:consulta|entrevista|prova|exame|voo|casamento|cirurgia|confer[êe]ncia|viagem|audi[çc][ãa]o|exposi[çc][ãa]o"
    "|formatura|congresso|vestibular|concurso|maratona|torneio)"
)
SETTING_OUT_PT = "mudando|indo|viajando|voltando|partindo|de mudan[cç]a|a mudar|a viajar"

_FUTURE = (
    r"\b(?:will|shall|gonna|(?<!was )(?<!were )going to|plan(?:s|ning)? (?:to|for)|upcoming|next|tomorrow|scheduled?"
    r"|remind|vou|vai|vamos|vao|irei|iremos|sera|serao|proxim[ao]s?|amanha|que vem|marcad[ao]s?|agendad[ao]s?"
    r"|lembr[ae])\b|'ll\b"
    rf"|(?:\b(?:am|is|are)|'(?:m|s|re)) (?:{SETTING_OUT})\b"
    rf"|\b(?:estou|esta|estamos|estao) (?:me |se |nos )?(?:{SETTING_OUT_PT})\b"
    r"|(?:(?<!did )\b(?:i|we) have|'ve got|\bhas|'m (?:running|taking|having))(?: an?| my| our)?"
    rf"(?: (?!from|after|of|about|for|since)[a-z-]+){{0,3}}? {ONE_TIME}\b"
    rf"|\b(?:my|our)(?: [a-z-]+){{0,3}}? {ONE_TIME} is\b"
    rf"|\b(?:tenho|temos|tem)(?: uma?| meu| minha)?(?: [a-z]+)? {ONE_TIME_PT}\b|\b(?:meu|minha) {ONE_TIME_PT} e\b"
)
FUTURE = Phrase(_FUTURE)
# Weaker signs, enough for "in three days": it is either a time ahead or how long something took, never a time behind.
LOOKS_AHEAD = Phrase(
    rf"{_FUTURE}|\b(?:plans?|planning|wants?|hopes?|due|leaves?|starts?|begins?|ends?|opens?|moves?|fl(?:y|ies)"
    r"|go(?:es)?|arrives?|turns?|retires?|(?:is|am|are) (?:\w+ )?\w+ing)\b|\w'(?:s|m|re) \w+ing\b"
)

# What keeps a relative time from being written as a date: possession, a title, a choice, a stretch up to today.
NOT_ALONE = Phrase(
    r"[\"“”«]\Z|(?<!\w)(?:or|ou|all|every|each|tod[oa]s?(?: [oa])?|at least|pelo menos|exactly|exatamente) \Z"
)
POSSESSED = Phrase(r"'s?\b|-[a-z]|[\"“”»]| (?:letivo|lectivo|escolar|fiscal)\b")
STEP = _phrase("last|next|previous|past|this|[dn]?est[ae]|proxim[ao]|ultim[ao]")
OWNED = _ending(r"(?:the|my|your|his|her|its|our|their|[a-z]+'s|meu|minha|teu|tua|seu|sua|noss[oa]) (?:very )?")
PART_OF = Phrase(" (?:of|d[aeo]) ")
NAME_OF_TIME = _phrase(one_of([*WEEKDAYS, *MONTHS, *SHORT_MONTHS, *{name.split()[0] for name in FEASTS}]))
BEYOND = _ending(r"(?:over|under|more than|less than|almost|nearly|mais de|menos de) ")
LOOSELY = _ending("(?:about|around|roughly|approximately|some) ")
LOOSELY_INSIDE = Phrase(r"\b(?:about|or so|cerca de|mais ou menos|quase)\b")

SINCE = _ending("(?:since|desde)(?: [oa]| the)? ")
# "Since Monday is a holiday" gives a reason.
AFTER_SINCE = Phrase(r"\s*(?:$|[.,;!?)]|(?:with|at|in|as|and|but|because|com|em|n[ao]|como|e|mas|porque)\b)")

# What stands before and after a weekday, a month or a day of the month when something happens then.
THEN = _ending(
    r"on (?:the )?|(?:in|during|em|durante)(?: early| late| mid)?[ -]|n[ao] (?:dia )?"
    r"|(?:start|beginning|middle|end|inicio|comeco|meados|fim|final) (?:of|de) "
)
AFTER_THEN = Phrase(
    r"\s*(?:$|[.,;:!?)])| (?:at|with|for|in|to|from|and|but|because|by|around|after|before|as|near|com|em|para|pra"
    r"|n[ao]s?|as|a|ao|e|mas|porque|por|depois|antes)\b"
)
# "On Monday, the 4th": which Monday is told right after.
NUMBER_AFTER = Phrase(r"[\s,(]+(?:the |no |o )?(?:dia )?\d{1,2}(?:st|nd|rd|th|(?![\d:]|\s*(?:am|pm|h)\b))")

# The Portuguese verb that tells what is over and done; the present tense tells what has gone on since.
DONE = _phrase(
    r"\b(?!estou|museu|pneu|chapeu|trofeu|europeu|judeu|liceu|romeu|ateu|plebeu)[a-z]{2,}(?:ou|eu|iu)"
    r"|\b(?:deu|leu|viu|riu|foi|foram|fez|fizeram|teve|tiveram|esteve|veio|vieram|disse|quis|soube|trouxe|houve)"
)
NEGATED = Phrase(r"\b(?:nao|nunca|nem)\b")
PARTICIPLE = Phrase(r"[ai]d[ao]s? \Z")
WAS_DONE = Phrase(r"\bfo(?:i|ram) (?:\w+ )?\w+ \Z")
CLAUSE_END = Phrase(r"[,;:.!?()\n]|\b(?:e|mas|que|porque|pois|quando|onde|enquanto)\b")

# Without one of these words, or a digit, no time is named.
SIGNS = frozenset({*WEEKDAYS, *MONTHS, *SEASONS}) | _set(
    """
    today hoje yesterday ontem anteontem tomorrow amanha tonight ago atras back now weekend last past previous this next
    coming upcoming before half quarter end start beginning middle q ha faz fazem daqui dentro ultimo ultima ultimos
    ultimas proximo proxima proximos proximas este esta esse essa neste nesta nesse nessa deste desta passado passada
    retrasado retrasada vem fim final inicio comeco meados trimestre semestre decada anos hour hours hora horas day days
    christmas natal boxing reveillon valentine halloween
    dia dias week weeks semana semanas month months mes meses year years ano
    """
)
