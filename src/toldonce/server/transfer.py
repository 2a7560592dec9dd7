"""Export and import over HTTP, as streams: neither side holds a whole memory in its working memory."""

from __future__ import annotations

import io
import tempfile
import threading
from collections.abc import AsyncIterator, Callable
from typing import IO, TYPE_CHECKING, Any, BinaryIO, TypeVar, cast

import anyio
from anyio import to_thread
from fastapi import FastAPI, Request, Response
from starlette.background import BackgroundTask
from starlette.responses import StreamingResponse

from toldonce.errors import BadImport, InputError, WorkStopped
from toldonce.operations.routes import ROUTES, Route
from toldonce.server.api import add_route, collect_arguments, identity_of, json_response
from toldonce.server.calls import identity_acts, to_answer
from toldonce.server.identity import Identity, bind_arguments
from toldonce.stopping import stopping_when

if TYPE_CHECKING:
    from toldonce.memory import Memory

T = TypeVar("T")

WRITTEN = "Toldonce-Written"
_PIECE = 256 * 1024
_MEDIA_TYPES = {
    "jsonl": "application/x-ndjson",
    "json": "application/json",
    "markdown": "text/markdown; charset=utf-8",
    "mem0": "application/json",
}
_ENDINGS = {"jsonl": ".jsonl", "json": ".json", "markdown": ".md", "mem0": ".json"}


def add_transfer(app: FastAPI, memory: Memory) -> None:
    """Add the paths of export and import."""
    export, import_ = ROUTES["export"], ROUTES["import_"]
    files = {"content": {media: {"schema": {"type": "string"}} for media in _MEDIA_TYPES.values()}}

    async def send_export(*, request: Request, **values: Any) -> Response:
        given, identity = collect_arguments(values), identity_of(request)
        form = given.get("format") or "jsonl"
        if form not in _ENDINGS:
            raise InputError(f"format is one of {', '.join(_ENDINGS)}")
        file, count = await to_thread.run_sync(lambda: write_export(memory, identity, export, given, form))
        headers = {WRITTEN: str(count), "Content-Disposition": f'attachment; filename="memory{_ENDINGS[form]}"'}
        return StreamingResponse(_read_pieces(file), 200, headers, _MEDIA_TYPES[form], BackgroundTask(file.close))

    async def receive_import(*, request: Request, **values: Any) -> Response:
        given, identity = collect_arguments(values), identity_of(request)
        bound = bind_arguments(identity, import_, given, home=memory.space.name)
        # A file without a name: it is gone with this process.
        with tempfile.TemporaryFile(prefix="toldonce-") as file:
            async for piece in request.stream():
                await to_thread.run_sync(file.write, piece)
            if not file.tell():
                raise BadImport(
                    "the body is empty: send the file that an export wrote, or that of another program with its format"
                )
            file.seek(0)

            def work(is_over: Callable[[], bool]) -> Any:
                source = cast("BinaryIO", RequestFile(file, is_over))
                with identity_acts(identity), stopping_when(is_over):
                    return to_answer(memory.import_(source, **bound))

            return json_response(await run_for_request(request, work))

    add_route(app, export, send_export, more={200: {"description": "The file.", **files}})
    add_route(app, import_, receive_import)


class RequestFile(io.BufferedIOBase):
    """A file that can be read as long as the request lasts to which it belongs: whoever reads it stops with it."""

    def __init__(self, file: IO[bytes], is_over: Callable[[], bool]) -> None:
        super().__init__()
        self._file = file
        self._is_over = is_over

    def read(self, size: int | None = -1, /) -> bytes:
        """The next bytes."""
        if self._is_over():
            raise WorkStopped
        return self._file.read(-1 if size is None else size)

    def read1(self, size: int = -1, /) -> bytes:
        """The same, as text is read."""
        return self.read(_PIECE if size < 0 else size)

    def readline(self, size: int | None = -1, /) -> bytes:
        """The next line."""
        if self._is_over():
            raise WorkStopped
        return self._file.readline(-1 if size is None else size)

    def readable(self) -> bool:
        """It is."""
        return True

    def seekable(self) -> bool:
        """It is."""
        return True

    def seek(self, place: int, whence: int = io.SEEK_SET, /) -> int:
        """Go to a place; returns it from the beginning."""
        return self._file.seek(place, whence)

    def tell(self) -> int:
        """The place from the beginning."""
        return self._file.tell()


async def run_for_request(request: Request, work: Callable[[Callable[[], bool]], T]) -> T:
    """What work in a thread returns. It gets a function that says whether its client has gone or its time is over."""
    ended = threading.Event()
    done: list[T] = []
    failed: list[Exception] = []

    async def watch() -> None:
        try:
            while (await request.receive())["type"] != "http.disconnect":
                pass
        finally:
            ended.set()

    async with anyio.create_task_group() as group:
        group.start_soon(watch)
        try:
            done.append(await to_thread.run_sync(work, ended.is_set))
        except Exception as problem:
            # Raised in here it would come out as one of a group.
            failed.append(problem)
        group.cancel_scope.cancel()
    if failed:
        raise failed[0]
    return done[0]


def write_export(
    memory: Memory, identity: Identity, route: Route, given: dict[str, Any], form: str
) -> tuple[IO[bytes], int]:
    """An export in a file without a name, which is gone with this process, and how much was written."""
    bound = bind_arguments(identity, route, given, home=memory.space.name)
    file = tempfile.TemporaryFile(prefix="toldonce-")  # noqa: SIM115  (it is closed when it was sent)
    try:
        with identity_acts(identity):
            count = memory.export(cast("BinaryIO", file), plain=True, **{**bound, "format": form})
        file.seek(0)
        return file, count
    except BaseException:
        file.close()
        raise


async def _read_pieces(file: IO[bytes]) -> AsyncIterator[bytes]:
    while piece := await to_thread.run_sync(file.read, _PIECE):
        yield piece
