"""Roles in a space have their effect over HTTP too, and a credential that ended ends what it opened."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import OpenMemory
from tests.server.serving import OPEN_LIMITS, Serving, serving
from tests.server.test_identity import token_for
from toldonce import Memory
from toldonce.server.settings import ServerSettings, TokenSettings

MEMBERS = "/v1/people/members"


@pytest.fixture
def team(server: Serving) -> Serving:
    for person, role in (("olga", "owner"), ("ada", "admin"), ("mo", "member")):
        server.memory.people.add_member(person, role)
    return server


def test_owners_and_admins_manage_members_as_far_as_their_role_goes(team: Serving) -> None:
    olga, ada, mo, zoe = (team.of(person) for person in ("olga", "ada", "mo", "zoe"))
    assert ada.put(MEMBERS, json={"user": "nia"}).status_code == 200
    assert ada.put(MEMBERS, json={"user": "nia", "role": "admin"}).status_code == 403
    assert olga.put(MEMBERS, json={"user": "nia", "role": "admin"}).status_code == 200
    for refused in (mo, zoe):
        assert refused.put(MEMBERS, json={"user": "eve"}).status_code == 403
        assert refused.post(f"{MEMBERS}/remove", json={"user": "nia"}).status_code == 403
    assert zoe.put(MEMBERS, json={"user": "zoe", "role": "owner", "by": "olga"}).status_code == 403
    assert team.of("olga", rights=["read"]).put(MEMBERS, json={"user": "eve"}).status_code == 403
    assert team.memory.people.members() == {"ada": "admin", "mo": "member", "nia": "admin", "olga": "owner"}


def test_a_member_may_leave(team: Serving) -> None:
    assert team.of("mo").post(f"{MEMBERS}/remove", json={"user": "mo"}).status_code == 200
    assert "mo" not in team.memory.people.members()
    assert team.of("olga").post(f"{MEMBERS}/remove", json={"user": "olga"}).status_code == 403, "the last owner stays"


def test_a_key_for_everybody_without_the_right_to_manage_gives_no_roles(team: Serving) -> None:
    bot = team.client(team.key("bot"))
    assert bot.put(MEMBERS, json={"user": "eve", "role": "owner"}).status_code == 403
    assert bot.get("/v1/audit").status_code == 403


def test_owners_and_admins_read_the_audit_log_of_their_space_alone(team: Serving) -> None:
    team.memory.spaces.add("attic", preset="assistant")
    team.memory.people.add_member("kim", "owner", space="attic")
    for person in ("olga", "ada"):
        entries = team.of(person).get("/v1/audit").json()["items"]
        assert {entry["space"] for entry in entries} == {"main"} and "add member" in {e["action"] for e in entries}
        assert team.of(person).get("/v1/audit", params={"space": "attic"}).status_code == 403
    assert team.of("kim").get("/v1/audit", params={"space": "attic"}).status_code == 200
    for person in ("mo", "zoe", "kim"):
        assert team.of(person).get("/v1/audit").status_code == 403
    assert team.of("olga").get("/v1/audit/verify").status_code == 403, "the chain is of all spaces"


def test_a_role_in_one_space_gives_nothing_in_another(team: Serving) -> None:
    team.memory.spaces.add("attic", preset="assistant")
    assert team.of("olga").put(MEMBERS, json={"user": "eve", "space": "attic"}).status_code == 403


def test_a_revoked_key_ends_its_stream_of_events(team: Serving) -> None:
    made = team.memory.keys.add("laptop", user="mo")
    with team.client(made.secret).stream("GET", "/v1/events") as answer:
        pieces = answer.iter_text()
        assert "retry" in next(pieces)
        team.memory.keys.revoke(made.key.id)
        kept = team.memory.remember("Nobody with a revoked key hears of this", user="mo", visibility="project")
        assert kept.id not in "".join(pieces), "it ended, and told nothing more"


@pytest.mark.parametrize("tenant, status", [("acme", 401), ("local", 200)])
def test_a_token_without_a_tenant_is_for_a_server_of_one_tenant_alone(
    tenant: str, status: int, memory_of_tenant: Memory
) -> None:
    secret = "shared secret of thirty-two bytes!!"
    tokens = TokenSettings(key=secret, issuer="https://id.example", audience="toldonce")
    with serving(memory_of_tenant, ServerSettings(tokens=tokens, limits=OPEN_LIMITS)) as server:
        assert server.client(token_for(secret, "HS256")).get("/v1/whoami").status_code == status
        assert server.client(token_for(secret, "HS256", tenant=tenant)).get("/v1/whoami").status_code == 200
        assert server.client(token_for(secret, "HS256", tenant="other")).get("/v1/whoami").status_code == 401
        assert server.client(token_for(secret, "HS256", tenant=None)).get("/v1/whoami").status_code == status


@pytest.fixture
def memory_of_tenant(tenant: str, request: pytest.FixtureRequest, open_memory: OpenMemory) -> Iterator[Memory]:
    """A memory of that tenant: of another than the usual one only a database has any."""
    if tenant == "local":
        yield open_memory("assistant")
        return
    databases = request.getfixturevalue("databases")
    address = databases.take()
    with Memory.open(f"{address}&tenant={tenant}", "assistant", embedder=None, background=False) as memory:
        yield memory
    databases.give_back(address)
