"""Fits the two models of `distil/statements/claims.py` on stories and writes their weights into the package.

  python scripts/fit_statements.py STORIES.jsonl [--write] [--quick] [--without ID ...] [--out FILE]

A statement is worth keeping when it satisfies a pattern of what its story says must be known. An older statement is
over when it satisfies a pattern of what must be gone; which newer statement ended it is not told, so that the second
model learns from the best candidate among all newer ones. Prints figures cross-validated by story.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toldonce.distil.drafts import ConversationMessage
from toldonce.distil.statements.reading import (
    StatementDraft,
    Weights,
    describe_statement,
    find_statements,
    score_statement,
)
from toldonce.distil.statements.store import find_least_score, stated_of
from toldonce.distil.statements.succession import Stated, choose_ended, describe_pair, find_ending

Floats = NDArray[np.float64]
TARGET = Path(__file__).resolve().parent.parent / "src/toldonce/distil/statements/weights.json"
JUDGED = Path(__file__).resolve().parent / "statement_pairs.json"
_GAP_SECONDS = 3 * 3600


@dataclass
class Story:
    id: str
    drafts: list[StatementDraft]
    worth: list[float]
    weight: list[float]
    over: list[float]
    pairs: list[tuple[int, int, dict[str, float]]]
    judged: dict[tuple[int, int], float]
    row: dict[str, Any]

    @property
    def pairs_newer(self) -> list[int]:
        """The newer statement of each pair."""
        return [newer for _, newer, _ in self.pairs]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stories", type=Path)
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    parser.add_argument("--out", type=Path, default=TARGET)
    parser.add_argument("--without", nargs="*", default=[], help="ids of stories to leave out")
    parser.add_argument("--quick", action="store_true", help="leave out the cross-validation")
    chosen = parser.parse_args()
    lines = chosen.stories.read_text(encoding="utf-8").splitlines()
    stories = [read_story(json.loads(line)) for line in lines if line.strip()]
    stories = [story for story in stories if story.id not in chosen.without]
    if not chosen.quick:
        cross_validate(stories)
    weights = fit_all(stories)
    if chosen.write:
        chosen.out.write_text(json.dumps(weights, indent=1, sort_keys=True) + "\n", encoding="utf-8")


LEAST_WORTH = 0.35
LEAST_REPLACEMENT = 0.2


def rounded(weights: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 3) for name, value in sorted(weights.items())}


def read_story(row: dict[str, Any]) -> Story:
    """The statements of a story with their labels, and every pair of a newer with an older one."""
    drafts = [draft for talk in conversations(row) for draft in find_statements(talk)]
    drafts.sort(key=lambda draft: draft.at)
    wanted = [(k["all"], k.get("none", [])) for k in row["known"]]
    probed = [[p] for probe in row["probes"] for p in probe["must"]]
    gone = [(g["all"], g.get("none", []), g.get("type", "stale")) for g in row["gone"]]
    worth, weight, over = [], [], []
    for draft in drafts:
        is_known = any(fits(draft.text, all_, none) for all_, none in wanted)
        is_partly = any(fits(draft.words, [p], none) for all_, none in wanted for p in all_ if len(p) > 4)
        is_probed = any(fits(draft.text, all_, []) for all_ in probed)
        bad = {type_ for all_, none, type_ in gone if fits(draft.text, all_, none)}
        is_good = (is_known or is_partly or is_probed) and not (bad - {"stale"})
        worth.append(1.0 if is_good or "stale" in bad else 0.0)
        weight.append(3.0 if bad - {"stale"} else 0.5 if is_partly and not is_known else 1.0)
        over.append(1.0 if "stale" in bad else 0.0 if is_known else 0.25)
    pairs = []
    counts = Counter(stem for draft in drafts for stem in draft.claim.stems)
    for older, old in enumerate(drafts):
        for newer, new in enumerate(drafts):
            if new.at <= old.at or not connected(new, old):
                continue
            hours = (new.at - old.at).total_seconds() / 3600
            found = describe_pair(
                new.claim, old.claim, hours=hours, is_same_speaker=new.speaker == old.speaker, counts=counts
            )
            if found:
                pairs.append((older, newer, found))
    return Story(row["id"], drafts, worth, weight, over, pairs, read_judged(row["id"], drafts), row)


def read_judged(story: str, drafts: Sequence[StatementDraft]) -> dict[tuple[int, int], float]:
    """Pairs that a person judged: whether the newer statement ends the older one. They are found by their places."""
    places = {(int(draft.source), draft.start): place for place, draft in enumerate(drafts)}
    found = {}
    for older, older_start, newer, newer_start, is_over in json.loads(JUDGED.read_text(encoding="utf-8")).get(
        story, []
    ):
        key = places.get((older, older_start)), places.get((newer, newer_start))
        if key[0] is not None and key[1] is not None:
            found[key[0], key[1]] = float(is_over)
    return found


def connected(new: StatementDraft, old: StatementDraft) -> bool:
    return new.speaker == old.speaker or bool(new.claim.content & old.claim.content)


def conversations(row: dict[str, Any]) -> list[list[ConversationMessage]]:
    talks: dict[str, list[list[ConversationMessage]]] = {}
    for number, message in enumerate(row["messages"]):
        at = datetime.fromisoformat(message["at"])
        role = message.get("role", "user")
        speaker = message["user"] if role == "user" else "assistant"
        name = message.get("display_name", "") if role == "user" else "assistant"
        said = ConversationMessage(str(number), message["text"], speaker, role, at, name)
        key = message.get("session") or message.get("channel") or ""
        found = talks.setdefault(key, [])
        if not found or (at - found[-1][-1].at).total_seconds() > _GAP_SECONDS:
            found.append([])
        found[-1].append(said)
    return [talk for found in talks.values() for talk in found]


def fits(text: str, all_: Sequence[str], none: Sequence[str]) -> bool:
    return all(re.search(p, text, re.I | re.S) for p in all_) and not any(re.search(p, text, re.I | re.S) for p in none)


def matrix(rows: Sequence[dict[str, float]], names: Sequence[str]) -> Floats:
    places = {name: place for place, name in enumerate(names)}
    found = np.zeros((len(rows), len(names)))
    for number, row in enumerate(rows):
        for name, value in row.items():
            if name in places:
                found[number, places[name]] = value
    return found


def sigmoid(values: Floats) -> Floats:
    return 1 / (1 + np.exp(-np.clip(values, -30, 30)))


# What the first model believes before it sees a story: suppositions, jokes and questions are not worth keeping.
WORTH_PRIOR = {"cue supposing": -3.0, "cue joking": -0.7, "is question": -1.0}


def fit_worth(stories: Sequence[Story], *, ridge: float = 1.5) -> dict[str, float]:
    """Logistic regression with a ridge, by Newton's method; what a statement is about never counts against it."""
    rows = [describe_statement(draft.claim) for story in stories for draft in story.drafts]
    names = sorted({name for row in rows for name in row})
    x = matrix(rows, names)
    y = np.array([value for story in stories for value in story.worth])
    w = np.array([value for story in stories for value in story.weight])
    prior = np.array([WORTH_PRIOR.get(name, 0.0) for name in names])
    beta = prior.copy()
    is_topic = np.array([name.startswith(("topic ", "has kin", "has day", "cue often")) for name in names])
    penalty = np.full(len(names), ridge)
    penalty[names.index("bias")] = 1e-3
    for _ in range(30):
        p = sigmoid(x @ beta)
        gradient = x.T @ (w * (p - y)) + penalty * (beta - prior)
        hessian = (x.T * (w * p * (1 - p))) @ x + np.diag(penalty)
        beta -= np.linalg.solve(hessian, gradient)
        # That a story asks nothing about somebody's choir does not make choirs less worth knowing.
        beta[is_topic] = np.maximum(beta[is_topic], 0.0)
    return dict(zip(names, beta.tolist(), strict=True))


