"""Has a newer record doubt an older one, and asks the person where it matters or where only they can tell.

The judgement that the newer one probably ends the older one comes from elsewhere; nothing is ended here.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from toldonce.distil.reconcile import ask_about_conflict
from toldonce.presets.policy import Preset
from toldonce.records import Record, attribute_of
from toldonce.storage import lifecycle
from toldonce.storage.store import Tables

Doubt = Literal["doubted", "asked", "left"]


def doubt_and_ask(tables: Tables, older: Record, newer: Record, *, preset: Preset, now: datetime, reason: str) -> Doubt:
    """Doubt the older record, or leave both and ask the person where it may not be hidden; what was done.

    Two records that were judged before are left alone. A doubt about what the preset's `asks` names is asked too.
    """
    if not lifecycle.may_judge(tables, newer, older):
        return "left"
    at = max(newer.at, older.at)
    is_doubted = lifecycle.doubt_record(tables, older, newer, at=at, reason=reason)
    may_stand = (older.validated or older.pinned) and older.conversation is None
    if not is_doubted and not (may_stand and older.is_current and newer.is_current):
        return "left"
    if not is_doubted or matters(older, preset) or matters(newer, preset):
        _ask_once(tables, older, newer, now=now)
    return "doubted" if is_doubted else "asked"


def matters(record: Record, preset: Preset) -> bool:
    """Whether a record is about what a person is asked about rather than left with a doubt: health, home, work."""
    told = record.metadata
    topics = told.get("topics")
    about = {attribute_of(record.subject), str(told.get("sub_area") or ""), str(told.get("area") or "")}
    about |= set(map(str, topics)) if isinstance(topics, list | tuple) else set()
    if told.get("change") == "planned":
        about.add("plan")
    return not about.isdisjoint(preset.distil.asks)


def _ask_once(tables: Tables, older: Record, newer: Record, *, now: datetime) -> None:
    """Ask the person whether something changed, unless they were asked about these two before."""
    before = tables.conversations.questions(newer.space, user=newer.user, only_open=False)
    if all((one.older, one.newer) != (older.id, newer.id) for one in before):
        tables.conversations.ask(ask_about_conflict(older, newer, now=now))
