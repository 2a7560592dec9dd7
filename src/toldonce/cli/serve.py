"""The command serve: the memory over HTTP, behind credentials."""

from __future__ import annotations

import importlib.util
import socket
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toldonce.cli.invocation import Invocation, pass_invocation
from toldonce.cli.options import named_command, user_option
from toldonce.config import is_server
from toldonce.errors import ConfigError, InputError
from toldonce.optional import install_hint

if TYPE_CHECKING:
    from toldonce.memory import Memory
    from toldonce.server.app import ServerApp
    from toldonce.server.settings import ServerSettings

_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_PARTS = ("fastapi", "uvicorn", "prometheus_client", "jwt", "mcp", "jinja2", "babel")


@named_command("serve")
@user_option("Whom the printed link signs in.")
@click.option("--host", default=_LOOPBACK[0], show_default=True, help="The address to listen at.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8766, show_default=True, help="The port; 0 picks a free one."
)
@click.option("--allow-host", multiple=True, metavar="NAME", help="A host name that clients may use; may be repeated.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="How many processes serve.")
@click.option("--https", is_flag=True, help="Clients reach it by HTTPS through a proxy: cookies are sent there only.")
@click.option("--jwks-url", metavar="URL", default="", help="Where the keys of signed tokens (JWT) are published.")
@click.option("--jwt-key", metavar="FILE", type=click.Path(exists=True, dir_okay=False), help="Or a file with the key.")
@click.option("--jwt-issuer", metavar="TEXT", default="", help="Who must have issued a token.")
@click.option("--jwt-audience", metavar="TEXT", default="", help="For whom a token must be.")
@click.option("--person-claim", metavar="NAME", default="sub", show_default=True, help="The claim with the person.")
@click.option("--rate", type=click.IntRange(0), default=1200, show_default=True, help="Requests a minute; 0: no limit.")
@click.option("--private-webhooks", is_flag=True, help="Owners may have events sent to private addresses.")
@click.option("--sample", is_flag=True, help="Serve a memory of its own with invented sample data, to look around.")
@click.option("--socket", "inherited", type=int, hidden=True)
@pass_invocation
def serve(
    invocation: Invocation,
    /,
    user: str | None,
    host: str,
    port: int,
    workers: int,
    sample: bool,
    inherited: int | None,
    **options: Any,
) -> None:
    """Serve the memory over HTTP: pages, REST, MCP, events.

    It prints a link that signs a browser in, once. Programs use keys: see `toldonce keys`.
    """
    missing = [name for name in _PARTS if importlib.util.find_spec(name) is None]
    if missing:
        raise InputError(f"`toldonce serve` needs more packages: {install_hint('server')}")
    from toldonce.cli.maintenance import until_stopped
    from toldonce.server.run import listen_at, run_app, run_workers, worker_command

    if not sample and is_server(invocation.place):
        raise InputError("this memory is on a server already: name a memory of this machine with --place")
    settings = _read_settings(host, **options)
    listening = socket.socket(fileno=inherited) if inherited is not None else None
    with _open_sample() if sample else invocation.open(make=True, vectors=True) as memory:
        _require_credential(memory, host, settings)
        listening = listening or (_listen_somewhere(host, port) if sample else listen_at(host, port))
        with listening, until_stopped() as stopped:
            from toldonce.server.app import create_app

            app = create_app(memory, settings)
            announced = ""
            if inherited is None:
                person = _sample_user(user) if sample else invocation.user(user)
                announced = _make_announcement(app, listening, user=person, briefly=sample)
            if workers > 1 and inherited is None:
                memory.close()
                tell = partial(click.echo, announced, err=True)
                run_workers(worker_command(), listening, count=workers, stopped=stopped, announce=tell)
                return
            if announced:
                click.echo(announced, err=True)
            # The vectors of new records are the background's work here: no request waits for them.
            memory.engine.searcher.catch_up = None
            stop = memory.job_runner.watch(memory)
            try:
                run_app(app, listening, stopped=stopped)
            finally:
                stop()


def _open_sample() -> Memory:
    """The memory with sample data, made on first use in a folder of its own."""
    from platformdirs import user_data_path

    from toldonce import Memory
    from toldonce.server.sample import ensure_sample, sample_space

    folder = user_data_path("toldonce") / "sample"
    return Memory.open(ensure_sample(folder), space=sample_space(), background=False)


def _sample_user(said: str | None) -> str:
    from toldonce.server.sample import sample_person

    return said or sample_person()


def _listen_somewhere(host: str, port: int) -> socket.socket:
    """The port, or a free one where it is taken: somebody who looks around has nothing to configure."""
    from toldonce.server.run import listen_at

    try:
        return listen_at(host, port)
    except InputError:
        return listen_at(host, 0)


def _read_settings(
    host: str,
    *,
    allow_host: Sequence[str],
    https: bool,
    jwks_url: str,
    jwt_key: str | None,
    jwt_issuer: str,
    jwt_audience: str,
    person_claim: str,
    rate: int,
    private_webhooks: bool,
) -> ServerSettings:
    from toldonce.server.settings import RequestLimits, ServerSettings, TokenSettings

    if (jwks_url or jwt_key) and not (jwt_issuer and jwt_audience):
        raise InputError("tokens are verified for an issuer and an audience: give --jwt-issuer and --jwt-audience")
    if jwks_url and not jwks_url.startswith(("https://", "http://127.0.0.1", "http://localhost")):
        raise InputError("--jwks-url must be an https address: whoever changes those keys may read everything")
    key = Path(jwt_key).read_text(encoding="utf-8").strip() if jwt_key else ""
    if jwt_key and not key:
        raise ConfigError(f"{jwt_key}: the file is empty")
    tokens = TokenSettings(
        jwks_url=jwks_url, key=key, issuer=jwt_issuer, audience=jwt_audience, person_claim=person_claim
    )
    return ServerSettings(
        hosts=(host, *allow_host),
        tokens=tokens,
        limits=RequestLimits(requests_per_minute=rate),
        is_secure=https,
        private_webhooks=private_webhooks,
    )


def _require_credential(memory: Memory, host: str, settings: ServerSettings) -> None:
    """Refuse to listen where others can reach it while nobody outside could sign in anyway."""
    if host in _LOOPBACK or settings.tokens.is_set:
        return
    now = memory.clock()
    if not any(key.revoked_at is None and not key.has_expired(now) for key in memory.keys.all()):
        raise InputError(
            f"at {host} others can reach this memory: make a key first (`toldonce keys add NAME --user PERSON`), or "
            "have tokens verified (--jwks-url)"
        )


def _make_announcement(app: ServerApp, listening: socket.socket, *, user: str | None, briefly: bool) -> str:
    """Where it is served, unless `briefly`, and the link that signs a browser in."""
    from toldonce.server.identity import Identity

    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    owner = Identity(
        credential="link",
        name="this machine",
        kind="browser",
        person=user,
        rights=("read", "write", "manage"),
        role="person",
        is_owner=True,
    )
    token = app.credentials.make_link_token(owner)
    lines = [] if briefly else [f"Serving at http://{shown}:{port}"]
    if host in _LOOPBACK or host in ("0.0.0.0", "::"):
        name = shown if host in _LOOPBACK else "127.0.0.1"
        place = "&next=%2F%3Ftour%3D1" if briefly else ""
        lines.append(f"Open in a browser, once: http://{name}:{port}/sign-in?token={token}{place}")
    return "\n".join(lines)
