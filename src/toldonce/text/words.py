"""Words of texts: without case, accents and endings, as terms of a question, as pairs of characters, and compared.

Import-free: hooks of coding agents load this module without the engine. Stop words are an argument."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence, Set
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Sequence
    from collections.abc import Set as AbstractSet

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?", re.UNICODE)
_MARKS = re.compile("[\u0300-\u036f]+")
_PLAIN = str.maketrans("áàâãäåéèêëíìîïóòôõöúùûüçñýÿ’‘\u00a0\u202f", "aaaaaaeeeeiiiiooooouuuucnyy''  ")


def fold_word(word: str) -> str:
    """A word without case and accents."""
    if word.isascii():
        return word.casefold()
    return _MARKS.sub("", unicodedata.normalize("NFKD", word.casefold()))


def fold_in_place(text: str) -> str:
    """The text without case and accents, character for character, so that places in it stay true."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    return lowered if lowered.isascii() else lowered.translate(_PLAIN)


MOST_TERMS = 24
# Of a longer text, its beginning and its end are read: a question stands before or after what was pasted.
READ_CHARS = 4_000
_END_CHARS = 1_000
_ENDING = re.compile(r"['’].*$")


def shorten_question(text: str) -> str:
    """The part of a question that is read: all of it, or the beginning and the end of a very long one."""
    if len(text) <= READ_CHARS:
        return text
    return f"{text[: READ_CHARS - _END_CHARS - 1]}\n{text[-_END_CHARS:]}"


def list_terms(text: str, stop: Container[str]) -> tuple[str, ...]:
    """The words of a question that are no stop words, folded, each once, in order."""
    words = (_ENDING.sub("", word) for word in WORD.findall(text))
    return tuple(
        dict.fromkeys(fold_word(w) for w in words if w and w.casefold() not in stop and fold_word(w) not in stop)
    )


def collect_words(text: str, stop: Container[str]) -> frozenset[str]:
    """The words of a text that are no stop words, folded: for comparing texts."""
    return frozenset(fold_word(w) for w in WORD.findall(text) if w.casefold() not in stop)


def count_covered(terms: Sequence[str], words: AbstractSet[str]) -> int:
    """How many of the terms a text holds, as they are or by their beginning."""
    return sum(_covers_term(term, words) > 0 for term in terms)


def term_coverage(terms: Sequence[str], words: AbstractSet[str], *, enough: int | None = None) -> float:
    """The share of the terms that a text holds, 0 to 1; a shared beginning of four letters or more counts for less.

    With `enough`, that many terms are as good as all of them: a long prompt is about more than one record.
    """
    if not terms:
        return 0.0
    wanted = len(terms) if enough is None else min(len(terms), enough)
    return min(1.0, sum(_covers_term(term, words) for term in terms) / wanted)


def _covers_term(term: str, words: AbstractSet[str]) -> float:
    if term in words:
        return 1.0
    if is_unspaced(term):
        return float(any(term in word for word in words))
    stem = term[: max(4, len(term) - 3)]
    return 0.8 if len(term) >= 4 and any(w.startswith(stem) for w in words) else 0.0


def jaccard_similarity(one: Set[str], other: Set[str]) -> float:
    """How much two sets of words have in common, 0 to 1."""
    return len(one & other) / len(one | other) if one and other else 0.0


# The letters of scripts without spaces between words; taken apart, Korean syllables are others.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0002fa1f]+"
)
_FOLDED_UNSPACED = re.compile(f"(?:{_UNSPACED.pattern}|[\u1100-\u11ff]+)+")


def text_grams(text: str) -> str:
    """The pairs of a text, separated by spaces, and the last character of each run alone, so that it is found."""
    if text.isascii():
        return ""
    return " ".join(gram for run in _unspaced_runs(text) for gram in (*_character_pairs(run), run[-1]))


def query_pairs(text: str) -> tuple[str, ...]:
    """The pairs of the unspaced parts of a question; a single character stands for the pairs that begin with it."""
    if text.isascii():
        return ()
    return tuple(dict.fromkeys(pair for run in _unspaced_runs(text) for pair in (_character_pairs(run) or [run])))


