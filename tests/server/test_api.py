"""The REST API: every operation has a path, long lists come in pages, writes are repeatable, errors say what to do."""

from __future__ import annotations

import pytest

from tests.conftest import ManualClock, OpenMemory
from tests.operations import all_operations
from tests.server.serving import Serving, serving
from toldonce.errors import ToldonceError
from toldonce.operations.routes import LOCAL, ROUTES, TABLE
from toldonce.server.problems import STATUSES, status_of


def test_every_operation_has_a_path_or_is_local() -> None:
    assert set(ROUTES) | set(LOCAL) == set(all_operations())
    assert len({(route.method, route.path) for route in TABLE}) == len(TABLE)


def test_every_error_of_the_engine_has_a_status() -> None:
    def classes(cls: type[ToldonceError]) -> set[type[ToldonceError]]:
        return {cls}.union(*(classes(one) for one in cls.__subclasses__()))

    assert all(400 <= status_of(cls("x")) < 600 for cls in classes(ToldonceError))
    assert all(issubclass(cls, ToldonceError) for cls in STATUSES)


def test_the_description_names_every_operation(server: Serving) -> None:
    found = server.owner().get("/openapi.json").json()
    assert found["openapi"].startswith("3.1")
    named = {row["operationId"] for methods in found["paths"].values() for row in methods.values()}
    assert {route.operation for route in TABLE} <= named
    page = server.owner().get("/docs")
    assert page.status_code == 200 and "/v1/recall" in page.text and "http://" not in page.text.replace(server.url, "")


def test_what_is_stored_is_recalled_corrected_and_explained(server: Serving) -> None:
    alex = server.of("alex")
    kept = alex.post("/v1/records", json={"text": "Alex lives in Lisbon"}).json()
    found = alex.post("/v1/recall", json={"query": "where does Alex live?"}).json()
    assert [hit["record"]["id"] for hit in found["hits"]] == [kept["id"]]
    new = alex.post(f"/v1/records/{kept['id']}/correct", json={"text": "Alex lives in Porto"}).json()
    chain = alex.get(f"/v1/records/{new['id']}/history").json()["chain"]
    assert [record["text"] for record in chain] == ["Alex lives in Lisbon", "Alex lives in Porto"]
    assert "Porto" in alex.post("/v1/context", json={"query": "Where does Alex live?"}).json()["text"]


def test_a_list_comes_in_pages_and_what_is_added_meanwhile_shifts_none(server: Serving, clock: ManualClock) -> None:
    alex = server.of("alex")
    for number in range(7):
        alex.post("/v1/records", json={"text": f"Room {number} is painted in colour {number}"})
        clock.pass_time(minutes=1)
    first = alex.get("/v1/records", params={"limit": 3}).json()
    alex.post("/v1/records", json={"text": "The attic has no windows at all"})
    second = alex.get("/v1/records", params={"limit": 3, "cursor": first["next"]}).json()
    third = alex.get("/v1/records", params={"limit": 3, "cursor": second["next"]}).json()
    rooms = [item["text"][5] for page in (first, second, third) for item in page["items"]]
    assert rooms == list("6543210") and third["next"] is None
    assert alex.get("/v1/records", params={"cursor": "nonsense"}).status_code == 400
    timeline = alex.get("/v1/timeline", params={"limit": 2}).json()
    before = alex.get("/v1/timeline", params={"limit": 2, "cursor": timeline["next"]}).json()
    moments = [item["at"] for item in (*before["items"], *timeline["items"])]
    assert moments == sorted(moments) and len(moments) == 4


def test_a_repeated_write_is_carried_out_once(server: Serving) -> None:
    alex, sam = server.of("alex"), server.of("sam")
    send = {"json": {"text": "The bike is in the cellar"}, "headers": {"Idempotency-Key": "k1"}}
    first, again = (alex.post("/v1/records", **send) for _ in range(2))  # type: ignore[arg-type]
    assert first.json() == again.json() and again.headers["idempotent-replayed"] == "true"
    other = alex.post("/v1/records", json={"text": "Another"}, headers={"Idempotency-Key": "k1"})
    assert other.status_code == 409 and "another request" in other.json()["detail"]
    assert sam.post("/v1/records", **send).json()["user"] == "sam"  # type: ignore[arg-type]


