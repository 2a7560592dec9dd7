"""Runs the application: one process, or several that share one socket and are started again when one ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from recollect.errors import InputError
from recollect.stopping import StopFlag

if TYPE_CHECKING:
    from recollect.server.app import ServerApp

_GRACE_S = 10
_BACKLOG = 512
# A worker that ends sooner than this after its start is not started again at once.
_QUICK_END_S = 2.0


def listen_at(host: str, port: int) -> socket.socket:
    """A socket that listens at an address."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends small answers at once only where the protocol is named.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(_BACKLOG)
    except OSError as problem:
        listening.close()
        raise InputError(f"cannot listen at {host} port {port}: {problem.strerror}: choose another") from None
    return listening


def run_app(app: ServerApp, listening: socket.socket, *, stopped: StopFlag | threading.Event | None = None) -> None:
    """Serve until the process is told to stop; requests under way are finished, streams are ended."""
    import uvicorn

    from recollect.mcp.http_guard import HttpLimits, fit_limits, guarded_protocol, limit_repeats

    limits = fit_limits(HttpLimits())
    config = uvicorn.Config(
        app.asgi,
        log_level="warning",
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=_GRACE_S,
        ws="none",
        http=guarded_protocol(limits),
        timeout_keep_alive=limits.idle_seconds,
        h11_max_incomplete_event_size=limits.head_bytes,
        server_header=False,
    )
    limit_repeats()

    class StoppableServer(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets=sockets)
            # A request to stop that came before the server listened to signals.
            self.should_exit = self.should_exit or (stopped is not None and stopped.is_set())

        def handle_exit(self, sig: int, frame: Any) -> None:
            super().handle_exit(sig, frame)
            app.events.stop()

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            app.events.stop()
            await super().shutdown(sockets=sockets)

    StoppableServer(config).run(sockets=[listening])


def run_workers(
    command: Sequence[str], listening: socket.socket, *, count: int, stopped: StopFlag | threading.Event
) -> None:
    """Run a command in several processes that inherit the socket, until told to stop; one that ends is replaced."""
    number = listening.fileno()
    with tempfile.TemporaryDirectory(prefix="recollect-metrics-") as folder:
        environ = {**_share_cores(count), **os.environ, "PROMETHEUS_MULTIPROC_DIR": folder}
        workers = [_start_worker(command, number, environ) for _ in range(count)]
        try:
            while not stopped.wait(0.2):
                for place, (process, began) in enumerate(workers):
                    if process.poll() is not None:
                        if time.monotonic() - began < _QUICK_END_S:
                            raise InputError("a worker ended as soon as it began: its message is above")
                        workers[place] = _start_worker(command, number, environ)
        finally:
            _stop_workers([process for process, _ in workers])


def _share_cores(workers: int) -> dict[str, str]:
    """How many threads numpy may use in each worker: several that each use every core wait for each other."""
    threads = str(max(1, (os.cpu_count() or 1) // workers))
    return dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), threads)


def _start_worker(
    command: Sequence[str], number: int, environ: Mapping[str, str]
) -> tuple[subprocess.Popen[bytes], float]:
    process = subprocess.Popen([*command, "--socket", str(number)], env=dict(environ), pass_fds=[number])
    return process, time.monotonic()


def _stop_workers(workers: Sequence[subprocess.Popen[bytes]]) -> None:
    for process in workers:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
    for process in workers:
        try:
            process.wait(_GRACE_S + 5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def worker_command() -> list[str]:
    """How this very command is called again for a worker."""
    return [sys.executable, "-m", "recollect", *sys.argv[1:]]
