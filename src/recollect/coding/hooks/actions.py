"""What Recollect does at each moment of an agent's session, from the event to the text that the agent gets.

Start and prompt bring the block, an edit brings what is known of the file, tools leave a line in the journal, and the
end of a session plans the work of learning from it. Nothing here waits for a model or for another writer.
"""

from __future__ import annotations

import os
import re
import zlib

from recollect.coding.hooks import LEARN, LEARNED, events, state
from recollect.coding.hooks import branches as git
from recollect.coding.hooks import task_location as where
from recollect.coding.hooks.block import Block, entry_lines, record_lines
from recollect.coding.hooks.reader import look, metadata_of
from recollect.coding.hooks.settings import settings_for
from recollect.recall.render import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from recollect.coding.hooks.events import Event
    from recollect.coding.hooks.reader import Glance, Row

# A session that ended without saying so is learnt from after this much quiet.
_QUIET_SECONDS = 30 * 60
_MAP_TOKENS = 60
_LOCATED_TOKENS = 150
_WARNING_TOKENS = 160
_MOST_WARNINGS = 3
_AFRESH = ("compact", "clear")
_PATH = re.compile(r"(?<![\w/])(?:[\w.@+-]+/)*[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,5}\b")


class Moment:
    """An event with what its folder says: the memory that is looked into, the project's root and branch."""

    __slots__ = ("event", "glance", "options", "repository", "root", "says")

    def __init__(self, event: Event, options: Mapping[str, str]) -> None:
        self.event = event
        self.options = options
        cwd = event.cwd if event.cwd and os.path.isdir(event.cwd) else os.getcwd()
        self.repository = git.repository(cwd)
        self.root = self.repository.root if self.repository else cwd
        wanted = {key: options[key] for key in ("place",) if key in options}
        self.says = settings_for(cwd, wanted)
        if "space" in options:
            self.says["space"] = options["space"]
        self.glance: Glance | None = None

    def inside(self, path: str) -> str:
        """A path as the project calls it."""
        whole = os.path.normpath(os.path.join(self.root, path))
        return os.path.relpath(whole, self.root).replace(os.sep, "/") if whole.startswith(self.root + os.sep) else path


def act(event: Event, options: Mapping[str, str]) -> str:
    """What the hook prints for an event; "" for nothing."""
    moment = Moment(event, options)
    reads = event.name not in (events.STOP, events.END)
    branches = git.branches(moment.repository) if moment.repository and reads else None
    moment.glance = look(
        moment.says["place"],
        moment.says["space"],
        user=moment.says["user"] or None,
        branches=branches,
        key_command=moment.says["key_command"],
    )
    if moment.glance is None:
        return ""
    try:
        return _STEPS[event.name](moment, moment.glance)
    finally:
        moment.glance.close()


def _start(moment: Moment, glance: Glance) -> str:
    """The always-on block, the same text until memory changes; and once, for the person, what was learnt last."""
    event = moment.event
    if "no-tend" not in moment.options and glance.is_due(LEARN):
        _tend_apart(moment)
    if _is_held_out(moment):
        return ""
    block = Block(glance.kit["open"], glance.kit["budget"])
    _add_map(glance, block)
    _add_standing(moment, glance, block)
    before = set() if event.source in _AFRESH else glance.shown(event.session)
    glance.note_shown(event.session, block.ids, before=before)
    _journal_shown(event, block)
    return events.answer(event, context=block.text, notice=_learned(glance))


def _prompt(moment: Moment, glance: Glance) -> str:
    """What fits the task and was not shown in this session."""
    event = moment.event
    if _is_held_out(moment) or not event.prompt.strip():
        return ""
    shown = glance.shown(event.session)
    named = _named_files(moment)
    block = Block(glance.kit["open"], glance.kit["budget"])
    if not shown:
        _add_standing(moment, glance, block)
    files = named or _add_located(moment, glance, block)
    for section in _sections(glance, "search"):
        rows = _fresh(glance.relevant(event.prompt, section, files=files), shown, block)
        block.add(record_lines(rows, section["line"], glance.kit, root=moment.root), most=section["tokens"])
    return _say(moment, glance, block, shown=shown)


