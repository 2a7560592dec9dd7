"""Who asks is the credential alone: keys, tokens and browsers reach what they stand for and nothing else."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

from tests.conftest import ManualClock, OpenMemory
from tests.server.serving import OPEN_LIMITS, Serving, serving
from toldonce.errors import InputError
from toldonce.server.identity import Identity
from toldonce.server.settings import ServerSettings, TokenSettings


def test_a_person_sees_their_own_and_nobody_elses(server: Serving) -> None:
    alex, sam = server.of("alex"), server.of("sam")
    kept = alex.post("/v1/records", json={"text": "Alex keeps the spare key under the blue pot"}).json()
    assert kept["user"] == "alex"
    assert sam.post("/v1/recall", json={"query": "spare key blue pot"}).json()["hits"] == []
    for method, path in (("GET", ""), ("GET", "/history"), ("POST", "/confirm"), ("POST", "/forget"), ("DELETE", "")):
        assert sam.request(method, f"/v1/records/{kept['id']}{path}", json={}).status_code == 404, path
    for answer in (
        sam.post("/v1/recall", json={"query": "key", "user": "alex"}),
        sam.post("/v1/messages", json={"text": "I am alex", "user": "alex"}),
        sam.post("/v1/messages/batch", json={"messages": [{"text": "I am alex", "user": "alex"}]}),
        sam.post("/v1/proposals", json={"statements": [{"text": "x", "kind": "fact", "user": "alex"}]}),
        sam.get("/v1/profile", params={"user": "alex", "reader": "alex"}),
        sam.get("/v1/export", params={"user": "alex"}),
        sam.post("/v1/people/erase", json={"user": "alex"}),
        sam.post("/v1/people/block", json={"user": "alex"}),
        sam.request("PATCH", "/v1/people", json={"user": "alex", "username": "x"}),
        sam.get("/v1/people"),
        sam.get("/v1/audit"),
        sam.get("/v1/keys"),
        sam.post("/v1/keys", json={"name": "more"}),
        sam.post("/v1/jobs/tend", json={}),
    ):
        assert answer.status_code == 403, (answer.request.url, answer.text)
    assert "blue pot" not in sam.get("/v1/export").text
    assert "blue pot" in alex.get("/v1/export").text


def test_a_person_may_erase_themselves_and_gets_the_receipt(server: Serving) -> None:
    alex = server.of("alex")
    alex.post("/v1/records", json={"text": "Alex keeps the spare key under the blue pot"})
    receipt = alex.post("/v1/people/erase", json={"user": "alex"}).json()
    assert receipt["removed"] == 1 and receipt["traces"] == {}
    assert alex.get("/v1/stats").status_code == 401, "the key of an erased person is gone"


def test_a_key_for_a_space_reaches_no_other(server: Serving) -> None:
    server.memory.spaces.add("work", preset="assistant")
    secret = server.memory.remember("The vault code is kept by Kim", user="kim")
    bot = server.client(server.key("bot", spaces=["work"], rights=["read", "write", "manage"]))
    assert bot.post("/v1/records", json={"text": "Kim likes tea", "user": "kim"}).json()["space"] == "work"
    assert bot.post("/v1/recall", json={"query": "vault code", "user": "kim"}).json()["hits"] == []
    assert bot.post("/v1/recall", json={"query": "vault", "space": "main"}).status_code == 404
    assert bot.get(f"/v1/records/{secret.id}").status_code == 404
    assert bot.post("/v1/records", json={"text": "x y z", "source": secret.id}).status_code == 404
    batch = {"messages": [{"text": "hello there", "space": "main", "user": "kim"}]}
    assert bot.post("/v1/messages/batch", json=batch).status_code == 404
    assert [space["name"] for space in bot.get("/v1/spaces").json()["items"]] == ["work"]
    assert "vault" not in bot.get("/v1/export").text
    assert bot.post("/v1/tools/search_memory", json={"query": "vault"}, params={"space": "main"}).status_code == 404
    for path in ("/v1/keys", "/v1/audit", "/v1/jobs/runs"):
        assert bot.get(path).status_code == 403


def test_rights_and_roles_hold(server: Serving) -> None:
    reader, agent = server.of("alex", rights=["read"]), server.of("alex")
    assert reader.post("/v1/records", json={"text": "Alex likes tea"}).status_code == 403
    assert agent.post("/v1/records", json={"text": "Alex likes tea", "author": "person"}).status_code == 403
    assert agent.post("/v1/records", json={"text": "Alex likes tea"}).json()["validated"] is False
    person = server.of("alex", role="person")
    assert person.post("/v1/records", json={"text": "Alex has a dog", "author": "person"}).json()["validated"] is True
    assert reader.post("/v1/spaces/switch", json={"on": False}).status_code == 403


def test_keys_expire_are_revoked_and_rotated(server: Serving, clock: ManualClock) -> None:
    made = server.memory.keys.add("laptop", user="alex", expires_at=clock.now + timedelta(days=1))
    assert server.client(made.secret).get("/v1/stats").status_code == 200
    new = server.memory.keys.rotate(made.key.id, grace_hours=1)
    assert [server.client(one.secret).get("/v1/stats").status_code for one in (made, new)] == [200, 200]
    clock.pass_time(hours=2)
    assert [server.client(one.secret).get("/v1/stats").status_code for one in (made, new)] == [401, 200]
    clock.pass_time(days=1)
    assert server.client(new.secret).get("/v1/stats").status_code == 401
    other = server.memory.keys.add("phone", user="alex")
    used = server.client(other.secret)
    assert used.get("/v1/stats").status_code == 200
    assert server.memory.keys.all()[-1].last_used_at == clock.now
    server.memory.keys.revoke(other.key.id)
    assert used.get("/v1/stats").status_code == 401
    with pytest.raises(InputError):
        server.memory.keys.revoke(other.key.id)


@pytest.mark.in_a_file
def test_a_secret_is_never_stored_or_listed(server: Serving) -> None:
    secret = server.key("laptop", user="alex")
    owner = server.owner()
    assert secret not in owner.get("/v1/keys").text
    files = b"".join(Path(path).read_bytes() for path in server.memory.store.files())
    assert secret.encode() not in files


def sign_in(server: Serving, person: str | None = "alex") -> Any:
    identity = Identity(
        credential="link", name="here", kind="browser", person=person, rights=("read", "write", "manage"),
        role="person", is_owner=True,
    )  # fmt: skip
    token = server.app.credentials.make_link_token(identity)
    browser = server.client()
    return browser, token, browser.get("/sign-in", params={"token": token})


def test_a_link_signs_one_browser_in_once(server: Serving) -> None:
    browser, token, answer = sign_in(server)
    cookie = answer.headers["set-cookie"].lower()
    assert answer.status_code == 303 and "httponly" in cookie and "samesite=strict" in cookie
    assert browser.get("/v1/whoami").json()["person"] == "alex"
    assert server.client().get("/sign-in", params={"token": token}).status_code == 401
    assert server.client().get("/sign-in", params={"token": "guess"}).status_code == 401
    csrf = browser.get("/v1/whoami").json()["csrf_token"]
    assert browser.post("/sign-out", headers={"X-CSRF-Token": csrf}).status_code == 204
    assert server.client(None, Cookie=f"toldonce_session={browser.cookies.get('toldonce_session')}").get(
        "/v1/whoami"
    ).status_code == 401  # fmt: skip


def test_a_write_by_a_browser_needs_its_csrf_token(server: Serving) -> None:
    browser, _, _ = sign_in(server)
    assert browser.post("/v1/records", json={"text": "Alex likes tea"}).status_code == 403
    wrong = browser.post("/v1/records", json={"text": "Alex likes tea"}, headers={"X-CSRF-Token": "x"})
    assert wrong.status_code == 403
    csrf = browser.get("/v1/whoami").json()["csrf_token"]
    assert browser.post("/v1/records", json={"text": "Alex likes tea"}, headers={"X-CSRF-Token": csrf}).is_success


def test_a_session_that_somebody_planted_is_replaced(server: Serving) -> None:
    browser = server.client(None)
    browser.cookies.set("toldonce_session", "planted", domain="127.0.0.1")
    identity = Identity(credential="link", name="here", kind="browser", person="alex")
    token = server.app.credentials.make_link_token(identity)
    made = browser.get("/sign-in", params={"token": token}).headers["set-cookie"]
    assert "planted" not in made
    assert server.client(None, Cookie="toldonce_session=planted").get("/v1/whoami").status_code == 401


@pytest.mark.parametrize(
    "target", ["//evil.example", "https://evil.example", "/\\evil.example", "\\\\evil", "javascript:alert(1)", "/a\nb"]
)
def test_signing_in_leads_nowhere_else(server: Serving, target: str) -> None:
    token = server.app.credentials.make_link_token(Identity(credential="l", name="n", kind="browser", person="alex"))
    answer = server.client().get("/sign-in", params={"token": token, "next": target})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


PRIVATE = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER = rsa.generate_private_key(public_exponent=65537, key_size=2048)


def token_for(key: Any = PRIVATE, algorithm: str = "RS256", **claims: Any) -> str:
    until = datetime.now(UTC) + timedelta(hours=1)
    told = {"sub": "alex", "iss": "https://id.example", "aud": "toldonce", "exp": until, **claims}
    wanted = {name: value for name, value in told.items() if value is not None}
    return jwt.encode(wanted, key, algorithm, headers={"kid": "one"})


@contextmanager
def published_keys() -> Iterator[str]:
    """A server that publishes the public key, as companies do."""
    row = {**json.loads(RSAAlgorithm.to_jwk(PRIVATE.public_key())), "kid": "one", "use": "sig", "alg": "RS256"}

    class Keys(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({"keys": [row]}).encode())

        def log_message(self, *_: Any) -> None:
            pass

    published = HTTPServer(("127.0.0.1", 0), Keys)
    thread = threading.Thread(target=published.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{published.server_port}/keys"
    published.shutdown()
    published.server_close()
    thread.join()


def test_a_signed_token_says_who_is_asking(open_memory: OpenMemory) -> None:
    with published_keys() as url:
        tokens = TokenSettings(jwks_url=url, issuer="https://id.example", audience="toldonce")
        with serving(open_memory("assistant"), ServerSettings(tokens=tokens, limits=OPEN_LIMITS)) as server:
            alex = server.client(token_for())
            assert alex.post("/v1/records", json={"text": "Alex likes tea"}).json()["user"] == "alex"
            assert alex.get("/v1/keys").status_code == 403
            limited = server.client(token_for(toldonce_rights=["read"], toldonce_spaces=["elsewhere"]))
            assert limited.get("/v1/records").status_code == 404
            past = datetime.now(UTC) - timedelta(minutes=5)
            forged = jwt.encode({"sub": "alex", "iss": "https://id.example", "aud": "toldonce", "exp": 9e9}, "", "none")
            for wrong in (
                token_for(OTHER), token_for(exp=past), token_for(iss="https://evil.example"), token_for(aud="other"),
                token_for(sub=None), token_for(sub=" "), token_for(tenant="other"), token_for(exp=None), forged,
                token_for("shared secret of thirty-two bytes!!", "HS256"), "a.b.c", "x" * 9_000,
            ):  # fmt: skip
                assert server.client(wrong).get("/v1/stats").status_code == 401, wrong[:40]


def test_the_block_of_another_person_is_for_managers_and_shows_what_they_may_read(server: Serving) -> None:
    alex = server.of("alex")
    alex.post("/v1/records", json={"text": "Alex keeps the spare key under the blue pot"})
    alex.post("/v1/records", json={"text": "The blue pot is in the shared garden", "visibility": "project"})
    asked = {"query": "where is the blue pot?", "explain": True, "counted": False}
    own = alex.post("/v1/context", json=asked).json()
    assert "spare key" in own["text"] and own["lines"] and own["reading"]
    assert server.of("sam").post("/v1/context", json={**asked, "user": "alex"}).status_code == 403
    manager = server.client(server.memory.keys.add("boss", user="sam", rights=["read", "write", "manage"]).secret)
    seen = manager.post("/v1/context", json={**asked, "user": "alex"})
    assert seen.status_code == 200 and "shared garden" in seen.text and "spare key" not in seen.text
    named = manager.post("/v1/context", json={**asked, "user": "alex", "viewer": "alex"})
    assert named.status_code == 403


def test_the_identity_says_who_wrote_something(open_memory: OpenMemory) -> None:
    memory = open_memory("coding")
    with serving(memory) as server:
        person, agent = server.of("alex", role="person"), server.of("alex")
        for kind in ("gotcha", "decision", "pr_review"):
            said = person.post("/v1/records", json={"text": f"Never mock the {kind} store", "kind": kind}).json()
            assert (said["role"], said["visibility"], said["validated"]) == ("person", "private", True), kind
            told = agent.post("/v1/records", json={"text": f"The {kind} cache is stale", "kind": kind}).json()
            assert (told["role"], told["visibility"], told["validated"]) == ("agent", "project", False), kind
        shared = {"text": "Never push on Fridays", "kind": "decision", "visibility": "project"}
        assert person.post("/v1/records", json=shared).json()["visibility"] == "project"
        noted = person.post("/v1/records", json={"text": "A guess of a tool", "kind": "gotcha", "author": "agent"})
        assert (noted.json()["role"], noted.json()["validated"]) == ("agent", False)
        offered = {"statements": [{"text": "Linters run first", "kind": "convention", "proposed": True}]}
        made = person.post("/v1/proposals", json=offered).json()["result"][0]
        assert (made["role"], made["visibility"], made["validated"]) == ("person", "private", False)
        program = server.owner().post("/v1/records", json={"text": "The build takes a minute", "kind": "gotcha"})
        assert (program.json()["role"], program.json()["validated"]) == ("agent", False), "it acts for nobody"


def test_who_signed_in_with_a_token_is_a_person_unless_it_says_otherwise(open_memory: OpenMemory) -> None:
    secret = "shared secret of thirty-two bytes!!"
    tokens = TokenSettings(key=secret, issuer="https://id.example", audience="toldonce")
    with serving(open_memory("coding"), ServerSettings(tokens=tokens, limits=OPEN_LIMITS)) as server:
        alex = server.client(token_for(secret, "HS256"))
        assert alex.get("/v1/whoami").json()["role"] == "person"
        kept = alex.post("/v1/records", json={"text": "Never push on Fridays", "kind": "decision"}).json()
        assert (kept["user"], kept["role"], kept["visibility"], kept["validated"]) == (
            "alex",
            "person",
            "private",
            True,
        )
        robot = server.client(token_for(secret, "HS256", toldonce_role="agent"))
        assert robot.post("/v1/records", json={"text": "It is red", "author": "person"}).status_code == 403
        assert robot.delete(f"/v1/records/{kept['id']}").status_code == 403
        assert alex.delete(f"/v1/records/{kept['id']}").status_code == 200
        assert server.client(token_for(secret, "HS256", toldonce_role="king")).get("/v1/whoami").status_code == 401
