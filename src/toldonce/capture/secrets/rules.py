"""The table of secrets that are recognised by their own shape: a vendor's prefix, length and alphabet.

Each row names the literals without which its pattern is not tried. The text around a secret is not considered here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class SecretRule:
    """One shape. Its pattern holds one of the keywords; a group `secret` is the span, where not all of it is."""

    type: str
    keywords: tuple[str, ...]
    pattern: str
    stays_in_tests: bool = False


# A shape is only tried on texts that have a word this long, so no pattern may match less without white space.
MIN_TOKEN_LENGTH = 16

_WORD_START = r"(?:(?<![\w~.-])|(?<=\\[nrt]))"
_WORD_END = r"(?![A-Za-z0-9_])"


def _keyword_start_pattern(keyword: str) -> str:
    """Pattern for a keyword at the start of a word; an escaped line break before it (`\\n`) is no part of the word.

    The test comes after the literal so that the search for the literal stays fast.
    """
    literal = re.escape(keyword)
    return rf"{literal}(?:(?<![A-Za-z0-9_]{literal})|(?<=\\[nrt]{literal}))"


def _token_rule(type: str, *keywords: str, rest: str) -> SecretRule:
    """A row for tokens that begin with one of the keywords and go on with `rest`."""
    return SecretRule(type, keywords, f"(?:{'|'.join(map(_keyword_start_pattern, keywords))}){rest}{_WORD_END}")


_CLOUD = (
    _token_rule("aws-access-key", "AKIA", "ASIA", "ABIA", "ACCA", rest=r"(?!0123456789)[A-Z0-9]{16}"),
    _token_rule("aws-bedrock-key", "ABSK", rest=r"[A-Za-z0-9+/]{100,300}={0,2}"),
    _token_rule("google-api-key", "AIza", rest=r"[A-Za-z0-9_-]{35}"),
    _token_rule("google-oauth-secret", "GOCSPX-", rest=r"[A-Za-z0-9_-]{28}"),
    _token_rule("google-oauth-token", "ya29.", "1//0", rest=r"[A-Za-z0-9_-]{30,2000}"),
    SecretRule("azure-client-secret", ("Q~",), _WORD_START + r"[\w~.]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])"),
    SecretRule(
        "azure-storage-key",
        ("AccountKey=", "SharedAccessKey=", "AccessKey="),
        r"(?:Account|SharedAccess|Access)Key=(?P<secret>[A-Za-z0-9+/]{40,100}={0,2})",
    ),
    SecretRule("azure-signed-url", ("sig=",), r"[?&](?:amp;)?sig=(?P<secret>[A-Za-z0-9%+/]{40,120}={0,2})"),
    _token_rule("alibaba-access-key", "LTAI", rest=r"[A-Za-z0-9]{17,21}"),
    _token_rule("tencent-access-key", "AKID", rest=r"[A-Za-z0-9]{32}"),
    _token_rule("digitalocean-token", "dop_v1_", "doo_v1_", "dor_v1_", rest=r"[a-f0-9]{64}"),
    _token_rule("heroku-key", "HRKU-", rest=r"[A-Za-z0-9_-]{36,80}"),
    _token_rule("fly-token", "fo1_", "fm1r_", "fm2_", rest=r"[A-Za-z0-9+/=_-]{40,2000}"),
    SecretRule("terraform-token", (".atlasv1.",), r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,80}"),
    _token_rule("vault-token", "hvs.", "hvb.", "hvr.", rest=r"[A-Za-z0-9_-]{24,300}"),
    _token_rule("databricks-token", "dapi", rest=r"[a-f0-9]{32}(?:-\d)?"),
    _token_rule("pulumi-token", "pul-", rest=r"[a-f0-9]{40}"),
    _token_rule("doppler-token", "dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", rest=r"[A-Za-z0-9._-]{40,80}"),
    _token_rule("supabase-key", "sbp_", "sb_secret_", rest=r"[A-Za-z0-9_-]{30,60}"),
    _token_rule("planetscale-token", "pscale_tkn_", "pscale_pw_", "pscale_oauth_", rest=r"[A-Za-z0-9_.=-]{32,64}"),
    _token_rule("openshift-token", "sha256~", rest=r"[A-Za-z0-9_-]{43}"),
    _token_rule("age-key", "AGE-SECRET-KEY-1", rest=r"[0-9A-Z]{58}"),
    # Keys of this program: those of its server, and those that encrypt or seal a memory.
    _token_rule("toldonce-key", "tk_", rest=r"[A-Za-z0-9_-]{43}"),
    _token_rule("encryption-key", "hex:", rest=r"[0-9a-fA-F]{64}"),
    SecretRule(
        "mapbox-token",
        ("sk.eyJ", "tk.eyJ"),
        rf"{_WORD_START}[st]k\.eyJ[A-Za-z0-9_-]{{20,400}}\.[A-Za-z0-9_-]{{16,100}}",
    ),
    _token_rule("e2b-key", "e2b_", rest=r"[a-f0-9]{40,64}"),
    _token_rule("1password-token", "ops_eyJ", rest=r"[A-Za-z0-9+/_-]{200,3000}={0,2}"),
)

_MODELS = (
    _token_rule("anthropic-key", "sk-ant-", rest=r"[A-Za-z0-9_-]{16,200}"),
    _token_rule("openrouter-key", "sk-or-", rest=r"[A-Za-z0-9-]{16,100}"),
    _token_rule("langfuse-key", "sk-lf-", rest=r"[a-f0-9-]{36}"),
    _token_rule("openai-key", "sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-", rest=r"[A-Za-z0-9_-]{20,250}"),
    # Many vendors copied the bare prefix, so the row is named after the prefix.
    _token_rule("sk-key", "sk-", rest=r"(?=[A-Za-z]*\d|[a-z]*[A-Z])[A-Za-z0-9]{20,120}"),
    _token_rule("elevenlabs-key", "sk_", rest=r"[a-f0-9]{48}"),
    _token_rule("huggingface-token", "hf_", "api_org_", rest=r"[A-Za-z0-9]{30,40}"),
    _token_rule("groq-key", "gsk_", rest=r"[A-Za-z0-9]{40,60}"),
    _token_rule("replicate-token", "r8_", rest=r"[A-Za-z0-9]{30,45}"),
    _token_rule("xai-key", "xai-", rest=r"[A-Za-z0-9]{60,100}"),
    _token_rule("perplexity-key", "pplx-", rest=r"[A-Za-z0-9]{32,64}"),
    _token_rule("nvidia-key", "nvapi-", rest=r"[A-Za-z0-9_-]{40,80}"),
    _token_rule("cerebras-key", "csk-", rest=r"[a-z0-9]{40,60}"),
    _token_rule("langsmith-key", "lsv2_pt_", "lsv2_sk_", rest=r"[a-f0-9]{32}_[a-f0-9]{10}"),
    _token_rule("pinecone-key", "pcsk_", rest=r"[A-Za-z0-9_]{40,90}"),
    _token_rule("search-key", "tvly-", "jina_", "fc-", rest=r"(?:dev-|prod-)?[A-Za-z0-9_-]{30,70}"),
)

_CODE_HOSTS = (
    _token_rule("github-token", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", rest=r"[A-Za-z0-9]{36,255}"),
    _token_rule("github-token", "github_pat_", rest=r"[A-Za-z0-9_]{22,255}"),
    _token_rule(
        "gitlab-token", "glpat-", "gldt-", "glptt-", "glcbt-", "glsoat-", "glft-", rest=r"[A-Za-z0-9_.-]{20,300}"
    ),
    _token_rule("gitlab-token", "glrt-", "glagent-", "GR1348941", rest=r"[A-Za-z0-9_.-]{20,100}"),
    _token_rule("atlassian-token", "ATATT3", "ATCTT3", "ATBB", rest=r"[A-Za-z0-9_=-]{24,250}"),
    _token_rule("sourcegraph-token", "sgp_", "slk_", rest=r"(?:(?:[a-f0-9]{16}|local)_)?[a-f0-9]{40,64}"),
    _token_rule("npm-token", "npm_", rest=r"[A-Za-z0-9]{36}"),
    _token_rule("pypi-token", "pypi-", rest=r"[A-Za-z0-9_-]{50,1000}"),
    _token_rule("rubygems-key", "rubygems_", rest=r"[a-f0-9]{48}"),
    _token_rule("crates-token", "cio", rest=r"[A-Za-z0-9]{32}"),
    _token_rule("nuget-key", "oy2", rest=r"[a-z0-9]{43}"),
    _token_rule("artifactory-token", "AKCp", "cmVmdGtuOj", rest=r"[A-Za-z0-9]{50,100}"),
    _token_rule("docker-token", "dckr_pat_", "dckr_oat_", rest=r"[A-Za-z0-9_-]{20,60}"),
    _token_rule("docker-swarm-token", "SWMTKN-1-", rest=r"[a-z0-9]{40,60}-[a-z0-9]{20,30}"),
    _token_rule("sonar-token", "squ_", "sqp_", "sqa_", rest=r"[a-f0-9]{40}"),
    _token_rule("ci-token", "CCIPAT_", "CCIPRJ_", "bkua_", rest=r"[A-Za-z0-9_]{30,80}"),
)

_SERVICES = (
    _token_rule(
        "slack-token",
        "xoxb-",
        "xoxp-",
        "xoxa-",
        "xoxr-",
        "xoxs-",
        "xoxe-",
        "xoxc-",
        "xoxd-",
        "xoxo-",
        "xapp-",
        rest=r"[A-Za-z0-9%-]{10,400}",
    ),
    SecretRule(
        "slack-webhook",
        ("hooks.slack.com/",),
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[A-Za-z0-9/_-]{20,120})",
    ),
    SecretRule(
        "discord-webhook",
        ("/api/webhooks/",),
        r"discord(?:app)?\.com/api/webhooks/\d{10,22}/(?P<secret>[A-Za-z0-9_-]{20,100})",
    ),
    # The first part is a number in base64, hence these beginnings.
    SecretRule(
        "discord-token",
        ("MD", "MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"),
        r"(?:M[DTjz]|N[DTjz]|O[DT])[A-Za-z0-9_-]{20,26}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![\w-])",
    ),
    SecretRule("telegram-token", (":AA",), r"(?<!\d)\d{8,10}:AA[A-Za-z0-9_-]{32,34}(?![A-Za-z0-9_-])"),
    SecretRule(
        "webhook", ("/webhook",), r"/webhooks?(?:b2)?/(?P<secret>[a-f0-9@-]{32,80}(?:/[A-Za-z0-9-]{8,80}){1,3})"
    ),
    _token_rule(
        "stripe-key", "sk_live_", "rk_live_", "sk_test_", "rk_test_", "whsec_", rest=r"[A-Za-z0-9+/]{16,250}={0,2}"
    ),
    _token_rule("square-token", "sq0atp-", "sq0csp-", "EAAAE", rest=r"[A-Za-z0-9_-]{22,70}"),
    _token_rule("shopify-token", "shpat_", "shpca_", "shppa_", "shpss_", rest=r"[a-fA-F0-9]{32}"),
    _token_rule("braintree-token", "access_token$", rest=r"(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}"),
    _token_rule("mercadopago-token", "APP_USR-", rest=r"\d{10,20}-\d{6}-[a-f0-9]{32}-\d{5,15}"),
    _token_rule("payment-key", "$aact_", "ak_live_", "rzp_live_", "FLWSECK-", rest=r"[A-Za-z0-9:=+/_-]{14,200}"),
    SecretRule(
        "plaid-token", ("access-",), r"access-(?:production|development|sandbox)-[a-f0-9]{8}(?:-[a-f0-9]{4,12}){4}"
    ),
    _token_rule("sendgrid-key", "SG.", rest=r"[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}"),
    _token_rule("mailgun-key", "key-", rest=r"[a-f0-9]{32}"),
    SecretRule("mailgun-key", ("-",), r"(?<![\w-])[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}(?![\w-])"),
    SecretRule("mailchimp-key", ("-us",), rf"{_WORD_START}[a-f0-9]{{32}}-us\d{{1,2}}{_WORD_END}"),
    _token_rule("brevo-key", "xkeysib-", "xsmtpsib-", rest=r"[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    _token_rule("resend-key", "re_", rest=r"[A-Za-z0-9]{8}_[A-Za-z0-9]{24}"),
    _token_rule("twilio-key", "SK", rest=r"[a-f0-9]{32}"),
    _token_rule("grafana-token", "glsa_", "glc_", rest=r"[A-Za-z0-9_+/=]{32,400}"),
    _token_rule("sentry-token", "sntrys_", "sntryu_", rest=r"[A-Za-z0-9+/=_]{40,400}"),
    _token_rule("newrelic-key", "NRAK-", "NRJS-", "NRII-", rest=r"[A-Za-z0-9_-]{19,40}"),
    _token_rule("postman-key", "PMAK-", rest=r"[a-f0-9]{24}-[a-f0-9]{34}"),
    _token_rule("linear-key", "lin_api_", "lin_oauth_", rest=r"[A-Za-z0-9]{40,64}"),
    _token_rule("notion-token", "ntn_", "secret_", rest=r"(?=[A-Za-z]*\d)[A-Za-z0-9]{43,50}"),
    _token_rule("figma-token", "figd_", rest=r"[A-Za-z0-9_-]{40,60}"),
    _token_rule("airtable-token", "pat", rest=r"[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    _token_rule("dropbox-token", "sl.", rest=r"(?:u\.)?[A-Za-z0-9_-]{100,2000}"),
    _token_rule("facebook-token", "EAAC", "EAAB", "EAAG", rest=r"[A-Za-z0-9]{80,400}"),
)

_FORMATS = (
    SecretRule(
        "jwt",
        ("eyJ",),
        _keyword_start_pattern("eyJ")
        + r"[A-Za-z0-9_-]{8,2000}={0,2}\.eyJ[A-Za-z0-9_-]{8,8000}={0,2}\.[A-Za-z0-9_-]{10,2000}={0,2}",
    ),
    SecretRule(
        "password-hash",
        ("$1$", "$5$", "$6$", "$y$", "$apr1$", "$2a$", "$2b$", "$2y$", "$argon2"),
        r"\$(?:(?:1|apr1)\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}"
        r"|5\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43}"
        r"|6\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{86}"
        r"|y\$[./A-Za-z0-9]{1,20}\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{43}"
        r"|2[aby]\$\d\d\$[./A-Za-z0-9]{53}"
        r"|argon2(?:id|i|d)\$v=\d+\$[a-z0-9=,]{5,60}\$[A-Za-z0-9+/]{8,100}\$[A-Za-z0-9+/]{16,200})(?![./A-Za-z0-9])",
        stays_in_tests=True,
    ),
)

RULES: tuple[SecretRule, ...] = (*_CLOUD, *_MODELS, *_CODE_HOSTS, *_SERVICES, *_FORMATS)


@cache
def compile_secret_rule(rule: SecretRule) -> re.Pattern[str]:
    """The row's pattern, compiled when a text first has one of its keywords: the table is long and most never do."""
    return re.compile(rule.pattern)
