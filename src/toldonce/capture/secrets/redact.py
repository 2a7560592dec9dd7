"""Takes secrets out of a text before it is remembered: text comes in, goes out with `[REDACTED: type]` marks in it.

It says what kind of secret stood where; the secret itself is never returned, kept or logged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from toldonce.capture.secrets.blocks import (
    find_controlled_text,
    find_manifest_secrets,
    find_wrapped_secrets,
    private_key,
    putty_key,
    skip_escape,
)
from toldonce.capture.secrets.files import is_expected
from toldonce.capture.secrets.phrases import INVENTED, Finder, Span, is_of_other_alphabet, secret_phrases
from toldonce.capture.secrets.rules import MIN_TOKEN_LENGTH, RULES, compile_secret_rule
from toldonce.capture.secrets.seed_phrases import FEWEST_SEED_WORDS, find_seed_phrases
from toldonce.capture.secrets.values import decode_base64_text, is_placeholder, is_random, is_short_lived
from toldonce.lang.registry import unite_patterns


@dataclass(frozen=True, slots=True)
class SecretFinding:
    """One secret by kind and place in the text as it came; never the secret itself."""

    type: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Redaction:
    """A text that is safe to keep, and what was taken out of it, in order of place."""

    text: str
    found: tuple[SecretFinding, ...]


_MARK = re.compile(r"\[REDACTED: [a-z0-9-]+\]")
_KEYWORDS = tuple((keyword, rank) for rank, rule in enumerate(RULES) for keyword in rule.keywords)
_BLOCKS: tuple[tuple[str, Finder], ...] = (
    ("-----begin", private_key), ("putty-user-key-file", putty_key), ("cui//", find_controlled_text),
    ("controlled//", find_controlled_text),
)  # fmt: skip
_ASCII_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}

_MAX_ROUNDS = 3
_WORD_REACH = 300
_CANDIDATE = re.compile(r"[A-Za-z0-9+/_-]{20,}={0,2}")
# Digests, public keys, certificates and sealed values look random and are meant to be seen.
_PUBLIC_WORD = re.compile(
    r"://|^www\.|sha\d{1,3}[-:]|^h1:|^data:|base64,|AAAA[BCE]3Nza|ENC[\[(]|\$\w{1,4}\$|^ssh-|\.\.\.|…", re.IGNORECASE
)
# Words in a row, or a numbered list of them, as many and as long as those that wallets are restored from.
_ROW_WORD = r"[^\W\d_]{3,8}(?![^\W_])"
_WORD_ROW = re.compile(rf"(?<![^\W_]){_ROW_WORD}(?:[\s,;|/.:)\d-]{{1,8}}+{_ROW_WORD}){{{FEWEST_SEED_WORDS - 1},}}")
_BLOCK = re.compile(r"-----BEGIN [A-Z0-9 ]{1,40}-----(?:[^-]|-(?!--)){0,40000}-----END")
# A link that was signed for a few minutes, as pages do for their images; what is signed may quote a public key id.
_SIGNED_LINK = re.compile(r"[?&](?:jwt|token)=(eyJ[\w-]{8,2000}\.eyJ[\w-]{8,8000}\.[\w-]{10,2000})")
_TEST_LINE = re.compile(r"assert|\btest_", re.IGNORECASE)


def redact_secrets(text: str, *, name: str = "", by_chance: bool = True) -> Redaction:
    """The text with every secret replaced by a mark, and what was found; redacting the result changes nothing.

    `name` is the path of the file that the text comes from: what is expected in such a file stays.
    Without `by_chance` a random text stays when nothing but its randomness speaks for a secret, as in an identifier.
    """
    spans = _find_all_secrets(text)
    found = [SecretFinding(type, start, end) for start, end, type in spans if not is_expected(type, name)]
    if not by_chance:
        found = [one for one in found if one.type != "high-entropy"]
    if not found:
        return Redaction(text, ())
    parts: list[str] = []
    last = 0
    for one in found:
        parts += (text[last : one.start], f"[REDACTED: {one.type}]")
        last = one.end
    return Redaction("".join(parts) + text[last:], tuple(found))


def _find_all_secrets(text: str) -> list[Span]:
    """Every secret, in order. What is left between two marks is looked at again on its own, until nothing is found.

    Text made so that each mark uncovers a secret before it loses the whole word after a few rounds, to bound the work.
    """
    found: list[Span] = []
    pieces = [(start, end, 0) for start, end in _between_marks(text)]
    while pieces:
        start, end, rounds = pieces.pop()
        piece = text[start:end]
        if not (spans := _find_secret_spans(piece)):
            continue
        spans = _merge_spans(spans if rounds < _MAX_ROUNDS else [_from_word_start(piece, span) for span in spans])
        found += [(start + a, start + b, type) for a, b, type in spans]
        edges = [0, *(edge for a, b, _ in spans for edge in (a, b)), len(piece)]
        pairs = zip(edges[::2], edges[1::2], strict=True)
        pieces += [(start + a, start + b, rounds + 1) for a, b in pairs if a < b]
    return sorted(found)


def _from_word_start(text: str, span: Span) -> Span:
    start, end, type = span
    while start and not text[start - 1].isspace():
        start -= 1
    return start, end, type


def find_marks(text: str) -> list[tuple[int, int]]:
    """Where marks of earlier redactions are."""
    return [mark.span() for mark in _MARK.finditer(text)]


def _between_marks(text: str) -> list[tuple[int, int]]:
    edges = [0, *(edge for mark in find_marks(text) for edge in mark), len(text)]
    return [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if a < b]


def _merge_spans(spans: list[Span]) -> list[Span]:
    """Overlapping spans as one, named by the first of them in the order they were found."""
    merged: list[Span] = []
    order = {span: rank for rank, span in reversed(list(enumerate(spans)))}
    best = 0
    for span in sorted(order):
        start, end, type = span
        if merged and start < merged[-1][1]:
            last_start, last_end, last_type = merged[-1]
            merged[-1] = (last_start, max(end, last_end), type if order[span] < best else last_type)
            best = min(best, order[span])
        else:
            merged.append(span)
            best = order[span]
    return merged


def _find_secret_spans(text: str, *, is_wrapped: bool = False) -> list[Span]:
    """Every span found, the most reliable rules first: shape, surrounding words, base64, randomness."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = text.translate(_ASCII_LOWER)
    long_words = [word for word in text.split() if len(word) >= MIN_TOKEN_LENGTH]
    spans = [*_find_by_surroundings(text, lowered), *_card_numbers(text)]
    if rows := list(_WORD_ROW.finditer(text)):
        spans += find_seed_phrases(rows)
    if "kind" in lowered and "secret" in lowered:
        spans += find_manifest_secrets(text)
    if not long_words:
        return spans
    spans = [*_find_by_pattern(text, long_words), *spans]
    if not is_wrapped:
        spans += find_wrapped_secrets(text, _inner_type)
    spans = [*spans, *_find_random_tokens(text)]
    links = [match.span() for match in _SIGNED_LINK.finditer(text) if is_short_lived(match[1])] if spans else []
    return [span for span in spans if not any(a <= span[0] < b for a, b in links)] if links else spans


