"""How a person wants the pages: language, theme and single keys. They are a document of the person, or a cookie."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from toldonce.access import acting_as
from toldonce.records import Document
from toldonce.server.calls import INTERFACE
from toldonce.server.pages.translation import list_languages

if TYPE_CHECKING:
    from toldonce.memory import Memory
    from toldonce.server.identity import Identity

DOCUMENT = "page preferences"
COOKIE = "toldonce_view"
THEMES = ("auto", "light", "dark")


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """What a person chose; "" leaves the language to the browser."""

    language: str = ""
    theme: str = "auto"
    keys: bool = True

    @classmethod
    def read(cls, table: Mapping[str, Any]) -> Preferences:
        """Preferences from what was stored; anything unknown counts as not chosen."""
        language, theme = table.get("language"), table.get("theme")
        return cls(
            language=language if isinstance(language, str) and language in list_languages() else "",
            theme=theme if isinstance(theme, str) and theme in THEMES else "auto",
            keys=table.get("keys") is not False,
        )

    def write_cookie(self) -> str:
        """The preferences as the value of a cookie."""
        return quote(json.dumps(asdict(self)))


def read_cookie_preferences(value: str) -> Preferences:
    """The preferences that a browser holds."""
    try:
        table = json.loads(unquote(value)) if value else {}
    except ValueError:
        table = {}
    return Preferences.read(table if isinstance(table, dict) else {})


def home_of(memory: Memory, identity: Identity) -> str:
    """The space whose documents hold the preferences of a person."""
    home = memory.space.name
    return home if identity.may_enter(home) or not identity.spaces else identity.spaces[0]


def has_stored_preferences(identity: Identity) -> bool:
    """Whether preferences of this identity are kept in the store, not in the browser."""
    return identity.person is not None and identity.may("write")


def read_preferences(memory: Memory, identity: Identity, cookie: str) -> Preferences:
    """The preferences of whoever asks."""
    if not has_stored_preferences(identity):
        return read_cookie_preferences(cookie)
    person = identity.person or ""
    with acting_as(interface=INTERFACE, person=person):
        found = memory.documents.get(DOCUMENT, owner=person, user=person, space=home_of(memory, identity))
    return Preferences.read(found.data) if found else read_cookie_preferences(cookie)


def store_preferences(memory: Memory, identity: Identity, chosen: Preferences) -> None:
    """Keep the preferences of a person; only the newest version is kept."""

    def change(before: Document) -> Document:
        return replace(before, version=before.version or 1, data=asdict(chosen), at=memory.clock())

    person = identity.person or ""
    with acting_as(interface=INTERFACE, person=person):
        memory.documents.change(DOCUMENT, change, owner=person, space=home_of(memory, identity))
