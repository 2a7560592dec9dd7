"""When a conversation is over: pure rules over a conversation, the time of a message and the preset's policy."""

from __future__ import annotations

from datetime import datetime

from recollect.clock import end_of_day, same_day
from recollect.presets.policy import ConversationPolicy, Ending
from recollect.records import Conversation


def key_of(policy: ConversationPolicy, *, user: str | None, session: str | None, channel: str | None) -> str:
    """What holds messages together: the preset's choice, else the next thing that was given."""
    parts = {"channel": channel, "session": session, "user": user}
    order = (policy.key, "session", "channel", "user")
    return next((f"{name}:{parts[name]}" for name in order if parts[name] is not None), "all")


def ending(conversation: Conversation, policy: ConversationPolicy, *, at: datetime, zone_name: str) -> Ending | None:
    """Why a message at that moment cannot join the conversation any more, if so."""
    if "longest" in policy.ends and at - conversation.started_at >= policy.longest:
        return "longest"
    if "quiet" in policy.ends and at - conversation.updated_at >= policy.quiet:
        return "quiet"
    if "day" in policy.ends and at > conversation.updated_at and not same_day(conversation.updated_at, at, zone_name):
        return "day"
    return None


def due(policy: ConversationPolicy, *, updated_at: datetime, zone_name: str) -> tuple[datetime, Ending] | None:
    """When a conversation ends if nobody says anything more, and by which rule."""
    ends: list[tuple[datetime, Ending]] = []
    if "quiet" in policy.ends:
        ends.append((updated_at + policy.quiet, "quiet"))
    if "day" in policy.ends:
        ends.append((end_of_day(updated_at, zone_name), "day"))
    return min(ends) if ends else None


def turns(count: int) -> int:
    """Messages in that many turns: one turn is a person's message and the answer."""
    return count * 2
