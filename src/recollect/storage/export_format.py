"""The lines of an export: rows of the store go out as JSON, checked lines come in as rows. No file is touched here.

One table says which fields each type of line has and how each is written; what does not fit is refused by its name,
and no message repeats a value.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, get_args

from recollect.clock import EARLIEST, LATEST, from_micros, to_micros, zone
from recollect.errors import InputError
from recollect.records import LinkType, Origin, State, Trust, Visibility

# Format 2 has a checksum in its header; format 1 is still read.
FORMAT = 2
_MOST = 2**63 - 1


class Unfit(ValueError):
    """A line that does not fit, and what is wrong with it."""


class Form(NamedTuple):
    """How one field is written: what it must be, from the store to a line, and back."""

    what: str
    out: Callable[[Any], Any]
    back: Callable[[Any], Any]


def iso(moment: datetime) -> str:
    """A moment as lines tell it: UTC with microseconds."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def line_of(type_: str, row: Sequence[Any]) -> str:
    """The line that tells a row of `export_<type>`."""
    fields = zip(SHAPES[type_].items(), row, strict=True)
    return compact({"type": type_, **{name: form.out(value) for (name, form), value in fields}})


def read_line(raw: bytes) -> Any:
    """What a line says, before it is checked."""
    try:
        return json.loads(raw.decode(), parse_constant=_no_number)
    except UnicodeDecodeError:
        raise Unfit("is not UTF-8 text") from None
    except (ValueError, RecursionError):
        raise Unfit("is not valid JSON") from None


def values_of(said: Any) -> tuple[str, dict[str, Any]]:
    """The type of a line and its values as they are stored."""
    if not isinstance(said, dict):
        raise Unfit("must be a table of fields")
    type_ = said.pop("type", None)
    if not isinstance(type_, str) or type_ not in SHAPES:
        raise Unfit(f"has no known type; known: {', '.join(SHAPES)}")
    return type_, checked(said, SHAPES[type_], type_)


def checked(said: Mapping[str, Any], shape: Mapping[str, Form], what: str) -> dict[str, Any]:
    """The values of a table that has exactly the fields of a shape."""
    if missing := [name for name in shape if name not in said]:
        raise Unfit(f"lacks the field {missing[0]!r}, which every {what} has")
    if len(said) != len(shape):
        raise Unfit(f"has a field that no {what} has; known: {', '.join(shape)}")
    found = {}
    for name, form in shape.items():
        try:
            found[name] = form.back(said[name])
        except Unfit:
            raise
        except (ValueError, OverflowError):
            raise Unfit(f"{name!r} of the {what} must be {form.what}") from None
    return found


