"""Reads `postgresql://...`: what libpq connects to, and what is Toldonce's own in it.

An address is taken apart as libpq does it, not as a browser would: a password may hold `#` and `?`, and `+` is a plus.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from urllib.parse import quote, unquote

from psycopg import pq

from toldonce.errors import InputError
from toldonce.records import LOCAL_TENANT

SCHEMES = ("postgresql", "postgres")
# Ours among the parameters of an address; all others are libpq's.
_OURS = _TENANT, _POOL, _PREPARE, _REPLICA = "tenant", "pool", "prepare", "replica"
# Understood by libpq in addresses only: `ssl=true` is `sslmode=require`.
_ONLY_IN_ADDRESSES = "ssl"
_DEFAULT_POOL = 10
_NAME = re.compile(r"[\w.@-]{1,100}")
_PARTS = re.compile(r"(\w+)://(?:([^@/]*)@)?([^/?]*)(/[^?]*)?(?:\?(.*))?", re.DOTALL)
_HOST = re.compile(r"(?:\[[^\]]*\]|[^:\[\]]*)(?::\d*)?")
_UNREADABLE = (
    "this address of a database cannot be read: write postgresql://user@host:port/database, and in names and passwords "
    "%40 for @, %2F for /, %3A for : and %25 for %"
)


@dataclass(frozen=True, slots=True)
class Address:
    """Where a database is, whose memory in it is meant, how many connections one process may hold, and whether they
    keep prepared statements. `replica` is a standby to read from.
    """

    conninfo: str
    place: str
    tenant: str = LOCAL_TENANT
    pool: int = _DEFAULT_POOL
    is_prepared: bool = False
    replica: Address | None = None


def read_address(address: str) -> Address:
    """The parts of an address; `place` is the address without its password."""
    scheme, login, hosts, path, query = _split_address(address)
    given = [(_read_name(piece), piece) for piece in query.split("&") if piece]
    ours = {name: unquote(piece.partition("=")[2]) for name, piece in given if name in _OURS}
    tenant = ours.get(_TENANT, LOCAL_TENANT)
    if not _NAME.fullmatch(tenant):
        raise InputError("tenant= takes up to 100 letters, digits and . @ - _: correct it in the address")
    theirs = [piece for name, piece in given if name not in _OURS]
    shown = [piece for name, piece in given if name != _REPLICA and not _libpq_parameters().get(name, False)]
    user = login.partition(":")[0]
    return Address(
        conninfo=_join_address("postgresql", login, hosts + path, theirs),
        place=_join_address(scheme, user, hosts + path, shown),
        tenant=tenant,
        pool=_read_pool(ours.get(_POOL, str(_DEFAULT_POOL))),
        is_prepared=_read_switch(ours.get(_PREPARE, "no")),
        replica=_read_replica(ours.get(_REPLICA, "")),
    )


def strip_secrets(address: str) -> str:
    """An address as it may be kept in a file: without passwords, also that of the standby in it."""
    read = read_address(address)
    if read.replica is None:
        return read.place
    joint = "&" if "?" in read.place else "?"
    return f"{read.place}{joint}{_REPLICA}={quote(read.replica.place, safe='')}"


def _split_address(address: str) -> tuple[str, str, str, str, str]:
    """Scheme, login, hosts, path and query; an `@` in the wrong part is one of a password, which nobody is shown."""
    parts = _PARTS.fullmatch(address)
    if parts is None:
        raise InputError(_UNREADABLE)
    scheme, login, hosts, path, query = (part or "" for part in parts.groups())
    if "@" in hosts + path or not all(_HOST.fullmatch(host) for host in hosts.split(",")):
        raise InputError(_UNREADABLE)
    return scheme, login, hosts, path, query


def _read_name(piece: str) -> str:
    """The name of a parameter, which must be known."""
    name, is_given, _ = piece.partition("=")
    name = unquote(name)
    if not is_given:
        raise InputError(_UNREADABLE)
    if name not in _OURS and name not in _libpq_parameters():
        raise InputError(
            f"unknown parameter {name!r} in the address: known are {', '.join(_OURS)}, and those of libpq such as "
            "sslmode, host and target_session_attrs"
        )
    return name


@cache
def _libpq_parameters() -> dict[str, bool]:
    """The parameters that libpq knows, each with whether it is a secret or not for showing."""
    known = {option.keyword.decode(): bool(option.dispchar) for option in pq.Conninfo.get_defaults()}
    return known | {_ONLY_IN_ADDRESSES: False}


def _join_address(scheme: str, login: str, hosts_and_path: str, query: list[str]) -> str:
    return f"{scheme}://{login}{'@' if login else ''}{hosts_and_path}{'?' if query else ''}{'&'.join(query)}"


def _read_pool(said: str) -> int:
    if said.isdecimal() and 2 <= int(said) <= 1000:
        return int(said)
    raise InputError("pool= is the number of connections, 2 to 1000: correct it in the address")


def _read_switch(said: str) -> bool:
    if said in ("yes", "no"):
        return said == "yes"
    raise InputError("prepare= is yes or no: correct it in the address")


def _read_replica(said: str) -> Address | None:
    if not said:
        return None
    if said.partition("://")[0] not in SCHEMES:
        raise InputError(
            "replica= is the address of a standby, postgresql://... (percent-encoded): correct it in the address"
        )
    standby = read_address(said)
    if standby != Address(conninfo=standby.conninfo, place=standby.place):
        raise InputError(
            f"the address in replica= takes no {', '.join(_OURS)}: the standby has those of the address around it"
        )
    return standby
