"""The writer's tasks about code over real HTTP: what a model is shown, what becomes of its answer, what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.conftest import START
from tests.scripted import Scripted, scripted
from toldonce import tokens
from toldonce.coding.drafting import draft_modules, draft_session
from toldonce.coding.model_tasks import MOST_LEARNT
from toldonce.coding.transcripts.compress import BUDGET, compress_transcript
from toldonce.coding.transcripts.learn import learn_from_transcript
from toldonce.coding.transcripts.reader import Spoken, Transcript, TranscriptCall
from toldonce.distil.drafts import ModuleDraft, ModuleSketch
from toldonce.distil.ledger import Ledger
from toldonce.distil.model.writer import ModelWriter
from toldonce.distil.tiers import read_tiers
from toldonce.distil.writer import RulesWriter
from toldonce.errors import ModelError
from toldonce.storage.sqlite.store import SqliteStore

Open = Callable[[], ModelWriter]

MODULES = (
    ModuleSketch(
        module="cart", folder="src/cart/", says="Baskets.", files=("src/cart/basket.py",), symbols=("Basket", "total")
    ),
    ModuleSketch(
        module="mail", folder="src/mail/", files=("src/mail/send.py",), entry_points=("src/mail/__main__.py",)
    ),
)
SESSION = Transcript(
    agent="codex",
    session="s",
    events=(
        Spoken(role="user", text="The tokens expire too early"),
        TranscriptCall(op="read", tool="Read", paths=("src/auth.py", "/etc/hosts"), failed=False),
        TranscriptCall(op="read", tool="Read", paths=("src/gone.py",), failed=True),
        Spoken(role="assistant", text="EXPIRY counts seconds, not minutes."),
        TranscriptCall(op="edit", tool="Edit", paths=("src/tokens.py",), failed=False),
    ),
)


@pytest.fixture
def server() -> Iterator[Scripted]:
    with scripted() as server:
        yield server


@pytest.fixture
def writer(server: Scripted) -> Iterator[Open]:
    store = SqliteStore(":memory:")
    tiers = read_tiers(server.writer, environ={})
    assert tiers is not None
    yield lambda: ModelWriter(tiers, Ledger(store, "main", clock=lambda: START))
    store.close()


def module(**given: Any) -> dict[str, Any]:
    return {"id": "m1", "name": "shopping basket", "description": "What a customer wants.", "related": [], **given}


def lesson(**given: Any) -> dict[str, Any]:
    return {
        "type": "pitfall",
        "text": "EXPIRY in src/tokens.py counts seconds.",
        "summary": "EXPIRY counts seconds.",
        "file": "src/tokens.py",
        "confidence": 0.7,
        "sources": ["m2"],
        **given,
    }


# Modules


def test_a_model_sees_modules_by_short_names_with_paths_and_symbols(server: Scripted, writer: Open) -> None:
    draft_modules(writer(), MODULES, taken=["payments"])
    (request,) = server.requests
    assert request.data == {
        "modules": [
            {
                "id": "m1",
                "folder": "src/cart/",
                "says": "Baskets.",
                "files": ["basket.py"],
                "symbols": ["Basket", "total"],
            },
            {"id": "m2", "folder": "src/mail/", "files": ["send.py"], "entry_points": ["__main__.py"]},
        ],
        "taken": ["payments"],
    }


def test_named_modules_come_back_under_their_old_names(server: Scripted, writer: Open) -> None:
    again = module(id="m2", name="mail", description="Letters\nto customers.", related=["m1", "m2"])
    server.say(modules={"modules": [module(name=" shopping  basket"), again]})
    assert draft_modules(writer(), MODULES) == [
        ModuleDraft("cart", "shopping basket", "What a customer wants."),
        ModuleDraft("mail", "mail", "Letters to customers.", ("cart",)),
    ]


@pytest.mark.parametrize(
    "wrong, problem",
    [
        ({"id": "m9"}, "modules[0].id[0] names nothing of the input"),
        ({"related": ["m9"]}, "modules[0].related[0] names nothing of the input"),
        ({"name": "Mail"}, "modules[0].name is the name of another module"),
        ({"name": "payments"}, "modules[0].name is the name of another module"),
        ({"name": "x" * 41}, "modules[0].name is too long"),
        ({"description": ""}, "modules[0].description is empty"),
    ],
)
def test_a_module_that_is_made_up_is_told_and_then_left_out(
    server: Scripted, writer: Open, wrong: dict[str, Any], problem: str
) -> None:
    server.say(modules={"modules": [module(**wrong), module(id="m2", name="letters")]})
    assert [draft.name for draft in draft_modules(writer(), MODULES, taken=["payments"])] == ["letters"]
    assert server.calls["modules"] == 2 and problem in server.requests[1].turns[-1]


def test_two_modules_do_not_get_one_name(server: Scripted, writer: Open) -> None:
    server.say(modules={"modules": [module(), module(id="m2", name="Shopping Basket")]})
    assert [draft.module for draft in draft_modules(writer(), MODULES)] == ["cart"]


def test_rules_add_nothing_to_modules_and_none_is_no_call(server: Scripted, writer: Open) -> None:
    assert draft_modules(RulesWriter(), MODULES) == [] == draft_modules(writer(), [])
    assert server.requests == []


# A session


def test_a_model_sees_the_session_in_short_and_only_files_of_the_project_that_were_there(
    server: Scripted, writer: Open
) -> None:
    draft_session(writer(), SESSION)
    (request,) = server.requests
    assert request.data["session"].split("\n") == [
        "m1 user: The tokens expire too early",
        "looked at: src/auth.py, /etc/hosts",
        "m2 assistant: EXPIRY counts seconds, not minutes.",
        "changed: src/tokens.py",
    ]
    assert request.data["files"] == ["src/tokens.py", "src/auth.py"]


def test_what_was_learnt_names_places_of_things_said_and_its_file(server: Scripted, writer: Open) -> None:
    long = "word " * 60
    server.say(session={"learnt": [lesson(sources=["m2", "m1", "m2"], confidence=7, summary=long), lesson(file=None)]})
    first, second = draft_session(writer(), SESSION)
    assert (first.type, first.sources, first.file, first.of_branch) == ("pitfall", (3, 0), "src/tokens.py", True)
    assert first.confidence == 0.8 and tokens.count_tokens(first.summary) <= 35
    assert (second.file, second.confidence) == ("", 0.7)


def test_the_outcome_of_a_session_has_the_files_it_changed_and_is_one(server: Scripted, writer: Open) -> None:
    server.say(session={"learnt": [lesson(type="outcome", file=None), lesson(type="outcome", summary="Another.")]})
    (outcome,) = draft_session(writer(), SESSION)
    assert (outcome.file, outcome.files) == ("src/tokens.py", ("src/tokens.py",))


@pytest.mark.parametrize(
    "wrong, problem",
    [
        ({"sources": ["m2", "m9"]}, "learnt[0].sources[1] names nothing of the input"),
        ({"sources": []}, "learnt[0].sources must name at least 1"),
        ({"file": "src/invented.py"}, "learnt[0].file must be one of the input's files"),
        ({"file": "src/gone.py"}, "learnt[0].file must be one of the input's files"),
        ({"file": "/etc/hosts"}, "learnt[0].file must be one of the input's files"),
        ({"type": "gossip"}, "learnt[0].type must be one of error, pitfall"),
    ],
)
def test_a_lesson_that_points_to_nothing_is_told_and_then_left_out(
    server: Scripted, writer: Open, wrong: dict[str, Any], problem: str
) -> None:
    server.say(session={"learnt": [lesson(**wrong), lesson(type="quirk", summary="Good.")]})
    assert [draft.summary for draft in draft_session(writer(), SESSION)] == ["Good."]
    assert server.calls["session"] == 2 and problem in server.requests[1].turns[-1]


def test_a_session_without_one_good_lesson_in_a_wrong_answer_is_an_error(server: Scripted, writer: Open) -> None:
    server.say(session={"learnt": [lesson(file="src/invented.py")]})
    with pytest.raises(ModelError, match="learnt"):
        draft_session(writer(), SESSION)


def test_a_session_that_changed_nothing_has_no_outcome(server: Scripted, writer: Open) -> None:
    server.say(session={"learnt": [lesson(type="outcome", file=None), lesson(file=None)]})
    drafts = draft_session(writer(), replace(SESSION, events=SESSION.events[:4]))
    assert [draft.type for draft in drafts] == ["pitfall"]


def test_at_most_twelve_lessons_come_of_a_session(server: Scripted, writer: Open) -> None:
    server.say(session={"learnt": [lesson(summary=f"Lesson {n}.") for n in range(30)]})
    assert len(draft_session(writer(), SESSION)) == MOST_LEARNT == 12
    assert "at most 12" in server.requests[1].turns[-1]


def test_no_secret_of_a_transcript_is_sent_not_even_half_of_one(server: Scripted, writer: Open) -> None:
    key = "AKIA" + "IOSFODNN7QXMPLZQ"
    padding = "word " * 115
    events = (
        Spoken(role="user", text=f"{padding} the key is {key}"),
        TranscriptCall(
            op="run", tool="Bash", command=f"deploy --key {key}", answer=f"ValueError: {key} is bad", failed=True
        ),
        TranscriptCall(op="search", tool="Grep", command=f"grep {key}"),
    )
    draft_session(writer(), replace(SESSION, events=events))
    sent = json.dumps(dict(server.requests[0].body))
    assert "deploy --key" in sent and "is bad" in sent and "AKIA" not in sent


def test_what_is_left_out_for_want_of_room_cannot_be_cited(server: Scripted, writer: Open) -> None:
    talk = tuple(Spoken(role="user", text=f"Point {n}: {'word ' * 100}") for n in range(90))
    server.say(session={"learnt": [lesson(file=None, sources=["m45"]), lesson(file=None, sources=["m90"])]})
    (draft,) = draft_session(writer(), replace(SESSION, events=talk))
    assert draft.sources == (89,)
    assert tokens.count_tokens(server.requests[0].data["session"]) <= BUDGET
    short = compress_transcript(replace(SESSION, events=talk))
    assert {"m1", "m90"} <= short.places.keys() and "m45" not in short.places


def test_without_a_model_rules_learn_and_silence_is_no_call(server: Scripted, writer: Open) -> None:
    assert draft_session(RulesWriter(), SESSION) == learn_from_transcript(SESSION) != []
    assert draft_session(writer(), replace(SESSION, events=SESSION.events[1:3])) == []
    assert server.requests == []
