"""Presets: a TOML file comes in, a checked `Preset` with kinds, flow, recall and jobs goes out.

Five presets ship with the package. An unknown key is an error that names the file and the key. It may import `kinds`,
`records`, `errors` and the other single modules at its level.
"""

from toldonce.presets.loader import load_preset, parse_preset, preset_text, shipped_presets
from toldonce.presets.policy import Preset

__all__ = ["Preset", "load_preset", "parse_preset", "preset_text", "shipped_presets"]
