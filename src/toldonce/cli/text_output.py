"""Writes the engine's values for people: records, hits, histories, documents, questions, runs. It reads nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from toldonce.cli.page import (
    PageLayout,
    count_noun,
    cut_to_columns,
    format_length,
    format_pairs,
    format_size,
    format_table,
    mask_controls,
    pad_to_columns,
    wrap_text,
)
from toldonce.recall.render import lines_beneath

if TYPE_CHECKING:
    from toldonce.records import Context, Document, Entity, History, Hit, Question, Record, WhyNot
    from toldonce.storage.tables.jobs import Job, Run
    from toldonce.storage.tables.usage import PeriodCost, Usage

TEXT_LINES = 3
_STATE_COLOURS = {"active": "green", "doubted": "yellow", "proposed": "cyan", "flagged": "red", "superseded": "yellow"}
_STATUS_COLOURS = {"completed": "green", "skipped": "bright_black", "partial": "yellow", "failed": "red"}


def format_hits(found: Sequence[Hit], page: PageLayout, *, explain: bool) -> list[str]:
    """Numbered hits, best first."""
    lines: list[str] = []
    for block in format_hit_blocks(found, page, explain=explain):
        lines += ([""] if lines else []) + block
    return lines


def format_hit_blocks(found: Sequence[Hit], page: PageLayout, *, explain: bool = False) -> list[list[str]]:
    """The lines of each hit, numbered."""
    return [_format_hit(hit, place, page, explain=explain) for place, hit in enumerate(found, start=1)]


def format_left_out(dropped: Mapping[str, str], page: PageLayout, *, most: int = 10) -> list[str]:
    """What a question nearly brought back, and why it did not."""
    if not dropped:
        return []
    shown = list(dropped.items())[:most]
    lines = ["", click.style(f"Left out ({len(dropped)}):", bold=True)]
    for record_id, reason in shown:
        lines.append(
            f"  {click.style(record_id, dim=True)}  {cut_to_columns(reason, page.columns - len(record_id) - 4)}"
        )
    return lines + ([f"  and {len(dropped) - most} more"] if len(dropped) > most else [])


def format_block(made: Context) -> list[str]:
    """A prompt block line by line: what each costs, its chance to help and why it is there; then what was left out."""
    lines = []
    for line in made.lines:
        why = "; ".join(str(reason) for reason in line.reasons)
        lines += _format_choice(line.tokens, line.chance, line.text, why)
    for place, one in enumerate(made.left_out):
        lines += ["", click.style("Left out:", bold=True)] if place == 0 else []
        # What stands before the text is not said again.
        details = {name: value for name, value in one.reason.values.items() if name not in ("needs", "score")}
        why = f"{replace(one.reason, values=details)}  {one.record.id}"
        lines += _format_choice(one.tokens, one.chance, one.record.text[:200], why)
    return lines


def _format_choice(tokens: int, chance: float | None, text: str, why: str) -> list[str]:
    likely = "" if chance is None else f"{100 * chance:.2g}%"
    first, *beneath = mask_controls(text).split("\n")
    shown = [f"{tokens:>4} {likely:>7}  {first}", *(f"{'':14}{line}" for line in beneath)]
    return [*shown, click.style(f"{'':14}{mask_controls(why)}", dim=True)]


def format_record(one: Record, page: PageLayout, *, indent: str = "", lines: int | None = TEXT_LINES) -> list[str]:
    """A record: what it is, its text and its id."""
    text = wrap_text(one.text, page.columns, indent=indent + "    ", lines=lines)
    title = wrap_text(one.title, page.columns, indent=indent + "    ", lines=1) if one.title else []
    return [
        f"{indent}{_format_heading(one, page)}",
        *(click.style(line, bold=True) for line in title),
        *text,
        f"{indent}    {click.style(one.id, dim=True)}",
    ]


def format_history(told: History, page: PageLayout) -> list[str]:
    """A record, what happened to it, and the chain of versions it belongs to."""
    lines = format_record(told.record, page, lines=None)
    lines += ["    " + line for line in _format_state(told.record, page)]
    lines += [f"    vectors by {mask_controls(', '.join(told.models))}"] if told.models else []
    rows = [
        (page.moment(c.at), c.action, c.by or "-", " ".join(filter(None, (c.reason, c.other)))) for c in told.changes
    ]
    if rows:
        lines += ["", *format_table(("when", "what", "by", "why"), rows, columns=page.columns)]
    if told.doubted:
        lines += ["", click.style("Older, probably over:", bold=True)]
        lines += [line for one in told.doubted for line in format_record(one, page, lines=1)]
    if len(told.chain) > 1:
        lines += ["", click.style("All versions, oldest first:", bold=True)]
        for one in told.chain:
            first, *rest = format_record(one, page, lines=1)
            lines += [f"{'→' if one.id == told.record.id else ' '} {first}", *(f"  {line}" for line in rest)]
    return lines


def format_document(known: Document, page: PageLayout) -> list[str]:
    """A document section by section, each entry with its sources."""
    name = mask_controls(known.name).replace("_", " ")
    lines = [click.style(f"{mask_controls(known.owner)}: {name}", bold=True) + _format_version(known, page)]
    for section in dict.fromkeys(e.section for e in known.entries):
        lines += ["", click.style(mask_controls(section).replace("_", " "), bold=True)]
        for entry in (e for e in known.entries if e.section == section):
            first, *rest = wrap_text(entry.text, page.columns - 4) or [""]
            lines += [f"  - {first}", *(f"    {line}" for line in rest)]
            at = entry.at or known.at
            for older in lines_beneath(entry.text, at, entry.doubted, now=datetime.now(UTC), zone=page.zone):
                lines += wrap_text(older.strip(), page.columns, indent="    ")
            if entry.sources:
                lines.append(click.style(f"    from {', '.join(entry.sources)}", dim=True))
    return lines


def format_entity(known: Entity, page: PageLayout) -> list[str]:
    """A named thing and the records that mention it."""
    other = [a for a in known.aliases if a.casefold() != known.name.casefold()]
    lines = [
        f"{click.style(mask_controls(known.name), bold=True)}  {known.type}, {count_noun(known.mentions, 'mention')}"
    ]
    lines += wrap_text(f"also: {', '.join(other)}", page.columns) if other else []
    for one in known.records:
        lines += ["", *format_record(one, page)]
    return lines


def format_questions(waiting: Sequence[Question], page: PageLayout) -> list[str]:
    """Doubts that wait for the person's word."""
    lines: list[str] = []
    for one in waiting:
        about = f"{page.date(one.created_at)}  {mask_controls(one.user or '')}".rstrip()
        lines += ([""] if lines else []) + [f"{click.style('?', fg='yellow')}  {click.style(about, dim=True)}"]
        lines += wrap_text(one.text, page.columns, indent="    ")
        lines += [f"    {click.style(f'{one.id}  (about {one.older} and {one.newer})', dim=True)}"]
    return lines


