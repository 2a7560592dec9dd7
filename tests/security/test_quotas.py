"""Quotas: nobody fills a space or floods it, and a refusal names the limit and what to do."""

from __future__ import annotations

import base64
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from tests.conftest import ManualClock, OpenMemory
from tests.importers.older_stores import make_chroma, make_facts
from toldonce import Memory, Quota, TenantQuota
from toldonce.cli.main import cli
from toldonce.errors import QuotaExceeded
from toldonce.operations.sealed import SealedItem


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    return open_memory("assistant")


def test_nothing_is_limited_until_a_quota_is_set(memory: Memory) -> None:
    assert memory.spaces.quota() == Quota()
    for number in range(200):
        memory.observe(f"Message {number}", "ana", session="s")


def test_records_of_one_person_are_limited_and_others_go_on(memory: Memory) -> None:
    memory.spaces.set_quota(Quota(records_per_person=2))
    memory.observe("One", "ana", session="s")
    memory.remember("Ana likes tea", user="ana")
    with pytest.raises(QuotaExceeded, match="at most 2 records") as refused:
        memory.observe("Three", "ana", session="s")
    assert refused.value.limit == 2 and refused.value.retry_after_s is None
    with pytest.raises(QuotaExceeded):
        memory.remember("Ana likes figs", user="ana")
    memory.observe("One", "bob", session="t")


def test_room_comes_back_when_something_is_destroyed(memory: Memory) -> None:
    memory.spaces.set_quota(Quota(records_per_person=1))
    first = memory.remember("Ana likes tea", user="ana")
    memory.purge(first.id)
    assert memory.remember("Ana likes figs", user="ana")


def test_a_call_that_would_pass_the_limit_stores_nothing_of_it(memory: Memory) -> None:
    memory.spaces.set_quota(Quota(records_per_space=3))
    with pytest.raises(QuotaExceeded):
        memory.observe_many([{"text": f"Message {n}", "user": f"u{n}", "session": "s"} for n in range(4)])
    assert memory.stats()["kinds"] == {}


def test_bytes_are_those_of_the_texts(memory: Memory) -> None:
    memory.spaces.set_quota(Quota(bytes_per_person=10, bytes_per_space=15))
    memory.observe("é" * 5, "ana", session="s")
    with pytest.raises(QuotaExceeded, match="10 bytes"):
        memory.observe("x", "ana", session="s")
    with pytest.raises(QuotaExceeded, match="15 bytes"):
        memory.observe("x" * 6, "bob", session="t")


def test_sealed_items_count_like_records(memory: Memory) -> None:
    def seal(number: int, user: str) -> SealedItem:
        box, vector = (
            base64.b64encode(b"x" * 90).decode(),
            base64.b64encode(np.eye(1, 5, dtype="<f2").tobytes()).decode(),
        )
        return SealedItem(id=f"sealed_{number}", seal="s", model="m", box=box, vector=vector, user=user)

    memory.spaces.set_quota(Quota(records_per_person=2, bytes_per_space=250))
    memory.remember("Ana likes tea", user="ana")
    memory.sealed.put([seal(1, "ana")])
    with pytest.raises(QuotaExceeded, match="at most 2 records"):
        memory.sealed.put([seal(2, "ana")])
    with pytest.raises(QuotaExceeded, match="at most 2 records"):
        memory.remember("Ana likes figs", user="ana")
    memory.sealed.put([seal(3, "bob")])
    with pytest.raises(QuotaExceeded, match="250 bytes"):
        memory.sealed.put([seal(4, "cleo")])
    memory.sealed.delete("sealed_1", user="ana")
    memory.remember("Ana likes figs", user="ana")
    memory.spaces.set_quota(Quota())
    memory.spaces.set_tenant_quota(TenantQuota(records=3))
    with pytest.raises(QuotaExceeded, match="this tenant"):
        memory.sealed.put([seal(5, "cleo")])


def test_writes_a_minute_are_limited_and_the_error_says_when_to_try_again(memory: Memory, clock: ManualClock) -> None:
    memory.spaces.set_quota(Quota(writes_per_minute=3))
    for number in range(3):
        memory.observe(f"Message {number}", "ana", session="s")
    with pytest.raises(QuotaExceeded, match="3 writes a minute.*try again in") as refused:
        memory.observe("Once more", "ana", session="s")
    assert refused.value.retry_after_s is not None and 0 < refused.value.retry_after_s <= 60
    clock.pass_time(seconds=refused.value.retry_after_s)
    assert memory.observe("Once more", "ana", session="s")


def test_an_import_counts_against_the_quota_and_is_undone_whole(
    memory: Memory, open_memory: OpenMemory, tmp_path: Path
) -> None:
    for number in range(3):
        memory.remember(f"Ana likes fruit {number}", user="ana")
    memory.export(tmp_path / "out.jsonl")
    other = open_memory("assistant", file="other.db")
    other.remember("Ana likes tea", user="ana")
    for quota, unit in (
        (Quota(records_per_person=3), "3 records"),
        (Quota(records_per_space=3), "3 records"),
        (Quota(bytes_per_person=40), "40 bytes"),
        (Quota(bytes_per_space=40), "40 bytes"),
    ):
        other.spaces.set_quota(quota)
        with pytest.raises(QuotaExceeded, match=f"at most {unit} and has 1"):
            other.import_(tmp_path / "out.jsonl")
        assert [record.text for record in other.review.records("ana")] == ["Ana likes tea"]
    other.spaces.set_quota(Quota(records_per_person=4))
    other.import_(tmp_path / "out.jsonl")
    assert len(other.review.records("ana")) == 4
    other.spaces.set_quota(Quota(records_per_person=1))
    other.import_(tmp_path / "out.jsonl")


