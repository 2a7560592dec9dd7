"""Exports of other programs come in once, with their own times and authors; damage is reported where it is."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import OpenMemory
from tests.importers import samples
from tests.importers.samples import WHATSAPP, make_discord_package, make_slack, pack, write_json
from toldonce import Memory
from toldonce.errors import BadImport, InputError
from toldonce.importers.formats import find_format
from toldonce.records import Record


def all_messages(memory: Memory) -> list[Record]:
    """Every message, oldest first."""
    found = memory.timeline(limit=1000)
    return sorted({h.record.id: h.record for h in found if h.record.kind == "message"}.values(), key=lambda r: r.at)


@pytest.fixture
def assistant(open_memory: OpenMemory) -> Memory:
    return open_memory("assistant")


@pytest.fixture
def community(open_memory: OpenMemory) -> Memory:
    return open_memory("community", space="guild")


def test_chatgpt_brings_the_branch_that_was_shown(assistant: Memory, tmp_path: Path) -> None:
    file = write_json(tmp_path / "conversations.json", samples.chatgpt_conversations())
    brought = assistant.import_(file, user="ana")
    assert (brought.what, brought.kept) == ("chatgpt", 5)
    assert brought.left_out == {
        "hidden instructions, tool calls and reasoning": 2,
        "on a branch that was left for another": 1,
    }
    texts = [record.text for record in all_messages(assistant)]
    assert "An answer that was regenerated" not in texts
    found = assistant.recall("allergic cook tonight", user="ana")[0].record
    assert (found.role, found.user, found.session, found.origin) == ("user", "ana", "c-dinner", "import")
    assert found.metadata["imported"] == {
        "from": "chatgpt",
        "id": "u1",
        "conversation": "c-dinner",
        "title": "Dinner ideas",
    }
    assert found.at.year == 2025


def test_knowledge_is_extracted_from_an_imported_conversation(assistant: Memory, tmp_path: Path) -> None:
    file = write_json(tmp_path / "conversations.json", samples.chatgpt_conversations())
    assistant.import_(file, user="ana")
    assistant.tend()
    found = [hit.record for hit in assistant.recall("where does Ana live?", user="ana")]
    assert any("Porto" in record.text and record.kind != "message" for record in found)


def test_the_zip_of_an_export_is_read_in_place(assistant: Memory, tmp_path: Path) -> None:
    write_json(tmp_path / "x" / "conversations.json", samples.chatgpt_conversations())
    write_json(tmp_path / "x" / "user.json", {"id": "u"})
    brought = assistant.import_(pack(tmp_path / "x", tmp_path / "export.zip"), user="ana")
    assert (brought.what, brought.kept) == ("chatgpt", 5)


def test_claude_keeps_both_sides(assistant: Memory, tmp_path: Path) -> None:
    file = write_json(tmp_path / "conversations.json", samples.claude_conversations())
    brought = assistant.import_(file, user="ana")
    assert (brought.what, brought.kept, brought.left_out) == ("claude", 4, {"without text (images, files)": 1})
    assert [record.role for record in all_messages(assistant)] == ["user", "assistant", "user", "user"]


def test_gemini_prompts_come_with_their_answers_in_time_order(assistant: Memory, tmp_path: Path) -> None:
    file = write_json(tmp_path / "MyActivity.json", samples.gemini_activity())
    brought = assistant.import_(file, user="ana")
    assert (brought.what, brought.kept, brought.left_out) == ("gemini", 6, {"an activity that is no prompt": 1})
    texts = {record.text for record in all_messages(assistant)}
    assert texts >= {"my dog Bento needs a diet", "Start with less kibble.\nWalk more.", "Lleva paraguas & capas."}


def test_gemini_is_found_in_an_account_of_another_language(assistant: Memory, tmp_path: Path) -> None:
    folder = tmp_path / "Takeout" / "Minha atividade" / "Apps do Gemini"
    write_json(folder / "MinhaAtividade.json", samples.gemini_activity())
    assert assistant.import_(tmp_path / "Takeout", user="ana").what == "gemini"


def test_what_was_spoken_to_chatgpt_comes_in(assistant: Memory, tmp_path: Path) -> None:
    spoken = {"content_type": "audio_transcription", "text": "i moved to Lisbon", "direction": "in"}
    message = {
        "author": {"role": "user"},
        "create_time": 1740910050,
        "content": {"content_type": "multimodal_text", "parts": [spoken, {"content_type": "audio_asset_pointer"}]},
    }
    chat = {"id": "c", "mapping": {"n": {"message": message, "parent": None, "children": []}}, "current_node": "n"}
    assert assistant.import_(write_json(tmp_path / "conversations.json", [chat]), user="ana").kept == 1
    assert [record.text for record in all_messages(assistant)] == ["i moved to Lisbon"]


def test_discord_messages_have_authors_and_channel(community: Memory, tmp_path: Path) -> None:
    file = write_json(tmp_path / "general.json", samples.discord_channel())
    brought = community.import_(file)
    assert (brought.what, brought.kept, brought.secrets) == ("discord", 4, 1)
    assert brought.people == {"Rui": 2, "Marta": 2}
    assert brought.left_out["messages of role 'assistant' are not kept here"] == 1
    found = community.recall("bakery")[0].record
    assert (found.user, found.author, found.channel) == ("101", "Rui", "77")
    assert "ghp_" not in " ".join(record.text for record in all_messages(community))


def test_the_package_of_discord_holds_ones_own_messages(assistant: Memory, tmp_path: Path) -> None:
    make_discord_package(tmp_path / "p")
    brought = assistant.import_(pack(tmp_path / "p", tmp_path / "package.zip"), user="ana")
    assert (brought.what, brought.kept, brought.people) == ("discord-package", 3, {"ana": 3})


@pytest.mark.parametrize("name", sorted(WHATSAPP))
def test_whatsapp_is_read_in_the_formats_of_several_countries(community: Memory, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text(WHATSAPP[name], encoding="utf-8")
    brought = community.import_(file, user="rui", me="Rui")
    assert (brought.what, brought.kept) == ("whatsapp", 3)
    first, second, third = all_messages(community)
    assert (first.user, second.user) == ("rui", "Marta Kühn")
    assert "\n" in second.text
    assert (first.at.replace(second=0), third.at) == (
        datetime(2025, 3, 2, 18, 31, tzinfo=UTC),
        datetime(2025, 3, 13, 8, 1, tzinfo=UTC),
    )


def test_half_of_an_emoji_refuses_no_message(assistant: Memory, tmp_path: Path) -> None:
    """Programs cut titles and texts in the middle of a character, and JSON can say so."""
    said = {"uuid": "m1", "text": "cut \ud83d here", "sender": "human", "created_at": "2025-03-02T10:00:01Z"}
    chats = [{"uuid": "k1", "name": "a trip \ud83d", "created_at": "2025-03-02T10:00:00Z", "chat_messages": [said]}]
    file = tmp_path / "conversations.json"
    file.write_text(json.dumps(chats), encoding="utf-8")
    assert assistant.import_(file, user="ana").kept == 1
    block = {"id": "b", "label": "human", "value": "Likes \ud83d tea"}
    agent = {"agents": [{"id": "a", "messages": [], "block_ids": ["b"]}], "blocks": [block]}
    (tmp_path / "agent.af").write_text(json.dumps(agent), encoding="utf-8")
    assert assistant.import_(tmp_path / "agent.af", user="ana").kept == 1
    for record in [*all_messages(assistant), *assistant.review.records("ana")]:
        assert f"{record.text} {record.metadata}".isprintable()
    (tmp_path / os.fsdecode(b"caf\xe9.md")).write_text("# Tea\nNo milk", encoding="utf-8")
    assert assistant.import_(tmp_path, user="ana", format="notes").kept == 1


def test_whatsapp_messages_are_not_taken_for_media_or_notices(community: Memory, tmp_path: Path) -> None:
    file = tmp_path / "_chat.txt"
    mark = "\u200e"
    file.write_text(
        f"[12/03/2025, 14:05:11] Beach: {mark}Messages and calls are end-to-end encrypted. No one outside of this chat,"
        " not even WhatsApp, can read or listen to them.\n"
        f"[12/03/2025, 14:06:40] Rui: sexta n dá, sou alérgico a marisco {mark}<This message was edited>\n"
        f"{mark}[12/03/2025, 14:07:01] Rui: {mark}image omitted\n"
        "[12/03/2025, 14:08:01] Ana: report.pdf is wrong pls resend\n"
        "[12/03/2025, 14:09:01] Ana: IMG-20250312-WA0001.jpg (file attached)\n",
        encoding="utf-8",
    )
    assert community.import_(file).people == {"Rui": 1, "Ana": 1}
    texts = [record.text for record in all_messages(community)]
    assert texts == ["sexta n dá, sou alérgico a marisco", "report.pdf is wrong pls resend"]


@pytest.mark.parametrize(
    "notice", ["This message was deleted", "Você apagou esta mensagem", "Diese Nachricht wurde gelöscht."]
)
def test_whatsapp_messages_that_were_deleted_stay_out(community: Memory, tmp_path: Path, notice: str) -> None:
    file = tmp_path / "chat.txt"
    file.write_text(
        f"12/03/2025, 14:05 - Rui: {notice}\n12/03/2025, 14:06 - Ana: who deleted this message?\n", encoding="utf-8"
    )
    assert community.import_(file).left_out == {"a message that its author deleted": 1}
    assert [record.text for record in all_messages(community)] == ["who deleted this message?"]


def test_a_file_of_one_conversation_comes_in(assistant: Memory, tmp_path: Path) -> None:
    whole = samples.chatgpt_conversations()
    kept = assistant.import_(write_json(tmp_path / "one.json", whole[0]), user="ana")
    assert (kept.what, kept.problems) == ("chatgpt", ()) and kept.kept
    again = assistant.import_(write_json(tmp_path / "conversations.json", whole[:1]), user="ana")
    assert again.kept == 0


def test_a_name_that_nobody_has_is_reported(community: Memory, tmp_path: Path) -> None:
    file = tmp_path / "chat.txt"
    file.write_text("12/03/2025, 14:05 - Rui: olá\n", encoding="utf-8")
    told = community.import_(file, user="rui", me="Ruy", preview=True)
    assert told.problems == ("nobody has the name or id 'Ruy' (--me): nothing of this counts as rui's",)
    assert community.import_(file, user="rui", me="Rui").problems == ()
    assert community.import_(file, user="rui", me="Rui").problems == ()
    with pytest.raises(InputError, match="say who that is here"):
        community.import_(file, me="Rui")


def test_one_damaged_date_does_not_change_how_whatsapp_is_read(community: Memory, tmp_path: Path) -> None:
    file = tmp_path / "chat.txt"
    lines = ("12/03/2025 à 14:05 - Léa: coucou", "45/03/2025 à 14:05 - Léa: hein", "13/03/2025 à 9:05 - Tom: salut")
    file.write_text("\n".join(lines), encoding="utf-8")
    brought = community.import_(file)
    assert brought.problems == ("line 2: a date that is none in the order dmy of this file",)
    assert [(record.text, record.at.day) for record in all_messages(community)] == [("salut", 13)]


def test_telegram_text_with_links_is_one_text(community: Memory, tmp_path: Path) -> None:
    brought = community.import_(write_json(tmp_path / "result.json", samples.telegram_result()))
    assert (brought.what, brought.kept) == ("telegram", 4)
    texts = [record.text for record in all_messages(community)]
    assert "see https://example.org for the plan" in texts


def test_a_whole_telegram_account_is_read_chat_by_chat(community: Memory, tmp_path: Path) -> None:
    chats = [{**samples.telegram_result(), "id": number, "name": f"Chat {number}"} for number in (1, 2)]
    value = {"about": "Here is the data", "personal_information": {"id": 5}, "chats": {"about": "", "list": chats}}
    brought = community.import_(write_json(tmp_path / "result.json", value))
    assert brought.kept == 8
    assert {record.channel for record in all_messages(community)} == {"1", "2"}


def test_slack_ids_become_names_and_threads_are_kept(community: Memory, tmp_path: Path) -> None:
    brought = community.import_(make_slack(tmp_path / "slack"))
    assert (brought.what, brought.kept) == ("slack", 3)
    first, second, _ = all_messages(community)
    assert first.text == "@Marta we ship on fridays now & thats final"
    assert (second.text, second.channel) == ("tá bom, o plano", "C1")
    assert set(second.metadata) == {"edited_at", "thread", "imported"}


def test_a_file_that_is_cut_short_keeps_whole_conversations_and_says_where(assistant: Memory, tmp_path: Path) -> None:
    file = write_json(tmp_path / "conversations.json", samples.chatgpt_conversations())
    whole = file.read_text(encoding="utf-8")
    file.write_text(whole[:-200], encoding="utf-8")
    brought = assistant.import_(file, user="ana")
    assert {record.session for record in all_messages(assistant)} == {"c-dinner", "c-familia"}
    assert len(brought.problems) == 1
    assert "the file ends in the middle of a value" in brought.problems[0]
    assert brought.problems[0].startswith("line ")
    file.write_text(whole, encoding="utf-8")
    assert assistant.import_(file, user="ana").kept == 1


def test_a_conversation_with_a_broken_tree_is_left_out_whole(assistant: Memory, tmp_path: Path) -> None:
    value = samples.chatgpt_conversations()
    value[0]["mapping"]["u1"]["parent"] = "gone"
    brought = assistant.import_(write_json(tmp_path / "conversations.json", value), user="ana")
    assert brought.kept == 2
    assert "tree of messages is broken" in brought.problems[0]


def test_a_message_without_a_time_is_reported_by_its_line(community: Memory, tmp_path: Path) -> None:
    value = samples.discord_channel()
    value["messages"][2]["timestamp"] = "soon"
    brought = community.import_(write_json(tmp_path / "general.json", value))
    assert [problem.partition(":")[2] for problem in brought.problems] == [" a message without a time"]
    assert brought.problems[0].startswith("line ")


def test_a_file_of_which_nothing_can_be_read_is_an_error(assistant: Memory, tmp_path: Path) -> None:
    file = tmp_path / "conversations.json"
    file.write_text('[{"title": "x", "mapping": ', encoding="utf-8")
    with pytest.raises(BadImport, match=r"nothing of .* could be read: line 1"):
        assistant.import_(file)


def test_an_unknown_format_names_those_that_there_are(assistant: Memory, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="choose one of chatgpt, claude"):
        assistant.import_(write_json(tmp_path / "x.json", []), format="icq")


def test_a_named_format_is_read_where_it_would_not_be_recognised(community: Memory, tmp_path: Path) -> None:
    value = {"about": "x" * 70_000, "chats": {"list": [samples.telegram_result()]}}
    file = write_json(tmp_path / "result.json", value)
    assert find_format(file) is None
    assert community.import_(file, format="telegram").kept == 4


def test_an_erased_person_does_not_come_back(community: Memory, tmp_path: Path) -> None:
    file = write_json(tmp_path / "general.json", samples.discord_channel())
    community.import_(file)
    community.erase(user="101")
    again = community.import_(file)
    assert again.kept == 0
    assert all(record.user != "101" for record in all_messages(community))


def test_imported_words_are_trusted_no_more_than_an_agents(assistant: Memory, tmp_path: Path) -> None:
    file = write_json(tmp_path / "conversations.json", samples.claude_conversations())
    assistant.import_(file, user="ana")
    assert {record.trust.name for record in all_messages(assistant)} == {"AGENT"}


def test_messages_from_before_a_live_conversation_do_not_join_it(community: Memory, tmp_path: Path) -> None:
    live = community.observe("anyone here?", user="101", channel="77")
    assert isinstance(live, Record)
    community.import_(write_json(tmp_path / "general.json", samples.discord_channel()))
    assert all(r.conversation != live.conversation for r in all_messages(community) if r.id != live.id)


_KILLED = """
import os, signal, sys
from toldonce import Memory
from toldonce.operations import importing
importing._MESSAGES_PER_WRITE = 20
store, count = importing._store_items, 0
def kill_at_the_fourth(run, part):
    global count
    count += 1
    if count == 4:
        os.kill(os.getpid(), signal.SIGKILL)
    store(run, part)