def format_verdict(why: WhyNot, page: PageLayout) -> list[str]:
    """Why a record was not recalled."""
    head = click.style("recalled", fg="green") if why.found else click.style(f"not recalled ({why.stage})", fg="yellow")
    return [head, *wrap_text(why.reason, page.columns, indent="    ")]


def format_stats(counts: Mapping[str, Any], page: PageLayout) -> list[str]:
    """The sizes of a memory, then records by kind and state."""
    kinds: Mapping[str, Mapping[str, int]] = counts["kinds"]
    rows = [("space", str(counts["space"])), ("preset", str(counts["preset"]))]
    rows += [("records", str(sum(n for states in kinds.values() for n in states.values())))]
    rows += [
        ("size" if name == "bytes" else name, _format_amount(name, value, page))
        for name, value in counts.items()
        if name not in ("space", "preset", "kinds")
    ]
    lines = format_pairs(rows, columns=page.columns)
    if kinds:
        states = list(dict.fromkeys(state for row in kinds.values() for state in row))
        cells = [[kind, *(str(row.get(state, 0)) for state in states)] for kind, row in sorted(kinds.items())]
        lines += ["", *format_table(("kind", *states), cells, columns=page.columns)]
    return lines


def format_runs(done: Sequence[Run], page: PageLayout) -> list[str]:
    """What background jobs did, an error under its run."""
    lines = []
    width = max((len(r.name) for r in done), default=0)
    for run in done:
        told = ", ".join(f"{name} {value}" for name, value in run.counts.items())
        status = click.style(pad_to_columns(run.status, 9), fg=_STATUS_COLOURS[run.status])
        took = pad_to_columns(format_length(run.ended_at - run.started_at), 6)
        lines.append(
            f"{page.moment(run.started_at)}  {status}  {pad_to_columns(run.name, width)}  {took}  {told}".rstrip()
        )
        lines += wrap_text(run.error, page.columns, indent="    ") if run.error else []
    return lines


