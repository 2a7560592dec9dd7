"""What comes beside a text, checked before anything is stored: names must be short texts, metadata a table of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from recollect.errors import InputError, TextTooLong

NAME_CHARS = 1_000
METADATA_CHARS = 64_000


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


def check_counts(least: int = 1, **counts: object) -> None:
    """Refuse what is no whole number of at least so many; one that was not given is None."""
    for field, value in counts.items():
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int):
            raise InputError(f"{field} must be a whole number, not {type(value).__name__}")
        if value < least:
            raise InputError(f"{field} must be at least {least}")


def check_metadata(metadata: Mapping[str, Any] | None) -> dict[str, Any]:
    """The metadata as it will be kept; refused when it is no table of JSON values, or too large for what it is for."""
    if not metadata:
        return {}
    if not isinstance(metadata, Mapping):
        raise InputError(f"metadata must be a table of names and values, not {type(metadata).__name__}")
    try:
        length = len(json.dumps(dict(metadata), allow_nan=False))
    except (TypeError, ValueError) as problem:
        raise InputError(
            "metadata must be a table of JSON values: texts, numbers, true, false, null, lists, tables"
        ) from problem
    if length > METADATA_CHARS:
        raise TextTooLong(
            f"the metadata takes {length} characters, the limit is {METADATA_CHARS}: keep large things elsewhere",
            length=length,
            limit=METADATA_CHARS,
        )
    return dict(metadata)
