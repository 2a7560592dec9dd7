"""Recollect: a memory for AI agents. It keeps what is said, brings back what helps, and lets people correct it."""

from typing import TYPE_CHECKING, Any

from recollect.capture.observe import Skipped
from recollect.errors import InputError, RecollectError, StoreError
from recollect.memory import Memory
from recollect.records import Context, Document, Entity, History, Hit, Question, Record
from recollect.tend import Tender

if TYPE_CHECKING:
    from recollect.aio import AsyncMemory

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
    "RecollectError",
    "Record",
    "Skipped",
    "StoreError",
    "__version__",
]

# Background work stands above the spine and is handed to it here, where the parts are put together.
Memory.tender = Tender()


def __getattr__(name: str) -> Any:
    """`AsyncMemory` brings asyncio with it, so it is imported by those who use it."""
    if name == "AsyncMemory":
        from recollect.aio import AsyncMemory

        return AsyncMemory
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
