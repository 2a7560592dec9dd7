"""One person never gets another's private words, whichever door is asked and however the words got into the memory."""

from __future__ import annotations

from tests.conftest import OpenMemory


def test_each_person_of_a_private_conversation_gets_a_note_of_their_own(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    memory.observe("I bought a red bicycle in Utrecht", user="ana", session="s")
    memory.observe("My sister teaches physics in Graz", user="bob", session="s")
    [settled] = memory.settle(session="s")
    notes = {record.user: record for record in settled.kept if record.kind == "note"}
    assert notes.keys() == {"ana", "bob"}
    assert "Graz" not in notes["ana"].text + notes["ana"].title
    assert len(notes["ana"].sources) == 1


def test_what_people_say_for_all_to_read_becomes_one_note(open_memory: OpenMemory) -> None:
    memory = open_memory("community")
    memory.observe("I bought a red bicycle in Utrecht", user="ana", channel="c")
    memory.observe("My sister teaches physics in Graz", user="bob", channel="c")
    [settled] = memory.settle(channel="c")
    [note] = [record for record in settled.kept if record.kind == "note"]
    assert note.user is None
    assert note.metadata["participants"] == ["ana", "bob"]


def test_an_answer_that_names_nobody_is_for_the_person_who_spoke_last(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    memory.observe("I need a plumber", user="ana", session="s")
    memory.observe("I need a florist", user="bob", session="s")
    assert memory.observe("The florist on the corner is open", session="s", role="assistant").user == "bob"
    assert memory.observe("Nobody spoke here yet", session="t", role="assistant").user is None


def test_scores_tell_nothing_of_words_that_others_said_beside(open_memory: OpenMemory) -> None:
    """A record is weighed by what stands around it, but not by what its reader may not see."""
    scores = []
    for word in ("zebra xylophone", "apple banana"):
        memory = open_memory("assistant", file=f"{word}.db", embedder="default")
        memory.observe(f"The {word} is hidden in the shed", user="ana", session="s")
        memory.observe("All right, thank you for telling me about it", user="bob", session="s")
        memory.tend()
        scores.append([hit.score for hit in memory.recall("zebra xylophone", user="bob", min_score=0)])
    assert scores[0] == scores[1]


def test_an_entity_is_told_of_as_far_as_the_person_may_see(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    for text in ("I moved to Zanzibar", "The sea in Zanzibar is warm"):
        memory.observe(text, user="ana", session="s")
    memory.observe("Is Zanzibar far away?", user="bob", session="t")
    mine, all_of_it = memory.entity("zanzibar", user="bob"), memory.entity("zanzibar")
    assert mine is not None and (mine.mentions, len(mine.records), mine.aliases) == (1, 1, ("Zanzibar",))
    assert all_of_it is not None and all_of_it.mentions == 3
    assert memory.entity("zanzibar", user="carl") is None
