"""A memory on a server: the same operations as `Memory`, each one request. It holds no logic of its own.

When the server cannot be reached, an error says so; nothing is ever stored locally instead. It imports no HTTP library.
"""

from __future__ import annotations

import functools
import http.client
import inspect
import json
import os
import socket
import ssl
import threading
import urllib.parse
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext, suppress
from datetime import datetime
from pathlib import Path
from typing import IO, Any, BinaryIO

from toldonce import errors
from toldonce.client_events import RemoteEvents
from toldonce.clock import Clock, system_clock
from toldonce.errors import InputError, MemoryOffline, NotAllowed, StoreError
from toldonce.memory import Memory
from toldonce.operations.events import Callback, Subscription
from toldonce.operations.routes import GROUPS, PREFIX, ROUTES, Route
from toldonce.operations.wire import from_plain_value, to_plain_value
from toldonce.records import Document, Space
from toldonce.storage.atomic_file import write_whole_file

KEY_VARIABLE = "TOLDONCE_API_KEY"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
_TIMEOUT_S = 75.0
_LARGEST_PAGE = 1_000
_PIECE = 256 * 1024
# A document that others change all the time is given up after this many tries.
_TRIES = 20
# Moments in tables whose types say nothing about them.
_MOMENTS: Mapping[str, tuple[str, ...]] = {"stats": ("newest",)}
_NOTHING = "urn:toldonce:nothing-there"
_ERRORS = {name: cls for name, cls in vars(errors).items() if isinstance(cls, type) and issubclass(cls, Exception)}


class Connection:
    """Sends requests to one server, over one connection for each thread."""

    def __init__(self, address: str, key: str) -> None:
        parts = urllib.parse.urlsplit(address)
        if parts.scheme not in ("https", "http") or not parts.hostname or "@" in parts.netloc:
            raise InputError("the address of a server looks like https://memory.example.org")
        if parts.scheme == "http" and parts.hostname not in LOOPBACK:
            raise InputError("a key is sent by https only, except to this machine: give an https address")
        self.address = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
        self._parts = parts
        self._key = key
        self._open = threading.local()
        self._opened: weakref.WeakSet[http.client.HTTPConnection] = weakref.WeakSet()
        self._streaming: http.client.HTTPConnection | None = None

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        file: IO[bytes] | None = None,
    ) -> http.client.HTTPResponse:
        """The answer to a request; a problem is raised as the error that it is on the server."""
        target = self._parts.path.rstrip("/") + path
        if query:
            target += "?" + urllib.parse.urlencode(query, doseq=True)
        sent = {"Authorization": f"Bearer {self._key}", **(headers or {})}
        data: Any = file
        if body is not None:
            data, sent["Content-Type"] = json.dumps(body).encode(), "application/json"
        answer = self._send(method, target, data, sent)
        if answer.status >= 400:
            raise _read_problem(answer.status, answer.read())
        return answer

    def close(self) -> None:
        """Close the connection of this thread; those of others close with their threads."""
        found = getattr(self._open, "connection", None)
        if found is not None:
            found.close()
            self._open.connection = None

    def close_all(self) -> None:
        """Close the connections of all threads."""
        for connection in list(self._opened):
            connection.close()
        self.close()

    def stream(self, path: str, *, headers: Mapping[str, str]) -> Iterator[bytes]:
        """The lines of an answer that does not end by itself, over a connection of its own."""
        made = self._make_connection()
        self._streaming = made
        try:
            sent = {"Authorization": f"Bearer {self._key}", **headers}
            made.request("GET", self._parts.path.rstrip("/") + path, None, sent)
            answer = made.getresponse()
            if answer.status >= 400:
                raise _read_problem(answer.status, answer.read())
            while line := answer.readline():
                yield line
        finally:
            made.close()

    def close_stream(self) -> None:
        """End the stream that is read, if there is one; its reader sees that the connection broke."""
        sock = self._streaming.sock if self._streaming is not None else None
        if sock is not None:
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)

    def _send(self, method: str, target: str, data: Any, headers: Mapping[str, str]) -> http.client.HTTPResponse:
        is_reused = getattr(self._open, "connection", None) is not None
        try:
            return self._send_once(method, target, data, headers)
        except (ConnectionError, http.client.RemoteDisconnected, http.client.CannotSendRequest) as problem:
            self.close()
            # The server may have closed an idle connection: nothing of this request was taken.
            if not is_reused or not isinstance(data, bytes | None):
                raise MemoryOffline(f"{self.address}: {MemoryOffline.default_message()}") from problem
        except (OSError, http.client.HTTPException) as problem:
            self.close()
            raise MemoryOffline(f"{self.address}: {MemoryOffline.default_message()}") from problem
        try:
            return self._send_once(method, target, data, headers)
        except (OSError, http.client.HTTPException) as problem:
            self.close()
            raise MemoryOffline(f"{self.address}: {MemoryOffline.default_message()}") from problem

    def _send_once(self, method: str, target: str, data: Any, headers: Mapping[str, str]) -> http.client.HTTPResponse:
        connection = getattr(self._open, "connection", None) or self._connect()
        connection.request(method, target, data, dict(headers))
        answer: http.client.HTTPResponse = connection.getresponse()
        return answer

    def _connect(self) -> http.client.HTTPConnection:
        self._open.connection = made = self._make_connection()
        self._opened.add(made)
        return made

    def _make_connection(self) -> http.client.HTTPConnection:
        host, port = self._parts.hostname or "", self._parts.port
        made: http.client.HTTPConnection
        if self._parts.scheme == "https":
            made = http.client.HTTPSConnection(host, port, timeout=_TIMEOUT_S, context=ssl.create_default_context())
        else:
            made = http.client.HTTPConnection(host, port, timeout=_TIMEOUT_S)
        made.connect()
        if made.sock is not None:
            made.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return made


