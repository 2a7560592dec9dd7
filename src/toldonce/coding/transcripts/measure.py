"""What a session cost before it began to work: discovery tokens, counted from its transcript and never estimated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toldonce.coding.transcripts.reader import Transcript, TranscriptCall
from toldonce.coding.transcripts.tool_names import CHANGES, DISCOVERY

_SEARCHES = ("search_memory", "recall", "memory_search")


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovery:
    """Searching, listing and reading before the first edit, and what else tells how a session went.

    `search_phase` is what came before the first look at a file that was then changed. A session that changed nothing
    has no first edit: all its discovery counts.
    """

    calls: int
    tokens: int
    search_phase: int
    whole_files: int
    subagents: int
    edits: int
    searched: int
    model_calls: int


def measure_discovery(transcript: Transcript) -> Discovery:
    """What a session spent on finding its way."""
    calls = transcript.calls
    before = _before_first_edit(calls)
    changed = {path for call in calls if call.op in CHANGES for path in call.paths}
    looks = [call for call in before if call.op in DISCOVERY]
    return Discovery(
        calls=len(looks),
        tokens=sum(call.tokens for call in looks),
        search_phase=_search_phase(looks, changed),
        whole_files=sum(call.tokens for call in looks if call.whole_file),
        subagents=sum(call.tokens for call in before if call.op == "task"),
        edits=sum(call.op in CHANGES for call in calls),
        searched=sum(call.op == "memory" and call.tool.endswith(_SEARCHES) for call in calls),
        model_calls=transcript.model_calls,
    )


def list_touched_files(transcript: Transcript) -> frozenset[str]:
    """Every file that the session read or changed."""
    return frozenset(path for call in transcript.calls if call.op in ("read", *CHANGES) for path in call.paths)


def _before_first_edit(calls: Sequence[TranscriptCall]) -> Sequence[TranscriptCall]:
    first = next((place for place, call in enumerate(calls) if call.op in CHANGES and not call.failed), len(calls))
    return calls[:first]


def _search_phase(looks: Sequence[TranscriptCall], changed: set[str]) -> int:
    spent = 0
    for call in looks:
        if call.op == "read" and changed & set(call.paths):
            return spent
        spent += call.tokens
    return spent