def test_a_repeated_message_is_stored_once_for_good(open_memory: OpenMemory, clock: ManualClock) -> None:
    memory = open_memory("assistant")
    send = {"json": {"text": "The bike is in the cellar", "session": "s"}, "headers": {"Idempotency-Key": "k1"}}
    with serving(memory) as server:
        first = server.of("alex").post("/v1/messages", **send)  # type: ignore[arg-type]
        assert "idempotent-replayed" not in first.headers
    clock.pass_time(days=90)
    with serving(memory) as server:
        alex, sam = server.of("alex"), server.of("sam")
        again = alex.post("/v1/messages", **send)  # type: ignore[arg-type]
        assert first.json()["id"] == again.json()["id"] and again.headers["idempotent-replayed"] == "true"
        for body in ({"text": "Another"}, {"text": "Another", "idempotency_key": "k1"}):
            other = alex.post("/v1/messages", json=body, headers={"Idempotency-Key": "k1"})
            assert (other.status_code, other.json()["type"]) == (409, "urn:toldonce:KeyReused")
        assert sam.post("/v1/messages", **send).json()["user"] == "sam"  # type: ignore[arg-type]
        assert len(alex.get("/v1/sessions/window", params={"session": "s"}).json()["items"]) == 1
        person = server.of("alex", role="person")
        assert person.delete(f"/v1/records/{first.json()['id']}").status_code == 200
        assert list(person.post("/v1/messages", **send).json()) == ["skipped"]  # type: ignore[arg-type]


def test_each_message_of_a_repeated_batch_is_stored_once(server: Serving) -> None:
    alex = server.of("alex")
    rows = [{"text": "One ship"}, {"text": "Two ships", "idempotency_key": "own"}]
    sent = {"json": {"messages": rows}, "headers": {"Idempotency-Key": "b1"}}
    first, again = (alex.post("/v1/messages/batch", **sent) for _ in range(2))  # type: ignore[arg-type]
    ids = [[one["id"] for one in answer.json()["result"]] for answer in (first, again)]
    assert ids[0] == ids[1] and again.headers["idempotent-replayed"] == "true"
    assert alex.post("/v1/messages", json=rows[1]).json()["id"] == ids[0][1]
    rows[0]["text"] = "Three ships"
    assert alex.post("/v1/messages/batch", **sent).status_code == 409  # type: ignore[arg-type]


def test_a_write_that_was_refused_may_be_repeated(server: Serving) -> None:
    alex = server.of("alex")
    for _ in range(2):
        refused = alex.post("/v1/messages", json={"text": ""}, headers={"Idempotency-Key": "k"})
        assert refused.status_code == 422 and "idempotent-replayed" not in refused.headers


def test_a_kept_answer_goes_when_a_record_is_purged(server: Serving) -> None:
    alex = server.of("alex", role="person")
    send = {"json": {"text": "The safe opens with 1234"}, "headers": {"Idempotency-Key": "k"}}
    kept = alex.post("/v1/records", **send).json()  # type: ignore[arg-type]
    assert alex.delete(f"/v1/records/{kept['id']}").json() == {"result": 1}
    again = alex.post("/v1/records", **send)  # type: ignore[arg-type]
    assert "idempotent-replayed" not in again.headers and again.json()["id"] != kept["id"]


def test_errors_are_problems_that_say_what_to_do(server: Serving) -> None:
    alex = server.of("alex")
    for answer, status, words in (
        (alex.get("/v1/records/fact_none"), 404, "check the id"),
        (alex.post("/v1/recall", json={}), 422, "query: Field required"),
        (alex.post("/v1/recall", json={"query": "x", "limitt": 1}), 422, "limitt"),
        (alex.post("/v1/recall", content=b"{nonsense", headers={"Content-Type": "application/json"}), 422, "JSON"),
        (alex.get("/v1/nowhere"), 404, "/docs"),
        (alex.put("/v1/recall", json={}), 405, "/docs"),
        (alex.get("/v1/entity", params={"name": "Nobody"}), 404, "nothing"),
    ):
        assert answer.headers["content-type"] == "application/problem+json", answer.text
        assert (answer.status_code, answer.json()["status"]) == (status, status)
        assert words in answer.json()["detail"], answer.json()


