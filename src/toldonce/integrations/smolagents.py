"""smolagents over a memory: its tools, a run with context, and callbacks that observe."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from smolagents import FinalAnswerStep, MultiStepAgent, Tool
from smolagents.memory import MemoryStep

if TYPE_CHECKING:
    from toldonce.integrations.hosts import HostTool
    from toldonce.integrations.person_memory import PersonMemory


def memory_tools(person: PersonMemory) -> list[Tool]:
    """The tools that the preset gives its agent, for one person."""
    return [_MemoryTool(tool) for tool in person.tools()]


def add_context(person: PersonMemory, task: str) -> str:
    """A task with what helps before it, marked as data: `agent.run(add_context(person, task))`."""
    block = person.recall_block(task)
    return f"{block}\n\n{task}" if block else task


def observe_steps(person: PersonMemory) -> dict[type[MemoryStep], Callable[..., None]]:
    """`CodeAgent(..., step_callbacks=observe_steps(person))`: task and final answer of each run are observed."""

    def observe(step: MemoryStep, agent: MultiStepAgent) -> None:
        turn = [("user", str(agent.task or ""))]
        if isinstance(step, FinalAnswerStep) and isinstance(step.output, str):
            turn.append(("assistant", str(step.output)))
        person.observe_turn(turn)

    return {FinalAnswerStep: observe}


class _MemoryTool(Tool):
    """A tool whose arguments are those of the table of tools."""

    skip_forward_signature_validation = True
    output_type = "string"

    def __init__(self, tool: HostTool) -> None:
        required = tool.schema["required"]
        self.name = tool.name
        self.description = tool.description
        self.inputs = {name: _describe_input(row, name in required) for name, row in tool.schema["properties"].items()}
        self._call = tool.call
        super().__init__()

    def forward(self, **arguments: Any) -> str:
        """Call the tool; what was left out or is None has its default."""
        return self._call({name: value for name, value in arguments.items() if value is not None})


def _describe_input(row: Mapping[str, Any], is_required: bool) -> dict[str, Any]:
    known = {"type": row.get("type", "any"), "description": row.get("description", "")}
    return known if is_required else {**known, "nullable": True}
