"""Reads presets: the five that ship with the package by name, any other from a TOML file.

An unknown key, a value of the wrong type or an undefined name is an error that names the file and the key.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from toldonce.errors import BadPreset, ConfigError, UnknownPreset
from toldonce.presets.policy import Preset
from toldonce.tables import read_dataclass

_FIELD = re.compile(r"{(\w+)}")
LINE_FIELDS = frozenset(
    "text short label kind date author title source id more confidence area file warning name question section".split()
)


@cache
def shipped_presets() -> tuple[str, ...]:
    """The names of the presets that come with the package."""
    folder = files("toldonce.presets")
    return tuple(sorted(f.name.removesuffix(".toml") for f in folder.iterdir() if f.name.endswith(".toml")))


# Keys of kinds by the names that they had before.
_RENAMED = {"doubted_when_stale": "outdated_when_stale"}


def preset_text(name: str) -> tuple[str, str]:
    """The TOML text of a preset and the name of its file, for a shipped name or a path."""
    if name in shipped_presets():
        return _shipped_text(name), f"{name}.toml"
    try:
        path = Path(name).expanduser()
        if path.suffix == ".toml" or path.is_file():
            return path.read_text(encoding="utf-8"), str(path)
    except (OSError, ValueError, RuntimeError) as problem:
        raise UnknownPreset(f"the preset file {str(name)[:200]} cannot be read: {problem}") from None
    raise UnknownPreset(
        f"no preset {name[:200]!r}: choose one of {', '.join(shipped_presets())}, or give the path of a TOML file"
    )


@cache
def _shipped_text(name: str) -> str:
    """Read once: a process may lose the right to read the package, or the package its place, while it runs."""
    return files("toldonce.presets").joinpath(f"{name}.toml").read_text(encoding="utf-8")


def load_preset(name: str) -> Preset:
    """The preset of that name or path."""
    return parse_preset(*preset_text(name))


@lru_cache(maxsize=32)
def parse_preset(text: str, file: str) -> Preset:
    """The preset that a TOML text describes."""
    try:
        table: dict[str, Any] = tomllib.loads(text)
        _rename_keys(table.get("kinds"))
        preset = _name_kinds(read_dataclass(Preset, table, file=file))
    except tomllib.TOMLDecodeError as problem:
        raise BadPreset(f"{file}: not valid TOML: {problem}") from None
    except ConfigError as problem:
        raise BadPreset(str(problem)) from None
    for key, fault in _find_preset_faults(preset):
        raise BadPreset(f"{file}: {key}: {fault}")
    return preset


def _rename_keys(kinds: object) -> None:
    """Give keys of kinds that were called otherwise their names of today: a space may hold an older preset."""
    rows = kinds.values() if isinstance(kinds, dict) else ()
    for row in rows:
        for old, new in _RENAMED.items():
            if isinstance(row, dict) and old in row:
                row.setdefault(new, row.pop(old))


def _name_kinds(preset: Preset) -> Preset:
    kinds = {n: dataclasses.replace(k, name=n, label=k.label or n.upper()) for n, k in preset.kinds.items()}
    return dataclasses.replace(preset, kinds=kinds)


def _find_preset_faults(preset: Preset) -> Iterator[tuple[str, str]]:
    """Names in the file that point to nothing."""
    named = [("capture.kind", preset.capture.kind)]
    named += [("default_kind", preset.default_kind)] if preset.default_kind else []
    for key in ("note_kind", "topic_kind", "insight_kind", "reflection_kind", "report_kind", "seed_kind"):
        named += [(f"distil.{key}", kind)] if (kind := getattr(preset.distil, key)) else []
    named += [("distil.overturns", kind) for kind in preset.distil.overturns]
    named += [(f"distil.kinds.{draft}", kind) for draft, kind in preset.distil.kinds.items()]
    named += [(f"distil.statements.{type_}", kind) for type_, kind in preset.distil.statements.items()]
    for i, section in enumerate(preset.context.sections):
        named += [(f"context.sections[{i}].kinds", kind) for kind in section.kinds]
        if section.document and section.document not in preset.documents:
            yield f"context.sections[{i}].document", f"no document {section.document!r} in [documents]"
        for field in _FIELD.findall(section.line + section.heading):
            if field not in LINE_FIELDS:
                yield (
                    f"context.sections[{i}].line",
                    f"unknown field {{{field}}}; known: {', '.join(sorted(LINE_FIELDS))}",
                )
    words = {word for name, kind in preset.kinds.items() for word in (name, *kind.aliases)}
    for word in preset.tool_kinds:
        if word not in words:
            yield "tool_kinds", f"no kind {word!r} in [kinds]"
    for key, kind in named:
        if kind not in preset.kinds:
            yield key, f"no kind {kind!r} in [kinds]"
    if "note" in preset.distil.steps and not preset.distil.note_kind:
        yield "distil.note_kind", "the step 'note' needs the kind that notes are kept as"
    if "statements" in preset.distil.steps and "statement" not in preset.distil.statements:
        yield "distil.statements", "the step 'statements' needs the kind that a statement is kept as"
    for i, schedule in enumerate(preset.schedules):
        if fault := _cron_fault(schedule.cron):
            yield f"schedules[{i}].cron", fault


def _cron_fault(expression: str) -> str | None:
    from datetime import UTC, datetime

    from cronsim import CronSim, CronSimError

    try:
        CronSim(expression, datetime(2026, 1, 1, tzinfo=UTC))
    except CronSimError as problem:
        return f"{expression!r} is not a schedule: {problem}"
    return None
