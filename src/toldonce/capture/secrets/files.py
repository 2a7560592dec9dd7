"""What a file's name says of the secrets in it: programs, libraries and bundles of others hold none of the user's."""

from __future__ import annotations

import re

# Parts of an operating system, compiled programs, and bundles that package managers put there.
_FOREIGN = re.compile(
    r"""(?:^|/)usr/(?:bin|sbin|lib\d*|libexec|share)/
      | (?:^|/)(?:node_modules|site-packages|\.yarn/(?:releases|cache|plugins))/
      | \.(?:so(?:\.[\d.]+)?|dll|dylib|exe|class|pyc|jar|whl)$
      | \.(?:min|bundle)\.(?:js|css|mjs)$""",
    re.IGNORECASE | re.VERBOSE,
)
# A name that says itself that nothing real is inside.
_INVENTED = re.compile(r"(?:^|[/._-])(?:dummy|fake|mock|example|sample|placeholder)s?(?:[/._-]|$)", re.IGNORECASE)
_PAGE = re.compile(r"\.(?:html?|xhtml)$", re.IGNORECASE)


def is_expected(type: str, name: str) -> bool:
    """Whether a secret of this type in a file of this name is nobody's: an example, or part of a program."""
    if not name:
        return False
    path = name.replace("\\", "/")
    shown_in_docs = type == "password-hash" and _PAGE.search(path)
    return bool(_FOREIGN.search(path) or _INVENTED.search(path.rpartition("/")[2]) or shown_in_docs)
