"""What stays of an erased person: a mark that recognises them in an import, and the list of copies made elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from toldonce.conformance.samples import (
    NOW,
    SPACE,
    Reopen,
    a_conversation,
    a_record,
    keep_records,
    moment_after,
    write_each,
)
from toldonce.records import Copy
from toldonce.storage import erase
from toldonce.storage.store import Store
from toldonce.storage.tables.jobs import Job


class ErasureConformance:
    """Tombstones, copies, and what a purge needs to know to be proven."""

    def test_an_erased_person_is_recognised_and_nobody_else_is(self, store: Store, reopen: Reopen) -> None:
        assert store.read(lambda t: t.tombstones.is_empty())
        store.write(lambda t: t.tombstones.add("alex", space=None, at=NOW))
        store = reopen(store)
        assert store.read(lambda t: t.tombstones.erased_at("alex", SPACE)) == NOW
        assert store.read(lambda t: t.tombstones.erased_at("alexa", SPACE)) is None
        assert not store.read(lambda t: t.tombstones.is_empty())

    def test_who_was_erased_from_one_space_may_be_in_another(self, store: Store) -> None:
        store.write(lambda t: t.tombstones.add("alex", space=SPACE, at=NOW))
        assert store.read(lambda t: t.tombstones.erased_at("alex", SPACE)) == NOW
        assert store.read(lambda t: t.tombstones.erased_at("alex", "work")) is None

    def test_the_last_erasure_counts(self, store: Store) -> None:
        store.write(lambda t: t.tombstones.add("alex", space=None, at=moment_after(days=1)))
        store.write(lambda t: t.tombstones.add("alex", space=None, at=NOW))
        assert store.read(lambda t: t.tombstones.erased_at("alex", SPACE)) == moment_after(days=1)

    def test_tombstones_are_taken_over_by_another_store(self, store: Store, spare_store: Store) -> None:
        store.write(lambda t: t.tombstones.add("alex", space=None, at=NOW))
        known = store.read(lambda t: t.tombstones.all())
        for tombstone in spare_store.read(lambda t: t.tombstones.missing_from(known)):
            spare_store.write(lambda t, one=tombstone: t.tombstones.put(one))  # type: ignore[misc]
        assert spare_store.read(lambda t: t.tombstones.missing_from(known)) == []
        assert spare_store.read(lambda t: t.tombstones.erased_at("alex", SPACE)) == NOW

    def test_copies_are_listed_until_they_are_gone(self, store: Store, copy_path: str) -> None:
        Path(copy_path).write_text("a copy", encoding="utf-8")
        store.write(lambda t: t.copies.add(copy_path, "backup", at=NOW))
        store.write(lambda t: t.copies.add(copy_path + ".gone", "export", at=moment_after(days=1)))
        assert len(store.read(lambda t: t.copies.all())) == 2
        store.write(lambda t: t.copies.drop_missing())
        assert store.read(lambda t: t.copies.all()) == [Copy(path=copy_path, what="backup", at=NOW)]

    def test_answers_belong_to_the_person_whom_they_answer(self, store: Store) -> None:
        said = [
            a_record("Where is it", user="alex", session="s1"),
            a_record("There", user=None, role="assistant", session="s1"),
            a_record("And mine", user="maria", session="s2"),
            a_record("Here", user=None, role="assistant", session="s2"),
        ]
        seqs = keep_records(store, *said)
        assert store.read(lambda t: t.purge.of_user("alex", space=None)) == seqs[:2]
        assert store.read(lambda t: t.purge.find_sessions(seqs)) == {"s1", "s2"}

    def test_only_words_that_nobody_else_says_are_distinctive(self, store: Store) -> None:
        seqs = keep_records(
            store, a_record("Quetzalcoatl drinks coffee", user="alex"), a_record("I drink coffee", user="maria")
        )
        words = store.read(lambda t: t.purge.read_words(seqs[:1]))
        assert words == {"Quetzalcoatl", "drinks", "coffee"}
        store.write(lambda t: erase.destroy_records(t, seqs[:1], now=NOW))
        assert store.read(lambda t: t.purge.find_unused_words(words)) == ["Quetzalcoatl"]
        assert store.read(lambda t: t.purge.still_said({"Coffee", "Quetzalcoatl"})) == {"Coffee"}

    def test_sessions_that_jobs_have_to_read_are_found_by_their_person(self, store: Store) -> None:
        args: list[dict[str, Any]] = [
            {"session": "monday", "user": "alex"}, {"session": "tuesday", "user": "maria"}, {"user": "alex"},
            {"session": 5, "user": "alex"}, {},
        ]  # fmt: skip
        jobs = [Job(space=SPACE, key=f"learn:{n}", name="learn", due_at=NOW, args=a) for n, a in enumerate(args)]
        write_each(store, jobs, lambda t, job: t.jobs.put(job))
        assert store.read(lambda t: t.purge.planned_sessions("alex", space=None)) == {"monday"}
        assert store.read(lambda t: t.purge.planned_sessions("alex", space="work")) == set()

    def test_a_session_has_ended_when_no_record_of_it_is_left(self, store: Store) -> None:
        seqs = keep_records(
            store, a_record("I drink tea", session="monday"), a_record("I drink coffee", session="tuesday")
        )
        store.write(lambda t: erase.destroy_records(t, seqs[:1], now=NOW))
        assert store.read(lambda t: t.purge.ended_sessions({"monday", "tuesday"}, space=SPACE)) == {"monday"}
        assert store.read(lambda t: t.purge.ended_sessions({"monday", "tuesday"}, space=None)) == {"monday"}

    def test_a_conversation_without_a_message_goes(self, store: Store) -> None:
        lone = a_conversation()
        store.write(lambda t: t.conversations.add(lone))
        store.write(lambda t: t.purge.drop_lone())
        assert store.read(lambda t: t.conversations.get(lone.id)) is None

    def test_a_person_is_called_by_all_their_names(self, store: Store) -> None:
        assert store.read(lambda t: t.purge.read_names("alex", space=None)) == {"alex"}

    def test_the_own_space_of_a_person_leaves_nothing(self, store: Store) -> None:
        keep_records(store, a_record("mine", user="alex", space="@alex"))
        store.write(lambda t: t.purge.forget_space("@alex"))
        store.write(lambda t: erase.erase_person(t, "alex", space=None, now=NOW))
        assert set(store.read(lambda t: t.purge.count_traces("alex", space=None)).values()) == {0}

    def test_a_store_that_was_written_again_holds_nothing_deleted(self, store: Store) -> None:
        seqs = keep_records(store, *(a_record(f"Quetzalcoatl number{n} beside others") for n in range(200)))
        store.write(lambda t: erase.destroy_records(t, seqs[::2], now=NOW))
        assert store.rewrite() == ()
        assert store.find_in_statistics([f"number{n} " for n in range(0, 200, 2)]) == set()
        for file in store.files():
            raw = Path(file).read_bytes()
            assert [n for n in range(0, 200, 2) if f"number{n} ".encode() in raw] == []
        assert store.check(repair=False) == []
