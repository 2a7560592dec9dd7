"""One call of the command line: the settings that hold, the memory they name, and the way to speak.

Every command gets a `Invocation`. What was asked for goes to standard output, everything else to standard error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toldonce.access import acting_as
from toldonce.cli.page import PageLayout, terminal_columns
from toldonce.cli.saved_login import load_login
from toldonce.clock import load_zone as zone_of
from toldonce.config import DEFAULT, Config, Settings, is_database_address, is_path, is_server, load_config
from toldonce.errors import InputError, NotAllowed, SpaceNotFound, StoreError
from toldonce.logs import set_up
from toldonce.records import PERSONAL, Space

if TYPE_CHECKING:
    from toldonce.distil.tiers import Tiers
    from toldonce.memory import Memory
    from toldonce.storage.encryption import EncryptionKey


_QUESTION_CHARS = 400
# How long a command makes vectors after it has answered.
_EMBED_FOR = timedelta(seconds=1)


@dataclass
class Invocation:
    """The global options of this call, and what a command needs to answer."""

    given: dict[str, Any] = field(default_factory=dict)

    @property
    def as_json(self) -> bool:
        """Whether the answer is one JSON document."""
        return bool(self.given.get("json"))

    @property
    def quiet(self) -> bool:
        """Whether only what was asked for is said."""
        return bool(self.given.get("quiet")) or self.as_json

    @cached_property
    def settings(self) -> Settings:
        """The settings that hold for this call."""
        options = {"place": self.given.get("place")}
        settings = load_config(cwd=Path.cwd(), environ=os.environ, options=options)
        set_up(settings.config.log_level, log_format=settings.config.log_format)
        if settings.config.otel == "1":
            from toldonce.integrations.opentelemetry import export_by_otlp, instrument

            instrument()
            export_by_otlp()
        if settings.warning:
            # Under --json too: standard output is the document, and a script must not miss it.
            click.echo(click.style("warning: ", fg="yellow") + settings.warning, err=True)
        return settings

    @property
    def place(self) -> str:
        """Where the memory is: as set, else on the server that this user is signed in to."""
        if self.settings.sources["place"] == DEFAULT and (signed_in := load_login()) is not None:
            return signed_in.address
        return self.settings.config.place

    @property
    def space(self) -> str | None:
        """The space that --space names; None is the one of the settings."""
        named: str | None = self.given.get("space")
        return named

    def user(self, said: str | None) -> str | None:
        """The person a command is about: as said, else as set."""
        return said or self.settings.config.user or None

    def is_in_project(self, memory: Memory) -> bool:
        """Whether the memory is that of the code base around the current folder: it has a map, and no --place."""
        if self.given.get("place") or getattr(memory, "is_sealed", False):
            return False
        from toldonce.coding.project_context import has_code_map

        return has_code_map(memory, space=self.space)

    @contextmanager
    def open(self, *, make: bool = False, preset: str | None = None, vectors: bool = False) -> Iterator[Memory]:
        """The memory of this call, closed afterwards.

        With `make` it is made when it is not there yet, as `preset` says. Only with `vectors` it has an embedder and,
        if one is set, a reranker.
        """
        is_new = self._find_missing(make=make)
        memory = self.open_at(self.place, preset=preset, vectors=vectors)
        try:
            if is_new:
                self.note(f"Made a new memory at {memory.store.place} (preset {memory.space.preset}).")
            elif is_path(self.place):
                self._note_moved(memory)
            self.current_space(memory)
            with acting_as(interface="cli", person=self.settings.config.user):
                yield memory
                memory.close()
        finally:
            memory.close()

    def _find_missing(self, *, make: bool) -> bool:
        """Whether there is no memory at the place yet; StoreError unless it may be made."""
        shown = self.place
        if is_path(self.place):
            is_new = not _is_there(Path(self.place))
        elif is_database_address(self.place):
            from toldonce.operations.opening import find_tenant

            # An unknown tenant is likely a typing error, as an unknown path is.
            is_there, shown = find_tenant(self.place)
            is_new = not is_there
        else:
            is_new = False
        if is_new and not make:
            raise StoreError(
                f"there is no memory at {shown}: make one with `toldonce init`, or name another with --place"
            )
        return is_new

    @contextmanager
    def open_for_import(self, *, preset: str | None, preview: bool) -> Iterator[tuple[Memory, str | None]]:
        """The memory and space of this call. A preview makes none: where none is yet, it looks into an empty one."""
        from toldonce.memory import Memory

        if preview and is_path(self.place) and not Path(self.place).exists():
            with Memory.open(":memory:", preset=preset, embedder=None, background=False) as empty:
                yield empty, None
        else:
            with self.open(make=not preview, preset=preset) as memory:
                yield memory, self.space

    def _note_moved(self, memory: Memory) -> None:
        """Say that this memory was sent to a server, if it was: what is stored here now stays here."""
        if self.quiet:
            return
        from toldonce.operations.space_state import find_moved_to

        if (moved := memory.store.read(find_moved_to)) is not None:
            self.note(f"This memory went to {moved.address} on {moved.at}; what is stored here stays on this machine.")

    def embed_briefly(self, memory: Memory) -> None:
        """After the answer, make vectors that are missing, for a second or so; the next command goes on."""
        from toldonce.jobs.embed import embed_within

        if is_server(self.place):
            return
        try:
            embed_within(memory, budget=_EMBED_FOR)
        except StoreError as problem:
            self.note(f"Vectors are made later: {problem}")

    def open_at(self, place: str, *, preset: str | None = None, vectors: bool = False) -> Memory:
        """The memory at a place, with everything else from the settings. What exists keeps its own preset."""
        from toldonce import Memory

        config = self.settings.config
        if is_server(place):
            signed_in = load_login()
            known = signed_in if signed_in is not None and signed_in.address == place.rstrip("/") else None
            if known is not None and known.seal_key:
                from toldonce import open_sealed

                return open_sealed(place, known.key, sealed_with=known.seal_key, embedder=config.embedder)
            return Memory.open(place, api_key=known.key if known is not None else None)
        if self.settings.sources["place"] == DEFAULT:
            make_folder(Path(place).parent)
        said: dict[str, Any] = {
            "space": config.space, "zone": config.zone or "UTC", "writer": load_writer(config),
            "embedder": config.embedder if vectors else "none", "reranker": config.reranker if vectors else "none",
            "taggers": [name for said in config.taggers.split(",") if (name := said.strip())],
            "encryption_key": self.key_of(place), "vector_engine": config.vector_engine,
        }  # fmt: skip
        try:
            return Memory.open(place, preset or config.preset or None, background=False, **said)
        except NotAllowed:
            return Memory.open(place, None, background=False, **said)

    def key_of(self, place: str) -> EncryptionKey | None:
        """The key of the memory at a place, looked up if it is encrypted or still to be created."""
        from toldonce.storage.encryption import find_key

        if not is_path(place):
            return None
        is_new = not _is_there(Path(place))
        if not is_new and not _is_encrypted_place(place):
            return None
        return find_key(place, environ=os.environ, command=self.settings.config.key_command, use_keyring=not is_new)

    def current_space(self, memory: Memory) -> Space:
        """The space that this call works in."""
        name = self.space
        if name is None or name == memory.space.name:
            return memory.space
        known = {space.name: space for space in memory.spaces.all()}
        if name not in known and not name.startswith(PERSONAL):
            raise SpaceNotFound(f"there is no space {name!r} here: make it with `toldonce spaces add {name}`")
        return known.get(name, memory.space)

    def page(self, memory: Memory | None = None) -> PageLayout:
        """How to write for people, in the zone of the space."""
        name = self.current_space(memory).zone if memory else self.settings.config.zone or "UTC"
        return PageLayout(terminal_columns(), zone_of(name))

    def moment(self, said: datetime | timedelta | None, memory: Memory) -> datetime | None:
        """A moment as a person says it: a length of time ago, or a time in the zone of the space."""
        if isinstance(said, timedelta):
            return memory.clock() - said
        if said is not None and said.tzinfo is None:
            return said.replace(tzinfo=zone_of(self.current_space(memory).zone))
        return said

    def answer(self, value: object, lines: Callable[[], list[str]]) -> None:
        """What was asked for: the value as JSON, or lines for people."""
        if self.as_json:
            from toldonce.cli.json_output import to_json_document

            click.echo(to_json_document(value, ascii_only=not _speaks_unicode()))
        elif written := lines():
            click.echo("\n".join(written))

    def note(self, text: str) -> None:
        """Something beside the answer."""
        if not self.quiet:
            click.echo(click.style(text, dim=True), err=True)

    def warn(self, text: str) -> None:
        """Something that should be looked at, beside the answer."""
        if not self.as_json:
            click.echo(click.style("warning: ", fg="yellow") + text, err=True)

    def confirm_action(self, question: str, *, yes: bool, because: str = "this destroys") -> bool:
        """Whether the person wants it, asked once; without anyone to ask, --yes must say so."""
        if yes:
            return True
        if self.as_json:
            raise InputError(f"{because}: say so with --yes")
        try:
            return _confirm_question(_shorten_prompt(question))
        except click.Abort:
            if sys.stdin.isatty():
                raise
            raise InputError(f"{because}, and nobody is there to ask: say so with --yes") from None

    @contextmanager
    def show_progress(self, what: str) -> Iterator[None]:
        """A moving sign while something takes long, if somebody watches."""
        if self.quiet or not sys.stderr.isatty():
            yield
            return
        from rich.console import Console

        colour = {"no_color": True} if self.given.get("no_color") else {}
        with Console(stderr=True, **colour).status(what):  # type: ignore[arg-type]
            yield


pass_invocation = click.make_pass_decorator(Invocation, ensure=True)


def _is_there(place: Path) -> bool:
    """Whether anything stands at a place. An empty file is nothing: what only reads must not make a memory of it."""
    return place.exists() and (not place.is_file() or place.stat().st_size > 0)


def _confirm_question(question: str) -> bool:
    """Yes or no, asked a few times; whatever else is answered then counts as no."""
    for _ in range(3):
        said = str(click.prompt(f"{question} [y/N]", default="n", show_default=False, err=True)).strip().lower()
        if said in ("y", "yes", "n", "no"):
            return said.startswith("y")
    return False


def _shorten_prompt(question: str) -> str:
    """A question that names something of any length, on a few lines."""
    return question if len(question) <= _QUESTION_CHARS else question[: _QUESTION_CHARS - 2] + "…?"


def _is_encrypted_place(place: str) -> bool:
    from toldonce.storage.sqlite.cipher import is_encrypted_file

    return is_encrypted_file(place)


def load_writer(config: Config) -> Tiers | None:
    """The language models that the settings name; without one, nothing of them is imported."""
    if config.writer == "none" and not config.writer_strong:
        return None
    from toldonce.distil.tiers import read_tiers

    return read_tiers(
        config.writer,
        strong=config.writer_strong,
        tasks=config.writer_tasks,
        prices=config.writer_prices,
        budget=config.writer_budget,
    )


def make_folder(folder: Path) -> None:
    """Make a folder, with those above it, when it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise StoreError(f"the folder {folder} cannot be made: {problem.strerror}") from None


def _speaks_unicode() -> bool:
    return (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "") == "utf8"