# What the replacement model believes before it sees a story. There are about ninety examples for more than a hundred
# features, so that the fit only moves away from this where the stories insist.
PRIOR = {
    "bias": -2.5, "shared one": 0.4, "shared more": 1.0, "rare shared": 0.5, "overlap": 0.5,
    "shared and ends": 1.2, "shared and replaces": 1.0, "shared and begins": 0.3, "shared and now": 0.6,
    "shared and again": 0.6, "allows what was instructed": 1.0, "name and ends": 0.5, "name and replaces": 0.3,
    "other number": 0.6, "other number of unit": 0.4, "near number of topic": 0.6, "near number of thing": 0.6,
    "other day": 0.7, "other day and change": 0.5, "other polarity": 0.4, "both instruct": 0.4, "other names": -1.0,
    "both medication": 0.4, "both medication and change": 1.0, "both job and change": 0.6, "both job and own": 0.5,
    "both job and begins": 1.2, "both residence and begins": 1.0, "both residence and change": 0.6,
    "both residence": 0.6, "both residence and own": 1.0, "both couple and change": 0.7, "both diet and change": 0.7,
    "both symptom": 0.3, "recovers what is named": 1.2, "recovers": 0.3, "newer past": -0.3, "newer asked": -1.0,
    "newer supposed": -1.5, "newer quoted": -0.7, "newer hedged": -0.8, "newer corrects": 0.3, "newer keeps": -0.8,
    "older kin and only name": -1.0, "no topic shared and only name": -0.7, "older allergy": -0.5,
    "older family": -0.3, "older name": -0.3, "older pet": -0.3, "older condition": -0.3, "no change": -0.5,
    "only name and other matter": -0.7, "only recovery of another ailment": -1.0, "other people": -0.4,
    "near number of nothing measured": -0.5, "share of older": 0.5,
}  # fmt: skip
RIDGE = 8.0
JUDGED_WEIGHT = 1.0


