"""Sets up logging for interfaces: lines of text or JSON on standard error. It adds nothing to what is logged.

Remembered text never reaches a line of level info or above: the engine logs ids and counts, and an exception is shown
by its type and places; its message, which may quote anything, is only shown at level debug.
"""

from __future__ import annotations

import json
import logging
import traceback
from datetime import UTC, datetime
from typing import TextIO

from toldonce.config import LogFormat, LogLevel

ROOT = "toldonce"


class ExceptionFormatter(logging.Formatter):
    """Formats an exception as its type and places, or with `whole` completely."""

    def __init__(self, *, whole: bool = False) -> None:
        super().__init__()
        self.whole = whole

    def places(self, record: logging.LogRecord) -> list[str]:
        """The lines about the exception of a log record; [] without one."""
        raised = record.exc_info
        if not raised or raised[0] is None:
            return []
        if self.whole:
            return self.formatException(raised).splitlines()
        return [f"{f.filename}:{f.lineno} in {f.name}" for f in traceback.extract_tb(raised[2])] + [raised[0].__name__]


class TextFormatter(ExceptionFormatter):
    """One line per event for people, an exception's places under it."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).astimezone().strftime("%H:%M:%S")
        line = f"{at} {record.levelname.lower()} {record.name}: {record.getMessage()}"
        return "\n".join([line, *(f"    {place}" for place in self.places(record))])


class JsonFormatter(ExceptionFormatter):
    """One JSON object per event."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if places := self.places(record):
            line["exception"] = places
        return json.dumps(line, ensure_ascii=False)


class InterfaceHandler(logging.StreamHandler[TextIO]):
    """The one handler that an interface adds, so that it can be found and replaced."""


def set_up(level: LogLevel = "warning", *, log_format: LogFormat = "text", stream: TextIO | None = None) -> None:
    """Send the engine's log lines of this level and above to standard error, or to `stream`."""
    logger = logging.getLogger(ROOT)
    for handler in [h for h in logger.handlers if isinstance(h, InterfaceHandler)]:
        logger.removeHandler(handler)
    handler = InterfaceHandler(stream)
    handler.setLevel(level.upper())
    whole = level == "debug"
    handler.setFormatter(JsonFormatter(whole=whole) if log_format == "json" else TextFormatter(whole=whole))
    logger.addHandler(handler)
    logger.setLevel(level.upper())


def locate_exception(problem: BaseException) -> str:
    """The type of an exception and the last place in it, without its message."""
    frames = traceback.extract_tb(problem.__traceback__)
    place = f" at {frames[-1].filename}:{frames[-1].lineno} in {frames[-1].name}" if frames else ""
    return f"{type(problem).__name__}{place}"
