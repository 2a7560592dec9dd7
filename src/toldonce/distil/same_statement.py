"""Whether one text says the same as another: the one rule by which every write path joins duplicates.

Two texts come in, newer first; a verdict goes out. Texts that differ in polarity, number, unit, direction, side, time
or person are never the same, however many words they share, and neither is a text that says something more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from toldonce.distil.statements.reading import read_claim
from toldonce.lang.base import Comparison
from toldonce.lang.detect import detect_language
from toldonce.lang.registry import all_languages, combine_languages, language_of, unite_patterns, until_registration
from toldonce.lang.vocabulary import normalise_spelling, statement_words, stem_word
from toldonce.text.words import fold_in_place, fold_word, jaccard_similarity

# The share of content words that two texts have in common to say the same, where the caller has no limit of its own.
SAME = 0.75
# What a person says of the standing of a statement; it must be the same in both.
# In what two statements about the same thing exclude each other.
_EXCLUDING = frozenset(("polarity", "side", "unit", "direction"))
_STANDING = frozenset(("ends", "replaces", "past", "supposing", "hedging"))
# The most words with content after a negation that it denies.
_DENIED = 2

_WORD = re.compile(r"-?\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’-][^\W\d_]+)*(?:\+\+|#)?|[%€$&]|[.,;:!?()]")
_LETTER = re.compile(r"(?<![\w'’])([A-Za-z](?:\+\+|#)?)(?![\w'’+#])")
_NUMBER = re.compile(r"-?\d")
# Names and patterns of code, which a word alone does not tell: `test_*.py`, `src/a.py`, `--fix`.
_CODE = re.compile(r"(?<![\w*./-])(?=[\w*./-]*[_*/]|--\w)[\w*./-]*\w[\w*./-]*(?<![.])")
_STOP = re.compile(r"[.,;:!?()]")
_units = unite_patterns(lambda language: language.extraction.statements.units)


@dataclass(frozen=True, slots=True)
class _Reading:
    """What is compared of a statement; `text` is in usual words, `forms` are the words of each stem as written."""

    text: str
    content: frozenset[str]
    forms: Mapping[str, frozenset[str]]
    sequence: tuple[str, ...]
    persons: frozenset[str]
    numbers: tuple[tuple[str, str, str], ...]
    denied: frozenset[str]
    is_denied: bool
    is_question: bool
    sides: Mapping[int, frozenset[int]]
    limits: frozenset[str]
    letters: frozenset[str]
    code: frozenset[str]
    quantities: frozenset[tuple[str, str]]


def says_same(newer: str, older: str, *, least: float = SAME, language: str = "") -> bool:
    """Whether the newer text says nothing but what the older one says, in about the same words.

    `least` is the share of content words that both must have in common; 0 where vectors tell that they mean the same.
    """
    code = language or detect_language(f"{newer}\n{older}")
    new, old = _read_statement(newer, code), _read_statement(older, code)
    if not new.content or not old.content:
        return _plain_words(newer, code) == _plain_words(older, code)
    return (
        new.content <= old.content and _share_content(new, old) >= least and not _compare_readings(new, old, code=code)
    )


def contradicts(newer: str, older: str) -> bool:
    """Whether two texts are about the same thing and exclude each other: in one respect, and in no more.

    What differs in two respects may well hold at once: "clear it before tests", "don't clear it after tests".
    """
    code = detect_language(f"{newer}\n{older}")
    new, old = _read_statement(newer, code), _read_statement(older, code)
    ours, theirs = (_content_without_sides(reading) for reading in (new, old))
    if not ours or not theirs or jaccard_similarity(ours, theirs) < SAME:
        return False
    if new.is_question or old.is_question:
        return False
    differences = _compare_readings(new, old, code=code) - {"limit", "standing"}
    excluding = differences & _EXCLUDING
    if "number" in differences and new.quantities and old.quantities and new.quantities != old.quantities:
        excluding |= {"number"}
    return len(differences) == len(excluding) == 1


def _content_without_sides(reading: _Reading) -> frozenset[str]:
    """What a text is about, without the words that take one of several sides."""
    known, _ = _sides()
    return frozenset(stem for stem, forms in reading.forms.items() if not any(form in known for form in forms))


def find_differences(newer: str, older: str) -> frozenset[str]:
    """In what respects two texts differ that makes them two statements, whatever words they share."""
    code = detect_language(f"{newer}\n{older}")
    return _compare_readings(_read_statement(newer, code), _read_statement(older, code), code=code)


def _share_content(new: _Reading, old: _Reading) -> float:
    """How much of their content two texts share. Whom both name first, since they are about them, does not count."""
    about = {new.sequence[0]} & {old.sequence[0]}
    return 1.0 if new.content == old.content else jaccard_similarity(new.content - about, old.content - about)


def _compare_readings(new: _Reading, old: _Reading, *, code: str) -> frozenset[str]:
    comparison = language_of(code).comparison
    found = {
        "polarity": new.is_denied != old.is_denied or _is_exchanged(new.denied, old.denied),
        "code": _is_exchanged(new.code, old.code),
        "number": _differ_in_numbers(new.numbers, old.numbers),
        "unit": _differ_in_units(new.numbers, old.numbers),
        "side": _differ_in_sides(new.sides, old.sides),
        "limit": new.limits != old.limits,
        "letter": new.letters != old.letters,
        "person": _differ_in_persons(new, old, comparison),
        "direction": _is_turned(new, old),
        "standing": new.is_question != old.is_question or _standing(new.text, code) != _standing(old.text, code),
    }
    return frozenset(name for name, differs in found.items() if differs)


def _standing(text: str, code: str) -> frozenset[str]:
    cues: frozenset[str] = read_claim(text, code).cues
    return cues & _STANDING


def _is_exchanged(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    return bool(ours - theirs) and bool(theirs - ours)


@until_registration
@lru_cache(maxsize=4096)
def _read_statement(text: str, code: str) -> _Reading:
    comparison = language_of(code).comparison
    words = _split_words(text, code)
    content: dict[str, set[str]] = {}
    marks = [_mark_word(words, place, code) for place in range(len(words))]
    for word, mark in zip(words, marks, strict=True):
        if mark:
            content.setdefault(mark, set()).add(word)
    denied = list(_find_denied(words, marks, code))
    return _Reading(
        text=" ".join(words),
        content=frozenset(content),
        forms={stem: frozenset(forms) for stem, forms in content.items()},
        sequence=_order_words(words, marks, comparison),
        persons=frozenset(comparison.persons[word].rstrip("'") for word in words if word in comparison.persons),
        numbers=tuple(_find_numbers(words, code)),
        denied=frozenset(denied),
        is_denied=any(word in _negations(code) for word in words),
        is_question=text.rstrip().endswith("?"),
        sides=_find_sides(text, words),
        limits=frozenset(words) & comparison.limiting - _negations(code),
        letters=_find_letters(text, code),
        code=frozenset(map(str.casefold, _CODE.findall(text))),
        quantities=frozenset(_find_quantities(words, code)),
    )


def _plain_words(text: str, code: str) -> list[str]:
    return [word for word in _split_words(text, code) if not _STOP.fullmatch(word)]


def _split_words(text: str, code: str) -> list[str]:
    """The words of a text in usual spelling, folded, phrases replaced by the word that stands for them."""
    usual = normalise_spelling(text, code).text.replace("’", "'")
    single, phrases = _synonyms(code)
    usual = phrases.sub(lambda match: f" {single[match[0]]} ", usual)
    return [single.get(word, word) for word in _WORD.findall(usual)]


@until_registration
@cache
def _synonyms(code: str) -> tuple[Mapping[str, str], re.Pattern[str]]:
    """The first word of each row for every other of it, and the pattern of those that are phrases."""
    found: dict[str, str] = {}
    for row in language_of(code).comparison.synonyms:
        first, *others = (fold_in_place(word.replace("_", " ")) for word in row.split())
        for other in others:
            found.setdefault(other, first)
    phrases = sorted((word for word in found if " " in word), key=len, reverse=True)
    return found, re.compile(rf"(?<![\w'])(?:{'|'.join(map(re.escape, phrases)) or '(?!)'})(?![\w'])")


@until_registration
@cache
def _empty_words(code: str) -> frozenset[str]:
    """Words that carry no content of their own in a comparison."""
    language = language_of(code)
    comparison = language.comparison
    words = (*language.vocabulary.stop, *comparison.fillers, *comparison.articles, *comparison.persons)
    denying: frozenset[str] = _negations(code)
    return frozenset(map(fold_word, words)) | comparison.limiting | comparison.joining | denying


@until_registration
@cache
def _negations(code: str) -> frozenset[str]:
    """Words that deny what follows, and those of disliking, which deny that somebody likes it."""
    language = language_of(code)
    words = (*language.comparison.negation, *language.comparison.dislikes, *_disliking(code))
    return frozenset(map(fold_word, words)) - language.comparison.joining


@until_registration
@cache
def _disliking(code: str) -> frozenset[str]:
    """The synonyms of disliking, in any person: each row of synonyms that holds a word for it."""
    comparison = language_of(code).comparison
    rows = [row.split() for row in comparison.synonyms]
    disliked = {fold_word(word) for word in comparison.dislikes}
    return frozenset(word for row in rows if disliked & {fold_word(word) for word in row} for word in row)


def _mark_word(words: Sequence[str], place: int, code: str) -> str:
    """The stem of a word that carries content; empty for one that does not, a number, or the unit behind one."""
    word = words[place]
    if (
        _STOP.fullmatch(word)
        or _NUMBER.match(word)
        or word in statement_words(code).numbers
        or word in _empty_words(code)
    ):
        return ""
    if len(word) < 2 or (place and _is_number(words[place - 1], code) and _is_unit(word)):
        return ""
    stem: str = stem_word(word.removesuffix("'s"), code)
    return stem


def _is_number(word: str, code: str) -> bool:
    return _NUMBER.match(word) is not None or word in statement_words(code).numbers


def _is_unit(word: str) -> bool:
    return word in "%€$" or _units().fullmatch(word) is not None


def _find_quantities(words: Sequence[str], code: str) -> Iterable[tuple[str, str]]:
    """Each number that counts or measures something, with what: "3 attempts", not "bug 3"."""
    for place, word in enumerate(words[:-1]):
        after = words[place + 1]
        is_counted = after.isalpha() and after not in _empty_words(code) and not _is_number(after, code)
        if _is_number(word, code) and (is_counted or _is_unit(after)):
            yield word, after


def _find_denied(words: Sequence[str], marks: Sequence[str], code: str) -> Iterable[str]:
    """The words that carry content right after a negation; all of them where it governs the rest of the text."""
    contrasting = language_of(code).comparison.contrasting
    first = next((place for place, word in enumerate(words) if word in _negations(code)), len(words))
    rest = words[first + 1 :]
    if not any(marks[:first]) and not any(w in contrasting or _STOP.fullmatch(w) for w in rest[:-1]):
        yield from (mark for mark in marks[first + 1 :] if mark)
        return
    for place, word in enumerate(words):
        if word in _negations(code):
            after = [m for w, m in zip(words[place + 1 :], marks[place + 1 :], strict=True) if m or _STOP.fullmatch(w)]
            ends = next((i for i, mark in enumerate(after) if not mark), len(after))
            yield from after[: min(ends, _DENIED)]


def _find_numbers(words: Sequence[str], code: str) -> Iterable[tuple[str, str, str]]:
    """Each number with its unit, if one follows, and the word before it."""
    named = statement_words(code).numbers
    for place, word in enumerate(words):
        if _is_number(word, code):
            value = named.get(word) or word.replace(",", ".").replace(":", ".")
            unit = words[place + 1] if place + 1 < len(words) and _is_unit(words[place + 1]) else ""
            sign = words[place - 1] if place and words[place - 1] in "€$" else ""
            yield value, (unit or sign).rstrip("s"), words[place - 1] if place else ""


def _differ_in_numbers(ours: Sequence[tuple[str, str, str]], theirs: Sequence[tuple[str, str, str]]) -> bool:
    """Whether the numbers are others, or the same ones in exchanged places. One may be an article instead."""
    mine, yours = ([number for number in found if number[0] != "1"] for found in (ours, theirs))
    if sorted(n[0] for n in mine) != sorted(n[0] for n in yours):
        return True
    is_moved = [n[0] for n in mine] != [n[0] for n in yours]
    return is_moved and not set(mine) <= set(yours)


def _differ_in_units(ours: Sequence[tuple[str, str, str]], theirs: Sequence[tuple[str, str, str]]) -> bool:
    """Whether a number that both name is of another unit in each."""
    mine = {value: {u for v, u, _ in ours if v == value and u} for value, _, _ in ours}
    yours = {value: {u for v, u, _ in theirs if v == value and u} for value, _, _ in theirs}
    return any(mine[v] and yours[v] and not mine[v] & yours[v] for v in mine.keys() & yours.keys())


@combine_languages
def _sides() -> tuple[Mapping[str, tuple[tuple[int, int], ...]], frozenset[str]]:
    """For each word of a row of opposites its rows and sides there; and words that only their accents tell apart."""
    found: dict[str, list[tuple[int, int]]] = {}
    rows = [row for language in all_languages() for row in language.comparison.opposites]
    unclear: set[str] = set()
    for place, row in enumerate(rows):
        sides = row.split(" / ") if " / " in row else row.split()
        folded = [fold_word(word) for side in sides for word in side.split()]
        unclear |= {word for word in folded if folded.count(word) > 1}
        for number, side in enumerate(sides):
            for word in side.split():
                for form in {word, fold_word(word)} - (unclear if fold_word(word) != word else set()):
                    found.setdefault(form, []).append((place, number))
    return {word: tuple(places) for word, places in found.items()}, frozenset(unclear)


def _find_sides(text: str, words: Sequence[str]) -> Mapping[int, frozenset[int]]:
    """The rows of opposites of which a text names something, and what."""
    known, unclear = _sides()
    spoken = {word for word in re.findall(r"[\w'-]+", text.lower()) if fold_word(word) in unclear}
    found: dict[int, set[int]] = {}
    for word in {*words, *spoken} - unclear:
        for row, side in known.get(word, ()):
            found.setdefault(row, set()).add(side)
    return {row: frozenset(sides) for row, sides in found.items()}


def _differ_in_sides(ours: Mapping[int, frozenset[int]], theirs: Mapping[int, frozenset[int]]) -> bool:
    return any(ours[row] - theirs[row] and theirs[row] - ours[row] for row in ours.keys() & theirs.keys())


def _find_letters(text: str, code: str) -> frozenset[str]:
    """Single letters that name something: option C, vitamin d, C++; not words of one letter."""
    words = {word for word in _empty_words(code) if len(word) == 1} | statement_words(code).spelling.keys()
    found = set()
    for match in _LETTER.finditer(text):
        letter, after = match[1], text[match.end() : match.end() + 1]
        starts = not text[: match.start()].strip() or text[: match.start()].rstrip()[-1] in ".!?"
        is_name = letter.isupper() and not starts and letter != "I"
        if fold_word(letter) not in words or is_name or after in ("", ".", ",", ";", "!", "?", ")"):
            found.add(fold_word(letter))
    return frozenset(found)


def _differ_in_persons(new: _Reading, old: _Reading, comparison: Comparison) -> bool:
    """Whether the texts are about different people, by their pronouns or by the endings of their verbs."""
    if new.persons and old.persons and not new.persons & old.persons:
        return True
    endings = comparison.agreement
    for stem in new.forms.keys() & old.forms.keys() if endings else ():
        if not new.forms[stem] & old.forms[stem]:
            mine, yours = (
                {_agreement_of(form, endings) for form in reading.forms[stem]} - {""} for reading in (new, old)
            )
            if mine and yours and not mine & yours:
                return True
    return False


def _agreement_of(word: str, endings: Mapping[str, str]) -> str:
    return next((endings[end] for end in sorted(endings, key=len, reverse=True) if word.endswith(end)), "")


def _order_words(words: Sequence[str], marks: Sequence[str], comparison: Comparison) -> tuple[str, ...]:
    """Words in order as far as order tells something: content, people and directions; joined things are sorted."""
    runs: list[list[str]] = []
    is_joined = False
    for word, mark in zip(words, marks, strict=True):
        person = comparison.persons.get(word, "'")
        token = mark or (f"<{person}>" if person[-1] != "'" else word if word in comparison.directing else "")
        if word in comparison.joining or word == ",":
            is_joined = bool(runs)
        elif token:
            if is_joined:
                runs[-1].append(token)
            else:
                runs.append([token])
            is_joined = False
    return tuple(dict.fromkeys(token for run in runs for token in sorted(run)))


def _is_turned(new: _Reading, old: _Reading) -> bool:
    """Whether the same words stand the other way round: "Ana owes Rui" and "Rui owes Ana"."""
    both = set(new.sequence) & set(old.sequence)
    ours, theirs = ([token for token in reading.sequence if token in both] for reading in (new, old))
    if ours == theirs:
        return False
    moved = [place for place, (one, other) in enumerate(zip(ours, theirs, strict=True)) if one != other]
    is_swapped = len(moved) == 2 and moved[1] - moved[0] > 1
    return is_swapped or _has_reversed_triple(ours, theirs) or _has_reversed_triple(theirs, ours)


def _has_reversed_triple(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether three words in a row stand close to each other in the other text, in reversed order."""
    place = {token: number for number, token in enumerate(theirs)}
    return any(
        place[one] > place[two] > place[three] and place[one] - place[three] <= 3
        for one, two, three in zip(ours, ours[1:], ours[2:], strict=False)
    )
