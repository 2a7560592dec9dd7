"""Prints which files of the package an operation enters, in order of first entry: what a reader has to follow.

    python scripts/trace.py                     # observe, settle and context on a small memory
    python scripts/trace.py --preset life --counts

A file counts when one of its functions runs during the operation, in any thread. Each operation runs twice before it is
traced, so that code which only runs when a module is loaded or a table is first used does not count.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import toldonce
from toldonce import Memory

PACKAGE = Path(toldonce.__file__).parent
OPERATIONS = ("observe", "settle", "context")
SAID = (
    "I moved from Porto to Lisbon and work as a nurse at the harbour clinic.",
    "My sister Ana lives in Braga.",
)
ASKED = "Where does Maria live?"


class Walk:
    """The files of the package that were entered while it was recording, each with the first function that ran."""

    def __init__(self) -> None:
        self.entered: dict[str, str] = {}
        self._is_recording = False
        self._prefix = f"{PACKAGE}/"

    def watch_threads(self) -> None:
        """See the calls of this thread, and of every thread that is started from now on."""
        threading.setprofile(self._note_call)
        sys.setprofile(self._note_call)

    def stop_watching(self) -> None:
        """See no more calls."""
        sys.setprofile(None)
        threading.setprofile(None)

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Within, the files that are entered are noted, beginning with none."""
        self.entered = {}
        self._is_recording = True
        try:
            yield
        finally:
            self._is_recording = False

    def _note_call(self, frame: FrameType, event: str, _: object) -> None:
        path, function = frame.f_code.co_filename, frame.f_code.co_name
        if self._is_recording and event == "call" and path.startswith(self._prefix) and function != "<module>":
            self.entered.setdefault(path.removeprefix(self._prefix), function)


def trace_operations(preset: str) -> dict[str, dict[str, str]]:
    """The walk of each operation on a small memory: the files that it enters, with the first function of each."""
    walk, found = Walk(), {}
    walk.watch_threads()
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            Memory.open(Path(folder) / "memory.db", preset, background=False) as memory,
        ):
            for session in ("first", "second"):
                for operation in _operations(memory, session=session).values():
                    operation()
            for name, operation in _operations(memory, session="traced").items():
                with walk.recording():
                    operation()
                found[name] = walk.entered
                memory.tend()  # Vectors are the background's work, and no part of the next walk.
    finally:
        walk.stop_watching()
    return found


def _operations(memory: Memory, *, session: str) -> Mapping[str, Callable[[], object]]:
    return {
        "observe": lambda: [memory.observe(text, user="maria", session=session) for text in SAID],
        "settle": lambda: memory.settle(session=session),
        "context": lambda: memory.context(ASKED, user="maria", session=f"{session}-later"),
    }


def main() -> None:
    """Print what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("operations", nargs="*", metavar="OPERATION", help=f"one of {', '.join(OPERATIONS)}; else all")
    parser.add_argument("--preset", default="assistant")
    parser.add_argument("--counts", action="store_true", help="only how many files each operation enters")
    args = parser.parse_args()
    if unknown := set(args.operations) - set(OPERATIONS):
        parser.error(f"unknown operation: {', '.join(sorted(unknown))}")
    for name, entered in trace_operations(args.preset).items():
        if args.operations and name not in args.operations:
            continue
        print(f"{name}: {len(entered)} files")
        for path, function in () if args.counts else entered.items():
            print(f"    {path}: {function}")


if __name__ == "__main__":
    main()
