"""One file into the index: its words, the names it defines, what it imports, and its first line of prose."""

from __future__ import annotations

import re
from hashlib import blake2b
from pathlib import Path

from toldonce.coding.codemap.imports import find_imports
from toldonce.coding.codemap.index import Index
from toldonce.coding.codemap.languages import file_role, is_code, language_of_file
from toldonce.coding.codemap.project_files import read_inside
from toldonce.coding.codemap.symbols import find_symbols
from toldonce.coding.codemap.walk import FoundFile
from toldonce.coding.codemap.words import word_bag

LARGEST = 1_000_000
_UNKNOWN_LARGEST = 64_000
_SNIFFED = 8_192
# Beyond this, a file that is no code is data.
_PROSE_LARGEST = 60_000
_MOST_REFS = 120
_IMPORT_LINES = 500
_LONGEST_LINE = 200
_PROSE_WITHIN = 4_000
_LONGEST_PROSE = 140
_DROPPED = ("drop_symbols", "drop_refs", "drop_imports", "drop_symbol_text", "drop_body_text")
_NOT_READ = frozenset(("vendored", "generated"))

_IMPORTS = (
    "import", "from ", "use ", "pub use ", "mod ", "pub mod ", "using ", "#include", "# include", "require", "include",
    "export ", "} from ", "load ", '"',
)  # fmt: skip
_QUOTED_IMPORTS = ("require(", "import(", " from '", ' from "')
_WORD = re.compile(r"[\w-]{2,40}")
_NOT_MODULES = frozenset(
    "import from as use using include require crate super self pub std type static const let var export default "
    "js ts go py src".split()
)
_COMMENT = re.compile(r"[ \t]*(?:r?\"{3}|'{3}|/\*+!?|///?!?|#+(?!include|define)!?|--+|;+|\*+|<!--|%+)[ \t]*(.*)")
_BESIDE_PROSE = re.compile(
    r"[ \t]*(?:import|from|use|using|package|namespace|require|#[ \t]*(?:include|define|if|pragma)|<\?php|declare"
    r"|['\"]|module|@|\)|\w[\w.]*,?$)"
)
_NOT_PROSE = re.compile(
    r"copyright|licen[cs]e|spdx|coding[:=]|eslint|prettier|noqa|pylint|@ts-|@file|@author|generated|usr/bin|pragma|todo|"
    r"use strict|all rights|^import|^from|reference (path|types)|mypy:|ruff:|go:|\+build|type: ignore",
    re.IGNORECASE,
)


def read_text_file(root: Path, found: FoundFile) -> tuple[bytes, str]:
    """The bytes of a text file and no reason, or no bytes and the reason why it was not read."""
    role = file_role(found.path, language := language_of_file(found.path))
    if role in _NOT_READ:
        return b"", role
    if role == "test" and not is_code(language):
        return b"", "test data"
    if found.size > (LARGEST if language else _UNKNOWN_LARGEST):
        return b"", "larger than 1 MB" if found.size > LARGEST else "of unknown kind"
    data = read_inside(root, found.path, most_bytes=LARGEST + 1)
    if data is None:
        return b"", "cannot be read"
    return (b"", "binary") if b"\0" in data[:_SNIFFED] else (data, "")


def store_file(index: Index, file_id: int, found: FoundFile, *, known: bytes | None, changed_ns: int) -> bool:
    """Read a file and put what it says into the index; False when its content is what was known."""
    data, skipped = read_text_file(index.root, found)
    digest = blake2b(data or skipped.encode(), digest_size=16).digest()
    if digest == known:
        index.run("set_seen", id=file_id, size=found.size, changed_ns=changed_ns)
        return False
    for query in _DROPPED if known is not None else ():
        index.run(query, id=file_id)
    text = data[: LARGEST if is_code(language_of_file(found.path)) else _PROSE_LARGEST].decode("utf-8", "replace")
    index.run(
        "set_read",
        id=file_id,
        size=found.size,
        changed_ns=changed_ns,
        digest=digest,
        skipped=skipped,
        lines=len(text.splitlines()),
        about=first_prose(text),
    )
    if text:
        index.run("put_body_text", id=file_id, words=word_bag(text))
        _store_names(index, file_id, text, language=language_of_file(found.path))
    return True


def _store_names(index: Index, file_id: int, text: str, *, language: str) -> None:
    if not is_code(language):
        return
    found = find_symbols(text, language)
    index.run_many(
        "add_symbol", ({"file": file_id, "name": s.name, "kind": s.kind, "line": s.line, "last": s.last} for s in found)
    )
    if found:
        index.run("put_symbol_text", id=file_id, words=word_bag("\n".join(s.name for s in found), repeats=3))
    index.run_many("add_ref", ({"file": file_id, "word": word} for word in import_references(text)))
    index.run_many("add_import", ({"file": file_id, "target": target} for target in find_imports(text, language)))


def import_references(text: str) -> list[str]:
    """The words of a text's import lines that may name another file."""
    found: dict[str, None] = {}
    for line in text.split("\n")[:_IMPORT_LINES]:
        if line.lstrip().startswith(_IMPORTS) or any(mark in line for mark in _QUOTED_IMPORTS):
            found |= dict.fromkeys(
                word for word in _WORD.findall(line[:_LONGEST_LINE].lower()) if word not in _NOT_MODULES
            )
            if len(found) >= _MOST_REFS:
                break
    return list(found)[:_MOST_REFS]


def first_prose(text: str) -> str:
    """The first sentence that a file says of itself before its code begins; empty without one."""
    block: list[str] = []
    quote = ""
    for line in text[:_PROSE_WITHIN].splitlines():
        comment = _COMMENT.match(line)
        said = (comment[1] if comment else line).strip() if quote or comment else ""
        if said:
            block.append(said)
        elif sentence := _first_sentence(block):
            return sentence
        elif line.strip() and not (quote or comment or _BESIDE_PROSE.match(line)):
            return ""
        else:
            block = []
        quote = _open_block_mark(line, quote)
    return _first_sentence(block)


def _open_block_mark(line: str, quote: str) -> str:
    """The mark that a block of prose waits for at the end of a line; empty outside of one."""
    if quote:
        return "" if quote in line else quote
    for begin, end in (('"""', '"""'), ("'''", "'''"), ("/*", "*/"), ("<!--", "-->")):
        start = line.find(begin)
        if start >= 0 and line.find(end, start + len(begin)) < 0:
            return end
    return ""


def _first_sentence(block: list[str]) -> str:
    text = " ".join(block).strip("*/\"'-> ")
    if _NOT_PROSE.search(text) or text.count(" ") < 2 or not text[:1].isalpha() or "{" in text:
        return ""
    return re.split(r"(?<=[.!?])\s", text)[0].rstrip("*/\"'- ")[:_LONGEST_PROSE]
