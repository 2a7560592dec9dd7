"""Attacks on the server: credentials that do not hold, hostile names and paths, floods, and lines for the log."""

from __future__ import annotations

import logging
import random
import socket
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import httpx
import pytest

from tests.conftest import ManualClock, OpenMemory
from tests.server.serving import Serving, serving
from toldonce.host_names import read_host, read_origin
from toldonce.operations.routes import PREFIX, TABLE
from toldonce.server.guard import RateLimit
from toldonce.server.settings import RequestLimits, ServerSettings

SECRET = "the heron nests behind the old mill"
REQUESTS = 10_000


def hostile_requests(server: Serving, clock: ManualClock) -> list[dict[str, str]]:
    """Headers of credentials that must not reach what alex has stored."""
    keys = server.memory.keys
    expired = keys.add("old", user="alex", expires_at=clock.now + timedelta(minutes=1))
    revoked = keys.add("stolen", user="alex")
    rotated = keys.add("rotated", user="alex")
    keys.rotate(rotated.key.id)
    keys.revoke(revoked.key.id)
    server.memory.spaces.add("work", preset="assistant")
    elsewhere = keys.add("elsewhere", spaces=["work"], rights=["read", "write", "manage"])
    other = keys.add("other", user="sam", rights=["read", "write"])
    clock.pass_time(minutes=2)
    secrets = [one.secret for one in (expired, revoked, rotated, elsewhere, other)]
    secrets += [other.secret[:-1], other.secret + "x", "tk_", "null", "tk_" + "a" * 43]
    return [{"Authorization": f"Bearer {secret}"} for secret in secrets] + [
        {}, {"Authorization": "Basic YWxleDphbGV4"}, {"Cookie": "toldonce_session=guess"}, {"X-User": "alex"},
        {"Authorization": f"bearer  {revoked.secret}"}, {"X-Forwarded-For": "127.0.0.1"},
    ]  # fmt: skip


def paths_for(record_id: str) -> list[tuple[str, str, dict[str, Any]]]:
    """Every path of the table, with arguments that would show or change what alex has stored."""
    query = {"query": "heron mill", "user": "alex", "name": "heron", "session": "s1", "reader": "alex"}
    rows: list[tuple[str, str, dict[str, Any]]] = []
    for route in TABLE:
        path = PREFIX + route.path
        for name, value in (("record_id", record_id), ("older_id", record_id), ("question_id", "q"), ("key_id", "k")):
            path = path.replace(f"{{{name}}}", value)
        known = {name: query[name] for name in route.parameters if name in query}
        rows.append((route.method, path.replace("{name}", "board"), known))
    return rows


def test_no_credential_that_does_not_hold_is_answered_with_data(server: Serving, clock: ManualClock) -> None:
    kept = server.memory.remember(SECRET, user="alex", session="s1")
    hostile, paths = hostile_requests(server, clock), paths_for(kept.id)
    choose = random.Random(7)
    tried = [(choose.choice(hostile), choose.choice(paths)) for _ in range(REQUESTS)]
    statuses: Counter[int] = Counter()
    leaks: list[str] = []

    def send(part: list[Any]) -> None:
        with httpx.Client(base_url=server.url, timeout=60) as client:
            for headers, (method, path, given) in part:
                is_query = method in ("GET", "DELETE")
                sent: dict[str, Any] = {"params": given} if is_query else {"json": given}
                answer = client.request(method, path, headers=headers, **sent)
                statuses[answer.status_code] += 1
                if "heron" in answer.text or "old mill" in answer.text:
                    leaks.append(f"{method} {path} {answer.status_code}")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(send, [tried[n::4] for n in range(4)]))
    assert leaks == [] and sum(statuses.values()) == REQUESTS
    assert statuses[500] == 0 and statuses[401] > REQUESTS / 2
    assert server.memory.get(kept.id).state == "active"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "localhost@evil.example", "[::1"])
def test_a_host_that_is_not_ours_is_refused(server: Serving, host: str) -> None:
    assert server.client(server.key("x"), Host=host).get("/v1/stats").status_code in (400, 421)


def test_pages_of_other_origins_are_refused(server: Serving) -> None:
    owner = server.owner()
    for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        assert owner.post("/v1/recall", json={"query": "x"}, headers=headers).status_code == 403
    assert owner.post("/v1/recall", json={"query": "x"}, headers={"Origin": server.url}).status_code == 200
    assert "access-control-allow-origin" not in owner.get("/health").headers


