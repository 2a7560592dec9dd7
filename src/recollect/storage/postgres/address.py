"""Reads `postgresql://...`: what libpq connects to, and what is Recollect's own in it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from recollect.errors import InputError
from recollect.records import LOCAL_TENANT

SCHEMES = ("postgresql", "postgres")
# Ours among the parameters of an address; all others are libpq's.
_TENANT, _POOL, _PREPARE = "tenant", "pool", "prepare"
_DEFAULT_POOL = 10
_NAME = re.compile(r"[\w.@-]{1,100}")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a database is, whose memory in it is meant, how many connections one process may hold, and whether they
    keep prepared statements.
    """

    conninfo: str
    place: str
    tenant: str = LOCAL_TENANT
    pool: int = _DEFAULT_POOL
    is_prepared: bool = False


def read_address(address: str) -> Address:
    """The parts of an address; `place` is the address without its password."""
    parts = urlsplit(address)
    given = parse_qsl(parts.query, keep_blank_values=True)
    ours = {name: value for name, value in given if name in (_TENANT, _POOL, _PREPARE)}
    tenant = ours.get(_TENANT, LOCAL_TENANT)
    if not _NAME.fullmatch(tenant):
        raise InputError("tenant= takes up to 100 letters, digits and . @ - _: correct it in the address")
    theirs = urlencode([pair for pair in given if pair[0] not in ours], quote_via=quote)
    shown = urlencode([pair for pair in given if pair[0] not in ("password", "sslpassword")], quote_via=quote)
    return Address(
        conninfo=_join_address("postgresql", parts.netloc, parts.path, theirs),
        place=_join_address(parts.scheme, _without_password(parts.netloc), parts.path, shown),
        tenant=tenant,
        pool=_read_pool(ours.get(_POOL, str(_DEFAULT_POOL))),
        is_prepared=_read_switch(ours.get(_PREPARE, "no")),
    )


def _join_address(scheme: str, netloc: str, path: str, query: str) -> str:
    return f"{scheme}://{netloc}{path}{'?' if query else ''}{query}"


def _without_password(netloc: str) -> str:
    login, at, host = netloc.rpartition("@")
    return f"{login.partition(':')[0]}{at}{host}"


def _read_pool(said: str) -> int:
    if said.isdecimal() and 2 <= int(said) <= 1000:
        return int(said)
    raise InputError("pool= is the number of connections, 2 to 1000: correct it in the address")


def _read_switch(said: str) -> bool:
    if said in ("yes", "no"):
        return said == "yes"
    raise InputError("prepare= is yes or no: correct it in the address")
