"""Presets: ways to run the one engine, each a TOML file."""

from recollect.presets.loader import load, parse, preset_text, shipped
from recollect.presets.policy import Preset

__all__ = ["Preset", "load", "parse", "preset_text", "shipped"]
