"""What every page keeps to: accessible, within the screen in every language, and remembered text is only ever text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ManualClock
from tests.pages.conftest import NOW, Look, OpenLook
from tests.pages.test_ground import sign_in, token_of
from tests.server.serving import Serving, serving
from toldonce import Memory
from toldonce.server.pages.table import PAGES

AXE = Path(__file__).parents[1] / "data" / "axe" / "axe-4.14.0.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WIDTHS = (390, 1280)
HOSTILE = {
    "script": "<script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">",
    "attribute": "\"><svg/onload=alert(1)> ' onmouseover='alert(1) x='",
    "template": "{{ 7 * 7 }} {% include 'base.html' %} ${7*7} <!-- -->",
    "direction": "\u202eevil\u202c \u2067mirrored\u2069 שלום עולם",
    "long": "x" * 100_000,
    "link": "javascript:alert(1) data:text/html,<b>x</b> https://evil.example/<b>",
}


def sample_paths(server: Serving) -> list[str]:
    """One address of every page that shows something."""
    kept = server.memory.review.records("alex", derived=True, limit=500)
    record = next(r for r in kept if "cashews" in r.text)
    replaced = server.memory.review.records("alex", states=["superseded"], limit=1)[0]
    known = {
        "/records/{record_id}": [f"/records/{record.id}?q=Clara&ask=what+can+Clara+eat", f"/records/{replaced.id}"],
        "/browse": ["/browse", "/browse?q=Clara&history=1&confidence=medium", "/browse?q=zzzz&area=finance"],
        "/browse/export": [],
    }
    paths = [known.get(page.path, [page.path.replace("{record_id}", record.id)]) for page in PAGES]
    files = ("/agent/block.txt", "/reports/download")
    return [path for group in paths for path in group if "{" not in path and path not in files]


def faults_of(view: Look) -> list[str]:
    """What axe finds in the page that is shown, of what keeps people out."""
    view.page.evaluate(AXE.read_text(encoding="utf-8"))
    result = view.page.evaluate(f"axe.run(document, {{runOnly: {RULES}, resultTypes: ['violations']}})")
    return [
        f"{view.place()}: {found['id']} ({found['impact']}) {found['nodes'][0]['html'][:160]}"
        for found in result["violations"]
        if found["impact"] in ("serious", "critical", "moderate")
    ]


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
def test_pages_have_no_accessibility_fault(sample: Serving, look: OpenLook, width: int, scheme: str) -> None:
    view = look(sample, viewport={"width": width, "height": 900}, color_scheme=scheme)
    paths, faults = sample_paths(sample), []
    # Each page once, on a phone or on a desk; what people see most on both.
    for path in {*paths[:2], *paths[width == 390 :: 2]}:
        view.open(path)
        faults += faults_of(view)
    assert faults == []


@pytest.mark.parametrize("language", ["en", "pt", "es"])
def test_no_page_scrolls_sideways_in_any_language(sample: Serving, look: OpenLook, language: str) -> None:
    view = look(sample, locale=language)
    wide = []
    for path in sample_paths(sample):
        view.page.goto(sample.url + path)
        for width in (*WIDTHS, 320):
            view.page.set_viewport_size({"width": width, "height": 900})
            over = view.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
            wide += [f"{path} at {width}: {over}"] if over > 0 else []
    assert view.page.locator("html").get_attribute("lang") == language
    assert wide == []


def test_the_page_for_signed_out_visitors_is_accessible_too(sample: Serving, look: OpenLook) -> None:
    view = look(sample, signed_in=False, viewport={"width": 390, "height": 800})
    view.allowed.append("401")
    view.page.goto(sample.url)
    assert "Please sign in" in view.page.locator("h1").inner_text() and faults_of(view) == []


def test_every_stop_of_the_tab_key_is_visible(sample: Serving, look: OpenLook) -> None:
    view = look(sample)
    view.open("/browse")
    outlined = "getComputedStyle(document.activeElement).outlineStyle"
    for _ in range(12):
        view.page.keyboard.press("Tab")
        box = view.page.evaluate("(() => document.activeElement.tagName)()")
        assert box == "BODY" or view.page.evaluate(outlined) != "none"


# Remembered text is text


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A memory full of texts that would like to be something else."""
    place = tmp_path_factory.mktemp("hostile") / "memory.db"
    with Memory.open(place, preset="life", clock=ManualClock(NOW), background=False) as memory:
        for name, text in HOSTILE.items():
            said = memory.observe(
                f"{text[:50_000]} said", user="alex", session=f"<b>{name}</b>", display_name="<i>Alex</i>"
            )
            kept = text[:8_000] if name == "long" else text
            source = getattr(said, "id", None)
            memory.remember(
                kept, "memory", user="alex", source=source, title="<u>x</u>", tags=["<s>"], metadata={"area": "health"}
            )
        with serving(memory) as running:
            yield running


