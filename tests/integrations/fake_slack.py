"""A Slack of this machine: the Web API and Socket Mode, with payloads as Slack sends them, in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from typing import Any

from aiohttp import WSMsgType, web

BOT_TOKEN, APP_TOKEN = "xoxb-fake-token-of-the-tests", "xapp-fake-token-of-the-tests"
TEAM, BOT = "T1", "UBOT"
GENERAL, PRIVATE, DIRECT = "C1", "G1", "D1"
ANA, BEN = "U1", "U2"
# 2026-03-02 09:00 UTC.
_START = 1_772_442_000
PATIENCE_S = 30

PEOPLE: dict[str, dict[str, Any]] = {
    ANA: {"id": ANA, "name": "ana", "is_bot": False, "profile": {"display_name": "Ana", "real_name": "Ana Pires"}},
    BEN: {"id": BEN, "name": "ben", "is_bot": False, "profile": {"display_name": "", "real_name": "Ben Silva"}},
    BOT: {"id": BOT, "name": "toldonce", "is_bot": True, "profile": {"display_name": "Toldonce"}},
}
CHANNELS: dict[str, dict[str, Any]] = {
    GENERAL: {"id": GENERAL, "name": "general", "is_channel": True, "is_private": False},
    PRIVATE: {"id": PRIVATE, "name": "board", "is_group": True, "is_private": True},
    DIRECT: {"id": DIRECT, "is_im": True, "user": ANA},
}


class FakeSlack:
    """What people do is told to the bot while it is connected, and is in the history in any case."""

    def __init__(self) -> None:
        self.messages: dict[str, list[dict[str, Any]]] = {channel: [] for channel in CHANNELS}
        self.posted: list[dict[str, Any]] = []
        self.responses: list[dict[str, Any]] = []
        self.uploads: list[bytes] = []
        self.confirmed: list[str] = []
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.connections = 0
        self.refuse_with = ""
        self.url = ""
        self._numbers = count(1)
        self._socket: web.WebSocketResponse | None = None
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._finish: asyncio.Event | None = None

    @contextmanager
    def run(self) -> Iterator[FakeSlack]:
        thread = threading.Thread(target=lambda: self._loop.run_until_complete(self._serve()), daemon=True)
        thread.start()
        assert self._ready.wait(PATIENCE_S)
        try:
            yield self
        finally:
            assert self._finish is not None
            self._loop.call_soon_threadsafe(self._finish.set)
            thread.join(PATIENCE_S)
            self._loop.close()

    async def _serve(self) -> None:
        app = web.Application()
        app.router.add_get("/socket", self._connect)
        app.router.add_route("*", "/api/{method}", self._call)
        app.router.add_post("/respond", self._respond)
        app.router.add_post("/upload", self._upload)
        runner = web.AppRunner(app, shutdown_timeout=1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        self._finish = asyncio.Event()
        self._ready.set()
        await self._finish.wait()
        await runner.cleanup()

    # What people do

    def post(self, channel: str, user: str, text: str, **given: Any) -> dict[str, Any]:
        """Somebody writes."""
        message = {"type": "message", "user": user, "text": text, "ts": self._ts(), "team": TEAM, **given}
        self.messages[channel].append(message)
        self.send_event({**message, "channel": channel, "event_ts": message["ts"]})
        return message

    def edit(self, channel: str, message: dict[str, Any], text: str) -> None:
        """Somebody changes a message."""
        before = dict(message)
        message.update(text=text, edited={"user": message["user"], "ts": self._ts()})
        self._tell_change("message_changed", channel, message=message, previous_message=before)

    def delete(self, channel: str, message: dict[str, Any]) -> None:
        """Somebody deletes a message."""
        self.messages[channel].remove(message)
        self._tell_change("message_deleted", channel, deleted_ts=message["ts"], previous_message=message)

    def _tell_change(self, subtype: str, channel: str, **given: Any) -> None:
        ts = self._ts()
        self.send_event(
            {
                "type": "message",
                "subtype": subtype,
                "channel": channel,
                "ts": ts,
                "event_ts": ts,
                "hidden": True,
                **given,
            }
        )

    def send_event(self, event: dict[str, Any]) -> str:
        """An event of the Events API in an envelope; its id."""
        number = next(self._numbers)
        payload = {
            "token": "t", "team_id": TEAM, "api_app_id": "A1", "type": "event_callback", "event": event,
            "event_id": f"Ev{number}", "event_time": _START, "authorizations": [{"team_id": TEAM, "user_id": BOT}],
        }  # fmt: skip
        return self._send({"type": "events_api", "payload": payload, "accepts_response_payload": False})

    def command(self, user: str, text: str) -> str:
        """Somebody uses /memory."""
        payload = {
            "token": "t", "team_id": TEAM, "channel_id": GENERAL, "user_id": user, "command": "/memory", "text": text,
            "api_app_id": "A1", "response_url": f"{self.url}/respond", "trigger_id": "1",
        }  # fmt: skip
        return self._send({"type": "slash_commands", "payload": payload, "accepts_response_payload": True})

    def drop(self) -> None:
        """Slack closes the connection; the bot has to ask for a new one."""
        socket, self._socket = self._socket, None
        if socket is not None:
            asyncio.run_coroutine_threadsafe(socket.close(), self._loop).result(PATIENCE_S)

    def _send(self, envelope: dict[str, Any]) -> str:
        name = f"e{next(self._numbers)}"
        sending = self._deliver({"envelope_id": name, **envelope})
        asyncio.run_coroutine_threadsafe(sending, self._loop).result(PATIENCE_S)
        return name

    async def _deliver(self, envelope: dict[str, Any]) -> None:
        # Who has left is told nothing.
        with suppress(ConnectionError):
            if self._socket is not None:
                await self._socket.send_json(envelope)

    def _ts(self) -> str:
        return f"{_START + next(self._numbers)}.000100"

    # What the bot asks

    async def _connect(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        self._socket = socket
        await socket.send_json({"type": "hello", "num_connections": 1})
        self.connections += 1
        async for frame in socket:
            if frame.type is WSMsgType.TEXT and "envelope_id" in (told := frame.json()):
                self.confirmed.append(told["envelope_id"])
        return socket

    async def _respond(self, request: web.Request) -> web.Response:
        self.responses.append(await request.json())
        return web.Response(text="ok")

    async def _upload(self, request: web.Request) -> web.Response:
        self.uploads.append(await request.read())
        return web.Response(text="OK")

    async def _call(self, request: web.Request) -> web.Response:
        method = request.match_info["method"]
        is_json = request.content_type == "application/json" and await request.text()
        body = {**request.query, **(await request.json() if is_json else await request.post())}
        self.calls.append((method, body))
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if token not in (BOT_TOKEN, APP_TOKEN):
            return web.json_response({"ok": False, "error": "invalid_auth"})
        if self.refuse_with:
            return web.json_response({"ok": False, "error": self.refuse_with, "needed": "channels:history"})
        return web.json_response({"ok": True, **self._answer(method, body)})

    def _answer(self, method: str, body: dict[str, Any]) -> dict[str, Any]:
        if method == "auth.test":
            return {"team_id": TEAM, "team": "Climbers", "user_id": BOT, "bot_id": "B1", "user": "toldonce", "url": ""}
        if method == "apps.connections.open":
            return {"url": f"{self.url.replace('http', 'ws', 1)}/socket"}
        if method == "users.info":
            return {"user": PEOPLE[body["user"]]}
        if method == "conversations.info":
            return {"channel": CHANNELS[body["channel"]]}
        if method == "users.conversations":
            return {"channels": [CHANNELS[GENERAL], CHANNELS[PRIVATE]]}
        if method == "conversations.open":
            return {"channel": {"id": DIRECT}}
        if method == "conversations.history":
            return self._read_history(body)
        if method == "conversations.replies":
            found = [one for one in self.messages[body["channel"]] if body["ts"] in (one["ts"], one.get("thread_ts"))]
            return {"messages": found}
        if method == "chat.postMessage":
            self.posted.append(body)
        if method == "files.getUploadURLExternal":
            return {"upload_url": f"{self.url}/upload", "file_id": "F1"}
        if method == "files.completeUploadExternal":
            return {"files": [{"id": "F1", "title": "memory.md"}]}
        return {}

    def _read_history(self, body: dict[str, Any]) -> dict[str, Any]:
        """Newest first, two a page, without answers in threads, as Slack does."""
        oldest, latest = float(body.get("oldest", 0)), float(body.get("latest", "inf"))
        every, start = self.messages[body["channel"]], int(body.get("cursor") or 0)
        there = [one for one in every if oldest < float(one["ts"]) <= latest]
        roots = [one for one in there if one.get("thread_ts", one["ts"]) == one["ts"]]
        answers = [one["thread_ts"] for one in every if "thread_ts" in one]
        found = [{**one, "reply_count": answers.count(one["ts"])} for one in reversed(roots)]
        page = found[start : start + min(2, int(body.get("limit", 100)))]
        more = start + 2 < len(found)
        return {
            "messages": page,
            "has_more": more,
            "response_metadata": {"next_cursor": str(start + 2) if more else ""},
        }
