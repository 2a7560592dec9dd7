"""A server over a memory of the assistant preset."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import OpenMemory
from tests.server.serving import Serving, serving


@pytest.fixture
def server(open_memory: OpenMemory) -> Iterator[Serving]:
    with serving(open_memory("assistant")) as running:
        yield running
