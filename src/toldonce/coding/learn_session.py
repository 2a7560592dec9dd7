"""The job that learns from a coding session: its transcript becomes messages, memories that name them, and figures.

It may run twice, and again when a session goes on: what was heard or learnt before is not kept a second time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toldonce.distil.writer import RulesWriter, Writer
from toldonce.errors import InputError, TooMany
from toldonce.jobs.drafting import draft_with_writer, guard_against_changes, model_output
from toldonce.jobs.task import SKIPPED, JobResult, LeasedJob
from toldonce.records import Record
from toldonce.storage.store import Tables, View

if TYPE_CHECKING:
    from toldonce.coding.transcripts.learn import Lesson
    from toldonce.coding.transcripts.measure import Discovery
    from toldonce.coding.transcripts.reader import Spoken, Transcript
    from toldonce.memory import Memory
    from toldonce.presets.policy import Kind, Preset

# The position of an event in its transcript, which identifies a message when the transcript is read again.
PLACE = "transcript_place"
_LONGEST = 20_000
_MOST_MESSAGES = 5_000
_MOST_SHOWN = 500
_MOST_TOLD = 5
_MOST_RUNS = 500


def learn_session(memory: Memory, task: LeasedJob) -> JobResult:
    """Learn from the session that the job names; a transcript that is gone teaches nothing."""
    from toldonce.coding.transcripts.measure import measure_discovery
    from toldonce.coding.transcripts.reader import read_transcript

    args = task.job.args
    path = Path(args.get("transcript") or "")
    if not path.is_file():
        taught = update_code_map(memory, _read_session_journal(args["session"]), task)
        return JobResult({"taught": taught}) if taught else SKIPPED
    transcript = read_transcript(path, args["agent"], root=args.get("root") or "", session=args["session"])
    heard = _observe_session(memory, transcript, task)
    task.check_lease()
    memory.settle(session=transcript.session, space=task.space)
    _cite_settled(memory, transcript.session, task)
    kept, detail = (
        ([], {}) if _is_old(memory, transcript, heard, task) else _learn_from_session(memory, transcript, heard, task)
    )
    touched = [(call.op, file) for call in transcript.calls if not call.failed for file in call.paths]
    taught = update_code_map(memory, touched, task)
    _remove_transcript_copy(path)
    figures = _session_figures(memory, transcript, measure_discovery(transcript), task)
    return JobResult({"messages": len(heard), "kept": len(kept), "taught": taught, **figures}, detail=detail)


def _cite_settled(memory: Memory, session: str, task: LeasedJob) -> None:
    """What settling made of the session cites the code that it names, as what is learnt from it does."""
    if root := task.job.args.get("root"):
        from toldonce.coding.fixed_bugs import cite_settled, find_settled

        cite_settled(
            memory, find_settled(memory, session, space=task.space, now=task.now), root=Path(root), now=task.now
        )


def _is_old(memory: Memory, transcript: Transcript, heard: Mapping[int, str], task: LeasedJob) -> bool:
    """Whether all of this was learnt from before, so that no model is paid for it again."""
    runs = memory.store.read(lambda t: t.jobs.runs(task.space, name=task.job.name, limit=_MOST_RUNS))
    last = next((run for run in runs if run.key == task.job.key and run.status == "completed"), None)
    now = (len(heard), transcript.model_calls)
    return last is not None and (last.counts.get("messages"), last.counts.get("model_calls")) == now


def _learn_from_session(
    memory: Memory, transcript: Transcript, heard: Mapping[int, str], task: LeasedJob
) -> tuple[list[Record], dict[str, Any]]:
    """What is new in what the session teaches, kept; and who drafted it, with what a model said."""
    from toldonce.coding.drafting import draft_session

    preset, check = _preset_of_task(memory, task), guard_against_changes(memory, task)
    writer, drafts = draft_with_writer(memory, task, preset, lambda w: draft_session(w, transcript))
    memory.store.write(check)
    kept = _store_learnt(memory, drafts, heard, task, preset=preset, writer=writer)
    if (root := task.job.args.get("root")) and kept:
        from toldonce.coding.fixed_bugs import mark_fixed

        branch = task.job.args.get("branch") or None
        asked = " ".join(event.text for event in transcript.spoken if event.role == "user")[:_LONGEST]
        mark_fixed(memory, drafts, asked, root=Path(root), space=task.space, branch=branch, now=task.now)
    # Records are stored one by one, and storing one twice changes nothing: answers are dropped after the last.
    memory.store.write(lambda t: _announce_learnt(t, task, kept, writer))
    return kept, {"writer": writer.name, **model_output(writer.raw)}


def _observe_session(memory: Memory, transcript: Transcript, task: LeasedJob) -> dict[int, str]:
    """Every message of the session by its place in the transcript; those that are new are kept now."""
    from toldonce.coding.transcripts.reader import Spoken

    known = _observed_messages(memory, transcript.session, task)
    fresh = [
        _message_of_event(event, place, transcript, task)
        for place, event in enumerate(transcript.events)
        if isinstance(event, Spoken) and place not in known
    ]
    try:
        kept: Sequence[Any] = memory.observe_many(fresh, space=task.space)
    except InputError:
        # One that cannot be kept, say all of it private, must not cost the others.
        kept = [_observe_message(memory, message, task) for message in fresh]
    places = [message["metadata"][PLACE] for message in fresh]
    return known | {place: record.id for place, record in zip(places, kept, strict=True) if record}


def _observed_messages(memory: Memory, session: str, task: LeasedJob) -> dict[int, str]:
    view = View(spaces=(task.space,), now=task.now, session=session)
    records = memory.store.read(lambda t: t.records.find(view, limit=_MOST_MESSAGES))
    return {r.metadata[PLACE]: r.id for r in records if isinstance(r.metadata.get(PLACE), int)}


def _message_of_event(event: Spoken, place: int, transcript: Transcript, task: LeasedJob) -> dict[str, Any]:
    person = task.job.args.get("user") or None
    return {
        "text": event.text[:_LONGEST],
        "user": person,
        "session": transcript.session,
        "role": event.role,
        "at": event.at or task.now,
        "metadata": {PLACE: place, "agent": transcript.agent},
    }


def _observe_message(memory: Memory, message: Mapping[str, Any], task: LeasedJob) -> Record | None:
    try:
        kept = memory.observe(**message, space=task.space)
    except InputError:
        return None
    return kept if isinstance(kept, Record) else None


def _store_learnt(
    memory: Memory,
    drafts: Sequence[Lesson],
    heard: Mapping[int, str],
    task: LeasedJob,
    *,
    preset: Preset,
    writer: Writer,
) -> list[Record]:
    """The drafts that are new, each kept under the preset's kind for it and with the messages it came from."""
    by = task.job.args["agent"] if isinstance(writer, RulesWriter) else writer.name
    kept = []
    for draft in drafts[: preset.capture.max_records_per_session or None]:
        kind = preset.distil.kinds.get(draft.type)
        try:
            record = _remember_learnt(memory, draft, preset.kind(kind), heard, task, by=by) if kind else None
        except TooMany:
            break
        except InputError:
            continue
        if record is not None and record.created_at >= task.now:
            kept.append(record)
    return kept