def fit_replacement(stories: Sequence[Story], *, ridge: float | None = None, steps: int = 1500) -> dict[str, float]:
    """Multiple-instance logistic regression: an older statement is over when its best newer one says so."""
    rows: list[dict[str, float]] = []
    bags, labels, weights = [], [], []
    for story in stories:
        by_older: dict[int, list[int]] = {}
        first = len(rows)
        for older, _, found in story.pairs:
            by_older.setdefault(older, []).append(len(rows))
            rows.append(found)
        for older, places in by_older.items():
            bags.append(np.array(places))
            labels.append(1.0 if story.over[older] == 1.0 else 0.0)
            weights.append(1.0 if story.over[older] in (0.0, 1.0) else 0.15)
            for place in places:
                label = story.judged.get((older, story.pairs_newer[place - first]))
                if label is not None:
                    bags.append(np.array([place]))
                    labels.append(label)
                    weights.append(JUDGED_WEIGHT)
    names = sorted({name for row in rows for name in row})
    x = matrix(rows, names)
    y, w = np.array(labels), np.array(weights)
    prior = np.array([PRIOR.get(name, 0.0) for name in names])
    ridge = RIDGE if ridge is None else ridge
    beta = prior.copy()
    mean, square = np.zeros_like(beta), np.zeros_like(beta)
    for step in range(1, steps + 1):
        scores = x @ beta
        best = np.array([bag[np.argmax(scores[bag])] for bag in bags])
        p = sigmoid(scores[best])
        gradient = x[best].T @ (w * (p - y)) + ridge * (beta - prior)
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        rate = 0.05 if step < steps * 0.7 else 0.01
        beta -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return dict(zip(names, beta.tolist(), strict=True))


def predict(rows: Sequence[dict[str, float]], weights: dict[str, float]) -> Floats:
    names = sorted(weights)
    return sigmoid(matrix(rows, names) @ np.array([weights[name] for name in names]))


def cross_validate(stories: Sequence[Story]) -> None:
    """Figures for each story with weights fitted on all others."""
    worth_scores, worth_labels = [], []
    fitted = []
    for left in stories:
        rest = [story for story in stories if story is not left]
        weights = fit_all(rest, steps=500)
        worth_scores += [score_statement(d.claim, weights) for d in left.drafts]
        worth_labels += left.worth
        fitted.append((left, weights))
    report("worth", np.array(worth_scores), np.array(worth_labels))
    for least_worth in sorted({0.3, LEAST_WORTH, 0.4}):
        for least_over in sorted({0.12, LEAST_REPLACEMENT, 0.3}):
            least = {"worth": least_worth, "replacement": least_over}
            print_totals(f"keep {least_worth} replace {least_over}", fitted, least)
    least = {"worth": LEAST_WORTH, "replacement": LEAST_REPLACEMENT}
    for key in ("preset", "language"):
        for value in sorted({story.row[key] for story in stories}):
            print_totals(value, [pair for pair in fitted if pair[0].row[key] == value], least)


