"""Browse: every record that a person may see, by what they search for and choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from markupsafe import Markup

from toldonce.records import Origin, State
from toldonce.server.pages.call import Done, Download, PageCall, PageView
from toldonce.server.pages.markdown import write_markdown
from toldonce.server.pages.records import (
    AreaMark,
    ShownReason,
    count_by,
    describe_reasons,
    describe_record,
    mark_area,
    read_found_words,
)
from toldonce.text.words import collect_words

PATH = "/browse"
PAGE = 25
# How many hits a search shows at most; further down nothing fits any more.
_HITS = 60
# How many records of a list can be walked from one to the next, or exported at once.
_WALKED = 500
_SELECTED = 100
# Meaning alone ranks every record there is: without another reason only the nearest are hits.
_NEAREST = 5

_CONFIDENCE: Mapping[str, tuple[float, float]] = {"high": (0.9, 2.0), "medium": (0.7, 2.0), "low": (0.0, 0.7)}
_SOURCES: Mapping[str, Origin] = {
    "said": "conversation", "written": "user_input", "inferred": "ai_inference", "imported": "import",
    "journal": "journal",
}  # fmt: skip
_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
_VISIBLE = ("private", "team", "project")
# Marks of current records, and states of those that do not count now.
_MARKS = ("pinned", "confirmed")
_STATES: tuple[State, ...] = ("proposed", "doubted", "superseded", "faded", "expired", "flagged", "forgotten")
FIELDS = ("q", "area", "who", "module", "kind", "confidence", "source", "when", "visible", "state", "history")
# Any text: a name, not one of a closed set.
_FREE = ("q", "who", "module")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What a person searches for and chose; it is in the address."""

    q: str = ""
    area: str = ""
    who: str = ""
    module: str = ""
    kind: str = ""
    confidence: str = ""
    source: str = ""
    when: str = ""
    visible: str = ""
    state: str = ""
    history: str = ""

    @classmethod
    def read(cls, call: PageCall) -> Choice:
        """The choice in the address; values that do not exist are dropped."""
        known: dict[str, Sequence[str]] = {
            "area": tuple(call.preset.areas), "kind": tuple(call.preset.kinds), "confidence": tuple(_CONFIDENCE),
            "source": tuple(_SOURCES), "when": tuple(_DAYS), "visible": _VISIBLE, "state": (*_MARKS, *_STATES),
            "history": ("1",),
        }  # fmt: skip
        said = {name: call.asked(name, most=500) for name in FIELDS}
        # Whoever is a person sees their own view and nobody else's.
        said["who"] = said["who"] if call.person is None else ""
        return cls(**{name: text for name, text in said.items() if name in _FREE or text in known[name]})

    def fields(self, **changes: str) -> dict[str, str]:
        """The parts of the address, with changes; empty ones are left out."""
        table = {name: getattr(self, name) for name in FIELDS} | changes
        return {name: value for name, value in table.items() if value}

    def url(self, call: PageCall, path: str = PATH, **changes: str) -> str:
        """The address of this view, with changes."""
        return call.url(path, **self.fields(**changes))

    def arguments(self, call: PageCall) -> dict[str, Any]:
        """The choice, without its area and its search, as the arguments of a list."""
        least, below = _CONFIDENCE.get(self.confidence, (None, None))
        message = call.preset.capture.kind
        given: dict[str, Any] = {
            "kinds": [self.kind] if self.kind else None,
            "derived": self.kind != message,
            "states": [self.state] if self.state in _STATES else None,
            "pinned": True if self.state == "pinned" else None,
            "validated": True if self.state == "confirmed" else None,
            "origins": [_SOURCES[self.source]] if self.source else None,
            "visibility": self.visible or None,
            "min_confidence": least,
            "max_confidence": below,
            "since": self._since(call.now),
            "user": self.who or None,
            "where": {"module": self.module} if self.module else None,
        }
        return {name: value for name, value in given.items() if value is not None}

    def _since(self, now: datetime) -> datetime | None:
        # To the minute, so that the same question is asked again.
        moment = now.replace(second=0, microsecond=0)
        return moment - timedelta(days=_DAYS[self.when]) if self.when else None

    def fits(self, record: Mapping[str, Any]) -> bool:
        """Whether a hit of a search is among what was chosen, its area aside."""
        least, below = _CONFIDENCE.get(self.confidence, (0.0, 2.0))
        return (
            least <= record["confidence"] < below
            and self.source in ("", next((k for k, v in _SOURCES.items() if v == record["origin"]), "?"))
            and self.visible in ("", record["visibility"])
            and (self.state != "pinned" or record["pinned"])
            and (self.state != "confirmed" or record["validated"])
        )


@dataclass(frozen=True, slots=True)
class Found:
    """What a view holds: records with the hits that found them, counts by area, how many in all, and the next page."""

    records: tuple[Mapping[str, Any], ...]
    hits: Mapping[str, Mapping[str, Any]]
    areas: Mapping[str, int]
    total: int
    next: str = ""


