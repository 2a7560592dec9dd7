"""A transcript becomes a short text to learn from: what was asked, what was done and what went wrong, in order.

Secrets are taken out before anything is cut, since half a key is not known for one any more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from toldonce import tokens
from toldonce.capture.secrets.redact import redact_secrets
from toldonce.coding.transcripts.reader import Spoken, Transcript, TranscriptCall
from toldonce.coding.transcripts.tool_names import DISCOVERY

BUDGET = 2_000
_PROMPT, _REPLY, _ANSWER = 120, 60, 60
_PROBLEM = re.compile(
    r"^.*\b(?:\w*(?:Error|Exception|Panic)\b.*|error(?:\[\w+\])?: .*|fatal: .*|FAILED .*|.*command not found.*"
    r"|missing script.*|no such file.*|cannot find .*|undefined: .*|panicked at .*)$",
    re.MULTILINE | re.IGNORECASE,
)
_MARGIN = re.compile(r"^(?:E|>|\||error:?)\s+(?=\S)")
# Lines that say that something failed and not what.
_EMPTY = re.compile(
    r"task failed|exit status|error trace|should be (?:true|false)|^(?:FAIL|--- FAIL)|runtime/panic", re.IGNORECASE
)
_TELLING = re.compile(r"^(?:[\w.]+(?:Error|Exception)|error(?:\[\w+\])?|fatal): \S", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CompressedTranscript:
    """A session in short; `places` tells where in `Transcript.events` what is shown of the things said stands.

    In the text a thing said begins with its name there: m1, m2 and so on.
    """

    text: str
    places: Mapping[str, int]


def compress_transcript(transcript: Transcript, *, budget: int = BUDGET) -> CompressedTranscript:
    """The session within a budget of tokens: its beginning and its end, the middle left out where there is no room."""
    spoken = [place for place, event in enumerate(transcript.events) if isinstance(event, Spoken)]
    names = {place: f"m{number}" for number, place in enumerate(spoken, 1)}
    text = _fit_transcript_lines(list(_transcript_lines(transcript, names)), budget)
    shown = {line.partition(" ")[0] for line in text.split("\n")}
    return CompressedTranscript(text, {name: place for place, name in names.items() if name in shown})


def _fit_transcript_lines(lines: Sequence[str], budget: int) -> str:
    costs = [tokens.count_tokens(line) + 1 for line in lines]
    if sum(costs) <= budget:
        return "\n".join(lines)
    first = _count_fitting_lines(costs, budget // 3)
    last = _count_fitting_lines(costs[::-1], budget - sum(costs[:first]))
    text = _with_gap(lines, first, last)
    # Line by line the estimate comes out a little lower than for the whole.
    while last and tokens.count_tokens(text) > budget:
        last -= 1
        text = _with_gap(lines, first, last)
    return text


def _with_gap(lines: Sequence[str], first: int, last: int) -> str:
    gap = len(lines) - first - last
    return "\n".join([*lines[:first], f"… {gap} steps left out …", *lines[len(lines) - last :]])


def find_problem_line(answer: str) -> str:
    """The line of an answer that says what went wrong: the last one that names its error and what it says."""
    found = [_MARGIN.sub("", " ".join(line.split())) for line in _PROBLEM.findall(answer)]
    short = [line for line in found if len(line) <= 300 and not _EMPTY.search(line)]
    telling = [line for line in short if _TELLING.match(line)]
    return (telling or short or [""])[-1]


def _count_fitting_lines(costs: Sequence[int], budget: int) -> int:
    spent = 0
    for place, cost in enumerate(costs):
        spent += cost
        if spent > budget:
            return place
    return len(costs)


def _transcript_lines(transcript: Transcript, names: Mapping[int, str]) -> Iterator[str]:
    looked: list[str] = []
    for place, event in enumerate(transcript.events):
        if isinstance(event, TranscriptCall) and event.op in DISCOVERY and not event.failed:
            looked += event.paths or ((f"`{_shorten_to_line(event.command, _ANSWER)}`",) if event.command else ())
            continue
        if looked:
            yield f"looked at: {', '.join(list(dict.fromkeys(looked))[:12])}"
            looked = []
        if line := _format_spoken(event, names[place]) if isinstance(event, Spoken) else _format_call(event):
            yield line
    if looked:
        yield f"looked at: {', '.join(list(dict.fromkeys(looked))[:12])}"


def _format_spoken(event: Spoken, name: str) -> str:
    return f"{name} {event.role}: {_shorten_to_line(event.text, _PROMPT if event.role == 'user' else _REPLY)}"


def _format_call(call: TranscriptCall) -> str:
    if call.op in ("edit", "write"):
        return f"changed: {', '.join(call.paths)}{' (failed)' if call.failed else ''}"
    if call.op != "run":
        return ""
    ended = "failed" if call.failed else "ran"
    problem = (
        f": {_shorten_to_line(find_problem_line(redact_secrets(call.answer).text), _ANSWER)}" if call.failed else ""
    )
    return f"{ended}: `{_shorten_to_line(call.command, _ANSWER)}`{problem}"


def _shorten_to_line(text: str, budget: int) -> str:
    """A text on one line, without secrets."""
    return tokens.cut_text(" ".join(redact_secrets(text).text.split()), budget)
