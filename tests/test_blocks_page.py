"""docs/blocks.md shows the blocks that the engine writes, of every preset and in three languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts.make_blocks_page import EXAMPLES, PAGE, Example, Turn, write_block, write_page
from toldonce.presets.loader import shipped_presets

TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"```text\n(.*?)\n```", TEXT, re.DOTALL)
PAIRS = [pytest.param(*pair, id=pair[0].asked.text) for pair in zip(EXAMPLES, BLOCKS, strict=True)]


def test_the_page_is_made_of_its_examples() -> None:
    assert write_page(BLOCKS) == TEXT, "run `python scripts/make_blocks_page.py`"


def test_every_preset_has_an_example() -> None:
    assert {example.preset for example in EXAMPLES} == set(shipped_presets())


@pytest.mark.parametrize(("example", "block"), PAIRS)
def test_the_engine_writes_the_block_of_the_page(example: Example, block: str, tmp_path: Path) -> None:
    assert write_block(example, tmp_path) == block, "run `python scripts/make_blocks_page.py`"


@pytest.mark.parametrize(("example", "block"), PAIRS)
def test_no_message_stands_twice_in_a_block_of_the_page(example: Example, block: str) -> None:
    for one in example.said:
        assert block.count(one.text) <= 1, one.text
    assert any(one.text in block for one in example.said if isinstance(one, Turn)) or example.preset == "coding"
