"""Secrets that fill a block of lines: private keys, manifests of secrets, text wrapped in base64.

A text comes in, spans with a type come out; what is inside base64 is judged by the function the caller hands in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from toldonce.capture.secrets.phrases import INVENTED, Span
from toldonce.capture.secrets.values import decode_base64_text, is_generated, is_placeholder, is_sealed_value

_PEM = re.compile(
    r"""-----BEGIN[ ](?P<label>[A-Z0-9 ]{0,30})PRIVATE[ ]KEY(?:[ ]BLOCK)?-----
        (?: (?P<body>(?:[^-]|-(?!--)){40,20000})-----END[ ][A-Z0-9 ]{0,50}-----
          | (?P<open>(?:[A-Za-z0-9+/=]|\\[nr]|\s{1,20}(?=[A-Za-z0-9+/=]{16})){40,20000}
              (?:\s[A-Za-z0-9+/]{1,15}={1,2})?))""",
    re.VERBOSE,
)
_PUTTY = re.compile(
    r"PuTTY-User-Key-File-\d:[^\0]{0,3000}?Private-Lines: \d{1,3}\s(?P<secret>[A-Za-z0-9+/=\s]{40,8000})"
)
_SAMPLE = re.compile(r"EXAMPLE|SAMPLE|DUMMY|FAKE|TEST")

# The categories and dissemination controls of the CUI registry; a banner has a line of its own.
_CONTROL = (
    r"(?:NOFORN|FED ?ONLY|FEDCON|NOCON|DL ONLY|REL TO [A-Z, ]{3,60}|DISPLAY ONLY|ATTORNEY-(?:CLIENT|WP)|DELIBERATIVE)"
)
_CATEGORY = r"(?:BASIC|SP-[A-Z]{2,8}|CTI|PRVCY|EXPTR?|PROPIN|OPSEC|PHYS|CVI|HLTH|LEI|INV|ISVI|PCII|SSI|TAX|GENETIC)"
_BANNER = re.compile(
    rf"(?:CUI|CONTROLLED)//(?:{_CATEGORY}(?:/{_CATEGORY}){{0,8}}(?://{_CONTROL}(?:/{_CONTROL}){{0,4}})?"
    rf"|{_CONTROL}(?:/{_CONTROL}){{0,4}})[ \t]*\r?$",
    re.MULTILINE,
)

_DOCUMENT = re.compile(r"^---[^\n]*\n?", re.MULTILINE)
_KIND = re.compile(
    r"""^[ \t{-]*["']?kind["']?[ \t]*:[ \t]*["']?secret["']?[ \t]*(?:\r?$|[,}])""", re.IGNORECASE | re.MULTILINE
)
_DATA = re.compile(
    r"""^(?P<indent>[ \t]*)(?:-[ ])?(?:data|stringData):[ \t]*\r?\n
        (?P<body>(?:(?P=indent)[ \t]+[^\n]*\n?|[ \t]*\r?\n){1,400})
      | ["'](?:data|stringData)["']\s{0,8}:\s{0,8}\{(?P<json>[^{}]{1,20000})\}""",
    re.MULTILINE | re.VERBOSE,
)
_ENTRY = re.compile(
    r"""(?:^|(?<=[{,]))[ \t]{0,40}["']?[\w.-]{1,80}["']?[ \t]{0,4}:[ \t]{0,4}["']?(?P<secret>[^\s"'\#]{12,9000})
      | ^[ \t]+(?P<line>[A-Za-z0-9+/_-]{16,9000}={0,2})[ \t]*\r?$""",
    re.MULTILINE | re.VERBOSE,
)

_WRAPPED = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}(?:\r?\n[ \t]{0,16}[A-Za-z0-9+/_-]{4,}={0,2}){0,400}")
_MAX_LAYERS = 2


def private_key(text: str, at: int) -> Span | None:
    """The PEM block that begins at `at`, its marks included; a block cut off before its end counts as well."""
    match = _PEM.match(text, at)
    if match is None or _SAMPLE.search(match["label"]) or INVENTED.search(text[max(0, at - 60) : at]):
        return None
    body = match["body"] or match["open"]
    is_key = sum(c.isalnum() for c in body) >= 40 and not is_placeholder(body)
    return (*match.span(), "private-key") if is_key else None


def find_controlled_text(text: str, at: int) -> Span | None:
    """All that follows the banner of controlled unclassified information: what it marks must not be kept elsewhere."""
    is_line_start = not text[text.rfind("\n", 0, at) + 1 : at].strip()
    return (at, len(text), "controlled-information") if is_line_start and _BANNER.match(text, at) else None


def putty_key(text: str, at: int) -> Span | None:
    match = _PUTTY.match(text, at)
    return (*match.span("secret"), "private-key") if match else None


def find_manifest_secrets(text: str) -> Iterator[Span]:
    """The values under `data` and `stringData` of every Kubernetes document that says it is a Secret."""
    if _KIND.search(text) is None:
        return
    starts = [0, *(m.end() for m in _DOCUMENT.finditer(text)), len(text)]
    for start, end in pairwise(starts):
        if _KIND.search(text, start, end):
            yield from _manifest_values(text, start, end)


def _manifest_values(text: str, start: int, end: int) -> Iterator[Span]:
    for data in _DATA.finditer(text, start, end):
        for entry in _ENTRY.finditer(text, *data.span("body" if data["body"] else "json")):
            group = "secret" if entry["secret"] else "line"
            if _is_manifest_secret(entry[group]):
                yield (*entry.span(group), "kubernetes-secret")


def _is_manifest_secret(value: str) -> bool:
    inner = decode_base64_text(value)
    if inner is None:
        return is_generated(value)
    return (
        not is_placeholder(value)
        and not is_sealed_value(value)
        and "PRIVATE KEY" not in (decode_base64_text(inner.strip()) or inner)
    )


def find_wrapped_secrets(text: str, judge: Callable[[str], str | None], layers: int = _MAX_LAYERS) -> Iterator[Span]:
    """Base64, over several lines perhaps, whose readable inside holds a secret; `judge` names its type."""
    if not layers:
        return
    for match in _WRAPPED.finditer(text):
        for start, end in _block_readings(text, skip_escape(text, match.start()), match.end()):
            inner = decode_base64_text(text[start:end])
            if inner is None:
                continue
            type = judge(inner) or next((found for *_, found in find_wrapped_secrets(inner, judge, layers - 1)), None)
            if type is not None:
                yield start, end, type
            if end == match.end() or "\n" in text[start:end]:
                break


def skip_escape(text: str, start: int) -> int:
    """Where a token really starts whose first letter belongs to an escaped line break or tab, as in `\\nabc`."""
    return start + (text[start - 1 : start] == "\\" and text[start] in "nrt")


def _block_readings(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The whole block, the block without a last line that may not belong to it, then line by line."""
    yield start, end
    breaks = [m.start() for m in re.finditer(r"\r?\n", text[start:end])]
    if breaks:
        yield start, start + breaks[-1]
        for line in re.finditer(r"[^\s]+", text[start:end]):
            yield start + line.start(), start + line.end()
