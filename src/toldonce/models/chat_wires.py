"""How providers spell a chat: OpenAI's completions and responses, Anthropic's messages, Gemini's contents.

Pure: a request goes from our words into theirs, an answer comes back into ours.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from toldonce.models.chat import AnswerSchema, ChatMessage, Form, Reply, WireFormat
from toldonce.models.http_json import bearer_headers

ANTHROPIC_VERSION = "2023-06-01"
# Anthropic requires a limit; the tasks' answers are far shorter.
LONGEST_ANSWER_TOKENS = 8192
_GEMINI_FILTERS = frozenset(("SAFETY", "RECITATION", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII"))


class OpenAIWire:
    """`/chat/completions`: OpenAI, Ollama, vLLM and every address that is compatible."""

    def path(self, model: str) -> str:
        return "/chat/completions"

    def headers(self, key: str) -> Mapping[str, str]:
        return bearer_headers(key)

    def body(self, model: str, turns: Sequence[ChatMessage], *, asked: AnswerSchema, form: Form) -> Mapping[str, Any]:
        body: dict[str, Any] = {"model": model, "messages": [{"role": t.role, "content": t.text} for t in turns]}
        if form == "schema":
            schema = {"name": asked.name, "schema": asked.schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif form == "object":
            body["response_format"] = {"type": "json_object"}
        return body

    def reply(self, answer: Any) -> Reply:
        choice, usage = answer["choices"][0], answer.get("usage") or {}
        return Reply(
            text=str(choice["message"].get("content") or ""),
            input_tokens=_token_count(usage, "prompt_tokens"),
            output_tokens=_token_count(usage, "completion_tokens"),
            is_whole=choice.get("finish_reason") != "length",
            cached_tokens=_token_count(usage.get("prompt_tokens_details") or {}, "cached_tokens"),
            is_refused=bool(choice["message"].get("refusal")) or choice.get("finish_reason") == "content_filter",
        )


class OpenAIResponsesWire:
    """`/responses`: OpenAI's newer interface. The provider is asked to keep nothing."""

    def path(self, model: str) -> str:
        return "/responses"

    def headers(self, key: str) -> Mapping[str, str]:
        return bearer_headers(key)

    def body(self, model: str, turns: Sequence[ChatMessage], *, asked: AnswerSchema, form: Form) -> Mapping[str, Any]:
        system, rest = _split_system_message(turns)
        said = [{"role": t.role, "content": t.text} for t in rest]
        body: dict[str, Any] = {"model": model, "instructions": system, "input": said, "store": False}
        if form == "schema":
            body["text"] = {
                "format": {"type": "json_schema", "name": asked.name, "schema": asked.schema, "strict": True}
            }
        elif form == "object":
            body["text"] = {"format": {"type": "json_object"}}
        return body

    def reply(self, answer: Any) -> Reply:
        parts = [part for item in answer["output"] if item.get("type") == "message" for part in item["content"]]
        usage, reason = answer.get("usage") or {}, (answer.get("incomplete_details") or {}).get("reason")
        return Reply(
            text="".join(str(part["text"]) for part in parts if part.get("type") == "output_text"),
            input_tokens=_token_count(usage, "input_tokens"),
            output_tokens=_token_count(usage, "output_tokens"),
            is_whole=answer.get("status") != "incomplete" or reason == "content_filter",
            cached_tokens=_token_count(usage.get("input_tokens_details") or {}, "cached_tokens"),
            is_refused=reason == "content_filter" or any(part.get("type") == "refusal" for part in parts),
        )


