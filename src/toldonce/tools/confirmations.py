"""Tokens for calls that take something away: bound to the call, good for ten minutes and for one use.

They live in the process that gave them out; whoever restarts it asks again.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from toldonce.errors import NotAllowed
from toldonce.tools.definition import Caller

LASTS = timedelta(minutes=10)
_MOST = 1_000


@dataclass(slots=True)
class Confirmations:
    """What was asked for and waits for a yes."""

    _waiting: dict[str, tuple[str, datetime]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def issue(self, tool: str, given: Mapping[str, Any], *, caller: Caller, now: datetime) -> str:
        """A token for exactly this call."""
        token = secrets.token_urlsafe(12)
        with self._lock:
            alive = {t: row for t, row in self._waiting.items() if row[1] > now}
            self._waiting = dict(list(alive.items())[-_MOST + 1 :])
            self._waiting[token] = (digest_call(tool, given, caller), now + LASTS)
        return token

    def redeem(self, token: str, tool: str, given: Mapping[str, Any], *, caller: Caller, now: datetime) -> None:
        """Take a token back; one that is unknown, used, too old or for another call is refused."""
        with self._lock:
            digest, until = self._waiting.pop(token, ("", now))
        check_token(tool, digest if until > now else "", digest_call(tool, given, caller))


def check_token(tool: str, held: str, wanted: str) -> None:
    """Refuse a token that is not held any more, or for another call."""
    if not held:
        raise NotAllowed(f"{tool}: this confirm token is not known, was used or is too old: call without it again")
    if not secrets.compare_digest(held, wanted):
        raise NotAllowed(f"{tool}: this confirm token was given for another call: call without it to get a new one")


def digest_call(tool: str, given: Mapping[str, Any], caller: Caller) -> str:
    """What a token is bound to: the call and who makes it."""
    said = json.dumps([tool, dict(given), caller.user, caller.space, caller.role], sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()
