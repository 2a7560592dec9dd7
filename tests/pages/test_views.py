"""Parts of pages that need no browser: reports as HTML, the picture of names, comparisons, and text that is hostile."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.conftest import OpenMemory
from tests.pages.test_ground import sign_in, token_of
from tests.server.serving import Serving, serving
from toldonce.records import DocumentEntry
from toldonce.server.pages.agent import compare_blocks, draw_bar
from toldonce.server.pages.reports import render_markdown
from toldonce.storage import lifecycle


@pytest.fixture
def server(open_memory: OpenMemory) -> Iterator[Serving]:
    with serving(open_memory("life")) as running:
        yield running


def test_a_report_has_headings_lists_and_links_to_its_sources() -> None:
    text = "# Title\n\n## New\n\n- **Bold** fact [1]\n\n## Sources\n\n1. fact_1k00jvwr0g8ab3p1tky1t, 11 November"
    html = render_markdown(text)
    assert "Title" not in html
    assert "<h3>" in html and "<b>Bold</b>" in html and "<sup>1</sup>" in html
    assert '<ol><li><bdi translate="no"><a href="/records/fact_1k00jvwr0g8ab3p1tky1t">' in html


def test_a_report_cannot_bring_markup_of_its_own() -> None:
    html = render_markdown("- <script>alert(1)</script> **<img src=x>**\n\n## <b onclick=x>")
    assert "<script" not in html and "<img" not in html and "onclick=x>" not in html.replace("&gt;", "")


def test_the_bar_fills_the_budget_and_names_every_section() -> None:
    sections = [{"heading": "## Known", "tokens": 30}, {"heading": "<profile>", "tokens": 50}]
    bar = draw_bar({"tokens": 100, "budget": 200, "sections": sections})
    assert [(part["name"], part["tokens"]) for part in bar] == [("Known", 30), ("profile", 50), ("", 20)]
    assert bar[-1]["x"] + bar[-1]["width"] <= 200


def test_blocks_of_two_moments_are_compared_by_line() -> None:
    rows = compare_blocks({"text": "a\nb\nc"}, {"text": "a\nx\nc"})
    assert [(row["change"], row["text"]) for row in rows] == [
        ("same", "a"),
        ("removed", "b"),
        ("added", "x"),
        ("same", "c"),
    ]


def test_a_profile_of_nobody_is_not_there(server: Serving) -> None:
    assert sign_in(server).get("/people/Atlantis").status_code == 404


def test_every_page_is_there_for_an_empty_memory(server: Serving) -> None:
    browser = sign_in(server)
    parts = ("view", "spaces", "members", "consent", "quotas", "keys", "models", "jobs", "backups", "data")
    places = ("/agent", "/people", "/timeline", "/entities", "/reports", "/questions", "/review", "/code", "/settings")
    for place in (*places, *(f"/settings/{part}" for part in parts)):
        assert browser.get(place).status_code == 200, place
    assert browser.get("/settings/nothing").status_code == 404


def test_an_act_without_its_token_is_refused(server: Serving) -> None:
    browser = sign_in(server)
    for path in ("/people/alex/erase", "/people/alex/consent", "/review/decide", "/settings/keys/add"):
        assert browser.post(path, data={"name": "alex", "given": "no"}).status_code == 403, path


def test_a_key_of_a_page_is_shown_once_and_is_in_no_address(server: Serving) -> None:
    browser = sign_in(server)
    token = token_of(browser.get("/settings/keys").text)
    made = browser.post("/settings/keys/add", data={"csrf_token": token, "name": "laptop", "user": "alex"})
    secret = re.search(r'id="secret">([^<]+)<', made.text)
    assert secret and secret[1] not in str(made.url)
    assert secret[1] not in browser.get("/settings/keys").text


def test_somebody_without_the_right_cannot_erase_another(server: Serving) -> None:
    server.memory.observe("My cat is called Miso", "alex")
    browser = sign_in(server, person="bo", rights=("read", "write"), is_owner=False)
    token = token_of(browser.get("/").text)
    answer = browser.post("/people/alex/erase", data={"csrf_token": token, "name": "alex"})
    assert answer.status_code == 403
    assert server.memory.review.records("alex")


def test_what_comes_from_a_journal_says_so_with_its_day(server: Serving) -> None:
    server.memory.journals.write("I have a cat called Miso", user="alex", on="2025-03-02", name="cat.md")
    server.memory.tend()
    browser = sign_in(server)
    listed = browser.get("/browse", params={"source": "journal"}).text
    assert "Miso" in listed
    assert re.search(r"Journal, <time[^>]*>(?:<[^>]*>)?[^<]*2025", listed)
    fact = next(one for one in server.memory.review.records("alex", derived=True) if "Miso" in one.text)
    shown = browser.get(f"/records/{fact.id}").text
    assert re.search(r"Journal, <time", shown)


def test_the_team_page_searches_every_space_that_the_person_may_read(server: Serving) -> None:
    memory, browser = server.memory, sign_in(server)
    assert 'href="/team"' not in browser.get("/").text, "one space needs no search over several"
    for space in ("shop", "site"):
        memory.spaces.add(space, preset="coding")
        memory.remember(f"Clear the cache of the {space}", "gotcha", user="sam", space=space, visibility="project")
    memory.remember("The cache of sam is private", "gotcha", user="sam", space="shop", visibility="private")
    assert 'href="/team"' in browser.get("/").text
    shown = browser.get("/team", params={"q": "cache"}).text
    assert "cache of the shop" in shown and "cache of the site" in shown
    memory.confirm(memory.remember("Menus load late", "gotcha", space="site", visibility="project", author="person").id)
    limited = sign_in(server, "nobody")
    assert "private" not in limited.get("/team", params={"q": "cache"}).text
    assert browser.get("/team", params={"q": "zebra crossing"}).status_code == 200


@pytest.mark.parametrize("answer, is_kept_out", [("yes", False), ("no", True)])
def test_a_person_is_asked_for_consent_before_anything_is_remembered(
    server: Serving, answer: str, is_kept_out: bool
) -> None:
    browser = sign_in(server)
    asked = browser.get("/").text
    assert 'id="h-consent"' in asked
    sent = {"csrf_token": token_of(asked), "given": answer, "next": "/"}
    assert 'id="h-consent"' not in browser.post("/people/alex/consent", data=sent).text
    (consent,) = server.memory.people.consents("alex")
    assert consent.is_given != is_kept_out and consent.wording
    assert server.memory.people.is_kept_out("alex") == is_kept_out


def test_what_was_doubted_or_ended_lately_is_brought_back_with_one_click(server: Serving) -> None:
    memory = server.memory
    older = [memory.remember(text, user="alex") for text in ("Alex works at Blue House", "Alex swims on Mondays")]
    newer = [memory.remember(text, user="alex") for text in ("Blue House lost a client", "Alex swims on Tuesdays")]
    at = memory.clock()
    memory.store.write(lambda t: lifecycle.doubt_record(t, older[0], newer[0], at=at, reason="a newer word"))
    memory.store.write(lambda t: lifecycle.supersede_record(t, older[1], newer[1], at=at, reason="judged"))
    browser = sign_in(server)
    page = browser.get("/review").text
    shown = page[page.index('id="ended"') :]
    assert all(one.text in shown for one in (*older, *newer)) and "Probably over" in shown
    listed = browser.get("/browse").text
    assert listed.index(newer[0].text) < listed.index(older[0].text) and listed.count(f'id="row-{older[0].id}"') == 1
    assert "Put in doubt by something newer" in browser.get(f"/records/{older[0].id}").text
    assert older[0].text in browser.get(f"/records/{newer[0].id}").text
    token = token_of(page)
    for one in older:
        assert browser.post(f"/records/{one.id}/restore", data={"csrf_token": token, "next": "/review"}).is_success
    assert {memory.get(one.id).state for one in (*older, *newer)} == {"active"}
    assert 'id="ended"' not in browser.get("/review").text


def test_a_profile_shows_what_is_doubted_under_the_newer_line(server: Serving) -> None:
    memory = server.memory
    porto = memory.remember("Alex lives in Porto", user="alex")
    gaia = memory.remember("Alex moved to Gaia", user="alex")
    entry = DocumentEntry(section="identity", text=porto.text, sources=(porto.id,), at=porto.at)
    memory.documents.change("user_memory", lambda d: replace(d, version=1, entries=(entry,)), owner="alex")
    at = memory.clock()
    memory.store.write(lambda t: lifecycle.doubt_record(t, porto, gaia, at=at, reason="a newer word"))
    shown = sign_in(server).get("/people/alex").text
    assert shown.index("moved to Gaia") < shown.index("probably over")