importing._store_items = kill_at_the_fourth
Memory.open(sys.argv[1], preset="community", embedder=None, background=False).import_(sys.argv[2])
"""


def test_an_import_that_was_killed_goes_on_without_duplicates(tmp_path: Path) -> None:
    value: dict[str, Any] = samples.discord_channel(900)
    file = write_json(tmp_path / "general.json", value)
    place = tmp_path / "memory.db"
    done = subprocess.run([sys.executable, "-c", _KILLED, str(place), str(file)], env=dict(os.environ), check=False)
    assert done.returncode == -signal.SIGKILL
    with Memory.open(place, embedder=None, background=False) as memory:
        before = len(all_messages(memory))
        brought = memory.import_(file)
        assert brought.left_out["here already"] == before > 0
        assert memory.import_(file).kept == 0
        said = [m for m in value["messages"] if m["content"] and m["type"] != "GuildMemberJoin"]
        bots = [m for m in said if m["author"]["isBot"]]
        assert len(all_messages(memory)) == len(said) - len(bots)


def test_an_export_of_our_own_is_no_other_format(community: Memory, tmp_path: Path) -> None:
    community.observe("hello there", user="1")
    community.export(tmp_path / "out.jsonl")
    assert find_format(tmp_path / "out.jsonl") is None
    assert json.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()[0])["toldonce"]
