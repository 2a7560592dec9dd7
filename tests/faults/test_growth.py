"""Ten times the text costs about ten times the work, for every rule that reads what people write.

Cost is processor time, so a busy machine changes nothing but the noise. A case fails only when the large text takes
longer than a floor that linear rules stay far below, and its cost grew more than twice as fast as its length.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any

import apsw
import pytest

from toldonce import Memory, presets, tokens
from toldonce.capture.gate import GateLimits, admit_through_gate, junk_score
from toldonce.capture.secrets.redact import redact_secrets
from toldonce.coding.codemap import seed
from toldonce.coding.codemap.extract import first_prose, import_references
from toldonce.coding.codemap.symbols import by_pattern
from toldonce.coding.codemap.task import read_task
from toldonce.coding.codemap.words import word_bag
from toldonce.coding.transcripts.learn import learn_from_transcript
from toldonce.coding.transcripts.reader import read_transcript
from toldonce.distil.alternatives import is_different_choice
from toldonce.distil.drafts import ConversationMessage, Material, SubjectWords
from toldonce.distil.goals import is_reached
from toldonce.distil.instructions import instructions_in, replaces_instruction
from toldonce.distil.judgement import judge_contradiction
from toldonce.distil.notes import write_note
from toldonce.distil.reading import is_of_another_year, remove_written_dates, split_sentences, write_absolute_dates
from toldonce.distil.settle import Settled
from toldonce.distil.topics import group_topics
from toldonce.distil.writer import RulesWriter
from toldonce.jobs import daily_digest, enrich
from toldonce.jobs.daily_digest import MOST_NEWS, MOST_NOTES
from toldonce.jobs.handlers import DUTIES, PAGE
from toldonce.jobs.task import JobResult, LeasedJob
from toldonce.lang.vocabulary import content_words, normalise_alias
from toldonce.models.tagger import Mention, RegexTagger, same_entity
from toldonce.recall import query as asks
from toldonce.recall.query import Query, analyse_query, find_asked_attributes
from toldonce.storage.store import Tables
from toldonce.storage.tables.jobs import Job
from toldonce.text.words import READ_CHARS, query_pairs, stem_of_word, text_grams
from toldonce.times.reader import find_asked_windows

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
SMALL = 1_500
LARGE = 10 * SMALL
FLOOR_S = 0.3
MOST = 25
# Most rules read one sentence at a time, and no sentence longer than this.
SENTENCE = 780
SENTENCE_FLOOR_S = 0.08
OPENINGS = ("", "I like ", "my ", "Eu gosto de ", "please always ")
BY_SENTENCE = ("facts", "note", "instructions", "times", "question", "question_types", "moments", "judge", "choices")

UNITS = (
    "a", "A", "1", " ", ",", ", ", ".", "\n", "\t", "'", '"', "`", "-", "_", "/", "@", "#", ":", "(", ")", "[", "{",
    "<", "<a>", "</a>", "“", "«", "=", "*", "|", "é", "a.", "a-", "a_", "a/", "a@", "1,", "1.", "1 ", "1/1/", "12:",
    "and ", "e ", "of ", "the ", "my ", "I ", "not ", "never ", "always ", "de ", "que ", "Ana ", "Ana Maria and ",
    "hoje ontem ", "today yesterday ", "monday ", "segunda-feira ", "3 March ", "3 de março ", "2024 ", "2024-01-01 ",
    "between 2020 and ", "since before after ", "two days before ", "in the morning of ", "last week of the ",
    "I like aab. ", "I like aab, ", "I live in Rome and ", "eu gosto de a, ", "eu moro em Lisboa e ", "my dog's ",
    "my sister Ana ", "meu nome é ", "I used to ", "I'm ", "please always ", "never use ", "don't ", "sempre responda ",
    "prefer a over b ", "instead of ", "```", "'''", '"""', "http://", "www.a.", "a@a.", "key=", "token: ",
    "password is ", "def a(", "class a\n", "import a ", "function ", "// ", "/* ", "<!-- ", "-----BEGIN ", "0x", "aA",
    "what is the name of ", "how many ", "did I say ", "when did ", "a b c d e f g, ", "1a2b3c4d", "\u0301", "😀",
    "years old ", "from now on ", "if a then ", '{"a":', "[[", "user: ", "Error: ", "$ ", ">", "é ã ", "u.s. ",
)  # fmt: skip
# Found by trying words of the rules at random.
SENTENCE_UNITS = (
    ",  my ",
    "noivei ,  object ",
    ",  alcancei !",
    "também ",
    "!I",
    "I'm ;",
    "e  estou ",
    ":my ",
    "e aí ",
    "really ",
)
MIXED = ("a" * 200 + " ", "1" * 50 + " ", "Ana " * 20 + ", ", "I like a and b, c; " * 3 + "\n", '"a" ' * 5 + "'")


