"""What people do on Home, Browse and the page of a record, in a real browser."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pages.conftest import Look, OpenLook
from tests.server.serving import Serving

CAKE = "Clara wants a lemon cake for her birthday."


def record_of(server: Serving, text: str) -> Any:
    states = ["active", "proposed", "superseded", "forgotten", "flagged"]
    found = [r for r in server.memory.review.records(states=states, derived=True, limit=500) if r.text == text]
    assert found, f"there is no record {text!r}"
    return found[0]


def rows(view: Look) -> list[str]:
    return [one.inner_text() for one in view.page.query_selector_all("#hits .t")]


def toast(view: Look) -> str:
    return str(view.page.locator("#toast .toast > span").inner_text())


# Home


def test_home_shows_first_what_waits_for_the_person(sample: Serving, look: OpenLook) -> None:
    page = look(sample).page
    assert page.locator("h1").inner_text() == "Good evening, Alex"
    headings = page.locator("main h2:visible").all_inner_texts()
    assert headings[0] == "Waiting for you" and "Learned today" in headings
    assert page.locator(".areas a").count() == 8
    assert page.locator("#waiting blockquote").count() == 2


def test_a_question_is_answered_with_one_click(life: Serving, look: OpenLook) -> None:
    view = look(life)
    view.page.get_by_role("button", name="The second").click()
    view.page.get_by_role("heading", name="Nothing waits for you").wait_for()
    assert "Onda Labs" in toast(view)
    assert record_of(life, "Alex Moreira works at Onda Labs").state == "active"
    assert record_of(life, "Alex Moreira works at Maré Studio").state == "superseded"


def test_what_was_learned_today_is_confirmed_on_home_and_taken_back(life: Serving, look: OpenLook) -> None:
    view = look(life)
    view.page.get_by_role("button", name="Confirm: My rent is 1150").click()
    view.page.wait_for_selector("#toast .toast")
    assert record_of(life, "My rent is 1150 euros a month from December.").validated
    view.page.locator("#toast").get_by_role("button", name="Undo").click()
    view.page.locator(".toast", has_text="Undone").wait_for()
    assert not record_of(life, "My rent is 1150 euros a month from December.").validated


def test_something_written_down_on_home_is_remembered(life: Serving, look: OpenLook) -> None:
    view = look(life)
    view.page.get_by_label("Write something down").fill("Alex has a red umbrella")
    view.page.get_by_role("button", name="Remember", exact=True).click()
    view.page.wait_for_selector("#toast .toast")
    assert record_of(life, "Alex has a red umbrella").user == "alex"
    assert "Alex has a red umbrella" in view.page.locator("#learned").inner_text()


def test_the_chart_can_be_read_as_a_table(sample: Serving, look: OpenLook) -> None:
    page = look(sample).page
    page.get_by_text("Show as a table").click()
    assert page.locator("#activity tbody tr").count() == 12
    assert page.get_by_role("img", name="Messages, things learned").is_visible()


# Browse


def test_search_as_you_type_says_why_each_record_is_there(sample: Serving, look: OpenLook) -> None:
    view = look(sample)
    view.open("/browse")
    view.page.locator("#q").press_sequentially("lemon cake", delay=20)
    view.page.locator("#found", has_text="“lemon cake”").wait_for()
    assert rows(view)[0] == CAKE
    first = view.page.locator("#hits tbody tr").first
    assert first.locator(".why").inner_text().startswith("words: lemon, cake")
    assert first.locator("mark").all_inner_texts() == ["lemon", "cake"]
    assert view.place() == "/browse?q=lemon+cake"
    assert view.page.evaluate("document.activeElement.id") == "q"


def test_a_view_is_an_address_that_shows_the_same_again(sample: Serving, look: OpenLook) -> None:
    view = look(sample)
    view.open("/browse")
    view.page.get_by_label("Kind").select_option("person")
    view.page.wait_for_url("**/browse?kind=person")
    shown = rows(view)
    assert "Rita is Alex Moreira's sister" in shown and CAKE not in shown
    view.open(view.place())
    assert rows(view) == shown
    view.page.get_by_role("link", name="Remove the filter: Person").click()
    view.page.wait_for_url("**/browse")


def test_an_area_narrows_the_list_and_counts_follow_the_search(sample: Serving, look: OpenLook) -> None:
    view = look(sample)
    view.open("/browse?q=Clara")
    view.page.get_by_role("link", name="Leisure").click()
    view.page.wait_for_url("**/browse?q=Clara&area=leisure")
    chip = view.page.locator(".chips a[aria-current]")
    assert "Leisure" in chip.inner_text() and int(chip.locator(".num").inner_text()) == len(rows(view)) > 0


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("source=inferred", "Alex keeps Sunday mornings quiet"),
        ("confidence=high&kind=fact", "Alex Moreira weighs 74 kg"),
        ("state=superseded", "My rent is 1100 euros a month."),
        ("state=proposed", "Alex plays the cello on Tuesdays"),
        ("state=confirmed", "Alex Moreira works at Maré Studio"),
        ("when=day", "I work at Onda Labs now, since Monday."),
        ("visible=private&when=week", CAKE),
        ("kind=message&when=day", "From now on, please answer in short bullet points."),
    ],
)
def test_filters_find_what_they_name(sample: Serving, look: OpenLook, query: str, expected: str) -> None:
    view = look(sample)
    view.open(f"/browse?{query}")
    assert expected in rows(view)


def test_history_shows_what_was_replaced_below_its_successor(sample: Serving, look: OpenLook) -> None:
    view = look(sample)
    view.open("/browse?q=rent")
    assert "My rent is 1100 euros a month." not in rows(view)
    view.page.get_by_label("Show history").check()
    view.page.wait_for_url("**/browse?q=rent&history=1")
    shown = rows(view)
    assert (
        shown.index("My rent is 1100 euros a month.") == shown.index("My rent is 1150 euros a month from December.") + 1
    )
    assert "replaced on" in view.page.locator("tr.under .why").first.inner_text()


def test_more_records_are_added_below_without_moving_the_list(sample: Serving, look: OpenLook) -> None:
    view = look(sample)
    view.open("/browse")
    first = rows(view)
    assert len(first) == 25
    view.page.get_by_role("link", name="Show more").click()
    view.page.locator("#hits .t").nth(25).wait_for()
    assert rows(view)[:25] == first and len(set(rows(view))) == len(rows(view))
    assert view.place() == "/browse"


def test_several_records_are_forgotten_at_once_and_brought_back_at_once(life: Serving, look: OpenLook) -> None:
    view = look(life)
    view.open("/browse?q=Clara")
    assert not view.page.locator("#bulk").is_visible()
    for text in ("Select: Clara is Alex", f"Select: {CAKE}"):
        view.page.get_by_label(text).check()
    assert "2 selected" in view.page.locator("#bulk").inner_text()
    view.page.locator("#bulk").get_by_role("button", name="Forget").click()
    view.page.wait_for_selector("#toast .toast")
    assert toast(view) == "Forgot 2 records"
    assert record_of(life, CAKE).state == "forgotten"
    view.page.locator("#toast").get_by_role("button", name="Undo").click()
    view.page.locator(".toast", has_text="Undone").wait_for()
    assert record_of(life, CAKE).state == "active"


def test_selected_records_are_pinned(life: Serving, look: OpenLook) -> None:
    view = look(life)
    view.open("/browse?q=lemon+cake")
    view.page.get_by_label(f"Select: {CAKE}").check()
    view.page.locator("#bulk").get_by_role("button", name="Pin").click()
    view.page.wait_for_selector("#toast .toast")
    assert toast(view) == "Pinned 1 record" and record_of(life, CAKE).pinned


def test_a_view_and_a_selection_are_exported_as_markdown(sample: Serving, look: OpenLook) -> None:
    view = look(sample)
    view.open("/browse?q=Clara")
    with view.page.expect_download() as whole:
        view.page.get_by_role("link", name="Export as Markdown").click()
    text = whole.value.path().read_text(encoding="utf-8")
    assert whole.value.suggested_filename == "toldonce.md"
    assert text.startswith("# Records of main\n") and text.count("\n- ") == len(rows(view))
    view.page.get_by_label(f"Select: {CAKE}").check()
    with view.page.expect_download() as chosen:
        view.page.locator("#bulk").get_by_role("button", name="Export").click()
    assert chosen.value.path().read_text(encoding="utf-8").count("\n- ") == 1


def test_a_search_without_hits_says_where_there_are_some(sample: Serving, look: OpenLook) -> None:
    view = look(sample)
    view.open("/browse?q=lemon+cake&area=finance")
    assert "No record for “lemon cake”" in view.page.locator(".empty").inner_text()
    view.page.get_by_role("link", name="Search all areas").click()
    view.page.wait_for_url("**/browse?q=lemon+cake")
    assert CAKE in rows(view)


# Record


def test_a_record_shows_its_source_in_its_conversation(sample: Serving, look: OpenLook) -> None:
    view = look(sample)
    view.open("/browse?q=cashews")
    view.page.locator("#hits .t").first.click()
    said = view.page.locator(".talk .said").all_inner_texts()
    assert "That is a relief. Did he say anything about food?" in said
    assert "Clara is allergic to cashews too" in view.page.locator(".talk mark").inner_text()
    assert view.page.locator(".crumb a").first.text_content() == "Results for “cashews”"


def test_a_correction_replaces_the_text_and_can_be_undone(life: Serving, look: OpenLook) -> None:
    view = look(life)
    view.open(f"/records/{record_of(life, CAKE).id}")
    view.page.get_by_role("link", name="Correct", exact=True).click()
    view.page.get_by_label("What is true instead").fill("Clara wants an orange cake for her birthday.")
    view.page.get_by_role("button", name="Save correction").click()
    view.page.wait_for_selector("#toast .toast")
    assert view.page.locator("h1").inner_text() == "Clara wants an orange cake for her birthday."
    assert "Replaced" in view.page.locator(".time").inner_text() and CAKE in view.page.locator(".time").inner_text()
    view.page.locator("#toast").get_by_role("button", name="Undo").click()
    view.page.get_by_role("heading", name=CAKE).wait_for()
    assert record_of(life, CAKE).state == "active"


def test_a_blank_thing_to_remember_is_an_error_at_its_field(life: Serving, look: OpenLook) -> None:
    view = look(life)
    view.allowed += ["422", "405"]
    view.page.get_by_label("Write something down").fill("   ")
    view.page.get_by_role("button", name="Remember").click()
    view.page.get_by_role("alert").get_by_text("Write what to remember").wait_for()
    assert view.page.evaluate("document.activeElement.getAttribute('role')") == "alert"
    assert view.page.get_by_label("Write something down").get_attribute("aria-invalid") == "true"
    assert view.page.locator("h1").inner_text() == "Good evening, Alex" and view.page.title().startswith("Error:")
    view.page.get_by_label("Write something down").fill("My sister lives in Porto")
    view.page.get_by_role("button", name="Remember").click()
    view.page.locator("#learned", has_text="My sister lives in Porto").wait_for()
    assert view.place() == "/"


def test_an_empty_correction_is_an_error_at_its_field(life: Serving, look: OpenLook) -> None:
    view = look(life)
    view.allowed.append("422")
    view.open(f"/records/{record_of(life, CAKE).id}/correct")
    view.page.get_by_label("What is true instead").fill("  ")
    view.page.get_by_role("button", name="Save correction").click()
    view.page.get_by_role("alert").get_by_text("Enter what is true instead").wait_for()
    assert view.page.title().startswith("Error:")
    assert view.page.get_by_label("What is true instead").get_attribute("aria-invalid") == "true"
    assert record_of(life, CAKE).state == "active"


@pytest.mark.parametrize(
    ("button", "undone", "holds"),
    [
        ("Confirm", "Confirm", lambda record: record.validated),
        ("Pin", "Pin", lambda record: record.pinned),
        ("Wrong", "Wrong", lambda record: record.state == "flagged"),
        ("Forget", "Forget", lambda record: record.state == "forgotten"),
    ],
)
def test_each_act_on_a_record_can_be_undone(
    life: Serving, look: OpenLook, button: str, undone: str, holds: Any
) -> None:
    view = look(life)
    view.open(f"/records/{record_of(life, CAKE).id}")
    acts = view.page.get_by_role("group", name="Actions")
    acts.get_by_role("button", name=button, exact=True).click()
    view.page.wait_for_selector("#toast .toast")
    assert holds(record_of(life, CAKE))
    view.page.locator(".time li.you").first.get_by_role("button", name="Undo").click()
    acts.get_by_role("button", name=undone, exact=True).wait_for()
    assert not holds(record_of(life, CAKE))


def test_who_sees_a_record_is_changed_and_changed_back(life: Serving, look: OpenLook) -> None:
    view = look(life)
    view.open(f"/records/{record_of(life, CAKE).id}")
    view.page.get_by_label("Visible to").select_option("project")
    view.page.get_by_role("button", name="Change", exact=True).click()
    view.page.locator(".badges", has_text="Everybody in the space").wait_for()
    assert record_of(life, CAKE).visibility == "project"
    view.page.locator("#toast").get_by_role("button", name="Undo").click()
    view.page.locator(".badges", has_text="Only the person").wait_for()
    assert record_of(life, CAKE).visibility == "private"


def test_what_was_replaced_is_restored_from_its_page(life: Serving, look: OpenLook) -> None:
    view = look(life)
    view.open(f"/records/{record_of(life, 'My rent is 1100 euros a month.').id}")
    assert "This does not count now: Replaced" in view.page.locator(".hero .notice").inner_text()
    view.page.get_by_role("button", name="Restore").click()
    view.page.wait_for_selector("#toast .toast")
    assert record_of(life, "My rent is 1100 euros a month.").state == "active"


def test_a_question_shows_whether_a_record_would_be_recalled(sample: Serving, look: OpenLook) -> None:
    view = look(sample)
    view.open(f"/records/{record_of(sample, CAKE).id}")
    view.page.get_by_label("A question or message").fill("what cake for the birthday?")
    view.page.get_by_role("button", name="Try").click()
    view.page.locator("#verdict", has_text="Yes, number 1").wait_for()
    assert "cake" in view.page.locator("#verdict .why").inner_text()
    view.open(f"/records/{record_of(sample, 'My rent is 1100 euros a month.').id}?ask=rent")
    assert "No" in view.page.locator("#verdict h3").inner_text()


def test_the_list_is_walked_from_record_to_record(sample: Serving, look: OpenLook) -> None:
    view = look(sample)
    view.open("/browse?q=Clara")
    listed = rows(view)
    view.page.locator("#hits .t").first.click()
    view.page.wait_for_selector("#live[data-state=live]")
    view.page.keyboard.press("j")
    view.page.get_by_role("heading", level=1, name=listed[1], exact=True).wait_for()
    view.page.keyboard.press("k")
    view.page.get_by_role("heading", level=1, name=listed[0], exact=True).wait_for()


def test_purging_asks_first_and_then_destroys(life: Serving, look: OpenLook) -> None:
    view = look(life)
    kept = record_of(life, CAKE)
    view.open(f"/records/{kept.id}")
    view.page.get_by_role("link", name="Destroy for good").click()
    view.page.get_by_label("I want to destroy it for good").check()
    view.page.get_by_role("button", name="Destroy it").click()
    view.page.wait_for_selector("#toast .toast")
    assert toast(view) == "Destroyed for good" and view.place() == "/browse"
    view.allowed.append("404")
    view.page.goto(f"{life.url}/records/{kept.id}")
    assert "This is not here" in view.page.locator("h1").inner_text()


# Keys, preferences, live


def test_keys_search_move_select_and_go(sample: Serving, look: OpenLook) -> None:
    view = look(sample)
    view.page.wait_for_selector("#live[data-state=live]")
    view.page.keyboard.press("g")
    view.page.keyboard.press("b")
    view.page.wait_for_url("**/browse")
    view.page.wait_for_selector("#live[data-state=live]")
    view.page.keyboard.press("j")
    view.page.keyboard.press("x")
    assert view.page.locator("#bulk").is_visible()
    view.page.keyboard.press("/")
    assert view.page.evaluate("document.activeElement.id") == "q"
    view.page.keyboard.type("j?")
    assert not view.page.locator("#keys").is_visible()
    view.page.keyboard.press("Escape")
    view.page.keyboard.press("?")
    assert view.page.get_by_role("dialog", name="Keys").is_visible()


def test_the_last_act_is_undone_with_a_key(life: Serving, look: OpenLook) -> None:
    view = look(life)
    view.open(f"/records/{record_of(life, CAKE).id}")
    view.page.keyboard.press("p")
    view.page.locator(".toast", has_text="Pinned").wait_for()
    assert record_of(life, CAKE).pinned
    view.page.keyboard.press("z")
    view.page.locator(".toast", has_text="Undone").wait_for()
    assert not record_of(life, CAKE).pinned


def test_keys_can_be_switched_off(life: Serving, look: OpenLook) -> None:
    view = look(life)
    form = {"keys": "off", "csrf_token": view.page.locator("[name=csrf_token]").first.input_value()}
    view.context.request.post(f"{life.url}/preferences", form=form, headers={"Origin": life.url})
    view.open("/browse")
    view.page.keyboard.press("?")
    view.page.keyboard.press("g")
    view.page.keyboard.press("h")
    assert not view.page.locator("#keys").is_visible() and view.place() == "/browse"


def test_theme_and_language_are_chosen_on_the_page(life: Serving, look: OpenLook) -> None:
    view = look(life)
    view.page.get_by_role("button", name="Dark").click()
    view.page.wait_for_selector("html[data-theme=dark]")
    view.page.get_by_role("button", name="Português").click()
    view.page.wait_for_selector("html[lang=pt]")
    assert view.page.locator("h1").inner_text() == "Boa noite, Alex"
    other = look(life)
    assert other.page.locator("html").get_attribute("lang") == "pt"


def test_a_correction_in_one_browser_appears_in_the_other(life: Serving, look: OpenLook) -> None:
    first, second = look(life), look(life)
    kept = record_of(life, CAKE)
    second.open(f"/records/{kept.id}")
    first.open(f"/records/{kept.id}/correct")
    first.page.get_by_label("What is true instead").fill("Clara wants a plum cake for her birthday.")
    first.page.get_by_role("button", name="Save correction").click()
    second.page.locator(".badges", has_text="Replaced").wait_for()
    assert "Clara wants a plum cake" in second.page.locator(".time").inner_text()


def test_a_new_record_waits_until_the_reader_asks_for_it(life: Serving, look: OpenLook) -> None:
    view = look(life)
    view.open("/browse")
    before = rows(view)
    life.memory.remember("Alex bought a kite", user="alex")
    view.page.locator("#news").get_by_text("New records arrived").wait_for()
    assert rows(view) == before
    view.page.get_by_role("link", name="Show them").click()
    view.page.get_by_role("link", name="Alex bought a kite").wait_for()


def test_what_happens_before_the_page_listens_is_shown(life: Serving, look: OpenLook) -> None:
    view = look(life)

    def remember_first(route: Any) -> None:
        life.memory.remember("Alex bought a kite", user="alex")
        route.continue_()

    view.page.route("**/v1/events*", remember_first, times=1)
    view.open("/browse")
    view.page.locator("#news").get_by_text("New records arrived").wait_for()


def test_what_happens_while_nobody_sees_the_page_is_shown_then(life: Serving, look: OpenLook) -> None:
    view = look(life)
    view.open("/browse")
    for is_hidden in ("true", "false"):
        if is_hidden == "false":
            life.memory.remember("Alex bought a kite", user="alex")
        view.page.evaluate(
            f"Object.defineProperty(document, 'hidden', {{ value: {is_hidden}, configurable: true }});"
            "document.dispatchEvent(new Event('visibilitychange'))"
        )
    view.page.locator("#news").get_by_text("New records arrived").wait_for()


def test_what_two_people_change_at_once_is_shown_to_the_second(life: Serving, look: OpenLook) -> None:
    view = look(life)
    view.allowed.append("412")
    kept = record_of(life, CAKE)
    view.open(f"/records/{kept.id}/correct")
    life.memory.correct(kept.id, "Clara wants a plum cake.", user="alex")
    view.page.get_by_label("What is true instead").fill("Clara wants an apple cake.")
    view.page.get_by_role("button", name="Save correction").click()
    view.page.get_by_role("heading", name="Somebody changed this").wait_for()
    shown = view.page.locator("main").inner_text()
    assert "Clara wants a plum cake." in shown and "Clara wants an apple cake." in shown
    view.page.get_by_role("button", name="Save mine on top").click()
    view.page.get_by_role("heading", level=1, name="Clara wants an apple cake.").wait_for()
    assert record_of(life, "Clara wants a plum cake.").state == "superseded"


def test_everything_works_without_script(life: Serving, look: OpenLook) -> None:
    view = look(life, java_script_enabled=False)
    view.page.locator("#q").fill("lemon cake")
    view.page.locator("#q").press("Enter")
    view.page.wait_for_url("**/browse?q=lemon+cake")
    view.page.get_by_role("link", name=CAKE).click()
    view.page.get_by_role("button", name="Forget").click()
    view.page.locator(".toast", has_text="Forgot").wait_for()
    view.page.locator("#toast").get_by_role("button", name="Undo").click()
    view.page.locator(".toast", has_text="Undone").wait_for()
    assert record_of(life, CAKE).state == "active"
    view.page.goto(f"{life.url}/browse")
    view.page.get_by_label("Kind").select_option("person")
    view.page.get_by_role("button", name="Apply").click()
    view.page.wait_for_url("**/browse?*kind=person*")
    assert "Rita is Alex Moreira's sister" in rows(view)


def test_an_empty_memory_says_how_to_begin(life: Serving, look: OpenLook) -> None:
    view = look(life, person="sam")
    assert "Nothing is remembered yet" in view.page.locator("main").inner_text()
    view.page.get_by_label("Write something down").fill("My sister lives in Porto")
    view.page.get_by_role("button", name="Remember").click()
    view.page.wait_for_selector("#toast .toast")
    assert "My sister lives in Porto" in view.page.locator("#learned").inner_text()
