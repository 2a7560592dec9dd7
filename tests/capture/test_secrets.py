"""Secrets leave the text, everything else stays.

Secrets are put together from parts here, so that no scanner takes this file for a leak.
"""

from __future__ import annotations

import base64
import random
import string
import time
from collections.abc import Callable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from toldonce.capture.secrets.phrases import secret_phrases
from toldonce.capture.secrets.redact import redact_secrets
from toldonce.capture.secrets.rules import RULES
from toldonce.capture.secrets.values import is_placeholder
from toldonce.operations.keys import PREFIX

HEX = "0123456789abcdef"
BASE36 = string.ascii_lowercase + string.digits
BASE62 = string.ascii_letters + string.digits
BASE64URL = BASE62 + "-_"
CRYPT = BASE62 + "./"

# Type, what stands before the secret part, its shape as text and (alphabet, length) in turn, what stands after it.
Shape = tuple[str, str, tuple[str | tuple[str, int], ...], str]
SHAPES: list[Shape] = [
    ("aws-access-key", "", ("AK" + "IA", (string.ascii_uppercase + "234567", 16)), ""),
    ("aws-bedrock-key", "", ("AB" + "SK", (BASE62, 120)), ""),
    ("google-api-key", "", ("AI" + "za", (BASE62, 35)), ""),
    ("google-oauth-secret", "", ("GOC" + "SPX-", (BASE62, 28)), ""),
    ("google-oauth-token", "", ("ya" + "29.", (BASE62, 60)), ""),
    ("azure-client-secret", "", ((BASE62, 3), "8Q~", (BASE62, 34)), ""),
    ("azure-storage-key", "AccountName=a;AccountKey=", ((BASE62, 86), "=="), ";EndpointSuffix=b"),
    ("azure-signed-url", "https://a.blob.core.windows.net/b?sv=2024&sig=", ((BASE62, 43), "%3D"), "&se=1"),
    ("alibaba-access-key", "", ("LT" + "AI", (BASE62, 20)), ""),
    ("tencent-access-key", "", ("AK" + "ID", (BASE62, 32)), ""),
    ("digitalocean-token", "", ("dop" + "_v1_", (HEX, 64)), ""),
    ("heroku-key", "", ("HR" + "KU-", (BASE62, 60)), ""),
    ("fly-token", "", ("fm" + "2_", (BASE62, 80)), ""),
    ("terraform-token", "", ((BASE62, 14), ".atlas" + "v1.", (BASE62, 67)), ""),
    ("vault-token", "", ("hv" + "s.", (BASE62, 90)), ""),
    ("databricks-token", "", ("da" + "pi", (HEX, 32)), ""),
    ("pulumi-token", "", ("pu" + "l-", (HEX, 40)), ""),
    ("doppler-token", "", ("dp" + ".pt.", (BASE62, 43)), ""),
    ("supabase-key", "", ("sb" + "p_", (HEX, 40)), ""),
    ("planetscale-token", "", ("pscale" + "_tkn_", (BASE62, 43)), ""),
    ("openshift-token", "", ("sha" + "256~", (BASE62, 43)), ""),
    ("age-key", "", ("AGE-SECRET" + "-KEY-1", (string.ascii_uppercase + string.digits, 58)), ""),
    ("toldonce-key", "", ("t" + "k_", (BASE64URL, 43)), ""),
    ("encryption-key", "", ("he" + "x:", (HEX, 64)), ""),
    ("mapbox-token", "", ("sk." + "eyJ", (BASE64URL, 80), ".", (BASE64URL, 22)), ""),
    ("e2b-key", "", ("e2" + "b_", (HEX, 40)), ""),
    ("1password-token", "", ("ops" + "_eyJ", (BASE62, 250)), ""),
    ("anthropic-key", "", ("sk-" + "ant-api03-", (BASE64URL, 90), "AA"), ""),
    ("openrouter-key", "", ("sk-" + "or-v1-", (HEX, 64)), ""),
    ("langfuse-key", "", ("sk-" + "lf-", (HEX, 8), "-0000-4000-8000-", (HEX, 12)), ""),
    ("openai-key", "", ("sk-" + "proj-", (BASE62, 100)), ""),
    ("sk-key", "", ("sk-", (BASE62, 40), "T3Blb", "kFJ"), ""),
    ("elevenlabs-key", "", ("sk" + "_", (HEX, 48)), ""),
    ("huggingface-token", "", ("hf" + "_", (string.ascii_letters, 34)), ""),
    ("groq-key", "", ("gs" + "k_", (BASE62, 52)), ""),
    ("replicate-token", "", ("r8" + "_", (BASE62, 37)), ""),
    ("xai-key", "", ("xa" + "i-", (BASE62, 80)), ""),
    ("perplexity-key", "", ("pp" + "lx-", (BASE62, 48)), ""),
    ("nvidia-key", "", ("nv" + "api-", (BASE62, 64)), ""),
    ("cerebras-key", "", ("cs" + "k-", (BASE36, 48)), ""),
    ("langsmith-key", "", ("ls" + "v2_pt_", (HEX, 32), "_", (HEX, 10)), ""),
    ("pinecone-key", "", ("pc" + "sk_", (BASE62, 70)), ""),
    ("search-key", "", ("tv" + "ly-", (BASE62, 32)), ""),
    ("github-token", "", ("gh" + "p_", (BASE62, 36)), ""),
    ("github-token", "", ("github" + "_pat_", (BASE62, 22), "_", (BASE62, 59)), ""),
    ("gitlab-token", "", ("gl" + "pat-", (BASE62, 20)), ""),
    ("atlassian-token", "", ("AT" + "ATT3", (BASE62, 180)), ""),
    ("sourcegraph-token", "", ("sg" + "p_", (HEX, 40)), ""),
    ("npm-token", "", ("np" + "m_", (BASE62, 36)), ""),
    ("pypi-token", "", ("py" + "pi-AgEIcHlwaS5vcmc", (BASE62, 120)), ""),
    ("rubygems-key", "", ("ruby" + "gems_", (HEX, 48)), ""),
    ("crates-token", "", ("ci" + "o", (BASE62, 32)), ""),
    ("nuget-key", "", ("oy" + "2", (BASE36, 43)), ""),
    ("artifactory-token", "", ("AK" + "Cp", (BASE62, 69)), ""),
    ("docker-token", "", ("dckr" + "_pat_", (BASE62, 27)), ""),
    ("docker-swarm-token", "", ("SWM" + "TKN-1-", (BASE36, 50), "-", (BASE36, 25)), ""),
    ("sonar-token", "", ("sq" + "u_", (HEX, 40)), ""),
    ("ci-token", "", ("CCI" + "PAT_", (BASE62, 40)), ""),
    ("slack-token", "", ("xo" + "xb-", (string.digits, 12), "-", (BASE62, 24)), ""),
    ("slack-webhook", "https://hooks.slack.com/services/", ("T0/B0/", (BASE62, 24)), ""),
    ("discord-webhook", "https://discord.com/api/webhooks/123456789012345678/", ((BASE62, 68),), ""),
    ("discord-token", "", ("MTA", (BASE62, 21), ".", (BASE62, 6), ".", (BASE62, 38)), ""),
    ("telegram-token", "", ((string.digits, 10), ":AA", (BASE62, 33)), ""),
    ("webhook", "https://flows.acme.io/webhook/", ((HEX, 32), "/", (HEX, 32)), ""),
    ("stripe-key", "", ("sk" + "_live_", (BASE62, 24)), ""),
    ("square-token", "", ("sq" + "0atp-", (BASE62, 22)), ""),
    ("shopify-token", "", ("sh" + "pat_", (HEX, 32)), ""),
    ("braintree-token", "", ("access" + "_token$production$", (BASE36, 16), "$", (HEX, 32)), ""),
    ("mercadopago-token", "", ("APP" + "_USR-", (string.digits, 16), "-010203-", (HEX, 32), "-123456789"), ""),
    ("payment-key", "", ("rzp" + "_live_", (BASE62, 14)), ""),
    ("plaid-token", "", ("access" + "-production-", (HEX, 8), "-0000-4000-8000-", (HEX, 12)), ""),
    ("sendgrid-key", "", ("SG" + ".", (BASE62, 22), ".", (BASE62, 43)), ""),
    ("mailgun-key", "", ("ke" + "y-", (HEX, 32)), ""),
    ("mailchimp-key", "", ((HEX, 32), "-us" + "12"), ""),
    ("brevo-key", "", ("xkey" + "sib-", (HEX, 64), "-", (BASE62, 16)), ""),
    ("resend-key", "", ("re" + "_", (BASE62, 8), "_", (BASE62, 24)), ""),
    ("twilio-key", "", ("S" + "K", (HEX, 32)), ""),
    ("grafana-token", "", ("gl" + "sa_", (BASE62, 32), "_", (HEX, 8)), ""),
    ("sentry-token", "", ("sntr" + "yu_", (HEX, 64)), ""),
    ("newrelic-key", "", ("NR" + "AK-", (BASE62, 27)), ""),
    ("postman-key", "", ("PM" + "AK-", (HEX, 24), "-", (HEX, 34)), ""),
    ("linear-key", "", ("lin" + "_api_", (BASE62, 40)), ""),
    ("notion-token", "", ("nt" + "n_1", (BASE62, 45)), ""),
    ("figma-token", "", ("fi" + "gd_", (BASE62, 40)), ""),
    ("airtable-token", "", ("pa" + "t", (BASE62, 14), ".", (HEX, 64)), ""),
    ("dropbox-token", "", ("s" + "l.", (BASE62, 130)), ""),
    ("facebook-token", "", ("EA" + "AC", (BASE62, 160)), ""),
    ("jwt", "", ("ey" + "J", (BASE62, 30), ".eyJ", (BASE62, 60), ".", (BASE62, 43)), ""),
    ("password-hash", "", ("$6" + "$", (CRYPT, 16), "$", (CRYPT, 86)), ""),
    ("password-hash", "", ("$2" + "b$12$", (CRYPT, 53)), ""),
]  # fmt: skip


