"""Words without their endings: by Porter's rules, as the full-text index stems them, or by a list of endings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

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
