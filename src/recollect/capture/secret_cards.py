"""Payment card numbers, told from other long numbers by issuer, length, grouping and check digit.

A text comes in, spans with a type come out; the number is never kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from recollect.capture.secret_phrases import Span

# 4-4-4-4, 4-6-5 and 4-6-4 as printed on cards, or 13 to 19 digits without a gap.
_NUMBER = re.compile(
    r"""(?<![\w.,+/-])(?:\d{4}(?P<gap>[ .-])\d{4}(?P=gap)\d{4}(?P=gap)\d{1,7}
        |\d{4}(?P<gap6>[ -])\d{6}(?P=gap6)\d{4,5}|\d{13,19})(?![\w%]|[.,/-]\d)""",
    re.VERBOSE,
)
_DIGIT_RUN = re.compile(r"[0-9]{4}[ .-]?[0-9]{4}")
# By the first digits: the lengths that an issuer uses.
_ISSUERS = (
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
_NUMBERED = re.compile(
    r"(?:id|ids|uid|no|nr|num|number|ref|order|invoice|ticket|tracking|serial|isbn|imei|phone|tel|pedido|protocolo"
    r"|timestamp|time|ts|seq|count|total|size|bytes|offset)[\"'\])]{0,3}\s{0,2}[:=#]{0,2}\s{0,2}[\"'(]{0,2}\Z|[=#]\Z",
    re.IGNORECASE,
)
_CARD_WORD = re.compile(
    r"\b(?:card|cards|credit|debit|visa|master ?card|amex|american express|maestro|discover|diners|cvv|cvc|expir\w*"
    r"|cart[ãa]o|cart[õo]es|cr[ée]dito|d[ée]bito|validade|pan|cc)\b",
    re.IGNORECASE,
)
_REACH = 60


def card_numbers(text: str) -> Iterator[Span]:
    """Every card number in a text."""
    if _DIGIT_RUN.search(text) is None:
        return
    for match in _NUMBER.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if is_card_number(digits) and (match[0] != digits or _is_told(text, *match.span())):
            yield (*match.span(), "card-number")


def is_card_number(digits: str) -> bool:
    """Whether an issuer gives out numbers that begin so, of this length, and the check digit is right."""
    is_issued = any(len(digits) in lengths and begin.match(digits) for begin, lengths in _ISSUERS)
    return is_issued and len(set(digits)) > 1 and _luhn(digits) % 10 == 0


def _luhn(digits: str) -> int:
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return sum(map(int, digits[::-2])) + sum(doubled)


def _is_told(text: str, start: int, end: int) -> bool:
    """Whether a number without gaps may be a card's: one id in ten has a right check digit by chance."""
    around = text[max(0, start - _REACH) : start] + " " + text[end : end + _REACH]
    return _CARD_WORD.search(around) is not None or _NUMBERED.search(text[max(0, start - 24) : start]) is None
