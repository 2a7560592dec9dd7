"""What holds for every format of the table, on a realistic sample and on damaged ones, wherever memory is kept."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import OpenMemory
from tests.importers.format_samples import DAMAGES, SAMPLES, FormatSample
from toldonce import Memory
from toldonce.errors import BadImport, ToldonceError
from toldonce.importers.formats import FORMATS, find_format, list_format_names, read_items
from toldonce.importers.values import ImportedConversation, OlderMemory, ReadOptions
from toldonce.records import Imported, Record

BY_NAME = {form.name: form for form in FORMATS}
# A report names a line, or the file and what is in it.
PLACE = re.compile(r"line \d+|triple |\.(?:jsonl?|af|md|mdc|txt|sqlite3)\b")


def open_for(open_memory: OpenMemory, name: str, file: str = "memory.db") -> Memory:
    return open_memory(BY_NAME[name].preset, file=file)


def bring(memory: Memory, place: Path, name: str, *, preview: bool = False) -> Imported:
    return memory.import_(place, user="ana", format=name, preview=preview, **SAMPLES[name].options)


def all_records(memory: Memory) -> list[Record]:
    return list({hit.record.id: hit.record for hit in memory.timeline(limit=1000)}.values())


def all_texts(memory: Memory) -> Counter[str]:
    return Counter(record.text for record in all_records(memory))


def conversations(memory: Memory) -> dict[str, set[str]]:
    """The ids of the messages of each imported conversation."""
    found: dict[str, set[str]] = defaultdict(set)
    for record in all_records(memory):
        told = record.metadata["imported"]
        if "conversation" in told:
            found[told["conversation"]].add(told["id"])
    return found


def test_every_format_has_a_sample() -> None:
    assert list(SAMPLES) == list_format_names()


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_recognised_by_what_is_in_it(tmp_path: Path, name: str) -> None:
    found = find_format(SAMPLES[name].make(tmp_path), columns=SAMPLES[name].options.get("columns"))
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize("name", SAMPLES)
def test_a_preview_says_what_an_import_brings_and_stores_nothing(
    open_memory: OpenMemory, tmp_path: Path, name: str
) -> None:
    memory, place = open_for(open_memory, name), SAMPLES[name].make(tmp_path)
    told = bring(memory, place, name, preview=True)
    assert (told.is_preview, told.kept, told.problems) == (True, SAMPLES[name].kept, ())
    assert all_records(memory) == []
    assert memory.people.all() == []
    brought = bring(memory, place, name)
    assert not brought.is_preview
    for figure in ("what", "read", "kept", "left_out", "kinds", "people", "first_at", "last_at", "problems"):
        assert getattr(told, figure) == getattr(brought, figure)


@pytest.mark.parametrize("name", SAMPLES)
def test_casual_talk_in_three_languages_comes_in_with_its_source(
    open_memory: OpenMemory, tmp_path: Path, name: str
) -> None:
    memory, place = open_for(open_memory, name), SAMPLES[name].make(tmp_path)
    assert bring(memory, place, name).kept == SAMPLES[name].kept
    records = all_records(memory)
    assert len(records) == SAMPLES[name].kept
    for piece in SAMPLES[name].says:
        assert any(piece in record.text for record in records), piece
    for record in records:
        told = record.metadata["imported"]
        assert (told["from"], record.origin) == (name, "import")
        assert told["id"]
        assert record.at <= memory.clock()
    if SAMPLES[name].is_talk and name != "mempalace":
        assert any(record.metadata["imported"].get("conversation") for record in records)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_second_import_brings_nothing_new(open_memory: OpenMemory, tmp_path: Path, name: str) -> None:
    memory, place = open_for(open_memory, name), SAMPLES[name].make(tmp_path)
    bring(memory, place, name)
    before = all_texts(memory)
    memory.forget(all_records(memory)[0].id)
    again = bring(memory, place, name)
    assert (again.kept, again.left_out["here already"]) == (0, SAMPLES[name].kept)
    assert all_texts(memory) == before


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", SAMPLES)
def test_damage_is_reported_by_its_place_and_no_conversation_comes_in_half(
    open_memory: OpenMemory, tmp_path: Path, name: str, damage: str
) -> None:
    sample = SAMPLES[name]
    (tmp_path / "whole").mkdir()
    (tmp_path / "damaged").mkdir()
    whole, damaged = sample.make(tmp_path / "whole"), sample.make(tmp_path / "damaged")
    sample.harm(tmp_path / "damaged", damage)
    clean, memory = open_for(open_memory, name, "clean.db"), open_for(open_memory, name)
    bring(clean, whole, name)

    told, brought = try_to_bring(memory, damaged, name, preview=True), try_to_bring(memory, damaged, name)
    assert report_of(told) == report_of(brought)
    if damage in sample.unseen:
        return
    report = report_of(brought)
    assert report
    assert all(PLACE.search(line) for line in report), report
    assert not isinstance(brought, BadImport) or not all_records(memory)
    assert all_texts(memory) <= all_texts(clean)
    for id_, found in conversations(memory).items():
        complete = conversations(clean)[id_]
        assert found == complete or (sample.is_loose and set(found) < set(complete))

    assert bring(memory, whole, name).problems == ()
    assert all_texts(memory) == all_texts(clean)


def try_to_bring(memory: Memory, place: Path, name: str, *, preview: bool = False) -> Imported | BadImport:
    try:
        return bring(memory, place, name, preview=preview)
    except BadImport as problem:
        return problem


def report_of(outcome: Imported | BadImport) -> tuple[str, ...]:
    return (str(outcome),) if isinstance(outcome, BadImport) else outcome.problems


@pytest.mark.in_a_file
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", SAMPLES)
def test_damage_is_no_crash_where_the_format_is_not_named(
    open_memory: OpenMemory, tmp_path: Path, name: str, damage: str
) -> None:
    place = SAMPLES[name].make(tmp_path)
    SAMPLES[name].harm(tmp_path, damage)
    memory = open_for(open_memory, name)
    try:
        memory.import_(place, user="ana", **SAMPLES[name].options)
    except ToldonceError:
        assert not all_records(memory)


@pytest.mark.parametrize("name", [name for name, one in SAMPLES.items() if one.file.endswith((".json", ".af"))])
def test_a_value_of_any_wrong_type_is_reported_or_left_out(tmp_path: Path, name: str) -> None:
    """Each value of the file in turn is replaced by one of another type; no text may come of it."""
    sample = SAMPLES[name]
    place, file = sample.make(tmp_path), tmp_path / sample.file
    text = file.read_text(encoding="utf-8")
    clean = set(read_texts(place, name, sample))
    for path in list_paths(json.loads(text)):
        for wrong in (None, 7, [1], {"a": [2]}, "wrong type"):
            value = json.loads(text)
            is_text = isinstance(replace_at(value, path, wrong), str)
            if is_text and isinstance(wrong, str):
                continue
            file.write_text(json.dumps(value), encoding="utf-8")
            try:
                found = set(read_texts(place, name, sample))
            except BadImport:
                continue
            made = {one for one in found - clean if "wrong type" not in one}
            # A value that is null is as good as left out.
            assert wrong is None or not made, (path, wrong)


def read_texts(place: Path, name: str, sample: FormatSample) -> Iterator[str]:
    for item in read_items(place, BY_NAME[name], ReadOptions(columns=sample.options.get("columns", {}))):
        if isinstance(item, ImportedConversation):
            yield from (message.text for message in item.messages)
        elif isinstance(item, OlderMemory):
            yield item.text


def list_paths(value: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield (*before, key)
        yield from list_paths(one, (*before, key))


def replace_at(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """Put another value at a place; returns what was there."""
    for step in path[:-1]:
        value = value[step]
    old, value[path[-1]] = value[path[-1]], new
    return old
