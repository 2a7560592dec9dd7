"""A Bot API of this machine: `getUpdates` as a long poll, and what the bot sends, over HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

TOKEN = "123456:fake-token-of-the-tests"
GROUP, SECOND = -1001234567890, -555
# 2026-03-02 09:00 UTC.
_START = 1_772_442_000


def person(number: int, name: str, **given: Any) -> dict[str, Any]:
    return {"id": number, "is_bot": False, "first_name": name, "username": name.lower(), **given}


ANA, BEN = person(11, "Ana"), person(12, "Ben", last_name="Silva")
OWN = {"id": 99, "is_bot": True, "first_name": "Toldonce", "username": "toldonce_bot"}
CHATS: dict[int, dict[str, Any]] = {
    GROUP: {"id": GROUP, "type": "supergroup", "title": "Climbers", "is_forum": True},
    SECOND: {"id": SECOND, "type": "group", "title": "Family"},
}


class FakeTelegram:
    """Everything runs in the loop of the test."""

    def __init__(self) -> None:
        self.updates: list[dict[str, Any]] = []
        self.sent: list[tuple[str, dict[str, Any]]] = []
        self.offsets: list[int] = []
        self.blocked_by: set[int] = set()
        self.errors: list[tuple[int, str]] = []
        self.reads_all = True
        self.url = ""
        self._number = 0
        self._news = asyncio.Event()

    @asynccontextmanager
    async def run(self) -> AsyncIterator[FakeTelegram]:
        app = web.Application(client_max_size=10_000_000)
        app.router.add_route("*", "/bot{token}/{method}", self._answer)
        runner = web.AppRunner(app, shutdown_timeout=1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}/bot"
        try:
            yield self
        finally:
            await runner.cleanup()

    def message(self, chat: int, author: dict[str, Any], text: str, **given: Any) -> dict[str, Any]:
        """A message as the API has it."""
        self._number += 1
        place = CHATS.get(chat) or {"id": chat, "type": "private", "first_name": author["first_name"]}
        number = self._number
        return {"message_id": number, "date": _START + number, "chat": place, "from": author, "text": text, **given}

    def post(self, chat: int, author: dict[str, Any], text: str, **given: Any) -> dict[str, Any]:
        """Somebody writes."""
        made = self.message(chat, author, text, **given)
        self.push(message=made)
        return made

    def edit(self, message: dict[str, Any], text: str) -> None:
        """Somebody changes a message."""
        self._number += 1
        message.update(text=text, edit_date=_START + self._number)
        self.push(edited_message=message)

    def push(self, **update: Any) -> None:
        """An update for the bot."""
        self._number += 1
        self.updates.append({"update_id": self._number, **update})
        self._news.set()

    def said(self, chat: int) -> list[str]:
        """What the bot wrote into a chat."""
        return [str(body.get("text", "")) for _, body in self.sent if int(body["chat_id"]) == chat]

    async def _answer(self, request: web.Request) -> web.Response:
        if request.match_info["token"] != TOKEN:
            return _problem(401, "Unauthorized")
        method, body = request.match_info["method"], dict(await request.post())
        if self.errors and method == "getUpdates":
            return _problem(*self.errors.pop(0))
        if method == "getMe":
            return _result({**OWN, "can_read_all_group_messages": self.reads_all, "can_join_groups": True})
        if method == "getUpdates":
            return _result(await self._wait_for_updates(body))
        if method in ("sendMessage", "sendDocument"):
            chat = int(str(body["chat_id"]))
            if chat in self.blocked_by:
                return _problem(403, "Forbidden: bot can't initiate conversation with a user")
            if isinstance(file := body.get("document"), web.FileField):
                body["document"] = file.file.read().decode()
            self.sent.append((method, body))
            return _result(self.message(chat, OWN, str(body.get("text", ""))))
        return _result(True)

    async def _wait_for_updates(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        offset = int(body.get("offset", 0))
        self.offsets.append(offset)
        self.updates = [one for one in self.updates if one["update_id"] >= offset]
        if not self.updates and int(body.get("timeout", 0)):
            self._news.clear()
            await self._news.wait()
        return self.updates[: int(body.get("limit", 100))]


def _result(value: Any) -> web.Response:
    return web.json_response({"ok": True, "result": value})


def _problem(code: int, text: str) -> web.Response:
    body = {"ok": False, "error_code": code, "description": text}
    return web.Response(status=code, text=json.dumps(body), content_type="application/json")