class NothingThere(Exception):
    """The server has nothing of that name, where the operation returns None."""


class DocumentChanged(Exception):
    """Somebody else changed a document meanwhile."""


class RemoteGroup:
    """A group of operations of a remote memory, such as `memory.people`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection


class RemoteMemory(Memory):
    """A `Memory` whose operations are requests to a server."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._is_closed = False
        for name in GROUPS:
            if name:
                setattr(self, name, _REMOTE_GROUPS[name](connection))
        self._home: Space | None = None
        self._events: RemoteEvents | None = None

    @property
    def space(self) -> Space:
        """The space that operations use when none is named."""
        if self._home is None:
            found = self._connection.request("GET", f"{PREFIX}/whoami").read()
            self._home = from_plain_value(Space, json.loads(found)["home"])
        return self._home

    @property
    def clock(self) -> Clock:
        """What tells the time here; the server has its own."""
        return system_clock

    @property
    def place(self) -> str:
        """The address of the server."""
        return self._connection.address

    def whoami(self) -> dict[str, Any]:
        """Whom the key stands for, and what it may do."""
        found: dict[str, Any] = json.loads(self._connection.request("GET", f"{PREFIX}/whoami").read())
        return found

    def close(self) -> None:
        """Close the connection to the server."""
        if self._events is not None:
            self._events.close()
        self._connection.close_all()

    def on(self, event: str, callback: Callback) -> Subscription:
        if self._events is None:
            self._events = RemoteEvents(self._connection)
        return self._events.add(event, callback)

    def __getattr__(self, name: str) -> Any:
        if name in ("engine", "store", "embedder"):
            raise NotAllowed(f"this memory is on a server: its {name} is there, and cannot be used from here")
        raise AttributeError(name)


def open_remote(address: str, api_key: str | None) -> RemoteMemory:
    """The memory at a server's address, with a key: the given one, else TOLDONCE_API_KEY."""
    key = api_key or os.environ.get(KEY_VARIABLE, "")
    if not key:
        raise InputError(f"a memory on a server needs a key: give api_key=, or set {KEY_VARIABLE}")
    return RemoteMemory(Connection(address, key))


def _call_route(connection: Connection, route: Route, arguments: dict[str, Any]) -> Any:
    """One operation on the server; long lists come in pages."""
    for name in route.without:
        if arguments.pop(name, None) is not None:
            raise InputError(f"{name} cannot be sent to a server: leave it out, or open a memory of this machine")
    path = PREFIX + route.path
    for name in [part[1:-1] for part in route.path.split("/") if part.startswith("{")]:
        path = path.replace(f"{{{name}}}", urllib.parse.quote(_as_text(arguments.pop(name), name), safe=""))
    needed = {name for name, one in route.parameters.items() if one.default is inspect.Parameter.empty}
    plain = {name: to_plain_value(value) for name, value in arguments.items() if value is not None or name in needed}
    if route.listing:
        return from_plain_value(route.result, list(_read_pages(connection, route, path, plain)))
    answer = _request_json(connection, route, path, plain)
    if isinstance(answer, dict) and answer.keys() == {"result"}:
        answer = answer["result"]
    result = from_plain_value(route.result, answer)
    for name in _MOMENTS.get(route.operation, ()):
        result[name] = from_plain_value(datetime, result[name])
    return result


