"""A changed backup or export is recognised by its checksum, a forged one by its signature."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.conftest import OpenMemory
from toldonce import Memory
from toldonce.cli.main import cli
from toldonce.errors import BadImport, CorruptStore
from toldonce.storage.restore import restore_backup
from toldonce.storage.signing import KEY_VARIABLE, digest_file, verify_file

KEY = "a key that only the owner knows"


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    memory = open_memory("life")
    memory.observe("I moved to Faro", user="ana")
    return memory


def change(path: Path, old: str, new: str) -> None:
    raw = path.read_bytes()
    assert old.encode() in raw
    path.write_bytes(raw.replace(old.encode(), new.encode()))


def test_a_changed_export_is_refused(memory: Memory, open_memory: OpenMemory, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    memory.export(out)
    assert open_memory("life", file="sound.db").import_(out).read > 0
    change(out, "Faro", "Oslo")
    other = open_memory("life", file="other.db")
    with pytest.raises(BadImport, match="checksum does not match"):
        other.import_(out)
    assert other.review.records("ana") == []


def test_a_changed_header_is_refused(memory: Memory, open_memory: OpenMemory, tmp_path: Path) -> None:
    """The moment of an export decides whose lines an erasure keeps out."""
    out = tmp_path / "out.jsonl"
    memory.export(out)
    change(out, '"exported_at":"2026-', '"exported_at":"2036-')
    with pytest.raises(BadImport, match="checksum does not match"):
        open_memory("life", file="other.db").import_(out)


def test_a_signed_export_is_taken_with_its_key_only(
    memory: Memory, open_memory: OpenMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, signed = tmp_path / "plain.jsonl", tmp_path / "signed.jsonl"
    memory.export(plain)
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    memory.export(signed)
    assert KEY not in signed.read_text(encoding="utf-8")
    assert open_memory("life", file="one.db").import_(signed).read > 0
    with pytest.raises(BadImport, match="is not signed"):
        open_memory("life", file="two.db").import_(plain)
    monkeypatch.setenv(KEY_VARIABLE, "another key")
    with pytest.raises(BadImport, match="signature does not match"):
        open_memory("life", file="three.db").import_(signed)
    monkeypatch.delenv(KEY_VARIABLE)
    assert open_memory("life", file="four.db").import_(signed).read > 0


def test_a_forger_who_makes_a_new_checksum_lacks_the_signature(
    memory: Memory, open_memory: OpenMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out.jsonl"
    memory.export(out)
    forged = out.read_bytes()
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    out.write_bytes(forged)
    with pytest.raises(BadImport, match="is not signed"):
        open_memory("life", file="other.db").import_(out)


def test_an_export_of_the_older_format_is_still_read(memory: Memory, open_memory: OpenMemory, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    memory.export(out)
    head, *lines = out.read_text(encoding="utf-8").splitlines()
    header = {k: v for k, v in json.loads(head).items() if k not in ("sha256", "lines")}
    out.write_text("\n".join([json.dumps({**header, "toldonce": 1}), *lines]) + "\n", encoding="utf-8")
    assert open_memory("life", file="other.db").import_(out).read == len(lines)
    out.write_text("\n".join([json.dumps(header), *lines]) + "\n", encoding="utf-8")
    with pytest.raises(BadImport, match="sha256"):
        open_memory("life", file="third.db").import_(out)


def test_a_backup_has_its_checksum_beside_it(memory: Memory, tmp_path: Path) -> None:
    copy = memory.storage.backup(tmp_path / "copy.db")
    assert verify_file(copy, key=None) == "sound"
    assert verify_file(copy, key=KEY) == "unsigned"
    change(copy, "Faro", "Oslo")
    assert verify_file(copy, key=None) == "changed"
    Path(f"{copy}.sum").unlink()
    assert verify_file(copy, key=None) == "unchecked"


def test_a_signed_backup_shows_another_key(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    copies = [memory.storage.backup(), memory.storage.backup()]
    assert verify_file(copies[0], key=KEY) == "signed"
    assert [verify_file(copy, key=KEY) for copy in memory.engine.backups.list_copies()] == ["signed", "signed"]
    assert verify_file(copies[0], key="another key") == "forged"


def test_a_crash_between_two_renames_leaves_a_copy_that_is_still_recognised(memory: Memory) -> None:
    copy = memory.storage.backup()
    Path(f"{copy}.sum").rename(f"{memory.store.place}.bak.2.sum")
    assert verify_file(copy, key=None) == "sound"


def strip_signature(copy: Path, how: str) -> None:
    """Take away what proves that a backup is ours, as somebody would who changed it."""
    beside = Path(f"{copy}.sum")
    if how == "checksum removed":
        beside.unlink()
    else:
        told = json.loads(beside.read_text(encoding="utf-8"))
        told["sha256"] = digest_file(copy)
        del told["signature"]
        beside.write_text(json.dumps(told), encoding="utf-8")


@pytest.mark.parametrize("how", ["checksum removed", "signature removed"])
@pytest.mark.parametrize("is_rolling", [True, False])
def test_a_backup_without_its_signature_is_refused_where_a_key_is_set(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, is_rolling: bool
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    copy = memory.storage.backup(None if is_rolling else tmp_path / "copy.db")
    place = memory.store.place
    memory.close()
    strip_signature(copy, how)
    before = Path(place).read_bytes()
    args = ["--place", place, "restore", *([] if is_rolling else [str(copy)]), "--yes"]
    refused = CliRunner().invoke(cli, args)
    assert refused.exit_code != 0 and "--accept-possibly-forged" in refused.output
    with pytest.raises(CorruptStore, match="anybody may have written it"):
        restore_backup(copy, place)
    assert Path(place).read_bytes() == before
    taken = CliRunner().invoke(cli, [*args, "--accept-possibly-forged"])
    assert taken.exit_code == 0, taken.output


def test_no_flag_takes_a_backup_with_a_wrong_signature(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "the key of somebody else")
    copy = memory.storage.backup(tmp_path / "copy.db")
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    for allow in (False, True):
        with pytest.raises(CorruptStore, match="signature does not match"):
            restore_backup(copy, memory.store.place, allow_unproven=allow)


def test_a_signed_backup_is_restored_and_any_backup_where_no_key_is_set(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = memory.storage.backup(tmp_path / "plain.db")
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    signed = memory.storage.backup(tmp_path / "signed.db")
    memory.close()
    restore_backup(signed, memory.store.place)
    monkeypatch.delenv(KEY_VARIABLE)
    restore_backup(plain, memory.store.place)
