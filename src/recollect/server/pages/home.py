"""Home: what is known at a glance, and what waits for the person."""

from __future__ import annotations

from recollect.server.pages.call import PageCall, PageView


def show_home(call: PageCall) -> PageView:
    """What needs the person first, then what is known and what happened."""
    return PageView({"counts_shown": len(call.preset.areas)})
