"""The bot on Slack, in Socket Mode: what people write in its channels is remembered, with edits, deletions and threads.

Events are handled one after another and confirmed once they are stored, so Slack sends again what was not. After each
connection the history of every channel is read from the last message that is stored.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_handlers import RateLimitErrorRetryHandler

from toldonce.errors import ConfigError, ServerUnavailable, ToldonceError
from toldonce.importers.values import moment_of
from toldonce.integrations.chat.commands import CommandAnswer, split_answer
from toldonce.integrations.chat.progress import Position
from toldonce.integrations.chat.runtime import FAILED, BotRuntime
from toldonce.integrations.chat.slack_events import (
    is_tombstone,
    list_mentions,
    read_author,
    read_channel,
    read_deletion,
    read_message,
)
from toldonce.integrations.chat.values import ChannelMessage, ChatAuthor, ChatChannel, HistoryWindow
from toldonce.integrations.recent_values import RecentValues
from toldonce.stopping import StopFlag

TOKEN_VARIABLE, APP_TOKEN_VARIABLE = "SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"
LONGEST_ANSWER = 3000
COMMAND = "/memory"
_PORTAL = "https://api.slack.com/apps"
_PAGE = 200
_BATCH = 100
_ANSWERS_AT_ONCE = 4
_REFUSED = (
    "invalid_auth",
    "not_authed",
    "account_inactive",
    "token_revoked",
    "token_expired",
    "not_allowed_token_type",
)
log = logging.getLogger("toldonce.chat.slack")
# What the library tells below an error may quote what people wrote.
_library_log = logging.getLogger("toldonce.chat.slack.bolt")
_library_log.setLevel(logging.ERROR)


@dataclass(frozen=True, slots=True)
class Workspace:
    """Whom a token belongs to: the workspace and the bot's own id there."""

    id: str
    name: str
    bot_id: str


def open_client(token: str, **options: Any) -> WebClient:
    """A client of Slack's API that waits when it is asked to slow down."""
    client = WebClient(token=token, **options)
    client.retry_handlers.append(RateLimitErrorRetryHandler(max_retry_count=5))
    return client


def find_workspace(client: WebClient) -> Workspace:
    """The workspace of a token; an error says what to do about a token that is refused."""
    try:
        told = client.auth_test()
    except SlackApiError as problem:
        raise _explain(problem, TOKEN_VARIABLE) from None
    except OSError as problem:
        raise ServerUnavailable(f"Slack cannot be reached: {type(problem).__name__}; try again later") from problem
    return Workspace(str(told["team_id"]), str(told.get("team") or ""), str(told["user_id"]))


