"""What a host plugs in: providers of context, tools and schedules, and a notebook. They know no framework."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toldonce.errors import InputError, ToldonceError
from toldonce.tools.definition import Caller, Tool
from toldonce.tools.records import branches_of
from toldonce.tools.table import Toolbox

if TYPE_CHECKING:
    from toldonce.memory import Memory
    from toldonce.presets.policy import Preset, Schedule
    from toldonce.records import Record
    from toldonce.storage.tables.jobs import Job, Run


@dataclass(frozen=True, slots=True)
class ContextProvider:
    """Gives the block of remembered things that belongs before a prompt."""

    memory: Memory
    caller: Caller = field(default_factory=Caller)
    budget: int | None = None

    def get_context(self, prompt: str) -> str:
        """What helps with a prompt, marked as data; empty when nothing does."""
        who, branches = self.caller, branches_of(self.caller)
        asked: dict[str, Any] = {
            "session": who.session,
            "budget": self.budget,
            "space": who.space,
            "branches": branches,
        }
        if who.root is None:
            return self.memory.context(prompt, who.user, **asked).text
        from toldonce.coding.project_context import has_code_map, project_context

        if not has_code_map(self.memory, space=who.space):
            return self.memory.context(prompt, who.user, **asked).text
        return project_context(self.memory, prompt, who.user, root=Path(who.root), **asked).text


@dataclass(frozen=True, slots=True)
class HostTool:
    """A tool as most frameworks want it: a name, a description, a JSON schema, and a function over a table."""

    name: str
    description: str
    schema: Mapping[str, Any]
    takes_away: bool
    call: Callable[[Mapping[str, Any]], str]


@dataclass(frozen=True, slots=True)
class ToolProvider:
    """Gives the tools that the preset shows to its agent, or with another role those of the consolidator."""

    box: Toolbox

    @classmethod
    def over(cls, memory: Memory, caller: Caller | None = None) -> ToolProvider:
        """The tools of a memory for one caller."""
        return cls(Toolbox(memory, caller or Caller()))

    def get_tools(self) -> list[HostTool]:
        """All tools; what they answer is text for the model, errors among it."""
        return [self._host_tool(tool) for tool in self.box.tools()]

    def answer(self, name: str, arguments: object, *, confirmed: bool = False) -> str:
        """What a tool answers, for a model to read; a refusal says what to do instead."""
        try:
            given = _parse_tool_arguments(arguments) if isinstance(arguments, str) else arguments
            return self.box.call(name, given, confirmed=confirmed).text()
        except ToldonceError as problem:
            return f"error: {problem}"

    def _host_tool(self, tool: Tool) -> HostTool:
        return HostTool(
            tool.name,
            tool.about,
            self.box.schema(tool),
            tool.loss is not None,
            lambda given: self.answer(tool.name, given),
        )


@dataclass(frozen=True, slots=True)
class ScheduleProvider:
    """Gives the preset's schedules, and runs what is due: when the host says so, or in the background."""

    memory: Memory
    space: str | None = None

    def get_schedules(self) -> list[Schedule]:
        """What comes back by the clock: job, cron expression, and for whom."""
        return list(Toolbox(self.memory, Caller(space=self.space)).preset.schedules)

    def get_jobs(self) -> list[Job]:
        """What is planned, the next first."""
        return self.memory.jobs.all()

    def run_due(self, now: datetime | None = None) -> list[Run]:
        """Run whatever is due and say what was done; a host with a clock of its own calls this as often as it likes."""
        return self.memory.tend(now)

    def start(self) -> Callable[[], None]:
        """Run whatever falls due in a thread until the returned function is called."""
        return self.memory.job_runner.watch(self.memory)


@dataclass(frozen=True, slots=True)
class Notebook:
    """Short ways to keep a fact, something that was said, and what holds for the moment under a key."""

    memory: Memory
    caller: Caller = field(default_factory=Caller)

    def remember_fact(self, content: str, **metadata: Any) -> Record:
        """A lasting fact, as the preset's default kind."""
        return self._keep(content, None, metadata)

    def remember_conversation(self, content: str, **metadata: Any) -> Record:
        """Something that was said, kept as long as the preset keeps conversation."""
        return self._keep(content, self._preset.capture.kind, metadata)

    def set_context(self, key: str, value: str) -> Record:
        """Set the value of a key; a different previous value is forgotten."""
        for before in self._under(key):
            if before.metadata.get("value") != value:
                self.memory.forget(before.id, reason="another value was set", user=self.caller.user)
        return self._keep(f"{key}: {value}", self._passing, {"context_key": key, "value": value})

    def get_context(self, key: str) -> str | None:
        """The newest value of a key that still holds."""
        found = self._under(key)
        return str(found[0].metadata["value"]) if found else None

    def _under(self, key: str) -> list[Record]:
        return self.memory.review.records(
            self.caller.user, kinds=[self._passing], where={"context_key": key}, space=self.caller.space
        )

    def _keep(self, content: str, kind: str | None, metadata: Mapping[str, Any]) -> Record:
        who = self.caller
        return self.memory.remember(
            content,
            kind,
            user=who.user,
            session=who.session,
            space=who.space,
            author=who.author,
            made_by=who.made_by,
            metadata=metadata,
        )

    @property
    def _preset(self) -> Preset:
        return Toolbox(self.memory, self.caller).preset

    @property
    def _passing(self) -> str:
        """The kind of what ends with the day."""
        for name, kind in self._preset.kinds.items():
            if kind.expiry == "end_of_day":
                return name
        raise InputError(f"the {self._preset.name} preset has no kind that ends with the day")


def _parse_tool_arguments(arguments: str) -> object:
    try:
        return json.loads(arguments or "{}")
    except ValueError as problem:
        raise InputError(f"the arguments are not JSON: {problem}") from None
