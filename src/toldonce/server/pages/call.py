"""One request for a page or an act: who asks, what they ask for, and the operations under their identity."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from markupsafe import Markup

from toldonce.clock import load_zone
from toldonce.errors import InputError, SpaceNotFound
from toldonce.lang.registry import language_of
from toldonce.lang.wording import name_section
from toldonce.operations.routes import ROUTES
from toldonce.server.calls import Condition, carry_out, require_version
from toldonce.server.identity import Identity, bind_space
from toldonce.server.pages.translation import PageTexts
from toldonce.server.problems import FieldProblem

if TYPE_CHECKING:
    from toldonce.memory import Memory
    from toldonce.presets.policy import Preset
    from toldonce.records import Space
    from toldonce.server.pages.cache import CountCache
    from toldonce.server.pages.preferences import Preferences
    from toldonce.storage.tables.events import EventPlace


@dataclass(frozen=True, slots=True)
class Done:
    """What an act did: where to go now, what to say, and what undoes it.

    `key` is a sentence `done.KEY`; `records` are the ids that it is about. `undo` names an act `/undo/UNDO` that takes
    the same ids and `given`. Texts are read again when they are shown, so none is kept in between.
    """

    next: str
    key: str = ""
    records: tuple[str, ...] = ()
    undo: str = ""
    given: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PageView:
    """What a page shows: the values of its template, and the status and headers of its answer."""

    values: Mapping[str, Any]
    status: int = 200
    template: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Download:
    """A file to download."""

    name: str
    body: bytes
    media_type: str


class PageCall:
    """A request as pages see it. `run` is the only way to the memory."""

    def __init__(
        self,
        memory: Memory,
        identity: Identity,
        *,
        path: str,
        query: Mapping[str, str],
        form: Mapping[str, list[str]],
        named: Mapping[str, str],
        preferences: Preferences,
        texts: PageTexts,
        space: str | None,
        counts: CountCache,
        events_place: EventPlace,
    ) -> None:
        self.memory = memory
        self.identity = identity
        self.path = path
        self.query = query
        self.form = form
        self.named = named
        self.preferences = preferences
        self.t = texts
        self.space_name = space
        self.events_place = events_place
        self.problem: InputError | None = None
        self._sent_to = path
        self._seen = ""
        self._counts = counts

    @property
    def person(self) -> str | None:
        """Whom the pages are shown to; None for a credential of everyone."""
        return self.identity.person

    @property
    def now(self) -> Any:
        """The present moment."""
        return self.memory.clock()

    @cached_property
    def space(self) -> Space:
        """The space that is shown."""
        name = self.space_name or self.memory.space.name
        known = (self.memory.space, *self.memory.spaces.all())
        found = next((space for space in known if space.name == name), None)
        if found is None:
            raise SpaceNotFound(f"there is no space {name[:100]!r}")
        return found

    @cached_property
    def preset(self) -> Preset:
        """The preset of the space that is shown."""
        return self.memory.spaces.preset(space=self.space.name)

    def run(self, operation: str, **given: Any) -> Any:
        """The answer of an operation as the REST API would give it to this identity."""
        route = ROUTES[operation]
        if "space" in route.parameters and self.space_name is not None:
            given.setdefault("space", self.space_name)
        seen = self.field("version") if given.get("record_id") == self._seen else ""
        condition = Condition(if_match=seen) if seen else None
        answer = carry_out(self.memory, self.identity, route, given, condition=condition)
        return answer["result"] if isinstance(answer, dict) and answer.keys() == {"result"} else answer

    def count(self, operation: str, **given: Any) -> Any:
        """The answer of an operation that only counts; it is kept while nothing happens."""
        who = (self.identity.person, self.identity.spaces, self.space_name)
        key = (operation, who, json.dumps(given, sort_keys=True, default=str))
        return self._counts.get(key, lambda: self.run(operation, **given))

    def require_seen(self, record_id: str) -> None:
        """Refuse a change of a record that is not the one that the form was made of, now and when it is made."""
        self._seen = record_id
        require_version(self.memory, {"record_id": record_id}, Condition(if_match=self.field("version") or None))

    def field(self, name: str, *, most: int = 200_000) -> str:
        """A field of the form, without spaces around it; "" when it is not there."""
        values = self.form.get(name) or [""]
        if len(values[0]) > most:
            raise InputError(f"{name} is too long: at most {most:,} characters")
        return values[0].strip()

    def show_again(
        self, place: str, *, query: Mapping[str, str], named: Mapping[str, str], problem: InputError
    ) -> None:
        """From now on this asks for the page of a form that was sent, with what was wrong in it."""
        self.path, self.query, self.named, self.problem = place, query, named, problem

    def typed(self, form: str, name: str, usual: str = "") -> str:
        """What was typed into a field of a form that is shown again, else what is in it usually."""
        return self.field(name) if self.problem is not None and form == self._sent_to else usual

    @property
    def wrong_field(self) -> str:
        """The id of the field in which something is wrong; "" when there is none, or it is not known which."""
        return self.problem.field if isinstance(self.problem, FieldProblem) else ""

    def fault(self, field: str) -> str:
        """What is wrong in the field with an id; "" when nothing is."""
        return str(self.problem) if self.wrong_field == field else ""

    def asked(self, name: str, *, most: int = 1_000) -> str:
        """A part of the query, without spaces around it; "" when it is not there."""
        return self.query.get(name, "")[:most].strip()

    def url(self, path: str, **query: Any) -> str:
        """An address of this server; empty parts are left out."""
        kept = {name: value for name, value in query.items() if value not in (None, "", False)}
        return f"{path}?{urlencode(kept)}" if kept else path

    def area_name(self, area: str) -> str | Markup:
        """The name of an area of life in the reader's language."""
        named: str | None = language_of(self.t.language).texts.areas.get(area)
        return named or str(
            self.preset.areas[area].label.get(self.t.language, area) if area in self.preset.areas else area
        )

    def section_name(self, section: str) -> str | Markup:
        """The name of a section of a document in the reader's language; it may be an area of life or a kind."""
        language = language_of(self.t.language)
        if section in language.texts.sections or (
            section not in self.preset.areas and section not in self.preset.kinds
        ):
            return name_section(section, language)
        return self.area_name(section) if section in self.preset.areas else self.kind_name(section)

    def kind_name(self, kind: str) -> str | Markup:
        """The name of a kind in the reader's language, or the preset's own word for it."""
        if self.t.has(f"kind.{kind}"):
            return self.t(f"kind.{kind}")
        row = self.preset.kinds.get(kind)
        return (row.shown_as if row else kind).replace("_", " ")


def choose_space(memory: Memory, identity: Identity, *, asked: str, kept: str) -> str | None:
    """The space of the pages: as asked, else the one kept from before while it is there, else as operations choose."""
    home = memory.space.name
    if asked:
        return bind_space(identity, asked, home=home)
    if kept and identity.may_enter(kept) and any(space.name == kept for space in memory.spaces.all()):
        return kept
    if identity.spaces and home not in identity.spaces:
        return identity.spaces[0]
    return bind_space(identity, None, home=home)


def zone_of_pages(memory: Memory, space: str | None) -> ZoneInfo:
    """The time zone in which moments are shown: that of the space."""
    name = space or memory.space.name
    known = next((s for s in (memory.space, *memory.spaces.all()) if s.name == name), memory.space)
    zone = load_zone(known.zone)
    assert isinstance(zone, ZoneInfo)
    return zone
