"""Carries out one operation for an identity: arguments come in, plain values go out. Runs in a thread of its own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from operator import attrgetter
from typing import TYPE_CHECKING, Any, get_args

from toldonce.access import Action, acting_as, expecting, may_act
from toldonce.errors import InputError, NotAllowed, RecordNotFound, SpaceNotFound
from toldonce.operations.routes import RECORD_ARGUMENTS, Route
from toldonce.operations.wire import to_plain_value
from toldonce.presets import shipped_presets
from toldonce.records import PERSONAL, Document, Hits, Record
from toldonce.server.identity import Identity, bind_arguments, filter_spaces, may_by_role
from toldonce.server.paging import DEEPEST, USUAL_PAGE, Cursor, cut_page
from toldonce.server.problems import NOTHING, RequestProblem

if TYPE_CHECKING:
    from toldonce.memory import Memory
    from toldonce.storage.store import Tables

INTERFACE = "http"
# What changes when a record is shown is not part of its version.
_UNVERSIONED = ("access_count", "accessed_at", "confidence")


@dataclass(frozen=True, slots=True)
class Condition:
    """What a request requires of the present version: If-Match and If-None-Match."""

    if_match: str | None = None
    if_none_match: str | None = None


def carry_out(
    memory: Memory, identity: Identity, route: Route, given: Mapping[str, Any], *, condition: Condition | None = None
) -> Any:
    """The plain answer of an operation that the identity may use, on what it may use it.

    A change of a record that is not the one of the condition is refused within its transaction.
    """
    page = {name: given[name] for name in ("cursor", "limit") if name in given and route.listing}
    arguments = {n: _as_utc(v) for n, v in given.items() if n in route.parameters and not (route.listing and n in page)}
    bound = bind_arguments(identity, route, arguments, home=memory.space.name)
    if route.across:
        bound[route.across] = _bind_spaces(memory, identity, bound.get(route.across))
    _check_reach(memory, identity, bound)
    if may_by_role(identity, route):
        bound["space"] = _require_role(memory, identity, route, bound.get("space"))
    _refuse_files(route, bound)
    run = attrgetter(route.operation)(memory)
    check = _make_check(given.get("record_id"), condition) if route.is_write else None
    with identity_acts(identity), expecting(check):
        if route.listing:
            return _list_page(identity, route, run, bound, page)
        return to_answer(run(**bound))


def identity_acts(identity: Identity) -> AbstractContextManager[None]:
    """Within, what is done is done by this identity."""
    return acting_as(interface=INTERFACE, person=identity.person, is_agent=identity.role != "person")


def to_answer(value: Any) -> Any:
    """A result as a JSON document: always a table."""
    if value is None:
        return {"result": None}
    if isinstance(value, Hits):
        return {"hits": to_plain_value(list(value)), "left_out": dict(value.left_out), "waiting": value.waiting}
    plain = to_plain_value(value)
    return plain if isinstance(plain, dict) else {"result": plain}


def change_document(
    memory: Memory, identity: Identity, route: Route, given: Mapping[str, Any], *, new: Document, condition: Condition
) -> Any:
    """Store a document whose present version is the one that the caller has seen."""
    bound = bind_arguments(identity, route, given, home=memory.space.name)
    if condition.if_match is None and condition.if_none_match != "*":
        raise RequestProblem(
            428,
            "precondition-required",
            "send If-Match with the ETag of the document, or If-None-Match: * for a new one",
        )

    def change(before: Document) -> Document:
        is_new = before.version == 0
        if is_new != (condition.if_match is None) or (not is_new and condition.if_match != version_tag(before)):
            raise RequestProblem(412, "changed", "the document was changed meanwhile: read it again")
        if new.version not in (before.version or 1, before.version + 1):
            raise InputError(
                f"the version must be {before.version} to replace it, or {before.version + 1} to follow it"
            )
        return replace(new, name=before.name, owner=before.owner, space=before.space, at=new.at or before.at)

    with identity_acts(identity):
        return to_answer(memory.documents.change(bound.pop("name"), change, **bound))


def find_allowed(memory: Memory, identity: Identity, record_id: str) -> frozenset[Action]:
    """What an identity may do with a record that it may read."""
    if not identity.may("write"):
        return frozenset()

    def read(tables: Tables) -> frozenset[Action]:
        record = tables.records.get([record_id]).get(record_id)
        standing = tables.people.find_standing(record, identity.person) if record is not None else None
        is_agent = identity.role != "person"
        return frozenset(action for action in get_args(Action) if may_act(action, standing, is_agent=is_agent))

    return memory.store.read(read)


def require_found(answer: Any) -> Any:
    """The answer, or a problem of status 404 when there is nothing."""
    if answer == {"result": None}:
        raise RequestProblem(404, NOTHING, "there is nothing of that name here")
    return answer


def version_tag(value: Any) -> str:
    """The ETag of a record or a document, from what it says."""
    plain = to_plain_value(value) if not isinstance(value, dict) else value
    told = {name: item for name, item in plain.items() if name not in _UNVERSIONED}
    digest = hashlib.blake2b(json.dumps(told, sort_keys=True).encode(), digest_size=16)
    return f'"{digest.hexdigest()}"'


def require_version(memory: Memory, given: Mapping[str, Any], condition: Condition) -> None:
    """Refuse early what `carry_out` would refuse: a record that is not the one that the caller has seen."""
    record_id = str(given.get("record_id"))
    check = _make_check(record_id, condition)
    if check is not None:
        for record in memory.store.read(lambda t: t.records.get([record_id])).values():
            check(record)


def _make_check(record_id: Any, condition: Condition | None) -> Callable[[Record], None] | None:
    """What refuses to change a record that is not the one that the caller has seen."""
    if condition is None or condition.if_match in (None, "*") or not isinstance(record_id, str):
        return None

    def check(record: Record) -> None:
        if record.id == record_id and version_tag(record) != condition.if_match:
            raise RequestProblem(412, "changed", "the record was changed meanwhile: read it again")

    return check


def _list_page(identity: Identity, route: Route, run: Any, bound: dict[str, Any], page: Mapping[str, Any]) -> Any:
    cursor, size = Cursor.read(page.get("cursor")), page.get("limit", USUAL_PAGE)
    is_reversed, has_limit = route.listing == "newest last", "limit" in route.parameters
    wanted = cursor.count + size + 1
    while True:
        items = to_plain_value(run(**bound, **({"limit": wanted} if has_limit else {})))
        if route.operation == "spaces.all":
            items = [item for item in items if identity.may_enter(item["name"])]
        found, following = cut_page(items[::-1] if is_reversed else items, cursor, size)
        # What was added since the page before may have pushed the rest of this one out.
        if following is not None or not has_limit or len(items) < wanted or wanted >= DEEPEST:
            return {"items": found[::-1] if is_reversed else found, "next": following}
        wanted *= 2


def _check_reach(memory: Memory, identity: Identity, bound: Mapping[str, Any]) -> None:
    """Records and questions of spaces that the credential does not reach are not there for it."""
    if identity.spaces is None:
        return
    named = [i for n in RECORD_ARGUMENTS for i in _as_list(bound.get(n)) if isinstance(i, str)]
    question = bound.get("question_id")

    def read(tables: Tables) -> list[str]:
        spaces = [record.space for record in tables.records.get(named).values()]
        if isinstance(question, str):
            found = tables.conversations.questions(None, only_open=False, question_id=question)
            spaces += [one.space for one in found]
        return spaces

    if (named or question) and not all(identity.may_enter(space) for space in memory.store.read(read)):
        raise RecordNotFound


def _require_role(memory: Memory, identity: Identity, route: Route, space: str | None) -> str:
    """The space of a call in which the person has one of the roles that the route asks for."""
    home = space or memory.space.name
    role = memory.store.read(lambda t: t.people.list_members(home)).get(identity.person or "")
    if role not in route.roles:
        wanted = " or ".join(route.roles)
        raise NotAllowed(f"this needs the role {wanted} in the space {home!r}, or a credential that may {route.right}")
    return home


def _bind_spaces(memory: Memory, identity: Identity, wanted: Sequence[str] | None) -> list[str]:
    """The spaces of a call over several: those that were named, else all, as far as the credential reaches them."""
    known = [space.name for space in memory.spaces.all()]
    if wanted is None:
        # A credential of everybody has no business in people's own spaces unless it names them.
        return [n for n in filter_spaces(identity, known) if identity.person is not None or not n.startswith(PERSONAL)]
    reached = filter_spaces(identity, wanted)
    if len(reached) < len(wanted):
        raise SpaceNotFound("one of these spaces is not there for this credential")
    return reached


def _refuse_files(route: Route, bound: Mapping[str, Any]) -> None:
    """A preset is named over HTTP, never read from a path of the server."""
    preset = bound.get("preset")
    if route.operation == "spaces.add" and preset is not None and preset not in shipped_presets():
        raise InputError(f"preset is one of {', '.join(shipped_presets())}; a file is not read over HTTP")


def _as_list(value: Any) -> Iterable[Any]:
    return value if isinstance(value, list | tuple) else () if value is None else (value,)


def _as_utc(value: Any) -> Any:
    """A moment without a zone counts as UTC, as everywhere."""
    return value.replace(tzinfo=UTC) if isinstance(value, datetime) and value.tzinfo is None else value
