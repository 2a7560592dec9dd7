"""Which model does which task of the writer, and what its tokens cost: texts of the settings come in, values go out."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Literal, get_args

from toldonce.errors import ConfigError
from toldonce.models.load import ChatAddress, chat_address
from toldonce.optional import install_hint

Tier = Literal["fast", "strong"]
Task = Literal[
    "note",
    "facts",
    "profile",
    "user_memory",
    "topics",
    "judge",
    "insights",
    "reflect",
    "report",
    "names",
    "modules",
    "session",
]
TASKS: tuple[Task, ...] = get_args(Task)
# What reads one conversation, text or tree goes to the fast model; what weighs many records against each other to the
# strong one.
_FAST: tuple[Task, ...] = ("note", "facts", "names", "modules", "session")
DEFAULT_TASKS: Mapping[Task, Tier] = {**dict.fromkeys(TASKS, "strong"), **dict.fromkeys(_FAST, "fast")}


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, in whatever money."""

    input: float
    output: float
    cached: float | None = None

    def cost_in_millionths(self, input_tokens: int, output_tokens: int, *, cached_tokens: int = 0) -> int:
        """The cost of these tokens in millionths; `cached_tokens` are those of the input that a cache had."""
        rate = self.input if self.cached is None else self.cached
        fresh = input_tokens - cached_tokens
        return round(self.input * fresh + rate * cached_tokens + self.output * output_tokens)


@dataclass(frozen=True, slots=True)
class Budget:
    """What models may cost in a day: money by the prices, or tokens."""

    text: str
    cost: int | None = None
    tokens: int | None = None

    def is_reached(self, *, cost: int, tokens: int) -> bool:
        """Whether this cost in millionths, or these tokens, use it up."""
        return (self.cost is not None and cost >= self.cost) or (self.tokens is not None and tokens >= self.tokens)


@dataclass(frozen=True, slots=True)
class Tiers:
    """A fast and a strong model, the tier of each task, and prices by the model's name."""

    fast: ChatAddress
    strong: ChatAddress
    tasks: Mapping[Task, Tier] = field(default_factory=lambda: DEFAULT_TASKS)
    prices: Mapping[str, Price] = field(default_factory=dict)
    budget: Budget | None = None

    def of(self, task: Task) -> ChatAddress:
        """The model that does a task."""
        return self.strong if self.tasks[task] == "strong" else self.fast

    def price(self, model: ChatAddress) -> Price | None:
        """What a model's tokens cost: as the settings say, by its whole name or its own, else as the table says."""
        from toldonce.models.catalogue import find_model

        own = self.prices.get(model.name) or self.prices.get(model.model)
        listed = find_model(model)
        return own or (Price(listed.input, listed.output, listed.cached) if listed else None)


def read_tiers(
    writer: str,
    *,
    strong: str = "",
    tasks: str = "",
    prices: str = "",
    budget: str = "",
    environ: Mapping[str, str] = os.environ,
) -> Tiers | None:
    """The models that settings name; None when they name none. One model alone does everything."""
    if writer in ("", "none"):
        if strong:
            raise ConfigError("writer_strong names a model and writer does not: name the fast one too")
        return None
    if find_spec("pydantic") is None:
        raise ConfigError(f"a language model needs more packages: {install_hint('models')}")
    fast = chat_address(writer, environ=environ)
    better = chat_address(strong, environ=environ) if strong else fast
    tiers = {**DEFAULT_TASKS, **_parse_task_tiers(tasks)}
    found = Tiers(fast, better, tiers, _parse_prices(prices), _parse_budget(budget))
    if found.budget is not None and found.budget.cost is not None:
        unpriced = [model.name for model in {fast.name: fast, better.name: better}.values() if not found.price(model)]
        if unpriced:
            raise ConfigError(
                f"writer_budget is money, and there is no price for {unpriced[0]}: set writer_prices, or write the"
                " budget as tokens, as 300000 tokens"
            )
    return found


def _parse_budget(text: str) -> Budget | None:
    """From "0.50" (money by the prices) or "300000 tokens", per day."""
    number, _, unit = text.strip().partition(" ")
    if not number:
        return None
    try:
        amount = float(number)
    except ValueError:
        amount = -1.0
    if not 0 <= amount < float("inf") or unit.strip() not in ("", "tokens"):
        raise ConfigError(f"writer_budget: write it like 0.50 or 300000 tokens, not {text!r}")
    if unit:
        return Budget(text.strip(), tokens=int(amount))
    return Budget(text.strip(), cost=round(amount * 1_000_000))


def _parse_task_tiers(text: str) -> dict[Task, Tier]:
    """From "topics = fast, note = strong"."""
    found: dict[Task, Tier] = {}
    for name, tier in _parse_setting_pairs(text, "writer_tasks"):
        task = next((t for t in TASKS if t == name), None)
        if task is None:
            raise ConfigError(f"writer_tasks: there is no task {name!r}; tasks are {', '.join(TASKS)}")
        if tier not in ("fast", "strong"):
            raise ConfigError(f"writer_tasks: {name} is {tier!r}; choose fast or strong")
        found[task] = "fast" if tier == "fast" else "strong"
    return found


def _parse_prices(text: str) -> dict[str, Price]:
    """From "gpt-4o-mini = 0.15/0.60": a million tokens in, a million out."""
    found: dict[str, Price] = {}
    for model, price in _parse_setting_pairs(text, "writer_prices"):
        read, _, written = price.partition("/")
        try:
            found[model] = Price(float(read), float(written))
        except ValueError:
            raise ConfigError(f"writer_prices: write the price of {model} like 0.15/0.60") from None
    return found


def _parse_setting_pairs(text: str, key: str) -> list[tuple[str, str]]:
    parts = [part.rpartition("=") for part in text.split(",") if part.strip()]
    for name, _, value in parts:
        if not name.strip() or not value.strip():
            raise ConfigError(f"{key}: write it like name = value, name = value")
    return [(name.strip(), value.strip()) for name, _, value in parts]
