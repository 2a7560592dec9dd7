"""The audit log: entries in order, a hash chain that shows every change, erasure and retention that keep it whole."""

from __future__ import annotations

from datetime import datetime

from toldonce.access import acting_as
from toldonce.conformance.samples import NOW, SPACE, Reopen, moment_after, write_each
from toldonce.records import AuditEntry
from toldonce.storage.store import Store, Tables


class AuditConformance:
    """Entries are appended, read back, verified, blanked for an erased person, and removed when they are too old."""

    def test_entries_come_newest_first_with_who_did_what_through_which_interface(
        self, store: Store, reopen: Reopen
    ) -> None:
        with acting_as(interface="cli", person="maria"):
            _add_audit_entry(store, "work", "export", at=NOW)
        _add_audit_entry(store, SPACE, "forget", at=moment_after(hours=1), actor="alex")
        newest, older = reopen(store).read(lambda t: t.audit.list_entries())
        assert newest == AuditEntry(
            space=SPACE,
            at=moment_after(hours=1),
            actor="alex",
            interface="library",
            action="forget",
            detail={"n": "forget"},
        )
        assert (older.actor, older.interface, older.space) == ("maria", "cli", "work")

    def test_entries_are_chosen_by_space_actor_action_and_time(self, store: Store) -> None:
        _fill_audit(store)
        chosen = store.read(
            lambda t: (
                t.audit.list_entries("work"),
                t.audit.list_entries(actor="maria"),
                t.audit.list_entries(action="pin"),
                t.audit.list_entries(since=moment_after(hours=2)),
                t.audit.list_entries(limit=1),
            )
        )
        assert [[entry.action for entry in entries] for entries in chosen] == [
            ["pin"],
            ["flag"],
            ["pin"],
            ["flag"],
            ["flag"],
        ]

    def test_a_sound_log_verifies_and_its_head_moves_on(self, store: Store) -> None:
        empty = store.read(lambda t: t.audit.verify())
        _fill_audit(store)
        found = store.read(lambda t: t.audit.verify())
        assert (empty.rows, found.rows, found.problems) == (0, 3, ())
        _add_audit_entry(store, SPACE, "purge", at=moment_after(days=1))
        later = store.read(lambda t: t.audit.verify(expected_head=found.head))
        assert later.problems == () and later.head != found.head

    def test_a_head_that_is_not_in_the_log_shows_that_it_was_cut(self, store: Store) -> None:
        _fill_audit(store)
        (problem,) = store.read(lambda t: t.audit.verify(expected_head="00" * 31 + "01")).problems
        assert "removed" in problem

    def test_erasing_a_person_blanks_what_names_them_and_the_chain_verifies(self, store: Store) -> None:
        _fill_audit(store)
        _add_audit_entry(store, "@alex", "observe", at=moment_after(days=1), actor="maria")
        assert store.write(lambda t: t.audit.blank_person("alex", space=None)) == 3
        entries = store.read(lambda t: t.audit.list_entries())
        assert [(e.action, e.actor, e.space) for e in entries] == [
            ("observe", "", ""),
            ("flag", "maria", SPACE),
            ("pin", "", ""),
            ("forget", "", ""),
        ]
        assert store.read(lambda t: t.audit.verify()).problems == ()

    def test_old_entries_expire_and_the_rest_verifies(self, store: Store, reopen: Reopen) -> None:
        _fill_audit(store)
        head = store.read(lambda t: t.audit.verify()).head
        assert store.write(lambda t: t.audit.expire(before=moment_after(hours=2))) == 2
        assert store.write(lambda t: t.audit.expire(before=moment_after(hours=2))) == 0
        again = reopen(store)
        found = again.read(lambda t: t.audit.verify(expected_head=head))
        assert (found.rows, found.problems) == (1, ())
        again.write(lambda t: t.audit.expire(before=moment_after(days=9)))
        _add_audit_entry(again, SPACE, "pin", at=moment_after(days=9))
        assert again.read(lambda t: t.audit.verify(expected_head=head)).problems == ()


def _fill_audit(store: Store) -> None:
    rows = enumerate(((SPACE, "forget", "alex"), ("work", "pin", "alex"), (SPACE, "flag", "maria")))

    def add(tables: Tables, row: tuple[int, tuple[str, str, str]]) -> None:
        hours, (space, action, actor) = row
        tables.audit.add(space, action, at=moment_after(hours=hours), actor=actor)

    write_each(store, rows, add)


def _add_audit_entry(store: Store, space: str, action: str, *, at: datetime, actor: str | None = None) -> None:
    store.write(lambda t: t.audit.add(space, action, at=at, actor=actor, detail={"n": action}))
