"""Writes the engine's values as one JSON document; the same value always gives the same shape."""

from __future__ import annotations

import json

from toldonce.operations.wire import to_plain_value

__all__ = ["to_json_document", "to_plain_value"]


def to_json_document(value: object, *, ascii_only: bool = False) -> str:
    """The value as one JSON document."""
    text = json.dumps(to_plain_value(value), ensure_ascii=ascii_only, indent=2)
    # A lone surrogate cannot be written as UTF-8; escaped it is still the same JSON text.
    return "".join(f"\\u{ord(c):04x}" if "\ud800" <= c <= "\udfff" else c for c in text) if not ascii_only else text