def test_every_answer_forbids_frames_sniffing_and_caching(server: Serving) -> None:
    for answer in (server.client().get("/health"), server.client().get("/v1/stats"), server.owner().get("/docs")):
        assert answer.headers["x-frame-options"] == "DENY"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path", ["/v1/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/v1/records/..%2f..%2fetc%2fpasswd", "//etc/passwd"]
)
def test_no_path_leaves_the_api(server: Serving, path: str) -> None:
    answer = server.owner().get(path)
    assert answer.status_code == 404 and "root:" not in answer.text


def test_no_argument_names_a_file_of_the_server(server: Serving, tmp_path: Any) -> None:
    owner = server.owner()
    assert owner.post("/v1/spaces", json={"name": "x", "preset": "/etc/passwd"}).status_code == 422
    target = str(tmp_path / "copy.db")
    assert owner.post("/v1/storage/backup", json={"target": target}).status_code == 422
    assert owner.get("/v1/export", params={"path": target}).status_code == 422
    assert owner.get("/v1/export", params={"format": "../../x"}).status_code == 422


def test_nothing_that_is_sent_breaks_a_line_of_the_log(server: Serving, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="toldonce.server")
    alex = server.of("alex")
    alex.post("/v1/records", json={"text": "Alex keeps bees"}, headers={"X-Request-ID": "a b forged=1"})
    alex.get("/v1/x%0Arequest id=forged status=200")
    alex.get("/v1/records/fact_bees%0D%0Aforged")
    told: list[str] = []
    for _ in range(500):
        # A line is written once its answer is sent.
        told = [record.getMessage() for record in caplog.records]
        if len(told) >= 3:
            break
        server.client().get("/health")
    assert len(told) >= 3
    assert all("\n" not in line and "\r" not in line and "forged" not in line and "bees" not in line for line in told)


def test_a_request_keeps_its_own_id_if_it_is_plain(server: Serving) -> None:
    assert server.client(None, **{"X-Request-ID": "abc-1"}).get("/health").headers["x-request-id"] == "abc-1"
    assert "\n" not in server.client(None, **{"X-Request-ID": "a b"}).get("/health").headers["x-request-id"]


def test_a_body_has_a_limit(open_memory: OpenMemory) -> None:
    limits = RequestLimits(body_bytes=1_000, requests_per_minute=0)
    with serving(open_memory("assistant"), ServerSettings(limits=limits)) as server:
        owner = server.owner()
        assert owner.post("/v1/records", json={"text": "x" * 2_000}).status_code == 413

        def pieces() -> Any:
            yield from [b"x" * 600] * 3

        chunked = owner.post("/v1/records", content=pieces(), headers={"Content-Type": "application/json"})
        assert chunked.status_code == 413


def test_requests_are_limited_by_credential(open_memory: OpenMemory) -> None:
    limits = RequestLimits(requests_per_minute=20)
    with serving(open_memory("assistant"), ServerSettings(limits=limits)) as server:
        alex, sam = server.of("alex"), server.of("sam")
        answers = [alex.get("/v1/stats") for _ in range(30)]
        assert {a.status_code for a in answers} == {200, 429}
        assert int(next(a for a in answers if a.status_code == 429).headers["retry-after"]) >= 1
        assert sam.get("/v1/stats").status_code == 200
        guesses = [server.client("tk_guess").get("/v1/stats").status_code for _ in range(10)]
        assert guesses[0] == 401 and guesses[-1] == 429


def test_an_allowance_fills_up_with_time() -> None:
    now = [0.0]
    limit = RateLimit(60, clock=lambda: now[0])
    assert [limit.take("a") for _ in range(60)] == [0.0] * 60
    assert limit.take("a") > 0 and limit.take("b") == 0
    now[0] = 1.0
    assert limit.take("a") == 0 and limit.take("a") > 0


def test_too_many_at_once_are_told_to_wait(open_memory: OpenMemory) -> None:
    limits = RequestLimits(concurrent=0, requests_per_minute=0)
    with serving(open_memory("assistant"), ServerSettings(limits=limits)) as server:
        answer = server.client().get("/health")
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")


