"""The command line as processes of their own: what they import, how they end, and how they share a file."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import Any

import pytest

HEAVY = (
    "pydantic",
    "fastapi",
    "starlette",
    "uvicorn",
    "mcp",
    "httpx",
    "openai",
    "anthropic",
    "rich",
    "spacy",
    "dateparser",
)


def modules_after(shell: Any, *args: str) -> set[str]:
    code = (
        "import contextlib, io, sys\n"
        "from toldonce.cli.main import cli\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        f"    cli.main({list(args)!r})\n"
        "print(' '.join(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=shell.folder,
        env={**os.environ, **shell.env},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "args", [("recall", "tabs"), ("context", "tabs", "-q"), ("remember", "x"), ("--help",), ("stats",)]
)
def test_no_server_or_model_library_is_imported_that_is_not_needed(made: Any, args: tuple[str, ...]) -> None:
    imported = modules_after(made, *args)
    assert "toldonce.cli.main" in imported and not imported & set(HEAVY)


def test_recall_imports_only_its_own_commands(made: Any) -> None:
    doors = {m for m in modules_after(made, "recall", "tabs") if m.startswith("toldonce.cli.")}
    assert doors == {
        f"toldonce.cli.{m}" for m in ("invocation", "main", "options", "page", "recall", "saved_login", "text_output")
    }


def test_without_an_embedder_no_model_is_imported(made: Any) -> None:
    assert not {"toldonce.models.minilm", "toldonce.storage.vectors.index"} & modules_after(made, "recall", "tabs")


def test_a_command_that_does_not_search_imports_no_numbers(made: Any) -> None:
    assert "numpy" not in modules_after(made, "stats")


def test_an_answer_is_text_in_utf8_whatever_the_terminal_speaks(made: Any) -> None:
    made("remember", "O João mora em São Paulo")
    for encoding in ("utf-8", "ascii"):
        out, err = made.process("--json", "recall", "João", PYTHONIOENCODING=encoding).communicate()
        assert (
            err == b"" and json.loads(out.decode(encoding))["hits"][0]["record"]["text"] == "O João mora em São Paulo"
        )
        out, err = made.process("recall", "João", PYTHONIOENCODING=encoding).communicate()
        assert err == b"" and b"mora em" in out


def test_a_reader_that_goes_away_is_no_error(made: Any) -> None:
    process = made.process("presets", "coding")
    with process:
        process.stdout.close()
        err = process.stderr.read()
    assert err == b"" and process.returncode == 0


def test_an_interrupt_ends_with_130_and_keeps_what_was_acknowledged(made: Any) -> None:
    process = made.process("observe")
    process.stdin.write(b"hello\n" * 500)
    process.stdin.flush()
    while made.json("stats")["kinds"].get("message", {}).get("active", 0) < 500:
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130 and b"stopped" in err and b"Traceback" not in err
    assert made.json("stats")["kinds"]["message"]["active"] == 500


@pytest.mark.parametrize("command", [("tend", "--watch"), ("worker",)], ids=" ".join)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_watching_tells_each_run_and_stops_in_order(
    made: Any, number: signal.Signals, command: tuple[str, ...]
) -> None:
    process = made.process(*command)
    first = process.stdout.readline()
    process.send_signal(number)
    out, err = process.communicate()
    assert process.returncode == 0 and b"completed" in first and b"Stopped." in err
    assert b"expire" in first + out and all(job["state"] == "ready" for job in made.json("jobs")["jobs"])


def test_watching_as_json_gives_one_line_for_each_run(made: Any) -> None:
    process = made.process("tend", "--watch", "--json")
    run = json.loads(process.stdout.readline())
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert run["status"] == "completed" and process.returncode == 0


def test_processes_may_write_to_one_memory_at_once(made: Any) -> None:
    writers = [made.process("remember", f"The number of writer {n} is {n}{n}") for n in range(4)]
    assert [w.wait() for w in writers] == [0] * 4
    for writer in writers:
        writer.communicate()
    assert made.json("stats")["kinds"]["fact"]["active"] == 4


def test_the_shell_completes_commands_options_and_presets(made: Any) -> None:
    def completed(line: str) -> set[str]:
        words = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1), "_TOLDONCE_COMPLETE": "bash_complete"}
        out, _ = made.process(**words).communicate()
        return {row.partition(",")[2] for row in out.decode().splitlines()}

    assert completed("toldonce rec") == {"recall"}
    assert {"--explain", "--json"} <= completed("toldonce recall --")
    assert completed("toldonce init --preset co") == {"coding", "community", "companion"}
