"""Turns the table of pages and acts into paths of the application, and errors into pages for browsers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from anyio import to_thread
from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route, compile_path

from toldonce.errors import InputError, NotAllowed, ToldonceError
from toldonce.server.api import IDENTITY, identity_of
from toldonce.server.browser import is_local_path
from toldonce.server.credentials import COOKIE, Credentials, read_cookie
from toldonce.server.events import write_place
from toldonce.server.forms import FORM
from toldonce.server.identity import Identity
from toldonce.server.pages import preferences as prefs
from toldonce.server.pages.cache import CountCache
from toldonce.server.pages.call import Download, PageCall, PageView, choose_space, zone_of_pages
from toldonce.server.pages.layout import DONE_COOKIE, describe_layout, read_done, write_done
from toldonce.server.pages.render import load_static, render
from toldonce.server.pages.table import ACTS, PAGES, Act, Page
from toldonce.server.pages.translation import PageTexts, choose_locale
from toldonce.server.problems import OF_FORMS, RequestProblem, describe_error, status_of

if TYPE_CHECKING:
    from toldonce.memory import Memory
    from toldonce.server.settings import ServerSettings
    from toldonce.storage.tables.events import EventPlace

Handler = Callable[[Request], Awaitable[Response]]
SPACE_COOKIE = "toldonce_space"
# What programs ask; a browser that opens one of these still gets what a program gets.
_PROGRAM_PATHS = ("/v1/", "/mcp", "/health", "/ready", "/metrics", "/openapi.json", "/static/")
_YEAR_S = 31_536_000
_DONE_S = 30


class Pages:
    """Answers requests for pages."""

    def __init__(
        self,
        memory: Memory,
        credentials: Credentials,
        settings: ServerSettings,
        read_place: Callable[[], EventPlace],
    ) -> None:
        self._memory = memory
        self._read_place = read_place
        self._counts = CountCache(read_place, memory.clock)
        self._credentials = credentials
        self._is_secure = settings.is_secure

    def add_to(self, app: FastAPI) -> None:
        """Add every path of the table, the files that pages load, and the choice of preferences and space."""
        for page in PAGES:
            app.router.routes.append(Route(page.path, self._answer_page(page), methods=["GET"]))
        for act in ACTS:
            app.router.routes.append(Route(act.path, self._answer_act(act), methods=["POST"]))
        app.router.routes.append(Route("/preferences", self._set_preferences, methods=["POST"]))
        app.router.routes.append(Route("/static/{name}", send_static, methods=["GET"]))

    # Pages and acts

    def _answer_page(self, page: Page) -> Handler:
        async def answer(request: Request) -> Response:
            return await to_thread.run_sync(self._show, request, page, abandon_on_cancel=True)

        return answer

    def _answer_act(self, act: Act) -> Handler:
        async def answer(request: Request) -> Response:
            return await to_thread.run_sync(self._do, request, act, abandon_on_cancel=True)

        return answer

    def _show(self, request: Request, page: Page) -> Response:
        call = self._read_call(request)
        _require_right(call.identity, page)
        shown = page.show(call)
        return send_file(shown) if isinstance(shown, Download) else self._write_page(request, call, page, shown)

    def _do(self, request: Request, act: Act) -> Response:
        call = self._read_call(request)
        _require_right(call.identity, act)
        try:
            done = act.do(call)
        except InputError as problem:
            return self._show_form_again(request, call, problem)
        finally:
            self._counts.clear()
        if isinstance(done, Download):
            return send_file(done)
        if isinstance(done, PageView):
            return self._write_page(request, call, _PAGE_OF_ACTS, done)
        answer = RedirectResponse(done.next if is_local_path(done.next) else "/", 303)
        if done.key:
            self._set_cookie(answer, DONE_COOKIE, write_done(done), seconds=_DONE_S)
        return answer

    def _show_form_again(self, request: Request, call: PageCall, problem: InputError) -> Response:
        """The page that a form was on, with what is wrong and what was typed; other problems have their own page."""
        place = urlsplit(call.field("next"))
        found = _find_page(place.path) if status_of(problem) in OF_FORMS and is_local_path(place.path) else None
        if found is None:
            raise problem
        page, named = found
        _require_right(call.identity, page)
        call.show_again(place.path, query=dict(parse_qsl(place.query)), named=named, problem=problem)
        shown = page.show(call)
        if isinstance(shown, Download):
            raise problem
        return self._write_page(request, call, page, replace(shown, status=status_of(problem)))

    def _write_page(self, request: Request, call: PageCall, page: Page, shown: PageView) -> Response:
        done = read_cookie(request, DONE_COOKIE)
        values = {
            **self._basic_values(request, call.t, call.preferences),
            "events_place": write_place(call.events_place),
            **describe_layout(call, page, PAGES),
            "call": call,
            "identity": call.identity,
            "toast": read_done(call, done),
            **shown.values,
        }
        answer = HTMLResponse(render(shown.template or f"{page.name}.html", values), shown.status)
        answer.headers.update(shown.headers)
        answer.headers["Vary"] = "HX-Request, Cookie, Accept-Language"
        if done:
            answer.delete_cookie(DONE_COOKIE, path="/")
        return answer

    def _basic_values(self, request: Request, texts: PageTexts, chosen: prefs.Preferences) -> dict[str, Any]:
        cookie = read_cookie(request, COOKIE)
        return {
            "t": texts,
            "preferences": chosen,
            "csrf_token": (self._credentials.csrf_token(cookie) or "") if cookie else "",
        }

    def _read_call(self, request: Request) -> PageCall:
        # Read before anything that the page shows: the stream of events has what happens later.
        events_place = self._read_place()
        identity = identity_of(request)
        chosen = prefs.read_preferences(self._memory, identity, read_cookie(request, prefs.COOKIE))
        asked, kept = request.query_params.get("space", ""), read_cookie(request, SPACE_COOKIE)
        space = choose_space(self._memory, identity, asked=asked, kept=kept)
        return PageCall(
            self._memory,
            identity,
            path=request.url.path,
            query=dict(request.query_params),
            form=request.scope.get(FORM, {}),
            named=request.path_params,
            preferences=chosen,
            texts=self._make_texts(request, chosen, space),
            space=space,
            counts=self._counts,
            events_place=events_place,
        )

    def _make_texts(self, request: Request, chosen: prefs.Preferences, space: str | None) -> PageTexts:
        locale = choose_locale(chosen.language, request.headers.get("accept-language", ""))
        return PageTexts(locale, zone=zone_of_pages(self._memory, space), now=self._memory.clock())

    # Preferences

    async def _set_preferences(self, request: Request) -> Response:
        return await to_thread.run_sync(self._store_preferences, request)

    def _store_preferences(self, request: Request) -> Response:
        call = self._read_call(request)
        table = {"language": call.preferences.language, "theme": call.preferences.theme, "keys": call.preferences.keys}
        table |= {name: call.field(name) for name in ("language", "theme") if name in call.form}
        if "keys" in call.form:
            table["keys"] = call.field("keys") == "on"
        chosen, place = prefs.Preferences.read(table), call.field("next")
        answer = RedirectResponse(place if is_local_path(place) else "/", 303)
        if "space" in call.form and call.identity.may_enter(call.field("space")):
            self._set_cookie(answer, SPACE_COOKIE, call.field("space"), seconds=_YEAR_S)
        if prefs.has_stored_preferences(call.identity):
            prefs.store_preferences(self._memory, call.identity, chosen)
        # The signed-out page is shown the same way.
        self._set_cookie(answer, prefs.COOKIE, chosen.write_cookie(), seconds=_YEAR_S)
        return answer

    def _set_cookie(self, answer: Response, name: str, value: str, *, seconds: int) -> None:
        answer.set_cookie(
            name, value, max_age=seconds, path="/", secure=self._is_secure, httponly=True, samesite="strict"
        )

    # Errors

    def answer_error(self, scope: MutableMapping[str, Any], problem: Exception) -> Response:
        """The answer for whatever went wrong: a page for browsers, a problem document for programs."""
        plain = describe_error(problem)
        if not wants_page(scope):
            return plain
        request = Request(scope)
        chosen = self._read_chosen(scope, request)
        values = {
            **self._basic_values(request, self._make_texts(request, chosen, None), chosen),
            "status": plain.status_code,
            "kind": _kind_of(plain.status_code),
            "detail": _detail_of(problem),
            "request_id": scope.get("toldonce.request_id", ""),
            "is_signed_in": IDENTITY in scope,
        }
        headers = {name: value for name, value in plain.headers.items() if name in _KEPT_HEADERS}
        return HTMLResponse(render("error.html", values), plain.status_code, headers)

    def _read_chosen(self, scope: Mapping[str, Any], request: Request) -> prefs.Preferences:
        identity, cookie = scope.get(IDENTITY), read_cookie(request, prefs.COOKIE)
        if isinstance(identity, Identity):
            try:
                return prefs.read_preferences(self._memory, identity, cookie)
            except ToldonceError:
                pass
        return prefs.read_cookie_preferences(cookie)


def _find_page(path: str) -> tuple[Page, dict[str, str]] | None:
    """The page at a path of this server, with what is named in the path."""
    for page, pattern in _PATTERNS:
        if (match := pattern.fullmatch(path)) is not None:
            return page, match.groupdict()
    return None


_PATTERNS = [(page, compile_path(page.path)[0]) for page in PAGES]
# An act that shows a page instead of leading to one is about a record.
_PAGE_OF_ACTS = next(page for page in PAGES if page.name == "record")
_KEPT_HEADERS = ("www-authenticate", "retry-after")
_KINDS = {401: "sign_in", 403: "not_allowed", 404: "not_found", 412: "conflict", 413: "too_large", 429: "too_many"}


def _kind_of(status: int) -> str:
    return _KINDS.get(status, "failed" if status >= 500 else "wrong")


def _detail_of(problem: Exception) -> str:
    """What an error says itself, where that is meant for people."""
    if isinstance(problem, RequestProblem):
        return problem.detail
    return str(problem) if isinstance(problem, ToldonceError) and status_of(problem) < 500 else ""


def wants_page(scope: Mapping[str, Any]) -> bool:
    """Whether a browser asks, on behalf of a person who reads the answer."""
    headers = dict(scope["headers"])
    accepts = headers.get(b"accept", b"").decode("latin-1")
    is_program = any(scope["path"].startswith(path) for path in _PROGRAM_PATHS)
    return not is_program and ("text/html" in accepts or b"hx-request" in headers)


def _require_right(identity: Identity, row: Page | Act) -> None:
    if not identity.may(row.right):
        raise NotAllowed(f"this needs a credential with the right {row.right!r}: ask whoever runs this server for one")


async def send_static(request: Request) -> Response:
    """A file that pages load. It needs no credential: it is the same for everybody."""
    found = load_static().get(request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    is_pinned = "v" in request.query_params
    caching = f"public, max-age={_YEAR_S}, immutable" if is_pinned else "no-cache"
    return Response(found[0], media_type=found[1], headers={"Cache-Control": caching})


def send_file(file: Download) -> Response:
    """A file as a download."""
    headers = {"Content-Disposition": f'attachment; filename="{file.name}"'}
    return Response(file.body, media_type=file.media_type, headers=headers)
