"""A server that answers as model providers do, over real HTTP on a free port, with whatever a test tells it to say.

    server.say(note={...}, facts={...})          what each task is answered with from now on
    server.script(Raw("oops"), Status(429))      the next answers, one by one, before those

It speaks `/chat/completions`, `/responses`, `/messages` and `:generateContent`, and keeps every request.
"""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any

_TASK = re.compile(r"^# Task: (\w+)$", re.MULTILINE)
PATIENCE_S = 30
_NUMBERS = count(1)


@dataclass(frozen=True)
class Status:
    """An answer that is an error."""

    code: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = field(default_factory=dict)


@dataclass(frozen=True)
class Raw:
    """The model says just this, JSON or not; a cut one ran into its limit of length."""

    text: str
    is_cut: bool = False


@dataclass(frozen=True)
class Broken:
    """The connection ends in the middle of the answer."""


@dataclass(frozen=True)
class Silent:
    """No answer comes before the server is closed."""


@dataclass(frozen=True)
class Request:
    """What was asked: where, with which headers, and how it was put."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def system(self) -> str:
        """What the model was told about its task."""
        if "systemInstruction" in self.body:
            return str(self.body["systemInstruction"]["parts"][0]["text"])
        if "system" in self.body:
            return str(self.body["system"][0]["text"])
        return str(self.body.get("instructions") or self.body["messages"][0]["content"])

    @property
    def turns(self) -> list[str]:
        """What was said after that, in order."""
        if "contents" in self.body:
            return [turn["parts"][0]["text"] for turn in self.body["contents"]]
        said = self.body.get("input") or self.body["messages"]
        return [turn["content"] for turn in said if turn["role"] != "system"]

    @property
    def task(self) -> str:
        found = _TASK.search(self.system)
        return found[1] if found else ""

    @property
    def data(self) -> Any:
        """The data of the task: JSON, or the lines of each section by its name."""
        text = self.turns[0].partition("\n\n")[2]
        return json.loads(text) if text.startswith("{") else read_sections(text)

    @property
    def has_note(self) -> bool:
        """Whether the note is asked for together with the facts."""
        return "`note_title`" in self.system

    @property
    def form(self) -> str:
        """How strictly JSON was asked for, in OpenAI's words."""
        told = self.body.get("response_format") or self.body.get("text", {}).get("format", {})
        return str(told.get("type", "prompt"))


_LINE = re.compile(r"(?P<id>[a-z]\d+) (?:\[(?P<marks>[^\]]*)\] )?(?P<text>.*)", re.DOTALL)
_TIME = re.compile(r"\[\d{4}-\d\d-\d\d[^\]]*\]")


def read_sections(text: str) -> dict[str, list[dict[str, str]]]:
    """The sections of a request's data, each line with its id, its marks and its words; messages with who says them."""
    found: dict[str, list[dict[str, str]]] = {}
    for section in re.split(r"(?:^|\n\n)## ", text)[1:]:
        name, _, body = section.partition("\n")
        rows = found.setdefault(name, [])
        for line in re.split(r"\n(?! {4})", body):
            if _TIME.fullmatch(line):
                continue
            match = _LINE.fullmatch(line)
            row = {key: value or "" for key, value in match.groupdict().items()} if match else {"text": line}
            if name == "messages":
                row["who"], _, row["text"] = row["text"].partition(": ")
            if name == "entries":
                row["section"] = row["marks"].partition(";")[0]
            rows.append({**row, "text": row["text"].replace("\n    ", "\n")})
    return found


