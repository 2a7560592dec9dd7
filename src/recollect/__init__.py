"""Recollect: a memory for AI agents. It keeps what is said, brings back what helps, and lets people correct it."""

from recollect.aio import AsyncMemory
from recollect.capture.observe import Skipped
from recollect.errors import InputError, RecollectError, StoreError
from recollect.memory import Memory
from recollect.records import Context, Document, Entity, History, Hit, Question, Record
from recollect.tend import Tender

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
