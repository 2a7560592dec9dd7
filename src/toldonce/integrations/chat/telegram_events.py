"""Telegram's messages, chats and people as values. Pure: nothing is fetched or stored."""

from __future__ import annotations

import telegram
from telegram.constants import ChatType

from toldonce.integrations.chat.values import ChannelMessage, ChatAuthor, ChatChannel, DeletedMessage

PLATFORM = "telegram"
_GROUPS = (ChatType.GROUP, ChatType.SUPERGROUP)
# What the API puts before the id of a supergroup; exports have the bare id.
_SUPERGROUP = "-100"


def read_message(message: telegram.Message, *, bot: telegram.User) -> ChannelMessage | None:
    """A message that a person wrote in a group or to the bot; None for notices, and for what channels post."""
    user = message.from_user
    if user is None or message.sender_chat is not None or message.chat.type == ChatType.CHANNEL:
        return None
    answered = message.reply_to_message
    answers_bot = answered is not None and answered.from_user is not None and answered.from_user.id == bot.id
    text = (message.text or message.caption or "").strip()
    file = message.document or message.audio or message.video
    channel = read_channel(message)
    return ChannelMessage(
        id=str(message.message_id),
        channel=channel,
        author=read_author(user),
        text=text,
        at=message.date,
        mentions=tuple(read_author(entity.user) for entity in message.entities if entity.user is not None),
        reply_to=str(answered.message_id) if answered is not None and not answered.forum_topic_created else "",
        attachments=(file.file_name,) if file and file.file_name else (),
        edited_at=message.edit_date,
        is_addressed=answers_bot or channel.audience == "direct" or _mentions(message, bot),
    )


def read_channel(message: telegram.Message) -> ChatChannel:
    """Where a message is: in a group, in a topic of a group, or between one person and the bot."""
    chat = message.chat
    number = str(chat.id)
    if chat.type not in _GROUPS:
        return ChatChannel(platform=PLATFORM, id=number, audience="direct")
    topic = f"{number} {message.message_thread_id}" if message.is_topic_message else ""
    return ChatChannel(
        platform=PLATFORM,
        id=number,
        server=number,
        thread=topic,
        title=chat.title or "",
        source_id=number.removeprefix(_SUPERGROUP).removeprefix("-"),
    )


def read_author(user: telegram.User) -> ChatAuthor:
    """Who somebody is, by the id that exports have."""
    return ChatAuthor(
        id=f"user{user.id}", username=user.username or "", display_name=user.full_name, is_bot=user.is_bot
    )


def read_command(message: telegram.Message, name: str, *, bot: telegram.User) -> str | None:
    """What follows a command such as /memory; None if the message is not that command, or is for another bot."""
    word, _, rest = (message.text or "").strip().partition(" ")
    called, _, whom = word.partition("@")
    is_ours = not whom or whom.casefold() == (bot.username or "").casefold()
    return rest.strip() if called.casefold() == f"/{name}" and is_ours else None


def read_answered(message: telegram.Message) -> DeletedMessage | None:
    """The person's own message that they answered with a command, as one that is to be forgotten."""
    answered, user = message.reply_to_message, message.from_user
    if answered is None or user is None or answered.from_user is None or answered.from_user.id != user.id:
        return None
    return DeletedMessage(
        id=str(answered.message_id), channel=read_channel(answered), at=answered.date, person=f"user{user.id}"
    )


def _mentions(message: telegram.Message, bot: telegram.User) -> bool:
    named = message.parse_entities(["mention"]) if message.text else message.parse_caption_entities(["mention"])
    return any(text.removeprefix("@").casefold() == (bot.username or "").casefold() for text in named.values())
