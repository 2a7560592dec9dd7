"""Encryption at rest: nothing readable in any file, a wrong key changes nothing, conversions survive a crash."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import apsw
import pytest
from click.testing import CliRunner

from toldonce import Memory
from toldonce.cli.main import cli
from toldonce.errors import ConfigError, CorruptStore, InputError, NeedsKey, NotAMemory, StoreBusy, WrongKey
from toldonce.storage.encryption import EncryptionKey
from toldonce.storage.sqlite.cipher import check_key, is_encrypted_file
from toldonce.storage.sqlite.convert import change_encryption

KEY = "correct horse battery staple"
OTHER = b"k" * 32
CANARY = "zanzibarcanary"


def opened(path: Path, key: str | bytes | None = KEY) -> Memory:
    return Memory.open(path, preset="assistant", embedder=None, background=False, encryption_key=key)


def fill(memory: Memory) -> None:
    memory.observe(f"I live in {CANARY}", "ana", session="s", display_name="Ana Canary")
    memory.remember(f"Ana likes {CANARY}", user="ana", metadata={"where": CANARY})
    memory.settle()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def encrypted(path: Path) -> Path:
    with opened(path) as memory:
        fill(memory)
    return path


def contents(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file())


@pytest.mark.parametrize("key", [KEY, OTHER, "hex:" + "5a" * 32])
def test_no_file_of_an_encrypted_memory_holds_a_readable_word(path: Path, key: str | bytes) -> None:
    with opened(path, key) as memory:
        fill(memory)
        memory.storage.backup()
        memory.export(path.with_name("all.jsonl"))
        assert {file.name for file in path.parent.iterdir()} >= {"memory.db", "memory.db-wal", "memory.db.bak.1"}
        for word in (CANARY, "Ana Canary", "assistant", "SQLite format"):
            assert word.encode() not in contents(path.parent), word
        assert memory.recall(CANARY, "ana")
    with opened(path, key) as memory:
        assert memory.storage.check() == [] and memory.recall(CANARY, "ana")


@pytest.mark.parametrize("key", ["another passphrase", b"x" * 32])
def test_a_wrong_key_is_a_clear_error_and_changes_nothing(encrypted: Path, key: str | bytes) -> None:
    before = encrypted.read_bytes()
    with pytest.raises(WrongKey, match="does not open"):
        opened(encrypted, key)
    assert encrypted.read_bytes() == before
    with opened(encrypted) as memory:
        assert memory.recall(CANARY, "ana")


def test_without_a_key_an_encrypted_memory_says_so(encrypted: Path) -> None:
    with pytest.raises(NeedsKey, match="encrypted.*TOLDONCE_ENCRYPTION_KEY"):
        opened(encrypted, None)


def test_a_key_for_a_plain_memory_is_refused_so_that_nothing_is_written_readable(path: Path) -> None:
    opened(path, None).close()
    with pytest.raises(WrongKey, match="not encrypted: encrypt it"):
        opened(path)


@pytest.mark.parametrize("reading", [apsw.NotADBError, apsw.CorruptError])
def test_every_way_a_wrong_key_shows_is_told_as_a_wrong_key(path: Path, reading: type[apsw.Error]) -> None:
    """Beside a conversion a page of the log can look malformed with the other key."""

    class Connection:
        def pragma(self, _name: str) -> None:
            raise reading("malformed")

    with pytest.raises(WrongKey):
        check_key(Connection(), str(path))  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", ["short", "hex:12", "hex:zz", b"short", 5])
def test_a_key_that_is_too_weak_or_misspelled_is_refused(path: Path, wrong: object) -> None:
    with pytest.raises(InputError):
        opened(path, wrong)  # type: ignore[arg-type]
    assert not path.exists()


def test_a_memory_in_this_process_cannot_be_encrypted() -> None:
    with pytest.raises(ConfigError, match="path of a file"):
        Memory.open(":memory:", embedder=None, encryption_key=KEY)


def test_the_environment_gives_the_key(encrypted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOLDONCE_ENCRYPTION_KEY", KEY)
    with opened(encrypted, None) as memory:
        assert memory.recall(CANARY, "ana")


def test_processes_that_make_an_encrypted_memory_at_once_agree(path: Path) -> None:
    program = (
        "import sys; from toldonce import Memory\n"
        "with Memory.open(sys.argv[1], embedder=None, background=False, encryption_key=sys.argv[2]) as memory:\n"
        "    memory.observe('Hello from ' + sys.argv[3], 'ana', session='s')\n"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", program, str(path), KEY, str(n)], stderr=subprocess.PIPE)
        for n in range(6)
    ]
    assert [process.communicate()[1] for process in started] == [b""] * 6
    with opened(path) as memory:
        assert len(memory.timeline("ana")) == 6


def test_encrypt_rekey_and_decrypt_keep_everything(path: Path) -> None:
    with opened(path, None) as memory:
        fill(memory)
        memory.storage.backup()
        before = [happening.record.id for happening in memory.timeline("ana")]
    steps: list[tuple[str | bytes | None, str | bytes | None]] = [(None, KEY), (KEY, OTHER), (OTHER, None), (None, KEY)]
    for old, new in steps:
        change_encryption(str(path), old=_read(old), new=_read(new))
        assert is_encrypted_file(str(path)) is (new is not None)
        with opened(path, new) as memory:
            assert [happening.record.id for happening in memory.timeline("ana")] == before
            assert memory.storage.check() == [] and memory.audit.verify().problems == ()
        if old is not None and new is not None:
            with pytest.raises(WrongKey):
                opened(path, old)


def _read(key: str | bytes | None) -> EncryptionKey | None:
    return None if key is None else EncryptionKey.read(key)


def test_a_memory_in_use_is_not_converted(path: Path) -> None:
    with opened(path, None) as memory:
        fill(memory)
        with pytest.raises(StoreBusy, match="in use"):
            change_encryption(str(path), old=None, new=EncryptionKey.read(KEY))
        memory.observe("Still here", "ana", session="s")
    assert not is_encrypted_file(str(path))
    change_encryption(str(path), old=None, new=EncryptionKey.read(KEY))
    assert [file.name for file in path.parent.iterdir()] == ["memory.db"]


def test_only_a_memory_is_converted(path: Path) -> None:
    with pytest.raises(NotAMemory):
        change_encryption(str(path), old=None, new=EncryptionKey.read(KEY))
    path.write_bytes(b"x" * 5000)
    with pytest.raises(WrongKey):
        change_encryption(str(path), old=EncryptionKey.read(KEY), new=None)
    assert path.read_bytes() == b"x" * 5000


# Kills itself at the n-th of the steps that change something on disk.
_KILLED = """
import os, sys, signal
from toldonce.storage.encryption import EncryptionKey
from toldonce.storage.sqlite import convert
at = int(sys.argv[2])
steps = iter(range(1000))
def counted(function):
    def run(*args, **given):
        if next(steps) == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*args, **given)
    return run
