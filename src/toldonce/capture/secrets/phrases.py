"""Finds secrets by the words around them: assignments, sentences, headers and URLs, in any language.

A text and the place of a keyword come in, spans with a type come out; the text is never changed or kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toldonce.capture.secrets.values import (
    holds_credentials,
    is_chosen_word,
    is_generated,
    is_passphrase,
    is_password,
    is_placeholder,
    is_sealed_value,
    is_uuid,
)
from toldonce.lang.registry import all_languages, combine_languages
from toldonce.text.patterns import join_patterns

if TYPE_CHECKING:
    from toldonce.lang.base import Secrets

# Start, end and type of a secret.
Span = tuple[int, int, str]
# Looks at one place of a text, where a keyword stands.
Finder = Callable[[str, int], Span | None]

# A value ends at white space or a quote, or before the next `name=` of a query string or connection string.
_BARE = r"""(?P<bare>(?:[^\s"'`<>;&,\\]{1,64}+|[;&,](?![\w.\ -]{1,30}=)|\\(?![nrt"'])){1,6})"""
_QUOTED = r"""(?P<quote>\\{0,6}["'`])(?P<quoted>(?:(?!(?P=quote))[^\n]){1,300})(?P=quote)"""
_SUFFIXES = (
    "key|value|val|string|data|base64|b64|text|raw|plain|dev|prod|production|staging|test|live|main|primary|secondary"
    "|backup|old|new|root|admin|user|db|id|api|access|token|secret|password|default|seed"
)


@dataclass(frozen=True, slots=True)
class _Cues:
    """The words around secrets, of code and of all languages together."""

    assigned: re.Pattern[str]
    told: re.Pattern[str]
    of_what: re.Pattern[str]
    lock_before: re.Pattern[str]
    lock_after: re.Pattern[str]
    types: Mapping[str, str]
    inside_words: frozenset[str]
    alone: frozenset[str]
    weak_verbs: frozenset[str]


@combine_languages
def _combine_cues() -> _Cues:
    known = [language.secrets for language in all_languages()]
    none: frozenset[str] = frozenset()
    names = "|".join(name for secrets in known for name in secrets.names)
    types = {name[:3]: kind for secrets in known for name, kind in secrets.names.items()}
    return _Cues(
        assigned=_assignment_pattern(names, join_patterns(secrets.suffixes for secrets in known)),
        told=_sentence_pattern(known),
        of_what=re.compile(rf"\s*(?:(?:{join_patterns(s.of_what for s in known) or '(?!)'}).*)?", re.IGNORECASE),
        lock_before=re.compile(
            rf"(?:{join_patterns(s.lock_before for s in known) or '(?!)'})\s{{1,2}}\Z", re.IGNORECASE
        ),
        lock_after=re.compile(rf"\s(?:{join_patterns(s.lock_after for s in known) or '(?!)'})", re.IGNORECASE),
        types=_TYPES | types | {name: kind for secrets in known for name, kind in secrets.told_types.items()},
        inside_words=none.union({"pass"}, *(secrets.inside_words for secrets in known)),
        alone=none.union(*(secrets.alone for secrets in known)),
        weak_verbs=none.union(*(secrets.weak_verbs for secrets in known)),
    )


def _assignment_pattern(names: str, suffixes: str) -> re.Pattern[str]:
    """`name = value` in code, configuration, JSON, XML and on a command line."""
    every = f"{_SUFFIXES}|{suffixes}" if suffixes else _SUFFIXES
    suffix = rf"s?(?:[_.-]?(?:{every}|\d{{1,3}})){{0,2}}"
    return re.compile(
        rf"""(?P<name>pass(?:[_-]?(?:word|phrase|wd|code|key))?|pwd|secret|token|credential|key|{names})
        (?P<suffix>{suffix})(?![A-Za-z0-9])
        (?P<closed>\\{{0,6}}["'`]?\]?)
        (?: >(?P<element>[^<>\n]{{4,300}})</
          | [^\S\n]{{0,12}}(?P<sign>:=|=>|={{1,3}}|:{{1,2}})[^\S\n]{{0,12}}
            (?:[\w.]{{1,60}}[^\S\n]{{1,4}}(?:\?[:?]|\|\||or)[^\S\n]{{1,4}}(?=\\?["']))?
            (?:[rbu]?{_QUOTED}|["'`]?{_BARE}(?P<ends>(?=[^\S\n]*(?:$|[.,;!)])))?)
          | (?P<comma>,?)[^\S\n]{{1,4}}{_QUOTED.replace("quote", "later_quote")}
          | [^\S\n]{{1,4}}{_BARE.replace("bare", "argument")}
        )""",
        re.IGNORECASE | re.VERBOSE | re.MULTILINE,
    )


def _sentence_pattern(known: Sequence[Secrets]) -> re.Pattern[str]:
    """A name of a secret, what it is for, a verb and a value: "the password for the router is ..."."""
    told, changed = (join_patterns(getattr(secrets, field) for secrets in known) for field in ("told", "changed"))
    verbs, adverbs = (join_patterns(getattr(secrets, field) for secrets in known) for field in ("verbs", "adverbs"))
    return re.compile(
        rf"""(?P<name>pass(?:word|phrase|code)s?|pwd|secret|token|key|{told})
        (?P<between>(?:[^\S\n]{{1,3}}[\w'’@./-]{{1,24}}){{0,6}}?)
        (?:[^\S\n]{{0,3}}(?:\b(?P<verb>{changed}|{verbs})\b|[:=→]|->)|['’]s)
        [^\S\n]{{1,3}}(?:(?:{adverbs})[^\S\n]{{1,3}})?
        (?:[“«](?P<inner>[^”»\n]{{3,80}})[”»]|{_QUOTED}|{_BARE})
        (?P<ends>(?=[^\S\n]*(?:$|[.!?,;)])))?""",
        re.IGNORECASE | re.VERBOSE | re.MULTILINE,
    )


_VALUE_GROUPS = ("quoted", "bare", "element", "later_quoted", "argument")
_TOLD_GROUPS = ("inner", "quoted", "bare")
# By the first letters of the name: what a mark says was there.
_TYPES = {"pas": "password", "pwd": "password", "sec": "secret", "cre": "secret", "key": "api-key", "tok": "token"}
# "key" alone names anything; behind one of these it names a secret.
_KEY_OWNERS = (
    *("api", "access", "secret", "private", "priv", "signing", "encryption", "cipher", "master", "account", "auth"),
    *("service", "deploy", "license", "storage", "shared", "webhook", "bot", "admin", "root", "hmac", "aes", "jwt"),
    *("session", "cookie", "app", "client", "security", "seal", "sealing", "export"),
)
# What is locked by one of these may be locked by words.
_LOCKS = ("encryption", "cipher", "seal", "sealing", "export", "master", "signing")
# A name that says that its value is made up, and the same with all that stands before the value.
_INVENTED_NAME = r"(?:mock|fake|dummy|example|sample|stub)[\w.-]{0,20}"
_INVENTED = re.compile(_INVENTED_NAME + r"\Z", re.IGNORECASE)
INVENTED = re.compile(_INVENTED_NAME + r"[\"'\s]{0,3}[:=]\s{0,3}[rbu]?[\"'`]{0,3}\Z", re.IGNORECASE)
# Vendors whose tokens are hexadecimal digits, dashes and a prefix, nothing else.
_HEX_VENDOR = re.compile(
    r"\b(?:sonar(?:qube|cloud)?|label_?studio|codecov|snyk|circle(?:ci)?|buildkite|datadog|dd|rollbar|bugsnag)[_-]"
    r"(?:(?:api|auth|app|access|user|upload)[_-]?)?(?:token|key)[\"']{0,2}\s{0,2}[:=]\s{0,2}[\"']{0,2}\Z",
    re.IGNORECASE,
)
_BASE64_SIGN = re.compile(r"[A-Za-z0-9]{1,200}[+/]")
_FLAG = re.compile(r"(?:\A|\s)--?[\w-]{0,30}\Z|\blogin\s{1,4}\S{1,80}\s{1,20}\Z")

_DIGITS = re.compile(r"\d{4,8}[#*]?")

_URL = re.compile(
    r"""://(?:(?P<user>[^\s:/@"'<>|\\^()\[\]*?]{0,80}):(?!\d{1,5}[/?\#])(?P<secret>[^\s/"'<>|\\^?]{2,200})
        |(?P<alone>[\w-]{20,200}))@(?P<host>[^\s/:?\#"'<>]{1,100})""",
    re.VERBOSE,
)
_RESERVED_HOST = re.compile(r"(?:.*\.)?example(?:\.(?:com|org|net))?|\$.*|\{.*", re.IGNORECASE)
# Hosts of a local network. With a plain word as the password, such a URL is an example from documentation.
_INNER_HOST = re.compile(r"localhost|(?:.*\.)?(?:local|test|invalid|localdomain)", re.IGNORECASE)
_RESERVED_MAIL = re.compile(r"@example\.(?:com|org|net)\b", re.IGNORECASE)
_AUTHORIZATION = re.compile(
    r"""authorization["'\\]{0,6}[^\S\n]{0,4}[:=,][^\S\n]{0,4}["'\\]{0,6}
        (?:(?:bearer|basic|token|apikey|api-key|bot|key)[^\S\n]{1,4})?(?P<secret>[\w+/=.~:-]{8,4000})""",
    re.IGNORECASE | re.VERBOSE,
)
_SCHEME = re.compile(r"(?:bearer|basic)[^\S\n]{1,4}(?P<secret>[\w+/=.~-]{8,4000})", re.IGNORECASE)
_USER_FLAG = re.compile(r"""\s--?u(?:ser)?[ =]\s{0,2}["']?[^\s:"']{1,80}:(?P<secret>[^\s"']{3,120})""", re.IGNORECASE)
_IDENTIFIED = re.compile(r"identified by\s{1,3}(?P<mark>['\"])(?P<secret>[^'\"\n]{4,120})(?P=mark)", re.IGNORECASE)
_TWILIO = re.compile(
    r"twilio.{0,120}?(?<![A-Za-z0-9])(?P<secret>[a-f0-9]{32})(?![A-Za-z0-9])", re.IGNORECASE | re.DOTALL
)
_REGISTRY = re.compile(r"""auth\\{0,8}"\s{0,8}:\s{0,8}\\{0,8}"(?P<secret>[\w+/=-]{12,4000})""")


def _find_named_secret(text: str, at: int) -> Span | None:
    """A value given to a name that means a secret, either assigned or stated in a sentence."""
    if text[at : at + 3].lower() == "key" and not _is_owned_key(text, at):
        return None
    return _find_assigned_secret(text, at) or _find_told_secret(text, at)


def _is_owned_key(text: str, at: int) -> bool:
    return text[max(0, at - 12) : at].rstrip("_-. ").lower().endswith(_KEY_OWNERS)


def _find_assigned_secret(text: str, at: int) -> Span | None:
    """`name = value` in all its forms: code, configuration, JSON, XML elements, command line flags."""
    match = _combine_cues().assigned.match(text, at)
    if (
        match is None
        or _is_inside_word(match)
        or (match["name"].lower() in _combine_cues().alone and not match["suffix"])
    ):
        return None
    group = next(name for name in _VALUE_GROUPS if match[name] is not None)
    start, end = _trim_secret_span(text, match.start(group), match.end(group))
    if not _is_secret_value(match, text[start:end], group) or _INVENTED.search(text[max(0, at - 40) : at]):
        return None
    return start, end, _combine_cues().types[match["name"].lower()[:3]]


def _is_inside_word(match: re.Match[str]) -> bool:
    """Whether a short name is only the end of another word, as in `compass`."""
    name, before = match["name"], match.string[match.start() - 1 : match.start()]
    is_camel_case = before.islower() and name[0].isupper()
    return name.lower() in _combine_cues().inside_words and before.isalpha() and not is_camel_case


def _is_secret_value(match: re.Match[str], value: str, group: str) -> bool:
    name = match["name"].lower()
    if match["suffix"].lower().endswith("id"):
        return name == "secret" and is_uuid(value)
    if group == "argument" and not _FLAG.search(match.string[max(0, match.start() - 120) : match.start()]):
        return False
    if group == "later_quoted" and (match["comma"] or name == "pass"):
        return bool(match["closed"]) and is_generated(value)
    if _combine_cues().types[name[:3]] != "password":
        is_other = is_sealed_value(value) or is_of_other_alphabet(match.string, match.start(group))
        is_phrase = group in ("quoted", "later_quoted") and _is_key_phrase(match, value)
        return (is_generated(value) and not is_other) or is_phrase
    ends_line = group == "bare" and match["ends"] is not None and match["sign"] == ":"
    return is_password(value, quoted=group not in ("bare", "argument")) or (ends_line and is_chosen_word(value))


def _is_key_phrase(match: re.Match[str], value: str) -> bool:
    """Whether a quoted value is a passphrase that encrypts something."""
    before = match.string[max(0, match.start() - 12) : match.start()].rstrip("_-. ").lower()
    return match["name"].lower() == "key" and before.endswith(_LOCKS) and is_passphrase(value)


def is_of_other_alphabet(text: str, start: int) -> bool:
    """Whether the name before a value tells a vendor whose tokens are hexadecimal, and the value is base64."""
    named = _HEX_VENDOR.search(text[max(0, start - 60) : start])
    return named is not None and _BASE64_SIGN.match(text, start) is not None


def _trim_secret_span(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without the punctuation of the sentence or code around it."""
    while end > start and (text[end - 1] in ".,;: " or (text[end - 1] in ")]}" and text[start] not in "([{")):
        end -= 1
    return start, end


def _find_told_secret(text: str, at: int) -> Span | None:
    """A secret stated in a sentence: `the password for the router is ...`, `a senha do wifi é ...`."""
    match = _combine_cues().told.match(text, at)
    if match is None or text[at - 1 : at].isalpha():
        return None
    group = next(name for name in _TOLD_GROUPS if match[name] is not None)
    start, end = _trim_secret_span(text, match.start(group), match.end(group))
    type = _combine_cues().types[match["name"].lower()[:3]]
    return (start, end, type) if _is_value_in_sentence(match, text[start:end], group, type) else None


def _is_value_in_sentence(match: re.Match[str], value: str, group: str, type: str) -> bool:
    if type == "pin":
        return _DIGITS.fullmatch(value) is not None and _is_access_code(match)
    if type != "password":
        return is_generated(value) or (group != "bare" and _is_key_phrase(match, value))
    if group != "bare":
        is_phrase = " " in value and (match["name"].lower() == "passphrase" or any(c.isdigit() for c in value))
        return is_password(value.replace(" ", "_") if is_phrase else value, quoted=True)
    verb, between = (match["verb"] or "is").lower(), match["between"]
    may_be_word = (
        match["ends"] is not None
        and verb not in _combine_cues().weak_verbs
        and _combine_cues().of_what.fullmatch(between) is not None
    )
    return is_password(value, quoted=False) or (may_be_word and is_chosen_word(value))


def _is_access_code(match: re.Match[str]) -> bool:
    """Whether the digits are an access code; a numbered pin belongs to a circuit."""
    before, between = match.string[max(0, match.start() - 16) : match.start()], match["between"]
    if match["name"].lower() == "pin":
        return not any(c.isdigit() for c in between)
    return bool(_combine_cues().lock_before.search(before) or _combine_cues().lock_after.match(between))


def _in_url(text: str, at: int) -> Span | None:
    match = _URL.match(text, at)
    if match is None or not text[at - 1 : at].isalnum() or _RESERVED_HOST.fullmatch(match["host"]):
        return None
    group = "secret" if match["secret"] else "alone"
    value = match[group]
    if group == "secret" and value.islower() and value.isalpha() and _INNER_HOST.fullmatch(match["host"]):
        return None
    is_secret = not is_placeholder(value) and value[0] != "$" and (group == "secret" or is_generated(value))
    return (*match.span(group), "url-credentials") if is_secret else None


def _in_authorization(text: str, at: int) -> Span | None:
    match = _AUTHORIZATION.match(text, at)
    if match is None or not (is_generated(match["secret"]) or holds_credentials(match["secret"])):
        return None
    return (*match.span("secret"), "authorization")


def _after_scheme(text: str, at: int) -> Span | None:
    match = _SCHEME.match(text, at)
    if match is None:
        return None
    value, is_bearer = match["secret"], text[at : at + 6].lower() == "bearer"
    is_secret = len(value) >= 16 and is_generated(value) if is_bearer else holds_credentials(value)
    return (*match.span("secret"), "authorization") if is_secret else None


def _user_flag(text: str, at: int) -> Span | None:
    match = _USER_FLAG.match(text, at)
    if match is None or match["secret"].isdigit() or is_placeholder(match["secret"]):
        return None
    return (*match.span("secret"), "password")


def _find_identified_password(text: str, at: int) -> Span | None:
    match = _IDENTIFIED.match(text, at)
    return (*match.span("secret"), "password") if match and not is_placeholder(match["secret"]) else None


def _find_twilio_token(text: str, at: int) -> Span | None:
    """The 32 digits near the vendor's name; account numbers of the same length have two letters before them."""
    match = _TWILIO.match(text, at)
    return (*match.span("secret"), "twilio-token") if match else None


def _find_registry_secret(text: str, at: int) -> Span | None:
    match = _REGISTRY.match(text, at)
    if match is None or not (is_generated(match["secret"]) or holds_credentials(match["secret"])):
        return None
    if _RESERVED_MAIL.search(text, match.end(), match.end() + 80):
        return None
    return (*match.span("secret"), "registry-auth")


@combine_languages
def secret_phrases() -> tuple[tuple[str, Finder], ...]:
    """Keywords, lower case and found in any case, and what to look for where one stands."""
    known = [language.secrets for language in all_languages()]
    names = ("pass", "pwd", "secret", "token", "key", "credential", *(name for s in known for name in s.names))
    told = (keyword for secrets in known for keyword in secrets.told_keywords)
    return (
        ("://", _in_url),
        ("authorization", _in_authorization),
        ("bearer ", _after_scheme),
        ("basic ", _after_scheme),
        (" -u ", _user_flag),
        (" --user ", _user_flag),
        ("identified by", _find_identified_password),
        ("twilio", _find_twilio_token),
        ('auth"', _find_registry_secret),
        ("auth\\", _find_registry_secret),
        *((name, _find_named_secret) for name in dict.fromkeys(names)),
        *((keyword, _find_told_secret) for keyword in dict.fromkeys(told)),
    )
