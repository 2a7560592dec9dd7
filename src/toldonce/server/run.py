"""Runs the application: one process, or several that share an address and are started again when one ends."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from toldonce.errors import InputError
from toldonce.stopping import StopFlag

if TYPE_CHECKING:
    from toldonce.server.app import ServerApp

_GRACE_S = 10
_BACKLOG = 512
# New objects until Python looks for cycles among them, and how often it looks among older ones then.
_COLLECT_AFTER = (50_000, 20, 20)
# A worker that ends sooner than this after its start is not started again at once.
_QUICK_END_S = 2.0


def listen_at(host: str, port: int) -> socket.socket:
    """A socket that listens at an address."""
    listening = _bind(host, port)
    listening.listen(_BACKLOG)
    return listening


def _bind(host: str, port: int, *, with_others: bool = False) -> socket.socket:
    """A socket that has an address, `with_others` beside sockets of this program that have it too."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends small answers at once only where the protocol is named.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if with_others:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        bound.bind((host, port))
    except OSError as problem:
        bound.close()
        raise InputError(f"cannot listen at {host} port {port}: {problem.strerror}: choose another") from None
    return bound


def run_app(app: ServerApp, listening: socket.socket, *, stopped: StopFlag | threading.Event | None = None) -> None:
    """Serve until the process is told to stop; requests under way are finished, streams are ended."""
    run_asgi(app.asgi, listening, stopped=stopped, end_streams=app.events.stop)


def run_asgi(
    asgi: Any,
    listening: socket.socket,
    *,
    stopped: StopFlag | threading.Event | None = None,
    end_streams: Callable[[], None] = lambda: None,
) -> None:
    """Serve an ASGI application at a socket until the process is told to stop."""
    import uvicorn

    from toldonce.mcp.http_guard import HttpLimits, fit_limits, guarded_protocol, limit_repeats

    limits = fit_limits(HttpLimits())
    config = uvicorn.Config(
        asgi,
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
            end_streams()

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            end_streams()
            await super().shutdown(sockets=sockets)

    with collecting_rarely():
        StoppableServer(config).run(sockets=[listening])


@contextlib.contextmanager
def collecting_rarely() -> Iterator[None]:
    """Within, Python looks for unused cycles of objects less often, and no more among what was loaded before.

    A request makes thousands of objects and hardly a cycle: looking for them took a tenth of a prompt block's time.
    """
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECT_AFTER)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def run_workers(
    command: Sequence[str],
    listening: socket.socket,
    *,
    count: int,
    stopped: StopFlag | threading.Event,
    announce: Callable[[], None] = lambda: None,
) -> None:
    """Run a command in several processes that inherit a socket, until told to stop; one that ends is replaced.

    `announce` is called once the first of them takes connections.
    """
    with tempfile.TemporaryDirectory(prefix="toldonce-metrics-") as folder, _WorkerSockets(listening) as sockets:
        environ = {**_share_cores(count), **os.environ, "PROMETHEUS_MULTIPROC_DIR": folder}
        workers = [_start_worker(command, sockets, environ) for _ in range(count)]
        is_announced = False
        try:
            while not stopped.wait(0.2):
                for place, (process, began) in enumerate(workers):
                    if process.poll() is not None:
                        if time.monotonic() - began < _QUICK_END_S:
                            raise InputError("a worker ended as soon as it began: its message is above")
                        workers[place] = _start_worker(command, sockets, environ)
                if not is_announced and sockets.are_open():
                    announce()
                    is_announced = True
        finally:
            _stop_workers([process for process, _ in workers])


class _WorkerSockets:
    """Sockets for workers at one address.

    On Linux each worker gets its own, and the kernel divides connections among those that listen: a worker listens when
    it is ready, and when it ends its socket is gone. Elsewhere all share one. Of workers that share a socket, the one
    that wakes first takes every connection that waits, and its clients wait for each other.
    """

    def __init__(self, listening: socket.socket) -> None:
        self._kept = listening
        self._is_divided = sys.platform == "linux"
        if self._is_divided:
            self._address = listening.getsockname()[:2]
            listening.close()
            # It never listens, and keeps the address while no worker has it.
            self._kept = _bind(*self._address, with_others=True)

    def __enter__(self) -> _WorkerSockets:
        return self

    def __exit__(self, *_: object) -> None:
        self._kept.close()

    @contextlib.contextmanager
    def for_worker(self) -> Iterator[int]:
        """The number of a socket for one worker, which has inherited it afterwards."""
        if not self._is_divided:
            yield self._kept.fileno()
            return
        with _bind(*self._address, with_others=True) as bound:
            yield bound.fileno()

    def are_open(self) -> bool:
        """Whether a worker takes connections."""
        host, port = self._kept.getsockname()[:2]
        nearest = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
        try:
            socket.create_connection((nearest, port), timeout=1).close()
        except OSError:
            return False
        return True


def _share_cores(workers: int) -> dict[str, str]:
    """How many threads numpy may use in each worker: several that each use every core wait for each other."""
    threads = str(max(1, (os.cpu_count() or 1) // workers))
    return dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), threads)


def _start_worker(
    command: Sequence[str], sockets: _WorkerSockets, environ: Mapping[str, str]
) -> tuple[subprocess.Popen[bytes], float]:
    with sockets.for_worker() as number:
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
    return [sys.executable, "-m", "toldonce", *sys.argv[1:]]
