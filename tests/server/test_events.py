"""Events: another client sees a change at once, also one by another process, and only what it may read."""

from __future__ import annotations

import asyncio
import json
import queue
import re
import threading
from typing import Any

import httpx
import pytest

from tests.conftest import OpenMemory
from tests.pages.test_ground import sign_in
from tests.server.serving import Serving, serving
from toldonce import Memory
from toldonce.errors import NotAllowed
from toldonce.operations.events import Event
from toldonce.server import events
from toldonce.server.identity import Identity


class Listener:
    """A client that listens for events in a thread of its own."""

    def __init__(self, client: httpx.Client, *, query: str = "", **headers: str) -> None:
        self._found: queue.Queue[dict[str, Any]] = queue.Queue()
        self._ready = threading.Event()
        self._client = client
        self._headers = headers
        self._query = query
        threading.Thread(target=self._listen, daemon=True).start()
        assert self._ready.wait(30)

    def _listen(self) -> None:
        event: dict[str, Any] = {}
        try:
            with self._client.stream("GET", f"/v1/events?{self._query}", headers=self._headers, timeout=60) as answer:
                for line in answer.iter_lines():
                    name, _, value = line.partition(": ")
                    if name in ("id", "event", "data"):
                        event[name] = json.loads(value) if name == "data" else value
                    elif not line and event:
                        if "data" in event:
                            self._found.put(event)
                        self._ready.set()
                        event = {}
        except httpx.HTTPError:
            return

    def next(self) -> dict[str, Any]:
        """The next event."""
        return self._found.get(timeout=30)

    def is_silent(self) -> bool:
        """Whether nothing has come so far."""
        return self._found.empty()


def test_another_client_sees_what_was_added_and_changed(server: Serving) -> None:
    alex = server.of("alex")
    listener = Listener(server.of("alex"))
    kept = alex.post("/v1/records", json={"text": "Alex has a secret plan"}).json()
    added = listener.next()
    assert (added["event"], added["data"]["id"], added["data"]["action"]) == ("record", kept["id"], "added")
    alex.post(f"/v1/records/{kept['id']}/forget", json={})
    changed = listener.next()
    assert (changed["data"]["id"], changed["data"]["state"]) == (kept["id"], "forgotten")
    assert "secret" not in json.dumps([added, changed])


def test_a_change_by_another_process_is_seen_too(server: Serving, open_memory: OpenMemory) -> None:
    listener = Listener(server.of("alex"))
    kept = open_memory().remember("Alex likes tea", user="alex")
    assert listener.next()["data"]["id"] == kept.id


def test_events_are_only_for_those_who_may_read(server: Serving) -> None:
    sam, alex, owner = Listener(server.of("sam")), Listener(server.of("alex")), Listener(server.owner())
    server.memory.remember("Alex likes tea", user="alex")
    server.memory.tend()
    mine = server.memory.remember("Sam likes coffee", user="sam")
    assert sam.next()["data"]["id"] == mine.id
    assert alex.next()["event"] == "record"
    assert {owner.next()["event"] for _ in range(3)} >= {"record", "job"}
    assert sam.is_silent()


def test_a_client_that_comes_back_misses_nothing(server: Serving) -> None:
    listener = Listener(server.of("alex"))
    first = server.memory.remember("Alex likes tea", user="alex")
    event = listener.next()
    assert event["data"]["id"] == first.id
    meanwhile = [server.memory.remember(f"Room {n} has the colour {n}", user="alex").id for n in range(3)]
    again = Listener(server.of("alex"), **{"Last-Event-ID": event["id"]})
    assert [again.next()["data"]["id"] for _ in range(3)] == meanwhile


def test_a_page_tells_the_place_at_which_it_was_made(open_memory: OpenMemory) -> None:
    """What happens between the page and its stream is told to it, once."""
    with serving(open_memory("life")) as server:
        browser = sign_in(server)
        page = browser.get("/browse").text
        place = re.search(r'data-place="([0-9-]+)"', page)
        missed = server.memory.remember("Alex likes tea", user="alex").id
        assert place is not None and "Alex likes tea" not in page
        listener = Listener(browser, query=f"last_event_id={place[1]}")
        assert listener.next()["data"]["id"] == missed
        later = server.memory.remember("Room 1 is blue", user="alex").id
        assert listener.next()["data"]["id"] == later


def test_a_place_that_is_not_there_yet_is_the_present_one(server: Serving) -> None:
    """A memory that was restored is behind the pages that are open."""
    server.memory.remember("Alex likes tea", user="alex")
    listener = Listener(server.of("alex"), **{"Last-Event-ID": "999999-999999-999999-999999"})
    kept = server.memory.remember("Room 1 is blue", user="alex")
    assert listener.next()["data"]["id"] == kept.id


@pytest.mark.parametrize("place", ["x", "1-2-3", "-1-0-0-0", "9" * 40 + "-0-0-0"])
def test_an_event_id_that_is_not_ours_is_refused(server: Serving, place: str) -> None:
    assert server.of("alex").get("/v1/events", headers={"Last-Event-ID": place}).status_code == 400


def test_events_need_a_credential(server: Serving) -> None:
    assert server.client().get("/v1/events").status_code == 401


def test_a_client_that_comes_does_not_take_the_news_from_those_who_listen(
    open_memory: OpenMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who corrects a record on a page loads it again, and listens, before the watch has looked for other listeners."""
    monkeypatch.setattr(events, "LOOK_EVERY_S", 0.5)
    memory = open_memory("assistant")
    owner = Identity(credential="k", name="k", kind="key", person=None, rights=("read",), role="person", is_owner=True)

    async def read() -> bytes:
        watch = events.EventWatch(memory)
        first, second = watch.listen(owner, None), watch.listen(owner, None)
        await anext(first)
        waiting = asyncio.ensure_future(anext(first))
        await asyncio.sleep(0.1)
        memory.remember("Ana lives in Faro", user="ana")
        await anext(second)
        try:
            while not (said := await asyncio.wait_for(waiting, 10)):
                waiting = asyncio.ensure_future(anext(first))
            return said
        finally:
            watch.stop()

    assert b"event: record" in asyncio.run(read())


def test_a_completed_session_is_an_event_for_its_person(server: Serving) -> None:
    sam, alex = Listener(server.of("sam")), Listener(server.of("alex"))
    server.memory.observe("I live in Lisbon", "alex", session="monday")
    (settled,) = server.memory.settle(session="monday", user="alex")
    while (event := alex.next())["event"] != "session":
        assert event["event"] == "record"
    assert (event["data"]["id"], event["data"]["session"]) == (settled.conversation, "monday")
    assert event["data"]["records"] == len(settled.kept)
    mine = server.memory.remember("Sam likes coffee", user="sam")
    assert sam.next()["data"]["id"] == mine.id


def test_a_remote_memory_calls_back_for_what_anybody_does(server: Serving) -> None:
    heard: queue.Queue[Event] = queue.Queue()
    with Memory.open(server.url, api_key=server.key("alex", user="alex")) as remote:
        subscription = remote.on("record_added", heard.put)
        server.memory.remember("Sam likes coffee", user="sam")
        kept = server.memory.remember("Alex likes tea", user="alex")
        event = heard.get(timeout=30)
        assert (event.name, event.id, event.data) == ("record_added", kept.id, {"kind": kept.kind})
        subscription.off()


def test_a_remote_callback_that_the_server_refuses_is_an_error(server: Serving) -> None:
    with Memory.open(server.url, api_key="tk_wrong") as remote, pytest.raises(NotAllowed):
        remote.on("record_added", print)
