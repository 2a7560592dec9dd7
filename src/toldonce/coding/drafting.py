"""What a writer makes of code: names for modules, and what a session teaches. A model does it where there is one.

The tasks for a model are loaded only for a writer that can ask one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

from toldonce.coding.transcripts.learn import Lesson, learn_from_transcript
from toldonce.coding.transcripts.reader import Transcript
from toldonce.distil.drafts import ModuleDraft, ModuleSketch
from toldonce.distil.writer import Writer

if TYPE_CHECKING:
    from toldonce.distil.model.lines import ModelTask

R = TypeVar("R")


@runtime_checkable
class AsksModel(Protocol):
    """A writer that can put any task to a language model."""

    def ask(self, work: ModelTask[R]) -> R:
        """The result of the task, or ModelError."""


def draft_modules(writer: Writer, sketches: Sequence[ModuleSketch], *, taken: Sequence[str] = ()) -> list[ModuleDraft]:
    """What modules are for, each under a name that is none of those taken; rules know nothing beyond the folder."""
    if not sketches or not isinstance(writer, AsksModel):
        return []
    from toldonce.coding.model_tasks import modules_task

    return writer.ask(modules_task(sketches, taken))


def draft_session(writer: Writer, transcript: Transcript) -> list[Lesson]:
    """What a coding agent's session teaches those who work on the code later, most useful first."""
    if not isinstance(writer, AsksModel):
        return learn_from_transcript(transcript)
    from toldonce.coding.model_tasks import session_task

    return writer.ask(session_task(transcript)) if transcript.spoken else []