for name in ("make_private", "open_connection", "write_copy_address", "verify_copy", "_replace_file", "check_key"):
    setattr(convert, name, counted(getattr(convert, name)))
os.replace = counted(os.replace)
os.fsync = counted(os.fsync)
convert.change_encryption(sys.argv[1], old=None, new=EncryptionKey.read(sys.argv[3]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_conversion_that_is_killed_anywhere_leaves_a_whole_memory(path: Path) -> None:
    for step in range(40):
        path.unlink(missing_ok=True)
        with opened(path, None) as memory:
            fill(memory)
        done = subprocess.run([sys.executable, "-c", _KILLED, str(path), str(step), KEY], check=False)
        key = KEY if is_encrypted_file(str(path)) else None
        copies = [file for file in path.parent.iterdir() if file.name.endswith(".rekey")]
        assert not any(CANARY.encode() in file.read_bytes() for file in copies), "a copy was readable"
        with opened(path, key) as memory:
            assert memory.storage.check() == [] and len(memory.recall(CANARY, "ana")) >= 2
        assert not any(file.exists() for file in copies), "the next opening removes them"
        if key is None:
            change_encryption(str(path), old=None, new=EncryptionKey.read(KEY))
        left = {file.name: file.stat().st_size for file in path.parent.iterdir() if file != path}
        assert not any(left.values()), "leftovers are removed"
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL
    else:
        pytest.fail("the conversion has more steps than were tried")


def test_a_changed_byte_of_an_encrypted_memory_is_found(encrypted: Path) -> None:
    whole = bytearray(encrypted.read_bytes())
    whole[len(whole) // 2] ^= 1
    encrypted.write_bytes(whole)
    try:
        with opened(encrypted) as memory:
            told = memory.storage.check()
    except CorruptStore as problem:
        told = [str(problem)]
    assert any("damaged" in line for line in told)


# Exports


def test_a_sealed_export_comes_back_with_its_key_alone(encrypted: Path, tmp_path: Path) -> None:
    file = tmp_path / "out" / "all.jsonl"
    file.parent.mkdir()
    with opened(encrypted) as memory:
        memory.export(file)
    assert CANARY.encode() not in file.read_bytes()
    fresh = Memory.open(tmp_path / "fresh.db", preset="assistant", embedder=None, background=False)
    with fresh:
        with pytest.raises(NeedsKey, match="sealed"):
            fresh.import_(file)
        with pytest.raises(WrongKey, match="not the one"):
            fresh.import_(file, encryption_key="some other passphrase")
        assert fresh.stats()["kinds"] == {}
        fresh.import_(file, encryption_key=KEY)
        assert fresh.recall(CANARY, "ana")


@pytest.mark.parametrize("lines", [1, 3000])
def test_a_sealed_export_that_was_changed_or_cut_is_refused(lines: int, tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.db", preset="assistant", embedder=None, background=False) as memory:
        memory.observe_many([{"text": f"Message {n} of many", "user": "ana", "session": "s"} for n in range(lines)])
        memory.export(tmp_path / "all.jsonl", encryption_key=KEY)
        whole = (tmp_path / "all.jsonl").read_bytes()
        piece = 64 * 1024 + 16
        start = whole.index(b"\n") + 1
        wrong = [whole[:-1], whole[:-40], whole[: start + 5], whole + b"x", whole[:start]]
        wrong.append(whole[: start + 20] + bytes([whole[start + 20] ^ 1]) + whole[start + 21 :])
        if len(whole) > start + 2 * piece:
            wrong.append(whole[:start] + whole[start + piece : start + 2 * piece] + whole[start + piece :])
            wrong.append(whole[: start + piece])
        for number, content in enumerate(wrong):
            file = tmp_path / f"{number}.jsonl"
            file.write_bytes(content)
            with pytest.raises((WrongKey, InputError)):
                memory.import_(file, encryption_key=KEY)
        memory.import_(tmp_path / "all.jsonl", encryption_key=KEY)


def test_an_encrypted_memory_is_written_readable_only_when_asked(encrypted: Path, tmp_path: Path) -> None:
    with opened(encrypted) as memory:
        with pytest.raises(InputError, match="plain"):
            memory.export(tmp_path / "all.md")
        memory.export(tmp_path / "all.md", plain=True)
    assert CANARY in (tmp_path / "all.md").read_text()


# The command line


def run(path: Path, *args: str, key: str | None = None, given: str | None = None, **environ: str) -> str:
    keys = {"TOLDONCE_ENCRYPTION_KEY": key} if key else {"TOLDONCE_ENCRYPTION_KEY": None}
    done = CliRunner(env={**keys, **environ}).invoke(cli, [*args, "--place", str(path)], input=given)
    assert not isinstance(done.exception, AssertionError | TypeError | ValueError), done.output
    return f"{done.exit_code} {done.output}"


def test_commands_encrypt_use_rekey_and_decrypt(path: Path) -> None:
    assert run(path, "remember", f"Ana likes {CANARY}", "--user", "ana").startswith("0")
    assert run(path, "encrypt", given=f"{KEY}\n{KEY}\n").startswith("0")
    assert run(path, "recall", CANARY).startswith("3")
    assert CANARY in run(path, "recall", CANARY, key=KEY)
    assert run(path, "rekey", key=KEY, TOLDONCE_NEW_ENCRYPTION_KEY="another passphrase").startswith("0")
    assert run(path, "recall", CANARY, key=KEY).startswith("3")
    assert run(path, "decrypt", "--yes", key="another passphrase").startswith("0")
    assert CANARY in run(path, "recall", CANARY)
    actions = run(path, "audit", "--json")
    assert all(f'"{action}"' in actions for action in ("encrypt", "rekey", "decrypt"))


def test_a_new_key_that_is_not_repeated_changes_nothing(path: Path) -> None:
    assert run(path, "remember", f"Ana likes {CANARY}", "--user", "ana").startswith("0")
    told = run(path, "encrypt", given=f"{KEY}\nanother\n" * 50)
    assert told.startswith("2") and told.count("Repeat it") == 1
    assert "the two entries are not the same: nothing was changed" in told
    assert CANARY in run(path, "recall", CANARY)


def test_a_command_gives_the_key(encrypted: Path, tmp_path: Path) -> None:
    settings = tmp_path / "config.toml"
    printing = tmp_path / "print_key.py"
    printing.write_text(f"print({KEY!r})\n")
    settings.write_text(f"key_command = {json.dumps(shlex.join([sys.executable, str(printing)]))}\n")
    assert CANARY in run(encrypted, "recall", CANARY, TOLDONCE_CONFIG=str(settings))
    settings.write_text('key_command = "false"\n')
    assert "key_command gave no key" in run(encrypted, "recall", CANARY, TOLDONCE_CONFIG=str(settings))


def test_the_keychain_gives_the_key(path: Path, tmp_path: Path) -> None:
    """A real backend of the package keyring, which keeps its entries in a file of the test."""
    backend = tmp_path / "backend" / "file_keychain.py"
    backend.parent.mkdir()
    backend.write_text(
        "import json, os, pathlib\n"
        "from keyring.backend import KeyringBackend\n"
        f"FILE = pathlib.Path({str(tmp_path / 'keys.json')!r})\n"
        "class FileKeychain(KeyringBackend):\n"
        "    priority = 9\n"
        "    def _all(self):\n"
        "        return json.loads(FILE.read_text()) if FILE.exists() else {}\n"
        "    def get_password(self, service, username):\n"
        "        return self._all().get(f'{service} {username}')\n"
        "    def set_password(self, service, username, password):\n"
        "        FILE.write_text(json.dumps({**self._all(), f'{service} {username}': password}))\n"
        "    def delete_password(self, service, username):\n"
        "        raise NotImplementedError\n"
    )
    environ = {
        **{k: v for k, v in os.environ.items() if not k.startswith("TOLDONCE_")},
        "PYTHONPATH": str(backend.parent), "PYTHON_KEYRING_BACKEND": "file_keychain.FileKeychain",
    }  # fmt: skip

    def shell(*args: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "toldonce", *args, "--place", str(path)]
        return subprocess.run(command, env=environ, capture_output=True, text=True, check=False)

    assert shell("remember", f"Ana likes {CANARY}", "--user", "ana").returncode == 0
    assert shell("encrypt", "--keyring").returncode == 0
    assert is_encrypted_file(str(path))
    assert CANARY in shell("recall", CANARY).stdout
    assert "hex:" in (tmp_path / "keys.json").read_text()