def show_browse(call: PageCall) -> PageView:
    """Search, filters, and the records found with the reason for each."""
    chosen = Choice.read(call)
    found = find_records(call, chosen)
    values = {
        "chosen": chosen,
        "query_text": chosen.q,
        "rows": describe_rows(call, chosen, found),
        "total": found.total,
        "shown_count": len(found.records),
        "chips": list_chips(call, chosen, found),
        "selects": list_selects(call, chosen),
        "pills": list_pills(call, chosen),
        "more": chosen.url(call, cursor=found.next) if found.next else "",
        "elsewhere": _count_elsewhere(found) if chosen.area and not found.records else 0,
        "here_url": chosen.url(call),
        "is_everything": not chosen.fields(),
    }
    return PageView(values, headers={"HX-Push-Url": chosen.url(call)} if not call.asked("cursor") else {})


def find_records(call: PageCall, chosen: Choice, *, size: int = PAGE) -> Found:
    """What the choice holds: the best hits of a search, or a page of the newest records."""
    if chosen.q and chosen.state not in _STATES:
        return _search(call, chosen)
    if chosen.q:
        return _search_hidden(call, chosen)
    given = chosen.arguments(call)
    counts = call.count("review.count", **given)
    areas = count_by(counts, "area")
    if chosen.area:
        given["where"] = {**given.get("where", {}), "area": chosen.area}
    page = call.run("review.records", **given, limit=size, cursor=call.asked("cursor") or None)
    total = areas.get(chosen.area, 0) if chosen.area else sum(areas.values())
    return Found(tuple(page["items"]), {}, areas, total, page["next"] or "")


def _search(call: PageCall, chosen: Choice) -> Found:
    message = call.preset.capture.kind
    kinds = [chosen.kind] if chosen.kind else [kind for kind in call.preset.kinds if kind != message]
    given = {name: value for name, value in chosen.arguments(call).items() if name in ("since", "user", "where")}
    found = call.run("recall", query=chosen.q, limit=_HITS, kinds=kinds, min_score=0.0, counted=False, **given)["hits"]
    hits = [hit for hit in found if is_relevant(hit)]
    return _narrow(chosen, [hit["record"] for hit in hits if chosen.fits(hit["record"])], hits)


def is_relevant(hit: Mapping[str, Any]) -> bool:
    """Whether a hit says why it is there: by a word, name, subject or time, or among the nearest in meaning."""
    signals = hit["why"]["signals"]
    return any(s["name"] != "vectors" or s["rank"] <= _NEAREST for s in signals) or not signals


def _search_hidden(call: PageCall, chosen: Choice) -> Found:
    """What does not count now is not recalled: it is found by the words of the question alone."""
    page = call.run("review.records", **chosen.arguments(call), limit=_WALKED)
    asked = collect_words(chosen.q, ())
    return _narrow(chosen, [r for r in page["items"] if not asked.isdisjoint(collect_words(r["text"], ()))], ())


def _narrow(chosen: Choice, records: Sequence[Mapping[str, Any]], hits: Sequence[Mapping[str, Any]]) -> Found:
    areas = count_by(({"area": str(r["metadata"].get("area", "")), "count": 1} for r in records), "area")
    kept = [r for r in records if chosen.area in ("", r["metadata"].get("area"))]
    return Found(tuple(kept), {hit["record"]["id"]: hit for hit in hits}, areas, len(kept))


def _count_elsewhere(found: Found) -> int:
    return sum(found.areas.values())


def describe_rows(call: PageCall, chosen: Choice, found: Found) -> list[dict[str, Any]]:
    """The rows of the list; what a record doubts stands below it, and with history what it replaced."""
    older = _read_older(call, found, states=["doubted", "superseded"] if chosen.history else ["doubted"])
    rows = []
    for record in found.records:
        hit = found.hits.get(record["id"])
        rows.append(_describe_row(call, chosen, record, hit))
        for replaced in older.get(record["id"], ()):
            key = "why.doubted" if replaced["state"] == "doubted" else "why.replaced"
            said = call.t(key, when=call.t.short_day(replaced["state_at"] or replaced["at"]))
            rows.append(
                _describe_row(call, chosen, replaced, None) | {"is_old": True, "why": [ShownReason("undo", said)]}
            )
    return rows


def _describe_row(
    call: PageCall, chosen: Choice, record: Mapping[str, Any], hit: Mapping[str, Any] | None
) -> dict[str, Any]:
    held = read_found_words(hit)[0] if hit else chosen.q.split()
    row = describe_record(call, record, found=held)
    row["href"] = call.url(row["href"], **chosen.fields())
    row["why"] = describe_reasons(call, hit) if hit else _describe_marks(call, record)
    return row | {"is_old": False}


def _describe_marks(call: PageCall, record: Mapping[str, Any]) -> list[ShownReason]:
    marks = [ShownReason("pin", call.t("why.pinned"))] if record["pinned"] else []
    if record["state"] != "active" and record["state_at"]:
        said = call.t(
            "why.state", state=call.t.name_of("state", record["state"]), when=call.t.short_day(record["state_at"])
        )
        marks.append(ShownReason("clock", said))
    return marks


