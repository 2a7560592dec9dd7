"""Secrets stay out of every field that is kept, not only of the text; card numbers and vendors' tokens count too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from toldonce import Memory
from toldonce.capture.secrets.redact import is_card_number, redact_secrets
from toldonce.errors import InputError

TOKEN = "ghp_" + "a1B2c3D4e5F6" * 3
CARD = "4539 1488 0343 6467"


def stored(memory: Memory) -> bytes:
    """Every byte of the memory's files."""
    place = Path(memory.store.place)
    return b"".join(f.read_bytes() for f in place.parent.iterdir() if f.name.startswith(place.name))


@pytest.mark.parametrize("field", ["session", "channel", "branch", "username", "display_name"])
@pytest.mark.parametrize("secret", [TOKEN, CARD, "senha: tr0ub4dor&3"])
def test_no_name_beside_a_message_keeps_a_secret(open_memory: Any, field: str, secret: str) -> None:
    memory = open_memory("assistant")
    assert memory.observe("good morning everybody", user="ana", **{field: f"x {secret} y"})
    assert secret.encode() not in stored(memory) and b"[REDACTED" in stored(memory)


@pytest.mark.parametrize("field", ["session", "channel", "branch", "subject", "title", "summary", "made_by"])
def test_no_name_beside_a_statement_keeps_a_secret(open_memory: Any, field: str) -> None:
    memory = open_memory("assistant")
    memory.remember("Ana likes tea", user="ana", **{field: f"ana/{TOKEN}"})
    assert TOKEN.encode() not in stored(memory)


def test_tags_and_metadata_keep_no_secret_in_names_or_values(open_memory: Any) -> None:
    memory = open_memory("assistant")
    metadata = {TOKEN: 1, "deep": [{f"key {TOKEN}": {"card": CARD}}]}
    record = memory.remember("Ana likes tea", user="ana", tags=[TOKEN], metadata=metadata)
    memory.observe("good morning everybody", user="ana", metadata=metadata)
    assert "[REDACTED: github-token]" in record.metadata and record.tags == ("[REDACTED: github-token]",)
    assert TOKEN.encode() not in stored(memory) and CARD.encode() not in stored(memory)


def test_reasons_keep_no_secret(open_memory: Any) -> None:
    memory = open_memory("assistant")
    first, second = (memory.remember(text, user="ana") for text in ("Ana likes tea", "Ana lives in Porto"))
    memory.flag(first.id, reason=f"this held {TOKEN}")
    memory.forget(second.id, reason=f"this held {TOKEN}")
    assert TOKEN.encode() not in stored(memory) and b"this held [REDACTED: github-token]" in stored(memory)


def test_a_person_is_kept_without_a_secret_and_found_by_another_name(open_memory: Any) -> None:
    memory = open_memory("assistant")
    person = memory.people.update("ana", username=TOKEN, display_name=f"Ana {TOKEN}")
    assert TOKEN not in person.username + person.display_name
    for call in (memory.observe, memory.remember):
        with pytest.raises(InputError, match="user holds what looks like a secret"):
            call("good morning everybody", user=TOKEN)
    assert TOKEN.encode() not in stored(memory)


@pytest.mark.parametrize(
    "name", ["7f1c9a52-0f0e-4c0e-9d61-0b2e4fd6a1c3", "V1StGXR8_Z5jdHi6B-myT", "ses_01J9ZQ4X7W8K2M3N4P5Q6R7S8T"]
)
def test_random_ids_of_sessions_stay_as_they_are(open_memory: Any, name: str) -> None:
    memory = open_memory("assistant")
    assert memory.observe("good morning everybody", user="ana", session=name).session == name


