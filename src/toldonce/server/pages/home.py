"""Home: what needs the person first, then what is known at a glance and what happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, time, timedelta
from typing import Any

from markupsafe import Markup

from toldonce.errors import RecordNotFound
from toldonce.server.pages.call import Done, PageCall, PageView
from toldonce.server.pages.records import count_by, describe_record, mark_area
from toldonce.server.pages.translation import read_moment
from toldonce.server.problems import FieldProblem

_QUESTIONS = 3
_LEARNED = 5
_RUNS = 6
_WEEKS = 12
# The chart is drawn on a grid of this size; the style sheet scales it.
_CHART_WIDTH, _CHART_BOTTOM, _CHART_TOP = 640, 160, 10
_RUN_ICONS = {"completed": "check", "partial": "restore", "failed": "alert"}


def show_home(call: PageCall) -> PageView:
    """The whole page."""
    # The same question as that of Browse without filters.
    active = call.count("review.count", derived=True)
    replaced = sum(one["count"] for one in call.count("review.count", states=["superseded"], derived=True))
    known = sum(one["count"] for one in active)
    questions = call.run("questions")["items"]
    weeks = call.count("review.activity", weeks=_WEEKS)
    is_empty = not known and not replaced and not any(week["messages"] for week in weeks)
    return PageView(
        {
            "greeting": greet(call),
            "known": known,
            "is_empty": is_empty,
            "asks_consent": is_empty and lacks_consent(call),
            "questions": [one for question in questions[:_QUESTIONS] if (one := describe_question(call, question))],
            "question_count": len(questions),
            "areas": list_areas(call, active),
            "figures": list_figures(call, active, replaced, weeks),
            "chart": draw_chart(call, weeks),
            "learned": list_learned(call),
            "runs": list_runs(call),
            "off": call.run("spaces.why_off"),
        }
    )


def lacks_consent(call: PageCall) -> bool:
    """Whether a person was never asked if they agree to be remembered."""
    if call.person is None or not call.identity.may("write"):
        return False
    return not call.run("people.consents", user=call.person)["items"]


def greet(call: PageCall) -> Markup:
    """A greeting by the time of the day, with the person's name."""
    hour = call.t.now.hour
    part = "morning" if 5 <= hour < 12 else "afternoon" if 12 <= hour < 18 else "evening"
    if call.person is None:
        return call.t(f"home.{part}")
    return call.t(f"home.{part}_name", name=call.person.capitalize())


# What waits


def describe_question(call: PageCall, question: Mapping[str, Any]) -> dict[str, Any] | None:
    """A question with both statements side by side; None when one of them may not be seen."""
    try:
        older, newer = (call.run("get", record_id=question[side]) for side in ("older", "newer"))
    except RecordNotFound:
        return None
    rows = [describe_record(call, record) for record in (older, newer)]
    return {"id": question["id"], "text": question["text"], "older": rows[0], "newer": rows[1], "area": rows[1]["area"]}


def answer_question(call: PageCall) -> Done:
    """Let the statement hold that the person chose, or what they wrote instead."""
    text = call.field("answer") or call.field("other")
    if not text:
        raise FieldProblem(call.t("questions.empty"), field=f"o-{call.named['question_id']}")
    kept = call.run("answer", question_id=call.named["question_id"], text=text)
    return Done(call.field("next") or "/", "answered", (kept["id"],))


def write_down(call: PageCall) -> Done:
    """Remember what a person writes on the page, in their own words."""
    text = call.field("text")
    if not text:
        raise FieldProblem(call.t("home.write_empty"), field="write")
    author = "person" if call.identity.role == "person" else "agent"
    kept = call.run("remember", text=text, author=author, origin="user_input")
    return Done(call.field("next") or "/", "written", (kept["id"],), "forget")


# What is known


def list_areas(call: PageCall, active: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The areas of life with how much is known, and when something was learned last."""
    counts = count_by(active, "area")
    newest: dict[str, datetime] = {}
    for one in active:
        moment = read_moment(one["newest"])
        newest[one["area"]] = max(moment, newest.get(one["area"], moment))
    return [
        {"area": mark_area(call, area), "count": counts.get(area, 0), "newest": newest.get(area)}
        for area in call.preset.areas
    ]


def list_figures(
    call: PageCall, active: Sequence[Mapping[str, Any]], replaced: int, weeks: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Four figures, each measured."""
    known, confirmed = (sum(one[name] for one in active) for name in ("count", "validated"))
    messages = sum(week["messages"] for week in weeks)
    share = call.t.percent(confirmed / known) if known else "–"
    return [
        {"name": "known", "value": call.t.number(known), "note": call.t("home.this_week", count=weeks[-1]["learned"])},
        {"name": "confirmed", "value": share, "note": call.t("home.of_known", part=confirmed, count=known)},
        {"name": "replaced", "value": call.t.number(replaced), "note": call.t("home.in_history")},
        {"name": "messages", "value": call.t.number(messages), "note": call.t("home.twelve_weeks")},
    ]


def draw_chart(call: PageCall, weeks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The bars of the chart with their places and heights, and the same as rows of a table."""
    most = max([1, *(max(week["messages"], week["learned"], week["changed"]) for week in weeks)])
    step, scale = _CHART_WIDTH / len(weeks), (_CHART_BOTTOM - _CHART_TOP) / most
    bars = []
    for place, week in enumerate(weeks):
        left = place * step + 6
        for offset, width, name in ((0, 16, "messages"), (18, 16, "learned"), (36, 8, "changed")):
            height = round(week[name] * scale, 1)
            if week[name]:
                top = round(_CHART_BOTTOM - height, 1)
                bars.append({"x": round(left + offset, 1), "y": top, "width": width, "height": height, "name": name})
    labels = [
        {"x": round(place * step + 6, 1), "said": call.t.short_day(week["since"]).striptags()}
        for place, week in enumerate(weeks)
        if place % 2 == 0
    ]
    return {
        "bars": bars,
        "labels": labels,
        "weeks": weeks,
        "most": most,
        "half": _CHART_TOP + (_CHART_BOTTOM - _CHART_TOP) / 2,
    }


def list_learned(call: PageCall) -> list[dict[str, Any]]:
    """What was learned today."""
    midnight = datetime.combine(call.t.now.date(), time.min, tzinfo=call.t.zone)
    found = call.run("review.records", since=midnight, derived=True, limit=_LEARNED)["items"]
    return [describe_record(call, record) for record in found]


# What happened by itself


def list_runs(call: PageCall) -> list[dict[str, Any]]:
    """What background jobs did in the last day, the newest of each, for whoever owns the memory."""
    if not call.identity.may("own"):
        return []
    since = call.now - timedelta(days=1)
    newest: dict[str, Mapping[str, Any]] = {}
    for run in call.run("jobs.runs", limit=100)["items"]:
        if read_moment(run["ended_at"]) >= since and run["status"] != "skipped":
            newest.setdefault(run["name"], run)
    return [_describe_run(call, run) for run in list(newest.values())[:_RUNS]]


def _describe_run(call: PageCall, run: Mapping[str, Any]) -> dict[str, Any]:
    counts = [f"{name} {value}" for name, value in run["counts"].items() if isinstance(value, int) and value]
    return {
        "name": call.t.name_of("job", run["name"]),
        "icon": _RUN_ICONS.get(run["status"], "moon"),
        "counts": ", ".join(counts[:3]),
        "at": run["ended_at"],
        "is_failed": run["status"] == "failed",
    }
