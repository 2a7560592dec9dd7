"""What is in Slack's blocks and attachments is text, too, and its marks are shown as people see them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import OpenMemory
from tests.importers.samples import BEGAN, make_slack, write_json
from tests.importers.test_formats import all_messages
from toldonce import Memory, Record
from toldonce.importers.slack import find_slack_text, render_slack_text


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("assistant", space="team")


def import_day(memory: Memory, folder: Path, *messages: dict[str, Any]) -> list[Record]:
    """The records of one day of a channel."""
    make_slack(folder)
    day = [
        {"type": "message", "user": "U1", "ts": f"{BEGAN.timestamp() + 86_400 * 2 + number:.6f}", **message}
        for number, message in enumerate(messages)
    ]
    write_json(folder / "general" / "2025-03-04.json", day)
    memory.import_(folder)
    return [record for record in all_messages(memory) if record.at.day == 4]


def test_what_a_bot_attaches_is_its_message(memory: Memory, tmp_path: Path) -> None:
    (found,) = import_day(
        memory,
        tmp_path,
        {
            "subtype": "bot_message",
            "bot_id": "B1",
            "user": None,
            "username": "deploys",
            "text": "",
            "attachments": [
                {
                    "fallback": "Deploy 41 failed",
                    "pretext": "Deploy 41",
                    "title": "failed on <https://example.org/41|web-2>",
                    "text": "disk full &amp; no log",
                    "fields": [{"title": "Owner", "value": "<@U2>"}],
                },
                {"fallback": "Deploy 42 is waiting"},
            ],
        },
    )
    assert found.text == "Deploy 41\nfailed on web-2\ndisk full & no log\nOwner: @Marta\nDeploy 42 is waiting"
    assert (found.role, found.author) == ("assistant", "deploys")


def test_what_a_person_shares_is_quoted(memory: Memory, tmp_path: Path) -> None:
    shared = {
        "is_share": True,
        "author_id": "U2",
        "text": "I moved to Riga\nlast week",
        "from_url": "https://example.org",
    }
    alone, commented = import_day(
        memory, tmp_path, {"text": "", "attachments": [shared]}, {"text": "nice", "attachments": [shared]}
    )
    assert alone.text == "> I moved to Riga\n> last week"
    assert commented.text == "nice"


def test_a_message_of_blocks_alone_has_their_text(memory: Memory, tmp_path: Path) -> None:
    section = [
        {"type": "text", "text": "ask "},
        {"type": "user", "user_id": "U2"},
        {"type": "text", "text": " in "},
        {"type": "channel", "channel_id": "C1"},
        {"type": "text", "text": " about "},
        {"type": "link", "url": "https://example.org", "text": "the plan"},
        {"type": "emoji", "name": "tada"},
    ]
    items = [{"type": "rich_text_section", "elements": [{"type": "text", "text": word}]} for word in ("oven", "sieve")]
    rich = {
        "type": "rich_text",
        "elements": [
            {"type": "rich_text_section", "elements": section},
            {"type": "rich_text_list", "style": "bullet", "elements": items},
        ],
    }
    plain = {"type": "section", "text": {"type": "mrkdwn", "text": "*Lunch* at <!date^1741000000^{time}|noon>"}}
    (found,) = import_day(memory, tmp_path, {"text": "", "blocks": [rich, {"type": "divider"}, plain]})
    assert found.text == "ask @Marta in #general about the plan:tada:\noven\nsieve\n*Lunch* at noon"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("<!everyone> <!here> <!channel|channel>", "@everyone @here channel"),
        ("<!subteam^S1|@designers> and <!subteam^S2>", "@designers and @S2"),
        ("see <#C1> and <#C2|random> and <#C9|>", "see #general and #random and #C9"),
        ("<tel:+351900|call me> &lt;now&gt;", "call me <now>"),
    ],
)
def test_marks_are_shown_as_people_see_them(written: str, shown: str) -> None:
    assert render_slack_text(written, {}, {"C1": "general"}) == shown


def test_an_edit_has_a_moment_and_an_author_in_no_list_a_name(memory: Memory, tmp_path: Path) -> None:
    (found,) = import_day(
        memory,
        tmp_path,
        {
            "user": "U9",
            "text": "olá",
            "edited": {"user": "U9", "ts": "1741080000.000100"},
            "user_profile": {"display_name": "", "real_name": "Guest G"},
        },
    )
    assert found.metadata["edited_at"].startswith("2025-03-04T09:20:00")
    assert found.author == "Guest G"


@pytest.mark.parametrize("wrong", [7, "x", [7], [{"type": 7, "text": 7, "fields": [7], "elements": 7}], {"a": 1}, [[]]])
def test_blocks_and_attachments_of_a_wrong_type_are_no_text(wrong: Any) -> None:
    assert find_slack_text({"text": "", "attachments": wrong, "blocks": wrong}) in ("", "x")


def test_blocks_nested_without_end_are_read() -> None:
    block: Any = {"type": "text", "text": "deep"}
    for _ in range(50_000):
        block = {"type": "section", "elements": [block]}
    assert find_slack_text({"blocks": [block]}) == "deep"
