"""The graph of named things shows to each person what records that they may see mention."""

from __future__ import annotations

from tests.conftest import OpenMemory


def test_entities_come_with_what_they_are_mentioned_with(open_memory: OpenMemory) -> None:
    memory = open_memory("life")
    memory.observe("Clara and Tomás met in Lisbon", "ana")
    memory.observe("Clara sings in Braga", "ana")
    graph = memory.review.entities("ana")
    names = {one.name: one for one in graph.entities}
    assert names["Clara"].mentions == 2
    assert graph.entities[0].name == "Clara"
    pairs = {frozenset((link.one, link.other)): link.records for link in graph.links}
    assert pairs[frozenset((names["Clara"].id, names["Lisbon"].id))] == 1
    assert frozenset((names["Lisbon"].id, names["Braga"].id)) not in pairs


def test_what_only_others_mention_is_not_in_the_graph(open_memory: OpenMemory) -> None:
    memory = open_memory("life")
    memory.observe("Clara sings in Braga", "ana")
    memory.observe("Clara was in Vigo", "bruno")
    names = {one.name: one.mentions for one in memory.review.entities("bruno").entities}
    assert names.get("Clara") == 1
    assert "Braga" not in names and "Vigo" in names
    assert "Braga" in {one.name for one in memory.review.entities().entities}
