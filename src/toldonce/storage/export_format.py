"""The lines of an export: rows of the store go out as JSON, checked lines come in as rows. No file is touched here.

One table says which fields each type of line has and how each is written; what does not fit is refused by its name,
and no message repeats a value.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, get_args

from toldonce.clock import EARLIEST, LATEST, from_micros, load_zone, to_micros
from toldonce.errors import InputError
from toldonce.records import LinkType, Origin, State, Trust, Visibility

# Format 2 has a checksum in its header, format 3 sealed items; earlier ones are still read.
FORMAT = 3
_MOST = 2**63 - 1


class UnfitLine(ValueError):
    """A line that does not fit, and what is wrong with it."""


class FieldFormat(NamedTuple):
    """How one field is written: what it must be, from the store to a line, and back."""

    what: str
    out: Callable[[Any], Any]
    back: Callable[[Any], Any]


def format_utc(moment: datetime) -> str:
    """A moment as lines tell it: UTC with microseconds."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def format_line(type_: str, row: Sequence[Any]) -> str:
    """The line that tells a row of `export_<type>`."""
    fields = zip(SHAPES[type_].items(), row, strict=True)
    return dump_compact({"type": type_, **{name: form.out(value) for (name, form), value in fields}})


def read_line(raw: bytes) -> Any:
    """What a line says, before it is checked."""
    try:
        return json.loads(raw.decode(), parse_constant=_refuse_number)
    except UnicodeDecodeError:
        raise UnfitLine("is not UTF-8 text") from None
    except (ValueError, RecursionError):
        raise UnfitLine("is not valid JSON") from None


def read_line_values(said: Any) -> tuple[str, dict[str, Any]]:
    """The type of a line and its values as they are stored."""
    if not isinstance(said, dict):
        raise UnfitLine("must be a table of fields")
    type_ = said.pop("type", None)
    if not isinstance(type_, str) or type_ not in SHAPES:
        raise UnfitLine(f"has no known type; known: {', '.join(SHAPES)}")
    return type_, check_fields(said, SHAPES[type_], type_)


def check_fields(said: Mapping[str, Any], shape: Mapping[str, FieldFormat], what: str) -> dict[str, Any]:
    """The values of a table that has exactly the fields of a shape."""
    if missing := [name for name in shape if name not in said]:
        raise UnfitLine(f"lacks the field {missing[0]!r}, which every {what} has")
    if len(said) != len(shape):
        raise UnfitLine(f"has a field that no {what} has; known: {', '.join(shape)}")
    found = {}
    for name, form in shape.items():
        try:
            found[name] = form.back(said[name])
        except UnfitLine:
            raise
        except (ValueError, OverflowError):
            raise UnfitLine(f"{name!r} of the {what} must be {form.what}") from None
    return found


