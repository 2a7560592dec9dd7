"""What Toldonce does at each moment of an agent's session, from the event to the text that the agent gets.

Start and prompt bring the block, the first read or edit of a file brings what is known of it before the file changes,
tools leave a line in the journal, and the end of a session plans the work of learning from it. Nothing here waits for a
model or for another writer.
"""

from __future__ import annotations

import os
import re
import time
import zlib

from toldonce.coding.codemap.corrections import correct_commands
from toldonce.coding.hooks import LEARN, LEARNED, events, state
from toldonce.coding.hooks import branches as git
from toldonce.coding.hooks import task_location as where
from toldonce.coding.hooks.agent_sessions import drop_session, note_session
from toldonce.coding.hooks.block import BudgetedBlock, as_candidate, entry_lines, list_ids, record_lines, text_lines
from toldonce.coding.hooks.reader import open_reader
from toldonce.coding.hooks.settings import is_set_up, project_folder, settings_for
from toldonce.coding.paths import FILE_IN_TEXT, find_project_path
from toldonce.coding.transcripts.tool_names import CHANGES
from toldonce.recall.render import quote_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from toldonce.coding.hooks.events import HookEvent
    from toldonce.coding.hooks.reader import HookReader, HookRecord
    from toldonce.recall.fitting import FittedContext

# A session that ended without saying so is learnt from after this much quiet.
_QUIET_SECONDS = 30 * 60
# Under this key a document may keep its own short form for a prompt.
_SHORT = "short"
_MAP_TOKENS = 60
# How long the first scan of a project may take in the background; the next one goes on.
_SCAN_SECONDS = 120
_LOCATED_TOKENS = 150
# The most that the memories of a task take, beside what is always shown.
_TASK_TOKENS = 1_200
_WARNING_TOKENS = 160
_MOST_WARNINGS = 3
_AFRESH = ("compact", "clear")


class HookMoment:
    """An event with what its folder says: the memory that is looked into, the project's root and branch."""

    __slots__ = ("cwd", "event", "options", "reader", "repository", "root", "says")

    def __init__(self, event: HookEvent, options: Mapping[str, str]) -> None:
        self.event = event
        self.options = options
        cwd = event.cwd if event.cwd and os.path.isdir(event.cwd) else os.getcwd()
        self.cwd = cwd
        self.repository = git.find_repository(cwd)
        wanted = {key: options[key] for key in ("place",) if key in options}
        self.says = settings_for(cwd, wanted)
        self.root = self.repository.root if self.repository else project_folder(self.says["named_by"]) or cwd
        if "space" in options:
            self.says["space"] = options["space"]
        self.reader: HookReader | None = None

    def files(self) -> list[str]:
        """The files of the event as the project calls them; those outside it are left out."""
        found = (find_project_path(self.root, path, cwd=self.cwd) for path in self.event.paths)
        return [path for path in dict.fromkeys(found) if path]


def handle_event(event: HookEvent, options: Mapping[str, str]) -> str:
    """What the hook prints for an event; "" for nothing."""
    moment = HookMoment(event, options)
    if not is_set_up(moment.says["named_by"], moment.repository):
        return ""
    reads = event.name not in (events.COMPACT, events.STOP, events.END)
    branches = git.contained_branches(moment.repository) if moment.repository and reads else None
    moment.reader = open_reader(
        moment.says["place"],
        moment.says["space"],
        user=moment.says["user"] or None,
        branches=branches,
        key_command=moment.says["key_command"],
    )
    if moment.reader is None:
        return ""
    if event.name in (events.START, events.PROMPT):
        note_session(moment.root, event.session)
    try:
        return _STEPS[event.name](moment, moment.reader)
    finally:
        moment.reader.close()


def _handle_session_start(moment: HookMoment, reader: HookReader) -> str:
    """The always-on block, the same text until memory changes; and once, for the person, what was learnt last."""
    event = moment.event
    if "no-tend" not in moment.options:
        if reader.is_due(LEARN):
            _start_in_background(moment, "tend")
        if not _has_map(reader):
            _start_in_background(moment, "scan", "--seconds", str(_SCAN_SECONDS))
    if _is_held_out(moment):
        return ""
    block = BudgetedBlock(reader.facts["open"], reader.facts["budget"])
    _add_map(reader, block)
    _add_always_shown(moment, reader, block)
    if event.source in _AFRESH:
        reader.forget_shown(event.session)
    fitted = block.finish()
    reader.note_shown(event.session, list_ids(fitted), before=reader.shown(event.session))
    _journal_shown(event, fitted)
    return events.format_hook_answer(event, context=fitted.text, notice=_last_lesson_notice(reader))


