"""Small made-up data sets in the published forms, written to a folder, and an embedder that counts what it is asked."""

from __future__ import annotations

import gzip
import json
import lzma
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from numpy.typing import NDArray


class WordEmbedder:
    """Counts words in 32 buckets; texts with a word in common are alike."""

    name = "words/32"
    dimensions = 32
    local = True

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        vectors = np.full((len(texts), self.dimensions), 0.01, dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for word in text.casefold().split():
                row[crc32(word.encode()) % self.dimensions] += 1
        unit: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit


LOCOMO = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Nina",
            "speaker_b": "Tom",
            "session_1_date_time": "4:04 pm on 20 January, 2023",
            "session_1": [
                {"speaker": "Nina", "dia_id": "D1:1", "text": "I adopted a beagle called Biscuit."},
                {"speaker": "Tom", "dia_id": "D1:2", "text": "Lovely!", "blip_caption": "a dog on a sofa"},
            ],
            "session_2_date_time": "9:30 am on 3 March, 2023",
            "session_2": [
                {"speaker": "Tom", "dia_id": "D2:1", "text": "My brother opened a bakery in Porto."},
                {"speaker": "Nina", "dia_id": "D2:2", "text": "Biscuit would eat the whole bakery."},
            ],
        },
        "qa": [
            {"question": "What dog did Nina adopt?", "answer": "a beagle", "evidence": ["D1:1"], "category": 4},
            {"question": "Who would eat the bakery?", "answer": "x", "evidence": ["D:1:01; D2:02"], "category": 1},
            {"question": "When was the bakery opened?", "answer": "x", "evidence": ["D2:1", "D9:9"], "category": 2},
            {"question": "Nobody knows?", "answer": "x", "evidence": [], "category": 3},
        ],
    }
]


def session(*said: str, answer: int | None = None) -> list[dict[str, Any]]:
    """Turns of a person and an assistant by turns; one of them may hold the answer."""
    roles = ("user", "assistant")
    return [{"role": roles[n % 2], "content": text, "has_answer": n == answer} for n, text in enumerate(said)]


def asked(
    name: str, kind: str, question: str, day: str, **evidence: tuple[str, list[dict[str, Any]]]
) -> dict[str, Any]:
    return {
        "question_id": name,
        "question_type": kind,
        "question": question,
        "answer": "x",
        "question_date": day,
        "haystack_session_ids": list(evidence),
        "haystack_dates": [date for date, _ in evidence.values()],
        "haystack_sessions": [turns for _, turns in evidence.values()],
        "answer_session_ids": list(evidence),
    }


ORACLE = [
    asked(
        "q1", "knowledge-update", "How many plants do I water now?", "2023/06/01 (Thu) 10:00",
        s_new=("2023/05/20 (Sat) 09:00", session("I water twelve plants now", "Good", answer=0)),
        s_old=("2023/04/10 (Mon) 09:00", session("I water seven plants", "Nice", answer=0)),
    ),
    asked(
        "q2", "single-session-user", "What instrument does my cousin play?", "2023/05/30 (Tue) 19:11",
        s_cousin=("2023/05/25 (Thu) 10:00", session("Hello", "Hi", "My cousin plays the oboe", answer=2)),
    ),
    asked(
        "q3", "multi-session", "What did I cook for the two dinners?", "2023/03/01 (Wed) 08:00",
        s_late=("2023/07/01 (Sat) 18:00", session("I cooked lentil soup for dinner", answer=0)),
        s_early=("2023/02/01 (Wed) 18:00", session("I cooked a mushroom risotto for dinner", answer=0)),
    ),
    asked(
        "q4_abs", "multi-session", "What did I never say?", "2023/06/01 (Thu) 10:00",
        s_abs=("2023/05/01 (Mon) 09:00", session("Only here because of a question without an answer")),
    ),
]  # fmt: skip

CUT_QUESTIONS = [
    {
        **{key: value for key, value in ORACLE[0].items() if key != "haystack_sessions"},
        "haystack_session_ids": ["s_old", "s_x", "s_new"],
        "haystack_dates": ["2023/04/10 (Mon) 09:00", "2023/04/11 (Tue) 09:00", "2023/05/20 (Sat) 09:00"],
    }
]
CUT_SESSIONS = [
    {"id": "s_old", "user_text_500": "I water seven plants"},
    # A line separator of Unicode stands unescaped in real files.
    {"id": "s_x", "user_text_500": "A train was late\u2028again"},
    {"id": "s_new", "user_text_500": "I water twelve plants now"},
]

