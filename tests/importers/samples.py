"""Exports of other programs as these programs write them, made for the tests: casual talk in three languages."""

from __future__ import annotations

import copyreg
import json
import os
import pickle
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from tests.importers.older_stores import make_chroma

BEGAN = datetime(2025, 3, 2, 18, 30, tzinfo=UTC)


def write_json(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1), encoding="utf-8")
    return path


def pack(folder: Path, target: Path) -> Path:
    """A zip of everything in a folder."""
    with ZipFile(target, "w") as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                archive.write(file, file.relative_to(folder).as_posix())
    return target


def chatgpt_node(
    key: str, parent: str | None, role: str, text: str, *, children: Iterable[str] = (), **more: Any
) -> Any:
    content = {"content_type": "text", "parts": [text]}
    message = {
        "id": key,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": BEGAN.timestamp() + len(key),
        "content": content,
        "status": "finished_successfully",
        "metadata": {},
        "recipient": "all",
        **more,
    }
    return {"id": key, "message": message, "parent": parent, "children": list(children)}


def chatgpt_conversations() -> list[dict[str, Any]]:
    nodes = [
        {"id": "root", "message": None, "parent": None, "children": ["s"]},
        chatgpt_node("s", "root", "system", "", children=["u1"]),
        chatgpt_node(
            "u1", "s", "user", "hey, im allergic to peanuts, what can i cook tonight?", children=["a1", "a1b"]
        ),
        chatgpt_node("a1", "u1", "assistant", "An answer that was regenerated"),
        chatgpt_node("a1b", "u1", "assistant", "A lentil curry without peanuts would be quick.", children=["t"]),
        chatgpt_node("t", "a1b", "assistant", "search('curry')", children=["u2"], recipient="browser"),
        chatgpt_node("u2", "t", "user", "nice. I moved to Porto last month btw"),
    ]
    first = {
        "title": "Dinner ideas",
        "create_time": BEGAN.timestamp(),
        "update_time": BEGAN.timestamp() + 60,
        "mapping": {node["id"]: node for node in nodes},
        "current_node": "u2",
        "conversation_id": "c-dinner",
        "id": "c-dinner",
    }
    other = [chatgpt_node("q", None, "user", "minha irmã se chama Clara e mora em Recife")]
    second = {
        "title": "Família",
        "create_time": BEGAN.timestamp() + 90_000,
        "mapping": {node["id"]: node for node in other},
        "current_node": "q",
        "conversation_id": "c-familia",
    }
    third = {
        "title": "Viaje",
        "create_time": BEGAN.timestamp() + 180_000,
        "mapping": {"v": chatgpt_node("v", None, "user", "me voy a Bogotá en mayo, qué llevo?")},
        "current_node": "v",
        "conversation_id": "c-viaje",
    }
    return [first, second, third]


def claude_conversations() -> list[dict[str, Any]]:
    def message(uuid: str, sender: str, text: str, minute: int) -> dict[str, Any]:
        at = (BEGAN + timedelta(minutes=minute)).isoformat().replace("+00:00", "Z")
        block = {"type": "text", "text": text}
        return {
            "uuid": uuid,
            "text": text,
            "content": [block],
            "sender": sender,
            "created_at": at,
            "attachments": [],
            "files": [],
        }

    return [
        {
            "uuid": "k-1",
            "name": "Marathon",
            "created_at": BEGAN.isoformat(),
            "updated_at": BEGAN.isoformat(),
            "account": {"uuid": "acc"},
            "chat_messages": [
                message("m1", "human", "I'm training for the Lisbon marathon in October", 0),
                message("m2", "assistant", "Great goal! How many kilometres do you run a week?", 1),
                message("m3", "human", "", 2),
            ],
        },
        {
            "uuid": "k-2",
            "name": "Comida",
            "created_at": BEGAN.isoformat(),
            "chat_messages": [
                message("m4", "human", "parei de comer carne em janeiro, não me faz falta", 10),
                message("m5", "human", "y mi hermano Iván tampoco come carne", 11),
            ],
        },
    ]


