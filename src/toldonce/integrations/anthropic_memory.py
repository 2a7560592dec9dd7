"""Anthropic's memory tool over a memory, as the SDK's tool runner wants it: `ToldonceMemoryTool(memory, "alex")`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anthropic.lib.tools import BetaAbstractMemoryTool

from toldonce.errors import ToldonceError
from toldonce.integrations.memory_files import MemoryFiles

if TYPE_CHECKING:
    from toldonce.memory import Memory


class ToldonceMemoryTool(BetaAbstractMemoryTool):
    """The tool `memory_20250818`, whose files are a document of a person. What is wrong is told to the model."""

    def __init__(
        self, memory: Memory, user: str | None = None, *, space: str | None = None, cache_control: Any = None
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._files = MemoryFiles(memory, user, space=space)

    def execute(self, command: Any) -> str:
        """Carry out one command of the model."""
        try:
            return self._files.run(command.model_dump())
        except ToldonceError as problem:
            return f"Error: {problem}"

    view = create = str_replace = insert = delete = rename = execute

    def clear_all_memory(self) -> str:
        """Remove every file."""
        return self._files.clear()
