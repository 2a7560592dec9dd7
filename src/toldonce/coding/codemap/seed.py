"""Conventions that a project has written down already: read from its own files, to be offered for review.

README, manifests, settings of formatters and linters, and files of instructions for agents come in; short statements
with their file and line go out. Nothing is stored here, and nothing is taken as true.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from configparser import ConfigParser
from configparser import Error as BadIni
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from toldonce.capture.remember import Statement
from toldonce.coding.citations import as_metadata, cite_lines
from toldonce.coding.codemap.project_files import has_control_characters, read_inside
from toldonce.coding.codemap.style_settings import STYLE_READERS, Reader, parse_relaxed_json, settings_reader
from toldonce.errors import InputError
from toldonce.lang.registry import unite_patterns
from toldonce.records import Record

if TYPE_CHECKING:
    from toldonce.memory import Memory

LARGEST = 400_000
MOST_PER_FILE = 40
_SHORTEST, _LONGEST = 12, 300


@dataclass(frozen=True, slots=True)
class Seed:
    """A statement that a file makes, and the line where it stands; 0 when it is drawn from the whole file."""

    text: str
    file: str
    line: int = 0


def offer_seeds(memory: Memory, root: str | os.PathLike[str], *, space: str | None = None) -> list[Record]:
    """Offer for review what a project's own files say about working in it; returns what was not offered before.

    Nothing of it is shown in a prompt before a person has accepted it.
    """
    folder, preset = Path(root), memory.spaces.preset(space)
    kind = preset.distil.seed_kind
    if not kind:
        raise InputError(f"the {preset.name} preset takes nothing from a project's files: it names no seed_kind")
    return memory.review.propose([seed_statement(seed, folder, kind=kind) for seed in read_seeds(folder)], space=space)


def read_seeds(root: Path) -> list[Seed]:
    """What the files at the top of a project say about how to work in it, each statement once."""
    found: dict[str, Seed] = {}
    for pattern, reader in READERS:
        for file in sorted(root.glob(pattern)):
            name = file.relative_to(root).as_posix()
            text = _read_seed_text(root, name)
            if text is None:
                continue
            for statement, line in list(reader(text))[:MOST_PER_FILE]:
                found.setdefault(statement.casefold(), Seed(statement, name, line))
    return list(found.values())


def _read_seed_text(root: Path, name: str) -> str | None:
    data = None if has_control_characters(name) else read_inside(root, name, most_bytes=LARGEST + 1)
    try:
        return data.decode("utf-8") if data is not None and len(data) <= LARGEST else None
    except UnicodeDecodeError:
        return None


# Prose

_HEADING = re.compile(r"#{1,6}\s+(.+?)\s*#*$")
_BULLET = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(.+)$")
_order = unite_patterns(lambda language: language.sessions.rules, r"(?:{})\b")
_etiquette = unite_patterns(lambda language: language.sessions.etiquette)
_about_work = unite_patterns(lambda language: language.sessions.about_work)
_LINK = re.compile(r"!?\[([^\]]{0,300})\]\([^)]{0,500}\)")
_MARKS = re.compile(r"(\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w))")
_MARKDOWN = re.compile(r"^\s*(?:#{1,6}\s|[-*+]\s|\d+[.)]\s)", re.M)
_NOISE = re.compile(r"^\s*(?:<|\||!\[|\[!|---|===)|https?://\S+\s*$")


def read_agent_instructions(text: str) -> Iterator[tuple[str, int]]:
    """Everything that a file written for agents lists or orders."""
    for heading, statement, line, listed in _read_prose(text):
        if listed or _order().match(statement):
            yield _prefix_heading(heading, statement, named=listed and not _order().match(statement)), line


def read_plain_rules(text: str) -> Iterator[tuple[str, int]]:
    """A file of rules for an agent without marks: each line is one; with marks it is read as such."""
    if _MARKDOWN.search(text):
        yield from read_agent_instructions(text)
        return
    for number, line in enumerate(text.splitlines(), 1):
        statement = _strip_markdown(line)
        if _SHORTEST <= len(statement) <= _LONGEST and not statement.endswith(":"):
            yield statement, number


def read_contributing(text: str) -> Iterator[tuple[str, int]]:
    """What a guide for contributors says about the work on the code, not about reporting and talking."""
    for heading, statement, line, listed in _read_prose(text):
        if not _is_etiquette(heading, statement) and (listed or _order().match(statement)):
            yield _prefix_heading(heading, statement, named=listed and not _order().match(statement)), line
    yield from _read_commands(text)


def read_readme(text: str) -> Iterator[tuple[str, int]]:
    """What a README lists, orders or has typed under headings about working on the project."""
    for heading, statement, line, listed in _read_prose(text):
        if not _about_work().search(heading) or _is_etiquette(heading, statement):
            continue
        if listed and "`" in statement and not _order().match(statement):
            yield _prefix_heading(heading, statement, named=True), line
            continue
        for sentence in _SENTENCE_END.split(statement):
            if _order().match(sentence) and len(sentence) >= _SHORTEST:
                yield sentence, line
    yield from _read_commands(text)


def _is_etiquette(heading: str, statement: str) -> bool:
    """Whether a statement is about reports, questions and manners; one with code in it is about the work."""
    return bool(_etiquette().search(heading)) or ("`" not in statement and bool(_etiquette().search(statement)))


_SENTENCE_END = re.compile(r"(?<=[.!])\s+(?=[A-ZÀ-Ý`])")
_FENCE = re.compile(r"\s*(?:```|~~~)\s*(\w*)")
_SHELLS = ("sh", "bash", "shell", "zsh")
_PROMPT = re.compile(r"\s*\$\s+(\S.*)$")
_COMMAND = re.compile(r"([\w./-]+(?: [^#]*)?)(?:#\s*(.+))?$")
_NO_COMMAND = re.compile(r"(?:cd|git clone|echo|sudo|export|source|mkdir|ls|cat)\b")
_MOST_COMMANDS = 8
_LONGEST_COMMAND = 160


def _read_commands(text: str) -> Iterator[tuple[str, int]]:
    """The commands in blocks of code under headings about working on the project."""
    found = [
        (f"{note or heading}: `{command}`", number)
        for heading, note, command, number in _typed_lines(text)
        if _about_work().search(heading) and not _etiquette().search(heading) and not _NO_COMMAND.match(command)
    ]
    yield from found[:_MOST_COMMANDS]


def _typed_lines(text: str) -> Iterator[tuple[str, str, str, int]]:
    """Heading, comment, command and line of what is typed: lines of blocks for a shell, or after a prompt anywhere."""
    heading, note = "", ""
    language: str | None = None
    for number, line in enumerate(_with_plain_headings(text).splitlines(), 1):
        if fence := _FENCE.match(line):
            language, note = (None if language is not None else fence[1].lower()), ""
            continue
        title = _HEADING.match(line) if language is None else None
        heading = _strip_markdown(title[1]) if title else heading
        prompted = _PROMPT.match(line)
        bare = prompted[1] if prompted else line.strip() if language in _SHELLS else ""
        typed = _COMMAND.match(bare) if len(bare) <= _LONGEST_COMMAND else None
        if typed:
            yield heading, (typed[2] or note).strip(), typed[1].strip(), number
        note = bare.strip("# ").rstrip(".:") if bare.startswith("#") else ""


_UNDERLINED = re.compile(r"^(?=\S)([^\n]{3,80})\n([=\-~^\"*])\2{2,}[ \t]*$", re.M)


def _with_plain_headings(text: str) -> str:
    """The text with underlined headings, as reStructuredText has them, in the form that begins with a mark."""
    return _UNDERLINED.sub(lambda found: f"## {found[1]}\n", text)


def _read_prose(text: str) -> Iterator[tuple[str, str, int, bool]]:
    """Heading, statement, line and whether it is a list item, for each piece of prose outside code blocks."""
    heading = ""
    for block, number in _split_markdown_blocks(_with_plain_headings(text)):
        if found := _HEADING.match(block):
            heading = _strip_markdown(found[1])
            continue
        bullet = _BULLET.match(block)
        statement = _strip_markdown(bullet[1] if bullet else block)
        if _SHORTEST <= len(statement) <= _LONGEST and not statement.endswith(":"):
            yield heading, statement, number, bullet is not None


def _split_markdown_blocks(text: str) -> Iterator[tuple[str, int]]:
    """Headings, entries of lists and paragraphs, each on one line, with the line it begins at."""
    begun: list[str] = []
    first, fenced = 0, False
    for number, line in enumerate([*text.splitlines(), ""], 1):
        fence = line.lstrip().startswith(("```", "~~~"))
        fenced ^= fence
        goes_on = begun and line.strip() and not (fence or fenced or _HEADING.match(line) or _BULLET.match(line))
        if goes_on and not _HEADING.match(begun[0]):
            begun.append(line.strip())
            continue
        if begun:
            yield " ".join(begun), first
        is_prose = line.strip() and not (fence or fenced or _NOISE.search(line))
        begun, first = ([line.rstrip()], number) if is_prose else ([], 0)


def _strip_markdown(text: str) -> str:
    return " ".join(_MARKS.sub("", _LINK.sub(r"\1", text)).split())


def _prefix_heading(heading: str, statement: str, *, named: bool) -> str:
    return f"{heading}: {statement}" if named and heading else statement


# Manifests and settings

# What a setting says to somebody who writes code: the way to it, and the sentence for its value or for each value.
_PYPROJECT: Mapping[str, str | Mapping[str, str]] = {
    "project.requires-python": "Python {} is required",
    "tool.ruff.line-length": "Lines are at most {} characters long (ruff)",
    "tool.black.line-length": "Lines are at most {} characters long (black)",
    "tool.ruff.lint.select": "Ruff checks the rules {}",
    "tool.ruff.format.quote-style": "Strings have {} quotes (ruff format)",
    "tool.mypy.strict": {"True": "Types are checked strictly with mypy: annotate every function"},
    "tool.pyright.typeCheckingMode": "Types are checked with pyright in {} mode",
    "tool.isort.profile": "Imports are sorted by isort with the {} profile",
    "tool.pytest.ini_options.asyncio_mode": "Asynchronous tests run in {} mode (pytest-asyncio)",
    "tool.poetry.dependencies.python": "Python {} is required",
}
_PACKAGE: Mapping[str, str | Mapping[str, str]] = {
    "engines.node": "Node {} is required",
    "packageManager": "Packages are managed with {}",
    "type": {"module": "The package uses ES modules", "commonjs": "The package uses CommonJS modules"},
    "workspaces": "It is a monorepo with the workspaces {}",
}
_TSCONFIG: Mapping[str, str | Mapping[str, str]] = {
    "compilerOptions.strict": {"True": "TypeScript is compiled in strict mode"},
    "compilerOptions.noUncheckedIndexedAccess": {"True": "Indexed access may be undefined and must be checked"},
    "compilerOptions.target": "TypeScript is compiled for {}",
}
_BIOME: Mapping[str, str | Mapping[str, str]] = {
    "formatter.indentStyle": "Code is indented with {} (biome)",
    "formatter.lineWidth": "Lines are at most {} characters long (biome)",
    "javascript.formatter.quoteStyle": "Strings have {} quotes (biome)",
    "javascript.formatter.semicolons": "Semicolons: {} (biome)",
}
_RUSTFMT: Mapping[str, str | Mapping[str, str]] = {
    "max_width": "Lines are at most {} characters long (rustfmt)",
    "hard_tabs": {"True": "Code is indented with tabs (rustfmt)"},
    "edition": "Rust edition {}",
}
_CARGO: Mapping[str, str | Mapping[str, str]] = {
    "package.edition": "Rust edition {}",
    "package.rust-version": "Rust {} or newer is required",
    "lints.rust.unsafe_code": {"forbid": "Unsafe code is forbidden", "deny": "Unsafe code is denied"},
}
_LOCKS: Mapping[str, str] = {
    "pnpm-lock.yaml": "Packages are managed with pnpm",
    "yarn.lock": "Packages are managed with yarn",
    "package-lock.json": "Packages are managed with npm",
    "bun.lock*": "Packages are managed with bun",
    "uv.lock": "Python packages are managed with uv",
    "poetry.lock": "Python packages are managed with poetry",
}


def read_editorconfig(text: str) -> Iterator[tuple[str, int]]:
    """How each kind of file is indented."""
    parser = ConfigParser(interpolation=None)
    try:
        parser.read_string("[ top ]\n" + text)
    except BadIni:
        return
    for section in parser.sections():
        style, size = (parser.get(section, key, fallback="") for key in ("indent_style", "indent_size"))
        width = f", {size} wide" if size.isdigit() else ""
        if style in ("space", "tab") and section.strip() != "top":
            line = text[: text.find(f"[{section}]")].count("\n") + 1
            yield f"Files {section} are indented with {style}s{width} (editorconfig)", line


def clang_format(text: str) -> Iterator[tuple[str, int]]:
    """The style that clang-format starts from, and its column limit."""
    for name, sentence in (
        ("BasedOnStyle", "C and C++ follow the {} style (clang-format)"),
        ("ColumnLimit", "Lines are at most {} characters long (clang-format)"),
    ):
        if found := re.search(rf"^{name}:\s*(\w+)", text, re.M):
            yield sentence.format(found[1]), text.count("\n", 0, found.start()) + 1


def _constant_reader(sentence: str) -> Reader:
    return lambda _: iter([(sentence, 0)])


READERS: tuple[tuple[str, Reader], ...] = (
    *((name, read_agent_instructions) for name in (
        "AGENTS.md", "CLAUDE.md", "GEMINI.md", ".cursor/rules/*.md*",
        ".github/copilot-instructions.md",
    )),
    ("CONTRIBUTING.md", read_contributing),
    *((name, read_plain_rules) for name in (".cursorrules", ".windsurfrules", ".clinerules")),
    *STYLE_READERS,
    ("README.md", read_readme),
    ("README.rst", read_readme),
    ("pyproject.toml", settings_reader(tomllib.loads, _PYPROJECT)),
    ("package.json", settings_reader(parse_relaxed_json, _PACKAGE)),
    ("tsconfig.json", settings_reader(parse_relaxed_json, _TSCONFIG)),
    ("biome.json*", settings_reader(parse_relaxed_json, _BIOME)),
    ("rustfmt.toml", settings_reader(tomllib.loads, _RUSTFMT)),
    ("Cargo.toml", settings_reader(tomllib.loads, _CARGO)),
    (".editorconfig", read_editorconfig),
    (".clang-format", clang_format),
    *((name, _constant_reader(sentence)) for name, sentence in _LOCKS.items()),
)  # fmt: skip


def seed_statement(seed: Seed, root: Path, *, kind: str) -> Statement:
    """What a seed is offered as: a proposal that cites the file it came from."""
    place = f"{seed.file}:{seed.line}" if seed.line else seed.file
    metadata = {"file": seed.file, **as_metadata([cite_lines(root, place)])}
    return Statement(
        text=seed.text,
        kind=kind,
        author="system",
        made_by="scan",
        origin="import",
        proposed=True,
        metadata=metadata,
        file=seed.file,
    )
