"""A signal that comes while the main thread waits for it stops the wait, at whatever moment it comes."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from toldonce.stopping import StopFlag

ROUNDS = 300
A_MOMENT_S = 0.05


@pytest.fixture
def alarm() -> Iterator[None]:
    before = signal.getsignal(signal.SIGALRM)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def test_a_handler_may_set_the_flag_that_its_thread_waits_for(alarm: None) -> None:
    for number in range(ROUNDS):
        flag = StopFlag()
        signal.signal(signal.SIGALRM, lambda *_, flag=flag: flag.set())
        signal.setitimer(signal.ITIMER_REAL, 1e-6 * (1 + number))
        # A signal that comes just before the thread sleeps is handled when it wakes.
        while not flag.wait(A_MOMENT_S):
            pass
        assert flag.is_set() and flag.wait(0)


def test_without_a_signal_the_wait_ends_by_itself() -> None:
    flag = StopFlag()
    assert not flag.wait(0.001) and not flag.is_set()