def test_hostile_text_is_shown_as_text_on_every_page(hostile: Serving, look: OpenLook) -> None:
    view = look(hostile)
    kept = hostile.memory.review.records("alex", derived=True, limit=50)
    paths = ["/", "/browse", "/browse?kind=message", "/browse?q=%3Cscript%3Ealert(1)%3C%2Fscript%3E%22%27"]
    for path in [*paths, *(f"/records/{one.id}" for one in kept), f"/records/{kept[0].id}/correct"]:
        view.open(path)
        assert view.page.title() != "taken"
        assert (
            view.page.locator("main :is(script, iframe, object, b b, [onerror], [onload], [onmouseover])").count() == 0
        )
        assert view.page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0


def test_a_very_long_text_is_folded_and_can_be_opened(hostile: Serving, look: OpenLook) -> None:
    view = look(hostile, viewport={"width": 390, "height": 800})
    long = next(r for r in hostile.memory.review.records("alex", derived=True, limit=50) if r.text.startswith("xxx"))
    view.open(f"/records/{long.id}")
    view.page.get_by_text("Show all 8,000 characters").click()
    assert view.page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0


def test_an_export_escapes_what_would_be_markup(hostile: Serving) -> None:
    text = sign_in(hostile).get("/browse/export?q=script").text
    assert "<script>" not in text and "\\<script\\>" in text


# Attacks


def test_no_page_can_be_framed_by_another(sample: Serving, chromium: Any) -> None:
    """A page of another origin shows nothing of ours in a frame."""
    context = chromium.new_context()
    page = context.new_page()
    page.set_content(f'<iframe src="{sample.url}/browse"></iframe>')
    page.wait_for_load_state("networkidle")
    frame = page.frames[1] if len(page.frames) > 1 else None
    assert frame is None or not frame.url.startswith(sample.url) or "Clara" not in frame.content()
    context.close()


def test_another_site_cannot_send_a_form_as_the_person(life: Serving) -> None:
    """Neither without the session's token nor with the origin of another site."""
    browser = sign_in(life)
    record = life.memory.review.records("alex", derived=True, limit=1)[0]
    token = token_of(browser.get("/").text)
    path = f"/records/{record.id}/forget"
    assert browser.post(path, data={"next": "/"}).status_code == 403
    assert browser.post(path, data={"csrf_token": token}, headers={"Origin": "https://evil.example"}).status_code == 403
    assert browser.post(path, data={"csrf_token": token}, headers={"Origin": "null"}).status_code == 403
    assert life.memory.get(record.id).state == "active"
    for page in PAGES:
        assert browser.get(page.path.replace("{record_id}", record.id)).status_code < 500
    assert life.memory.get(record.id).state == "active"


def test_a_session_that_somebody_planted_is_never_taken_over(life: Serving) -> None:
    """Signing in always makes a new cookie."""
    browser = life.client(None, Accept="text/html")
    browser.cookies.set("toldonce_session", "planted-by-somebody")
    signed = sign_in(life)
    assert signed.cookies["toldonce_session"] != "planted-by-somebody"
    assert browser.get("/").status_code == 401


def test_a_person_sees_neither_records_nor_counts_of_another(life: Serving) -> None:
    sam = sign_in(life, "sam", rights=("read", "write"), is_owner=False)
    record = life.memory.review.records("alex", derived=True, limit=1)[0]
    assert sam.get(f"/records/{record.id}").status_code == 404
    shown = "".join(sam.get(path).text for path in ("/", "/browse", "/browse?state=superseded", "/browse/export"))
    assert "Clara" not in shown and "Maré" not in shown
    token = token_of(sam.get("/").text)
    for act in ("confirm", "pin", "flag", "forget", "restore", "share", "purge", "correct"):
        data = {"csrf_token": token, "visibility": "project", "text": "x", "sure": "yes"}
        assert sam.post(f"/records/{record.id}/{act}", data=data).status_code == 404
    undo = sam.post("/undo/forget", data={"csrf_token": token, "record": record.id})
    assert undo.status_code == 404 and life.memory.get(record.id) == record


def test_a_read_only_credential_sees_no_act_and_can_do_none(life: Serving) -> None:
    reader = sign_in(life, rights=("read",), is_owner=False, role="agent")
    record = life.memory.review.records("alex", derived=True, limit=1)[0]
    page = reader.get(f"/records/{record.id}").text
    assert "do-forget" not in page and "/purge" not in page
    data = {"csrf_token": token_of(page)}
    assert reader.post(f"/records/{record.id}/forget", data=data).status_code == 403
    assert reader.get(f"/records/{record.id}/correct").status_code == 403


@pytest.mark.parametrize(
    "cookie", ["x", "%5B1%5D", "%5B%22forgot%22%2C1%2C%5B%22nope%22%5D%2C%22%22%2C%7B%7D%5D", "%7B"]
)
def test_a_cookie_that_is_not_ours_does_no_harm(life: Serving, cookie: str) -> None:
    browser = sign_in(life)
    browser.cookies.set("toldonce_done", cookie)
    browser.cookies.set("toldonce_view", cookie)
    browser.cookies.set("toldonce_space", cookie)
    assert browser.get("/").status_code == 200
