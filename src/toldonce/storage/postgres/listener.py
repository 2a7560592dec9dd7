"""Waits for notices of planned jobs on a connection of its own, and wakes whoever runs them.

Listening is bound to a session, so behind a transaction pooler nothing is heard; workers look every few seconds anyway.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

import psycopg

from toldonce.errors import ToldonceError
from toldonce.storage.postgres.address import Address
from toldonce.storage.postgres.schema import connect

log = logging.getLogger("toldonce.jobs")

CHANNEL = "toldonce_jobs"
_LOOK_SECONDS = 1.0
_REST_SECONDS = 5.0


class JobListener:
    """A thread that calls `wake` for every due job of its tenant that another process planned."""

    def __init__(self, address: Address, wake: Callable[[], object]) -> None:
        self._address = address
        self._wake = wake
        self._stopped = threading.Event()
        self.is_listening = threading.Event()
        self._thread = threading.Thread(target=self._run, name="toldonce listen", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread; calling it again does nothing."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                self._listen()
            except (psycopg.Error, ToldonceError) as problem:
                self.is_listening.clear()
                log.warning(
                    "planned jobs are not announced for a moment, so workers only look: %s", type(problem).__name__
                )
                self._stopped.wait(_REST_SECONDS)

    def _listen(self) -> None:
        with connect(self._address) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            self.is_listening.set()
            # What was planned before this connection was there was not announced to it.
            self._wake()
            while not self._stopped.is_set():
                for notice in connection.notifies(timeout=_LOOK_SECONDS, stop_after=1):
                    if notice.payload == self._address.tenant:
                        self._wake()
