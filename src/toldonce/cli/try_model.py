"""The command that tries a language model on a short conversation before it is configured."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from toldonce.cli.invocation import Invocation, pass_invocation
from toldonce.cli.options import named_command
from toldonce.errors import ConfigError

if TYPE_CHECKING:
    from toldonce.bench.trial import Trial


@named_command("try-model")
@click.argument("writer")
@pass_invocation
def try_model(invocation: Invocation, writer: str) -> None:
    """Try a language model on a short built-in conversation.

    WRITER is written as in the setting, as openai:gpt-4o-mini or ollama:llama3.2. Shows what it extracted, what failed,
    tokens, cost and time, and whether it is good enough. Nothing is stored.
    """
    from toldonce.bench.trial import try_model as run_trial
    from toldonce.distil.tiers import read_tiers

    tiers = read_tiers(writer, prices=invocation.settings.config.writer_prices)
    if tiers is None:
        raise ConfigError("name a model to try, as openai:gpt-4o-mini or ollama:llama3.2")
    if tiers.fast.lacks_key:
        raise ConfigError(f"there is no key for {tiers.fast.name}: set {tiers.fast.key_variable}")
    trial = run_trial(tiers)
    shown = {**asdict(trial), "good_enough": trial.is_good_enough}
    invocation.answer({"trial": shown}, lambda: _format_trial(trial))


def _format_trial(trial: Trial) -> list[str]:
    read, written = (sum(getattr(u, name) for u in trial.usage) for name in ("input_tokens", "output_tokens"))
    refused = sum(u.refused for u in trial.usage)
    is_priced = bool(trial.usage) and not any(u.unpriced for u in trial.usage)
    cost = f"{sum(u.cost for u in trial.usage) / 1e6:.4f}" if is_priced else "unknown: set writer_prices"
    count = len(trial.passed) + len(trial.missed)
    verdict = (
        f"Good enough: {len(trial.passed)} of {count} checks passed."
        if trial.is_good_enough
        else f"Not good enough: {len(trial.passed)} of {count} checks passed. Use a larger model, or rules alone."
    )
    return [
        "Extracted:" if trial.facts else "Extracted nothing.",
        *(f"  - {text}" for text in trial.facts),
        *(["Superseded:"] if trial.superseded else []),
        *(f"  - {text}" for text in trial.superseded),
        *(f"passed  {what}" for what in trial.passed),
        *(f"missed  {what}" for what in trial.missed),
        *(f"failed  {problem}" for problem in trial.problems),
        f"Tokens: {read} read, {written} written; answers that could not be used: {refused}.",
        f"Cost: {cost}. Time: {trial.seconds:.1f} s.",
        verdict,
    ]
