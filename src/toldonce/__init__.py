"""Toldonce: a memory for AI agents.

Messages and statements come in; records, search results and prompt blocks go out, and people can correct what is
stored. This file exports the public names and imports each when it is first used, so that a short-lived process pays
only for what it needs.
"""

from __future__ import annotations

# Type checkers know the name; importing it from `typing` would cost every process more than the rest of this file.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toldonce.aio import AsyncMemory
    from toldonce.capture.observe import Skipped
    from toldonce.errors import InputError, StoreError, ToldonceError
    from toldonce.memory import Memory
    from toldonce.operations.background import BackgroundJobs
    from toldonce.presets.policy import Quota
    from toldonce.records import Context, Document, Entity, History, Hit, Question, Record, TenantQuota
    from toldonce.sealed_memory import open_sealed

__version__ = "0.1.0"

__all__ = [
    "AsyncMemory",
    "Context",
    "Document",
    "Entity",
    "History",
    "Hit",
    "InputError",
    "Memory",
    "Question",
    "Quota",
    "Record",
    "Skipped",
    "StoreError",
    "TenantQuota",
    "ToldonceError",
    "__version__",
    "open_sealed",
]

_PLACES = {
    "AsyncMemory": "aio",
    "Memory": "memory",
    "Quota": "presets.policy",
    "Skipped": "capture.observe",
    "open_sealed": "sealed_memory",
    **dict.fromkeys(("InputError", "ToldonceError", "StoreError"), "errors"),
    **dict.fromkeys(
        ("Context", "Document", "Entity", "History", "Hit", "Question", "Record", "TenantQuota"), "records"
    ),
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    found = getattr(importlib.import_module(f"toldonce.{_PLACES[name]}"), name)
    globals()[name] = found
    return found


def make_job_runner() -> BackgroundJobs:
    """What runs the background jobs of a memory: jobs are a layer above `Memory`, so the package root makes it."""
    import os

    from toldonce.jobs import JobRunner

    if os.environ.get("TOLDONCE_OTEL") == "1":
        from toldonce.integrations.opentelemetry import instrument

        instrument()
    return JobRunner()
