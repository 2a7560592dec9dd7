"""Settings from files, environment and command line, each layer over the one before; nothing is opened or made here.

What a project's file says of addresses, models and places outside the project counts only when the user trusted it
(`toldonce.trust`). An unknown key and a value that cannot be used are refused with the file or variable, and the key,
that is wrong.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

from toldonce.clock import load_zone
from toldonce.errors import ConfigError, InputError
from toldonce.tables import read_dataclass
from toldonce.trust import LARGEST_BYTES, hash_settings, is_trusted, setting_needs_trust

PROJECT_FILE = "toldonce.toml"
PREFIX = "TOLDONCE_"
USER_FILE_VARIABLE = "TOLDONCE_CONFIG"
# Keys are never read from files, and each is read where it is used. They are listed so that they are not refused here.
OTHER_VARIABLES = (
    USER_FILE_VARIABLE, "TOLDONCE_EMBEDDER_KEY", "TOLDONCE_RERANKER_KEY", "TOLDONCE_WRITER_KEY",
    "TOLDONCE_VECTOR_ENGINE_KEY",
    "TOLDONCE_MCP_TOKEN", "TOLDONCE_PROXY_TOKEN", "TOLDONCE_ENCRYPTION_KEY", "TOLDONCE_NEW_ENCRYPTION_KEY",
    "TOLDONCE_EXPORT_KEY", "TOLDONCE_SIGNING_KEY", "TOLDONCE_API_KEY", "TOLDONCE_SEAL_KEY",
)  # fmt: skip
DEFAULT = "default"
# A vector engine in a folder, which counts from the file that names it.
ENGINE_PREFIX = "chroma:"

LogLevel = Literal["debug", "info", "warning", "error"]
LogFormat = Literal["text", "json"]
Switch = Literal["0", "1"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The settings every interface needs before it opens a memory. An empty string means: not set."""

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
    writer_budget: str = ""
    taggers: str = ""
    vector_engine: str = "builtin"
    key_command: str = ""
    log_level: LogLevel = "warning"
    log_format: LogFormat = "text"
    otel: Switch = "0"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings that hold, where each of them comes from, and the files that were read."""

    config: Config
    sources: Mapping[str, str]
    files: tuple[Path, ...] = ()
    ignored: tuple[str, ...] = ()

    @property
    def warning(self) -> str:
        """What to tell the user of settings that were ignored; empty when none were."""
        if not self.ignored:
            return ""
        keys = ", ".join(self.ignored)
        return f"{self.files[-1]}: {keys} ignored, since this file is not trusted: `toldonce trust` shows and allows it"


@dataclass(frozen=True, slots=True)
class _Layer:
    """What one file, the environment or the command line says; paths in it count from `base`."""

    names: Mapping[str, str]
    table: Mapping[str, Any]
    base: Path


def load_config(
    *,
    cwd: Path,
    environ: Mapping[str, str],
    options: Mapping[str, str | None] | None = None,
    trust: bool | None = None,
) -> Settings:
    """The settings that hold in a folder; later ones win: defaults, user file, project file, environment, options.

    `trust` answers for the user whether the project's file is trusted, to compare both; None asks the user's list.
    """
    own, project = user_file(environ), find_project_file(cwd)
    layers = [_file_layer(*_read_settings_file(own))] if own is not None else []
    ignored: tuple[str, ...] = ()
    if project is not None:
        layer, ignored = _project_layer(project, own, trust)
        layers.append(layer)
    layers += [_environment_layer(environ, cwd), _option_layer(options or {}, cwd)]
    config, sources = Config(place=default_place()), dict.fromkeys(KEYS, DEFAULT)
    for layer in layers:
        for key, value in _read_layer(layer):
            config = replace(config, **{key: value})
            sources[key] = layer.names[key]
    return Settings(config, sources, tuple(f for f in (own, project) if f is not None), ignored)


def project_digest(path: Path) -> str:
    """The hash by which a project's file is trusted."""
    content = _read_settings_file(path)[1]
    return hash_settings(path, content, _file_layer(path, content).table)


def user_file(environ: Mapping[str, str]) -> Path | None:
    """The person's own settings file, if there is one; TOLDONCE_CONFIG names another, and then it must be there."""
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

    return user_config_path("toldonce", appauthor=False) / "config.toml"


def default_place() -> str:
    """Where a memory is kept when nothing says otherwise."""
    from platformdirs import user_data_path

    return str(user_data_path("toldonce", appauthor=False) / "memory.db")