def _handle_subagent_start(moment: HookMoment, reader: HookReader) -> str:
    """The always-on block for a subagent, which sees nothing of the session that started it."""
    if _is_held_out(moment):
        return ""
    block = BudgetedBlock(reader.facts["open"], reader.facts["budget"])
    _add_map(reader, block)
    _add_always_shown(moment, reader, block)
    return _emit_block(moment, reader, block.finish(), shown=reader.shown(moment.event.conversation))


def _handle_prompt(moment: HookMoment, reader: HookReader) -> str:
    """What fits the task and was not shown in this session."""
    event = moment.event
    if _is_held_out(moment) or not event.prompt.strip():
        return ""
    shown = reader.shown(event.conversation)
    named = _named_files(moment)
    block = BudgetedBlock(reader.facts["open"], reader.facts["budget"])
    if not shown:
        _add_always_shown(moment, reader, block)
    files = named or _add_located(moment, reader, block)
    _add_for_task(moment, reader, block, files=files, shown=shown)
    return _emit_block(moment, reader, block.finish(), shown=shown)


def _before_edit(moment: HookMoment, reader: HookReader) -> str:
    """Refuse an edit once, for what is known of a file that the agent was not warned of yet; else nothing.

    It is refused only where that could be noted, so that the repeated edit goes through.
    """
    event = moment.event
    if event.op not in CHANGES or not events.can_refuse(event.agent):
        return ""
    shown = reader.shown(event.conversation)
    known = _known_of_files(moment, reader)
    warned = {file for record in known if record.id in shown for file in record.files}
    fitted = _fit_warnings(moment, reader, [record for record in known if warned.isdisjoint(record.files)])
    if not fitted.text or not reader.note_shown(event.conversation, list_ids(fitted), before=shown):
        return ""
    _journal_shown(event, fitted)
    return events.format_refusal(event, fitted.text)


def _after_tool(moment: HookMoment, reader: HookReader) -> str:
    """A line in the journal; what is known of a file that was read, and what had no place to be said before."""
    event = moment.event
    if event.op:
        state.append_journal(event.session, {"op": event.op, "paths": moment.files(), "size": event.size})
    waiting = state.session_file(event.session, ".waiting")
    if text := state.load_state(waiting).get("text"):
        state.drop_state(waiting)
        return events.format_hook_answer(event, context=str(text))
    shown = reader.shown(event.conversation)
    new = [record for record in _known_of_files(moment, reader) if record.id not in shown]
    return _emit_block(moment, reader, _fit_warnings(moment, reader, new), shown=shown)


def _handle_compaction(moment: HookMoment, reader: HookReader) -> str:
    """The agent drops most of its context, and with it what was shown: all of it may be shown again."""
    if moment.event.drops_context:
        reader.forget_shown(moment.event.session)
    return ""


def _handle_turn_end(moment: HookMoment, reader: HookReader) -> str:
    """A turn is over; should the session never say that it ended, it is learnt from after a while, or now."""
    is_endless = events.has_endless_sessions(moment.event.agent)
    _plan_learning(moment, reader, in_seconds=0 if is_endless else _QUIET_SECONDS)
    if is_endless and "no-tend" not in moment.options:
        _start_in_background(moment, "tend")
    return ""


def _handle_session_end(moment: HookMoment, reader: HookReader) -> str:
    """The session is over: schedule learning from it, and start that and what the preset does at an exit."""
    _plan_learning(moment, reader, in_seconds=0)
    state.drop_state(state.session_file(moment.event.session, ".waiting"))
    drop_session(moment.root, moment.event.session)
    if "no-tend" not in moment.options:
        _start_in_background(moment, "tend", "--at-exit")
    return ""