def is_unspaced(word: str) -> bool:
    """Whether a folded word is of a script without spaces: a text holds it if it stands anywhere in it."""
    return not word.isascii() and _FOLDED_UNSPACED.fullmatch(word) is not None


def drop_unspaced(word: str) -> str:
    """The parts of a folded word that are of scripts with spaces between words, separated by spaces."""
    return word if word.isascii() else _FOLDED_UNSPACED.sub(" ", word).strip()


def _unspaced_runs(text: str) -> list[str]:
    return _UNSPACED.findall(unicodedata.normalize("NFKC", text))


def _character_pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)]


_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble", "logi": "log",
    "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble",
}  # fmt: skip
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4 = "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize".split()


# No word of a language is longer; what is was pasted, and has no stem.
_LONGEST = 60
_LEAST_LEFT = 3


@lru_cache(maxsize=50_000)
def stem_of_word(word: str) -> str:
    """The stem of a folded word; short and very long words and words with digits stay as they are."""
    if not 2 < len(word) <= _LONGEST or not word.isalpha() or not word.isascii():
        return word
    for step in (_strip_plural, _strip_past_ending, _final_y, _double_endings, _endings_3, _endings_4, _final_e):
        word = step(word)
    return word


def strip_ending(word: str, endings: Sequence[str]) -> str:
    """The word without the first of the endings that it has, as long as three letters are left."""
    for ending in endings:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_LEFT:
            return word[: -len(ending)]
    return word


def _vowel_shape(word: str) -> str:
    """A word as a row of v and c."""
    shape = ""
    for place, letter in enumerate(word):
        is_vowel = letter in "aeiou" or (letter == "y" and place > 0 and shape[-1] == "c")
        shape += "v" if is_vowel else "c"
    return shape


def _count_vowel_runs(word: str) -> int:
    """How many times a vowel run is followed by a consonant run."""
    return len(re.findall("v+c+", _vowel_shape(word)))


def _has_vowel(word: str) -> bool:
    return "v" in _vowel_shape(word)


def _ends_double(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _vowel_shape(word)[-1] == "c"


def _ends_cvc(word: str) -> bool:
    return _vowel_shape(word)[-3:] == "cvc" and word[-1] not in "wxy"


def _strip_plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _strip_past_ending(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _count_vowel_runs(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        if word.endswith(ending) and _has_vowel(word[: -len(ending)]):
            return _repair_stem(word[: -len(ending)])
    return word


def _repair_stem(word: str) -> str:
    """A word that lost `ed` or `ing`, as it was before it took them."""
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if _ends_double(word) and word[-1] not in "lsz":
        return word[:-1]
    return word + "e" if _count_vowel_runs(word) == 1 and _ends_cvc(word) else word


def _final_y(word: str) -> str:
    return word[:-1] + "i" if word.endswith("y") and _has_vowel(word[:-1]) else word


def _double_endings(word: str) -> str:
    return _replace_ending(word, _STEP_2)


def _endings_3(word: str) -> str:
    return _replace_ending(word, _STEP_3)


def _replace_ending(word: str, endings: dict[str, str]) -> str:
    for ending, short in endings.items():
        if word.endswith(ending):
            base = word[: -len(ending)]
            return base + short if _count_vowel_runs(base) > 0 else word
    return word


def _endings_4(word: str) -> str:
    for ending in sorted(_STEP_4, key=len, reverse=True):
        if word.endswith(ending):
            base = word[: -len(ending)]
            fits = _count_vowel_runs(base) > 1 and (ending != "ion" or base.endswith(("s", "t")))
            return base if fits else word
    return word


def _final_e(word: str) -> str:
    if word.endswith("e"):
        base = word[:-1]
        if _count_vowel_runs(base) > 1 or (_count_vowel_runs(base) == 1 and not _ends_cvc(base)):
            word = base
    return word[:-1] if word.endswith("ll") and _count_vowel_runs(word[:-1]) > 1 else word
