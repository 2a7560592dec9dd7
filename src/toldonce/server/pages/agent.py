"""What would the agent see? The exact prompt block for a message, what each line costs and why it is there."""

from __future__ import annotations

import difflib
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from markupsafe import Markup

from toldonce.errors import InputError
from toldonce.server.pages.call import Download, PageCall, PageView
from toldonce.server.pages.records import describe_record, isolate

VIEWS = ("block", "left", "compare", "plain")
_LONGEST_MESSAGE = 4_000
_BAR = 400
_LINE_BAR = 40
_HUES = 6
_ROWS = {"heading": "sec", "subheading": "sub"}
_MOST_SESSIONS = 12
_LOOK_BACK = 200
_REASON_ICONS = {
    "words": "words", "vectors": "meaning", "entities": "people", "time": "clock", "subjects": "tag", "topic": "tag",
    "newest": "clock", "pinned": "pin", "always": "pin", "window": "quote", "document": "people", "profiles": "people",
    "question": "question", "beside": "link", "file": "code", "surroundings": "code",
    "shortfall": "question",
}  # fmt: skip


def show_agent(call: PageCall) -> PageView:
    """The form, and for a message the block with its reasons."""
    asked = _read_form(call)
    people = list_choices(call)
    values: dict[str, Any] = {
        "form": asked,
        "people": people,
        "sessions": list_sessions(call, asked["person"]),
        "views": VIEWS,
        "view": call.asked("view") if call.asked("view") in VIEWS else "block",
        "result": None,
        "examples": [call.t(f"agent.example_{place}") for place in (1, 2, 3)],
    }
    if not asked["message"]:
        return PageView(values)
    if asked["error"]:
        return PageView(values, status=422)
    began = time.perf_counter()
    made = build_block(call, asked)
    elapsed = (time.perf_counter() - began) * 1000
    values["result"] = describe_block(call, made)
    values["result"]["milliseconds"] = max(1, round(elapsed))
    if values["view"] == "compare" and asked["other"]:
        values["result"]["compared"] = compare_blocks(build_block(call, {**asked, "as_of": asked["other"]}), made)
    return PageView(values)


def download_block(call: PageCall) -> Download:
    """The block as a text file."""
    asked = _read_form(call)
    if asked["error"]:
        raise InputError(asked["error"])
    return Download("prompt-block.txt", build_block(call, asked)["text"].encode(), "text/plain; charset=utf-8")


def build_block(call: PageCall, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The block as the operation answers with it. Nothing is counted as shown."""
    given = {
        "user": asked["person"] or None,
        "session": asked["session"] or None,
        "budget": asked["budget"],
        "as_of": asked["as_of"],
    }
    made: dict[str, Any] = call.run(
        "context",
        query=asked["message"],
        explain=True,
        counted=False,
        **{name: value for name, value in given.items() if value is not None},
    )
    return made


# The form


def _read_form(call: PageCall) -> dict[str, Any]:
    """What was asked; `error` is a sentence when something of it cannot be used."""
    errors = []
    budget = call.asked("budget")
    if budget and not (budget.isdecimal() and 0 < int(budget) <= 100_000):
        errors.append(call.t("agent.bad_budget"))
    moments = {}
    for name in ("as_of", "other"):
        moments[name] = read_local_moment(call, call.asked(name))
        if call.asked(name) and moments[name] is None:
            errors.append(call.t("agent.bad_moment"))
    return {
        "message": call.asked("message", most=_LONGEST_MESSAGE),
        "person": call.asked("person") or call.person or _first_person(call),
        "session": call.asked("session"),
        "budget": int(budget) if budget.isdecimal() and not errors else None,
        "budget_said": budget if budget.isdecimal() else "",
        "as_of": moments["as_of"],
        "as_of_said": call.asked("as_of"),
        "other": moments["other"],
        "other_said": call.asked("other"),
        "usual_budget": call.preset.context.budget,
        "error": errors[0] if errors else "",
    }


def read_local_moment(call: PageCall, said: str) -> datetime | None:
    """A moment of a field of the page, in the reader's time zone; None when it is none."""
    try:
        moment = datetime.fromisoformat(said)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=call.t.zone)


