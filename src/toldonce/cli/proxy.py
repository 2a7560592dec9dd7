"""The command proxy: a memory for clients of a model that can change their base URL."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence

import click

from toldonce.cli.invocation import Invocation, pass_invocation
from toldonce.cli.options import named_command, user_option
from toldonce.config import is_server
from toldonce.errors import InputError
from toldonce.optional import install_hint

_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_PARTS = ("httpx", "uvicorn")


@named_command("proxy")
@click.option("--to", required=True, metavar="URL", help="The model's API, such as https://api.openai.com/v1.")
@user_option("Whose memory requests use that name nobody.")
@click.option("--everyone", is_flag=True, help="Remember whoever is named, not only people known here.")
@click.option("--host", default=_LOOPBACK[0], show_default=True, help="The address to listen at.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8767, show_default=True, help="The port; 0 picks a free one."
)
@click.option("--allow-host", multiple=True, metavar="NAME", help="A host name that clients may use; may be repeated.")
@click.option("--token", envvar="TOLDONCE_PROXY_TOKEN", metavar="TEXT", default="", help="What clients must present.")
@pass_invocation
def proxy(
    invocation: Invocation,
    /,
    to: str,
    user: str | None,
    everyone: bool,
    host: str,
    port: int,
    allow_host: Sequence[str],
    token: str,
) -> None:
    """Give clients of a model a memory: they use this as their base URL.

    Requests of people known here get what is remembered of them, and what is said is observed.
    """
    if any(importlib.util.find_spec(name) is None for name in _PARTS):
        raise InputError(f"`toldonce proxy` needs more packages: {install_hint('proxy')}")
    from toldonce.cli.maintenance import until_stopped
    from toldonce.integrations.proxy.app import BASE, ProxyApp, ProxySettings, read_address
    from toldonce.integrations.proxy.turns import ProxyPeople, TurnMemory
    from toldonce.server.run import listen_at, run_asgi

    address = read_address(to)
    if is_server(invocation.place):
        raise InputError("the proxy needs a memory of this machine or a database: name one with --place")
    if host not in _LOOPBACK and not token:
        raise InputError(f"at {host} others could act as anybody: set a token in TOLDONCE_PROXY_TOKEN first")
    settings = ProxySettings(to=address, hosts=(host, *allow_host), token=token)
    with invocation.open(make=True, vectors=True) as memory, listen_at(host, port) as listening:
        turns = TurnMemory(memory, people=ProxyPeople(everyone=everyone, default=user), space=invocation.space)
        shown = f"[{host}]" if ":" in host else host
        with until_stopped() as stopped:
            invocation.note(f"Base URL for clients: http://{shown}:{listening.getsockname()[1]}{BASE}")
            invocation.note(f"Requests go to {address}")
            stop = memory.job_runner.watch(memory)
            try:
                run_asgi(ProxyApp(turns, settings), listening, stopped=stopped)
            finally:
                stop()
