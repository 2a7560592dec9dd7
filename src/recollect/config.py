"""Settings from files, environment and command line, each layer over the one before; nothing is opened or made here.

A key nobody knows and a value that cannot be used are refused with the file or variable, and the key, that is wrong.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

from recollect.clock import zone
from recollect.errors import ConfigError, InputError
from recollect.tables import read_table

PROJECT_FILE = "recollect.toml"
PREFIX = "RECOLLECT_"
USER_FILE_VARIABLE = "RECOLLECT_CONFIG"
# Keys of services are read by what uses them and stand in no file; they are only named here, so as not to be refused.
OTHER_VARIABLES = (
    USER_FILE_VARIABLE, "RECOLLECT_EMBEDDER_KEY", "RECOLLECT_RERANKER_KEY", "RECOLLECT_WRITER_KEY",
    "RECOLLECT_MCP_TOKEN",
)  # fmt: skip
DEFAULT = "default"

LogLevel = Literal["debug", "info", "warning", "error"]
LogFormat = Literal["text", "json"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What every door needs to know before it opens a memory. An empty text means: not said."""

    place: str = ""
    preset: str = ""
    space: str = "main"
    user: str = ""
    zone: str = ""
    embedder: str = "default"
    reranker: str = "none"
    writer: str = "none"
    writer_strong: str = ""
    writer_tasks: str = ""
    writer_prices: str = ""
    taggers: str = ""
    log_level: LogLevel = "warning"
    log_format: LogFormat = "text"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings that hold, where each of them comes from, and the files that were read."""

    config: Config
    sources: Mapping[str, str]
    files: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class _Layer:
    """What one file, the environment or the command line says; paths in it count from `base`."""

    names: Mapping[str, str]
    table: Mapping[str, Any]
    base: Path


def load_config(*, cwd: Path, environ: Mapping[str, str], options: Mapping[str, str | None] | None = None) -> Settings:
    """The settings that hold in a folder; later ones win: defaults, user file, project file, environment, options."""
    files = tuple(f for f in (user_file(environ), project_file(cwd)) if f is not None)
    layers = [_file_layer(f) for f in files]
    layers += [_environment_layer(environ, cwd), _option_layer(options or {}, cwd)]
    config, sources = Config(place=default_place()), dict.fromkeys(KEYS, DEFAULT)
    for layer in layers:
        for key, value in _read(layer):
            config = replace(config, **{key: value})
            sources[key] = layer.names[key]
    return Settings(config, sources, files)


def user_file(environ: Mapping[str, str]) -> Path | None:
    """The person's own settings file, if there is one; RECOLLECT_CONFIG names another, and then it must be there."""
    if named := environ.get(USER_FILE_VARIABLE):
        path = Path(named).expanduser()
        if not path.is_file():
            raise ConfigError(f"{USER_FILE_VARIABLE}: there is no file {path}")
        return path
    path = default_user_file()
    return path if path.is_file() else None


def default_user_file() -> Path:
    """Where a person's own settings are looked for."""
    from platformdirs import user_config_path

    return user_config_path("recollect", appauthor=False) / "config.toml"


def default_place() -> str:
    """Where a memory is kept when nothing says otherwise."""
    from platformdirs import user_data_path

    return str(user_data_path("recollect", appauthor=False) / "memory.db")


def project_file(cwd: Path) -> Path | None:
    """The nearest recollect.toml, in this folder or one above it."""
    return next((f for folder in (cwd, *cwd.parents) if (f := folder / PROJECT_FILE).is_file()), None)


def is_path(place: str) -> bool:
    """Whether a place is the path of a file, and not an address or a memory inside this process."""
    return "://" not in place and place != ":memory:"


def variable(key: str) -> str:
    """The environment variable of a setting."""
    return PREFIX + key.upper()


KEYS = tuple(f.name for f in fields(Config))


def _file_layer(path: Path) -> _Layer:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as problem:
        raise ConfigError(f"{path}: not valid TOML: {problem}") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise ConfigError(f"{path}: cannot be read: {problem}") from None
    return _Layer(dict.fromkeys({*table, *KEYS}, str(path)), table, path.parent)


def _environment_layer(environ: Mapping[str, str], cwd: Path) -> _Layer:
    said = {n: v for n, v in environ.items() if n.startswith(PREFIX) and n not in OTHER_VARIABLES and v}
    known = {variable(key): key for key in KEYS}
    for name in said:
        if name not in known:
            raise ConfigError(f"{name}: unknown variable; known: {', '.join(sorted([*known, *OTHER_VARIABLES]))}")
    return _Layer({key: variable(key) for key in KEYS}, {known[n]: v for n, v in said.items()}, cwd)


def _option_layer(options: Mapping[str, str | None], cwd: Path) -> _Layer:
    said = {key: value for key, value in options.items() if value is not None}
    return _Layer({key: f"--{key.replace('_', '-')}" for key in KEYS}, said, cwd)


def _read(layer: _Layer) -> Iterator[tuple[str, Any]]:
    """The keys a layer says something about, checked, with their paths made whole."""
    for key, value in layer.table.items():
        source = layer.names.get(key, key)
        yield key, _whole(key, getattr(read_table(Config, {key: value}, file=source), key), source, layer.base)


def _whole(key: str, value: str, source: str, base: Path) -> str:
    if key in ("place", "space", "embedder", "reranker", "writer") and not value.strip():
        raise ConfigError(f"{source}: {key} is empty")
    if key == "zone" and value:
        try:
            zone(value)
        except InputError as problem:
            raise ConfigError(f"{source}: {key}: {problem}") from None
    if (key == "place" and is_path(value)) or (key == "preset" and value.endswith(".toml")):
        return str(base / Path(value).expanduser())
    return value
