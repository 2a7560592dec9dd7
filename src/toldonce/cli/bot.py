"""The commands bot discord, slack and telegram: a memory for a chat community."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from toldonce.cli.invocation import Invocation, pass_invocation
from toldonce.cli.options import CliGroup
from toldonce.config import is_server
from toldonce.errors import ConfigError, InputError
from toldonce.optional import install_hint

if TYPE_CHECKING:
    from toldonce.integrations.chat.answering import Answerer
    from toldonce.integrations.chat.rules import ChatRules
    from toldonce.integrations.chat.runtime import BotRuntime
    from toldonce.memory import Memory
    from toldonce.stopping import StopFlag

F = TypeVar("F", bound=Callable[..., Any])


@click.group("bot", cls=CliGroup)
@click.pass_context
def bot(ctx: click.Context) -> None:
    """Remember what people say on Discord, Slack or Telegram."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def _rule_options(function: F) -> F:
    """What all bots let one choose."""
    for option in (
        click.option("--channel", multiple=True, metavar="ID", help="Remember only this channel; may be repeated."),
        click.option("--skip-channel", multiple=True, metavar="ID", help="Do not remember this one; may be repeated."),
        click.option(
            "--prefix", multiple=True, metavar="TEXT", help="How commands for other bots begin, by default ! and /."
        ),
        click.option("--direct", is_flag=True, help="Also remember what people write to the bot alone."),
        click.option("--answer", is_flag=True, help="Answer when addressed, with the model of the settings."),
    ):
        function = option(function)
    return function


@bot.command("discord")
@click.option("--server", multiple=True, metavar="ID[=SPACE]", help="A server to remember; may be repeated.")
@click.option("--skip-role", multiple=True, metavar="ROLE", help="Do not remember people of this role.")
@_rule_options
@pass_invocation
def discord(invocation: Invocation, /, server: Sequence[str], skip_role: Sequence[str], **given: Any) -> None:
    """Remember a Discord server. The bot's token is in DISCORD_TOKEN."""
    _require_packages(("discord",), extra="discord")
    from toldonce.integrations.chat.discord_bot import TOKEN_VARIABLE, run_discord

    token = _read_token(TOKEN_VARIABLE, "https://discord.com/developers/applications (Bot, Reset Token)")
    for one in server:
        if not one.partition("=")[0].strip().isdigit():
            raise InputError(f"--server {one!r}: name the server's id, a number (right-click it, Copy Server ID)")
    with _open_bot(invocation, "discord", server, skip_role=skip_role, **given) as (runtime, stopped):
        run_discord({}, runtime, token, stopped)


@bot.command("telegram")
@click.option("--chat", multiple=True, metavar="ID[=SPACE]", help="A group to remember; may be repeated.")
@_rule_options
@pass_invocation
def telegram(invocation: Invocation, /, chat: Sequence[str], **given: Any) -> None:
    """Remember groups on Telegram. The bot's token is in TELEGRAM_TOKEN.

    Without --chat it says the ids of groups that it hears from.
    """
    _require_packages(("telegram",), extra="telegram")
    from toldonce.integrations.chat.telegram_bot import TOKEN_VARIABLE, run_telegram

    token = _read_token(TOKEN_VARIABLE, "@BotFather on Telegram (/newbot, or /mybots)")
    with _open_bot(invocation, "telegram", chat, **given) as (runtime, stopped):
        run_telegram(runtime, token, stopped)


@bot.command("slack")
@_rule_options
@pass_invocation
def slack(invocation: Invocation, /, **given: Any) -> None:
    """Remember a Slack workspace. The tokens are in SLACK_BOT_TOKEN and SLACK_APP_TOKEN."""
    _require_packages(("slack_bolt",), extra="slack")
    from toldonce.integrations.chat import slack_bot

    where = "https://api.slack.com/apps"
    token = _read_token(slack_bot.TOKEN_VARIABLE, f"{where} (OAuth & Permissions, Bot User OAuth Token)")
    app_token = _read_token(slack_bot.APP_TOKEN_VARIABLE, f"{where} (Basic Information, App-Level Tokens)")
    client = slack_bot.open_client(token)
    workspace = slack_bot.find_workspace(client)
    with _open_bot(invocation, "slack", [workspace.id], **given) as (runtime, stopped):
        invocation.note(f"Remembering the workspace {workspace.name}, in channels that the bot is invited to")
        slack_bot.run_slack(slack_bot.SlackBot(runtime, client, workspace), app_token, stopped)


def _require_packages(names: Sequence[str], *, extra: str) -> None:
    if any(importlib.util.find_spec(name) is None for name in names):
        raise InputError(f"`toldonce bot {extra}` needs more packages: {install_hint(extra)}")


def _read_token(variable: str, where: str) -> str:
    token = os.environ.get(variable, "").strip()
    if not token:
        raise ConfigError(f"there is no token: set {variable}; you get it at {where}")
    return token


@contextmanager
def _open_bot(
    invocation: Invocation, platform: str, servers: Sequence[str], *, answer: bool, **given: Any
) -> Iterator[tuple[BotRuntime, StopFlag]]:
    """What a bot runs with, until the process is told to stop."""
    from toldonce.cli.maintenance import until_stopped
    from toldonce.integrations.chat.runtime import BotRuntime

    if is_server(invocation.place):
        raise InputError("a bot needs a memory of this machine or a database: name one with --place")
    with invocation.open(make=True, preset="community", vectors=True) as memory:
        preset = memory.spaces.preset(invocation.space)
        if preset.kind(preset.capture.kind).visibility_for("person") == "private":
            invocation.note(
                f"This space has the preset {preset.name}, which keeps what people say to themselves: a community needs"
                " a space of its own, as `toldonce spaces add NAME --preset community` makes"
            )
        rules = _read_rules(servers, home=invocation.space or memory.space.name, **given)
        answerer = _load_answerer(invocation, memory) if answer else None
        runtime = BotRuntime(memory, rules, platform=platform, answerer=answerer, note=invocation.note)
        with until_stopped() as stopped:
            stop = memory.job_runner.watch(memory)
            try:
                yield runtime, stopped
            finally:
                stop()


def _read_rules(
    servers: Sequence[str],
    *,
    home: str,
    channel: Sequence[str],
    skip_channel: Sequence[str],
    prefix: Sequence[str],
    direct: bool,
    skip_role: Sequence[str] = (),
) -> ChatRules:
    from toldonce.integrations.chat.rules import DEFAULT_PREFIXES, ChatRules, read_servers

    def names(given: Sequence[str]) -> frozenset[str]:
        return frozenset(one.strip().removeprefix("#") for one in given)

    return ChatRules(
        servers=read_servers(tuple(servers), default=home),
        channels=names(channel),
        skipped_channels=names(skip_channel),
        skipped_roles=names(skip_role),
        prefixes=tuple(prefix) or DEFAULT_PREFIXES,
        has_direct=direct,
    )


def _load_answerer(invocation: Invocation, memory: Memory) -> Answerer:
    from toldonce.cli.invocation import load_writer
    from toldonce.integrations.chat.answering import ModelAnswerer

    tiers = load_writer(invocation.settings.config)
    if tiers is None:
        raise ConfigError("--answer needs a language model: name one in the setting `writer` (docs/configuration.md)")
    return ModelAnswerer(memory, tiers)