class Server:
    """An address on this machine that keeps every request and sends what `respond` says."""

    def __init__(self, respond: Callable[[Request], Status | Broken | Silent]) -> None:
        self.requests: list[Request] = []
        self._respond = respond
        self._closing = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        # No two servers of a run share an address, though the machine may give out a port twice.
        self.url = f"http://127.0.0.1:{self._http.server_port}/{next(_NUMBERS)}/v1"
        threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self._closing.set()
        self._http.shutdown()
        self._http.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                request = Request(self.path, {n.lower(): v for n, v in self.headers.items()}, body)
                outer.requests.append(request)
                answer = outer._respond(request)
                if isinstance(answer, Silent):
                    outer._closing.wait(PATIENCE_S)
                elif isinstance(answer, Broken):
                    self._send(200, b"{}", {"Content-Length": "100"})
                    self.close_connection = True
                else:
                    raw = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
                    self._send(answer.code, raw, answer.headers)

            def _send(self, code: int, data: bytes, headers: Mapping[str, str]) -> None:
                self.send_response(code)
                for name, value in {"Content-Length": str(len(data)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: Any) -> None:
                pass

        return Handler


def by_length(request: Request) -> Status:
    """A reranker's answer: the longer a text, the better."""
    rows = [{"index": n, "relevance_score": len(text)} for n, text in enumerate(request.body["documents"])]
    return Status(200, body={"results": rows[::-1]})


Answer = Mapping[str, Any] | Raw | Status | Broken | Silent | Callable[[Request], Any]


class Scripted(Server):
    """A chat model. Without a word from the test every task gets an empty, valid answer."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.only_forms: tuple[str, ...] = ("json_schema", "json_object", "prompt")
        self._script: list[Answer] = []
        self._lock = threading.Lock()
        super().__init__(self._answer)

    @property
    def writer(self) -> str:
        """The setting that names this server."""
        return f"{self.url}#scripted"

    @property
    def calls(self) -> Counter[str]:
        """How often each task was asked."""
        return Counter(request.task for request in self.requests)

    def say(self, **answers: Answer) -> None:
        """What each of these tasks is answered with from now on."""
        self.answers.update(answers)

    def script(self, *answers: Answer) -> None:
        """The next answers, whatever is asked."""
        self._script += answers

    def _answer(self, request: Request) -> Status | Broken | Silent:
        with self._lock:
            answer = self._script.pop(0) if self._script else self.answers.get(request.task, EMPTY.get(request.task))
        if request.form not in self.only_forms:
            return Status(400, body={"error": {"code": "unsupported_response_format", "message": "no"}})
        said = self._join_note(request, answer(request) if callable(answer) else answer or Status(404))
        if isinstance(said, Status | Broken | Silent):
            return said
        return Status(200, body=spoken(said if isinstance(said, Raw) else Raw(json.dumps(said)), request.path))

    def _join_note(self, request: Request, said: Any) -> Any:
        """The facts with the note that is asked for in the same request, as the test tells it."""
        if not isinstance(said, Mapping) or "facts" not in said or "note_title" in said or not request.has_note:
            return said
        told = self.answers.get("note", EMPTY["note"])
        note = told(request) if callable(told) else told
        return {**said, **{f"note_{name}": note[name] for name in ("title", "summary", "sources")}}


# What each task is answered with when a test says nothing: there is nothing to tell.
EMPTY: Mapping[str, Answer] = {
    "note": {"title": None, "summary": None, "sources": []},
    "facts": {"facts": []},
    "topics": lambda r: {"topics": [{"title": "Notes", "summary": "Notes.", "sources": _ids(r, "notes")}]},
    "judge": {"judgements": []},
    "insights": {"insights": []},
    "reflect": {"title": None, "text": None, "sources": []},
    "report": lambda r: {"title": "Report", "text": "Nothing happened.", "sources": _ids(r, "records")},
    "names": {"names": []},
    "modules": {"modules": []},
    "session": {"learnt": []},
    **dict.fromkeys(("profile", "user_memory"), lambda r: {"entries": _as_they_are(r)}),
}


def _ids(request: Request, part: str) -> list[str]:
    return [row["id"] for row in request.data.get(part, ())]


def _as_they_are(request: Request) -> list[dict[str, Any]]:
    """The document's lines, and the news in its first section."""
    first = re.split(r"[ :]", request.data["sections"][0]["text"])[0]
    rows = [*request.data.get("entries", ()), *request.data.get("news", ())]
    return [{"section": r.get("section", first), "text": r["text"], "sources": [r["id"]]} for r in rows]


def spoken(said: Raw, path: str) -> Any:
    """An answer as the provider of that path spells it: 100 tokens read, 20 written."""
    if path.endswith("/messages"):
        return {
            "content": [{"type": "text", "text": said.text}],
            "stop_reason": "max_tokens" if said.is_cut else "end_turn",
            "usage": {"input_tokens": 100, "output_tokens": 20},
        }
    if path.endswith("/responses"):
        return {
            "status": "incomplete" if said.is_cut else "completed",
            "incomplete_details": {"reason": "max_output_tokens"} if said.is_cut else None,
            "output": [{"type": "message", "content": [{"type": "output_text", "text": said.text}]}],
            "usage": {"input_tokens": 100, "output_tokens": 20},
        }
    if path.endswith(":generateContent"):
        candidate = {
            "content": {"parts": [{"text": said.text}], "role": "model"},
            "finishReason": "MAX_TOKENS" if said.is_cut else "STOP",
        }
        return {"candidates": [candidate], "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 20}}
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": said.text},
        "finish_reason": "length" if said.is_cut else "stop",
    }
    return {"choices": [choice], "usage": {"prompt_tokens": 100, "completion_tokens": 20}}


@contextmanager
def scripted() -> Iterator[Scripted]:
    """A server that ends with the test."""
    server = Scripted()
    try:
        yield server
    finally:
        server.close()


class Embedding(Server):
    """An OpenAI-compatible address for vectors, which the test chooses."""

    def __init__(self) -> None:
        self.answer: Callable[[dict[str, Any]], tuple[int, Any] | Status | Broken] = vectors_of_length
        super().__init__(self._respond_with_answer)

    @property
    def setting(self) -> str:
        """The setting that names this server."""
        return f"{self.url}?dimensions=4#scripted"

    @property
    def asked(self) -> list[list[str]]:
        """The texts of each request."""
        return [list(request.body["input"]) for request in self.requests]

    def refuse(self, *words: str, code: int = 413) -> None:
        """Answer so whenever one of these words stands in a text; everything else gets vectors."""

        def answer(body: dict[str, Any]) -> tuple[int, Any]:
            is_refused = any(word in text for text in body["input"] for word in words)
            return (code, {}) if is_refused else vectors_of_length(body)

        self.answer = answer

    def _respond_with_answer(self, request: Request) -> Status | Broken:
        said = self.answer(dict(request.body))
        return said if isinstance(said, Status | Broken) else Status(said[0], body=said[1])


def vectors_of_length(body: dict[str, Any]) -> tuple[int, Any]:
    rows = [{"index": i, "embedding": [len(t), 1.0, 0.0, 2.0]} for i, t in enumerate(body["input"])]
    return 200, {"data": rows[::-1]}


@contextmanager
def embedding() -> Iterator[Embedding]:
    """A server for vectors that ends with the test."""
    server = Embedding()
    try:
        yield server
    finally:
        server.close()
