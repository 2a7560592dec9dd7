"""What each test module of an integration says of it: docs/integrations/README.md is made from these rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Integration:
    """One integration: the framework, its package, our module, its page, and what works, each with the test's name.

    `apart` is the exact requirement of a package that cannot be installed beside our own dependencies: its tests run
    in an environment of their own.
    """

    name: str
    package: str
    module: str
    page: str
    works: Mapping[str, str]
    lacks: tuple[str, ...] = ()
    apart: str = ""
