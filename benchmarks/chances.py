"""Fits how scores become chances, and says how true the chances are: of what has a chance of 30 %, do 30 % help?

    python -m benchmarks.chances                            conversations and questions of benchmarks/questions
    python -m benchmarks.chances --longmemeval FILE         LongMemEval's oracle file beside them
    python -m benchmarks.chances --words                    without vectors

For minimum scores it prints, among the first five hits: the share that helps, the share of the evidence found, and F2,
which counts what is missed more than what is shown in vain. The best one is the default minimum of `recall`.

Half of the conversations fit the numbers that the other half is judged by, then the other way round. The numbers of all
are printed last: they belong into `toldonce/recall/features.py`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toldonce import Memory, Record
from toldonce.bench.choice import EVERY_QUESTION, choose_questions
from toldonce.bench.longmemeval import read_among_others
from toldonce.bench.run import passage_messages, prepare_memory
from toldonce.recall.features import CALIBRATED, CALIBRATED_BY_WORDS, Calibration, usual_score
from toldonce.records import Hits

QUESTIONS = Path(__file__).parent / "questions"
DEPTH, STEPS, FEWEST = 60, 40, 15
SHOWN, MINIMUMS = 5, (0.0, 0.02, 0.03, 0.05, 0.08, 0.1, 0.12, 0.15, 0.2)
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Judged:
    """One hit for one question: what its score tells, and whether it is evidence."""

    language: str
    conversation: str
    score: float
    behind: float
    ahead: float
    helps: bool
    place: int
    evidence: int


def main() -> None:
    """Read, fit, and print what came out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--longmemeval", type=Path, metavar="FILE")
    parser.add_argument("--limit", type=int, default=40, help="questions of LongMemEval")
    parser.add_argument("--words", action="store_true", help="without vectors")
    args = parser.parse_args()
    calibration = CALIBRATED_BY_WORDS if args.words else CALIBRATED
    embedder = None if args.words else "default"
    rows = [row for path in sorted(QUESTIONS.glob("*.jsonl")) for row in _judge_own(path, calibration, embedder)]
    if args.longmemeval:
        rows += _judge_longmemeval(args.longmemeval, calibration, embedder, limit=args.limit)
    fold = np.array([zlib.crc32(row.conversation.encode()) % 2 for row in rows])
    inputs, helps = _inputs(rows), np.array([row.helps for row in rows], dtype=float)
    chances = np.zeros(len(rows))
    for half in (0, 1):
        fitted = fit_logistic(inputs[fold != half], helps[fold != half])
        chances[fold == half] = _logistic(inputs[fold == half] @ fitted)
    for language in sorted({row.language for row in rows}):
        mine = np.array([row.language == language for row in rows])
        print(language, *_describe_tenths(chances[mine], helps[mine]))
    for least in MINIMUMS:
        print(f"minimum {least:.2f}:", _describe_minimum(rows, chances, least))
    base, score, behind, ahead = fit_logistic(inputs, helps)
    print(f"Calibration(base={base:.2f}, score={score:.3f}, behind={behind:.3f}, ahead={ahead:.3f})")


def _judge_own(path: Path, calibration: Calibration, embedder: str | None) -> Iterator[Judged]:
    """All conversations of a language in one memory, then their questions."""
    conversations = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    now = [datetime(2025, 1, 1, tzinfo=UTC)]
    places: dict[tuple[str, int], str] = {}
    said = sorted(
        (datetime.fromisoformat(at).replace(tzinfo=UTC), talk["id"], place, who, text)
        for talk in conversations
        for place, (at, who, text) in enumerate(talk["messages"])
    )
    with TemporaryDirectory() as folder:
        file = Path(folder) / "memory.db"
        memory = Memory.open(file, "assistant", embedder=embedder, clock=lambda: now[0], background=False)
        for at, talk, place, who, text in said:
            now[0] = at
            speaker: dict[str, Any] = {"role": "assistant"} if who == "assistant" else {"user": who}
            kept = memory.observe(text, session=talk, at=at, **speaker)
            if isinstance(kept, Record):
                places[talk, place] = kept.id
        prepare_memory(memory, settled=False)
        for talk in conversations:
            for question in talk["questions"]:
                now[0] = datetime.fromisoformat(question["at"]).replace(tzinfo=UTC)
                gold = {places.get((talk["id"], place), "") for place in question["evidence"]}
                hits = memory.recall(question["asked"], limit=DEPTH, min_score=0, kinds=["message"], counted=False)
                yield from _judge(hits, gold, calibration, language=talk["lang"], conversation=talk["id"])
        memory.close()


