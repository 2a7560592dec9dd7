"""A note of a journal comes in: each section becomes a message of its day, ready to be stored, and none comes twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from hashlib import blake2b
from typing import Final

from toldonce.capture.gate import clean_values
from toldonce.capture.imported_conversations import Arrival
from toldonce.capture.observe import IncomingMessage, MessageSource, Skipped, prepare_message
from toldonce.clock import load_zone
from toldonce.errors import EmptyText
from toldonce.importers.notes import split_note
from toldonce.importers.values import ImportedMessage
from toldonce.presets.policy import Preset
from toldonce.records import Space

JOURNAL: Final = "journal"


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedNote:
    """One note of somebody's journal. `folder` is the journal it belongs to, where a person has several."""

    name: str
    text: str
    on: date
    user: str
    folder: str = ""

    @property
    def session(self) -> str:
        """The session of its messages."""
        return name_session(self.name)


def name_session(name: str) -> str:
    """The session of the messages of a note."""
    return f"{JOURNAL} {name}"


def prepare_note(note: DatedNote, *, preset: Preset, space: Space, now: datetime) -> Iterator[Arrival]:
    """Each section of a note as a message at noon of its day, or now if that day is today."""
    noon = datetime.combine(note.on, time(12), tzinfo=load_zone(space.zone))
    for piece in split_note(clean_values(note.text)):
        digest = blake2b(f"{piece.heading}\n{piece.text}".encode(), digest_size=8).hexdigest()
        about = {"date": note.on.isoformat(), "note": note.name, "folder": note.folder, "section": piece.heading}
        message = ImportedMessage(id=digest, text=piece.text, at=min(noon, now), user=note.user)
        said = IncomingMessage(
            text=piece.text, user=note.user, session=note.session, at=message.at, metadata={JOURNAL: about}
        )
        try:
            heard = prepare_message(said, preset=preset, space=space, now=now)
        except EmptyText:
            continue
        if isinstance(heard, Skipped):
            yield Arrival(message, None, heard.reason)
            continue
        source = MessageSource(JOURNAL, f"{note.user}\n{note.name}", digest)
        identity = source.record_id(noon, preset=preset, space=space)
        yield Arrival(message, replace(heard, record_id=identity, origin=JOURNAL))