def _remember_learnt(
    memory: Memory, draft: Lesson, kind: Kind, heard: Mapping[int, str], task: LeasedJob, *, by: str
) -> Record:
    args = task.job.args
    metadata = {"file": draft.file, **({"files": list(draft.files)} if draft.files else {})} if draft.file else None
    # An outcome tells what happened then; code that changes later does not make it less true.
    if draft.type != "outcome" and (root := args.get("root")):
        from toldonce.coding.named_code import cite_in_metadata

        whole = not draft.of_branch
        metadata = cite_in_metadata(Path(root), draft.text, metadata, now=task.now, whole_files=whole)
    text = draft.text if len(draft.text) <= kind.max_chars else draft.text[: kind.max_chars - 1] + "…"
    return memory.remember(
        text,
        kind.name,
        user=args.get("user") or None,
        source=[heard[p] for p in draft.sources if p in heard],
        made_by=by,
        session=args["session"],
        branch=args.get("branch") if draft.of_branch else None,
        space=task.space,
        summary=draft.summary,
        confidence=draft.confidence,
        metadata=metadata,
    )


def _preset_of_task(memory: Memory, task: LeasedJob) -> Preset:
    from toldonce.operations.space_state import preset_of_space

    space = memory.store.read(lambda t: t.people.space(task.space))
    if space is None:
        raise InputError(f"the space {task.space!r} is gone")
    return preset_of_space(space)[0]


