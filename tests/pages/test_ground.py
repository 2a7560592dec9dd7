"""What holds for every page: signing in, errors, preferences, forms with a token, and files."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest

from tests.conftest import OpenMemory
from tests.server.serving import Serving, serving
from toldonce.presets import shipped_presets
from toldonce.server.identity import Identity
from toldonce.server.pages.render import load_static, static_url
from toldonce.server.pages.table import PAGES

HTML = {"Accept": "text/html,application/xhtml+xml"}


@pytest.fixture
def server(open_memory: OpenMemory) -> Iterator[Serving]:
    with serving(open_memory("life")) as running:
        yield running


def sign_in(server: Serving, person: str | None = "alex", **given: object) -> httpx.Client:
    """A browser that followed a link."""
    table: dict[str, object] = {"rights": ("read", "write", "manage"), "is_owner": True, "role": "person", **given}
    identity = Identity(credential="link", name="this machine", kind="browser", person=person, **table)  # type: ignore[arg-type]
    browser = server.client(None, **HTML)
    browser.follow_redirects = True
    assert (
        browser.get("/sign-in", params={"token": server.app.credentials.make_link_token(identity)}).status_code == 200
    )
    return browser


def token_of(page: str) -> str:
    found = re.search(r'name="csrf_token" value="([^"]+)"', page)
    assert found
    return found.group(1)


def test_a_visitor_who_is_not_signed_in_gets_a_page_that_says_how(server: Serving) -> None:
    answer = server.client(None, **HTML, **{"Accept-Language": "es"}).get("/")
    assert answer.status_code == 401 and "text/html" in answer.headers["content-type"]
    assert "Inicia sesión" in answer.text and "toldonce serve" in answer.text


def test_programs_still_get_problem_documents(server: Serving) -> None:
    for answer in (server.client().get("/"), server.client(None, **HTML).get("/v1/stats")):
        assert answer.headers["content-type"] == "application/problem+json"
    assert server.owner().get("/nowhere").headers["content-type"] == "application/problem+json"
    assert "This is not here" in sign_in(server).get("/nowhere").text


def test_preferences_are_kept_for_the_person_in_every_browser(server: Serving) -> None:
    first, second = sign_in(server), sign_in(server)
    token = token_of(first.get("/").text)
    shown = first.post("/preferences", data={"csrf_token": token, "language": "pt", "theme": "dark", "next": "/"})
    assert 'lang="pt" data-theme="dark"' in shown.text
    assert 'lang="pt" data-theme="dark"' in second.get("/").text
    assert 'data-theme="auto"' in sign_in(server, "sam").get("/").text


def test_without_a_person_preferences_are_kept_in_the_browser(server: Serving) -> None:
    browser = sign_in(server, None)
    browser.post("/preferences", data={"csrf_token": token_of(browser.get("/").text), "theme": "light"})
    assert 'data-theme="light"' in browser.get("/").text
    assert 'data-theme="auto"' in sign_in(server, None).get("/").text


@pytest.mark.parametrize("place", ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:x", ""])
def test_no_form_leads_to_another_place(server: Serving, place: str) -> None:
    browser = sign_in(server)
    token = token_of(browser.get("/").text)
    browser.follow_redirects = False
    answer = browser.post("/preferences", data={"csrf_token": token, "theme": "dark", "next": place})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


def test_a_form_without_the_token_of_its_session_changes_nothing(server: Serving) -> None:
    browser, other = sign_in(server), sign_in(server)
    foreign = token_of(other.get("/").text)
    for token in ("", "guess", foreign):
        refused = browser.post("/preferences", data={"csrf_token": token, "theme": "dark"})
        assert refused.status_code == 403
    assert 'data-theme="auto"' in browser.get("/").text


def test_a_form_that_cannot_be_read_is_refused(server: Serving) -> None:
    browser = sign_in(server)
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert browser.post("/preferences", content=b"a=%ff", headers=headers).status_code == 400
    assert (
        browser.post("/preferences", content="&".join(f"f{n}=1" for n in range(3_000)), headers=headers).status_code
        == 400
    )


def test_files_of_pages_need_no_credential_and_nothing_else_is_among_them(server: Serving) -> None:
    visitor = server.client()
    for name in load_static():
        answer = visitor.get(static_url(name))
        assert answer.status_code == 200 and "immutable" in answer.headers["cache-control"]
    for path in ("/static/htmx.LICENSE", "/static/../app.py", "/static/%2e%2e%2fapp.py", "/static/"):
        assert visitor.get(path).status_code in (401, 404)


def test_signing_out_ends_the_session(server: Serving) -> None:
    browser = sign_in(server)
    assert "Please sign in" in browser.post("/sign-out", data={"csrf_token": token_of(browser.get("/").text)}).text
    assert browser.get("/").status_code == 401


def test_pages_are_never_stored_or_framed(server: Serving) -> None:
    answer = sign_in(server).get("/")
    assert answer.headers["cache-control"] == "no-store" and answer.headers["x-frame-options"] == "DENY"
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'") and "unsafe" not in policy
    assert not re.search(r"<[^>]+\s(?:style|on\w+)=", answer.text) and not re.search(
        r"<script(?![^>]*\ssrc=)", answer.text
    )


@pytest.mark.parametrize("preset", shipped_presets())
@pytest.mark.parametrize("person", ["alex", None])
def test_every_page_is_there_with_every_preset(open_memory: OpenMemory, preset: str, person: str | None) -> None:
    memory = open_memory(preset)
    memory.observe("I moved to Lisbon last week and work at a bakery.", user="alex", session="s1")
    memory.settle(session="s1", user="alex")
    kept = memory.remember("The oven is on the left", user="alex")
    memory.remember("Everybody has a key")
    with serving(memory) as server:
        browser = sign_in(server, person)
        named = {"record_id": kept.id, "person_id": "alex", "part": "spaces"}
        for page in PAGES:
            answer = browser.get(page.path.format(**named))
            assert answer.status_code == 200, (page.path, answer.text[-400:])
        assert "The oven is on the left" in browser.get("/browse?q=oven").text
        assert browser.get("/browse?cursor=nonsense").status_code == 400
        assert browser.get("/browse?space=nowhere").status_code == 404


def test_records_are_browsed_by_person_and_by_module(open_memory: OpenMemory) -> None:
    memory = open_memory("coding")
    memory.observe("hello", user="sam", session="s1")
    memory.observe("hello", user="alex", session="s2")
    memory.remember("The cart rounds prices up", user="alex", visibility="private", metadata={"module": "cart"})
    memory.remember("The login form times out", user="sam", visibility="private", metadata={"module": "auth"})
    with serving(memory) as server:
        owner, alex = sign_in(server, None), sign_in(server, rights=("read", "write"), is_owner=False)
        by_module, by_person = owner.get("/browse?module=cart").text, owner.get("/browse?who=sam").text
        assert "rounds prices" in by_module and "login form" not in by_module
        assert "login form" in by_person and "rounds prices" not in by_person
        assert "rounds prices" in owner.get("/browse?q=prices&module=cart").text
        assert "rounds prices" not in owner.get("/browse?q=prices&module=auth").text
        mine = alex.get("/browse?who=sam").text
        assert "rounds prices" in mine and "login form" not in mine
