"""People: what is known of somebody with the source of every line, what changed, consent, export and erasure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from toldonce.errors import InputError, RecordNotFound
from toldonce.server.pages.call import Done, PageCall, PageView
from toldonce.server.pages.records import describe_record, initials, name_source
from toldonce.server.problems import RequestProblem

_MOST_NAMED = 12
_MOST_CHANGES = 5
_LOOK_BACK = 400
_PERSON = "person"
_MEMORY = "memory"
_CHANGE_ICONS = {
    "superseded": "edit",
    "doubted": "clock",
    "confirmed": "check",
    "forgotten": "hidden",
    "flagged": "flag",
    "pinned": "pin",
}
_HUES = ("health", "career", "growth", "leisure", "relationships", "mental", "finance", "spirituality")


def show_people(call: PageCall) -> PageView:
    """The profile of somebody, with everybody else in a strip above it."""
    people = list_people(call)
    wanted = call.named.get("person_id") or (people[0]["id"] if people else "")
    chosen = next((one for one in people if one["id"] == wanted), None)
    if call.named.get("person_id") and chosen is None:
        chosen = _read_stranger(call, wanted)
    if chosen is None:
        return PageView({"people": [], "chosen": None})
    document = call.run("profile", user=chosen["id"])
    is_own = chosen["id"] == call.person
    may_change = call.identity.may("write") and (is_own or call.person is None or call.identity.may("manage"))
    return PageView(
        {
            "people": people,
            "chosen": chosen,
            "sections": list_sections(call, document),
            "line_count": len(document["entries"]),
            "profile_at": document["at"] if document["entries"] else None,
            "changes": list_changes(call, chosen),
            "consents": list_consents(call, chosen) if may_change and not chosen["is_named"] else [],
            "may_change": may_change,
            "is_own": is_own,
        }
    )


def list_people(call: PageCall) -> list[dict[str, Any]]:
    """Everybody who spoke, for whoever may see that, and those whom records name, by how much is known of them."""
    found: list[dict[str, Any]] = []
    if call.person is None or call.identity.may("manage"):
        seen = call.run("people.all", limit=200)["items"]
        ordered = sorted(seen, key=lambda one: (one["id"] == call.person, one["seen_at"] or ""), reverse=True)
        found = [_describe_person(call, one) for one in ordered]
    elif call.person is not None:
        found = [_describe_person(call, {"id": call.person, "display_name": "", "username": "", "blocked": False})]
    known = {name.casefold() for one in found for name in (one["id"], one["name"])}
    graph = call.run("review.entities", limit=200)
    named = [one for one in graph["entities"] if one["type"] == _PERSON and one["name"].casefold() not in known]
    return found + [_describe_named(call, one) for one in named[:_MOST_NAMED]]


def _describe_person(call: PageCall, person: Mapping[str, Any]) -> dict[str, Any]:
    name = person["display_name"] or person["username"] or person["id"]
    note = call.t("people.you") if person["id"] == call.person else call.t("people.speaks")
    return _row(person["id"], name, note, is_named=False, blocked=bool(person["blocked"]))


def _describe_named(call: PageCall, entity: Mapping[str, Any]) -> dict[str, Any]:
    return _row(entity["name"], entity["name"], call.t("people.mentions", count=entity["mentions"]), is_named=True)


def _row(id_: str, name: str, note: Markup, *, is_named: bool, blocked: bool = False) -> dict[str, Any]:
    return {
        "id": id_,
        "name": name,
        "note": note,
        "href": f"/people/{quote(id_, safe='')}",
        "initials": initials(name),
        "css": f"area-{_HUES[sum(map(ord, name)) % len(_HUES)]}",
        "is_named": is_named,
        "blocked": blocked,
    }


def _read_stranger(call: PageCall, name: str) -> dict[str, Any] | None:
    """Somebody who is not in the strip: known by records that name them, or not at all."""
    document = call.run("profile", user=name)
    if not document["entries"]:
        raise RequestProblem(404, "nothing-there", "nobody of that name is known here")
    return _row(name, name, call.t("people.named"), is_named=True)


def list_sections(call: PageCall, document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The lines of a profile by section, each with where it comes from."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for entry in document["entries"]:
        groups.setdefault(entry["section"], []).append(_describe_entry(call, entry))
    return [{"name": call.section_name(name), "lines": lines} for name, lines in groups.items()]


def _describe_entry(call: PageCall, entry: Mapping[str, Any]) -> dict[str, Any]:
    source = _read_source(call, entry["sources"])
    is_new = bool(entry["at"]) and call.t.local(entry["at"]).date() == call.t.now.date()
    row = describe_record(call, source) if source else None
    return {
        "text": entry["text"],
        "at": entry["at"],
        "doubted": [describe_record(call, older) for older in entry["doubted"]],
        "is_new": is_new,
        "record": row,
        "source": name_source(call, source) if source else None,
        "level": row["level"] if row and not row["validated"] else "high",
    }


def _read_source(call: PageCall, ids: list[str]) -> dict[str, Any] | None:
    for record_id in reversed(ids):
        try:
            found: dict[str, Any] = call.run("get", record_id=record_id)
        except RecordNotFound:
            continue
        return found
    return None


def list_changes(call: PageCall, chosen: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What changed about somebody, newest first."""
    about = str(chosen["name"]).casefold()
    found = []
    for one in reversed(call.run("timeline", limit=_LOOK_BACK)["items"]):
        record = one["record"]
        is_theirs = about in record["text"].casefold() if chosen["is_named"] else record["user"] == chosen["id"]
        if one["action"] in ("added", "proposed") or not is_theirs or record["conversation"]:
            continue
        found.append(
            {
                "icon": _CHANGE_ICONS.get(one["action"], "clock"),
                "is_person": one["by"] == _PERSON,
                "text": record["text"],
                "href": f"/records/{record['id']}",
                "newer": one["other"]["text"] if one["other"] else "",
                "action": call.t.name_of("action", one["action"]),
                "at": one["at"],
            }
        )
        if len(found) == _MOST_CHANGES:
            break
    return found