def _said(text: str) -> list[ConversationMessage]:
    return [ConversationMessage("m1", text, "ana", "user", NOW, "Ana")]


def _many_said(text: str) -> list[ConversationMessage]:
    return [
        ConversationMessage(f"m{i}", text[i : i + 300], "ana", "user", NOW, "Ana") for i in range(0, len(text), 300)
    ]


def _material(text: str) -> Material:
    return Material(id="r1", text=text, at=NOW, title=text[:80], people=("ana",))


def _materials(text: str) -> list[Material]:
    return [
        Material(id=f"r{i}", text=text[i : i + 300], at=NOW, title=text[i : i + 40], people=("ana",))
        for i in range(0, len(text), 300)
    ]


_SUBJECTS = presets.load_preset("life").subjects
_WORDS = {name: SubjectWords(name, row.rule, row.words) for name, row in _SUBJECTS.items()}
_WRITER = RulesWriter()


def _ask(text: str) -> None:
    asked = analyse_query(text, now=NOW, zone=UTC)
    find_asked_attributes(asked, _SUBJECTS)
    find_asked_attributes(Query(text, (), (), (), ()), _SUBJECTS)


def _ask_all(text: str) -> None:
    for name in asks.__dict__:
        if name.startswith(("asks_", "is_")):
            asks.__dict__[name](text)


ENTRIES: dict[str, Callable[[str], object]] = {
    "gate": lambda text: admit_through_gate(text + "x", limits=GateLimits(max_chars=LARGE + 1)),
    "secrets": redact_secrets,
    "junk": junk_score,
    "tagger": lambda text: RegexTagger().tag(text),
    "normalise": normalise_alias,
    "grams": lambda text: (text_grams(text), query_pairs(text)),
    "tokens": lambda text: (tokens.count_tokens(text), tokens.cut_text(text, 35), tokens.cut_text(text, 2_000)),
    "question": _ask,
    "question_types": _ask_all,
    "times": lambda text: find_asked_windows(text, now=NOW, zone=UTC),
    "content_words": content_words,
    "stem": stem_of_word,
    "sentences": split_sentences,
    "instructions": lambda text: list(instructions_in(split_sentences(text))),
    "facts": lambda text: _WRITER.facts(_said(text), subjects=_WORDS),
    "facts_of_many": lambda text: _WRITER.facts(_many_said(text), subjects=_WORDS),
    "note": lambda text: write_note(_said(text)),
    "note_of_many": lambda text: write_note(_many_said(text)),
    "moments": lambda text: (
        write_absolute_dates(text, NOW, "en"),
        write_absolute_dates(text, NOW, "pt"),
        remove_written_dates(text),
    ),
    "another_year": lambda text: is_of_another_year(text, NOW),
    "topics": lambda text: group_topics(_materials(text)),
    "insights": lambda text: _WRITER.insights(_materials(text)),
    "reflection": lambda text: _WRITER.reflect(_materials(text), since=NOW, until=NOW),
    "report": lambda text: _WRITER.report(_materials(text), about="week", since=NOW, until=NOW),
    "judge": lambda text: judge_contradiction(_material(text), _material(text + "x")),
    "choices": lambda text: is_different_choice(text, text + "x"),
    "goals": lambda text: is_reached(text, text + "x"),
    "manners": lambda text: replaces_instruction(text, text + "x"),
    "code_words": word_bag,
    "code_prose": lambda text: (first_prose(text), import_references(text)),
    "code_task": read_task,
    "code_seed": lambda text: [
        list(read(text)) for read in (seed.read_agent_instructions, seed.read_readme, seed.read_editorconfig)
    ],
    **{
        f"symbols_{language}": lambda text, language=language: by_pattern(text, language)
        for language in ("python", "javascript", "go", "rust", "java", "c", "ruby", "php", "other")
    },
}