def _before_edit(moment: Moment, glance: Glance) -> str:
    """What is known of the file that is about to change."""
    return _warn(moment, glance) if moment.event.op in ("edit", "write") else ""


def _after_tool(moment: Moment, glance: Glance) -> str:
    """A line in the journal; and what had no place to be said before."""
    event = moment.event
    if event.op:
        paths = [moment.inside(path) for path in event.paths]
        state.journal(event.session, {"op": event.op, "paths": paths, "size": event.size})
    waiting = state.session_file(event.session, ".waiting")
    if text := state.load(waiting).get("text"):
        state.drop(waiting)
        return events.answer(event, context=str(text))
    return "" if events.speaks(event.agent, events.BEFORE_EDIT) else _warn(moment, glance)


def _stop(moment: Moment, glance: Glance) -> str:
    """A turn is over; should the session never say that it ended, it is learnt from after a while."""
    _plan(moment, glance, in_seconds=_QUIET_SECONDS)
    return ""


def _end(moment: Moment, glance: Glance) -> str:
    """The session is over: plan the work of learning from it, and start it where nobody waits for it."""
    _plan(moment, glance, in_seconds=0)
    state.drop(state.session_file(moment.event.session, ".waiting"))
    if "no-tend" not in moment.options:
        _tend_apart(moment)
    return ""


_STEPS: Mapping[str, Callable[[Moment, Glance], str]] = {
    events.START: _start, events.PROMPT: _prompt, events.BEFORE_EDIT: _before_edit, events.AFTER_TOOL: _after_tool,
    events.STOP: _stop, events.END: _end,
}  # fmt: skip


def _add_standing(moment: Moment, glance: Glance, block: Block) -> None:
    """What is always shown. Its order hangs on nothing but the records: the text is the same until memory changes."""
    for section in _sections(glance, "always"):
        lines = record_lines(glance.standing(section), section["line"], glance.kit, root=moment.root)
        block.add(lines, most=section["tokens"], by_age=True)


def _add_map(glance: Glance, block: Block) -> None:
    """The map's short form; where its document has none, its entries."""
    for section in _sections(glance, "document"):
        short, entries = glance.document(section["document"])
        lines = [(quoted(line), "") for line in short.splitlines()]
        block.add(lines or entry_lines(entries), most=min(section["tokens"] or _MAP_TOKENS, _MAP_TOKENS))


def _add_located(moment: Moment, glance: Glance, block: Block) -> list[str]:
    """Where the task lies, when it is a new one; returns the files."""
    event = moment.event
    if not where.is_new_task(event.session, glance.terms(event.prompt)):
        return []
    try:
        told = [row for section in _sections(glance, "search") for row in glance.relevant(event.prompt, section)]
        text, files = where.located(moment.root, event.prompt, [(row["text"], metadata_of(row)) for row in told])
    except Exception as problem:
        # The map is a help beside what is remembered: without it the rest is still said.
        state.log("locate", problem)
        return []
    block.add([(quoted(line), "") for line in text.splitlines()], most=_LOCATED_TOKENS)
    return files


def _warn(moment: Moment, glance: Glance) -> str:
    """What is known of the files at hand, a few lines, each once a session."""
    event = moment.event
    files = [moment.inside(path) for path in event.paths]
    if not files or _is_held_out(moment) or event.op not in ("read", "edit", "write"):
        return ""
    shown = glance.shown(event.session)
    rows = glance.about(files, kinds=glance.kit["warnings"], limit=_MOST_WARNINGS * 3)
    block = Block("", _WARNING_TOKENS)
    line = next((s["line"] for s in _sections(glance, "search")), "- {short}")
    rows = sorted(_fresh(rows, shown, block), key=lambda row: (-row["pinned"], -row["confidence"], -row["at"]))
    block.add(record_lines(rows[:_MOST_WARNINGS], line, glance.kit, root=moment.root))
    return _say(moment, glance, block, shown=shown)


