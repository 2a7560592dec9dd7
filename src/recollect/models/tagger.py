"""Entity mentions found in a text by rules and by a list of known names, fast enough for every message that comes in.

Text goes in, typed spans come out; nothing here asks a model, a store or the network.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Mention:
    """A named thing at one place of a text; `end` is the first character after it."""

    text: str
    type: str
    start: int
    end: int
    confidence: float


class Tagger(Protocol):
    """Finds mentions; `accurate` says whether nightly enrichment gains anything from it."""

    name: str
    accurate: bool

    def tag(self, text: str) -> list[Mention]:
        """The mentions in the text, in order, none overlapping another."""
        ...


def merge(mentions: Iterable[Mention]) -> list[Mention]:
    """The mentions that remain when of overlapping ones the surest, then the longest, wins; in order of place."""
    starts: list[int] = []
    kept: list[Mention] = []
    for mention in sorted(mentions, key=lambda m: (-m.confidence, m.start - m.end, m.start)):
        place = bisect_left(starts, mention.start)
        if place and kept[place - 1].end > mention.start:
            continue
        if place < len(kept) and kept[place].start < mention.end:
            continue
        starts.insert(place, mention.start)
        kept.insert(place, mention)
    return kept


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that open a sentence, or stand capitalised for emphasis, far more often than they name something.
_COMMON = _words(
    """
    a about above actually af after again against ago ah ain aka all almost along already alright also although
    always am amazing an and another any anybody anyone anything anyway apparently are aren around as asap ask
    asked at away awesome back bad basically be because been before being believe best better between big both
    btw but by bye call called came can cannot cd check click come comes congrats congratulations cool could
    couldn crazy cute dad damn day days dear did didn diy do does doesn don done dont down dude during dvd each
    either else end enough even ever every everybody everyone everything exactly except faq father finally fine
    first follow for found from ftw full fun funny fyi gave get gets getting girl girls give go god goes going
    gone gonna good got great guess guy guys ha had hadn haha half happy hard has hasn hate have haven having he
    hell hello help hence her here hers hey hi him his hmm holy home honestly hope how however i id idk if ill
    im imagine imo in indeed instead interesting into is isn isnt it its ive just keep kind kk know last lately
    later learn leave less let lets life like listen literally little lmao lol long look looked looking looks
    lot love lovely made mainly make makes making man many maybe me mean meanwhile men might mine mom more
    moreover most mostly mother much mum must my myself need needs neither never new next nice no nobody none
    nope nor not note nothing now obviously of off often oh ok okay old omg on once one ones only or other
    others our out over own pc pcs people perfect perhaps personally play please pm possible pretty probably ps
    put quick quite rather read real really recently regarding remember right rip rofl sad said same saw say
    says second see seems seen send several shall she should shouldn show shut similarly simple simply since sit
    smh so some somebody somehow someone something sometimes soon sorry sounds start still stop such super sure
    take talk tbh tell terrible than thank thanks that the their them then there therefore these they thing
    things think third this those though thought three through thus time to today together tomorrow tonight too
    top totally tried true truly try trying turn tv two ugh under unfortunately unless until up update upon us
    use used using usually very video vs wait wake wanna want wanted was wasn watch watched watching way we
    welcome well went were what whatever when whenever where whether which while who whoever whole whom whose
    why will wish with within without woman women won wonder wonderful wont word work works worst would wouldn
    wow wrong wtf wth yeah year years yep yes yesterday yet yo you young your yours yup abaixo acho acima
    acredito afinal agora ainda além algo alguém algum alguma algumas alguns ali aliás amanhã amigo amigos ano
    anos antes ao aonde aos apenas apesar após aquela aquelas aquele aqueles aqui aquilo assim até através atrás
    atualmente bem boa boas bom bons cada caro casa caso cerca certamente certo claro coisa coisas com como
    conforme conhece contra contudo cuidado da dado daí dali daqui das de deixa dela dele deles depois desde
    dessa desse desta deste deve devem dia dias disse dito diz dizem dois dos durante e eis ela elas ele eles em
    embora enfim enquanto entanto então entre era eram essa essas esse esses esta estamos estas estava estavam
    está estávamos estão este estes estou eu exato existe existem é és fala faz fazer feito feliz fica ficou fim
    foi fomos fora foram fui gente geralmente gostaria gostei gosto graças grande há hoje homem ia importante
    infelizmente isso isto jamais já lá lembra lembre lhe lho logo longe maioria mais mal mas meio melhor menos
    mesmo meu meus minha minhas muita muitas muito muitos mulher mulheres na nada naquela naquele nas não nem
    nenhum nenhuma nessa nesse nesta neste ninguém nos nossa nossas nosso nossos nova novas novo novos nós num
    numa nunca o obrigada obrigado obviamente oi olá olha onde ontem ora os ou outra outras outro outros para
    parabéns parece parte pela pelas pelo pelos pena penso pequeno perto pessoa pessoas pode podem podemos pois
    por porém porquanto porque portanto possivelmente posso pouco poucos precisa precisamos preciso primeira
    primeiro principalmente provavelmente próximo quais qual qualquer quando quanto quantos quase que quem quer
    quero realmente recentemente saiba são se segunda segundo sei seja sem sempre sendo senhor senhora senhores
    será serão seria seu seus sim sobre sobretudo somente somos sou só sua suas tal talvez também tampouco tanto
    tão te tem temos tenha tenho ter terá teu teve têm tinha tive toda todas todavia todo todos trata três tu
    tua tudo um uma uns última último vai vamos vão veja vem ver verdade vez vezes vi você vocês vou
    """
)
# Of those, the ones that begin many names when another capital follows: New York, São Paulo, Grande Porto.
_MAY_LEAD = _words("new são nova novo old big little great super real top best young grande casa")
_CALENDAR = _words(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december segunda terça quarta quinta sexta sábado domingo segunda-feira
    terça-feira quarta-feira quinta-feira sexta-feira janeiro fevereiro março abril maio junho julho agosto
    setembro outubro novembro dezembro christmas easter natal páscoa carnaval spring summer autumn winter
    primavera verão outono inverno
    """
)
_GIVEN = _words(
    """
    aaron abigail adam alan albert alex alexander alice amanda amy andrea andrew angela anna anne anthony arthur
    ashley barbara ben benjamin betty bob bobby brandon brian bruce bryan carl carol caroline catherine charles
    charlotte chloe chris christina christine christopher cynthia dan daniel david deborah dennis diana diane
    donald donna dorothy douglas dylan edward elizabeth ella emily emma eric ethan eugene evelyn frances gabriel
    gary george gerald gregory hannah harold harry heather helen henry jack jacob james jane janet jason jeff
    jeffrey jennifer jeremy jerry jesse jessica jim joan joe john johnny jonathan joseph joshua joyce juan
    judith judy julia julie justin karen kate katherine kathleen keith kelly kenneth kevin kimberly kyle larry
    laura lauren lawrence leo liam linda lisa logan louis luke margaret martha martin mary matt matthew megan
    melissa mia michael michelle mike nancy nathan nicholas nick nicole noah oliver olivia pamela patricia
    patrick paul peter philip rachel ralph raymond rebecca richard robert roger ronald ruth ryan sam samantha
    samuel sandra sara sarah scott sean sharon shirley sophia sophie stephanie stephen steve steven susan teresa
    terry thomas tim timothy tom tony tyler victoria vincent walter wayne william zachary zoe adriana adriano
    afonso alexandre aline ana andreia andré angélica antônia antônio antónia antónio beatriz bernardo bruna
    bruno camila carla carlos carolina catarina cláudia cláudio cristiane cristina daniela davi diego diogo
    duarte débora eduardo elisa fabiana felipe fernanda fernando filipa filipe flávio francisca francisco fábio
    gabriela geraldo gonçalo guilherme gustavo helena henrique hugo igor inês isabel isabela jaqueline joana
    joaquim jorge josefa josé joão juliana jéssica júlia júlio larissa leandro leonardo leonor letícia lucas
    luciana luciano luiz luzia luís lúcia manuel marcelo marcos margarida maria mariana marta mateus matilde
    miguel márcia márcio mário mônica mónica natália nuno patrícia paula paulo pedro rafael rafaela raimunda
    raquel renata renato ricardo rita roberto rodrigo rogério ronaldo rui sebastião sofia sónia sônia sérgio
    terezinha thiago tiago vanessa vinícius vítor
    """
)
_PLACES = (
    _words(
        """
    africa america amsterdam angola argentina asia athens australia austria bangkok barcelona beijing belgium
    berlin boston brasil brazil brussels canada chicago chile china colombia copenhagen cuba denmark dubai
    dublin edinburgh egypt england europe finland france germany ghana greece hungary iceland india indonesia
    iran iraq ireland israel istanbul italy japan kenya lisbon london madrid malaysia manchester mexico miami
    milan montreal morocco moscow mozambique munich nairobi netherlands nigeria norway oslo pakistan paris peru
    philippines poland porto portugal prague rome russia scotland seattle seoul shanghai singapore spain
    stockholm sweden switzerland sydney taiwan thailand tokyo toronto turkey ukraine usa vancouver venice vienna
    vietnam wales warsaw washington zurich alemanha américa aveiro bahia berlim braga brasília bruxelas canadá
    coimbra curitiba espanha europa faro florianópolis fortaleza frança grécia holanda índia inglaterra irlanda
    itália japão lisboa londres luanda macau maputo marrocos méxico moçambique polónia recife roma rússia suécia
    suíça ucrânia
    """
    )
    | {"new york", "los angeles", "san francisco", "united states", "united kingdom", "são paulo", "rio de janeiro"}
    | {"belo horizonte", "porto alegre", "nova iorque", "nova york", "estados unidos", "reino unido", "minas gerais"}
)
_ORGANIZATION_WORDS = _words(
    """
    inc ltd llc corp corporation company gmbh plc group foundation institute university college school bank
    association society committee council ministry department agency hospital museum federation airlines
    universidade faculdade instituto escola colégio banco associação fundação ministério secretaria câmara
    tribunal prefeitura conselho comissão comité comitê partido sindicato companhia editora clube federação
    museu ltda grupo
    """
)
_LOCATION_WORDS = _words(
    """
    street avenue road boulevard blvd lane square park bridge river lake mount mountain island beach bay valley
    county airport rua avenida praça largo travessa estrada rodovia parque ponte rio lago serra monte ilha praia
    baía aeroporto
    """
)

