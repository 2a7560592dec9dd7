"""How the benchmark commands show their figures and their progress: scores come in, lines and a bar go out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from toldonce.cli.invocation import Invocation
from toldonce.cli.page import terminal_columns


def figures_table(
    scores: Mapping[str, Mapping[str, float]], columns: Sequence[tuple[str, str, int]], *, first: str
) -> list[str]:
    """Figures by category: a ruled table on a terminal, plain columns in a pipe."""
    used = [column for column in columns if any(column[1] in row for row in scores.values())]
    head = [first, *(heading for heading, _, _ in used)]
    rows = [[name, *(_format_figure(row.get(key), digits) for _, key, digits in used)] for name, row in scores.items()]
    if sys.stdout.isatty():
        return _ruled_table(head, rows)
    widths = [max(len(row[place]) for row in [head, *rows]) for place in range(len(head))]
    return [
        "  ".join([row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))])
        for row in [head, *rows]
    ]


def _ruled_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    import io

    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(*head[:1], box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in head[1:]:
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(*row)
    written = io.StringIO()
    Console(file=written, width=max(terminal_columns(), 120), color_system=None).print(table)
    return [line.rstrip() for line in written.getvalue().splitlines() if line.strip()]


def _format_figure(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


@contextmanager
def progress_bar(invocation: Invocation, what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar while a set runs, if somebody watches."""
    if invocation.quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.advance(task, done)