@st.composite
def made_of(draw: st.DrawFn, parts: tuple[str | tuple[str, int], ...]) -> str:
    drawn = [p if isinstance(p, str) else draw(st.text(alphabet=p[0], min_size=p[1], max_size=p[1])) for p in parts]
    secret = "".join(drawn)
    assume(not is_placeholder(secret))
    return secret


def types(text: str) -> list[str]:
    return [finding.type for finding in redact_secrets(text).found]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{shape[0]}-{shape[2][0]}"[:30])
def test_vendor_secret_never_comes_out(shape: Shape) -> None:
    type, before, parts, after = shape

    @given(
        secret=made_of(parts),
        lead=st.sampled_from(["", "use ", 'key = "', "(", "line\n", "see\\n", "a chave é "]),
        end=st.sampled_from(["", " today", '"', ")", "\n", ", ok?"]),
    )
    def holds(secret: str, lead: str, end: str) -> None:
        redaction = redact_secrets(lead + before + secret + after + end)
        assert secret not in redaction.text
        assert type in [finding.type for finding in redaction.found]
        assert redaction.text.startswith(lead) and redaction.text.endswith(end)

    holds()


def test_every_row_of_the_table_has_a_test() -> None:
    assert {rule.type for rule in RULES} == {shape[0] for shape in SHAPES}