def _inner_type(text: str) -> str | None:
    spans = _find_secret_spans(text, is_wrapped=True)
    return spans[0][2] if spans else None


def _find_by_pattern(text: str, long_words: list[str]) -> Iterator[Span]:
    haystack = " ".join(long_words)
    for rank in sorted({rank for keyword, rank in _KEYWORDS if keyword in haystack}):
        rule = RULES[rank]
        for match in compile_secret_rule(rule).finditer(text):
            group = "secret" if "secret" in match.re.groupindex else 0
            if not is_placeholder(match[group]) and not (rule.stays_in_tests and _is_in_test(match)):
                yield (*match.span(group), rule.type)


def _is_in_test(match: re.Match[str]) -> bool:
    line_start = match.string.rfind("\n", 0, match.start()) + 1
    return _TEST_LINE.search(match.string, line_start, match.start()) is not None


def _find_by_surroundings(text: str, lowered: str) -> list[Span]:
    found = []
    for keyword, find in (*_BLOCKS, *secret_phrases()):
        at = lowered.find(keyword)
        while at >= 0:
            span = find(text, at)
            if span is not None:
                found.append(span)
            at = lowered.find(keyword, at + 1)
    return found


def _find_random_tokens(text: str) -> Iterator[Span]:
    """Long tokens that only chance writes, where no digest, address, public key or text in base64 would stand."""
    public = [match.span() for match in _BLOCK.finditer(text)] if "-----BEGIN" in text else []
    for match in _CANDIDATE.finditer(text):
        start, end = skip_escape(text, match.start()), match.end()
        if not is_random(text[start:end]) or any(a <= start < b for a, b in public):
            continue
        if is_of_other_alphabet(text, start):
            continue
        if not _is_public(text, start, end) and decode_base64_text(text[start:end]) is None:
            yield start, end, "high-entropy"


