"""Teams: people get roles in a space, and members see what is kept for the team."""

from __future__ import annotations

import pytest

from tests.conftest import OpenMemory
from toldonce import InputError, Memory
from toldonce.access import may_set_role
from toldonce.errors import NotAllowed

SECRET = "The staging password is in the green vault"


@pytest.fixture
def memory(open_memory: OpenMemory) -> Memory:
    opened = open_memory("coding")
    opened.people.add_member("olga", "owner")
    opened.people.add_member("adam", "admin", by="olga")
    return opened


def sees_secret(memory: Memory, user: str) -> bool:
    return SECRET in {hit.record.text for hit in memory.recall("where is the staging password", user)}


def test_what_is_kept_for_the_team_is_seen_by_members_only(memory: Memory) -> None:
    memory.remember(SECRET, user="olga", visibility="team")
    assert [sees_secret(memory, who) for who in ("olga", "adam", "mia")] == [True, True, False]
    memory.people.add_member("mia", by="adam")
    assert sees_secret(memory, "mia")
    memory.people.remove_member("mia", by="adam")
    assert not sees_secret(memory, "mia")


def test_a_role_holds_in_its_space_only(memory: Memory) -> None:
    memory.spaces.add("other")
    memory.people.add_member("mia", space="other")
    memory.remember(SECRET, user="olga", visibility="team")
    assert not sees_secret(memory, "mia")
    assert memory.people.members(space="other") == {"mia": "member"}


def test_owners_set_every_role_and_admins_those_of_members(memory: Memory) -> None:
    memory.people.add_member("mia", by="adam")
    for act in (
        lambda: memory.people.add_member("mia", "admin", by="adam"),
        lambda: memory.people.add_member("adam", "owner", by="adam"),
        lambda: memory.people.remove_member("olga", by="adam"),
        lambda: memory.people.add_member("zoe", by="mia"),
        lambda: memory.people.remove_member("adam", by="mia"),
        lambda: memory.people.add_member("zoe", by="zoe"),
    ):
        with pytest.raises(NotAllowed, match="an owner of the space"):
            act()
    memory.people.add_member("mia", "admin", by="olga")
    assert memory.people.members() == {"adam": "admin", "mia": "admin", "olga": "owner"}


def test_everybody_may_leave_but_the_last_owner(memory: Memory) -> None:
    memory.people.remove_member("adam", by="adam")
    for act in (
        lambda: memory.people.remove_member("olga", by="olga"),
        lambda: memory.people.add_member("olga", "member"),
    ):
        with pytest.raises(NotAllowed, match="make somebody else an owner first"):
            act()
    memory.people.add_member("zoe", "owner", by="olga")
    memory.people.remove_member("olga", by="olga")
    assert memory.people.members() == {"zoe": "owner"}


def test_roles_are_in_the_audit_log_with_who_gave_them(memory: Memory) -> None:
    memory.people.remove_member("adam", by="olga")
    told = [(e.action, e.actor, e.detail["user"]) for e in memory.audit.entries() if "member" in e.action]
    assert sorted(told) == [
        ("add member", "", "olga"),
        ("add member", "olga", "adam"),
        ("remove member", "olga", "adam"),
    ]


@pytest.mark.parametrize("user", ["", None, 7])
def test_nobody_is_not_a_member(memory: Memory, user: object) -> None:
    with pytest.raises(InputError, match="user must be a text"):
        memory.people.add_member(user)  # type: ignore[arg-type]


def test_a_role_that_is_not_there_is_refused(memory: Memory) -> None:
    with pytest.raises(InputError, match="no role 'boss': use one of owner, admin, member"):
        memory.people.add_member("mia", "boss")
    with pytest.raises(InputError, match="'mia' has no role"):
        memory.people.remove_member("mia")


def test_an_erased_person_has_no_role_any_more(memory: Memory) -> None:
    memory.erase(user="adam")
    assert memory.people.members() == {"olga": "owner"}


@pytest.mark.parametrize(
    ("actor", "held", "wanted", "is_allowed"),
    [
        ("owner", "owner", None, True),
        ("owner", None, "owner", True),
        ("admin", None, "member", True),
        ("admin", "member", None, True),
        ("admin", "member", "admin", False),
        ("admin", "admin", None, False),
        ("member", None, "member", False),
        (None, None, "member", False),
    ],
)
def test_who_may_set_which_role(actor: str | None, held: str | None, wanted: str | None, is_allowed: bool) -> None:
    assert may_set_role(actor, held=held, wanted=wanted) is is_allowed
