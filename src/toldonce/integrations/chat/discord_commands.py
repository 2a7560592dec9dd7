"""The commands `/memory ...` of the bot on Discord, each answered to the person alone."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable

import discord
from discord import app_commands

from toldonce.integrations.chat.commands import CommandAnswer, MemoryCommands, split_answer
from toldonce.integrations.chat.runtime import BotRuntime

LONGEST_ANSWER = 2000
# Nothing that the bot writes notifies anybody.
NOBODY = discord.AllowedMentions.none()
_LONGEST_CHOICE = 100


def build_commands(runtime: BotRuntime) -> app_commands.Group:
    """The commands `/memory ...`; each is answered to the person alone."""
    group = app_commands.Group(name="memory", description="What is remembered about you")

    async def suggest(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        user = str(interaction.user.id)
        found = await asyncio.to_thread(runtime.commands.suggest, user, typed)
        return [app_commands.Choice(name=one.text[:_LONGEST_CHOICE], value=one.id) for one in found]

    @group.command(description="See what is known about you")
    async def show(interaction: discord.Interaction) -> None:
        await _respond(runtime, interaction, lambda commands, user: commands.show(user))

    @group.command(description="Find something you said or that is known about you")
    async def search(interaction: discord.Interaction, query: str) -> None:
        await _respond(runtime, interaction, lambda commands, user: commands.search(user, query))

    @group.command(description="Replace an entry about you by what is true")
    @app_commands.autocomplete(entry=suggest)
    async def correct(interaction: discord.Interaction, entry: str, text: str) -> None:
        await _respond(runtime, interaction, lambda commands, user: commands.correct(user, entry, text))

    @group.command(description="Delete an entry about you and your messages that it came from")
    @app_commands.autocomplete(entry=suggest)
    async def forget(interaction: discord.Interaction, entry: str) -> None:
        await _respond(runtime, interaction, lambda commands, user: commands.forget(user, entry))

    @group.command(name="opt-out", description="Do not remember me any more")
    @app_commands.describe(delete="Also delete everything that is stored about me")
    async def opt_out(interaction: discord.Interaction, delete: bool = False) -> None:
        await _respond(runtime, interaction, lambda commands, user: commands.opt_out(user, delete=delete))

    @group.command(name="opt-in", description="Remember me again")
    async def opt_in(interaction: discord.Interaction) -> None:
        await _respond(runtime, interaction, lambda commands, user: commands.opt_in(user))

    @group.command(description="Get everything that is stored about you as a file")
    async def export(interaction: discord.Interaction) -> None:
        await _respond(runtime, interaction, lambda commands, user: commands.export(user))

    return group


async def _respond(
    runtime: BotRuntime, interaction: discord.Interaction, command: Callable[[MemoryCommands, str], CommandAnswer]
) -> None:
    """Answer a command to the person alone. Who it is comes from Discord, never from the command."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    user = str(interaction.user.id)
    answer = await runtime.answer_command(lambda commands: command(commands, user))
    parts = split_answer(answer.text, LONGEST_ANSWER)
    for part in parts[:-1]:
        await interaction.followup.send(part, ephemeral=True, allowed_mentions=NOBODY)
    if answer.file:
        file = discord.File(io.BytesIO(answer.file), filename=answer.file_name)
        await interaction.followup.send(parts[-1], file=file, ephemeral=True, allowed_mentions=NOBODY)
    else:
        await interaction.followup.send(parts[-1], ephemeral=True, allowed_mentions=NOBODY)
