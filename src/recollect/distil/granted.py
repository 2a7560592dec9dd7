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


def _ways(before: str, *rows: tuple[str, str]) -> tuple[_Way, ...]:
    return tuple(_Way(re.compile(f"{before} {said}", re.I), words) for said, words in rows)


# "My" does not begin a clause after these, so no verb follows what it is about; who was cured of a fear has it no more.
_WITH_MY = (
    r"(?<!cured )(?<!free )(?<!recovered )(?<!recovering )\b(?:about|of|with|given|considering|despite|to|from|on|by"
    r"|for|regarding|around|account|accommodate|match|suit|fits?|know|remember|mention(?:ed)?|share|reflects?|respect"
    r"|understand|explain) my"
)
_COM_MEU = (
    r"(?<!curad[oa] )(?<!livre )\b(?:sobre|com|dad[oa]s?|considerando|apesar d[eoa]|por causa d[eoa]|devido (?:a|ao|à)"
    r"|d[eoa]|para|por|pel[oa]|lembra d[eoa]|respeit\w+|conhece) (?:[oa] )?(?:meu|minha)"
)
# "I see her as someone who hates conflict" speaks of somebody else.
_FIRST = r"(?:^\W*|[,;(–—]\s*|\b(?:so|and|but|also|because|speaking|e|mas|então|falando)\s+)"
_ENGLISH = (
    *_ways(
        _WITH_MY,
        (r"(?:strong |clear |usual |personal |general )?preference for (?P<thing>\w.*)", "prefer {thing}"),
        (r"(?:love|passion|fondness) (?:of|for) (?P<thing>\w.*)", "love {thing}"),
        (r"(?:(?:dislike|hatred) of|distaste for|aversion to) (?P<thing>\w.*)", "dislike {thing}"),
        (r"(?:fear|phobia) of (?P<thing>\w.*)", "am afraid of {thing}"),
        (r"(?P<thing>(?:[\w-]+ )?(?:allergy|intolerance)\b(?: to \w.*)?)", "have {a} {thing}"),
        (r"(?P<thing>(?:[\w-]+ )?allergies\b(?: to \w.*)?)", "have {thing}"),
        (rf"(?P<thing>{words_en.CONDITION})\b", "have {thing}"),
    ),
    *_ways(
        rf"{_FIRST}as (?:someone|somebody|a person)",
        (r"(?:who|that) (?P<verb>\w+) (?P<thing>\w.*)", "{verb} {thing}"),
        (r"with (?P<thing>\w.*)", "have {thing}"),
    ),
    *_ways(rf"{_FIRST}as an?", (rf"(?P<thing>{words_en.DIET})\b", "am {thing}")),
)
_PORTUGUESE = (
    *_ways(
        _COM_MEU,
        (r"(?:forte )?preferência por (?P<thing>\w.*)", "prefiro {thing}"),
        (r"(?:amor|paixão) por (?P<thing>\w.*)", "amo {thing}"),
        (r"(?:aversão|ódio) a (?P<thing>\w.*)", "odeio {thing}"),
        (r"(?P<thing>medo d(?:e|[oa]s?) \w.*)", "tenho {thing}"),
        (r"(?P<thing>(?:alergia|intolerância) (?:à|ao|aos|às|a) \w.*)", "tenho {thing}"),
        (rf"(?P<thing>{words_pt.CONDITION})\b", "tenho {thing}"),
    ),
    *_ways(
        rf"{_FIRST}como alguém",
        (r"que (?P<verb>\w+) (?P<thing>\w.*)", "{verb} {thing}"),
        (r"com (?P<thing>\w.*)", "tenho {thing}"),
    ),
    *_ways(rf"{_FIRST}como", (rf"(?P<thing>{words_pt.DIET})\b", "sou {thing}")),
)
# What follows begins another clause, also without a comma.
_GOES_ON = re.compile(
    r"\s+(?=(?:i|we|you|he|she|they|what|how|should|can|could|would|will|do|does|is|are|eu|você|nós|o que|devo|posso"
    r"|pode|poderia)\b)",
    re.I,
)
_MADE_UP = re.compile(r"\b(?:pretend|imagine|suppose|role-?play|finja|imagine|suponha)\b", re.I)


def granted(sentence: Sentence, tongue: Tongue) -> Iterator[Predicate]:
    """What the sentence takes for granted of its speaker."""
    if _MADE_UP.search(sentence.text):
        return
    for way in _PORTUGUESE if sentence.language == "pt" else _ENGLISH:
        for match in way.said.finditer(sentence.text):
            start, end = match.start("thing"), _end(sentence.text, match, tongue)
            words = way.read(match, sentence.text[start:end], tongue)
            if words:
                yield Predicate(words.split()[0], words, sentence.start + match.start(), sentence.start + end)


def _end(text: str, match: re.Match[str], tongue: Tongue) -> int:
    """Where the words end that tell what is taken for granted."""
    begin = match.start("thing")
    end = min(match.end("thing"), tongue.clause_end(text, begin))
    further = _GOES_ON.search(text, begin, end)
    return further.start() if further else end
