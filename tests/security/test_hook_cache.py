"""What hooks keep between two calls holds no key of a service and no key of a memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from toldonce.coding.hooks import state
from toldonce.coding.hooks.settings import settings_for


def test_keys_in_the_environment_are_not_written_into_a_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("WRITER_KEY", "EMBEDDER_KEY", "ENCRYPTION_KEY", "MCP_TOKEN"):
        monkeypatch.setenv(f"TOLDONCE_{name}", "sk-canary-of-a-key")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    state.save_state("settings-2.json", {f"{tmp_path} TOLDONCE_WRITER_KEY=sk-canary-of-a-key": {"says": {}}})
    settings_for(str(tmp_path), {})
    kept = [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]
    assert kept and not any(b"sk-canary" in content for content in kept)