def gemini_activity() -> list[dict[str, Any]]:
    def entry(title: str, answer: str, hour: int) -> dict[str, Any]:
        made = {"header": "Gemini Apps", "title": title, "time": f"2025-03-02T{hour:02d}:10:00.120Z"}
        made["products"] = ["Gemini Apps"]  # type: ignore[assignment]
        return made | ({"safeHtmlItem": [{"html": answer}]} if answer else {})

    return [
        entry("Used an Assistant feature", "", 20),
        entry("Prompted a minha cadela chama-se Nêspera", "<p>Que nome bonito!</p>", 20),
        entry("Prompted y si viajo a Bogotá en mayo?", "<p>Lleva paraguas &amp; capas.</p>", 19),
        entry("Prompted my dog Bento needs a diet", "<p>Start with <b>less</b> kibble.</p><p>Walk more.</p>", 9),
    ]


def discord_channel(messages: int = 6) -> dict[str, Any]:
    people = [("101", "rui.f", "Rui", False), ("102", "marta_k", "Marta", False), ("900", "helper", "Helper", True)]
    said = [
        "just got a new job at a bakery lol",
        "parabéns!! eu adoro pão de centeio",
        "Welcome to the server",
        "yo me mudo a Sevilla en junio",
        "my token is ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
        "",
    ]
    made: list[dict[str, Any]] = []
    for number in range(messages):
        user, name, nickname, is_bot = people[number % 3]
        text = said[number] if number < len(said) else f"{said[number % 4]} ({number})"
        at = BEGAN + timedelta(minutes=7 * number)
        made.append(
            {
                "id": str(5_000_000 + number),
                "type": "Default" if number != 3 else "Reply",
                "timestamp": at.isoformat(),
                "timestampEdited": at.isoformat() if number == 1 else None,
                "isPinned": False,
                "content": text,
                "author": {"id": user, "name": name, "nickname": nickname, "isBot": is_bot, "roles": []},
                "attachments": [],
                "embeds": [],
                "reactions": [],
                "mentions": [],
                **({"reference": {"messageId": "5000001", "channelId": "77"}} if number == 3 else {}),
            }
        )
    joined = {**made[0], "id": "1", "type": "GuildMemberJoin", "content": "Joined the server."}
    return {
        "guild": {"id": "7", "name": "Forno", "iconUrl": ""},
        "channel": {"id": "77", "type": "GuildTextChat", "category": "Text", "name": "general", "topic": None},
        "dateRange": {"after": None, "before": None},
        "exportedAt": BEGAN.isoformat(),
        "messages": [joined, *made],
        "messageCount": len(made) + 1,
    }


WHATSAPP = {
    "android-br.txt": (
        "02/03/2025 18:30 - As mensagens são protegidas com a criptografia de ponta a ponta.\n"
        "02/03/2025 18:31 - Rui: oi! mudei de emprego, agora trabalho na padaria do Zé\n"
        "02/03/2025 18:32 - Marta Kühn: boa!!\ne quando começa?\n"
        "02/03/2025 18:33 - Rui: <Mídia oculta>\n"
        "13/03/2025 08:01 - Rui: começo segunda\n"
    ),
    "iphone.txt": (
        "\u200e[3/2/25, 6:30:00\u202fPM] Rui: \u200eMessages and calls are end-to-end encrypted.\n"
        "[3/2/25, 6:31:10\u202fPM] Rui: got a new job at the bakery\n"
        "[3/2/25, 6:32:00\u202fPM] Marta Kühn: congrats!\nwhen do you start?\n"
        "\u200e[3/2/25, 6:33:00\u202fPM] Rui: \u200eimage omitted\n"
        "[3/13/25, 8:01:00\u202fAM] Rui: monday: early :)\n"
    ),
    "german.txt": (
        "02.03.25, 18:30 - Rui hat die Gruppe erstellt\n"
        "02.03.25, 18:31 - Rui: hola, me mudo a Sevilla\n"
        "02.03.25, 18:32 - Marta Kühn: qué bien\ncuándo?\n"
        "02.03.25, 18:33 - Rui: IMG-20250302-WA0001.jpg (Datei angehängt)\n"
        "13.03.25, 08:01 - Rui: en junio\n"
    ),
}


