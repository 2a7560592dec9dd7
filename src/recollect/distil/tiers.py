"""Which model does which task of the writer, and what its tokens cost: texts of the settings come in, values go out."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Literal, get_args

from recollect.errors import ConfigError
from recollect.models.load import ChatAddress, chat_address

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

    def cost_in_millionths(self, input_tokens: int, output_tokens: int) -> int:
        """The cost of these tokens in millionths."""
        return round(self.input * input_tokens + self.output * output_tokens)


@dataclass(frozen=True, slots=True)
class Tiers:
    """A fast and a strong model, the tier of each task, and prices by the model's name."""

    fast: ChatAddress
    strong: ChatAddress
    tasks: Mapping[Task, Tier] = field(default_factory=lambda: DEFAULT_TASKS)
    prices: Mapping[str, Price] = field(default_factory=dict)

    def of(self, task: Task) -> ChatAddress:
        """The model that does a task."""
        return self.strong if self.tasks[task] == "strong" else self.fast

    def price(self, model: ChatAddress) -> Price | None:
        """What a model's tokens cost, if the settings say so: by its whole name, or by its own."""
        return self.prices.get(model.name) or self.prices.get(model.model)


def read_tiers(
    writer: str, *, strong: str = "", tasks: str = "", prices: str = "", environ: Mapping[str, str] = os.environ
) -> Tiers | None:
    """The models that settings name; None when they name none. One model alone does everything."""
    if writer in ("", "none"):
        if strong:
            raise ConfigError("writer_strong names a model and writer does not: name the fast one too")
        return None
    if find_spec("pydantic") is None:
        raise ConfigError("a language model needs the extra: pip install 'recollect[models]'")
    fast = chat_address(writer, environ=environ)
    better = chat_address(strong, environ=environ) if strong else fast
    return Tiers(fast, better, {**DEFAULT_TASKS, **_parse_task_tiers(tasks)}, _parse_prices(prices))


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
