"""Judges one value that may be a secret: a stand-in, a reference, plain words, or something nobody types by hand.

Strings come in, verdicts come out; nothing here knows where the value stood, keeps it or prints it.
"""

from __future__ import annotations

import base64
import math
import re
from collections import Counter

from toldonce.lang.registry import all_languages, combine_languages, unite_patterns, unite_words
from toldonce.lang.vocabulary import stop_words
from toldonce.text.patterns import join_patterns

MIN_ENTROPY_LENGTH = 20
MIN_ENTROPY_BITS = 4.5


# What people write where a secret would stand: variables, templates, references, marks of ours, and plain names for it.
@combine_languages
def _stand_in() -> re.Pattern[str]:
    known = [language.secrets for language in all_languages()]
    owners = join_patterns(secrets.stand_in_owners for secrets in known) or "(?!)"
    names = join_patterns(secrets.stand_ins for secrets in known) or "(?!)"
    return re.compile(
        rf"""\[redacted | <[^<>]*>?$ | \$[{{(] | \$\w+$ | \{{\{{ | %\w*%$ | %[(s] | \{{[a-z_][\w .-]*\}}$ | @\w+@$
          | x{{2,}}$
          | enc[(\[] | !vault | (?:op|secret|vault|ref|env|file):/*[a-z] | arn: | (?:process\.)?env[.(\[]
          | your | insert | enter[_-] | some[_-]
          | (?:todo|fixme|tbd|none|null|nil|undefined|true|false|empty|default|string|text|hidden|test)$
          | (?:(?:{owners})[_-]?)?
            (?:password|passwd|passphrase|pass|pwd|secret|token|api[_-]?key|key|credentials?|{names})s?
            [_-]?(?:value|string)?$
        """,
        re.IGNORECASE | re.VERBOSE,
    )


# Masks, and words that mark a value as not real.
_TELLTALES = (
    *("***", "xxxx", "...", "…", "••", "example", "placeholder", "changeme", "change-me", "change_me", "changeit"),
    *("redacted", "replace", "your_", "your-", "_here", "-here", "goeshere", "dummy", "foobar", "notreal", "not-real"),
)
# Values that vendors print in their documentation, and that everybody copies.
_PUBLISHED = frozenset({
    "gho_16C7e42F292c6912E7710c838347Ae178B4a", "sk_test_4eC39HqLyjWDarjtT1zdp7dc", "sk_test_BQokikJOvBiI2HlWgH4olfQ2",
})  # fmt: skip
_TIMES = re.compile(r'"(exp|nbf|iat)"\s*:\s*(\d{9,11})\b')
_SHORT_LIFE_SECONDS = 600
_CONSTANT_NAME = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_WORDS = re.compile(r"(?:[A-Z]?[a-z]+|[A-Z]+|\d{1,2})(?:[-_./: ]+(?:[A-Z]?[a-z]+|[A-Z]+|\d{1,2}|v\d{1,3}))*")
_CODE = re.compile(
    r"[A-Za-z_$][\w$]*(?:(?:\.|->|::)[A-Za-z_$][\w$]*)+|[A-Za-z_$][\w$.:>-]*[(\[].*|[&*!][A-Za-z_][\w.]*"
)
_NUMBER = re.compile(r"v?[\d.,:/ _-]+(?:[a-z%]{1,4})?|\d{4}-\d\d-\d\d[T ][\d:.+Z-]*", re.IGNORECASE)
_PLACE = re.compile(r"(?:\.{0,2}|~|[A-Za-z]:)[/\\](?:[\w.@ -]+[/\\])*[\w.@ -]*|[\w.-]+(?:/[\w.-]+)+\.\w{1,5}")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_CLASS_CHANGE = re.compile(r"(?<=[a-z])[A-Z0-9]|(?<=[A-Z])[a-z0-9]|(?<=[0-9])[A-Za-z]")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{12,}={0,2}")

# Words of six letters or more that follow "the password is" without being one; others are recognised by their endings.
_said_of_passwords = unite_words(lambda language: language.secrets.said_of)
_said_ending = unite_patterns(lambda language: language.secrets.said_endings, r".+(?:{})")
_secret_names = unite_words(
    lambda language: language.secrets.stand_ins.split("|") if language.secrets.stand_ins else ()
)
_SECRET_PARTS = ("passw", "secret", "token")


