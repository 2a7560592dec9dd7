"""Commands about a code base: scan it, find the files of a task, show its map."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from recollect.cli.invocation import Door, pass_door
from recollect.cli.options import as_text, command
from recollect.cli.page import Page, counted, pairs, table, wrap
from recollect.config import is_path
from recollect.errors import InputError

if TYPE_CHECKING:
    from recollect.coding.codemap.index import Index
    from recollect.coding.codemap.locate import Located
    from recollect.coding.codemap.scan import Scan
    from recollect.coding.codemap.values import ModuleMap
    from recollect.memory import Memory
    from recollect.records import Document

_folder = click.Path(exists=True, file_okay=False, path_type=Path)
_MOST_LANGUAGES = 6
_MOST_MODULES = 12


@command("scan")
@click.argument("path", type=_folder, default=Path())
@click.option("--seconds", type=click.FloatRange(min=0), help="Stop reading after this long; the next scan goes on.")
@click.option("--name-modules", is_flag=True, help="Have the language model say what new modules are for.")
@pass_door
def scan(door: Door, path: Path, seconds: float | None, name_modules: bool) -> None:
    """Read a code base, and keep its map.

    Only what changed since the last scan is read again. The index is a cache of this machine; the map is kept in the
    memory, one version per change.
    """
    if name_modules and door.settings.config.writer == "none":
        raise InputError(
            "only a language model can name modules, and there is none: set `writer` in your settings file or in"
            " RECOLLECT_WRITER, say to ollama:llama3.2"
        )
    report, index = _scanned(door, path, seconds)
    with index:
        map_, kept = _mapped(door, index)
        map_ = _named(door, map_, index) if name_modules else map_
    value = {"scan": report, "map": map_, "kept": kept}
    door.answer(value, lambda: _report_lines(report, map_, door.page()))


@command("locate")
@click.argument("task", type=as_text)
@click.option("--root", type=_folder, default=Path(), help="The code base; that of the current folder by default.")
@click.option(
    "--limit", "-n", type=click.IntRange(min=1, max=200), default=10, show_default=True, help="How many files."
)
@pass_door
def locate(door: Door, task: str, root: Path, limit: int) -> None:
    """Find the files that a task is about.

    Changes since the last scan are read first.
    """
    from recollect.coding.codemap.locate import beside
    from recollect.coding.codemap.locate import locate as find

    _, index = _scanned(door, root, None)
    with index:
        known, kept = _mapped(door, index)
        learned = _past(door) if kept else {}
        found, others = find(index, task, limit=limit, known=known, learned=learned), beside(index, task)
    value = {"located": found, "beside": others}
    door.answer(value, lambda: _located_lines(found, others, door.page()))


@command("map")
@click.argument("path", type=_folder, default=Path())
@click.option("--budget", type=click.IntRange(min=1), help="As a prompt gets it, in at most so many tokens.")
@pass_door
def map_(door: Door, path: Path, budget: int | None) -> None:
    """Show the map of a code base: modules, commands, tools."""
    from recollect.coding.codemap.render import render_map

    _, index = _scanned(door, path, None)
    with index:
        known, _ = _mapped(door, index)
    if budget is not None:
        door.answer({"map": render_map(known, budget)}, lambda: [render_map(known, budget)])
    else:
        door.answer({"map": known}, lambda: _map_lines(known, door.page()))


def _past(door: Door) -> dict[str, list[str]]:
    from recollect.coding.codemap.past_work import past_work

    with door.open() as memory:
        return past_work(memory, door.user(None), space=door.space)


def _scanned(door: Door, path: Path, seconds: float | None) -> tuple[Scan, Index]:
    from recollect.clock import system_clock
    from recollect.coding.codemap.git import find_root
    from recollect.coding.codemap.index import make_index
    from recollect.coding.codemap.scan import scan as read

    root = find_root(path)
    with door.working(f"Reading {root}"):
        return read(root, now=system_clock(), seconds=seconds), make_index(root)


def _mapped(door: Door, index: Index) -> tuple[ModuleMap, bool]:
    """The map of a scanned tree, and whether a memory keeps it."""
    from recollect.coding.codemap.modules import module_map

    fresh = module_map(index)
    if is_path(door.place) and not Path(door.place).exists():
        door.note(f"No memory at {door.place}, so the map is not kept: `recollect init --preset coding` makes one.")
        return fresh, False
    with door.open() as memory:
        return _kept(memory, fresh, space=door.space), True


def _kept(memory: Memory, fresh: ModuleMap, *, space: str | None) -> ModuleMap:
    """The map with what was learned before, as the memory keeps it from now on."""
    from recollect.coding.codemap.document import NAME, from_document, to_document
    from recollect.coding.codemap.modules import keep_learned

    def change(before: Document) -> Document:
        known = keep_learned(fresh, from_document(before))
        previous = before if before.version else None
        return to_document(known, space=before.space, at=memory.clock(), previous=previous)

    after = memory.documents.change(NAME, change, space=space)
    assert after is not None, "a map is always a document"
    return from_document(after)


def _named(door: Door, fresh: ModuleMap, index: Index) -> ModuleMap:
    """The map with names for the modules that have none but their folder's, as the memory keeps it from now on."""
    from recollect.coding.codemap.document import NAME, from_document, to_document
    from recollect.coding.codemap.naming import described, sketches, with_names
    from recollect.coding.drafting import draft_modules

    with door.open() as memory, door.working("Naming modules"):
        writer = memory.engine.writer_for(door.space)
        drafts = draft_modules(writer, sketches(fresh, index), taken=described(fresh))

        def change(before: Document) -> Document:
            named = with_names(from_document(before), drafts)
            return to_document(named, space=before.space, at=memory.clock(), previous=before)

        after = memory.documents.change(NAME, change, space=door.space, writer=writer)
    assert after is not None, "the map was just kept"
    door.note(f"Named {counted(len(drafts), 'module')}.")
    return from_document(after)


