"""Files of other programs are sent to a server, which reads one file or archive with the same checks."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from tests.conftest import OpenMemory
from tests.importers import samples
from tests.importers.format_samples import SAMPLES
from tests.importers.samples import pack, write_json
from tests.server.serving import Serving, serving
from tests.server.test_remote import open_remote
from toldonce.errors import BadImport, InputError, WorkStopped
from toldonce.importers.formats import FORMATS
from toldonce.server.settings import RequestLimits, ServerSettings
from toldonce.server.transfer import RequestFile, run_for_request

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


def test_the_end_of_a_request_ends_the_work_on_its_file(open_memory: OpenMemory) -> None:
    """Cut by its time, an import stops where it is: what is stored stays, and nothing more comes."""
    rows = b"body,who\n" + b"".join(b"likes bread number %d,rui\n" % n for n in range(20_000))
    query = {"format": "table", "columns": '{"text": "body", "user": "who"}'}
    limits = RequestLimits(long_seconds=0.5, requests_per_minute=0)
    with serving(open_memory("assistant"), ServerSettings(limits=limits)) as server:
        answer = server.owner().post("/v1/import", params=query, content=rows)
        assert answer.status_code == 504
        assert server.memory.stats()["kinds"]["fact"]["active"] < 20_000


class GoneClient:
    """A request whose client goes away when it is asked for more."""

    async def receive(self) -> dict[str, str]:
        return {"type": "http.disconnect"}


class PatientClient:
    """A request whose client waits for the answer."""

    async def receive(self) -> dict[str, str]:
        await anyio.sleep_forever()
        raise AssertionError


def test_work_sees_that_its_client_has_gone() -> None:
    seen = threading.Event()

    def work(is_over: Callable[[], bool]) -> str:
        while not is_over():
            seen.wait(0.001)
        return "stopped"

    assert anyio.run(run_for_request, GoneClient(), work) == "stopped"
    assert anyio.run(run_for_request, PatientClient(), lambda is_over: is_over()) is False


def test_what_work_raises_comes_out_as_it_is() -> None:
    def fail(_: Callable[[], bool]) -> None:
        raise BadImport("no")

    with pytest.raises(BadImport, match="no"):
        anyio.run(run_for_request, PatientClient(), fail)


def test_a_file_of_a_request_reads_nothing_more_once_it_is_over() -> None:
    over: list[int] = []
    file = RequestFile(io.BytesIO(b"one\ntwo\nthree\n"), lambda: bool(over))
    assert file.read(2) == b"on" and file.readline() == b"e\n" and next(iter(file)) == b"two\n" and file.tell() == 8
    over.append(1)
    for read in (file.read, file.readline, file.read1):
        with pytest.raises(WorkStopped):
            read()