def telegram_result() -> dict[str, Any]:
    def message(number: int, who: str, text: Any, **more: Any) -> dict[str, Any]:
        at = BEGAN + timedelta(minutes=number)
        return {
            "id": number,
            "type": "message",
            "date": f"{at:%Y-%m-%dT%H:%M:%S}",
            "date_unixtime": str(int(at.timestamp())),
            "from": who,
            "from_id": f"user{len(who)}",
            "text": text,
            **more,
        }

    return {
        "name": "Marta",
        "type": "personal_chat",
        "id": 4242,
        "messages": [
            {"id": 1, "type": "service", "date": "2025-03-02T18:00:00", "actor": "Rui", "action": "phone_call"},
            message(2, "Rui", "vou fazer a meia maratona do Porto em setembro"),
            message(3, "Marta", ["see ", {"type": "link", "text": "https://example.org"}, " for the plan"]),
            message(4, "Rui", "", photo="photos/1.jpg"),
            message(5, "Marta", "ok then", reply_to_message_id=2, edited="2025-03-02T18:40:00"),
            message(2_000, "Rui", "mañana empiezo en la panadería"),
        ],
    }


def make_slack(folder: Path) -> Path:
    write_json(
        folder / "users.json",
        [
            {"id": "U1", "name": "rui", "profile": {"display_name": "", "real_name": "Rui F"}},
            {"id": "U2", "name": "marta", "profile": {"display_name": "Marta", "real_name": "Marta K"}},
        ],
    )
    write_json(folder / "channels.json", [{"id": "C1", "name": "general", "members": ["U1", "U2"]}])
    first = f"{BEGAN.timestamp():.6f}"
    day = [
        {"type": "message", "user": "U1", "text": "<@U2> we ship on fridays now &amp; thats final", "ts": first},
        {"type": "message", "subtype": "channel_join", "user": "U2", "text": "<@U2> has joined", "ts": first},
        {
            "type": "message",
            "user": "U2",
            "text": "tá bom, <https://example.org/x|o plano>",
            "ts": f"{BEGAN.timestamp() + 60:.6f}",
            "thread_ts": first,
            "edited": {"user": "U2", "ts": f"{BEGAN.timestamp() + 90:.6f}"},
        },
    ]
    write_json(folder / "general" / "2025-03-02.json", day)
    later = {"type": "message", "user": "U1", "text": "mañana no vengo", "ts": f"{BEGAN.timestamp() + 90_000:.6f}"}
    write_json(folder / "general" / "2025-03-03.json", [later])
    return folder


def mem0_results() -> dict[str, Any]:
    def memory(key: str, text: str, user: str) -> dict[str, Any]:
        made = BEGAN.isoformat()
        return {
            "id": key,
            "memory": text,
            "hash": "f00",
            "metadata": {"category": "food"},
            "created_at": made,
            "updated_at": None,
            "user_id": user,
        }

    said = (("Likes rye bread", "rui"), ("Vive en Sevilla", "marta"), ("Tem uma irmã em Braga", "rui"))
    return {"results": [memory(f"m-{number}", *one) for number, one in enumerate(said, start=1)]}


class PointStruct:
    """Pickles as a point of qdrant-client does: a state with the fields of a pydantic model."""

    def __init__(self, key: str, payload: dict[str, Any]) -> None:
        self.fields = {"id": key, "vector": [0.1, 0.2], "payload": payload}

    def __reduce__(self) -> Any:
        state = {"__dict__": self.fields, "__pydantic_fields_set__": {"id"}, "__pydantic_extra__": None}
        return copyreg.__newobj__, (PointStruct,), state  # type: ignore[attr-defined]


class Harmful:
    """A pickle that would run a command where it is loaded as usual."""

    def __init__(self, target: Path) -> None:
        self.target = target

    def __reduce__(self) -> Any:
        return os.system, (f"touch {self.target}",)


def make_qdrant(folder: Path, *points: Any) -> Path:
    """A folder of Qdrant in local mode with these pickled points."""
    place = folder / "collection" / "mem0"
    place.mkdir(parents=True)
    with closing(sqlite3.connect(place / "storage.sqlite")) as connection, connection:
        connection.execute("CREATE TABLE points (id TEXT PRIMARY KEY, point BLOB)")
        rows = [(str(number), pickle.dumps(point)) for number, point in enumerate(points)]
        connection.executemany("INSERT INTO points VALUES (?, ?)", rows)
    write_json(folder / "meta.json", {"collections": {"mem0": {}}})
    return folder