BEAM = [
    {
        "chat_id": "100K-1",
        "topic": {"id": 1},
        "messages": [
            {"id": n, "role": role, "batch": batch, "time_anchor": anchor, "content": text}
            for n, role, batch, anchor, text in [
                (0, "user", 1, "March-15-2024", "Always answer me in French, please."),
                (1, "assistant", 1, None, "Bien sûr."),
                (2, "user", 1, None, "My budget for the garden is 900 euros."),
                (3, "assistant", 1, None, "Noted."),
                (4, "user", 2, "April-05-2024", "The budget for the garden is 1200 euros now."),
                (5, "assistant", 2, None, "A larger garden, then."),
                (6, "user", 2, None, "I said I never planted tulips, yet I planted tulips last week."),
            ]
        ],
        "probing_questions": {
            "abstention": [{"question": "Which car do I drive?"}],
            "instruction_following": [
                {
                    "question": "How are you today?",
                    "source_chat_ids": [0],
                    "expected_compliance": "An answer in French",
                    "rubric": ["It is in French"],
                }
            ],
            "knowledge_update": [
                {
                    "question": "What is the budget for my garden?",
                    "source_chat_ids": {"original_info": [2], "updated_info": [4]},
                },
                {
                    "question": "What was the garden budget first?",
                    "source_chat_ids": {"original_info": [4], "updated_info": []},
                },
            ],
            "contradiction_resolution": [
                {"question": "Did I plant tulips?", "source_chat_ids": {"first": ["6"], "second": [[6, 99]]}}
            ],
            "temporal_reasoning": [{"question": "How long between?", "source_chat_ids": {"a": [2], "b": [4]}}],
        },
    }
]

FAQUAD = [
    {
        "doc": "t/0",
        "title": "Biblioteca",
        "text": "A biblioteca abre às oito horas da manhã.",
        "questions": [{"id": "a", "question": "A que horas abre a biblioteca?", "answers": ["às oito", "oito horas"]}],
    },
    {
        "doc": "t/1",
        "title": "Matrícula",
        "text": "A matrícula custa cinquenta reais por semestre.",
        "questions": [{"id": "a", "question": "Quanto custa a matrícula?", "answers": [{"text": "cinquenta reais"}]}],
    },
]
PLUS = [
    {
        "id": 7,
        "relation": "causal",
        "cue": "A: I sold my boat.\nB: Why?",
        "query": "A: The lake is calm",
        "time_gap": "",
    },
    {
        "id": 9,
        "relation": "goal",
        "cue": "A: I train for a race.\nB: Run!",
        "query": "A: My knees hurt",
        "time_gap": "",
    },
]


def write_json(path: Path, value: object) -> Path:
    """A JSON file, JSON lines by its name, packed by its ending."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ".jsonl" in path.name and isinstance(value, list)
    text = "\n".join(json.dumps(v, ensure_ascii=False) for v in value) if lines else json.dumps(value)  # type: ignore[attr-defined]
    packed = {".gz": gzip.compress, ".xz": lzma.compress}.get(path.suffix, bytes)(text.encode())
    path.write_bytes(packed)
    return path


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with every set, each in a folder of its own."""
    folder = tmp_path / "data"
    write_json(folder / "locomo" / "locomo_part.json.gz", LOCOMO)
    write_json(folder / "locomo_plus" / "locomo_plus_part.jsonl.gz", PLUS)
    write_json(folder / "longmemeval" / "oracle_part.json.gz", ORACLE)
    write_json(folder / "longmemeval" / "s_cut_part_questions.jsonl.gz", CUT_QUESTIONS)
    write_json(folder / "longmemeval" / "s_cut_part_sessions.jsonl.gz", CUT_SESSIONS)
    write_json(folder / "beam" / "beam_100K_part.jsonl.xz", BEAM)
    write_json(folder / "faquad" / "faquad_part.jsonl.gz", FAQUAD)
    return folder