@pytest.mark.parametrize(
    "shown",
    [
        "4539148803436467",
        "4539-1488-0343-6467",
        "4539 1488 0343 6467",
        "5555 5555 5555 4444",
        "3782 822463 10005",
        "378282246310005",
        "6011111111111117",
        "3530111333300000",
        "30569309025904",
        "2223003122003222",
    ],
)
def test_a_card_number_is_redacted(shown: str) -> None:
    assert redact_secrets(f"my card is {shown}, please").text == "my card is [REDACTED: card-number], please"


@pytest.mark.parametrize(
    "text",
    [
        "my card is 4539148803436468",
        "order id: 4539148803436467",
        "tracking=4539148803436467",
        "1700000000000000 microseconds",
        "0000 0000 0000 0000",
        "the ratio is 0.4539148803436467",
        "call +4539148803436467",
        "1234 5678 9012 3456",
        "v4539148803436467",
    ],
)
def test_another_long_number_stays(text: str) -> None:
    assert redact_secrets(text).text == text


def test_a_check_digit_alone_makes_no_card() -> None:
    assert not is_card_number("7992739871300000") and is_card_number("4111111111111111")


VENDORS = {
    "twilio-key": "SK" + "0123456789abcdef" * 2,
    "sendgrid-key": "SG." + "aB3dE6gH9jK2mN5p" + "." + "qR8tU1wX4zA7cD0fG3iJ6lM9oP2rS5uV8xY1bC4eF7",
    "mailgun-key": "3f9c0b7a1e5d482f9c6b3a7d0e1f2a4b-1b2c3d4e-5f607182",
    "telegram-token": "123456789:AAH" + "b4Kd8Lm2Np6Qr0St5Uv9Wx3Yz7Ac1Bd8",
    "npm-token": "npm_" + "aB3dE6gH9jK2" * 3,
    "pypi-token": "pypi-" + "AgEIcHlwaS5vcmcCJDk4" * 4,
    "slack-token": "xoxb-" + "123456789012-1234567890123-aB3dE6gH9jK2mN5pQ8rS1tU4",
    "gitlab-token": "glpat-" + "aB3dE6gH9jK2mN5pQ8rS",
    "digitalocean-token": "dop_v1_" + "0123456789abcdef" * 4,
    "shopify-token": "shpat_" + "0123456789abcdef" * 2,
    "stripe-key": "sk_live_" + "aB3dE6gH9jK2mN5pQ8rS1tU4",
}


@pytest.mark.parametrize("type", VENDORS)
def test_a_vendors_token_is_redacted(type: str) -> None:
    redaction = redact_secrets(f"use {VENDORS[type]} for it")
    assert redaction.text == f"use [REDACTED: {type}] for it"


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://app:h4rdToGuess@db.internal:5432/main",
        "mysql://root:s3cr3t!pw@10.0.0.5/shop",
        "mongodb+srv://svc:pX9kQ2@cluster0.abcde.mongodb.net/x",
        "redis://:fV8nQ1zL@cache:6379/0",
        "amqp://guest:Tr4in5@mq.corp.local/vhost",
    ],
)
def test_the_password_of_a_database_url_is_redacted(url: str) -> None:
    assert "[REDACTED: url-credentials]" in redact_secrets(url).text


def test_what_a_banner_marks_as_controlled_is_not_kept() -> None:
    assert redact_secrets("CUI//SP-CTI//NOFORN\nthe pump turns at 900").text == "[REDACTED: controlled-information]"
    for text in ("see CUI//SP-CTI in the registry", "CUI//DISSEM-A/DISSEM-B", "CONTROLLED//FOO"):
        assert redact_secrets(text).text == text


def test_the_name_of_a_file_tells_what_is_nobodys() -> None:
    line = f'secret = "{TOKEN}"'
    for name in (
        "/usr/lib64/libssh.so.4",
        "app/node_modules/x/y.js",
        "dist/app.min.js",
        "keys/dummy.key",
        "example.env",
    ):
        assert redact_secrets(line, name=name).found == ()
    for name in ("", "src/app.py", "prod.env", "usr.py", "samples.db.py/real.py"):
        assert redact_secrets(line, name=name).found