def make_mem0_history(file: Path) -> Path:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(
            "CREATE TABLE history (id TEXT, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT,"
            " created_at DATETIME, updated_at DATETIME, is_deleted INTEGER, actor_id TEXT, role TEXT)"
        )
        rows = [
            ("1", "a", None, "Mora em Braga", "ADD", "2025-03-01T10:00:00", None, 0, None, None),
            ("2", "a", "Mora em Braga", "Mora no Porto", "UPDATE", "2025-03-02T10:00:00", None, 0, None, None),
            ("3", "b", "Likes tea", None, "DELETE", "2025-03-03T10:00:00", None, 1, None, None),
        ]
        connection.executemany("INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    return file


def graphiti_graph() -> dict[str, Any]:
    return {
        "episodes": [
            {
                "uuid": "e-1",
                "name": "turn 1",
                "group_id": "rui",
                "content": "i moved to Porto and work at a bakery now",
                "source": "message",
                "role_type": "user",
                "valid_at": "2025-03-02T18:30:00Z",
            },
            {
                "uuid": "e-2",
                "name": "turn 2",
                "group_id": "rui",
                "content": "a minha irmã faz pão em Braga",
                "source": "message",
                "role_type": "user",
                "valid_at": "2025-03-03T18:30:00Z",
            },
            {
                "uuid": "e-3",
                "name": "turn 3",
                "group_id": "rui",
                "content": "mañana empiezo en la panadería",
                "source": "message",
                "role_type": "user",
                "valid_at": "2025-03-04T18:30:00Z",
            },
        ],
        "edges": [
            {
                "uuid": "f-1",
                "name": "LIVES_IN",
                "fact": "Rui lives in Braga",
                "group_id": "rui",
                "created_at": "2024-01-01T00:00:00Z",
                "valid_at": "2024-01-01T00:00:00Z",
                "invalid_at": "2025-03-02T00:00:00Z",
            },
            {
                "uuid": "f-2",
                "name": "LIVES_IN",
                "fact": "Rui lives in Porto",
                "group_id": "rui",
                "created_at": "2025-03-02T00:00:00Z",
                "valid_at": "2025-03-02T00:00:00Z",
                "invalid_at": None,
                "episodes": ["e-1"],
            },
        ],
    }


def letta_file() -> dict[str, Any]:
    def message(key: str, role: str, text: str, **more: Any) -> dict[str, Any]:
        content = [{"type": "text", "text": text}]
        return {"id": key, "role": role, "content": content, "created_at": BEGAN.isoformat(), **more}

    sent = {"name": "send_message", "arguments": json.dumps({"message": "Nice, congratulations!"})}
    return {
        "agents": [
            {
                "id": "agent-0",
                "name": "Bento",
                "agent_type": "memgpt_agent",
                "block_ids": ["b-1"],
                "messages": [
                    message("m-0", "system", "You are Bento"),
                    message(
                        "m-1", "user", json.dumps({"type": "user_message", "message": "passei no exame de condução"})
                    ),
                    message("m-2", "assistant", "They sound happy", tool_calls=[{"function": sent}]),
                    message("m-3", "tool", '{"status": "OK"}'),
                    message("m-4", "user", json.dumps({"type": "heartbeat", "reason": "timer"})),
                    message("m-5", "user", "mañana compro el coche"),
                ],
            }
        ],
        "blocks": [
            {"id": "b-1", "label": "human", "value": "- Name: Clara\n- Allergic to shrimp\n"},
            {"id": "b-2", "label": "persona", "value": "I am Bento, a helpful agent"},
        ],
        "tools": [],
    }


def make_vault(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "2025-03-02.md").write_text("Walked to the [[Ribeira|river]] with Clara.\n#porto\n", encoding="utf-8")
    (folder / "Coffee.md").write_text(
        "---\ntitle: Coffee Brewing\ntype: note\ntags:\n- coffee\n- brewing\ncreated: 2025-01-05\n---\n"
        "# Coffee Brewing\n\n## Observations\n- [method] Pour over gives a cleaner cup #pour-over\n"
        "- [dica] A água deve ter 93 graus (testado)\n- [ ] buy filters\n\n"
        "## Relations\n- pairs_well_with [[Desserts]]\n",
        encoding="utf-8",
    )
    (folder / "Empty.md").write_text("---\ntitle: x\n---\n", encoding="utf-8")
    return folder


def make_discord_package(folder: Path) -> Path:
    rows = [
        {"ID": 11, "Timestamp": "2025-03-03 10:00:00", "Contents": "im vegetarian since january", "Attachments": ""},
        {"ID": 10, "Timestamp": "2025-03-02 10:00:00", "Contents": "oi gente, já cheguei", "Attachments": ""},
        {"ID": 9, "Timestamp": "2025-03-01 10:00:00", "Contents": "mañana os cuento", "Attachments": ""},
    ]
    write_json(folder / "Messages" / "c77" / "messages.json", rows)
    write_json(folder / "Messages" / "index.json", {"77": "general in Forno"})
    return folder


def make_agent_files(folder: Path) -> Path:
    (folder / ".cursor" / "rules").mkdir(parents=True)
    (folder / "CLAUDE.md").write_text("# Tests\nRun make test before you push, já!\n", encoding="utf-8")
    (folder / ".cursor" / "rules" / "sql.mdc").write_text(
        "---\nglobs: *.sql\n---\nUppercase keywords in SQL.\n", encoding="utf-8"
    )
    (folder / ".cursorrules").write_text("Prefer small functions.\n", encoding="utf-8")
    (folder / "README.md").write_text("# Not a rule\ntext\n", encoding="utf-8")
    return folder


TABLE = (
    '{"msg": "hey, i moved to Porto", "s": "1", "r": "human", "t": "2025-03-02T10:00:00"}\n'
    '{"msg": "Nice city!", "s": "1", "r": "ai", "t": "2025-03-02T10:00:05"}\n'
    '{"msg": "a minha irmã vem cá amanhã", "s": "2", "r": "human", "t": "2025-03-03T10:00:00"}\n'
    '{"msg": "y yo mañana no trabajo", "s": "2", "r": "human", "t": "2025-03-03T10:01:00"}\n'
)
TABLE_COLUMNS = {"text": "msg", "session": "s", "role": "r", "at": "t"}


MEMPALACE_GRAPH = """
CREATE TABLE entities (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, type TEXT DEFAULT 'unknown', properties TEXT DEFAULT '{}',
    created_at TEXT DEFAULT CURRENT_TIMESTAMP);
CREATE TABLE triples (
    id TEXT PRIMARY KEY, subject TEXT NOT NULL, predicate TEXT NOT NULL, object, valid_from TEXT, valid_to TEXT,
    confidence REAL DEFAULT 1.0, source_closet TEXT, source_file TEXT, source_drawer_id TEXT, adapter_name TEXT,
    extracted_at TEXT DEFAULT CURRENT_TIMESTAMP);
INSERT INTO entities (id, name) VALUES ('clara', 'Clara'), ('braga', 'Braga'), ('porto', 'Porto'), ('joão', 'João');
INSERT INTO triples (id, subject, predicate, object, valid_from, valid_to, extracted_at) VALUES
    ('t1', 'clara', 'lives_in', 'braga', '2024-01', '2025-03-02', '2025-03-02 10:00:00'),
    ('t2', 'clara', 'lives_in', 'porto', '2025-03-02', NULL, '2025-03-02 10:00:00'),
    ('t3', 'joão', 'brother_of', 'clara', NULL, NULL, '2025-03-02 10:00:00');
"""


def make_mempalace(folder: Path) -> Path:
    """The folder that MemPalace keeps in a home folder: a palace of ChromaDB, and a knowledge graph beside it."""
    folder.mkdir(parents=True)
    drawer = {"wing": "wing_home", "filed_at": "2025-03-04T12:00:00", "added_by": "mempalace"}
    drawers = (
        ("> which oven do i buy?\nA small one is enough.", {**drawer, "room": "kitchen", "content_date": "2025-02-01"}),
        ("la masa madre está lista", {**drawer, "room": "diary", "type": "diary_entry", "date": "2025-03-03"}),
        ("o forno novo chega amanhã", {**drawer, "room": "kitchen", "source_mtime": 1740940200.5}),
        ("[registry] /home/clara/x.txt", {**drawer, "room": "_registry", "ingest_mode": "registry"}),
    )
    make_chroma(folder / "palace", drawers, collection="mempalace_drawers")
    with closing(sqlite3.connect(folder / "knowledge_graph.sqlite3")) as graph:
        graph.executescript(MEMPALACE_GRAPH)
    return folder
