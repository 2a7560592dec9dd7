"""What a sentence takes for granted of its speaker while it asks or tells something else: "given my nut allergy".

Sentences come in, predicates go out as if each had been said in a clause of its own, in both languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from recollect.distil import words_en, words_pt
from recollect.distil.prose import Sentence
from recollect.distil.rules import Predicate, Tongue


@dataclass(frozen=True, slots=True)
class _Way:
    """One way of taking something for granted: `words` says it of oneself, with the group `thing` of what was said.

    A group `verb` is what is said of "someone who"; it is put into the first person.
    """

    said: re.Pattern[str]
    words: str

    def read(self, match: re.Match[str], thing: str, tongue: Tongue) -> str | None:
        """The words as the speaker would say them, if the verb is known."""
        verb = match.groupdict().get("verb")
        own = tongue.first_person.get(verb.lower(), "") if verb else ""
        a = "an" if thing[:1].lower() in "aeiou" else "a"
        return self.words.format(verb=own, thing=thing, a=a) if own or not verb else None


@dataclass(frozen=True, slots=True)
class _Opening:
    """Words that open such a phrase, what has to stand before them, and the ways in which it may go on."""

    words: re.Pattern[str]
    before: re.Pattern[str]
    ways: tuple[_Way, ...]

    def found(self, text: str) -> Iterator[tuple[int, _Way, re.Match[str]]]:
        """Where it begins, and how it goes on."""
        for opened in self.words.finditer(text):
            if self.before.search(text, 0, opened.start()):
                ways = ((way, way.said.match(text, opened.end())) for way in self.ways)
                yield from ((opened.start(), way, match) for way, match in ways if match)


def _opening(words: str, before: str, *rows: tuple[str, str]) -> _Opening:
    ways = tuple(_Way(re.compile(said, re.I), own) for said, own in rows)
    return _Opening(re.compile(rf"\b{words} ", re.I), re.compile(rf"{before}$", re.I), ways)


# "My" does not begin a clause after these, so no verb follows what it is about.
_WITH_MY = (
    r"(?:about|of|with|given|considering|despite|to|from|on|by|for|regarding|around|account|accommodate|match|suit|fits?|know|remember|mention(?:ed)?|share|reflects?|respect"
    r"|understand|explain) my"
)
_COM_MEU = (
    r"(?:sobre|com|dad[oa]s?|considerando|apesar d[eoa]|por causa d[eoa]|devido (?:a|ao|à)"
    r"|d[eoa]|para|por|pel[oa]|lembra d[eoa]|respeit\w+|conhece) (?:[oa] )?(?:meu|minha)"
)
# Who was cured of an allergy has it no more; "I see her as someone who hates conflict" speaks of somebody else.
_HAS_IT = r"(?<!cured )(?<!free )(?<!recovered )(?<!recovering )(?<!curad[oa] )(?<!livre )"
_OPENS = r"(?:^|[,;(–—]|\b(?:so|and|but|also|because|speaking|e|mas|então|falando))\W*"
_ENGLISH = (
    _opening(
        _WITH_MY, _HAS_IT,
        (r"(?:strong |clear |usual |personal |general )?preference for (?P<thing>\w.*)", "prefer {thing}"),
        (r"(?:love|passion|fondness) (?:of|for) (?P<thing>\w.*)", "love {thing}"),
        (r"(?:(?:dislike|hatred) of|distaste for|aversion to) (?P<thing>\w.*)", "dislike {thing}"),
        (r"(?:fear|phobia) of (?P<thing>\w.*)", "am afraid of {thing}"),
        (r"(?P<thing>(?:[\w-]+ )?(?:allergy|intolerance)\b(?: to \w.*)?)", "have {a} {thing}"),
        (r"(?P<thing>(?:[\w-]+ )?allergies\b(?: to \w.*)?)", "have {thing}"),
        (rf"(?P<thing>{words_en.CONDITION})\b", "have {thing}"),
    ),
    _opening(
        "as (?:someone|somebody|a person)", _OPENS,
        (r"(?:who|that) (?P<verb>\w+) (?P<thing>\w.*)", "{verb} {thing}"),
        (r"with (?P<thing>\w.*)", "have {thing}"),
    ),
    _opening("as an?", _OPENS, (rf"(?P<thing>{words_en.DIET})\b", "am {thing}")),
)  # fmt: skip
_PORTUGUESE = (
    _opening(
        _COM_MEU, _HAS_IT,
        (r"(?:forte )?preferência por (?P<thing>\w.*)", "prefiro {thing}"),
        (r"(?:amor|paixão) por (?P<thing>\w.*)", "amo {thing}"),
        (r"(?:aversão|ódio) a (?P<thing>\w.*)", "odeio {thing}"),
        (r"(?P<thing>medo d(?:e|[oa]s?) \w.*)", "tenho {thing}"),
        (r"(?P<thing>(?:alergia|intolerância) (?:à|ao|aos|às|a) \w.*)", "tenho {thing}"),
        (rf"(?P<thing>{words_pt.CONDITION})\b", "tenho {thing}"),
    ),
    _opening(
        "como alguém", _OPENS,
        (r"que (?P<verb>\w+) (?P<thing>\w.*)", "{verb} {thing}"),
        (r"com (?P<thing>\w.*)", "tenho {thing}"),
    ),
    _opening("como", _OPENS, (rf"(?P<thing>{words_pt.DIET})\b", "sou {thing}")),
)  # fmt: skip
# What follows begins another clause, also without a comma.
_GOES_ON = re.compile(
    r"\s+(?=(?:i|we|you|he|she|they|what|how|should|can|could|would|will|do|does|is|are|eu|você|nós|o que|devo|posso"
    r"|pode|poderia)\b)",
    re.I,
)
_MADE_UP = re.compile(r"\b(?:pretend|imagine|suppose|role-?play|finja|suponha)\b", re.I)


def granted(sentence: Sentence, tongue: Tongue) -> Iterator[Predicate]:
    """What the sentence takes for granted of its speaker."""
    text, start = sentence.text, sentence.start
    for opening in _PORTUGUESE if sentence.language == "pt" else _ENGLISH:
        for begin, way, match in opening.found(text):
            end = _end(text, match, tongue)
            words = way.read(match, text[match.start("thing") : end], tongue)
            if words and not _MADE_UP.search(text):
                yield Predicate(words.split()[0], words, start + begin, start + end)


def _end(text: str, match: re.Match[str], tongue: Tongue) -> int:
    """Where the words end that tell what is taken for granted."""
    begin = match.start("thing")
    end = min(match.end("thing"), tongue.clause_end(text, begin))
    further = _GOES_ON.search(text, begin, end)
    return further.start() if further else end
