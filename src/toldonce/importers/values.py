"""What an importer yields, as values, and the few things that reading any format needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from toldonce.errors import BadImport

# Numbers above this are milliseconds: as seconds they would lie after the year 5000.
_MILLISECONDS_FROM = 100_000_000_000
_MOST_OF_A_DAY = 5_000
BESIDE_DAMAGE = "in a conversation that is damaged elsewhere"
REST_OF_FILE = "the rest of this file was not read"
NOT_TEXT = "a message whose text is not a text"


@dataclass(frozen=True, slots=True, kw_only=True)
class OlderMemory:
    """One memory of another store; `type` is that store's own word for it, `name` what its owner is called.

    From `ended_at` on it does not hold any more. `place` is where it is in the file. `file_at` is when the file was
    written: what has no time of its own is from then.
    """

    id: str
    text: str
    type: str
    at: datetime | None = None
    file_at: datetime | None = None
    user: str | None = None
    name: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    ended_at: datetime | None = None
    place: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedMessage:
    """One message of another program. `user` is its author's id there; None is the person whose account it is."""

    id: str
    text: str
    at: datetime | None
    user: str | None = None
    name: str = ""
    role: str = "user"
    metadata: Mapping[str, Any] = field(default_factory=dict)
    place: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedConversation:
    """Messages that come in together or not at all: a conversation with an assistant, or one day of a channel."""

    id: str
    messages: tuple[ImportedMessage, ...]
    title: str = ""
    channel: str | None = None
    place: str = ""


@dataclass(frozen=True, slots=True)
class SkippedItem:
    """Something that a reader does not take: why, and where it is. `is_damage` when it should have been readable."""

    reason: str
    place: str = ""
    is_damage: bool = False


# What a reader yields.
ImportItem = OlderMemory | ImportedConversation | SkippedItem


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """What the caller says about a file: whose account it is, and which columns of a table mean what."""

    me: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)

    def author_of(self, user: str, *names: str) -> str | None:
        """The id of an author, or None for the person whose account it is."""
        return None if self.me is not None and self.me in (user, *names) else user


def group_by_day(
    messages: Iterable[ImportedMessage | SkippedItem], *, channel: str, title: str = ""
) -> Iterator[ImportItem]:
    """A long chat as one conversation a day (UTC), so that neither memory nor a transaction holds all of it."""
    held: list[ImportedMessage | SkippedItem] = []
    day: str | None = None
    for message in messages:
        if isinstance(message, SkippedItem) and not message.is_damage:
            yield message
            continue
        if isinstance(message, ImportedMessage):
            if day is not None and (_day_of(message) != day or len(held) >= _MOST_OF_A_DAY):
                yield from build_conversation(held, id=f"{channel} {day}", channel=channel, title=title)
                held = []
            day = _day_of(message)
        held.append(message)
    yield from build_conversation(held, id=f"{channel} {day}", channel=channel, title=title)


def _day_of(message: ImportedMessage) -> str:
    return f"{message.at:%Y-%m-%d}" if message.at is not None else ""


def build_conversation(
    found: Sequence[ImportedMessage | SkippedItem], *, id: str, title: str = "", channel: str | None = None
) -> Iterator[ImportItem]:
    """What was read of one conversation: all of its messages together, or none of them if one is damaged."""
    messages = tuple(one for one in found if isinstance(one, ImportedMessage))
    skipped = [one for one in found if isinstance(one, SkippedItem)]
    yield from skipped
    if any(one.is_damage for one in skipped):
        yield from (SkippedItem(BESIDE_DAMAGE, message.place) for message in messages)
    elif messages:
        yield ImportedConversation(id=id, messages=messages, title=title, channel=channel, place=messages[0].place)


def read_files(names: Sequence[str], read: Callable[[str], Iterator[ImportItem]]) -> Iterator[ImportItem]:
    """What is in each of several files; one that is damaged is reported and does not stop the others."""
    for name in names:
        try:
            yield from read(name)
        except BadImport as problem:
            if len(names) == 1:
                raise
            yield SkippedItem(REST_OF_FILE, str(problem), is_damage=True)


def text_of(value: object) -> str | None:
    """A text without the blanks around it, "" where there is none; None for a value of another type."""
    if value is None:
        return ""
    return value.strip() if isinstance(value, str) else None


def id_of(value: object) -> str:
    """An id that another program gave, which is a text or a whole number; "" for anything else."""
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def moment_of(value: object) -> datetime | None:
    """A moment that an older store wrote as a text or a number; None when it cannot be read as one."""
    try:
        if isinstance(value, str):
            said = datetime.fromisoformat(value.strip())
        elif isinstance(value, int | float) and not isinstance(value, bool):
            said = datetime.fromtimestamp(value / 1000 if value > _MILLISECONDS_FROM else value, UTC)
        else:
            return None
    except (ValueError, OverflowError, OSError):
        return None
    return said.replace(tzinfo=UTC) if said.tzinfo is None else said.astimezone(UTC)


def first_filled(row: Mapping[str, Any], names: Sequence[str]) -> Any:
    """The first of these columns that a row has something in."""
    return next((row[name] for name in names if row.get(name) not in (None, "")), None)


def plain_metadata(row: Mapping[str, Any], *, without: Sequence[str]) -> dict[str, Any]:
    """The rest of a row as metadata; blobs, such as vectors, stay behind."""
    return {
        name: value
        for name, value in row.items()
        if name not in without and value is not None and not isinstance(value, bytes)
    }
