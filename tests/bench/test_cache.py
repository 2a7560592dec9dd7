"""Vectors that were made once are not made again, in this process or the next."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from tests.bench.conftest import WordEmbedder
from toldonce.bench.cache import CachedEmbedder
from toldonce.errors import InputError


def test_a_vector_is_made_once_and_kept_exactly(tmp_path: Path) -> None:
    texts = ["a boat", "um cão", "a boat"]
    first, second = WordEmbedder(), WordEmbedder()
    with closing(CachedEmbedder(first, tmp_path / "v.db")) as cache:
        made = cache.embed(texts)
    with closing(CachedEmbedder(second, tmp_path / "v.db")) as cache:
        again = cache.embed(texts)
    assert first.asked == ["a boat", "um cão"] and second.asked == []
    assert np.array_equal(made, WordEmbedder().embed(texts)) and np.array_equal(made, again)


def test_models_do_not_share_vectors(tmp_path: Path) -> None:
    class Other(WordEmbedder):
        name = "other"

    other = Other()
    with closing(CachedEmbedder(WordEmbedder(), tmp_path / "v.db")) as cache:
        cache.embed(["a boat"])
    with closing(CachedEmbedder(other, tmp_path / "v.db")) as cache:
        cache.embed(["a boat"])
    assert other.asked == ["a boat"]


def test_a_model_that_changed_its_size_is_asked_again(tmp_path: Path) -> None:
    class Wide(WordEmbedder):
        dimensions = 64

    with closing(CachedEmbedder(WordEmbedder(), tmp_path / "v.db")) as cache:
        cache.embed(["a boat"])
    with closing(CachedEmbedder(Wide(), tmp_path / "v.db")) as cache:
        assert cache.embed(["a boat"]).shape == (1, 64)


def test_no_text_gives_no_vector() -> None:
    with closing(CachedEmbedder(WordEmbedder())) as cache:
        assert cache.embed([]).shape == (0, 32)


def test_a_file_that_is_no_cache_is_refused_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("dear diary, " * 200, encoding="utf-8")
    with pytest.raises(InputError, match=r"the cache .*notes\.txt cannot be used"):
        CachedEmbedder(WordEmbedder(), path)
    assert path.read_text(encoding="utf-8").startswith("dear diary")
