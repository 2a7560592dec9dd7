"""A session becomes drafts of memories by rules: errors and their fixes, decisions, conventions, quirks, the outcome.

Precision before recall: a draft needs evidence in the transcript (a failure and the success after it, or a sentence
that says so), and names the messages it came from. Nothing here is stored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from toldonce import tokens
from toldonce.capture.summary import summarise_text
from toldonce.coding.codemap.words import search_terms
from toldonce.coding.transcripts.compress import find_problem_line
from toldonce.coding.transcripts.reader import Happened, Spoken, Transcript, TranscriptCall
from toldonce.coding.transcripts.subject import name_subject
from toldonce.coding.transcripts.tool_names import CHANGES
from toldonce.coding.transcripts.words import (
    JUDGES,
    NAMES_CODE,
    SURROUNDINGS,
    agent_decisions,
    causes,
    conventions,
    corrections,
    decisions,
    findings,
    own_doing,
    passing,
)

LearntType = Literal["error", "pitfall", "quirk", "decision", "convention", "correction", "outcome"]
SUMMARY_TOKENS = 35
# Most useful first: what a person said, then what went wrong, then how it ended.
_ORDER: tuple[LearntType, ...] = ("correction", "decision", "convention", "pitfall", "error", "quirk", "outcome")
_MOST: dict[LearntType, int] = {"error": 8, "pitfall": 8, "quirk": 6, "decision": 8, "convention": 8, "correction": 5}

_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_STOP = re.compile(r"(?<=[.!?])\s+(?=[A-ZÀ-Ý`*\-\d])|\n+")
_BULLET = re.compile(r"^\s*(?:[-*•+#>]+|\d{1,2}[.)])?\s*(?:\*\*|__)?")
_ASSIGNED = re.compile(r"\b([A-Z][A-Z0-9_]{2,})=(\S*)")
_PLACE = re.compile(r"[\w./-]+\.\w{1,5}:\d+")
_FOLDER = re.compile(r"^\s*cd\s+\S+\s*(?:&&|;)\s*")
_CHAIN = re.compile(r"\s*(?:&&|;|\|\|?)\s*")
_NOISE = re.compile(r"\s+(?:2>&1|\|\s*(?:tail|head|grep)\b.*|-{1,2}(?:q|v|x|vv|no-header|tb=\S+|color=\S+))(?=\s|$)")
_PROMPT_TOKENS = 40
_SUBJECT_TOKENS = 16
_LONG_PROBLEM = 60
_SOON = 12
_TELLING_TERMS = 3
_MOST_FILES = 8
_PROSE = (".md", ".rst", ".txt")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """One thing worth remembering: said in full, in short, and from which messages and files it was learnt.

    `sources` are places in `Transcript.events` of things said.
    """

    type: LearntType
    text: str
    summary: str
    sources: tuple[int, ...]
    file: str = ""
    files: tuple[str, ...] = ()
    confidence: float = 0.5

    @property
    def of_branch(self) -> bool:
        """Whether it applies to the current branch only, as a fix does, and not to the whole project."""
        return self.type in ("error", "pitfall", "outcome")


def learn_from_transcript(transcript: Transcript) -> list[Lesson]:
    """What the rules learn from a session, most useful first."""
    mended = list(_find_fixed_failures(transcript))
    told = {place for one in mended for place in one.sources}
    found = [
        *_find_stated_lessons(transcript),
        *mended,
        *_find_root_causes(transcript, told),
        *_find_environment_quirks(transcript),
    ]
    found += _describe_outcome(transcript)
    unique = {(one.type, one.summary.casefold()): one for one in reversed(found)}
    kept: list[Lesson] = []
    for type in _ORDER:
        some = [one for one in reversed(unique.values()) if one.type == type]
        kept += some[: _MOST.get(type, 1)]
    return kept


def shorten_summary(text: str) -> str:
    """A text in at most 35 tokens."""
    return summarise_text(text, SUMMARY_TOKENS)


def _summarise_fixed(file: str, cause: str) -> str:
    """A cause that was removed: without its first words the next session would look for it in the code."""
    head = f"Fixed in {file}: "
    return head + summarise_text(cause, SUMMARY_TOKENS - tokens.count_tokens(head))


def changed_files(transcript: Transcript) -> tuple[str, ...]:
    """The files that a session changed, each once, as many as are kept with its outcome."""
    return tuple(dict.fromkeys(_changed_files(transcript.events)))[:_MOST_FILES]


# What was said


def _find_stated_lessons(transcript: Transcript) -> Iterator[Lesson]:
    for place, event in enumerate(transcript.events):
        if isinstance(event, Spoken):
            yield from _lessons_in_statement(event, place, transcript.events)


def _lessons_in_statement(event: Spoken, place: int, events: Sequence[Happened]) -> Iterator[Lesson]:
    person = event.role == "user"
    for sentence in _prose_sentences(event.text):
        if passing().search(sentence) or not 4 <= len(sentence.split()) <= 60:
            continue
        type = _statement_type(sentence, person=person)
        named = name_subject(sentence, events, place, split=_prose_sentences) if type == "decision" else None
        if type is None or (type == "decision" and named is None):
            continue
        about, said = (named.subject, named.text) if named else ("", sentence)
        short = f"{tokens.cut_text(about, _SUBJECT_TOKENS)} {said}" if about else said
        yield Lesson(
            type=type,
            text=f"{_end_sentence(about)} {said}" if about else said,
            summary=shorten_summary(short),
            sources=(named.asked_at, place) if named and named.asked_at >= 0 else (place,),
            confidence=0.8 if person else 0.5,
        )


def _statement_type(sentence: str, *, person: bool) -> LearntType | None:
    if not person:
        return "decision" if agent_decisions().search(sentence) else None
    table: tuple[tuple[LearntType, re.Pattern[str]], ...] = (
        ("correction", corrections()), ("decision", decisions()), ("convention", conventions()),
    )  # fmt: skip
    return next((type for type, pattern in table if pattern.search(sentence)), None)


def _prose_sentences(text: str) -> Iterator[str]:
    """The sentences of what somebody wrote, without fenced code, marks and pasted lines."""
    for line in _STOP.split(_FENCED.sub("\n", text)):
        bare = _BULLET.sub("", line, count=1).replace("**", "").strip(" _*")
        if bare and not bare.startswith(("|", "at ", "File ", "Traceback")):
            yield bare


# Failures that were fixed


def _find_fixed_failures(transcript: Transcript) -> Iterator[Lesson]:
    """A command failed, files were changed, and the same command worked."""
    events = transcript.events
    for place, event in enumerate(events):
        if not (isinstance(event, TranscriptCall) and event.op == "run" and event.failed):
            continue
        problem = find_problem_line(event.answer)
        after = _find_later_success(events, place) if problem and not JUDGES.search(event.command) else None
        if after is None:
            continue
        files = _changed_files(events[place:after])
        # What broke only after the agent's own edits is worth telling when it says why, not otherwise.
        if files and (not _changed_files(events[:place]) or _find_stated_cause(events, place, after)[0]):
            yield _describe_fix(events, place, after, problem=problem, files=files)


def _find_later_success(events: Sequence[Happened], place: int) -> int | None:
    """Where the same command worked, if it did so before failing with another problem for good."""
    failed = events[place]
    assert isinstance(failed, TranscriptCall)
    wanted = _normalise_command(failed.command)
    for later in range(place + 1, len(events)):
        event = events[later]
        if isinstance(event, TranscriptCall) and event.op == "run" and _normalise_command(event.command) == wanted:
            return None if event.failed else later
    return None


def _describe_fix(events: Sequence[Happened], place: int, after: int, *, problem: str, files: list[str]) -> Lesson:
    failed = events[place]
    assert isinstance(failed, TranscriptCall)
    cause, source = _find_stated_cause(events, place, after)
    unique = list(dict.fromkeys(files))
    command = _display_command(failed.command)
    at = next((m[0] for m in [_PLACE.search(failed.answer)] if m), "")
    where = f" (at {at})" if at and at not in problem else ""
    fixed = f"Fixed by changing {', '.join(unique[:4])}."
    text = f"`{command}` failed with: {problem}{where}. {cause} {fixed}".replace("  ", " ")
    said = cause if cause and len(problem) > _LONG_PROBLEM else f"{_short_problem(problem)}: {cause or fixed}"
    return Lesson(
        type="pitfall" if cause else "error",
        text=text,
        summary=_summarise_fixed(unique[0], said) if cause else shorten_summary(said),
        file=unique[0],
        sources=source or _last_message_before(events, place),
        confidence=0.7 if cause else 0.5,
    )


def _find_stated_cause(events: Sequence[Happened], place: int, after: int) -> tuple[str, tuple[int, ...]]:
    """The sentence in which the agent said why it failed, the last one before it worked or right after."""
    for later in reversed(range(place, min(after + 3, len(events)))):
        event = events[later]
        if isinstance(event, Spoken) and event.role == "assistant":
            reasons = [s for s in _prose_sentences(event.text) if _is_reason(s)]
            if reasons:
                return _end_sentence(reasons[-1]), (later,)
    return "", ()


def _find_root_causes(transcript: Transcript, told: set[int]) -> Iterator[Lesson]:
    """A cause that the agent found in the code and then fixed, without a command that showed it."""
    events = transcript.events
    for place, event in enumerate(events):
        if not (isinstance(event, Spoken) and event.role == "assistant") or place in told:
            continue
        files = [file for file in _changed_files(events[place : place + _SOON]) if not file.endswith(_PROSE)]
        causes = [s for s in _prose_sentences(event.text) if _is_finding(s)] if files else []
        if causes:
            text = f"{_end_sentence(causes[0])} Fixed in {', '.join(dict.fromkeys(files[:3]))}."
            yield Lesson(
                type="pitfall",
                text=text,
                summary=_summarise_fixed(files[0], causes[0]),
                sources=(place,),
                file=files[0],
            )


def _is_finding(sentence: str) -> bool:
    lasting = findings().search(sentence) and NAMES_CODE.search(sentence) and not passing().search(sentence)
    return bool(lasting) and not own_doing().search(sentence) and 8 <= len(sentence.split()) <= 45


def _is_reason(sentence: str) -> bool:
    return bool(causes().search(sentence)) and not own_doing().search(sentence) and 5 <= len(sentence.split()) <= 45


def _find_environment_quirks(transcript: Transcript) -> Iterator[Lesson]:
    """A command failed because of what is around the code, and another way to call it worked soon after."""
    events = transcript.events
    for place, event in enumerate(events):
        if not (isinstance(event, TranscriptCall) and event.op == "run" and event.failed):
            continue
        problem = find_problem_line(event.answer)
        after = _find_other_way(events, place) if problem and SURROUNDINGS.search(problem) else None
        if after is not None:
            yield _describe_quirk(events, place, after, problem=problem)


def _find_other_way(events: Sequence[Happened], place: int) -> int | None:
    """Where a command of the same purpose, called differently, worked within the next few calls and with no edit."""
    failed = events[place]
    assert isinstance(failed, TranscriptCall)
    steps = 0
    for later in range(place + 1, len(events)):
        event = events[later]
        if not isinstance(event, TranscriptCall):
            continue
        steps += 1
        if steps > 4 or event.op in CHANGES:
            return None
        if event.op == "run" and not event.failed and event.command != failed.command:
            return later if _same_purpose(failed.command, event.command) else None
    return None


def _same_purpose(one: str, other: str) -> bool:
    """Whether one call contains the other, or both end in the same words."""
    first, second = _normalise_command(one).split(), _normalise_command(other).split()
    if not first or not second:
        return False
    return " ".join(first) in " ".join(second) or first[-1] == second[-1]


def _describe_quirk(events: Sequence[Happened], place: int, after: int, *, problem: str) -> Lesson:
    failed, worked = events[place], events[after]
    assert isinstance(failed, TranscriptCall) and isinstance(worked, TranscriptCall)
    names = sorted(
        {n for n, _ in _ASSIGNED.findall(worked.command)} - {n for n, _ in _ASSIGNED.findall(failed.command)}
    )
    bad, good = _display_command(failed.command), _display_command(worked.command)
    needs = f"`{bad}` needs {', '.join(names)} to be set" if names else f"`{bad}` does not work here, `{good}` does"
    text = f"{needs}: it failed with: {problem}. What worked: `{good}`."
    short = f"{needs} ({_short_problem(problem)})."
    return Lesson(
        type="quirk",
        text=text,
        summary=shorten_summary(short),
        sources=_last_message_before(events, place),
        confidence=0.6,
    )


# How it ended


def _describe_outcome(transcript: Transcript) -> Iterator[Lesson]:
    """What was asked, done and changed, and whether the last check passed; only for sessions that changed something."""
    events = transcript.events
    asked, done = _find_task_message(events), _find_closing_statement(events)
    files = changed_files(transcript)
    if not files or (asked is None and done is None):
        return
    task = tokens.cut_text(" ".join(asked[1].text.split()), _PROMPT_TOKENS) if asked else ""
    checks = [c for c in transcript.calls if c.op == "run" and c.failed is not None]
    tried = list(dict.fromkeys(_display_command(c.command) for c in checks if c.failed))[:3]
    ended = (
        f"`{_display_command(checks[-1].command)}` {'failed' if checks[-1].failed else 'passed'} at the end"
        if checks
        else ""
    )
    parts = [
        f"Task: {_end_sentence(task)}" if task else "", f"Done: {_end_sentence(done[1])}" if done else "",
        f"Changed {', '.join(files)}.", _end_sentence(ended) if ended else "",
        f"Failed on the way: {', '.join(f'`{c}`' for c in tried)}." if tried else "",
    ]  # fmt: skip
    first = _end_sentence(tokens.cut_text(done[1] if done else task, 16))
    short = f"{first} Changed {', '.join(files[:2])}{'; ' + ended if ended else ''}."
    yield Lesson(
        type="outcome",
        text=" ".join(filter(None, parts)),
        summary=shorten_summary(short),
        sources=tuple(sorted({found[0] for found in (asked, done) if found})),
        file=files[0],
        files=files,
        confidence=0.6,
    )


def _find_task_message(events: Sequence[Happened]) -> tuple[int, Spoken] | None:
    """The message that says what a session is about: the first of the person that names something."""
    theirs = ((p, event) for p, event in enumerate(events) if isinstance(event, Spoken) and event.role == "user")
    return next((found for found in theirs if len(search_terms(found[1].text)) >= _TELLING_TERMS), None)


def _find_closing_statement(events: Sequence[Happened]) -> tuple[int, str] | None:
    """Where and how the agent said what it did: the first sentence that tells something, after the last change."""
    for place in reversed(range(len(events))):
        event = events[place]
        if isinstance(event, TranscriptCall) and event.op in CHANGES and not event.failed:
            return None
        if isinstance(event, Spoken) and event.role == "assistant":
            said = (s for s in _prose_sentences(event.text) if not s.endswith((":", "?")) and not passing().search(s))
            told = next((s for s in said if len(search_terms(s)) >= _TELLING_TERMS), None)
            if told:
                return place, told
    return None


# Small things that several rules need


def _changed_files(events: Iterable[Happened]) -> list[str]:
    """The files that were changed with success."""
    calls = (event for event in events if isinstance(event, TranscriptCall))
    return [path for call in calls if call.op in CHANGES and not call.failed for path in call.paths]


def _normalise_command(command: str) -> str:
    """A command without the folder it is called in, variables, and what only changes how much it prints."""
    parts = [p for p in _CHAIN.split(_NOISE.sub("", command)) if p and not p.startswith(("cd ", "export ", "source "))]
    return _ASSIGNED.sub("", parts[0] if parts else "").strip()


def _display_command(command: str) -> str:
    """A command on one line, short, with the values of variables left out."""
    plain = " ".join(_FOLDER.sub("", _ASSIGNED.sub(r"\1=…", _NOISE.sub("", command))).split())
    return plain if len(plain) <= 100 else plain[:97] + "…"


def _short_problem(problem: str) -> str:
    return problem if len(problem) <= 90 else problem[:87] + "…"


def _end_sentence(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?", "…")) else sentence + "."


def _last_message_before(events: Sequence[Happened], place: int) -> tuple[int, ...]:
    """The last thing said before a place; evidence for what only tools showed."""
    return next(((p,) for p in reversed(range(place)) if isinstance(events[p], Spoken)), ())
