"""What an agent tells its hooks becomes one kind of event, and our answer becomes what that agent reads.

One row per agent: which of its events are which of ours, and how each takes text. What has no place for text gets none.
"""

from __future__ import annotations

import json
import time

from toldonce.coding.transcripts.tool_names import operation_of_call, paths_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

START, SUBAGENT, PROMPT, BEFORE_EDIT, AFTER_TOOL, COMPACT, STOP, END = (
    "session-start", "subagent-start", "prompt", "before-edit", "after-tool", "compact", "stop", "session-end",
)  # fmt: skip
NAMES = (START, SUBAGENT, PROMPT, BEFORE_EDIT, AFTER_TOOL, COMPACT, STOP, END)

# Each agent's own names, in the order of ours; "" where it has no such event.
OWN_NAMES: Mapping[str, tuple[str, ...]] = {
    "claude-code": (
        "SessionStart", "SubagentStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "", "Stop", "SessionEnd",
    ),
    "codex": (
        "SessionStart", "SubagentStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "Stop",
        "SessionEnd",
    ),
    "gemini": (
        "SessionStart", "", "BeforeAgent", "BeforeTool", "AfterTool", "PreCompress", "AfterAgent", "SessionEnd",
    ),
    "cursor": ("sessionStart", "", "beforeSubmitPrompt", "preToolUse", "postToolUse", "", "stop", "sessionEnd"),
    "opencode": ("session-start", "", "prompt", "before-edit", "after-tool", "compact", "stop", "session-end"),
}  # fmt: skip
# Where each agent takes text for the model. What cannot be said at its own moment waits for the next such place.
_SPEAKS: Mapping[str, tuple[str, ...]] = {
    "claude-code": (START, SUBAGENT, PROMPT, AFTER_TOOL),
    "codex": (START, SUBAGENT, PROMPT, AFTER_TOOL),
    "gemini": (START, PROMPT, AFTER_TOOL),
    "cursor": (START, AFTER_TOOL),
    "opencode": (START, PROMPT, AFTER_TOOL),
}
# Gemini reports a compaction before every request, since it asks its hooks before it looks whether one is needed. Only
# the trigger of one that a person asked for says that it happens.
_COMPACTS: Mapping[str, tuple[str, ...]] = {"gemini": ("manual",)}
# Agents whose sessions are never said to be over: they may go on after days.
_ENDLESS = ("opencode",)
_MOST_CHARS = 9_500
_LOUD = (START, PROMPT)
# Text beside a call of a tool reaches the model with its result. Only a refusal is read before the call is made.
_HELD_BACK = "This edit was not made yet, so that you can read this first. Repeat it, changed or as it was."


class HookEvent:
    """One moment in an agent's session. A plain class: what makes values comfortable is slow to import."""

    __slots__ = (
        "agent", "begun", "cwd", "messages", "name", "op", "paths", "prompt", "session", "size", "source", "subagent",
        "transcript",
    )  # fmt: skip

    def __init__(self, agent: str, name: str, raw: Mapping[str, Any]) -> None:
        given = _first_table(raw, "tool_input", "args", "arguments")
        tool = _first_text(raw, "tool_name", "tool")
        self.begun = time.perf_counter()
        self.agent = agent
        self.name = name
        self.session = _first_text(raw, "session_id", "sessionId", "conversation_id", "sessionID")
        self.subagent = _first_text(raw, "agent_id")
        self.cwd = _first_text(raw, "cwd", "directory") or _first_item(raw.get("workspace_roots"))
        self.prompt = _first_text(raw, "prompt")
        self.op = operation_of_call(tool, given) if tool else "edit" if raw.get("edits") else ""
        self.paths = paths_of(tool, given) or ((str(raw["file_path"]),) if raw.get("file_path") else ())
        self.size = _answer_size(next((raw[k] for k in ("tool_response", "tool_output", "output") if raw.get(k)), ""))
        self.transcript = _first_text(raw, "transcript_path", "agent_transcript_path")
        self.source = _first_text(raw, "source", "trigger", "reason")
        self.messages = raw.get("messages")

    @property
    def conversation(self) -> str:
        """Whose context a text goes into: the session's, or that of one of its subagents, which sees no other."""
        return f"{self.session}/{self.subagent}" if self.session and self.subagent else self.session

    @property
    def drops_context(self) -> bool:
        """Whether the agent drops most of its context now, or only says that it may."""
        return self.agent not in _COMPACTS or self.source in _COMPACTS[self.agent]

    @property
    def speaks(self) -> bool:
        """Whether the agent takes text for the model at this moment."""
        return self.name in _SPEAKS[self.agent]