ASSIGNMENTS = [
    ("DB_PASSWORD={}", "s3cr3tpw", "password"),
    ("password: {}", "hunter2", "password"),
    ("password: {}\nuser: bob", "swordfish", "password"),
    ('password = "{}"', "opensesame", "password"),
    ("'db_password' => '{}'", "abc12345", "password"),
    ('{{"password": "{}"}}', "p@ss:word;1", "password"),
    ('"{{\\"password\\": \\"{}\\"}}"', "abc12345", "password"),
    ("<password>{}</password>", "hunter22", "password"),
    ('password = given ?: "{}"', "q4!Vw#8Zr1", "password"),
    ('credentials {{ secretKey "{}" }}', "Rt7$kd2!Lm#4", "secret"),
    ('os.environ.get("API_TOKEN", "{}")', "9a8b7c6d5e4f3a2b", "token"),
    ("user=bob&password={}&page=1", "qwerty99", "password"),
    ("Server=db;User Id=sa;Password={};Encrypt=yes", "Pa$$w0rd!", "password"),
    ("mysql --password={} db", "hunter22", "password"),
    ("tool --token {} run", "abcdef1234567890", "token"),
    ("machine a.b login bob password {}", "abc123xyz", "password"),
    ("aws_secret_access_key = {}", "wJalrXUtnFEMIK7MDENGbPxRfiCYzzzzz0KEYabc", "secret"),
    ("client_secret: {}", "8687b18d-8ce1-4c8b-aedd-3a249018775a", "secret"),
    ("vault write login secret_id={}", "3fe6e7be-9ba0-4717-9ed4-0c227dab7ad2", "secret"),
    ("//registry.acme.io/:_authToken={}", "DVxcv9CSevm4T4nQNZ19oU7Ix", "token"),
    ("x-api-key: {}", "f3a9c2d17b", "api-key"),
    ("CREATE USER bob IDENTIFIED BY '{}'", "hunter2", "password"),
    ("senha = '{}'", "flores77", "password"),
    ("chave_api: {}", "9a8b7c6d5e4f", "api-key"),
    ("SENHA_BANCO=1\nsenha={}", "minhasenha123", "password"),
]


