"""The arguments of mem0's calls: what they mean, what mem0 refuses, and its filters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any

from toldonce.errors import InputError

OWNERS = ("user_id", "agent_id", "run_id")
LEAST_SCORE = 0.1
_NOBODY = "name at least one of user_id, agent_id and run_id"


class InvalidArgument(InputError, ValueError):
    """An argument that mem0 refuses with a ValueError."""


def refuse_platform_only(call: str, **given: Any) -> None:
    """Refuse what mem0 has on its platform only: dates would be stored or searched otherwise than was asked."""
    for name, value in given.items():
        if value is not None:
            raise InvalidArgument(f"{call} takes no {name}, as in mem0 itself: use `observe` and `recall` of `.memory`")


def read_expiration(value: Any) -> str | None:
    """A day as mem0 takes it: a date, or a text like 2026-03-05."""
    if value is None:
        return None
    if isinstance(value, datetime):
        return value.date().isoformat()
    try:
        return (value if isinstance(value, date) else date.fromisoformat(value)).isoformat()
    except (TypeError, ValueError) as problem:
        raise InvalidArgument("expiration_date must be a date, or a text like 2026-03-05") from problem


def check_ids(ids: Mapping[str, Any]) -> dict[str, str]:
    """The ids that were given, as mem0 reads them: numbers as texts, without blanks around; none has blanks inside."""
    found: dict[str, str] = {}
    for name, value in ids.items():
        if value is None:
            continue
        text = str(value).strip()
        if not text or any(letter.isspace() for letter in text):
            raise InvalidArgument(f"{name} must be an id without blanks")
        found[name] = text
    return found


def drop_ids(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Metadata without the names of ids, which mem0 leaves out, too: only arguments say whose a memory is."""
    if not isinstance(metadata, Mapping):
        raise InvalidArgument(f"metadata must be a table of names and values, not {type(metadata).__name__}")
    return {name: value for name, value in metadata.items() if name not in (*OWNERS, "actor_id")}


def check_query(query: Any) -> str:
    """The question, without blanks around it."""
    if not isinstance(query, str) or not query.strip():
        raise InvalidArgument("query must be a text that is not empty")
    return query.strip()


def check_threshold(threshold: Any) -> float:
    """The least score, or the usual one."""
    if threshold is None:
        return LEAST_SCORE
    if not isinstance(threshold, int | float) or not 0 <= threshold <= 1:
        raise InvalidArgument("threshold must be a number from 0 to 1")
    return float(threshold)


def find_owner(ids: Mapping[str, str]) -> str:
    """The person that memories belong to: the user, else an agent or a run of its own."""
    owner = ids.get("user_id") or find_stand_in(ids)
    if not owner:
        raise InvalidArgument(_NOBODY)
    return owner


def find_stand_in(ids: Mapping[str, str | None]) -> str | None:
    """The person in whose name memories without a user are kept."""
    return next((f"{name.removesuffix('_id')}:{ids[name]}" for name in OWNERS[1:] if ids.get(name)), None)


def split_filters(filters: Mapping[str, Any] | None, given: Mapping[str, Any]) -> tuple[str | None, dict[str, Any]]:
    """Whose memories are meant, and what else must hold. Ids may also be given as arguments, as in older versions.

    Without a single user these are the memories of everybody that fit: an agent or a run may serve several people.
    """
    wanted = {**_lift_ids(filters or {}), **check_ids(given)}
    plain = {name: wanted[name] for name in OWNERS if isinstance(wanted.get(name), str | int) and wanted[name] != "*"}
    wanted |= check_ids(plain)
    if not any(wanted.get(name) for name in OWNERS):
        raise InvalidArgument(_NOBODY)
    user = wanted.get("user_id")
    if not isinstance(user, str) or user == "*":
        return None, wanted
    return user, {name: value for name, value in wanted.items() if name != "user_id"}


def _lift_ids(filters: Mapping[str, Any]) -> dict[str, Any]:
    """Filters with the ids that stand inside AND beside it, as mem0's own examples write them."""
    parts = [part for part in filters.get("AND") or () if isinstance(part, Mapping)]
    ids = {name: part[name] for part in parts for name in OWNERS if isinstance(part.get(name), str)}
    return {**ids, **filters}


_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "eq": lambda held, said: held == said,
    "ne": lambda held, said: held != said,
    "in": lambda held, said: held in said,
    "nin": lambda held, said: held not in said,
    "gt": lambda held, said: held is not None and held > said,
    "gte": lambda held, said: held is not None and held >= said,
    "lt": lambda held, said: held is not None and held < said,
    "lte": lambda held, said: held is not None and held <= said,
    "contains": lambda held, said: isinstance(held, str) and said in held,
    "icontains": lambda held, said: isinstance(held, str) and said.casefold() in held.casefold(),
}


def matches(item: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether a memory satisfies filters as mem0 writes them: values, operators, AND, OR and NOT."""
    return all(_matches_one(item, name, said) for name, said in wanted.items())


def _matches_one(item: Mapping[str, Any], name: str, said: Any) -> bool:
    if name in ("AND", "OR", "NOT"):
        is_list = isinstance(said, list | tuple) and all(isinstance(one, Mapping) for one in said)
        if not is_list or not (said or name == "AND"):
            raise InvalidArgument(f"{name} takes a list of filters")
        fitting = [matches(item, one) for one in said]
        return not any(fitting) if name == "NOT" else all(fitting) if name == "AND" else any(fitting)
    held = item.get(name) if name in OWNERS else item["metadata"].get(name, item.get(name))
    if said == "*":
        return held is not None
    if not isinstance(said, Mapping):
        return bool(held == said)
    unknown = [operator for operator in said if operator not in _COMPARISONS]
    if unknown:
        raise InvalidArgument(f"there is no filter operator {unknown[0]!r}: use one of {', '.join(_COMPARISONS)}")
    try:
        return all(_COMPARISONS[operator](held, value) for operator, value in said.items())
    except TypeError:
        return False


def check_count(count: Any) -> None:
    """Refuse what is no number of results."""
    if isinstance(count, bool) or not isinstance(count, int) or count < 0:
        raise InvalidArgument("top_k must be a whole number of at least 0")


def drop_none(table: Mapping[str, Any]) -> dict[str, Any]:
    """A table without what has no value."""
    return {name: value for name, value in table.items() if value is not None}
