"""Everything that enters memory passes the gate: what it takes out, what it refuses, what it says about it."""

from __future__ import annotations

import time
import unicodedata
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toldonce.capture.gate import MEMORY_CLOSE, MEMORY_OPEN, AdmittedText, GateChange, GateLimits, admit_through_gate
from toldonce.errors import EmptyText, TextTooLong

LIMITS = GateLimits()


def passed(text: str, *, max_chars: int = 32_000) -> AdmittedText:
    return admit_through_gate(text, limits=GateLimits(max_chars=max_chars))


def block(text: str) -> str:
    return f'{MEMORY_OPEN} note="remembered data">\n{text}\n{MEMORY_CLOSE}'


def test_clean_text_passes_unchanged() -> None:
    text = "I moved to Lisbon last week.\r\n\tA mudança correu bem, só faltou o café ☕."
    assert passed(text) == AdmittedText(text, (), 0.0)


def test_composed_and_decomposed_letters_stay_as_given() -> None:
    for form in ("NFC", "NFD"):
        text = unicodedata.normalize(form, "São João")
        assert passed(text).text == text


def test_control_characters_go_and_are_counted() -> None:
    assert passed("a\x00b\x1b[0mc\x7f\x85d") == AdmittedText(
        "ab[0mcd", (GateChange("control", "control characters", 4),), 0.0
    )


def test_broken_characters_are_replaced_and_split_ones_mended() -> None:
    admitted = passed("a \ud83d b \ud83d\ude00 c")
    assert admitted.text == "a \ufffd b \U0001f600 c"
    assert admitted.text.encode("utf-8")
    assert admitted.changes == (GateChange("control", "broken characters", 3),)


@pytest.mark.parametrize(
    "text, kept, count",
    [
        ("keep <private>my salary</private>this", "keep this", 1),
        ("keep <PRIVATE>a</Private >this <private>b</private>too", "keep this too", 2),
        ("keep this <private>and nothing more", "keep this ", 1),
        ("keep <private>a <private>b</private> c</private>this", "keep this", 1),
        ("keep </private>this", "keep this", 1),
    ],
)
def test_private_span_is_dropped(text: str, kept: str, count: int) -> None:
    assert passed(text) == AdmittedText(kept, (GateChange("private", "private span", count),), 0.0)


@pytest.mark.parametrize(
    "text, kept",
    [
        ("before\n" + block("Alex lives in Lisbon") + "\nafter", "before\n\nafter"),
        ("before " + MEMORY_OPEN + ">Alex lives in Lisbon", "before "),
        ("before " + block("quoted " + block("inner") + " outer") + "after", "before after"),
        ("before " + MEMORY_CLOSE + "after", "before after"),
        ("before " + escape(block("Alex lives in Lisbon")) + "after", "before after"),
        ("before <hook_context>" + escape(block("Alex")) + "</hook_context>", "before <hook_context></hook_context>"),
        ("before " + escape(escape(block("Alex lives in Lisbon"))) + "after", "before after"),
        ("before " + escape(MEMORY_OPEN + ">Alex lives in Lisbon"), "before "),
    ],
)
def test_text_that_came_out_of_memory_is_not_taken_in_again(text: str, kept: str) -> None:
    admitted = passed(text)
    assert admitted.text == kept
    assert [change.what for change in admitted.changes] == ["memory"]


@pytest.mark.parametrize(
    "text",
    [
        "keep <pri<private>x</private>vate>secret plan</private>",
        "keep " + MEMORY_OPEN[:4] + block("x") + MEMORY_OPEN[4:] + ">secret plan" + MEMORY_CLOSE,
        "keep " + "<pri" * 200 + "<private></private>" + "vate>secret plan</private>" * 200,
    ],
)
def test_mark_put_together_by_a_cut_hides_what_follows(text: str) -> None:
    kept = passed(text).text
    assert kept.startswith("keep ") and "secret plan" not in kept


def test_marks_hidden_in_marks_hide_the_rest_when_there_is_no_end_to_them() -> None:
    pair = "<private></private>"
    for _ in range(6):
        pair = f"<pri{pair}vate></pri{pair}vate>"
    admitted = passed(f"keep {pair} gone")
    assert admitted.text.startswith("keep ") and "gone" not in admitted.text and "private" not in admitted.text
    assert [change.what for change in admitted.changes] == ["private"]


def test_secrets_go_and_are_told_by_type_and_number() -> None:
    admitted = passed("password: hunter2 and senha: flores77, my pin is 4821")
    assert admitted.text == "password: [REDACTED: password] and senha: [REDACTED: password], my pin is [REDACTED: pin]"
    assert admitted.changes == (GateChange("secret", "password", 2), GateChange("secret", "pin", 1))


def test_changes_are_told_in_the_order_of_the_steps() -> None:
    admitted = passed("a\0 <private>b</private>" + block("c") + " password: hunter2")
    assert [change.what for change in admitted.changes] == ["control", "private", "memory", "secret"]


def test_secret_inside_a_private_span_is_not_even_counted() -> None:
    assert [change.what for change in passed("x <private>password: hunter2</private>").changes] == ["private"]