def _announce_learnt(tables: Tables, task: LeasedJob, kept: Sequence[Record], writer: Writer) -> None:
    """Keep which records are 'what I learned' until the next session begins; nothing learnt changes nothing."""
    from toldonce.coding.hooks import LEARNED

    task.check_lease_in_transaction(tables)
    writer.stored(tables)
    if kept:
        tables.documents.set_setting(task.space, LEARNED, " ".join(record.id for record in kept[:_MOST_TOLD]))


def update_code_map(memory: Memory, touched: Sequence[tuple[str, str]], task: LeasedJob) -> int:
    """What the session read and changed teaches the code map; returns whether the map changed, as 1 or 0."""
    from toldonce.coding.codemap.document import NAME, OWNER, from_document, to_document
    from toldonce.coding.codemap.learn import FileEvent, learn_from_events

    actions: Any = {"read": "read", "edit": "edit", "write": "write"}
    inside = [(op, path) for op, path in touched if op in actions and not path.startswith(("/", "..", "~"))]
    events = [FileEvent(path, actions[op], task.job.args["session"]) for op, path in inside]

    def work(tables: Tables) -> int:
        task.check_lease_in_transaction(tables)
        known = tables.documents.get(task.space, OWNER, NAME)
        if known is None:
            return 0
        taught = to_document(
            learn_from_events(from_document(known), events), space=task.space, at=task.now, previous=known
        )
        if taught is known:
            return 0
        tables.documents.put(taught)
        return 1

    changed = memory.store.write(work) if events else 0
    _refresh_index(task, [path for op, path in inside if op != "read"])
    return changed


def _refresh_index(task: LeasedJob, changed: Sequence[str]) -> None:
    """The index of the working tree takes in what was changed; where there is none, none is made."""
    from toldonce.coding.codemap.index import open_index
    from toldonce.coding.codemap.scan import refresh_files

    root = Path(task.job.args.get("root") or "")
    index = open_index(root) if changed and root.is_dir() else None
    if index is not None:
        index.close()
        refresh_files(root, dict.fromkeys(changed), now=task.now)


def _read_session_journal(session: str) -> list[tuple[str, str]]:
    """What the hooks noted about a session whose transcript is not available."""
    from toldonce.coding.hooks import state

    return [
        (str(entry["op"]), str(path))
        for entry in state.read_journal(session)
        if entry.get("op")
        for path in entry.get("paths") or ()
    ]


def _remove_transcript_copy(path: Path) -> None:
    """A transcript that came with an event lies in our own folder; once it is learnt from it goes."""
    from toldonce.coding.hooks import state

    if path.is_relative_to(state.folder()):
        path.unlink(missing_ok=True)


def _median_latency(journal: Sequence[Mapping[str, Any]]) -> int:
    """How long a hook of the session took to answer, in milliseconds; 0 where none was timed."""
    timed = sorted(int(entry["ms"]) for entry in journal if entry.get("ms"))
    return timed[len(timed) // 2] if timed else 0


def _session_figures(memory: Memory, transcript: Transcript, found: Discovery, task: LeasedJob) -> dict[str, int]:
    """What the session cost and what memory had to do with it, as numbers."""
    from toldonce.coding.hooks import state
    from toldonce.coding.transcripts.measure import list_touched_files

    journal = state.read_journal(transcript.session)
    shown = list(dict.fromkeys(i for entry in journal for i in entry.get("shown") or ()))[:_MOST_SHOWN]
    records = memory.store.read(lambda t: t.records.get(shown)) if shown else {}
    files = list_touched_files(transcript)
    state.sweep_sessions()
    return {
        **{f"discovery_{name}" if name in ("calls", "tokens") else name: n for name, n in asdict(found).items()},
        "shown": len(shown),
        "shown_tokens": sum(int(entry.get("tokens") or 0) for entry in journal),
        "latency_ms": _median_latency(journal),
        "used": sum(str(r.metadata.get("file")) in files for r in records.values() if r.metadata.get("file")),
        "with_memory": int(bool(shown) and not task.job.args.get("held_out")),
    }