@pytest.mark.parametrize("template, secret, type", ASSIGNMENTS)
def test_assigned_secret_goes_and_its_name_stays(template: str, secret: str, type: str) -> None:
    redaction = redact_secrets(template.format(secret))
    assert redaction.text == template.format(f"[REDACTED: {type}]")


SENTENCES = [
    ("the password is {}", "hunter2"),
    ("My wifi password is {}.", "swordfish"),
    ("the password for the office router is {}, ask Ana", "Blue-Kettle-42"),
    ("The password's {}", "hunter2"),
    ("I changed my password to {} yesterday", "Tr0ub4dor&3"),
    ("the password was reset to {}", "newpass2"),
    ("passphrase is “{}”", "correct horse battery staple"),
    ("the api key is {} by the way", "9f8e7d6c5b4a"),
    ("my token for the bot is {}", "a1b2c3d4e5f6g7"),
    ("a senha é {}", "batata123"),
    ("A senha do wifi é {}", "casa2020!"),
    ("a senha dele é {}.", "dragaozinho"),
    ('minha senha agora é "{}"', "gato preto 22"),
    ("senha do roteador: {}", "Xk9$mmQ2"),
    ("mudei a senha para {}", "lua-cheia-88"),
    ("a senha foi alterada para {}", "sol#4455"),
    ("A palavra-passe é {}", "Lisboa#99"),
    ("minha chave de api é {}", "9a8b7c6d5e4f"),
    ("my pin is {}", "4821"),
    ("meu PIN é {}", "1234"),
    ("o código do portão é {}", "5590"),
    ("the door code is {}", "8812#"),
    ("PIN: {}", "4821"),
]


@pytest.mark.parametrize("template, secret", SENTENCES)
def test_secret_told_in_a_sentence_goes(template: str, secret: str) -> None:
    redaction = redact_secrets(template.format(secret))
    assert secret not in redaction.text
    before, _, after = template.partition("{}")
    assert redaction.text.startswith(before) and redaction.text.endswith(after)


CARRIERS = [
    ("postgres://admin:{}@db.internal:5432/app", "S3cretPw", "url-credentials"),
    ("redis://:{}@cache:6379/0", "mypw99", "url-credentials"),
    ("mongodb+srv://bob:{}@c0.abc.mongodb.net", "k7V*pq#2Wd", "url-credentials"),
    ("https://{}@git.acme.io/x.git", "9a8b7c6d5e4f3a2b1c0d9e8f", "url-credentials"),
    ("curl -H 'Authorization: Bearer {}'", "njsS4ulNruCjyJCX8UgJp9rBi7A2", "authorization"),
    ("Authorization: Basic {}", base64.b64encode(b"bob:hunter2").decode(), "authorization"),
    ("headers: bearer {}", "njsS4ulNruCjyJCX8UgJp9rBi7A2", "authorization"),
    ("curl -u admin:{} https://a.internal", "hunter22", "password"),
    ('{{"auths": {{"quay.io": {{"auth": "{}"}}}}}}', base64.b64encode(b"bob:hunter22").decode(), "registry-auth"),
]


