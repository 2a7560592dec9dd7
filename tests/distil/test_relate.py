"""One judge says what newer words do to what was known, and one policy what is done about it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import toldonce
from tests.conftest import START, ManualClock, OpenMemory
from toldonce import Memory, Record
from toldonce.distil.relate import LIKELY, SURE, Effect, Saying, Scale, relate
from toldonce.distil.statements.reading import load_weights
from toldonce.distil.statements.store import stated_in, stated_text

PACKAGE = Path(toldonce.__file__).parent
# Sure values, same words, and what words alone suggest, in three languages.
PAIRS = [
    ("residence", "Porto", "Gaia", "replace", "ends", SURE),
    ("residence", "Porto", "Porto", "replace", "same", 1.0),
    ("residence", "Porto", "not: Porto", "replace", "ends", SURE),
    ("residence", "Porto", "not: Braga", "replace", "unrelated", 1.0),
    ("weight", "80 kg", "79 kg", "series", "ends", SURE),
    ("goal", "run a marathon", "met: the marathon", "goal", "ends", SURE),
    ("goal", "learn French", "met: the marathon", "goal", "unrelated", 1.0),
    ("diet", "vegetarian", "not: vegetarian", "set", "ends", SURE),
    ("allergy", "nuts", "eggs", "set", "unrelated", 1.0),
    ("manner", "use bullet points", "not: use bullet points", "opposite", "ends", SURE),
]


def valued(attribute: str, value: str, rule: str, *, days: int) -> Saying:
    at = START.replace(day=1 + days)
    text = f"{attribute} {value}"
    metadata = {"value": value, "span": [0, 1]}
    record = Record(
        id=f"{text}{days}", space="main", kind="fact", text=text, at=at, created_at=at, user="kim",
        subject=f"kim/{attribute}", metadata=metadata,
    )  # fmt: skip
    return Saying(record, stated_text(text, "kim", at), rule=rule)  # type: ignore[arg-type]


@pytest.mark.parametrize(("attribute", "older", "newer", "rule", "relation", "chance"), PAIRS)
def test_values_decide_surely(attribute: str, older: str, newer: str, rule: str, relation: str, chance: float) -> None:
    found = relate(
        valued(attribute, newer, rule, days=9), valued(attribute, older, rule, days=0), Scale(load_weights())
    )
    assert (found.relation, found.chance) == (relation, chance)


def spoken(text: str, language: str, *, days: int) -> Saying:
    at = START.replace(day=1 + days)
    record = Record(
        id=f"{text}{days}", space="main", kind="statement", text=text, at=at, created_at=at, user="kim",
        subject="kim", metadata={"words": text, "speaker": "kim", "language": language},
    )  # fmt: skip
    return Saying(record, stated_in(record), is_spoken=True)


@pytest.mark.parametrize(
    ("language", "older", "newer"),
    [
        ("en", "pottery class is on tuesdays at 6", "pottery's moved to thursdays"),
        ("pt", "faço natação toda terça às 7", "larguei a natação, sem tempo"),
        ("es", "tomo enalapril 10 mg cada noche", "me subieron el enalapril a 20 mg"),
    ],
)
def test_words_alone_only_suggest(language: str, older: str, newer: str) -> None:
    found = relate(spoken(newer, language, days=20), spoken(older, language, days=0), Scale(load_weights()))
    assert found == Effect("ends", LIKELY, "words")


def test_only_the_policy_ends_a_record() -> None:
    """Nobody else calls what supersedes: every ending is decided in one place, or by a person through it."""
    allowed = {"storage/lifecycle.py", "distil/resolve.py", "conformance/doubts.py"}
    callers = set()
    for path in PACKAGE.rglob("*.py"):
        calls = (node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call))
        names = {call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "") for call in calls}
        if "supersede_record" in names:
            callers.add(path.relative_to(PACKAGE).as_posix())
    assert callers <= allowed


def _told(memory: Memory, clock: ManualClock, text: str) -> list[Record]:
    memory.observe(text, user="kim", session=text, display_name="Kim")
    kept = [record for one in memory.settle(session=text) for record in one.kept]
    clock.pass_time(days=5)
    return [record for record in kept if "words" in record.metadata]


@pytest.mark.parametrize("preset", ["assistant", "companion", "life"])
def test_words_doubt_and_what_was_said_beside_them_stays(
    open_memory: OpenMemory, clock: ManualClock, preset: str
) -> None:
    memory = open_memory(preset)
    first = _told(memory, clock, "pottery class is on tuesdays at 6. My son Theo is allergic to peanuts.")
    _told(memory, clock, "pottery's moved to thursdays")
    states = {record.text: memory.get(record.id).state for record in first}
    assert {text: state for text, state in states.items() if "pottery" in text} == {
        "pottery class is on tuesdays at 6.": "doubted"
    }
    assert {state for text, state in states.items() if "peanuts" in text} <= {"active"}


def test_what_is_confirmed_stays_and_is_asked_about(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("assistant")
    (older,) = _told(memory, clock, "im on ramipril 5 mg every morning")
    memory.confirm(older.id)
    (newer,) = _told(memory, clock, "ramipril's been upped to 10 mg")
    assert [memory.get(one.id).state for one in (older, newer)] == ["active", "active"]
    assert len(memory.questions("kim")) == 1
