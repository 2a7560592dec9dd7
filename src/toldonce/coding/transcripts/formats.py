"""The formats in which coding agents keep their sessions: a file in, what happened in it appended to `SessionBuilder`.

The vendors call these formats internal, so nothing is taken for granted: missing or malformed parts are skipped and
counted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from toldonce import tokens
from toldonce.coding.transcripts.reader import (
    Happened,
    Spoken,
    TranscriptCall,
    keep_both_ends,
    parse_transcript_time,
    read_transcript_lines,
    strip_host_markup,
    strip_memory_blocks,
)
from toldonce.coding.transcripts.tool_names import command_of, operation_of_call, paths_of

Raw = Mapping[str, Any]

_ERROR_MARK = re.compile(
    r"^Exit code:? ?[1-9]|<tool_use_error>|\bexit(?:ed with)? code[: ]+[1-9]|^Traceback \(most recent call last\)"
    r"|^error(\[\w+\])?:|npm ERR!|command not found"
    r"|\b[1-9]\d* (?:failed|failing)\b|^FAILED\b|^FAIL\b|panicked at|BUILD FAILED",
    re.MULTILINE | re.IGNORECASE,
)
_RANGE_KEYS = ("offset", "limit", "start_line", "end_line", "line_start", "view_range", "should_read_entire_file")


@dataclass(slots=True)
class SessionBuilder:
    """What was read so far; calls wait for their answers by id."""

    session: str = ""
    root: str = ""
    branch: str = ""
    unread: int = 0
    model_calls: int = 0
    events: list[Happened] = field(default_factory=list)
    open: dict[str, int] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)

    def say(self, role: str, text: str, raw: Raw, *, key: str = "") -> None:
        """Somebody said something."""
        if (words := strip_host_markup(text)) and role in ("user", "assistant"):
            at = parse_transcript_time(raw.get("timestamp") or raw.get("time"))
            kind: Any = role
            self.events.append(Spoken(role=kind, text=words, at=at, id=key))

    def call(self, tool: str, given: Any, *, key: str = "", at: Any = None) -> None:
        """A tool was called."""
        args: Raw = given if isinstance(given, Mapping) else {"input": given}
        op: Any = operation_of_call(tool, args)
        command = command_of(args) if op == "run" or "command" in args or "cmd" in args else ""
        whole = op == "read" and not any(args.get(k) for k in _RANGE_KEYS) and not command
        if key:
            self.open[key] = len(self.events)
        self.events.append(
            TranscriptCall(
                op=op,
                tool=tool,
                paths=paths_of(tool, args),
                command=command,
                whole_file=whole,
                at=parse_transcript_time(at),
            )
        )

    def answer(self, key: str, text: str, *, failed: bool | None = None, spent: int = 0) -> None:
        """The answer to a call, and what a subagent spent on it; an answer without an open call is skipped."""
        place = self.open.pop(key, None)
        if place is None:
            self.unread += 1
            return
        call = self.events[place]
        assert isinstance(call, TranscriptCall), "only calls wait for an answer"
        known = _is_failed_call(call, text) if failed is None else failed
        size = max(tokens.count_tokens(text), spent)
        said = keep_both_ends(strip_memory_blocks(text))
        self.events[place] = replace(call, tokens=size, answer=said, failed=known)


def _is_failed_call(call: TranscriptCall, text: str) -> bool | None:
    """Whether a call failed, where its answer shows it; only commands are judged by their words."""
    if call.op not in ("run", "edit"):
        return None
    return bool(_ERROR_MARK.search(text[:400]) or _ERROR_MARK.search(text[-1500:])) if text else None


def _read_json_lines(path: Path, found: SessionBuilder) -> Iterator[Raw]:
    for line in read_transcript_lines(path):
        try:
            raw = json.loads(line)
        except ValueError:
            found.unread += 1
            continue
        if isinstance(raw, dict):
            yield raw
        else:
            found.unread += 1


def claude_code(path: Path, found: SessionBuilder) -> None:
    """One JSON object a line: messages with blocks of text, tool_use and tool_result."""
    for raw in _read_json_lines(path, found):
        if raw.get("isMeta") or raw.get("isCompactSummary") or raw.get("isSidechain"):
            continue
        found.session = found.session or str(raw.get("sessionId") or "")
        found.root = found.root or str(raw.get("cwd") or "")
        found.branch = str(raw.get("gitBranch") or found.branch)
        message, role = raw.get("message"), str(raw.get("type") or "")
        if role not in ("user", "assistant") or not isinstance(message, dict):
            continue
        if role == "assistant":
            _count_call(found, str(message.get("id") or raw.get("uuid") or ""))
        _read_content_blocks(found, role, message.get("content"), raw, key=str(raw.get("uuid") or ""))


def read_cursor(path: Path, found: SessionBuilder) -> None:
    """One JSON object a line with a role; the same blocks, without times and ids."""
    for place, raw in enumerate(_read_json_lines(path, found)):
        message = raw.get("message")
        role = str(raw.get("role") or "")
        content = message.get("content") if isinstance(message, dict) else raw.get("content")
        if role == "assistant":
            found.model_calls += 1
        if role in ("user", "assistant"):
            _read_content_blocks(found, role, content, raw, key=f"line-{place}")


def _count_call(found: SessionBuilder, key: str) -> None:
    """One answer of the model spans several lines; it is counted once."""
    if key not in found.seen:
        found.seen.add(key)
        found.model_calls += 1


def _read_content_blocks(found: SessionBuilder, role: str, content: Any, raw: Raw, *, key: str) -> None:
    if isinstance(content, str):
        found.say(role, content, raw, key=key)
        return
    for block in content if isinstance(content, list) else ():
        kind = block.get("type") if isinstance(block, dict) else None
        if kind == "text":
            found.say(role, str(block.get("text") or ""), raw, key=key)
        elif kind == "tool_use":
            call = str(block.get("id") or f"{key}:{len(found.events)}")
            found.call(str(block.get("name") or ""), block.get("input") or {}, key=call, at=raw.get("timestamp"))
        elif kind == "tool_result":
            failed = True if block.get("is_error") else None
            known = str(block.get("tool_use_id") or "") or next(reversed(found.open), "")
            found.answer(known, content_text(block.get("content")), failed=failed, spent=_subagent_tokens(raw))


def _subagent_tokens(raw: Raw) -> int:
    """The tokens of a subagent, which a host tells beside its answer."""
    about = raw.get("toolUseResult")
    total = about.get("totalTokens") if isinstance(about, Mapping) else None
    return total if isinstance(total, int) else 0


def content_text(content: Any) -> str:
    """The text in a value that may be a text, a block, or a list of both."""
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        inner = next((content[k] for k in ("text", "output", "content") if content.get(k)), "")
        return content_text(inner)
    return "\n".join(filter(None, map(content_text, content))) if isinstance(content, Sequence) else ""


def read_codex(path: Path, found: SessionBuilder) -> None:
    """A rollout: one line a response item, the calls by call_id, the first line about the session."""
    for raw in _read_json_lines(path, found):
        payload = raw.get("payload")
        item = payload if isinstance(payload, dict) else raw
        if raw.get("type") in ("session_meta", "turn_context"):
            _read_codex_session(found, item)
        elif raw.get("type") == "response_item" or (payload is None and "type" in raw):
            _read_codex_item(found, item, raw)


def _read_codex_session(found: SessionBuilder, meta: Raw) -> None:
    git = meta.get("git")
    found.session = found.session or str(meta.get("id") or "")
    found.root = found.root or str(meta.get("cwd") or "")
    if isinstance(git, dict):
        found.branch = found.branch or str(git.get("branch") or "")


def _read_codex_item(found: SessionBuilder, item: Raw, raw: Raw) -> None:
    kind, key = item.get("type"), str(item.get("call_id") or item.get("id") or "")
    if kind == "message":
        role = str(item.get("role") or "")
        found.model_calls += role == "assistant"
        found.say(role, content_text(item.get("content")), raw, key=str(raw.get("timestamp") or ""))
    elif kind in ("function_call", "custom_tool_call", "local_shell_call"):
        given = item.get("arguments", item.get("input", item.get("action")))
        found.call(str(item.get("name") or "shell"), _parse_call_arguments(given), key=key, at=raw.get("timestamp"))
    elif kind in ("function_call_output", "custom_tool_call_output"):
        text, failed = _parse_call_output(item.get("output"))
        found.answer(key, text, failed=failed)


def _parse_call_arguments(given: Any) -> Any:
    if not isinstance(given, str):
        return given
    try:
        return json.loads(given)
    except ValueError:
        return {"input": given}


def _parse_call_output(value: Any) -> tuple[str, bool | None]:
    """The text of an answer, and whether its exit code says that it failed."""
    inner = _parse_call_arguments(value) if isinstance(value, str) and value.startswith("{") else value
    if isinstance(inner, Mapping):
        about = inner.get("metadata")
        code = about.get("exit_code") if isinstance(about, Mapping) else None
        return content_text(inner.get("output", inner.get("content", ""))), None if code is None else code != 0
    return content_text(value), None


def read_gemini(path: Path, found: SessionBuilder) -> None:
    """One JSON document with messages, or one object a line; calls stand with their answers inside a message.

    A message that grew, say by the answers of its calls, is written again under its id.
    """
    rows = list(_read_message_document(path, found, "messages"))
    newest = {str(raw.get("id") or place): raw for place, raw in enumerate(rows)}
    for raw in newest.values():
        kind = raw.get("type")
        text = content_text(raw.get("displayContent") or raw.get("content"))
        if kind == "user":
            found.say("user", text, raw, key=str(raw.get("id") or ""))
        elif kind == "gemini":
            found.model_calls += 1
            found.say("assistant", text, raw, key=str(raw.get("id") or ""))
            for call in raw.get("toolCalls") or ():
                _gemini_call(found, call)


def _gemini_call(found: SessionBuilder, call: Any) -> None:
    if not isinstance(call, dict):
        found.unread += 1
        return
    key = str(call.get("id") or len(found.events))
    found.call(str(call.get("name") or ""), call.get("args") or {}, key=key, at=call.get("timestamp"))
    answers = [
        content_text(part["functionResponse"].get("response"))
        for part in call.get("result") or ()
        if isinstance(part, dict) and isinstance(part.get("functionResponse"), dict)
    ]
    found.answer(key, "\n".join(answers), failed=True if call.get("status") == "error" else None)


def read_opencode(path: Path, found: SessionBuilder) -> None:
    """An export of a session, or the list of messages that the plug-in saw: each has info and parts."""
    for raw in _read_message_document(path, found, "messages"):
        about = raw.get("info")
        info: Raw = about if isinstance(about, dict) else raw
        times = info.get("time")
        stamp = {"timestamp": times.get("created") if isinstance(times, dict) else None}
        found.session = found.session or str(info.get("sessionID") or "")
        role = str(info.get("role") or "")
        found.model_calls += role == "assistant"
        for part in raw.get("parts") or ():
            if isinstance(part, dict):
                _read_opencode_part(found, role, part, stamp, key=str(info.get("id") or ""))


def _read_opencode_part(found: SessionBuilder, role: str, part: Raw, stamp: Raw, *, key: str) -> None:
    if part.get("type") == "text" and not part.get("synthetic"):
        found.say(role, _without_shell_quotes(str(part.get("text") or "")), stamp, key=key)
    elif part.get("type") == "tool":
        told = part.get("state")
        state: Raw = told if isinstance(told, dict) else {}
        call = str(part.get("callID") or part.get("id") or len(found.events))
        found.call(str(part.get("tool") or ""), state.get("input") or {}, key=call, at=stamp["timestamp"])
        if state.get("status") in ("completed", "error"):
            text = content_text(state.get("output") or state.get("error") or "")
            found.answer(call, text, failed=True if state["status"] == "error" else None)


def _without_shell_quotes(text: str) -> str:
    """A text without the quotes that `opencode run` puts around a prompt of several words."""
    inner = text[1:-1]
    return inner if len(text) > 1 and text[0] == text[-1] == '"' and '"' not in inner.replace('\\"', "") else text


def _read_message_document(path: Path, found: SessionBuilder, key: str) -> Iterator[Raw]:
    """The messages of a file that is one JSON document or one object a line."""
    text = path.read_text(encoding="utf-8", errors="replace")
    try:
        whole = json.loads(text)
    except ValueError:
        yield from _read_json_lines(path, found)
        return
    if isinstance(whole, dict):
        about = whole.get("info") if isinstance(whole.get("info"), dict) else whole
        found.session = str(about.get("sessionId") or about.get("id") or "") if isinstance(about, dict) else ""
        found.root = str(about.get("directory") or "") if isinstance(about, dict) else ""
    rows = whole.get(key, [whole] if "type" in whole else []) if isinstance(whole, dict) else whole
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict):
            yield row
        else:
            found.unread += 1


FORMATS: Mapping[str, Callable[[Path, SessionBuilder], None]] = {
    "claude-code": claude_code,
    "codex": read_codex,
    "cursor": read_cursor,
    "gemini": read_gemini,
    "opencode": read_opencode,
}
