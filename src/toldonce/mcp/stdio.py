"""MCP over standard input and output: lines of JSON-RPC come in, lines go out. It imports no SDK, which costs a second.

Both generations of the protocol are served: the handshake (`initialize`), and requests that each bring their version.
Calls run in threads, so that a slow one does not hold up the others.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import sys
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from toldonce.logs import locate_exception
from toldonce.mcp.calls import (
    ASKS_IN_RESULT,
    QUESTION,
    SERVER_INFO,
    CallingClient,
    answer_call,
    describe_tool,
    is_agreement,
    refuse_call,
    write_instructions,
)
from toldonce.tools.table import Toolbox

_HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
_META = "io.modelcontextprotocol/"
_PARSE_ERROR, _INVALID_REQUEST, _NO_METHOD, _INVALID_PARAMS, _NO_VERSION = -32700, -32600, -32601, -32602, -32022
_INTERNAL = -32603
# A call may take 300,000 characters, each of them spelled as six in JSON.
_LONGEST_LINE = 4_000_000
_WORKERS = 8
log = logging.getLogger("toldonce.mcp")


class ProtocolError(Exception):
    """A request that cannot be served, with the code and the data that JSON-RPC gives it."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.error = {"code": code, "message": message} | ({"data": data} if data is not None else {})


class StdioServer:
    """One client at the other end of two streams. Without a toolbox it has no tools, and says why in `notice`."""

    def __init__(self, box: Toolbox | None, incoming: BinaryIO, outgoing: BinaryIO, *, notice: str = "") -> None:
        self._box = box
        self._notice = notice
        self._incoming = incoming
        self._outgoing = outgoing
        self._writing = threading.Lock()
        self._capabilities: Mapping[str, Any] = {}
        self._questions: dict[str, Future[Any]] = {}
        self._cancelled: set[str | int] = set()
        self._is_over = False
        self._own_session = f"mcp-{secrets.token_hex(6)}"

    def serve(self) -> None:
        """Answer requests until the client goes away; calls that have begun are finished."""
        with ThreadPoolExecutor(_WORKERS, thread_name_prefix="mcp") as workers:
            for line in iter(lambda: self._incoming.readline(_LONGEST_LINE + 1), b""):
                if len(line) > _LONGEST_LINE:
                    self._skip_rest_of(line)
                    self._send_error(None, ProtocolError(_PARSE_ERROR, f"a message may have {_LONGEST_LINE:,} bytes"))
                elif line.strip():
                    self._receive(line, workers)
            self._is_over = True
            for waiting in list(self._questions.values()):
                self._settle_question(waiting, None)

    def _skip_rest_of(self, line: bytes) -> None:
        while line and not line.endswith(b"\n"):
            line = self._incoming.readline(_LONGEST_LINE)

    def _receive(self, line: bytes, workers: ThreadPoolExecutor) -> None:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            self._send_error(None, ProtocolError(_PARSE_ERROR, "this is not JSON"))
            return
        if not isinstance(message, dict):
            self._send_error(None, ProtocolError(_INVALID_REQUEST, "a message is a JSON object"))
        elif "method" not in message:
            self._resolve_question(message)
        elif "id" not in message:
            self._note_cancellation(message)
        elif not isinstance(message["id"], str | int):
            self._send_error(None, ProtocolError(_INVALID_REQUEST, "the id of a request is a text or a number"))
        elif message["method"] == "tools/call":
            workers.submit(self._respond, message)
        else:
            self._respond(message)

    def _respond(self, message: Mapping[str, Any]) -> None:
        """Answer one request. Whatever goes wrong is an answer too."""
        params = message.get("params")
        try:
            if params is not None and not isinstance(params, dict):
                raise ProtocolError(_INVALID_PARAMS, "params must be an object")
            result = self._answer(message["method"], params or {})
        except ProtocolError as problem:
            self._send_error(message["id"], problem)
            return
        except Exception as problem:
            log.error("unexpected %s in a request", type(problem).__name__, exc_info=problem)
            self._send_error(message["id"], ProtocolError(_INTERNAL, f"an error at {locate_exception(problem)}"))
            return
        if message["id"] not in self._cancelled:
            self._send({"id": message["id"], "result": result})

    def _answer(self, method: object, params: Mapping[str, Any]) -> dict[str, Any]:
        version, capabilities = self._read_envelope(params)
        if method == "initialize":
            return self._shake_hands(params)
        if method == "ping":
            return {}
        if method == "server/discover" and version:
            found: dict[str, Any] = {**self._introduction(), "supportedVersions": [ASKS_IN_RESULT], "ttlMs": 0}
            return _complete_result({**found, "cacheScope": "private"})
        if method == "tools/list":
            can_ask = _can_ask(capabilities)
            tools = self._box.tools() if self._box else []
            rows = [describe_tool(self._box, tool, can_ask=can_ask) for tool in tools if self._box]
            listed: dict[str, Any] = {"tools": rows}
            return _complete_result({**listed, "ttlMs": 0, "cacheScope": "private"}) if version else listed
        if method == "tools/call":
            called = self._call(params, is_modern=bool(version), capabilities=capabilities)
            return _complete_result(called) if version else called
        raise ProtocolError(_NO_METHOD, f"there is no method {str(method)[:60]!r} here")

    def _read_envelope(self, params: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
        """The version that a request brings, "" after a handshake, and what its client can do."""
        meta = params.get("_meta")
        version = meta.get(f"{_META}protocolVersion") if isinstance(meta, dict) else None
        if not isinstance(meta, dict) or version is None:
            return "", self._capabilities
        if version != ASKS_IN_RESULT:
            known = {"supported": [ASKS_IN_RESULT], "requested": str(version)[:60]}
            raise ProtocolError(_NO_VERSION, "this version of the protocol is not supported", known)
        found = meta.get(f"{_META}clientCapabilities")
        return ASKS_IN_RESULT, found if isinstance(found, dict) else {}

    def _shake_hands(self, params: Mapping[str, Any]) -> dict[str, Any]:
        found, version = params.get("capabilities"), params.get("protocolVersion")
        self._capabilities = found if isinstance(found, dict) else {}
        agreed = version if version in _HANDSHAKE_VERSIONS else _HANDSHAKE_VERSIONS[-1]
        return {**self._introduction(), "protocolVersion": agreed, "serverInfo": SERVER_INFO}

    def _introduction(self) -> dict[str, Any]:
        told = write_instructions(self._box) if self._box else self._notice
        return {"capabilities": {"tools": {"listChanged": False}}, "instructions": told}

    def _call(self, params: Mapping[str, Any], *, is_modern: bool, capabilities: Mapping[str, Any]) -> dict[str, Any]:
        name, given = params.get("name"), params.get("arguments")
        if not isinstance(name, str) or not isinstance(given, dict | None):
            raise ProtocolError(_INVALID_PARAMS, "a call has a name and an object of arguments")
        if self._box is None:
            return refuse_call(self._notice)
        answers, request_state = params.get("inputResponses"), params.get("requestState")
        client = CallingClient(
            can_ask=_can_ask(capabilities),
            ask=None if is_modern else self._ask,
            answers=answers if isinstance(answers, dict) else {},
            request_state=request_state if isinstance(request_state, str) else None,
        )
        return answer_call(self._box.as_caller(session=self._session()), name, given or {}, client)

    def _session(self) -> str:
        """The session that calls belong to: as set for the server, else the agent's, else the connection's."""
        set_up = self._box and (self._box.caller.session or find_agent_session(self._box))
        return set_up or self._own_session

    def _ask(self, question: str) -> bool:
        """Put a question to the person by a request of our own, and wait for the answer."""
        key = f"ask-{secrets.token_hex(6)}"
        waiting: Future[Any] = Future()
        self._questions[key] = waiting
        try:
            form = {"mode": "form", "message": question, "requestedSchema": QUESTION}
            self._send({"id": key, "method": "elicitation/create", "params": form})
            # The client may have gone between the two, and then nobody would answer.
            return not self._is_over and is_agreement(waiting.result())
        finally:
            del self._questions[key]

    def _resolve_question(self, message: Mapping[str, Any]) -> None:
        """Pass an answer on to the call that waits for it; an error is no agreement."""
        waiting = self._questions.get(str(message.get("id")))
        if waiting is not None:
            self._settle_question(waiting, message.get("result"))

    @staticmethod
    def _settle_question(waiting: Future[Any], answer: Any) -> None:
        if not waiting.done():
            waiting.set_result(answer)

    def _note_cancellation(self, message: Mapping[str, Any]) -> None:
        """A call that is cancelled is finished, but not answered."""
        params = message.get("params")
        if message["method"] == "notifications/cancelled" and isinstance(params, dict):
            request = params.get("requestId")
            self._cancelled.update({request} if isinstance(request, str | int) else ())

    def _send_error(self, request: Any, problem: ProtocolError) -> None:
        self._send({"id": request, "error": problem.error})

    def _send(self, message: Mapping[str, Any]) -> None:
        line = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False, separators=(",", ":"))
        with self._writing:
            try:
                self._outgoing.write(line.encode("utf-8", "replace") + b"\n")
                self._outgoing.flush()
            except (BrokenPipeError, ValueError):
                log.info("the client went away before its answer")