def find_project_file(cwd: Path) -> Path | None:
    """The nearest toldonce.toml, in this folder or one above it."""
    return next((f for folder in (cwd, *cwd.parents) if (f := folder / PROJECT_FILE).is_file()), None)


def is_path(place: str) -> bool:
    """Whether a place is the path of a file, and not an address or a memory inside this process."""
    return "://" not in place and place != ":memory:"


def is_database_address(place: str) -> bool:
    """Whether a place is the address of a database."""
    return place.startswith(("postgresql://", "postgres://"))


def is_server(place: str) -> bool:
    """Whether a place is the address of a server."""
    return place.startswith(("https://", "http://"))


def environment_variable(key: str) -> str:
    """The environment variable of a setting."""
    return PREFIX + key.upper()


KEYS = tuple(f.name for f in fields(Config))


def _read_settings_file(path: Path) -> tuple[Path, bytes]:
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST_BYTES + 1)
    except OSError as problem:
        raise ConfigError(f"{path}: cannot be read: {problem}") from None
    if len(content) > LARGEST_BYTES:
        raise ConfigError(f"{path}: cannot be read: it is larger than {LARGEST_BYTES:,} bytes")
    return path, content


def _project_layer(path: Path, own: Path | None, trust: bool | None) -> tuple[_Layer, tuple[str, ...]]:
    """What a project's file may say, and the keys in it that are ignored until the user trusts it."""
    content = _read_settings_file(path)[1]
    layer = _file_layer(path, content)
    doubted = tuple(k for k, v in layer.table.items() if k in KEYS and setting_needs_trust(k, v, path.parent))
    if not doubted or trust or (own is not None and own.samefile(path)):
        return layer, ()
    if trust is None and is_trusted(path, hash_settings(path, content, layer.table)):
        return layer, ()
    return replace(layer, table={k: v for k, v in layer.table.items() if k not in doubted}), doubted


def _file_layer(path: Path, content: bytes) -> _Layer:
    try:
        table = tomllib.loads(content.decode("utf-8"))
    except tomllib.TOMLDecodeError as problem:
        raise ConfigError(f"{path}: not valid TOML: {problem}") from None
    except UnicodeDecodeError as problem:
        raise ConfigError(f"{path}: cannot be read: {problem}") from None
    except RecursionError:
        raise ConfigError(f"{path}: not valid TOML: nested too deeply") from None
    return _Layer(dict.fromkeys({*table, *KEYS}, str(path)), table, path.parent)


def _environment_layer(environ: Mapping[str, str], cwd: Path) -> _Layer:
    said = {n: v for n, v in environ.items() if n.startswith(PREFIX) and n not in OTHER_VARIABLES and v}
    known = {environment_variable(key): key for key in KEYS}
    for name in said:
        if name not in known:
            raise ConfigError(f"{name}: unknown variable; known: {', '.join(sorted([*known, *OTHER_VARIABLES]))}")
    return _Layer({key: environment_variable(key) for key in KEYS}, {known[n]: v for n, v in said.items()}, cwd)


def _option_layer(options: Mapping[str, str | None], cwd: Path) -> _Layer:
    said = {key: value for key, value in options.items() if value is not None}
    return _Layer({key: f"--{key.replace('_', '-')}" for key in KEYS}, said, cwd)


def _read_layer(layer: _Layer) -> Iterator[tuple[str, Any]]:
    """The keys that a layer sets, checked, with their paths resolved."""
    for key, value in layer.table.items():
        source = layer.names.get(key, key)
        yield (
            key,
            _complete_path(key, getattr(read_dataclass(Config, {key: value}, file=source), key), source, layer.base),
        )


def _complete_path(key: str, value: str, source: str, base: Path) -> str:
    if key in ("place", "space", "embedder", "reranker", "writer") and not value.strip():
        raise ConfigError(f"{source}: {key} is empty")
    if key == "zone" and value:
        try:
            load_zone(value)
        except InputError as problem:
            raise ConfigError(f"{source}: {key}: {problem}") from None
    if (key == "place" and is_path(value)) or (key == "preset" and value.endswith(".toml")):
        return str(base / Path(value).expanduser())
    if key == "vector_engine" and value.startswith(ENGINE_PREFIX) and "://" not in value:
        return f"{ENGINE_PREFIX}{base / Path(value.removeprefix(ENGINE_PREFIX)).expanduser()}"
    return value
