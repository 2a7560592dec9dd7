"""A space as the store has it: its preset, whether memory is on there, and who is kept out of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from toldonce import presets
from toldonce.clock import load_zone as zone_of
from toldonce.errors import InputError, NotAllowed
from toldonce.presets.policy import Preset
from toldonce.records import Space
from toldonce.storage.store import Tables
from toldonce.storage.tables.people import SpaceState

DEFAULT_SPACE = "main"
DEFAULT_PRESET = "assistant"
_MOVED = "moved to"


def load_preset_and_text(name: str) -> tuple[Preset, str | None]:
    """A preset, and its text when it is not one of the shipped ones, so that the memory carries it."""
    text, file = presets.preset_text(name)
    return presets.parse_preset(text, file), None if name in presets.shipped_presets() else text


def preset_of_space(space: Space) -> tuple[Preset, str | None]:
    """The same for a space."""
    if space.preset_text is None:
        return presets.load_preset(space.preset), None
    return presets.parse_preset(space.preset_text, f"{space.preset} (kept in the memory)"), space.preset_text


def ensure_space(
    tables: Tables, name: str, wanted: tuple[Preset, str | None] | None, *, zone_name: str, now: datetime
) -> tuple[Space, Preset]:
    """The space of that name, made with the wanted preset when it is not there; one that exists keeps its own."""
    zone_of(zone_name)
    found = tables.people.space(name)
    if found is None:
        preset, text = wanted or load_preset_and_text(DEFAULT_PRESET)
        made = Space(name=name, preset=preset.name, preset_text=text, zone=zone_name)
        tables.people.add_space(made, now=now)
        return made, preset
    if wanted is not None and wanted[0].name != found.preset:
        raise NotAllowed(
            f"the space {name!r} was made with the preset {found.preset!r}, not {wanted[0].name!r}: "
            "open it without naming a preset, or make another space"
        )
    return found, preset_of_space(found)[0]


def explain_off(space: str, found: SpaceState | None) -> str:
    """Why nothing is stored or shown in a space, and what to do about it; "" when memory is on there."""
    if found is None or found.deleted:
        return f"the space {space!r} is deleted: restore it"
    return "" if found.is_on else f"memory is switched off in the space {space!r}: switch it on"


def require_on(tables: Tables, space: str) -> None:
    """Raise InputError where nothing may be stored."""
    if reason := explain_off(space, tables.people.read_space_state(space)):
        raise InputError(f"{reason} to remember")


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedTo:
    """Where a memory of this machine was sent, and when."""

    address: str
    at: str


def find_moved_to(tables: Tables) -> MovedTo | None:
    """Where this memory was sent, if it was."""
    value = tables.documents.read_setting("", _MOVED)
    return MovedTo(**json.loads(value)) if value else None


def mark_moved(tables: Tables, moved: MovedTo) -> None:
    """Note in a memory that it was sent to a server."""
    tables.documents.set_setting("", _MOVED, json.dumps({"address": moved.address, "at": moved.at}))
