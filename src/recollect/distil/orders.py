"""Standing instructions as facts: a sentence told to an assistant comes in, what its author wants goes out.

What the rules cannot put into the third person is passed on in the author's own words, marked as such.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from recollect.distil import english, portuguese
from recollect.distil.standing import Wish

_TONGUE = r"(?P<tongue>(?:brazilian |european )?[A-Za-zÀ-ÿ]{4,12})"
_LEAD = re.compile(
    r"^\W*(?:(?:hey|hi|ok|okay|oh|btw|by the way|also|and|but|so|please|kindly|just|actually|note|important|remember"
    r"|one more thing|for future"
    r" reference|from now on|from here on out|from here on|going forward|moving forward|starting (?:now|today)|in"
    r" (?:the )?future|by default|i want you to|i'd like you to"
    r"|i would like you to|i need you to|i expect you to|i would prefer you to|i'd prefer you to|you (?:should|must"
    r"|have to|need to)"
    r"|make sure (?:to|that you|you)|be sure to|remember to|could you)\b[\s,:;.!-]*)+",
    re.I,
)
_PEDIDO = re.compile(
    r"^\W*(?:(?:oi|olá|por favor|então|e|mas|ah|aliás|importante|atenção|lembre-se|a partir de (?:agora|hoje|já)|de"
    r" (?:agora|hoje) em diante|daqui (?:pra|para)"
    r" (?:a )?frente|daqui em diante|doravante|no futuro|(?:eu )?(?:quero|gostaria|preciso|prefiro|espero|queria)"
    r" que (?:você|tu))\b[\s,:;.!-]*)+",
    re.I,
)
_NAME_EN = re.compile(
    r"\b(?i:call me|address me as|refer to me as)(?: by| as)? [\"']?(?P<name>(?:Dr\.? |Mr\.? |Ms\.?"
    r" )?[A-ZÀ-Ý][\w-]+(?: [A-ZÀ-Ý][\w-]+)?)",
    0,
)
_NAME_PT = re.compile(
    r"\b(?i:me cham[ea]|me chamem?|cham[ea]-me|me chamar|chamar-me|me trat[ea]|trat[ea]-me|ser chamad[oa]) (?:só "
    r"|apenas )?(?:de|por) [\"']?"
    r"(?P<name>[A-ZÀ-Ý][\w-]+(?: [A-ZÀ-Ý][\w-]+)?)"
)
_SPOKEN_EN = re.compile(
    r"^(?:always |only |just |please )*(?:answer|reply|respond|write|speak|talk|communicate)(?: to me| back| with"
    rf" me)?(?: only| always)? in {_TONGUE}(?: only| always|,? please|,.*)?$",
    re.I,
)
_SPOKEN_PT = re.compile(
    r"^(?:sempre |só |apenas )*(?:me )?(?:respond[ae]|escrev[ae]|fal[ea]|convers[ea])(?:-me| comigo| pra mim| para"
    rf" mim)?(?: sempre| só| apenas)? (?:sempre |só )?em {_TONGUE}(?: sempre)?(?:,? por favor)?$",
    re.I,
)
_NOT_TONGUES = frozenset("bullet plain short lower detail general full simple metric tópicos frases linguagem".split())
_CLAUSE_FIRST = re.compile(
    r"^(?P<when>(?:when(?:ever)?|every time|each time|any ?time|if) I [^,]+), (?P<rest>.+)$", re.I
)
_QUANDO_FIRST = re.compile(r"^(?P<when>(?:sempre que|toda vez que|cada vez que|quando) eu [^,]+), (?P<rest>.+)$", re.I)
_NEGATED = re.compile(r"^(?:don't|do not|dont) (?:ever )?", re.I)
_NOTHING = re.compile(r"^no (?:more )?(?P<what>[\w ]+?)(?:,? please)?$", re.I)
_YOURS = re.compile(r"\byour(?:self)?\b")
_BARE_VERB = re.compile(r"^(?:always |never |only )?[a-z][a-z-]+(?<!ing)\b", re.I)
_SUBJUNCTIVE = {
    "usa": "use", "fala": "fale", "responde": "responda", "escreve": "escreva", "inclui": "inclua",
    "explica": "explique",
    "mostra": "mostre", "evita": "evite", "mantém": "mantenha", "coloca": "coloque", "chama": "chame",
    "traduz": "traduza",
}  # fmt: skip
_COMMAND = re.compile(
    r"^(?P<lead>(?:sempre |nunca |jamais |não |só |apenas )*(?:me )?)(?P<verb>[a-zà-ÿ]+)\b(?P<rest>.*)$", re.I
)


@dataclass(frozen=True, slots=True)
class Order:
    """What the author wants from now on, as a sentence, with the attribute it settles if it settles one."""

    text: str
    attribute: str | None = None
    value: str | None = None


def order(wish: Wish, name: str) -> Order:
    """The wish as a statement about its author."""
    return _em_portugues(wish.text, name) if wish.language == "pt" else _in_english(wish.text, name)


def _in_english(text: str, name: str) -> Order:
    if called := _NAME_EN.search(text):
        return Order(f"{name} wants to be called {called['name']}", "nickname", called["name"])
    core = _LEAD.sub("", text).strip(" .!…\"'")
    spoken = _SPOKEN_EN.match(core)
    if spoken and spoken["tongue"].split()[-1].lower() not in _NOT_TONGUES:
        tongue = spoken["tongue"].title()
        return Order(f"{name} wants answers in {tongue}", "answer_language", tongue)
    when = _CLAUSE_FIRST.match(core)
    core, then = (when["rest"], " " + when["when"][0].lower() + when["when"][1:]) if when else (core, "")
    core = _LEAD.sub("", core)
    if nothing := _NOTHING.match(core):
        return Order(f"{name} wants no {english.theirs(nothing['what'])}")
    return Order(_wanted(core[:1].lower() + core[1:], then, name=name, said=text))


def _wanted(core: str, then: str, *, name: str, said: str) -> str:
    rest = _YOURS.sub(lambda match: "its" if match[0] == "your" else "itself", english.theirs(core + then))
    if rest.startswith("never "):
        return f"{name} wants the assistant never to {rest[6:]}"
    if _NEGATED.match(rest):
        return f"{name} wants the assistant not to {_NEGATED.sub('', rest)}"
    if core.split(" ")[0] in ("i", "i'd", "you", "we", "my", "it", "the", "there") or not _BARE_VERB.match(core):
        return f'{name} asked: "{said.strip()}"'
    return f"{name} wants the assistant to {rest}"


def _em_portugues(text: str, name: str) -> Order:
    if called := _NAME_PT.search(text):
        return Order(f"{name} pede para usar o nome {called['name']}", "nickname", called["name"])
    core = _PEDIDO.sub("", text).strip(" .!…\"'")
    spoken = _SPOKEN_PT.match(core)
    if spoken and spoken["tongue"].lower() not in _NOT_TONGUES:
        tongue = spoken["tongue"].lower()
        return Order(f"{name} quer respostas em {tongue}", "answer_language", tongue)
    when = _QUANDO_FIRST.match(core)
    core, then = (
        (when["rest"], " " + when["when"][0].lower() + when["when"][1:].replace(" eu ", " ")) if when else (core, "")
    )
    command = _COMMAND.match(core[:1].lower() + core[1:])
    if not command:
        return Order(f'{name} pediu: "{text.strip()}"')
    verb = _SUBJUNCTIVE.get(command["verb"], command["verb"])
    if verb.endswith("r") or verb in ("sem", "nada", "chega", "eu", "para"):
        return Order(f'{name} pediu: "{text.strip()}"')
    rest = portuguese.theirs(f"{command['lead'].replace('me ', 'lhe ')}{verb}{command['rest']}{then}")
    return Order(f"{name} quer que o assistente {rest}")
