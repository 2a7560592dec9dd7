"""What a rule is and what its value must look like; the tables of rules per language are rows of this shape."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cache

from recollect.distil.prose import Sentence

STATED = 0.95
WEAKER = 0.7


@dataclass(frozen=True, slots=True)
class Rule:
    """One way of saying something: `pattern` is tried on predicates that open with one of the `heads`.

    The group `value` of the pattern is the value, else the rule's own, with `mark` before it. Any other group names a
    further attribute said in the same breath; `favourite` is what the value is the favourite of.
    """

    heads: str
    pattern: str
    type: str
    attribute: str | None = None
    check: str = ""
    value: str | None = None
    mark: str = ""
    confidence: float = STATED


@dataclass(frozen=True, slots=True)
class Predicate:
    """What one clause says of its speaker, or of somebody the speaker names.

    `words` opens with a first-person verb ("live in Lisbon") or with "my" ("my dog is called Rex"); `head` is that
    word, with the negation if there is one, and chooses the rules.
    `start` and `end` are its place in the message; `ended` marks what held once and does not any more.
    """

    head: str
    words: str
    start: int
    end: int
    adverb: str = ""
    when: str = ""
    ended: bool = False
    shared: bool = False
    elided: bool = False


@dataclass(frozen=True, slots=True)
class Tongue:
    """How one language is read and retold."""

    predicates: Callable[[Sentence], Iterator[Predicate]]
    told: Callable[[Predicate, str], str]
    settled: Callable[[str], str]
    unfinished: Callable[[str], bool]
    opens: Callable[[str], bool]
    clause_end: Callable[[str, int], int]
    habits: Set[str]
    first_person: Mapping[str, str]


def by_head(rules: Iterable[Rule]) -> Mapping[str, tuple[Rule, ...]]:
    """The rules in order under each word that can open them."""
    index: dict[str, list[Rule]] = {}
    for rule in rules:
        for head in rule.heads.split():
            index.setdefault(head.replace("_", " "), []).append(rule)
    return {head: tuple(found) for head, found in index.items()}


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, compiled when it is first needed."""
    return re.compile(pattern + r"(?![\w'])", re.I)


_DATES = frozenset(
    "january february march april may june july august september october november december monday tuesday"
    " wednesday thursday friday saturday sunday janeiro fevereiro março abril maio junho julho agosto"
    " setembro outubro novembro dezembro i english ok god".split()
)
_NOT_PEOPLE = frozenset(
    "catholic christian muslim jewish buddhist hindu atheist agnostic protestant mormon vegan vegetarian"
    " team gen gay lesbian republican democrat asian african latino latina hispanic european american black"
    " white native dutch irish type".split()
)
_ABSTRACT = frozenset(
    "fear peace hope denial pain hell poverty luxury harmony silence darkness sin night home work constant a"
    " an the my this that medo paz casa noite paz pecado".split()
)
_HOMES = re.compile(
    r"\b(?:city|town|village|suburbs?|countryside|apartment|flat|house|condo|studio apartment|dorm|farm"
    r"|neighbou?rhood|downtown|abroad|island|trailer|mountains|coast|cidade|vila|aldeia|subúrbio|interior|campo"
    r"|apartamento|casa|condomínio|sítio|fazenda|bairro|centro|ilha|litoral)\b",
    re.I,
)
_WORKPLACES = re.compile(
    r"\b(?:company|start-?up|firm|bank|hospital|school|university|college|agency|studio|restaurant|clinic|store"
    r"|shop|caf[eé]|bakery|library|museum|lab|office|department|non-?profit|ngo|hotel|factory|warehouse|shelter"
    r"|bookstore|airline|bar|government|newspaper|magazine|publisher|supermarket|pharmacy|gym|salon|garage|farm"
    r"|brewery|consultancy|airport|empresa|firma|banco|escola|universidade|faculdade|agência|estúdio|restaurante"
    r"|clínica|loja|padaria|biblioteca|museu|laboratório|escritório|ong|hotel|fábrica|governo|jornal|revista"
    r"|supermercado|farmácia|academia|prefeitura|editora)\b",
    re.I,
)
_TRADES = re.compile(
    r"\b(?:tech|technology|it|finance|banking|marketing|sales|advertising|healthcare|health care|education|retail"
    r"|hospitality|construction|real estate|insurance|law|media|publishing|logistics|hr|human resources|accounting"
    r"|consulting|software|engineering|customer service|public relations|fashion|film|gaming|agriculture"
    r"|manufacturing|research|design|nursing|tecnologia|ti|finanças|vendas|publicidade|saúde|educação|varejo"
    r"|construção|seguros|direito|logística|rh|contabilidade|consultoria|engenharia|moda|cinema|agricultura"
    r"|pesquisa|enfermagem|turismo)\b",
    re.I,
)
# A team can move to a framework as a person moves to a town; these words give the first one away.
_TECHNICAL = re.compile(
    r"\b(?:code|codebase|framework|database|version|server|api|library|plugin|module|app|stack|branch|repo|pipeline"
    r"|backend|frontend|cluster|cloud|template|platform|column|table|folder|file|step|question|section|phase|stage"
    r"|código|banco de dados|versão|servidor|aplicativo|arquivo|pasta|etapa|fase|tabela)\b",
    re.I,
)
_NAME = re.compile(r"[A-ZÀ-Ý][\w'’-]+(?: (?:de |da |dos? )?[A-ZÀ-Ý][\w'’.-]+){0,3}$")
_DIGIT = re.compile(r"\d")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+$")
_PHONE = re.compile(r"\+?[\d ().-]{7,20}$")


def _is_named(value: str) -> bool:
    """Whether the value holds a proper name, or is written by somebody who never capitalises."""
    words = [word.strip(".,") for word in value.split()]
    return any(w[:1].isupper() and w.lower() not in _DATES for w in words)


def is_place(value: str) -> bool:
    """Whether somebody could live there."""
    short = len(value.split()) <= 8 and not _DIGIT.search(value) and not _TECHNICAL.search(value)
    return short and (_is_named(value) or _HOMES.search(value) is not None)


def is_workplace(value: str) -> bool:
    """Whether somebody could be employed there."""
    return len(value.split()) <= 9 and (_is_named(value) or _WORKPLACES.search(value) is not None)


def is_trade(value: str) -> bool:
    """Whether it is a line of work."""
    return len(value.split()) <= 6 and _TRADES.search(value) is not None


def is_name(value: str) -> bool:
    """Whether it is a name as people write names."""
    return _NAME.match(value) is not None and value.split()[0].lower() not in _DATES


def is_short(value: str) -> bool:
    """Whether it is a few words at most."""
    return 0 < len(value.split()) <= 6


def passes(check: str, value: str, *, lowercase: bool) -> bool:
    """Whether the value looks as the rule demands; who never capitalises is taken at their word for short names."""
    if CHECKS[check](value):
        return True
    bare = lowercase and check in ("place", "workplace") and value.replace(" ", "").isalpha()
    return bare and len(value.split()) <= 2 and value.split()[0] not in _ABSTRACT


CHECKS: Mapping[str, Callable[[str], bool]] = {
    "": lambda value: len(value.split()) <= 24,
    "place": is_place,
    "workplace": is_workplace,
    "trade": is_trade,
    "name": is_name,
    "person": lambda value: is_name(value) and value.split()[0].lower() not in _NOT_PEOPLE,
    "short": is_short,
    "number": lambda value: _DIGIT.search(value) is not None,
    "email": lambda value: _EMAIL.match(value) is not None,
    "phone": lambda value: _PHONE.match(value) is not None,
}
