"""A summary says the point of a long text in whole sentences: the cause and what to do about it."""

from __future__ import annotations

import pytest

from toldonce import tokens
from toldonce.capture.summary import summarise_text

LIMIT = 35
# A long text, and what its summary must say.
LONG = [
    (
        (
            "While working on the login page today I noticed users were logged out after five minutes. I "
            "looked at the cookies for a long time, which were fine. The root cause is that refresh() compares "
            "the expiry in local time while the server writes UTC. Fixed by converting with to_utc() in "
            "src/auth/session.py before the comparison."
        ),
        ("local time", "to_utc()"),
    ),
    (
        (
            "The integration tests hang on CI. They hang because docker compose starts redis without a "
            "healthcheck and the worker waits for a connection for ever. Use `make test-integration`, which "
            "waits for redis, never `pytest tests/integration` directly."
        ),
        ("healthcheck", "make test-integration"),
    ),
    (
        (
            "Os testes de pagamento falhavam só às vezes e ninguém sabia a razão. O problema era que o relógio "
            "falso não é restaurado quando o teste falha. Sempre use o fixture frozen_clock em vez de chamar "
            "freeze() à mão."
        ),
        ("restaurado", "frozen_clock"),
    ),
    (
        (
            "La migración tardaba horas y nadie sabía qué hacer. Falla cuando la tabla orders es grande, "
            "porque el índice se crea dentro de la transacción. Hay que usar CREATE INDEX CONCURRENTLY y "
            "ejecutar el script en dos pasos."
        ),
        ("transacción", "CONCURRENTLY"),
    ),
    (
        (
            "the thing w/ the build is it needs node 18 cuz sharp wont compile on 20 and npm ci just says gyp "
            "err without saying why so use nvm use 18 before anything else or you get stuck for an hour like "
            "me"
        ),
        ("needs node 18", "use nvm use 18"),
    ),
    (
        (
            "The payment service, which was written years ago by a contractor and was patched many times since "
            "then by different teams, retries on any error including validation errors (see retry.py), so a "
            "declined card is charged again; wrap the call in only_on_timeout() and set max_retries=0 for "
            "everything else"
        ),
        ("only_on_timeout()",),
    ),
    (
        (
            "# Deploys\n- Talk to ops first\n- The staging database is restored every night at 3\n- Never run "
            "migrations between 2 and 4, because the restore drops every connection and leaves the lock table "
            "half written"
        ),
        ("Never run migrations between 2 and 4",),
    ),
]


@pytest.mark.parametrize("text, said", LONG)
def test_a_summary_carries_the_cause_and_the_remedy(text: str, said: tuple[str, ...]) -> None:
    short = summarise_text(text, LIMIT)
    assert all(part in short for part in said), short
    assert tokens.count_tokens(short) <= LIMIT


def test_a_short_text_is_its_own_summary() -> None:
    assert summarise_text("Use tabs\nin Go files", LIMIT) == "Use tabs in Go files"


@pytest.mark.parametrize("budget", [1, 5, 12, 20, 35])
@pytest.mark.parametrize("text", [text for text, _ in LONG] + ["word " * 300, "x" * 2000, "?! " * 200, "a. " * 500])
def test_a_summary_never_exceeds_its_budget(text: str, budget: int) -> None:
    assert tokens.count_tokens(summarise_text(text, budget)) <= budget


def test_nothing_is_said_twice() -> None:
    assert summarise_text("The service retries three times. " * 20, LIMIT) == "The service retries three times."


def test_a_file_name_or_a_version_does_not_end_a_sentence() -> None:
    text = (
        "Set pool_size in settings.py. Version 2.1.3 of the driver leaks, because v2. Series drivers never close. " * 2
    )
    assert "settings.py." in summarise_text(text, LIMIT)