def test_a_request_that_is_not_http_ends_with_its_connection(server: Serving) -> None:
    host, _, port = server.url.removeprefix("http://").partition(":")
    for junk in (
        b"\x00\xff\x16\x03\n\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    ):
        with socket.create_connection((host, int(port)), timeout=30) as raw:
            raw.sendall(junk)
            assert b" 200 " not in raw.recv(4_096)
    assert server.client().get("/health").status_code == 200


def send_head(server: Serving, *lines: str, body: bytes = b"") -> socket.socket:
    """A connection that has sent the head of a request, and a part of its body or nothing of it."""
    host, _, port = server.url.removeprefix("http://").partition(":")
    raw = socket.create_connection((host, int(port)), timeout=30)
    raw.sendall("\r\n".join([*lines, f"Host: {host}", "", ""]).encode() + body)
    return raw


FORM_TYPE = "Content-Type: application/x-www-form-urlencoded"


@pytest.mark.parametrize("credential", ["", "Authorization: Bearer tk_guess", "Cookie: toldonce_session=guess"])
@pytest.mark.parametrize("path", ["/v1/import", "/preferences", "/v1/records"])
def test_nothing_of_a_body_is_read_from_somebody_unknown(server: Serving, path: str, credential: str) -> None:
    lines = [f"POST {path} HTTP/1.1", FORM_TYPE, "Content-Length: 300000000", *filter(None, [credential])]
    with send_head(server, *lines) as raw:
        # The body never comes: whoever waited for it would not answer.
        assert raw.recv(4_096).startswith(b"HTTP/1.1 401 ")


def test_forms_and_bodies_of_open_paths_have_limits_of_their_own(server: Serving) -> None:
    credential = f"Authorization: Bearer {server.key('owner', rights=['read', 'write', 'manage'])}"
    for path, size, status in (("/v1/import", 4_000_001, b"413"), ("/sign-in", 8_001, b"413"), ("/sign-in", 9, b"405")):
        with send_head(server, f"POST {path} HTTP/1.1", FORM_TYPE, f"Content-Length: {size}", credential) as raw:
            assert raw.recv(4_096).split()[1] == status, (path, size)


def test_a_body_that_does_not_come_ends_with_the_time_of_its_request(open_memory: OpenMemory) -> None:
    limits = RequestLimits(seconds=0.2, concurrent=1, requests_per_minute=0)
    with serving(open_memory("assistant"), ServerSettings(limits=limits)) as server:
        credential = f"Authorization: Bearer {server.key('owner', rights=['read', 'write', 'manage'])}"
        with send_head(
            server, "POST /preferences HTTP/1.1", FORM_TYPE, "Content-Length: 9", credential, body=b"a"
        ) as raw:
            assert raw.recv(4_096).startswith(b"HTTP/1.1 504 ")


def test_a_form_counts_among_the_requests_under_way_while_it_comes(open_memory: OpenMemory) -> None:
    limits = RequestLimits(concurrent=1, requests_per_minute=0)
    with serving(open_memory("assistant"), ServerSettings(limits=limits)) as server:
        credential = f"Authorization: Bearer {server.key('owner', rights=['read', 'write', 'manage'])}"
        head = ["POST /preferences HTTP/1.1", FORM_TYPE, "Content-Length: 10", credential, "Expect: 100-continue"]
        with send_head(server, *head) as raw:
            # The server asks for the body once it reads it.
            assert raw.recv(4_096).startswith(b"HTTP/1.1 100 ")
            assert server.client().get("/health").status_code == 503
            raw.sendall(b"next=%2Fab")
            assert b" 303 " in raw.recv(4_096)


@pytest.mark.parametrize(
    "host", ["evil@127.0.0.1", "127.0.0.1#x", "127.0.0.1/x", "127.0.0.1?x", "127.0.0.1:1:2", "[::1", ""]
)
def test_a_host_with_more_than_a_host_in_it_is_refused(server: Serving, host: str) -> None:
    head = [f"GET /v1/stats HTTP/1.1\r\nHost: {host}\r\n", f"Authorization: Bearer {server.key('x')}\r\n\r\n"]
    name, _, port = server.url.removeprefix("http://").partition(":")
    with socket.create_connection((name, int(port)), timeout=30) as raw:
        raw.sendall("".join(head).encode())
        assert raw.recv(4_096).split()[1] in (b"400", b"421")


@pytest.mark.parametrize(
    "origin", ["http://evil@127.0.0.1", "http://127.0.0.1/x", "http://127.0.0.1#", "127.0.0.1", "null"]
)
def test_an_origin_with_more_than_a_host_in_it_is_refused(server: Serving, origin: str) -> None:
    assert server.client(server.key("x"), Origin=origin).get("/v1/stats").status_code == 403


@pytest.mark.parametrize(
    ("header", "host"),
    [
        ("127.0.0.1", "127.0.0.1"), ("LocalHost:8766", "localhost"), ("[::1]:80", "::1"), ("a.b-c_d.eu", "a.b-c_d.eu"),
        ("a b", ""), ("a\\b", ""), ("-a", ""), ("a:x", ""), ("a%00", ""), ("[1]2", ""),
    ],
)  # fmt: skip
def test_a_host_is_read_as_it_is_written(header: str, host: str) -> None:
    assert read_host(header) == host and read_origin(f"https://{header}") == host