def test_versions_are_told_and_required(server: Serving) -> None:
    alex = server.of("alex")
    kept = alex.post("/v1/records", json={"text": "Alex has a cat"}).json()
    read = alex.get(f"/v1/records/{kept['id']}")
    tag = read.headers["etag"]
    alex.post("/v1/recall", json={"query": "cat"})
    assert alex.get(f"/v1/records/{kept['id']}", headers={"If-None-Match": tag}).status_code == 304
    assert alex.post(f"/v1/records/{kept['id']}/pin", json={}, headers={"If-Match": '"old"'}).status_code == 412
    assert alex.post(f"/v1/records/{kept['id']}/pin", json={}, headers={"If-Match": tag}).status_code == 200
    assert alex.get(f"/v1/records/{kept['id']}", headers={"If-None-Match": tag}).status_code == 200


def test_a_document_is_changed_only_by_who_has_seen_it(server: Serving) -> None:
    alex = server.of("alex")
    entry = {"section": "x", "text": "one", "sources": [], "at": None, "doubted": []}
    new = {"name": "board", "owner": "", "space": "main", "version": 1, "entries": [entry], "data": {},
           "at": "2026-03-02T09:00:00+00:00"}  # fmt: skip
    assert alex.get("/v1/documents/board").status_code == 404
    assert alex.put("/v1/documents/board", json=new).status_code == 428
    made = alex.put("/v1/documents/board", json=new, headers={"If-None-Match": "*"})
    assert made.status_code == 200 and made.json()["entries"] == [entry]
    assert alex.put("/v1/documents/board", json=new, headers={"If-None-Match": "*"}).status_code == 412
    newer = {**new, "version": 2}
    assert alex.put("/v1/documents/board", json=newer, headers={"If-Match": '"x"'}).status_code == 412
    tag = alex.get("/v1/documents/board").headers["etag"]
    assert alex.put("/v1/documents/board", json=newer, headers={"If-Match": tag}).json()["version"] == 2
    mine = alex.put("/v1/documents/board", params={"owner": "sam"}, json=new, headers={"If-None-Match": "*"})
    assert mine.status_code == 403


def test_an_export_can_be_imported_by_another_server(server: Serving) -> None:
    owner = server.owner()
    kept = owner.post("/v1/records", json={"text": "Alex lives in Lisbon", "user": "alex"}).json()
    export = owner.get("/v1/export")
    assert export.status_code == 200 and export.headers["content-type"].startswith("application/x-ndjson")
    assert int(export.headers["toldonce-written"]) == export.text.count("\n") - 1
    owner.delete(f"/v1/records/{kept['id']}")
    taken = owner.post("/v1/import", content=export.content)
    assert taken.status_code == 200 and taken.json()["what"] == "export"
    assert owner.get(f"/v1/records/{kept['id']}").json()["text"] == "Alex lives in Lisbon"
    assert "Lisbon" in owner.get("/v1/export", params={"format": "markdown"}).text
    assert owner.post("/v1/import", content=b"").status_code == 422


def test_tools_are_listed_and_called(server: Serving) -> None:
    alex = server.of("alex")
    names = [tool["name"] for tool in alex.get("/v1/tools").json()["tools"]]
    assert "search_memory" in names and "save_facts_batch" not in names
    made = alex.post("/v1/tools/remember_fact", json={"content": "Alex plays the cello"}).json()["result"]
    found = alex.post("/v1/tools/search_memory", json={"query": "cello"}).json()
    assert found["quotes"] and found["result"][0]["id"] == made["id"]
    assert alex.post("/v1/tools/nothing", json={}).status_code == 422
    reader = server.of("alex", rights=["read"])
    assert "remember_fact" not in [tool["name"] for tool in reader.get("/v1/tools").json()["tools"]]
    assert reader.post("/v1/tools/remember_fact", json={"content": "x"}).status_code in (403, 422)


@pytest.mark.parametrize("path", ["/ready", "/metrics"])
def test_readiness_and_figures_need_a_credential(server: Serving, path: str) -> None:
    assert server.client().get("/health").json() == {"status": "ok"}
    assert server.client().get(path).status_code == 401
    answer = server.owner().get(path)
    assert answer.status_code == 200


def test_figures_count_requests_by_path_without_names(server: Serving) -> None:
    owner = server.owner()
    owner.get("/v1/records/fact_secretname")
    figures = owner.get("/metrics").text
    assert 'path="/v1/records/{record_id}"' in figures and "secretname" not in figures
    assert "toldonce_store_bytes" in figures