def dump_compact(value: Any) -> str:
    """JSON on one line, readable in every script; ValueError for what JSON has no word for."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _refuse_number(_: str) -> float:
    raise ValueError


def _keep_value(value: Any) -> Any:
    return value


def _check_text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError
    value.encode()  # half of a surrogate pair cannot be stored
    return value


def _check_zone(value: Any) -> str:
    try:
        load_zone(_check_text(value))
    except InputError:
        raise ValueError from None
    return _check_text(value)


def _check_flag(value: Any) -> int:
    if not isinstance(value, bool):
        raise ValueError
    return int(value)


def _check_count(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _MOST:
        raise ValueError
    return value


def _check_trust(value: Any) -> int:
    if _check_count(value) > max(Trust):
        raise ValueError
    return int(value)


def _check_share(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError
    return float(value)


def _parse_line_moment(value: Any) -> int:
    moment = datetime.fromisoformat(_check_text(value))
    if moment.tzinfo is None or not EARLIEST.year <= moment.year < LATEST.year:
        raise ValueError
    return to_micros(moment)


def _parse_text_list(value: Any) -> str:
    if not isinstance(value, list):
        raise ValueError
    return dump_compact([_check_text(one) for one in value])


def _parse_table_value(value: Any) -> str:
    if not isinstance(value, dict):
        raise ValueError
    return _check_text(dump_compact(value))


def _write_base64(stored: bytes) -> str:
    return base64.b64encode(stored).decode()


def _check_base64(value: Any) -> bytes:
    return base64.b64decode(_check_text(value), validate=True)


def _or_null(form: FieldFormat) -> FieldFormat:
    return FieldFormat(
        f"{form.what} or null",
        lambda stored: None if stored is None else form.out(stored),
        lambda said: None if said is None else form.back(said),
    )


def _choice_of(*choices: str) -> FieldFormat:
    def back(value: Any) -> str:
        if value not in choices:
            raise ValueError
        return str(value)

    return FieldFormat(f"one of {', '.join(choices)}", _keep_value, back)


def _list_of(shape: Mapping[str, FieldFormat], what: str) -> FieldFormat:
    def out(stored: str) -> list[dict[str, Any]]:
        return [{name: form.out(one[name]) for name, form in shape.items()} for one in json.loads(stored)]

    def back(value: Any) -> str:
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            raise ValueError
        return dump_compact([check_fields(one, shape, what) for one in value])

    return FieldFormat(f"a list of {what} tables", out, back)


def _format_stored_moment(stored: int) -> str:
    return format_utc(from_micros(stored))


TEXT = FieldFormat("a text", _keep_value, _check_text)
ZONE = FieldFormat("a time zone such as Europe/Lisbon", _keep_value, _check_zone)
FLAG = FieldFormat("true or false", bool, _check_flag)
COUNT = FieldFormat("a whole number, not negative", _keep_value, _check_count)
SHARE = FieldFormat("a number from 0 to 1", _keep_value, _check_share)
MOMENT = FieldFormat("a moment such as 2026-05-03T14:30:00.000000+00:00", _format_stored_moment, _parse_line_moment)
BYTES = FieldFormat("base64", _write_base64, _check_base64)
TEXTS = FieldFormat("a list of texts", json.loads, _parse_text_list)
TABLE = FieldFormat("a table", json.loads, _parse_table_value)
# Inside a stored list the parts are JSON already.
_NAMES = FieldFormat("a list of texts", _keep_value, lambda value: json.loads(_parse_text_list(value)))

_ENTRY = {"section": TEXT, "text": TEXT, "sources": _NAMES, "at": _or_null(MOMENT)}
_ALIAS = {"alias": TEXT, "type": TEXT, "shown": TEXT}
_STATE = _choice_of(*get_args(State))

# Types in the order in which they are written: what a line refers to comes before it.
SHAPES: Mapping[str, Mapping[str, FieldFormat]] = {
    "space": {
        "name": TEXT,
        "preset": TEXT,
        "preset_text": _or_null(TEXT),
        "zone": ZONE,
        "enabled": FLAG,
        "created_at": MOMENT,
        "deleted_at": _or_null(MOMENT),
    },
    "person": {
        "space": TEXT,
        "id": TEXT,
        "username": TEXT,
        "display_name": TEXT,
        "zone": TEXT,
        "language": TEXT,
        "blocked": FLAG,
        "seen_at": MOMENT,
    },
    "member": {"space": TEXT, "person": TEXT, "role": _choice_of("owner", "admin", "member")},
    "conversation": {
        "id": TEXT,
        "space": TEXT,
        "key": TEXT,
        "user": _or_null(TEXT),
        "session": _or_null(TEXT),
        "channel": _or_null(TEXT),
        "started_at": MOMENT,
        "updated_at": MOMENT,
        "messages": COUNT,
        "state": _choice_of("open", "ended", "settled"),
        "ended_by": TEXT,
        "settled_at": _or_null(MOMENT),
    },
    "record": {
        "id": TEXT,
        "space": TEXT,
        "kind": TEXT,
        "text": TEXT,
        "title": TEXT,
        "summary": TEXT,
        "author": TEXT,
        "role": TEXT,
        "user": _or_null(TEXT),
        "session": _or_null(TEXT),
        "channel": _or_null(TEXT),
        "branch": _or_null(TEXT),
        "visibility": _choice_of(*get_args(Visibility)),
        "subject": _or_null(TEXT),
        "state": _STATE,
        "state_reason": TEXT,
        "state_at": _or_null(MOMENT),
        "superseded_by": _or_null(TEXT),
        "confidence": SHARE,
        "validated": FLAG,
        "pinned": FLAG,
        "origin": _choice_of(*get_args(Origin)),
        "made_by": TEXT,
        "trust": FieldFormat("a number from 0 to 3", _keep_value, _check_trust),
        "conversation": _or_null(TEXT),
        "at": MOMENT,
        "created_at": MOMENT,
        "expires_at": _or_null(MOMENT),
        "accessed_at": _or_null(MOMENT),
        "access_count": COUNT,
        "faded_at": _or_null(MOMENT),
        "tags": TEXTS,
        "metadata": TABLE,
    },
    "change": {
        "record": TEXT,
        "at": MOMENT,
        "action": TEXT,
        "state": _STATE,
        "reason": TEXT,
        "by": TEXT,
        "other": _or_null(TEXT),
    },
    "link": {"source": TEXT, "link_type": _choice_of(*get_args(LinkType)), "target": TEXT, "at": MOMENT},
    "entity": {
        "id": TEXT,
        "space": TEXT,
        "name": TEXT,
        "entity_type": TEXT,
        "aliases": _list_of(_ALIAS, "alias"),
        "records": TEXTS,
    },
    "document": {
        "space": TEXT,
        "owner": TEXT,
        "name": TEXT,
        "version": COUNT,
        "entries": _list_of(_ENTRY, "entry"),
        "data": TABLE,
        "at": MOMENT,
    },
    "question": {
        "id": TEXT,
        "space": TEXT,
        "user": _or_null(TEXT),
        "text": TEXT,
        "older": TEXT,
        "newer": TEXT,
        "created_at": MOMENT,
        "answered_at": _or_null(MOMENT),
        "answer": TEXT,
    },
    "setting": {"space": TEXT, "key": TEXT, "value": TEXT},
    "sealed": {
        "space": TEXT,
        "id": TEXT,
        "user": _or_null(TEXT),
        "visibility": _choice_of(*get_args(Visibility)),
        "at": MOMENT,
        "seal": TEXT,
        "model_name": TEXT,
        "numbers": BYTES,
        "box": BYTES,
    },
}

HEADER = {"exported_at": MOMENT, "space": _or_null(TEXT), "user": _or_null(TEXT)}