_UPPER = "A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĖĘĚĞĢĪĮİĶĹĻŁŃŅŇŌŐŒŔŘŚŞŠŢŤŪŮŰŲŹŻŽΑ-ΩА-ЯЁ"
_INNER = r"(?:['’](?!(?:s|m|t|d|ve|re|ll)\b)|[-&])\w+|\.(?:js|io|ai|com|net|org)\b"
_NAME = (
    rf"(?:(?:[{_UPPER}]|Mrs?|Ms|Dra?|Prof|Sra?|Srta|Eng|Capt|Rev)\.(?:[{_UPPER}]\.)*(?!\w)|[{_UPPER}]\w*(?:{_INNER})*)"
)
_JOINS = _words("da das de do dos del della di du von van der den la of the &")
_JOIN = r"(?:d[aeo]s?|del|della|di|du|von|van|der|den|la|of(?:\ the)?|&)"
_RUN = re.compile(rf"(?<![\w@#/\\`.-]){_NAME}(?:\ (?:{_JOIN}\ )?{_NAME})*")
_WORD = re.compile(r"\S+")
_TITLES = _words(
    "mr mrs ms miss dr dra prof professor professora sir sr sra srta doutor doutora dona dom d eng capt rev"
)
_BEFORE_SENTENCE = ".!?:…\n•|>"
_OPENING_MARKS = " \t\"'“‘«([*_–—-"