def compact(value: Any) -> str:
    """JSON on one line, readable in every script; ValueError for what JSON has no word for."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _no_number(_: str) -> float:
    raise ValueError


def _same(value: Any) -> Any:
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError
    value.encode()  # half of a surrogate pair cannot be stored
    return value


def _zone(value: Any) -> str:
    try:
        zone(_text(value))
    except InputError:
        raise ValueError from None
    return _text(value)


def _flag(value: Any) -> int:
    if not isinstance(value, bool):
        raise ValueError
    return int(value)


def _count(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _MOST:
        raise ValueError
    return value


def _trust(value: Any) -> int:
    if _count(value) > max(Trust):
        raise ValueError
    return int(value)


def _share(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError
    return float(value)


def _moment(value: Any) -> int:
    moment = datetime.fromisoformat(_text(value))
    if moment.tzinfo is None or not EARLIEST.year <= moment.year < LATEST.year:
        raise ValueError
    return to_micros(moment)


def _texts(value: Any) -> str:
    if not isinstance(value, list):
        raise ValueError
    return compact([_text(one) for one in value])


def _table(value: Any) -> str:
    if not isinstance(value, dict):
        raise ValueError
    return _text(compact(value))


def _maybe(form: Form) -> Form:
    return Form(
        f"{form.what} or null",
        lambda stored: None if stored is None else form.out(stored),
        lambda said: None if said is None else form.back(said),
    )


def _one_of(*choices: str) -> Form:
    def back(value: Any) -> str:
        if value not in choices:
            raise ValueError
        return str(value)

    return Form(f"one of {', '.join(choices)}", _same, back)


def _list_of(shape: Mapping[str, Form], what: str) -> Form:
    def out(stored: str) -> list[dict[str, Any]]:
        return [{name: form.out(one[name]) for name, form in shape.items()} for one in json.loads(stored)]

    def back(value: Any) -> str:
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            raise ValueError
        return compact([checked(one, shape, what) for one in value])

    return Form(f"a list of {what} tables", out, back)


def _out_moment(stored: int) -> str:
    return iso(from_micros(stored))


TEXT = Form("a text", _same, _text)
ZONE = Form("a time zone such as Europe/Lisbon", _same, _zone)
FLAG = Form("true or false", bool, _flag)
COUNT = Form("a whole number, not negative", _same, _count)
SHARE = Form("a number from 0 to 1", _same, _share)
MOMENT = Form("a moment such as 2026-05-03T14:30:00.000000+00:00", _out_moment, _moment)
TEXTS = Form("a list of texts", json.loads, _texts)
TABLE = Form("a table", json.loads, _table)
# Inside a stored list the parts are JSON already.
_NAMES = Form("a list of texts", _same, lambda value: json.loads(_texts(value)))

_ENTRY = {"section": TEXT, "text": TEXT, "sources": _NAMES, "at": _maybe(MOMENT)}
_ALIAS = {"alias": TEXT, "type": TEXT, "shown": TEXT}
_STATE = _one_of(*get_args(State))

# Types in the order in which they are written: what a line refers to comes before it.
SHAPES: Mapping[str, Mapping[str, Form]] = {
    "space": {
        "name": TEXT, "preset": TEXT, "preset_text": _maybe(TEXT), "zone": ZONE, "enabled": FLAG, "created_at": MOMENT,
        "deleted_at": _maybe(MOMENT),
    },
    "person": {
        "space": TEXT, "id": TEXT, "username": TEXT, "display_name": TEXT, "zone": TEXT, "language": TEXT,
        "blocked": FLAG, "seen_at": MOMENT,
    },
    "member": {"space": TEXT, "person": TEXT, "role": _one_of("owner", "admin", "member")},
    "conversation": {
        "id": TEXT, "space": TEXT, "key": TEXT, "user": _maybe(TEXT), "session": _maybe(TEXT), "channel": _maybe(TEXT),
        "started_at": MOMENT, "updated_at": MOMENT, "messages": COUNT, "state": _one_of("open", "ended", "settled"),
        "ended_by": TEXT, "settled_at": _maybe(MOMENT),
    },
    "record": {
        "id": TEXT, "space": TEXT, "kind": TEXT, "text": TEXT, "title": TEXT, "summary": TEXT, "author": TEXT,
        "role": TEXT, "user": _maybe(TEXT), "session": _maybe(TEXT), "channel": _maybe(TEXT), "branch": _maybe(TEXT),
        "visibility": _one_of(*get_args(Visibility)), "subject": _maybe(TEXT), "state": _STATE, "state_reason": TEXT,
        "state_at": _maybe(MOMENT), "superseded_by": _maybe(TEXT), "confidence": SHARE, "validated": FLAG,
        "pinned": FLAG, "origin": _one_of(*get_args(Origin)), "made_by": TEXT,
        "trust": Form("a number from 0 to 3", _same, _trust),
        "conversation": _maybe(TEXT), "at": MOMENT, "created_at": MOMENT, "expires_at": _maybe(MOMENT),
        "accessed_at": _maybe(MOMENT), "access_count": COUNT, "faded_at": _maybe(MOMENT), "tags": TEXTS,
        "metadata": TABLE,
    },
    "change": {
        "record": TEXT, "at": MOMENT, "action": TEXT, "state": _STATE, "reason": TEXT, "by": TEXT,
        "other": _maybe(TEXT),
    },
    "link": {"source": TEXT, "link_type": _one_of(*get_args(LinkType)), "target": TEXT, "at": MOMENT},
    "entity": {
        "id": TEXT, "space": TEXT, "name": TEXT, "entity_type": TEXT, "aliases": _list_of(_ALIAS, "alias"),
        "records": TEXTS,
    },
    "document": {
        "space": TEXT, "owner": TEXT, "name": TEXT, "version": COUNT, "entries": _list_of(_ENTRY, "entry"),
        "data": TABLE, "at": MOMENT,
    },
    "question": {
        "id": TEXT, "space": TEXT, "user": _maybe(TEXT), "text": TEXT, "older": TEXT, "newer": TEXT,
        "created_at": MOMENT, "answered_at": _maybe(MOMENT), "answer": TEXT,
    },
    "setting": {"space": TEXT, "key": TEXT, "value": TEXT},
}  # fmt: skip

HEADER = {"exported_at": MOMENT, "space": _maybe(TEXT), "user": _maybe(TEXT)}