@pytest.mark.parametrize("template, secret, type", CARRIERS)
def test_secret_in_a_url_or_header_goes(template: str, secret: str, type: str) -> None:
    assert redact_secrets(template.format(secret)).text == template.format(f"[REDACTED: {type}]")


KEY_LINES = ("MIGOwI3B7zqd3I1nZFvuKcSASPLe80KOJTJmN0MSwMfHq2bBjrstOHC5L/GtfEXp\n" * 3).strip()


@pytest.mark.parametrize("label", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
def test_private_key_goes_with_its_marks(label: str) -> None:
    block = f"-----BEGIN {label}PRIVATE" + f" KEY-----\n{KEY_LINES}\n-----END {label}PRIVATE KEY-----"
    assert redact_secrets(f"here:\n{block}\nthanks").text == "here:\n[REDACTED: private-key]\nthanks"
    assert redact_secrets(block.replace("\n", "\\n")).text == "[REDACTED: private-key]"


def test_private_key_without_its_end_goes_and_the_sentence_after_it_stays() -> None:
    cut = "-----BEGIN PRIVATE" + f" KEY-----\n{KEY_LINES}\nThat is all I have."
    assert redact_secrets(cut).text == "[REDACTED: private-key]\nThat is all I have."


def test_public_key_and_certificate_stay() -> None:
    for label in ("PUBLIC KEY", "CERTIFICATE"):
        block = f"-----BEGIN {label}-----\n{KEY_LINES}\n-----END {label}-----"
        assert redact_secrets(block).text == block


def test_putty_key_goes() -> None:
    text = f"PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nPrivate-Lines: 3\n{KEY_LINES}\n"
    assert KEY_LINES[:60] not in redact_secrets(text).text


MANIFEST = """apiVersion: v1
kind: Secret
metadata:
  name: db
data:
  first: {}
  other: |
    {}
"""


def test_values_of_a_kubernetes_secret_go() -> None:
    first, second = base64.b64encode(b"admin:tulip-field").decode(), base64.b64encode(b"something long").decode()
    assert redact_secrets(MANIFEST.format(first, second)).text == MANIFEST.format(
        *["[REDACTED: kubernetes-secret]"] * 2
    )
    as_json = '{{"kind": "Secret", "data": {{"first": "{}"}}}}'
    assert redact_secrets(as_json.format(first)).text == as_json.format("[REDACTED: kubernetes-secret]")


def test_values_of_other_manifests_and_references_stay() -> None:
    value = base64.b64encode(b"admin-console").decode()
    config = MANIFEST.format(value, value).replace("kind: Secret", "kind: ConfigMap")
    assert redact_secrets(config).text == config
    template = MANIFEST.format("{{ .Values.extra }}", "${OTHER}")
    assert redact_secrets(template).text == template
    secret = MANIFEST.format("${EXTRA_VALUE}", "${OTHER_VALUE}")
    assert redact_secrets(f"{config}---\n{secret}").text == f"{config}---\n{secret}"


def test_manifest_in_any_language_is_read_without_error() -> None:
    text = MANIFEST.format("informação-não-codificada-aqui", "日本語のテキストがここにある")
    assert redact_secrets(text).text == text


@pytest.mark.parametrize("layers", [1, 2])
def test_secret_wrapped_in_base64_goes(layers: int) -> None:
    wrapped = 'user_secret="KoDMP4ySdJPtjeuQscH1Jby7"'
    for _ in range(layers):
        wrapped = base64.b64encode(wrapped.encode()).decode()
    assert redact_secrets(f"config: {wrapped}").text == "config: [REDACTED: secret]"


def test_base64_over_several_lines_goes_as_one() -> None:
    inner = "-----BEGIN PRIVATE" + f" KEY-----\n{KEY_LINES}\n-----END PRIVATE KEY-----"
    lines = base64.encodebytes(inner.encode()).decode().strip()
    assert redact_secrets(lines).text == "[REDACTED: private-key]"
    assert redact_secrets(f"{lines}\nbye now").text == "[REDACTED: private-key]\nbye now"


def test_one_line_of_base64_among_others_goes_alone() -> None:
    wrapped = base64.b64encode(b'user_secret="KoDMP4ySdJPtjeuQscH1Jby7"').decode()
    names = "a_long_name_of_some_function\nanother_long_name_of_a_function"
    assert redact_secrets(f"{names}\n{wrapped}\n{names}").text == f"{names}\n[REDACTED: secret]\n{names}"


def test_layers_beyond_the_second_are_not_opened() -> None:
    text = "Just some words about the weather."
    for _ in range(4):
        text = base64.b64encode(text.encode()).decode()
    assert redact_secrets(text).text == text


def test_harmless_text_in_base64_stays() -> None:
    wrapped = base64.b64encode(b"Nothing in here needs to be hidden from anybody.").decode()
    assert redact_secrets(f"payload {wrapped}").text == f"payload {wrapped}"


PLACEHOLDERS = [
    "api_key = YOUR_API_KEY",
    'api_key="<your-api-key>"',
    "password=<password>",
    "password: xxxxxxxx",
    "password=********",
    "password=${DB_PASSWORD}",
    "password=$DB_PASSWORD",
    'password = "{{ .Values.password }}"',
    "password: changeme",
    "secret='ENC(1024:6YkkpEpLlZZ8aQE9xVQBrqStaHufzSnVUlGyGlFql4uL)'",
    "token: github" + "_pat_TODO",
    "deploy_secret: ACME_STAGING_DEPLOY_01",
    "AKIAIOSFODNN7" + "EXAMPLE",
    "sk-" + "ant-xxxxxxxxxxxxxxxxxxxxxxxx",
    'mock_token="kKCVeemwyhISP64Nw5CXIGYSq55RefSrmbEveeYP"',
    "https://user:pass@example.com/",
    "postgres://user:password@localhost/db",
    "Authorization: Bearer ${TOKEN}",
    '{"auths": {"quay.io": {"auth": ""}}}',
    "-----BEGIN PRIVATE" + " KEY-----\n...\n-----END PRIVATE KEY-----",
    "password is [REDACTED: password]",
]


@pytest.mark.parametrize("text", PLACEHOLDERS)
def test_placeholder_stays(text: str) -> None:
    assert redact_secrets(text).text == text


ORDINARY = [
    "the password is wrong",
    "I forgot my password again.",
    "the password is stored in the vault",
    "My password manager is Bitwarden.",
    "Passwords must have 12 characters",
    "the token is expired",
    "tokens: 1500 of 2000, max_tokens=4096",
    "the secret is patience",
    "the key to success is hard work in 2024",
    "a senha está errada",
    "a senha é muito fraca",
    "A senha deve ter 8 caracteres",
    "o código postal é 01310",
    "zip code is 94110, error code is 4040",
    "pin 12: 3300 millivolts",
    "resenha: filme2024",
    "compass: n0rth55",
    "secretary: Ana2020",
    "it was kind of a secret, you know",
    "password = get_password()",
    "password: str = Field(...)",
    "token: Optional[str] = None",
    'password = os.environ["DB_PASSWORD"]',
    "self.password = args.pwd1",
    "val password: String? by config",
    '"token_type": "bearer"',
    "app.secretKeyFile=/home/ana/keys/ring.gpg",
    "re.compile(r'(\\w+)://([^:]+):(.+)@(.+)')",
    "commit b24e9ae9d482302ea874277d8ec7755a87bbf76c",
    "request 2d38de7c-3bec-4519-8b67-4d999253f6b7 failed",
    "https://docs.google.com/document/d/1aBcD3fGhIjKlMnOpQrStUvWxYz0987AbCdEf/edit",
    "/home/ana/projects/SuperLongDirectoryName2024/file_with_long_Name_v2.tar.gz",
    "sha512-Zk9x8Q1vB2nM3kL4jH5gF6dS7aP8oI9uY0tR1eW2qA==",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIlhqqfyfbgTI4ZNQkAU2YDMZYLq40qDjA7UirrNUTEzX ana@host",
    "getUserProfileByIdentifierAndTenantName2()",
    "assert hash == '$5$WzQQJEB6g9IGvzSU$hX35cOfjaTDQk8tWgSqwA3k32A40cFfNH97cyODHDA0'",
]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_stays(text: str) -> None:
    assert redact_secrets(text).text == text


def test_random_token_goes_without_any_name() -> None:
    for seed in range(300):
        token = "".join(random.Random(seed).choices(BASE62, k=64))
        assert redact_secrets(f"# client file\n{token}\n").text == "# client file\n[REDACTED: high-entropy]\n", seed


def test_finding_gives_type_and_place_in_the_text_as_it_came_but_not_the_secret() -> None:
    text = "é: the password is hunter2, and senha: flores77"
    redaction = redact_secrets(text)
    assert [(f.type, text[f.start : f.end]) for f in redaction.found] == [
        ("password", "hunter2"),
        ("password", "flores77"),
    ]
    assert "hunter2" not in repr(redaction) and "flores77" not in repr(redaction)


def test_place_is_right_after_letters_that_grow_in_lower_case() -> None:
    assert redact_secrets("İİİ password: hunter2").text == "İİİ password: [REDACTED: password]"


def test_secret_found_by_two_rules_is_named_by_the_surer_one() -> None:
    token = "gh" + "p_" + "Cb5h6vPDhpAfErgcnjax2gBIFBxZp6SvKV2F"
    assert types(f"https://bob:{token}@github.com/a/b") == ["github-token"]
    assert types(f'token = "{token}"') == ["github-token"]


FRAGMENTS = st.one_of(
    st.sampled_from([keyword for rule in RULES for keyword in rule.keywords]),
    st.sampled_from([keyword for keyword, _ in secret_phrases()]),
    st.sampled_from(list(" \n\"'`=:;,.&@/<>[](){}\\-_$#")),
    st.sampled_from([" is ", " é ", "hunter2", "kind: Secret\n", "data:\n  a: ", "[REDACTED: x]", "[REDACTED: ", "İ"]),
    st.text(alphabet=BASE64URL, min_size=4, max_size=48),
)


@given(st.lists(FRAGMENTS, max_size=25).map("".join))
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = redact_secrets(text)
    assert redact_secrets(once.text).found == ()
    assert redact_secrets(once.text).text == once.text


@given(st.text())
def test_any_text_is_read_without_error_and_places_are_in_order(text: str) -> None:
    found = redact_secrets(text).found
    edges = [edge for finding in found for edge in (finding.start, finding.end)]
    assert edges == sorted(edges) and all(finding.start < finding.end for finding in found)


@given(st.lists(st.text(alphabet=string.ascii_letters + "áéíçãõ.,!?", min_size=1, max_size=14), max_size=60))
def test_text_without_keywords_stays(words: list[str]) -> None:
    text = " ".join(words)
    assume(not any(keyword in text.lower() for keyword, _ in secret_phrases()))
    assert redact_secrets(text) == redact_secrets(text) and redact_secrets(text).text == text


def cost(call: Callable[[], object], runs: int) -> float:
    """The least processor time of some runs: what the call costs when nothing else is in the way."""
    times = []
    for _ in range(runs):
        start = time.process_time_ns()
        call()
        times.append(time.process_time_ns() - start)
    return min(times) / 1e9


CHAINED = "AI" + "za" + "b" * 34 + "-"  # each one is a key only once the next one is gone
HOSTILE = ["a", "=", "sk-", "password=", "password is ", "eyJ", "https://a:b", "-----BEGIN PRIVATE" + " KEY-----\n"]


def test_secrets_that_only_show_when_the_next_one_is_gone_all_go() -> None:
    redaction = redact_secrets(f"start {CHAINED * 20} end")
    assert "AI" + "za" not in redaction.text
    assert redaction.text.startswith("start [") and redaction.text.endswith("] end")


@pytest.mark.parametrize(
    "unit", [*HOSTILE, "data:\n  a: b\n", "QUJD", "api_key: '", "senha é ", "code a b c ", CHAINED]
)
def test_work_grows_with_the_text_and_no_faster(unit: str) -> None:
    small, large = (unit * (size // len(unit)) for size in (25_000, 100_000))
    redact_secrets(unit)
    assert cost(lambda: redact_secrets(large), 2) < 10 * cost(lambda: redact_secrets(small), 3) + 0.05


def test_clean_paragraph_is_cheap() -> None:
    text = "My sister comes along, and she can't eat gluten, so we need a place with a kitchen near the old town. " * 4
    redact_secrets(text)
    assert cost(lambda: [redact_secrets(text) for _ in range(100)], 5) / 100 < 0.0005


def make_hex(length: int, *, seed: int) -> str:
    choose = random.Random(seed)
    return "".join(choose.choice(HEX) for _ in range(length))


@pytest.mark.parametrize(
    "form", ["TOLDONCE_SEAL_KEY={}", 'open_sealed(url, key, sealed_with="{}")', "your key is {}", "{}, keep it safe"]
)
def test_our_own_keys_leave_the_text(form: str) -> None:
    key = "hex:" + make_hex(64, seed=1)
    assert key not in redact_secrets(form.format(key)).text


def test_every_key_of_our_server_leaves_the_text() -> None:
    choose = random.Random(4)
    for _ in range(400):
        key = PREFIX + "".join(choose.choice(BASE64URL) for _ in range(43))
        assert redact_secrets(f"use {key} for it").text == "use [REDACTED: toldonce-key] for it"


@pytest.mark.parametrize(
    "text",
    [
        'Memory.open("m.db", encryption_key="correct horse battery")',
        "the encryption key is 'correct horse battery staple'",
        'seal_key: "violet harbour lantern"',
    ],
)
def test_words_that_encrypt_something_leave_the_text(text: str) -> None:
    assert "horse" not in redact_secrets(text).text and "harbour" not in redact_secrets(text).text


@pytest.mark.parametrize(
    "text", ['encryption_key="the key of your database"', 'primary_key = "user order item"', 'key="red green blue"']
)
def test_words_that_say_what_a_key_is_stay(text: str) -> None:
    assert redact_secrets(text).text == text


@pytest.mark.parametrize("form", ["my twilio token is {}", "Twilio\nSID AC{sid}\nauth {}", "twilio: AC{sid}:{}"])
def test_a_token_of_twilio_leaves_the_text_and_its_account_stays(form: str) -> None:
    token, sid = make_hex(32, seed=2), make_hex(32, seed=3)
    said = redact_secrets(form.format(token, sid=sid)).text
    assert token not in said and (sid in said or "{sid}" not in form)


SEED = "legal winner thank year wave sausage worth useful legal winner thank yellow"


@pytest.mark.parametrize(
    "form",
    [
        "{}", "My seed phrase: {}. Keep it.", "As frases são {}", "1. {numbered}", "SEED={upper}",
    ],
)  # fmt: skip
def test_the_words_of_a_wallet_leave_the_text(form: str) -> None:
    words = SEED.split()
    numbered = " ".join(f"{word} {n}." for n, word in enumerate(words, start=2))
    said = redact_secrets(form.format(SEED, numbered=numbered, upper=SEED.upper())).text
    assert "[REDACTED: seed-phrase]" in said and "sausage" not in said.lower() and "yellow" not in said.lower()


def test_the_words_of_a_spanish_wallet_leave_the_text() -> None:
    words = "ábaco abdomen abeja abierto abogado abono aborto abrazo abrir abuelo abuso acabar"
    assert redact_secrets(f"mi frase es {words}").text == "mi frase es [REDACTED: seed-phrase]"


@pytest.mark.parametrize(
    "text",
    [
        "you must have this system work before they will know what problem there will then become next year",
        "apple banana bread cheese coffee",
        "word " * 40,
        "Then they will wait there until you have that paper when she comes home because you know about this now",
    ],
)
def test_sentences_of_ordinary_words_stay(text: str) -> None:
    assert redact_secrets(text).text == text