def _is_public(text: str, start: int, end: int) -> bool:
    before = text[max(0, start - _WORD_REACH) : start]
    word = (before.split() or [""])[-1] if before and not before[-1].isspace() else ""
    return bool(_PUBLIC_WORD.search(word + text[start : end + 3]) or INVENTED.search(before[-60:]))


# Payment cards differ from other long numbers by issuer, length, grouping and check digit.
# 4-4-4-4, 4-6-5 and 4-6-4 as printed on cards, or 13 to 19 digits without a gap.
_CARD_NUMBER = re.compile(
    r"""(?<![\w.,+/-])(?:\d{4}(?P<gap>[ .-])\d{4}(?P=gap)\d{4}(?P=gap)\d{1,7}
        |\d{4}(?P<gap6>[ -])\d{6}(?P=gap6)\d{4,5}|\d{13,19})(?![\w%]|[.,/-]\d)""",
    re.VERBOSE,
)
_DIGIT_RUN = re.compile(r"[0-9]{4}[ .-]?[0-9]{4}")
# By the first digits: the lengths that an issuer uses.
_CARD_ISSUERS = (
    (re.compile(r"4"), (13, 16, 19)),
    (re.compile(r"5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720"), (16,)),
    (re.compile(r"3[47]"), (15,)),
    (re.compile(r"6011|65|64[4-9]"), (16, 19)),
    (re.compile(r"35(?:2[89]|[3-8])"), (16,)),
    (re.compile(r"30[0-5]|36|3[89]"), (14,)),
    (re.compile(r"2131|1800"), (15,)),
    (re.compile(r"5018|5020|5038|5893|6304|6759|676[1-3]|606282|3841|50(?:4175|6699|67|9)|62|63"), (12, 13, 16, 19)),
)
# What stands before a number that only looks like a card's: an id, an order, a query's value.
_numbered = unite_patterns(
    lambda language: language.secrets.numbered,
    r"(?:id|ids|uid|no|nr|num|ref|isbn|imei|tel|timestamp|ts|seq|total|size|bytes|offset|{})[\"'\])]{0,3}\s{0,2}"
    r"[:=#]{0,2}\s{0,2}[\"'(]{0,2}\Z|[=#]\Z",
)
_card_word = unite_patterns(
    lambda language: language.secrets.cards,
    r"\b(?:visa|master ?card|amex|maestro|discover|diners|cvv|cvc|pan|cc|{})\b",
)
_CARD_REACH = 60


def _card_numbers(text: str) -> Iterator[Span]:
    """Every card number in a text."""
    if _DIGIT_RUN.search(text) is None:
        return
    for match in _CARD_NUMBER.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if is_card_number(digits) and (match[0] != digits or _may_be_card(text, *match.span())):
            yield (*match.span(), "card-number")


def is_card_number(digits: str) -> bool:
    """Whether an issuer gives out numbers that begin so, of this length, and the check digit is right."""
    is_issued = any(len(digits) in lengths and begin.match(digits) for begin, lengths in _CARD_ISSUERS)
    return is_issued and len(set(digits)) > 1 and _luhn_sum(digits) % 10 == 0


def _luhn_sum(digits: str) -> int:
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return sum(map(int, digits[::-2])) + sum(doubled)


def _may_be_card(text: str, start: int, end: int) -> bool:
    """Whether a number without gaps may be a card's: one id in ten has a right check digit by chance."""
    around = text[max(0, start - _CARD_REACH) : start] + " " + text[end : end + _CARD_REACH]
    return _card_word().search(around) is not None or _numbered().search(text[max(0, start - 24) : start]) is None
