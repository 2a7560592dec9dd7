"""What short replies answer: the message of somebody else before them, in their conversation."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from toldonce.records import Record
from toldonce.storage.store import Tables, View

# A reply of at most this many words makes little sense alone.
_SHORT = 8


def read_replied(tables: Tables, records: Sequence[Record], view: View) -> dict[str, Record]:
    """For each short message among these the message before it, if somebody else said it and the reader may see it."""
    short = {record.id: record for record in records if record.conversation and len(record.text.split()) <= _SHORT}
    places = tables.records.find_places(short)
    if not places:
        return {}
    windows = tables.search.read_windows(places, reach=1)
    around = tables.records.by_seq({place for window in windows for place in window})
    found: dict[str, Record] = {}
    for window in windows:
        for before, reply in pairwise(window):
            said, answered = around.get(reply), around.get(before)
            if said is None or answered is None or said.id not in short or said.author == answered.author:
                continue
            if answered.state == "active" and tables.people.may_read(answered, view.user):
                found[said.id] = answered
    return found
