"""One person's night: settled, judged, noted and put into the compact memory; nothing at all when nothing was said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

import pytest

from tests.conftest import ManualClock, OpenMemory
from tests.jobs.conftest import lease_one
from toldonce import Memory, Record
from toldonce.distil.drafts import EntryDraft, Judgement, Material
from toldonce.distil.writer import RulesWriter
from toldonce.errors import ModelError
from toldonce.jobs.task import LeasedJob
from toldonce.storage.store import Store, Tables
from toldonce.storage.tables.jobs import Run

T = TypeVar("T")
KEY = "schedule:consolidate:maria"


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("life")


def say(memory: Memory, text: str, *, session: str = "s1", user: str = "maria") -> None:
    memory.observe(text, user=user, session=session, display_name=user.title())


def nights(runs: list[Run]) -> list[Run]:
    return [run for run in runs if run.name == "consolidate"]


def next_night(memory: Memory, clock: ManualClock) -> list[Run]:
    """The first round plans the person's job; a day later it has run."""
    memory.tend()
    clock.pass_time(days=1)
    return nights(memory.tend())


def kept(memory: Memory, kind: str, *, current: bool = True) -> list[Record]:
    found = memory.store.read(lambda t: t.records.read_page(None, limit=10_000))
    return [r for _, r in found if r.kind == kind and (r.is_current or not current)]


class CountingWriter(RulesWriter):
    """The rules, with a count of what they were asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def user_memory(self, entries, news, *, sections, limits):  # type: ignore[no-untyped-def]
        self.asked.append("user_memory")
        return super().user_memory(entries, news, sections=sections, limits=limits)

    def insights(self, records, *, earlier=()):  # type: ignore[no-untyped-def]
        self.asked.append("insights")
        return super().insights(records, earlier=earlier)

    def judge(self, pairs: Sequence[tuple[Material, Material]]) -> list[Judgement]:
        self.asked += ["judge"] if pairs else []
        return super().judge(pairs)


def test_what_was_left_open_is_settled_by_night(memory: Memory, clock: ManualClock) -> None:
    say(memory, "I live in Recife. My goal is to run a marathon.")
    (run,) = next_night(memory, clock)
    assert run.status == "completed"
    assert {r.text for r in kept(memory, "fact")} == {"Maria lives in Recife", "Maria's goal is to run a marathon"}


def test_the_run_leaves_its_range_and_counts(memory: Memory, clock: ManualClock) -> None:
    """LIFE-4: from and to, and what came of it."""
    say(memory, "I live in Recife")
    (first,) = next_night(memory, clock)
    say(memory, "I moved to Olinda", session="s2")
    clock.pass_time(days=1)
    (second,) = nights(memory.tend())
    assert first.detail["from"] is None
    assert second.detail["from"] == first.detail["to"]
    assert {"conversations", "known", "replaced", "asked", "insights", "documents"} == set(second.counts)
    assert [run.status for run in nights(memory.jobs.runs())][:2] == ["completed", "completed"]


def test_nothing_new_means_nothing_asked(open_memory: OpenMemory, clock: ManualClock) -> None:
    """The job is skipped before any writer is asked."""
    writer = CountingWriter()
    memory = open_memory("life", writer=writer)
    say(memory, "I live in Recife")
    next_night(memory, clock)
    assert "user_memory" in writer.asked
    writer.asked.clear()
    for _ in range(3):
        clock.pass_time(days=1)
        assert [run.status for run in nights(memory.tend())] == ["skipped"]
    assert writer.asked == []


def test_each_person_has_a_night_of_their_own(memory: Memory, clock: ManualClock) -> None:
    """Three o'clock where the person lives, summer time included."""
    memory.people.update("maria", zone="America/New_York")
    clock.now = datetime(2026, 3, 7, 12, tzinfo=UTC)
    memory.tend()
    due = memory.store.read(lambda t: t.jobs.get("main", KEY))
    assert due is not None
    # Clocks in New York jump from two to three that night, so three o'clock comes an hour earlier.
    assert due.due_at == datetime(2026, 3, 8, 7, tzinfo=UTC)
    clock.now = datetime(2026, 3, 9, 12, tzinfo=UTC)
    memory.tend()
    due = memory.store.read(lambda t: t.jobs.get("main", KEY))
    assert due is not None
    assert due.due_at == datetime(2026, 3, 10, 7, tzinfo=UTC)


def test_it_has_five_minutes_and_three_retries(memory: Memory, clock: ManualClock) -> None:
    say(memory, "I live in Recife")
    memory.tend()
    job = memory.store.read(lambda t: t.jobs.get("main", KEY))
    assert job is not None
    assert (job.timeout.total_seconds(), job.max_attempts) == (300, 4)