def _say(moment: Moment, glance: Glance, block: Block, *, shown: set[str]) -> str:
    """Print a block and note it as shown; where the agent takes no text now, it waits for the next tool."""
    event = moment.event
    if not block.text:
        return ""
    glance.note_shown(event.session, block.ids, before=shown)
    _journal_shown(event, block)
    if not event.speaks:
        state.save(state.session_file(event.session, ".waiting"), {"text": block.text})
        return ""
    return events.answer(event, context=block.text)


def _journal_shown(event: Event, block: Block) -> None:
    if block.text:
        from recollect import tokens

        state.journal(event.session, {"shown": block.ids, "tokens": tokens.count(block.text), "event": event.name})


def _named_files(moment: Moment) -> list[str]:
    """The files of the project that a prompt names itself: then it need not be told where to look."""
    named = dict.fromkeys(m for m in _PATH.findall(moment.event.prompt[:4_000]))
    return [moment.inside(path) for path in list(named)[:12] if os.path.exists(os.path.join(moment.root, path))]


def _sections(glance: Glance, source: str) -> list[dict[str, Any]]:
    return [section for section in glance.kit["sections"] if section["source"] == source]


def _fresh(rows: list[Row], shown: set[str], block: Block) -> list[Row]:
    return [row for row in rows if row["id"] not in shown and row["id"] not in block.ids]


def _learned(glance: Glance) -> str:
    """What the last session taught, told to the person once."""
    lines = [f"- {quoted(row['summary'] or row['text'])}" for row in glance.take_noted(LEARNED)]
    return "\n".join(["Recollect learned from the last session:", *lines]) if lines else ""


def _plan(moment: Moment, glance: Glance, *, in_seconds: int) -> None:
    event = moment.event
    if not event.session:
        return
    branch = git.scope(moment.repository)
    args: dict[str, Any] = {
        "agent": event.agent, "session": event.session, "transcript": _transcript(event), "root": moment.root,
        "branch": branch, "user": moment.says["user"], "held_out": _is_held_out(moment),
    }  # fmt: skip
    glance.plan(LEARN, f"{LEARN}:{event.agent}:{event.session}", args=args, in_seconds=in_seconds)


def _transcript(event: Event) -> str:
    """The path of the session's transcript; one that came inside the event is put into a file."""
    name = state.session_file(event.session, ".json")
    if isinstance(event.messages, list):
        state.save(name, {"messages": event.messages})
    if event.transcript:
        return event.transcript
    kept = os.path.join(state.folder(), name)
    return kept if os.path.isfile(kept) else _cursor_transcript(event) if event.agent == "cursor" else ""


def _cursor_transcript(event: Event) -> str:
    """Where Cursor keeps a session that it does not name the file of."""
    slug = re.sub(r"[^A-Za-z0-9]+", "-", event.cwd).strip("-")
    base = os.path.join(os.path.expanduser("~"), ".cursor", "projects", slug, "agent-transcripts")
    nested = os.path.join(base, event.session, f"{event.session}.jsonl")
    flat = os.path.join(base, f"{event.session}.jsonl")
    return next((path for path in (nested, flat) if os.path.isfile(path)), "")


def _is_held_out(moment: Moment) -> bool:
    """Whether this session goes without memory, so that there is something to compare with."""
    share = int(moment.options.get("hold-out") or 0)
    return share > 0 and zlib.crc32(moment.event.session.encode()) % 100 < share


def _tend_apart(moment: Moment) -> None:
    """Run what is due in a process that nobody waits for and that ends by itself."""
    import subprocess
    import sys

    command = [sys.executable, "-P", "-m", "recollect", "tend", "--quiet", "--place", moment.says["place"]]
    quiet: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    # On Windows: a process group of its own, and no console.
    apart: dict[str, Any] = {"start_new_session": True} if os.name == "posix" else {"creationflags": 0x00000208}
    subprocess.Popen(command, cwd=moment.root, close_fds=True, **quiet, **apart)
