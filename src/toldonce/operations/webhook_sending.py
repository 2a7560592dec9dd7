"""Sends one delivery to a webhook: an address, a secret and a delivery come in; an error says that it was not taken.

Deliveries are signed as Standard Webhooks describes it: HMAC-SHA256 over id, timestamp and body. The name is resolved
once, every address that it has is checked, and the connection goes to one of these; redirects are not followed.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import http.client
import ipaddress
import secrets
import socket
import ssl
import urllib.parse
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from toldonce.errors import InputError, WebhookError
from toldonce.operations.webhook_deliveries import Delivery

SECRET_PREFIX = "whsec_"
# What Standard Webhooks allows, in bytes.
_LEAST_KEY, _MOST_KEY = 24, 64
_TIMEOUT_S = 10.0
_LONGEST_URL = 2_000
_NAT64, _LOCAL_NAT64 = ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("64:ff9b:1::/48")
# How addresses of version 4 were once written in version 6.
_COMPATIBLE = ipaddress.ip_network("::/96")
_PORTS = {"https": 443, "http": 80}


@dataclass(frozen=True, slots=True)
class WebhookTarget:
    """The parts of an address that a webhook may have."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def name(self) -> str:
        """Host and port as a Host header has them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


def make_secret() -> str:
    """A new secret for signatures."""
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


def check_secret(secret: object) -> None:
    """Refuse what is no secret of `make_secret` or of another sender that keeps to Standard Webhooks."""
    problem = f"the secret of a webhook is {SECRET_PREFIX} and 24 to 64 bytes in base64"
    if not isinstance(secret, str) or not secret.startswith(SECRET_PREFIX):
        raise InputError(problem)
    try:
        key = base64.b64decode(secret.removeprefix(SECRET_PREFIX), validate=True)
    except (binascii.Error, ValueError) as cause:
        raise InputError(problem) from cause
    if not _LEAST_KEY <= len(key) <= _MOST_KEY:
        raise InputError(problem)


def sign_delivery(secret: str, delivery_id: str, timestamp: int, body: bytes) -> str:
    """The signature of a delivery, as the header `webhook-signature` has it."""
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    signed = b"%s.%d.%s" % (delivery_id.encode(), timestamp, body)
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def read_target(url: str, *, private: bool) -> WebhookTarget:
    """The parts of a webhook's address; InputError when deliveries cannot go there."""
    problem = "the address of a webhook looks like https://example.org/path"
    if len(url) > _LONGEST_URL or not url.isascii() or not url.isprintable() or " " in url:
        raise InputError(f"{problem}, with at most {_LONGEST_URL} plain characters")
    try:
        parts = urllib.parse.urlsplit(url)
        port = parts.port
    except ValueError as cause:
        raise InputError(problem) from cause
    if parts.scheme not in _PORTS or not parts.hostname or "@" in parts.netloc or parts.fragment:
        raise InputError(problem)
    if parts.scheme == "http" and not private:
        raise InputError("a webhook is sent by https: plain http is for private addresses, with `private` (--private)")
    path = urllib.parse.urlunsplit(("", "", parts.path or "/", parts.query, ""))
    return WebhookTarget(parts.scheme, parts.hostname, port or _PORTS[parts.scheme], path)


def find_addresses(target: WebhookTarget, *, private: bool) -> list[str]:
    """The addresses of a webhook's host; WebhookError when there are none, or when one is not public and must be."""
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as problem:
        raise WebhookError(f"the name {target.host} cannot be resolved: check the address") from problem
    addresses = list(dict.fromkeys(str(one[4][0]) for one in found))
    if not private and not all(is_public(address) for address in addresses):
        raise WebhookError(
            f"{target.host} is a private or loopback address: webhooks go to public ones unless `private` is set, and "
            "a server must be started with --private-webhooks"
        )
    return addresses


def is_public(address: str) -> bool:
    """Whether an address is one of the public internet, also when it wraps another."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = [found.ipv4_mapped, found.sixtofour, *(found.teredo or ())]
        if found in _LOCAL_NAT64:
            # Each network decides for itself where in these the other address is.
            return False
        if found in _NAT64 or found in _COMPATIBLE:
            inner.append(ipaddress.IPv4Address(int(found) & 0xFFFFFFFF))
        if any(one is not None and not is_public(str(one)) for one in inner):
            return False
        if found.ipv4_mapped is not None:
            return True
    return found.is_global and not found.is_multicast


def send_delivery(url: str, secret: str, delivery: Delivery, *, private: bool, now: datetime) -> None:
    """Send a delivery; WebhookError when the receiver cannot be reached or does not answer with success."""
    body, timestamp = delivery.write(), int(now.timestamp())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "toldonce-webhook",
        "webhook-id": delivery.id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": sign_delivery(secret, delivery.id, timestamp, body),
    }
    try:
        target = read_target(url, private=private)
    except InputError as problem:
        raise WebhookError(str(problem)) from problem
    try:
        status = _post(target, find_addresses(target, private=private), body, headers)
    except (OSError, http.client.HTTPException) as problem:
        raise WebhookError(f"the receiver cannot be reached: {type(problem).__name__}") from problem
    if not 200 <= status < 300:
        raise WebhookError(f"the receiver answered {status}", status=status)


def _post(target: WebhookTarget, addresses: list[str], body: bytes, headers: Mapping[str, str]) -> int:
    connection = http.client.HTTPConnection(target.host, target.port, timeout=_TIMEOUT_S)
    sock = _connect_to_any(addresses, target.port)
    try:
        if target.scheme == "https":
            sock = ssl.create_default_context().wrap_socket(sock, server_hostname=target.host)
        connection.sock = sock
        connection.request("POST", target.path, body, {"Host": target.name, **headers})
        return connection.getresponse().status
    finally:
        sock.close()


def _connect_to_any(addresses: list[str], port: int) -> socket.socket:
    """A connection to the first of these addresses that takes one."""
    for address in addresses[:-1]:
        try:
            return socket.create_connection((address, port), timeout=_TIMEOUT_S)
        except OSError:
            continue
    return socket.create_connection((addresses[-1], port), timeout=_TIMEOUT_S)
