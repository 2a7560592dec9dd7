"""The table of pages and of acts: a path, the right that it needs, and the function that answers.

A page is a row of `PAGES` and a template `NAME.html` in `server/templates/`. An act, which changes something, is a
row of `ACTS`: forms post to it, it returns `Done`, and the browser goes where that says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from toldonce.operations.routes import RouteRight
from toldonce.server.pages import (
    acts,
    agent,
    browse,
    code,
    entities,
    home,
    people,
    record,
    reports,
    settings,
    team,
    timeline,
    waiting,
)
from toldonce.server.pages.call import Done, Download, PageCall, PageView

Group = Literal["main", "waiting", "foot", ""]


def _is_anywhere(_: PageCall) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page. With a `group` it is listed in the left bar under the sentence `nav.NAME`, with its `icon`.

    `key` goes there after `g`; `is_tab` shows it among the tabs of phones. It is left out of the bar where `is_for`
    says that there is nothing for it. `counter` names the number beside it (see `layout.count_waiting`).
    A page `within` another is shown as part of it.
    """

    path: str
    name: str
    show: Callable[[PageCall], PageView | Download]
    right: RouteRight = "read"
    group: Group = ""
    icon: str = ""
    key: str = ""
    is_tab: bool = False
    counter: str = ""
    within: str = ""
    is_for: Callable[[PageCall], bool] = _is_anywhere


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One change that a form asks for."""

    path: str
    do: Callable[[PageCall], Done | PageView | Download]
    right: RouteRight = "write"


PAGES: tuple[Page, ...] = (
    Page(path="/", name="home", show=home.show_home, group="main", icon="home", key="h", is_tab=True),
    Page(path="/browse", name="browse", show=browse.show_browse, group="main", icon="browse", key="b", is_tab=True),
    Page(path="/agent", name="agent", show=agent.show_agent, group="main", icon="eye", key="a", is_tab=True),
    Page(path="/people", name="people", show=people.show_people, group="main", icon="people", key="p", is_tab=True),
    Page(path="/timeline", name="timeline", show=timeline.show_timeline, group="main", icon="clock", key="t"),
    Page(path="/entities", name="entities", show=entities.show_entities, group="main", icon="graph", key="e"),
    Page(path="/reports", name="reports", show=reports.show_reports, group="main", icon="report", key="r"),
    Page(path="/team", name="team", show=team.show_team, group="main", icon="case", is_for=team.has_team),
    Page(path="/code", name="code", show=code.show_code, group="main", icon="code", key="c", is_for=code.has_code),
    Page(
        path="/questions",
        name="questions",
        show=waiting.show_questions,
        group="waiting",
        icon="question",
        key="q",
        counter="questions",
    ),
    Page(path="/review", name="review", show=waiting.show_review, group="waiting", icon="review", counter="proposals"),
    Page(path="/settings", name="settings_page", show=settings.show_settings, group="foot", icon="settings"),
    Page(path="/settings/{part}", name="settings_part", show=settings.show_settings),
    Page(path="/agent/block.txt", name="block", show=agent.download_block),
    Page(path="/people/{person_id}", name="people", show=people.show_people),
    Page(path="/people/{person_id}/erase", name="erase", show=people.show_erase, right="write"),
    Page(path="/reports/download", name="report", show=reports.download_report),
    Page(path="/browse/export", name="export", show=browse.export_browse),
    Page(path="/records/{record_id}", name="record", within="browse", show=record.show_record),
    Page(
        path="/records/{record_id}/correct", name="correct", within="browse", show=record.show_correction, right="write"
    ),
    Page(path="/records/{record_id}/purge", name="purge", within="browse", show=record.show_purge, right="write"),
)

ACTS: tuple[Act, ...] = (
    Act(path="/browse/selected", do=browse.act_on_selected),
    Act(path="/records/{record_id}/confirm", do=acts.confirm),
    Act(path="/records/{record_id}/correct", do=acts.correct),
    Act(path="/records/{record_id}/pin", do=acts.pin),
    Act(path="/records/{record_id}/flag", do=acts.flag),
    Act(path="/records/{record_id}/forget", do=acts.forget),
    Act(path="/records/{record_id}/restore", do=acts.restore),
    Act(path="/records/{record_id}/share", do=acts.share),
    Act(path="/records/{record_id}/purge", do=acts.purge),
    Act(path="/questions/{question_id}/answer", do=home.answer_question),
    Act(path="/review/decide", do=waiting.decide),
    Act(path="/people/{person_id}/remove-line", do=people.remove_line),
    Act(path="/people/{person_id}/consent", do=people.set_consent),
    Act(path="/people/{person_id}/erase", do=people.erase),
    Act(path="/reports/keep", do=reports.keep_report),
    Act(path="/settings/spaces/add", do=settings.add_space, right="own"),
    Act(path="/settings/spaces/switch", do=settings.switch_space, right="manage"),
    Act(path="/settings/members/set", do=settings.set_member),
    Act(path="/settings/keys/add", do=settings.add_key, right="own"),
    Act(path="/settings/keys/{key_id}/revoke", do=settings.revoke_key, right="own"),
    Act(path="/settings/quotas/set", do=settings.set_quota, right="manage"),
    Act(path="/settings/jobs/run", do=settings.run_jobs, right="own"),
    Act(path="/settings/backups/make", do=settings.make_backup, right="own"),
    Act(path="/remember", do=home.write_down),
    Act(path="/undo/{name}", do=acts.undo),
)