def list_consents(call: PageCall, chosen: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What somebody agreed to or withdrew, newest first."""
    found: list[dict[str, Any]] = call.run("people.consents", user=chosen["id"])["items"]
    return found


# Acts


def _place(call: PageCall) -> str:
    return f"/people/{quote(call.named['person_id'], safe='')}"


def remove_line(call: PageCall) -> Done:
    """Take a line out of a profile: its record is forgotten, which can be undone; a line without one is removed."""
    record_id = call.field("record")
    if record_id:
        call.run("forget", record_id=record_id)
        return Done(_place(call), "forgot", (record_id,), "restore")
    call.run("documents.forget_line", user=call.named["person_id"], text=call.field("text"))
    return Done(_place(call), "line_removed")


def set_consent(call: PageCall) -> Done:
    """Record that somebody agrees to be remembered, or no longer does."""
    is_given = call.field("given") == "yes"
    call.run(
        "people.set_consent",
        user=call.named["person_id"],
        is_given=is_given,
        means=str(call.t("people.means_page")),
        wording=str(call.t("people.wording")),
    )
    return Done(call.field("next") or _place(call), "consent_given" if is_given else "consent_withdrawn")


def show_erase(call: PageCall) -> PageView:
    """What would be destroyed, and the form that asks for the name."""
    return _ask_to_erase(call, error="")


def _ask_to_erase(call: PageCall, *, error: str | Markup) -> PageView:
    person = call.named["person_id"]
    _require_may_erase(call, person)
    counts = call.memory.stats(user=person, space=call.space.name)["kinds"]
    total = sum(number for states in counts.values() for number in states.values())
    values = {"person": person, "total": total, "error": error, "back": _place(call)}
    return PageView(values, status=422 if error else 200, template="erase.html")


def _require_may_erase(call: PageCall, person: str) -> None:
    if call.person not in (None, person) and not call.identity.may("manage"):
        raise RequestProblem(403, "NotAllowed", "only the person, or whoever manages this memory, may erase it")


def erase(call: PageCall) -> PageView:
    """Destroy everything of somebody once their name was typed; the receipt is a page."""
    person = call.named["person_id"]
    if call.field("name") != person:
        return _ask_to_erase(call, error=call.t("erase.wrong_name", name=person))
    receipt = call.run("erase", user=person)
    if not isinstance(receipt, dict):
        raise InputError("the erasure gave no receipt")
    is_complete = not receipt["traces"] and not receipt["pending"]
    return PageView(
        {"person": person, "receipt": receipt, "is_complete": is_complete, "at": call.now}, template="receipt.html"
    )
