"""Two small logistic models: whether a statement is worth keeping, and whether a newer one replaces an older one.

`weights.json` holds the weights, fitted by `scripts/fit_statements.py`. Pure functions of what was read.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from recollect.distil.statements.claims import Claim
from recollect.distil.statements.pairs import Features, describe_pair

Weights = Mapping[str, Mapping[str, float]]
_WEIGHTS = "weights.json"


@cache
def load_weights() -> Weights:
    """The fitted weights of both models, and the least score for keeping and for replacing."""
    found: Weights = json.loads(files("recollect.distil.statements").joinpath(_WEIGHTS).read_text("utf-8"))
    return found


def score_statement(claim: Claim, weights: Weights | None = None) -> float:
    """How likely a careful listener would keep the statement, 0 to 1."""
    return _logistic(describe_statement(claim), (weights or load_weights())["worth"])


def score_replacement(
    newer: Claim, older: Claim, *, hours: float, is_same_speaker: bool, counts: Mapping[str, int], weights: Weights
) -> float:
    """How likely the older statement is over because of the newer one, 0 to 1.

    `counts` says how many statements hold each stem: what is said in many of them connects two of them less.
    """
    found = describe_pair(newer, older, hours=hours, is_same_speaker=is_same_speaker, counts=counts)
    return _logistic(found, weights["replacement"]) if found else 0.0


def _logistic(features: Features, weights: Mapping[str, float]) -> float:
    total = sum(value * weights.get(name, 0.0) for name, value in features.items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


def describe_statement(claim: Claim) -> Features:
    """The features by which a statement is weighed."""
    count = len(claim.words)
    found: Features = {
        "bias": 1.0,
        "length": min(math.log1p(count), 4.0),
        "is short": float(count <= 3),
        "is long": float(count > 30),
        "is asked": float(claim.is_asked),
        "is asked of none": float(claim.is_asked and not claim.is_own),
        "is own": float(claim.is_own),
        "is of others": float(claim.is_of_others),
        "names": min(len(claim.names), 3) / 3,
        "has name": float(bool(claim.names)),
        "has kin": float(claim.has_kin),
        "has number": float(bool(claim.numbers)),
        "has unit": float(bool(claim.units)),
        "has day": float(bool(claim.days)),
        "is instruction": float(claim.is_instruction),
        "has code": float(claim.has_code),
        "small talk": claim.small_share,
        "only small talk": float(claim.small_share > 0.8),
        "exclamations": min(claim.exclamations, 3) / 3,
        "answers": float(bool(claim.context)),
        "content": min(len(claim.stems), 10) / 10,
        "topics": min(len(claim.topics), 5) / 5,
        "no topic": float(not claim.topics),
        "change": float(not claim.cues.isdisjoint(("ends", "replaces", "begins"))),
    }
    found |= {f"cue {cue}": 1.0 for cue in claim.cues}
    found |= {f"topic {topic}": 1.0 for topic in claim.topics}
    return found
