"""A form that cannot be taken is shown again on its page, with what is wrong beside it and what was typed in it."""

from __future__ import annotations

import html
from collections.abc import Iterator

import pytest

from tests.conftest import START, OpenMemory
from tests.pages.test_ground import sign_in, token_of
from tests.server.serving import Serving, serving
from toldonce.presets.policy import Quota
from toldonce.records import Question

BLANK = "   "


@pytest.fixture
def server(open_memory: OpenMemory) -> Iterator[Serving]:
    with serving(open_memory("life")) as running:
        yield running


@pytest.mark.parametrize("is_empty", [True, False], ids=["nothing known", "something known"])
@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Write what to remember"), ("pt", "Escreva o que deve ser lembrado"), ("es", "Escribe lo que hay que")],
)
def test_a_blank_thing_to_remember_is_an_error_at_its_field(
    server: Serving, is_empty: bool, language: str, said: str
) -> None:
    if not is_empty:
        server.memory.remember("Alex likes tea", user="alex")
    browser = sign_in(server)
    browser.headers["Accept-Language"] = language
    form = {"csrf_token": token_of(browser.get("/").text), "next": "/", "text": BLANK}
    answer = browser.post("/remember", data=form)
    page = html.unescape(answer.text)
    assert answer.status_code == 422
    assert f'<span class="msg" id="write-m">{said}' in page and f'<a href="#write">{said}' in page
    assert page.count('aria-invalid="true" aria-describedby="write-m"') == 1
    # Its other forms lead back to the page, not to where the form was sent.
    assert 'name="next" value="/remember"' not in page
    assert len(server.memory.review.records("alex")) == (0 if is_empty else 1)


def test_what_the_memory_refuses_is_said_on_the_page_and_what_was_typed_stays(server: Serving) -> None:
    server.memory.remember("Alex likes tea", user="alex")
    browser = sign_in(server)
    token = token_of(browser.get("/").text)
    server.memory.spaces.set_quota(Quota(records_per_space=1))
    answer = browser.post("/remember", data={"csrf_token": token, "next": "/", "text": "Alex has a <kite>"})
    assert answer.status_code == 429 and "may store at most 1 records" in answer.text
    assert 'value="Alex has a &lt;kite&gt;"' in answer.text and 'role="alert"' in answer.text


FORMS = [
    ("/settings/spaces", "/settings/spaces/add", {"name": BLANK, "preset": "coding"}, "s-name", "Enter a name"),
    ("/settings/members", "/settings/members/set", {"user": BLANK, "role": "admin"}, "s-user", "Enter the name of the"),
    ("/settings/keys", "/settings/keys/add", {"name": BLANK, "user": "sam"}, "s-name", "Enter a name"),
    ("/settings/quotas", "/settings/quotas/set", {"records_per_space": "-1"}, "s-records_per_space", "Enter a whole"),
    ("/records/{record}/purge", "/records/{record}/purge", {}, "sure", "Mark that you want"),
    ("/questions", "/questions/question_1/answer", {"other": BLANK}, "o-question_1", "Choose one of the"),
]


@pytest.mark.parametrize(("page", "action", "given", "field", "said"), FORMS, ids=[form[1] for form in FORMS])
def test_every_form_says_what_is_wrong_beside_its_field(
    server: Serving, page: str, action: str, given: dict[str, str], field: str, said: str
) -> None:
    older, newer = (server.memory.remember(f"Alex lives in {town}", user="alex").id for town in ("Lisbon", "Faro"))
    asked = Question(
        id="question_1", space="main", user="alex", text="Which?", older=older, newer=newer, created_at=START
    )
    server.memory.store.write(lambda t: t.conversations.ask(asked))
    browser = sign_in(server)
    place = page.format(record=older)
    shown = browser.get(place)
    version = [part.split('"')[0] for part in shown.text.split('name="version" value="')[1:2]]
    form = {"csrf_token": token_of(shown.text), "next": place, "version": html.unescape("".join(version)), **given}
    answer = browser.post(action.format(record=older), data=form)
    assert answer.status_code == 422
    assert f'<span class="msg" id="{field}-m">{said}' in answer.text and f'<a href="#{field}">' in answer.text
    assert f'id="{field}"' in answer.text and "<title>Error:" in answer.text
    for typed in ("sam", "-1"):
        assert typed not in given.values() or f'value="{typed}"' in answer.text
    for chosen in ("coding", "admin"):
        wanted = answer.text.count("selected>coding") + answer.text.count('value="admin" selected')
        assert chosen not in given.values() or wanted == 1


def test_a_problem_of_another_sort_keeps_its_own_page(server: Serving) -> None:
    browser = sign_in(server)
    token = token_of(browser.get("/").text)
    gone = browser.post("/records/fact_none/pin", data={"csrf_token": token, "next": "/browse"})
    assert gone.status_code == 404
    for place in ("https://evil.example/", "//evil.example", "/v1/stats", "/nowhere", ""):
        answer = browser.post("/remember", data={"csrf_token": token, "next": place, "text": BLANK})
        assert answer.status_code == 422 and "Write what to remember" in answer.text


def test_a_correction_that_is_refused_shows_what_was_typed(server: Serving) -> None:
    kept = server.memory.remember("Alex likes tea", user="alex")
    browser = sign_in(server)
    place = f"/records/{kept.id}/correct"
    shown = browser.get(place).text
    version = html.unescape(shown.split('name="version" value="')[1].split('"')[0])
    form = {"csrf_token": token_of(shown), "version": version, "text": "tea " * 20_000}
    answer = browser.post(place, data=form)
    assert answer.status_code == 413 and "tea tea tea" in answer.text and 'aria-invalid="true"' in answer.text
