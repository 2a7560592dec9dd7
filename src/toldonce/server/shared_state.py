"""What the processes of one server must agree on: confirm tokens, and answers to requests that are repeated."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from toldonce.capture.fields import check_key
from toldonce.server.problems import RequestProblem
from toldonce.tools.confirmations import LASTS, Confirmations, check_token, digest_call
from toldonce.tools.definition import Caller

if TYPE_CHECKING:
    from toldonce.memory import Memory

ANSWERS_LAST = timedelta(hours=24)
# A larger answer is not kept for a repeated request.
_LARGEST_ANSWER = 1_000_000


class SharedConfirmations(Confirmations):
    """Confirm tokens that any process of the server may redeem."""

    def __init__(self, memory: Memory) -> None:
        super().__init__()
        self._memory = memory

    def issue(self, tool: str, given: Mapping[str, Any], *, caller: Caller, now: datetime) -> str:
        """A token for exactly this call."""
        token, digest = secrets.token_urlsafe(12), digest_call(tool, given, caller)
        self._memory.store.write(
            lambda t: t.held_values.hold("confirmation", token, digest, now=now, expires_at=now + LASTS)
        )
        return token

    def redeem(self, token: str, tool: str, given: Mapping[str, Any], *, caller: Caller, now: datetime) -> None:
        """Take a token back; one that is unknown, used, too old or for another call is refused."""

        def take(tables: Any) -> str:
            held = tables.held_values.get("confirmation", token, now=now)
            return held if held is not None and tables.held_values.drop("confirmation", token) else ""

        check_token(tool, self._memory.store.write(take), digest_call(tool, given, caller))


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """The answer to a request, as it is kept for a repetition."""

    status: int
    body: bytes


class RepeatedRequests:
    """Requests with an Idempotency-Key: the first is carried out, a repetition gets the same answer."""

    def __init__(self, memory: Memory, *, seconds: float) -> None:
        self._memory = memory
        # A process that was killed before it answered does not block its request for longer.
        self._blocked_for = timedelta(seconds=seconds)

    def begin(self, credential: str, key: str, request: bytes) -> tuple[str, KeptAnswer | None]:
        """The place of a request, and the answer when it was carried out before."""
        check_key(key)
        place, now = _digest(credential.encode(), key.encode()), self._memory.clock()
        mine, until = json.dumps({"request": _digest(request)}), now + self._blocked_for

        def work(tables: Any) -> str | None:
            if tables.held_values.hold("answer", place, mine, now=now, expires_at=until):
                return None
            held: str | None = tables.held_values.get("answer", place, now=now)
            return held

        held = self._memory.store.write(work)
        return place, None if held is None else _read_kept(json.loads(held), request)

    def finish(self, place: str, answer: KeptAnswer) -> None:
        """Keep the answer of a request that was carried out."""
        now = self._memory.clock()

        def work(tables: Any) -> None:
            held = tables.held_values.get("answer", place, now=now)
            if held is None:
                return
            is_small = len(answer.body) <= _LARGEST_ANSWER
            kept = {**json.loads(held), "status": answer.status, "body": answer.body.decode() if is_small else None}
            tables.held_values.set("answer", place, json.dumps(kept), expires_at=now + ANSWERS_LAST)

        self._memory.store.write(work)

    def give_up(self, place: str) -> None:
        """Let a request that failed be tried again."""
        self._memory.store.write(lambda t: t.held_values.drop("answer", place))


def _read_kept(held: Mapping[str, Any], request: bytes) -> KeptAnswer:
    if held["request"] != _digest(request):
        raise RequestProblem(
            409,
            "KeyReused",
            "this Idempotency-Key was used for another request: take a new one, or send that one again",
        )
    if "status" not in held:
        raise RequestProblem(409, "in-progress", "this request is being carried out: ask again", Retry_After="1")
    if held["body"] is None:
        raise RequestProblem(409, "done", "this request was carried out; its answer was too large to be kept")
    return KeptAnswer(held["status"], held["body"].encode())


def _digest(*parts: bytes) -> str:
    made = hashlib.sha256()
    for part in parts:
        made.update(len(part).to_bytes(8, "big") + part)
    return made.hexdigest()
