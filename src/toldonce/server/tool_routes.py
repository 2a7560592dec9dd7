"""The table of tools over HTTP: list them, and call one. Who calls is the credential, never an argument."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any

from anyio import to_thread
from fastapi import Body, FastAPI, Query, Request, Response
from pydantic import BaseModel, Field

from toldonce.access import acting_as
from toldonce.errors import NotAllowed
from toldonce.operations.routes import PREFIX
from toldonce.server.api import PROBLEMS, IdempotencyKey, answer_once, identity_of, json_response
from toldonce.server.calls import INTERFACE
from toldonce.server.identity import Identity, bind_person, bind_space
from toldonce.server.shared_state import RepeatedRequests, SharedConfirmations
from toldonce.tools.definition import ID_CHARS, Caller, Tool
from toldonce.tools.table import Toolbox

if TYPE_CHECKING:
    from toldonce.memory import Memory

_Name = Annotated[str | None, Field(max_length=ID_CHARS)]


class _Place(BaseModel, extra="forbid"):
    """On whose behalf and in which space tools are listed."""

    user: _Name = None
    space: _Name = None


class _CallPlace(_Place):
    """The same for a call, with its session."""

    session: _Name = None


def open_toolbox(
    memory: Memory,
    confirmations: SharedConfirmations,
    identity: Identity,
    *,
    user: str | None = None,
    space: str | None = None,
    session: str | None = None,
) -> Toolbox:
    """The tools that an identity may call."""
    if not identity.may("read"):
        raise NotAllowed("tools need a credential with the right 'read'")
    caller = Caller(
        user=bind_person(identity, user),
        space=bind_space(identity, space, home=memory.space.name),
        session=session,
        role=identity.role,
        made_by=identity.name,
        reach=identity.spaces,
    )
    return ReachableTools(memory, caller, confirmations, identity=identity)


@dataclass(frozen=True)
class ReachableTools(Toolbox):
    """A toolbox that shows and calls only what the rights of an identity allow."""

    identity: Identity = field(kw_only=True)

    def as_caller(self, **changes: Any) -> Toolbox:
        """The same tools for another session of this identity."""
        return replace(self, caller=replace(self.caller, **changes))

    def tools(self) -> list[Tool]:
        """What this caller may call: without the right to write, only what reads."""
        return [tool for tool in super().tools() if tool.reads or self.identity.may("write")]


def add_tools(app: FastAPI, memory: Memory, repeated: RepeatedRequests, confirmations: SharedConfirmations) -> None:
    """Add the paths of the tools."""

    @app.get(f"{PREFIX}/tools", operation_id="tools.list", tags=["tools"], response_model=None, responses=PROBLEMS)
    async def list_tools(request: Request, place: Annotated[_Place, Query()]) -> Response:
        """The tools that this credential may call here, with the schemas of their arguments."""
        identity = identity_of(request)

        def work() -> Any:
            box = open_toolbox(memory, confirmations, identity, user=place.user, space=place.space)
            return [
                {"name": tool.name, "about": tool.about, "reads": tool.reads, "schema": box.schema(tool)}
                for tool in box.tools()
            ]

        return json_response({"tools": await to_thread.run_sync(work, abandon_on_cancel=True)})

    @app.post(
        f"{PREFIX}/tools/{{name}}", operation_id="tools.call", tags=["tools"], response_model=None, responses=PROBLEMS
    )
    async def call_tool(
        request: Request,
        name: str,
        arguments: Annotated[dict[str, Any], Body()],
        place: Annotated[_CallPlace, Query()],
        key: IdempotencyKey = None,
    ) -> Response:
        """Call a tool with a table of arguments. What takes something away is announced first, with a token."""
        identity = identity_of(request)

        def work() -> Response:
            box = open_toolbox(memory, confirmations, identity, **place.model_dump())
            with acting_as(interface=INTERFACE, person=box.caller.user):
                made = box.call(name, arguments)
            return json_response({"result": made.value, "quotes": made.quotes})

        if key is None:
            return await to_thread.run_sync(work, abandon_on_cancel=True)
        told = json.dumps([name, arguments, place.user, place.space, place.session], sort_keys=True).encode()
        return await to_thread.run_sync(
            lambda: answer_once(repeated, identity, key, told, work), abandon_on_cancel=True
        )