_STEPS: Mapping[str, Callable[[HookMoment, HookReader], str]] = {
    events.START: _handle_session_start,
    events.SUBAGENT: _handle_subagent_start,
    events.PROMPT: _handle_prompt,
    events.BEFORE_EDIT: _before_edit,
    events.AFTER_TOOL: _after_tool,
    events.COMPACT: _handle_compaction,
    events.STOP: _handle_turn_end,
    events.END: _handle_session_end,
}


def _add_always_shown(moment: HookMoment, reader: HookReader, block: BudgetedBlock) -> None:
    """What is always shown. Its order depends only on the records: the text is the same until memory changes."""
    for section in _sections_from(reader, "always"):
        lines = record_lines(reader.standing(section), section["line"], reader.facts, root=moment.root)
        block.add(lines, most=section["tokens"], by_age=True)


def _add_for_task(
    moment: HookMoment, reader: HookReader, block: BudgetedBlock, *, files: Sequence[str], shown: set[str]
) -> None:
    """What fits the task, chosen in one list over all sections, without what this session or block shows already."""
    known = shown.union(list_ids(block.finish()))
    groups = []
    for section in _sections_from(reader, "search"):
        found = reader.relevant(moment.event.prompt, section, files=files)
        scores = {record.id: score for score, record in found if record.id not in known}
        records = [record for _, record in found if record.id in scores]
        known.update(scores)
        lines = record_lines(records, section["line"], reader.facts, root=moment.root)
        groups.append(
            [
                (line, as_candidate(line, record.id, scores[record.id], words=reader.words_of(record)))
                for line, record in zip(lines, records, strict=True)
            ]
        )
    block.add_chosen(groups, most=_TASK_TOKENS)


def _add_map(reader: HookReader, block: BudgetedBlock) -> None:
    """The map's short form, or where its document has none, its entries; with commands as the project's rules want."""
    for section in _sections_from(reader, "document"):
        data, entries = reader.document(section["document"])
        rules = [record.text for shown in _sections_from(reader, "always") for record in reader.standing(shown)]
        short = "\n".join(correct_commands(line, rules) for line in str(data.get(_SHORT) or "").splitlines())
        said = [{**entry, "text": correct_commands(entry["text"], rules)} for entry in entries]
        block.add(
            text_lines(short) or entry_lines([entry for entry in said if entry["text"]]),
            most=min(section["tokens"] or _MAP_TOKENS, _MAP_TOKENS),
        )


def _add_located(moment: HookMoment, reader: HookReader, block: BudgetedBlock) -> list[str]:
    """Where the task lies, when it is a new one; returns the files, and the folders of its modules."""
    event = moment.event
    if not where.is_new_task(event.session, reader.terms(event.prompt)):
        return []
    try:
        told = [
            record
            for section in _sections_from(reader, "search")
            for _, record in reader.relevant(event.prompt, section)[: section["limit"]]
        ]
        past = [(record.text, record.metadata) for record in told]
        documents = [reader.document(section["document"])[0] for section in _sections_from(reader, "document")]
        text, files = where.locate_for_hook(moment.root, event.prompt, past, map_data=next(iter(documents), {}))
    except Exception as problem:
        # The map is a help beside what is remembered: without it the rest is still said.
        state.log_problem("locate", problem)
        return []
    block.add(text_lines(text), most=_LOCATED_TOKENS)
    return files


def _known_of_files(moment: HookMoment, reader: HookReader) -> list[HookRecord]:
    """What may warn of the files that a tool reads or changes, the most certain first."""
    files = moment.files()
    if not files or _is_held_out(moment) or moment.event.op not in ("read", *CHANGES):
        return []
    known = reader.about(files, kinds=reader.facts["warnings"], limit=_MOST_WARNINGS * 3)
    return sorted(known, key=lambda record: (-record.pinned, -record.confidence, -record.at_seconds))


def _fit_warnings(moment: HookMoment, reader: HookReader, known: list[HookRecord]) -> FittedContext:
    """A few lines of warnings."""
    block = BudgetedBlock("", _WARNING_TOKENS)
    line = next((section["line"] for section in _sections_from(reader, "search")), "- {short}")
    block.add(record_lines(known[:_MOST_WARNINGS], line, reader.facts, root=moment.root))
    return block.finish()