def list_choices(call: PageCall) -> list[tuple[str, str]]:
    """Whose block may be looked at: one's own, or anybody's for whoever may manage."""
    if call.person is not None and not call.identity.may("manage"):
        return [(call.person, call.person)]
    seen = [(one["id"], one["display_name"] or one["username"] or one["id"]) for one in _all_people(call)]
    own = [(call.person, call.person)] if call.person and all(one[0] != call.person for one in seen) else []
    return [*own, *seen] or [("", str(call.t("agent.nobody")))]


def _all_people(call: PageCall) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = call.run("people.all", limit=200)["items"]
    return sorted(found, key=lambda one: one["seen_at"] or "", reverse=True)


def _first_person(call: PageCall) -> str:
    return next((one["id"] for one in _all_people(call)), "")


def list_sessions(call: PageCall, person: str) -> list[str]:
    """The newest sessions of a person, as far as they may be seen."""
    found = call.run("review.records", limit=_LOOK_BACK)["items"]
    sessions = [one["session"] for one in found if one["session"] and one["user"] in (None, person)]
    return list(dict.fromkeys(sessions))[:_MOST_SESSIONS]


# The block


def describe_block(call: PageCall, made: Mapping[str, Any]) -> dict[str, Any]:
    """The block as the page shows it: the bar, how the message was read, the lines and what was left out."""
    numbers = {line["record"]: place for place, line in enumerate(made["lines"], start=1) if line["record"]}
    lines = [describe_line(call, line, place, made) for place, line in enumerate(made["lines"], start=1)]
    behind = {i for line in made["lines"] for i in (line["record"], *line["sources"]) if i}
    return {
        "text": made["text"],
        "tokens": made["tokens"],
        "budget": made["budget"],
        "free": max(0, made["budget"] - made["tokens"]),
        "bar": draw_bar(made),
        "lines": lines,
        "records": len(behind),
        "left_out": [describe_left_out(call, one, numbers) for one in made["left_out"]],
        "reading": describe_reading(call, made["reading"]),
        "link": call.url("/agent", **{k: v for k, v in call.query.items() if k != "view"}),
        "compared": None,
    }


