"""What people do on the pages that show what an agent sees, people, names, time, reports, code and settings."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ManualClock
from tests.pages.conftest import NOW, Look, OpenLook
from tests.server.serving import Serving, serving
from toldonce import Memory
from toldonce.server.sample import ensure_sample, sample_person, sample_space

MARTA = sample_person()
AXE = (Path(__file__).parents[1] / "data" / "axe" / "axe-4.14.0.min.js").read_text(encoding="utf-8")
RULES = "['wcag2a','wcag2aa','wcag21a','wcag21aa','wcag22aa','best-practice']"
MESSAGE = "/agent?message=what+can+Clara+eat%3F"
PLACES = (
    "/agent", MESSAGE, f"{MESSAGE}&view=left", f"{MESSAGE}&view=compare&other=2026-10-01T10:00",
    f"{MESSAGE}&view=plain",
    "/people", "/people/Clara", "/people/marta/erase", "/entities", "/timeline", "/reports", "/questions", "/review",
    "/settings", "/settings/spaces", "/settings/members", "/settings/consent", "/settings/quotas", "/settings/keys",
    "/settings/models", "/settings/jobs", "/settings/backups", "/settings/data", "/code?space=paperboat", "/?tour=1",
)  # fmt: skip


def open_sample(path: Path) -> Memory:
    return Memory.open(path, space=sample_space(), clock=ManualClock(NOW), background=False)


@pytest.fixture(scope="session")
def sample_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ensure_sample(tmp_path_factory.mktemp("world") / "sample", now=NOW)


@pytest.fixture(scope="session")
def world(sample_file: Path) -> Iterator[Serving]:
    """A server over the sample that no test changes."""
    with open_sample(sample_file) as memory, serving(memory) as running:
        yield running


@pytest.fixture
def own_world(sample_file: Path, tmp_path: Path) -> Iterator[Serving]:
    """A server over a sample of this test alone."""
    shutil.copyfile(sample_file, tmp_path / "memory.db")
    with open_sample(tmp_path / "memory.db") as memory, serving(memory) as running:
        yield running


def toast(view: Look) -> str:
    return str(view.page.locator("#toast .toast > span").inner_text())


# What would the agent see?


def test_a_message_shows_the_exact_block_with_tokens_and_reasons(world: Serving, look: OpenLook) -> None:
    view = look(world, person=MARTA)
    view.open("/agent")
    view.page.get_by_label("Message", exact=True).fill("what can Clara eat?")
    view.page.get_by_role("button", name="Show", exact=True).click()
    view.page.locator("#h-budget").wait_for()
    expected = world.memory.context("what can Clara eat?", MARTA, counted=False)
    lines = view.page.locator(".block .ln").all_text_contents()
    assert "\n".join(lines) == expected.text
    assert view.page.locator("#h-budget strong").inner_text() == str(expected.tokens)
    costs = [int(one.split()[0]) for one in view.page.locator(".block .tk").all_inner_texts()]
    assert sum(costs) == expected.tokens
    chances = view.page.locator(".block .ch").all_inner_texts()
    assert [bool(one) for one in chances] == [line.chance is not None for line in expected.lines]
    assert any(one.endswith("%") for one in chances)
    assert "message=what%20can%20Clara%20eat" in view.place()


def test_enter_in_the_message_shows_the_block(world: Serving, look: OpenLook) -> None:
    view = look(world, person=MARTA)
    view.open("/agent")
    view.page.get_by_label("Message", exact=True).fill("what can Clara eat?")
    view.page.get_by_label("Message", exact=True).press("Enter")
    view.page.locator("#h-budget").wait_for()


def test_a_reason_leads_to_the_record_behind_the_line(world: Serving, look: OpenLook) -> None:
    view = look(world, person=MARTA)
    view.open(MESSAGE)
    row = view.page.locator(".block tr", has_text="cashews").first
    row.locator(".because a").first.click()
    view.page.wait_for_url("**/records/*")
    assert "cashews" in view.page.locator("h1").inner_text()


def test_it_says_how_the_message_was_read(world: Serving, look: OpenLook) -> None:
    view = look(world, person=MARTA)
    view.open(MESSAGE)
    reading = view.page.locator(".budget .why").inner_text()
    assert "Read as" in reading and "Clara" in reading and "is a question" in reading


def test_what_was_left_out_has_a_cause_and_a_link(world: Serving, look: OpenLook) -> None:
    view = look(world, person=MARTA)
    view.open(MESSAGE)
    view.page.get_by_role("link", name=re.compile("Left out")).click()
    view.page.locator(".out").wait_for()
    causes = set(view.page.locator(".out .badge").all_inner_texts())
    assert causes and causes <= {"Below the line", "Too weak", "Replaced", "Expired", "No room", "Said already"}
    chances = view.page.locator(".out .ch").all_inner_texts()
    assert chances and all(one.endswith("%") for one in chances if one)
    assert "view=left" in view.place()


def test_a_smaller_budget_leaves_lines_without_room(world: Serving, look: OpenLook) -> None:
    view = look(world, person=MARTA)
    view.open(f"{MESSAGE}&budget=220&view=left")
    assert "No room" in view.page.locator(".out .badge").all_inner_texts()
    assert int(view.page.locator("#h-budget strong").inner_text()) <= 220


def test_another_moment_is_compared_line_by_line(world: Serving, look: OpenLook) -> None:
    view = look(world, person=MARTA)
    view.open(f"{MESSAGE}&view=compare")
    view.page.get_by_label("What would it have seen at this moment?").fill("2026-10-01T10:00")
    view.page.get_by_role("button", name="Compare", exact=True).click()
    view.page.locator(".diff").wait_for()
    assert any("cashews" in one for one in view.page.locator(".diff .added").all_inner_texts())
    assert view.page.locator(".diff .same").count() > 0


def test_the_plain_text_can_be_copied_and_downloaded(world: Serving, look: OpenLook) -> None:
    view = look(world, person=MARTA, permissions=["clipboard-read", "clipboard-write"])
    view.open(f"{MESSAGE}&view=plain")
    text = view.page.locator("#block-text").text_content()
    view.page.get_by_role("button", name="Copy the text").click()
    view.page.locator("[data-copy].on").wait_for()
    assert view.page.evaluate("navigator.clipboard.readText()") == text
    with view.page.expect_download() as download:
        view.page.get_by_role("link", name="Download", exact=True).click()
    assert Path(download.value.path()).read_text(encoding="utf-8") == text


def test_a_wrong_budget_is_told_and_what_was_typed_stays(world: Serving, look: OpenLook) -> None:
    view = look(world, person=MARTA)
    view.allowed = ["422"]
    view.page.goto(f"{world.url}{MESSAGE}&budget=many")
    assert "whole number" in view.page.get_by_role("alert").first.inner_text()
    assert view.page.get_by_label("Message", exact=True).input_value() == "what can Clara eat?"


def test_looking_counts_no_use_and_writes_nothing(own_world: Serving, look: OpenLook) -> None:
    before = {one.id: one.access_count for one in own_world.memory.review.records(MARTA, limit=500)}
    view = look(own_world, person=MARTA)
    view.open(MESSAGE)
    own_world.memory.engine.flush_notes()
    after = {one.id: one.access_count for one in own_world.memory.review.records(MARTA, limit=500)}
    assert after == before


def test_somebody_else_sees_nothing_of_a_private_block(own_world: Serving, look: OpenLook) -> None:
    own_world.memory.observe("Bia likes the sea", "bia", session="b")
    view = look(own_world, person="bia")
    view.open(f"{MESSAGE}&person=marta")
    body = view.page.locator("#result").inner_text()
    assert "The block is empty" in body and "cashews" not in body and "Clara" not in body
    view.open(f"{MESSAGE}&person=marta&view=left")
    assert "Nothing was left out" in view.page.locator("#result").inner_text()


def test_a_plain_person_may_not_ask_for_the_block_of_another(own_world: Serving, look: OpenLook) -> None:
    view = look(own_world, signed_in=False)
    view.sign_in("bia", rights=("read", "write"), is_owner=False)
    view.allowed = ["403"]
    answer = view.page.goto(f"{own_world.url}{MESSAGE}&person=marta")
    assert answer is not None and answer.status == 403


# People


def test_every_line_of_a_profile_leads_to_its_source(world: Serving, look: OpenLook) -> None:
    view = look(world, person=MARTA)
    view.open("/people")
    assert view.page.locator("h1").inner_text() == "Marta"
    lines = view.page.locator(".prof li").count()
    assert lines == view.page.locator(".prof li .src a").count() > 10
    view.page.locator(".prof li .src a").first.click()
    view.page.wait_for_url("**/records/*")


def test_somebody_who_never_spoke_has_a_profile_of_what_was_said(world: Serving, look: OpenLook) -> None:
    view = look(world, person=MARTA)
    view.open("/people")
    view.page.get_by_role("link", name=re.compile("^C Clara|^Clara")).click()
    view.page.wait_for_url("**/people/Clara")
    assert "cashews" in view.page.locator("#profile").inner_text()


def test_a_line_is_removed_and_comes_back_by_undo(own_world: Serving, look: OpenLook) -> None:
    view = look(own_world, person=MARTA)
    view.open("/people")
    view.page.get_by_role("button", name="Remove: The doctor said Clara").click()
    view.page.wait_for_selector("#toast .toast")
    assert "cashews" not in view.page.locator("#profile").inner_text()
    view.page.locator("#toast").get_by_role("button", name="Undo").click()
    view.page.locator(".toast", has_text="Undone").wait_for()


def test_consent_is_withdrawn_and_given_again(own_world: Serving, look: OpenLook) -> None:
    view = look(own_world, person=MARTA)
    view.open("/people")
    view.page.get_by_role("button", name="Stop remembering").click()
    view.page.get_by_role("button", name="Remember again").wait_for()
    assert own_world.memory.people.is_kept_out(MARTA)
    view.page.get_by_role("button", name="Remember again").click()
    view.page.get_by_role("button", name="Stop remembering").wait_for()
    assert [one.is_given for one in own_world.memory.people.consents(MARTA)] == [True, False, True]


def test_everything_of_a_person_is_erased_with_a_receipt(own_world: Serving, look: OpenLook) -> None:
    view = look(own_world, person=MARTA)
    view.open("/people/marta/erase")
    # Who erased themselves is signed out: the stream of events ends.
    view.allowed = ["422", "401"]
    view.page.get_by_label("Type marta to confirm").fill("Martha")
    view.page.get_by_role("button", name="Erase for good").click()
    view.page.get_by_role("alert").filter(has_text="Type exactly marta").wait_for()
    view.page.get_by_label("Type marta to confirm").fill("marta")
    view.page.get_by_role("button", name="Erase for good").click()
    view.page.get_by_role("heading", name="Receipt of the erasure").wait_for()
    assert "Traces found" in view.page.locator("main").inner_text()
    assert own_world.memory.review.records(MARTA, limit=5) == []


def test_a_person_downloads_what_is_known_of_them(world: Serving, look: OpenLook) -> None:
    view = look(world, person=MARTA)
    view.open("/people")
    with view.page.expect_download() as download:
        view.page.get_by_role("link", name="Export").click()
    assert "cashews" in Path(download.value.path()).read_text(encoding="utf-8")


# Entities, timeline, reports


def test_the_picture_of_names_is_explored_by_clicking(world: Serving, look: OpenLook) -> None:
    view = look(world, person=MARTA)
    view.open("/entities")
    view.page.locator(".graph a", has_text="Clara").click()
    view.page.wait_for_url("**/entities?name=Clara")
    assert view.page.locator("#h-one").inner_text() == "Clara"
    assert view.page.locator(".graph a[aria-current] text").text_content() == "Clara"
    assert "cashews" in view.page.locator("#entity .rows").inner_text()
    listed = view.page.locator("[aria-labelledby=h-together] + *, [aria-labelledby=h-together] a").count()
    assert listed > 0


def test_a_name_that_nobody_mentioned_is_told(world: Serving, look: OpenLook) -> None:
    view = look(world, person=MARTA)
    view.open("/entities?name=Atlantis")
    assert "Atlantis is not mentioned" in view.page.locator("main").inner_text()


def test_the_timeline_is_narrowed_by_what_and_when(world: Serving, look: OpenLook) -> None:
    view = look(world, person=MARTA)
    view.open("/timeline")
    view.page.get_by_label("What", exact=True).select_option("changed")
    view.page.wait_for_url("**/timeline?what=changed*")
    assert view.page.locator(".time ins").count() > 0
    view.open("/timeline?since=2026-11-10&until=2026-11-12")
    days = view.page.locator("main section h2").all_inner_texts()
    assert days and all(re.match(r"1[012] November 2026", day) for day in days)


def test_a_report_is_written_kept_and_downloaded(own_world: Serving, look: OpenLook) -> None:
    view = look(own_world, person=MARTA)
    view.open("/reports")
    view.page.get_by_label("About").select_option("appointment")
    view.page.get_by_role("button", name="Write", exact=True).click()
    view.page.get_by_role("button", name="Keep this report").click()
    view.page.wait_for_selector("#toast .toast")
    assert toast(view) == "The report is kept"
    with view.page.expect_download() as download:
        view.page.get_by_role("link", name="Download as Markdown").click()
    assert Path(download.value.path()).read_text(encoding="utf-8").startswith("# ")


# Questions and review


def test_a_question_is_answered_on_its_page(own_world: Serving, look: OpenLook) -> None:
    view = look(own_world, person=MARTA)
    view.open("/questions")
    view.page.get_by_role("button", name=re.compile("^The first")).click()
    view.page.get_by_role("heading", name="No open questions").wait_for()
    assert own_world.memory.questions(MARTA) == []


def test_neither_statement_is_true_and_the_person_says_what_is(own_world: Serving, look: OpenLook) -> None:
    view = look(own_world, person=MARTA)
    view.open("/questions")
    view.page.get_by_text("Neither").click()
    view.page.get_by_label("What is true instead").fill("Marta eats fish but no meat")
    view.page.get_by_role("button", name="Save").click()
    view.page.get_by_role("heading", name="No open questions").wait_for()
    assert "Marta eats fish but no meat" in [one.text for one in own_world.memory.review.records(MARTA, limit=20)]


def test_proposals_are_accepted_refused_and_taken_back(own_world: Serving, look: OpenLook) -> None:
    view = look(own_world, person=MARTA)
    view.open("/review")
    view.page.get_by_role("button", name=re.compile("^Accept ?: Marta prefers oak")).click()
    view.page.locator(".toast", has_text="Accepted 1 proposal").wait_for()
    view.page.get_by_role("button", name=re.compile("^Refuse ?: Iago works")).click()
    view.page.locator(".toast", has_text="Refused 1 proposal").wait_for()
    left = [one.text for one in own_world.memory.review.waiting(user=MARTA)]
    assert left == ["Marta and Inês call each other every Sunday evening"]


def test_all_proposals_are_accepted_at_once(own_world: Serving, look: OpenLook) -> None:
    view = look(own_world, person=MARTA)
    view.open("/review")
    view.page.get_by_role("button", name="Accept all 3").click()
    view.page.get_by_role("heading", name="Nothing to review").wait_for()
    assert own_world.memory.review.waiting(user=MARTA) == []


# Code and settings


def test_the_code_page_shows_modules_warnings_by_file_and_sessions(world: Serving, look: OpenLook) -> None:
    view = look(world, person=MARTA)
    view.open("/code?space=paperboat")
    main = view.page.locator("main").inner_text()
    for words in ("src/api/", "Well known", "src/orders/pricing.py", "integers in cents", "uv run pytest", "rounding"):
        assert words in main, words
    view.page.locator("summary", has_text="src/storage/").click()
    assert view.page.get_by_text("PostgreSQL tables, migrations and the outbox").is_visible()


def test_what_finding_the_way_cost_is_a_chart_and_a_table(world: Serving, look: OpenLook) -> None:
    view = look(world, person=MARTA)
    view.open("/code?space=paperboat")
    assert view.page.locator(".chart rect.k1").count() == 8
    assert view.page.locator(".chart rect.k0").count() == 4
    figures = view.page.locator("[aria-labelledby=h-figures]")
    figures.get_by_text("Show as a table").click()
    assert figures.locator("tbody tr").count() == 12
    assert "20,150" in figures.inner_text()


def test_code_is_in_the_bar_only_where_there_is_code(world: Serving, look: OpenLook) -> None:
    view = look(world, person=MARTA)
    assert view.page.get_by_role("link", name="Code", exact=True).count() == 0
    view.page.locator("details.spaces summary").click()
    view.page.get_by_role("button", name="paperboat").click()
    view.page.get_by_role("link", name="Code", exact=True).wait_for()


def test_a_key_is_made_shown_once_and_revoked(own_world: Serving, look: OpenLook) -> None:
    view = look(own_world, person=MARTA)
    view.open("/settings/keys")
    view.page.get_by_label("Name").fill("laptop")
    view.page.get_by_label("Person").fill("marta")
    view.page.get_by_role("button", name="Make a key").click()
    secret = view.page.locator("#secret").inner_text()
    assert own_world.memory.keys.identify(secret) is not None
    view.open("/settings/keys")
    assert secret not in view.page.content()
    view.page.get_by_role("button", name=re.compile("^Revoke")).click()
    view.page.locator(".badge", has_text="revoked").wait_for()
    assert own_world.memory.keys.identify(secret) is None


def test_a_space_is_added_and_switched_off(own_world: Serving, look: OpenLook) -> None:
    view = look(own_world, person=MARTA)
    view.open("/settings/spaces")
    view.page.get_by_label("Name").fill("workshop")
    view.page.get_by_role("button", name="Add", exact=True).click()
    view.page.get_by_role("button", name="Switch off of the space workshop").click()
    view.page.get_by_role("button", name="Switch on of the space workshop").wait_for()
    space = next(one for one in own_world.memory.spaces.all() if one.name == "workshop")
    assert not space.enabled


def test_a_member_gets_a_role_and_loses_it(own_world: Serving, look: OpenLook) -> None:
    view = look(own_world, person=MARTA)
    view.open("/settings/members")
    for name, role in (("marta", "owner"), ("iago", "member")):
        view.page.get_by_label("Person").fill(name)
        view.page.get_by_label("Role").select_option(role)
        view.page.get_by_role("button", name="Add", exact=True).click()
        view.page.get_by_role("button", name=f"Remove the role of {name}").wait_for()
    assert own_world.memory.people.members() == {"marta": "owner", "iago": "member"}
    view.page.get_by_role("button", name="Remove the role of iago").click()
    view.page.locator(".toast", has_text="taken away").wait_for()
    assert own_world.memory.people.members() == {"marta": "owner"}


def test_quotas_jobs_and_backups_are_set_run_and_made(own_world: Serving, look: OpenLook) -> None:
    view = look(own_world, person=MARTA)
    view.open("/settings/quotas")
    view.page.get_by_label("Records of a person").fill("5000")
    view.page.get_by_role("button", name="Save").click()
    view.page.locator(".toast", has_text="quotas are set").wait_for()
    assert own_world.memory.spaces.quota().records_per_person == 5000
    view.open("/settings/backups")
    view.page.get_by_role("button", name="Make a backup now").click()
    view.page.locator("code", has_text=".bak.1").wait_for()
    view.open("/settings/jobs")
    view.page.get_by_role("button", name="Run what is due").click()
    view.page.locator(".toast", has_text="has run").wait_for()


def test_language_theme_and_keys_are_chosen_on_the_settings_page(own_world: Serving, look: OpenLook) -> None:
    view = look(own_world, person=MARTA)
    view.open("/settings/view")
    view.page.locator("#s-language").select_option("pt")
    view.page.get_by_role("button", name="Save").click()
    view.page.get_by_role("heading", name="Definições").wait_for()
    assert view.page.locator("html").get_attribute("lang") == "pt"


def test_the_tour_leads_through_five_pages(world: Serving, look: OpenLook) -> None:
    view = look(world, person=MARTA)
    view.open("/?tour=1")
    seen = [view.page.locator(".tour h2").inner_text()]
    for _ in range(4):
        view.page.locator(".tour").get_by_role("link", name="Next").click()
        view.page.locator(".tour h2", has_text=f"Step {len(seen) + 1} of 5").wait_for()
        seen.append(view.page.locator(".tour h2").inner_text())
    assert seen == [f"Step {place} of 5" for place in range(1, 6)]
    assert view.page.locator(".tour").get_by_role("link", name="Next").count() == 0
    view.page.get_by_role("link", name="End the tour").click()
    assert view.page.locator(".tour").count() == 0


def test_a_part_of_the_settings_that_is_not_theirs_is_refused(own_world: Serving, look: OpenLook) -> None:
    view = look(own_world, signed_in=False)
    view.sign_in("bia", rights=("read", "write"), is_owner=False)
    view.allowed = ["403"]
    view.open("/settings")
    assert view.page.get_by_role("link", name="Keys", exact=True).count() == 0
    answer = view.page.goto(f"{own_world.url}/settings/keys")
    assert answer is not None and answer.status == 403


# What holds for all of them


def serious_faults(view: Look) -> list[Any]:
    view.page.evaluate(AXE)
    found = view.page.evaluate(f"axe.run(document, {{runOnly: {RULES}}})")
    return [
        (one["id"], one["nodes"][0]["html"][:200])
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_page_has_a_serious_accessibility_fault(world: Serving, look: OpenLook, theme: str) -> None:
    view = look(world, person=MARTA, color_scheme=theme)
    faults = {}
    for place in PLACES:
        view.page.goto(world.url + place)
        if found := serious_faults(view):
            faults[place] = found
    assert faults == {}


@pytest.mark.parametrize("language", ["en-GB", "pt-PT", "es-ES"])
def test_no_page_scrolls_sideways_or_shows_a_key_of_a_sentence(world: Serving, look: OpenLook, language: str) -> None:
    view = look(world, person=MARTA, locale=language)
    wide = []
    for place in PLACES:
        for width in (390, 1280):
            view.page.set_viewport_size({"width": width, "height": 900})
            view.page.goto(world.url + place)
            if view.page.evaluate("document.documentElement.scrollWidth") > width:
                wide.append((place, width))
    assert wide == []


def test_text_with_markup_renders_as_text_everywhere(own_world: Serving, look: OpenLook) -> None:
    nasty = "Clara said <script>alert(1)</script><img src=x onerror=alert(2)> \u202e and {{ 7*7 }}"
    own_world.memory.remember(nasty, "fact", user=MARTA)
    view = look(own_world, person=MARTA)
    for place in (MESSAGE, "/people/Clara", "/entities?name=Clara", "/timeline"):
        view.open(place)
        assert view.page.locator("main script, main img").count() == 0, place
        assert "49" not in view.page.locator("main").inner_text().split("Clara said")[-1][:60]


def test_pages_work_without_script(own_world: Serving, look: OpenLook) -> None:
    view = look(own_world, person=MARTA, java_script_enabled=False)
    view.page.goto(f"{own_world.url}/agent")
    view.page.get_by_label("Message", exact=True).fill("what can Clara eat?")
    view.page.get_by_role("button", name="Show", exact=True).click()
    assert "cashews" in view.page.locator(".block").inner_text()
    view.page.goto(f"{own_world.url}/review")
    view.page.get_by_role("button", name=re.compile("^Accept ?: Marta prefers oak")).click()
    assert "Accepted 1 proposal" in view.page.locator("#toast").inner_text()