# A capital at the start of a sentence proves nothing; what follows a name does.
_FOLLOWS_NAME = re.compile(
    r"['’]s\b|\ (?:is|was|has|had|will|would|said|says|told|went|lives|works|likes|wants|and\ [A-Z]"
    r"|é|foi|era|tem|vai|está|disse|mora|trabalha|gosta|quer|e\ [A-ZÀ-Þ])\b"
)
_WORDLY = re.compile(r"(?:ly|ing|ed|tion|ness|ment|ful|less|ous|ble|ndo|mente|ção|ções|dade|ram|mos|ou|ava|[aei]r)$")
_OWN = _words("my his her our their your meu minha seu sua nosso nossa")
_KIN = _words(
    """
    brother sister wife husband son daughter mother father mom mum dad friend boss colleague neighbour neighbor
    girlfriend boyfriend partner cousin nephew niece irmão irmã esposa esposo mulher marido filho filha mãe pai
    amigo amiga chefe colega vizinho vizinha namorado namorada primo prima sobrinho sobrinha tio tia avó avô
    """
)
_TOWARDS = _words("in to em para no na")
_DWELLING = _words(
    """
    live lives lived living move moved moving born based arrived flew trip travel travelled traveled moro mora
    morei morava morando vivo vive vivi vivia vivendo mudei mudou mudei-me mudou-se nasci nasceu cheguei viajei
    viajou
    """
)
_PROJECT = _words("project projeto projecto repo repository repositório")
_AFTER_PROJECT = re.compile(r"\ (?:project|repo|repository)\b")

