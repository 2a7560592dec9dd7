"""Schemathesis tries what the description of the API allows and forbids: the server never fails."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error

from tests.conftest import OpenMemory
from tests.server.serving import serving

EXAMPLES = 15


def test_no_request_that_the_description_allows_makes_the_server_fail(open_memory: OpenMemory) -> None:
    with serving(open_memory("assistant")) as server:
        headers = {"Authorization": f"Bearer {server.key('all', rights=['read', 'write', 'manage'])}"}
        schema = schemathesis.openapi.from_dict(server.app.api.openapi())
        tried = 0
        for found in schema.get_all_operations():
            operation = found.ok()
            if operation.definition.raw.get("operationId") == "events":
                continue
            tried += 1

            @settings(
                max_examples=EXAMPLES,
                deadline=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
                derandomize=True,
                database=None,
            )
            def send(case: schemathesis.Case) -> None:
                answer = case.call(base_url=server.url, headers=headers, timeout=60)
                case.validate_response(answer, checks=[not_a_server_error])

            from hypothesis import given

            given(case=operation.as_strategy())(send)()
        assert tried > 60


@pytest.mark.parametrize("junk", [b"", b"[]", b"null", b"1e999", b'{"query":"\\ud800"}', b'{"query":' + b"[" * 5_000])
def test_no_body_makes_the_server_fail(open_memory: OpenMemory, junk: bytes) -> None:
    with serving(open_memory("assistant")) as server:
        answer = server.owner().post("/v1/recall", content=junk, headers={"Content-Type": "application/json"})
        assert answer.status_code < 500, answer.text