def has_endless_sessions(agent: str) -> bool:
    """Whether an agent never says that a session is over, so that the end of a turn counts as its end."""
    return agent in _ENDLESS


def can_refuse(agent: str) -> bool:
    """Whether an agent's hook may refuse an edit, with a reason that the model reads."""
    return agent in _REFUSERS


def read_event(agent: str, name: str, raw: object) -> HookEvent | None:
    """The event that an agent reports, by our name or its own; None for an unknown event."""
    if agent not in OWN_NAMES or not isinstance(raw, dict):
        return None
    own = OWN_NAMES[agent]
    ours = name if name in NAMES else NAMES[own.index(name)] if name and name in own else ""
    return HookEvent(agent, ours, raw) if ours else None


def format_hook_answer(event: HookEvent, *, context: str = "", notice: str = "") -> str:
    """What to print: text for the model and a line for the person, in the agent's own way; nothing is nothing."""
    said = context[:_MOST_CHARS] if event.speaks else ""
    told = notice if event.name in _LOUD else ""
    if not said and not told:
        return ""
    return json.dumps(_WRITERS[event.agent](event, said, told), ensure_ascii=True)


def format_refusal(event: HookEvent, context: str) -> str:
    """What to print so that the agent does not make an edit before its model has read a text."""
    reason = f"{context[:_MOST_CHARS]}\n{_HELD_BACK}"
    return json.dumps(_REFUSERS[event.agent](event, reason), ensure_ascii=True)


def _as_claude(event: HookEvent, context: str, notice: str) -> dict[str, Any]:
    own = OWN_NAMES[event.agent][NAMES.index(event.name)]
    found: dict[str, Any] = {"systemMessage": notice} if notice else {}
    if context:
        found["hookSpecificOutput"] = {"hookEventName": own, "additionalContext": context}
    return found


def _refuse_as_claude(event: HookEvent, reason: str) -> dict[str, Any]:
    own = OWN_NAMES[event.agent][NAMES.index(event.name)]
    refusal = {"permissionDecision": "deny", "permissionDecisionReason": reason}
    return {"hookSpecificOutput": {"hookEventName": own, **refusal}}


def _as_cursor(_: HookEvent, context: str, notice: str) -> dict[str, Any]:
    return {"additional_context": context} if context else {"user_message": notice}


def _as_opencode(_: HookEvent, context: str, notice: str) -> dict[str, Any]:
    return {"context": context, "notice": notice}


_WRITERS = {
    "claude-code": _as_claude, "codex": _as_claude, "gemini": _as_claude, "cursor": _as_cursor,
    "opencode": _as_opencode,
}  # fmt: skip


_REFUSERS: Mapping[str, Callable[[HookEvent, str], dict[str, Any]]] = {
    "claude-code": _refuse_as_claude,
    "codex": _refuse_as_claude,
    "gemini": lambda _, reason: {"decision": "deny", "reason": reason},
    "opencode": lambda _, reason: {"refusal": reason},
}


def _first_text(raw: Mapping[str, Any], *keys: str) -> str:
    return next((value for key in keys if isinstance(value := raw.get(key), str) and value), "")


def _first_table(raw: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    return next((value for key in keys if isinstance(value := raw.get(key), dict)), {})


def _first_item(value: object) -> str:
    return str(value[0]) if isinstance(value, list) and value else ""


def _answer_size(value: object) -> int:
    return len(value) if isinstance(value, str) else len(json.dumps(value, default=str))
