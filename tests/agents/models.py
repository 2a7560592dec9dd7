"""A model that follows a script, spoken to in the formats of Anthropic, OpenAI (responses and chat) and Gemini.

It answers the next step of its script to each request that offers tools, "Done." when the script is over and to
requests without tools, which are for titles and the like. Requests that do not hold the person's prompt are those of a
subagent, which has a script of its own. It keeps every request.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any

Json = dict[str, Any]
_NUMBERS = count(1)


@dataclass(frozen=True)
class Say:
    """The model says something, which ends its turn."""

    text: str


@dataclass(frozen=True)
class Call:
    """The model calls a tool; `freeform` is the input of a tool that takes text instead of arguments."""

    tool: str
    given: Json = field(default_factory=dict)
    freeform: str = ""
    namespace: str = ""
    id: str = field(default_factory=lambda: f"call_{next(_NUMBERS)}")


Step = Say | Call
# A step that depends on what the model was sent.
MadeStep = Callable[[Json], Step]
DONE = Say("Done.")


@dataclass
class ScriptedModel:
    """The script, and every request in order: of the session, of its subagents, and those without tools."""

    script: list[Step | MadeStep] = field(default_factory=list)
    delegated: list[Step | MadeStep] = field(default_factory=list)
    requests: list[Json] = field(default_factory=list)
    delegated_requests: list[Json] = field(default_factory=list)
    asides: list[Json] = field(default_factory=list)
    prompt: str = ""
    url: str = ""

    def answer(self, body: Json) -> Step:
        """The next step for a request."""
        if not body.get("tools"):
            self.asides.append(body)
            return DONE
        is_own = json.dumps(self.prompt)[1:-1] in json.dumps(body)
        (self.requests if is_own else self.delegated_requests).append(body)
        script = self.script if is_own else self.delegated
        step = script.pop(0) if script else DONE
        return step(body) if callable(step) else step

    def texts(self, *, first: int = 0, last: int | None = None) -> str:
        """What the model was sent in these requests, as one text."""
        return json.dumps(self.requests[first:last], ensure_ascii=False)


@contextmanager
def serve_model() -> Iterator[ScriptedModel]:
    """A model behind a port of this machine."""
    model = ScriptedModel()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"] or 0)) or b"{}")
            kind, content = _respond(model, self.path, body)
            self._send(kind, content)

        def do_GET(self) -> None:
            self._send("application/json", '{"data": [], "models": []}')

        def _send(self, kind: str, content: str) -> None:
            data = content.encode()
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    model.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()


def _respond(model: ScriptedModel, path: str, body: Json) -> tuple[str, str]:
    """The type and the text of an answer to a request."""
    if "countTokens" in path or "count_tokens" in path:
        return "application/json", '{"input_tokens": 10, "totalTokens": 10}'
    step = model.answer(body)
    if "enerateContent" in path:
        answer = _as_gemini(step)
        return ("text/event-stream", _write_events([answer])) if "stream" in path else _whole(answer)
    if path.endswith("/responses"):
        return "text/event-stream", _write_events(_as_responses(step))
    if path.endswith("/chat/completions"):
        return "text/event-stream", _write_events(_as_chat(step, body)) + "data: [DONE]\n\n"
    if body.get("stream"):
        return "text/event-stream", _write_events(_as_anthropic(step, body))
    return _whole({**_anthropic_message(body), "content": [_anthropic_block(step)], "stop_reason": "end_turn"})


def _whole(answer: Json) -> tuple[str, str]:
    return "application/json", json.dumps(answer)


def _write_events(events: list[Json]) -> str:
    return "".join(
        (f"event: {event['type']}\n" if "type" in event else "") + f"data: {json.dumps(event)}\n\n" for event in events
    )


def _anthropic_message(body: Json) -> Json:
    usage = {"input_tokens": 10, "output_tokens": 10}
    named = {"id": f"msg_{next(_NUMBERS)}", "model": body.get("model", "m"), "usage": usage}
    return {**named, "type": "message", "role": "assistant", "stop_sequence": None}


def _anthropic_block(step: Step) -> Json:
    if isinstance(step, Say):
        return {"type": "text", "text": step.text}
    return {"type": "tool_use", "id": step.id, "name": step.tool, "input": step.given}


def _as_anthropic(step: Step, body: Json) -> list[Json]:
    block = _anthropic_block(step)
    if isinstance(step, Say):
        first, delta = {**block, "text": ""}, {"type": "text_delta", "text": step.text}
    else:
        first, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(step.given)}
    ended = {"stop_reason": "end_turn" if isinstance(step, Say) else "tool_use", "stop_sequence": None}
    return [
        {"type": "message_start", "message": {**_anthropic_message(body), "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": first},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 10}},
        {"type": "message_stop"},
    ]


def _as_responses(step: Step) -> list[Json]:
    if isinstance(step, Say):
        content = [{"type": "output_text", "text": step.text, "annotations": []}]
        item: Json = {"type": "message", "role": "assistant", "id": f"m_{next(_NUMBERS)}", "content": content}
    elif step.freeform:
        item = {"type": "custom_tool_call", "call_id": step.id, "name": step.tool, "input": step.freeform}
    else:
        arguments = json.dumps(step.given)
        item = {"type": "function_call", "call_id": step.id, "name": step.tool, "arguments": arguments}
        item |= {"namespace": step.namespace} if step.namespace else {}
    number = f"resp_{next(_NUMBERS)}"
    usage = {"input_tokens": 10, "output_tokens": 10, "total_tokens": 20}
    return [
        {"type": "response.created", "response": {"id": number}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {"id": number, "usage": usage}},
    ]


def _as_chat(step: Step, body: Json) -> list[Json]:
    if isinstance(step, Say):
        delta: Json = {"role": "assistant", "content": step.text}
    else:
        function = {"name": step.tool, "arguments": json.dumps(step.given)}
        delta = {
            "role": "assistant",
            "tool_calls": [{"index": 0, "id": step.id, "type": "function", "function": function}],
        }
    ended = "stop" if isinstance(step, Say) else "tool_calls"
    head = {"id": f"chat_{next(_NUMBERS)}", "object": "chat.completion.chunk", "created": 1, "model": body["model"]}
    usage = {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20}
    return [
        {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": ended}], "usage": usage},
    ]


def _as_gemini(step: Step) -> Json:
    part: Json = (
        {"text": step.text} if isinstance(step, Say) else {"functionCall": {"name": step.tool, "args": step.given}}
    )
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 10, "totalTokenCount": 20}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    return {"candidates": [candidate], "usageMetadata": usage}
