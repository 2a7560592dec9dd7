"""Commands about a code base: scan it, find the files of a task, show its map."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from toldonce.cli.invocation import Invocation, pass_invocation
from toldonce.cli.options import as_text, named_command
from toldonce.cli.page import PageLayout, count_noun, format_pairs, format_table, wrap_text
from toldonce.config import is_path
from toldonce.errors import InputError

if TYPE_CHECKING:
    from toldonce.coding.codemap.index import Index
    from toldonce.coding.codemap.locate import Located
    from toldonce.coding.codemap.scan import ScanReport
    from toldonce.coding.codemap.values import ModuleMap
    from toldonce.memory import Memory
    from toldonce.records import Document

_folder = click.Path(exists=True, file_okay=False, path_type=Path)
_MOST_LANGUAGES = 6
_MOST_MODULES = 12


@named_command("scan")
@click.argument("path", type=_folder, default=Path())
@click.option("--seconds", type=click.FloatRange(min=0), help="Stop reading after this long; the next scan goes on.")
@click.option("--name-modules", is_flag=True, help="Have the language model say what new modules are for.")
@pass_invocation
def scan(invocation: Invocation, path: Path, seconds: float | None, name_modules: bool) -> None:
    """Read a code base, and keep its map.

    Only what changed since the last scan is read again. The index is a cache of this machine; the map is kept in the
    memory, one version per change.
    """
    if name_modules and invocation.settings.config.writer == "none":
        raise InputError(
            "only a language model can name modules, and there is none: set `writer` in your settings file or in"
            " TOLDONCE_WRITER, say to ollama:llama3.2"
        )
    report, index = _scan_path(invocation, path, seconds)
    with index:
        map_, kept = _load_map(invocation, index)
        map_ = _name_modules(invocation, map_, index) if name_modules else map_
    value = {"scan": report, "map": map_, "kept": kept}
    invocation.answer(value, lambda: _report_lines(report, map_, invocation.page()))


@named_command("locate")
@click.argument("task", type=as_text)
@click.option("--root", type=_folder, default=Path(), help="The code base; that of the current folder by default.")
@click.option(
    "--limit", "-n", type=click.IntRange(min=1, max=200), default=10, show_default=True, help="How many files."
)
@pass_invocation
def locate(invocation: Invocation, task: str, root: Path, limit: int) -> None:
    """Find the files that a task is about.

    Changes since the last scan are read first.
    """
    from toldonce.coding.codemap.locate import find_related_documents
    from toldonce.coding.codemap.locate import locate_files as find

    _, index = _scan_path(invocation, root, None)
    with index:
        known, kept = _load_map(invocation, index)
        learned = _read_past_work(invocation) if kept else {}
        found, others = (
            find(index, task, limit=limit, known=known, learned=learned),
            find_related_documents(index, task),
        )
    value = {"located": found, "beside": others}
    invocation.answer(value, lambda: _located_lines(found, others, invocation.page()))


@named_command("map")
@click.argument("path", type=_folder, default=Path())
@click.option("--budget", type=click.IntRange(min=1), help="Show it as in a prompt, with at most this many tokens.")
@pass_invocation
def map_(invocation: Invocation, path: Path, budget: int | None) -> None:
    """Show the map of a code base: modules, commands, tools."""
    from toldonce.coding.codemap.render import render_map

    _, index = _scan_path(invocation, path, None)
    with index:
        known, _ = _load_map(invocation, index)
    if budget is not None:
        invocation.answer({"map": render_map(known, budget)}, lambda: [render_map(known, budget)])
    else:
        invocation.answer({"map": known}, lambda: _map_lines(known, invocation.page()))


def _read_past_work(invocation: Invocation) -> dict[str, list[str]]:
    from toldonce.coding.codemap.past_work import past_work

    with invocation.open() as memory:
        return past_work(memory, invocation.user(None), space=invocation.space)


def _scan_path(invocation: Invocation, path: Path, seconds: float | None) -> tuple[ScanReport, Index]:
    from toldonce.clock import system_clock
    from toldonce.coding.codemap.git import find_root
    from toldonce.coding.codemap.index import make_index
    from toldonce.coding.codemap.scan import scan_tree as read

    root = find_root(path)
    with invocation.show_progress(f"Reading {root}"):
        return read(root, now=system_clock(), seconds=seconds), make_index(root)


def _load_map(invocation: Invocation, index: Index) -> tuple[ModuleMap, bool]:
    """The map of a scanned tree, and whether a memory keeps it."""
    from toldonce.coding.codemap.modules import module_map

    fresh = module_map(index)
    if is_path(invocation.place) and not Path(invocation.place).exists():
        invocation.note(
            f"No memory at {invocation.place}, so the map is not kept: `toldonce init --preset coding` makes one."
        )
        return fresh, False
    with invocation.open() as memory:
        return _merge_kept_map(memory, fresh, space=invocation.space), True


def _merge_kept_map(memory: Memory, fresh: ModuleMap, *, space: str | None) -> ModuleMap:
    """The map with what was learned before, as the memory keeps it from now on."""
    from toldonce.coding.codemap.document import NAME, from_document, to_document
    from toldonce.coding.codemap.modules import keep_learned

    def change(before: Document) -> Document:
        known = keep_learned(fresh, from_document(before))
        previous = before if before.version else None
        return to_document(known, space=before.space, at=memory.clock(), previous=previous)

    after = memory.documents.change(NAME, change, space=space)
    assert after is not None, "a map is always a document"
    return from_document(after)


def _name_modules(invocation: Invocation, fresh: ModuleMap, index: Index) -> ModuleMap:
    """The map with names for the modules that have none but their folder's, as the memory keeps it from now on."""
    from toldonce.coding.codemap.document import NAME, from_document, to_document
    from toldonce.coding.codemap.naming import list_described_modules, sketch_unnamed_modules, with_names
    from toldonce.coding.drafting import draft_modules

    with invocation.open() as memory, invocation.show_progress("Naming modules"):
        writer = memory.engine.writer_for(invocation.space)
        drafts = draft_modules(writer, sketch_unnamed_modules(fresh, index), taken=list_described_modules(fresh))

        def change(before: Document) -> Document:
            named = with_names(from_document(before), drafts)
            return to_document(named, space=before.space, at=memory.clock(), previous=before)

        after = memory.documents.change(NAME, change, space=invocation.space, writer=writer)
    assert after is not None, "the map was just kept"
    invocation.note(f"Named {count_noun(len(drafts), 'module')}.")
    return from_document(after)


