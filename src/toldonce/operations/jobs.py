"""`memory.jobs`: what is planned and what was done in the background, the vectors, and what models cost."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from toldonce.capture.fields import require_counts
from toldonce.clock import as_moment
from toldonce.errors import InputError
from toldonce.operations.engine import Engine
from toldonce.storage.store import Tables
from toldonce.storage.tables.jobs import Job, Run
from toldonce.storage.vectors.model_identity import VectorModels

if TYPE_CHECKING:
    from toldonce.storage.tables.usage import PeriodCost, Usage

# The setting that names the model whose vectors are to replace all others.
REEMBED = "reembed"
EMBED = "embed"
# The task of a model that reads a conversation, once for each of its pages.
READING = "facts"
# A month is the beginning of a day: 2026-03.
_MONTH = 7
# An embedder behind a network may be away for hours, and records only wait meanwhile.
_MAX_ATTEMPTS = 24


class Jobs:
    """Planned and finished background jobs, and the vectors that they make."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def all(self) -> list[Job]:
        """What is planned, the next first."""
        return self._engine.store.read(lambda t: t.jobs.all())

    def runs(self, *, name: str | None = None, limit: int = 50) -> list[Run]:
        """What was done in the background, newest first."""
        require_counts(least=0, limit=limit)
        return self._engine.store.read(lambda t: t.jobs.runs(name=name, limit=limit))

    def usage(self, *, space: str | None = None, since: datetime | str | None = None) -> list[Usage]:
        """Calls, tokens and cost of language models by space, task and model, from that day on."""
        day = as_moment(since, self._engine.clock()) if since is not None else None
        return self._engine.store.read(lambda t: t.ledger.usage(space, since=day))

    def costs(
        self,
        *,
        by: Literal["month", "day"] = "month",
        space: str | None = None,
        since: datetime | str | None = None,
    ) -> list[PeriodCost]:
        """What language models cost in each month or day (UTC), oldest first, and in how many conversations."""
        if by not in ("month", "day"):
            raise InputError(f"there are no costs by {str(by)[:40]!r}: use month or day")
        day = as_moment(since, self._engine.clock()) if since is not None else None
        days = self._engine.store.read(lambda t: t.ledger.usage_by_day(READING, space, since=day))
        if by == "day":
            return days
        months: dict[str, PeriodCost] = {}
        for one in days:
            of_month = replace(one, period=one.period[:_MONTH])
            before = months.get(of_month.period)
            months[of_month.period] = of_month if before is None else before + of_month
        return list(months.values())

    def reembed(self) -> int:
        """Plan a new vector for every record by the present embedder, which then replaces all other models.

        Recall goes on meanwhile, by words and by the vectors that are there; returns how many records wait.
        """
        embedder = self._engine.embedder
        if embedder is None:
            raise InputError("there is no embedder to make vectors with: open the memory with one")

        model = self._engine.searcher.identify_model(embedder)

        def work(tables: Tables) -> int:
            models = VectorModels(tables)
            number, is_switch = models.use(model, is_certain=False)
            if not is_switch:
                tables.vectors.want_all(number)
            tables.documents.set_setting("", REEMBED, models.name_for(embedder))
            # Somebody asks for it now: it no longer waits for the next try after a failure.
            tables.jobs.put(embed_job(self._engine.clock()))
            return tables.documents.count_sizes(None)[3]

        waiting = self._engine.write(work)
        self._engine.searcher.reopen()
        return waiting

    def refused_vectors(self) -> list[str]:
        """The ids of the records that the embedder refused, newest first; words, names and times still find them.

        Without an embedder the model in use counts. A corrected record is tried again, and `reembed` tries all.
        """
        embedder = self._engine.embedder

        def read(tables: Tables) -> list[str]:
            models = VectorModels(tables)
            if embedder is not None and not models.is_in_use(embedder):
                return []  # They wait for its vectors.
            if models.in_use is not None:
                known = tables.vectors.known_model(models.in_use)
                return tables.vectors.find_refused(known[0]) if known else []
            newest = max((number for number, *_ in tables.vectors.list_models()), default=None)
            return [] if newest is None else tables.vectors.find_refused(newest)

        return self._engine.store.read(read)


def embed_job(due_at: datetime) -> Job:
    """The job that makes the vectors that records wait for."""
    return Job(space="", key=EMBED, name=EMBED, due_at=due_at, max_attempts=_MAX_ATTEMPTS)
