"""What rules learn from a coding session: little, and only what the transcript shows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from toldonce import tokens
from toldonce.coding.transcripts.learn import Lesson, learn_from_transcript
from toldonce.coding.transcripts.reader import Happened, Spoken, Transcript, TranscriptCall


def user(text: str) -> Spoken:
    return Spoken(role="user", text=text)


def agent(text: str) -> Spoken:
    return Spoken(role="assistant", text=text)


def run(command: str, answer: str = "ok", *, failed: bool = False) -> TranscriptCall:
    return TranscriptCall(op="run", tool="Bash", command=command, answer=answer, failed=failed)


def edit(path: str) -> TranscriptCall:
    return TranscriptCall(op="edit", tool="Edit", paths=(path,), failed=False)


def learnt(*events: Happened) -> list[Lesson]:
    return learn_from_transcript(Transcript(agent="codex", session="s", events=events))


def of_type(type: str, *events: Happened) -> list[Lesson]:
    return [one for one in learnt(*events) if one.type == type]


MENDED = (
    user("Users are logged out after 5 minutes"),
    run("cd /w && pytest tests/test_auth.py -q", "src/auth.py:4: in f\nE   KeyError: 'exp'", failed=True),
    agent("The problem was that `exp` is stored in minutes while the middleware reads seconds."),
    edit("src/auth/tokens.py"),
    run("pytest tests/test_auth.py", "3 passed"),
    agent("Done."),
)


def test_an_error_and_its_fix_become_a_pitfall_with_its_cause_file_and_source() -> None:
    (found,) = of_type("pitfall", *MENDED)
    assert "KeyError: 'exp'" in found.text and "stored in minutes" in found.text
    assert "Fixed by changing src/auth/tokens.py." in found.text and "src/auth.py:4" in found.text
    assert found.file == "src/auth/tokens.py" and found.sources == (2,) and found.of_branch


def test_without_a_stated_cause_it_is_an_error_pattern_that_names_the_fix() -> None:
    events = [event for place, event in enumerate(MENDED) if place != 2]
    (found,) = of_type("error", *events)
    assert "Fixed by changing src/auth/tokens.py" in found.summary and found.sources == (0,)


def test_a_cause_that_was_found_by_looking_is_kept_when_code_changed_right_after() -> None:
    said = agent("The root cause is that `Detect()` walks a map whose order is not defined.")
    (found,) = of_type("pitfall", user("the wrong agent is detected at times"), said, edit("src/registry.go"))
    assert found.text.endswith("Fixed in src/registry.go.") and found.file == "src/registry.go"
    assert found.summary.startswith("Fixed in src/registry.go: The root cause")
    assert not of_type("pitfall", said, agent("I will write that down."), edit("docs/notes.md"))
    own = agent("The root cause is that my change renamed `Detect()` in the registry.")
    assert not of_type("pitfall", own, edit("src/registry.go"))


def test_failures_of_linters_builds_and_the_agents_own_half_done_work_are_not_kept() -> None:
    for command in ("make lint", "go build ./...", "ruff check ."):
        mended = [replace(e, command=command) if isinstance(e, TranscriptCall) and e.op == "run" else e for e in MENDED]
        assert not [one for one in learnt(*mended) if one.type in ("pitfall", "error")]
    own = [event for place, event in enumerate(MENDED) if place != 2]
    assert not of_type("error", own[0], edit("src/auth/tokens.py"), *own[1:])


def test_an_error_that_was_never_mended_teaches_nothing_about_a_fix() -> None:
    assert not of_type("pitfall", *MENDED[:4]) and not of_type("error", *MENDED[:4])


def test_a_command_that_works_again_without_an_edit_teaches_nothing() -> None:
    flaky = (user("go on with the tests please"), *MENDED[1:3], MENDED[4])
    assert not [one for one in learnt(*flaky) if one.type in ("pitfall", "error")]


def test_a_missing_variable_becomes_a_quirk_without_its_value() -> None:
    events = (
        user("run the integration tests of the shop"),
        run("pytest tests/it", "E   KeyError: 'REDIS_URL'", failed=True),
        run("REDIS_URL=redis://:secret@host pytest tests/it", "9 passed"),
    )
    (found,) = of_type("quirk", *events)
    assert "needs REDIS_URL to be set" in found.summary
    assert "secret" not in found.text and not found.of_branch


def test_another_way_to_call_a_tool_becomes_a_quirk() -> None:
    events = (user("run the tests"), run("npm test", "npm ERR! missing script: test", failed=True), run("pnpm test"))
    (found,) = of_type("quirk", *events)
    assert "`npm test` does not work here, `pnpm test` does" in found.text


def test_a_failure_of_the_code_itself_is_no_quirk() -> None:
    events = (user("run the tests"), run("pytest a", "E  AssertionError: 1 != 2", failed=True), run("pytest b"))
    assert not of_type("quirk", *events)


@pytest.mark.parametrize(
    "text, type",
    [
        ("Let's go with JWT over session cookies because we are API-first.", "decision"),
        ("We decided to keep the old endpoint until version 3.", "decision"),
        ("Decisão: o cache fica no Redis, não em disco.", "decision"),
        ("Vamos usar o pnpm em vez do npm neste repositório.", "decision"),
        ("In this project we never edit files under gen/ by hand.", "convention"),
        ("We always name migrations by date and noun.", "convention"),
        ("Neste projeto os testes ficam ao lado do código.", "convention"),
        ("No, don't touch the generated client, change the template instead of it.", "correction"),
        ("Não, nunca edite o arquivo gerado, mude o modelo.", "correction"),
    ],
)
def test_what_a_person_states_is_kept_as_what_it_is(text: str, type: str) -> None:
    (found,) = learnt(user(text))
    assert (found.type, found.text, found.sources) == (type, text, (0,))


@pytest.mark.parametrize(
    "text",
    [
        "Can we use JWT here?",
        "Maybe we should always use tabs",
        "Fix the login bug in the auth module",
        "Let's go with that for now",
        "What if we decided to drop the cache?",
        "never mind",
        "Você pode usar o pnpm?",
        "No, that is wrong",
        "```\nwe always log twice in this function\n```",
        "It never works when I run it",
    ],
)
def test_questions_guesses_and_passing_remarks_are_not_kept(text: str) -> None:
    assert learnt(user(text)) == []


def test_the_agents_own_choice_needs_a_reason() -> None:
    assert not learnt(agent("I decided to look at the tests first."))
    (found,) = learnt(agent("I chose a mutex over a queue because two tabs may refresh at once."))
    assert found.type == "decision" and found.confidence < 0.6


def test_a_session_that_changed_something_ends_as_an_outcome() -> None:
    (found,) = of_type("outcome", *MENDED)
    assert found.text.startswith("Task: Users are logged out after 5 minutes.")
    assert "`pytest tests/test_auth.py` passed at the end" in found.text and "Failed on the way" in found.text
    assert not of_type("outcome", user("explain the auth module"), agent("It has two files."))


def test_summaries_hold_at_most_35_tokens_and_long_texts_at_least_25() -> None:
    long = "We decided to keep the old endpoint " + "because the mobile clients still call it every day " * 4
    for one in [*learnt(*MENDED), *learnt(user(long.strip() + "."))]:
        size = tokens.count_tokens(one.summary)
        assert size <= 35 and (size >= 25 or tokens.count_tokens(one.text) < 40 or one.type != "decision")


def test_the_same_thing_said_twice_is_learnt_once_and_the_order_is_the_same_every_time() -> None:
    said = user("We always name migrations by date and noun.")
    assert len(learnt(said, agent("Fine."), said)) == 1
    assert learnt(*MENDED, said) == learnt(*MENDED, said)


def test_a_talkative_session_does_not_flood_memory() -> None:
    many = [user(f"We decided to use tool number {n} for the step {n} of the build.") for n in range(60)]
    assert len(learnt(*many)) == 8


@pytest.mark.parametrize(
    "text",
    [
        "don't touch session.py without asking me",
        "please do not push to main unless I say so",
        "não mexa no session.py sem me perguntar",
        "no toques session.py sin preguntarme",
        "ask me first before you change the schema",
    ],
)
def test_what_a_person_forbids_is_kept_as_a_correction(text: str) -> None:
    (found,) = of_type("correction", user(text))
    assert found.text == text


def test_an_outcome_says_what_was_done_not_to_go_on() -> None:
    (found,) = of_type(
        "outcome", user("please go on"), edit("src/a.py"), agent("The cart total now rounds half cents.")
    )
    assert "cart total" in found.text and "go on" not in found.text
    (found,) = of_type("outcome", user("go on"), user("fix the wobbly gizmo colours"), edit("src/a.py"))
    assert found.text.startswith("Task: fix the wobbly gizmo colours")
    assert "Done" not in found.text
    (found,) = of_type(
        "outcome", user("fix the cart total"), edit("src/a.py"), agent("Done! Totals now round half up.")
    )
    assert found.text == "Task: fix the cart total. Done: Totals now round half up. Changed src/a.py."
    assert found.summary.startswith("Totals now round half up.") and found.sources == (0, 2)
    assert not of_type("outcome", user("go on"), edit("src/a.py"), agent("Done."))


OPTIONS = "Where should sessions live?\n\n1. In Redis, with a TTL\n2. **In Postgres**, beside the users\n"


@pytest.mark.parametrize(
    "asked, said, text",
    [
        (
            OPTIONS,
            "Let's go with option 2.",
            "Where should sessions live? Let's go with option 2: In Postgres, beside the users",
        ),
        (
            OPTIONS,
            "Let's go with the first one.",
            "Where should sessions live? Let's go with the first one: In Redis, with a TTL",
        ),
        (
            "I can store sessions in Redis or in Postgres. Which store do you want for sessions?",
            "We'll use the latter, please.",
            "Which store do you want for sessions? We'll use the latter, please.",
        ),
        (
            "The sessions could be moved to Redis.",
            "Ok, let's go with that.",
            "The sessions could be moved to Redis. Ok, let's go with that.",
        ),
        (
            "Guardamos las sesiones en Redis o en Postgres?",
            "Decisión: la segunda opción, por favor",
            "Guardamos las sesiones en Redis o en Postgres? Decisión: la segunda opción, por favor",
        ),
    ],
)
def test_a_decision_names_what_it_is_about(asked: str, said: str, text: str) -> None:
    (found,) = of_type("decision", user("fix the login"), agent(asked), user(said))
    assert found.text == text
    assert found.sources == (1, 2)


def test_a_decision_is_named_by_the_sentence_before_it_or_not_kept() -> None:
    (found,) = of_type("decision", user("Redis loses sessions on restart. Let's go with the other one."))
    assert found.text == "Redis loses sessions on restart. Let's go with the other one." and found.sources == (0,)
    assert not of_type("decision", user("Let's go with the second one."))
    assert not of_type("decision", agent("Ok?"), user("Let's go with the second one."))
    (found,) = of_type("decision", agent(OPTIONS), user("We decided to keep sessions in memory, that is enough."))
    assert found.text.startswith("We decided to keep sessions in memory")
