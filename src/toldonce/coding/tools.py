"""Tools for a coding agent: keep what was learnt about the code, and find where a task belongs."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toldonce.coding.paths import find_project_path
from toldonce.errors import InputError
from toldonce.records import Document
from toldonce.tools import definition as row
from toldonce.tools.definition import WRITTEN, Tool, ToolCall, kind_for
from toldonce.tools.records import keep_for_caller, kept_row

if TYPE_CHECKING:
    from toldonce.coding.codemap.values import Module

_PATIENCE_SECONDS = 10
# What an agent calls the parts of a module, and what the map does.
_FIELDS: Mapping[str, str] = {
    "description": "description", "coreFiles": "learned", "entryPoints": "entry_points", "testFiles": "tests",
    "dependencies": "packages", "relatedModules": "related",
}  # fmt: skip
# Which of these are files; where a module's work begins may also be a route or a command.
_FILES: Mapping[str, bool] = {"coreFiles": True, "testFiles": True, "entryPoints": False}
_CITED = re.compile(r"(?P<path>.+?)(?P<lines>:\d+(?:-\d+)?)?")


def record_memory(call: ToolCall) -> dict[str, Any]:
    return _store_code_memory(call, kind_for(call.given["type"], call.preset))


def record_gotcha(call: ToolCall) -> dict[str, Any]:
    return _store_code_memory(call, kind_for("gotcha", call.preset))


def update_module_map(call: ToolCall) -> dict[str, Any]:
    """Merge what the agent knows of a module into the map of the project; a new name makes a module."""
    from toldonce.coding.codemap.document import NAME, from_document, to_document
    from toldonce.coding.codemap.learn import update_module

    name, update = call.given["module"], dict(call.given["update"])
    for field in _FILES.keys() & update.keys():
        update[field] = [_name_file(call, path, must_be_inside=_FILES[field]) for path in update[field]]

    def taught(document: Document) -> Document:
        known = from_document(document)
        fields = {_FIELDS[field]: value for field, value in update.items()}
        if "learned" in fields:
            fields["learned"] = _join_module_files(known.find_module(name), fields["learned"])
        previous = document if document.version else None
        changed = update_module(known, name, **fields)
        return to_document(changed, space=document.space, at=call.memory.clock(), previous=previous)

    after = call.memory.documents.change(NAME, taught, space=call.caller.space)
    assert after is not None, "what is taught is always a document"
    module = from_document(after).find_module(name)
    assert module is not None, "the module was just updated"
    return {"module": _module_row(module), "version": after.version}


def locate_task(call: ToolCall) -> dict[str, Any]:
    """The files a task concerns, most likely first, with reasons and lines; changed files are read first."""
    from toldonce.coding.codemap.document import NAME, from_document
    from toldonce.coding.codemap.git import find_root
    from toldonce.coding.codemap.index import make_index
    from toldonce.coding.codemap.locate import find_related_documents
    from toldonce.coding.codemap.locate import locate_files as find
    from toldonce.coding.codemap.past_work import past_work
    from toldonce.coding.codemap.scan import scan_tree

    root, task = find_root(Path(call.caller.root or ".")), call.given["task"]
    scan_tree(root, now=call.memory.clock(), seconds=_PATIENCE_SECONDS)
    learned = past_work(call.memory, call.caller.user, space=call.caller.space)
    document = call.memory.documents.get(NAME, space=call.caller.space)
    known = from_document(document) if document else None
    with make_index(root) as index:
        found, others = (
            find(index, task, limit=call.given["limit"], learned=learned, known=known),
            find_related_documents(index, task),
        )
    return {
        "files": [
            {
                "path": file.path,
                "score": round(file.score, 3),
                "reasons": file.reasons,
                "lines": [f"{place.line}-{place.last} {place.name}" for place in file.places],
            }
            for file in found.files
        ],
        "modules": found.modules,
        "tests": found.tests,
        "beside": others,
        "confidence": round(found.confidence, 3),
    }


def _join_module_files(module: Module | None, files: list[str]) -> tuple[str, ...]:
    """Files of a module beside those that a scan found by itself."""
    before, scanned = (module.learned, module.files) if module else ((), ())
    return tuple(dict.fromkeys([*before, *(file for file in files if file not in scanned)]))


def _module_row(module: Module) -> dict[str, Any]:
    told = {field: getattr(module, ours) for field, ours in _FIELDS.items()}
    core = {"coreFiles": (*module.files, *module.learned), "confidence": module.confidence.name.lower()}
    return {"name": module.name, **told, **core}


def _store_code_memory(call: ToolCall, kind: str) -> dict[str, Any]:
    given = call.given
    metadata = {name: given[name] for name in ("file", "module") if name in given} | _cite_given_lines(call)
    if "file" in metadata:
        metadata["file"] = _name_file(call, metadata["file"])
    record, known = keep_for_caller(
        call,
        given["content"],
        kind,
        summary=given.get("summary", ""),
        tags=given.get("tags", ()),
        metadata=_cite_named_code(call, metadata),
    )
    return {**kept_row(record, call, known=known), "summary": record.summary}


def _cite_named_code(call: ToolCall, metadata: dict[str, Any]) -> dict[str, Any] | None:
    """The metadata with what the content names of the code, where the agent works in a project."""
    if call.caller.root is None:
        return metadata or None
    from toldonce.coding.codemap.git import find_root
    from toldonce.coding.named_code import cite_in_metadata

    root = find_root(Path(call.caller.root))
    return cite_in_metadata(root, call.given["content"], metadata, now=call.memory.clock())


def _cite_given_lines(call: ToolCall) -> dict[str, Any]:
    """The lines that a memory is about as they are now, so that later changes are noticed."""
    from toldonce.coding.citations import as_metadata, cite_lines
    from toldonce.coding.codemap.git import find_root

    places = call.given.get("cites", ())
    root = find_root(Path(call.caller.root or "."))
    return as_metadata([cite_lines(root, _name_cited_lines(call, place)) for place in places]) if places else {}


def _name_cited_lines(call: ToolCall, place: str) -> str:
    """A citation with its path from the root of the project."""
    found = _CITED.fullmatch(place.strip())
    return f"{_name_file(call, found['path'])}{found['lines'] or ''}" if found else place


def _name_file(call: ToolCall, path: str, *, must_be_inside: bool = True) -> str:
    """A file by its path from the root of the project; one outside it is refused, unless it may be something else."""
    from toldonce.coding.codemap.git import find_root

    here = call.caller.root or "."
    root = find_root(Path(here))
    found = find_project_path(str(root), path, cwd=os.path.abspath(here))
    if not must_be_inside:
        return found if found and (root / found).exists() else path
    if found is None:
        raise InputError(f"{path} is outside the project {root}: name a file inside it, or leave it out")
    return found


_CONTENT = row.text_schema("What to remember, in full: at most 2 KB", most=row.TEXT_CHARS)
_PLACE = {
    "summary": row.text_schema(
        "The same in one line of at most 35 tokens; made from the content when left out", most=400
    ),
    "file": row.text_schema("The file it is about, from the root of the project", most=1_000),
    "module": row.text_schema("The module it is about", most=200),
    "cites": row.texts_schema(
        "The code it is about, as path, path:line or path:first-last: it says so when that changes",
        most=10,
        chars=1_000,
    ),
    "tags": row.texts_schema("Words to file it under", chars=100),
}

_MODULE = {
    "description": row.text_schema("What the module does, in a sentence", most=1_000),
    "coreFiles": row.texts_schema("Its most important files", most=200),
    "entryPoints": row.texts_schema("Where its work begins", most=200),
    "testFiles": row.texts_schema("Its tests: files or folders", most=200),
    "dependencies": row.texts_schema("Packages and services it needs", most=200),
    "relatedModules": row.texts_schema("Modules that change together with it", most=200),
}

ROWS = (
    Tool(
        name="record_memory", run=record_memory, quotes=True, required=("type", "content"),
        about="Keep something about this project for later sessions: a decision and its reason, a convention, the "
        "cause of an error, what the person corrected. A newer statement replaces one it contradicts.",
        arguments={"type": row.text_schema("What it is", most=100, choice=WRITTEN), "content": _CONTENT, **_PLACE},
    ),
    Tool(
        name="record_gotcha", run=record_gotcha, quotes=True, required=("content",),
        about="Keep a trap that cost time here, so that the next session does not fall into it.",
        arguments={"content": _CONTENT, **_PLACE},
    ),
    Tool(
        name="update_module_map",
        run=update_module_map,
        quotes=True,
        required=("module", "update"),
        about="Tell the map of this project what you learnt about a module: its files, entry points, tests, what it "
        "depends on. Only what you give changes.",
        arguments={
            "module": row.text_schema("The name of the module", most=200),
            "update": row.table_schema("What is known of it now", _MODULE),
        },
    ),
    Tool(
        name="locate",
        run=locate_task,
        reads=True,
        quotes=True,
        required=("task",),
        about="Find where a task belongs in this code base: modules and files, best first, with reasons. Ask it before "
        "you search through files.",
        arguments={
            "task": row.text_schema("What is to be done, in the words of the request", most=row.QUERY_CHARS),
            "limit": row.count_schema("How many files at most", most=50, default=10),
        },
    ),
)  # fmt: skip
