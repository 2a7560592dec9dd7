"""Schemathesis tries what the description of the API allows and forbids: the server keeps to it, and never fails."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS
from schemathesis.specs.openapi.checks import positive_data_acceptance

from tests.conftest import OpenMemory
from tests.server.serving import Serving, serving
from toldonce.errors import SpaceNotFound

# A schema cannot say that a text must be a moment, an id of something that is there, or more than blanks: such
# arguments are refused with 422, which every operation is described with.
LEFT_OUT = (positive_data_acceptance,)
EXAMPLES = {GenerationMode.POSITIVE: 6, GenerationMode.NEGATIVE: 3}
OPERATIONS = 100


def test_every_answer_is_as_the_description_says(open_memory: OpenMemory) -> None:
    checks = [check for check in CHECKS.get_all() if check not in LEFT_OUT]
    assert len(checks) > 10
    with serving(open_memory("assistant")) as server:
        headers = {"Authorization": f"Bearer {server.key('all', rights=['read', 'write', 'manage'])}"}
        schema = schemathesis.openapi.from_dict(server.app.api.openapi())
        tried = 0
        for found in schema.get_all_operations():
            operation = found.ok()
            # A stream has no end.
            if operation.definition.raw.get("operationId") == "events":
                continue
            tried += 1

            def send(case: schemathesis.Case) -> None:
                answer = case.call(base_url=server.url, headers=headers, timeout=60)
                case.validate_response(answer, checks=checks, headers=headers)

            for mode, examples in EXAMPLES.items():
                tries = settings(
                    max_examples=examples,
                    deadline=None,
                    phases=[Phase.generate],
                    suppress_health_check=list(HealthCheck),
                    derandomize=True,
                    database=None,
                )
                tries(given(case=operation.as_strategy(generation_mode=mode))(send))()
        assert tried > OPERATIONS


def test_the_description_says_what_is_no_json(server: Serving) -> None:
    paths = server.app.api.openapi()["paths"]
    told = {path: set(paths[path]["get"]["responses"]["200"]["content"]) for path in ("/v1/events", "/metrics")}
    assert told == {"/v1/events": {"text/event-stream"}, "/metrics": {"text/plain; version=0.0.4; charset=utf-8"}}
    owner = server.owner()
    assert {owner.get("/metrics").headers["content-type"]} == told["/metrics"]
    with owner.stream("GET", "/v1/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")


def test_every_operation_is_described_with_its_errors(server: Serving) -> None:
    for path, methods in server.app.api.openapi()["paths"].items():
        for row in methods.values():
            assert {"401", "403", "404", "422", "503"} <= set(row["responses"]), path
            assert set(row["responses"]["422"]["content"]) == {"application/problem+json"}, path


def test_nothing_to_settle_is_described(server: Serving) -> None:
    row = server.app.api.openapi()["paths"]["/v1/conversations/settle-one"]["post"]
    schema = row["responses"]["200"]["content"]["application/json"]["schema"]
    assert {"type": "object", "properties": {"result": {"type": "null"}}, "required": ["result"]} in schema["anyOf"]


def test_what_becomes_of_a_message_is_described(server: Serving) -> None:
    row = server.app.api.openapi()["paths"]["/v1/messages"]["post"]
    kept, skipped = row["responses"]["200"]["content"]["application/json"]["schema"]["anyOf"]
    assert kept == {"$ref": "#/components/schemas/Record"} and skipped["required"] == ["skipped"]
    header = next(one for one in row["parameters"] if one["in"] == "header")
    assert header["name"] == "Idempotency-Key" and not header["required"]


def test_the_people_of_a_space_that_is_not_there_are_refused_at_once(server: Serving) -> None:
    assert server.owner().get("/v1/people", params={"space": "nowhere"}).status_code == 404
    with pytest.raises(SpaceNotFound):
        server.memory.people.all(space="nowhere")


@pytest.mark.parametrize("junk", [b"", b"[]", b"null", b"1e999", b'{"query":"\\ud800"}', b'{"query":' + b"[" * 5_000])
def test_no_body_makes_the_server_fail(open_memory: OpenMemory, junk: bytes) -> None:
    with serving(open_memory("assistant")) as server:
        answer = server.owner().post("/v1/recall", content=junk, headers={"Content-Type": "application/json"})
        assert answer.status_code < 500, answer.text


def test_a_number_is_no_moment(server: Serving) -> None:
    for number in (-875507361798, 0.5):
        assert server.owner().post("/v1/jobs/tend", json={"now": number}).status_code == 422
    assert server.owner().post("/v1/jobs/tend", json={"now": "2026-03-02T09:30:00Z"}).status_code == 200
