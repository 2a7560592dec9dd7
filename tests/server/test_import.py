"""Files of other programs are sent to a server, which reads one file or archive with the same checks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.importers import samples
from tests.importers.format_samples import SAMPLES
from tests.importers.samples import pack, write_json
from tests.server.serving import Serving
from tests.server.test_remote import open_remote
from toldonce.errors import BadImport, InputError
from toldonce.importers.formats import FORMATS

# What other programs keep in databases is read from a path only.
SENT = [form.name for form in FORMATS if form.name != "mempalace"]


def one_file(place: Path, folder: Path) -> Path:
    return pack(place, folder / "sent.zip") if place.is_dir() else place


@pytest.mark.parametrize("name", SENT)
def test_a_file_of_another_program_is_previewed_and_imported(server: Serving, tmp_path: Path, name: str) -> None:
    sample = SAMPLES[name]
    file = one_file(sample.make(tmp_path), tmp_path)
    here = server.memory.import_(file, user="ana", preview=True, **sample.options)
    with open_remote(server) as memory:
        assert memory.import_(file, user="ana", preview=True, **sample.options) == here
        assert (here.what, server.memory.timeline()) == (name, [])
        assert memory.import_(file, user="ana", **sample.options).kept == here.kept
        assert memory.import_(file, user="ana", **sample.options).kept == 0


def test_a_request_names_the_format_in_its_query(server: Serving, tmp_path: Path) -> None:
    body = write_json(tmp_path / "x.json", samples.chatgpt_conversations()).read_bytes()
    owner = server.owner()
    brought = owner.post("/v1/import", params={"format": "chatgpt", "user": "ana"}, content=body).json()
    assert (brought["what"], brought["kept"]) == ("chatgpt", 5)
    rows = b"body,who\nlikes rye bread,rui\n"
    query = {"format": "table", "columns": '{"text": "body", "user": "who"}'}
    assert owner.post("/v1/import", params=query, content=rows).json()["kept"] == 1
    assert owner.post("/v1/import", params={**query, "columns": "[1]"}, content=rows).status_code == 422


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ({"format": "icq"}, "there is no import format 'icq'"),
        ({"format": "claude"}, "nothing of the file could be read"),
        ({"format": "mempalace"}, "MemPalace keeps databases"),
        ({"preview": "true"}, "format was not named"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_reason(server: Serving, query: dict[str, str], told: str) -> None:
    answer = server.owner().post("/v1/import", params=query, content=b'[{"mapping": ')
    assert answer.status_code == 422
    assert told in answer.json()["detail"]


def test_only_the_owner_of_the_whole_memory_imports(server: Serving) -> None:
    answer = server.of("alex").post("/v1/import", params={"format": "chatgpt"}, content=b"[]")
    assert answer.status_code == 403


def test_folders_and_databases_are_not_sent(server: Serving, tmp_path: Path) -> None:
    places = (
        samples.make_vault(tmp_path / "vault"),
        samples.make_mempalace(tmp_path / "palace"),
        samples.make_mem0_history(tmp_path / "history.db"),
    )
    with open_remote(server) as memory:
        for place in places:
            with pytest.raises(InputError, match="cannot be sent to a server"):
                memory.import_(place)
        with pytest.raises(BadImport, match="nothing at this path"):
            memory.import_(tmp_path / "nowhere.json")
