"""How good the facts are that rules draw from talk, against the observations of LoCoMo and the sources of BEAM.

    python -m benchmarks.facts DATA_FOLDER [--show 20]

LoCoMo's observations were written by a language model and leave much out, so that precision here is a lower bound:
what is drawn from a turn that no observation cites counts as wrong. `--show` prints drafts that match nothing.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from toldonce.bench.beam import read_beam
from toldonce.bench.files import WantedFile, find_wanted_file, list_files, read_rows
from toldonce.bench.locomo import parse_locomo_time
from toldonce.distil.drafts import ConversationMessage, FactDraft
from toldonce.distil.extract import extract_facts
from toldonce.lang.vocabulary import content_words
from toldonce.text.words import stem_of_word

_LONG_AGO = datetime(2023, 1, 1, tzinfo=UTC)
# The share of a shorter statement's words that a longer one must hold to count as the same.
_SAME = 0.5
_STANDING = {"instruction_following": "instruction", "preference_following": "preference"}


@dataclass(frozen=True, slots=True)
class Observed:
    """A statement about a speaker that somebody else drew from turns."""

    speaker: str
    text: str
    turns: frozenset[str]


@dataclass
class Score:
    """Counts over many sessions."""

    drafts: int = 0
    on_cited_turn: int = 0
    matching: int = 0
    observed: int = 0
    turn_found: int = 0
    found: int = 0

    def lines(self) -> Iterator[str]:
        yield f"drafts {self.drafts}, observations {self.observed}"
        yield f"precision: on a turn that an observation cites {share(self.on_cited_turn, self.drafts)}"
        yield f"precision: says what the observation says       {share(self.matching, self.drafts)}"
        yield f"recall: something drawn from the cited turn     {share(self.turn_found, self.observed)}"
        yield f"recall: says what the observation says          {share(self.found, self.observed)}"


def share(part: int, whole: int) -> str:
    return f"{part / whole if whole else 0:.3f}"


def stems(text: str, *, without: str) -> frozenset[str]:
    return frozenset(stem_of_word(w) for w in content_words(text)) - frozenset(
        stem_of_word(w) for w in content_words(without)
    )


def is_same(one: str, other: str, *, speaker: str) -> bool:
    a, b = stems(one, without=speaker), stems(other, without=speaker)
    return bool(a and b) and len(a & b) >= _SAME * min(len(a), len(b))


def sessions(row: Mapping[str, Any]) -> Iterator[tuple[list[ConversationMessage], list[Observed]]]:
    """The sessions of a conversation, with what was observed in each."""
    talk = row["conversation"]
    for name in (n for n in talk if n.startswith("session_") and not n.endswith("_date_time")):
        at = parse_locomo_time(talk.get(f"{name}_date_time", "")) or _LONG_AGO
        said = [
            ConversationMessage(t["dia_id"], t.get("text", ""), t["speaker"], "user", at, t["speaker"])
            for t in talk[name] or ()
        ]
        seen = row["observation"].get(f"{name}_observation") or {}
        yield said, [Observed(who, o[0], turns(o[1])) for who, found in seen.items() for o in found]


def turns(cited: object) -> frozenset[str]:
    named = cited if isinstance(cited, list) else [cited]
    return frozenset(part.strip() for one in named for part in str(one).replace(";", ",").split(","))


def count(score: Score, drafts: Sequence[FactDraft], observed: Sequence[Observed]) -> list[FactDraft]:
    """Add a session to the score; returns the drafts that match nothing."""
    strange = []
    for draft in drafts:
        near = [o for o in observed if draft.source in o.turns]
        matches = any(is_same(draft.text, o.text, speaker=o.speaker) for o in near)
        score.on_cited_turn += bool(near)
        score.matching += matches
        strange += [] if matches else [draft]
    for one in observed:
        near_drafts = [d for d in drafts if d.source in one.turns]
        score.turn_found += bool(near_drafts)
        score.found += any(is_same(d.text, one.text, speaker=one.speaker) for d in near_drafts)
    score.drafts += len(drafts)
    score.observed += len(observed)
    return strange


def locomo(folder: Path, *, show: int) -> None:
    path = find_wanted_file(list_files(folder), WantedFile(r"locomo(?:10|_\w+)?\.json", "locomo10.json"))
    if path is None:
        print("LoCoMo: not there")
        return
    score, strange, started = Score(), [], time.process_time()
    for row in read_rows(path):
        for said, observed in sessions(row):
            strange += count(score, extract_facts(said, subjects={}), observed)
    print(f"LoCoMo ({time.process_time() - started:.1f} s)", *score.lines(), sep="\n  ")
    for draft in strange[:: max(1, len(strange) // show)][:show] if show else ():
        print(f"    {draft.source} {draft.type}: {draft.text}")


def beam_sources(folder: Path) -> None:
    """How many of the messages that hold an instruction or a preference, or one side of a change, are recognised."""
    path = find_wanted_file(list_files(folder), WantedFile(r"beam_100K\w*\.jsonl", "beam_100K.jsonl"))
    if path is None:
        print("BEAM: not there")
        return
    held: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for chat in read_beam(read_rows(path)):
        texts = {p.id: p.turns[0] for p in chat.passages}
        for question in chat.questions:
            for source in sorted(question.gold):
                if texts[source].role != "user":
                    continue
                said = ConversationMessage(source, texts[source].text, "user", "user", _LONG_AGO, "User")
                types = {draft.type for draft in extract_facts([said], subjects={})}
                held[question.category] += 1
                wanted = _STANDING.get(question.category)
                seen[question.category] += wanted in types if wanted else bool(types)
    print("BEAM-100K: sources from which something of the right sort is drawn")
    for category, number in sorted(held.items()):
        print(f"  {category}: {seen[category]} of {number}")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("data", type=Path)
    asked.add_argument("--show", type=int, default=0)
    options = asked.parse_args()
    locomo(options.data, show=options.show)
    beam_sources(options.data)


if __name__ == "__main__":
    main()
