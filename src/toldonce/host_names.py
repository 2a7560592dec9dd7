"""The host that a request or a page names, read so that nothing else in the header passes for one."""

from __future__ import annotations

import re

_SIX = r"\[(?P<six>[0-9A-Fa-f:.]{2,45})\]"
_NAME = r"(?P<name>[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9_])?\.?)"
_HOST = rf"(?:{_SIX}|{_NAME})(?::\d{{1,5}})?"
_HEADER = re.compile(_HOST)
_ORIGIN = re.compile(rf"[A-Za-z][A-Za-z0-9+.-]{{0,30}}://{_HOST}")


def read_host(header: str) -> str:
    """The host of a Host header without its port, in lower case; "" for a header that is anything else."""
    return _read(_HEADER.fullmatch(header))


def read_origin(header: str) -> str:
    """The host of an Origin header; "" for one that names none."""
    return _read(_ORIGIN.fullmatch(header))


def _read(found: re.Match[str] | None) -> str:
    return (found["six"] or found["name"]).casefold() if found else ""