class SlackBot:
    """A connection to Slack for one memory."""

    def __init__(self, runtime: BotRuntime, client: WebClient, workspace: Workspace) -> None:
        self.runtime = runtime
        self.app = App(
            client=client,
            process_before_response=True,
            ignoring_self_events_enabled=False,
            token_verification_enabled=False,
            # Nothing comes in but by the socket that was opened with a token; some versions refuse an empty secret.
            request_verification_enabled=False,
            raise_error_for_unhandled_request=False,
            logger=_library_log,
        )
        self._client = client
        self._workspace = workspace
        self._people: RecentValues[str, ChatAuthor] = RecentValues()
        self._channels: RecentValues[str, ChatChannel] = RecentValues()
        self._beside = ThreadPoolExecutor(max_workers=_ANSWERS_AT_ONCE, thread_name_prefix="toldonce-slack")
        self.app.event("message")(self.on_message)
        self.app.event("user_change")(self.on_user_change)
        self.app.event("app_mention")(_ignore)
        self.app.command(COMMAND)(ack=_acknowledge, lazy=[self.on_command])

    def run(self, app_token: str, stopped: StopFlag) -> None:
        """Stay connected until the process is told to stop."""
        # One thread, so that an edit is not handled before its message.
        handler = SocketModeHandler(self.app, app_token, concurrency=1)
        handler.client.message_listeners.append(self._greet)
        handler.client.on_close_listeners.append(lambda *_: self.runtime.progress.pause())
        try:
            handler.client.connect()
            stopped.wait()
        except SlackApiError as problem:
            raise _explain(problem, APP_TOKEN_VARIABLE) from None
        finally:
            handler.client.close()
            self._beside.shutdown(wait=True, cancel_futures=True)

    # Events

    def on_message(self, event: Mapping[str, Any]) -> None:
        """Somebody wrote, changed or deleted something."""
        channel = self._find_channel(str(event["channel"]))
        subtype, changed = event.get("subtype"), event.get("message")
        if subtype == "message_deleted" or (isinstance(changed, dict) and is_tombstone(changed)):
            if (gone := read_deletion(event, channel)) is not None:
                self.runtime.store_deletion([gone]).result()
        elif subtype == "message_changed" and isinstance(changed, dict):
            edited = self._read(changed, channel)
            if edited is not None and edited.edited_at is not None:
                self.runtime.store_edit(edited).result()
        elif (said := self._read(event, channel)) is not None:
            self.runtime.store_live(said).result()
            if said.is_addressed and not said.author.is_bot and self.runtime.answerer is not None:
                self._beside.submit(self._answer, said)

    def on_user_change(self, event: Mapping[str, Any]) -> None:
        """Somebody is called otherwise now."""
        author = read_author(event["user"])
        self._people.put(author.id, author)
        self.runtime.store_name(author, server=self._workspace.id).result()

    def on_command(self, body: Mapping[str, Any], respond: Any) -> None:
        """Answer `/memory` to the person alone. Who asks comes from Slack, never from the command."""
        user, text = str(body["user_id"]), str(body.get("text") or "")
        answer = self.runtime.run_command(lambda commands: commands.run(user, text)).result() or CommandAnswer(FAILED)
        for part in split_answer(answer.text, LONGEST_ANSWER):
            respond(text=part, response_type="ephemeral")
        if answer.file:
            direct = self._client.conversations_open(users=user)["channel"]["id"]
            self._client.files_upload_v2(channel=direct, filename=answer.file_name, content=answer.file)

    def _answer(self, said: ChannelMessage) -> None:
        if text := self.runtime.answer(said):
            thread = said.reply_to or said.id if said.channel.audience != "direct" else None
            try:
                self._client.chat_postMessage(channel=said.channel.id, text=text[:LONGEST_ANSWER], thread_ts=thread)
            except SlackApiError as problem:
                log.warning("an answer could not be sent: %s", problem.response.get("error"))

    # Gaps

    def _greet(self, _: Any, message: Mapping[str, Any], __: str | None) -> None:
        """A connection began: read what was written before it."""
        if message.get("type") == "hello":
            self.runtime.progress.mark_behind()
            self._beside.submit(self.catch_up)

    def catch_up(self) -> None:
        """Read what was written in every channel since the last message that was stored."""
        try:
            for info in self._list_channels():
                channel = read_channel(info, server=self._workspace.id)
                self._channels.put(channel.id, channel)
                if not self.runtime.chat.skips(channel):
                    self._catch_up_channel(channel)
            self.runtime.progress.save()
        except (SlackApiError, OSError) as problem:
            log.warning("what was written before could not be read: %s", type(problem).__name__)

    def _catch_up_channel(self, channel: ChatChannel) -> None:
        last = self.runtime.progress.last(channel.source)
        if last is None:
            newest = self._client.conversations_history(channel=channel.id, limit=1).get("messages") or []
            self.runtime.progress.note_read(channel.source, _position_of(str(newest[0]["ts"]) if newest else "0"))
        else:
            self._compare_window(channel, last)
            found = sorted(self._read_history(channel, last), key=lambda one: float(one["ts"]))
            for start in range(0, len(found), _BATCH):
                batch = found[start : start + _BATCH]
                said = [one for raw in batch if (one := self._read(raw, channel)) is not None]
                self.runtime.store_history(channel, said, _position_of(str(batch[-1]["ts"]))).result()
        self.runtime.progress.mark_current(channel.source)

    def _compare_window(self, channel: ChatChannel, last: Position) -> None:
        """Look at the newest messages that are stored once more: they may have been edited or deleted in the gap."""
        page = self._client.conversations_history(channel=channel.id, latest=last.id, inclusive=True, limit=_BATCH)
        there = [one for one in page.get("messages") or () if not is_tombstone(one)]
        if not there:
            return
        said = (self._read(one, channel) for one in there if one.get("edited"))
        window = HistoryWindow(
            channel=channel,
            since=min(_position_of(str(one["ts"])).at for one in there),
            until=last.at,
            ids=frozenset(str(one["ts"]) for one in there),
            edited=tuple(one for one in said if one is not None),
        )
        self.runtime.store_window(window).result()

    def _read_history(self, channel: ChatChannel, last: Position) -> Iterator[Mapping[str, Any]]:
        """Messages after a position, newest first, each with the answers in its thread."""
        for page in self._client.conversations_history(channel=channel.id, oldest=last.id, limit=_PAGE):
            for message in page.get("messages") or ():
                yield message
                if message.get("reply_count"):
                    yield from self._read_thread(channel, str(message["ts"]))

    def _read_thread(self, channel: ChatChannel, thread: str) -> Iterator[Mapping[str, Any]]:
        for page in self._client.conversations_replies(channel=channel.id, ts=thread, limit=_PAGE):
            yield from (one for one in page.get("messages") or () if one.get("ts") != thread)

    def _list_channels(self) -> Iterator[Mapping[str, Any]]:
        kinds = "public_channel,private_channel"
        for page in self._client.users_conversations(types=kinds, exclude_archived=True, limit=_PAGE):
            yield from page.get("channels") or ()

    # Names

    def _read(self, message: Mapping[str, Any], channel: ChatChannel) -> ChannelMessage | None:
        ids = [str(message.get("user") or ""), *list_mentions(str(message.get("text") or ""))]
        people = {one: self._find_person(one) for one in ids if one}
        return read_message(message, channel, people, bot_id=self._workspace.bot_id)

    def _find_person(self, user: str) -> ChatAuthor:
        if (known := self._people.get(user)) is not None:
            return known
        try:
            found = read_author(self._client.users_info(user=user)["user"])
        except SlackApiError as problem:
            log.warning("Slack does not say who wrote: %s", problem.response.get("error"))
            return ChatAuthor(id=user)
        self._people.put(user, found)
        return found

    def _find_channel(self, channel: str) -> ChatChannel:
        if (known := self._channels.get(channel)) is not None:
            return known
        info = self._client.conversations_info(channel=channel)["channel"]
        found = read_channel(info, server=self._workspace.id)
        self._channels.put(channel, found)
        return found