class AnthropicWire:
    """`/messages`: the schema is that of a tool which the model must call. It has no form between that and none."""

    def path(self, model: str) -> str:
        return "/messages"

    def headers(self, key: str) -> Mapping[str, str]:
        return {"anthropic-version": ANTHROPIC_VERSION, **({"x-api-key": key} if key else {})}

    def body(self, model: str, turns: Sequence[ChatMessage], *, asked: AnswerSchema, form: Form) -> Mapping[str, Any]:
        system, rest = _split_system_message(turns)
        said = [{"role": t.role, "content": t.text} for t in rest]
        # The task's prompt is the same in every request, so that the provider may keep it in its cache.
        told = [{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}]
        body: dict[str, Any] = {
            "model": model, "max_tokens": LONGEST_ANSWER_TOKENS, "system": told, "messages": said,
        }  # fmt: skip
        if form == "schema":
            body["tools"] = [{"name": asked.name, "description": "Your answer.", "input_schema": asked.schema}]
            body["tool_choice"] = {"type": "tool", "name": asked.name}
        return body

    def reply(self, answer: Any) -> Reply:
        parts, usage = answer["content"], answer.get("usage") or {}
        called = [part["input"] for part in parts if part.get("type") == "tool_use"]
        said = "".join(part["text"] for part in parts if part.get("type") == "text")
        read = sum(
            _token_count(usage, name)
            for name in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
        )
        return Reply(
            text=json.dumps(called[0]) if called else said,
            input_tokens=read,
            output_tokens=_token_count(usage, "output_tokens"),
            is_whole=answer.get("stop_reason") != "max_tokens",
            cached_tokens=_token_count(usage, "cache_read_input_tokens"),
            is_refused=answer.get("stop_reason") == "refusal",
        )


class GeminiWire:
    """`models/...:generateContent`."""

    def path(self, model: str) -> str:
        return f"/models/{quote(model, safe='')}:generateContent"

    def headers(self, key: str) -> Mapping[str, str]:
        return {"x-goog-api-key": key} if key else {}

    def body(self, model: str, turns: Sequence[ChatMessage], *, asked: AnswerSchema, form: Form) -> Mapping[str, Any]:
        system, rest = _split_system_message(turns)
        roles = {"user": "user", "assistant": "model"}
        body: dict[str, Any] = {
            "systemInstruction": {"parts": [{"text": system}]},
            "contents": [{"role": roles[t.role], "parts": [{"text": t.text}]} for t in rest],
        }
        if form != "prompt":
            config: dict[str, Any] = {"responseMimeType": "application/json"}
            body["generationConfig"] = config
            if form == "schema":
                config["responseJsonSchema"] = asked.schema
        return body

    def reply(self, answer: Any) -> Reply:
        usage = answer.get("usageMetadata") or {}
        if (answer.get("promptFeedback") or {}).get("blockReason"):
            return Reply("", input_tokens=_token_count(usage, "promptTokenCount"), is_refused=True)
        candidate = answer["candidates"][0]
        parts = (candidate.get("content") or {}).get("parts") or []
        return Reply(
            text="".join(str(part.get("text", "")) for part in parts if not part.get("thought")),
            input_tokens=_token_count(usage, "promptTokenCount"),
            output_tokens=_token_count(usage, "candidatesTokenCount") + _token_count(usage, "thoughtsTokenCount"),
            is_whole=candidate.get("finishReason") != "MAX_TOKENS",
            cached_tokens=_token_count(usage, "cachedContentTokenCount"),
            is_refused=candidate.get("finishReason") in _GEMINI_FILTERS,
        )


WIRES: Mapping[str, WireFormat] = {
    "openai": OpenAIWire(),
    "openai-responses": OpenAIResponsesWire(),
    "anthropic": AnthropicWire(),
    "gemini": GeminiWire(),
}


def _split_system_message(turns: Sequence[ChatMessage]) -> tuple[str, list[ChatMessage]]:
    """The system's word, and the rest."""
    return "\n\n".join(t.text for t in turns if t.role == "system"), [t for t in turns if t.role != "system"]


def _token_count(usage: Mapping[str, Any], name: str) -> int:
    found = usage.get(name)
    return max(0, found) if isinstance(found, int) else 0
