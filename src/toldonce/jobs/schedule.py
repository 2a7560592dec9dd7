"""When work comes back: the next moment of a cron expression in a zone, and how long a failed job waits.

Pure rules: moments come in, moments go out, and no clock is read.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache

from toldonce.clock import load_zone

FIRST_RETRY = timedelta(seconds=30)
LONGEST_RETRY = timedelta(hours=1)
_FACTOR = 4


@lru_cache(maxsize=1024)
def next_moment(cron: str, zone_name: str, *, after: datetime) -> datetime | None:
    """The first moment after another at which a schedule strikes in that zone; None when it never does.

    A time of day that the clocks skip strikes when they have jumped, one that they repeat strikes once. However many
    moments were missed before `after`, they leave no trace: the one run that is overdue stands for all of them.
    """
    from cronsim import CronSim

    for strike in CronSim(cron, after.astimezone(load_zone(zone_name))):
        moment: datetime = strike.astimezone(UTC)
        # In the second pass of a repeated hour cronsim answers with the first pass, which is over.
        if moment > after:
            return moment
    return None


def retry_after(attempts: int) -> timedelta:
    """How long to wait after that many failed attempts: four times as long each time, an hour at most."""
    factor: int = _FACTOR ** min(max(attempts, 1) - 1, 10)
    return min(FIRST_RETRY * factor, LONGEST_RETRY)
