"""An agent's transcript file becomes what happened in order: what was said, and which tools were called on what.

Each agent's format is read by `formats`; a line that cannot be read is left out and counted, never fatal.
What memory itself put into a prompt, compaction summaries, private spans and text that nobody said are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from toldonce.errors import InputError

Op = Literal["read", "search", "list", "edit", "write", "run", "task", "memory", ""]
AGENTS = ("claude-code", "codex", "cursor", "gemini", "opencode")

# Only the two ends of a tool's answer are kept: failures are reported there.
_HEAD, _TAIL = 1_500, 2_500
_LONGEST_LINE = 32 * 1024 * 1024
_INJECTED = re.compile(
    r"<(private|system-reminder|environment_context|user_instructions|command-\w+|local-command-\w+|hook_context|"
    r"session_context|permissions instructions|INSTRUCTIONS)\b[^>]*>.*?(?:</\1>|\Z)",
    re.DOTALL,
)
# What memory put into a prompt or a tool's answer. Gemini escapes it.
_OWN_BLOCK = re.compile(r"(?:<|&lt;)toldonce-memory\b.*?(?:(?:<|&lt;)/toldonce-memory(?:>|&gt;)|\Z)", re.DOTALL)
_QUERY = re.compile(r"</?user_query>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """Something a person or the agent said."""

    role: Literal["user", "assistant"]
    text: str
    at: datetime | None = None
    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptCall:
    """One call of a tool: what it did to what, how large its answer was, and the two ends of that answer."""

    op: Op
    tool: str
    paths: tuple[str, ...] = ()
    command: str = ""
    whole_file: bool = False
    tokens: int = 0
    answer: str = ""
    failed: bool | None = None
    at: datetime | None = None


Happened = Spoken | TranscriptCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """One session of one agent. Paths inside `root` are relative to it; `unread` counts unknown lines."""

    agent: str
    session: str
    events: tuple[Happened, ...]
    root: str = ""
    branch: str = ""
    unread: int = 0
    model_calls: int = 0

    @property
    def spoken(self) -> tuple[Spoken, ...]:
        """What was said, in order."""
        return tuple(e for e in self.events if isinstance(e, Spoken))

    @property
    def calls(self) -> tuple[TranscriptCall, ...]:
        """Which tools were called, in order."""
        return tuple(e for e in self.events if isinstance(e, TranscriptCall))


def read_transcript(path: Path, agent: str, *, root: str = "", session: str = "") -> Transcript:
    """What a transcript file tells; `root` is the project's folder, where the file does not say it."""
    from toldonce.coding.transcripts.formats import FORMATS, SessionBuilder

    if agent not in FORMATS:
        raise InputError(f"no transcripts of {agent!r} are known here: choose one of {', '.join(AGENTS)}")
    found = SessionBuilder()
    try:
        FORMATS[agent](path, found)
    except OSError as problem:
        raise InputError(f"the transcript {path} cannot be read: {problem.strerror}") from None
    folder = root or found.root
    return Transcript(
        agent=agent,
        session=session or found.session,
        root=folder,
        branch=found.branch,
        unread=found.unread,
        model_calls=found.model_calls,
        events=tuple(_relativise_paths(_join_agent_texts(found.events), folder)),
    )


def read_transcript_lines(path: Path) -> Iterator[str]:
    """The lines of a file that may still be growing, without blank and oversized ones."""
    with path.open(encoding="utf-8", errors="replace") as opened:
        for line in opened:
            if line.strip() and len(line) <= _LONGEST_LINE:
                yield line


def strip_host_markup(text: str) -> str:
    """What a person or an agent really said, without what hooks and hosts put around it."""
    own = strip_memory_blocks(text)
    return _QUERY.sub("", _INJECTED.sub("", own)).strip() if "<" in own else own.strip()


def strip_memory_blocks(text: str) -> str:
    """A text without the blocks that memory put into it."""
    return _OWN_BLOCK.sub("", text)


def keep_both_ends(text: str) -> str:
    """The two ends of a long text."""
    return text if len(text) <= _HEAD + _TAIL else f"{text[:_HEAD]}\n…\n{text[-_TAIL:]}"


def parse_transcript_time(value: Any) -> datetime | None:
    """A moment as transcripts write it: an ISO text, or seconds or milliseconds since 1970."""
    try:
        if isinstance(value, str) and value:
            found = datetime.fromisoformat(value.replace("Z", "+00:00"))
            return found if found.tzinfo else found.replace(tzinfo=UTC)
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            return datetime.fromtimestamp(value / 1000 if value > 1e11 else value, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def relative_to_project(path: str, root: str) -> str:
    """A path relative to the project's folder, where it lies inside it."""
    if not root or not path:
        return path
    plain, base = path.replace("\\", "/"), root.replace("\\", "/").rstrip("/")
    if plain.startswith(base + "/"):
        return plain[len(base) + 1 :]
    return str(PurePosixPath(plain)) if plain else plain


def _join_agent_texts(events: Sequence[Happened]) -> Iterator[Happened]:
    """Neighbouring texts of one agent message joined, empty ones gone."""
    last: Spoken | None = None
    for event in events:
        if isinstance(event, Spoken) and not event.text:
            continue
        if isinstance(event, Spoken) and last is not None and event.role == last.role == "assistant":
            last = replace(last, text=f"{last.text}\n\n{event.text}")
            continue
        if last is not None:
            yield last
            last = None
        if isinstance(event, Spoken):
            last = event
        else:
            yield event
    if last is not None:
        yield last


def _relativise_paths(events: Iterable[Happened], root: str) -> Iterator[Happened]:
    for event in events:
        if isinstance(event, TranscriptCall) and event.paths:
            yield replace(event, paths=tuple(relative_to_project(p, root) for p in event.paths))
        else:
            yield event
