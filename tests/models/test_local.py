"""Models in folders of this machine: what is missing is told, and two of them are never taken for one."""

from __future__ import annotations

from pathlib import Path

import pytest

from toldonce.errors import ConfigError
from toldonce.models.load import load_embedder
from toldonce.models.local import model_file_mark


def model_in(folder: Path, weights: bytes) -> Path:
    folder.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(weights)
    return folder


def test_models_of_the_same_name_are_told_apart_and_a_moved_one_is_known_again(tmp_path: Path) -> None:
    one = model_in(tmp_path / "a" / "mini", b"head" + bytes(2 << 20) + b"1")
    other = model_in(tmp_path / "b" / "mini", b"head" + bytes(2 << 20) + b"2")
    longer = model_in(tmp_path / "c" / "mini", b"head" + bytes(3 << 20) + b"1")
    marks = {model_file_mark(folder) for folder in (one, other, longer)}
    assert len(marks) == 3
    assert model_file_mark(one.rename(tmp_path / "elsewhere")) in marks


def test_a_folder_that_lacks_a_file_is_told_of_before_a_package_is(tmp_path: Path) -> None:
    folder = model_in(tmp_path / "mini", b"weights")
    with pytest.raises(ConfigError, match="has no vocab.txt: give a folder with model.onnx and vocab.txt"):
        load_embedder(f"onnx:{folder}")
