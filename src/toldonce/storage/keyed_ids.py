"""Ids of messages that came with an idempotency key: made from the key and whose it is, and recognisable."""

from __future__ import annotations

import hashlib

# Ids that begin with a moment come to this digit in the year 3076.
_MARK = "z"
_BYTES = 12


def keyed_id(prefix: str, told: str) -> str:
    """An id that is always the same for the same thing, whenever it comes."""
    return f"{prefix}_{_MARK}{hashlib.blake2b(told.encode(), digest_size=_BYTES).hexdigest()}"


def is_keyed(record_id: str) -> bool:
    """Whether an id is one of `keyed_id`."""
    return record_id.partition("_")[2].startswith(_MARK)