def test_secrets_stay_where_the_preset_says_so() -> None:
    admitted = admit_through_gate("password: hunter2", limits=GateLimits(redact_secrets=False))
    assert admitted == AdmittedText("password: hunter2", (), 0.0)


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\u3000"])
def test_blank_text_is_refused(text: str) -> None:
    with pytest.raises(EmptyText, match="at least one visible character"):
        passed(text)


@pytest.mark.parametrize(
    "text, reason",
    [
        ("<private>my salary is 100</private> ", "private span"),
        (block("Alex lives in Lisbon"), "block written by memory"),
        ("\0\x01", "control characters"),
    ],
)
def test_refusal_of_text_that_became_empty_says_why_and_not_what(text: str, reason: str) -> None:
    with pytest.raises(EmptyText, match=f"taken out: {reason}") as refusal:
        passed(text)
    assert "salary" not in str(refusal.value) and "Lisbon" not in str(refusal.value)


def test_text_over_the_limit_is_refused_with_both_numbers() -> None:
    assert passed("ab " * 4, max_chars=12).text == "ab " * 4
    with pytest.raises(TextTooLong, match="13 characters, the limit is 12") as refusal:
        passed("ab " * 4 + "c", max_chars=12)
    assert (refusal.value.length, refusal.value.limit) == (13, 12)


def test_length_is_that_of_the_text_as_it_would_be_kept() -> None:
    assert passed("short <private>" + "x" * 100 + "</private>", max_chars=10).text == "short "


def test_hopelessly_long_text_is_refused_before_it_is_searched() -> None:
    with pytest.raises(TextTooLong) as refusal:
        passed("password: hunter2 " * 10, max_chars=10)
    assert (refusal.value.length, refusal.value.limit) == (180, 10)


@given(st.text(min_size=1))
def test_what_passed_once_passes_again_unchanged(text: str) -> None:
    try:
        once = passed(text)
    except EmptyText:
        return
    assert passed(once.text) == AdmittedText(once.text, (), once.junk)


PIECES = [
    "<private>",
    "</private>",
    MEMORY_OPEN,
    MEMORY_CLOSE,
    ">",
    "<pri",
    "vate>",
    "word ",
    "\0",
    "password: hunter2 ",
]


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_no_mark_and_no_secret_comes_through(text: str) -> None:
    kept = passed("start " + text).text
    assert not any(piece in kept for piece in ("<private>", "</private>", MEMORY_OPEN, MEMORY_CLOSE, "hunter2", "\0"))


NODS = [
    "ok",
    "OK!!",
    "okkk",
    "lol",
    "thanks",
    "Thank you!",
    "kkk",
    "kkkkkkkk",
    "beleza",
    "hahahaha",
    "rsrsrs",
    "valeu 👍",
]


@pytest.mark.parametrize("text", [*NODS, "ok, obrigado!", "got it, thanks", "👍👍", "!!!", "?", "...", "🎉 🎉 🎉"])
def test_nod_is_junk(text: str) -> None:
    assert passed(text).junk >= 0.9


@pytest.mark.parametrize("text", ["a" * 60, "=-" * 50, "spam " * 40, "QUJDREVGR0hJSktM" * 20])
def test_repetition_and_walls_are_junk(text: str) -> None:
    assert passed(text).junk >= 0.8


def test_log_is_rather_junk() -> None:
    log = "\n".join(f"2024-05-0{n} 10:00:00 INFO worker started job {n}" for n in range(1, 9))
    assert 0.5 <= passed(log).junk < 0.9


@pytest.mark.parametrize("text", ["yes", "No.", "sim", "não"])
def test_answer_is_less_junk_than_a_nod(text: str) -> None:
    assert 0.0 < passed(text).junk < passed("ok").junk


@pytest.mark.parametrize(
    "text",
    [
        "I live in Porto",
        "Lisbon",
        "42",
        "ok, I moved to Lisbon",
        "thanks, my flight is on Friday",
        "José",
        "我喜欢吃苹果",
        "はい、行きます",
        "https://acme.io/" + "a" * 120,
        "def add(a, b):\n    return a + b\n\n\nprint(add(1, 2))\n# done\n",
        "eggs, milk, bread, eggs for Ana, milk for Rui, bread for all of us",
    ],
)
def test_words_that_say_something_are_no_junk(text: str) -> None:
    assert passed(text).junk == 0.0


@given(st.text())
def test_junk_never_refuses_and_stays_between_nought_and_one(text: str) -> None:
    assert 0.0 <= passed("x" + text).junk <= 1.0


def test_clean_message_passes_quickly() -> None:
    text = ("We need a place with a kitchen near the old town, under 120 euros a night, for five nights. " * 4)[:300]
    best = 1.0
    for _ in range(5):
        start = time.process_time()
        for _ in range(200):
            admit_through_gate(text, limits=LIMITS)
        best = min(best, (time.process_time() - start) / 200)
    assert best < 0.0005, "ten times what it takes on an idle machine"
