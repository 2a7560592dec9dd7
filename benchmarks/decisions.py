"""The figures behind the decisions of docs/architecture.md that no other benchmark prints.

    python -m benchmarks.decisions

Reading dates and secrets is timed on a few everyday messages in three languages. Imports are timed in new processes,
and only of packages that are installed: `pip install dateparser detect-secrets apscheduler dbos openai anthropic` adds
the alternatives.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.util import find_spec
from statistics import median
from zoneinfo import ZoneInfo

from toldonce.capture.secrets.redact import redact_secrets
from toldonce.times.reader import find_spoken_windows

NOW = datetime(2026, 3, 12, 9, 30, tzinfo=UTC)
ZONE = ZoneInfo("Europe/Lisbon")
MESSAGES = (
    "can you move the dentist to next tuesday at 3? mum is visiting on the weekend",
    "we shipped it two weeks ago, the rollback was on 3 March and nobody noticed until last Friday",
    "the build on my laptop is slow again, I think it is the antivirus and not the linker",
    "amanhã não posso, tenho consulta às 15h30; fica para quinta que vem?",
    "comprei o apartamento em maio do ano passado e ainda não acabei a cozinha",
    "el martes pasado estuve con mi hermana en Cádiz, volvemos dentro de dos semanas",
    "set DATABASE_URL=postgres://app:hunter2secret@db.internal/app before you start the worker",
    "lol ok",
)
# What a program must run before it can use a package.
PACKAGES = {
    "toldonce": "from toldonce import Memory",
    "pydantic": "import pydantic; type('Model', (pydantic.BaseModel,), {'__annotations__': {'text': str}})",
    "cronsim": "import cronsim",
    "apscheduler": "from apscheduler import Scheduler",
    "dbos": "from dbos import DBOS",
    "dateparser": "import dateparser",
    "detect_secrets": "import detect_secrets",
    "openai": "from openai import OpenAI",
    "anthropic": "from anthropic import Anthropic",
}
ROUNDS = 200


def time_median(work: Callable[[str], object]) -> float:
    """Milliseconds of processor time for one message, at the median over the messages."""
    return median(_time_one(lambda said=said: work(said)) for said in MESSAGES)  # type: ignore[misc]


def _time_one(work: Callable[[], object]) -> float:
    work()
    began = time.process_time()
    for _ in range(ROUNDS):
        work()
    return 1000 * (time.process_time() - began) / ROUNDS


def time_import(statement: str) -> float:
    """Seconds of processor time that a statement takes in a new process, the least of three."""
    script = f"import time; began = time.process_time(); {statement}; print(time.process_time() - began)"
    runs = [
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True) for _ in range(3)
    ]
    return min(float(run.stdout) for run in runs)


def main() -> None:
    """Print a table."""
    dates = time_median(lambda said: find_spoken_windows(said, said_at=NOW, zone=ZONE))
    print(f"reading dates      {dates:7.3f} ms a message")
    print(f"redacting secrets  {time_median(redact_secrets):7.3f} ms a message")
    for package, statement in PACKAGES.items():
        if find_spec(package) is None:
            print(f"import {package:<16} not installed")
        else:
            print(f"import {package:<16} {time_import(statement):6.3f} s")


if __name__ == "__main__":
    main()