def _cost(work: Callable[[str], object], text: str) -> float:
    for name in asks.__dict__:
        if hasattr(asks.__dict__[name], "cache_clear"):
            asks.__dict__[name].cache_clear()
    began = time.process_time()
    work(text)
    return time.process_time() - began


def _filled(unit: str, length: int, *, before: str = "", after: str = "") -> str:
    room = length - len(before) - len(after)
    return before + (unit * (room // len(unit) + 1))[:room] + after


def _grows_too_fast(
    work: Callable[[str], object], unit: str, *, large: int, floor_s: float, before: str = "", after: str = ""
) -> str:
    """What grew, with its figures; "" when all is well. The least of three costs counts, so that noise does not."""
    text = _filled(unit, large, before=before, after=after)
    small = _filled(unit, large // 10, before=before, after=after)
    took = _cost(work, text)
    if took <= floor_s:
        return ""
    took = min(took, *(_cost(work, text) for _ in range(2))) if took < 20 * floor_s else took
    once = min(_cost(work, small) for _ in range(3))
    grew = took / max(once, 1e-4)
    return f"{unit!r}: {once:.4f} s became {took:.3f} s, {grew:.0f} times" if took > floor_s and grew > MOST else ""


@pytest.mark.parametrize("name", ENTRIES)
def test_ten_times_the_text_costs_about_ten_times_the_work(name: str) -> None:
    ENTRIES[name]("hello")
    slow = [_grows_too_fast(ENTRIES[name], unit, large=LARGE, floor_s=FLOOR_S) for unit in (*UNITS, *MIXED)]
    assert not [problem for problem in slow if problem]


@pytest.mark.parametrize("name", BY_SENTENCE)
def test_ten_times_the_sentence_costs_about_ten_times_the_work(name: str) -> None:
    work = ENTRIES[name]
    work("hello")
    slow = [
        _grows_too_fast(work, unit, large=SENTENCE, floor_s=SENTENCE_FLOOR_S, before=opening, after=".")
        for opening in OPENINGS
        for unit in (*UNITS, *SENTENCE_UNITS)
    ]
    assert not [problem for problem in slow if problem]


def test_a_session_of_a_coding_agent_is_read_in_linear_time(tmp_path: Path) -> None:
    def work(text: str) -> None:
        path = tmp_path / "session.jsonl"
        turns = [text[place : place + 500] for place in range(0, len(text), 500)]
        lines = [{"type": "user", "message": {"role": "user", "content": turn}} for turn in turns]
        path.write_text("\n".join(map(json.dumps, lines)))
        learn_from_transcript(read_transcript(path, "claude-code"))

    slow = [_grows_too_fast(work, unit, large=LARGE, floor_s=FLOOR_S) for unit in UNITS]
    assert not [problem for problem in slow if problem]


def _settled(count: int, folder: Path) -> tuple[float, Settled]:
    """The processor time of settling one conversation of so many short messages, and what became of it."""
    likes = ["".join(letters) for letters in product("abcdefghijklmnop", repeat=3)]
    with Memory.open(folder / f"{count}.db", "companion", background=False, embedder=None) as memory:
        messages = [{"text": f"I like {word}.", "user": "ana", "session": "s"} for word in likes[:count]]
        memory.observe_many(messages)
        began = time.process_time()
        [settled] = memory.settle(session="s")
        return time.process_time() - began, settled


def test_one_conversation_asks_a_bounded_amount_of_the_store(tmp_path: Path) -> None:
    _settled(20, tmp_path)
    took, settled = _settled(1_400, tmp_path)
    assert len(settled.kept) <= presets.load_preset("companion").distil.max_facts + 1
    assert 1_000 < settled.left_out < 1_400
    before, _ = _settled(140, tmp_path)
    assert took < FLOOR_S or took / before <= MOST


def test_what_is_left_out_is_counted_in_the_run_of_the_job(tmp_path: Path) -> None:
    clock = [NOW]
    with Memory.open(tmp_path / "m.db", "companion", background=False, embedder=None, clock=lambda: clock[0]) as memory:
        words = ["".join(letters) for letters in product("abcdefg", repeat=3)]
        memory.observe_many([{"text": f"I like {word}.", "user": "ana", "session": "s"} for word in words[:250]])
        clock[0] = NOW + timedelta(hours=3)
        memory.tend()
        [run] = memory.jobs.runs(name="settle")
        assert 40 <= run.counts["left_out"] <= 50
        assert len(memory.recall("what do I like", "ana", kinds=["message"], limit=250)) > 0


def test_a_person_of_whom_much_is_known_costs_no_more_comparisons(tmp_path: Path) -> None:
    """The records a new one is compared with are read whole only where their value fits."""
    with Memory.open(tmp_path / "m.db", "companion", background=False, embedder=None) as memory:
        likes = [
            memory.remember(f"Ana likes {word}", user="ana", subject="ana/likes", metadata={"value": word})
            for word in ("ducks", "geese", "swans", *(f"bird {place} of {place * 7}" for place in range(60)))
        ]
        later = memory.remember("Ana dislikes geese", user="ana", subject="ana/dislikes", metadata={"value": "Geese"})
        states = [memory.get(record.id).state for record in likes]
    assert later.is_current
    assert states.count("superseded") == 1 and states[1] == "superseded"


@pytest.mark.parametrize("unit", ["hoje ontem ", "monday ", "2019 2020 ", ", ", "and ", "Ana Bia "])
def test_a_long_question_is_cut_before_it_is_read(tmp_path: Path, unit: str) -> None:
    with Memory.open(tmp_path / "m.db", "companion", background=False, embedder=None) as memory:
        memory.observe_many(
            [{"text": f"Ontem eu fui ao mercado {place}", "user": "ana", "session": "s"} for place in range(200)]
        )
        memory.recall("ontem", "ana")

        def work(text: str) -> object:
            return memory.recall(text, "ana")

        assert not _grows_too_fast(work, unit, large=40_000, floor_s=FLOOR_S)
        asked = analyse_query(_filled(unit, 40_000, after="What did Bruno paint?"), now=NOW, zone=UTC)
    assert len(asked.text) <= READ_CHARS and len(asked.windows) <= 8
    assert asked.text.endswith("What did Bruno paint?")


def _run(memory: Memory, name: str) -> dict[str, int]:
    """The counts of the last run of a job."""
    memory.tend()
    [run] = memory.jobs.runs(name=name, limit=1)
    assert run.error == ""
    return dict(run.counts)


def _add_notes(memory: Memory, count: int, *, at: datetime) -> list[str]:
    """Notes of one day about many things, in which the same person took part."""
    words = ["".join(letters) for letters in product("bdfgklmnprst", "aeiou", "bdfgklmnprst")]
    kept = [
        memory.remember(
            f"Talk about {words[place % 701]} and {words[place * 7 % 683]} number {place}",
            kind="note",
            at=at + timedelta(minutes=place),
            metadata={"participants": ["ana"]},
        )
        for place in range(count)
    ]
    return [record.id for record in kept]


def test_a_day_with_many_notes_is_grouped_from_a_bounded_number_of_them(tmp_path: Path) -> None:
    clock = [NOW]
    with Memory.open(tmp_path / "m.db", "community", background=False, embedder=None, clock=lambda: clock[0]) as memory:
        memory.observe("I like green tea and I live in Lisbon.", "ana", session="s")
        memory.settle(session="s")
        memory.tend()
        notes = _add_notes(memory, 2 * MOST_NOTES, at=NOW - timedelta(hours=11))
        clock[0] = NOW + timedelta(days=1)
        counts = _run(memory, "topics")
        made = memory.review.records(kinds=["topic"], limit=50)
        used = {source for topic in made for source in topic.sources} & set(notes)
        profiles = [run.counts for run in memory.jobs.runs(name="consolidate_profiles") if run.counts]
    assert counts["topics"] == len(made) > 0
    assert 0 < len(used) <= MOST_NOTES
    assert counts["left_out"] + MOST_NOTES >= 2 * MOST_NOTES
    picked = daily_digest._pick_evenly(notes, MOST_NOTES)  # type: ignore[arg-type]
    assert len(picked) == MOST_NOTES
    assert {notes.index(one) * 10 // len(notes) for one in picked} == set(range(10)), "spread over the day"
    assert [found["left_out"] for found in profiles] and profiles[0]["left_out"] >= 2 * MOST_NOTES - MOST_NEWS


def test_names_that_thousands_share_a_part_of_are_not_all_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = 0

    def count(one: str, other: str) -> bool:
        nonlocal compared
        compared += 1
        return same_entity(one, other)

    monkeypatch.setattr(enrich, "same_entity", count)
    with Memory.open(tmp_path / "m.db", "assistant", background=False, embedder=None) as memory:
        record = memory.remember("they met", user="ana")

        def join(tables: Tables) -> list[str]:
            names = [f"Ana Souza{place}" for place in range(3_000)]
            for place, name in enumerate([*names, "Bo Lima", "Lima Bo"]):
                entity = tables.transfer.add_entity(f"e{place}", space=record.space, name=name, type="person")
                tables.transfer.add_mentions(entity, tables.records.find_places([record.id]))
            told = [Mention(name, "person", 0, len(name), 1.0) for name in (*names[:50], "Bo Lima")]
            enrich._join_entities(tables, record.space, told)
            return [row[1] for row in tables.entities.names(record.space)]

        left = memory.store.write(join)
    assert compared <= 51 * 5 * enrich.CROWDED
    assert len(left) == 3_001 and not {"Bo Lima", "Lima Bo"} <= set(left)


def _most_jobs_of_a_write(memory: Memory, work: Callable[[], object]) -> int:
    """The most jobs that one transaction planned, ended or changed while something was done."""
    most, write = 0, memory.store.write

    def counted(job: Callable[[Tables], Any]) -> Any:
        def count(tables: Tables) -> Any:
            nonlocal most
            before = {(one.space, one.key, one.due_at) for one in tables.jobs.all()}
            made = job(tables)
            after = {(one.space, one.key, one.due_at) for one in tables.jobs.all()}
            most = max(most, len(after - before))
            return made

        return write(count)

    memory.store.write = counted  # type: ignore[method-assign]
    try:
        work()
    finally:
        memory.store.write = write  # type: ignore[method-assign]
    return most


@pytest.mark.parametrize("job", ["resume", "settle_pending"])
def test_many_lost_conversations_are_planned_in_short_transactions(tmp_path: Path, job: str) -> None:
    count, clock = 2 * PAGE + 50, [NOW]
    with Memory.open(tmp_path / "m.db", "companion", background=False, embedder=None, clock=lambda: clock[0]) as memory:
        memory.observe_many([{"text": "ok", "user": "ana", "session": f"s{place}"} for place in range(count)])
        connection = apsw.Connection(str(tmp_path / "m.db"))
        connection.execute("DELETE FROM jobs")
        connection.close()
        planned_job = Job(space=memory.space.name, key=job, name=job, due_at=NOW)
        memory.store.write(lambda t: t.jobs.put(planned_job))
        task = LeasedJob(planned_job, now=NOW + timedelta(days=3))
        done: list[JobResult] = []
        most = _most_jobs_of_a_write(memory, lambda: done.append(DUTIES[job].run(memory, task)))
        planned = [one for one in memory.jobs.all() if one.name == "settle"]
    assert len(planned) == count == sum(done[0].counts.values())
    assert most <= PAGE
