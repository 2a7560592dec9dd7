"""Says why a record was not recalled for a question: the first thing that stood in its way, in words."""

from __future__ import annotations

from recollect.keep.store import Tables, View
from recollect.recall.search import Trace
from recollect.records import Hit, Record, WhyNot


def why_not(tables: Tables, record: Record, view: View, *, hits: list[Hit], trace: Trace) -> WhyNot:
    """Why the record is not among the hits."""
    for place, hit in enumerate(hits, start=1):
        if hit.record.id == record.id:
            return WhyNot(True, "found", f"it is hit number {place}: {hit.why}")
    if reason := hidden(tables, record, view):
        return WhyNot(False, "scope", reason)
    if record.id in trace.candidates:
        return WhyNot(False, "rank", trace.candidates[record.id])
    return WhyNot(False, "signals", "no signal found it: it shares no word, name, meaning or time with the question")


def hidden(tables: Tables, record: Record, view: View) -> str | None:
    """What keeps the view from showing a record, if anything."""
    tests = (
        (record.state != "active" and view.as_of is None, f"it is {record.state}: {record.state_reason or '-'}"),
        (record.expires_at is not None and record.expires_at <= (view.as_of or view.now), "its time has run out"),
        (record.space not in view.spaces, f"it lives in the space {record.space}"),
        (view.kinds is not None and record.kind not in view.kinds, f"its kind, {record.kind}, was not asked for"),
        (_is_private(tables, record, view), "it is private to someone else"),
        (view.session not in (None, record.session), "it belongs to another session"),
        (record.session is not None and record.session == view.not_session, "it is of the session at hand"),
        (view.channel not in (None, record.channel), "it belongs to another channel"),
        (_other_branch(record, view), "it belongs to another branch"),
        (view.since is not None and record.at < view.since, "it is older than asked for"),
        (view.until is not None and record.at >= view.until, "it is newer than asked for"),
        (view.as_of is not None and record.at > view.as_of, "it was not known then"),
        (_unlike(record, view), "its metadata does not match"),
    )  # fmt: skip
    return next((reason for applies, reason in tests if applies), None)


def _is_private(tables: Tables, record: Record, view: View) -> bool:
    if view.user is None or record.user in (None, view.user) or record.visibility == "project":
        return False
    return record.visibility == "private" or view.user not in tables.people.members(record.space)


def _other_branch(record: Record, view: View) -> bool:
    return view.branches is not None and record.branch is not None and record.branch not in view.branches


def _unlike(record: Record, view: View) -> bool:
    wanted = view.where or {}
    return any(
        record.metadata.get(key) not in (value if isinstance(value, list) else [value])
        for key, value in wanted.items()
    )  # fmt: skip