def format_usage(used: Sequence[Usage], page: PageLayout) -> list[str]:
    """What models were asked, a row for each space, task and model, and the cost of all."""
    head = ("space", "task", "calls", "refused", "read", "written", "cost", "model")
    rows = [
        (
            u.space,
            u.task,
            str(u.calls),
            str(u.refused),
            str(u.input_tokens),
            str(u.output_tokens),
            _format_cost(u),
            u.model,
        )
        for u in used
    ]
    total = sum(u.cost for u in used) / 1e6
    unpriced = sum(u.unpriced for u in used)
    told = f"Cost: {total:.4f}" + (f", and {count_noun(unpriced, 'call')} without a price" if unpriced else "")
    return [*format_table(head, rows, columns=page.columns), told]


def format_costs(costs: Sequence[PeriodCost], page: PageLayout, *, by: str) -> list[str]:
    """What models cost in each period and for each conversation, the newest first."""
    head = (by, "conversations", "calls", "read", "written", "cost", "each conversation")
    rows = [
        (
            one.period,
            str(one.conversations),
            str(one.calls),
            str(one.input_tokens),
            str(one.output_tokens),
            _format_cost(one),
            f"{one.cost_per_conversation / 1e6:.4f}" if one.conversations and one.unpriced < one.calls else "-",
        )
        for one in reversed(costs)
    ]
    unpriced = sum(one.unpriced for one in costs)
    told = [f"{count_noun(unpriced, 'call')} had no price: set writer_prices."] if unpriced else []
    return [*format_table(head, rows, columns=page.columns), *told]


def _format_cost(used: Usage | PeriodCost) -> str:
    return "-" if used.unpriced == used.calls else f"{used.cost / 1e6:.4f}"


def format_jobs(planned: Sequence[Job], page: PageLayout) -> list[str]:
    """What is planned, the next first."""
    rows = [
        (page.moment(j.due_at), j.state, j.name, j.space or "(all)", j.cron or "once", _describe_job(j))
        for j in planned
    ]
    return format_table(("due", "state", "job", "space", "schedule", "about"), rows, columns=page.columns)


def _describe_job(job: Job) -> str:
    return job.last_error or ("" if job.cron else job.key)


def _format_hit(hit: Hit, place: int, page: PageLayout, *, explain: bool) -> list[str]:
    number = click.style(f"{place:>2}", bold=True)
    score = click.style(f"{hit.score:.2f}", fg="green" if hit.score >= 0.5 else None)
    first, *rest = format_record(hit.record, page)
    lines = [f"{number}  {score}  {first}", *rest]
    beneath = lines_beneath(hit.record.text, hit.record.at, hit.doubted, now=datetime.now(UTC), zone=page.zone)
    lines += [line for older in beneath for line in wrap_text(older.strip(), page.columns, indent="    ")]
    if explain:
        why = [f"found by {hit.why}"]
        why += ["score: " + ", ".join(f"{n} {v:.2f}" for n, v in hit.why.parts.items())] if hit.why.parts else []
        lines += [click.style(line, fg="cyan") for w in why for line in wrap_text(w, page.columns, indent="    ")]
    return lines


def _format_heading(one: Record, page: PageLayout) -> str:
    marks = [f"({one.state})"] if one.state != "active" else []
    marks += ["pinned"] if one.pinned else []
    marks += ["validated"] if one.validated else []
    colour = _STATE_COLOURS.get(one.state, "bright_black")
    parts = [click.style(mask_controls(one.kind), fg="blue"), page.date(one.at), mask_controls(_author_of_record(one))]
    return "  ".join([*filter(None, parts), *(click.style(m, fg=colour) for m in marks)])


def _author_of_record(one: Record) -> str:
    if one.user and one.author and one.author != one.user:
        return f"{one.author} ({one.user})"
    return one.author or one.user or ""


def _format_state(one: Record, page: PageLayout) -> list[str]:
    rows = [
        ("state", one.state + (f": {one.state_reason}" if one.state_reason else "")),
        ("confidence", f"{one.confidence:.2f}"),
        ("made by", f"{one.made_by} ({one.origin.replace('_', ' ')})"),
        ("subject", one.subject or ""),
        ("from", ", ".join(one.sources)),
        ("session", one.session or ""),
        ("channel", one.channel or ""),
        ("expires", page.moment(one.expires_at) if one.expires_at else ""),
        (
            "recalled",
            f"{count_noun(one.access_count, 'time')}, last {page.moment(one.accessed_at)}" if one.accessed_at else "",
        ),
    ]
    return format_pairs([row for row in rows if row[1]], columns=page.columns - 4)


def _format_version(known: Document, page: PageLayout) -> str:
    return click.style(f"  version {known.version}, {page.moment(known.at)}", dim=True) if known.version else ""


def _format_amount(name: str, value: Any, page: PageLayout) -> str:
    if name == "bytes":
        return format_size(value)
    if name == "newest":
        return page.moment(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key} ({item})" for key, item in value.items()) or "none"
    return str(value)