_MONTHS = (
    "jan(?:uary|eiro)?|feb(?:ruary)?|fev(?:ereiro)?|mar(?:ch|ço)?|a[pb]r(?:il)?|may|maio|june?|junho|july?|julho|"
    "aug(?:ust)?|ago(?:sto)?|sep(?:t(?:ember)?)?|set(?:embro)?|oct(?:ober)?|out(?:ubro)?|nov(?:ember|embro)?|"
    "de[cz](?:ember|embro)?"
)
_DIGIT_DATE = re.compile(
    rf"""
    (?<!\w)(?: \d{{4}}-\d\d-\d\d | \d{{1,2}}[/.]\d{{1,2}}[/.](?:\d{{4}}|\d\d)
    | \d{{1,2}}(?:st|nd|rd|th|º)?\ (?:de\ |of\ )?(?:{_MONTHS})\b\.?(?:,?\ (?:de\ )?[12]\d{{3}})? )\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_BEFORE_NUMBER = re.compile(rf"\b(?:(?P<month>{_MONTHS})\.?\ (?:de\ |of\ )?|(?:in|em|since|desde)\ )$", re.IGNORECASE)
_AFTER_MONTH = re.compile(r"(?:[12]\d{3}|\d{1,2}(?:st|nd|rd|th)?(?:,?\ [12]\d{3})?)\b")
_LONE_YEAR = re.compile(r"(?:1[5-9]|20)\d\d\b(?!\ \w+s\b)")
_NUMBER = re.compile(r"\d(?<![\w.,:/-]\d)")


@dataclass(frozen=True, slots=True)
class _Shape:
    """A kind of span with an unmistakable shape; `marker` is a text without which it cannot occur."""

    marker: str
    type: str
    confidence: float
    pattern: re.Pattern[str]


_URL_END = r"[^\s<>\"'`)\]}]*[^\s<>\"'`)\]}.,;:!?]"
_FILE = r"(?:py|[jt]sx?|rs|go|java|c|h|cpp|rb|md|toml|ya?ml|json|sql|sh|txt|csv|pdf|html|css)"
_SHAPES = (
    _Shape("`", "code", 0.97, re.compile(r"`([^`\n]{1,120})`")),
    _Shape("://", "url", 0.99, re.compile(rf"\b(?:https?|ftp)://{_URL_END}")),
    _Shape("www.", "url", 0.98, re.compile(rf"\bwww\.{_URL_END}")),
    _Shape("@", "email", 0.98, re.compile(r"\b[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+\b")),
    _Shape("@", "mention", 0.95, re.compile(r"@(?<![\w@.]@)(?:\w[\w.-]*\w|\w)|<@!?\d+>")),
    _Shape("#", "hashtag", 0.95, re.compile(r"#(?<![\w#&/]#)[^\W\d_]\w*")),
    _Shape("/", "path", 0.9, re.compile(rf"(?<![\w/:.@+-])(?:~|\.{{1,2}})?/?(?:[\w.@+-]+/)+[\w.@+-]*\w\.{_FILE}\b")),
    _Shape("/", "path", 0.85, re.compile(r"(?<![\w/:.<])(?:~|\.{1,2})?/(?:[\w.@+-]+/)*[\w.@+-]*\w")),
    _Shape(":\\", "path", 0.9, re.compile(r"\b[A-Za-z]:\\[\w.\\-]*\w")),
    _Shape(".", "path", 0.85, re.compile(rf"(?<![\w/.-])\w[\w-]*\.{_FILE}\b")),
    _Shape("_", "code", 0.8, re.compile(r"(?<![\w/.])[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)+(?:\(\))?")),
    _Shape("()", "code", 0.8, re.compile(r"(?<![\w/.])[A-Za-z_][\w.]*\(\)")),
)
_CAMEL = re.compile(r"(?<![\w@#/.])[a-z]{2,}[A-Z][a-z]\w*")
# Without one there is no such word; capitals are rarer than small letters, so looking for it is quicker.
_HUMP = re.compile(r"[A-Z](?<=[a-z]{2}[A-Z])[a-z]")


class RegexTagger:
    """Mentions by shape alone: marks such as @ and #, addresses, dates, code, and runs of capitalised words."""

    name = "regex"
    accurate = False

    def tag(self, text: str) -> list[Mention]:
        """The mentions in the text, in order, none overlapping another."""
        return merge([*_shaped(text), *_names(text)])


def _shaped(text: str) -> Iterator[Mention]:
    for shape in _SHAPES:
        if shape.marker in text:
            for match in shape.pattern.finditer(text):
                start, end = match.span(match.lastindex or 0)
                yield Mention(text[start:end], shape.type, start, end, shape.confidence)
    for match in _CAMEL.finditer(text) if _HUMP.search(text) else ():
        yield Mention(match.group(), "code", match.start(), match.end(), 0.7)
    for match in _NUMBER.finditer(text):
        span = _date(text, match.start())
        if span:
            yield Mention(text[slice(*span)], "date", *span, 0.9)


def _date(text: str, number: int) -> tuple[int, int] | None:
    """The date around the number that starts here, if there is one."""
    match = _DIGIT_DATE.match(text, number)
    if match:
        return match.span()
    before = _BEFORE_NUMBER.search(text, max(0, number - 16), number)
    if not before:
        return None
    after = (_AFTER_MONTH if before["month"] else _LONE_YEAR).match(text, number)
    return (before.start() if before["month"] else number, after.end()) if after else None


def _names(text: str) -> Iterator[Mention]:
    if len(text) > 12 and text.isupper():
        return
    for match in _RUN.finditer(text):
        words = [word.span() for word in _WORD.finditer(text, *match.span())]
        titled = _trim(text, words)
        if words:
            mention = _name(text, words, titled=titled, opens=_opens_sentence(text, words[0][0]))
            if mention:
                yield mention


def _opens_sentence(text: str, start: int) -> bool:
    before = text[max(0, start - 8) : start].rstrip(_OPENING_MARKS)
    return not before or before[-1] in _BEFORE_SENTENCE


def _trim(text: str, words: list[tuple[int, int]]) -> bool:
    """Takes titles and common words off both ends of a run of words; True when a person's title was among them."""
    titled = False
    while words:
        first = text[slice(*words[0])]
        following = text[slice(*words[1])].lower() if len(words) > 1 else ""
        if following and first.rstrip(".").lower() in _TITLES:
            titled = True
        elif not _is_filler(first.lower()) or (first.lower() in _MAY_LEAD and following and not _is_filler(following)):
            break
        words.pop(0)
    while words and _is_filler(text[slice(*words[-1])].lower()):
        words.pop()
    return titled


def _is_filler(word: str) -> bool:
    return word in _COMMON or word in _JOINS


def _name(text: str, words: list[tuple[int, int]], *, titled: bool, opens: bool) -> Mention | None:
    start, end = words[0][0], words[-1][1]
    name = text[start:end]
    lowered = name.lower()
    if len(name) < 2 or lowered in _CALENDAR:
        return None
    kind, confidence = ("person", 0.85) if titled else _type(text, start, end)
    if kind == "other" and len(words) == 1 and opens:
        if not _FOLLOWS_NAME.match(text, end) or _WORDLY.search(lowered):
            return None
        confidence = 0.4
    return Mention(name, kind, start, end, confidence)


def _type(text: str, start: int, end: int) -> tuple[str, float]:
    """What the name seems to be, by its own words and by the words around it, and how sure that is."""
    lowered = text[start:end].lower()
    words = lowered.split()
    if not _ORGANIZATION_WORDS.isdisjoint(word.rstrip(".") for word in words) and len(words) > 1:
        return "organization", 0.75
    if len(words) > 1 and (words[0] in _LOCATION_WORDS or words[-1] in _LOCATION_WORDS):
        return "location", 0.75
    if lowered in _PLACES:
        return "location", 0.75
    told = _type_by_context(text, start, end)
    if told:
        return told, 0.8
    if words[0] in _GIVEN and len(words) < 5:
        return "person", 0.7
    return "other", 0.6 if len(words) > 1 else 0.5


def _type_by_context(text: str, start: int, end: int) -> str | None:
    before = text[max(0, start - 40) : start].lower().split()[-3:]
    last = before[-1].rstrip(",") if before else ""
    if last in _KIN and not _OWN.isdisjoint(before):
        return "person"
    if last in _TOWARDS and len(before) > 1 and before[-2] in _DWELLING:
        return "location"
    if last in _PROJECT or _AFTER_PROJECT.match(text, end):
        return "project"
    return None


_EDGE = r"\s\"'“”‘’«»().,;:!?…*"
_LEAD = re.compile(rf"^(?:[{_EDGE}]+|(?:the|a|an(?=\s+[aeiou])|os?|as|uma?|un?s)\s+(?=\S))+")
_TAIL = re.compile(rf"(?:['’]s|[{_EDGE}])+$")
_PART = re.compile(r"[^\W_]+\.?")
_SMALL = _words("of the and for de da do das dos e a o para em")


@lru_cache(maxsize=8192)
def _fold(word: str) -> str:
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()


def normalise(name: str) -> str:
    """The form under which an alias is looked up: no case, accents, articles in front or possessive behind."""
    folded = " ".join(_fold(name).split())
    return _LEAD.sub("", _TAIL.sub("", folded)) or folded


def same_entity(a: str, b: str) -> bool:
    """Whether two names surely mean one thing; a part of a name is never enough.

    An initial stands for every name it begins, so two different names can both be the same as a third.
    """
    one, other = normalise(a), normalise(b)
    if one == other:
        return True
    ones, others = _PART.findall(one), _PART.findall(other)
    if len(ones) == len(others):
        return len(ones) > 1 and (sorted(ones) == sorted(others) or _initials_match(ones, others))
    return _is_acronym(a, others) or _is_acronym(b, ones)


def _initials_match(ones: list[str], others: list[str]) -> bool:
    """Whether the last names are equal and every other part equals its partner or is its initial with a dot."""
    pairs = list(zip(ones, others, strict=True))
    return (
        ones[-1] == others[-1] and len(ones[-1]) > 2 and all(_stands_for(x, y) or _stands_for(y, x) for x, y in pairs)
    )


def _stands_for(short: str, full: str) -> bool:
    return short == full or (len(short) == 2 and short[1] == "." and full[0] == short[0])


def _is_acronym(name: str, words: list[str]) -> bool:
    letters = _acronym(name)
    return bool(letters) and letters == _initials(words)


def _acronym(name: str) -> str:
    letters = name.strip().replace(".", "")
    return letters.lower() if len(letters) > 2 and letters.isalpha() and letters.isupper() else ""


def _initials(words: Iterable[str]) -> str:
    return "".join(word[0] for word in words if word not in _SMALL)


def marks_of(name: str) -> frozenset[str]:
    """What to look a name up by: two names without a common mark are never the same entity."""
    plain = normalise(name)
    words = _PART.findall(plain)
    return frozenset((plain, *words, f"={_initials(words)}", f"={_acronym(name)}")) - {"="}


_WIDE = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_TOKEN = re.compile(rf"[{_WIDE}]|[^\W_{_WIDE}]+(?:\+\+|#(?!\w))?")
_GAP = re.compile(r"\s?[-'’.&/]?\s?")


class Gazetteer:
    """Names already known, found again in a text whatever their case and accents; the longest one wins.

    The value given for a name (a type or an entity's id) comes back as the mention's type.
    """

    name = "gazetteer"
    accurate = False

    def __init__(self, names: Mapping[str, str] | None = None) -> None:
        self._names: dict[str, str] = {}
        self._longest: dict[str, int] = {}
        for name, type_ in (names or {}).items():
            self.add(name, type_)

    def __len__(self) -> int:
        return len(self._names)

    def add(self, name: str, type: str) -> None:
        """From now on the name is found; a name without a letter or digit is left out."""
        tokens = _TOKEN.findall(normalise(name))
        if tokens:
            self._names[" ".join(tokens)] = type
            self._longest[tokens[0]] = max(len(tokens), self._longest.get(tokens[0], 0))

    def tag(self, text: str) -> list[Mention]:
        """The known names in the text, in order, none overlapping another."""
        tokens = [(_fold(m.group()), m.start(), m.end()) for m in _TOKEN.finditer(text)]
        found: list[Mention] = []
        place = 0
        while place < len(tokens):
            length = self._match(text, tokens, place) if tokens[place][0] in self._longest else 0
            if length:
                start, end = tokens[place][1], tokens[place + length - 1][2]
                key = " ".join(token[0] for token in tokens[place : place + length])
                found.append(Mention(text[start:end], self._names[key], start, end, 0.9))
            place += length or 1
        return found

    def _match(self, text: str, tokens: list[tuple[str, int, int]], place: int) -> int:
        """How many tokens the longest known name here has; 0 for none."""
        reach = 1
        limit = min(self._longest[tokens[place][0]], len(tokens) - place)
        while reach < limit and _GAP.fullmatch(text, tokens[place + reach - 1][2], tokens[place + reach][1]):
            reach += 1
        for length in range(reach, 0, -1):
            key = " ".join(token[0] for token in tokens[place : place + length])
            if key in self._names and (length > 1 or self._stands_alone(text, tokens[place])):
                return length
        return 0

    @staticmethod
    def _stands_alone(text: str, token: tuple[str, int, int]) -> bool:
        """Will, May and the like are names only when written so."""
        word, start, _ = token
        return (len(word) > 2 and word not in _COMMON) or not text[start].islower()
