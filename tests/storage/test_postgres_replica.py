"""A real standby: reads go there, a process reads its own writes, and the standby takes over."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import pytest

from tests.postgres import run_on
from tests.postgres_server import OwnServer, lend_folder
from toldonce import InputError, Memory
from toldonce.errors import StoreError
from toldonce.storage.postgres.address import Address, read_address
from toldonce.storage.postgres.pool import ServerConnection
from toldonce.storage.postgres.replica import ReadReplica
from toldonce.storage.store import Tables


@pytest.fixture
def primary() -> Iterator[OwnServer]:
    with lend_folder() as folder:
        server = OwnServer(folder / "pg")
        server.start()
        yield server
        if server.is_running:
            server.stop("immediate")


@pytest.fixture
def standby(primary: OwnServer) -> Iterator[OwnServer]:
    with Memory.open(primary.address, "assistant", embedder=None, background=False) as memory:
        memory.remember("The boiler is serviced in May", user="ana")
    server = primary.copy_to_standby(primary.folder.parent / "standby")
    server.start()
    yield server
    if server.is_running:
        server.stop("immediate")


def open_both(primary: OwnServer, standby: OwnServer) -> Memory:
    address = f"{primary.address}&replica={quote(standby.address, safe='')}"
    return Memory.open(address, "assistant", embedder=None, background=False)


def count_reads(server: OwnServer) -> int:
    [(count,)] = server.ask("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'toldonce'")
    return int(count)


def wait_for_standby(primary: OwnServer, standby: OwnServer) -> None:
    [(position,)] = primary.ask("SELECT pg_current_wal_flush_lsn()::text")
    standby.wait_until(f"SELECT pg_last_wal_replay_lsn() >= '{position}'")


def shown(memory: Memory, query: str) -> list[str]:
    return [hit.record.text for hit in memory.recall(query, "ana")]


def test_reads_go_to_the_standby_and_a_process_reads_its_own_writes(primary: OwnServer, standby: OwnServer) -> None:
    with open_both(primary, standby) as memory:
        assert shown(memory, "when is the boiler serviced") == ["The boiler is serviced in May"]
        assert count_reads(standby) > 0
        for number in range(30):
            memory.observe(f"parcel {number} is here", "ana", session="s")
            assert f"parcel {number} is here" in shown(memory, f"parcel {number}")


def test_a_standby_that_is_behind_is_not_read(primary: OwnServer, standby: OwnServer) -> None:
    run_on(standby.address, "SELECT pg_wal_replay_pause()")
    with open_both(primary, standby) as memory:
        memory.observe("the kettle is new", "ana", session="s")
        assert shown(memory, "kettle") == ["the kettle is new"]
        assert standby.ask("SELECT count(*) FROM toldonce.records WHERE text LIKE '%kettle%'") == [(0,)]
    run_on(standby.address, "SELECT pg_wal_replay_resume()")


def test_without_the_standby_the_primary_is_read(primary: OwnServer, standby: OwnServer) -> None:
    with open_both(primary, standby) as memory:
        assert shown(memory, "boiler")
        standby.stop("immediate")
        for _ in range(3):
            assert shown(memory, "boiler")


def test_a_write_whose_position_is_unknown_is_kept_and_read_from_the_primary(
    primary: OwnServer, standby: OwnServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_on(standby.address, "SELECT pg_wal_replay_pause()")
    note_written = ReadReplica.note_written
    with open_both(primary, standby) as memory:
        with monkeypatch.context() as patched:

            def lose_connection(self: ReadReplica, connection: ServerConnection) -> None:
                primary.ask(f"SELECT pg_terminate_backend({connection.info.backend_pid})")
                note_written(self, connection)

            patched.setattr(ReadReplica, "note_written", lose_connection)
            memory.store.write(lambda t: t.people.set_member("main", "ana", "owner"))
        assert memory.store.read(lambda t: t.people.list_members("main")) == {"ana": "owner"}
        assert memory.store.read(lambda t: t.people.list_members("main")) == {"ana": "owner"}
    run_on(standby.address, "SELECT pg_wal_replay_resume()")


def test_a_read_that_the_standby_cancels_goes_to_the_primary_when_it_is_tried_again(
    primary: OwnServer, standby: OwnServer
) -> None:
    with open_both(primary, standby) as memory:

        def cancelled(tables: Tables) -> None:
            tables.people.space("main")
            standby.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'toldonce'")
            tables.people.list_members("main")

        wait_for_standby(primary, standby)
        with pytest.raises(StoreError):
            memory.store.read(cancelled)
        assert shown(memory, "boiler")
        assert count_reads(standby) == 0


def test_a_promoted_standby_takes_over(primary: OwnServer, standby: OwnServer) -> None:
    with open_both(primary, standby) as memory:
        memory.observe("the last word", "ana", session="s")
        assert shown(memory, "last word")
        wait_for_standby(primary, standby)
        primary.stop("immediate")
        with pytest.raises(StoreError):
            memory.observe("nobody listens", "ana", session="s")
        standby.promote()
    with Memory.open(standby.address, embedder=None, background=False) as memory:
        assert shown(memory, "last word") == ["the last word"]
        memory.observe("life goes on", "ana", session="s")
        assert "life goes on" in shown(memory, "life goes on")
        assert memory.storage.check() == []


def test_a_standby_is_no_primary(standby: OwnServer) -> None:
    with pytest.raises(StoreError, match="give the address of the primary"):
        Memory.open(standby.address, "assistant", embedder=None)


def test_the_address_of_a_standby_is_read_and_not_shown() -> None:
    read = read_address("postgresql://a/m?replica=postgresql%3A%2F%2Fu%3Asecret%40b%2Fm")
    assert read.replica == Address("postgresql://u:secret@b/m", "postgresql://u@b/m")
    assert (read.conninfo, read.place) == ("postgresql://a/m", "postgresql://a/m")
    with pytest.raises(InputError, match="replica= is the address of a standby"):
        read_address("postgresql://a/m?replica=b")
    with pytest.raises(InputError, match="the address in replica= takes no tenant"):
        read_address("postgresql://a/m?replica=postgresql%3A%2F%2Fb%2Fm%3Ftenant%3Dacme")
