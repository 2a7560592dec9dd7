"""Presets: ways to run the one engine, each a TOML file."""

from recollect.presets.loader import load_preset, parse_preset, preset_text, shipped_presets
from recollect.presets.policy import Preset

__all__ = ["Preset", "load_preset", "parse_preset", "preset_text", "shipped_presets"]
