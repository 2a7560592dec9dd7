"""The commands tools and tool: the same table of tools from a shell."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tests.shell import Shell
from toldonce import Memory
from toldonce.presets import load_preset

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_tools_lists_what_an_agent_sees(made: Shell) -> None:
    listed = made.json("tools")["tools"]
    assert [tool["name"] for tool in listed] == list(load_preset("assistant").tools)
    assert "query (string)" in made("tools").stdout
    (one,) = made.json("tools", "search_memory")["tools"]
    assert (
        one["schema"]["required"] == ["query"]
        and '"additionalProperties": false' in made("tools", "search_memory").stdout
    )
    assert "save_facts_batch" in {tool["name"] for tool in made.json("tools", "--role", "consolidator")["tools"]}


def test_a_tool_is_called_with_json_and_answers_with_json(made: Shell) -> None:
    kept = json.loads(made("tool", "remember_fact", '{"content": "Alex likes tea"}', "--user", "alex").stdout)
    found = json.loads(made("tool", "search_memory", "--json", '{"query": "tea"}', "-u", "alex").stdout)
    assert [hit["id"] for hit in found] == [kept["id"]]
    told = json.loads(made("tool", "remember_fact", '{"content": "It rains"}', "--as", "runner:review").stdout)
    with Memory.open(made.folder / "memory.db", embedder=None, background=False) as memory:
        assert memory.get(told["id"]).made_by == "runner:review"


def test_wrong_arguments_are_one_line_and_exit_code_two(made: Shell) -> None:
    assert "the arguments are not JSON" in made("tool", "search_memory", "{", code=2).stderr
    assert "query is missing" in made("tool", "search_memory", code=2).stderr
    assert "there is no tool 'fly' here" in made.json("tool", "fly", code=2)["error"]["message"]


def test_a_tool_that_takes_away_asks(shell: Shell) -> None:
    shell("init", "--preset", "companion")
    kept = json.loads(shell("tool", "store_memory", '{"content": "Alex likes jazz"}').stdout)
    forget = ("tool", "forget_memory", json.dumps({"memory_id": kept["id"]}))
    assert "Alex likes jazz" in shell(*forget, input="n\n", code=130).stderr
    assert "say so with --yes" in shell(*forget, code=2).stderr
    assert json.loads(shell(*forget, "--yes").stdout) == {"success": True, "id": kept["id"]}
    assert json.loads(shell(*forget).stdout)["success"] is True, "what is forgotten already needs no question"


def test_the_examples_of_the_page_about_hosts_run(tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"^```python\n(.*?)^```$", (DOCS / "hosts.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    for example in examples:
        exec(example, {})
        assert "allergic to nuts" in capsys.readouterr().out


def test_a_server_for_nobody_in_particular_warns_where_several_keep_private_things(made: Shell) -> None:
    def told(*args: str) -> str:
        return made.process("mcp", *args).communicate(b"", timeout=60)[1].decode()

    made("observe", "I live in Porto", "--user", "ana")
    assert "without --user" not in told()
    made("observe", "I live in Braga", "--user", "bob")
    assert "without --user clients are shown what is private to each of 2 people" in told()
    assert "without --user" not in told("--user", "ana")