def _request_json(connection: Connection, route: Route, path: str, plain: Mapping[str, Any]) -> Any:
    if route.method in ("GET", "DELETE"):
        query = {n: json.dumps(v) if isinstance(v, dict | bool) else v for n, v in plain.items()}
        answer = connection.request(route.method, path, query=query)
    else:
        answer = connection.request(route.method, path, body=plain)
    try:
        return json.loads(answer.read())
    except (ValueError, http.client.HTTPException, OSError) as problem:
        connection.close()
        raise MemoryOffline(f"{connection.address}: its answer broke off: try again") from problem


def _read_pages(connection: Connection, route: Route, path: str, plain: dict[str, Any]) -> Iterator[Any]:
    wanted = plain.pop("limit", None)
    usual = route.parameters["limit"].default if "limit" in route.parameters else None
    left = wanted if wanted is not None else usual
    items: list[Any] = []
    cursor: str | None = None
    while left is None or left > 0:
        size = _LARGEST_PAGE if left is None else min(left, _LARGEST_PAGE)
        page = {**plain, "limit": size} | ({"cursor": cursor} if cursor else {})
        answer = _request_json(connection, route, path, page)
        items = [*answer["items"], *items] if route.listing == "newest last" else [*items, *answer["items"]]
        cursor = answer["next"]
        left = None if left is None else left - len(answer["items"])
        if cursor is None:
            break
    yield from items


def _as_text(value: Any, name: str) -> str:
    if not isinstance(value, str) or not value:
        raise InputError(f"{name} must be a text that is not empty")
    # A path cannot hold these two as they are; nothing has such an id.
    return value.replace("/", "%2F") if value not in (".", "..") else "-"


def _make_remote(route: Route) -> Callable[..., Any]:
    function = route.function
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        given = signature.bind(self, *args, **kwargs).arguments
        arguments = {name: list(v) if _is_lazy(v) else v for name, v in given.items() if name != "self"}
        try:
            return _call_route(self._connection, route, arguments)
        except NothingThere:
            return None

    return call


def _is_lazy(value: Any) -> bool:
    return isinstance(value, Iterator | set | frozenset)


# The operations whose arguments stay on this side: a file, or a function that changes a document.


def _change_document(
    self: RemoteGroup,
    name: str,
    change: Callable[[Document], Document | None],
    *,
    owner: str = "",
    space: str | None = None,
    writer: Any = None,  # noqa: ARG001  (drafts of a writer of this machine are stored by it)
) -> Document | None:
    """What `change` makes of a document; made again when somebody else changed it meanwhile."""
    path = f"{PREFIX}/documents/{urllib.parse.quote(_as_text(name, 'name'), safe='')}"
    query = {"owner": owner} | ({"space": space} if space is not None else {})
    for _ in range(_TRIES):
        before, headers = _read_document(self._connection, path, query, name=name, owner=owner, space=space)
        after = change(before)
        if after is None:
            return None
        body = to_plain_value(after)
        if before.version == 0 and after.at == before.at:
            # A new document that names no moment of its own has the server's.
            body["at"] = None
        try:
            answer = self._connection.request("PUT", path, query=query, body=body, headers=headers)
        except DocumentChanged:
            continue
        found: Document = from_plain_value(Document, json.loads(answer.read()))
        return found
    raise StoreError(f"the document {name!r} is changed by others all the time: try again later")


def _read_document(
    connection: Connection, path: str, query: Mapping[str, Any], *, name: str, owner: str, space: str | None
) -> tuple[Document, dict[str, str]]:
    try:
        answer = connection.request("GET", path, query=query)
    except NothingThere:
        new = Document(name=name, owner=owner, space=space or "", version=0, entries=(), at=system_clock())
        return new, {"If-None-Match": "*"}
    document: Document = from_plain_value(Document, json.loads(answer.read()))
    return document, {"If-Match": answer.headers["ETag"]}


def _export(
    self: RemoteMemory,
    path: str | os.PathLike[str] | BinaryIO,
    *,
    user: str | None = None,
    space: str | None = None,
    format: str | None = None,
    encryption_key: str | bytes | None = None,
    plain: bool = False,  # noqa: ARG001  (an export from a server is always plain)
) -> int:
    """Write everything that the key may read to a file of this machine; returns how many lines or records."""
    from toldonce.storage.readable_export import choose_form

    if encryption_key is not None:
        raise InputError("an export from a server is not sealed: export without a key, and encrypt the file yourself")
    is_path = isinstance(path, str | os.PathLike)
    query = {"user": user, "space": space, "format": choose_form(path if is_path else "", format)}  # type: ignore[arg-type]
    answer = self._connection.request(
        "GET", f"{PREFIX}/export", query={n: v for n, v in query.items() if v is not None}
    )
    with write_whole_file(Path(path)) if isinstance(path, str | os.PathLike) else nullcontext(path) as file:
        while piece := answer.read(_PIECE):
            file.write(piece)
    return int(answer.headers["Toldonce-Written"])


