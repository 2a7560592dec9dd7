"""Webhooks over HTTP: only owners configure them, and never to a private address unless the server allows it."""

from __future__ import annotations

from tests.conftest import OpenMemory
from tests.server.serving import OPEN_LIMITS, Serving, serving
from toldonce import Memory
from toldonce.server.settings import ServerSettings

PRIVATE = "http://127.0.0.1:9/hook"


def test_only_whoever_owns_the_memory_configures_webhooks(server: Serving) -> None:
    server.memory.webhooks.is_private_allowed = True
    hook = server.memory.webhooks.add(PRIVATE, private=True).webhook
    for client in (server.of("alex"), server.of("sam", rights=["read", "write", "manage"], role="person")):
        assert client.get("/v1/webhooks").status_code == 403
        assert client.post("/v1/webhooks", json={"url": PRIVATE}).status_code == 403
        assert client.post(f"/v1/webhooks/{hook.id}/test", json={}).status_code == 403
        assert client.delete(f"/v1/webhooks/{hook.id}").status_code == 403
    owner = server.owner()
    untaken = owner.post(f"/v1/webhooks/{hook.id}/test", json={})
    assert untaken.status_code == 502 and "cannot be reached" in untaken.json()["detail"]
    listed = owner.get("/v1/webhooks").json()["items"]
    assert [(one["id"], "secret" in one) for one in listed] == [(hook.id, False)]
    assert owner.delete(f"/v1/webhooks/{hook.id}").status_code == 200


def test_a_server_sends_nothing_to_private_addresses(server: Serving) -> None:
    owner = server.owner()
    for url in (PRIVATE, "https://127.0.0.1/", "https://localhost/", "https://[::1]/"):
        assert owner.post("/v1/webhooks", json={"url": url}).status_code == 422
    refused = owner.post("/v1/webhooks", json={"url": PRIVATE, "private": True})
    assert refused.status_code == 403 and "--private-webhooks" in refused.json()["detail"]
    assert server.memory.webhooks.all() == []


def test_unless_its_settings_allow_it(open_memory: OpenMemory) -> None:
    settings = ServerSettings(limits=OPEN_LIMITS, private_webhooks=True)
    with serving(open_memory("assistant"), settings) as server:
        key = server.key("owner", rights=["read", "write", "manage"], role="person")
        with Memory.open(server.url, api_key=key) as remote:
            made = remote.webhooks.add(PRIVATE, events=["record_added"], private=True)
            assert made.secret.startswith("whsec_") and remote.webhooks.all() == [made.webhook]
