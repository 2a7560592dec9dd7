"""The writer's tasks about code as a model sees them: modules that want a name, and a session that teaches something.

Pure. A model gets paths, names and what was said in short, never the text of a file, and no secrets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

from toldonce.capture.secrets.redact import redact_secrets
from toldonce.coding.transcripts.compress import compress_transcript
from toldonce.coding.transcripts.learn import LearntType, Lesson, changed_files, shorten_summary
from toldonce.coding.transcripts.reader import Transcript
from toldonce.coding.transcripts.tool_names import CHANGES
from toldonce.distil.drafts import ModuleDraft, ModuleSketch
from toldonce.distil.model.answers import Answer, Items, Line, Number, Prose, Quote, Ref, Refs, Text, keep_text
from toldonce.distil.model.lines import CheckedResult, ModelTask, ShortNames, clamp_probability

MOST_MODULES = 80
MOST_LEARNT = 12
# As sure as rules are of what a person said.
SUREST_LEARNT = 0.8
_MOST_FILES = 80
_MOST_SAYS = 200

ModuleName = Annotated[Text, keep_text(40)]


class ModuleItem(Answer):
    id: Ref
    name: ModuleName
    description: Line
    related: Refs


class ModulesAnswer(Answer):
    modules: Items[ModuleItem]


class LearntItem(Answer):
    type: LearntType
    text: Prose
    summary: Line
    file: Quote | None
    confidence: Number
    sources: Refs


class SessionAnswer(Answer):
    learnt: Items[LearntItem]


def modules_task(sketches: Sequence[ModuleSketch], taken: Sequence[str]) -> ModelTask[list[ModuleDraft]]:
    """Names and purposes of modules. A module may keep its own name but not take another's."""
    names = ShortNames()
    asked = sketches[:MOST_MODULES]
    data = {"modules": [_sketch_row(names.assign_name("m", (one.module,)), one) for one in asked], "taken": list(taken)}
    known = {name.casefold(): name for name in (*taken, *(one.module for one in sketches))}

    def make(answer: ModulesAnswer) -> CheckedResult[list[ModuleDraft]]:
        drafts: dict[str, ModuleDraft] = {}
        problems: list[str] = []
        used = dict(known)
        for number, item in enumerate(answer.modules):
            made = _read_module_item(item, names, used, place=f"modules[{number}]")
            problems += made.problems
            if made.result is not None and made.result.module not in drafts:
                drafts[made.result.module] = made.result
                used[made.result.name.casefold()] = made.result.module
        return CheckedResult(list(drafts.values()), tuple(problems))

    return ModelTask(task="modules", data=data, answer=ModulesAnswer, make=make, items="modules")


def session_task(transcript: Transcript) -> ModelTask[list[Lesson]]:
    """What a session teaches. Which files it changed is known and not asked."""
    short = compress_transcript(transcript)
    files = _project_files_of(transcript)
    changed = changed_files(transcript)

    def make(answer: SessionAnswer) -> CheckedResult[list[Lesson]]:
        drafts: dict[tuple[str, str], Lesson] = {}
        problems: list[str] = []
        for number, item in enumerate(answer.learnt):
            place = f"learnt[{number}]"
            found = (*_unknown_references(item, short.places, files, place), *_unfounded_outcomes(item, changed, place))
            problems += found
            if not found:
                draft = _learnt_from_item(item, short.places, changed)
                # A session has one outcome.
                same = "" if draft.type == "outcome" else draft.summary.casefold()
                drafts.setdefault((draft.type, same), draft)
        if len(drafts) > MOST_LEARNT:
            problems.append(f"learnt must be at most {MOST_LEARNT}: keep the most useful")
        return CheckedResult(list(drafts.values())[:MOST_LEARNT], tuple(problems))

    data = {"session": short.text, "files": list(files[:_MOST_FILES])}
    return ModelTask(task="session", data=data, answer=SessionAnswer, make=make, items="learnt")


def _sketch_row(alias: str, one: ModuleSketch) -> dict[str, object]:
    row = {
        "id": alias, "folder": one.folder or "./", "says": redact_secrets(one.says).text[:_MOST_SAYS],
        "files": [path.removeprefix(one.folder) for path in one.files],
        "entry_points": [path.removeprefix(one.folder) for path in one.entry_points], "symbols": list(one.symbols),
    }  # fmt: skip
    return {key: value for key, value in row.items() if value}


def _read_module_item(
    item: ModuleItem, names: ShortNames, used: Mapping[str, str], *, place: str
) -> CheckedResult[ModuleDraft | None]:
    """A draft, if its module is in the input and its name is free; `used` gives the module of each taken name."""
    mine, near = names.ids_of([item.id], f"{place}.id"), names.ids_of(item.related, f"{place}.related", least=0)
    if mine.problems or near.problems:
        return CheckedResult(None, (*mine.problems, *near.problems))
    name, module = " ".join(item.name.split()), mine.result[0]
    if used.get(name.casefold(), module) != module:
        return CheckedResult(None, (f"{place}.name is the name of another module",))
    related = tuple(other for other in near.result if other != module)
    return CheckedResult(ModuleDraft(module, name, " ".join(item.description.split()), related))


def _unknown_references(item: LearntItem, places: Mapping[str, int], files: Sequence[str], place: str) -> Iterable[str]:
    """What an item points to that is not in the input."""
    for number, ref in enumerate(item.sources):
        if ref not in places:
            yield f"{place}.sources[{number}] names nothing of the input"
    if item.file is not None and item.file not in files:
        yield f"{place}.file must be one of the input's files, or null"


def _unfounded_outcomes(item: LearntItem, changed: Sequence[str], place: str) -> Iterable[str]:
    if not item.sources:
        yield f"{place}.sources must name at least 1 of the input"
    if item.type == "outcome" and not changed:
        yield f"{place}.type cannot be outcome: the session changed nothing"


def _learnt_from_item(item: LearntItem, places: Mapping[str, int], changed: tuple[str, ...]) -> Lesson:
    files = changed if item.type == "outcome" else ()
    return Lesson(
        type=item.type,
        text=item.text,
        summary=shorten_summary(item.summary),
        file=item.file or next(iter(files), ""),
        files=files,
        sources=tuple(dict.fromkeys(places[ref] for ref in item.sources)),
        confidence=min(clamp_probability(item.confidence), SUREST_LEARNT),
    )


def _project_files_of(transcript: Transcript) -> tuple[str, ...]:
    """The project's files that the session changed, then those that it only read."""
    calls = [call for call in transcript.calls if call.op in ("read", *CHANGES) and not call.failed]
    found = [path for call in sorted(calls, key=lambda call: call.op == "read") for path in call.paths]
    return tuple(dict.fromkeys(path for path in found if not path.startswith(("/", "..", "~"))))