def _emit_block(moment: HookMoment, reader: HookReader, fitted: FittedContext, *, shown: set[str]) -> str:
    """Print a block and note it as shown; where the agent takes no text now, it waits for the next tool."""
    event = moment.event
    if not fitted.text:
        return ""
    reader.note_shown(event.conversation, list_ids(fitted), before=shown)
    _journal_shown(event, fitted)
    if not event.speaks:
        state.save_state(state.session_file(event.session, ".waiting"), {"text": fitted.text})
        return ""
    return events.format_hook_answer(event, context=fitted.text)


def _journal_shown(event: HookEvent, fitted: FittedContext) -> None:
    if fitted.text:
        spent_ms = max(1, round((time.perf_counter() - event.begun) * 1000))
        shown = {"shown": list_ids(fitted), "tokens": fitted.tokens, "event": event.name, "ms": spent_ms}
        state.append_journal(event.session, shown)


def _named_files(moment: HookMoment) -> list[str]:
    """The files of the project that a prompt names itself: then no location is suggested."""
    named = list(dict.fromkeys(FILE_IN_TEXT.findall(moment.event.prompt[:4_000])))[:12]
    found = (find_project_path(moment.root, path, cwd=moment.cwd) for path in named)
    return [path for path in dict.fromkeys(found) if path and os.path.exists(os.path.join(moment.root, path))]


def _sections_from(reader: HookReader, source: str) -> list[dict[str, Any]]:
    return [section for section in reader.facts["sections"] if section["source"] == source]


def _last_lesson_notice(reader: HookReader) -> str:
    """What the last session taught, told to the person once."""
    lines = [f"- {quote_line(record.summary or record.text)}" for record in reader.take_noted(LEARNED)]
    return "\n".join(["Toldonce learned from the last session:", *lines]) if lines else ""


def _plan_learning(moment: HookMoment, reader: HookReader, *, in_seconds: int) -> None:
    event = moment.event
    if not event.session:
        return
    branch = git.branch_scope(moment.repository)
    args: dict[str, Any] = {
        "agent": event.agent, "session": event.session, "transcript": _transcript_path(event), "root": moment.root,
        "branch": branch, "user": moment.says["user"], "held_out": _is_held_out(moment),
    }  # fmt: skip
    reader.plan(LEARN, f"{LEARN}:{event.agent}:{event.session}", args=args, in_seconds=in_seconds)


def _transcript_path(event: HookEvent) -> str:
    """The path of the session's transcript; one that came inside the event is put into a file."""
    name = state.session_file(event.session, ".json")
    if isinstance(event.messages, list):
        state.save_state(name, {"messages": event.messages})
    if event.transcript:
        return event.transcript
    kept = os.path.join(state.folder(), name)
    return kept if os.path.isfile(kept) else _cursor_transcript(event) if event.agent == "cursor" else ""


def _cursor_transcript(event: HookEvent) -> str:
    """Where Cursor keeps a session that it does not name the file of."""
    slug = re.sub(r"[^A-Za-z0-9]+", "-", event.cwd).strip("-")
    base = os.path.join(os.path.expanduser("~"), ".cursor", "projects", slug, "agent-transcripts")
    nested = os.path.join(base, event.session, f"{event.session}.jsonl")
    flat = os.path.join(base, f"{event.session}.jsonl")
    return next((path for path in (nested, flat) if os.path.isfile(path)), "")


def _is_held_out(moment: HookMoment) -> bool:
    """Whether this session goes without memory, so that there is something to compare with."""
    share = int(moment.options.get("hold-out") or 0)
    return share > 0 and zlib.crc32(moment.event.session.encode()) % 100 < share


def _has_map(reader: HookReader) -> bool:
    """Whether the project was scanned before; so too where the preset keeps no map."""
    return all(reader.document(section["document"])[0] for section in _sections_from(reader, "document"))


def _start_in_background(moment: HookMoment, command: str, *options: str) -> None:
    """Run a command of ours, such as the due jobs, in a background process that ends by itself."""
    import subprocess
    import sys

    place = ("--quiet", "--place", moment.says["place"])
    words = [sys.executable, "-P", "-m", "toldonce", command, *place, *options]
    quiet: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    # On Windows: a process group of its own, and no console.
    apart: dict[str, Any] = {"start_new_session": True} if os.name == "posix" else {"creationflags": 0x00000208}
    subprocess.Popen(words, cwd=moment.root, close_fds=True, **quiet, **apart)
