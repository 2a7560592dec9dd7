"""A Discord of this machine: the gateway as a WebSocket, the REST API over HTTP, and payloads as Discord sends them.

async with FakeDiscord().run() as discord:
    await discord.post(GENERAL, ANA, "hi")       a message, which the gateway tells the bot of
    discord.drop()                               the connection is lost; events are kept for the session
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import discord
import yarl
from aiohttp import WSMsgType, web

BOT, APPLICATION, GUILD, EVERYONE = 900, 901, 1000, 1000
GENERAL, MODS, RANDOM = 2001, 2002, 2003
# Ana and the bot alone.
DIRECT = 3001
_VIEW = 1 << 10
TOKEN = "fake.token.of-the-tests"
_EPOCH_MS = 1_420_070_400_000
# 2026-03-02 09:00 UTC.
_START_MS = 1_772_442_000_000


def user(number: int, name: str, *, bot: bool = False) -> dict[str, Any]:
    return {
        "id": str(number), "username": name.lower(), "global_name": name, "discriminator": "0", "avatar": None,
        "bot": bot,
    }  # fmt: skip


ANA, BEN, OWN = user(11, "Ana"), user(12, "Ben"), user(BOT, "Toldonce", bot=True)


def _channel(number: int, name: str, **given: Any) -> dict[str, Any]:
    return {
        "id": str(number), "type": 0, "name": name, "position": 0, "permission_overwrites": [], "nsfw": False,
        "parent_id": None, "topic": None, "last_message_id": None, "rate_limit_per_user": 0, "guild_id": str(GUILD),
        **given,
    }  # fmt: skip


class FakeDiscord:
    """One server with a public, a second public and a private channel. Everything runs in the loop of the test."""

    def __init__(self) -> None:
        self.messages: dict[int, list[dict[str, Any]]] = {GENERAL: [], MODS: [], RANDOM: []}
        self.channels: list[dict[str, Any]] = []
        self.threads: list[dict[str, Any]] = []
        self.replies: list[dict[str, Any]] = []
        self.callbacks: list[dict[str, Any]] = []
        self.commands: list[dict[str, Any]] = []
        self.identified: list[dict[str, Any]] = []
        self.resumed: list[dict[str, Any]] = []
        self.history_requests: list[str] = []
        self.close_with: int | None = None
        self.refuses_commands = False
        self.is_ready = asyncio.Event()
        self._log: list[dict[str, Any]] = []
        self._socket: web.WebSocketResponse | None = None
        self._number = 0
        self.url = ""

    @asynccontextmanager
    async def run(self) -> AsyncIterator[FakeDiscord]:
        app = web.Application()
        app.router.add_get("/gateway", self._gateway)
        app.router.add_route("*", "/api/{rest:.*}", self._rest)
        runner = web.AppRunner(app, shutdown_timeout=1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = runner.addresses[0][1]
        self.url = f"ws://127.0.0.1:{port}/gateway"
        base, gateway = discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY
        discord.http.Route.BASE = f"http://127.0.0.1:{port}/api"
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(self.url)
        try:
            yield self
        finally:
            discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = base, gateway
            await runner.cleanup()

    # What people do

    def snowflake(self) -> int:
        """A new id, a second after the one before."""
        self._number += 1
        return (_START_MS - _EPOCH_MS + self._number * 1000) << 22

    def message(self, channel: int, author: dict[str, Any], text: str, **given: Any) -> dict[str, Any]:
        """A message as the API has it."""
        number = given.pop("id", None) or self.snowflake()
        nick = given.pop("nick", None)
        stamp = discord.utils.snowflake_time(int(number)).isoformat()
        made = {
            "id": str(number), "channel_id": str(channel), "author": author, "content": text, "timestamp": stamp,
            "edited_timestamp": None, "tts": False, "mention_everyone": False, "mentions": [], "mention_roles": [],
            "attachments": [], "embeds": [], "pinned": False, "type": 0, "guild_id": str(GUILD),
            "member": {"nick": nick, "roles": [], "joined_at": stamp, "deaf": False, "mute": False, "flags": 0},
            **given,
        }  # fmt: skip
        if made["guild_id"] is None:
            del made["guild_id"], made["member"]
        return made

    async def post(self, channel: int, author: dict[str, Any], text: str, **given: Any) -> dict[str, Any]:
        """Somebody writes."""
        made = self.message(channel, author, text, **given)
        self.messages.setdefault(channel, []).append(made)
        await self.dispatch("MESSAGE_CREATE", made)
        return made

    async def edit(self, message: dict[str, Any], text: str, **given: Any) -> None:
        """Somebody changes a message."""
        stamp = discord.utils.snowflake_time(self.snowflake()).isoformat()
        message.update({"content": text, "edited_timestamp": stamp, **given})
        await self.dispatch("MESSAGE_UPDATE", message)

    async def delete(self, *messages: dict[str, Any]) -> None:
        """Messages are deleted, several at once in bulk."""
        ids, channel = [one["id"] for one in messages], messages[0]["channel_id"]
        kept = self.messages[int(channel)]
        kept[:] = [one for one in kept if one["id"] not in ids]
        where = {name: messages[0][name] for name in ("channel_id", "guild_id") if name in messages[0]}
        if len(ids) == 1:
            await self.dispatch("MESSAGE_DELETE", {"id": ids[0], **where})
        else:
            await self.dispatch("MESSAGE_DELETE_BULK", {"ids": ids, **where})

    async def open_thread(self, parent: int, name: str) -> dict[str, Any]:
        """A public thread."""
        number = self.snowflake()
        thread = {
            "id": str(number), "type": 11, "name": name, "parent_id": str(parent), "guild_id": str(GUILD),
            "owner_id": ANA["id"], "last_message_id": None, "message_count": 0, "member_count": 1,
            "rate_limit_per_user": 0, "newly_created": True,
            "thread_metadata": {
                "archived": False, "auto_archive_duration": 1440, "locked": False,
                "archive_timestamp": discord.utils.snowflake_time(number).isoformat(),
            },
        }  # fmt: skip
        self.threads.append(thread)
        self.messages[number] = []
        await self.dispatch("THREAD_CREATE", thread)
        return thread

    async def open_channel(self, number: int, name: str) -> None:
        """A new public channel."""
        made = _channel(number, name)
        self.messages[number] = []
        self.channels.append(made)
        await self.dispatch("CHANNEL_CREATE", made)

    async def interact(self, author: dict[str, Any], name: str, **options: Any) -> None:
        """Somebody uses a command of `/memory`."""
        types = {str: 3, bool: 5}
        given = [{"name": key, "type": types[type(value)], "value": value} for key, value in options.items()]
        await self._interact(2, author, name, given)

    async def type_into(self, author: dict[str, Any], name: str, field: str, typed: str) -> None:
        """Somebody types into a field of a command that completes."""
        await self._interact(4, author, name, [{"name": field, "type": 3, "value": typed, "focused": True}])

    async def _interact(self, kind: int, author: dict[str, Any], name: str, given: list[dict[str, Any]]) -> None:
        number = self.snowflake()
        await self.dispatch("INTERACTION_CREATE", {
            "id": str(number), "application_id": str(APPLICATION), "type": kind, "token": f"t{number}", "version": 1,
            "guild_id": str(GUILD), "channel_id": str(GENERAL), "channel": _channel(GENERAL, "general"),
            "member": {
                "user": author, "roles": [], "nick": None, "permissions": "0", "deaf": False, "mute": False, "flags": 0,
                "joined_at": "2026-01-01T00:00:00+00:00",
            },
            "locale": "en-US", "entitlements": [], "authorizing_integration_owners": {}, "context": 0,
            "app_permissions": "0", "attachment_size_limit": 10_000_000,
            "data": {
                "id": "77", "name": "memory", "type": 1, "guild_id": str(GUILD),
                "options": [{"name": name, "type": 1, "options": given}],
            },
        })  # fmt: skip

    # The gateway

    async def dispatch(self, event: str, data: dict[str, Any]) -> None:
        """Tell the bot of an event, or keep it for when the session is resumed."""
        self._log.append({"op": 0, "t": event, "s": len(self._log) + 1, "d": data})
        if self._socket is not None:
            await self._socket.send_json(self._log[-1])

    async def ask_to_reconnect(self) -> None:
        """The gateway wants the bot to connect again and to resume."""
        assert self._socket is not None
        socket, self._socket = self._socket, None
        await socket.send_json({"op": 7, "d": None})

    async def invalidate(self) -> None:
        """The session is over: the bot has to begin a new one, and is told nothing of what it missed."""
        assert self._socket is not None
        socket, self._socket = self._socket, None
        self.is_ready.clear()
        await socket.send_json({"op": 9, "d": False})

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": 45_000}})
        async for frame in socket:
            if frame.type is WSMsgType.TEXT:
                await self._receive(socket, json.loads(frame.data))
        if self._socket is socket:
            self._socket = None
        return socket

    async def _receive(self, socket: web.WebSocketResponse, told: dict[str, Any]) -> None:
        if told["op"] == 1:
            await socket.send_json({"op": 11, "d": None})
        elif told["op"] == 2:
            self.identified.append(told["d"])
            if self.close_with is not None:
                await socket.close(code=self.close_with)
                return
            self._socket = socket
            self._log.clear()
            await self._greet()
        elif told["op"] == 6:
            self.resumed.append(told["d"])
            self._socket = socket
            for event in self._log[told["d"]["seq"] :]:
                await socket.send_json(event)
            await self.dispatch("RESUMED", {"_trace": []})

    async def _greet(self) -> None:
        await self.dispatch("READY", {
            "v": 10, "user": OWN, "guilds": [{"id": str(GUILD), "unavailable": True}], "session_id": "s1",
            "resume_gateway_url": self.url, "application": {"id": str(APPLICATION), "flags": 0}, "_trace": [],
        })  # fmt: skip
        for one in self.channels:
            one["last_message_id"] = self._last(int(one["id"]))
        private = [{"id": str(EVERYONE), "type": 0, "allow": "0", "deny": str(_VIEW)}]
        channels = [
            _channel(GENERAL, "general", last_message_id=self._last(GENERAL)),
            _channel(RANDOM, "random", last_message_id=self._last(RANDOM)),
            _channel(MODS, "mods", permission_overwrites=private, last_message_id=self._last(MODS)),
            *self.channels,
        ]
        role = {
            "id": str(EVERYONE), "name": "@everyone", "color": 0, "colors": {"primary_color": 0}, "hoist": False,
            "position": 0, "permissions": str(_VIEW), "managed": False, "mentionable": False, "flags": 0,
        }  # fmt: skip
        await self.dispatch("GUILD_CREATE", {
            "id": str(GUILD), "name": "Climbers", "owner_id": ANA["id"], "roles": [role], "channels": channels,
            "threads": self.threads, "members": [], "emojis": [], "stickers": [], "features": [], "presences": [],
            "voice_states": [], "stage_instances": [], "guild_scheduled_events": [], "soundboard_sounds": [],
            "member_count": 3, "large": False, "unavailable": False, "verification_level": 0, "afk_timeout": 300,
            "default_message_notifications": 0, "explicit_content_filter": 0, "mfa_level": 0, "nsfw_level": 0,
            "premium_tier": 0, "preferred_locale": "en-US", "system_channel_flags": 0, "premium_progress_bar_enabled":
            False, "icon": None, "splash": None, "banner": None, "description": None, "afk_channel_id": None,
            "system_channel_id": None, "rules_channel_id": None, "public_updates_channel_id": None,
            "vanity_url_code": None, "application_id": None, "discovery_splash": None, "safety_alerts_channel_id": None,
            "joined_at": "2026-01-01T00:00:00+00:00",
        })  # fmt: skip
        self.is_ready.set()

    def _last(self, channel: int) -> str | None:
        return self.messages[channel][-1]["id"] if self.messages[channel] else None

    # The REST API

    async def _rest(self, request: web.Request) -> web.StreamResponse:
        path, method = request.match_info["rest"].split("/"), request.method
        if request.headers.get("Authorization") not in (f"Bot {TOKEN}", None):
            return _json({"message": "401: Unauthorized", "code": 0}, status=401)
        if path == ["users", "@me"]:
            return _json(OWN)
        if path == ["oauth2", "applications", "@me"]:
            return _json({
                "id": str(APPLICATION), "name": "Toldonce", "icon": None, "description": "", "bot_public": False,
                "bot_require_code_grant": False, "verify_key": "", "owner": ANA, "flags": 0, "summary": "",
            })  # fmt: skip
        if path[0] == "applications" and path[-1] == "commands" and self.refuses_commands:
            return _json({"message": "Missing Access", "code": 50001}, status=403)
        if path[0] == "applications" and path[-1] == "commands":
            self.commands = [
                {**one, "id": str(70 + place), "application_id": str(APPLICATION), "version": "1"}
                for place, one in enumerate(await request.json())
            ]
            return _json(self.commands)
        if path[0] == "channels" and path[-1] == "messages" and method == "GET":
            return _json(self._read_history(int(path[1]), request))
        if path == ["channels", str(DIRECT)]:
            return _json({"id": str(DIRECT), "type": 1, "recipients": [ANA], "last_message_id": None})
        if path[-1] == "typing":
            return web.Response(status=204)
        if path[-1] == "callback":
            self.callbacks.append(await request.json())
            return _json({"interaction": {"id": path[1], "type": 2}})
        if path[0] in ("channels", "webhooks") and method in ("POST", "PATCH"):
            return _json(await self._take_reply(request, path))
        return _json({"message": "404: Not Found", "code": 0}, status=404)

    def _read_history(self, channel: int, request: web.Request) -> list[dict[str, Any]]:
        self.history_requests.append(request.path_qs)
        limit, there = int(request.query.get("limit", 50)), self.messages[channel]
        if "before" in request.query:
            newer = [one for one in there if int(one["id"]) < int(request.query["before"])][-limit:]
        else:
            newer = [one for one in there if int(one["id"]) > int(request.query.get("after", 0))][:limit]
        # As Discord does: newest first, and without the fields that only the gateway sends.
        return [{k: v for k, v in one.items() if k not in ("guild_id", "member")} for one in reversed(newer)]

    async def _take_reply(self, request: web.Request, path: list[str]) -> dict[str, Any]:
        if request.content_type == "multipart/form-data":
            form = await request.post()
            body = json.loads(str(form["payload_json"]))
            file = form["files[0]"]
            assert isinstance(file, web.FileField)
            body["file"] = file.file.read().decode()
        else:
            body = await request.json()
        channel = int(path[1]) if path[0] == "channels" else GENERAL
        self.replies.append({**body, "path": "/".join(path)})
        return self.message(channel, OWN, body.get("content") or "")


def _json(value: Any, status: int = 200) -> web.Response:
    # discord.py compares the whole header.
    return web.Response(body=json.dumps(value).encode(), status=status, headers={"Content-Type": "application/json"})