def test_two_counts_of_one_thing_leave_the_newer(memory: Memory, clock: ManualClock) -> None:
    """The subject table lets children coexist; that the number changed is judged."""
    say(memory, "I have two kids")
    next_night(memory, clock)
    say(memory, "I have three kids", session="s2")
    clock.pass_time(days=1)
    (run,) = nights(memory.tend())
    assert run.counts["replaced"] == 1
    assert [r.text for r in kept(memory, "person")] == ["Maria has three kids"]
    assert [e.text for e in memory.profile("maria").entries] == ["has three kids"]


class Judge(RulesWriter):
    """Rules that judge every pair as they are told."""

    def __init__(self, judgement: Judgement) -> None:
        self._judgement = judgement

    def judge(self, pairs: Sequence[tuple[Material, Material]]) -> list[Judgement]:
        return [self._judgement for _ in pairs]


@pytest.mark.parametrize(
    "judgement, states, questions",
    [
        (Judgement(True, 0.69), ["active", "active"], 0),
        (Judgement(False, 1.0), ["active", "active"], 0),
        (Judgement(True, 0.7), ["superseded", "active"], 0),
        (Judgement(True, 0.9, "older"), ["active", "superseded"], 0),
        (Judgement(True, 0.9, "ask"), ["active", "proposed"], 1),
    ],
)
def test_a_verdict_counts_from_seven_tenths_on(
    open_memory: OpenMemory, clock: ManualClock, judgement: Judgement, states: list[str], questions: int
) -> None:
    memory = open_memory("life", writer=Judge(judgement))
    say(memory, "I love strong black coffee")
    next_night(memory, clock)
    say(memory, "I love weak black coffee", session="s2")
    clock.pass_time(days=1)
    memory.tend()
    assert [r.state for r in kept(memory, "preference", current=False)] == states
    assert len(memory.questions("maria")) == questions


