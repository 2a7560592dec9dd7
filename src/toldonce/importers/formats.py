"""The table of formats: what each is called, how it is recognised, who reads it, and the preset that fits it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import BinaryIO

from toldonce.errors import BadImport, InputError
from toldonce.importers import (
    assistants,
    claude,
    discord,
    graphiti,
    letta,
    mem0,
    mempalace,
    notes,
    slack,
    tables,
    telegram,
    whatsapp,
)
from toldonce.importers.chroma import FILE as CHROMA_FILE
from toldonce.importers.source_tree import SourceTree
from toldonce.importers.values import ImportItem, ReadOptions, SkippedItem


@dataclass(frozen=True, slots=True)
class ImportFormat:
    """One format of another program; `preset` is that of a memory that is made for it.

    Only one that is `in_chroma` is looked for in a folder of ChromaDB.
    """

    name: str
    recognise: Callable[[SourceTree], bool]
    read: Callable[[SourceTree, ReadOptions], Iterator[ImportItem]]
    preset: str
    in_chroma: bool = False


# The first that recognises a path reads it.
FORMATS: tuple[ImportFormat, ...] = (
    ImportFormat("chatgpt", assistants.is_chatgpt_export, assistants.read_chatgpt, "assistant"),
    ImportFormat("claude", claude.is_claude_export, claude.read_claude, "assistant"),
    ImportFormat("gemini", assistants.is_gemini_export, assistants.read_gemini, "assistant"),
    ImportFormat("slack", slack.is_slack_export, slack.read_slack, "community"),
    ImportFormat("discord-package", discord.is_discord_package, discord.read_discord_package, "assistant"),
    ImportFormat("discord", discord.is_discord_chat_export, discord.read_discord_chat_export, "community"),
    ImportFormat("telegram", telegram.is_telegram_export, telegram.read_telegram, "community"),
    ImportFormat("whatsapp", whatsapp.is_whatsapp_export, whatsapp.read_whatsapp, "community"),
    ImportFormat("letta", letta.is_letta_file, letta.read_letta, "assistant"),
    ImportFormat("graphiti", graphiti.is_graphiti_export, graphiti.read_graphiti, "assistant"),
    ImportFormat("mempalace", mempalace.is_mempalace_folder, mempalace.read_mempalace, "assistant", True),
    ImportFormat("mem0", mem0.is_mem0_store, mem0.read_mem0, "assistant"),
    ImportFormat("agent-files", notes.is_agent_file_folder, notes.read_agent_files, "coding"),
    ImportFormat("notes", notes.is_note_folder, notes.read_notes, "life"),
    ImportFormat("table", tables.is_csv_file, tables.read_table, "assistant"),
)


def find_format(
    path: str | os.PathLike[str] | BinaryIO, named: str | None = None, *, columns: Mapping[str, str] | None = None
) -> ImportFormat | None:
    """The format that was named, or the one that the files at a path have; None for what is none of these.

    A file that is open for bytes has no name to go by: its format must be named.
    """
    if columns and named is None:
        named = "table"
    if named is not None:
        found = next((one for one in FORMATS if one.name == named), None)
        if found is None:
            raise InputError(f"there is no import format {named!r}: choose one of {', '.join(list_format_names())}")
        return found
    if not isinstance(path, str | os.PathLike):
        return None
    if not os.path.exists(path):
        raise BadImport(f"{os.fspath(path)} cannot be read: there is nothing at this path")
    with SourceTree(path) as source:
        is_chroma = CHROMA_FILE in source.names
        return next((one for one in FORMATS if (one.in_chroma or not is_chroma) and one.recognise(source)), None)


def holds_anything(path: str | os.PathLike[str], form: ImportFormat, options: ReadOptions) -> bool:
    """Whether something at a path can be read as a format; it reads no further than that."""
    try:
        return any(not isinstance(item, SkippedItem) or not item.is_damage for item in read_items(path, form, options))
    except BadImport:
        return False


def list_format_names() -> list[str]:
    """The names of all formats, in the order in which they are tried."""
    return [one.name for one in FORMATS]


def read_items(
    path: str | os.PathLike[str] | BinaryIO, form: ImportFormat, options: ReadOptions
) -> Iterator[ImportItem]:
    """Everything at a path or in an open file, one item at a time."""
    with SourceTree(path) as source:
        yield from form.read(source, options)
