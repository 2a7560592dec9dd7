"""A conversation of another program comes in: each message becomes a record once, with its own time and its author.

The id of a record follows from where its message comes from, so a second import brings nothing twice, also after a
process was killed in the middle of the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from toldonce.capture.gate import clean_values
from toldonce.capture.import_gate import ERASED
from toldonce.capture.observe import (
    KEPT_OUT,
    IncomingMessage,
    MessageBatch,
    MessageSource,
    PreparedMessage,
    Skipped,
    end_all,
    prepare_message,
    store_message,
)
from toldonce.capture.older import EMPTY, HERE, TOO_LONG, UNFIT, ErasedPeople
from toldonce.errors import EmptyText, InputError, TextTooLong
from toldonce.importers.values import ImportedConversation, ImportedMessage
from toldonce.presets.policy import Preset
from toldonce.records import Person, Space, Trust
from toldonce.storage.store import Tables

NO_TIME = "without a time"


@dataclass(frozen=True, slots=True)
class Arrival:
    """One message with what is to be kept of it, or the reason why nothing is."""

    message: ImportedMessage
    heard: PreparedMessage | None
    reason: str = ""
    is_damage: bool = False

    @property
    def secrets(self) -> int:
        """How many secrets were redacted in it."""
        return sum(change.startswith("secret") for change in self.heard.changes) if self.heard else 0


def prepare_conversation(
    conversation: ImportedConversation,
    what: str,
    *,
    preset: Preset,
    space: Space,
    user: str | None,
    trusted: bool,
    now: datetime,
) -> list[Arrival]:
    """Each message of a conversation, checked and ready to be stored."""
    return [
        _prepare_one(message, conversation, what, preset=preset, space=space, user=user, trusted=trusted, now=now)
        for message in conversation.messages
    ]


def _prepare_one(
    message: ImportedMessage,
    conversation: ImportedConversation,
    what: str,
    *,
    preset: Preset,
    space: Space,
    user: str | None,
    trusted: bool,
    now: datetime,
) -> Arrival:
    if message.at is None:
        return Arrival(message, None, NO_TIME, is_damage=True)
    origin = {"from": what, "id": message.id, "conversation": conversation.id, "title": conversation.title}
    incoming = IncomingMessage(
        text=message.text,
        user=message.user or user,
        session=conversation.id,
        role=message.role,
        at=message.at,
        channel=conversation.channel,
        display_name=message.name,
        metadata=clean_values({**message.metadata, "imported": origin}),
    )
    try:
        heard = prepare_message(incoming, preset=preset, space=space, now=now)
    except EmptyText:
        return Arrival(message, None, EMPTY)
    except TextTooLong:
        return Arrival(message, None, TOO_LONG, is_damage=True)
    except InputError:
        return Arrival(message, None, UNFIT, is_damage=True)
    if isinstance(heard, Skipped):
        return Arrival(message, None, heard.reason)
    return Arrival(message, _mark_as_imported(heard, message, conversation, what, preset, space, trusted=trusted))


def _mark_as_imported(
    heard: PreparedMessage,
    message: ImportedMessage,
    conversation: ImportedConversation,
    what: str,
    preset: Preset,
    space: Space,
    *,
    trusted: bool,
) -> PreparedMessage:
    # A day of a channel is no unit of the source, so ids there are those of the channel.
    whole = conversation.channel or conversation.id
    source = MessageSource(what, whole, message.id)
    return replace(
        heard,
        record_id=source.record_id(heard.at, preset=preset, space=space),
        origin="import",
        most_trust=Trust.PERSON if trusted else Trust.AGENT,
    )


def check_arrivals(
    tables: Tables, arrivals: Sequence[Arrival], *, space: Space, erased: ErasedPeople, known: set[str]
) -> Iterator[tuple[Arrival, str]]:
    """Each message with the reason why it is to be left out, "" if it may be kept; its id is added to those `known`."""
    ids = [one.heard.record_id for one in arrivals if one.heard is not None and one.heard.record_id]
    known.update(tables.transfer.find_places(ids))
    for arrival in arrivals:
        heard = arrival.heard
        if heard is None:
            yield arrival, arrival.reason
        elif heard.record_id in known:
            yield arrival, HERE
        elif heard.said.user is not None and erased.is_older(heard.at, {heard.said.user}, space.name):
            yield arrival, ERASED
        elif heard.person is not None and _is_kept_out(tables, heard.person):
            yield arrival, KEPT_OUT
        else:
            known.add(heard.record_id or "")
            yield arrival, ""


def _is_kept_out(tables: Tables, person: Person) -> bool:
    found = tables.people.get(person.space, person.id)
    return found is not None and found.blocked


def store_conversation(
    tables: Tables,
    arrivals: Sequence[Arrival],
    *,
    preset: Preset,
    space: Space,
    erased: ErasedPeople,
    now: datetime,
) -> Iterator[tuple[Arrival, str]]:
    """Store what is new; yields each message with the reason why it was left out, "" if it was kept."""
    batch = MessageBatch(tables)
    kept: PreparedMessage | None = None
    for arrival, reason in check_arrivals(tables, arrivals, space=space, erased=erased, known=set()):
        heard = arrival.heard
        if heard is None or reason:
            yield arrival, reason
        else:
            if kept is None:
                _end_later_conversation(batch, heard, preset=preset, space=space, now=now)
            stored = store_message(batch, heard, preset=preset, space=space)
            kept = heard if not isinstance(stored, Skipped) else kept
            yield arrival, stored.reason if isinstance(stored, Skipped) else ""
    batch.finish()
    if kept is not None and "quiet" not in preset.conversation.ends:
        end_all(tables, space.name, session=kept.said.session, channel=None, user=None, at=now)


def _end_later_conversation(
    batch: MessageBatch, heard: PreparedMessage, *, preset: Preset, space: Space, now: datetime
) -> None:
    """End what is said there now: messages from before it are no part of it."""
    said = heard.said
    key = preset.conversation.key_for(user=said.user, session=said.session, channel=said.channel)
    current = batch.find_open(space.name, key)
    if current is not None and current.started_at > heard.at:
        batch.end(current, by="import", at=now)