def measure_entropy(text: str) -> float:
    """Bits per character, from the text's own letter counts; 0.0 for the empty text."""
    total = len(text)
    return -sum(n / total * math.log2(n / total) for n in Counter(text).values())


def is_placeholder(value: str) -> bool:
    """True for placeholders of a secret: variables, masks, templates, examples."""
    lowered = value.lower()
    if value in _PUBLISHED or any(telltale in lowered for telltale in _TELLTALES):
        return True
    return _stand_in().match(value) is not None or _CONSTANT_NAME.fullmatch(value) is not None


def is_short_lived(token: str) -> bool:
    """True for a signed token (JWT) that was valid for ten minutes at most, as in links to images of a page."""
    inner = decode_base64_text(token.split(".")[1])
    times = dict(_TIMES.findall(inner or ""))
    began = times.get("nbf") or times.get("iat")
    return began is not None and "exp" in times and 0 <= int(times["exp"]) - int(began) <= _SHORT_LIFE_SECONDS


def is_uuid(value: str) -> bool:
    return _UUID.fullmatch(value) is not None


def is_generated(value: str) -> bool:
    """True for a value of eight characters or more that mixes letters with digits and is no name, path or number."""
    if len(value) < 8 or " " in value or "://" in value or is_placeholder(value):
        return False
    if not any(c.isdigit() for c in value) and not _is_dense(value):
        return False
    ordinary = any(form.fullmatch(value) for form in (_WORDS, _CODE, _NUMBER, _PLACE))
    return not ordinary and any(c.isalpha() for c in value) and measure_entropy(value) >= 2.5


def is_password(value: str, *, quoted: bool) -> bool:
    """True for what somebody chose as a password; unquoted it needs a digit or a sign, since a word may be a name."""
    if len(value) < 5 or " " in value or "://" in value or is_placeholder(value):
        return False
    if (word := value.rstrip("?!")).isalpha():
        return quoted and is_chosen_word(word)
    if _PLACE.fullmatch(value) or (not quoted and _CODE.fullmatch(value)):
        return False
    return quoted or not _WORDS.fullmatch(value) or any(c.isdigit() for c in value)


def is_chosen_word(value: str) -> bool:
    """True for a single word that could be a password because it is not something said about passwords."""
    word = value.lower()
    if len(word) < 6 or not word.isalpha() or is_placeholder(word) or word in _said_of_passwords():
        return False
    parts = (*_SECRET_PARTS, *_secret_names())
    return not _said_ending().fullmatch(word) and not any(part in word for part in parts)


def is_passphrase(value: str) -> bool:
    """True for three plain words or more that make no sentence, as people choose them to encrypt something."""
    words = value.lower().split()
    is_plain = len(words) >= 3 and all(word.isalnum() and len(word) >= 3 for word in words)
    return is_plain and not is_placeholder(value) and stop_words().isdisjoint(words)


def is_random(value: str) -> bool:
    """True for twenty characters or more above 4.5 bits that change between cases and digits as only chance does."""
    if len(value) < MIN_ENTROPY_LENGTH or not any(c.isdigit() for c in value) or is_placeholder(value):
        return False
    return _is_dense(value) and measure_entropy(value) > MIN_ENTROPY_BITS


def decode_base64_text(value: str) -> str | None:
    """The readable text inside a base64 value, or None when it holds none."""
    compact = "".join(value.split()).replace("-", "+").replace("_", "/").rstrip("=")
    try:
        text = base64.b64decode(compact + "=" * (-len(compact) % 4), validate=True).decode("utf-8")
    except ValueError:
        return None
    return text if text and text.replace("\n", " ").replace("\r", " ").replace("\t", " ").isprintable() else None


def holds_credentials(value: str) -> bool:
    """True for base64 of `name:password`, as in basic authentication."""
    text = decode_base64_text(value) if _BASE64.fullmatch(value) else None
    name, colon, password = (text or "").partition(":")
    return bool(name and colon) and len(password) >= 3 and not is_placeholder(password.strip())


def is_sealed_value(value: str) -> bool:
    """True for base64 around an encrypted or templated value, which is safe to keep."""
    text = decode_base64_text(value) if _BASE64.fullmatch(value) else None
    return text is not None and re.match(r"(?i)enc[(\[]|\$\{|\{\{", text) is not None


def _is_dense(value: str) -> bool:
    return len(_CLASS_CHANGE.findall(value)) >= 0.36 * len(value)
