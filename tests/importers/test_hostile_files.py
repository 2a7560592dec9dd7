"""Files that were made to keep a reader busy are given up soon, and read once."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from tests.conftest import OpenMemory
from toldonce.errors import BadImport
from toldonce.importers.json_stream import ELEMENT, JsonStream
from toldonce.importers.source_tree import SourceTree


class CountedFile(io.StringIO):
    """A text that counts how much of it was read."""

    asked = 0

    def read(self, size: int | None = -1, /) -> str:
        piece = super().read(size)
        self.asked += len(piece)
        return piece


def test_a_file_that_is_mostly_damage_is_not_read_to_its_end(open_memory: OpenMemory, tmp_path: Path) -> None:
    memory = open_memory("assistant")
    file = tmp_path / "conversations.json"
    file.write_text("[" + "0," * 500_000 + "0]", encoding="utf-8")
    with pytest.raises(BadImport, match="nothing of .* could be read"):
        memory.import_(file, format="chatgpt", user="ana")
    talk = {"uuid": "u", "name": "x", "chat_messages": [{"uuid": "m", "sender": "human", "text": "I live in Faro"}]}
    talk["chat_messages"][0]["created_at"] = "2025-01-01T10:00:00Z"  # type: ignore[index]
    file.write_text("[" + json.dumps(talk) + ",0" * 500_000 + "]", encoding="utf-8")
    brought = memory.import_(file, format="claude", user="ana")
    assert brought.kept == 1 and brought.read < 20_000
    assert "items up to here are damaged" in brought.problems[-1]


def test_some_damage_does_not_end_an_import(open_memory: OpenMemory, tmp_path: Path) -> None:
    memory = open_memory("assistant")
    file = tmp_path / "conversations.json"
    file.write_text("[" + "0," * 9_000 + "0]", encoding="utf-8")
    with pytest.raises(BadImport):
        memory.import_(file, format="chatgpt", user="ana")


def test_asking_for_the_place_looks_at_no_character_twice() -> None:
    text = "[\n" + "0,\n" * 100_000 + "0]"
    stream = JsonStream(CountedFile(text), [(ELEMENT,)])
    places = []
    for _ in stream.read():
        places.append(stream.place)
        # The lines up to here are counted, not those of the whole piece again.
        assert stream._counted == stream._at
    assert places[0] == "line 2" and places[1] == "line 3" and places[-1] == "line 100002"


def test_one_value_of_digits_is_not_read_without_end() -> None:
    file = CountedFile("[" + "1" * 200_000_000)
    with pytest.raises(BadImport, match="longer than"):
        list(JsonStream(file, [(ELEMENT,)]).read())
    assert file.asked < 150_000_000


def pack_zeros(path: Path, size: int) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("conversations.json", "w") as file:
        for _ in range(size // 1_000_000):
            file.write(b"0" * 1_000_000)
    return path


def test_an_archive_unpacks_to_no_more_than_its_size_allows(tmp_path: Path) -> None:
    bomb, small = pack_zeros(tmp_path / "bomb.zip", 101_000_000), pack_zeros(tmp_path / "small.zip", 99_000_000)
    with pytest.raises(BadImport, match="the archive holds more than"):
        SourceTree(bomb)
    with bomb.open("rb") as file, pytest.raises(BadImport, match="100,000,000 bytes"):
        SourceTree(file)
    with SourceTree(small) as source:
        assert source.names == ("conversations.json",)
