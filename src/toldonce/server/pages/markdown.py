"""Records as a Markdown file for people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from markupsafe import Markup

from toldonce.server.pages.call import PageCall

# What would start markup within a line of Markdown.
_MARKS = re.compile(r"([\\`*_{}\[\]<>#|])")


def write_markdown(call: PageCall, records: Iterable[Mapping[str, Any]]) -> bytes:
    """A list of records, each with its kind, day, confidence and id; remembered text is never markup."""
    lines = [f"# {call.t('export.title', space=call.space.name).unescape()}", ""]
    for record in records:
        day = call.t.local(record["at"]).date().isoformat()
        state = "" if record["state"] == "active" else f", {call.t.name_of('state', record['state'])}"
        text = _MARKS.sub(r"\\\1", " ".join(str(record["text"]).split()))
        kind = Markup(call.kind_name(record["kind"])).unescape()
        about = f"{kind}, {day}, {call.t.fraction(record['confidence'])}{Markup(state).unescape()}"
        lines.append(f"- {text} ({about}; `{record['id']}`)")
    return ("\n".join(lines) + "\n").encode()
