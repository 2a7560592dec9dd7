"""Named people and animals around a speaker: sentences come in, who is what to whom goes out, in both languages.

A name counts only next to the word that says what it is to the speaker ("my sister Ana", "meu cachorro Bento").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass

from recollect.distil import english, portuguese, words_en, words_pt
from recollect.distil.prose import Sentence
from recollect.distil.rules import Predicate

_NAME = (
    r"(?P<name>(?:(?:Dr|Mrs?|Ms|Prof|Dra?)\.? )?(?-i:[A-ZÀ-Ý][a-zà-ÿ]+(?:-[A-ZÀ-Ý][a-zà-ÿ]+)?(?:"
    r" [A-ZÀ-Ý][a-zà-ÿ]+(?! (?:and|e) I\b))?))(?!\w)"
)
_OF = (
    r"(?:really |very |big |little |old |new |young(?:er|est)? |older |eldest |oldest |own |rescue |lovely |sweet "
    r"|dear |late |twin |close |good |former |golden |romantic |long-time |childhood |[\w-]+-year-old )*"
)
_ENGLISH = re.compile(
    rf"\b(?:my|our) {_OF}(?P<what>(?P<pet>{words_en.PET})|{words_en.RELATION})(?P<link>,| is| is called| is named|"
    rf" called| named|'s name is)? {_NAME}"
    rf"|\b(?:have|got|adopted|has) (?:an?|one|two|three) {_OF}(?P<what2>(?P<pet2>(?:[\w-]+ ){{0,2}}?{words_en.PET})"
    rf"|{words_en.KIN}),? (?:named|called|whose name is) {_NAME.replace('?P<name>', '?P<name2>')}",
    re.I,
)
_PORTUGUESE = re.compile(
    rf"\b(?:meus?|minhas?|nossos?|nossas?) (?P<what>(?P<pet>{words_pt.PET})|{words_pt.RELATION})(?: mais (?:velh"
    rf"|nov)[oa])?(?P<link>,| se chama| chama-se| chamad[oa]| é o| é a)? {_NAME}"
    rf"|\b(?:tenho|temos|adotei|adotamos) (?:uma?|dois|duas) (?P<what2>(?P<pet2>{words_pt.PET})"
    rf"|{words_pt.RELATION}) (?:chamad[oa]s?|que se chama|de nome) {_NAME.replace('?P<name>', '?P<name2>')}",
    re.I,
)
_NOT_NAMES = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april june july august"
    " september october"
    " november december christmas easter thanksgiving instagram facebook google english french spanish japanese"
    " german italian"
    " segunda terça quarta quinta sexta sábado domingo janeiro fevereiro março abril maio junho julho agosto"
    " setembro outubro"
    " novembro dezembro natal páscoa".split()
)


_ACQUAINTED = frozenset(
    "best friend,friend,roommate,flatmate,boss,manager,coworker,co-worker,colleague,mentor,neighbor,neighbour,therap"
    "ist,coach,tutor"
    ",teacher,doctor,melhor amigo,melhor amiga,amigo,amiga,colega,chefe,gerente,vizinho,vizinha,professor,professora"
    ",terapeuta"
    ",psicóloga,psicólogo,médico,médica,treinador,treinadora,colega de quarto".split(",")
)
_PLURALS = frozenset(
    "kids children parents siblings twins grandparents dogs cats pais irmãos irmãs filhos filhas avós gatos"
    " gatas".split()
)


# A sentence that names more people is a list of them.
_MOST_NAMES = 20


@dataclass(frozen=True, slots=True)
class Relation:
    """Somebody or some animal of the speaker's, by name."""

    what: str
    name: str
    attribute: str
    start: int
    end: int

    def apposed(self, owner: str, language: str) -> str:
        """The name with what it is to the owner, as the subject of a sentence."""
        if language == "pt":
            return f"{self.name}, {self.what} de {owner},"
        return f"{owner}'s {self.what} {self.name}"

    def told(self, owner: str, language: str) -> str:
        """The relation as a sentence."""
        if language == "pt":
            return f"{self.name} é {self.what} de {owner}"
        return f"{self.name} is {owner}'s {self.what}"


def relations(sentence: Sentence) -> Iterator[Relation]:
    """The people and animals that the sentence names as the speaker's own."""
    pattern = _PORTUGUESE if sentence.language == "pt" else _ENGLISH
    for match in pattern.finditer(sentence.text):
        name = match["name"] or match["name2"]
        if name.split()[0].lower() in _NOT_NAMES:
            continue
        what = (match["what"] or match["what2"]).lower()
        if what in _PLURALS:
            continue
        attribute = "pet" if match["pet"] or match["pet2"] else "person" if what in _ACQUAINTED else "family"
        yield Relation(what, name, attribute, sentence.start + match.start(), sentence.start + match.end())


def said_of(sentence: Sentence, names: Set[str]) -> Iterator[tuple[str, Predicate]]:
    """What the sentence states of those of the names that open a clause of it, as if they said it themselves."""
    if sentence.asks:
        return
    tongue = portuguese.TONGUE if sentence.language == "pt" else english.TONGUE
    text = sentence.text
    for name in sorted(name for name in names if name in text)[:_MOST_NAMES]:
        for match in re.finditer(rf"(?:{_ITS_OWNER})?\b{re.escape(name)},? (?P<verb>[\wà-ÿ]+)\b", text, re.I):
            verb = tongue.first_person.get(match["verb"])
            if verb and tongue.opens(text[: match.start()]) and not _SUPPOSED.match(text):
                end = tongue.clause_end(text, match.end())
                words = " ".join([verb, *text[match.end() : end].split()])
                yield name, Predicate(verb, words, sentence.start + match.start(), sentence.start + end)


_ITS_OWNER = (
    rf"\b(?:(?:my|our) {_OF}(?:{words_en.RELATION}|{words_en.PET}),? |(?:meus?|minhas?) (?:{words_pt.RELATION}"
    rf"|{words_pt.PET}),? )"
)
_SUPPOSED = re.compile(
    r"\W*(?:and |but |e |mas )?(?:if|unless|suppose|imagine|maybe|perhaps|se|caso|talvez|imagina)\b", re.I
)
