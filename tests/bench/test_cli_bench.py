"""`toldonce bench` as a person calls it: tables, files to compare with, and exit codes."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.scripted import Server, Status, by_length
from tests.shell import made, shell
from toldonce.cli import bench_output

__all__ = ["made", "shell"]


def test_bench_prints_a_table_for_each_set(shell: Any, data: Path) -> None:
    said = shell("bench", str(data), "--set", "locomo,faquad").stdout
    assert "locomo, by turn: 1 collection, 4 messages" in said and "preset assistant, embedder none" in said
    head = next(line for line in said.splitlines() if line.startswith("category"))
    assert head.split() == "category n hit@5 recall@5 @10 @20 all@5 all@10 NDCG@10 MRR tokens ms CPU".split()
    rows = [line.split() for line in said.splitlines() if line.startswith(("ALL", "pt"))]
    assert rows[0][:3] == ["ALL", "3", "1.000"] and rows[1][:3] == ["pt", "2", "1.000"]


def test_bench_shows_what_only_some_sets_have(shell: Any, data: Path) -> None:
    said = shell("bench", str(data), "--set", "beam").stdout
    assert "fresh  in context  tokens" in said
    row = next(line.split() for line in said.splitlines() if line.startswith("instruction_following"))
    assert row[-4:-2] == ["-", "1.000"]


def test_bench_writes_figures_that_can_be_compared(shell: Any, data: Path) -> None:
    shell("bench", str(data), "--set", "locomo", "--granularity", "session", "--out", "r.json", "--limit", "2")
    made = json.loads((shell.folder / "r.json").read_text(encoding="utf-8"))
    assert (made["preset"], made["embedder"], made["limit"], made["settled"]) == ("assistant", "none", 2, False)
    (one,) = made["sets"]
    assert (one["name"], one["granularity"], one["questions"]) == ("locomo", "session", 2)
    again = shell(
        "bench", str(data), "--set", "locomo", "--granularity", "session", "--limit", "2", "--compare", "r.json"
    )
    assert "Changes" in again.stdout and again.stderr == ""


def test_bench_ends_with_one_when_a_main_figure_fell(shell: Any, data: Path) -> None:
    made = shell.json("bench", str(data), "--set", "faquad")
    made["sets"][0]["scores"]["ALL"]["ndcg@10"] = 1.2
    (shell.folder / "r.json").write_text(json.dumps(made), encoding="utf-8")
    told = shell("bench", str(data), "--set", "faquad", "--compare", "r.json", code=1)
    assert "ndcg@10 fell from 1.200 to" in told.stderr and "ndcg@10  1.200 ->" in told.stdout
    value = shell.json("bench", str(data), "--set", "faquad", "--compare", "r.json", code=1)
    assert [one["figure"] for one in value["fell"]] == ["ndcg@10"]


def test_bench_says_when_two_runs_are_not_alike(shell: Any, data: Path) -> None:
    shell("bench", str(data), "--set", "faquad", "--out", "r.json")
    told = shell("bench", str(data), "--set", "faquad", "--preset", "life", "--compare", "r.json")
    assert "the two runs differ: preset was assistant and is life" in told.stderr


def test_bench_uses_the_settings(shell: Any, data: Path) -> None:
    (shell.folder / "toldonce.toml").write_text('preset = "community"\n', encoding="utf-8")
    made = shell.json("bench", str(data), "--set", "beam")
    assert made["preset"] == "community" and made["sets"][0]["skipped"] == 3
    assert not list(shell.folder.glob("*.db"))


def test_bench_measures_a_reranker_and_names_it(shell: Any, data: Path) -> None:
    with closing(Server(by_length)) as server:
        told = shell("bench", str(data), "--set", "locomo", "--reranker", f"{server.url}/rerank#m", "--out", "r.json")
    made = json.loads((shell.folder / "r.json").read_text(encoding="utf-8"))
    assert made["reranker"] == "127.0.0.1#m" and "embedder none, reranker 127.0.0.1#m" in told.stdout
    asked = {request.body["query"] for request in server.requests}
    assert len(asked) >= made["sets"][0]["questions"]


def test_bench_refuses_a_reranker_that_is_away_before_it_runs(shell: Any, data: Path) -> None:
    with closing(Server(lambda _: Status(503))) as server:
        told = shell("bench", str(data), "--set", "locomo", "--reranker", f"{server.url}/rerank#m", code=1)
    assert "answered 503" in told.stderr and told.stdout == "" and len(server.requests) == 1


def test_bench_keeps_vectors_in_a_cache(shell: Any, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = shell.json("bench", str(data), "--set", "faquad", "--embedder", "default", "--cache", "vectors.db")
    size = (shell.folder / "vectors.db").stat().st_size
    again = shell.json("bench", str(data), "--set", "faquad", "--embedder", "default", "--cache", "vectors.db")
    assert size == (shell.folder / "vectors.db").stat().st_size
    assert made["embedder"] != "none"
    figures = [{k: v for k, v in one["sets"][0]["scores"]["ALL"].items() if "ms" not in k} for one in (made, again)]
    assert figures[0] == figures[1]


@pytest.mark.parametrize(
    "args, message",
    [
        ((), "name the folder with the data sets, or --own"),
        (("nowhere",), "there is no folder nowhere"),
        ((".",), "looked for locomo10.json"),
        ((".", "--set", "nothing"), "there is no set 'nothing'"),
        ((".", "--renew"), "--renew goes with --own"),
        (("--own", "."), "--own takes no folder"),
        ((".", "--compare", "none.json"), "none.json cannot be read as a report"),
    ],
)
def test_bench_refuses_what_it_cannot_run(shell: Any, args: tuple[str, ...], message: str) -> None:
    assert message in shell("bench", *args, code=2).stderr


def test_bench_refuses_an_unknown_preset_before_it_runs(shell: Any, data: Path) -> None:
    assert "no preset 'lfe'" in shell("bench", str(data), "--set", "faquad", "--preset", "lfe", code=2).stderr


@pytest.mark.parametrize("option", ["--out", "--markdown"])
def test_bench_refuses_a_file_it_cannot_write_before_it_runs(shell: Any, tmp_path: Path, option: str) -> None:
    told = shell("bench", str(tmp_path / "no data either"), option, "no/r.json", code=2)
    assert "no/r.json cannot be written: there is no folder no" in told.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_bench_tells_its_figures_even_when_the_disk_is_full(shell: Any, data: Path) -> None:
    told = shell("bench", str(data), "--set", "faquad", "--out", "/dev/full", code=2)
    assert "faquad, by turn" in told.stdout and "cannot be written" in told.stderr


def test_bench_own_makes_probes_and_asks_them_again(made: Any) -> None:
    made.remember("Alex lives in Lisbon near the river", "--user", "alex", "--subject", "alex/residence")
    made("observe", "The ferry leaves twice every morning in winter", "--user", "alex")
    first = made("bench", "--own").stdout
    assert "probes made and remembered" in first and first.startswith("question")
    again = made("bench", "--own").stdout
    assert "recall@5 was 1.000 on the same probes" in again and "0 found again, 0 lost" in again
    value = made.json("bench", "--own")
    assert value["fell"] is False and value["worse"] == [] and value["scores"]["ALL"]["recall@5"] == 1.0


def test_bench_own_says_that_a_limit_is_for_new_probes(made: Any) -> None:
    made("observe", "The ferry leaves twice every morning in winter", "--user", "alex")
    made("observe", "We repaired the wooden stage lights before the premiere", "--user", "alex")
    assert made.json("bench", "--own", "--limit", "3")["probes"] == 3
    assert "Use --renew --limit 1 to make that many new ones" in made("bench", "--own", "--limit", "1").stderr
    assert made.json("bench", "--own", "--limit", "1", "--renew")["probes"] == 1


def test_bench_own_ends_with_one_when_recall_fell(made: Any) -> None:
    said = "We repaired the wooden stage lights before the premiere"
    made("observe", said, "--user", "alex")
    made("bench", "--own")
    made("observe", "-u", "alex", input="\n".join(f"{said} {said} {n}" for n in range(40)))
    told = made("bench", "--own", code=1)
    assert "recall@5 fell from 1.000 to" in told.stderr and "place 1 before" in told.stdout
    made("bench", "--own", "--renew")
    made("bench", "--own")


def test_bench_own_needs_a_memory(shell: Any) -> None:
    assert "make one with `toldonce init`" in shell("bench", "--own", code=3).stderr


def test_a_ruled_table_holds_the_same_figures() -> None:
    lines = bench_output._ruled_table(["category", "n", "MRR"], [["a", "3", "0.500"], ["ALL", "3", "0.500"]])
    assert [line.split() for line in lines if "─" not in line] == [
        ["category", "n", "MRR"],
        ["a", "3", "0.500"],
        ["ALL", "3", "0.500"],
    ]


def test_bench_writes_a_page_with_turns_and_sessions(shell: Any, data: Path) -> None:
    shell("bench", str(data), "--set", "locomo,faquad", "--granularity", "both", "--markdown", "recall.md")
    lines = Path("recall.md").read_text(encoding="utf-8").splitlines()
    assert [line.split("|")[1].strip() for line in lines if line.startswith("| ")][1:] == [
        "locomo, by turn",
        "locomo, by session",
        "faquad, by turn",
    ]