def _read_older(call: PageCall, found: Found, *, states: list[State]) -> dict[str, list[Mapping[str, Any]]]:
    """What the records of the list doubt or replaced, by these records."""
    shown = {record["id"] for record in found.records}
    older: dict[str, list[Mapping[str, Any]]] = {}
    for record in call.run("review.records", states=states, limit=_WALKED)["items"]:
        if record["superseded_by"] in shown and record["id"] not in shown:
            older.setdefault(record["superseded_by"], []).append(record)
    return older


# Filters


def list_chips(call: PageCall, chosen: Choice, found: Found) -> list[dict[str, Any]]:
    """The areas with how many records of the view each has; those with any come first."""
    areas = [mark_area(call, area) for area in call.preset.areas]
    areas.sort(key=lambda area: not found.areas.get(area.code))
    return [_describe_chip(call, chosen, area, found.areas.get(area.code, 0)) for area in areas]


def _describe_chip(call: PageCall, chosen: Choice, area: AreaMark, count: int) -> dict[str, Any]:
    return {"area": area, "count": count, "href": chosen.url(call, area=area.code), "is_on": chosen.area == area.code}


def list_selects(call: PageCall, chosen: Choice) -> list[dict[str, Any]]:
    """The filters beside the areas: name, label, options and what is chosen."""
    kinds = [(kind, call.kind_name(kind)) for kind in call.preset.kinds]
    options: dict[str, Sequence[tuple[str, str | Markup]]] = {
        **({"who": _list_people(call)} if call.person is None else {}),
        **({"module": [(chosen.module, chosen.module)]} if chosen.module else {}),
        "kind": sorted(kinds, key=lambda one: str(one[1]).casefold()),
        "confidence": [(code, call.t(f"filter.confidence_{code}")) for code in _CONFIDENCE],
        "source": [(code, call.t(f"filter.source_{code}")) for code in _SOURCES],
        "when": [(code, call.t(f"filter.when_{code}")) for code in _DAYS],
        "visible": [(code, call.t(f"visibility.{code}")) for code in _VISIBLE],
        "state": [
            *((code, call.t(f"filter.state_{code}")) for code in _MARKS),
            *((code, call.t(f"state.{code}")) for code in _STATES),
        ],
    }
    return [
        {
            "name": name,
            "label": call.t(f"filter.{name}"),
            "options": [("", call.t(f"filter.any_{name}")), *found],
            "chosen": getattr(chosen, name),
        }
        for name, found in options.items()
    ]


def _list_people(call: PageCall) -> list[tuple[str, str | Markup]]:
    found = call.run("people.all", limit=_WALKED)["items"]
    return [(one["id"], one["display_name"] or one["username"] or one["id"]) for one in found]


def list_pills(call: PageCall, chosen: Choice) -> list[dict[str, Any]]:
    """What is chosen now, each with the address that drops it."""
    pills = []
    for select in list_selects(call, chosen):
        if select["chosen"]:
            said = dict(select["options"])[select["chosen"]]
            pills.append({"said": said, "href": chosen.url(call, **{select["name"]: ""})})
    return pills


# Acts


def list_neighbours(call: PageCall, record_id: str) -> dict[str, Any] | None:
    """Where a record is in the list that it was opened from: its place, and the ones beside it. None without a list."""
    if not any(name in call.query for name in FIELDS):
        return None
    chosen = Choice.read(call)
    ids = [record["id"] for record in find_records(call, chosen, size=_WALKED).records]
    if record_id not in ids:
        return {"back": chosen.url(call), "q": chosen.q, "place": 0, "count": len(ids), "previous": "", "next": ""}
    place = ids.index(record_id)

    def href(index: int) -> str:
        return chosen.url(call, f"/records/{ids[index]}") if 0 <= index < len(ids) else ""

    walk = {"previous": href(place - 1), "next": href(place + 1)}
    return {"back": chosen.url(call), "q": chosen.q, "place": place + 1, "count": len(ids), **walk}


def export_browse(call: PageCall) -> Download:
    """Everything in the view as Markdown."""
    chosen = Choice.read(call)
    return Download(
        "toldonce.md", write_markdown(call, find_records(call, chosen, size=_WALKED).records), "text/markdown"
    )


def act_on_selected(call: PageCall) -> Done | Download:
    """Pin, forget or export the records that were selected."""
    ids = tuple(dict.fromkeys(call.form.get("record", ())))[:_SELECTED]
    act, place = call.field("act"), call.field("next") or PATH
    if not ids:
        return Done(place, "none_selected")
    if act == "export":
        return Download(
            "toldonce.md", write_markdown(call, [call.run("get", record_id=one) for one in ids]), "text/markdown"
        )
    if act == "pin":
        changed = tuple(one for one in ids if not call.run("get", record_id=one)["pinned"])
        for one in changed:
            call.run("pin", record_id=one)
        return Done(place, "pinned_many", changed, "unpin") if changed else Done(place, "nothing_changed")
    for one in ids:
        call.run("forget", record_id=one)
    return Done(place, "forgot_many", ids, "restore")
