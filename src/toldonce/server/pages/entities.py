"""Entities: people, places and things as a list, and a picture around one of them that can be explored."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from toldonce.server.pages.call import PageCall, PageView
from toldonce.server.pages.records import describe_record

# Days and identifiers are named in records too, but nobody looks for them here.
_HIDDEN_TYPES = ("date", "code", "number", "money", "time")
_MOST = 200
_INNER, _OUTER = 9, 14
_WIDTH, _HEIGHT = 720, 460
_RECORDS = 20
_ICONS = {"person": "people", "location": "target", "organization": "case", "project": "case"}


def show_entities(call: PageCall) -> PageView:
    """The list, and the picture around the chosen or the most mentioned one."""
    graph = call.run("review.entities", limit=_MOST)
    entities = [one for one in graph["entities"] if one["type"] not in _HIDDEN_TYPES]
    known = {one["id"]: one for one in entities}
    links = [link for link in graph["links"] if link["one"] in known and link["other"] in known]
    wanted = call.asked("name")
    chosen = next((one for one in entities if wanted.casefold() in _names_of(one)), None) if wanted else None
    if chosen is None and entities:
        chosen = entities[0]
    values: dict[str, Any] = {
        "types": _group_by_type(call, entities, chosen),
        "chosen": _describe(call, chosen) if chosen else None,
        "is_unknown": bool(wanted) and (chosen is None or wanted.casefold() not in _names_of(chosen)),
        "wanted": wanted,
        "picture": draw_picture(call, chosen, known, links) if chosen else None,
        "records": _read_records(call, chosen) if chosen else [],
        "neighbours": _list_neighbours(call, chosen, known, links) if chosen else [],
    }
    return PageView(values)


def _names_of(entity: Mapping[str, Any]) -> set[str]:
    return {name.casefold() for name in (entity["name"], *entity["aliases"])}


def _describe(call: PageCall, entity: Mapping[str, Any]) -> dict[str, Any]:
    others = [alias for alias in entity["aliases"] if alias.casefold() != entity["name"].casefold()]
    return {
        "name": entity["name"],
        "type": call.t.name_of("entity", entity["type"]),
        "icon": _ICONS.get(entity["type"], "tag"),
        "mentions": entity["mentions"],
        "aliases": others,
        "href": call.url("/entities", name=entity["name"]),
        "profile": f"/people/{quote(entity['name'], safe='')}" if entity["type"] == "person" else "",
    }


def _group_by_type(
    call: PageCall, entities: Sequence[Mapping[str, Any]], chosen: Mapping[str, Any] | None
) -> list[dict[str, Any]]:
    groups: dict[str, list[dict[str, Any]]] = {}
    for one in entities:
        row = {**_describe(call, one), "is_chosen": chosen is not None and one["id"] == chosen["id"]}
        groups.setdefault(one["type"], []).append(row)
    return [
        {"name": call.t.name_of("entities", type_), "icon": _ICONS.get(type_, "tag"), "rows": rows}
        for type_, rows in groups.items()
    ]


def _read_records(call: PageCall, chosen: Mapping[str, Any]) -> list[dict[str, Any]]:
    found = call.run("entity", name=chosen["name"], limit=_RECORDS)
    report = call.preset.distil.report_kind
    shown = [one for one in found["records"] if one["kind"] != report] if found else []
    return [describe_record(call, record) for record in shown]


def _list_neighbours(
    call: PageCall,
    chosen: Mapping[str, Any],
    known: Mapping[str, Mapping[str, Any]],
    links: Sequence[Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """Who or what is mentioned together with it: the same as the picture, in words."""
    found = _linked_to(chosen["id"], links)
    return [{**_describe(call, known[id_]), "together": count} for id_, count in found[:_OUTER]]


def _linked_to(id_: str, links: Sequence[Mapping[str, Any]]) -> list[tuple[str, int]]:
    """The entities linked with one, most often first."""
    mine = [link for link in links if id_ in (link["one"], link["other"])]
    found = [(link["other"] if link["one"] == id_ else link["one"], link["records"]) for link in mine]
    return sorted(found, key=lambda one: -one[1])


def draw_picture(
    call: PageCall,
    chosen: Mapping[str, Any],
    known: Mapping[str, Mapping[str, Any]],
    links: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """The chosen one in the middle, what it is mentioned with around it, and what those are mentioned with outside."""
    inner = [id_ for id_, _ in _linked_to(chosen["id"], links)[:_INNER]]
    outer: dict[str, None] = {}
    for id_ in inner:
        for other, _ in _linked_to(id_, links)[:4]:
            if other != chosen["id"] and other not in inner and len(outer) < _OUTER:
                outer.setdefault(other)
    places = {chosen["id"]: (_WIDTH / 2, _HEIGHT / 2)}
    places |= _place_on_ring(inner, 0.55 if outer else 0.85, turn=0.0)
    places |= _place_on_ring(list(outer), 0.93, turn=0.35)
    most = max((one["mentions"] for one in known.values()), default=1)
    nodes = [
        {
            "x": round(x, 1),
            "y": round(y, 1),
            "r": round(7 + 15 * math.sqrt(known[id_]["mentions"] / most), 1),
            "label_y": round(y + 7 + 15 * math.sqrt(known[id_]["mentions"] / most) + 13, 1),
            "name": known[id_]["name"],
            "shown": known[id_]["name"][:22] + ("…" if len(known[id_]["name"]) > 22 else ""),
            "href": call.url("/entities", name=known[id_]["name"]),
            "css": f"n-{known[id_]['type']}" if known[id_]["type"] in _ICONS else "n-other",
            "is_chosen": id_ == chosen["id"],
            "mentions": known[id_]["mentions"],
        }
        for id_, (x, y) in places.items()
    ]
    edges = [
        {
            "x1": round(places[link["one"]][0], 1),
            "y1": round(places[link["one"]][1], 1),
            "x2": round(places[link["other"]][0], 1),
            "y2": round(places[link["other"]][1], 1),
            "width": min(1 + link["records"] / 2, 6),
            "css": "near" if chosen["id"] in (link["one"], link["other"]) else "far",
        }
        for link in links
        if link["one"] in places and link["other"] in places
    ]
    return {"nodes": nodes, "edges": edges, "width": _WIDTH, "height": _HEIGHT}


def _place_on_ring(ids: Sequence[str], reach: float, *, turn: float) -> dict[str, tuple[float, float]]:
    """Places on an ellipse around the middle, evenly spread."""
    found = {}
    for place, id_ in enumerate(ids):
        angle = 2 * math.pi * (place + turn) / max(len(ids), 1) - math.pi / 2
        x = _WIDTH / 2 + math.cos(angle) * reach * (_WIDTH / 2 - 60)
        y = _HEIGHT / 2 + math.sin(angle) * reach * (_HEIGHT / 2 - 40)
        found[id_] = (x, y)
    return found