def print_totals(name: str, fitted: Sequence[tuple[Story, Weights]], least: dict[str, float]) -> None:
    totals = np.zeros(5)
    for story, weights in fitted:
        totals += simulate(story, {**weights, "least": least})
    known, gone = totals[0] / totals[1], totals[2] / totals[3]
    print(f"{name}: known {known:.3f} gone {gone:.3f} extra {totals[4]:.0f}")


def fit_all(stories: Sequence[Story], *, steps: int = 1500) -> Weights:
    """The weights of both models."""
    return {
        "worth": rounded(fit_worth(stories)), "replacement": rounded(fit_replacement(stories, steps=steps)),
        "least": {"worth": LEAST_WORTH, "replacement": LEAST_REPLACEMENT},
    }  # fmt: skip


def simulate(story: Story, weights: Weights, *, show: bool = False) -> Floats:
    """What would be known and gone at the end of a story, and how many statements match nothing."""
    kept: list[tuple[StatementDraft, Stated]] = []
    for draft in story.drafts:
        new = stated_of(draft)
        counts = Counter(stem for _, old in kept for stem in old.claim.stems)
        endings = [
            (place, ending) for place, (before, old) in enumerate(kept)
            if before.at < draft.at and connected(draft, before)
            and (ending := find_ending(new, old, weights=weights, counts=counts)) is not None
        ]  # fmt: skip
        rests = {place: ending.rest for place, ending in choose_ended(endings)}
        if score_statement(draft.claim, weights) < find_least_score(draft, weights, is_ending=bool(rests)):
            continue
        if show:
            for place, rest in rests.items():
                print(f"  OVER {kept[place][1].words!r} <- {draft.text!r} REST {rest!r}")
        kept = [
            (before, replace(old, words=rests[place]) if place in rests else old)
            for place, (before, old) in enumerate(kept) if rests.get(place) != ""
        ] + [(draft, new)]  # fmt: skip
    rows = [(f"{d.speaker} {' '.join(d.about)}", d.text if old.words == d.words else old.words) for d, old in kept]
    return count_rows(story, rows, show=show)


def count_rows(story: Story, rows: Sequence[tuple[str, str]], *, show: bool) -> Floats:
    used: set[int] = set()
    known = gone = 0
    for want in story.row["known"]:
        hits = [
            n for n, (owner, text) in enumerate(rows)
            if fits(text, want["all"], want.get("none", []))
            and (not want.get("about") or re.search(want["about"], f"{owner} {text}", re.I))
        ]  # fmt: skip
        used.update(hits)
        known += bool(hits)
        if show and not hits:
            print(f"  LOST {want.get('about')} {want['all']}")
    for bad in story.row["gone"]:
        hits = [n for n, (_, text) in enumerate(rows) if fits(text, bad["all"], bad.get("none", []))]
        gone += not hits
        if show and hits:
            print(f"  STAYS {bad['type']} {[rows[n][1] for n in hits]}")
    if show:
        for n, (_, text) in enumerate(rows):
            if n not in used:
                print(f"  EXTRA {text!r}")
    return np.array([known, len(story.row["known"]), gone, len(story.row["gone"]), len(rows) - len(used)], dtype=float)


def report(name: str, scores: Floats, labels: Floats) -> None:
    good, bad = scores[labels == 1], scores[labels == 0]
    auc = (good[:, None] > bad[None, :]).mean() + 0.5 * (good[:, None] == bad[None, :]).mean()
    print(f"{name}: {len(good)} of {len(labels)} positive, AUC {auc:.3f}")
    for least in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7):
        kept = scores >= least
        print(f"  at {least}: recall {(good >= least).mean():.3f} false {(bad >= least).mean():.3f} kept {kept.sum()}")


if __name__ == "__main__":
    main()
