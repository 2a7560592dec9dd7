"""A server with a sample life, and browsers that look at it: one of each for all tests of this folder in a process."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ManualClock
from tests.pages.made_up_life import PERSON, fill_with_sample
from tests.server.serving import Serving, serving
from toldonce import Memory
from toldonce.server.identity import Identity

NOW = datetime(2026, 11, 16, 18, 30, tzinfo=UTC)
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SWITCHES = (
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync",
)  # fmt: skip
_numbers = itertools.count()


class Look:
    """One browser of its own at the server, which notes everything that should not happen."""

    def __init__(self, server: Serving, context: Any) -> None:
        self.server = server
        self.context = context
        self.page = context.new_page()
        self.faults: list[str] = []
        self.allowed: list[str] = []
        self.page.on("console", lambda message: self._note(f"console: {message.text}"))
        self.page.on("pageerror", lambda problem: self._note(f"error: {problem}"))
        self.page.on("request", self._check_request)

    def _note(self, fault: str) -> None:
        if not any(part in fault for part in self.allowed):
            self.faults.append(fault)

    def _check_request(self, request: Any) -> None:
        if not request.url.startswith((self.server.url, "data:")):
            self.faults.append(f"request elsewhere: {request.url}")

    def sign_in(self, person: str | None = PERSON, **given: Any) -> Look:
        """Follow a link as it is printed."""
        table = {"rights": ("read", "write", "manage"), "is_owner": True, "role": "person", **given}
        identity = Identity(credential="link", name="this machine", kind="browser", person=person, **table)
        token = self.server.app.credentials.make_link_token(identity)
        self.page.goto(f"{self.server.url}/sign-in?token={token}")
        return self

    def open(self, path: str) -> Any:
        """Open a page and wait until its script runs."""
        answer = self.page.goto(self.server.url + path)
        if answer is not None and answer.status < 400:
            self.page.wait_for_selector("#live[data-state=live]")
        return answer

    def place(self) -> str:
        """Where the browser is, without the server."""
        return str(self.page.url).removeprefix(self.server.url)


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server over a sample life that no test changes."""
    with _serve_sample(tmp_path_factory.mktemp("sample")) as running:
        yield running


@pytest.fixture
def life(tmp_path_factory: pytest.TempPathFactory, filled: Path) -> Iterator[Serving]:
    """A server over a sample life of this test alone."""
    folder = tmp_path_factory.mktemp("life")
    shutil.copyfile(filled, folder / "memory.db")
    with (
        Memory.open(folder / "memory.db", clock=ManualClock(NOW), background=False) as memory,
        serving(memory) as running,
    ):
        yield running


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the sample life."""
    path = tmp_path_factory.mktemp("filled") / "memory.db"
    with Memory.open(path, preset="life", clock=ManualClock(NOW), background=False) as memory:
        fill_with_sample(memory, now=NOW)
        memory.tend(NOW)
    return path


def _serve_sample(folder: Path) -> Any:
    memory = Memory.open(folder / "memory.db", preset="life", clock=ManualClock(NOW), background=False)
    fill_with_sample(memory, now=NOW)
    return serving(memory)


# Playwright holds the event loop of its thread: no longer than a module, or tests with asyncio after it could not run.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """The system's Chromium; tests that need it are skipped where it is missing."""
    if CHROMIUM is None:
        pytest.skip("chromium is not installed: `apt-get install chromium` runs the browser tests")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(SWITCHES))
        yield browser
        browser.close()


OpenLook = Callable[..., Look]


@pytest.fixture
def look(chromium: Any) -> Iterator[OpenLook]:
    """Open a browser at a server, signed in; at the end nothing may have gone wrong in any of them."""
    opened: list[Look] = []

    def open_look(server: Serving, *, signed_in: bool = True, person: str | None = PERSON, **given: Any) -> Look:
        usual = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", "locale": "en-GB"}
        context = chromium.new_context(**{**usual, **given})
        context.set_default_timeout(10_000)
        opened.append(Look(server, context))
        return opened[-1].sign_in(person) if signed_in else opened[-1]

    yield open_look
    faults = [fault for one in opened for fault in one.faults]
    for one in opened:
        one.context.close()
    assert faults == []
