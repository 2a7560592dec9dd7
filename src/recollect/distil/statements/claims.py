"""Reads one statement for the rules' eyes: usual spelling, words that carry content, numbers, days, cues and topics.

A text in somebody's own words comes in; what a comparison needs to know of it goes out. The text itself never changes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from recollect.lang.registry import language_of, until_registration
from recollect.lang.spoken import match_topics, normalise_spelling, statement_words, whole_words
from recollect.lang.statements import StatementWords
from recollect.lang.vocabulary import stem_word
from recollect.models.tagger import RegexTagger
from recollect.text.patterns import join_patterns
from recollect.text.words import fold_in_place

CUES = (
    "joking", "supposing", "quoting", "hedging", "ends", "replaces", "begins", "now", "again", "past", "ahead",
    "negation", "corrects", "often", "keeps", "allows",
)  # fmt: skip

_WORD = re.compile(r"[^\W_]+(?:['’.,:/_-][^\W_]+)*%?")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_GLUED = re.compile(r"(\d+(?:[.,]\d+)?)([a-z%]{1,12})$")
_CAPITAL = re.compile(r"\b[A-ZÀ-Ý][a-zà-ÿ]+(?:[-'’][A-ZÀ-Ý]?[a-zà-ÿ]+)?\b")
_CODE = re.compile(
    r"\w_\w|\w/\w*\w\.\w|\w\(\)|\b--?[a-z]\w*|\b[a-z]+[A-Z]\w+|\b\w+\.(?:py|c|go|js|ts|rs|toml|json|yml|yaml|sql|sh)\b"
)
_LONGEST = 600
_TAGGER = RegexTagger()


@dataclass(frozen=True, slots=True)
class Claim:
    """What is read of one statement; `context` is the question that it answers."""

    words: tuple[str, ...]
    stems: frozenset[str]
    context: frozenset[str]
    names: frozenset[str]
    name_stems: frozenset[str]
    numbers: frozenset[str]
    units: frozenset[str]
    amounts: frozenset[str]
    days: frozenset[str]
    cues: frozenset[str]
    topics: frozenset[str]
    is_asked: bool
    is_question: bool
    is_instruction: bool
    is_first_person: bool
    is_own: bool
    is_of_others: bool
    has_kin: bool
    has_code: bool
    small_share: float
    exclamations: int

    @property
    def content(self) -> frozenset[str]:
        """The stems of the statement and of the question that it answers."""
        return self.stems | self.context


@until_registration
@cache
def _patterns(language: str) -> Mapping[str, re.Pattern[str]]:
    """The compiled patterns of a language by name."""
    table = statement_words(language)
    found = {cue: getattr(table, cue) for cue in CUES}
    measure = join_patterns((table.units, table.days, table.often, *table.numbers))
    found |= {
        "measure": measure,
        "units": table.units,
        "days": table.days,
        "asking": table.asking,
        "instructing": table.instructing,
    }
    return {name: whole_words(pattern) for name, pattern in found.items()}


@until_registration
@cache
def _hollow(language: str) -> frozenset[str]:
    """Words that tell nothing of what a statement is about."""
    vocabulary, common = language_of(language).vocabulary, statement_words(language).common
    return frozenset(fold_in_place(word) for word in (*vocabulary.stop, *vocabulary.dull, *vocabulary.frame, *common))


@until_registration
@lru_cache(maxsize=4096)
def read_claim(
    text: str,
    language: str,
    *,
    context: str = "",
    names: frozenset[str] = frozenset(),
    about: frozenset[str] = frozenset(),
) -> Claim:
    """What a statement says, for comparing and for weighing it.

    `names` are people known by name, folded; `about` are those whom it is about without naming them.
    """
    usual = normalise_spelling(text[:_LONGEST], language).text
    asked = normalise_spelling(context[:_LONGEST], language).text
    table, patterns = statement_words(language), _patterns(language)
    words = tuple(_WORD.findall(usual))
    plain = frozenset(word.partition("'")[0] for word in words)
    named = frozenset(map(fold_in_place, find_names(text))) | (plain & names) | about
    if context:
        named |= frozenset(map(fold_in_place, find_names(context)))
    both = f"{asked} {usual}"
    first = patterns["instructing"].search(usual)
    small = table.small_talk
    amounts = _find_amounts(both, patterns["units"])
    is_of_others = not (table.he | table.she | table.they).isdisjoint(words)
    has_kin = not table.kin.isdisjoint(plain)
    is_first_person = not table.first_person.isdisjoint(words)
    return Claim(
        words=words,
        stems=_stems(words, language),
        context=_stems(tuple(_WORD.findall(asked)), language),
        names=named,
        name_stems=frozenset(stem_word(name, language) for name in named),
        numbers=_numbers(both, table),
        units=frozenset(amount.lstrip("0123456789., ") for amount in amounts),
        amounts=amounts,
        days=frozenset(word.rstrip("s") for word in patterns["days"].findall(both)),
        cues=frozenset(cue for cue in CUES if patterns[cue].search(usual)),
        topics=match_topics(both, language),
        is_asked="?" in text[-4:] or patterns["asking"].match(usual) is not None,
        is_question="?" in text[-4:],
        is_instruction=first is not None and first.start() < _near_start(usual),
        is_first_person=is_first_person,
        # Where nobody else is named, people leave themselves out: "line cook at the harbour, 5 years".
        is_own=is_first_person or not (named or has_kin or is_of_others),
        is_of_others=is_of_others,
        has_kin=has_kin,
        has_code=_CODE.search(text) is not None,
        small_share=sum(word in small for word in words) / max(len(words), 1),
        exclamations=text.count("!"),
    )


def _near_start(text: str) -> int:
    """Where an instruction has begun at the latest: after a few words such as "and", "btw" or a name."""
    return min(18, len(text))


def find_names(text: str) -> list[str]:
    """The names in a text: what the tagger takes for a person or cannot tell, and capitalised words in a sentence."""
    found = [mention.text for mention in _TAGGER.tag(text) if mention.type in ("person", "other")]
    for match in _CAPITAL.finditer(text):
        before = text[: match.start()].rstrip(" \"'“‘(")
        if before and before[-1] not in ".!?…\n:":
            found.append(re.sub(r"['’]s?$", "", match[0]))
    return list(dict.fromkeys(word for name in found for word in name.split() if len(word) > 1))


def _stems(words: tuple[str, ...], language: str) -> frozenset[str]:
    hollow, patterns = _hollow(language), _patterns(language)
    kept = (word.partition("'")[0] for word in words if word not in hollow)
    return frozenset(
        stem_word(word, language)
        for word in kept
        if len(word) > 2 and not word[0].isdigit() and word not in hollow and not patterns["measure"].fullmatch(word)
    )


def _numbers(text: str, table: StatementWords) -> frozenset[str]:
    told = {number.replace(",", ".").replace(":", ".") for number in _NUMBER.findall(text)}
    return frozenset(told | {table.numbers[word] for word in _WORD.findall(text) if word in table.numbers})


def _find_amounts(text: str, pattern: re.Pattern[str]) -> frozenset[str]:
    """The numbers with a unit, apart or glued to it: "10 k" and "10k" are the same amount."""
    found = set()
    words = [word.strip(".,;:!?()") for word in text.split()]
    for place, word in enumerate(words):
        glued = _GLUED.search(word)
        after = words[place + 1] if place + 1 < len(words) else ""
        if glued and pattern.fullmatch(glued[2]):
            found.add(f"{glued[1]} {glued[2].rstrip('s')}")
        elif word[:1].isdigit() and pattern.fullmatch(after):
            found.add(f"{word} {after.rstrip('s')}")
    return frozenset(found)
