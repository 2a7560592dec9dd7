"""What all tests share: a clock that moves only when told, and memories in temporary files."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from toldonce import Memory
from toldonce.presets.loader import preset_text

pytest_plugins = ["tests.jobs.receiver", "tests.postgres", "tests.shell"]

# The suite tries the same examples every time; HYPOTHESIS_PROFILE=explore looks for new ones.
settings.register_profile("explore", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("suite", settings.get_profile("explore"), derandomize=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))

# A shell starts its background jobs deaf to interrupts, and so would be the commands that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


class ManualClock:
    """A clock for tests: it stands still until it is moved."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def pass_time(self, **lengths: float) -> datetime:
        """Move on by a length of time, given as for `timedelta`."""
        self.now += timedelta(**lengths)
        return self.now


OpenMemory = Callable[..., Memory]
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(*words: str, cwd: Path, env: dict[str, str] | None = None) -> str:
    """What git answers; a test that asks is skipped on a machine without it."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    return subprocess.run(["git", *words], cwd=cwd, env=env, check=True, capture_output=True).stdout.decode()


@pytest.fixture(autouse=True)
def state_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test touches what hooks keep in the folder of whoever runs it."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


# What these files promise holds wherever the memory is kept; all others test one backend or what is above the store.
ON_BOTH = (
    "capture/test_idempotency.py",
    "importers/",
    "integrations/test_chat.py",
    "integrations/test_langgraph.py",
    "jobs/test_processes.py",
    "jobs/test_webhooks.py",
    "pages/test_cache.py",
    "pages/test_ground.py",
    "recall/test_doubted.py",
    "distil/test_doubt.py",
    "storage/test_doubted_exports.py",
    "security/test_quotas.py",
    "security/test_secrets_remembered.py",
    "server/test_events.py",
    "server/test_identity.py",
    "stories/",
    "test_bad_input.py",
    "test_callbacks.py",
    "test_consent.py",
    "test_entity_graph.py",
    "test_crash.py",
    "test_lifecycle.py",
    "test_operations.py",
    "test_privacy.py",
    "test_properties.py",
    "test_timeline.py",
)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test on both backends where its file promises so; `in_a_file` marks what is promised of files alone."""
    place = metafunc.definition.path.relative_to(Path(__file__).parent).as_posix()
    if "backend" in metafunc.fixturenames and place.startswith(ON_BOTH):
        is_of_files = metafunc.definition.get_closest_marker("in_a_file") is not None
        metafunc.parametrize("backend", ["sqlite"] if is_of_files else ["sqlite", "postgres"])


@pytest.fixture
def backend() -> str:
    """Where memories are kept: `sqlite` or `postgres`."""
    return "sqlite"


@pytest.fixture
def find_place(request: pytest.FixtureRequest, backend: str, tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Where the memory of a name is: a file in the temporary folder, or a database of its own."""
    taken: dict[str, str] = {}

    def find(name: str) -> str:
        if backend == "sqlite":
            return str(tmp_path / name)
        if name not in taken:
            # Not before it is needed: starting a server takes a second.
            taken[name] = request.getfixturevalue("databases").take()
        return taken[name]

    yield find
    for address in taken.values():
        request.getfixturevalue("databases").give_back(address)


@pytest.fixture
def open_memory(find_place: Callable[[str], str], clock: ManualClock) -> Iterator[OpenMemory]:
    """Opens memories by name, without a model or background work unless asked; closes them all."""
    opened: list[Memory] = []

    def open_one(preset: str | None = None, *, file: str = "memory.db", **options: Any) -> Memory:
        given = {"embedder": None, "background": False, "clock": clock, **options}
        memory = Memory.open(find_place(file), preset=preset, **given)
        opened.append(memory)
        return memory

    yield open_one
    for memory in opened:
        memory.close()


def write_noting_preset(folder: Path) -> str:
    """The path of a preset like assistant whose notes, which are private there, come from its writer."""
    text = preset_text("assistant")[0].replace('name = "assistant"', 'name = "noting"', 1)
    path = folder / "noting.toml"
    path.write_text(text.replace('note_by = "rules"\n', "", 1), encoding="utf-8")
    return str(path)
