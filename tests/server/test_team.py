"""Search and figures across spaces: what one may read, and nothing of what one may not."""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.conftest import OpenMemory
from tests.server.serving import serving
from toldonce import Document, Memory
from toldonce.errors import SpaceNotFound
from toldonce.operations.team import count_by_file
from toldonce.records import DocumentEntry


@pytest.fixture
def team(open_memory: OpenMemory) -> Memory:
    memory = open_memory("assistant")
    for space in ("shop", "site"):
        memory.spaces.add(space, preset="coding")
    for n, (space, user, path) in enumerate(
        [("shop", "ana", "cart/total.py"), ("shop", "bob", "cart/total.py"), ("site", "ana", "menu.py")]
    ):
        memory.remember(
            f"The cache of the cart must be cleared before step {n}",
            "gotcha",
            user=user,
            space=space,
            visibility="project",
            metadata={"file": path},
        )
    memory.remember("The cache key of bob is private", "gotcha", user="bob", space="shop", visibility="private")
    return memory


def test_a_search_covers_the_spaces_that_a_person_may_read(team: Memory) -> None:
    team.remember("The cache of ana at home", user="ana", space="@ana")
    found = team.team.search("cache", "ana")
    assert {hit.record.space for hit in found} == {"shop", "site", "@ana"}
    assert all("bob is private" not in hit.record.text for hit in found)
    assert [h.score for h in found] == sorted((h.score for h in found), reverse=True)
    assert {hit.record.space for hit in team.team.search("cache", "bob")} == {"shop", "site"}
    assert {hit.record.space for hit in team.team.search("cache", "ana", spaces=["site"])} >= {"site"}
    assert team.team.search("cache", "ana", kinds=["preference"], spaces=["site"]) == []
    with pytest.raises(SpaceNotFound):
        team.team.search("cache", "bob", spaces=["@ana"])


def test_figures_count_files_uses_and_confirmations(team: Memory) -> None:
    mine = team.team.search("cart", "ana", spaces=["shop"], kinds=["gotcha"])
    team.confirm(mine[0].record.id, user="ana")
    found = team.team.figures("ana", kinds=["gotcha"])
    assert [(f.space, f.file, f.records) for f in found.by_file] == [
        ("shop", "cart/total.py", 2),
        ("site", "menu.py", 1),
    ]
    assert found.by_use and found.by_use[0].access_count >= 1
    assert found.confirmed_by == {"ana": 1} and found.confirmed[0].record.id == mine[0].record.id
    assert found.records == 3
    assert team.team.figures("bob", kinds=["gotcha"]).records == 4


def test_modules_of_a_code_map_are_counted(team: Memory) -> None:
    def draw(before: Document) -> Document:
        modules = [{"name": "cart", "folder": "cart/", "files": []}, {"name": "mail", "folder": "mail/", "files": []}]
        entries = (DocumentEntry(section="modules", text="cart"),)
        return Document(
            name=before.name,
            owner="",
            space=before.space,
            version=1,
            entries=entries,
            at=before.at,
            data={"modules": modules},
        )

    team.documents.change("map", draw, space="shop")
    found = team.team.figures("ana")
    assert [(m.module, m.records) for m in found.modules] == [("cart", 2), ("mail", 0)]
    assert found.modules_known == 1


def test_nothing_is_counted_for_records_without_a_file() -> None:
    assert count_by_file([]) == []


def test_a_credential_keeps_the_search_to_its_spaces(team: Memory) -> None:
    with serving(team) as server:
        limited = Memory.open(server.url, api_key=server.key("one", user="ana", spaces=["site"]))
        with limited as memory:
            assert {hit.record.space for hit in memory.team.search("cache")} == {"site"}
            assert memory.team.figures().spaces == ("site",)
            with pytest.raises(SpaceNotFound):
                memory.team.search("cache", spaces=["shop"])
        with Memory.open(server.url, api_key=server.key("all", user="bob")) as memory:
            assert {hit.record.space for hit in memory.team.search("cache")} == {"shop", "site"}


def test_the_command_shows_both(shell: Any) -> None:
    shell("init", "--preset", "coding")
    shell("remember", "Clear the cache first", "--kind", "gotcha", "--user", "ana")
    assert "cache" in shell("team", "search", "cache", "--user", "ana").stdout
    assert "1 record in" in shell("team").stdout
    assert shell.json("team", "figures", "--kind", "gotcha")["records"] == 1


def test_a_search_covers_every_project_that_init_made(shell: Any) -> None:
    for name, user in (("shop", "ana"), ("site", "ana.b")):
        shell("init", name, "--preset", "coding", "--user", user)
        shell("remember", f"Clear the cache of the {name}", "--kind", "gotcha", "--place", f"{name}/memory.db")
    shell("remember", "The cache of ana is private", "--kind", "gotcha", "--user", "bob", "--place", "shop/memory.db")
    os.chdir("site")
    found = shell.json("team", "search", "cache", "--limit", "5")
    texts = {hit["record"]["text"] for hit in found["hits"]}
    assert texts == {"Clear the cache of the shop", "Clear the cache of the site"}
    assert {os.path.basename(folder) for folder in found["projects"]} == {"shop", "site"}
    shown = shell("team", "search", "cache").stdout
    assert "shop:" in shown and "site:" in shown
    assert len(shell.json("team", "search", "cache", "--in", "main")["hits"]) == 1, "a named space is of this memory"
    assert len(shell.json("team", "search", "cache", "--place", "memory.db")["hits"]) == 1
    os.remove("../shop/memory.db")
    assert len(shell.json("team", "search", "cache")["hits"]) == 1


def test_the_tool_keeps_to_the_person_and_to_the_spaces_of_the_key(team: Memory) -> None:
    with serving(team) as server:
        for spaces, expected in ((None, {"shop", "site"}), (["site"], {"site"})):
            client = server.of("ana", spaces=spaces)
            made = client.post("/v1/tools/search_team", json={"query": "cache"}, params={"space": "site"})
            assert {row["space"] for row in made.json()["result"]} == expected
            assert "bob is private" not in made.text