@pytest.mark.parametrize("kind", ["facts", "chroma"])
def test_an_older_store_counts_against_the_quota_and_is_undone_whole(
    kind: str, open_memory: OpenMemory, tmp_path: Path
) -> None:
    memory = open_memory("companion")
    path = make_facts(tmp_path / "older") if kind == "facts" else make_chroma(tmp_path / "older")
    memory.spaces.set_quota(Quota(records_per_space=2))
    with pytest.raises(QuotaExceeded, match="at most 2 records and has 0"):
        memory.import_(path, user="ana")
    assert memory.stats()["kinds"] == {}
    memory.spaces.set_quota(Quota(records_per_space=10, writes_per_minute=1))
    assert memory.import_(path, user="ana").kept >= 3
    assert memory.import_(path, user="ana").kept == 0


def test_a_quota_holds_for_one_space_and_for_every_process(memory: Memory, open_memory: OpenMemory) -> None:
    memory.spaces.add("work")
    memory.spaces.set_quota(Quota(records_per_person=1), space="work")
    other = open_memory("assistant")
    other.observe("One", "ana", session="s", space="work")
    with pytest.raises(QuotaExceeded):
        memory.observe("Two", "ana", session="s", space="work")
    memory.observe("Two", "ana", session="s")


def test_a_preset_may_bring_a_quota(open_memory: OpenMemory, tmp_path_factory: pytest.TempPathFactory) -> None:
    from toldonce import presets

    file = tmp_path_factory.mktemp("preset") / "mine.toml"
    file.write_text(
        presets.preset_text("assistant")[0].replace('name = "assistant"', 'name = "mine"')
        + ("\n[quota]\nrecords_per_person = 1\n")
    )
    memory = open_memory(str(file), file="mine.db")
    memory.observe("One", "ana", session="s")
    with pytest.raises(QuotaExceeded):
        memory.observe("Two", "ana", session="s")


def test_the_command_shows_and_sets_limits(memory: Memory) -> None:
    memory.close()
    args = ["--place", memory.store.place]
    assert "no limit" in CliRunner().invoke(cli, ["quota", *args]).output
    assert "1,000" in CliRunner().invoke(cli, ["quota", "--records-per-person", "1000", *args]).output
    done = CliRunner().invoke(cli, ["quota", "--writes-per-minute", "-3", *args])
    assert done.exit_code == 2


@pytest.mark.parametrize("wrong", [-1, True, 1.5, "7"])
def test_a_limit_that_is_no_whole_number_is_refused(wrong: object) -> None:
    with pytest.raises(ValueError, match="whole number"):
        Quota(records_per_person=wrong)  # type: ignore[arg-type]


def test_a_tenant_is_limited_in_all_spaces_together(memory: Memory) -> None:
    memory.spaces.add("work")
    memory.spaces.set_tenant_quota(TenantQuota(records=2, bytes=20))
    memory.observe("One", "ana", session="s")
    memory.remember("Two", user="bob", space="work")
    for store in (lambda: memory.observe("Three", "carl"), lambda: memory.remember("Three", space="work")):
        with pytest.raises(QuotaExceeded, match="this tenant, in all spaces together, may store at most 2 records"):
            store()
    memory.spaces.set_tenant_quota(TenantQuota(bytes=20))
    with pytest.raises(QuotaExceeded, match="at most 20 bytes and has 6"):
        memory.observe("x" * 15, "ana", session="s")


def test_writes_a_minute_of_a_tenant_are_counted_over_people_and_spaces(memory: Memory, clock: ManualClock) -> None:
    memory.spaces.add("work")
    memory.spaces.set_tenant_quota(TenantQuota(writes_per_minute=2))
    memory.observe("One", "ana", session="s")
    memory.observe("Two", "bob", session="t", space="work")
    with pytest.raises(QuotaExceeded, match="2 writes a minute.*try again in") as refused:
        memory.observe("Three", "carl", session="u")
    clock.pass_time(seconds=refused.value.retry_after_s or 0)
    assert memory.observe("Three", "carl", session="u")


def test_an_import_counts_against_the_quota_of_the_tenant(
    memory: Memory, open_memory: OpenMemory, tmp_path: Path
) -> None:
    for number in range(3):
        memory.remember(f"Ana likes fruit {number}", user="ana")
    memory.export(tmp_path / "out.jsonl")
    other = open_memory("assistant", file="other.db")
    other.spaces.set_tenant_quota(TenantQuota(records=2))
    with pytest.raises(QuotaExceeded, match="at most 2 records and has 0"):
        other.import_(tmp_path / "out.jsonl")
    assert other.stats()["kinds"] == {}


def test_limits_that_make_no_sense_are_refused() -> None:
    for wrong in ({"records": -1}, {"bytes": 1.5}, {"model_cost_per_day": float("nan")}, {"records": True}):
        with pytest.raises(ValueError, match="0 for no limit"):
            TenantQuota(**wrong)


@pytest.mark.in_a_file
def test_the_command_sets_the_limits_of_the_tenant(memory: Memory) -> None:
    args = ["--place", memory.store.place]
    done = CliRunner().invoke(cli, ["quota", "--tenant-records", "1000", "--model-cost-per-day", "2.5", *args])
    assert "all spaces: records" in done.output and "1,000" in done.output and "2.5" in done.output
