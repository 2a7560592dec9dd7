"""A JSON text of any size comes in and the values at chosen places come out, one at a time.

Only the value that is being read is held in memory, so that an export of gigabytes costs what its largest
conversation costs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, TextIO

from toldonce.errors import BadImport
from toldonce.importers.source_tree import SourceTree

# In a pattern of a place: an element of a list, and any key of a table or element of a list.
ELEMENT = "[]"
ANY = "*"

Place = tuple[str, ...]

_PIECE = 1 << 16
_MOST_CHARS = 64_000_000
_BLANK = " \t\r\n"
_STRING_END = re.compile(r'[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_NESTING = re.compile(r'["{}\[\]]')
_SCALAR_END = re.compile(r"[,\]}\s]")
_OPENING = "{["


class JsonStream:
    """Reads the values at the places that match one of the patterns; everything else is skipped."""

    def __init__(self, file: TextIO, patterns: Sequence[Place], *, name: str = "") -> None:
        self._file = file
        self._patterns = patterns
        self._name = name
        self._text = ""
        self._at = 0
        # The line at `_counted`: each character is looked at once, however often somebody asks for the place.
        self._line, self._counted = 1, 0

    @property
    def place(self) -> str:
        """Where the reading is, for a message to the user."""
        line = f"line {self._find_line()}"
        return f"{self._name}, {line}" if self._name else line

    def read(self) -> Iterator[tuple[Place, Any]]:
        """Each value with its place, in the order of the file; elements of a list have the key `[]`."""
        if not self._peek():
            raise self._broken("the file is empty")
        yield from self._walk(())
        if self._peek():
            raise self._broken("there is more text behind the end of the JSON value")

    def _walk(self, place: Place) -> Iterator[tuple[Place, Any]]:
        if any(_matches(pattern, place) for pattern in self._patterns):
            yield place, self._take_value()
        elif not any(_matches(pattern[: len(place)], place) for pattern in self._patterns):
            self._take_text()
        elif self._peek() == "{":
            yield from self._walk_table(place)
        elif self._peek() == "[":
            yield from self._walk_list(place)
        else:
            self._take_text()

    def _walk_table(self, place: Place) -> Iterator[tuple[Place, Any]]:
        self._expect("{")
        while self._peek() != "}":
            key = self._take_value()
            if not isinstance(key, str):
                raise self._broken("a key must be a text")
            self._expect(":")
            yield from self._walk((*place, key))
            if self._peek() != "}":
                self._expect(",")
        self._expect("}")

    def _walk_list(self, place: Place) -> Iterator[tuple[Place, Any]]:
        self._expect("[")
        while self._peek() != "]":
            yield from self._walk((*place, ELEMENT))
            if self._peek() != "]":
                self._expect(",")
        self._expect("]")

    def _take_value(self) -> Any:
        text = self._take_text()
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as problem:
            raise self._broken(f"this is no valid JSON ({problem})") from None

    def _take_text(self) -> str:
        """The text of the next value; it stays unparsed."""
        first = self._peek()
        if first == '"':
            end = self._find_string_end(self._at + 1)
        elif first and first in _OPENING:
            end = self._find_nesting_end(self._at)
        else:
            end = self._find_scalar_end(self._at)
        text = self._text[self._at : end]
        self._at = end
        return text

    def _find_string_end(self, start: int) -> int:
        while (found := _STRING_END.match(self._text, start)) is None:
            start -= self._grow()
        return found.end()

    def _find_nesting_end(self, at: int) -> int:
        depth = 0
        while True:
            found = _NESTING.search(self._text, at)
            if found is None:
                at = len(self._text) - self._grow()
                continue
            mark, at = found.group(), found.end()
            if mark == '"':
                at = self._find_string_end(at)
            elif mark in _OPENING:
                depth += 1
            else:
                depth -= 1
                if not depth:
                    return at

    def _find_scalar_end(self, at: int) -> int:
        while (found := _SCALAR_END.search(self._text, at)) is None:
            if not self._extend():
                return len(self._text)
        if found.start() == at:
            raise self._broken("a value is missing")
        return found.start()

    def _peek(self) -> str:
        """The next character that is not blank; "" at the end of the file."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in _BLANK:
                self._at += 1
            if self._at < len(self._text):
                return self._text[self._at]
            self._drop_read()
            if not self._extend():
                return ""

    def _expect(self, mark: str) -> None:
        if (found := self._peek()) != mark:
            said = f"found {found!r}" if found else "the file ends here"
            raise self._broken(f"expected {mark!r}, but {said}")
        self._at += 1
        if self._at > _PIECE:
            self._drop_read()

    def _grow(self) -> int:
        """Read on in the middle of a value; returns how far the text moved (what was read before is dropped)."""
        moved = self._drop_read()
        if not self._extend():
            raise self._broken("the file ends in the middle of a value: it is cut short")
        return moved

    def _drop_read(self) -> int:
        moved = self._at
        self._find_line()
        self._text, self._at, self._counted = self._text[moved:], 0, 0
        return moved

    def _find_line(self) -> int:
        self._line += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._line

    def _extend(self) -> bool:
        if len(self._text) - self._at > _MOST_CHARS:
            raise self._broken(f"one value is longer than {_MOST_CHARS:,} characters")
        try:
            piece = self._file.read(max(_PIECE, len(self._text)))
        except UnicodeDecodeError:
            raise self._broken("this is no UTF-8 text") from None
        self._text += piece
        return bool(piece)

    def _broken(self, why: str) -> BadImport:
        return BadImport(f"{self.place}: {why}", line=self._find_line())


def _matches(pattern: Place, place: Place) -> bool:
    return len(pattern) == len(place) and all(p in (ANY, q) for p, q in zip(pattern, place, strict=True))


def read_json_items(source: SourceTree, name: str) -> Iterator[tuple[str, Any]]:
    """The elements of a list in a file with their places; a file of one value has it alone, without a list."""
    wanted = () if source.peek(name).lstrip("\ufeff \t\r\n").startswith("{") else (ELEMENT,)
    with source.open_text(name) as file:
        stream = JsonStream(file, [wanted], name="" if name == source.path.name else name)
        for number, (_, value) in enumerate(stream.read(), start=1):
            yield f"{stream.place}, item {number}", value
