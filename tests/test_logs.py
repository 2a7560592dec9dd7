"""Log lines: their two shapes, their levels, and that remembered text never reaches one of level info or above."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from toldonce import Memory
from toldonce.logs import InterfaceHandler, locate_exception, set_up

log = logging.getLogger("toldonce.test")


@pytest.fixture(autouse=True)
def quiet_again() -> Iterator[None]:
    """Whatever a test sets up is taken down."""
    logger = logging.getLogger("toldonce")
    level = logger.level
    yield
    logger.setLevel(level)
    for handler in [h for h in logger.handlers if isinstance(h, InterfaceHandler)]:
        logger.removeHandler(handler)


def fail(text: str) -> None:
    try:
        raise ValueError(text)
    except ValueError:
        log.exception("it failed")


def test_text_lines_are_for_people() -> None:
    out = io.StringIO()
    set_up("info", stream=out)
    log.info("kept %d records", 3)
    log.debug("not this")
    (line,) = out.getvalue().splitlines()
    assert line.endswith(" info toldonce.test: kept 3 records")


def test_json_lines_are_one_object_each() -> None:
    out = io.StringIO()
    set_up("info", log_format="json", stream=out)
    log.warning("São %s", "Paulo")
    fail("secret words")
    first, second = map(json.loads, out.getvalue().splitlines())
    assert (first["level"], first["logger"], first["message"]) == ("warning", "toldonce.test", "São Paulo")
    assert second["exception"][-1] == "ValueError" and "secret words" not in out.getvalue()


def test_an_exception_is_told_whole_only_at_level_debug() -> None:
    plain, whole = io.StringIO(), io.StringIO()
    set_up("warning", stream=plain)
    fail("remembered words")
    assert "ValueError" in plain.getvalue() and "test_logs.py" in plain.getvalue()
    assert "remembered words" not in plain.getvalue()
    set_up("debug", stream=whole)
    fail("remembered words")
    assert "ValueError: remembered words" in whole.getvalue()


def test_setting_up_again_replaces_the_first() -> None:
    first, second = io.StringIO(), io.StringIO()
    set_up("info", stream=first)
    set_up("info", stream=second)
    log.info("said twice?")
    assert first.getvalue() == "" and second.getvalue().count("said twice?") == 1


def test_where_something_failed_is_told_without_its_message() -> None:
    with pytest.raises(ZeroDivisionError) as raised:
        print(1 / 0)
    assert locate_exception(raised.value).startswith("ZeroDivisionError at ") and "division" not in locate_exception(
        raised.value
    )


def test_no_operation_logs_remembered_text_at_info_or_above(tmp_path: Path) -> None:
    out = io.StringIO()
    set_up("info", stream=out)
    with Memory.open(tmp_path / "m.db", preset="assistant", embedder=None, background=False) as memory:
        memory.observe("I moved to Xanadu last week", user="alex", session="s1")
        kept = memory.remember("Alex adores Xanadu", user="alex")
        memory.settle()
        memory.recall("Xanadu", explain=True)
        memory.context("Xanadu", user="alex", session="s2")
        memory.forget(memory.correct(kept.id, "Alex loves Xanadu").id)
        memory.export(tmp_path / "out.jsonl")
        memory.import_(tmp_path / "out.jsonl")
        memory.tend()
        memory.erase(user="alex")
        memory.storage.check(repair=True)
    assert "xanadu" not in out.getvalue().lower()