def test_what_the_person_validated_is_asked_about_and_not_replaced(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("life", writer=Judge(Judgement(True, 0.95)))
    say(memory, "I love strong black coffee")
    next_night(memory, clock)
    memory.confirm(kept(memory, "preference")[0].id)
    say(memory, "I love weak black coffee", session="s2")
    clock.pass_time(days=1)
    memory.tend()
    assert [r.state for r in kept(memory, "preference", current=False)] == ["active", "proposed"]
    assert len(memory.questions("maria")) == 1


def test_other_subjects_and_other_people_are_never_judged(open_memory: OpenMemory, clock: ManualClock) -> None:
    """However sure a writer is, only the same subject of the same person can give way."""
    memory = open_memory("life", writer=Judge(Judgement(True, 1.0)))
    say(memory, "I love black coffee. I have a black cat.")
    say(memory, "I love black coffee", user="rui", session="r1")
    next_night(memory, clock)
    say(memory, "I hate black tea", session="s2")
    clock.pass_time(days=1)
    memory.tend()
    assert {r.state for k in ("preference", "fact") for r in kept(memory, k, current=False)} == {"active"}


# Insights


def weigh(memory: Memory, clock: ManualClock, *kilos: float) -> None:
    for n, value in enumerate(kilos):
        say(memory, f"I weigh {value} kg", session=f"w{n}{value}")
        clock.pass_time(days=10)
        memory.tend()


def test_a_trend_is_noted_once_and_renewed(memory: Memory, clock: ManualClock) -> None:
    weigh(memory, clock, 82, 81, 79, 77)
    notes = kept(memory, "insight", current=False)
    assert [r.state for r in notes] == ["superseded", "active"]
    assert (notes[-1].confidence, notes[-1].origin, len(notes[-1].sources)) == (0.7, "ai_inference", 4)
    assert notes[-1].metadata["evidence"]


def test_a_rejected_insight_does_not_come_back(memory: Memory, clock: ManualClock) -> None:
    weigh(memory, clock, 82, 81, 79)
    memory.forget(kept(memory, "insight")[0].id)
    weigh(memory, clock, 77)
    assert kept(memory, "insight") == []


# The compact memory


def test_the_compact_memory_stays_within_its_tokens(memory: Memory, clock: ManualClock) -> None:
    """At most 800, and goals outlive patterns."""
    from toldonce import tokens

    things = "running swimming chess hiking pottery sailing baking drawing singing cycling".split()
    for n, thing in enumerate(things):
        text = f"I love {thing} with my friends every single weekend in the beautiful mountains near Serra da Estrela"
        say(memory, f"{text}. My goal is to get better at {thing} before the end of the next year.", session=f"s{n}")
    next_night(memory, clock)
    profile = memory.profile("maria")
    shown = memory.context("hello", user="maria", session="x").text
    assert "goals" in {e.section for e in profile.entries}
    assert tokens.count_tokens("\n".join(e.text for e in profile.entries)) <= 800
    assert shown


def test_an_entry_goes_with_what_it_came_from(memory: Memory, clock: ManualClock) -> None:
    say(memory, "I live in Recife")
    next_night(memory, clock)
    assert [e.text for e in memory.profile("maria").entries] == ["lives in Recife"]
    message = next(r for r in kept(memory, "message") if "Recife" in r.text)
    memory.purge(message.id)
    assert memory.profile("maria").entries == ()


def test_a_doubted_fact_is_not_in_the_compact_memory(memory: Memory, clock: ManualClock) -> None:
    say(memory, "I live in Recife")
    next_night(memory, clock)
    memory.confirm(kept(memory, "fact")[0].id)
    say(memory, "I live in Olinda", session="s2")
    clock.pass_time(days=1)
    memory.tend()
    assert [e.text for e in memory.profile("maria").entries] == ["lives in Recife"]


def test_the_answer_to_a_doubt_is_in_the_compact_memory_at_once(memory: Memory, clock: ManualClock) -> None:
    say(memory, "I live in Recife")
    next_night(memory, clock)
    memory.confirm(kept(memory, "fact")[0].id)
    say(memory, "I live in Olinda", session="s2")
    clock.pass_time(days=1)
    memory.tend()
    memory.answer(memory.questions("maria")[0].id, "Yes, I moved to Olinda")
    assert [e.text for e in memory.profile("maria").entries] == ["lives in Olinda"]


def test_a_line_that_names_no_source_of_its_own_is_not_kept(open_memory: OpenMemory, clock: ManualClock) -> None:
    class Inventing(RulesWriter):
        def user_memory(self, entries, news, *, sections, limits):  # type: ignore[no-untyped-def]
            return [EntryDraft("location", "Maria lives on the moon", ("fact_nowhere",))]

    memory = open_memory("life", writer=Inventing())
    say(memory, "I live in Recife")
    next_night(memory, clock)
    assert "moon" not in str(memory.profile("maria"))


# When things go wrong


class Failing(RulesWriter):
    """A writer whose model is away."""

    def insights(self, records, *, earlier=()):  # type: ignore[no-untyped-def]
        raise ModelError("the model is away")


def test_a_failed_night_is_tried_again_and_keeps_what_was_settled(open_memory: OpenMemory, clock: ManualClock) -> None:
    """Partial results stay: the conversation is settled once, the rest is made up for later."""
    memory = open_memory("life", writer=Failing())
    say(memory, "I live in Recife")
    (run,) = next_night(memory, clock)
    assert (run.status, run.error) == ("failed", "ModelError: the model is away")
    assert [r.text for r in kept(memory, "fact")] == ["Maria lives in Recife"]
    job = memory.store.read(lambda t: t.jobs.get("main", KEY))
    assert job is not None
    assert clock() < job.due_at


def test_a_worker_that_dies_after_its_work_leaves_no_double(memory: Memory, clock: ManualClock) -> None:
    from toldonce.jobs.handlers import DUTIES

    weigh(memory, clock, 82, 81)
    say(memory, "I weigh 79 kg", session="last")
    clock.pass_time(days=1)
    job = lease_one(memory, "consolidate", clock())
    DUTIES["consolidate"].run(memory, LeasedJob(job, now=clock()))
    before = (memory.profile("maria").version, len(kept(memory, "insight")))
    assert before[1] == 1
    clock.pass_time(minutes=5)
    memory.tend()
    assert (memory.profile("maria").version, len(kept(memory, "insight"))) == before


def test_a_preset_without_people_to_consolidate_has_no_such_job(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    memory.observe("I live in Recife", user="maria", session="s1")
    memory.tend()
    assert not [job for job in memory.jobs.all() if job.name == "consolidate"]


class Counted:
    """A store that counts its writes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.writes = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def write(self, work: Callable[[Tables], T], *, alone: bool = True) -> T:
        self.writes += 1
        return self._store.write(work, alone=alone)


def test_a_quiet_night_costs_a_few_writes_however_many_people_there_are(
    open_memory: OpenMemory, clock: ManualClock
) -> None:
    writer = CountingWriter()
    memory = open_memory("life", writer=writer)
    for n in range(40):
        say(memory, "I live in Recife", user=f"person{n}", session=f"s{n}")
    next_night(memory, clock)
    writer.asked.clear()
    store = memory.engine.store = Counted(memory.store)  # type: ignore[assignment]
    clock.pass_time(days=1)
    assert [run.status for run in nights(memory.tend())] == ["skipped"] * 40
    assert store.writes < 20
    assert writer.asked == []
