"""Templates: values come in, HTML goes out. Everything is escaped unless a macro or a sentence made it."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

STATIC = resources.files("toldonce.server") / "static"
MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


@cache
def load_static() -> dict[str, tuple[bytes, str]]:
    """The files that pages load, by name: their bytes and media type. Nothing else can be asked for."""
    found = {}
    for file in STATIC.iterdir():
        suffix = file.name[file.name.rfind(".") :]
        if suffix in MEDIA_TYPES:
            found[file.name] = (file.read_bytes(), MEDIA_TYPES[suffix])
    return found


@cache
def static_url(name: str) -> str:
    """The address of a file, which changes with its content: browsers may keep it for ever."""
    digest = hashlib.blake2b(load_static()[name][0], digest_size=6).hexdigest()
    return f"/static/{name}?v={digest}"


@cache
def environment() -> Environment:
    """The templates with what they may use."""
    made = Environment(
        loader=PackageLoader("toldonce.server"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals["static_url"] = static_url
    return made


def render(template: str, values: dict[str, Any]) -> str:
    """A page or a part of one."""
    return environment().get_template(template).render(values)
