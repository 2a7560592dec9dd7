"""What comes beside a text, checked before anything is stored: names must be short texts, metadata a table of JSON."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Mapping
from typing import Any

from toldonce.errors import InputError, TextTooLong, TooMany

NAME_CHARS = 1_000
KEY_CHARS = 200
METADATA_CHARS = 64_000
METADATA_DEPTH = 20
MOST_LISTED = 1_000
MOST_COUNTED = 1_000_000_000
_LARGEST_INT = 2**63 - 1
# Control characters have no place in a name, and half of a character (a lone surrogate) cannot be stored at all.
_NOT_IN_NAMES = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_NOT_STORABLE = re.compile(r"[\x00\ud800-\udfff]")


def check_names(**names: object) -> None:
    """Refuse a name that is not a text, or too long for one; a name that was not given is None.

    A user without a visible character is most often a variable that was not filled in: taken for nobody in particular,
    it would open what is private to everybody.
    """
    for field, value in names.items():
        if value is None:
            continue
        if not isinstance(value, str):
            raise InputError(f"{field} must be a text, not {type(value).__name__}")
        if field == "user" and not value.strip():
            raise InputError("user is blank: name the person, or leave it out")
        if len(value) > NAME_CHARS:
            raise TextTooLong(
                f"{field} has {len(value)} characters, the limit is {NAME_CHARS}: put longer things into the text",
                length=len(value),
                limit=NAME_CHARS,
            )
        if not value.isprintable() and _NOT_IN_NAMES.search(value):
            raise InputError(f"{field} holds a control character or half of one: give valid Unicode")


def check_key(key: object) -> None:
    """Refuse an idempotency key that is no short text."""
    check_names(idempotency_key=key)
    if not isinstance(key, str) or len(key) > KEY_CHARS or not key.isprintable() or not key.strip():
        raise InputError(f"an idempotency key has 1 to {KEY_CHARS} characters that can be printed")


def check_lists(**lists: object) -> None:
    """Refuse what is no list, or one too long to be meant; a text is no list of its letters."""
    for field, value in lists.items():
        if not isinstance(value, list | tuple | set | frozenset):
            raise InputError(f"{field} must be a list of texts, not {type(value).__name__}")
        if len(value) > MOST_LISTED:
            raise TooMany(f"{field} lists {len(value)} things, the limit is {MOST_LISTED}", limit=MOST_LISTED)


def check_flags(**flags: object) -> None:
    """Refuse what is neither true nor false."""
    for field, value in flags.items():
        if not isinstance(value, bool):
            raise InputError(f"{field} must be true or false, not {type(value).__name__}")


def check_texts(**texts: object) -> None:
    """Refuse a longer text beside the text that the store cannot keep."""
    for field, value in texts.items():
        if not isinstance(value, str):
            raise InputError(f"{field} must be a text, not {type(value).__name__}")
        if len(value) > METADATA_CHARS:
            message = f"{field} has {len(value)} characters, the limit is {METADATA_CHARS}"
            raise TextTooLong(message, length=len(value), limit=METADATA_CHARS)
        if _NOT_STORABLE.search(value):
            raise InputError(f"{field} holds a NUL or half of a character: take it out")


def check_path(path: object) -> None:
    """Refuse what no file can be called on this system; whether it is there is not asked."""
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"a path must be a text or a path, not {type(path).__name__}")
    try:
        os.fspath(path).encode()
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return
    except (OSError, ValueError) as problem:
        shown = str(os.fspath(path))[:80].encode("utf-8", "replace").decode()
        raise InputError(f"{shown!r} cannot be the path of a file: choose another name") from problem


def check_counts(least: int = 1, **counts: object) -> None:
    """Refuse values that are not whole numbers of at least `least`; None means not given."""
    for field, value in counts.items():
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int):
            raise InputError(f"{field} must be a whole number, not {type(value).__name__}")
        if not least <= value <= MOST_COUNTED:
            raise InputError(f"{field} must be at least {least} and at most {MOST_COUNTED}")


def require_counts(least: int = 1, **counts: object) -> None:
    """The same for numbers that cannot be left out."""
    if missing := [field for field, value in counts.items() if value is None]:
        raise InputError(f"{missing[0]} must be a whole number, not None: leave it out for the default")
    check_counts(least, **counts)


_NOT_JSON = "{} takes texts, numbers, true, false, null, and lists and tables of these, as JSON does"


def _check_value(value: object, what: str, *, depth: int) -> None:
    """Refuse what the store cannot keep or read back, at whatever depth it stands."""
    if depth > METADATA_DEPTH:
        raise InputError(f"{what} is nested more than {METADATA_DEPTH} deep: flatten it")
    if isinstance(value, str):
        if _NOT_STORABLE.search(value):
            raise InputError(f"a text in the {what} holds a NUL or half of a character: take it out")
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if not isinstance(key, str):
                raise InputError(_NOT_JSON.format(what))
            _check_value(key, what, depth=depth)
            _check_value(inner, what, depth=depth + 1)
    elif isinstance(value, list | tuple):
        for inner in value:
            _check_value(inner, what, depth=depth + 1)
    elif isinstance(value, int) and not -_LARGEST_INT <= value <= _LARGEST_INT:
        raise InputError(f"a number in the {what} is larger than 64 bits: give it as a text")
    elif isinstance(value, float) and not math.isfinite(value):
        raise InputError(_NOT_JSON.format(what))


def check_metadata(metadata: Mapping[str, Any] | None, what: str = "metadata") -> dict[str, Any]:
    """The metadata as it will be kept; refused when it is no table of JSON values, or too large for what it is for."""
    if not metadata:
        return {}
    if not isinstance(metadata, Mapping):
        raise InputError(f"{what} must be a table of names and values, not {type(metadata).__name__}")
    _check_value(metadata, what, depth=0)
    try:
        length = len(json.dumps(dict(metadata), allow_nan=False))
    except (TypeError, ValueError, RecursionError) as problem:
        raise InputError(_NOT_JSON.format(what)) from problem
    if length > METADATA_CHARS:
        raise TextTooLong(
            f"the metadata takes {length} characters, the limit is {METADATA_CHARS}: keep large things elsewhere",
            length=length,
            limit=METADATA_CHARS,
        )
    return dict(metadata)
