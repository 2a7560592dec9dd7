"""Records as pages show them: plain values of operations come in, what a row, a badge or a reason says goes out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup, escape

from toldonce.recall.render import confidence_level
from toldonce.server.pages.call import PageCall
from toldonce.text.words import WORD, fold_word

# Icons and colours as presets name them, and what the style sheet has for them.
_ICONS = {
    "heart": "heart",
    "$": "coin",
    "users": "people",
    "briefcase": "case",
    "target": "target",
    "sparkles": "spark",
}
_ICONS |= {"sun": "sun", "brain": "brain"}
_COLOURS = {"red": "health", "green": "finance", "pink": "relationships", "blue": "career", "purple": "growth"}
_COLOURS |= {"yellow": "leisure", "indigo": "spirituality", "teal": "mental"}
_SIGNALS = {"words": "words", "vectors": "meaning", "entities": "people", "time": "clock", "subjects": "tag"}
_STATE_ICONS = {
    "flagged": "flag",
    "forgotten": "hidden",
    "superseded": "undo",
    "doubted": "clock",
    "expired": "clock",
    "proposed": "review",
}
# Longer texts are cut in lists; the page of the record shows all of them.
LIST_CHARS = 400


@dataclass(frozen=True, slots=True)
class AreaMark:
    """An area of life, or the neutral mark of what belongs to none: its name, icon and class of the style sheet."""

    code: str
    name: str | Markup
    icon: str
    css: str


@dataclass(frozen=True, slots=True)
class ShownReason:
    """Why something was found or shown: an icon and a sentence."""

    icon: str
    said: Markup


def mark_area(call: PageCall, area: str) -> AreaMark:
    """How an area is shown; what a preset does not know has a neutral mark."""
    known = call.preset.areas.get(area)
    if known is None:
        return AreaMark("", call.t("area.none"), "quote", "")
    colour = _COLOURS.get(known.colour.partition("-")[0], "")
    return AreaMark(area, call.area_name(area), _ICONS.get(known.icon, "tag"), f"area-{colour}" if colour else "")


def describe_record(call: PageCall, record: Mapping[str, Any], *, found: Sequence[str] = ()) -> dict[str, Any]:
    """A record as a row shows it; `found` are the words to underline."""
    text = str(record["text"])
    return {
        "id": record["id"],
        "href": f"/records/{record['id']}",
        "text": text,
        "shown": underline_words(text[:LIST_CHARS] + ("…" if len(text) > LIST_CHARS else ""), found),
        "title": record["title"],
        "area": mark_area(call, str(record["metadata"].get("area", ""))),
        "kind": call.kind_name(record["kind"]),
        "state": record["state"],
        "state_name": call.t.name_of("state", record["state"]),
        "state_icon": _STATE_ICONS.get(record["state"], ""),
        "level": confidence_level(record["confidence"]),
        "confidence": record["confidence"],
        "validated": record["validated"],
        "pinned": record["pinned"],
        "visibility": record["visibility"],
        "at": record["at"],
        "source": name_source(call, record),
        "superseded_by": record["superseded_by"],
        "is_message": record["conversation"] is not None,
    }


def name_source(call: PageCall, record: Mapping[str, Any]) -> Markup:
    """Who said it, and when."""
    when = call.t.recent(record["at"])
    if record["made_by"] == "person" and record["origin"] == "user_input":
        return call.t("source.written", when=when)
    speaker = record["metadata"].get("speaker") or record["user"]
    if record["origin"] == "ai_inference":
        return call.t("source.inferred", when=when)
    if record["origin"] == "journal":
        return call.t("source.journal", when=call.t.day(record["at"]))
    if record["role"] == "assistant":
        return call.t("source.assistant", when=when)
    if speaker is None:
        return call.t("source.noted", when=when)
    if speaker == call.person:
        return call.t("source.you", when=when)
    return call.t("source.other", name=isolate(speaker), when=when)


def isolate(text: object) -> Markup:
    """Remembered text inside a sentence of ours: its own direction, never translated."""
    return Markup('<bdi translate="no">{}</bdi>').format(text)


def underline_words(text: str, words: Sequence[str]) -> Markup:
    """A text with the words that were found marked."""
    wanted = {word.casefold() for word in words}
    if not wanted:
        return escape(text)
    parts, end = [], 0
    for match in WORD.finditer(text):
        plain = match[0].partition("’")[0].partition("'")[0]
        if not wanted.isdisjoint({fold_word(match[0]), match[0].casefold(), fold_word(plain)}):
            parts += [escape(text[end : match.start()]), Markup("<mark>{}</mark>").format(match[0])]
            end = match.end()
    return Markup("").join([*parts, escape(text[end:])])


def mark_span(text: str, span: object) -> Markup:
    """A message with the words that a record came from marked as evidence."""
    is_span = isinstance(span, list | tuple) and len(span) == 2 and all(type(place) is int for place in span)
    start, end = (span[0], span[1]) if is_span else (0, 0)  # type: ignore[index]
    if not 0 <= start < end <= len(text):
        return escape(text)
    return Markup("{}<mark>{}</mark>{}").format(text[:start], text[start:end], text[end:])


def read_found_words(hit: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """The words of the question that a hit holds, and those that it holds only in meaning."""
    detail = next((s["detail"] for s in hit["why"]["signals"] if s["name"] == "words"), "")
    held: list[str] = []
    near: list[str] = []
    for part in filter(None, detail.split("; ")):
        label, colon, words = part.partition(": ")
        (near if colon else held).extend((words if colon else label).split())
    return held, near


def describe_reasons(call: PageCall, hit: Mapping[str, Any]) -> list[ShownReason]:
    """Why a hit was found, in the reader's language."""
    held, near = read_found_words(hit)
    reasons = []
    for signal in hit["why"]["signals"]:
        name, detail = signal["name"], signal["detail"]
        if name == "words" and held:
            reasons.append(ShownReason("words", call.t("why.words", count=len(held), words=isolate(", ".join(held)))))
        if name == "words" and near:
            reasons.append(ShownReason("meaning", call.t("why.near", words=isolate(", ".join(near)))))
        elif name == "entities" and detail:
            reasons.append(ShownReason("people", call.t("why.entities", names=isolate(detail))))
        elif name not in ("words", "entities"):
            key = f"why.{name}" if call.t.has(f"why.{name}") else "why.other"
            reasons.append(ShownReason(_SIGNALS.get(name, "link"), call.t(key, rank=signal["rank"], name=name)))
    if not hit["why"]["signals"] and hit["why"]["parts"]:
        reasons.append(ShownReason("link", call.t("why.beside")))
    if hit["record"]["pinned"]:
        reasons.append(ShownReason("pin", call.t("why.pinned")))
    return reasons


def count_by(counts: Iterable[Mapping[str, Any]], field: str) -> dict[str, int]:
    """Counts of records summed over one of their fields."""
    sums: dict[str, int] = {}
    for one in counts:
        sums[one[field]] = sums.get(one[field], 0) + one["count"]
    return sums


def initials(name: str) -> str:
    """One or two letters for a picture of a person."""
    words = re.findall(r"\w+", name)
    return "".join(word[0] for word in words[:2]).upper() or "?"