def _judge_longmemeval(path: Path, calibration: Calibration, embedder: str | None, *, limit: int) -> Iterator[Judged]:
    """Questions among sessions of other questions."""
    raw = path.read_bytes()
    rows = json.loads(gzip.decompress(raw) if path.suffix == ".gz" else raw)
    for one in choose_questions(read_among_others(rows, "turn"), EVERY_QUESTION)[:limit]:
        messages = [m for m in passage_messages(one.passages, longest=20_000) if m["text"].strip()]
        end = max(message["at"] for message in messages) + timedelta(days=1)
        with TemporaryDirectory() as folder:
            file_ = Path(folder) / "memory.db"
            memory = Memory.open(file_, "assistant", embedder=embedder, clock=lambda end=end: end, background=False)
            kept = [r for r in memory.observe_many(messages) if isinstance(r, Record)]
            prepare_memory(memory, settled=False)
            for question in one.questions:
                gold = {record.id for record in kept if record.metadata["doc"] in question.gold}
                hits = memory.recall(question.text, limit=DEPTH, min_score=0, kinds=["message"], counted=False)
                yield from _judge(hits, gold, calibration, language="longmemeval", conversation=one.id)
            memory.close()


def _judge(
    hits: Hits, gold: Iterable[str], calibration: Calibration, *, language: str, conversation: str
) -> Iterator[Judged]:
    """Each hit with what its chance was made of, which the present numbers tell back."""
    if not hits:
        return
    logits = [_logit(hit.why.parts["fused"]) for hit in hits]
    slope = calibration.score + calibration.behind
    # Differences of scores are those of logits, and the best score follows from its own logit.
    behind = [(logit - logits[0]) / slope for logit in logits]
    usual_behind, share = usual_score(behind), usual_score([1.0] * len(behind))
    best = (logits[0] - calibration.base + calibration.ahead * usual_behind) / (
        calibration.score + calibration.ahead * (1 - share)
    )
    ahead = best * (1 - share) - usual_behind
    wanted = set(gold) - {""}
    for place, (hit, gap) in enumerate(zip(hits, behind, strict=True)):
        helps = hit.record.id in wanted
        yield Judged(language, conversation, best + gap, gap, ahead, helps, place=place, evidence=len(wanted))


def _inputs(rows: Sequence[Judged]) -> Floats:
    return np.array([[1.0, row.score, row.behind, row.ahead] for row in rows])


def fit_logistic(inputs: Floats, helps: Floats) -> Floats:
    """The weights by which inputs tell the chance best."""
    weights = np.zeros(inputs.shape[1])
    for _ in range(STEPS):
        chances = _logistic(inputs @ weights)
        slope = inputs.T @ (helps - chances) - 1e-3 * weights
        bend = (inputs * (chances * (1 - chances))[:, None]).T @ inputs + 1e-3 * np.eye(len(weights))
        weights += np.linalg.solve(bend, slope)
    return weights


def _describe_tenths(chances: Floats, helps: Floats) -> Iterator[str]:
    """For each tenth with enough hits: the mean chance, the share that helped, and how many there are."""
    for tenth in range(10):
        inside = (chances >= tenth / 10) & (chances < (tenth + 1) / 10)
        if inside.sum() >= FEWEST:
            yield f"{chances[inside].mean():.2f}/{helps[inside].mean():.2f} ({inside.sum()})"


def _describe_minimum(rows: Sequence[Judged], chances: Floats, least: float) -> str:
    """Precision, recall and F2 of what is shown with a minimum."""
    pairs = zip(rows, chances, strict=True)
    shown = [row.helps for row, chance in pairs if row.evidence and row.place < SHOWN and chance >= least]
    right, wanted = sum(shown), sum(row.evidence for row in rows if row.place == 0)
    precision, recall = right / max(len(shown), 1), right / wanted
    f2 = 5 * right / (len(shown) + 4 * wanted)
    return f"precision {precision:.3f}, recall {recall:.3f}, F2 {f2:.3f}"


def _logistic(values: Floats) -> Floats:
    result: Floats = 1 / (1 + np.exp(-values))
    return result


def _logit(chance: float) -> float:
    inside = min(max(chance, 1e-12), 1 - 1e-12)
    return math.log(inside / (1 - inside))


if __name__ == "__main__":
    main()