def _report_lines(report: ScanReport, map_: ModuleMap, page: PageLayout) -> list[str]:
    languages = [f"{name} {number}" for name, number in list(report.languages.items())[:_MOST_LANGUAGES]]
    names = [module.name for module in map_.modules]
    more = f" and {len(names) - _MOST_MODULES} more" if len(names) > _MOST_MODULES else ""
    rows = [
        ("root", str(report.root)),
        ("files", f"{report.files}: {', '.join(languages) or 'no known language'}"),
        ("read", f"{report.added} new, {report.changed} changed, {report.removed} gone, {report.unchanged} as before"),
        ("history", count_noun(report.commits, "commit")),
        *_tool_rows(map_),
        ("modules", f"{len(names)}: {', '.join(names[:_MOST_MODULES])}{more}"),
        *(("left out", _skip_line(reason, report)) for reason in report.skipped),
        *(("note", note) for note in report.notes),
        ("time", f"{report.seconds:.1f} s"),
    ]
    return format_pairs(rows, columns=page.columns)


def _skip_line(reason: str, report: ScanReport) -> str:
    return f"{report.skipped[reason]}, {reason}: {', '.join(report.examples[reason][:2])}"


def _located_lines(found: Located, others: tuple[str, ...], page: PageLayout) -> list[str]:
    if not found.files:
        return ["Nothing in this code base matches."]
    lines = [f"Modules: {', '.join(found.modules)}"] if found.modules else []
    for number, file in enumerate(found.files, 1):
        lines.append(f"{number:>2}  {file.path}")
        lines += wrap_text(", ".join(file.reasons) or "little speaks for it", page.columns, indent="    ")
        lines += [f"    lines {place.line}-{place.last}  {place.name}" for place in file.places]
    lines += wrap_text(f"Tests: {', '.join(found.tests)}", page.columns) if found.tests else []
    lines += wrap_text(f"Beside: {', '.join(others)}", page.columns) if others else []
    return [*lines, f"The first is right with a probability of about {round(100 * found.confidence)} %."]


def _map_lines(map_: ModuleMap, page: PageLayout) -> list[str]:
    rows = [(m.name, m.folder or "./", str(m.count), m.confidence.name.lower(), m.description) for m in map_.modules]
    head = ("module", "folder", "files", "known", "what it says of itself")
    modules = format_table(head, rows, columns=page.columns) if rows else ["There is no code here."]
    return [*format_pairs(_tool_rows(map_), columns=page.columns), *modules]


def _tool_rows(map_: ModuleMap) -> list[tuple[str, str]]:
    from toldonce.coding.codemap.render import tool_lines

    return [(section, text.partition(": ")[2]) for section, text in tool_lines(map_) if section != "languages"]