def serve_stdio(box: Toolbox | None, *, notice: str = "") -> None:
    """Serve the client that started this process until it goes away."""
    with _own_streams() as (incoming, outgoing):
        StdioServer(box, incoming, outgoing, notice=notice).serve()


def find_agent_session(box: Toolbox) -> str:
    """The session of the agent that started this server, as its hooks report it; "" where no hooks are installed."""
    if box.caller.root is None:
        return ""
    from toldonce.coding.codemap.git import find_root
    from toldonce.coding.hooks.agent_sessions import find_session, list_parents

    return find_session(str(find_root(Path(box.caller.root))), list_parents())


@contextmanager
def _own_streams() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Standard input and output for the protocol alone: what else is printed meanwhile goes to standard error."""
    reading, writing = os.dup(0), os.dup(1)
    sys.stdout.flush()
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    try:
        with open(reading, "rb", closefd=False) as incoming, open(writing, "wb", closefd=False) as outgoing:
            yield incoming, outgoing
    finally:
        sys.stdout.flush()
        for own, standard in ((reading, 0), (writing, 1)):
            os.dup2(own, standard)
            os.close(own)


def _can_ask(capabilities: Mapping[str, Any]) -> bool:
    """Whether the client can put a question to the person."""
    asking = capabilities.get("elicitation")
    return isinstance(asking, dict) and ("form" in asking or "url" not in asking)


def _complete_result(result: dict[str, Any]) -> dict[str, Any]:
    """A result as a client of the newer protocol expects it, which has no handshake to say who answers."""
    return {"resultType": "complete", **result, "_meta": {f"{_META}serverInfo": SERVER_INFO}}
