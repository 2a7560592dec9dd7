"""A file from a stranger brings no secrets, no control characters, no authority and no pattern that runs for ever."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toldonce import Memory
from toldonce.errors import BadImport, BadPreset
from toldonce.presets import parse_preset
from toldonce.presets.loader import preset_text
from toldonce.presets.pattern_check import find_risk

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


def opened(path: Path) -> Memory:
    return Memory.open(path, "community", background=False, embedder=None)


def exported(tmp_path: Path, change: Callable[[dict[str, Any]], None] = lambda line: None) -> Path:
    """An export of a small memory, each line of it as somebody changed it."""
    with opened(tmp_path / "source.db") as memory:
        memory.observe("I like green tea.", "ana", session="s", username="ana", display_name="Ana")
        memory.remember("Ana is allergic to nuts", user="ana", author="person", pinned=True, tags=["food"])
        memory.settle(session="s")
        memory.store.write(lambda t: t.documents.set_setting(memory.space.name, "done:profiles", "{}"))
        memory.export(tmp_path / "plain.jsonl")
    first, *lines = (tmp_path / "plain.jsonl").read_text().splitlines()
    # The first format of exports has no checksum, which whoever changes a file could write again as well.
    header = json.dumps(
        {name: value for name, value in {**json.loads(first), "toldonce": 1}.items() if name != "sha256"}
    )
    told = [json.loads(line) for line in lines]
    for line in told:
        change(line)
    target = tmp_path / "out.jsonl"
    target.write_text("\n".join([header, *(json.dumps(line) for line in told)]) + "\n")
    return target


def changing(type_: str, **fields: Any) -> Callable[[dict[str, Any]], None]:
    def change(line: dict[str, Any]) -> None:
        if line["type"] == type_:
            line.update(fields)

    return change


def raw(path: Path) -> bytes:
    return b"".join(p.read_bytes() for p in path.parent.glob(path.name + "*"))


@pytest.mark.parametrize(
    "change",
    [
        changing("record", text=f"the token is {SECRET}"),
        changing("record", title=f"token {SECRET}"),
        changing("record", summary=f"token {SECRET}"),
        changing("record", metadata={"deep": [{"a": f"key {SECRET}"}]}),
        changing("record", tags=[f"token {SECRET}"]),
        changing("change", reason=f"because of {SECRET}"),
        changing("document", entries=[{"section": "facts", "text": f"uses {SECRET}", "sources": [], "at": None}]),
        changing("document", data={"subjects": {"ana/key": SECRET}}),
        changing("person", display_name=f"Ana {SECRET}"),
    ],
)
def test_secrets_do_not_come_in_by_a_file(tmp_path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    with opened(tmp_path / "new.db") as memory:
        memory.import_(exported(tmp_path, change), trusted=True)
    assert SECRET.encode() not in raw(tmp_path / "new.db")


def test_control_characters_are_taken_out_of_texts(tmp_path: Path) -> None:
    file = exported(tmp_path, changing("record", text="I like\x00 tea\x1b[31m"))
    with opened(tmp_path / "new.db") as memory:
        brought = memory.import_(file)
        texts = {hit.record.text for hit in memory.recall("tea", "ana")}
    assert texts == {"I like tea[31m"}
    assert brought.left_out["texts with control characters cleaned"] > 0


@pytest.mark.parametrize(
    "change",
    [
        changing("record", user="a\0b"),
        changing("record", session="s\x1b"),
        changing("record", subject="x" * 5_000),
        changing("record", text="x" * 1_000_000),
        changing("record", tags=["t"] * 5_000),
        changing("record", metadata={"a": "x" * 100_000}),
        changing("record", metadata={"n": 2**80}),
        changing("record", at="9999-01-01T00:00:00+00:00"),
        changing("record", at="0001-01-01T00:00:00+00:00"),
        changing("record", metadata=json.loads('{"a":' * 50 + "1" + "}" * 50)),
        changing("person", username="a\x07"),
        changing("document", entries=[{"section": "s", "text": "x" * 1_000_000, "sources": [], "at": None}]),
        changing("entity", name="n" * 5_000),
        changing("record", text="   "),
        changing("document", data={"a": "x" * 100_000}),
    ],
)
def test_what_the_gate_refuses_is_refused_in_a_file(tmp_path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    file = exported(tmp_path, change)
    with opened(tmp_path / "new.db") as memory:
        with pytest.raises(BadImport, match=r"line \d+"):
            memory.import_(file)
        assert list(memory.recall("tea", "ana")) == []


def test_a_file_brings_no_authority_unless_it_is_trusted(tmp_path: Path) -> None:
    file = exported(tmp_path)
    with opened(tmp_path / "strange.db") as memory:
        brought = memory.import_(file)
        [record] = [hit.record for hit in memory.recall("nuts", "ana") if "nuts" in hit.record.text]
        settings = memory.store.read(lambda t: t.documents.read_setting(memory.space.name, "done:profiles"))
    assert (record.validated, record.pinned, int(record.trust)) == (False, False, 2)
    assert record.made_by != "person" and record.role != "person"
    assert settings != "{}"
    assert brought.left_out["marks as validated"] == 1 and brought.left_out["pins"] == 1
    with opened(tmp_path / "own.db") as memory:
        brought = memory.import_(file, trusted=True)
        [record] = [hit.record for hit in memory.recall("nuts", "ana") if "nuts" in hit.record.text]
    assert (record.validated, record.pinned, int(record.trust)) == (True, True, 3)
    assert brought.left_out == {}


def preset_with(pattern: str) -> str:
    text = preset_text("companion")[0]
    assert text.count("\n[capture]\n") == 1 and "\nskip" not in text
    return text.replace("\n[capture]\n", f"\n[capture]\nskip = [{json.dumps(pattern)}]\n")


EVIL = (
    r"(a+)+$", r"(a*)*b", r"(a|a)*b", r"(a|ab)*c", r"(\w+\s?)*$", r"(.*)*x", r"(x+x+)+y", r"(a)\1+", r"\s*.*\s*.*x",
    r"([a-z]+)*\d", r"(?:a[bc]|[ab]c)*d", r"(a?){50}b", r".*.*.*=.*", r"(?i)(ab|AB)*c", r"(?=(a+))a*b\1", r"\d*\d*\d*x",
    "a" * 2_000, r"(", r"(?:(?:a{1,9}){1,9}){1,9}b",
)  # fmt: skip
GOOD = (
    r"^/\w+", r"^\s*$", r"(?i)\b(?:ok|thanks)\b", r"^!", r"^[\W_]+$", r"https?://\S+$", r"^(?:yes|no)[.!]?$",
    r"(?>a+)+b", r"(?:a++)+b",
)  # fmt: skip


@pytest.mark.parametrize("pattern", EVIL)
def test_a_pattern_that_could_run_for_ever_is_refused(pattern: str) -> None:
    assert find_risk(pattern)
    with pytest.raises(BadPreset, match="skip"):
        parse_preset(preset_with(pattern), "mine.toml")


@pytest.mark.parametrize("pattern", GOOD)
def test_plain_patterns_are_taken_and_stay_quick(pattern: str) -> None:
    assert find_risk(pattern) is None
    preset = parse_preset(preset_with(pattern), "mine.toml")
    assert preset.capture.skip == (pattern,)
    for unit in ("a", "aA", " ", "1", "/", "a ", "ok ", "http://"):
        began = time.process_time()
        re.compile(pattern).search((unit * 4_000)[:4_000] + "\n")
        assert time.process_time() - began < 1


def test_a_preset_inside_an_export_is_checked_too(tmp_path: Path) -> None:
    file = exported(tmp_path, changing("space", name="other", preset="mine", preset_text=preset_with(r"(a+)+$")))
    with opened(tmp_path / "new.db") as memory, pytest.raises(BadImport, match="quantifier inside a quantifier"):
        memory.import_(file)
