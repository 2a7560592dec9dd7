"""Counts that pages keep hold while nothing happens, and no longer."""

from __future__ import annotations

from datetime import timedelta

from tests.conftest import ManualClock, OpenMemory
from tests.pages.test_ground import sign_in
from tests.server.serving import serving
from toldonce.server.pages.cache import CountCache


def test_a_count_is_kept_until_something_happens_or_a_minute_is_over() -> None:
    clock, place, counted = ManualClock(), [1], []
    cache = CountCache(lambda: place[0], clock)

    def count() -> int:
        counted.append(1)
        return len(counted)

    assert [cache.get("a", count), cache.get("a", count), cache.get("b", count)] == [1, 1, 2]
    place[0] = 2
    assert cache.get("a", count) == 3
    clock.now += timedelta(minutes=1)
    assert cache.get("a", count) == 4
    cache.clear()
    assert cache.get("a", count) == 5


def test_pages_count_what_another_interface_stored_or_changed(open_memory: OpenMemory) -> None:
    memory = open_memory("life")
    with serving(memory) as server:
        browser = sign_in(server)
        kept = memory.remember("Alex plays the cello", user="alex")
        assert "1 record, newest first" in browser.get("/browse").text
        memory.remember("Alex has a kite", user="alex")
        assert "2 records, newest first" in browser.get("/browse").text
        memory.forget(kept.id, user="alex")
        assert "1 record, newest first" in browser.get("/browse").text
        assert "0 records, newest first" in sign_in(server, "sam").get("/browse").text