def draw_bar(made: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The sections of the budget's bar: where each begins, how wide it is, and what it stands for."""
    frame = made["tokens"] - sum(section["tokens"] for section in made["sections"])
    parts = [
        {"name": strip_mark(section["heading"]), "tokens": section["tokens"], "css": hue(place)}
        for place, section in enumerate(made["sections"])
    ]
    parts.append({"name": "", "tokens": frame, "css": "k0"})
    scale, left = _BAR / max(made["budget"], made["tokens"], 1), 0.0
    for part in parts:
        part |= {"x": round(left, 1), "width": round(max(part["tokens"] * scale - 1.2, 0.6), 1)}
        left += part["tokens"] * scale
    return [part for part in parts if part["tokens"]]


def strip_mark(heading: str) -> str:
    """A heading of the block without its markup."""
    return heading.strip("#<> \n") or "–"


def hue(section: int) -> str:
    """The colour of a section, as a class of the style sheet."""
    return f"k{section % _HUES + 1}"


def describe_line(call: PageCall, line: Mapping[str, Any], place: int, made: Mapping[str, Any]) -> dict[str, Any]:
    """One line of the block."""
    section, code = line["section"], line["reasons"][0]["code"] if line["reasons"] else ""
    most = max((one["tokens"] for one in made["lines"]), default=1)
    return {
        "number": place,
        "text": line["text"],
        "tokens": line["tokens"],
        "chance": line["chance"],
        "width": round(max(1.0, _LINE_BAR * line["tokens"] / most), 1),
        "css": "k0" if section is None else hue(section),
        "row": "frame" if section is None else _ROWS.get(code, ""),
        "why": describe_line_reasons(call, line, made),
        "href": _link_of(line),
    }


def _link_of(line: Mapping[str, Any]) -> str:
    if line["question"]:
        return "/questions"
    return f"/records/{line['record']}" if line["record"] else ""


def describe_line_reasons(
    call: PageCall, line: Mapping[str, Any], made: Mapping[str, Any]
) -> list[tuple[str, str | Markup]]:
    """Why a line is there: icons and sentences, the first of which leads to the record."""
    found: list[tuple[str, str | Markup]] = []
    for reason in line["reasons"]:
        code, values = reason["code"], reason["values"]
        icon = _REASON_ICONS.get(code, "")
        if code == "subheading":
            continue
        if code == "heading":
            section = made["sections"][line["section"]]
            found.append((icon, describe_section(call, section)))
        elif code == "words":
            found += [
                (icon, call.t(f"agent.why_{how}", count=len(values[how]), words=isolate(", ".join(values[how]))))
                for how in ("matched", "near", "alike", "beside")
                if values.get(how)
            ]
        else:
            found.append((icon, describe_reason(call, code, values)))
    return found


def describe_section(call: PageCall, section: Mapping[str, Any]) -> Markup:
    """Why a section is there, and how much room it has."""
    what = call.t.name_of("section", section["source"])
    if section["most_tokens"]:
        return call.t("agent.section_limited", what=what, tokens=section["most_tokens"])
    return call.t("agent.section_free", what=what)


def describe_reason(call: PageCall, code: str, values: Mapping[str, Any]) -> str | Markup:
    """One reason in the reader's language; a code that pages do not know is shown as it is."""
    key = f"agent.because_{code}"
    if not call.t.has(key):
        return code.replace("_", " ")
    names = values.get("matched")
    matched = ", ".join(names) if isinstance(names, list) else ""
    part = str(values.get("section") or "")
    kind = str(values.get("kind") or "")
    return call.t(
        key,
        rank=int(values.get("rank") or 0),
        names=isolate(matched),
        section=call.section_name(part) if part else "",
        kind=call.kind_name(kind) if kind else "",
    )


def describe_left_out(call: PageCall, one: Mapping[str, Any], numbers: Mapping[str, int]) -> dict[str, Any]:
    """A record that is not in the block: one word for the cause, and the figures behind it."""
    code, values = one["reason"]["code"], one["reason"]["values"]
    detail: str | Markup = ""
    if code == "replaced":
        when = call.t.short_day(values["at"])
        line = numbers.get(values["by"])
        detail = call.t("left.replaced_by_line", when=when, line=line) if line else call.t("left.replaced", when=when)
    elif code == "expired":
        detail = call.t("left.expired", when=call.t.short_day(values["at"]))
    elif code == "no_room":
        key = "left.no_room_free" if "free" in values else "left.no_room"
        detail = call.t(key, needs=int(values["needs"]), free=int(values.get("free", 0)))
    elif code == "below":
        detail = call.t("left.below", place=int(values["place"]), count=int(values["wanted"]))
    elif code == "weak":
        detail = call.t("left.weak", least=call.t.chance(values["least"]))
    elif code == "full":
        detail = call.t("left.full", count=int(values["most"]))
    elif call.t.has(f"left.{code}"):
        detail = call.t(f"left.{code}")
    return {
        "record": describe_record(call, one["record"]),
        "tokens": one["tokens"],
        "chance": one["chance"],
        "cause": call.t.name_of("cause", code),
        "detail": detail,
    }


def describe_reading(call: PageCall, reading: Mapping[str, Any] | None) -> list[tuple[str, str | Markup]]:
    """How the message was read: names, times, topics, what it asks for."""
    if reading is None:
        return []
    found: list[tuple[str, str | Markup]] = []
    if reading["names"]:
        found.append(("people", isolate(", ".join(reading["names"]))))
    if reading["times"]:
        found.append(("clock", isolate(", ".join(reading["times"]))))
    if reading["topics"]:
        found.append(("tag", ", ".join(str(call.t.name_of("topic", topic)) for topic in reading["topics"])))
    if reading["words"]:
        found.append(("words", isolate(", ".join(reading["words"]))))
    found += [("question", call.t.name_of("asks", code)) for code in reading["asks"]]
    return found


def compare_blocks(other: Mapping[str, Any], made: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The lines of both blocks, as removed, added or the same."""
    before, after = (block["text"].splitlines() for block in (other, made))
    rows: list[dict[str, Any]] = []
    for tag, old_start, old_end, new_start, new_end in difflib.SequenceMatcher(
        a=before, b=after, autojunk=False
    ).get_opcodes():
        if tag == "equal":
            rows += _rows_of("same", before[old_start:old_end])
            continue
        rows += _rows_of("removed", before[old_start:old_end]) + _rows_of("added", after[new_start:new_end])
    return rows


def _rows_of(change: str, lines: Sequence[str]) -> list[dict[str, Any]]:
    return [{"change": change, "text": line} for line in lines]
