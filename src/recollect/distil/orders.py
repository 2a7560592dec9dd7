"""Standing instructions as facts: a sentence told to an assistant comes in, what its author wants goes out.

What the rules cannot put into the third person is passed on in the author's own words, marked as such.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from recollect.distil import english, portuguese
from recollect.distil.drafts import ENDED, TAKEN_BACK
from recollect.distil.standing import Wish
from recollect.distil.standing_words import TONGUES

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
    r"\b(?i:call(?:ing)? me|address me as|refer to me as)(?: by| as)? [\"']?(?P<name>(?:Dr\.? |Mr\.? |Ms\.?"
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
# A standing wish that is over: allowed again, no longer needed, or taken back.
_ALLOWED_EN = re.compile(
    r"^(?:now )?you (?:can|may|could|are allowed to|'re allowed to|are free to)(?: now)? (?:go back to |start )?"
    r"(?P<what>.+?)(?: again| now| after all| from now on| any ?time)+$",
    re.I,
)
_FINE_EN = re.compile(
    r"^(?P<what>[\w -]{3,40}?) (?:is|are) (?:fine|ok|okay|all right|alright|allowed|welcome|good)"
    r"(?: with me| by me)?(?: again| now| after all)+$",
    re.I,
)
_OVER_EN = re.compile(
    r"^(?:you (?:don't|do not|no longer) (?:have|need) to|you needn't|(?:there's |there is )?no (?:longer any )?need"
    r" to) (?P<what>.+?)(?:,? (?:any ?more|any longer|now|from now on))*$",
    re.I,
)
_BACK_EN = re.compile(
    r"^(?:forget|ignore|disregard|drop|scratch) (?:about )?(?:what i (?:said|told you|asked) (?:about|on)|(?:my|the)"
    r" (?:earlier |previous |old |last )?(?:rule|instruction|request|wish)s? (?:about|on|to|for)) (?P<what>.+)$",
    re.I,
)
_STOP_EN = re.compile(
    r"^(?:stop|quit|no more|forget(?: about)?) (?=(?:answer|reply|respond|writ|speak|talk)ing\b)(?P<what>.+)$", re.I
)
_NOT_CALLED_EN = re.compile(r"\b(?:don't|dont|do not|never|stop|quit|no longer)\b[^.;]*\bcall(?:ing)? me\b", re.I)
_ALLOWED_PT = re.compile(
    r"^(?:agora )?(?P<already>já )?(?:tu |você )?(?:podes?|podem)(?P<now> agora| já)? (?P<back>voltar a )?"
    r"(?P<what>\w+[aei]r\b.*?)(?P<again>,? (?:outra vez|de novo|novamente|agora|à vontade))*$",
    re.I,
)
_OVER_PT = re.compile(
    r"^(?:(?:já|agora) )?(?:tu |você )?(?:(?<=já )não (?:precisas?|é preciso|é necessário|tens? (?:de|que))"
    r"|não (?:precisas?|é preciso|é necessário|tens? (?:de|que)) mais)(?: mais)? ?(?:de )?(?P<what>\w+[aei]r\b.*?)"
    r"(?:,? (?:mais|agora))*$",
    re.I,
)
_BACK_PT = re.compile(
    r"^(?:esquec[ea]|ignor[ea])(?:-se)?(?: d?o que (?:eu )?(?:disse|pedi|falei) (?:sobre|d[eoa]s?)| (?:a |minha |a"
    r" minha )?(?:regra|instrução|pedido) (?:sobre|d[eoa]s?)) (?P<what>.+)$",
    re.I,
)
_STOP_PT = re.compile(r"^(?:pare|para|deixa|deixe) de (?=(?:responder|falar|escrever|conversar)\b)(?P<what>.+)$", re.I)
_NOT_CALLED_PT = re.compile(r"\b(?:não|nunca|pare de|para de|deixe de|deixa de)\b[^.;]*\bcham\w+", re.I)
_TONGUE_EN = re.compile(
    r"^(?:only |just |always )*(?:answer|reply|respond|writ|speak|talk|communicat)(?:e|ing)?(?: to me| back| with me)?"
    rf"(?: only| always)? in {_TONGUE}$",
    re.I,
)
_TONGUE_PT = re.compile(
    rf"^(?:responder|escrever|falar|conversar)(?:-me| comigo)?(?: sempre| só| apenas)? em {_TONGUE}$", re.I
)
_LATELY = re.compile(
    r",? (?:from now on|from here on(?: out)?|going forward|moving forward|in (?:the )?future|instead|again|please|now"
    r"|a partir de (?:agora|hoje)|de (?:agora|hoje) em diante|daqui (?:pra|para) (?:a )?frente|outra vez|de novo"
    r"|novamente|por favor)$",
    re.I,
)
_POLITELY = re.compile(
    r"^(?:(?:always|never|only|just|please|don't|do not|dont|ever|sempre|nunca|jamais|só|apenas|não|me) )+", re.I
)
_REFUSES = re.compile(
    r"^(?:(?:just|please|ever|me) )*(?:never|don't|do not|dont|stop|avoid|no|nunca|jamais|não|evite|sem)\b", re.I
)
_REFUSAL = re.compile(r"^(?:stop|quit|avoid|no|no more|evite|sem|chega de|nada de|pare de|para de) ", re.I)
_A_TONGUE = re.compile(rf"^{TONGUES}$", re.I)
MANNER = "manner"
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
        if _NOT_CALLED_EN.search(text[: called.start("name")]):
            return Order(f"{name} does not want to be called {called['name']}", "nickname", ENDED + called["name"])
        return Order(f"{name} wants to be called {called['name']}", "nickname", called["name"])
    core = _LEAD.sub("", text).strip(" .!…\"'")
    if changed := _changed_in_english(core, name):
        return changed
    spoken = _SPOKEN_EN.match(_lately(core))
    if spoken and spoken["tongue"].split()[-1].lower() not in _NOT_TONGUES:
        tongue = spoken["tongue"].title()
        return Order(f"{name} wants answers in {tongue}", "answer_language", tongue)
    when = _CLAUSE_FIRST.match(core)
    core, then = (when["rest"], " " + when["when"][0].lower() + when["when"][1:]) if when else (core, "")
    core = _LEAD.sub("", core)
    if nothing := _NOTHING.match(core):
        return Order(f"{name} wants no {english.theirs(nothing['what'])}", MANNER, ENDED + nothing["what"])
    told = _wanted(core[:1].lower() + core[1:], then, name=name, said=text)
    return Order(told) if then else Order(told, MANNER, _manner(core))


def _changed_in_english(core: str, name: str) -> Order | None:
    """A wish that allows again, needs no longer or takes back what was wished before."""
    if over := _OVER_EN.match(core) or _STOP_EN.match(core):
        what = _lately(over["what"].partition(",")[0])
        if spoken := _TONGUE_EN.match(what):
            tongue = spoken["tongue"].title()
            return Order(f"{name} no longer wants answers in {tongue}", "answer_language", ENDED + tongue)
        told = _YOURS.sub("its", english.theirs(what))
        return Order(f"{name} no longer needs the assistant to {told}", MANNER, ENDED + what)
    if back := _BACK_EN.match(core):
        return Order(
            f"{name} took back the wish about {english.theirs(back['what'])}", MANNER, TAKEN_BACK + back["what"]
        )
    if not (allowed := _ALLOWED_EN.match(core) or _FINE_EN.match(core)):
        return None
    what, fine = _lately(allowed["what"]), allowed.re is _FINE_EN
    if (spoken := _TONGUE_EN.match(what)) or (fine and _A_TONGUE.match(what)):
        tongue = (spoken["tongue"] if spoken else what).title()
        return Order(f"{name} wants answers in {tongue}", "answer_language", tongue)
    told = _YOURS.sub("its", english.theirs(what[:1].lower() + what[1:]))
    return Order(f"{name} is fine with {told}" if fine else f"{name} lets the assistant {told}", MANNER, what)


def _lately(core: str) -> str:
    """The wish without the words that say since when it holds."""
    while (shorter := _LATELY.sub("", core)) != core:
        core = shorter
    return core


def _manner(core: str) -> str:
    """A wish as what it wants done, marked where it wants it not done."""
    what = _REFUSAL.sub("", _POLITELY.sub("", _lately(core)))
    return ENDED + what if _REFUSES.match(core) else what


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
        if _NOT_CALLED_PT.search(text[: called.start("name")]):
            return Order(f"{name} não quer que usem o nome {called['name']}", "nickname", ENDED + called["name"])
        return Order(f"{name} pede para usar o nome {called['name']}", "nickname", called["name"])
    core = _PEDIDO.sub("", text).strip(" .!…\"'")
    if changed := _mudado(core, name):
        return changed
    spoken = _SPOKEN_PT.match(_lately(core))
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
    told = f"{name} quer que o assistente {rest}"
    return Order(told) if then else Order(told, MANNER, _manner(core))


def _mudado(core: str, name: str) -> Order | None:
    """A wish that allows again, needs no longer or takes back what was wished before."""
    if over := _OVER_PT.match(core) or _STOP_PT.match(core):
        what = _lately(over["what"])
        if spoken := _TONGUE_PT.match(what):
            tongue = spoken["tongue"].lower()
            return Order(f"{name} já não quer respostas em {tongue}", "answer_language", ENDED + tongue)
        return Order(f"{name} já não precisa que o assistente continue a {what}", MANNER, ENDED + what)
    if back := _BACK_PT.match(core):
        return Order(f"{name} retirou o pedido sobre {back['what']}", MANNER, TAKEN_BACK + back["what"])
    allowed = _ALLOWED_PT.match(core)
    if not allowed or not any(allowed[group] for group in ("already", "now", "back", "again")):
        return None
    what = _lately(allowed["what"])
    if spoken := _TONGUE_PT.match(what):
        tongue = spoken["tongue"].lower()
        return Order(f"{name} quer respostas em {tongue}", "answer_language", tongue)
    return Order(f"{name} deixa o assistente {what}", MANNER, what)
