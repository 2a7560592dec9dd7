"""The tour of the pages for newcomers: five steps, each a sentence on the page that it is about."""

from __future__ import annotations

from typing import Any

from toldonce.server.pages.call import PageCall


def read_tour(call: PageCall) -> dict[str, Any] | None:
    """The step of the tour that this page shows, and where the next one is; None outside of the tour."""
    said = call.asked("tour")
    if not said.isdecimal() or not 1 <= int(said) <= len(_PLACES):
        return None
    step = int(said)
    following = ""
    if step < len(_PLACES):
        path, example = _PLACES[step]
        query = {"message": str(call.t("agent.example_1"))} if example else {}
        following = call.url(path, **query, tour=step + 1)
    return {"step": step, "said": call.t(f"tour.step_{step}"), "next": following, "end": call.path}


# The paths of the steps, and whether a message is asked there.
_PLACES = (("/", False), ("/browse", False), ("/agent", True), ("/people", False), ("/settings", False))