def _report_lines(report: Scan, map_: ModuleMap, page: Page) -> list[str]:
    languages = [f"{name} {number}" for name, number in list(report.languages.items())[:_MOST_LANGUAGES]]
    names = [module.name for module in map_.modules]
    more = f" and {len(names) - _MOST_MODULES} more" if len(names) > _MOST_MODULES else ""
    rows = [
        ("root", str(report.root)),
        ("files", f"{report.files}: {', '.join(languages) or 'no known language'}"),
        ("read", f"{report.added} new, {report.changed} changed, {report.removed} gone, {report.unchanged} as before"),
        ("history", counted(report.commits, "commit")),
        *_tool_rows(map_),
        ("modules", f"{len(names)}: {', '.join(names[:_MOST_MODULES])}{more}"),
        *(("left out", _skip_line(reason, report)) for reason in report.skipped),
        *(("note", note) for note in report.notes),
        ("time", f"{report.seconds:.1f} s"),
    ]
    return pairs(rows, columns=page.columns)


def _skip_line(reason: str, report: Scan) -> str:
    return f"{report.skipped[reason]}, {reason}: {', '.join(report.examples[reason][:2])}"


def _located_lines(found: Located, others: tuple[str, ...], page: Page) -> list[str]:
    if not found.files:
        return ["Nothing in this code base matches."]
    lines = [f"Modules: {', '.join(found.modules)}"] if found.modules else []
    for number, file in enumerate(found.files, 1):
        lines.append(f"{number:>2}  {file.path}")
        lines += wrap(", ".join(file.reasons) or "little speaks for it", page.columns, indent="    ")
        lines += [f"    lines {place.line}-{place.last}  {place.name}" for place in file.places]
    lines += wrap(f"Tests: {', '.join(found.tests)}", page.columns) if found.tests else []
    lines += wrap(f"Beside: {', '.join(others)}", page.columns) if others else []
    return [*lines, f"The first is right with a probability of about {round(100 * found.confidence)} %."]


def _map_lines(map_: ModuleMap, page: Page) -> list[str]:
    rows = [(m.name, m.folder or "./", str(m.count), m.confidence.name.lower(), m.description) for m in map_.modules]
    head = ("module", "folder", "files", "known", "what it says of itself")
    modules = table(head, rows, columns=page.columns) if rows else ["There is no code here."]
    return [*pairs(_tool_rows(map_), columns=page.columns), *modules]


def _tool_rows(map_: ModuleMap) -> list[tuple[str, str]]:
    from recollect.coding.codemap.render import tool_lines

    return [(section, text.partition(": ")[2]) for section, text in tool_lines(map_) if section != "languages"]