def run_slack(bot: SlackBot, app_token: str, stopped: StopFlag) -> None:
    """Run the bot until the process is told to stop; what was begun is stored first."""
    try:
        bot.run(app_token, stopped)
    except OSError as problem:
        raise ServerUnavailable(f"Slack cannot be reached: {type(problem).__name__}; try again later") from problem
    finally:
        bot.runtime.close()


def _acknowledge(ack: Any) -> None:
    ack()


def _ignore() -> None:
    """A mention comes as a message too."""


def _position_of(ts: str) -> Position:
    at = moment_of(float(ts))
    assert at is not None
    return Position(at, ts)


def _explain(problem: SlackApiError, variable: str) -> ToldonceError:
    if problem.response.status_code >= 500:
        return ServerUnavailable("Slack has a problem of its own: try again later")
    code = str(problem.response.get("error"))
    if code in _REFUSED:
        where = "OAuth & Permissions, Bot User OAuth Token" if variable == TOKEN_VARIABLE else "App-Level Tokens"
        return ConfigError(f"Slack refused the token in {variable}: copy it from {_PORTAL} ({where})")
    if code == "missing_scope":
        needed = problem.response.get("needed")
        return ConfigError(f"the app lacks the scope {needed}: add it at {_PORTAL} and install the app again")
    return ConfigError(f"Slack refused: {code}; see docs/integrations/slack.md for how to set up the app")