def _import(
    self: RemoteMemory,
    path: str | os.PathLike[str] | BinaryIO,
    *,
    user: str | None = None,
    space: str | None = None,
    trusted: bool = False,
    encryption_key: str | bytes | None = None,
    format: str | None = None,
    me: str | None = None,
    columns: Mapping[str, str] | None = None,
    preview: bool = False,
) -> Any:
    """Send an export, of which the server takes all or nothing, or a file of another program."""
    if encryption_key is not None:
        raise InputError("a sealed export is not sent to a server: import it here, and export it without a key")
    form = _name_format(path, format, columns)
    query = {"user": user, "space": space, "trusted": str(trusted).lower(), "format": form, "me": me}
    query |= {"columns": json.dumps(dict(columns))} if columns else {}
    query |= {"preview": "true"} if preview else {}
    try:
        with open(path, "rb") if isinstance(path, str | os.PathLike) else nullcontext(path) as file:
            size = str(file.seek(0, os.SEEK_END))
            file.seek(0)
            answer = self._connection.request(
                "POST",
                f"{PREFIX}/import",
                query={n: v for n, v in query.items() if v is not None},
                file=file,
                headers={"Content-Length": size, "Content-Type": "application/octet-stream"},
            )
    except OSError as problem:
        name = os.fspath(path) if isinstance(path, str | os.PathLike) else "the file"
        raise errors.BadImport(f"{name} cannot be read: {problem.strerror}") from problem
    return from_plain_value(ROUTES["import_"].result, json.loads(answer.read()))


def _name_format(
    path: str | os.PathLike[str] | BinaryIO, named: str | None, columns: Mapping[str, str] | None
) -> str | None:
    """The format of another program's file, which the server does not guess; None for an export."""
    from toldonce.importers.formats import find_format
    from toldonce.importers.read import recognise_older_store
    from toldonce.importers.source_file import is_database

    found = find_format(path, named, columns=columns)
    if isinstance(path, str | os.PathLike):
        what = found.name if found is not None else recognise_older_store(path)
        if os.path.isdir(path) or (what is not None and (found is None or is_database(Path(path)))):
            raise InputError(
                f"{os.fspath(path)} ({what}) cannot be sent to a server, which takes one file and no database: pack a"
                " folder of texts as a zip archive, or import it into a memory here and send that with"
                " `toldonce login`"
            )
    return found.name if found is not None else None


def _read_problem(status: int, body: bytes) -> Exception:
    """The error that a problem document describes."""
    try:
        told = json.loads(body)
        kind, detail = str(told["type"]), str(told["detail"])
    except (ValueError, TypeError, KeyError):
        return StoreError(f"the server answered {status}, and not as Toldonce does: check the address")
    if kind == _NOTHING:
        return NothingThere()
    if status == 412:
        return DocumentChanged()
    found = _ERRORS.get(kind.rpartition(":")[2])
    if found is not None and issubclass(found, errors.ToldonceError):
        problem = found(detail)
        for name in ("length", "limit", "line", "place", "record_id", "retry_after_s", "is_certain"):
            if name in told and hasattr(problem, name):
                setattr(problem, name, told[name])
        return problem
    if kind.endswith(":no-such-path"):
        return errors.RecordNotFound()
    return NotAllowed(detail) if status in (401, 403) else StoreError(detail)


_OWN: Mapping[str, Callable[..., Any]] = {"documents.change": _change_document, "export": _export, "import_": _import}


def _refuse_local(*_: Any) -> Any:
    """Secrets are looked up by the server alone."""
    raise NotAllowed("keys are identified by the server alone")


def _operation_for(name: str) -> Callable[..., Any]:
    own = _OWN.get(name)
    if own is None:
        return _make_remote(ROUTES[name])
    return functools.update_wrapper(own, ROUTES[name].function)


_REMOTE_GROUPS: dict[str, type[RemoteGroup]] = {
    group: type(f"Remote{cls.__name__}", (RemoteGroup,), {}) for group, cls in GROUPS.items() if group
}
for _name in ROUTES:
    _group, _, _method = _name.rpartition(".")
    setattr(_REMOTE_GROUPS[_group] if _group else RemoteMemory, _method, _operation_for(_name))
_REMOTE_GROUPS["keys"].identify = _refuse_local  # type: ignore[attr-defined]
